/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/check_state.h"

#include <math.h>

#include "suite.h"

static const nsdyn_system_def def = {.size = sizeof def, .nq = 3, .nu = 2};

START_TEST(a_good_state_is_taken_whole)
{
  const double q[] = {1.0, -2.0, 3.0}, u[] = {4.0, -5.0};
  double t = 0.0, own_q[3] = {0.0}, own_u[2] = {0.0};
  ck_assert_int_eq(nsd_state_take(&def, 7.0, q, u, &t, own_q, own_u, NULL), NSDYN_OK);
  ck_assert(t == 7.0);
  ck_assert_mem_eq(own_q, q, sizeof q);
  ck_assert_mem_eq(own_u, u, sizeof u);
  /* Its own arrays are fine. */
  ck_assert_int_eq(nsd_state_take(&def, 8.0, own_q, own_u, &t, own_q, own_u, NULL), NSDYN_OK);
  ck_assert_mem_eq(own_q, q, sizeof q);
}
END_TEST

START_TEST(arrays_that_are_missing_are_named)
{
  nsd_fault fault;
  const double x[] = {0.0, 0.0, 0.0};
  ck_assert_int_eq(nsd_state_check(&def, 0.0, NULL, x, &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_ARGUMENT);
  ck_assert_int_eq(fault.detail.index, 2);
  ck_assert_str_eq(fault.message, "q is NULL");
  ck_assert_int_eq(nsd_state_check(&def, 0.0, x, NULL, &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.detail.index, 3);
  ck_assert_str_eq(fault.message, "u is NULL");
  const nsdyn_system_def empty = {.size = sizeof empty};
  ck_assert_int_eq(nsd_state_check(&empty, 0.0, NULL, NULL, &fault), NSDYN_OK);
}
END_TEST

START_TEST(numbers_that_are_not_finite_leave_the_state)
{
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3 * 6; k++) {
    nsd_fault fault;
    double t = 7.0, q[3] = {1.0, 2.0, 3.0}, u[2] = {4.0, 5.0};
    double new_t = 0.0, new_q[3] = {0.0}, new_u[2] = {0.0};
    double *const number[] = {&new_t, new_q, new_q + 1, new_q + 2, new_u, new_u + 1};
    const int which = k / 3;
    *number[which] = bad[k % 3];
    ck_assert_int_eq(nsd_state_take(&def, new_t, new_q, new_u, &t, q, u, &fault), NSDYN_ERR_NOT_FINITE);
    ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_COORDINATE);
    ck_assert_int_eq(fault.detail.index, which < 1 ? 0 : which < 4 ? which - 1 : which - 4);
    ck_assert_int_eq(fault.message[0], which < 1 ? 't' : which < 4 ? 'q' : 'u');
    ck_assert(t == 7.0 && q[0] == 1.0 && q[1] == 2.0 && q[2] == 3.0 && u[0] == 4.0 && u[1] == 5.0);
  }
}
END_TEST

SUITE("system/check_state", TEST(a_good_state_is_taken_whole), TEST(arrays_that_are_missing_are_named),
      TEST(numbers_that_are_not_finite_leave_the_state))
