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
#define nsd_lu_factor plain_lu_factor
#define nsd_lu_factor_asking plain_lu_factor_asking
#define nsd_lu_solve plain_lu_solve
#define nsd_lu_solve_asking plain_lu_solve_asking
#define nsd_lu_solve_transposed plain_lu_solve_transposed
#define nsd_lu_rcond plain_lu_rcond
nsdyn_status plain_lu_factor(int n, double *A, int lda, int *perm, nsd_lu_info *info);
nsdyn_status plain_lu_factor_asking(int n, double *A, int lda, int *perm, nsd_lu_info *info, nsd_poll *poll);
void plain_lu_solve(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx);
void plain_lu_solve_asking(int n, const double *LU, int lda, const int *perm, double *x, nsd_poll *poll);
void plain_lu_solve_transposed(int n, const double *LU, int lda, const int *perm, int nrhs, double *X,
                               int ldx);
double plain_lu_rcond(int n, const double *LU, int lda, const int *perm, double norm, double *work);
/* NOLINTNEXTLINE(bugprone-suspicious-include): that is the point */
#include "base/kernels/lu.c"
#undef nsd_cpu_avx2
#undef nsd_lu_factor
#undef nsd_lu_factor_asking
#undef nsd_lu_solve
#undef nsd_lu_solve_asking
#undef nsd_lu_solve_transposed
#undef nsd_lu_rcond

enum { space = matrix_longest * matrix_stride };

/* The interchanges, applied to the n rows of A. */
static void permute(int n, int cols, double *A, int lda, const int *perm)
{
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < cols; j++) {
      const double t = *matrix_at(A, lda, k, j);
      *matrix_at(A, lda, k, j) = *matrix_at(A, lda, perm[k], j);
      *matrix_at(A, lda, perm[k], j) = t;
    }
  }
}

/* (L U)_ij and (|L| |U|)_ij */
static long double of_factors(int n, const double *LU, int lda, int i, int j, long double *magnitude)
{
  long double sum = 0.0L;
  *magnitude = 0.0L;
  for (int k = 0; k < n && k <= i && k <= j; k++) {
    const long double l = k == i ? 1.0L : LU[i * lda + k];
    const long double product = l * LU[k * lda + j];
    sum += product;
    *magnitude += fabsl(product);
  }
  return sum;
}

/* |P A − L U| ≤ n 2^-52 |L| |U|, element by element (Higham, thm. 9.3). */
START_TEST(factors_multiply_to_the_matrix)
{
  static double A[space], LU[space];
  int perm[matrix_longest];
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    nsd_lu_info info;
    matrix_fill(&c.random, c.kind, c.n, A, c.lda);
    memcpy(LU, A, sizeof A);
    const nsdyn_status status = nsd_lu_factor(c.n, LU, c.lda, perm, &info);
    if (c.kind == matrix_sparse && status == NSDYN_ERR_SINGULAR) {
      continue;
    }
    REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_status_name(status));
    REQUIRE(matrix_padding_intact(c.n, c.n, LU, c.lda));
    permute(c.n, c.n, A, c.lda, perm);
    double a = 0.0, u = 0.0;
    for (int i = 0; i < c.n; i++) {
      REQUIRE(i <= perm[i] && perm[i] < c.n);
      for (int j = 0; j < c.n; j++) {
        long double magnitude;
        const long double product = of_factors(c.n, LU, c.lda, i, j, &magnitude);
        const long double error = fabsl(product - A[i * c.lda + j]);
        REQUIRE(error <= c.n * (DBL_EPSILON * magnitude + 0x1p-1074L), "case %d at %d, %d: %Lg of %Lg", k, i,
                j, error, magnitude);
        REQUIRE(j >= i || fabs(LU[i * c.lda + j]) <= 1.0);
        a = fmax(a, fabs(A[i * c.lda + j]));
        u = j >= i ? fmax(u, fabs(LU[i * c.lda + j])) : u;
      }
    }
    REQUIRE(c.n == 0 ? info.growth == 1.0 : info.growth == fmax(1.0, u / a));
    REQUIRE(info.margin > 0.0 && info.margin <= 1.0);
  }
}
END_TEST

