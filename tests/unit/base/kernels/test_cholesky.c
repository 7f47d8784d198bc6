/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "matrices.h"

/* The same source once more, built without AVX2, under other names. */
#include "base/kernels/cpu.h"
#define nsd_cpu_avx2() 0
#define nsd_cholesky_factor plain_cholesky_factor
#define nsd_cholesky_factor_asking plain_cholesky_factor_asking
#define nsd_cholesky_solve plain_cholesky_solve
#define nsd_cholesky_solve_asking plain_cholesky_solve_asking
#define nsd_cholesky_forward plain_cholesky_forward
#define nsd_cholesky_backward plain_cholesky_backward
#define nsd_cholesky_forward_within plain_cholesky_forward_within
#define nsd_cholesky_envelope plain_cholesky_envelope
nsdyn_status plain_cholesky_factor(int n, double *A, int lda, int *failed);
nsdyn_status plain_cholesky_factor_asking(int n, double *A, int lda, int *failed, nsd_poll *poll);
void plain_cholesky_solve(int n, const double *L, int ldl, int nrhs, double *X, int ldx);
void plain_cholesky_solve_asking(int n, const double *L, int ldl, double *x, nsd_poll *poll);
void plain_cholesky_forward(int n, const double *L, int ldl, int nrhs, double *X, int ldx);
void plain_cholesky_backward(int n, const double *L, int ldl, int nrhs, double *X, int ldx);
void plain_cholesky_forward_within(int n, const double *L, int ldl, const int *first, double *x);
double plain_cholesky_envelope(int n, const double *A, int lda, int *first);
/* NOLINTNEXTLINE(bugprone-suspicious-include): that is the point */
#include "base/kernels/cholesky.c"
#undef nsd_cpu_avx2
#undef nsd_cholesky_factor
#undef nsd_cholesky_factor_asking
#undef nsd_cholesky_solve
#undef nsd_cholesky_solve_asking
#undef nsd_cholesky_forward
#undef nsd_cholesky_backward
#undef nsd_cholesky_forward_within
#undef nsd_cholesky_envelope

enum { space = matrix_longest * matrix_stride };

/* A := G^T G of an m × n matrix G of normal numbers, the sums rounded as they come. */
static void fill_gram(random_state *random, int m, int n, double *A, int lda)
{
  double G[2 * matrix_longest][matrix_longest];
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      G[i][j] = random_normal(random);
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < lda; j++) {
      double sum = 0.0;
      for (int k = 0; k < m && j < n; k++) {
        sum += G[k][i] * G[k][j];
      }
      *matrix_at(A, lda, i, j) = j < n ? sum : MATRIX_PADDING;
    }
  }
}

/* A := D A D */
static void scale(int n, double *A, int lda, const double *d)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      *matrix_at(A, lda, i, j) *= d[i] * d[j];
    }
  }
}

/* Definite matrices of every scale: well conditioned, ill conditioned, diagonal elements from 1e-12 to
 * 1e12, everything near 1e±280. */
static void fill_definite(random_state *random, int k, int n, double *A, int lda)
{
  double d[matrix_longest];
  fill_gram(random, n + random_below(random, n + 1), n, A, lda);
  for (int i = 0; i < n; i++) {
    d[i] = k % 4 == 0 ? 1.0 : k % 4 == 1 ? random_scale(random, 6.0) : k % 4 == 2 ? 1e-140 : 1e140;
    *matrix_at(A, lda, i, i) += 1e-6;
    for (int j = 0; j < n && k % 7 == 0; j++) {
      *matrix_at(A, lda, i, j) = 1.0 / (i + j + 1) + (i == j ? 1e-9 : 0.0);
    }
  }
  scale(n, A, lda, d);
}

