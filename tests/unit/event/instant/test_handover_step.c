/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A time step where events do not get on. */
#include "event/internal.h"
#include "event_models.h"

START_TEST(a_step_falls_as_the_closed_form_does)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  const double q[2] = {0.0, 1.0}, u[2] = {0.3, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1);
  int done = 0;
  s.driver->run.end = 1.0;
  ck_assert_int_eq(nsd_handover(s.driver, 1.0, &done), NSDYN_OK);
  const double tau = nsdyn_event_driver_time(s.driver) - 0.1;
  ck_assert(done && tau > 0.0 && tau <= 1e-3);
  const double t = 0.1 + tau;
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[1] - (1.0 - 0.5 * 9.81 * t * t)) <= 1e-12);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[1] + 9.81 * t) <= 1e-12);
  ck_assert_int_eq(event_of_kind(&s, NSDYN_EVENT_HANDOVER, 0).kind, NSDYN_EVENT_HANDOVER);
  /* tau above is a difference of times, and rounded */
  ck_assert(fabs(event_of_kind(&s, NSDYN_EVENT_HANDOVER, 0).t_bound - tau) <= 1e-15);
  scene_advance(&s, 1.0); /* and events go on from there */
  scene_end(&s);
}
END_TEST

START_TEST(a_step_keeps_what_rests_and_what_slides)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.3, 0.0);
  const double q[2] = {0.0, 0.0}, u[2] = {2.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1);
  int done = 0;
  s.driver->run.end = 1.0;
  ck_assert_int_eq(nsd_handover(s.driver, 1.0, &done), NSDYN_OK);
  const double t = nsdyn_event_driver_time(s.driver);
  ck_assert(done && nsdyn_event_driver_u(s.driver)[1] == 0.0);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0] - (2.0 - 0.3 * 9.81 * t)) <= 1e-12);
  scene_advance(&s, 2.0);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[0] - 4.0 / (2.0 * 0.3 * 9.81)) <= 1e-9);
  scene_end(&s);
}
END_TEST

START_TEST(it_is_left_out_where_the_option_says_so)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  s.options.handover = 0;
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1);
  int done = 1;
  ck_assert_int_eq(nsd_handover(s.driver, 1.0, &done), NSDYN_OK);
  ck_assert(!done && nsdyn_event_driver_time(s.driver) == 0.1);
  scene_end(&s);
}
END_TEST

SUITE("event/instant/handover_step", TEST(a_step_falls_as_the_closed_form_does),
      TEST(a_step_keeps_what_rests_and_what_slides), TEST(it_is_left_out_where_the_option_says_so))
