/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/kernels/lu_in_order.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/kernels/cpu.h"
#include "suite.h"

/* The same source once more, built without AVX2, under other names. */
#define nsd_cpu_avx2() 0
#define nsd_lu_in_order_factor plain_natural_factor
#define nsd_lu_in_order_factor_asking plain_natural_factor_asking
#define nsd_lu_in_order_solve plain_natural_solve
int plain_natural_factor(int n, double *A, int lda, const double *size, double *inverse);
int plain_natural_factor_asking(int n, double *A, int lda, const double *size, double *inverse,
                                nsd_poll *poll);
void plain_natural_solve(int n, const double *A, int lda, const double *inverse, double *x);
/* NOLINTNEXTLINE(bugprone-suspicious-include): that is the point */
#include "base/kernels/lu_in_order.c"
#undef nsd_cpu_avx2
#undef nsd_lu_in_order_factor
#undef nsd_lu_in_order_factor_asking
#undef nsd_lu_in_order_solve

enum { MOST = 40, LDA = MOST + 3 };

typedef struct system {
  int n;
  double A[MOST * LDA], factors[MOST * LDA], size[MOST], inverse[MOST], x[MOST], right[MOST];
} system;

/* A Gram matrix of rank `rank` in units of its own for every row, and some columns of it with a share of
 * others, as friction that slips leaves it. size: the diagonal before that. */
static void make(system *s, random_state *r, int n, int rank, double share)
{
  double v[MOST][MOST], unit[MOST];
  s->n = n;
  for (int i = 0; i < n; i++) {
    unit[i] = random_scale(r, 3.0);
    for (int k = 0; k < rank; k++) {
      v[i][k] = random_normal(r);
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int k = 0; k < rank; k++) {
        sum += v[i][k] * v[j][k];
      }
      s->A[i * LDA + j] = unit[i] * unit[j] * sum;
    }
    s->size[i] = s->A[i * LDA + i];
  }
  for (int j = 0; j + 1 < n; j += 2) {
    const double slope = share * random_between(r, -1.0, 1.0) * unit[j] / unit[j + 1];
    for (int i = 0; i < n; i++) {
      s->A[i * LDA + j] += slope * s->A[i * LDA + j + 1];
    }
  }
}

static int factor_it(system *s)
{
  memcpy(s->factors, s->A, sizeof s->A);
  return nsd_lu_in_order_factor(s->n, s->factors, LDA, s->size, s->inverse);
}

/* The most that a row of A x = right is missed by, in units of what stands in it. */
static double missed(const system *s)
{
  double most = 0.0;
  for (int i = 0; i < s->n; i++) {
    long double sum = -s->right[i], all = fabs(s->right[i]);
    for (int j = 0; j < s->n; j++) {
      sum += (long double)s->A[i * LDA + j] * s->x[j];
      all += fabs(s->A[i * LDA + j] * s->x[j]);
    }
    most = fmax(most, (double)(fabsl(sum) / (all > 0.0L ? all : 1.0L)));
  }
  return most;
}

START_TEST(systems_of_patterns_are_solved)
{
  static system s;
  const int cases = random_cases(4000);
  int refused = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = k % (MOST + 1);
    make(&s, &r, n, n, 0.4);
    if (!factor_it(&s)) {
      refused++;
      continue;
    }
    for (int i = 0; i < n; i++) {
      s.x[i] = s.right[i] = random_normal(&r) * sqrt(s.size[i]);
    }
    nsd_lu_in_order_solve(n, s.factors, LDA, s.inverse, s.x);
    REQUIRE(missed(&s) <= 1e-9, "seed %d: %g", k, missed(&s));
  }
  ck_assert_msg(refused <= cases / 20, "%d refused", refused);
}
END_TEST

/* Rows beyond the rank of a symmetric system are found redundant, their unknowns are zero, and where the
 * right-hand side is in the range of A all equations hold. */
