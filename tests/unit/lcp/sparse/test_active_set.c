/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/active_set.c: rounds of factorizations. */
#include "lcp/sparse/active_set.h"

#include "sparse_cases.h"

typedef struct bench {
  nsd_arena arena;
  nsd_sparse_ldu factor;
  nsd_active_set w;
  nsd_sparse_problem p;
} bench;

static void open_bench(bench *b, const sparse_case *c, int is_symmetric, int is_z)
{
  nsd_arena measure = nsd_arena_measure();
  memset(b, 0, sizeof *b);
  b->arena = nsd_arena_empty(NULL);
  b->factor = nsd_sparse_ldu_empty(NULL, NULL);
  b->p = (nsd_sparse_problem){.A = sparse_case_rows(c),
                              .b = c->b,
                              .lo = c->lo,
                              .hi = c->hi,
                              .is_symmetric = is_symmetric,
                              .is_z = is_z,
                              .has_positive_diagonal = 1};
  nsd_active_set_lay_out(&measure, &b->w, c->n);
  ck_assert_int_eq(nsd_arena_reserve(&b->arena, &measure), NSDYN_OK);
  nsd_active_set_lay_out(&b->arena, &b->w, c->n);
  ck_assert_int_eq(nsd_sparse_ldu_analyze(&b->factor, &b->p.A, is_symmetric, -1), NSDYN_OK);
  b->w.factor = &b->factor;
}

static void close_bench(bench *b)
{
  nsd_arena_release(&b->arena);
  nsd_sparse_ldu_release(&b->factor);
}

/* A front moves by one unknown per round, and never back. −x″ = f with a load at one end only. */
START_TEST(a_front_moves_by_one_unknown_per_round)
{
  enum { N = 60 };
  sparse_case c = sparse_case_new(N, 3 * N);
  for (int32_t i = 0; i < N; i++) {
    if (i > 0) {
      sparse_case_add(&c, i, i - 1, -1.0);
    }
    sparse_case_add(&c, i, i, 2.0);
    if (i + 1 < N) {
      sparse_case_add(&c, i, i + 1, -1.0);
    }
    sparse_case_end_row(&c, i);
    c.b[i] = i == 0 ? -40.0 : 0.05; /* x = 0.025 s (s + 1) from its front on, s unknowns behind it */
  }
  bench b;
  open_bench(&b, &c, 1, 1);
  for (int32_t i = 0; i < N; i++) {
    b.w.place[i] = NSDYN_LCP_AT_LO;
  }
  ck_assert_int_eq(nsd_active_set_solve(&b.w, &b.p, 1000), NSDYN_OK);
  int positive = 0;
  for (int32_t i = 0; i < N; i++) {
    positive += b.w.x[i] > 0.0;
  }
  ck_assert_msg(b.w.rounds >= positive && b.w.rounds <= positive + 2, "%d rounds, %d positive", b.w.rounds,
                positive);
  close_bench(&b);
  sparse_case_free(&c);
}
END_TEST

/* P-matrices, with bounds of all kinds, from any basis: the signs are right, and the answer is always the
 * same one. */
START_TEST(every_basis_leads_to_the_same_answer)
{
  const int cases = random_cases(600);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 1 + random_below(&r, 40);
    sparse_case c = sparse_case_random(&r, n, 0.3 * random_unit(&r), k % 2, 1.02);
    sparse_case_bound(&c, &r);
    bench b;
    open_bench(&b, &c, k % 2, 0);
    for (int run = 0; run < 3; run++) {
      for (int32_t i = 0; i < n; i++) {
        b.w.place[i] = random_below(&r, 3);
      }
      REQUIRE(nsd_active_set_solve(&b.w, &b.p, 100000) == NSDYN_OK, "seed %d", k);
      if (run == 0) {
        memcpy(c.x, b.w.x, (size_t)n * sizeof *c.x);
      }
      REQUIRE(sparse_case_distance(&c, b.w.x) < 1e-11, "seed %d: %g", k, sparse_case_distance(&c, b.w.x));
    }
    for (int32_t i = 0; i < n; i++) {
      const double y = b.w.y[i], slack = 1e-12 * b.w.scale[i];
      REQUIRE(b.w.x[i] >= c.lo[i] && b.w.x[i] <= c.hi[i], "seed %d row %d", k, i);
      REQUIRE((b.w.x[i] < c.hi[i] ? y >= -slack : 1) && (b.w.x[i] > c.lo[i] ? y <= slack : 1),
              "seed %d row %d", k, i);
    }
    close_bench(&b);
    sparse_case_free(&c);
  }
}
END_TEST

/* A whole row of a singular matrix: rounds alone have no answer, a proximal term makes one. */
START_TEST(a_proximal_term_makes_singular_matrices_regular)
{
  sparse_case c = sparse_case_new(2, 4);
  for (int32_t i = 0; i < 2; i++) {
    sparse_case_add(&c, i, 0, i ? -1.0 : 1.0);
    sparse_case_add(&c, i, 1, i ? 1.0 : -1.0);
    sparse_case_end_row(&c, i);
    c.lo[i] = -(double)INFINITY;
    c.b[i] = i ? 1.0 : -1.0; /* x_0 − x_1 = 1 */
  }
  const double shift[2] = {1e-6, 1e-6}, center[2] = {0.5, -0.5};
  bench b;
  open_bench(&b, &c, 1, 1);
  b.w.place[0] = b.w.place[1] = NSDYN_LCP_BASIC;
  ck_assert_int_eq(nsd_active_set_solve(&b.w, &b.p, 50), NSDYN_UNDECIDED);
  b.w.shift = shift;
  b.w.center = center;
  ck_assert_int_eq(nsd_active_set_solve(&b.w, &b.p, 50), NSDYN_OK);
  ck_assert(fabs(b.w.x[0] - 0.5) < 1e-9 && fabs(b.w.x[1] + 0.5) < 1e-9);
  close_bench(&b);
  sparse_case_free(&c);
}
END_TEST

START_TEST(rounds_are_limited)
{
  sparse_case c = sparse_case_mesh(6, 0.0);
  for (int32_t i = 0; i < c.n; i++) {
    c.b[i] = i == 0 ? -9.0 : 0.01;
  }
  bench b;
  open_bench(&b, &c, 1, 1);
  for (int32_t i = 0; i < c.n; i++) {
    b.w.place[i] = NSDYN_LCP_AT_LO;
  }
  ck_assert_int_eq(nsd_active_set_solve(&b.w, &b.p, 2), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(b.w.rounds, 2);
  close_bench(&b);
  sparse_case_free(&c);
}
END_TEST

SUITE("lcp/sparse/active_set", TEST(a_front_moves_by_one_unknown_per_round),
      TEST(every_basis_leads_to_the_same_answer), TEST(a_proximal_term_makes_singular_matrices_regular),
      TEST(rounds_are_limited))
