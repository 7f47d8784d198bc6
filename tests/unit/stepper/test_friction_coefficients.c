/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "nsdyn/event.h"
#include "nsdyn/stepper.h"
#include "stepper/object.h"
#include "stepping.h"
#include "support/callbacks.h"

/* A block on a ramp of unit weight, pulled by `pull`, with two coefficients. */
static nsdyn_stepper *static_block(model *m, double pull, double mu, double mu_static, double belt)
{
  make_block(m, pull, -1.0, mu);
  m->M0[0] = m->M0[3] = 1.0;
  m->contact[0].law.friction = NSDYN_FRICTION_STATIC;
  m->contact[0].law.mu_static = mu_static;
  m->contact[0].belt = belt;
  return stepper_of(m, 0, 0, NULL);
}

/* At rest between the two limits it stays; pushed it goes on sliding, and stops where it would turn. */
START_TEST(two_coefficients_hold_until_exceeded)
{
  model m;
  nsdyn_stepper *s = static_block(&m, 0.4, 0.3, 0.5, 0.0);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
  for (int k = 0; k < 100; k++) {
    run(s, 0.01, 1);
    const nsdyn_contact_state c = state_of(s, 0);
    ck_assert_int_eq(c.mode, NSDYN_MODE_STICK);
    ck_assert(c.mu == 0.5 && nsdyn_stepper_u(s)[0] == 0.0);
  }
  m.f[0] = 0.51; /* exceeded: then 0.3 is not enough any more, even when it falls to 0.4 */
  run(s, 0.01, 1);
  ck_assert(state_of(s, 0).mu == 0.3 && state_of(s, 0).mode == NSDYN_MODE_SLIP_PLUS);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.0021, 1e-15);
  m.f[0] = 0.4;
  run(s, 0.01, 10);
  ck_assert(state_of(s, 0).mu == 0.3);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.0021 + 0.1 * 0.1, 1e-15);
  m.f[0] = -0.4; /* friction helps to stop it; where it would turn it sticks, as 0.4 < 0.5 */
  int steps = 0;
  while (nsdyn_stepper_u(s)[0] > 1e-15) {
    run(s, 0.01, 1);
    ck_assert_int_lt(++steps, 5);
  }
  ck_assert_int_eq(state_of(s, 0).mode, NSDYN_MODE_STICK);
  run(s, 0.01, 10);
  ck_assert(state_of(s, 0).mode == NSDYN_MODE_STICK && state_of(s, 0).mu == 0.5);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.0, 1e-17);
  m.f[0] = -0.6;
  run(s, 0.01, 1);
  ck_assert(state_of(s, 0).mode == NSDYN_MODE_SLIP_MINUS && state_of(s, 0).mu == 0.3);
  nsdyn_stepper_free(s);
}
END_TEST

/* A plate that shakes along itself, by no more than what the static coefficient holds. */
typedef struct shaken {
  double reach, w, phase; /* of its velocity */
} shaken;

static double plate_speed(const shaken *p, double t)
{
  return p->reach * sin(p->w * t + p->phase);
}

static int shaken_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  M[1] = M[2] = 0.0;
  return 0;
}

static int shaken_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 0.0;
  h[1] = -10.0;
  return 0;
}

static int shaken_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)q, (void)i;
  W[0] = W[3] = 0.0;
  W[1] = W[2] = 1.0;
  w_hat[0] = 0.0;
  w_hat[1] = -plate_speed(user, t);
  return 0;
}

static nsdyn_stepper *shaken_stepper(shaken *p, const nsdyn_contact_law *law,
                                     const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.ncontacts = 1;
  def.user = p;
  def.mass = shaken_mass;
  def.force = shaken_force;
  def.gap = gap_is_q1;
  def.direction = shaken_direction;
  return stepper_for(&def, law, options);
}

/* What slides on it is caught where its slip vanishes, and never let go of: also where that falls between the
 * instants that two steps see, and the plate has passed by in between. */
