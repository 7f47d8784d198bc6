/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Cholesky factorization, column after column, and what it takes to call a matrix definite. */
#include <float.h>
#include <math.h>

#include "base/dense.h"
#include "base/simd.h"

enum {
  longest_witness = 512 /* elements of w below, on the stack */
};

NSD_INLINE double *row(double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

NSD_INLINE const double *row_of(const double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

/* w := L^-T l_k, so that v = (−w, 1) has v^T A v = pivot. Returns Σ v_i² a_ii, the scale of which
 * rounding errors of v^T A v are a fraction; a_ii is the square of row i of L. */
static double witness_scale(const double *L, int ldl, int k, double diagonal)
{
  double w[longest_witness];
  double sum = diagonal;
  for (int i = 0; i < k; i++) {
    w[i] = row_of(L, ldl, k)[i];
  }
  for (int i = k - 1; i >= 0; i--) {
    const double *l = row_of(L, ldl, i);
    w[i] /= l[i];
    nsd_lanes_axpy(i, -w[i], l, w);
    sum += w[i] * w[i] * nsd_lanes_dot(i + 1, l, l);
  }
  return sum;
}

/* Whether the pivot is no more than rounding noise. With D = diag(A), the smallest eigenvalue of
 * D^-1/2 A D^-1/2 is at most pivot / Σ v_i² a_ii, and Cholesky cannot tell eigenvalues of that matrix
 * below a small multiple of n 2^-52 from zero (Higham, Accuracy and Stability, thm. 10.7). The
 * criterion has no unit and does not change when rows and columns are scaled. */
static int is_noise(int n, const double *L, int ldl, int k, double diagonal, double pivot)
{
  const double noise = 16.0 * n * DBL_EPSILON;
  if (pivot > 0x1p-20 * diagonal) {
    return 0;
  }
  if (!(pivot > noise * diagonal)) {
    return 1;
  }
  return k <= longest_witness && !(pivot > noise * witness_scale(L, ldl, k, diagonal));
}

/* First row of the lower triangle with a NaN or infinity, n where there is none. */
static int first_not_finite(int n, const double *A, int lda)
{
  int i = 0;
  while (i < n && nsd_all_finite(1, i + 1, row_of(A, lda, i), lda)) {
    i++;
  }
  return i;
}

/* Returns the first pivot that is not positive, n where all are. */
NSD_INLINE int factor(int n, double *A, int lda)
{
  for (int k = 0; k < n; k++) {
    double *l = row(A, lda, k);
    const double diagonal = l[k];
    const double pivot = diagonal - nsd_lanes_dot(k, l, l);
    if (!(pivot > 0.0 && pivot <= DBL_MAX) || is_noise(n, A, lda, k, diagonal, pivot)) {
      return k;
    }
    l[k] = sqrt(pivot);
    const double inverse = 1.0 / l[k]; /* pivot ≥ 2^-1074, so this cannot overflow */
    for (int i = k + 1; i < n; i++) {
      double *a = row(A, lda, i);
      a[k] = (a[k] - nsd_lanes_dot(k, a, l)) * inverse;
    }
  }
  return n;
}

nsdyn_status nsd_cholesky_factor(int n, double *A, int lda, int *failed)
{
  int k = factor(n, A, lda);
  if (k == n) {
    return NSDYN_OK;
  }
  const int bad = first_not_finite(n, A, lda);
  k = bad < n ? bad : k;
  if (failed) {
    *failed = k;
  }
  return bad < n ? NSDYN_ERR_NOT_FINITE : NSDYN_ERR_NOT_DEFINITE;
}

NSD_INLINE void forward(int n, const double *L, int ldl, double *x)
{
  for (int i = 0; i < n; i++) {
    const double *l = row_of(L, ldl, i);
    x[i] = (x[i] - nsd_lanes_dot(i, l, x)) / l[i];
  }
}

NSD_INLINE void backward(int n, const double *L, int ldl, double *x)
{
  for (int i = n - 1; i >= 0; i--) {
    const double *l = row_of(L, ldl, i);
    x[i] /= l[i];
    nsd_lanes_axpy(i, -x[i], l, x);
  }
}

void nsd_cholesky_forward(int n, const double *L, int ldl, int nrhs, double *X, int ldx)
{
  for (int r = 0; r < nrhs && n > 0; r++) { /* n = 0: X may be NULL */
    forward(n, L, ldl, row(X, ldx, r));
  }
}

void nsd_cholesky_backward(int n, const double *L, int ldl, int nrhs, double *X, int ldx)
{
  for (int r = 0; r < nrhs && n > 0; r++) { /* n = 0: X may be NULL */
    backward(n, L, ldl, row(X, ldx, r));
  }
}

void nsd_cholesky_solve(int n, const double *L, int ldl, int nrhs, double *X, int ldx)
{
  for (int r = 0; r < nrhs && n > 0; r++) { /* n = 0: X may be NULL */
    forward(n, L, ldl, row(X, ldx, r));
    backward(n, L, ldl, row(X, ldx, r));
  }
}
