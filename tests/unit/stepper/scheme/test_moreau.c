/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/object.h"

#include <math.h>
#include <string.h>

#include "stepping.h"

/* Under constant force the midpoint rule is exact, whatever the step. */
START_TEST(free_flight_is_a_parabola)
{
  model m;
  model_clear(&m, 2);
  m.M0[0] = m.M0[3] = 0.3e-3;
  m.f[1] = -9.81 * 0.3e-3;
  const nsdyn_stepper_options options = stepper_unchecked();
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){1.0, 2.0}, (double[]){3.0, 4.0});
  run(s, 0.01, 100);
  ck_assert_double_eq_tol(nsdyn_stepper_time(s), 1.0, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], 1.0 + 3.0, 1e-13);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], 2.0 + 4.0 - 0.5 * 9.81, 1e-12);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 4.0 - 9.81, 1e-13);
  ck_assert_int_eq(m.calls[MODEL_MASS], 100);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(oscillator_is_of_second_order)
{
  const nsdyn_stepper_options options = stepper_unchecked();
  const double coarse = oscillator_error(&options, 50), fine = oscillator_error(&options, 100);
  ck_assert_double_lt(coarse, 1e-4);
  ck_assert_double_eq_tol(coarse / fine, 4.0, 0.1);
}
END_TEST

/* Bounces of a dropped ball: the k-th at t_k, with speed ε^k v. The scheme is off by at most a step each. */
START_TEST(ball_bounces_as_in_closed_form)
{
  const double g = 10.0, eps = 0.5, dt = 1e-5;
  model m;
  model_clear(&m, 1);
  m.f[0] = -g;
  model_add_contact(&m, 0.0, 0, -1, 0.0, eps);
  const nsdyn_stepper_options options = stepper_unchecked();
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, 0, &options);
  set_state(s, (double[]){5.0}, (double[]){0.0});
  int bounces = 0;
  double speed = 10.0, expected = 1.0;
  while (bounces < 6) {
    run(s, dt, 1);
    const nsdyn_contact_state c = state_of(s, 0);
    if (!(c.impulse[0] > 0.0)) {
      continue; /* open, or still closed on its way up */
    }
    ck_assert_double_eq_tol(c.after[0], -eps * c.before[0], 1e-14 * speed);
    ck_assert_double_eq_tol(c.after[0], eps * speed, 1e-3 * speed);
    ck_assert_double_eq_tol(nsdyn_stepper_time(s), expected, 1e-3);
    ck_assert_double_eq_tol(c.impulse[0], (1.0 + eps) * -c.before[0] + g * dt, 1e-12);
    speed *= eps;
    expected += 2.0 * speed / g;
    bounces++;
  }
  ck_assert_int_eq(m.calls[MODEL_DIRECTION], 1);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(block_on_a_ramp_sticks_or_slides)
{
  const double N = 19.62, dt = 0.01;
  for (int slides = 0; slides < 2; slides++) {
    model m;
    const double pull = slides ? 8.0 : 5.0, mu = 0.3;
    make_block(&m, pull, -N, mu);
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
    for (int k = 1; k <= 50; k++) {
      run(s, dt, 1);
      const nsdyn_contact_state c = state_of(s, 0);
      ck_assert_int_eq(c.mode, slides ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_STICK);
      ck_assert_double_eq_tol(c.impulse[0], N * dt, 1e-14);
      ck_assert_double_eq_tol(c.impulse[1], slides ? -mu * N * dt : -pull * dt, 1e-14);
      ck_assert_double_eq_tol(c.force[0], N, 1e-12);
      ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], slides ? (pull - mu * N) / 2.0 * (k * dt) : 0.0, 1e-13);
      ck_assert_double_eq_tol(c.after[1], nsdyn_stepper_u(s)[0], 1e-15);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* All ways of telling the same system give the same motion: with a factor or the user's solve, constants once
 * or each time, contacts known or found, q̇ = u or a callback. */
START_TEST(all_ways_to_tell_a_system_agree)
{
  const int cases = random_cases(200);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 1 + random_below(&random, 7);
    const random_state same = random;
    double last[6][2 * MODEL_MOST];
    double q[MODEL_MOST], u[MODEL_MOST];
    for (int way = 0; way < 5; way++) {
      model m;
      random = same;
      model_random(&m, &random, nu, way == 4 ? 0 : 2, way == 4 ? 2 : 0, nu > 3);
      for (int j = 0; j < nu; j++) {
        q[j] = random_between(&random, -0.1, 0.1);
        u[j] = random_between(&random, -1.0, 1.0);
      }
      const int extra[] = {0, MODEL_SOLVES, MODEL_MOVES, MODEL_RETRACTS, 0};
      nsdyn_stepper *s = stepper_of(&m, 0, extra[way], NULL);
      set_state(s, q, u);
      run(s, 1e-3, 20);
      memcpy(last[way], nsdyn_stepper_q(s), (size_t)nu * sizeof *q);
      memcpy(last[way] + nu, nsdyn_stepper_u(s), (size_t)nu * sizeof *u);
      nsdyn_stepper_free(s);
      for (int j = 0; j < 2 * nu; j++) {
        REQUIRE(fabs(last[way][j] - last[0][j]) <= 1e-9 * (1.0 + fabs(last[0][j])),
                "seed %d, way %d: element %d is %g, not %g", seed, way, j, last[way][j], last[0][j]);
      }
    }
  }
}
END_TEST