START_TEST(a_shaken_plate_keeps_what_it_has_caught)
{
  const int seeds = random_cases(2000);
  for (int seed = 0; seed < seeds; seed++) {
    random_state random = random_seed((uint64_t)seed);
    shaken p = {.w = random_between(&random, 5.0, 50.0), .phase = random_between(&random, 0.0, 6.28)};
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_STATIC;
    law.mu = random_between(&random, 0.1, 0.5);
    law.mu_static = law.mu * random_between(&random, 1.1, 2.0);
    p.reach =
        10.0 * random_between(&random, law.mu, 0.99 * law.mu_static) / p.w; /* most of a: between both */
    nsdyn_stepper *s = shaken_stepper(&p, &law, NULL);
    const double slip = random_between(&random, -3.0, 3.0), dt = random_between(&random, 0.001, 0.02) / p.w;
    const double u[2] = {plate_speed(&p, 0.0) + slip, 0.0};
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, (double[]){0.0, 0.0}, u), NSDYN_OK);
    int is_caught = 0;
    const double end = 8.0 / p.w + fabs(slip) / (10.0 * law.mu) * 4.0;
    while (nsdyn_stepper_time(s) < end) {
      run(s, dt, 1);
      const int sticks = state_of(s, 0).mode == NSDYN_MODE_STICK;
      REQUIRE(sticks || !is_caught, "seed %d: let go at t = %g", seed, nsdyn_stepper_time(s));
      const double after = state_of(s, 0).after[1];
      REQUIRE(sticks || after * slip > 0.0, "seed %d: slips by %g, after it began with %g", seed, after,
              slip);
      is_caught = sticks;
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* What sticks on a plate that shakes is moved by friction alone, which the law limits: with projection, too.
 */
START_TEST(a_shaken_plate_needs_all_its_friction)
{
  for (int k = 0; k < 40; k++) {
    random_state random = random_seed((uint64_t)k);
    shaken p = {.w = random_between(&random, 2.0, 20.0), .phase = random_between(&random, 0.0, 6.28)};
    p.reach = 3.0 / p.w;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = random_between(&random, 0.15, 0.4); /* 0.3 is needed at the most */
    nsdyn_stepper_options options = stepper_defaults();
    options.project = k % 2;
    nsdyn_stepper *s = shaken_stepper(&p, &law, &options);
    const double dt = 1e-3 / p.w, u[2] = {plate_speed(&p, 0.0), 0.0};
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, (double[]){0.0, 0.0}, u), NSDYN_OK);
    run(s, dt, 3);
    int stuck = 0;
    for (int step = 0; step < 6000; step++) {
      run(s, dt, 1);
      const double t = nsdyn_stepper_time(s) - 0.5 * dt;
      const double needed = p.reach * p.w * cos(p.w * t + p.phase), most = 10.0 * law.mu;
      const nsdyn_contact_state c = state_of(s, 0);
      stuck = c.mode == NSDYN_MODE_STICK ? stuck + 1 : 0;
      if (stuck > 2) { /* the first takes what is left of the slip */
        REQUIRE(fabs(c.force[1] - needed) <= 0.02 * 3.0 && fabs(needed) <= most + 0.02 * 3.0,
                "case %d, t %g: sticks with %g where %g is needed", k, t, c.force[1], needed);
      } else if (!stuck) {
        REQUIRE(fabs(fabs(c.force[1]) - most) <= 1e-9, "case %d, t %g: slides under %g", k, t, c.force[1]);
      }
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A bead on a rough ring, a slot known in advance or found: v = v₀ / (1 + μ v₀ t / R), N = m v² / R. */
static const double ring_R = 0.7, ring_mu = 0.25;

static int ring_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = h[1] = 0.0;
  return 0;
}

static int ring_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = hypot(q[0], q[1]) - ring_R;
  return 0;
}

static int ring_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const double r = hypot(q[0], q[1]);
  (void)user, (void)t, (void)i;
  w_hat[0] = w_hat[1] = 0.0;
  W[0] = W[3] = q[0] / r;
  W[1] = q[1] / r;
  W[2] = -W[1];
  return 0;
}

static int ring_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  (void)u;
  double W[4], w_hat[2] = {0.0, 0.0};
  (void)margin;
  ring_direction(user, t, q, 0, W, w_hat);
  const nsdyn_contact_block block = {0, 2, W};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 5;
  ring_gap(user, t, q, &found.gap);
  found.blocks = 1;
  found.block = &block;
  return nsdyn_contact_sink_add(sink, &found);
}

static int ring_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  double W[4], w_hat[2];
  ring_gap(user, t, q, g_b);
  ring_direction(user, t, q, 0, W, w_hat);
  w_hat_b[0] = 0.0;
  W_b[0] = W[0];
  W_b[1] = W[1];
  return 0;
}

