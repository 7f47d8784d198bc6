/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/workspace.c: one piece of memory, as large as the largest problem so far. */
#include <math.h>
#include <stdlib.h>

#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/problems.h"

#define MOST 40

typedef struct counter {
  long allocations;
  long live;
} counter;

static void *count_allocate(void *user, size_t bytes, size_t alignment)
{
  counter *c = user;
  c->allocations++;
  c->live++;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void count_release(void *user, void *memory, size_t bytes)
{
  (void)bytes;
  ((counter *)user)->live--;
  free(memory);
}

static nsdyn_context *counting(counter *c)
{
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = c;
  def.allocate = count_allocate;
  def.release = count_release;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx), NSDYN_OK);
  return ctx;
}

/* Every method, every class: whatever a problem of a size once seen needs, it is there. The enumeration alone
 * keeps a list of what it met; `automatic` comes to it for small problems only, and each class is run
 * through once before. */
START_TEST(repeated_solves_allocate_nothing)
{
  problem *q = problem_new(MOST);
  for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_NEWTON_FB; method++) {
    counter c = {0, 0};
    nsdyn_context *ctx = counting(&c);
    nsdyn_lcp *lcp;
    nsdyn_lcp_options options;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = method;
    options.max_iterations = method == NSDYN_LCP_ENUMERATIVE ? 2000 : 500;
    ck_assert_int_eq(nsdyn_lcp_new(ctx, &options, &lcp), NSDYN_OK);
    for (int round = 0; round < 2; round++) {
      const long before = c.allocations;
      for (int class = 0; class < problem_class_count(); class ++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
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
  counter c = {0, 0};
  nsdyn_context *ctx = counting(&c);
  nsdyn_lcp *lcp;
  problem *q = problem_new(MOST);
  const int class = problem_class_find("box_p");
  ck_assert_int_eq(nsdyn_lcp_new(ctx, NULL, &lcp), NSDYN_OK);
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

SUITE("workspace", TEST(repeated_solves_allocate_nothing), TEST(sizes_come_and_go))
