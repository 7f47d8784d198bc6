/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Golub & Van Loan, Matrix Computations, §7.4–7.5: H = Qᵀ A Q by Householder's reflections, then implicit
 * double shifts on the unreduced block that ends last, until it has one row or two. */
#include "study/eigenvalues.h"

#include <float.h>
#include <math.h>

#include "base/dense.h"

enum { PATIENCE = 120, UNUSUAL = 16 }; /* steps per eigenvalue; after so many a shift from nowhere */

static double *row(double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

/* ---- preparation --------------------------------------------------------------------------------------- */

/* The largest element becomes one in [1/2, 1); returns the exponent. */
static int normalize(int n, double *A, int lda)
{
  int exponent = 0;
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, nsd_norm_inf(n, row(A, lda, i)));
  }
  (void)frexp(most, &exponent);
  /* All by one power of two: nothing overflows on the way, and no bit is lost. */
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      row(A, lda, i)[j] = ldexp(row(A, lda, i)[j], -exponent);
    }
  }
  return exponent;
}

/* Row i by 1/f, column i by f, f a power of two, so that both weigh about the same. Returns whether it paid.
 */
static int balance_row(int n, double *A, int lda, int i)
{
  /* Sums of sizes of column i and row i without the diagonal. */
  double column = 0.0, across = 0.0, f = 1.0;
  for (int j = 0; j < n; j++) {
    if (j != i) {
      column += fabs(row(A, lda, j)[i]);
      across += fabs(row(A, lda, i)[j]);
    }
  }
  if (!(column > 0.0 && across > 0.0)) {
    return 0;
  }
  const double before = column + across;
  /* f with f · column about row / f, which is the least sum. */
  while (column * f < 0.5 * across / f) {
    f *= 2.0;
  }
  while (column * f >= 2.0 * across / f) {
    f *= 0.5;
  }
  /* Less than 5 per cent gained: not worth a sweep. */
  if (!(column * f + across / f < 0.95 * before)) {
    return 0;
  }
  for (int j = 0; j < n; j++) {
    row(A, lda, i)[j] /= f;
  }
  for (int j = 0; j < n; j++) {
    row(A, lda, j)[i] *= f;
  }
  return 1;
}

static void balance(int n, double *A, int lda)
{
  int pays = 1;
  for (int round = 0; pays && round < PATIENCE; round++) {
    pays = 0;
    for (int i = 0; i < n; i++) {
      pays |= balance_row(n, A, lda, i);
    }
  }
}

/* ---- reflections --------------------------------------------------------------------------------------- */

/* x := v with (1 − β v vᵀ) x = (±‖x‖, 0, …); returns β, 0 for x = 0. */
static double reflector(int n, double *x)
{
  const double length = nsd_norm_2(n, x);
  if (!(length > 0.0)) {
    return 0.0;
  }
  for (int i = 0; i < n; i++) {
    x[i] /= length;
  }
  /* The sign that does not cancel: v = x/‖x‖ ± e_1. */
  x[0] += x[0] < 0.0 ? -1.0 : 1.0;
  return 1.0 / fabs(x[0]); /* vᵀv = 2 |v_0| */
}

/* Rows `at` … of A, columns from … to, from the left. */
static void reflect_rows(int n, const double *v, double beta, double *A, int lda, int at, int from, int to)
{
  for (int j = from; j <= to; j++) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      sum += v[i] * row(A, lda, at + i)[j];
    }
    for (int i = 0; i < n; i++) {
      row(A, lda, at + i)[j] -= beta * sum * v[i];
    }
  }
}

/* Columns `at` … of A, rows from … to, from the right. */
static void reflect_columns(int n, const double *v, double beta, double *A, int lda, int at, int from, int to)
{
  for (int i = from; i <= to; i++) {
    double *a = row(A, lda, i) + at;
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
      sum += a[j] * v[j];
    }
    for (int j = 0; j < n; j++) {
      a[j] -= beta * sum * v[j];
    }
  }
}