/* On a smooth ring, told as a constraint, it keeps its speed. */
START_TEST(a_smooth_ring_needs_all_its_force)
{
  for (int k = 0; k < 2 * 3; k++) {
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.nconstraints = 1;
    def.mass = shaken_mass;
    def.force = ring_force;
    def.constraint = ring_constraint;
    nsdyn_stepper_options options = stepper_defaults();
    options.project = k % 2;
    nsdyn_stepper *s = stepper_for(&def, NULL, &options);
    const double dt = 4e-3 / (double)(1 << (2 * (k / 2))), v0 = 3.0;
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, (double[]){ring_R, 0.0}, (double[]){0.0, v0}), NSDYN_OK);
    run(s, dt, 3);
    while (nsdyn_stepper_time(s) < 2.0) {
      run(s, dt, 1);
      nsdyn_constraint_state b;
      ck_assert_int_eq(nsdyn_constraint_state_init(&b, sizeof b), NSDYN_OK);
      ck_assert_int_eq(nsdyn_stepper_constraint(s, 0, &b), NSDYN_OK);
      const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
      const double needed = (u[0] * u[0] + u[1] * u[1]) / hypot(q[0], q[1]); /* steps drift outwards */
      REQUIRE(fabs(-b.force - needed) <= 60.0 * dt, "case %d: a force of %g for %g", k, -b.force, needed);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

START_TEST(a_rough_ring_slows_its_bead)
{
  for (int k = 0; k < 2 * 2 * 3; k++) {
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    const int is_found = k % 2;
    def.nq = def.nu = 2;
    def.ncontacts = is_found ? 0 : 1;
    def.mass = shaken_mass;
    def.force = ring_force;
    def.gap = is_found ? NULL : ring_gap;
    def.direction = is_found ? NULL : ring_direction;
    def.find = is_found ? ring_find : NULL;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.kind = NSDYN_CONTACT_BILATERAL;
    law.mu = ring_mu;
    nsdyn_stepper_options options = stepper_defaults();
    options.project = k / 2 % 2;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    const double dt = 4e-3 / (double)(1 << (2 * (k / 4))), v0 = 3.0;
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, (double[]){ring_R, 0.0}, (double[]){0.0, v0}), NSDYN_OK);
    run(s, dt, 3);
    while (nsdyn_stepper_time(s) < 2.0) {
      run(s, dt, 1);
      const double t = nsdyn_stepper_time(s), v = v0 / (1.0 + ring_mu * v0 * t / ring_R);
      const double *u = nsdyn_stepper_u(s);
      nsdyn_contact_state c = {.size = sizeof c};
      REQUIRE(nsdyn_stepper_active_contact(s, 0, &c) == NSDYN_OK, "case %d, t %g: no contact", k, t);
      REQUIRE(fabs(hypot(u[0], u[1]) - v) <= 4.0 * v0 * dt, "case %d, t %g: v = %g for %g", k, t,
              hypot(u[0], u[1]), v);
      REQUIRE(fabs(fabs(c.force[0]) - v * v / ring_R) <= 60.0 * dt, "case %d, t %g: N = %g for %g", k, t,
              c.force[0], v * v / ring_R);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Uphill with a kick under a pull back that even μ_s cannot hold: it turns, and slides back under μ. */
START_TEST(what_mu_static_cannot_hold_turns)
{
  model m;
  nsdyn_stepper *s = static_block(&m, -0.7, 0.3, 0.5, 0.0);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.095, 0.0});
  run(s, 0.5, 1);
  const nsdyn_contact_state c = state_of(s, 0);
  ck_assert(c.mode == NSDYN_MODE_SLIP_MINUS && c.mu == 0.3);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.095 - 0.5 * (0.7 - 0.3), 1e-15);
  ck_assert_int_eq(report_of(s).rounds, 3); /* μ, then μ_s in vain, then μ */
  nsdyn_stepper_free(s);
}
END_TEST

/* A mass on a spring on a belt: stick until k x = μ_s N, then slip under μ_d. While it slips it swings about
 * μ_d N / k with amplitude a = hypot(x_s − x_d, v/ω), until it has the belt's velocity again: the stick phase
 * lasts 2 (x_s − x_d) / v, the slip phase 2 (π − atan((x_s − x_d) ω / v)) / ω. */