/* |L| |U|, in double the precision that the bounds need. */
static void magnitudes(int n, const double *LU, int lda, long double *bound)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      of_factors(n, LU, lda, i, j, &bound[i * n + j]);
    }
  }
}

/* One right-hand side, P applied to A and to b (to x where transposed):
 * |b − A x| ≤ 3 n 2^-52 |L| |U| |x| (Higham, thm. 9.4); A^T likewise. */
static void check_residual(int n, const double *A, int lda, const long double *bound, const double *x,
                           const double *b, int transposed)
{
  for (int i = 0; i < n; i++) {
    long double residual = b[i], allowed = 0.0L;
    for (int j = 0; j < n; j++) {
      const int at = transposed ? j * n + i : i * n + j;
      const double a = transposed ? A[j * lda + i] : A[i * lda + j];
      residual -= (long double)a * x[j];
      allowed += bound[at] * (fabsl((long double)x[j]) + 0x1p-1022L);
    }
    REQUIRE(fabsl(residual) <= 3 * n * (DBL_EPSILON * allowed + 0x1p-1074L), "row %d of %d: %Lg of %Lg", i, n,
            residual, allowed);
  }
}

START_TEST(solutions_solve)
{
  static double A[space], LU[space];
  static long double bound[matrix_longest * matrix_longest];
  double X[3 * matrix_stride], B[3 * matrix_stride];
  int perm[matrix_longest];
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    matrix_fill(&c.random, c.kind, c.n, A, c.lda);
    memcpy(LU, A, sizeof A);
    if (nsd_lu_factor(c.n, LU, c.lda, perm, NULL) != NSDYN_OK) {
      continue;
    }
    const int nrhs = random_below(&c.random, 4), transposed = random_below(&c.random, 2);
    for (int i = 0; i < 3 * matrix_stride; i++) {
      X[i] = B[i] = random_normal(&c.random);
    }
    (transposed ? nsd_lu_solve_transposed : nsd_lu_solve)(c.n, LU, c.lda, perm, nrhs, X, matrix_stride);
    magnitudes(c.n, LU, c.lda, bound);
    permute(c.n, c.n, A, c.lda, perm);
    for (int r = 0; r < 3; r++) {
      double *x = X + r * matrix_stride, *b = B + r * matrix_stride;
      const int length = r < nrhs ? c.n : 0;
      ck_assert_mem_eq(x + length, b + length, sizeof *x * (size_t)(matrix_stride - length));
      permute(length, 1, transposed ? x : b, 1, perm);
      check_residual(length, A, c.lda, bound, x, b, transposed);
    }
  }
}
END_TEST

/* Each right-hand side is solved as if it were alone, whatever the strides. */
START_TEST(right_hand_sides_do_not_meet)
{
  static double A[space], packed[space];
  double X[4 * matrix_stride], alone[matrix_stride];
  int perm[matrix_longest], perm_packed[matrix_longest];
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    matrix_fill(&c.random, c.kind, c.n, A, c.lda);
    for (int i = 0; i < c.n * c.n; i++) {
      packed[i] = A[i / c.n * c.lda + i % c.n];
    }
    const nsdyn_status status = nsd_lu_factor(c.n, A, c.lda, perm, NULL);
    ck_assert_int_eq(status, nsd_lu_factor(c.n, packed, c.n, perm_packed, NULL));
    for (int i = 0; i < 4 * matrix_stride; i++) {
      X[i] = random_normal(&c.random);
    }
    const int transposed = random_below(&c.random, 2);
    for (int r = 0; r < 4 && status == NSDYN_OK; r++) {
      memcpy(alone, X + r * matrix_stride, sizeof alone);
      (transposed ? nsd_lu_solve_transposed : nsd_lu_solve)(c.n, packed, c.n, perm_packed, 1, alone, c.n);
      (transposed ? nsd_lu_solve_transposed : nsd_lu_solve)(c.n, A, c.lda, perm, 4 - r, X + r * matrix_stride,
                                                            matrix_stride);
      ck_assert_mem_eq(alone, X + r * matrix_stride, sizeof alone);
    }
  }
}
END_TEST

