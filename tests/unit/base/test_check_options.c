/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/check_options.h"

#include <float.h>
#include <math.h>

#include "suite.h"

typedef struct some_options {
  size_t size;
  int32_t flag;
  int32_t reserved;
  double tol;
} some_options;

START_TEST(an_option_is_refused_by_its_name_value_and_range)
{
  nsd_fault fault;
  nsd_fault_clear(&fault);
  const some_options o = {.size = sizeof o, .flag = -7, .tol = NAN};
  ck_assert_int_eq(NSD_OPTIONS_REFUSE(some_options, &o, tol, "in [0, 1)", &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.status, NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_FIELD);
  ck_assert_int_eq(fault.detail.index, (int)offsetof(some_options, tol));
  ck_assert_str_eq(fault.message, "option tol: nan is not in [0, 1)");
  ck_assert_int_eq(NSD_OPTIONS_REFUSE(some_options, &o, flag, "0 or 1", &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(fault.detail.index, (int)offsetof(some_options, flag));
  ck_assert_str_eq(fault.message, "option flag: -7 is not 0 or 1");
}
END_TEST

START_TEST(flags_are_zero_or_one)
{
  const int32_t others[] = {-1, 2, INT32_MIN, INT32_MAX};
  ck_assert(nsd_options_is_flag(0));
  ck_assert(nsd_options_is_flag(1));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    ck_assert(!nsd_options_is_flag(others[i]));
  }
}
END_TEST

START_TEST(sizes_are_finite_and_positive)
{
  nsd_fault fault;
  nsd_fault_clear(&fault);
  const double good[] = {1.0, 5e-324, DBL_MAX};
  ck_assert_int_eq(nsd_options_check_sizes("scale", good, 3, &fault), NSDYN_OK);
  ck_assert_int_eq(nsd_options_check_sizes("scale", NULL, 3, &fault), NSDYN_OK);
  ck_assert_str_eq(fault.message, "");
  const double bad[] = {0.0, -0.0, -1.0, INFINITY, NAN};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const double sizes[] = {1.0, bad[i], 1.0};
    ck_assert_int_eq(nsd_options_check_sizes("scale", sizes, 1, &fault), NSDYN_OK);
    ck_assert_int_eq(nsd_options_check_sizes("scale", sizes, 3, &fault), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_COORDINATE);
    ck_assert_int_eq(fault.detail.index, 1);
  }
  ck_assert_str_eq(fault.message, "option scale: element 1, nan, is no size > 0");
}
END_TEST

SUITE("base/check_options", TEST(an_option_is_refused_by_its_name_value_and_range),
      TEST(flags_are_zero_or_one), TEST(sizes_are_finite_and_positive))
