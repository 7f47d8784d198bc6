/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sizes that tolerances refer to, units, and what ends a smooth phase badly. */
#include "event/internal.h"

#include <float.h>

#include "event_models.h"
#include "support/callbacks.h"
#include "support/exact_bounce.h"
#include "support/model.h"

/* A ball on a spring over a floor, with friction, in other units: the same bits but for powers of two. */
typedef struct scaled {
  double length, time, mass;
} scaled;

static int scaled_mass(void *user, double t, const double *q, double *M)
{
  const scaled *p = user;
  (void)t, (void)q;
  M[0] = M[3] = p->mass;
  return 0;
}

static int scaled_force(void *user, double t, const double *q, const double *u, double *h)
{
  const scaled *p = user;
  const double k = p->mass / (p->time * p->time);
  (void)t, (void)u;
  h[0] = -9.0 * k * q[0];
  h[1] = -k * p->length;
  return 0;
}

static driven scaled_scene(scaled *p)
{
  nsdyn_system_def def = table(2, 1, p);
  def.mass = scaled_mass;
  def.force = scaled_force;
  def.gap = gap_is_q1;
  def.direction = floor_of_q1;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.3, 0.5));
  return s;
}

START_TEST(knows_no_units)
{
  scaled one = {1.0, 1.0, 1.0};
  driven plain = scaled_scene(&one);
  const double q[2] = {1.0, 0.7}, u[2] = {0.0, 0.25};
  scene_drive(&plain, 0.0, q, u);
  scene_advance(&plain, 16.0);
  ck_assert_int_ge(events_of(&plain), 10);
  for (int k = -30; k <= 30; k += 12) {
    scaled p = {ldexp(1.0, k), ldexp(1.0, 2 * k / 3), ldexp(1.0, -2 * k)};
    const double speed = p.length / p.time;
    const double q_k[2] = {p.length * q[0], p.length * q[1]}, u_k[2] = {0.0, speed * u[1]};
    driven s = scaled_scene(&p);
    scene_drive(&s, 0.0, q_k, u_k);
    scene_advance(&s, 16.0 * p.time);
    ck_assert_int_eq(events_of(&s), events_of(&plain));
    for (int i = 0; i < events_of(&s); i++) {
      const nsdyn_event event = event_of(&s, i), exact = event_of(&plain, i);
      ck_assert_int_eq(event.kind, exact.kind);
      ck_assert_msg(event.t == p.time * exact.t, "2^%d, event %d: %g off", k, i, event.t / p.time - exact.t);
    }
    ck_assert(nsdyn_event_driver_q(s.driver)[0] == p.length * nsdyn_event_driver_q(plain.driver)[0]);
    ck_assert(nsdyn_event_driver_u(s.driver)[0] == speed * nsdyn_event_driver_u(plain.driver)[0]);
    ck_assert_int_eq(report_of(&s).evaluations, report_of(&plain).evaluations);
    scene_end(&s);
  }
  scene_end(&plain);
}
END_TEST

START_TEST(who_gets_nowhere_is_named)
{
  scaled one = {1.0, 1.0, 1.0};
  driven s = scaled_scene(&one);
  const double q[2] = {1.0, 0.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1); /* closed */
  ck_assert_int_eq(nsd_instant_no_progress(s.driver), NSDYN_MAX_ITERATIONS);
  ck_assert_msg(strstr(s.driver->fault.message, "(contact 0)") != NULL, "%s", s.driver->fault.message);
  scene_end(&s);
}
END_TEST

START_TEST(sizes_follow_the_motion_or_the_user)
{
  points p = {.count = 2, .g = 1.0};
  driven s = points_scene(&p, 0.0, 0.0);
  const double q[4] = {100.0, 2.0, 0.0, 3.0}, u[4] = {0.0, 0.0, 0.001, 0.0};
  s.options.tol = 1e-6;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.0);
  nsdyn_event_driver *d = s.driver;
  ck_assert(d->scales.reference[0] == 100.0 && d->scales.reference[1] == 2.0);
  ck_assert(d->scales.reference[2] >= 0.1 && d->scales.reference[2] < 1.0); /* a thousandth of the largest */
  ck_assert(d->scales.absolute[0] == 1e-6 * 100.0 && d->scales.relative[0] == 1e-6);
  ck_assert(d->scales.reference[4 + 1] > 0.0); /* what will fall has a speed soon */
  scene_end(&s);
  s = points_scene(&p, 0.0, 0.0);
  const double scale[8] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
  s.options.scale = scale;
  s.options.tol = 1e-6;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.5);
  d = s.driver;
  for (int i = 0; i < 8; i++) {
    ck_assert(d->scales.absolute[i] == 1e-6 * scale[i] && d->scales.relative[i] == 0.0);
  }
  scene_end(&s);
}
END_TEST

