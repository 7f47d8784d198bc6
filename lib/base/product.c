/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Products. A sum over contiguous rows is a dot product in four lanes; a sum of rows goes row after
 * row, each element by itself. Zeros are not skipped: 0 × NaN must stay NaN. */
#include "base/dense.h"
#include "base/simd.h"

static const double *row(const double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

static void clear(int n, double *x)
{
  NSD_SIMD
  for (int i = 0; i < n; i++) {
    x[i] = 0.0;
  }
}

void nsd_multiply(int rows, int cols, const double *A, int lda, const double *x, double *y)
{
  for (int i = 0; i < rows; i++) {
    y[i] = nsd_lanes_dot(cols, row(A, lda, i), x);
  }
}

void nsd_multiply_transposed(int rows, int cols, const double *A, int lda, const double *x, double *y)
{
  clear(cols, y);
  for (int i = 0; i < rows; i++) {
    nsd_lanes_axpy(cols, x[i], row(A, lda, i), y);
  }
}

void nsd_product(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C, int ldc)
{
  for (int i = 0; i < m; i++) {
    double *c = C + (size_t)i * (size_t)ldc;
    const double *a = row(A, lda, i);
    clear(n, c);
    for (int l = 0; l < k; l++) {
      nsd_lanes_axpy(n, a[l], row(B, ldb, l), c);
    }
  }
}

void nsd_product_nt(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C,
                    int ldc)
{
  for (int i = 0; i < m; i++) {
    double *c = C + (size_t)i * (size_t)ldc;
    const double *a = row(A, lda, i);
    for (int j = 0; j < n; j++) {
      c[j] = nsd_lanes_dot(k, a, row(B, ldb, j));
    }
  }
}

void nsd_product_tn(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C,
                    int ldc)
{
  for (int i = 0; i < m; i++) {
    double *c = C + (size_t)i * (size_t)ldc;
    clear(n, c);
    for (int l = 0; l < k; l++) {
      nsd_lanes_axpy(n, row(A, lda, l)[i], row(B, ldb, l), c);
    }
  }
}