/* With AVX2 and without, each remainder of four: the same bits of L, U, info and solutions. */
START_TEST(variants_agree_to_the_bit)
{
  static double A[space], B[space];
  double x[matrix_longest], y[matrix_longest];
  int perm[matrix_longest] = {0}, perm_b[matrix_longest] = {0};
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    nsd_lu_info info, info_b;
    memset(&info, 0, sizeof info);
    memset(&info_b, 0, sizeof info_b);
    matrix_fill(&c.random, c.kind, c.n, A, c.lda);
    memcpy(B, A, sizeof B);
    const nsdyn_status status = nsd_lu_factor(c.n, A, c.lda, perm, &info);
    ck_assert_int_eq(status, plain_lu_factor(c.n, B, c.lda, perm_b, &info_b));
    for (int i = 0; i < c.n; i++) {
      REQUIRE(memcmp(A + i * c.lda, B + i * c.lda, sizeof *A * (size_t)c.n) == 0, "case %d, row %d", k, i);
      x[i] = y[i] = random_normal(&c.random);
    }
    REQUIRE(info.margin == info_b.margin && info.growth == info_b.growth && info.column == info_b.column);
    if (status == NSDYN_OK) {
      REQUIRE(memcmp(perm, perm_b, sizeof *perm * (size_t)c.n) == 0);
      nsd_lu_solve(c.n, A, c.lda, perm, 1, x, c.n);
      plain_lu_solve(c.n, B, c.lda, perm_b, 1, y, c.n);
      REQUIRE(memcmp(x, y, sizeof *x * (size_t)c.n) == 0, "case %d", k);
    }
  }
}
END_TEST

/* ‖A^-1‖_1 ‖A‖_1 from the columns of the inverse. */
static double condition(int n, const double *LU, int lda, const int *perm, double norm)
{
  double x[matrix_longest], largest = 0.0;
  for (int j = 0; j < n; j++) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      x[i] = i == j ? norm : 0.0;
    }
    nsd_lu_solve(n, LU, lda, perm, 1, x, n);
    for (int i = 0; i < n; i++) {
      sum += fabs(x[i]);
    }
    largest = fmax(largest, sum);
  }
  return largest;
}

/* Another code, the same answer, as far as the condition of the problem lets two codes agree. */
START_TEST(agrees_with_gsl)
{
  double A[matrix_longest * matrix_longest], LU[matrix_longest * matrix_longest], x[matrix_longest],
      b[matrix_longest], y[matrix_longest];
  int perm[matrix_longest];
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    const int n = c.n;
    matrix_fill(&c.random, c.kind, n, A, n);
    memcpy(LU, A, sizeof A);
    const double norm = nsd_matrix_norm_1(n, n, A, n);
    if (n == 0 || nsd_lu_factor(n, LU, n, perm, NULL) != NSDYN_OK) {
      continue;
    }
    for (int i = 0; i < n; i++) {
      x[i] = b[i] = random_normal(&c.random);
    }
    nsd_lu_solve(n, LU, n, perm, 1, x, n);
    const double cond = condition(n, LU, n, perm, norm);
    gsl_matrix_view gsl_A = gsl_matrix_view_array(A, (size_t)n, (size_t)n);
    gsl_vector_view gsl_b = gsl_vector_view_array(b, (size_t)n), gsl_y = gsl_vector_view_array(y, (size_t)n);
    gsl_permutation *p = gsl_permutation_alloc((size_t)n);
    int sign;
    gsl_linalg_LU_decomp(&gsl_A.matrix, p, &sign);
    gsl_linalg_LU_solve(&gsl_A.matrix, p, &gsl_b.vector, &gsl_y.vector);
    gsl_permutation_free(p);
    const double size = nsd_norm_inf(n, x);
    for (int i = 0; i < n; i++) {
      REQUIRE(fabs(x[i] - y[i]) <= 4 * n * DBL_EPSILON * cond * size, "case %d: %g, GSL %g, condition %g", k,
              x[i], y[i], cond);
    }
  }
}
END_TEST

