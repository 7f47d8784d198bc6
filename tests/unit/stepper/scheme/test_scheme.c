/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What holds of every scheme: each fact here is asked of all that there are. */
#include "stepper/scheme/scheme.h"

#include <stdlib.h>
#include <string.h>

#include "stepping.h"
#include "support/machines.h"

enum { SCHEMES_MOST = 32 };

/* Calls `fact` for each scheme. */
static void for_all(void (*fact)(const nsd_scheme *scheme))
{
  int found = 0;
  for (int32_t id = 0; id < SCHEMES_MOST; id++) {
    const nsd_scheme *scheme = nsd_scheme_of(id);
    if (scheme) {
      fact(scheme);
      found++;
    }
  }
  ck_assert_int_ge(found, 2);
}

static nsdyn_stepper_options options_of(const nsd_scheme *scheme)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = scheme->id;
  return options;
}

static nsdyn_stepper *start(const nsd_scheme *scheme, model *m, const double *q, const double *u)
{
  const nsdyn_stepper_options options = options_of(scheme);
  nsdyn_stepper *s = stepper_of(m, MACHINE_FLAGS, 0, &options);
  set_state(s, q, u);
  return s;
}

static void numbers_are_their_own(const nsd_scheme *scheme)
{
  ck_assert_ptr_eq(nsd_scheme_of(scheme->id), scheme);
  ck_assert(scheme->theta >= 0.0 && scheme->theta <= 1.0 && scheme->name && scheme->step);
}

START_TEST(each_number_has_one_scheme)
{
  for_all(numbers_are_their_own);
  ck_assert_ptr_null(nsd_scheme_of(-1));
  ck_assert_ptr_null(nsd_scheme_of(SCHEMES_MOST));
}
END_TEST

/* ---- energy ---- */

static void balance_closes(const nsd_scheme *scheme)
{
  const int cases = random_cases(100);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    nsdyn_stepper_options options = options_of(scheme);
    options.impact = seed % 3 == 2 ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
    options.project = seed % 4 == 3 || scheme->projects;
    options.inelastic = 1;
    /* What is projected has to have room: one contact. */
    const int nu = 1 + random_below(&random, 7), known = options.project ? 1 : random_below(&random, 4);
    const int found = options.project ? 0 : random_below(&random, 3);
    model m;
    nsdyn_stepper *s = random_stepper(&m, &random, nu, known, found, !options.project && nu > 4, &options);
    for (int k = 0; k < 10; k++) {
      run(s, 1e-2, 1);
      const nsdyn_step_energy e = energy_of(s);
      const double change = e.after - e.before;
      const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia;
      const double scale = e.after + e.before + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                           fabs(e.constraint) + fabs(e.inertia);
      REQUIRE(e.known == 1 && fabs(change - sum) <= 1e-11 * scale, "%s, seed %d: %g is not %g", scheme->name,
              seed, change, sum);
    }
    nsdyn_stepper_free(s);
  }
}

START_TEST(the_balance_of_energy_closes_in_every_step)
{
  for_all(balance_closes);
}
END_TEST

/* ---- what a step leaves alone ---- */

static size_t saved(const nsdyn_stepper *s, unsigned char *bytes, size_t room)
{
  const size_t size = nsdyn_stepper_save(s, bytes, room);
  ck_assert(size > 0 && size <= room);
  return size;
}

/* Steps that failed, at any callback, leave no trace: the bytes of the state are the same, and so are those
 * of a run that goes on after them. */