/* What is added to γ_N of a contact, found or not, so that it stays closed on its curved surface. */
static double bias_of(const nsdyn_stepper *s, int64_t key, int is_found)
{
  for (int k = 0; s->scene.closed.is_watched && k < s->scene.closed.count; k++) {
    if (s->scene.closed.contact[k].key == key && (s->scene.closed.contact[k].index < 0) == is_found) {
      return s->scene.closed.past[k].bias;
    }
  }
  return 0.0;
}

/* The equations of the step hold, with everything evaluated anew by the judge. */
START_TEST(steps_obey_the_equations)
{
  const int cases = random_cases(500);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 1 + random_below(&random, 7), known = random_below(&random, 4);
    const int found = random_below(&random, 3), constraints = nu > 4 ? random_below(&random, 2) : 0;
    model m;
    model_random(&m, &random, nu, known, found, constraints);
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    double q[MODEL_MOST], u[MODEL_MOST], middle[MODEL_MOST], h[MODEL_MOST], M[MODEL_MOST * MODEL_MOST];
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    const double dt = 1e-2;
    set_state(s, q, u);
    run(s, dt, 1);
    const double *qE = nsdyn_stepper_q(s), *uE = nsdyn_stepper_u(s);
    double rest[MODEL_MOST], scale = 1.0;
    for (int j = 0; j < nu; j++) {
      middle[j] = q[j] + 0.5 * dt * u[j];
      REQUIRE(fabs(qE[j] - (middle[j] + 0.5 * dt * uE[j])) <= 1e-15 * (1.0 + fabs(qE[j])), "seed %d", seed);
    }
    model_force(&m, middle, u, h);
    model_mass(&m, middle, M);
    for (int i = 0; i < nu; i++) {
      rest[i] = -h[i] * dt;
      for (int j = 0; j < nu; j++) {
        rest[i] += M[i * nu + j] * (uE[j] - u[j]);
        scale += fabs(M[i * nu + j] * uE[j]);
      }
    }
    for (int i = 0; i < m.contacts; i++) {
      const model_contact *c = &m.contact[i];
      const int is_closed = model_gap(c, nu, 0.5 * dt, middle) <= 0.0;
      nsdyn_contact_state state;
      nsdyn_contact_state_init(&state, sizeof state);
      ck_assert_int_eq(i < known ? nsdyn_stepper_contact(s, i, &state)
                                 : nsdyn_stepper_found_contact(s, c->key, &state),
                       NSDYN_OK);
      REQUIRE(state.active == is_closed, "seed %d: contact %d", seed, i);
      if (!is_closed) {
        continue;
      }
      double w[MODEL_MOST], gamma[2] = {c->rate, c->belt};
      model_direction(c, nu, middle, w);
      for (int j = 0; j < nu; j++) {
        rest[j] -= w[j] * state.impulse[0] + c->tangent[j] * state.impulse[1];
        gamma[0] += w[j] * uE[j];
        gamma[1] += c->tangent[j] * uE[j];
      }
      gamma[0] += i < known ? bias_of(s, i, 0) : bias_of(s, c->key, 1);
      const double tau = 1e-8 * scale;
      REQUIRE(state.impulse[0] >= 0.0 && gamma[0] >= -tau, "seed %d: contact %d", seed, i);
      REQUIRE(state.impulse[0] * gamma[0] <= tau * scale, "seed %d: contact %d", seed, i);
      const double limit = c->law.mu * state.impulse[0];
      REQUIRE(fabs(state.impulse[1]) <= limit * (1.0 + 1e-12), "seed %d: contact %d", seed, i);
      REQUIRE(fabs(gamma[1]) <= tau || fabs(state.impulse[1] + copysign(limit, gamma[1])) <= tau,
              "seed %d: contact %d", seed, i);
      REQUIRE(fabs(gamma[1] - state.after[1]) <= tau, "seed %d: contact %d", seed, i);
    }
    if (constraints == 0) {
      for (int j = 0; j < nu; j++) {
        REQUIRE(fabs(rest[j]) <= 1e-11 * scale, "seed %d: row %d is off by %g", seed, j, rest[j]);
      }
    } else {
      double w[MODEL_MOST], gamma = m.constraint[0].rate;
      model_direction(&m.constraint[0], nu, middle, w);
      for (int j = 0; j < nu; j++) {
        gamma += w[j] * uE[j];
      }
      REQUIRE(fabs(gamma) <= 1e-9 * scale, "seed %d: the constraint moves by %g", seed, gamma);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

START_TEST(systems_of_nothing_step)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  nsdyn_system_def_init(&def, sizeof def);
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 1.0, NULL, NULL), NSDYN_OK);
  run(s, 0.5, 3);
  ck_assert(nsdyn_stepper_time(s) == 2.5);
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- coordinates whose derivatives are not the velocities ---- */