/* Products of small integers are exact, so these matrices have rank r exactly. */
static void fill_of_rank(random_state *random, int n, int r, double *A)
{
  int left[matrix_longest][matrix_longest], right[matrix_longest][matrix_longest];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < r; k++) {
      left[i][k] = random_below(random, 19) - 9;
      right[k][i] = random_below(random, 19) - 9;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int k = 0; k < r; k++) {
        sum += left[i][k] * right[k][j];
      }
      A[i * n + j] = sum;
    }
  }
}

/* A singular matrix is refused, or only rounding errors make it regular: the condition always says so,
 * and the margin but for the few cases where the leading block is itself close to singular. Other
 * units of rows and columns do not hide it. */
START_TEST(singular_of_every_rank)
{
  double A[matrix_longest * matrix_longest], work[2 * matrix_longest];
  int perm[matrix_longest], tried = 0, missed = 0;
  const int repeats = random_cases(20);
  for (int size = 1; size < matrix_size_count; size++) {
    const int n = matrix_sizes[size];
    for (int k = 0; k < n * repeats; k++) {
      random_state random = random_seed((uint64_t)k);
      const int scaled = k / n % 2;
      fill_of_rank(&random, n, k % n, A);
      for (int i = 0; i < n && scaled; i++) {
        const double unit = ldexp(1.0, random_below(&random, 81) - 40);
        for (int j = 0; j < n; j++) {
          A[i * n + j] *= unit;
          A[j * n + i] *= unit;
        }
      }
      nsd_lu_info info;
      const double norm = nsd_matrix_norm_1(n, n, A, n);
      const nsdyn_status status = nsd_lu_factor(n, A, n, perm, &info);
      REQUIRE(status == NSDYN_OK || status == NSDYN_ERR_SINGULAR);
      REQUIRE(0 <= info.column && info.column < n && (status == NSDYN_OK) == (info.margin > 0.0));
      if (status == NSDYN_OK) {
        const double rcond = nsd_lu_rcond(n, A, n, perm, norm, work);
        REQUIRE(scaled || rcond <= n * DBL_EPSILON, "n %d, case %d: condition %g", n, k, rcond);
      }
      tried++;
      missed += info.margin > 2 * n * DBL_EPSILON;
      REQUIRE(info.margin <= 1e-9, "n %d, case %d: margin %g", n, k, info.margin);
    }
  }
  REQUIRE(missed <= tried / 50 + 1, "%d of %d have a margin above rounding", missed, tried);
}
END_TEST

START_TEST(repeated_rows_and_empty_columns_are_singular)
{
  double A[matrix_longest * matrix_longest];
  int perm[matrix_longest];
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    if (c.n < 2) {
      continue;
    }
    matrix_fill(&c.random, c.kind, c.n, A, c.n);
    const int from = random_below(&c.random, c.n), to = (from + 1 + random_below(&c.random, c.n - 1)) % c.n;
    const int empty = random_below(&c.random, 2);
    for (int j = 0; j < c.n; j++) {
      A[to * c.n + j] = empty ? A[to * c.n + j] : (k % 2 ? -1.0 : 1.0) * A[from * c.n + j];
      A[j * c.n + to] = empty ? 0.0 : A[j * c.n + to];
    }
    nsd_lu_info info;
    ck_assert_int_eq(nsd_lu_factor(c.n, A, c.n, perm, &info), NSDYN_ERR_SINGULAR);
    REQUIRE(info.margin == 0.0 && info.growth >= 1.0);
    REQUIRE(c.kind == matrix_sparse || info.column == (empty ? to : c.n - 1));
  }
}
END_TEST

