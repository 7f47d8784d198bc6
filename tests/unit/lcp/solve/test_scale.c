/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/scale.h"

#include <string.h>

#include "suite.h"
#include "support/problems.h"

#define MOST 40

/* Exponents of the largest and of the least non-zero element. */
static int spread(const nsd_lcp_problem *p)
{
  int least = 5000;
  int largest = -5000;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      const double a = nsd_lcp_row(p, i)[j];
      if (a != 0.0) {
        least = ilogb(a) < least ? ilogb(a) : least;
        largest = ilogb(a) > largest ? ilogb(a) : largest;
      }
    }
  }
  return largest >= least ? largest - least : 0;
}

typedef struct bench {
  nsd_arena arena;
  nsd_scale scale;
} bench;

static void bench_new(bench *t, int n)
{
  t->arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_scale_lay_out(&measure, &t->scale, n);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  nsd_scale_lay_out(&t->arena, &t->scale, n);
}

/* y' = R y and x = C x' to the bit: powers of two round nothing. */
START_TEST(only_units_change)
{
  problem *q = problem_new(MOST);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int seed = 0; seed < random_cases(20); seed++) {
      problem_make(q, c, 1 + seed % 20, (uint64_t)seed);
      bench t;
      bench_new(&t, q->n);
      const nsd_lcp_problem p = {
          .n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = problem_lo(q), .hi = problem_hi(q)};
      const nsd_lcp_problem even = nsd_scale_make(&t.scale, &p);
      for (int i = 0; i < p.n; i++) {
        for (int j = 0; j < p.n; j++) {
          const double back = ldexp(nsd_lcp_row(&even, i)[j], -t.scale.row[i] - t.scale.column[j]);
          ck_assert(back == nsd_lcp_row(&p, i)[j]);
        }
        ck_assert(ldexp(even.b[i], -t.scale.row[i]) == p.b[i]);
        ck_assert(ldexp(nsd_lcp_lo(&even, i), t.scale.column[i]) == nsd_lcp_lo(&p, i));
        ck_assert(ldexp(nsd_lcp_hi(&even, i), t.scale.column[i]) == nsd_lcp_hi(&p, i));
      }
      ck_assert_int_eq(nsd_scale_is_exact(&t.scale, &p), 1);
      nsd_arena_release(&t.arena);
    }
  }
  problem_free(q);
}
END_TEST

START_TEST(points_and_multipliers_carry_units)
{
  bench t;
  bench_new(&t, 2);
  const double A[4] = {0x1p20, 0x1p-4, 0x1p8, 0x1p-16};
  const double b[2] = {1.0, -1.0};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  const nsd_lcp_problem even = nsd_scale_make(&t.scale, &p);
  double x[2] = {3.0, 5.0};
  double v[2] = {3.0, 5.0};
  nsd_scale_point(&t.scale, 2, x);
  nsd_scale_multipliers(&t.scale, 2, v);
  for (int i = 0; i < 2; i++) {
    /* (R A C) x' is R times A x, and v'ᵀ(R A C) is vᵀA times C. */
    const double own = nsd_lcp_row(&even, i)[0] * 3.0 + nsd_lcp_row(&even, i)[1] * 5.0;
    ck_assert(own == ldexp(A[2 * i] * x[0] + A[2 * i + 1] * x[1], t.scale.row[i]));
    const double along = 3.0 * nsd_lcp_row(&even, 0)[i] + 5.0 * nsd_lcp_row(&even, 1)[i];
    ck_assert(along == ldexp(v[0] * A[i] + v[1] * A[2 + i], t.scale.column[i]));
  }
  nsd_arena_release(&t.arena);
}
END_TEST

/* What was scaled by 1e±12 comes back to like size. */
START_TEST(numbers_come_to_like_size)
{
  static const char *const classes[] = {"scaled_rows", "scaled_columns", "scaled_both", "scaled_symmetric"};
  problem *q = problem_new(MOST);
  for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
    const int c = problem_class_find(classes[k]);
    ck_assert_int_ge(c, 0);
    for (int seed = 0; seed < random_cases(100); seed++) {
      problem_make(q, c, 6 + seed % 20, (uint64_t)seed);
      bench t;
      bench_new(&t, q->n);
      const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b};
      const nsd_lcp_problem even = nsd_scale_make(&t.scale, &p);
      ck_assert_msg(spread(&even) <= 8 + spread(&p) / 2, "%s, seed %d: 2^%d, before 2^%d", classes[k], seed,
                    spread(&even), spread(&p));
      nsd_arena_release(&t.arena);
    }
  }
  problem_free(q);
}
END_TEST

START_TEST(zero_rows_and_columns_stay)
{
  bench t;
  bench_new(&t, 3);
  const double A[9] = {0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e-300, 0.0};
  const double b[3] = {1.0, 0.0, -2.0};
  const nsd_lcp_problem p = {.n = 3, .lda = 3, .A = A, .b = b};
  const nsd_lcp_problem even = nsd_scale_make(&t.scale, &p);
  for (int i = 0; i < 9; i++) {
    ck_assert(isfinite(even.A[i]));
    ck_assert_int_eq(even.A[i] == 0.0, A[i] == 0.0);
  }
  ck_assert_int_eq(t.scale.row[1], 0);
  nsd_arena_release(&t.arena);
}
END_TEST

/* Units of rows and columns cannot bring these four together: what is least becomes zero, and that is told.
 */
START_TEST(losses_are_told)
{
  bench t;
  bench_new(&t, 2);
  const double A[4] = {-0x1p540, 0x1p-540, 0x1p-540, -0x1p540};
  const double b[2] = {-0x1p-200, 0x1p881};
  nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  (void)nsd_scale_make(&t.scale, &p);
  ck_assert_int_eq(nsd_scale_is_exact(&t.scale, &p), 0);
  const double B[4] = {-0x1p540, 0x1p-540, 0.0, -0x1p540};
  p.A = B;
  (void)nsd_scale_make(&t.scale, &p);
  ck_assert_int_eq(nsd_scale_is_exact(&t.scale, &p), 1);
  const double C[1] = {0x1p-1000};
  p = (nsd_lcp_problem){.n = 1, .lda = 1, .A = C, .b = b + 1};
  (void)nsd_scale_make(&t.scale, &p); /* b overflows */
  ck_assert_int_eq(nsd_scale_is_exact(&t.scale, &p), 0);
  nsd_arena_release(&t.arena);
}
END_TEST

SUITE("lcp/solve/scale", TEST(only_units_change), TEST(points_and_multipliers_carry_units),
      TEST(numbers_come_to_like_size), TEST(zero_rows_and_columns_stay), TEST(losses_are_told))
