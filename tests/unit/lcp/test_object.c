/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/object.h"

#include <string.h>

#include "suite.h"

static nsdyn_lcp_options defaults(void)
{
  nsdyn_lcp_options options;
  ck_assert_int_eq(nsdyn_lcp_options_init(&options, sizeof options), NSDYN_OK);
  return options;
}

START_TEST(defaults_are_what_the_header_says)
{
  const nsdyn_lcp_options o = defaults();
  ck_assert_uint_eq(o.size, sizeof o);
  ck_assert_int_eq(o.method, NSDYN_LCP_AUTOMATIC);
  ck_assert(o.warm_start == 0 && o.max_iterations < 0 && o.max_nodes < 0 &&
            o.automatic_enumerate_up_to == 64);
  ck_assert(o.tol == 1e-9 && o.pivot_tol == 1e-11 && o.sweep_relaxation == 1.0 && o.newton_fb_lambda == 1.0);
  ck_assert(o.marquardt_lambda == 1.0 && o.marquardt_restarts == 5);
  ck_assert_ptr_null(o.lemke_cover);
}
END_TEST

START_TEST(structs_begin_with_their_size)
{
  nsdyn_lcp_solve_report result;
  nsdyn_lcp_census census;
  nsdyn_lcp_classes classes;
  nsdyn_lcp_options options;
  ck_assert_int_eq(nsdyn_lcp_solve_report_init(&result, sizeof result), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_census_init(&census, sizeof census), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_classes_init(&classes, sizeof classes), NSDYN_OK);
  ck_assert(result.size == sizeof result && census.size == sizeof census && classes.size == sizeof classes);
  ck_assert_int_eq(nsdyn_lcp_solve_report_init(&result, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_lcp_census_init(&census, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_lcp_classes_init(&classes, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_lcp_options_init(&options, 8), NSDYN_ERR_STRUCT_SIZE);
}
END_TEST

/* A refused option is named with its value, and the options in place stay. */
static void expect_refused(nsdyn_lcp *lcp, const nsdyn_lcp_options *options, const char *name,
                           const char *value)
{
  nsdyn_error error = {.size = sizeof error};
  nsdyn_lcp *none = lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, options, &none, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(none);
  ck_assert_msg(strstr(error.message, name) && strstr(error.message, value), "%s", error.message);
  ck_assert_int_eq(nsdyn_lcp_set_options(lcp, options), NSDYN_ERR_ARGUMENT);
  ck_assert_str_ne(nsdyn_lcp_message(lcp), "");
  nsdyn_detail detail;
  nsdyn_detail_init(&detail, sizeof detail);
  ck_assert_int_eq(nsdyn_lcp_detail(lcp, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.kind, NSDYN_DETAIL_FIELD);
  ck_assert(lcp->options.tol == 1e-9 && lcp->options.method == NSDYN_LCP_AUTOMATIC);
}

START_TEST(options_out_of_range_are_named)
{
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  nsdyn_lcp_options o = defaults();
  o.method = NSDYN_LCP_MARQUARDT_PROJECTED + 1;
  expect_refused(lcp, &o, "method", "11");
  o = defaults();
  o.method = -1;
  expect_refused(lcp, &o, "method", "-1");
  o = defaults();
  o.warm_start = 2;
  expect_refused(lcp, &o, "warm_start", "2");
  o = defaults();
  o.tol = -1e-3;
  expect_refused(lcp, &o, "tol", "-0.001");
  o.tol = NAN;
  expect_refused(lcp, &o, "tol", "nan");
  o = defaults();
  o.pivot_tol = 1.0;
  expect_refused(lcp, &o, "pivot_tol", "1");
  o = defaults();
  o.sweep_relaxation = 2.0;
  expect_refused(lcp, &o, "relaxation", "2");
  o = defaults();
  o.newton_fb_lambda = 0.0;
  expect_refused(lcp, &o, "newton_fb_lambda", "0");
  o = defaults();
  o.marquardt_lambda = 1.5;
  expect_refused(lcp, &o, "marquardt_lambda", "1.5");
  o = defaults();
  o.marquardt_restarts = -1;
  expect_refused(lcp, &o, "marquardt_restarts", "-1");
  o.marquardt_restarts = 1001;
  expect_refused(lcp, &o, "marquardt_restarts", "1001");
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(new_refuses_what_it_does_not_know)
{
  nsdyn_lcp *lcp;
  struct {
    nsdyn_lcp_options known;
    double later;
  } newer = {.known = defaults(), .later = 1.0};
  newer.known.size = sizeof newer;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &newer.known, &lcp, NULL), NSDYN_ERR_STRUCT_TOO_NEW);
  newer.later = 0.0;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &newer.known, &lcp, NULL), NSDYN_OK);
  nsdyn_lcp_free(lcp);
  nsdyn_lcp_options raw;
  memset(&raw, 0, sizeof raw);
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &raw, &lcp, NULL), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_lcp_free(NULL);
}
END_TEST

START_TEST(bases_are_set_and_read)
{
  nsdyn_lcp *lcp;
  int n = -1;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  ck_assert_ptr_null(nsdyn_lcp_basis(lcp, &n));
  ck_assert_int_eq(n, 0);
  const int32_t basis[3] = {NSDYN_LCP_AT_HI, NSDYN_LCP_BASIC, NSDYN_LCP_AT_LO};
  ck_assert_int_eq(nsdyn_lcp_set_basis(lcp, 3, basis), NSDYN_OK);
  const int32_t *read = nsdyn_lcp_basis(lcp, &n);
  ck_assert_int_eq(n, 3);
  ck_assert_int_eq(memcmp(read, basis, sizeof basis), 0);
  const int32_t wrong[2] = {0, 3};
  ck_assert_int_eq(nsdyn_lcp_set_basis(lcp, 2, wrong), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_lcp_message(lcp), "element 1 is 3"), "%s", nsdyn_lcp_message(lcp));
  ck_assert_int_eq(nsdyn_lcp_set_basis(lcp, -1, basis), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_set_basis(lcp, 2, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(nsdyn_lcp_ray(lcp, NULL));
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(null_is_refused)
{
  nsdyn_lcp_solve_report result;
  nsdyn_lcp_solve_report_init(&result, sizeof result);
  ck_assert_int_eq(nsdyn_lcp_report(NULL, &result), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_set_options(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_set_basis(NULL, 0, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_detail(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_lcp_message(NULL), "");
  ck_assert_ptr_null(nsdyn_lcp_basis(NULL, NULL));
  ck_assert_ptr_null(nsdyn_lcp_ray(NULL, NULL));
}
END_TEST

SUITE("lcp/object", TEST(defaults_are_what_the_header_says), TEST(structs_begin_with_their_size),
      TEST(options_out_of_range_are_named), TEST(new_refuses_what_it_does_not_know),
      TEST(bases_are_set_and_read), TEST(null_is_refused))