static void fill_dominant(random_state *random, int n, double *A, int lda)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < lda; j++) {
      A[i * lda + j] = random_between(random, -1.0, 1.0) / n + (i == j ? 3.0 : 0.0);
    }
  }
}

/* Other units of the columns change nothing: not a bit of L, of the margin. Other units of the rows
 * change the order of the pivots, but what is far from singular stays so. */
START_TEST(margin_has_no_unit)
{
  static double A[space], B[space], C[space];
  int perm[matrix_longest] = {0}, perm_b[matrix_longest] = {0};
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    nsd_lu_info info, info_b;
    double unit[matrix_longest];
    fill_dominant(&c.random, c.n, A, c.lda);
    for (int i = 0; i < c.n; i++) {
      unit[i] = ldexp(1.0, random_below(&c.random, 801) - 400);
    }
    for (int i = 0; i < c.n * c.lda; i++) {
      B[i] = i % c.lda < c.n ? A[i] * unit[i % c.lda] : 0.0;
      C[i] = A[i] * unit[i / c.lda];
    }
    ck_assert_int_eq(nsd_lu_factor(c.n, A, c.lda, perm, &info), NSDYN_OK);
    ck_assert_int_eq(nsd_lu_factor(c.n, B, c.lda, perm_b, &info_b), NSDYN_OK);
    REQUIRE(info.margin == info_b.margin && info.column == info_b.column);
    REQUIRE(info.margin > 0.3, "case %d: %g", k, info.margin);
    ck_assert_mem_eq(perm, perm_b, sizeof *perm * (size_t)c.n);
    for (int i = 0; i < c.n; i++) {
      for (int j = 0; j < c.n; j++) {
        REQUIRE(B[i * c.lda + j] == (j < i ? 1.0 : unit[j]) * A[i * c.lda + j]);
      }
    }
    ck_assert_int_eq(nsd_lu_factor(c.n, C, c.lda, perm, &info_b), NSDYN_OK);
    REQUIRE(info_b.margin > 1e-7, "case %d: %g", k, info_b.margin);
  }
}
END_TEST

/* l = a/p to two roundings, with pivots from the smallest double to the largest. */
START_TEST(multipliers_of_every_size)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int power = k % 3 == 0   ? random_below(&random, 2098) - 1074
                      : k % 3 == 1 ? 1022 + k % 2
                                   : -1074 + k % 60;
    const double p = ldexp(1.0 + random_unit(&random), power);
    const double a = p * random_between(&random, -1.0, 1.0);
    double A[] = {p, 0.0, a, p};
    int perm[2];
    ck_assert_int_eq(nsd_lu_factor(2, A, 2, perm, NULL), NSDYN_OK);
    const long double l = (long double)a / p;
    REQUIRE(fabsl(A[2] - l) <= 1.001L * DBL_EPSILON * fabsl(l), "case %d: %a / %a is not %a", k, a, p, A[2]);
  }
}
END_TEST

/* The bound of the first test where all numbers are denormal, and where they are next to the largest. */
START_TEST(factors_at_the_ends_of_the_range)
{
  static double A[space], LU[space];
  int perm[matrix_longest];
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    nsd_lu_info info;
    fill_dominant(&c.random, c.n, A, c.lda);
    for (int i = 0; i < c.n * c.lda; i++) {
      A[i] = ldexp(A[i], k / 2 % 2 ? 1021 : -1060);
    }
    memcpy(LU, A, sizeof A);
    ck_assert_int_eq(nsd_lu_factor(c.n, LU, c.lda, perm, &info), NSDYN_OK);
    REQUIRE(info.margin > 0.3 && info.margin <= 1.0 && info.growth < 2.0, "case %d: %g", k, info.margin);
    permute(c.n, c.n, A, c.lda, perm);
    for (int i = 0; i < c.n; i++) {
      for (int j = 0; j < c.n; j++) {
        long double magnitude;
        const long double error = fabsl(of_factors(c.n, LU, c.lda, i, j, &magnitude) - A[i * c.lda + j]);
        REQUIRE(error <= c.n * (DBL_EPSILON * magnitude + 0x1p-1074L), "case %d at %d, %d: %Lg of %Lg", k, i,
                j, error, magnitude);
      }
    }
  }
}
END_TEST