/* To Hessenberg form. v (n) is scratch. */
static void reduce(int n, double *A, int lda, double *v)
{
  for (int k = 0; k + 2 < n; k++) {
    /* Column k below the subdiagonal becomes zero by a reflection of rows k + 1 …;
     * from both sides, so that eigenvalues stay. */
    const int m = n - k - 1;
    for (int i = 0; i < m; i++) {
      v[i] = row(A, lda, k + 1 + i)[k];
    }
    const double beta = reflector(m, v);
    reflect_rows(m, v, beta, A, lda, k + 1, k, n - 1);
    reflect_columns(m, v, beta, A, lda, k + 1, 0, n - 1);
    for (int i = k + 2; i < n; i++) {
      row(A, lda, i)[k] = 0.0;
    }
  }
}

/* ---- iteration ----------------------------------------------------------------------------------------- */

/* First row of the unreduced block that ends with row `end`; what lies left of it becomes zero. */
static int block_begin(double *A, int lda, int end)
{
  for (int l = end; l > 0; l--) {
    const double beside = fabs(row(A, lda, l - 1)[l - 1]) + fabs(row(A, lda, l)[l]);
    /* H_l,l−1 is rounding beside its diagonal neighbours: the matrix falls apart there. */
    double *below = &row(A, lda, l)[l - 1];
    if (fabs(*below) <= DBL_EPSILON * (beside > 0.0 ? beside : 1.0)) {
      *below = 0.0;
      return l;
    }
  }
  return 0;
}

/* The two shifts of a step: eigenvalues of the last two rows, as x, y on a diagonal and the product w of what
 * is beside it. */
typedef struct shifts {
  double x, y, w;
} shifts;

static shifts choose_shifts(double *A, int lda, int end, int step)
{
  const double *last = row(A, lda, end), *before = row(A, lda, end - 1);
  /* Exceptional shifts (Wilkinson's 1.5 s and s², s the sum of the last two subdiagonals). */
  if (step % UNUSUAL == UNUSUAL - 1) { /* in case they go round in a circle */
    const double size = fabs(last[end - 1]) + fabs(before[end - 2]);
    const shifts unusual = {last[end] + 0.75 * size, last[end] + 0.75 * size, -0.4375 * size * size};
    return unusual;
  }
  const shifts usual = {last[end], before[end - 1], last[end - 1] * before[end]};
  return usual;
}

/* First column of (H − s_1)(H − s_2) from row m on, over the element below the diagonal there; differences of
 * diagonal elements come first, which keeps what many nearly equal eigenvalues differ by. */
static void begin_bulge(double *A, int lda, int m, const shifts *at, double *v)
{
  const double *first = row(A, lda, m), *second = row(A, lda, m + 1);
  /* With s_1 + s_2 and s_1 s_2 real, all stays real, also for a pair. */
  const double dx = at->x - first[m], dy = at->y - first[m];
  v[0] = (dx * dy - at->w) / second[m] + first[m + 1];
  v[1] = second[m + 1] - first[m] - dx - dy;
  v[2] = row(A, lda, m + 2)[m + 1];
  const double size = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
  for (int i = 0; i < 3 && size > 0.0; i++) {
    v[i] /= size;
  }
}

/* Whether the step may begin at row m: what it leaves in the column before is rounding. */
static int may_begin(double *A, int lda, int m, const double *v)
{
  const double below = fabs(row(A, lda, m)[m - 1]) * (fabs(v[1]) + fabs(v[2]));
  const double beside =
      fabs(row(A, lda, m - 1)[m - 1]) + fabs(row(A, lda, m)[m]) + fabs(row(A, lda, m + 1)[m + 1]);
  return below <= DBL_EPSILON * fabs(v[0]) * beside;
}