static void failures_leave_nothing(const nsd_scheme *scheme)
{
  static unsigned char before[1 << 17], after[1 << 17];
  const int cases = random_cases(60);
  for (int seed = 0; seed < cases; seed++) {
    const nsdyn_stepper_options options = options_of(scheme);
    model m[2];
    nsdyn_stepper *s[2];
    for (int i = 0; i < 2; i++) {
      random_state random = random_seed((uint64_t)seed);
      /* What is projected has to have room. */
      s[i] = scheme->projects
                 ? random_stepper(&m[i], &random, 2 + seed % 5, seed % 2, 1 - seed % 2, 0, &options)
                 : random_stepper(&m[i], &random, 2 + seed % 5, seed % 4, (seed / 4) % 3, seed % 5 > 3,
                                  &options);
    }
    for (int k = 0; k < 12; k++) {
      run(s[0], 1e-2, 1);
      const size_t size = saved(s[1], before, sizeof before);
      for (int callback = MODEL_MASS; callback < MODEL_CALLBACKS; callback++) {
        m[1].fails = callback;
        m[1].code = 1;
        const nsdyn_status status = nsdyn_stepper_step(s[1], 1e-2);
        m[1].fails = MODEL_NONE;
        if (status == NSDYN_OK) { /* one that this model has not got, or did not need: taken back */
          ck_assert_int_eq(nsdyn_stepper_restore(s[1], before, size), NSDYN_OK);
          continue;
        }
        REQUIRE(status == NSDYN_ERR_CALLBACK_RETRY, "%s, seed %d: %s", scheme->name, seed,
                nsdyn_stepper_message(s[1]));
        REQUIRE(saved(s[1], after, sizeof after) == size && memcmp(before, after, size) == 0,
                "%s, seed %d, step %d: a failure of callback %d has left something", scheme->name, seed, k,
                callback);
      }
      run(s[1], 1e-2, 1);
      REQUIRE(memcmp(nsdyn_stepper_q(s[0]), nsdyn_stepper_q(s[1]), sizeof(double) * (size_t)m[0].nu) == 0 &&
                  memcmp(nsdyn_stepper_u(s[0]), nsdyn_stepper_u(s[1]), sizeof(double) * (size_t)m[0].nu) == 0,
              "%s, seed %d, step %d: other bits", scheme->name, seed, k);
    }
    nsdyn_stepper_free(s[0]);
    nsdyn_stepper_free(s[1]);
  }
}

START_TEST(failed_steps_leave_the_state_and_what_follows)
{
  for_all(failures_leave_nothing);
}
END_TEST

/* ---- rest ---- */

static void block_rests(const nsd_scheme *scheme)
{
  const int steps = is_brief() ? 1000 : 100000;
  model m;
  make_block(&m, 5.0, -19.62, 0.3);
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
  nsdyn_stepper *s = start(scheme, &m, q, u);
  for (int k = 0; k < steps; k++) {
    run(s, 1e-3, 1);
  }
  ck_assert(nsdyn_stepper_q(s)[0] == 0.0 && nsdyn_stepper_q(s)[1] == 0.0);
  ck_assert_double_eq_tol(state_of(s, 0).force[0], 19.62, 1e-9);
  ck_assert_int_eq(state_of(s, 0).mode, NSDYN_MODE_STICK);
  nsdyn_stepper_free(s);
}

/* A dropped ball comes to rest, and goes on resting: no deeper than the last step of its fall, without a
 * hop. */
static void dropped_ball_rests(const nsd_scheme *scheme)
{
  const double dt = 1e-3, g = 10.0;
  for (int law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    model m;
    const exact_bounce ball = {.g = g, .eps = 0.5, .y = 0.05, .v = 0.0};
    machine_ball(&ball, &m);
    nsdyn_stepper_options options = options_of(scheme);
    options.impact = law;
    nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, &options);
    set_state(s, &ball.y, &ball.v);
    run(s, dt, (int)(2.0 * exact_bounce_zeno(&ball) / dt));
    const double y = nsdyn_stepper_q(s)[0];
    REQUIRE(fabs(y) <= 1.5 * dt, "%s: %g", scheme->name, y);
    const int steps = is_brief() ? 1000 : 100000;
    run(s, dt, steps);
    REQUIRE(fabs(nsdyn_stepper_q(s)[0] - y) <= 1e-9 * dt && fabs(nsdyn_stepper_u(s)[0]) <= 1e-12,
            "%s, law %d: from %g to %g, %g", scheme->name, law, y, nsdyn_stepper_q(s)[0],
            nsdyn_stepper_u(s)[0]);
    nsdyn_stepper_free(s);
  }
}