START_TEST(a_world_at_rest_costs_nothing)
{
  points p = {.count = 3};
  driven s = points_scene(&p, 0.5, 0.5);
  const double q[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0}, u[6] = {0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1e6);
  ck_assert_mem_eq(nsdyn_event_driver_q(s.driver), q, sizeof q);
  ck_assert_int_le(report_of(&s).steps, 40);
  scene_end(&s);
}
END_TEST

/* Callbacks that fail: the status goes out with a message, the state stays one to go on from. */
START_TEST(what_callbacks_say_ends_the_run)
{
  const struct {
    int callback, code;
    nsdyn_status status;
  } cases[] = {{MODEL_CONFIGURE, -2, NSDYN_ERR_CALLBACK},  {MODEL_MASS, -3, NSDYN_ERR_CALLBACK},
               {MODEL_MASS, 3, NSDYN_ERR_CALLBACK_RETRY},  {MODEL_FORCE, -2, NSDYN_ERR_CALLBACK},
               {MODEL_FORCE, 2, NSDYN_ERR_CALLBACK_RETRY}, {MODEL_GAP, -2, NSDYN_ERR_CALLBACK},
               {MODEL_GAP, 2, NSDYN_ERR_CALLBACK_RETRY},   {MODEL_DIRECTION, -2, NSDYN_ERR_CALLBACK},
               {MODEL_KINEMATICS, -2, NSDYN_ERR_CALLBACK}, {MODEL_FORCE, 0, NSDYN_ERR_NOT_FINITE},
               {MODEL_GAP, 0, NSDYN_ERR_NOT_FINITE}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    static model m;
    model_clear(&m, 2);
    m.f[1] = -1.0;
    model_add_contact(&m, 0.0, 1, 0, 0.3, 0.5);
    driven s = {0};
    ck_assert_int_eq(model_system(&m, NULL, 0, MODEL_MOVES, &s.sys), NSDYN_OK);
    nsdyn_event_driver_options_init(&s.options, sizeof s.options);
    const double q[2] = {0.0, 0.0}, u[2] = {1.0, 0.0};
    for (int later = 0; later <= 1; later++) {
      m.fails = MODEL_NONE;
      scene_drive(&s, 0.0, q, u);
      if (later) {
        scene_advance(&s, 0.5);
      }
      m.fails = cases[k].callback;
      m.code = cases[k].code;
      m.value = NAN;
      const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 2.0);
      ck_assert_msg(status == cases[k].status, "case %zu: %s", k, nsdyn_status_name(status));
      ck_assert(strlen(nsdyn_event_driver_message(s.driver)) > 0);
      nsdyn_detail detail = {.size = sizeof detail};
      ck_assert_int_eq(nsdyn_event_driver_detail(s.driver, &detail), NSDYN_OK);
      const double t =
          nsdyn_event_driver_time(s.driver); /* gaps of what is closed are looked at after a step */
      ck_assert_msg(t == (later ? 0.5 : 0.0) || (later && cases[k].callback == MODEL_GAP), "case %zu: t = %g",
                    k, t);
      ck_assert(isfinite(nsdyn_event_driver_q(s.driver)[0]) && isfinite(nsdyn_event_driver_u(s.driver)[0]));
      m.fails = MODEL_NONE;
      scene_advance(&s, 2.0);
      const double x = nsdyn_event_driver_q(s.driver)[0]; /* slides under μ g from 1: until 1/0.3 */
      ck_assert_msg(fabs(x - (2.0 - 0.15 * 4.0)) <= 1e-9, "case %zu: x = %g", k, x);
    }
    scene_end(&s);
  }
}
END_TEST

/* ẍ = x³ grows beyond all numbers in a finite time. */
static int explode(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)u;
  h[0] = q[0] * q[0] * q[0];
  return 0;
}

