/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/proof/farkas_equations.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

#define MOST 12

typedef struct bench {
  nsd_arena arena;
  nsd_enclosure w;
  double A[MOST * MOST], b[MOST], sum[MOST], error[MOST];
  nsd_lcp_problem p;
} bench;

static bench *bench_new(void)
{
  bench *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_enclosure_lay_out(&measure, &t->w, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  nsd_enclosure_lay_out(&t->arena, &t->w, MOST);
  t->p = (nsd_lcp_problem){.n = MOST, .lda = MOST, .A = t->A, .b = t->b};
  return t;
}

static void bench_free(bench *t)
{
  nsd_arena_release(&t->arena);
  free(t);
}

/* Small integers, sums near zero, and an order of columns and rows that is not the first one. */
static void make(bench *t, random_state *r)
{
  for (int k = 0; k < MOST * MOST; k++) {
    t->A[k] = random_below(r, 19) - 9;
  }
  for (int k = 0; k < MOST; k++) {
    t->sum[k] = ldexp(random_below(r, 19) - 9, -50);
    t->error[k] = 0.0;
    t->w.columns[k] = (k * 5 + 3) % MOST;
    t->w.rows[k] = (k * 7 + 1) % MOST;
  }
}

/* Solves K e = −sum for the rows that were chosen; 0 where K is singular. */
static int solve(const bench *t, int columns, double *e)
{
  long double M[MOST][MOST + 1];
  for (int s = 0; s < columns; s++) {
    for (int k = 0; k < columns; k++) {
      M[s][k] = t->A[t->w.rows[k] * MOST + t->w.columns[s]];
    }
    M[s][columns] = -t->sum[t->w.columns[s]];
  }
  for (int c = 0; c < columns; c++) {
    int pivot = c;
    for (int s = c; s < columns; s++) {
      pivot = fabsl(M[s][c]) > fabsl(M[pivot][c]) ? s : pivot;
    }
    if (fabsl(M[pivot][c]) < 1e-9L) {
      return 0;
    }
    for (int k = 0; k <= columns; k++) {
      const long double moved = M[c][k];
      M[c][k] = M[pivot][k];
      M[pivot][k] = moved;
    }
    for (int s = 0; s < columns; s++) {
      const long double f = s == c ? 0.0L : M[s][c] / M[c][c];
      for (int k = c; k <= columns; k++) {
        M[s][k] -= f * M[c][k];
      }
    }
  }
  for (int c = 0; c < columns; c++) {
    e[c] = (double)(M[c][columns] / M[c][c]);
  }
  return 1;
}

static double row_norm_of_inverse(const bench *t, int columns)
{
  bench unit = *t;
  double rows[MOST] = {0.0};
  double norm = 0.0;
  for (int s = 0; s < columns; s++) {
    double e[MOST];
    for (int k = 0; k < columns; k++) {
      unit.sum[t->w.columns[k]] = k == s ? 1.0 : 0.0;
    }
    (void)solve(&unit, columns, e);
    for (int k = 0; k < columns; k++) {
      rows[k] += fabs(e[k]);
      norm = fmax(norm, rows[k]);
    }
  }
  return norm;
}

/* The bound is one, and not much more than the norm of the inverse explains. */
START_TEST(bounds_what_solves_the_equations)
{
  bench *t = bench_new();
  const int cases = random_cases(3000);
  int enclosed = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int columns = 1 + k % MOST;
    const int rows = columns + random_below(&r, MOST - columns + 1);
    double e[MOST];
    make(t, &r);
    const double bound = nsd_enclose(&t->w, &t->p, columns, rows, t->sum, t->error);
    if (bound > 1.0) {
      continue;
    }
    enclosed++;
    ck_assert(solve(t, columns, e));
    double largest = 0.0;
    for (int s = 0; s < columns; s++) {
      ck_assert_msg(fabs(e[s]) <= bound, "case %d: %g beyond %g", k, e[s], bound);
      largest = fmax(largest, fabs(t->sum[t->w.columns[s]]));
    }
    ck_assert(bound <= 2.5 * row_norm_of_inverse(t, columns) * largest + 1e-300);
  }
  ck_assert_int_ge(100 * enclosed, 95 * cases);
  bench_free(t);
}
END_TEST

/* Errors of the sums count as the sums do. */
START_TEST(errors_widen_the_bound)
{
  bench *t = bench_new();
  random_state r = random_seed(1);
  make(t, &r);
  memset(t->sum, 0, sizeof t->sum);
  const double none = nsd_enclose(&t->w, &t->p, 4, 6, t->sum, t->error);
  ck_assert(none < 1e-300);
  for (int k = 0; k < MOST; k++) {
    t->error[k] = 0x1p-40;
  }
  const double some = nsd_enclose(&t->w, &t->p, 4, 6, t->sum, t->error);
  ck_assert(some >= row_norm_of_inverse(t, 4) * 0x1p-40);
  ck_assert(some < 1.0);
  bench_free(t);
}
END_TEST

/* Fewer rows than columns, equal rows, a column of zeros, numbers out of range: nothing is shown. */
START_TEST(what_cannot_be_solved_is_not)
{
  bench *t = bench_new();
  random_state r = random_seed(2);
  make(t, &r);
  ck_assert(isinf(nsd_enclose(&t->w, &t->p, 4, 3, t->sum, t->error)));
  ck_assert(isfinite(nsd_enclose(&t->w, &t->p, 4, 4, t->sum, t->error)));
  memcpy(t->A + t->w.rows[1] * MOST, t->A + t->w.rows[0] * MOST, MOST * sizeof *t->A);
  ck_assert(isinf(nsd_enclose(&t->w, &t->p, 4, 4, t->sum, t->error)));
  for (int i = 0; i < MOST; i++) {
    t->A[i * MOST + t->w.columns[0]] = 0.0;
  }
  ck_assert(isinf(nsd_enclose(&t->w, &t->p, 1, MOST, t->sum, t->error)));
  make(t, &r);
  t->A[t->w.rows[0] * MOST + t->w.columns[0]] = 0x1p1000;
  t->A[t->w.rows[1] * MOST + t->w.columns[0]] = 0x1p1000;
  ck_assert(isinf(nsd_enclose(&t->w, &t->p, 2, 2, t->sum, t->error)));
  bench_free(t);
}
END_TEST

SUITE("lcp/proof/farkas_equations", TEST(bounds_what_solves_the_equations), TEST(errors_widen_the_bound),
      TEST(what_cannot_be_solved_is_not))