/* A disk whose centre of mass lies off its middle rolls on a floor: x, y of the centre of mass and its
 * direction, as the angle or as cosine and sine. */
typedef struct disk {
  int by_angle;
} disk;

static const double disk_r = 0.01, disk_off = 0.003, disk_m = 3e-4, disk_J = 1e-8;

static void direction_of(const disk *d, const double *q, double *c, double *s)
{
  *c = d->by_angle ? cos(q[2]) : q[2];
  *s = d->by_angle ? sin(q[2]) : q[3];
}

static int disk_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = disk_m;
  M[8] = disk_J;
  return 0;
}

static int disk_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -9.81 * disk_m;
  return 0;
}

static int disk_gap(void *user, double t, const double *q, double *g)
{
  double c, s;
  (void)t;
  direction_of(user, q, &c, &s);
  g[0] = q[1] - disk_off * s - disk_r;
  return 0;
}

static int disk_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  double c, s;
  (void)t, (void)i;
  direction_of(user, q, &c, &s);
  W[1] = 1.0;
  W[2] = -disk_off * c;
  W[3] = 1.0;
  W[5] = disk_r + disk_off * s;
  w_hat[0] = w_hat[1] = 0.0;
  return 0;
}

static int disk_retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)user, (void)t;
  const double c = cos(dt * u[2]), s = sin(dt * u[2]);
  q_new[0] = q[0] + dt * u[0];
  q_new[1] = q[1] + dt * u[1];
  q_new[2] = q[2] * c - q[3] * s;
  q_new[3] = q[2] * s + q[3] * c;
  return 0;
}

static int disk_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  qdot[0] = u[0];
  qdot[1] = u[1];
  qdot[2] = -q[3] * u[2];
  qdot[3] = q[2] * u[2];
  return 0;
}

static nsdyn_stepper *disk_stepper(disk *d, const nsdyn_stepper_options *options, int retracts)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = d->by_angle ? 3 : 4;
  def.nu = 3;
  def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS;
  def.user = d;
  def.mass = disk_mass;
  def.force = disk_force;
  def.gap = disk_gap;
  def.direction = disk_direction;
  def.retract = !d->by_angle && retracts ? disk_retract : NULL;
  def.kinematics = !d->by_angle && !retracts ? disk_kinematics : NULL;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 2.0;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, options, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  set_state(s, d->by_angle ? (double[]){disk_off, disk_r, 0.0} : (double[]){disk_off, disk_r, 1.0, 0.0},
            (double[]){0.0, 0.0, 0.0});
  return s;
}

/* Turned on the circle, cosine and sine are those of the angle; along q̇ they leave it, by less with Δt. */
START_TEST(coordinates_need_not_be_what_velocities_are_of)
{
  for (int project = 0; project < 2; project++) {
    nsdyn_stepper_options options = stepper_defaults();
    options.project = project;
    disk angle = {1}, other = {0};
    nsdyn_stepper *a = disk_stepper(&angle, &options, 0), *b = disk_stepper(&other, &options, 1);
    for (int k = 0; k < 2000; k++) {
      run(a, 1e-4, 1);
      run(b, 1e-4, 1);
      const double *q = nsdyn_stepper_q(a), *p = nsdyn_stepper_q(b);
      const double miss =
          fabs(q[0] - p[0]) + fabs(q[1] - p[1]) + fabs(cos(q[2]) - p[2]) + fabs(sin(q[2]) - p[3]);
      REQUIRE(miss < 1e-9, "step %d: %g", k, miss);
      REQUIRE(nsdyn_stepper_active(a) == nsdyn_stepper_active(b), "step %d", k);
    }
    ck_assert(fabs(nsdyn_stepper_q(a)[2]) > 1.0); /* it has turned */
    double off[2];
    for (int k = 0; k < 2; k++) {
      const double dt = k ? 1e-5 : 2e-5;
      nsdyn_stepper *c = disk_stepper(&other, &options, 0);
      run(c, dt, (int)(0.2 / dt + 0.5));
      off[k] = hypot(nsdyn_stepper_q(c)[2], nsdyn_stepper_q(c)[3]) - 1.0;
      nsdyn_stepper_free(c);
    }
    ck_assert(off[0] > 0.0 && off[0] < 1e-3);
    ck_assert_double_eq_tol(off[0] / off[1], 2.0, 0.1);
    nsdyn_stepper_free(a);
    nsdyn_stepper_free(b);
  }
}
END_TEST

SUITE("stepper/scheme/moreau", TEST(free_flight_is_a_parabola), TEST(oscillator_is_of_second_order),
      TEST(ball_bounces_as_in_closed_form), TEST(block_on_a_ramp_sticks_or_slides),
      TEST(all_ways_to_tell_a_system_agree), TEST(steps_obey_the_equations), TEST(systems_of_nothing_step),
      TEST(coordinates_need_not_be_what_velocities_are_of))