/* One double step on rows begin … end, of which there are three at least. */
static void double_step(double *A, int lda, int begin, int end, int step)
{
  const shifts at = choose_shifts(A, lda, end, step);
  /* Stage 1. Where the bulge begins: as far down as two small subdiagonal elements allow. */
  double v[3];
  int m = end - 2;
  begin_bulge(A, lda, m, &at, v);
  while (m > begin && !may_begin(A, lda, m, v)) {
    begin_bulge(A, lda, --m, &at, v);
  }
  /* Stage 2. Chase it down: each reflection clears the column that the one before has filled. */
  for (int k = m; k < end; k++) {
    const int n = k + 2 <= end ? 3 : 2;
    const double beta = reflector(n, v);
    reflect_rows(n, v, beta, A, lda, k, k > begin ? k - 1 : begin, end);
    reflect_columns(n, v, beta, A, lda, k, begin, k + 3 < end ? k + 3 : end);
    for (int i = 1; i < n && k > begin; i++) {
      row(A, lda, k + i)[k - 1] = 0.0;
    }
    for (int i = 0; i < 3; i++) {
      v[i] = k + 1 + i <= end ? row(A, lda, k + 1 + i)[k] : 0.0;
    }
  }
}

/* Both eigenvalues of [a b; c d]. */
static void solve_pair(double a, double b, double c, double d, double *lambda)
{
  /* Roots of λ² − (a + d) λ + (a d − b c), the larger one first: no cancellation. */
  const double half = 0.5 * (a - d), square = half * half + b * c, root = sqrt(fabs(square));
  if (square < 0.0) {
    lambda[0] = lambda[2] = d + half;
    lambda[1] = root;
    lambda[3] = -root;
    return;
  }
  const double z = half + (half < 0.0 ? -root : root);
  lambda[0] = d + z;
  lambda[2] = z == 0.0 ? d : d - b * c / z;
  lambda[1] = lambda[3] = 0.0;
}

static nsdyn_status iterate(int n, double *A, int lda, double *lambda)
{
  /* The block that ends last: one row or two are done, three or more take one more double step. */
  int step = 0;
  for (int end = n - 1; end >= 0;) {
    const int begin = block_begin(A, lda, end);
    if (begin == end) {
      lambda[2 * end] = row(A, lda, end)[end];
      lambda[2 * end + 1] = 0.0;
    } else if (begin + 1 == end) {
      const double *upper = row(A, lda, begin), *lower = row(A, lda, end);
      solve_pair(upper[begin], upper[end], lower[begin], lower[end], &lambda[2 * begin]);
    } else if (step < PATIENCE) {
      double_step(A, lda, begin, end, step++);
      continue;
    } else {
      return NSDYN_MAX_ITERATIONS;
    }
    end = begin - 1;
    step = 0;
  }
  return NSDYN_OK;
}

/* ---- order --------------------------------------------------------------------------------------------- */

/* By falling size; those of one size keep their order, so that pairs stay together. */
static void sort(int n, double *lambda)
{
  for (int i = 1; i < n; i++) {
    const double re = lambda[2 * i], im = lambda[2 * i + 1], size = re * re + im * im;
    int k = i;
    for (; k > 0 && lambda[2 * k - 2] * lambda[2 * k - 2] + lambda[2 * k - 1] * lambda[2 * k - 1] < size;
         k--) {
      lambda[2 * k] = lambda[2 * k - 2];
      lambda[2 * k + 1] = lambda[2 * k - 1];
    }
    lambda[2 * k] = re;
    lambda[2 * k + 1] = im;
  }
}

nsdyn_status nsd_eigenvalues(int n, double *A, int lda, double *lambda)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(nsd_norm_inf(n, row(A, lda, i)))) {
      return NSDYN_ERR_NOT_FINITE;
    }
  }
  /* Stage 1. Scaled and balanced: 2^exponent and diagonal similarity, both exact. */
  const int exponent = normalize(n, A, lda);
  balance(n, A, lda);
  /* Stage 2. Hessenberg form, H = Qᵀ A Q. */
  reduce(n, A, lda, lambda); /* 2n long: scratch until then */
  /* Stage 3. Double shifts until all blocks have one row or two. */
  const nsdyn_status status = iterate(n, A, lda, lambda);
  if (status) {
    return status;
  }
  /* Stage 4. By size, in the scale of A. */
  sort(n, lambda);
  for (int i = 0; i < 2 * n; i++) {
    lambda[i] = ldexp(lambda[i], exponent);
    if (!isfinite(lambda[i])) {
      return NSDYN_ERR_NOT_FINITE;
    }
  }
  return NSDYN_OK;
}
