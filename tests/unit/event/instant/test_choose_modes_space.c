/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Modes of contacts in space: who sticks, who begins to slide, and where to. */
#include "event_space.h"

/* A point at rest: it sticks while |F| < μ N, on an ellipse while F is inside of it. */
START_TEST(a_point_at_rest_sticks_inside_its_friction_set)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b = {.mass = 2.0, .load = {random_between(&r, -1.0, 1.0), random_between(&r, -1.0, 1.0), -1.0}};
    nsdyn_contact_law law = space_law(random_between(&r, 0.2, 1.5), 0.0, 0.0);
    law.aspect = k % 2 ? random_between(&r, 0.4, 2.0) : 1.0;
    law.angle = random_between(&r, -3.0, 3.0);
    driven s = body_scene(&b, law);
    const double q[3] = {0.0}, u[3] = {0.0}, x = cos(law.angle), y = sin(law.angle);
    const double own[2] = {x * b.load[0] + y * b.load[1], (x * b.load[1] - y * b.load[0]) / law.aspect};
    const double share = sqrt(own[0] * own[0] + own[1] * own[1]) / law.mu;
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    const nsdyn_contact_state c = contact_of(&s, 0);
    REQUIRE(c.mode == (share < 1.0 ? NSDYN_MODE_STICK : NSDYN_MODE_SLIP), "seed %d: share %g, mode %d", k,
            share, c.mode);
    if (share < 1.0) {
      REQUIRE(fabs(c.force[1] + b.load[0]) <= 1e-13 && fabs(c.force[2] + b.load[1]) <= 1e-13, "seed %d", k);
    }
    scene_end(&s);
  }
}
END_TEST

/* Two coefficients: the static one holds until it is exceeded, the other one slows down from then on. */
START_TEST(what_breaks_loose_slides_under_the_smaller_coefficient)
{
  body b = {.mass = 1.0, .load = {3.0, 4.0, -10.0}, .rise = {3.0, 4.0, 0.0}};
  nsdyn_contact_law law = space_law(0.5, 0.0, 0.0);
  law.friction = NSDYN_FRICTION_STATIC;
  law.mu_static = 0.7;
  driven s = body_scene(&b, law);
  const double q[3] = {0.0}, u[3] = {0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  const nsdyn_event slip = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
  ck_assert_double_eq_tol(slip.t, 0.4, 1e-10);         /* 5 (1 + t) = 7 */
  const double dt = 0.6, v = 2.0 * dt + 2.5 * dt * dt; /* 5 (1 + t) − 5 */
  const double *after = nsdyn_event_driver_u(s.driver);
  ck_assert_double_eq_tol(after[0], 0.6 * v, 1e-9);
  ck_assert_double_eq_tol(after[1], 0.8 * v, 1e-9);
  scene_end(&s);
}
END_TEST

/* Friction that falls with the speed, μ = 0.5 / (1 + v): v̇ = −5 / (1 + v), so v + v²/2 falls at 5. */
static int falling(void *user, double speed, double *mu)
{
  (void)user;
  *mu = 0.5 / (1.0 + speed);
  return 0;
}

START_TEST(a_curve_is_read_at_the_sliding_speed)
{
  body b = {.mass = 1.0, .load = {0.0, 0.0, -10.0}};
  nsdyn_contact_law law = space_law(0.0, 0.0, 0.0);
  law.friction = NSDYN_FRICTION_CURVE;
  law.curve = falling;
  driven s = body_scene(&b, law);
  const double q[3] = {0.0}, u[3] = {1.8, -2.4, 0.0}; /* 3 m/s */
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 2.0);
  ck_assert_double_eq_tol(event_of_kind(&s, NSDYN_EVENT_STICK, 0).t, (3.0 + 4.5) / 5.0, 1e-9);
  ck_assert_int_eq(contact_of(&s, 0).mode, NSDYN_MODE_STICK);
  scene_end(&s);
}
END_TEST

/* A brake of given bound, which acts whatever presses. */
START_TEST(a_given_bound_slows_down_at_a_constant_rate)
{
  body b = {.mass = 2.0, .load = {0.0, 0.0, -10.0}};
  nsdyn_contact_law law = space_law(0.0, 0.0, 0.0);
  law.friction = NSDYN_FRICTION_BOUND;
  law.bound = 3.0;
  driven s = body_scene(&b, law);
  const double q[3] = {0.0}, u[3] = {1.2, 1.6, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 2.0);
  ck_assert_double_eq_tol(event_of_kind(&s, NSDYN_EVENT_STICK, 0).t, 2.0 * 2.0 / 3.0, 1e-9);
  scene_end(&s);
}
END_TEST

SUITE("event/instant/choose_modes_space", TEST(a_point_at_rest_sticks_inside_its_friction_set),
      TEST(what_breaks_loose_slides_under_the_smaller_coefficient),
      TEST(a_curve_is_read_at_the_sliding_speed), TEST(a_given_bound_slows_down_at_a_constant_rate))
