/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/workspace.c: one piece of memory, as large as the largest problem so far. */
#include <math.h>
#include <stdlib.h>

#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/counted_memory.h"
#include "support/problems.h"

#define MOST 40

/* Every method, every class: whatever a problem of a size once seen needs, it is there. The enumeration alone
 * keeps a list of what it met; `automatic` comes to it for small problems only, and each class is run
 * through once before. */
START_TEST(repeated_solves_allocate_nothing)
{
  problem *q = problem_new(MOST);
  for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
    counted_memory c = {0};
    nsdyn_context *ctx = counted_context(&c, NULL);
    nsdyn_lcp *lcp;
    nsdyn_lcp_options options;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = method;
    options.max_iterations = 500;
    options.max_nodes = 2000;
    ck_assert_int_eq(nsdyn_lcp_new(ctx, &options, &lcp, NULL), NSDYN_OK);
    for (int round = 0; round < 2; round++) {
      const long before = c.allocations;
      for (int class = 0; class < problem_class_count(); class ++) {
        for (uint64_t seed = 0; seed < (is_brief() ? 2 : 4); seed++) {
          double x[MOST];
          problem_make(q, class, 3 + 5 * (int)seed, seed);
          (void)nsdyn_lcp_solve_mixed(lcp, q->n, q->A, q->n, q->b, problem_lo(q), problem_hi(q), x, NULL);
        }
      }
      ck_assert_msg(round == 0 || c.allocations == before, "method %d allocated %ld times", method,
                    c.allocations - before);
    }
    nsdyn_lcp_free(lcp);
    nsdyn_context_free(ctx);
    ck_assert_int_eq(c.live, 0);
  }
  problem_free(q);
}
END_TEST

/* From a large problem to a small one and back. */
START_TEST(sizes_come_and_go)
{
  counted_memory c = {0};
  nsdyn_context *ctx = counted_context(&c, NULL);
  nsdyn_lcp *lcp;
  problem *q = problem_new(MOST);
  const int class = problem_class_find("box_p");
  ck_assert_int_eq(nsdyn_lcp_new(ctx, NULL, &lcp, NULL), NSDYN_OK);
  long after_largest = 0;
  for (int k = 0; k < 60; k++) {
    double x[MOST];
    double residual;
    problem_make(q, class, k == 0 ? MOST : 1 + (7 * k) % MOST, (uint64_t)k);
    ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, q->n, q->A, q->n, q->b, q->lo, q->hi, x, NULL), NSDYN_OK);
    nsdyn_lcp_residual(q->n, q->A, q->n, q->b, q->lo, q->hi, x, &residual, NULL);
    ck_assert(residual <= 1e-9);
    int n;
    ck_assert_ptr_nonnull(nsdyn_lcp_basis(lcp, &n));
    ck_assert_int_eq(n, q->n);
    after_largest = k == 0 ? c.allocations : after_largest;
  }
  /* Small sizes bring the enumeration's memory, once per size that is larger than the small ones before. */
  ck_assert_int_le(c.allocations - after_largest, 24);
  problem_free(q);
  nsdyn_lcp_free(lcp);
  nsdyn_context_free(ctx);
  ck_assert_int_eq(c.live, 0);
}
END_TEST

/* Part of the memory for a larger problem came, part did not: smaller ones go on as before. */
START_TEST(a_size_refused_leaves_the_others)
{
  problem *q = problem_new(MOST);
  const int class = problem_class_find("box_p");
  for (long k = 1, refused = 1; refused; k++) {
    counted_memory c = {0};
    nsdyn_context *ctx = counted_context(&c, NULL);
    nsdyn_lcp *lcp;
    double x[MOST], again[MOST];
    ck_assert_int_eq(nsdyn_lcp_new(ctx, NULL, &lcp, NULL), NSDYN_OK);
    problem_make(q, class, 5, 1);
    ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, 5, q->A, 5, q->b, q->lo, q->hi, x, NULL), NSDYN_OK);
    problem_make(q, class, 20, 2);
    c.fail_at = c.allocations + k;
    const nsdyn_status status = nsdyn_lcp_solve_mixed(lcp, 20, q->A, 20, q->b, q->lo, q->hi, again, NULL);
    refused = c.allocations >= c.fail_at;
    ck_assert_int_eq(status, refused ? NSDYN_ERR_NOMEM : NSDYN_OK);
    problem_make(q, class, 5, 1);
    ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, 5, q->A, 5, q->b, q->lo, q->hi, again, NULL), NSDYN_OK);
    ck_assert_mem_eq(again, x, 5 * sizeof *x);
    ck_assert(k > 2 || refused);
    nsdyn_lcp_free(lcp);
    nsdyn_context_free(ctx);
    ck_assert_int_eq(c.live, 0);
  }
  problem_free(q);
}
END_TEST