START_TEST(rest_stays_rest)
{
  for_all(block_rests);
  for_all(dropped_ball_rests);
}
END_TEST

/* ---- restitution ---- */

/* How high a ball comes after its first impact. */
static double rebound(const nsd_scheme *scheme, int32_t law, double eps, double dt)
{
  model m;
  const exact_bounce ball = {.g = 10.0, .eps = eps, .y = 1.0, .v = 0.0};
  machine_ball(&ball, &m);
  nsdyn_stepper_options options = options_of(scheme);
  options.impact = law;
  nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, &options);
  set_state(s, &ball.y, &ball.v);
  double highest = 0.0;
  int has_hit = 0;
  for (int k = 0; nsdyn_stepper_time(s) < 1.2; k++) {
    run(s, dt, 1);
    const double v = nsdyn_stepper_u(s)[0];
    has_hit |= v > -1e-3 && nsdyn_stepper_time(s) > 0.4;
    highest = has_hit && nsdyn_stepper_q(s)[0] > highest ? nsdyn_stepper_q(s)[0] : highest;
    if (has_hit && v < -1e-2) {
      break; /* it falls again */
    }
  }
  nsdyn_stepper_free(s);
  return highest;
}

/* ε² of the height it fell from, up to the step's order, under both laws. */
static void rebounds_are_those_set(const nsd_scheme *scheme)
{
  const double eps[] = {0.0, 0.25, 0.5, 0.75, 0.9, 1.0};
  for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    for (size_t i = 0; i < sizeof eps / sizeof *eps; i++) {
      for (double dt = 1e-3; dt > 2e-5; dt /= 7.0) {
        const double height = rebound(scheme, law, eps[i], dt), exact = eps[i] * eps[i];
        /* g Δt of the speed 2 m/s · √5, and a step's way of the height. */
        REQUIRE(fabs(height - exact) <= 12.0 * dt, "%s, law %d, eps %g, dt %g: %g for %g", scheme->name, law,
                eps[i], dt, height, exact);
      }
    }
  }
}

START_TEST(restitution_gives_what_was_set)
{
  for_all(rebounds_are_those_set);
}
END_TEST

/* ---- order ---- */

static double ball_error(const nsd_scheme *scheme, const exact_bounce *ball, double dt)
{
  model m;
  machine_ball(ball, &m);
  nsdyn_stepper *s = start(scheme, &m, &ball->y, &ball->v);
  double worst = 0.0;
  while (nsdyn_stepper_time(s) < 1.5) {
    run(s, dt, 1);
    double y, v;
    (void)exact_bounce_at(ball, nsdyn_stepper_time(s), &y, &v);
    worst = fmax(worst, fabs(nsdyn_stepper_q(s)[0] - y));
  }
  nsdyn_stepper_free(s);
  return worst;
}

static double ramp_error(const nsd_scheme *scheme, const exact_ramp *p, double dt)
{
  model m;
  machine_ramp(p, &m);
  const double q[2] = {p->x, 0.0}, u[2] = {p->v, 0.0};
  nsdyn_stepper *s = start(scheme, &m, q, u);
  double worst = 0.0;
  while (nsdyn_stepper_time(s) < 1.5) {
    run(s, dt, 1);
    double x, v;
    exact_ramp_at(p, nsdyn_stepper_time(s), &x, &v);
    worst = fmax(worst, fabs(nsdyn_stepper_q(s)[0] - x) + fabs(nsdyn_stepper_u(s)[0] - v));
  }
  nsdyn_stepper_free(s);
  return worst;
}

static double disk_error(const nsd_scheme *scheme, const exact_disk *p, double dt)
{
  model m;
  machine_disk(p, &m);
  const double q[3] = {0.0, p->R, 0.0}, u[3] = {p->v, 0.0, p->omega};
  nsdyn_stepper *s = start(scheme, &m, q, u);
  double worst = 0.0;
  while (nsdyn_stepper_time(s) < 1.5) {
    run(s, dt, 1);
    const exact_disk_state e = exact_disk_at(p, nsdyn_stepper_time(s));
    worst = fmax(worst, fabs(nsdyn_stepper_q(s)[0] - e.x) + fabs(nsdyn_stepper_u(s)[0] - e.v) +
                            p->R * fabs(nsdyn_stepper_u(s)[2] - e.omega));
  }
  nsdyn_stepper_free(s);
  return worst;
}

