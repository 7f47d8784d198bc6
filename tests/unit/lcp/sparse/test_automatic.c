/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/automatic.c: sparse problems of all kinds, against the dense solvers. */
#include "nsdyn/lcp.h"

#include "sparse_cases.h"
#include "support/problems.h"

static nsdyn_lcp *solver(int32_t method)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

/* A dense problem without its zeros. */
static sparse_case sparse_of(const problem *p)
{
  sparse_case c = sparse_case_new(p->n, p->n * p->n);
  for (int32_t i = 0; i < p->n; i++) {
    for (int32_t j = 0; j < p->n; j++) {
      if (p->A[i * p->n + j] != 0.0) {
        sparse_case_add(&c, i, j, p->A[i * p->n + j]);
      }
    }
    sparse_case_end_row(&c, i);
    c.b[i] = p->b[i];
    c.lo[i] = p->lo[i];
    c.hi[i] = p->hi[i];
  }
  return c;
}

/* Whatever automatic solves as a dense problem it solves as a sparse one, and P-matrices have one answer. */
START_TEST(all_classes_are_solved_as_well_as_by_dense_methods)
{
  const int cases = random_cases(12);
  problem *p = problem_new(24);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC), *dense = solver(NSDYN_LCP_AUTOMATIC);
  for (int kind = 0; kind < problem_class_count(); kind++) {
    for (int seed = 0; seed < cases; seed++) {
      problem_make(p, kind, 1 + seed % 12, (uint64_t)seed);
      sparse_case c = sparse_of(p);
      const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
      const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &A, c.b, c.lo, c.hi, c.x, NULL);
      const nsdyn_status wanted =
          nsdyn_lcp_solve_mixed(dense, p->n, p->A, p->n, p->b, problem_lo(p), problem_hi(p), c.y, NULL);
      double residual = 1.0;
      (void)nsdyn_lcp_residual(p->n, p->A, p->n, p->b, problem_lo(p), problem_hi(p), c.x, &residual, NULL);
      REQUIRE(status == NSDYN_OK || wanted != NSDYN_OK, "%s %d: %s", p->name, seed, nsdyn_lcp_message(lcp));
      REQUIRE(status != NSDYN_OK || residual <= 1e-9, "%s %d: residual %g", p->name, seed, residual);
      REQUIRE(p->promise != PROBLEM_NONE || status != NSDYN_OK, "%s %d has no solution", p->name, seed);
      sparse_case_free(&c);
    }
  }
  nsdyn_lcp_free(lcp);
  nsdyn_lcp_free(dense);
  problem_free(p);
}
END_TEST

/* Larger ones, of which only one x is the answer, by both; units from 1e-100 to 1e100. */
START_TEST(large_p_matrices_have_the_dense_answer)
{
  const int cases = random_cases(60);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_BLOCK), *dense = solver(NSDYN_LCP_BLOCK);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 150 + random_below(&r, 100);
    sparse_case c = sparse_case_random(&r, n, 0.02, k % 2, 1.01);
    const double unit = k % 3 == 0 ? 1e100 : k % 3 == 1 ? 1e-100 : 1.0;
    for (int64_t l = 0; l < c.row[n]; l++) {
      c.value[l] *= unit;
    }
    for (int32_t i = 0; i < n; i++) {
      c.b[i] *= unit;
    }
    if (k % 4 >= 2) {
      sparse_case_bound(&c, &r);
    } else {
      memset(c.lo, 0, (size_t)n * sizeof *c.lo);
    }
    double *A = calloc((size_t)n * (size_t)n, sizeof *A);
    ck_assert(A != NULL);
    for (int32_t i = 0; i < n; i++) {
      for (int64_t l = c.row[i]; l < c.row[i + 1]; l++) {
        A[i * n + c.column[l]] = c.value[l];
      }
    }
    const nsdyn_sparse_matrix S = sparse_case_matrix(&c);
    REQUIRE(nsdyn_lcp_solve_sparse(lcp, &S, c.b, c.lo, c.hi, c.x, NULL) == NSDYN_OK, "seed %d: %s", k,
            nsdyn_lcp_message(lcp));
    REQUIRE(nsdyn_lcp_solve_mixed(dense, n, A, n, c.b, c.lo, c.hi, c.y, NULL) == NSDYN_OK, "seed %d", k);
    REQUIRE(sparse_case_distance(&c, c.y) < 1e-10, "seed %d: %g", k, sparse_case_distance(&c, c.y));
    free(A);
    sparse_case_free(&c);
  }
  nsdyn_lcp_free(lcp);
  nsdyn_lcp_free(dense);
}
END_TEST

