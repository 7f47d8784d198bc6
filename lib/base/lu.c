/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* LU factorization with partial pivoting (Golub & Van Loan, Matrix Computations, alg. 3.4.1), row by
 * row, and the estimate of the condition number (Hager 1984; Higham 1988). */
#include <float.h>
#include <math.h>

#include "base/dense.h"
#include "base/simd.h"

NSD_INLINE double *row(double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

NSD_INLINE const double *row_of(const double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

NSD_INLINE void swap_rows(int n, double *restrict a, double *restrict b)
{
  NSD_SIMD
  for (int j = 0; j < n; j++) {
    const double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

/* Subtracts multiples of row k from the rows below, and returns where column k + 1 then has its
 * largest element. A NaN is never the largest, but it stays in the matrix to the end. */
NSD_INLINE int eliminate(int n, double *A, int lda, int k)
{
  const double *restrict p = row(A, lda, k);
  double best = -1.0;
  int at = k + 1;
  for (int i = k + 1; i < n; i++) {
    double *restrict a = row(A, lda, i);
    const double l = a[k] / p[k];
    a[k] = l;
    NSD_SIMD
    for (int j = k + 1; j < n; j++) {
      a[j] -= l * p[j];
    }
    if (fabs(a[k + 1]) > best) {
      best = fabs(a[k + 1]);
      at = i;
    }
  }
  return at;
}

NSD_INLINE int first_pivot(int n, const double *A, int lda)
{
  int at = 0;
  for (int i = 1; i < n; i++) {
    at = fabs(row_of(A, lda, i)[0]) > fabs(row_of(A, lda, at)[0]) ? i : at;
  }
  return at;
}

/* Returns the first column without a pivot, n where each has one. */
NSD_INLINE int factor(int n, double *A, int lda, int *perm)
{
  int at = first_pivot(n, A, lda);
  for (int k = 0; k < n; k++) {
    perm[k] = at;
    if (row(A, lda, at)[k] == 0.0) {
      return k;
    }
    if (at != k) {
      swap_rows(n, row(A, lda, k), row(A, lda, at));
    }
    at = eliminate(n, A, lda, k);
  }
  return n;
}

/* Largest |u_ij| in the first `rows` rows of U. */
static double largest_of_u(int n, const double *LU, int lda, int rows)
{
  double m = 0.0;
  for (int i = 0; i < rows; i++) {
    const double s = nsd_norm_inf(n - i, row_of(LU, lda, i) + i);
    m = s > m ? s : m;
  }
  return m;
}

/* |u_kk| / (|L| |U|)_kk: what cancellation has left of the pivot. `down` keeps the sum from
 * overflowing. */
static double pivot_margin(const double *LU, int lda, int k, double down)
{
  const double *l = row_of(LU, lda, k);
  const double pivot = fabs(l[k]) * down;
  double sum = pivot;
  for (int j = 0; j < k; j++) {
    sum += fabs(l[j]) * (fabs(row_of(LU, lda, j)[k]) * down);
  }
  return pivot / sum;
}

static void describe(int n, const double *LU, int lda, int rank, double largest, nsd_lu_info *info)
{
  const double u = largest_of_u(n, LU, lda, rank);
  const double down = u > 1.0 ? 0x1p-32 : 1.0;
  info->growth = u > largest ? u / largest : 1.0;
  info->margin = rank < n ? 0.0 : 1.0;
  info->column = rank < n ? rank : 0;
  for (int k = 0; k < rank && rank == n; k++) {
    const double margin = pivot_margin(LU, lda, k, down);
    if (margin < info->margin) {
      info->margin = margin;
      info->column = k;
    }
  }
}

nsdyn_status nsd_lu_factor(int n, double *A, int lda, int *perm, nsd_lu_info *info)
{
  const double largest = info ? nsd_matrix_norm_max(n, n, A, lda) : 0.0;
  const int rank = factor(n, A, lda, perm);
  if (!nsd_all_finite(n, n, A, lda)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  if (info) {
    describe(n, A, lda, rank, largest, info);
  }
  return rank < n ? NSDYN_ERR_SINGULAR : NSDYN_OK;
}

NSD_INLINE void exchange(double *x, int i, int j)
{
  const double t = x[i];
  x[i] = x[j];
  x[j] = t;
}

void nsd_lu_solve(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx)
{
  for (int r = 0; r < nrhs; r++) {
    double *x = row(X, ldx, r);
    for (int k = 0; k < n; k++) {
      exchange(x, k, perm[k]);
    }
    for (int i = 1; i < n; i++) {
      x[i] -= nsd_lanes_dot(i, row_of(LU, lda, i), x);
    }
    for (int i = n - 1; i >= 0; i--) {
      const double *u = row_of(LU, lda, i);
      x[i] = (x[i] - nsd_lanes_dot(n - 1 - i, u + i + 1, x + i + 1)) / u[i];
    }
  }
}

void nsd_lu_solve_transposed(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx)
{
  for (int r = 0; r < nrhs; r++) {
    double *x = row(X, ldx, r);
    for (int i = 0; i < n; i++) {
      const double *u = row_of(LU, lda, i);
      x[i] /= u[i];
      nsd_lanes_axpy(n - 1 - i, -x[i], u + i + 1, x + i + 1);
    }
    for (int i = n - 1; i > 0; i--) {
      nsd_lanes_axpy(i, -x[i], row_of(LU, lda, i), x);
    }
    for (int k = n - 1; k >= 0; k--) {
      exchange(x, k, perm[k]);
    }
  }
}

static double norm_1(int n, const double *x)
{
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    s += fabs(x[i]);
  }
  return s;
}

static int largest_index(int n, const double *x)
{
  int at = 0;
  for (int i = 1; i < n; i++) {
    at = fabs(x[i]) > fabs(x[at]) ? i : at;
  }
  return at;
}

/* sign := signs of x; returns whether any changed. */
static int take_signs(int n, const double *x, double *sign)
{
  int changed = 0;
  for (int i = 0; i < n; i++) {
    const double s = x[i] < 0.0 ? -1.0 : 1.0;
    changed |= s != sign[i];
    sign[i] = s;
  }
  return changed;
}

/* Right-hand sides are multiples of `scale` = ‖A‖_1, so that the estimate is the condition number
 * itself, whatever the unit of A: max over the vertices e_j of ‖scale A^-1 e_j‖_1, climbed along the
 * gradient. */
static double climb(int n, const double *LU, int lda, const int *perm, double scale, double *x, double *sign)
{
  double best = 0.0;
  int at = -1; /* x came from e_at; −1: from the mean of all */
  for (int i = 0; i < n; i++) {
    x[i] = scale / n;
    sign[i] = 0.0;
  }
  for (int round = 0; round < 6; round++) {
    nsd_lu_solve(n, LU, lda, perm, 1, x, n);
    const double estimate = norm_1(n, x);
    if (!(estimate > best)) {
      return isnan(estimate) ? INFINITY : best;
    }
    best = estimate;
    if (!take_signs(n, x, sign)) {
      break;
    }
    for (int i = 0; i < n; i++) {
      x[i] = scale * sign[i];
    }
    nsd_lu_solve_transposed(n, LU, lda, perm, 1, x, n);
    const int next = largest_index(n, x);
    if (next == at || (at >= 0 && fabs(x[next]) <= x[at])) {
      break;
    }
    at = next;
    for (int i = 0; i < n; i++) {
      x[i] = i == at ? scale : 0.0;
    }
  }
  return best;
}

/* Higham's second opinion: a vector of growing, alternating elements, for matrices that hide their
 * large inverse from the climb. */
static double alternating(int n, const double *LU, int lda, const int *perm, double scale, double *x)
{
  for (int i = 0; i < n; i++) {
    const double a = 1.0 + (n > 1 ? (double)i / (n - 1) : 0.0);
    x[i] = (i % 2 ? -a : a) * scale;
  }
  nsd_lu_solve(n, LU, lda, perm, 1, x, n);
  return 2.0 * norm_1(n, x) / (3.0 * n);
}

double nsd_lu_rcond(int n, const double *LU, int lda, const int *perm, double norm, double *work)
{
  if (n == 0) {
    return 1.0;
  }
  if (!(norm > 0.0 && norm <= DBL_MAX)) {
    return 0.0;
  }
  const double first = climb(n, LU, lda, perm, norm, work, work + n);
  const double second = alternating(n, LU, lda, perm, norm, work);
  const double cond = second > first ? second : isnan(second) ? INFINITY : first;
  return cond > 1.0 ? 1.0 / cond : 1.0; /* an infinite one gives 0 */
}
