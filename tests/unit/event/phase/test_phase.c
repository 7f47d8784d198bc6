/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A smooth phase: its first step, rest, and what ends it badly. */
#include "event/internal.h"

#include <float.h>

#include "event_models.h"
#include "support/callbacks.h"
#include "support/model.h"

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

SUITE("event/phase/phase", TEST(a_world_at_rest_costs_nothing), TEST(what_callbacks_say_ends_the_run),
      TEST(explosions_end_with_a_message), TEST(stiffness_is_reported),
      TEST(what_rested_begins_to_slide_once), TEST(the_first_step_in_a_contact_knows_its_own_length),
      TEST(what_is_tied_to_what_rests_asks_for_no_short_steps))
