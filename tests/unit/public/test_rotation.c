/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A free rigid body with a quaternion, through both integrators: ω along the body's axes or the world's, M in
 * two blocks. A symmetric top without moments keeps its angular momentum L, and precesses about it at the
 * rate |L| / A while it spins about its own axis at ω_3 (1 − C/A):
 *
 *   p(t) = turn(L, |L| t / A) ∘ p(0) ∘ turn(e_3, ω_3 (1 − C/A) t). */
#include "nsdyn/rotation.h"

#include <float.h>
#include <math.h>

#include "nsdyn/event.h"
#include "stepping.h"

enum { NQ = 7, NU = 6 };

/* Moments of inertia about the body's axes; of a top A, A and C. */
typedef struct top {
  double mass, J[3];
  double weight, radius; /* of a ball on a floor */
  int is_world;          /* ω along the axes of the world, else of the body */
  double p[4], omega[3]; /* to begin with; omega along the axes of the body */
} top;

/* J ω along the body's axes, of ω along the same. */
static void momentum(const top *b, const double *omega, double *L)
{
  for (int i = 0; i < 3; i++) {
    L[i] = b->J[i] * omega[i];
  }
}

static int mass(void *user, double t, const double *q, double *M)
{
  const top *b = user;
  (void)t;
  for (int i = 0; i < 3; i++) {
    M[4 * i] = b->mass;
    M[9 + 4 * i] = b->J[i];
  }
  for (int j = 0; b->is_world && j < 3; j++) { /* R J Rᵀ, column by column */
    double e[3] = {0.0}, column[3];
    e[j] = 1.0;
    nsdyn_quaternion_rotate_back(q + 3, e, column);
    momentum(b, column, column);
    nsdyn_quaternion_rotate(q + 3, column, column);
    for (int i = 0; i < 3; i++) {
      M[9 + 3 * i + j] = column[i];
    }
  }
  return 0;
}

/* −ω × J ω, and the weight of the centre of mass. */
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const top *b = user;
  double omega[3], L[3];
  (void)t;
  for (int i = 0; i < 3; i++) {
    omega[i] = u[3 + i];
  }
  if (b->is_world) {
    nsdyn_quaternion_rotate_back(q + 3, omega, omega);
  }
  momentum(b, omega, L);
  h[2] = -b->weight;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    h[3 + i] = L[j] * omega[k] - L[k] * omega[j];
  }
  if (b->is_world) {
    nsdyn_quaternion_rotate(q + 3, h + 3, h + 3);
  }
  return 0;
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  const top *b = user;
  (void)t;
  for (int i = 0; i < 3; i++) {
    qdot[i] = u[i];
  }
  if (b->is_world) {
    nsdyn_quaternion_rate_world(q + 3, u + 3, qdot + 3);
  } else {
    nsdyn_quaternion_rate_body(q + 3, u + 3, qdot + 3);
  }
  return 0;
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  const top *b = user;
  (void)t;
  for (int i = 0; i < 3; i++) {
    q_new[i] = q[i] + dt * u[i];
  }
  if (b->is_world) {
    nsdyn_quaternion_retract_world(q + 3, u + 3, dt, q_new + 3);
  } else {
    nsdyn_quaternion_retract_body(q + 3, u + 3, dt, q_new + 3);
  }
  return 0;
}

static nsdyn_system_def table_of(top *b)
{
  static const int32_t blocks[2] = {3, 3};
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = NQ;
  def.nu = NU;
  def.flags = b->is_world ? 0 : NSDYN_CONSTANT_MASS;
  def.nblocks = 2;
  def.block = blocks;
  def.user = b;
  def.mass = mass;
  def.force = force;
  def.kinematics = kinematics;
  def.retract = retract;
  return def;
}

/* q and u to begin with. */
static void begin(const top *b, double *q, double *u)
{
  for (int i = 0; i < 3; i++) {
    q[i] = 0.1 * i;
    u[i] = 0.5 - 0.3 * i;
    u[3 + i] = b->omega[i];
  }
  for (int i = 0; i < 4; i++) {
    q[3 + i] = b->p[i];
  }
  if (b->is_world) {
    nsdyn_quaternion_rotate(b->p, b->omega, u + 3);
  }
}

