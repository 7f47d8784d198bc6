/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/messages.c: every message names the method, the thing and the reason. */
#include <math.h>
#include <string.h>

#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/problems.h"

static void expect(int32_t method, int32_t limit, int n, const double *A, const double *b, const double *hi,
                   nsdyn_status status, const char *first, const char *second)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  double x[20];
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.max_iterations = options.max_nodes = limit;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, n, A, n, b, NULL, hi, x, NULL), status);
  const char *message = nsdyn_lcp_message(lcp);
  ck_assert_msg(strstr(message, first) && strstr(message, second), "'%s' lacks '%s' or '%s'", message, first,
                second);
  nsdyn_lcp_free(lcp);
}

static const double b2[2] = {-1.0, -1.0};

START_TEST(refusals_name_the_row)
{
  const double zero_diagonal[4] = {1.0, 0.0, 2.0, 0.0};
  const double nonsymmetric[4] = {2.0, 1.0, -1.0, 2.0};
  const double hi[2] = {1.0, 1.0};
  expect(NSDYN_LCP_MURTY, -1, 2, zero_diagonal, b2, NULL, NSDYN_ERR_UNSUPPORTED, "Murty's method", "row 1");
  expect(NSDYN_LCP_MURTY, -1, 2, nonsymmetric, b2, hi, NSDYN_ERR_UNSUPPORTED, "Murty's method", "bound");
  expect(NSDYN_LCP_PRINCIPAL, -1, 2, nonsymmetric, b2, NULL, NSDYN_ERR_UNSUPPORTED, "principal pivoting",
         "row");
  expect(NSDYN_LCP_BLOCK, -1, 2, zero_diagonal, b2, NULL, NSDYN_ERR_UNSUPPORTED, "block principal", "row 1");
  expect(NSDYN_LCP_SWEEP, -1, 2, zero_diagonal, b2, NULL, NSDYN_ERR_UNSUPPORTED, "Gauss-Seidel", "row 1");
}
END_TEST

START_TEST(limits_tell_how_far_it_came)
{
  problem *q = problem_new(20);
  problem_make(q, problem_class_find("murty_lemke"), 12, 0);
  expect(NSDYN_LCP_LEMKE, 1, q->n, q->A, q->b, NULL, NSDYN_MAX_ITERATIONS, "Lemke's method", "violates row");
  problem_free(q);
}
END_TEST

START_TEST(proofs_are_called_proofs)
{
  const double A[1] = {-1.0};
  const double b[1] = {-1.0};
  expect(NSDYN_LCP_ENUMERATIVE, -1, 1, A, b, NULL, NSDYN_NO_SOLUTION, "enumeration", "proved");
}
END_TEST

SUITE("lcp/messages", TEST(refusals_name_the_row), TEST(limits_tell_how_far_it_came),
      TEST(proofs_are_called_proofs))
