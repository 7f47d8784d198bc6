/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/from_dense.c: dense matrices that are full of zeros. */
#include "lcp/sparse/solver.h"

#include "sparse_cases.h"

static double *dense_of(const sparse_case *c)
{
  double *A = calloc((size_t)c->n * (size_t)c->n, sizeof *A);
  ck_assert(A != NULL);
  for (int32_t i = 0; i < c->n; i++) {
    for (int64_t k = c->row[i]; k < c->row[i + 1]; k++) {
      A[(size_t)i * (size_t)c->n + (size_t)c->column[k]] = c->value[k];
    }
  }
  return A;
}

/* A journal bearing, (h³ p′)′ = 6 h′ with cavitation, h = 1 + 0.8 cos θ; the rows in other units where they
 * are to be asymmetric, or in the last bit only. */
static sparse_case bearing(int32_t n, int is_asymmetric, int misses_last_bit)
{
  sparse_case c = sparse_case_new(n, 3 * n);
  const double step = 2.0 * 3.14159265358979 / (n + 1);
  for (int32_t i = 0; i < n; i++) {
    const double at = step * (i + 1), unit = is_asymmetric ? 1.0 + i % 3 : 1.0;
    const double before = pow(1.0 + 0.8 * cos(at - 0.5 * step), 3.0),
                 after = pow(1.0 + 0.8 * cos(at + 0.5 * step), 3.0);
    if (i > 0) {
      sparse_case_add(&c, i, i - 1, -unit * before * (misses_last_bit ? 1.0 + 0x1p-52 : 1.0));
    }
    sparse_case_add(&c, i, i, unit * (before + after));
    if (i + 1 < n) {
      sparse_case_add(&c, i, i + 1, -unit * after);
    }
    sparse_case_end_row(&c, i);
    c.b[i] = -unit * 0.8 * sin(at) * step * step;
  }
  return c;
}

static nsdyn_lcp_solve_report solve(const sparse_case *c, const double *A)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_solve_report report;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  const nsdyn_status status = nsdyn_lcp_solve(lcp, c->n, A, c->n, c->b, c->x, c->y);
  ck_assert_msg(status == NSDYN_OK, "%s", nsdyn_lcp_message(lcp));
  nsdyn_lcp_solve_report_init(&report, sizeof report);
  nsdyn_lcp_report(lcp, &report);
  nsdyn_lcp_free(lcp);
  return report;
}

/* Given as a dense matrix, the bearing takes the rounds that it takes as a sparse one: block pivots, one
 * attempt, few rounds, also where A is not symmetric, or not to the last bit. */
START_TEST(a_dense_bearing_takes_few_rounds)
{
  for (int kind = 0; kind < 3; kind++) {
    sparse_case c = bearing(500, kind == 1, kind == 2);
    double *A = dense_of(&c);
    const nsdyn_lcp_solve_report report = solve(&c, A);
    ck_assert_int_eq(report.method, NSDYN_LCP_BLOCK);
    ck_assert_int_eq(report.attempts, 1);
    ck_assert_msg(report.iterations < 40, "%d rounds", (int)report.iterations);
    ck_assert(report.residual < 1e-13);
    memcpy(c.lo, c.x, (size_t)c.n * sizeof *c.lo);
    const nsdyn_sparse_matrix S = sparse_case_matrix(&c);
    nsdyn_lcp *lcp;
    ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &S, c.b, NULL, NULL, c.x, NULL), NSDYN_OK);
    ck_assert(sparse_case_distance(&c, c.lo) < 1e-12);
    nsdyn_lcp_free(lcp);
    free(A);
    sparse_case_free(&c);
  }
}
END_TEST

START_TEST(only_matrices_with_many_zeros_go_this_way)
{
  sparse_case c = bearing(100, 0, 0);
  double *A = dense_of(&c);
  nsd_lcp_problem p = {.n = 100, .lda = 100, .A = A, .b = c.b};
  ck_assert(nsd_sparse_run_applies(&p, NULL));
  p.n = 63;
  ck_assert(!nsd_sparse_run_applies(&p, NULL));
  p.n = 100;
  A[5 * 100 + 5] = 0.0;
  ck_assert(!nsd_sparse_run_applies(&p, NULL));
  A[5 * 100 + 5] = 1.0;
  for (int i = 0; i < 100; i++) {
    for (int j = 0; j < 13; j++) {
      A[i * 100 + (i + j) % 100] = 1.0;
    }
  }
  ck_assert(!nsd_sparse_run_applies(&p, NULL));
  free(A);
  sparse_case_free(&c);
}
END_TEST

/* Where rounds do not end, the dense solver goes on: a random matrix with few elements that is no P-matrix.
 */
START_TEST(what_rounds_leave_goes_to_the_dense_solver)
{
  const int cases = random_cases(20);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    sparse_case c = sparse_case_random(&r, 70, 0.08, 1, 0.35);
    double *A = dense_of(&c), residual;
    nsdyn_lcp *lcp;
    ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
    const nsdyn_status status = nsdyn_lcp_solve(lcp, c.n, A, c.n, c.b, c.x, c.y);
    ck_assert_int_ge(status, 0);
    (void)nsdyn_lcp_residual(c.n, A, c.n, c.b, NULL, NULL, c.x, &residual, NULL);
    REQUIRE(status != NSDYN_OK || residual <= 1e-9, "seed %d", k);
    nsdyn_lcp_free(lcp);
    free(A);
    sparse_case_free(&c);
  }
}
END_TEST

SUITE("lcp/sparse/from_dense", TEST(a_dense_bearing_takes_few_rounds),
      TEST(only_matrices_with_many_zeros_go_this_way), TEST(what_rounds_leave_goes_to_the_dense_solver))