/* A disk, a rod or between, at a random attitude; ω of about 1. */
static top random_top(random_state *random, int is_world)
{
  top b = {.mass = 2.0, .is_world = is_world};
  b.J[0] = b.J[1] = random_between(random, 0.5, 2.0);
  b.J[2] = b.J[0] * random_between(random, 0.2, 2.0);
  for (int i = 0; i < 4; i++) {
    b.p[i] = random_normal(random);
  }
  nsdyn_quaternion_normalize(b.p, b.p);
  for (int i = 0; i < 3; i++) {
    b.omega[i] = random_between(random, -1.0, 1.0);
  }
  return b;
}

static double norm(int n, const double *v)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += v[i] * v[i];
  }
  return sqrt(sum);
}

/* The closed form. */
static void exact(const top *b, double t, double *p)
{
  const double A = b->J[0], C = b->J[2], axis[3] = {0.0, 0.0, 1.0};
  double L[3], precession[4], spin[4];
  momentum(b, b->omega, L);
  nsdyn_quaternion_rotate(b->p, L, L);
  nsdyn_quaternion_from_axis_angle(L, norm(3, L) * t / A, precession);
  nsdyn_quaternion_from_axis_angle(axis, b->omega[2] * (1.0 - C / A) * t, spin);
  nsdyn_quaternion_multiply(precession, b->p, p);
  nsdyn_quaternion_multiply(p, spin, p);
}

/* How far p is from the closed form, an angle; p and −p are one attitude. */
static double miss(const top *b, double t, const double *p)
{
  double expected[4], ahead[4], behind[4];
  exact(b, t, expected);
  for (int i = 0; i < 4; i++) {
    ahead[i] = p[i] - expected[i];
    behind[i] = p[i] + expected[i];
  }
  return 2.0 * fmin(norm(4, ahead), norm(4, behind));
}

/* Energy of rotation, and L in the world, at a state. */
static double energy_and_momentum(const top *b, const double *q, const double *u, double *L)
{
  double omega[3];
  for (int i = 0; i < 3; i++) {
    omega[i] = u[3 + i];
  }
  if (b->is_world) {
    nsdyn_quaternion_rotate_back(q + 3, omega, omega);
  }
  momentum(b, omega, L);
  const double T = 0.5 * (L[0] * omega[0] + L[1] * omega[1] + L[2] * omega[2]);
  nsdyn_quaternion_rotate(q + 3, L, L);
  return T;
}

typedef struct errors {
  double attitude, energy, momentum;
} errors;

/* Of a run to t = 2 by steps of dt. */
static errors errors_of_steps(top *b, int steps)
{
  const nsdyn_system_def def = table_of(b);
  const double dt = 2.0 / steps;
  double q[NQ], u[NU], L[3], L_end[3];
  nsdyn_stepper *s = stepper_for(&def, NULL, NULL);
  begin(b, q, u);
  set_state(s, q, u);
  run(s, dt, steps);
  const double T = energy_and_momentum(b, q, u, L);
  const double T_end = energy_and_momentum(b, nsdyn_stepper_q(s), nsdyn_stepper_u(s), L_end);
  errors e = {.attitude = miss(b, 2.0, nsdyn_stepper_q(s) + 3), .energy = fabs(T_end - T) / T};
  for (int i = 0; i < 3; i++) {
    L_end[i] -= L[i];
  }
  e.momentum = norm(3, L_end) / norm(3, L);
  nsdyn_stepper_free(s);
  return e;
}

/* The scheme is of first order: forces are those of the velocities before the step. Attitude, energy and
 * angular momentum are off by a share of dt, half as much of half of it. */
START_TEST(steps_follow_the_top_to_their_order)
{
  for (int seed = 0; seed < random_cases(60); seed++) {
    random_state random = random_seed((uint64_t)seed);
    top b = random_top(&random, seed % 2);
    const errors coarse = errors_of_steps(&b, 4000), fine = errors_of_steps(&b, 8000);
    REQUIRE(coarse.attitude <= 2e-3 && coarse.energy <= 2e-3 && coarse.momentum <= 2e-3, "seed %d: %g %g %g",
            seed, coarse.attitude, coarse.energy, coarse.momentum);
    REQUIRE(fabs(coarse.attitude - 2.0 * fine.attitude) <= 0.02 * coarse.attitude + 1e-7, "seed %d: %g, %g",
            seed, coarse.attitude, fine.attitude);
    REQUIRE(fabs(coarse.energy - 2.0 * fine.energy) <= 0.02 * coarse.energy + 1e-7, "seed %d: %g, %g", seed,
            coarse.energy, fine.energy);
    REQUIRE(fabs(coarse.momentum - 2.0 * fine.momentum) <= 0.02 * coarse.momentum + 1e-7, "seed %d: %g, %g",
            seed, coarse.momentum, fine.momentum);
  }
}
END_TEST

