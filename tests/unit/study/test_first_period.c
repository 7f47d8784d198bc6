/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A first period: how long it takes, where it is calm, what it sweeps. */
#include "cycle_models.h"
#include "study/object.h"

/* The base is in the middle of the longest phase: here the slip of the belt oscillator, or its stick. */
START_TEST(the_base_is_in_the_middle_of_the_longest_phase)
{
  for (int is_slow = 0; is_slow < 2; is_slow++) {
    const double V = is_slow ? 0.05 : 5.0, omega = 1.0, weight = 1.0;
    points p = {.count = 1, .g = weight, .k = omega * omega, .V = {V}};
    nsdyn_system_def def = table(2, 1, &p);
    def.mass = points_mass;
    def.force = points_force;
    def.gap = points_gap;
    def.direction = points_direction;
    sought s = sought_of(&def);
    nsdyn_contact_law law = law_of(0.25, 0.0);
    law.friction = NSDYN_FRICTION_STATIC;
    law.mu_static = 0.5;
    seek_law(&s, 0, law);
    s.options.kind = NSDYN_EVENT_SLIP;
    const double q[2] = {0.0, 0.0}, u[2] = {V, 0.0};
    seek(&s, 0.0, q, u);
    ck_assert_int_eq(nsd_cycle_enter(s.cycle), NSDYN_OK);
    ck_assert_int_eq(nsd_cycle_survey(s.cycle), NSDYN_OK);
    /* slip swings about x = 1/4, from x = 1/2, v = V to x = 0, v = V; then it sticks back to 1/2 */
    const double slip = PI + 2.0 * atan(V / 0.25), stick = 0.5 / V;
    ck_assert_double_lt(fabs(s.cycle->period - slip - stick), 1e-9);
    const double middle = is_slow ? slip + 0.5 * stick : 0.5 * slip;
    ck_assert_double_lt(fabs(s.cycle->delay - middle), 1e-9);
    /* half of what x and v sweep, seen at 64 moments: v from V down to −√(1/16 + V²) */
    const double reach = sqrt(0.0625 + V * V);
    ck_assert_double_lt(fabs(s.cycle->scale[1] - reach), 1e-2 * reach);
    ck_assert_double_lt(fabs(s.cycle->scale[3] - 0.5 * (reach + V)), 1e-2 * reach);
    /* y does not move: a thousandth of x, of v */
    ck_assert_double_lt(fabs(s.cycle->scale[2] - 1e-3 * s.cycle->scale[1]), 1e-12);
    ck_assert_double_lt(fabs(s.cycle->scale[4] - 1e-3 * s.cycle->scale[3]), 1e-12);
    seek_end(&s);
  }
}
END_TEST

START_TEST(a_period_may_be_several_returns)
{
  points p = {.count = 1, .g = 1.0};
  nsdyn_system_def def = table(2, 1, &p);
  def.mass = points_mass;
  def.force = points_force;
  def.gap = points_gap;
  def.direction = points_direction;
  sought s = sought_of(&def);
  seek_law(&s, 0, law_of(0.0, 0.5));
  s.options.kind = NSDYN_EVENT_IMPACT;
  s.options.returns = 2;
  s.options.settle = 1;
  const double q[2] = {0.0, 0.5}, u[2] = {0.0, 0.0};
  seek(&s, 0.0, q, u);
  ck_assert_int_eq(nsd_cycle_enter(s.cycle), NSDYN_OK);
  ck_assert_int_eq(nsd_cycle_survey(s.cycle), NSDYN_OK);
  /* the section at 1, two returns of settling until 5/2; a period of 1/4 + 1/8, its first hop the longest */
  ck_assert_double_lt(fabs(s.cycle->period - 0.375), 1e-12);
  ck_assert_double_lt(fabs(s.cycle->delay - 0.125), 1e-12);
  ck_assert_double_lt(fabs(s.cycle->base.y[0] - 3.0), 1e-12);
  ck_assert_int_eq(result_of(&s).returns, 5);
  seek_end(&s);
}
END_TEST

START_TEST(what_rests_has_a_scale_too)
{
  swing p = {.k = 1.0, .delta = 0.25};
  sought s = swing_search(&p);
  const double zero = 0.0;
  swing_options(&s);
  seek(&s, -0.5, &zero, &zero);
  ck_assert_int_eq(nsd_cycle_enter(s.cycle), NSDYN_OK);
  ck_assert_int_eq(nsd_cycle_survey(s.cycle), NSDYN_OK);
  ck_assert(s.cycle->scale[1] == 1.0 && s.cycle->scale[2] == 1.0);
  ck_assert_double_lt(fabs(s.cycle->scale[0] - 0.25 * PI), 1e-15);
  ck_assert_double_lt(fabs(s.cycle->period - 2.0 * PI), 1e-12);
  seek_end(&s);
}
END_TEST

SUITE("study/first_period", TEST(the_base_is_in_the_middle_of_the_longest_phase),
      TEST(a_period_may_be_several_returns), TEST(what_rests_has_a_scale_too))