/* Single errors are erratic where impacts fall anywhere within a step: the bound is what is of first order.
 */
static void impacts_are_of_first_order(const nsd_scheme *scheme)
{
  const exact_bounce ball = {.g = 10.0, .eps = 0.7, .y = 1.0, .v = 0.3};
  const exact_ramp up = {.g = 9.81, .theta = 0.3, .mu_static = 0.5, .mu_dynamic = 0.4, .x = 0.0, .v = -3.0},
                   down = {.g = 9.81, .theta = 0.5, .mu_static = 0.3, .mu_dynamic = 0.2, .x = 0.0, .v = -2.0};
  const exact_disk disk = {
      .g = 9.81, .theta = 0.2, .mu = 0.3, .R = 0.5, .kappa = 0.5, .v = 4.0, .omega = 1.0};
  for (double dt = 1.1e-2; dt > 1e-4; dt /= 3.7) {
    const double of_ball = ball_error(scheme, &ball, dt);
    REQUIRE(of_ball <= 25.0 * dt, "%s: ball %g at dt %g", scheme->name, of_ball, dt);
    REQUIRE(ramp_error(scheme, &up, dt) <= 12.0 * dt, "%s: up at %g", scheme->name, dt);
    REQUIRE(ramp_error(scheme, &down, dt) <= 12.0 * dt, "%s: down at %g", scheme->name, dt);
    REQUIRE(disk_error(scheme, &disk, dt) <= 20.0 * dt, "%s: disk at %g", scheme->name, dt);
  }
}

START_TEST(errors_through_impacts_stick_and_slip_have_a_first_order_bound)
{
  for_all(impacts_are_of_first_order);
}
END_TEST

/* The brick on the belt (Stewart 2000, section 4.3): a stick-slip cycle by two coefficients. */
static void belt_has_its_period(const nsd_scheme *scheme)
{
  const double dt = 1e-3;
  const exact_belt belt = {.g = 10.0, .omega = 3.0, .V = 0.5, .mu_static = 0.4, .mu_dynamic = 0.2};
  const exact_belt_cycle cycle = exact_belt_solve(&belt);
  model m;
  machine_belt(&belt, &m);
  const double q[2] = {cycle.x_start, 0.0}, u[2] = {belt.V, 0.0};
  nsdyn_stepper *s = start(scheme, &m, q, u);
  double first = 0.0, last = 0.0;
  int begun = 0, was_stuck = 0;
  while (nsdyn_stepper_time(s) < 10.5 * cycle.period) {
    run(s, dt, 1);
    const int sticks = state_of(s, 0).mode == NSDYN_MODE_STICK;
    if (was_stuck && !sticks) {
      last = nsdyn_stepper_time(s);
      first = begun++ ? first : last;
    }
    was_stuck = sticks;
  }
  ck_assert_int_ge(begun, 9);
  const double period = (last - first) / (begun - 1);
  REQUIRE(fabs(period - cycle.period) <= 3.0 * dt, "%s: %.6f for %.6f", scheme->name, period, cycle.period);
  nsdyn_stepper_free(s);
}

START_TEST(the_brick_on_the_belt_has_its_period)
{
  for_all(belt_has_its_period);
}
END_TEST

/* Friction that falls with speed (Stewart 2000, section 4.3): downhill, to its stop. */
static int falling_curve(void *user, double speed, double *mu)
{
  *mu = exact_falling_mu(user, speed);
  return 0;
}