/* |A − L L^T| ≤ (n + 2) 2^-52 |L| |L^T|, element by element (Higham, thm. 10.3). */
START_TEST(factors_multiply_to_the_matrix)
{
  static double A[space], L[space];
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    int failed = -7;
    fill_definite(&c.random, k, c.n, A, c.lda);
    memcpy(L, A, sizeof A);
    REQUIRE(nsd_cholesky_factor(c.n, L, c.lda, &failed) == NSDYN_OK, "case %d: pivot %d of %d", k, failed,
            c.n);
    ck_assert_int_eq(failed, -7);
    REQUIRE(matrix_padding_intact(c.n, c.n, L, c.lda));
    for (int i = 0; i < c.n; i++) {
      for (int j = 0; j <= i; j++) {
        long double sum = 0.0L, magnitude = 0.0L;
        for (int l = 0; l <= j; l++) {
          const long double product = (long double)L[i * c.lda + l] * L[j * c.lda + l];
          sum += product;
          magnitude += fabsl(product);
        }
        const long double error = fabsl(sum - A[i * c.lda + j]);
        REQUIRE(error <= (c.n + 2) * (DBL_EPSILON * magnitude + 0x1p-1074L), "case %d: %Lg of %Lg", k, error,
                magnitude);
        REQUIRE(i == j || L[j * c.lda + i] == A[j * c.lda + i]);
      }
    }
  }
}
END_TEST

/* |b − A x| ≤ (3 n + 2) 2^-52 |L| |L^T| |x|, and the two halves of a solve are the solve. */
START_TEST(solutions_solve)
{
  static double A[space], L[space];
  double X[3 * matrix_stride], Y[3 * matrix_stride], B[3 * matrix_stride];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    fill_definite(&c.random, k, c.n, A, c.lda);
    memcpy(L, A, sizeof A);
    ck_assert_int_eq(nsd_cholesky_factor(c.n, L, c.lda, NULL), NSDYN_OK);
    const int nrhs = random_below(&c.random, 4);
    for (int i = 0; i < 3 * matrix_stride; i++) {
      X[i] = Y[i] = B[i] = random_normal(&c.random);
    }
    nsd_cholesky_solve(c.n, L, c.lda, nrhs, X, matrix_stride);
    nsd_cholesky_forward(c.n, L, c.lda, nrhs, Y, matrix_stride);
    nsd_cholesky_backward(c.n, L, c.lda, nrhs, Y, matrix_stride);
    ck_assert_mem_eq(X, Y, sizeof X);
    for (int r = 0; r < 3; r++) {
      const double *x = X + r * matrix_stride, *b = B + r * matrix_stride;
      const int n = r < nrhs ? c.n : 0;
      ck_assert_mem_eq(x + n, b + n, sizeof *x * (size_t)(matrix_stride - n));
      for (int i = 0; i < n; i++) {
        long double residual = b[i], allowed = 0.0L;
        for (int j = 0; j < n; j++) {
          residual -= (long double)A[i * c.lda + j] * x[j];
          for (int l = 0; l <= i && l <= j; l++) {
            allowed += fabsl((long double)L[i * c.lda + l] * L[j * c.lda + l]) *
                       (fabsl((long double)x[j]) + 0x1p-1022L);
          }
        }
        REQUIRE(fabsl(residual) <= (3 * n + 2) * (DBL_EPSILON * allowed + 0x1p-1074L), "case %d: %Lg of %Lg",
                k, residual, allowed);
      }
    }
  }
}
END_TEST

