/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cycle_models.h"
#include "study/object.h"

START_TEST(changes_have_names)
{
  static const char *const names[] = {"none", "fold", "flip", "torus", "jump", "grazing"};
  for (int32_t i = 0; i < 6; i++) {
    ck_assert_str_eq(nsdyn_stability_change_name(i), names[i]);
  }
  ck_assert_str_eq(nsdyn_stability_change_name(-1), "unknown");
  ck_assert_str_eq(nsdyn_stability_change_name(6), "unknown");
  ck_assert_str_eq(nsdyn_stability_change_name(NSDYN_CHANGE_FLIP), "flip");
}
END_TEST

START_TEST(a_multiplier_says_which)
{
  ck_assert_int_eq(nsd_change_of(1.0, 0.0), NSDYN_CHANGE_FOLD);
  ck_assert_int_eq(nsd_change_of(-1.0, 0.0), NSDYN_CHANGE_FLIP);
  ck_assert_int_eq(nsd_change_of(0.6, 0.8), NSDYN_CHANGE_TORUS);
  ck_assert_int_eq(nsd_change_of(0.6, -0.8), NSDYN_CHANGE_TORUS);
}
END_TEST

START_TEST(sizes_are_those_of_complex_numbers)
{
  double lambda[4] = {3.0, -4.0, -2.0, 0.0};
  const nsdyn_cycle c = {.lambda = lambda, .count = 2};
  ck_assert(nsd_cycle_size(&c, 0) == 5.0 && nsd_cycle_size(&c, 1) == 2.0);
}
END_TEST

START_TEST(a_point_begins_empty)
{
  nsdyn_cycle_point point;
  memset(&point, 0x55, sizeof point);
  ck_assert_int_eq(nsdyn_cycle_point_init(NULL, sizeof point), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_point_init(&point, 3), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_cycle_point_init(&point, sizeof point), NSDYN_OK);
  ck_assert(point.size == sizeof point && point.index == 0 && point.change == NSDYN_CHANGE_NONE &&
            point.status == NSDYN_OK && point.stable == 0 && point.value == 0.0 && point.bound == 0.0 &&
            point.contact == -1 && point.key == 0 && point.impacts == 0 && point.t == 0.0);
}
END_TEST

SUITE("study/stability_change", TEST(changes_have_names), TEST(a_multiplier_says_which),
      TEST(sizes_are_those_of_complex_numbers), TEST(a_point_begins_empty))