/* A million steps: the norm is 1 to two units of its last place after each; energy has grown by what the
 * order of the scheme allows, (1 + (Ω dt)²)^(steps/2) of its part across the axis, Ω = ω_3 (C − A) / A; the
 * exact balance of energy holds in each step. */
START_TEST(the_norm_stays_in_a_million_steps)
{
  enum { STEPS = 1000000 };
  top b = {.mass = 2.0, .J = {1.0, 1.0, 1.5}, .p = {1.0, 0.0, 0.0, 0.0}, .omega = {0.2, -0.1, 1.0}};
  const nsdyn_system_def def = table_of(&b);
  const double dt = 1e-4;
  double q[NQ], u[NU], L[3], worst = 0.0;
  nsdyn_stepper *s = stepper_for(&def, NULL, NULL);
  begin(&b, q, u);
  set_state(s, q, u);
  for (int k = 0; k < STEPS; k++) {
    REQUIRE(nsdyn_stepper_step(s, dt) == NSDYN_OK, "step %d: %s", k, nsdyn_stepper_message(s));
    const double *p = nsdyn_stepper_q(s) + 3;
    worst = fmax(worst, fabs(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1.0));
    if (k % 100000 == 0) {
      const nsdyn_step_energy e = energy_of(s);
      ck_assert_double_eq_tol(e.after - e.before, e.force, 1e-14 * e.after);
    }
  }
  ck_assert_double_le(worst, 5.0 * DBL_EPSILON);
  const double rate = b.omega[2] * (b.J[2] - b.J[0]) / b.J[0], across = b.J[0] * 0.5 * 0.05;
  const double T = energy_and_momentum(&b, nsdyn_stepper_q(s), nsdyn_stepper_u(s), L);
  const double expected = across * (pow(1.0 + rate * rate * dt * dt, STEPS) - 1.0) + across + 0.75;
  ck_assert_double_eq_tol(T, expected, 1e-10);
  nsdyn_stepper_free(s);
}
END_TEST

/* From event to event norm, energy and angular momentum drift by the tolerance, 1e-9 per unit of time or so,
 * over a hundred turns; the attitude by the integral of such errors of the rates. */
START_TEST(events_follow_the_top_within_the_tolerance)
{
  for (int seed = 0; seed < random_cases(30); seed++) {
    random_state random = random_seed((uint64_t)seed);
    top b = random_top(&random, seed % 2);
    const nsdyn_system_def def = table_of(&b);
    const double t = seed % 5 ? 10.0 : 600.0;
    double q[NQ], u[NU], L[3], L_end[3];
    nsdyn_system *sys;
    nsdyn_event_driver *d;
    begin(&b, q, u);
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, u, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &d, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_set_state(d, 0.0, q, u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_advance(d, t), NSDYN_OK);
    const double *p = nsdyn_event_driver_q(d) + 3;
    const double bound = 1e-9 * (1.0 + t);
    REQUIRE(fabs(norm(4, p) - 1.0) <= bound, "seed %d: the norm is off by %g", seed, norm(4, p) - 1.0);
    REQUIRE(miss(&b, t, p) <= 10.0 * bound * t, "seed %d: off by %g", seed, miss(&b, t, p));
    const double T = energy_and_momentum(&b, q, u, L);
    const double T_end = energy_and_momentum(&b, nsdyn_event_driver_q(d), nsdyn_event_driver_u(d), L_end);
    REQUIRE(fabs(T_end - T) <= bound * T, "seed %d: energy %g", seed, T_end / T - 1.0);
    for (int i = 0; i < 3; i++) {
      L_end[i] -= L[i];
    }
    REQUIRE(norm(3, L_end) <= 10.0 * bound * norm(3, L), "seed %d: L %g", seed, norm(3, L_end));
    nsdyn_event_driver_free(d);
    nsdyn_system_free(sys);
  }
}
END_TEST