/* L^-1 and L^-T each on their own: L y = b and L^T y = b. */
START_TEST(each_half_solves_its_triangle)
{
  static double L[space];
  double x[matrix_longest], y[matrix_longest], b[matrix_longest];
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    fill_definite(&c.random, 0, c.n, L, c.lda);
    ck_assert_int_eq(nsd_cholesky_factor(c.n, L, c.lda, NULL), NSDYN_OK);
    for (int i = 0; i < c.n; i++) {
      x[i] = y[i] = b[i] = random_normal(&c.random);
    }
    nsd_cholesky_forward(c.n, L, c.lda, 1, x, c.n);
    nsd_cholesky_backward(c.n, L, c.lda, 1, y, c.n);
    for (int i = 0; i < c.n; i++) {
      long double ahead = b[i], back = b[i], ahead_allowed = 0.0L, back_allowed = 0.0L;
      for (int j = 0; j < c.n; j++) {
        const long double l = j <= i ? L[i * c.lda + j] : 0.0L, lt = j >= i ? L[j * c.lda + i] : 0.0L;
        ahead -= l * x[j];
        back -= lt * y[j];
        ahead_allowed += fabsl(l * x[j]);
        back_allowed += fabsl(lt * y[j]);
      }
      REQUIRE(fabsl(ahead) <= (c.n + 1) * DBL_EPSILON * ahead_allowed);
      REQUIRE(fabsl(back) <= (c.n + 1) * DBL_EPSILON * back_allowed);
    }
  }
}
END_TEST

/* With AVX2 and without: the same bits, of failures too. */
START_TEST(variants_agree_to_the_bit)
{
  static double A[space], B[space];
  double x[matrix_longest], y[matrix_longest];
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    int failed = -1, failed_b = -1;
    fill_definite(&c.random, k, c.n, A, c.lda);
    if (k % 5 == 0 && c.n > 0) {
      A[k % c.n * (c.lda + 1)] *= -1.0;
    }
    memcpy(B, A, sizeof B);
    const nsdyn_status status = nsd_cholesky_factor(c.n, A, c.lda, &failed);
    ck_assert_int_eq(status, plain_cholesky_factor(c.n, B, c.lda, &failed_b));
    ck_assert_int_eq(failed, failed_b);
    ck_assert_int_eq(status, k % 5 == 0 && c.n > 0 ? NSDYN_ERR_NOT_DEFINITE : NSDYN_OK);
    for (int i = 0; i < c.n; i++) {
      REQUIRE(memcmp(A + i * c.lda, B + i * c.lda, sizeof *A * (size_t)c.n) == 0, "case %d, row %d", k, i);
      x[i] = y[i] = random_normal(&c.random);
    }
    if (status == NSDYN_OK) {
      nsd_cholesky_solve(c.n, A, c.lda, 1, x, c.n);
      plain_cholesky_solve(c.n, B, c.lda, 1, y, c.n);
      REQUIRE(memcmp(x, y, sizeof *x * (size_t)c.n) == 0, "case %d", k);
    }
  }
}
END_TEST

/* Row i of A begins anywhere, most of them near the diagonal. */
static void fill_thin(random_state *random, int n, double *A, int lda)
{
  for (int i = 0; i < n; i++) {
    const int far = random_below(random, 8) ? 5 : n;
    const int from = i - random_below(random, far < i + 1 ? far : i + 1);
    for (int j = 0; j <= i; j++) {
      *matrix_at(A, lda, i, j) = j < from ? 0.0 : j < i ? random_between(random, -1.0, 1.0) : 2.0 * n;
    }
  }
}

/* Factor and solution as they stand in a textbook, each sum from its first term to its last. */
static void factor_plainly(int n, double *L, int ldl)
{
  for (int j = 0; j < n; j++) {
    double inverse = 0.0;
    for (int i = j; i < n; i++) {
      double s = *matrix_at(L, ldl, i, j);
      for (int k = 0; k < j; k++) {
        s -= *matrix_at(L, ldl, i, k) * *matrix_at(L, ldl, j, k);
      }
      inverse = i == j ? 1.0 / sqrt(s) : inverse;
      *matrix_at(L, ldl, i, j) = i == j ? sqrt(s) : s * inverse;
    }
  }
}