START_TEST(explosions_end_with_a_message)
{
  points p = {.count = 1};
  nsdyn_system_def def = table(2, 0, &p);
  def.mass = points_mass;
  def.force = explode;
  driven s = scene_of(&def);
  const double q[2] = {1.0, 0.0}, u[2] = {1.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 100.0);
  ck_assert(status == NSDYN_MAX_ITERATIONS || status == NSDYN_ERR_NOT_FINITE);
  ck_assert(strlen(nsdyn_event_driver_message(s.driver)) > 0);
  ck_assert(nsdyn_event_driver_time(s.driver) < 3.0 && isfinite(nsdyn_event_driver_q(s.driver)[0]));
  scene_end(&s);
}
END_TEST

START_TEST(stiffness_is_reported)
{
  static model m;
  model_clear(&m, 1);
  m.D[0] = 1e5;
  m.K[0] = 1e5; /* creeps with exp(−t), while the fast part allows steps of 6e-5 */
  driven s = {0};
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &s.sys), NSDYN_OK);
  nsdyn_event_driver_options_init(&s.options, sizeof s.options);
  const double q[1] = {1.0}, u[1] = {-1.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1);
  ck_assert_int_eq(report_of(&s).stiff, 1);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[0] - exp(-0.1)) <= 1e-4);
  scene_end(&s);
}
END_TEST

/* A block that has rested from the beginning, at the origin, under a load that presses less and less:
 * nothing has a size but the forces. */
static int press_force(void *user, double t, const double *q, const double *u, double *h)
{
  const double *T = user;
  (void)q, (void)u;
  h[0] = *T;
  h[1] = -(1.3 + 3.2 * sin(12.5 * (t - 1.0) + 1.1));
  return 0;
}

static int press_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 0.13;
  return 0;
}

START_TEST(what_rested_begins_to_slide_once)
{
  const double tols[] = {1e-6, 1e-9, 1e-12};
  for (int i = 0; i < 30; i++) {
    double T = (i % 2 ? -1.0 : 1.0) * (0.3 + 0.017 * i);
    nsdyn_system_def def = table(2, 1, &T);
    def.mass = press_mass;
    def.force = press_force;
    def.gap = gap_is_q1;
    def.direction = floor_of_q1;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.27, 0.0));
    s.options.tol = tols[i % 3];
    const double zero[2] = {0.0, 0.0};
    scene_drive(&s, 1.0, zero, zero);
    scene_advance(&s, 1.2);
    /* μ N = |T|: N falls through |T| / μ where its sine falls through s */
    const double sine = (fabs(T) / 0.27 - 1.3) / 3.2;
    const double begins = 1.0 + (3.14159265358979323846 - asin(sine) - 1.1) / 12.5;
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_SLIP), 1);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_HANDOVER), 0);
    const nsdyn_event slip = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
    ck_assert_int_eq(slip.mode_after, T > 0.0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS);
    ck_assert_double_le(fabs(slip.t - begins), 1e-12);
    scene_end(&s);
  }
}
END_TEST

/* A point on a spring whose kinematics answers once with a huge number. */
typedef struct liar {
  int64_t calls, lies_at;
} liar;

static int liar_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t;
  M[0] = 1.0 / (1.0 + q[0] * q[0]);
  return 0;
}

static int liar_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)u;
  h[0] = -q[0] - q[0] * q[0] * q[0];
  return 0;
}

static int liar_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  liar *p = user;
  (void)t, (void)q;
  qdot[0] = ++p->calls == p->lies_at ? 1e308 : u[0];
  return 0;
}

START_TEST(a_failed_call_leaves_no_sizes)
{
  double right = 0.0;
  int failures = 0;
  for (int k = 0; k < 300; k++) {
    liar p = {0, k};
    nsdyn_system_def def = table(1, 0, &p);
    def.mass = liar_mass;
    def.force = liar_force;
    def.kinematics = liar_kinematics;
    driven s = scene_of(&def);
    const double q[1] = {1.0}, u[1] = {0.5};
    scene_drive(&s, 0.0, q, u);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 10.0);
    if (status) {
      failures++;
      ck_assert_double_le(s.driver->scales.size[0], 2.0);
      ck_assert_double_le(s.driver->scales.rate[0], 4.0);
      scene_advance(&s, 10.0);
    }
    const double x = nsdyn_event_driver_q(s.driver)[0];
    right = k ? right : x;
    ck_assert_msg(!status || fabs(x - right) <= 1e-7, "call %d: %g off", k, x - right);
    scene_end(&s);
  }
  ck_assert_int_gt(failures, 0);
}
END_TEST

