/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event_models.h"

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

SUITE("outlook", TEST(contacts_show_the_present_state), TEST(the_report_counts))