START_TEST(what_is_zero_changes_no_bit)
{
  static double A[space], L[space];
  const int cases = random_cases(1000);
  for (int seed = 0; seed < cases; seed++) {
    matrix_case c = matrix_case_of(seed);
    double x[2][matrix_longest];
    int first[2][matrix_longest], failed = -1, begins = c.n ? random_below(&c.random, c.n) : 0;
    fill_thin(&c.random, c.n, A, c.lda);
    memcpy(L, A, sizeof L);
    const double size = nsd_cholesky_envelope(c.n, A, c.lda, first[0]);
    REQUIRE(size == plain_cholesky_envelope(c.n, A, c.lda, first[1]));
    ck_assert_int_eq(nsd_cholesky_factor(c.n, A, c.lda, &failed), NSDYN_OK);
    factor_plainly(c.n, L, c.lda);
    double count = 0.0;
    for (int i = 0; i < c.n; i++) {
      REQUIRE(first[0][i / 4] == first[1][i / 4] && first[0][i / 4] % 4 == 0);
      for (int j = 0; j <= i; j++) {
        const double l = *matrix_at(A, c.lda, i, j);
        count += l != 0.0;
        REQUIRE(l == *matrix_at(L, c.lda, i, j), "seed %d: row %d, column %d", seed, i, j);
        REQUIRE(j >= first[0][i / 4] || l == 0.0);
      }
      x[0][i] = x[1][i] = i < begins || random_below(&c.random, 3) ? 0.0 : random_normal(&c.random);
    }
    REQUIRE(count <= size);
    nsd_cholesky_forward(c.n, A, c.lda, 1, x[0], c.n);
    (seed % 2 ? nsd_cholesky_forward_within : plain_cholesky_forward_within)(c.n, A, c.lda, first[0], x[1]);
    for (int i = 0; i < c.n; i++) {
      REQUIRE(x[0][i] == x[1][i], "seed %d: x[%d] is %a and %a", seed, i, x[0][i], x[1][i]);
    }
  }
}
END_TEST

START_TEST(agrees_with_gsl)
{
  double A[matrix_longest * matrix_longest], L[matrix_longest * matrix_longest];
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    if (c.n == 0) {
      continue;
    }
    fill_gram(&c.random, 2 * c.n, c.n, A, c.n);
    memcpy(L, A, sizeof A);
    gsl_matrix_view view = gsl_matrix_view_array(A, (size_t)c.n, (size_t)c.n);
    ck_assert_int_eq(nsd_cholesky_factor(c.n, L, c.n, NULL), NSDYN_OK);
    gsl_linalg_cholesky_decomp1(&view.matrix);
    for (int i = 0; i < c.n; i++) {
      for (int j = 0; j <= i; j++) {
        ck_assert_double_eq_tol(L[i * c.n + j], A[i * c.n + j], 1e-9 * sqrt(c.n));
      }
    }
  }
}
END_TEST

/* A Gram matrix of vectors that depend on each other is singular but for its rounding errors; it is
 * refused whatever its rank, and in any units. */
START_TEST(singular_gram_matrices_are_refused)
{
  double A[matrix_longest * matrix_longest], d[matrix_longest];
  const int repeats = random_cases(40);
  for (int size = 1; size < matrix_size_count; size++) {
    const int n = matrix_sizes[size];
    for (int k = 0; k < n * repeats; k++) {
      random_state random = random_seed((uint64_t)k + 100000u * (uint64_t)n);
      const int rank = k % n;
      int failed = -1;
      fill_gram(&random, rank, n, A, n);
      for (int i = 0; i < n; i++) {
        d[i] = k / n % 2 ? random_scale(&random, 6.0) : 1.0;
      }
      scale(n, A, n, d);
      const nsdyn_status status = nsd_cholesky_factor(n, A, n, &failed);
      REQUIRE(status == NSDYN_ERR_NOT_DEFINITE, "n %d, rank %d, case %d: %s", n, rank, k,
              nsdyn_status_name(status));
      REQUIRE(failed >= rank && failed < n, "n %d, rank %d: pivot %d", n, rank, failed);
    }
  }
}
END_TEST

/* With one negative eigenvalue the pivot that fails is the one whose leading block is the first with a
 * negative determinant. */