/* Flight takes steps of many turns, since nothing in it changes. The contact after it needs W where the rod
 * is, over far shorter times: with w̄ differenced the motion is that with w̄ given. */
START_TEST(the_first_step_in_a_contact_knows_its_own_length)
{
  for (int k = 0; k < 6; k++) {
    double end[2][6], t_hit[2];
    for (int has_bias = 0; has_bias <= 1; has_bias++) {
      exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 0.2 + 0.2 * k, .g = 9.81};
      driven s = rod_scene(&rod, 0.0, has_bias);
      const double q[3] = {0.0, 50.0, 1.0 + 0.3 * k}, u[3] = {0.0, 0.0, 20.0};
      s.options.tol = 1e-11;
      scene_drive(&s, 0.0, q, u);
      ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 2.0), NSDYN_OK);
      nsdyn_event_driver_options options = s.options;
      options.max_steps = 10000;
      ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, &options), NSDYN_OK);
      while (events_of(&s) == 0) {
        scene_advance(&s, nsdyn_event_driver_time(s.driver) + 0.5);
      }
      t_hit[has_bias] = event_of(&s, 0).t;
      scene_advance(&s, t_hit[0] + 1.0);
      memcpy(end[has_bias], nsdyn_event_driver_q(s.driver), 3 * sizeof(double));
      memcpy(end[has_bias] + 3, nsdyn_event_driver_u(s.driver), 3 * sizeof(double));
      scene_end(&s);
    }
    ck_assert(t_hit[0] > 2.5 && t_hit[0] < 3.5);
    for (int i = 0; i < 6; i++) {
      ck_assert_msg(fabs(end[0][i] - end[1][i]) <= 1e-8, "rod %d, %d: %g off", k, i, end[0][i] - end[1][i]);
    }
  }
}
END_TEST

/* A plank (x, y, φ), 1.7 L long and as good as flat, that slides on both ends, μ = 0.2. */
static int plank_mass(void *user, double t, const double *q, double *M)
{
  const double L = *(const double *)user;
  (void)t, (void)q;
  M[0] = M[4] = 1.0;
  M[8] = L * L / 3.0;
  return 0;
}

static int plank_gap(void *user, double t, const double *q, double *g)
{
  const double L = *(const double *)user;
  (void)t;
  g[0] = q[1] - L * sin(q[2]) - 0.1 * L * cos(q[2]);
  g[1] = q[1] + 0.7 * L * sin(q[2]) - 0.1 * L * cos(q[2]);
  return 0;
}

static int plank_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const double L = *(const double *)user, side = i ? 0.7 : -1.0;
  (void)t;
  w_hat[0] = w_hat[1] = 0.0;
  W[1] = W[3] = 1.0;
  W[2] = side * L * cos(q[2]) + 0.1 * L * sin(q[2]);
  W[5] = -side * L * sin(q[2]) + 0.1 * L * cos(q[2]);
  return 0;
}

/* The forces of its ends cancel each other in φ'', whose rounding is large in micrometres: no error of
 * steps. It stops after u_0 / (μ g). */
START_TEST(what_cancels_leaves_no_error_but_rounding)
{
  for (int k = 0; k < 30; k++) {
    double L = (1.0 + 0.37 * k) * (k % 3 ? 1e-6 : 1.0);
    nsdyn_system_def def = table(3, 2, &L);
    def.mass = plank_mass;
    def.force = weight_of_q1;
    def.gap = plank_gap;
    def.direction = plank_direction;
    driven s = scene_of(&def);
    s.options.tol = 1e-12;
    s.options.max_steps = 500;
    scene_law(&s, 0, law_of(0.2, 0.0));
    scene_law(&s, 1, law_of(0.2, 0.0));
    const double q[3] = {0.0, 0.1 * L, 0.0}, u[3] = {0.05 * sqrt(9.81 * L), 0.0, 0.0};
    const double stop = u[0] / (0.2 * 9.81), way = 0.5 * u[0] * stop;
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    ck_assert(s.driver->scales.drive[5] >= 0.9 * 9.81 / L); /* though φ'' is zero */
    scene_advance(&s, 2.0 * stop);
    ck_assert_msg(fabs(nsdyn_event_driver_q(s.driver)[0] - way) <= 1e-9 * way, "L = %g", L);
    scene_end(&s);
  }
}
END_TEST