/* The same problem, once without and once with the search through all bases. */
START_TEST(an_option_brings_the_search)
{
  problem *q = problem_new(MOST);
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_solve_report result;
  double x[MOST];
  nsdyn_lcp_options_init(&options, sizeof options);
  nsdyn_lcp_solve_report_init(&result, sizeof result);
  options.automatic_enumerate_up_to = 0;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  problem_make(q, problem_class_find("feasible_without"), 8, 0);
  nsdyn_status status = nsdyn_lcp_solve(lcp, 8, q->A, 8, q->b, x, NULL);
  ck_assert(status == NSDYN_UNDECIDED || status == NSDYN_MAX_ITERATIONS);
  options.automatic_enumerate_up_to = 8;
  ck_assert_int_eq(nsdyn_lcp_set_options(lcp, &options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 8, q->A, 8, q->b, x, NULL), NSDYN_NO_SOLUTION);
  ck_assert_int_eq(nsdyn_lcp_report(lcp, &result), NSDYN_OK);
  ck_assert_int_eq(result.proof, NSDYN_LCP_PROOF_EXHAUSTED);
  nsdyn_lcp_free(lcp);
  problem_free(q);
}
END_TEST

/* The search through many unknowns would need n³ numbers. They come when it does, not when it may. */
START_TEST(a_search_not_needed_takes_no_memory)
{
  enum { N = 200 };
  problem *q = problem_new(N);
  counted_memory c = {0};
  nsdyn_context *ctx = counted_context(&c, NULL);
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  double x[N];
  nsdyn_lcp_options_init(&options, sizeof options);
  options.automatic_enumerate_up_to = INT32_MAX;
  ck_assert_int_eq(nsdyn_lcp_new(ctx, &options, &lcp, NULL), NSDYN_OK);
  problem_make(q, problem_class_find("box_p"), N, 1);
  ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, N, q->A, N, q->b, q->lo, q->hi, x, NULL), NSDYN_OK);
  ck_assert(c.bytes < (size_t)20 * N * N * sizeof(double));
  nsdyn_lcp_free(lcp);
  nsdyn_context_free(ctx);
  ck_assert_int_eq(c.live, 0);
  problem_free(q);
}
END_TEST

static int stop_at_once(void *user, const nsdyn_lcp_piece *piece)
{
  (void)piece;
  ++*(int *)user;
  return 1;
}

/* y = 1 − x: the first of 2^90 solutions lies 90 branches deep. The path takes memory as it grows, may find
 * none at any depth, and keeps what it had. */
START_TEST(a_deep_search_grows)
{
  enum { N = 90 };
  double *A = calloc((size_t)N * N, sizeof *A), b[N];
  ck_assert_ptr_nonnull(A);
  for (int i = 0; i < N; i++) {
    A[i * N + i] = -1.0;
    b[i] = 1.0;
  }
  for (long k = 1, refused = 1; refused; k += 7) {
    counted_memory c = {.fail_at = k + 2};
    nsdyn_context *ctx = counted_context(&c, NULL);
    nsdyn_lcp *lcp;
    int met = 0;
    ck_assert_int_eq(nsdyn_lcp_new(ctx, NULL, &lcp, NULL), NSDYN_OK);
    const nsdyn_status status = nsdyn_lcp_enumerate(lcp, N, A, N, b, stop_at_once, &met, NULL);
    refused = c.allocations >= c.fail_at;
    ck_assert_int_eq(status, refused ? NSDYN_ERR_NOMEM : NSDYN_CANCELLED);
    ck_assert_int_eq(met, !refused);
    ck_assert(k > N || refused);
    ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, N, A, N, b, stop_at_once, &met, NULL), NSDYN_CANCELLED);
    const long before = c.allocations;
    ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, 7, A, N, b, stop_at_once, &met, NULL), NSDYN_CANCELLED);
    ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, N, A, N, b, stop_at_once, &met, NULL), NSDYN_CANCELLED);
    ck_assert_int_eq(c.allocations, before);
    nsdyn_lcp_free(lcp);
    nsdyn_context_free(ctx);
    ck_assert_int_eq(c.live, 0);
  }
  free(A);
}
END_TEST

/* Nothing to solve is solved, by an object that has solved nothing before. */
START_TEST(no_unknowns)
{
  for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
    nsdyn_lcp *lcp;
    nsdyn_lcp_options options;
    nsdyn_lcp_census census;
    nsdyn_lcp_options_init(&options, sizeof options);
    nsdyn_lcp_census_init(&census, sizeof census);
    options.method = method;
    ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 0, NULL, 0, NULL, NULL, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, 0, NULL, 0, NULL, NULL, NULL, &census), NSDYN_OK);
    ck_assert_int_eq(census.points, 1);
    nsdyn_lcp_free(lcp);
  }
}
END_TEST

SUITE("lcp/workspace", TEST(no_unknowns), TEST(repeated_solves_allocate_nothing), TEST(sizes_come_and_go),
      TEST(a_size_refused_leaves_the_others), TEST(an_option_brings_the_search),
      TEST(a_search_not_needed_takes_no_memory), TEST(a_deep_search_grows))