START_TEST(says_which_pivot_failed)
{
  static double A[space];
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    if (c.n == 0) {
      continue;
    }
    const int at = random_below(&c.random, c.n);
    int failed = -1;
    fill_definite(&c.random, k, c.n, A, c.lda);
    A[at * c.lda + at] = k % 3 ? -A[at * c.lda + at] : 0.0;
    ck_assert_int_eq(nsd_cholesky_factor(c.n, A, c.lda, &failed), NSDYN_ERR_NOT_DEFINITE);
    ck_assert_int_eq(failed, at);
  }
}
END_TEST

/* The largest scaled condition that passes: a pair of almost parallel vectors, in units 1e±12 apart. */
START_TEST(nearly_singular_is_still_definite)
{
  for (int unit = -12; unit <= 12; unit++) {
    const double d = pow(10.0, unit), c = 1.0 - 1e-13;
    double A[] = {1.0, 0.0, d * c, d * d};
    ck_assert_int_eq(nsd_cholesky_factor(2, A, 2, NULL), NSDYN_OK);
    double B[] = {1.0, 0.0, d, d * d};
    int failed = -1;
    ck_assert_int_eq(nsd_cholesky_factor(2, B, 2, &failed), NSDYN_ERR_NOT_DEFINITE);
    ck_assert_int_eq(failed, 1);
  }
}
END_TEST

/* A := the identity, but for a pair of rows i > j with the product 1 − delta. */
static void fill_pair(int n, int i, int j, double delta, double *A)
{
  for (int k = 0; k < n * n; k++) {
    A[k] = k / n == k % n ? 1.0 : 0.0;
  }
  A[i * n + j] = 1.0 - delta;
}

/* The smallest eigenvalue is delta: 16 n 2^-52 divides what is definite from what is noise. Beyond pivot 512
 * only the pivot is looked at, 2 delta. All of these numbers are exact. */
START_TEST(noise_begins_where_promised)
{
  static const int sizes[] = {2, 3, 4, 5, 8, 60};
  static double A[space];
  for (int size = 0; size < (int)(sizeof sizes / sizeof *sizes); size++) {
    const int n = sizes[size];
    const double noise = 16.0 * n * DBL_EPSILON;
    for (int i = 1; i < n; i++) {
      int failed = -1;
      fill_pair(n, i, i / 2, noise + DBL_EPSILON, A);
      ck_assert_int_eq(nsd_cholesky_factor(n, A, n, NULL), NSDYN_OK);
      fill_pair(n, i, i / 2, noise - DBL_EPSILON, A);
      ck_assert_int_eq(nsd_cholesky_factor(n, A, n, &failed), NSDYN_ERR_NOT_DEFINITE);
      ck_assert_int_eq(failed, i);
    }
  }
}
END_TEST

START_TEST(noise_of_a_long_matrix)
{
  enum { n = 520 };
  static const double noise = 16.0 * n * DBL_EPSILON;
  static const struct {
    int row;
    double delta;
    nsdyn_status status;
  } cases[] = {
      {512, noise + DBL_EPSILON, NSDYN_OK},       {512, noise - DBL_EPSILON, NSDYN_ERR_NOT_DEFINITE},
      {513, noise - DBL_EPSILON, NSDYN_OK},       {513, 0.5 * noise + DBL_EPSILON, NSDYN_OK},
      {519, 0.5 * noise + DBL_EPSILON, NSDYN_OK}, {513, 0.5 * noise - DBL_EPSILON, NSDYN_ERR_NOT_DEFINITE},
  };
  double *A = malloc(sizeof *A * n * n);
  for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
    fill_pair(n, cases[k].row, 3, cases[k].delta, A);
    ck_assert_msg(nsd_cholesky_factor(n, A, n, NULL) == cases[k].status, "case %d", k);
  }
  free(A);
}
END_TEST

/* Two rows that are parallel but for 2^-40, and a third along what little they differ by, so that its pivot
 * is p: no noise above 2^-20, noise below it. */