/* A regular matrix with margin 0: u_11 = 2^-1060 beside a 2 is all that is left. */
START_TEST(margin_of_a_pivot_that_underflows)
{
  double A[] = {2.0, 0x1p-1040, 1.0, 0x1p-1041 + 0x1p-1060}, x[] = {2.0 + 0x1p-1040, 1.0};
  int perm[2];
  nsd_lu_info info;
  ck_assert_int_eq(nsd_lu_factor(2, A, 2, perm, &info), NSDYN_OK);
  REQUIRE(info.margin == 0.0 && info.column == 1 && info.growth == 1.0);
  nsd_lu_solve(2, A, 2, perm, 1, x, 2);
  REQUIRE(x[0] == 1.0 && x[1] == 0.0);
}
END_TEST

START_TEST(not_finite_at_every_place)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  double A[24 * 24];
  int perm[24];
  for (int size = 0; matrix_sizes[size] <= 24; size++) {
    const int n = matrix_sizes[size];
    for (int at = 0; at < n * n; at++) {
      for (int k = 0; k < 6; k++) {
        random_state random = random_seed((uint64_t)at);
        matrix_fill(&random, k < 3 ? matrix_normal : matrix_sparse, n, A, n);
        if (k == 4) {
          memset(A, 0, sizeof A);
        }
        A[at] = bad[k % 3];
        nsd_lu_info info = {7.0, 7.0, 7};
        ck_assert_int_eq(nsd_lu_factor(n, A, n, perm, k % 2 ? &info : NULL), NSDYN_ERR_NOT_FINITE);
        REQUIRE(info.growth == 7.0 && info.margin == 7.0 && info.column == 7);
      }
    }
  }
}
END_TEST

START_TEST(overflow_on_the_way_is_not_finite)
{
  double A[] = {1.0, DBL_MAX, -1.0, DBL_MAX};
  double largest[] = {DBL_MAX, DBL_MAX, DBL_MAX, 0.0};
  int perm[2];
  nsd_lu_info info;
  ck_assert_int_eq(nsd_lu_factor(2, A, 2, perm, &info), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsd_lu_factor(2, largest, 2, perm, &info), NSDYN_OK);
  REQUIRE(info.growth == 1.0 && info.margin == 0.5 && info.column == 1);
}
END_TEST

/* Wilkinson's matrix: the element in the corner doubles in each step. */
START_TEST(growth_of_the_worst_case)
{
  double A[24 * 24];
  int perm[24];
  nsd_lu_info info;
  for (int n = 2; n <= 24; n++) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        A[i * n + j] = j == n - 1 || i == j ? 1.0 : j < i ? -1.0 : 0.0;
      }
    }
    ck_assert_int_eq(nsd_lu_factor(n, A, n, perm, &info), NSDYN_OK);
    REQUIRE(info.growth == ldexp(1.0, n - 1));
  }
}
END_TEST

/* The estimate is no lower than the truth, and seldom far above it, at every scale of the matrix. */
START_TEST(condition_estimate)
{
  static double A[space];
  double work[2 * matrix_longest];
  int perm[matrix_longest], far = 0, tried = 0;
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    matrix_case c = matrix_case_of(k);
    matrix_fill(&c.random, c.kind, c.n, A, c.lda);
    const double norm = nsd_matrix_norm_1(c.n, c.n, A, c.lda);
    if (nsd_lu_factor(c.n, A, c.lda, perm, NULL) != NSDYN_OK || c.n == 0) {
      continue;
    }
    const double rcond = nsd_lu_rcond(c.n, A, c.lda, perm, norm, work);
    const double truth = 1.0 / condition(c.n, A, c.lda, perm, norm);
    REQUIRE(rcond >= 0.999999 * truth && rcond <= 1.0, "case %d: %g, truly %g", k, rcond, truth);
    tried++;
    far += rcond > 10.0 * truth;
    REQUIRE(rcond <= 1000.0 * truth, "case %d: %g, truly %g", k, rcond, truth);
  }
  REQUIRE(far <= tried / 100, "%d of %d are far off", far, tried);
}
END_TEST