/* ---- a ball ---- */

static int ball_gap(void *user, double t, const double *q, double *g)
{
  const top *b = user;
  (void)t;
  g[0] = q[2] - b->radius;
  return 0;
}

/* The lowest point moves at v + ω × r with r = −R e_z; a row n has n and r × n, this along the axes of ω. */
static int ball_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const top *b = user;
  const double r[3] = {0.0, 0.0, -b->radius};
  static const double n[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  (void)t, (void)i;
  for (int k = 0; k < 3; k++) {
    double *row = W + k * NU, *turn = row + 3;
    w_hat[k] = 0.0;
    for (int j = 0; j < 3; j++) {
      row[j] = n[k][j];
      turn[j] = r[(j + 1) % 3] * n[k][(j + 2) % 3] - r[(j + 2) % 3] * n[k][(j + 1) % 3];
    }
    if (!b->is_world) {
      nsdyn_quaternion_rotate_back(q + 3, turn, turn);
    }
  }
  return 0;
}

/* A ball that is thrown along a floor slides by μ g, and its spin grows by 5/2 μ g / R, until it rolls at 5/7
 * of its speed; friction in space, M in blocks, either axes. Angular momentum about the floor is conserved in
 * each step, so that the last speed is exact; place and attitude are exact to the order of the scheme. */
START_TEST(a_ball_slides_until_it_rolls)
{
  const double g = 9.81, mu = 0.3, R = 0.5, v_x = 1.6, v_y = -1.2, v = 2.0, dt = 1e-4, t_end = 0.5;
  for (int is_world = 0; is_world < 2; is_world++) {
    top b = {.mass = 2.0, .weight = 2.0 * g, .radius = R, .is_world = is_world, .p = {0.5, 0.5, -0.5, 0.5}};
    b.J[0] = b.J[1] = b.J[2] = 0.4 * b.mass * R * R;
    nsdyn_system_def def = table_of(&b);
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = mu;
    law.tangents = 2;
    def.ncontacts = 1;
    def.gap = ball_gap;
    def.direction = ball_direction;
    nsdyn_stepper *s = stepper_for(&def, &law, NULL);
    const double q[NQ] = {0.0, 0.0, R, b.p[0], b.p[1], b.p[2], b.p[3]}, u[NU] = {v_x, v_y, 0.0};
    set_state(s, q, u);
    run(s, dt, (int)(t_end / dt + 0.5));
    const double *q_end = nsdyn_stepper_q(s), *u_end = nsdyn_stepper_u(s);
    ck_assert_double_eq_tol(u_end[0], 5.0 / 7.0 * v_x, 1e-11);
    ck_assert_double_eq_tol(u_end[1], 5.0 / 7.0 * v_y, 1e-11);
    const double t_roll = 2.0 * v / (7.0 * mu * g), rolled = t_end - t_roll;
    const double way = v * t_roll - 0.5 * mu * g * t_roll * t_roll + 5.0 / 7.0 * v * rolled;
    ck_assert_double_eq_tol(q_end[0], way * v_x / v, 1e-3 * dt);
    ck_assert_double_eq_tol(q_end[1], way * v_y / v, 1e-3 * dt);
    ck_assert_double_eq_tol(q_end[2], R, 1e-12);
    /* It turns about e_z × v. */
    const double axis[3] = {-v_y, v_x, 0.0};
    const double angle = 1.25 * mu * g / R * t_roll * t_roll + 5.0 / 7.0 * v / R * rolled;
    double p[4], back[4];
    nsdyn_quaternion_from_axis_angle(axis, angle, p);
    nsdyn_quaternion_multiply(p, b.p, p);
    nsdyn_quaternion_conjugate(p, p);
    nsdyn_quaternion_multiply(q_end + 3, p, back);
    ck_assert_double_le(norm(3, back + 1), 1e-2 * dt);
    ck_assert_double_eq_tol(norm(4, q_end + 3), 1.0, 3.0 * DBL_EPSILON);
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("public/rotation", TEST(steps_follow_the_top_to_their_order), TEST(the_norm_stays_in_a_million_steps),
      TEST(a_ball_slides_until_it_rolls), TEST(events_follow_the_top_within_the_tolerance))