static void falling_friction_is_followed(const nsd_scheme *scheme)
{
  exact_falling law = {.mu_0 = 0.6, .mu_inf = 0.4, .v_s = 0.5};
  const exact_ramp ramp = {.g = 9.81, .theta = 0.3, .x = 0.0, .v = 2.0};
  const double stop = exact_falling_stop(&ramp, &law);
  for (double dt = 1e-2; dt > 1e-4; dt *= 0.2) {
    model m;
    machine_ramp(&ramp, &m);
    nsdyn_contact_law *own = &m.contact[0].law;
    own->friction = NSDYN_FRICTION_CURVE;
    own->curve = falling_curve;
    own->user = &law;
    const double q[2] = {0.0, 0.0}, u[2] = {ramp.v, 0.0};
    nsdyn_stepper *s = start(scheme, &m, q, u);
    while (nsdyn_stepper_time(s) < 1.5 * stop) {
      run(s, dt, 1);
      double x, v;
      exact_falling_at(&ramp, &law, fmin(nsdyn_stepper_time(s), stop), &x, &v);
      v = nsdyn_stepper_time(s) < stop ? v : 0.0;
      const double error = fabs(nsdyn_stepper_q(s)[0] - x) + fabs(nsdyn_stepper_u(s)[0] - v);
      REQUIRE(error <= 20.0 * dt, "%s, dt %g: %g at %g", scheme->name, dt, error, nsdyn_stepper_time(s));
    }
    ck_assert_int_eq(state_of(s, 0).mode, NSDYN_MODE_STICK);
    nsdyn_stepper_free(s);
  }
}

START_TEST(friction_that_falls_with_speed_is_followed)
{
  for_all(falling_friction_is_followed);
}
END_TEST

/* ---- space ---- */

/* A mass point over a floor, known in advance or found. */
static int point_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = M[8] = 2.0;
  return 0;
}

static int point_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[2] = -2.0 * 10.0;
  return 0;
}

static int point_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2];
  return 0;
}

static int point_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[2] = W[3] = W[7] = 1.0;
  return 0;
}

static int point_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  static const double rows[9] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
  static const nsdyn_contact_block block = {0, 3, rows};
  (void)user, (void)t, (void)u;
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 7;
  found.gap = q[2];
  found.blocks = 1;
  found.block = &block;
  return q[2] <= margin ? nsdyn_contact_sink_add(sink, &found) : 0;
}

/* It falls, bounces, slides along a straight line under friction on a disk, and stops where it should. */
static void point_slides_in_space(const nsd_scheme *scheme)
{
  for (int is_found = 0; is_found < 2; is_found++) {
    for (double dt = 1e-2; dt > 5e-4; dt *= 0.25) {
      nsdyn_system_def def;
      nsdyn_contact_law law;
      nsdyn_system_def_init(&def, sizeof def);
      nsdyn_contact_law_init(&law, sizeof law);
      def.nq = def.nu = 3;
      def.mass = point_mass;
      def.force = point_force;
      if (is_found) {
        def.find = point_find;
      } else {
        def.ncontacts = 1;
        def.gap = point_gap;
        def.direction = point_direction;
      }
      law.tangents = 2;
      law.mu = 0.2;
      const nsdyn_stepper_options options = options_of(scheme);
      nsdyn_stepper *s = stepper_for(&def, &law, &options);
      set_state(s, (double[]){0.0, 0.0, 0.0}, (double[]){1.2, -0.9, 0.0});
      for (int k = 0; nsdyn_stepper_time(s) < 1.0; k++) {
        run(s, dt, 1);
        /* It slides with 1.5 − μ g t, and stops at t = 0.75 s. */
        const double t = fmin(nsdyn_stepper_time(s), 0.75), v = 1.5 - 2.0 * t, way = 1.5 * t - t * t;
        const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
        REQUIRE(hypot(q[0] - 0.8 * way, q[1] + 0.6 * way) <= 4.0 * dt, "%s, t %g: %g %g", scheme->name, t,
                q[0], q[1]);
        REQUIRE(hypot(u[0] - 0.8 * v, u[1] + 0.6 * v) <= 8.0 * dt, "%s, t %g: %g %g", scheme->name, t, u[0],
                u[1]);
        const nsdyn_step_energy e = energy_of(s);
        const double sum = e.force + e.normal + e.tangent;
        const double scale = e.after + e.before + fabs(e.force) + fabs(e.normal) + fabs(e.tangent);
        REQUIRE(fabs(e.after - e.before - sum) <= 1e-11 * scale, "%s: %g for %g", scheme->name,
                e.after - e.before, sum);
      }
      REQUIRE(hypot(nsdyn_stepper_u(s)[0], nsdyn_stepper_u(s)[1]) <= 1e-9, "%s", scheme->name);
      nsdyn_stepper_free(s);
    }
  }
}