/* Where all begins at zero, rounding of a force that cancels must not make the first step so short that a
 * gap is nothing but rounding inside its callback, 1 − cos. */
START_TEST(what_is_tied_to_what_rests_asks_for_no_short_steps)
{
  const double tols[] = {1e-6, 1e-9, 1e-12};
  for (int i = 0; i < 96; i++) {
    const double length = i / 2 % 2 ? 1e6 : 1.0;
    held p = {
        .m = 0.3 + 0.037 * i, .tied = 1.9 - 0.017 * i, .r = (i % 4 < 2 ? 1.0 : -1.0) * (0.3 + 0.013 * i)};
    p.load = p.m * length * (0.9 + 0.011 * i);
    p.Omega = 2.0 + 0.31 * i;
    p.B = 0.5 * length / (p.Omega * p.Omega);
    p.t0 = i % 2 ? 1e6 : 0.0;
    nsdyn_system_def def = table(3, 1, &p);
    def.nconstraints = 1;
    def.mass = held_mass;
    def.force = held_force;
    def.gap = held_gap;
    def.direction = held_direction;
    def.constraint = held_constraint;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.5, 0.0));
    s.options.tol = tols[i % 3];
    const double zero[3] = {0.0, 0.0, 0.0};
    scene_drive(&s, p.t0, zero, zero);
    scene_advance(&s, p.t0 + 3.0 / p.Omega);
    const double phi = p.Omega * (nsdyn_event_driver_time(s.driver) - p.t0);
    const double clock = 64.0 * DBL_EPSILON * p.t0 * p.Omega;
    const double *q = nsdyn_event_driver_q(s.driver);
    ck_assert_double_le(fmax(fabs(q[0]), fabs(q[2])), 1e-9 * p.B);
    ck_assert_double_le(fabs(q[1] - p.B * (1.0 - cos(phi))), (10.0 * s.options.tol + clock) * p.B);
    ck_assert_int_le(report_of(&s).steps, 100);
    scene_end(&s);
  }
}
END_TEST

/* One mass falls; a force on another one, sin² + cos² − 1 in its callback, is nothing but rounding. */
typedef struct unloaded {
  double load, Omega;
} unloaded;

static int unloaded_force(void *user, double t, const double *q, const double *u, double *h)
{
  const unloaded *p = user;
  const double s = sin(p->Omega * t + 0.3), c = cos(p->Omega * t + 0.3);
  (void)q, (void)u;
  h[0] = -p->load;
  h[1] = p->load * (s * s + c * c - 1.0);
  return 0;
}

/* What begins at zero and has no load has no size either: rounding of others' loads must not shorten steps.
 */
START_TEST(what_has_no_load_asks_for_no_short_steps)
{
  const double tols[] = {1e-6, 1e-9, 1e-12}, units[] = {1.0, 1e6, 1e-3}, begins[] = {0.0, 1.0, 1e3, 1e6};
  for (int i = 0; i < 144; i++) {
    unloaded p = {.load = 9.81 * units[i / 3 % 3], .Omega = 1.0 + 0.05 * i};
    nsdyn_system_def def = table(2, 0, &p);
    def.mass = unit_mass_2;
    def.force = unloaded_force;
    driven s = scene_of(&def);
    s.options.tol = tols[i % 3];
    const double zero[2] = {0.0, 0.0}, t0 = begins[i % 4];
    scene_drive(&s, t0, zero, zero);
    scene_advance(&s, t0 + 0.7);
    const nsdyn_event_report report = report_of(&s);
    ck_assert_msg(report.rejected <= 2 && report.steps <= 40, "case %d: %d steps, %d refused", i,
                  (int)report.steps, (int)report.rejected);
    ck_assert_double_le(fabs(nsdyn_event_driver_q(s.driver)[1]), 1e-15 * p.load);
    scene_end(&s);
  }
}
END_TEST

