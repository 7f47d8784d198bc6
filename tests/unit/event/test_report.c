/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event_models.h"
#include "support/callbacks.h"

START_TEST(contacts_show_the_present_state)
{
  points p = {.count = 3, .g = 10.0, .V = {0.0, 2.0, 0.0}};
  driven s = points_scene(&p, 0.5, 0.0);
  const double q[6] = {0.0, 0.0, 1.0, 0.0, 2.0, 7.0}, u[6] = {0.0, 0.0, 0.0, 0.0, 3.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_active(s.driver), 0); /* not looked yet */
  scene_advance(&s, 0.1);
  ck_assert_int_eq(nsdyn_event_driver_active(s.driver), 2);
  nsdyn_contact_state state = contact_of(&s, 0);
  ck_assert(state.active && state.index == 0 && state.key == 0 && state.rows == 2);
  ck_assert_int_eq(state.mode, NSDYN_MODE_STICK);
  ck_assert(fabs(state.force[0] - 10.0) <= 1e-13 && state.force[1] == 0.0 && state.mu == 0.5);
  state = contact_of(&s, 1); /* the belt drags it along with μ g = 5: γ_T = 0.5 − 2 */
  ck_assert_int_eq(state.mode, NSDYN_MODE_SLIP_MINUS);
  ck_assert(fabs(state.force[1] - 5.0) <= 1e-12 && fabs(state.after[1] + 1.5) <= 1e-12);
  ck_assert(state.before[1] == state.after[1] && state.impulse[0] == 0.0);
  state = contact_of(&s, 2);
  ck_assert(!state.active && state.index == 2 && fabs(state.gap - (7.0 - 0.05)) <= 1e-12);
  ck_assert_int_eq(nsdyn_event_driver_active_contact(s.driver, 1, &state), NSDYN_OK);
  ck_assert_int_eq(state.index, 1);
  ck_assert_int_eq(nsdyn_event_driver_active_contact(s.driver, 2, &state), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_active_contact(s.driver, -1, &state), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_active_contact(NULL, 0, &state), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_contact(s.driver, 3, &state), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_contact(s.driver, -1, &state), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_contact(NULL, 0, &state), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_contact(s.driver, 0, NULL), NSDYN_ERR_ARGUMENT);
  const double *a = nsdyn_event_driver_a(s.driver);
  ck_assert(fabs(a[0]) <= 1e-13 && fabs(a[2] - 5.0) <= 1e-12 && a[5] == -10.0);
  scene_end(&s);
}
END_TEST