/* A = I − t u v^T, v^T u = 0, so that A^-1 = I + t u v^T; as the sums of u and of v and v_0 are zero too,
 * Hager's climb starts on level ground and sees an inverse of norm 1. */
START_TEST(condition_that_hides_from_the_climb)
{
  static const double u[4] = {1.0, 0.0, 0.0, -1.0}, v[4] = {0.0, 1.0, -1.0, 0.0};
  double A[8 * 8], work[16];
  int perm[8];
  for (int n = 4; n <= 8; n += 4) {
    for (int power = 1; power <= 20; power++) {
      const double t = ldexp(1.0, power), norm = 1.0 + 2.0 * t; /* of A^-1 too */
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          A[i * n + j] = (i == j ? 1.0 : 0.0) - (i < 4 && j < 4 ? t * u[i] * v[j] : 0.0);
        }
      }
      REQUIRE(norm == nsd_matrix_norm_1(n, n, A, n));
      ck_assert_int_eq(nsd_lu_factor(n, A, n, perm, NULL), NSDYN_OK);
      const double rcond = nsd_lu_rcond(n, A, n, perm, norm, work), truth = 1.0 / (norm * norm);
      REQUIRE(rcond >= truth && rcond <= 10.0 * truth, "n %d, t %g: %g, truly %g", n, t, rcond, truth);
    }
  }
}
END_TEST

START_TEST(condition_estimate_at_the_edge)
{
  double work[4], one[] = {3e-310}, diagonal[] = {1.0, 0.0, 0.0, 1e-320};
  int perm[] = {0, 1};
  REQUIRE(nsd_lu_rcond(0, NULL, 1, NULL, 0.0, work) == 1.0);
  REQUIRE(nsd_lu_rcond(1, one, 1, perm, 3e-310, work) == 1.0);
  REQUIRE(nsd_lu_rcond(1, one, 1, perm, 0.0, work) == 0.0);
  REQUIRE(nsd_lu_rcond(1, one, 1, perm, NAN, work) == 0.0);
  REQUIRE(nsd_lu_rcond(1, one, 1, perm, INFINITY, work) == 0.0);
  REQUIRE(nsd_lu_rcond(2, diagonal, 2, perm, 1.0, work) == 0.0);
}
END_TEST

START_TEST(nothing_of_nothing)
{
  nsd_lu_info info;
  ck_assert_int_eq(nsd_lu_factor(0, NULL, 0, NULL, &info), NSDYN_OK);
  REQUIRE(info.growth == 1.0 && info.margin == 1.0 && info.column == 0);
  nsd_lu_solve(0, NULL, 0, NULL, 2, NULL, 3);
  nsd_lu_solve_transposed(0, NULL, 0, NULL, 2, NULL, 3);
}
END_TEST

SUITE("base/kernels/lu", TEST(factors_multiply_to_the_matrix), TEST(solutions_solve),
      TEST(right_hand_sides_do_not_meet), TEST(variants_agree_to_the_bit), TEST(agrees_with_gsl),
      TEST(singular_of_every_rank), TEST(repeated_rows_and_empty_columns_are_singular),
      TEST(margin_has_no_unit), TEST(multipliers_of_every_size), TEST(factors_at_the_ends_of_the_range),
      TEST(margin_of_a_pivot_that_underflows), TEST(not_finite_at_every_place),
      TEST(overflow_on_the_way_is_not_finite), TEST(growth_of_the_worst_case), TEST(condition_estimate),
      TEST(condition_that_hides_from_the_climb), TEST(condition_estimate_at_the_edge),
      TEST(nothing_of_nothing))
