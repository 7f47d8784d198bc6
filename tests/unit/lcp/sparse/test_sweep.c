/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/sweep.c: projected Gauss–Seidel by rows. */
#include "nsdyn/lcp.h"

#include "sparse_cases.h"

static nsdyn_lcp *solver(int32_t method, double relaxation, int max_iterations)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.sweep_relaxation = relaxation;
  options.max_iterations = max_iterations;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

/* Symmetric, dominant: the answer of the factors, for several relaxations, with bounds of all kinds. */
START_TEST(agrees_with_factors)
{
  const int cases = random_cases(60);
  nsdyn_lcp *by_factors = solver(NSDYN_LCP_BLOCK, 1.0, -1);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    sparse_case c = sparse_case_random(&r, 5 + random_below(&r, 60), 0.1, 1, 1.2);
    sparse_case_bound(&c, &r);
    const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    nsdyn_lcp *lcp = solver(NSDYN_LCP_SWEEP, 0.7 + 0.2 * (k % 4), -1);
    REQUIRE(nsdyn_lcp_solve_sparse(lcp, &A, c.b, c.lo, c.hi, c.x, NULL) == NSDYN_OK, "seed %d: %s", k,
            nsdyn_lcp_message(lcp));
    nsdyn_lcp_solve_report report;
    nsdyn_lcp_solve_report_init(&report, sizeof report);
    nsdyn_lcp_report(lcp, &report);
    REQUIRE(report.method == NSDYN_LCP_SWEEP && report.residual <= 1e-9, "seed %d", k);
    REQUIRE(nsdyn_lcp_solve_sparse(by_factors, &A, c.b, c.lo, c.hi, c.y, NULL) == NSDYN_OK, "seed %d", k);
    REQUIRE(sparse_case_distance(&c, c.y) < 1e-6, "seed %d: %g", k, sparse_case_distance(&c, c.y));
    nsdyn_lcp_free(lcp);
    sparse_case_free(&c);
  }
  nsdyn_lcp_free(by_factors);
}
END_TEST

START_TEST(sweeps_are_limited_and_rows_refused)
{
  sparse_case c = sparse_case_mesh(10, 0.0);
  for (int32_t i = 0; i < c.n; i++) {
    c.b[i] = -1.0;
  }
  const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_SWEEP, 1.0, 3);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_MAX_ITERATIONS);
  for (int64_t k = c.row[7]; k < c.row[8]; k++) {
    c.value[k] = c.column[k] == 7 ? 0.0 : -1.0;
  }
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_msg(strstr(nsdyn_lcp_message(lcp), "row 7"), "%s", nsdyn_lcp_message(lcp));
  nsdyn_lcp_free(lcp);
  sparse_case_free(&c);
}
END_TEST

static int iterations_of(const nsdyn_lcp *lcp)
{
  nsdyn_lcp_solve_report report;
  nsdyn_lcp_solve_report_init(&report, sizeof report);
  ck_assert_int_eq(nsdyn_lcp_report(lcp, &report), NSDYN_OK);
  return report.iterations;
}

/* On a fine mesh plain sweeps creep: their number grows as its square, 15 600 at 100 × 100. Conjugate
 * gradients between them take a tenth of that. Where A misses symmetry there are sweeps only, with the same
 * end. */
START_TEST(gradients_between_sweeps_save_most_of_them)
{
  int counts[2];
  for (int is_skew = 0; is_skew < 2; is_skew++) {
    enum { SIDE = 60 };
    sparse_case c = sparse_case_mesh(SIDE, is_skew ? 1e-3 : 0.0);
    for (int32_t i = 0; i < c.n; i++) {
      const int row = i / SIDE;
      const double s = (i % SIDE + 0.5) / SIDE - 0.5, t = (row + 0.5) / SIDE - 0.5;
      c.b[i] = s * s + t * t < 0.09 ? -1.0 : 0.5;
    }
    const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    nsdyn_lcp *lcp = solver(NSDYN_LCP_SWEEP, 1.0, -1), *by_factors = solver(NSDYN_LCP_BLOCK, 1.0, -1);
    ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_solve_sparse(by_factors, &A, c.b, NULL, NULL, c.y, NULL), NSDYN_OK);
    ck_assert(sparse_case_distance(&c, c.y) < 1e-5);
    counts[is_skew] = iterations_of(lcp);
    nsdyn_lcp_free(lcp);
    nsdyn_lcp_free(by_factors);
    sparse_case_free(&c);
  }
  ck_assert_msg(5 * counts[0] <= counts[1], "%d and %d", counts[0], counts[1]);
}
END_TEST

/* Symmetric with a positive diagonal, but not definite: gradients stop where they find that, and whatever the
 * end is, it is no lie and within the limit. Dominant ones are definite, and solved. */
START_TEST(matrices_that_are_not_definite_do_no_harm)
{
  const int cases = random_cases(300);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    sparse_case c = sparse_case_random(&r, 5 + random_below(&r, 40), 0.2, 1, k % 2 ? 0.3 : 1.0);
    const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    nsdyn_lcp *lcp = solver(NSDYN_LCP_SWEEP, 1.0, 400);
    const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL);
    double residual;
    ck_assert_int_eq(nsdyn_lcp_residual_sparse(&A, c.b, NULL, NULL, c.x, &residual, NULL), NSDYN_OK);
    REQUIRE((status == NSDYN_OK) == (residual <= 1e-9), "seed %d: %d, %g", k, (int)status, residual);
    REQUIRE(iterations_of(lcp) <= 400, "seed %d: %d", k, iterations_of(lcp));
    solved += k % 2 == 0 && status == NSDYN_OK;
    nsdyn_lcp_free(lcp);
    sparse_case_free(&c);
  }
  ck_assert_int_eq(solved, (cases + 1) / 2);
}
END_TEST

SUITE("lcp/sparse/sweep", TEST(agrees_with_factors), TEST(sweeps_are_limited_and_rows_refused),
      TEST(gradients_between_sweeps_save_most_of_them), TEST(matrices_that_are_not_definite_do_no_harm))
