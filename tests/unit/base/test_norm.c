/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "matrices.h"

enum { longest = 100 };

/* Sums in long double, whose range holds the squares of every double. */
START_TEST(norms_of_vectors)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double x[longest];
    const int n = random_below(&random, longest);
    const double unit = k % 3 ? random_scale(&random, 307.0) : 1.0;
    long double squares = 0.0L, largest = 0.0L;
    for (int i = 0; i < n; i++) {
      x[i] = unit * random_between(&random, -1.0, 1.0) * (k % 5 ? 1.0 : random_scale(&random, 200.0));
      x[i] = fmin(fmax(x[i], -DBL_MAX / longest), DBL_MAX / longest);
      squares += (long double)x[i] * x[i];
      largest = fmaxl(largest, fabsl((long double)x[i]));
    }
    REQUIRE(nsd_norm_inf(n, x) == largest);
    const long double norm = sqrtl(squares);
    REQUIRE(fabsl(nsd_norm_2(n, x) - norm) <= n * DBL_EPSILON * norm + 0x1p-1074L, "case %d: %g, not %Lg", k,
            nsd_norm_2(n, x), norm);
  }
}
END_TEST

START_TEST(norms_at_the_ends_of_the_range)
{
  const double smallest[] = {3 * 0x1p-1074, 4 * 0x1p-1074, 0.0};
  const double large[] = {3e307, -4e307};
  const double both[] = {1e300, 1e-300};
  REQUIRE(nsd_norm_2(3, smallest) == 5 * 0x1p-1074);
  ck_assert_double_eq_tol(nsd_norm_2(2, large) / 5e307, 1.0, 1e-15);
  REQUIRE(nsd_norm_2(2, both) == 1e300);
  REQUIRE(nsd_norm_2(0, NULL) == 0.0 && nsd_norm_inf(0, NULL) == 0.0 && nsd_dot(0, NULL, NULL) == 0.0);
}
END_TEST

/* NaN goes before infinity: what is not known is not even large. */
START_TEST(norms_of_what_is_not_finite)
{
  for (int n = 1; n < 20; n++) {
    for (int at = 0; at < n; at++) {
      double x[20];
      for (int i = 0; i < n; i++) {
        x[i] = i;
      }
      x[at] = -INFINITY;
      REQUIRE(nsd_norm_2(n, x) == INFINITY && nsd_norm_inf(n, x) == INFINITY && !nsd_all_finite(1, n, x, n));
      x[n - 1 - at] = NAN;
      REQUIRE(isnan(nsd_norm_2(n, x)) && isnan(nsd_norm_inf(n, x)) && !nsd_all_finite(1, n, x, n));
    }
  }
}
END_TEST

/* A dot product in the promised order, and to within n 2^-52 Σ|x_i y_i|. */
START_TEST(dot_has_its_order)
{
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double x[longest], y[longest], lane[4] = {0.0, 0.0, 0.0, 0.0};
    const int n = k % longest;
    long double sum = 0.0L, magnitude = 0.0L;
    for (int i = 0; i < n; i++) {
      x[i] = random_normal(&random) * random_scale(&random, 3.0);
      y[i] = random_normal(&random);
      lane[i % 4] += x[i] * y[i];
      sum += (long double)x[i] * y[i];
      magnitude += fabsl((long double)x[i] * y[i]);
    }
    const double dot = nsd_dot(n, x, y);
    REQUIRE(dot == (lane[0] + lane[2]) + (lane[1] + lane[3]));
    REQUIRE(fabsl(dot - sum) <= n * DBL_EPSILON * magnitude);
  }
}
END_TEST

START_TEST(norms_of_matrices)
{
  static double A[matrix_longest * matrix_stride];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    const int rows = c.n, cols = random_below(&c.random, c.n + 1);
    matrix_fill(&c.random, c.kind, c.n, A, c.lda);
    double one = 0.0, inf = 0.0, max = 0.0;
    for (int i = 0; i < rows; i++) {
      double sum = 0.0;
      for (int j = 0; j < cols; j++) {
        sum += fabs(A[i * c.lda + j]);
        max = fmax(max, fabs(A[i * c.lda + j]));
      }
      inf = fmax(inf, sum);
    }
    for (int j = 0; j < cols; j++) {
      double sum = 0.0;
      for (int i = 0; i < rows; i++) {
        sum += fabs(A[i * c.lda + j]);
      }
      one = fmax(one, sum);
    }
    REQUIRE(nsd_matrix_norm_max(rows, cols, A, c.lda) == max);
    ck_assert_double_le(fabs(nsd_matrix_norm_1(rows, cols, A, c.lda) - one), c.n * DBL_EPSILON * one);
    ck_assert_double_le(fabs(nsd_matrix_norm_inf(rows, cols, A, c.lda) - inf), c.n * DBL_EPSILON * inf);
    REQUIRE(nsd_all_finite(rows, cols, A, c.lda));
  }
}
END_TEST

/* At every place of a matrix, and not behind its columns. */
START_TEST(matrices_that_are_not_finite)
{
  for (int at = 0; at < 7 * 12; at++) {
    double A[7 * 12];
    const int inside = at % 12 < 10;
    memset(A, 0, sizeof A);
    A[at] = NAN;
    REQUIRE(nsd_all_finite(7, 10, A, 12) == !inside);
    REQUIRE(isnan(nsd_matrix_norm_1(7, 10, A, 12)) == inside);
    REQUIRE(isnan(nsd_matrix_norm_inf(7, 10, A, 12)) == inside);
    REQUIRE(isnan(nsd_matrix_norm_max(7, 10, A, 12)) == inside);
    A[at] = -INFINITY;
    const double expected = inside ? INFINITY : 0.0;
    REQUIRE(nsd_all_finite(7, 10, A, 12) == !inside);
    REQUIRE(nsd_matrix_norm_1(7, 10, A, 12) == expected);
    REQUIRE(nsd_matrix_norm_inf(7, 10, A, 12) == expected);
    REQUIRE(nsd_matrix_norm_max(7, 10, A, 12) == expected);
    A[(at * 5 + 3) % (7 * 12)] = NAN; /* after or before an infinity */
    const int somewhere = (at * 5 + 3) % 12 < 10;
    REQUIRE(isnan(nsd_matrix_norm_1(7, 10, A, 12)) == somewhere);
    REQUIRE(isnan(nsd_matrix_norm_inf(7, 10, A, 12)) == somewhere);
    REQUIRE(isnan(nsd_matrix_norm_max(7, 10, A, 12)) == somewhere);
  }
}
END_TEST

SUITE("base/norm", TEST(norms_of_vectors), TEST(norms_at_the_ends_of_the_range),
      TEST(norms_of_what_is_not_finite), TEST(dot_has_its_order), TEST(norms_of_matrices),
      TEST(matrices_that_are_not_finite))