START_TEST(a_point_slides_in_space_and_stops)
{
  for_all(point_slides_in_space);
}
END_TEST

/* ---- projection ---- */

static int ring_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 3.0;
  return 0;
}

static int ring(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const double r = sqrt(q[0] * q[0] + q[1] * q[1]);
  (void)user, (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = r - 1.0;
  W_b[0] = q[0] / r;
  W_b[1] = q[1] / r;
  return 0;
}

/* A bead on a ring: with the option `project` it stays on it, in place and velocity, and gains no energy;
 * what it loses in a turn is of the scheme's order. */
static void bead_stays_on_its_ring(const nsd_scheme *scheme)
{
  for (double dt = 1e-2; dt > 5e-4; dt *= 0.25) {
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_contact_law_init(&law, sizeof law);
    def.nq = def.nu = 2;
    def.nconstraints = 1;
    def.mass = ring_mass;
    def.constraint = ring;
    nsdyn_stepper_options options = options_of(scheme);
    options.project = 1;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    set_state(s, (double[]){1.0, 0.0}, (double[]){0.0, 1.0});
    double last = 1.0;
    while (nsdyn_stepper_time(s) < 6.28) {
      run(s, dt, 1);
      const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s), square = u[0] * u[0] + u[1] * u[1];
      REQUIRE(fabs(hypot(q[0], q[1]) - 1.0) <= 1e-12, "%s: %g off", scheme->name, hypot(q[0], q[1]) - 1.0);
      REQUIRE(fabs(q[0] * u[0] + q[1] * u[1]) <= 1e-12, "%s: leaves with %g", scheme->name,
              q[0] * u[0] + q[1] * u[1]);
      REQUIRE(square <= last * (1.0 + 1e-13), "%s: gains %g", scheme->name, square - last);
      last = square;
    }
    REQUIRE(last >= 1.0 - 8.0 * dt, "%s, dt %g: %g left", scheme->name, dt, last);
    nsdyn_stepper_free(s);
  }
}

START_TEST(projection_holds_a_bead_on_its_ring_and_adds_no_energy)
{
  for_all(bead_stays_on_its_ring);
}
END_TEST

/* ---- Stewart (2000), section 4.2 ---- */

/* His midpoint rule with the law on positions, 0 <= N ⊥ q_{n+1} + q_n >= 0: how fast a ball leaves its first
 * impact, over how fast it came. */
static double positions_restitution(double begin, double dt)
{
  double q = begin, p = 0.0, before = 0.0;
  for (int n = 0; n < 100000; n++) {
    const double free_p = p - 10.0 * dt, free_q = q + 0.5 * dt * (p + free_p);
    before = p;
    if (q + free_q >= 0.0) {
      q = free_q;
      p = free_p;
    } else {
      p = -p - 4.0 * q / dt; /* q_{n+1} = −q_n, by q_{n+1} = q_n + ½ Δt (p_n + p_{n+1}) */
      q = -q;
      return -p / before;
    }
  }
  return NAN;
}

/* That law's restitution is anything, as the impact falls within its step; that of the schemes here is what
 * was set, wherever it falls. */
static void restitution_has_no_luck(const nsd_scheme *scheme)
{
  const double dt = 1e-2;
  double least = INFINITY, most = 0.0;
  for (int k = 0; k < 50; k++) {
    const double begin = 1.0 + 0.002 * k, theirs = positions_restitution(begin, dt);
    least = fmin(theirs, least);
    most = fmax(theirs, most);
    model m;
    const exact_bounce ball = {.g = 10.0, .eps = 1.0, .y = begin, .v = 0.0};
    machine_ball(&ball, &m);
    nsdyn_stepper *s = start(scheme, &m, &ball.y, &ball.v);
    double before = 0.0, after = 0.0;
    while (!(after > 0.0)) {
      before = nsdyn_stepper_u(s)[0];
      run(s, dt, 1);
      after = nsdyn_stepper_u(s)[0];
    }
    /* The step's weight acts as well. */
    REQUIRE(fabs(after + before) <= 2.0 * 10.0 * dt, "%s: %g after %g", scheme->name, after, before);
    nsdyn_stepper_free(s);
  }
  ck_assert(most - least > 0.3 && most > 1.2);
}