/* A membrane pressed onto an obstacle of which the free boundary is known: x = 0 within the circle of radius
 * a, and x = f (ρ² − a² − 2 a² ln (ρ / a)) / 4 outside of it solve −Δx = −f, x >= 0. (Only √ and the four
 * operations would be exact everywhere; a logarithm is good to the accuracy asked for here.) */
START_TEST(a_circle_is_found_on_a_mesh)
{
  const double a = 0.5, f = 4.0;
  double before = 0.0;
  for (int32_t side = 39; side <= 159; side = 2 * side + 1) {
    sparse_case c = sparse_case_mesh(side, 0.0);
    const double h = 2.0 / (side + 1);
    nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
    double *exact = calloc((size_t)c.n, sizeof *exact);
    ck_assert(exact != NULL);
    for (int32_t r = -1; r <= side; r++) {
      for (int32_t s = -1; s <= side; s++) {
        const double X = -1.0 + h * (s + 1), Y = -1.0 + h * (r + 1), rho = sqrt(X * X + Y * Y);
        const double x = rho <= a ? 0.0 : f / 4.0 * (rho * rho - a * a - 2.0 * a * a * log(rho / a));
        const int inside = r >= 0 && r < side && s >= 0 && s < side;
        if (inside) {
          exact[r * side + s] = x;
          c.b[r * side + s] += h * h * f;
        }
        /* Values on the edge go to the loads of their neighbours. */
        const int32_t R[4] = {r - 1, r + 1, r, r}, S[4] = {s, s, s - 1, s + 1};
        for (int k = 0; k < 4 && !inside; k++) {
          if (R[k] >= 0 && R[k] < side && S[k] >= 0 && S[k] < side) {
            c.b[R[k] * side + S[k]] -= x;
          }
        }
      }
    }
    const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL), NSDYN_OK);
    double worst = 0.0;
    for (int32_t i = 0; i < c.n; i++) {
      worst = fmax(worst, fabs(c.x[i] - exact[i]));
    }
    ck_assert_msg(worst < 0.4 * h * h, "side %d: %g h²", side, worst / (h * h));
    ck_assert(before == 0.0 || worst < 0.35 * before); /* second order */
    before = worst;
    free(exact);
    nsdyn_lcp_free(lcp);
    sparse_case_free(&c);
  }
}
END_TEST

/* Pure Neumann conditions: A is singular, and loads that pull away hold the membrane nowhere. */
START_TEST(singular_matrices_are_solved_where_there_is_an_answer)
{
  enum { N = 600 };
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  for (int kind = 0; kind < 2; kind++) {
    sparse_case c = sparse_case_new(N, 3 * N);
    for (int32_t i = 0; i < N; i++) {
      const int inner = (i > 0) + (i + 1 < N);
      if (i > 0) {
        sparse_case_add(&c, i, i - 1, -1.0);
      }
      sparse_case_add(&c, i, i, inner);
      if (i + 1 < N) {
        sparse_case_add(&c, i, i + 1, -1.0);
      }
      sparse_case_end_row(&c, i);
      c.b[i] = i == N / 3 ? -7.0 : kind == 0 ? 0.02 : 0.0; /* net load upwards, then downwards */
    }
    const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &A, c.b, NULL, NULL, c.x, NULL);
    double residual;
    ck_assert_int_eq(nsdyn_lcp_residual_sparse(&A, c.b, NULL, NULL, c.x, &residual, NULL), NSDYN_OK);
    ck_assert_int_eq(status == NSDYN_OK, kind == 0);
    ck_assert(kind == 1 || residual <= 1e-9);
    ck_assert(kind == 0 || nsdyn_lcp_message(lcp)[0]);
    sparse_case_free(&c);
  }
  nsdyn_lcp_free(lcp);
}
END_TEST

SUITE("lcp/sparse/automatic", TEST(all_classes_are_solved_as_well_as_by_dense_methods),
      TEST(large_p_matrices_have_the_dense_answer), TEST(a_circle_is_found_on_a_mesh),
      TEST(singular_matrices_are_solved_where_there_is_an_answer))
