/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The motion on a grid of times: its times, how near it is, and that it changes nothing. */
#include "stepper/output.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "stepper/scheme/scheme.h"
#include "stepping.h"
#include "support/machines.h"

enum { SHOWN = 4096 };

/* What was put out. */
typedef struct shown {
  int count, nq, nu, stop_at;          /* stop_at: stops at the output that has this number, from 1 */
  double t[SHOWN], q[SHOWN], u[SHOWN]; /* the first coordinate and velocity */
  double norm;                         /* the largest | |q| − 1 | */
} shown;

static int show(void *user, double t, const double *q, const double *u)
{
  shown *w = user;
  ck_assert_int_lt(w->count, SHOWN);
  w->t[w->count] = t;
  w->q[w->count] = q[0];
  w->u[w->count] = u[0];
  if (w->nq == 2 && w->nu == 1) {
    w->norm = fmax(w->norm, fabs(hypot(q[0], q[1]) - 1.0));
  }
  return ++w->count == w->stop_at;
}

static nsdyn_stepper_options showing(int32_t scheme, double dt, double advance_tol, double output_dt,
                                     shown *w)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = scheme;
  options.dt = dt;
  options.advance_tol = advance_tol;
  options.shortest = 1e-4;
  options.output = show;
  options.output_dt = output_dt;
  options.user = w;
  *w = (shown){.nq = 1, .nu = 1};
  return options;
}

static void for_all(void (*fact)(const nsd_scheme *scheme))
{
  for (int32_t id = 0; nsd_scheme_of(id); id++) {
    fact(nsd_scheme_of(id));
  }
}

/* ---- times ---- */

/* Each time of the grid once, in order, to the bit: whole advances or pieces of them, with stops between. */
START_TEST(times_are_those_of_the_grid)
{
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    shown w;
    model m;
    const double begin = k % 3 ? random_between(&r, -2.0, 2.0) : 0.0,
                 output_dt = random_between(&r, 2e-3, 0.2);
    const double dt = random_between(&r, 1e-3, 0.1), end = begin + 1.0;
    const exact_bounce ball = {.g = 10.0, .eps = 0.7, .y = 1.0, .v = 0.3};
    machine_ball(&ball, &m);
    nsdyn_stepper_options options = showing(NSDYN_SCHEME_MOREAU, dt, k % 2 ? 1e-3 : 0.0, output_dt, &w);
    nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, &options);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, begin, &ball.y, &ball.v), NSDYN_OK);
    int stops = 0;
    for (double t = begin; t < end;) {
      w.stop_at = k % 5 == 0 ? w.count + 1 + random_below(&r, 7) : 0;
      t = fmin(end, t + random_between(&r, 0.0, 0.4));
      nsdyn_status status = NSDYN_STOPPED;
      for (int tries = 0; status == NSDYN_STOPPED; tries++) {
        ck_assert_int_lt(tries, 1000);
        status = nsdyn_stepper_advance(s, t);
        stops += status == NSDYN_STOPPED;
        w.stop_at = 0;
      }
      REQUIRE(status == NSDYN_OK && nsdyn_stepper_time(s) == t, "case %d: %s", k, nsdyn_stepper_message(s));
    }
    /* After a stop what is left of its step is left out. */
    int grid = 0, missing = 0;
    for (int i = 0; i < w.count; i++, grid++) {
      while (begin + grid * output_dt < w.t[i]) {
        grid++;
        missing++;
      }
      REQUIRE(w.t[i] == begin + grid * output_dt, "case %d, output %d: at %.17g", k, i, w.t[i]);
    }
    for (; begin + grid * output_dt <= end; grid++) {
      missing++;
    }
    REQUIRE(missing == 0 || stops > 0, "case %d: %d times are missing", k, missing);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Steps by hand are not shown, and the times go on behind them; without a duration the beginning alone. */