START_TEST(restitution_is_no_matter_of_where_in_a_step_it_hits)
{
  for_all(restitution_has_no_luck);
}
END_TEST

/* ---- the woodpecker ---- */

/* The woodpecker comes down by its cycle: over one second as far as the exact one, up to the order. */
static void woodpecker_comes_down(const nsd_scheme *scheme)
{
  exact_woodpecker toy;
  exact_state begin, at;
  exact_woodpecker_table(&toy);
  ck_assert_int_lt(exact_woodpecker_begin(&toy, &begin), EXACT_NONE);
  at = begin;
  exact_status status = EXACT_EVENT;
  while (status == EXACT_EVENT) {
    status = exact_woodpecker_next(&toy, 1.0L, &at, NULL);
  }
  model m;
  machine_woodpecker(&toy, &m);
  double q[3], u[3];
  for (int j = 0; j < 3; j++) {
    q[j] = (double)begin.q[j];
    u[j] = (double)begin.u[j];
  }
  for (double dt = 1e-5; dt > 2e-6; dt *= 0.25) {
    nsdyn_stepper *s = start(scheme, &m, q, u);
    run(s, dt, (int)(1.0 / dt + 0.5));
    const double error = fabs(nsdyn_stepper_q(s)[0] - (double)at.q[0]);
    REQUIRE(error <= 300.0 * dt * fabs((double)at.q[0]), "%s, dt %g: off by %g of %g", scheme->name, dt,
            error, (double)at.q[0]);
    nsdyn_stepper_free(s);
  }
}

START_TEST(the_woodpecker_comes_down_as_far_as_the_exact_one)
{
  for_all(woodpecker_comes_down);
}
END_TEST

/* ---- numbers too large ---- */

/* A point (x, y) falls onto y = 0 and slides before a wall at x = 3. `which` callback answers a number whose
 * square overflows when it is asked for the `at`th time, at one of its places. */
enum loud { LOUD_FORCE, LOUD_GAP, LOUD_DIRECTION, LOUD_RETRACT, LOUD_SOLVE_MASS, LOUD_MASS, LOUD_KINDS };

typedef struct loud_point {
  int which, at, calls;
} loud_point;

static const double too_large[] = {-1e160, 1e200, INFINITY, NAN};

static void shout(loud_point *p, int which, int places, double *numbers)
{
  if (which == p->which && ++p->calls == p->at) {
    numbers[p->at % places] = too_large[p->at / 7 % 4];
  }
}

static int loud_mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  M[0] = M[3] = 2.0;
  shout(user, LOUD_MASS, 4, M);
  return 0;
}

static int loud_solve_mass(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  (void)t, (void)q;
  for (int i = 0; i < 2 * nrhs; i++) {
    X[i] *= 0.5;
  }
  shout(user, LOUD_SOLVE_MASS, 2 * nrhs, X);
  return 0;
}

static int loud_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)q, (void)u;
  h[1] = -19.62;
  shout(user, LOUD_FORCE, 2, h);
  return 0;
}

static int loud_gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  g[0] = q[1];
  g[1] = 3.0 - q[0];
  shout(user, LOUD_GAP, 2, g);
  for (int i = 0; i < 2; i++) { /* which is far away, and legal */
    g[i] = g[i] == (double)INFINITY ? -INFINITY : g[i];
  }
  return 0;
}

static int loud_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)q;
  W[1 - i] = i ? -1.0 : 1.0;
  W[2 + i] = 1.0;
  shout(user, LOUD_DIRECTION, 2, W);
  w_hat[0] = 0.0;
  return 0;
}