START_TEST(belt_makes_stick_and_slip_alternate)
{
  const double v = 0.1, k = 1.0, mu = 0.2, mu_static = 0.4, dt = 1e-4;
  model m;
  /* γ_T = ẋ − v. */
  nsdyn_stepper *s = static_block(&m, 0.0, mu, mu_static, -v);
  m.K[0] = k;
  set_state(s, (double[]){0.3, 0.0}, (double[]){v, 0.0});
  const double exact =
      2.0 * (mu_static - mu) / v + 2.0 * (3.14159265358979323846 - atan((mu_static - mu) / v));
  double begin = -1.0, length = 0.0;
  int before = NSDYN_MODE_STICK, periods = 0;
  for (int step = 0; periods < 3; step++) {
    run(s, dt, 1);
    ck_assert_int_lt(step, 1000000);
    const nsdyn_contact_state c = state_of(s, 0);
    if (before == NSDYN_MODE_STICK && c.mode != NSDYN_MODE_STICK) {
      length = nsdyn_stepper_time(s) - begin;
      periods += begin >= 0.0;
      if (begin >= 0.0) {
        ck_assert_double_eq_tol(length, exact, 20.0 * dt);
      }
      begin = nsdyn_stepper_time(s);
      ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], mu_static / k, 1e-3);
    }
    before = c.mode;
  }
  nsdyn_stepper_free(s);
}
END_TEST

/* μ falls with speed: 0.4 + 0.2/(1 + v), at the beginning's speed, or with rounds at the end's. */
START_TEST(curves_are_taken_at_either_end)
{
  const double dt = 0.1, v = 1.0;
  model m;
  make_block(&m, 0.0, -1.0, 0.0);
  m.M0[0] = m.M0[3] = 1.0;
  m.contact[0].law.friction = NSDYN_FRICTION_CURVE;
  nsdyn_stepper_options options = stepper_defaults();
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0, 0.0}, (double[]){-v, 0.0});
  run(s, dt, 1);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], -v + dt * (0.4 + 0.2 / (1.0 + v)), 1e-15);
  ck_assert(m.calls[MODEL_CURVE] == 1 && report_of(s).rounds == 1);
  options.friction_rounds = 50;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
  set_state(s, (double[]){0.0, 0.0}, (double[]){-v, 0.0});
  run(s, dt, 1);
  const double u = nsdyn_stepper_u(s)[0];
  ck_assert_double_eq_tol(u, -v + dt * (0.4 + 0.2 / (1.0 - u)), 1e-15);
  ck_assert_int_lt(report_of(s).rounds, 20); /* it ends when nothing changes any more */
  ck_assert_double_eq_tol(state_of(s, 0).mu, 0.4 + 0.2 / (1.0 - u), 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

/* A given bound is a force: its impulse is a Δt, whatever the weight, and nothing at an impact. */
START_TEST(given_bounds_are_forces)
{
  model m;
  make_block(&m, 0.0, -1.0, 0.0);
  m.M0[0] = m.M0[3] = 1.0;
  m.contact[0].law.friction = NSDYN_FRICTION_BOUND;
  m.contact[0].law.bound = 0.7;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, 0.0});
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  ck_assert(nsdyn_stepper_u(s)[0] == 1.0);
  run(s, 0.1, 1);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 1.0 - 0.07, 1e-15);
  run(s, 0.1, 20);
  ck_assert(nsdyn_stepper_u(s)[0] == 0.0 && state_of(s, 0).mode == NSDYN_MODE_STICK);
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- a brake ---- */

/* μ(v) = 0.5 / (1 + v / 2), which falls as it slides faster. */
static int falling(void *user, double speed, double *mu)
{
  if (user) {
    ++*(int *)user;
  }
  *mu = 0.5 / (1.0 + speed / 2.0);
  return 0;
}

/* A disk of inertia J whose rim, R from the axis, slides through pads that press with N: γ_T = R ω, and
 * J ω' = −R N μ(R ω) has stopped after T = J (ω₀ + R ω₀² / (2 v₀)) / (R N μ₀). The pads are closed, come what
 * may: their gap is that of coordinate 1, which never moves. */
static const double disk_J = 3.0, disk_R = 0.2, disk_N = 40.0, disk_omega = 25.0;

static double stop_time(void)
{
  return disk_J * (disk_omega + disk_R * disk_omega * disk_omega / (2.0 * 2.0)) / (disk_R * disk_N * 0.5);
}

static void make_disk(model *m, int *calls)
{
  model_clear(m, 2);
  m->M0[0] = disk_J;
  model_contact *pad = model_add_contact(m, 0.0, 1, 0, 0.9, 0.0); /* mu = 0.9 means nothing */
  pad->tangent[0] = disk_R;
  pad->law.kind = NSDYN_CONTACT_BILATERAL;
  pad->law.friction = NSDYN_FRICTION_BOUND;
  pad->law.bound = disk_N;
  pad->law.curve = falling;
  pad->law.user = calls;
}

