/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Beginnings: what is refused, how it is named, and what making it consistent does. */
#include "event_models.h"

/* A ball of the points' model, one contact: the floor at y = 0. */
static driven ball(points *p, double eps, double y, double v)
{
  driven s = points_scene(p, 0.0, eps);
  const double q[2] = {0.0, y}, u[2] = {0.0, v};
  scene_drive(&s, 0.0, q, u);
  return s;
}

START_TEST(penetration_is_refused_with_its_name_and_size)
{
  points p = {.count = 1, .g = 9.81};
  driven s = ball(&p, 0.5, -0.01, -1.0);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 1.0), NSDYN_ERR_INCONSISTENT);
  const char *message = nsdyn_event_driver_message(s.driver);
  ck_assert_msg(strstr(message, "contact 0 begins with a penetration of 0.01 at t = 0") == message, "%s",
                message);
  ck_assert(nsdyn_event_driver_q(s.driver)[1] == -0.01 && nsdyn_event_driver_time(s.driver) == 0.0);
  scene_end(&s);
}
END_TEST

START_TEST(rounding_is_no_penetration)
{
  points p = {.count = 1, .g = 9.81};
  driven s = ball(&p, 0.5, -1e-17, 0.0);
  scene_advance(&s, 1.0);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[1]) <= 1e-16);
  scene_end(&s);
}
END_TEST

START_TEST(made_consistent_it_begins_on_the_floor)
{
  points p = {.count = 1, .g = 9.81};
  driven s = ball(&p, 0.5, -0.01, -1.0);
  nsdyn_consistency made;
  nsdyn_consistency_init(&made, sizeof made);
  ck_assert_int_eq(nsdyn_event_driver_consistent(s.driver, &made), NSDYN_OK);
  ck_assert(made.contact == 0 && made.key == 0 && made.constraint == -1);
  ck_assert(made.penetration == 0.01 && made.approach == 1.0 && made.kicked == 1.0 && made.left <= 1e-14);
  ck_assert(fabs(made.moved - 0.01) <= 1e-14);
  ck_assert(nsdyn_event_driver_u(s.driver)[1] == 0.0);
  scene_advance(&s, 1.0);
  ck_assert(contact_of(&s, 0).active && fabs(contact_of(&s, 0).force[0] - 9.81) <= 1e-12);
  scene_end(&s);
}
END_TEST

START_TEST(any_state_is_taken_where_the_option_says_so)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  s.options.start_tol = INFINITY;
  const double q[2] = {0.0, -0.01}, u[2] = {0.0, 1.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.01), NSDYN_OK);
  scene_end(&s);
}
END_TEST

SUITE("begin", TEST(penetration_is_refused_with_its_name_and_size), TEST(rounding_is_no_penetration),
      TEST(made_consistent_it_begins_on_the_floor), TEST(any_state_is_taken_where_the_option_says_so))
