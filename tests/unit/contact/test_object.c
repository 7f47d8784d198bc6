/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The solver as an object: options, report, modes, what is refused. Its solves are tested in
 * test_automatic.c. */
#include "contact/object.h"

#include "touching.h"

static nsdyn_contact_options defaults(void)
{
  nsdyn_contact_options options;
  ck_assert_int_eq(nsdyn_contact_options_init(&options, sizeof options), NSDYN_OK);
  return options;
}

START_TEST(defaults_are_what_the_header_says)
{
  const nsdyn_contact_options o = defaults();
  ck_assert_uint_eq(o.size, sizeof o);
  ck_assert_int_eq(o.method, NSDYN_CONTACT_AUTOMATIC);
  ck_assert_double_eq(o.rounds_relaxation, 1.0);
  ck_assert_uint_eq(o.rounds_seed, 0);
  ck_assert(o.warm_start == 0 && o.max_nodes < 0 && o.lcp_method == NSDYN_LCP_AUTOMATIC && o.tol == 1e-9);
  nsdyn_contact_options bad;
  ck_assert_int_eq(nsdyn_contact_options_init(&bad, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_contact_options_init(NULL, sizeof bad), NSDYN_ERR_ARGUMENT);
  nsdyn_contact_solve_report result;
  ck_assert_int_eq(nsdyn_contact_solve_report_init(&result, sizeof result), NSDYN_OK);
  ck_assert_uint_eq(result.size, sizeof result);
  ck_assert_int_eq(nsdyn_contact_solve_report_init(&result, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_contact_solve_report_init(NULL, sizeof result), NSDYN_ERR_ARGUMENT);
}
END_TEST

/* A refused option is named with its value, and the options in place stay. */
static void expect_refused(nsdyn_contact *s, const nsdyn_contact_options *options, const char *words,
                           size_t offset)
{
  nsdyn_error error = {.size = sizeof error};
  nsdyn_contact *none = s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, options, &none, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(none);
  ck_assert_msg(strstr(error.message, words) != NULL, "%s", error.message);
  const nsdyn_contact_options before = s->options;
  ck_assert_int_eq(nsdyn_contact_set_options(s, options), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(memcmp(&before, &s->options, sizeof before), 0);
  nsdyn_detail detail;
  nsdyn_detail_init(&detail, sizeof detail);
  ck_assert_int_eq(nsdyn_contact_detail(s, &detail), NSDYN_OK);
  ck_assert(detail.kind == NSDYN_DETAIL_FIELD && detail.index == (int32_t)offset);
}

START_TEST(options_out_of_range_are_refused_by_name)
{
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
#define REFUSED(field, value, words)                                                                         \
  do {                                                                                                       \
    nsdyn_contact_options o = defaults();                                                                    \
    o.field = (value);                                                                                       \
    expect_refused(s, &o, words, offsetof(nsdyn_contact_options, field));                                    \
  } while (0)
  REFUSED(method, -1, "option method: -1");
  REFUSED(method, 9, "option method: 9");
  REFUSED(warm_start, 2, "option warm_start: 2");
  REFUSED(lcp_method, -1, "option lcp_method: -1");
  REFUSED(lcp_method, 11, "option lcp_method: 11");
  REFUSED(tol, -1e-9, "option tol: -1e-09");
  REFUSED(tol, 1.0, "option tol: 1");
  REFUSED(tol, NAN, "option tol: nan");
  REFUSED(rounds_relaxation, 0.0, "option rounds_relaxation: 0");
  REFUSED(rounds_relaxation, 2.0, "option rounds_relaxation: 2");
  REFUSED(rounds_relaxation, NAN, "option rounds_relaxation: nan");
#undef REFUSED
  nsdyn_contact_options o = defaults();
  o.size = 8;
  ck_assert_int_eq(nsdyn_contact_set_options(s, &o), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_set_options(NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_contact_free(s);
  nsdyn_contact_free(NULL);
}
END_TEST

START_TEST(a_report_takes_the_callers_size)
{
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  nsdyn_contact_solve_report result;
  nsdyn_contact_solve_report_init(&result, sizeof result);
  ck_assert_int_eq(nsdyn_contact_report(s, &result), NSDYN_OK);
  ck_assert(result.status == NSDYN_OK && result.worst_row == -1 && result.residual == 0.0);
  result.size = 8;
  ck_assert_int_eq(nsdyn_contact_report(s, &result), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_contact_report(NULL, &result), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_report(s, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_contact_message(NULL), "");
  ck_assert_int_eq(nsdyn_contact_detail(NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_contact_free(s);
}
END_TEST

/* A block pushed with the given force: what nsdyn/contact.h's head says, and both ways of sliding. */
static int32_t push(nsdyn_contact *s, double force, double *Lambda)
{
  const double G[4] = {0.5, 0.0, 0.0, 0.5};
  const double c[2] = {-9.81 * 0.01, force / 2.0 * 0.01};
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.3;
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = &law;
  problem.G = G;
  problem.ldg = 2;
  problem.c = c;
  ck_assert_int_eq(nsdyn_contact_solve(s, &problem, Lambda, NULL), NSDYN_OK);
  int contacts;
  const int32_t *modes = nsdyn_contact_modes(s, &contacts);
  ck_assert_int_eq(contacts, 1);
  return modes[0];
}

START_TEST(a_block_sticks_until_it_slides)
{
  nsdyn_contact *s;
  double Lambda[2];
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  ck_assert_ptr_null(nsdyn_contact_modes(s, NULL));
  ck_assert_ptr_null(nsdyn_contact_modes(NULL, NULL));
  ck_assert_int_eq(push(s, 5.0, Lambda), NSDYN_MODE_STICK);
  ck_assert_double_eq_tol(Lambda[0], 0.1962, 1e-15);
  ck_assert_double_eq_tol(Lambda[1], -0.05, 1e-15);
  ck_assert_int_eq(push(s, 6.0, Lambda), NSDYN_MODE_SLIP_PLUS);
  ck_assert_double_eq_tol(Lambda[1], -0.3 * 0.1962, 1e-15);
  ck_assert_int_eq(push(s, -6.0, Lambda), NSDYN_MODE_SLIP_MINUS);
  ck_assert_double_eq_tol(Lambda[1], 0.3 * 0.1962, 1e-15);
  nsdyn_contact_free(s);
}
END_TEST

START_TEST(modes_are_taken_and_checked)
{
  nsdyn_contact *s;
  double Lambda[2];
  nsdyn_contact_options o = defaults();
  o.warm_start = 1;
  ck_assert_int_eq(nsdyn_contact_new(NULL, &o, &s, NULL), NSDYN_OK);
  const int32_t sticks = NSDYN_MODE_STICK;
  const int32_t opens = NSDYN_MODE_OPEN;
  nsdyn_contact_solve_report result;
  nsdyn_contact_solve_report_init(&result, sizeof result);
  ck_assert_int_eq(nsdyn_contact_set_modes(s, 1, &sticks), NSDYN_OK);
  ck_assert_ptr_null(nsdyn_contact_modes(s, NULL)); /* a guess is no solution's */
  ck_assert_int_eq(push(s, 5.0, Lambda), NSDYN_MODE_STICK);
  nsdyn_contact_report(s, &result);
  ck_assert(result.warm == 1 && result.iterations == 1 && result.method == NSDYN_CONTACT_DIRECT);
  ck_assert_int_eq(nsdyn_contact_set_modes(s, 1, &opens), NSDYN_OK);
  ck_assert_int_eq(push(s, 5.0, Lambda), NSDYN_MODE_STICK);
  nsdyn_contact_report(s, &result);
  ck_assert(result.warm == 0 && result.iterations > 1);
  ck_assert_int_eq(push(s, 5.0, Lambda), NSDYN_MODE_STICK);
  nsdyn_contact_report(s, &result);
  ck_assert_int_eq(result.warm, 1);
  ck_assert_int_eq(nsdyn_contact_set_modes(s, 0, NULL), NSDYN_OK); /* forget */
  ck_assert_int_eq(push(s, 5.0, Lambda), NSDYN_MODE_STICK);
  nsdyn_contact_report(s, &result);
  ck_assert_int_eq(result.warm, 0);
  const int32_t none[2] = {NSDYN_MODE_OPEN, 4};
  ck_assert_int_eq(nsdyn_contact_set_modes(s, 2, none), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_contact_message(s), "contact 1: 4 is no nsdyn_contact_mode");
  ck_assert_int_eq(nsdyn_contact_set_modes(s, -1, none), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_set_modes(s, 1, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_set_modes(NULL, 1, none), NSDYN_ERR_ARGUMENT);
  nsdyn_contact_free(s);
}
END_TEST

/* While a callback of the context runs within a solve, the object is closed. */
START_TEST(a_busy_object_says_so)
{
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  s->busy = 1;
  ck_assert_int_eq(nsdyn_contact_solve(s, &problem, NULL, NULL), NSDYN_ERR_BUSY);
  ck_assert_int_eq(nsdyn_contact_set_options(s, NULL), NSDYN_ERR_BUSY);
  ck_assert_int_eq(nsdyn_contact_set_modes(s, 0, NULL), NSDYN_ERR_BUSY);
  s->busy = 0;
  ck_assert_int_eq(nsdyn_contact_solve(s, &problem, NULL, NULL), NSDYN_OK);
  nsdyn_contact_free(s);
}
END_TEST

SUITE("contact/object", TEST(defaults_are_what_the_header_says),
      TEST(options_out_of_range_are_refused_by_name), TEST(a_report_takes_the_callers_size),
      TEST(a_block_sticks_until_it_slides), TEST(modes_are_taken_and_checked), TEST(a_busy_object_says_so))
