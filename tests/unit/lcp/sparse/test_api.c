/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/api.c: the public calls for sparse matrices. */
#include "nsdyn/lcp.h"

#include "sparse_cases.h"

static nsdyn_lcp *solver(int32_t method)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

static nsdyn_lcp_solve_report report_of(const nsdyn_lcp *lcp)
{
  nsdyn_lcp_solve_report report;
  nsdyn_lcp_solve_report_init(&report, sizeof report);
  ck_assert_int_eq(nsdyn_lcp_report(lcp, &report), NSDYN_OK);
  return report;
}

START_TEST(a_small_problem_is_solved)
{
  const int64_t row[3] = {0, 2, 4};
  const int32_t column[4] = {0, 1, 0, 1};
  const double value[4] = {2.0, 1.0, 1.0, 2.0}, b[2] = {-5.0, 1.0};
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.n = 2;
  A.row = row;
  A.column = column;
  A.value = value;
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  double x[2], y[2], residual;
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, b, NULL, NULL, x, y), NSDYN_OK);
  ck_assert(x[0] == 2.5 && x[1] == 0.0 && y[0] == 0.0 && y[1] == 3.5);
  ck_assert_str_eq(nsdyn_lcp_message(lcp), "");
  const nsdyn_lcp_solve_report report = report_of(lcp);
  ck_assert(report.status == NSDYN_OK && report.method == NSDYN_LCP_BLOCK && report.n == 2);
  ck_assert(report.residual <= 1e-15 && report.attempts == 1 && report.iterations > 0);
  int32_t n, at;
  const int32_t *basis = nsdyn_lcp_basis(lcp, &n);
  ck_assert(n == 2 && basis[0] == NSDYN_LCP_BASIC && basis[1] == NSDYN_LCP_AT_LO);
  ck_assert_int_eq(nsdyn_lcp_residual_sparse(&A, b, NULL, NULL, x, &residual, &at), NSDYN_OK);
  ck_assert(residual == report.residual && at == -1);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* A taut string over a parabola, −x″ = 0 above it: a straight line from the wall touches it where both have
 * the same slope. x(0) = x(1) = 0, obstacle h − 4 (s − 1/2)²: it touches at s = 1/2 ± √(1 − h) / 2 … which
 * follows from 8 (1/2 − s) s = h − 4 (s − 1/2)². */
START_TEST(a_string_leaves_its_obstacle_where_it_must)
{
  enum { N = 4999 };
  const double h = 0.36; /* 4 s² = 1 − h: s = 0.4 from the wall */
  sparse_case c = sparse_case_new(N, 3 * N);
  for (int32_t i = 0; i < N; i++) {
    const double s = (i + 1) / (N + 1.0) - 0.5;
    if (i > 0) {
      sparse_case_add(&c, i, i - 1, -1.0);
    }
    sparse_case_add(&c, i, i, 2.0);
    if (i + 1 < N) {
      sparse_case_add(&c, i, i + 1, -1.0);
    }
    sparse_case_end_row(&c, i);
    c.lo[i] = h - 4.0 * s * s;
  }
  const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, c.lo, NULL, c.x, c.y), NSDYN_OK);
  int first = 0;
  while (c.x[first] > c.lo[first]) {
    first++;
  }
  const double touch = (first + 1) / (N + 1.0);
  ck_assert_msg(fabs(touch - 0.4) <= 1.5 / (N + 1.0), "it touches at %g", touch);
  for (int32_t i = 0; i < N; i++) {
    const double s = (i + 1) / (N + 1.0), from_wall = s < 0.5 ? s : 1.0 - s;
    const double exact = from_wall < 0.4 ? 8.0 * (0.5 - 0.4) * from_wall : c.lo[i];
    REQUIRE(fabs(c.x[i] - exact) < 1e-6, "at %g: %g instead of %g", s, c.x[i], exact);
  }
  ck_assert_int_lt(report_of(lcp).iterations, 80);
  nsdyn_lcp_free(lcp);
  sparse_case_free(&c);
}
END_TEST

/* One dimension is solved before the numbers are looked at, whatever n is; what is wrong with them is named
 * all the same, and bounds above are minded. */