static double stepped_stop(double dt, int rounds, int *steps)
{
  model m;
  int calls = 0;
  make_disk(&m, &calls);
  nsdyn_stepper_options options = stepper_defaults();
  options.friction_rounds = rounds;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0, 0.0}, (double[]){disk_omega, 0.0});
  double last = disk_omega;
  *steps = 0;
  while (nsdyn_stepper_u(s)[0] > 1e-12 * disk_omega) {
    last = nsdyn_stepper_u(s)[0];
    run(s, dt, 1);
    REQUIRE(++*steps < 1000000, "it does not stop");
  }
  ck_assert_int_ge(calls, *steps);
  ck_assert_int_eq(state_of(s, 0).mode, NSDYN_MODE_STICK);
  /* Within the last step, which began with `last` and is all but linear. */
  const double stop = nsdyn_stepper_time(s) - dt + last * disk_J / (disk_R * disk_N * 0.5);
  m.f[0] = 0.99 * disk_R * disk_N * 0.5; /* it holds up to μ(0) N, and no further */
  run(s, dt, 3);
  ck_assert(fabs(nsdyn_stepper_u(s)[0]) <= 1e-14 * disk_omega);
  m.f[0] = 1.01 * disk_R * disk_N * 0.5;
  run(s, dt, 3);
  ck_assert(nsdyn_stepper_u(s)[0] > 1e-6 * disk_omega);
  nsdyn_stepper_free(s);
  return stop;
}

/* Order one, whichever end of the step μ is taken at: half the step, half the error. */
START_TEST(a_brake_stops_when_it_must_in_steps)
{
  for (int rounds = 0; rounds <= 30; rounds += 30) {
    int steps;
    const double coarse = fabs(stepped_stop(1e-2, rounds, &steps) - stop_time());
    const double fine = fabs(stepped_stop(1e-3, rounds, &steps) - stop_time());
    ck_assert_msg(coarse < 2e-3 * stop_time() && fine < 0.15 * coarse, "%g, then %g", coarse, fine);
  }
}
END_TEST

START_TEST(a_brake_stops_when_it_must_in_events)
{
  model m;
  nsdyn_system *sys;
  nsdyn_event_driver *d;
  nsdyn_event_driver_options options;
  make_disk(&m, NULL);
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = 1e-11;
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &d, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_set_state(d, 0.0, (double[]){0.0, 0.0}, (double[]){disk_omega, 0.0}),
                   NSDYN_OK);
  const nsdyn_status status = nsdyn_event_driver_advance(d, 2.0 * stop_time());
  ck_assert_msg(status == NSDYN_OK, "%s", nsdyn_event_driver_message(d));
  double stopped = 0.0;
  for (int k = 0; k < (int)nsdyn_event_driver_events(d); k++) {
    nsdyn_event event;
    nsdyn_event_init(&event, sizeof event);
    ck_assert_int_eq(nsdyn_event_driver_event(d, k, &event), NSDYN_OK);
    stopped = event.kind == NSDYN_EVENT_STICK ? event.t : stopped;
  }
  ck_assert_double_eq_tol(stopped, stop_time(), 1e-9 * stop_time());
  ck_assert(fabs(nsdyn_event_driver_u(d)[0]) <= 1e-14 * disk_omega);
  m.f[0] = 1.01 * disk_R * disk_N * 0.5;
  ck_assert_int_eq(nsdyn_event_driver_set_state(d, 0.0, (double[]){0.0, 0.0}, (double[]){0.0, 0.0}),
                   NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_advance(d, 0.1), NSDYN_OK);
  ck_assert(nsdyn_event_driver_u(d)[0] > 1e-6 * disk_omega);
  nsdyn_event_driver_free(d);
  nsdyn_system_free(sys);
}
END_TEST

SUITE("stepper/friction_coefficients", TEST(a_shaken_plate_needs_all_its_friction),
      TEST(a_rough_ring_slows_its_bead), TEST(a_smooth_ring_needs_all_its_force),
      TEST(a_shaken_plate_keeps_what_it_has_caught), TEST(a_brake_stops_when_it_must_in_steps),
      TEST(a_brake_stops_when_it_must_in_events), TEST(two_coefficients_hold_until_exceeded),
      TEST(what_mu_static_cannot_hold_turns), TEST(belt_makes_stick_and_slip_alternate),
      TEST(curves_are_taken_at_either_end), TEST(given_bounds_are_forces))