START_TEST(the_report_counts)
{
  points p = {.count = 1, .g = 10.0};
  driven s = points_scene(&p, 0.5, 0.5);
  const double q[2] = {0.0, 1.0}, u[2] = {1.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  nsdyn_event_report report = report_of(&s);
  ck_assert(report.steps == 0 && report.events == 0 && report.evaluations == 0 && report.t == 0.0);
  p.calls = 0;
  scene_advance(&s, 5.0);
  report = report_of(&s);
  ck_assert_int_eq(report.status, NSDYN_OK);
  ck_assert_int_eq(report.events, events_of(&s));
  ck_assert_int_eq(report.impacts, count_kind(&s, NSDYN_EVENT_IMPACT));
  ck_assert_int_ge(report.phases, report.impacts);
  ck_assert_int_ge(report.steps, report.phases - 1);
  ck_assert(report.t == 5.0 && report.dt > 0.0 && report.gap <= 1e-14 && report.residual <= 1e-12);
  ck_assert_int_eq(report.stiff, 0);
  ck_assert_int_le(report.evaluations, p.calls); /* watches evaluate forces too */
  ck_assert_int_ge(report.evaluations, p.calls / 3);
  ck_assert_int_eq(nsdyn_event_driver_report(NULL, &report), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_report(s.driver, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_report_init(NULL, sizeof report), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_report_init(&report, 3), NSDYN_ERR_STRUCT_SIZE);
  scene_drive(&s, 0.0, q, u);
  ck_assert(report_of(&s).steps == 0 && report_of(&s).events == 0 && report_of(&s).evaluations == 0);
  scene_end(&s);
}
END_TEST

/* ---- a block on a desk, found ---- */

typedef struct desk {
  int32_t law;
  double push;
} desk;

static int desk_force(void *user, double t, const double *q, const double *u, double *h)
{
  const desk *own = user;
  (void)t, (void)q, (void)u;
  h[0] = own->push;
  h[1] = -10.0;
  return 0;
}

static int desk_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  (void)u;
  static const double W[4] = {0.0, 1.0, 1.0, 0.0};
  static const nsdyn_contact_block all = {0, 2, W};
  const desk *own = user;
  nsdyn_found_contact found;
  (void)t, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.gap = q[1];
  found.law = own->law;
  found.blocks = 1;
  found.block = &all;
  return nsdyn_contact_sink_add(sink, &found);
}

static nsdyn_event_driver *desk_driver(desk *own, const nsdyn_contact_law *law, double u_x,
                                       nsdyn_system **sys)
{
  const double q[2] = {0.0, 0.0}, u[2] = {u_x, 0.0};
  nsdyn_system_def def;
  nsdyn_event_driver *driver;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.user = own;
  def.mass = unit_mass_2;
  def.force = desk_force;
  def.find = desk_find;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_add_law(*sys, law, &own->law), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, *sys, NULL, &driver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, u), NSDYN_OK);
  return driver;
}

static int no_friction(void *user, double speed, double *mu)
{
  (void)user, (void)speed;
  *mu = 0.0;
  return 0;
}

/* It turns back at t = 1, under a law that has friction, but none now: no event, and the mode is that of the
 * velocity. */
START_TEST(a_curve_that_is_zero_lets_the_mode_follow_the_velocity)
{
  static const int32_t kinds[] = {NSDYN_FRICTION_CURVE, NSDYN_FRICTION_BOUND};
  for (int k = 0; k < 2; k++) {
    desk own = {.push = -1.0};
    nsdyn_system *sys;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = kinds[k];
    law.bound = 5.0;
    law.curve = no_friction;
    nsdyn_event_driver *driver = desk_driver(&own, &law, 1.0, &sys);
    for (int after = 0; after < 2; after++) {
      nsdyn_contact_state state = {.size = sizeof state};
      ck_assert_int_eq(nsdyn_event_driver_advance(driver, after ? 1.5 : 0.5), NSDYN_OK);
      ck_assert_int_eq(nsdyn_event_driver_active_contact(driver, 0, &state), NSDYN_OK);
      ck_assert(state.force[1] == 0.0 && fabs(state.after[1] - (after ? -0.5 : 0.5)) <= 1e-9);
      ck_assert_int_eq(state.mode, after ? NSDYN_MODE_SLIP_MINUS : NSDYN_MODE_SLIP_PLUS);
    }
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
  }
}
END_TEST

/* A law that is added between two runs, and named by the records of a closed contact from then on, counts. */
START_TEST(a_found_contact_may_have_a_new_law)
{
  desk own = {.push = 5.0};
  nsdyn_system *sys;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 1.0;
  nsdyn_event_driver *driver = desk_driver(&own, &law, 0.0, &sys);
  ck_assert_int_eq(nsdyn_event_driver_advance(driver, 1.0), NSDYN_OK);
  ck_assert(nsdyn_event_driver_u(driver)[0] == 0.0);
  law.mu = 0.1;
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &own.law), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_advance(driver, 2.0), NSDYN_OK);
  ck_assert(fabs(nsdyn_event_driver_u(driver)[0] - (5.0 - 0.1 * 10.0)) <= 1e-9);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
}
END_TEST

SUITE("event/report", TEST(a_curve_that_is_zero_lets_the_mode_follow_the_velocity),
      TEST(a_found_contact_may_have_a_new_law), TEST(contacts_show_the_present_state),
      TEST(the_report_counts))
