/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/kernels/small.h"

#include <float.h>
#include <string.h>

#include "base/dense.h"
#include "suite.h"

/* A = B Bᵀ + I of random B, and x. */
static void fill(random_state *random, int n, double *A, double *x)
{
  double B[NSD_SMALL * NSD_SMALL];
  for (int i = 0; i < n * n; i++) {
    B[i] = random_normal(random);
  }
  nsd_product_nt(n, n, n, B, n, B, n, A, n);
  for (int i = 0; i < n; i++) {
    A[i * (n + 1)] += 1.0;
    x[i] = random_normal(random);
  }
}

/* What is written out and what is general solve the same systems by the same numbers, but for rounding. */
START_TEST(written_out_and_general_agree)
{
  const int cases = random_cases(4000);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = 1 + seed % NSD_SMALL;
    double A[NSD_SMALL * NSD_SMALL], L[NSD_SMALL * NSD_SMALL] = {0.0}, r[NSD_SMALL] = {0.0}, x[NSD_SMALL],
                                                   y[NSD_SMALL];
    fill(&random, n, A, x);
    memcpy(y, x, sizeof y);
    ck_assert_int_eq(nsd_small_factor(n, A, L, r), 1);
    ck_assert_int_eq(nsd_cholesky_factor(n, A, n, NULL), NSDYN_OK);
    nsd_small_forward(n, L, r, x);
    nsd_cholesky_forward(n, A, n, 1, y, n);
    const double size = 1.0 + nsd_norm_inf(n, y);
    for (int i = 0; i < n; i++) {
      REQUIRE(fabs(x[i] - y[i]) <= 1e-12 * size, "seed %d: forward, row %d", seed, i);
    }
    nsd_small_backward(n, L, r, x);
    nsd_cholesky_backward(n, A, n, 1, y, n);
    for (int i = 0; i < n; i++) {
      REQUIRE(fabs(x[i] - y[i]) <= 1e-12 * size, "seed %d: backward, row %d", seed, i);
    }
  }
}
END_TEST

/* A pivot that is zero, negative, rounding noise or no number asks for a closer look. */
START_TEST(a_doubtful_pivot_is_refused)
{
  static const double doubtful[] = {1.0, 0.5, 1.0 + 1e-15, NAN, INFINITY};
  for (size_t k = 0; k < sizeof doubtful / sizeof *doubtful; k++) {
    const double M[] = {1.0, 1.0, 1.0, doubtful[k]};
    double L[4], r[2];
    ck_assert_int_eq(nsd_small_factor(2, M, L, r), 0);
  }
}
END_TEST

/* So do halves that differ by one bit. */
START_TEST(halves_that_differ_are_refused)
{
  const double M[] = {2.0, 1.0 + DBL_EPSILON, 1.0, 2.0};
  double L[4], r[2];
  ck_assert_int_eq(nsd_small_factor(2, M, L, r), 0);
}
END_TEST

/* Dot products are those of small integers, which no order of the sum changes; also of more than four. */
START_TEST(dots_are_exact_of_integers)
{
  const double X[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, y[] = {1, -1, 2, -2, 3, -3};
  for (int n = 0; n <= 6; n++) {
    double expected[2] = {0.0, 0.0}, sums[2];
    for (int i = 0; i < n; i++) {
      expected[0] += X[i] * y[i];
      expected[1] += X[n + i] * y[i];
    }
    ck_assert_double_eq(nsd_small_dot(n, X, y), expected[0]);
    if (n > 0) {
      nsd_small_dots(2, n, X, y, sums);
      ck_assert_double_eq(sums[0], expected[0]);
      ck_assert_double_eq(sums[1], expected[1]);
    }
  }
}
END_TEST

SUITE("base/kernels/small", TEST(written_out_and_general_agree), TEST(a_doubtful_pivot_is_refused),
      TEST(halves_that_differ_are_refused), TEST(dots_are_exact_of_integers))