START_TEST(times_go_on_behind_other_steps)
{
  shown w;
  model m;
  model_clear(&m, 1);
  nsdyn_stepper_options options = showing(NSDYN_SCHEME_MOREAU, 0.0625, 0.0, 0.25, &w);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0}, (double[]){1.0});
  ck_assert_int_eq(nsdyn_stepper_advance(s, 0.5), NSDYN_OK);
  run(s, 0.125, 5);
  double bytes[64];
  const size_t size = nsdyn_stepper_save(s, bytes, sizeof bytes);
  ck_assert_int_eq(nsdyn_stepper_advance(s, 1.5), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_restore(s, bytes, size), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_advance(s, 1.25), NSDYN_OK);
  options.output_dt = INFINITY;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_advance(s, 3.0), NSDYN_OK);
  set_state(s, (double[]){7.0}, (double[]){0.0});
  ck_assert_int_eq(nsdyn_stepper_advance(s, 3.0), NSDYN_OK);
  const double times[] = {0.0, 0.25, 0.5, 1.25, 1.5, 1.25, 0.0};
  ck_assert_int_eq(w.count, 7);
  for (int i = 0; i < 7; i++) {
    ck_assert(w.t[i] == times[i]);
    ck_assert_double_eq_tol(w.q[i], i < 6 ? times[i] : 7.0, 1e-15);
  }
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(durations_are_refused)
{
  shown w;
  model m;
  model_clear(&m, 1);
  nsdyn_stepper_options options = showing(NSDYN_SCHEME_MOREAU, 0.1, 0.0, 0.25, &w);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  const double wrong[] = {0.0, -1.0, -INFINITY, NAN};
  for (int i = 0; i < 4; i++) {
    options.output_dt = wrong[i];
    ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(nsdyn_stepper_message(s), "output_dt"));
  }
  options.output_dt = 1e-13; /* 2^40 of them are less than a second */
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_advance(s, 1.0), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(nsdyn_stepper_message(s), "output_dt"));
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_stepper_detail(s, &detail), NSDYN_OK);
  ck_assert(detail.kind == NSDYN_DETAIL_FIELD && detail.index == offsetof(nsdyn_stepper_options, output_dt));
  ck_assert_int_eq(w.count, 0);
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- how near ---- */

/* q̈ = −q: the largest error of q and q̇ at outputs, and where steps end. */
static void oscillator(const nsd_scheme *scheme, double dt, double tol, double *outputs, double *ends)
{
  static shown w;
  model m;
  model_clear(&m, 1);
  m.K[0] = 1.0;
  const nsdyn_stepper_options options = showing(scheme->id, dt, tol, 0.0123, &w);
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
  set_state(s, (double[]){1.0}, (double[]){0.0});
  *outputs = *ends = 0.0;
  for (int k = 1; k <= 40; k++) {
    ck_assert_int_eq(nsdyn_stepper_advance(s, 0.1 * k), NSDYN_OK);
    *ends = fmax(*ends, hypot(nsdyn_stepper_q(s)[0] - cos(0.1 * k), nsdyn_stepper_u(s)[0] + sin(0.1 * k)));
  }
  ck_assert_int_eq(w.count, 326);
  for (int i = 0; i < w.count; i++) {
    *outputs = fmax(*outputs, hypot(w.q[i] - cos(w.t[i]), w.u[i] + sin(w.t[i])));
  }
  nsdyn_stepper_free(s);
}

/* The error is of the scheme's order where it is measured between the ends of steps, and hardly larger: u is
 * off by Δt²/8 there. */
static void outputs_have_the_order(const nsd_scheme *scheme)
{
  double last = 0.0, last_ends = 0.0;
  for (double dt = 0.1; dt > 0.005; dt *= 0.5) {
    double outputs, ends;
    oscillator(scheme, dt, 0.0, &outputs, &ends);
    REQUIRE(outputs <= 1.05 * ends + 0.126 * dt * dt, "%s, dt %g: %g at outputs, %g at ends", scheme->name,
            dt, outputs, ends);
    REQUIRE(last == 0.0 || last / outputs >= 0.9 * last_ends / ends,
            "%s, dt %g: %g and %g at outputs, %g and %g at ends", scheme->name, dt, last, outputs, last_ends,
            ends);
    last = outputs;
    last_ends = ends;
  }
  for (double tol = 1e-4; tol > 1e-8; tol *= 0.1) { /* Δt² is (tol)^(2/3) and less, by the error control */
    double outputs, ends;
    oscillator(scheme, 0.5, tol, &outputs, &ends);
    REQUIRE(outputs <= 1.05 * ends + 2.0 * cbrt(tol) * cbrt(tol), "%s, tol %g: %g at outputs, %g at ends",
            scheme->name, tol, outputs, ends);
  }
}