START_TEST(redundant_rows_are_told)
{
  static system s;
  const int cases = random_cases(4000);
  int done = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 2 + k % 12, rank = 1 + random_below(&r, n - 1);
    make(&s, &r, n, rank, 0.0);
    if (!factor_it(&s)) {
      continue;
    }
    done++;
    double cause[MOST];
    for (int j = 0; j < n; j++) {
      cause[j] = random_normal(&r) / sqrt(s.size[j]);
    }
    for (int i = 0; i < n; i++) {
      s.right[i] = 0.0;
      for (int j = 0; j < n; j++) {
        s.right[i] += s.A[i * LDA + j] * cause[j];
      }
      s.x[i] = s.right[i];
    }
    nsd_lu_in_order_solve(n, s.factors, LDA, s.inverse, s.x);
    int redundant = 0;
    for (int i = 0; i < n; i++) {
      redundant += s.inverse[i] == 0.0;
      REQUIRE(s.inverse[i] != 0.0 || s.x[i] == 0.0, "seed %d: unknown %d is %g", k, i, s.x[i]);
    }
    REQUIRE(redundant == n - rank, "seed %d: %d redundant, not %d", k, redundant, n - rank);
    REQUIRE(missed(&s) <= 1e-7, "seed %d: %g", k, missed(&s));
  }
  ck_assert_int_ge(done, cases * 9 / 10);
}
END_TEST

/* Neither sound nor nothing; nothing, but with something below it; no number. */
START_TEST(what_needs_a_search_is_refused)
{
  static system s;
  s.n = 2;
  s.size[0] = s.size[1] = 1.0;
  static const struct {
    double A[4];
    int good;
  } cases[] = {{{1.0, 0.5, 0.5, 1.0}, 1},     {{1e-8, 0.5, 0.5, 1.0}, 0}, {{0.0, 0.5, 0.5, 1.0}, 0},
               {{0.0, 0.0, 0.0, 1.0}, 1},     {{0.0, 0.5, 0.0, 1.0}, 1},  {{1e-13, 0.0, 1e-12, 1.0}, 1},
               {{-1.0, 0.5, 0.5, 1.0}, 1},    {{1.0, 1.0, 1.0, 1.0}, 1},  {{1.0, 1.0, 1.0, 1.0 + 1e-8}, 0},
               {{NAN, 0.5, 0.5, 1.0}, 0},     {{1.0, 0.5, NAN, 1.0}, 0},  {{1.0, NAN, 0.5, 1.0}, 0},
               {{INFINITY, 0.5, 0.5, NAN}, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        s.A[i * LDA + j] = cases[k].A[2 * i + j];
      }
    }
    REQUIRE(factor_it(&s) == cases[k].good, "case %zu", k);
  }
}
END_TEST

START_TEST(avx2_gives_the_same_bits)
{
  static system s;
  double again[MOST * LDA], inverse[MOST], x[MOST];
  const int cases = nsd_cpu_avx2() ? random_cases(2000) : 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = k % (MOST + 1);
    make(&s, &r, n, n, 0.4);
    memcpy(again, s.A, sizeof again);
    const int good = factor_it(&s);
    REQUIRE(plain_natural_factor(n, again, LDA, s.size, inverse) == good, "seed %d", k);
    if (!good) {
      continue;
    }
    for (int i = 0; i < n; i++) {
      x[i] = s.x[i] = random_normal(&r);
    }
    nsd_lu_in_order_solve(n, s.factors, LDA, s.inverse, s.x);
    plain_natural_solve(n, again, LDA, inverse, x);
    REQUIRE(memcmp(again, s.factors, (size_t)n * LDA * sizeof *again) == 0, "seed %d", k);
    REQUIRE(memcmp(inverse, s.inverse, (size_t)n * sizeof *x) == 0, "seed %d", k);
    REQUIRE(memcmp(x, s.x, (size_t)n * sizeof *x) == 0, "seed %d", k);
  }
}
END_TEST

SUITE("base/kernels/lu_in_order", TEST(systems_of_patterns_are_solved), TEST(redundant_rows_are_told),
      TEST(what_needs_a_search_is_refused), TEST(avx2_gives_the_same_bits))
