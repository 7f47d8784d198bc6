/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Products. A sum over contiguous rows is a dot product in four lanes; a sum of rows goes row after
 * row, each element by itself. Zeros are not skipped: 0 × NaN must stay NaN. What lanes buy: `products` of
 * tests/bench/bench_dense.c, beside loops over elements. */
#include "base/dense.h"
#include "base/kernels/simd.h"

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

/* y_i := a_i · x for each row of A. */
NSD_INLINE void multiply(int rows, int cols, const double *A, int lda, const double *x, double *y)
{
  int i = 0;
  /* Four rows share the loads of x; each sum has the order of nsd_lanes_dot(). */
  for (; i + 4 <= rows; i += 4) {
    nsd_lanes_dot_four(cols, x, row(A, lda, i), lda, y + i);
  }
  for (; i < rows; i++) {
    y[i] = nsd_lanes_dot(cols, x, row(A, lda, i));
  }
}

NSD_INLINE void product_nt(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C,
                           int ldc)
{
  for (int i = 0; i < m; i++) {
    multiply(n, k, B, ldb, row(A, lda, i), C + (size_t)i * (size_t)ldc);
  }
}

/* y := y + Aᵀ x: four rows of A at a time, which go in one after the other. */
NSD_INLINE void add_transposed(int rows, int cols, const double *A, int lda, const double *x, double *y)
{
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    const double *a = row(A, lda, i), *b = a + lda, *c = b + lda, *d = c + lda;
    const double *w = x + i;
    int j = 0;
    for (; j + NSD_LANES <= cols; j += NSD_LANES) {
      nsd_lanes sum = nsd_lanes_load(y + j);
      sum += w[0] * nsd_lanes_load(a + j);
      sum += w[1] * nsd_lanes_load(b + j);
      sum += w[2] * nsd_lanes_load(c + j);
      sum += w[3] * nsd_lanes_load(d + j);
      nsd_lanes_store(y + j, sum);
    }
    for (; j < cols; j++) {
      y[j] = (((y[j] + w[0] * a[j]) + w[1] * b[j]) + w[2] * c[j]) + w[3] * d[j];
    }
  }
  for (; i < rows; i++) {
    nsd_lanes_axpy(cols, x[i], row(A, lda, i), y);
  }
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static void multiply_avx2(int rows, int cols, const double *A, int lda, const double *x,
                                          double *y)
{
  multiply(rows, cols, A, lda, x, y);
}

NSD_TARGET_AVX2 static void product_nt_avx2(int m, int n, int k, const double *A, int lda, const double *B,
                                            int ldb, double *C, int ldc)
{
  product_nt(m, n, k, A, lda, B, ldb, C, ldc);
}

NSD_TARGET_AVX2 static void add_transposed_avx2(int rows, int cols, const double *A, int lda, const double *x,
                                                double *y)
{
  add_transposed(rows, cols, A, lda, x, y);
}
#endif

void nsd_multiply(int rows, int cols, const double *A, int lda, const double *x, double *y)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    multiply_avx2(rows, cols, A, lda, x, y);
    return;
  }
#endif
  multiply(rows, cols, A, lda, x, y);
}

void nsd_multiply_transposed(int rows, int cols, const double *A, int lda, const double *x, double *y)
{
  clear(cols, y);
  nsd_add_transposed(rows, cols, A, lda, x, y);
}

void nsd_add_transposed(int rows, int cols, const double *A, int lda, const double *x, double *y)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    add_transposed_avx2(rows, cols, A, lda, x, y);
    return;
  }
#endif
  add_transposed(rows, cols, A, lda, x, y);
}

enum { ROWS_PER_POLL = 64 }; /* whole groups of four: the same sums */

void nsd_multiply_asking(int rows, int cols, const double *A, int lda, const double *x, double *y,
                         nsd_poll *poll)
{
  for (int i = 0; i < rows; i += ROWS_PER_POLL) {
    const int count = rows - i < ROWS_PER_POLL ? rows - i : ROWS_PER_POLL;
    if (nsd_poll_stops(poll, 0.0)) {
      clear(count, y + i);
      continue;
    }
    nsd_multiply(count, cols, row(A, lda, i), lda, x, y + i);
    (void)nsd_poll_stops(poll, 2.0 * count * cols);
  }
}

void nsd_multiply_transposed_asking(int rows, int cols, const double *A, int lda, const double *x, double *y,
                                    nsd_poll *poll)
{
  clear(cols, y);
  for (int i = 0; i < rows && !nsd_poll_stops(poll, 0.0); i += ROWS_PER_POLL) {
    const int count = rows - i < ROWS_PER_POLL ? rows - i : ROWS_PER_POLL;
    nsd_add_transposed(count, cols, row(A, lda, i), lda, x + i, y);
    (void)nsd_poll_stops(poll, 2.0 * count * cols);
  }
}

void nsd_product(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C, int ldc)
{
  for (int i = 0; i < m; i++) {
    double *c = C + (size_t)i * (size_t)ldc;
    const double *a = row(A, lda, i);
    /* c_i := Σ_l a_il b_l, row after row of B. */
    clear(n, c);
    for (int l = 0; l < k; l++) {
      nsd_lanes_axpy(n, a[l], row(B, ldb, l), c);
    }
  }
}

void nsd_product_nt(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C,
                    int ldc)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    product_nt_avx2(m, n, k, A, lda, B, ldb, C, ldc);
    return;
  }
#endif
  product_nt(m, n, k, A, lda, B, ldb, C, ldc);
}

void nsd_product_tn(int m, int n, int k, const double *A, int lda, const double *B, int ldb, double *C,
                    int ldc)
{
  for (int i = 0; i < m; i++) {
    double *c = C + (size_t)i * (size_t)ldc;
    /* c_i := Σ_l a_li b_l. */
    clear(n, c);
    for (int l = 0; l < k; l++) {
      nsd_lanes_axpy(n, row(A, lda, l)[i], row(B, ldb, l), c);
    }
  }
}

enum { COLUMNS_PER_POLL = 64 }; /* whole lanes; so many columns of J stay in the processor's memory */

void nsd_normal_matrix_asking(int n, const double *J, double *H, nsd_poll *poll)
{
  for (int first = 0; first < n; first += COLUMNS_PER_POLL) {
    for (int i = first; i < n; i++) {
      const int count = i + 1 - first < COLUMNS_PER_POLL ? i + 1 - first : COLUMNS_PER_POLL;
      /* H_ij = Σ_l J_li J_lj for j = first … first + count − 1. */
      nsd_product_tn(1, count, n, J + i, n, J + first, n, H + (size_t)i * (size_t)n + (size_t)first, n);
      if (nsd_poll_stops(poll, (double)count * n)) {
        return;
      }
    }
  }
}