START_TEST(outputs_are_as_good_as_steps)
{
  for_all(outputs_have_the_order);
}
END_TEST

/* A ball that bounces without loss: its energy between the ends of steps is that of its height, up to the
 * order, in the step of the impact too. A velocity in the middle between both would have lost it all. */
static void energy_is_kept_through_impacts(const nsd_scheme *scheme)
{
  static shown w;
  const exact_bounce ball = {.g = 10.0, .eps = 1.0, .y = 1.0, .v = 0.0};
  for (int is_adaptive = 0; is_adaptive < 2; is_adaptive++) {
    for (double dt = 1e-2; dt > 5e-4; dt *= 0.25) {
      model m;
      machine_ball(&ball, &m);
      nsdyn_stepper_options options = showing(scheme->id, dt, is_adaptive ? 1e-3 : 0.0, 1.3e-3, &w);
      nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, &options);
      set_state(s, &ball.y, &ball.v);
      ck_assert_int_eq(nsdyn_stepper_advance(s, 3.0), NSDYN_OK);
      ck_assert_int_eq(w.count, 2308);
      for (int i = 0; i < w.count; i++) {
        const double energy = 10.0 * w.q[i] + 0.5 * w.u[i] * w.u[i];
        /* g Δt of a speed of 4.5, in four impacts, and where the scheme is of first order all the way. */
        REQUIRE(fabs(energy - 10.0) <= 400.0 * dt, "%s, dt %g, t %g: %g", scheme->name, dt, w.t[i], energy);
        REQUIRE(w.q[i] >= -5.0 * dt, "%s, dt %g, t %g: %g deep", scheme->name, dt, w.t[i], w.q[i]);
      }
      nsdyn_stepper_free(s);
    }
  }
}

START_TEST(velocities_jump_with_impacts)
{
  for_all(energy_is_kept_through_impacts);
}
END_TEST

/* A wheel whose angle is told by (cos, sin), under a constant torque. */
static int wheel_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int wheel_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 2.0;
  return 0;
}

static int wheel_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  qdot[0] = -q[1] * u[0];
  qdot[1] = q[0] * u[0];
  return 0;
}

static int wheel_retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  const double c = cos(u[0] * dt), s = sin(u[0] * dt);
  (void)user, (void)t;
  q_new[0] = c * q[0] - s * q[1];
  q_new[1] = s * q[0] + c * q[1];
  return 0;
}

static void wheel_turns(const nsd_scheme *scheme)
{
  static shown w;
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = 2;
  def.nu = 1;
  def.mass = wheel_mass;
  def.force = wheel_force;
  def.kinematics = wheel_kinematics;
  def.retract = wheel_retract;
  for (double dt = 0.05; dt > 1e-3; dt *= 0.25) {
    nsdyn_stepper_options options = showing(scheme->id, dt, 0.0, 0.0031, &w);
    w.nq = 2;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    set_state(s, (double[]){1.0, 0.0}, (double[]){0.0});
    ck_assert_int_eq(nsdyn_stepper_advance(s, 2.0), NSDYN_OK);
    ck_assert_int_eq(w.count, 646);
    double worst = 0.0;
    for (int i = 0; i < w.count; i++) { /* φ = t², ω = 2 t */
      worst = fmax(worst, fabs(w.q[i] - cos(w.t[i] * w.t[i])));
      REQUIRE(fabs(w.u[i] - 2.0 * w.t[i]) <= 1e-12, "%s: turns with %g at %g", scheme->name, w.u[i], w.t[i]);
    }
    REQUIRE(w.norm <= 1e-12, "%s: |q| is off by %g", scheme->name, w.norm);
    /* ½ α Δt t at most, of schemes of first order. */
    REQUIRE(worst <= 2.2 * dt, "%s, dt %g: %g", scheme->name, dt, worst);
    nsdyn_stepper_free(s);
  }
}