START_TEST(large_pivots_are_no_noise)
{
  for (int power = -30; power <= -10; power++) {
    if (power == -20) {
      continue;
    }
    const double p = ldexp(1.0, power), b = sqrt((1.0 - p) * 0x1p-41);
    double A[] = {1.0, 0.0, 0.0, 1.0 - 0x1p-40, 1.0, 0.0, b, -b, 1.0};
    int failed = -1;
    ck_assert_int_eq(nsd_cholesky_factor(3, A, 3, &failed), power > -20 ? NSDYN_OK : NSDYN_ERR_NOT_DEFINITE);
    ck_assert_int_eq(failed, power > -20 ? -1 : 2);
  }
}
END_TEST

/* So long that the test for noise does without its vector: the refusal of a plain dependent row stays. */
START_TEST(long_matrices)
{
  enum { n = 600 };
  double *A = malloc(sizeof *A * n * n);
  for (int dependent = 0; dependent < 2; dependent++) {
    int failed = -1;
    for (int i = 0; i < n * n; i++) {
      A[i] = i / n == i % n ? 2.0 : i / n - i % n == 1 || i % n - i / n == 1 ? -1.0 : 0.0;
    }
    for (int j = 0; j < n && dependent; j++) {
      A[(n - 1) * n + j] = A[2 * n + j]; /* the last row and column are the third ones */
    }
    A[n * n - 1] = 2.0;
    ck_assert_int_eq(nsd_cholesky_factor(n, A, n, &failed), dependent ? NSDYN_ERR_NOT_DEFINITE : NSDYN_OK);
    REQUIRE(!dependent || failed == n - 1);
  }
  free(A);
}
END_TEST

START_TEST(not_finite_at_every_place)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  double A[24 * 24];
  for (int size = 1; matrix_sizes[size] <= 24; size++) {
    const int n = matrix_sizes[size];
    for (int at = 0; at < n * n; at++) {
      for (int k = 0; k < 6; k++) {
        random_state random = random_seed((uint64_t)at);
        int failed = -1;
        fill_gram(&random, k < 3 ? 2 * n : n / 2, n, A, n); /* definite and not */
        A[at] = bad[k % 3];
        const nsdyn_status status = nsd_cholesky_factor(n, A, n, &failed);
        if (at % n > at / n) { /* the upper triangle is not read */
          ck_assert_int_eq(status, k < 3 ? NSDYN_OK : NSDYN_ERR_NOT_DEFINITE);
        } else {
          ck_assert_int_eq(status, NSDYN_ERR_NOT_FINITE);
          ck_assert_int_eq(failed, at / n);
        }
      }
    }
  }
}
END_TEST

START_TEST(overflow_on_the_way_is_not_finite)
{
  double A[] = {1e-300, 0.0, 1e300, 1.0};
  int failed = -1;
  ck_assert_int_eq(nsd_cholesky_factor(2, A, 2, &failed), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(failed, 1);
}
END_TEST

START_TEST(nothing_of_nothing)
{
  ck_assert_int_eq(nsd_cholesky_factor(0, NULL, 0, NULL), NSDYN_OK);
  nsd_cholesky_solve(0, NULL, 0, 2, NULL, 3);
  nsd_cholesky_forward(0, NULL, 0, 2, NULL, 3);
  nsd_cholesky_backward(0, NULL, 0, 2, NULL, 3);
}
END_TEST

SUITE("base/kernels/cholesky", TEST(factors_multiply_to_the_matrix), TEST(solutions_solve),
      TEST(each_half_solves_its_triangle), TEST(variants_agree_to_the_bit), TEST(what_is_zero_changes_no_bit),
      TEST(agrees_with_gsl), TEST(singular_gram_matrices_are_refused), TEST(says_which_pivot_failed),
      TEST(nearly_singular_is_still_definite), TEST(noise_begins_where_promised),
      TEST(noise_of_a_long_matrix), TEST(large_pivots_are_no_noise), TEST(long_matrices),
      TEST(not_finite_at_every_place), TEST(overflow_on_the_way_is_not_finite), TEST(nothing_of_nothing))