static int loud_retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  q_new[0] = q[0] + dt * u[0];
  q_new[1] = q[1] + dt * u[1];
  shout(user, LOUD_RETRACT, 2, q_new);
  return 0;
}

static int loud_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t, (void)q;
  qdot[0] = u[0];
  qdot[1] = u[1];
  return 0;
}

/* Where it ends after so many steps, or at the first that fails; with its stepper. */
static nsdyn_stepper *run_loudly(const nsd_scheme *scheme, loud_point *p, int project, nsdyn_status *status)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.2;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = def.ncontacts = 2;
  def.user = p;
  def.mass = p->which == LOUD_SOLVE_MASS ? NULL : loud_mass;
  def.solve_mass = p->which == LOUD_SOLVE_MASS ? loud_solve_mass : NULL;
  def.force = loud_force;
  def.gap = loud_gap;
  def.direction = loud_direction;
  def.retract = p->which == LOUD_RETRACT ? loud_retract : NULL;
  def.kinematics = p->which == LOUD_RETRACT ? loud_kinematics : NULL;
  nsdyn_stepper_options options = options_of(scheme);
  options.implicit_rounds = p->which == LOUD_SOLVE_MASS ? 0 : options.implicit_rounds;
  options.project = project;
  nsdyn_stepper *s = stepper_for(&def, &law, &options);
  set_state(s, (double[]){0.0, 4e-3}, (double[]){3.0, -1.0});
  *status = NSDYN_OK;
  for (int step = 0; step < 100 && *status == NSDYN_OK; step++) {
    *status = nsdyn_stepper_step(s, 1e-3);
  }
  return s;
}

/* It is refused, or asked for by a check beside the motion, which moves nothing. */
static void numbers_are_refused(const nsd_scheme *scheme)
{
  static const char *const names[LOUD_KINDS] = {"force", "gap", "direction", "retract", "solve_mass", "mass"};
  for (int k = 0; k < LOUD_KINDS * 40; k++) {
    loud_point p = {.which = k % LOUD_KINDS, .at = 1 + k / LOUD_KINDS}, calm = {.which = p.which};
    nsdyn_status status, good;
    nsdyn_stepper *s = run_loudly(scheme, &p, k / LOUD_KINDS % 2, &status);
    nsdyn_stepper *t = run_loudly(scheme, &calm, k / LOUD_KINDS % 2, &good);
    const char *message = nsdyn_stepper_message(s);
    const int is_refused = status == NSDYN_ERR_NOT_FINITE || status == NSDYN_ERR_NOT_DEFINITE;
    const int is_same = status == NSDYN_OK && nsdyn_stepper_q(s)[0] == nsdyn_stepper_q(t)[0] &&
                        nsdyn_stepper_q(s)[1] == nsdyn_stepper_q(t)[1];
    ck_assert_int_eq(good, NSDYN_OK);
    REQUIRE((is_refused && strstr(message, names[p.which])) || is_same,
            "%s, case %d: callback %s: status %d, %s", scheme->name, k, names[p.which], status, message);
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(t);
  }
}

START_TEST(numbers_too_large_are_refused_by_name)
{
  for_all(numbers_are_refused);
}
END_TEST

SUITE("stepper/scheme/scheme", TEST(each_number_has_one_scheme),
      TEST(the_balance_of_energy_closes_in_every_step), TEST(failed_steps_leave_the_state_and_what_follows),
      TEST(rest_stays_rest), TEST(numbers_too_large_are_refused_by_name),
      TEST(restitution_gives_what_was_set),
      TEST(errors_through_impacts_stick_and_slip_have_a_first_order_bound),
      TEST(the_brick_on_the_belt_has_its_period), TEST(friction_that_falls_with_speed_is_followed),
      TEST(a_point_slides_in_space_and_stops), TEST(projection_holds_a_bead_on_its_ring_and_adds_no_energy),
      TEST(restitution_is_no_matter_of_where_in_a_step_it_hits),
      TEST(the_woodpecker_comes_down_as_far_as_the_exact_one))