/* A wheel with an unbalance, φ̈ = −k sin φ, so fast that it turns for ever, and a ball that bounces beside it.
 */
typedef struct wheel {
  double k, g;
} wheel;

static int wheel_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static int wheel_force(void *user, double t, const double *q, const double *u, double *h)
{
  const wheel *p = user;
  (void)t, (void)u;
  h[0] = -p->k * sin(q[0]);
  h[1] = -p->g;
  return 0;
}

/* From the angle `turned` to t_end: how far it turns from there, and where the ball is. */
static void turn_wheel(wheel *p, double tol, double eps, double turned, const exact_bounce *ball,
                       double t_end, double *angle, double *y)
{
  nsdyn_system_def def = table(2, 1, p);
  def.mass = wheel_mass;
  def.force = wheel_force;
  def.gap = gap_is_q1;
  def.direction = floor_of_q1;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.0, eps));
  s.options.tol = tol;
  const double q[2] = {turned, ball->y}, u[2] = {3.0 * sqrt(p->k), ball->v};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, t_end);
  *angle = nsdyn_event_driver_q(s.driver)[0] - turned;
  *y = nsdyn_event_driver_q(s.driver)[1];
  scene_end(&s);
}

/* After some turns, or a million, it moves as at first, and the ball as if there was no wheel: an angle that
 * is wound on has no size that errors are a share of. */
START_TEST(turns_of_a_wheel_are_no_length)
{
  const double turn = 2.0 * acos(-1.0);
  for (int seed = 0; seed < random_cases(300); seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double height = pow(10.0, random_between(&r, -4.0, 0.0)),
                 tol = pow(10.0, random_between(&r, -11.0, -8.0));
    const double turns = floor(pow(10.0, random_between(&r, 1.0, 6.0))), w = random_between(&r, 1.0, 10.0);
    wheel p = {.k = w * w, .g = random_between(&r, 0.3, 3.0) * height * w * w};
    const exact_bounce ball = {.g = p.g,
                               .eps = random_between(&r, 0.4, 0.8),
                               .y = height,
                               .v = random_between(&r, -1.0, 1.0) * w * height};
    double speed, angle[2], y[2], exact, v;
    const double t[2] = {exact_bounce_impact(&ball, 4, &speed), exact_bounce_impact(&ball, 5, &speed)};
    const double t_end = t[0] + random_between(&r, 0.1, 0.9) * (t[1] - t[0]);
    turn_wheel(&p, tol, ball.eps, 0.3, &ball, t_end, &angle[0], &y[0]);
    turn_wheel(&p, tol, ball.eps, 0.3 + turns * turn, &ball, t_end, &angle[1], &y[1]);
    const double rounding = 64.0 * DBL_EPSILON * turns * turn;
    (void)exact_bounce_at(&ball, t_end, &exact, &v);
    REQUIRE(fabs(y[1] - exact) <= 1e2 * tol * (height + 1.0),
            "seed %d, %g turns, tol %g, height %g: ball %g off of %g", seed, turns, tol, height, y[1] - exact,
            exact);
    REQUIRE(fabs(angle[1] - angle[0]) <= 1e3 * tol * (1.0 + fabs(angle[0])) + (1.0 + w * t_end) * rounding,
            "seed %d, %g turns, tol %g: it turns by %g less than %g", seed, turns, tol, angle[0] - angle[1],
            angle[0]);
  }
}
END_TEST

SUITE("event/phase/phase", TEST(turns_of_a_wheel_are_no_length), TEST(who_gets_nowhere_is_named),
      TEST(what_is_tied_to_what_rests_asks_for_no_short_steps),
      TEST(what_has_no_load_asks_for_no_short_steps), TEST(what_cancels_leaves_no_error_but_rounding),
      TEST(knows_no_units), TEST(sizes_follow_the_motion_or_the_user), TEST(a_world_at_rest_costs_nothing),
      TEST(what_callbacks_say_ends_the_run), TEST(explosions_end_with_a_message), TEST(stiffness_is_reported),
      TEST(what_rested_begins_to_slide_once), TEST(the_first_step_in_a_contact_knows_its_own_length),
      TEST(a_failed_call_leaves_no_sizes))