START_TEST(coordinates_with_kinematics_stay_what_they_are)
{
  for_all(wheel_turns);
}
END_TEST

/* ---- what it leaves alone ---- */

/* Runs with outputs and without: the same bytes of the state, and the same steps. */
static void nothing_is_changed(const nsd_scheme *scheme)
{
  static unsigned char bytes[2][1 << 17];
  static shown w;
  const int cases = random_cases(30);
  for (int seed = 0; seed < cases; seed++) {
    size_t size[2];
    nsdyn_advance_report report[2];
    for (int i = 0; i < 2; i++) {
      random_state random = random_seed((uint64_t)seed);
      model m;
      nsdyn_stepper_options options = showing(scheme->id, 4e-3, seed % 2 ? 1e-3 : 0.0, 7e-4, &w);
      options.shortest = 0x1p-5;
      options.inelastic = 1;
      options.output = i ? show : NULL;
      nsdyn_stepper *s =
          random_stepper(&m, &random, 2 + seed % 4, seed % 3, seed % 2, seed % 5 == 4, &options);
      const nsdyn_status status = nsdyn_stepper_advance(s, 0.05);
      REQUIRE(status == NSDYN_OK || status > 0, "%s, seed %d: %s", scheme->name, seed,
              nsdyn_stepper_message(s));
      REQUIRE(!i || w.count > 0, "%s, seed %d: %d outputs", scheme->name, seed, w.count);
      size[i] = nsdyn_stepper_save(s, bytes[i], sizeof bytes[i]);
      nsdyn_advance_report_init(&report[i], sizeof report[i]);
      ck_assert_int_eq(nsdyn_stepper_advance_report(s, &report[i]), NSDYN_OK);
      nsdyn_stepper_free(s);
    }
    REQUIRE(size[0] == size[1] && size[0] <= sizeof bytes[0] && memcmp(bytes[0], bytes[1], size[0]) == 0,
            "%s, seed %d: outputs change the motion", scheme->name, seed);
    REQUIRE(report[0].accepted == report[1].accepted && report[0].rejected == report[1].rejected,
            "%s, seed %d: other steps", scheme->name, seed);
  }
}

START_TEST(outputs_change_nothing)
{
  for_all(nothing_is_changed);
}
END_TEST

/* A step may hold any number of outputs: who stops it waits for none of the rest. */
static int stop_soon(void *user, double t, const double *q, const double *u)
{
  int64_t *left = user;
  (void)t, (void)q, (void)u;
  return --*left == 0;
}

START_TEST(outputs_of_a_step_are_left_at_once)
{
  model m;
  int64_t left = 6;
  model_clear(&m, 1);
  nsdyn_stepper_options options = stepper_unchecked();
  options.dt = 1.0;
  options.output = stop_soon;
  options.output_dt = 0x1p-36;
  options.user = &left;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0}, (double[]){1.0});
  ck_assert_int_eq(nsdyn_stepper_advance(s, 10.0), NSDYN_STOPPED);
  ck_assert(nsdyn_stepper_time(s) == 1.0);
  left = 1; /* the next one is that of t = 1, and it has not been shown */
  ck_assert_int_eq(nsdyn_stepper_advance(s, 10.0), NSDYN_STOPPED);
  ck_assert(nsdyn_stepper_time(s) == 1.0);
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("stepper/output", TEST(times_are_those_of_the_grid), TEST(times_go_on_behind_other_steps),
      TEST(durations_are_refused), TEST(outputs_are_as_good_as_steps), TEST(velocities_jump_with_impacts),
      TEST(coordinates_with_kinematics_stay_what_they_are), TEST(outputs_change_nothing),
      TEST(outputs_of_a_step_are_left_at_once))