START_TEST(one_dimension_takes_one_round)
{
  enum { N = 2000 };
  double band[3 * N], b[N], hi[N], x[N], y[N];
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.format = NSDYN_SPARSE_BANDED;
  A.n = N;
  A.lower = A.upper = 1;
  A.stride = 3;
  A.value = band;
  for (int i = 0; i < N; i++) {
    band[3 * i] = band[3 * i + 2] = -1.0;
    band[3 * i + 1] = 2.0 + 1e-6;
    b[i] = i < N / 3 ? -1.0 : 0.01;
    hi[i] = INFINITY;
  }
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, b, NULL, hi, x, y), NSDYN_OK);
  const nsdyn_lcp_solve_report report = report_of(lcp);
  ck_assert(report.method == NSDYN_LCP_BLOCK && report.attempts == 1 && report.iterations == 1);
  ck_assert(report.n == N && report.residual <= 1e-14);
  int32_t n;
  const int32_t *basis = nsdyn_lcp_basis(lcp, &n);
  ck_assert_int_eq(n, N);
  for (int i = 0; i < N; i++) {
    ck_assert(basis[i] == NSDYN_LCP_BASIC ? y[i] == 0.0 : x[i] == 0.0);
  }
  /* A number that is none, beside an unknown at its bound: it is named, and x stays. */
  x[0] = 4711.0;
  band[3 * (N - 1) + 1] = NAN;
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, b, NULL, NULL, x, y), NSDYN_ERR_NOT_FINITE);
  ck_assert_msg(strstr(nsdyn_lcp_message(lcp), "row 1999 of A"), "%s", nsdyn_lcp_message(lcp));
  band[3 * (N - 1) + 1] = 2.0;
  b[N - 1] = INFINITY;
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, b, NULL, NULL, x, y), NSDYN_ERR_NOT_FINITE);
  ck_assert_msg(strstr(nsdyn_lcp_message(lcp), "row 1999 of b"), "%s", nsdyn_lcp_message(lcp));
  ck_assert(x[0] == 4711.0);
  b[N - 1] = 0.01;
  /* A bound above. */
  hi[100] = 0.5;
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, b, NULL, hi, x, y), NSDYN_OK);
  ck_assert(x[100] == 0.5 && y[100] < 0.0);
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(arguments_are_checked)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  sparse_case c = sparse_case_mesh(3, 0.0);
  nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  double residual;
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(NULL, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, NULL, c.b, NULL, NULL, c.x, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, NULL, NULL, NULL, c.x, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_lcp_message(lcp), "b is NULL");
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.b, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.value + 3, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, c.x), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_residual_sparse(&A, c.b, NULL, NULL, NULL, &residual, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_residual_sparse(NULL, c.b, NULL, NULL, c.x, &residual, NULL),
                   NSDYN_ERR_ARGUMENT);
  c.b[5] = NAN;
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_lcp_message(lcp), "row 5 of b is nan");
  c.b[5] = 0.0;
  c.lo[7] = 2.0;
  c.hi[7] = 1.0;
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, c.lo, c.hi, c.x, NULL), NSDYN_ERR_ARGUMENT);
  A.size = 8;
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_lcp_residual_sparse(&A, c.b, NULL, NULL, c.x, &residual, NULL),
                   NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(report_of(lcp).status, NSDYN_ERR_STRUCT_SIZE);
  nsdyn_sparse_matrix_init(&A, sizeof A);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, NULL, NULL, NULL, NULL, NULL), NSDYN_OK); /* n = 0 */
  nsdyn_lcp_free(lcp);
  sparse_case_free(&c);
}
END_TEST

START_TEST(methods_without_a_sparse_form_are_refused)
{
  const int32_t methods[] = {NSDYN_LCP_LEMKE,
                             NSDYN_LCP_MURTY,
                             NSDYN_LCP_PRINCIPAL,
                             NSDYN_LCP_ENUMERATIVE,
                             NSDYN_LCP_NEWTON_MIN,
                             NSDYN_LCP_MARQUARDT_REGULAR,
                             NSDYN_LCP_MARQUARDT_PROJECTED};
  sparse_case c = sparse_case_mesh(3, 0.0);
  const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    nsdyn_lcp *lcp = solver(methods[k]);
    c.x[0] = 4711.0;
    ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_ERR_UNSUPPORTED);
    ck_assert(c.x[0] == 4711.0 && nsdyn_lcp_message(lcp)[0]);
    nsdyn_lcp_free(lcp);
  }
  sparse_case_free(&c);
}
END_TEST

static int32_t stop_at_once(void *user, const char *activity, double done)
{
  (void)activity;
  (void)done;
  ++*(int *)user;
  return 1;
}

START_TEST(can_be_cancelled)
{
  int calls = 0;
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_lcp *lcp;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &calls;
  def.progress = stop_at_once;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_new(ctx, NULL, &lcp, NULL), NSDYN_OK);
  sparse_case c = sparse_case_mesh(150, 0.0);
  for (int32_t i = 0; i < c.n; i++) {
    c.b[i] = i % 7 - 3.5;
  }
  const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_CANCELLED);
  ck_assert_int_eq(calls, 1);
  ck_assert(isfinite(c.x[7]) && nsdyn_lcp_basis(lcp, NULL) == NULL);
  nsdyn_lcp_free(lcp);
  nsdyn_context_free(ctx);
  sparse_case_free(&c);
}
END_TEST

/* The last basis solves the same problem in one round, and a problem near it in few. */
START_TEST(warm_starts_save_rounds)
{
  sparse_case c = sparse_case_mesh(40, 0.0);
  for (int32_t i = 0; i < c.n; i++) {
    c.b[i] = i % 40 < 20 ? -1.0 : 3.0;
  }
  const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  nsdyn_lcp_options options;
  nsdyn_lcp *lcp;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.warm_start = 1;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_OK);
  ck_assert_int_gt(report_of(lcp).iterations, 1);
  ck_assert_msg(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.y, NULL) == NSDYN_OK, "%s",
                nsdyn_lcp_message(lcp));
  ck_assert_int_eq(report_of(lcp).iterations, 1);
  ck_assert(sparse_case_distance(&c, c.y) < 1e-14);
  nsdyn_lcp_free(lcp);
  sparse_case_free(&c);
}
END_TEST

SUITE("lcp/sparse/api", TEST(a_small_problem_is_solved), TEST(a_string_leaves_its_obstacle_where_it_must),
      TEST(one_dimension_takes_one_round), TEST(arguments_are_checked),
      TEST(methods_without_a_sparse_form_are_refused), TEST(can_be_cancelled), TEST(warm_starts_save_rounds))
