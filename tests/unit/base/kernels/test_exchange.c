/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/kernels/exchange.h"

#include <float.h>
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "base/context.h"
#include "base/dense.h"
#include "base/kernels/cpu.h"
#include "matrices.h"

enum { most_rows = 64, most_cols = 66 };

typedef struct tableau {
  alignas(NSD_ALIGNMENT) double T[most_cols * (most_rows + NSD_TABLEAU_STEP)];
  int rows, cols, ld;
} tableau;

static double *at(tableau *t, int i, int j)
{
  return &t->T[j * t->ld + i];
}

/* Normal numbers, some rows and columns of other units, zeros and negative zeros; padding is zero. */
static void fill(random_state *random, tableau *t)
{
  memset(t, 0, sizeof *t);
  t->rows = 1 + random_below(random, most_rows);
  t->cols = 1 + random_below(random, most_cols);
  t->ld = nsd_tableau_ld(t->rows) + NSD_TABLEAU_STEP * random_below(random, 2);
  const int zeros = random_below(random, 3);
  for (int j = 0; j < t->cols; j++) {
    const double unit = random_below(random, 4) ? 1.0 : random_scale(random, 6.0);
    const int empty = random_below(random, 10) == 0;
    for (int i = 0; i < t->rows; i++) {
      const int nothing = empty || (zeros && random_below(random, 2 * zeros) == 0);
      *at(t, i, j) = nothing ? (random_below(random, 2) ? 0.0 : -0.0) : unit * random_normal(random);
    }
  }
}

/* Some element that is not zero; 0 where there is none. */
static int choose(random_state *random, tableau *t, int *r, int *s)
{
  for (int tries = 0; tries < 100; tries++) {
    *r = random_below(random, t->rows);
    *s = random_below(random, t->cols);
    if (*at(t, *r, *s) != 0.0) {
      return 1;
    }
  }
  return 0;
}

/* y = T x says the same before and after, y_r and x_s having changed places; long double judges. */
START_TEST(keeps_the_equations)
{
  static tableau before, after;
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    int r, s;
    fill(&random, &before);
    if (!choose(&random, &before, &r, &s)) {
      continue;
    }
    after = before;
    nsd_tableau_exchange(after.rows, after.cols, after.T, after.ld, r, s);
    const long double p = *at(&before, r, s);
    for (int j = 0; j < before.cols; j++) {
      for (int i = 0; i < before.ld; i++) {
        const long double T = *at(&before, i, j), a = *at(&before, i, s), c = *at(&before, r, j);
        const long double product = a * c / p;
        const long double expected = i == r && j == s ? 1.0L / p
                                     : i == r         ? -c / p
                                     : j == s         ? a / p
                                                      : T - product;
        const long double error = fabsl(*at(&after, i, j) - expected);
        REQUIRE(error <=
                    DBL_EPSILON * (2.0L * fabsl(expected) + 2.0L * fabsl(i != r && j != s ? product : 0)),
                "case %d, element %d, %d", k, i, j);
        REQUIRE(i < before.rows || *at(&after, i, j) == 0.0);
        REQUIRE(c != 0.0L || j == s || memcmp(at(&before, i, j), at(&after, i, j), sizeof(double)) == 0);
      }
    }
  }
}
END_TEST

START_TEST(twice_gives_the_tableau_back)
{
  static tableau before, after;
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    int r, s;
    fill(&random, &before);
    if (!choose(&random, &before, &r, &s)) {
      continue;
    }
    after = before;
    nsd_tableau_exchange(after.rows, after.cols, after.T, after.ld, r, s);
    nsd_tableau_exchange(after.rows, after.cols, after.T, after.ld, r, s);
    const double p = *at(&before, r, s);
    for (int j = 0; j < before.cols; j++) {
      for (int i = 0; i < before.rows; i++) {
        const double T = *at(&before, i, j), through = *at(&before, i, s) * (*at(&before, r, j) / p);
        REQUIRE(fabs(*at(&after, i, j) - T) <= 8 * DBL_EPSILON * (fabs(T) + fabs(through)),
                "case %d, element %d, %d", k, i, j);
      }
    }
  }
}
END_TEST

/* All y and x exchanged along the diagonal: the tableau is then the inverse that LU gives. */
START_TEST(all_exchanged_is_the_inverse)
{
  static tableau t;
  static double A[most_rows * most_rows], X[most_rows * most_rows];
  int perm[most_rows];
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int n = 1 + random_below(&random, most_rows);
    memset(&t, 0, sizeof t);
    t.rows = t.cols = n;
    t.ld = nsd_tableau_ld(n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        A[i * n + j] = random_between(&random, -1.0, 1.0) / n + (i == j ? 2.0 : 0.0);
        X[i * n + j] = i == j ? 1.0 : 0.0;
        *at(&t, i, j) = A[i * n + j];
      }
    }
    ck_assert_int_eq(nsd_lu_factor(n, A, n, perm, NULL), NSDYN_OK);
    nsd_lu_solve(n, A, n, perm, n, X, n);
    for (int i = 0; i < n; i++) {
      nsd_tableau_exchange(n, n, t.T, t.ld, i, i);
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        ck_assert_double_eq_tol(*at(&t, i, j), X[j * n + i], 1e-14);
      }
    }
  }
}
END_TEST

START_TEST(variants_agree_to_the_bit)
{
  static tableau plain, vector, chosen;
  const int cases = nsd_cpu_avx2() || !NSD_HAVE_AVX2 ? random_cases(4000) : 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    int r, s;
    fill(&random, &plain);
    if (!choose(&random, &plain, &r, &s)) {
      continue;
    }
    vector = chosen = plain;
    nsd_tableau_exchange_plain(plain.rows, plain.cols, plain.T, plain.ld, r, s);
    nsd_tableau_exchange_avx2(vector.rows, vector.cols, vector.T, vector.ld, r, s);
    nsd_tableau_exchange(chosen.rows, chosen.cols, chosen.T, chosen.ld, r, s);
    ck_assert_mem_eq(plain.T, vector.T, sizeof plain.T);
    ck_assert_mem_eq(plain.T, chosen.T, sizeof plain.T);
  }
}
END_TEST

START_TEST(leading_dimension)
{
  ck_assert_int_eq(nsd_tableau_ld(0), 0);
  for (int rows = 1; rows < 100; rows++) {
    const int ld = nsd_tableau_ld(rows);
    REQUIRE(ld >= rows && ld < rows + NSD_TABLEAU_STEP && ld % NSD_TABLEAU_STEP == 0);
  }
}
END_TEST

SUITE("base/kernels/exchange", TEST(keeps_the_equations), TEST(twice_gives_the_tableau_back),
      TEST(all_exchanged_is_the_inverse), TEST(variants_agree_to_the_bit), TEST(leading_dimension))
