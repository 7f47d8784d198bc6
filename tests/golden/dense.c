/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the dense kernels of lib/base compute: every size from 0 on, so that each remainder of a vectorized
 * loop occurs, with strides, ill-scaled rows, zeros and failures. */
#include <string.h>

#include "base/dense.h"
#include "base/kernels/cpu.h"
#include "base/kernels/exchange.h"
#include "hash.h"

enum {
  LONGEST = 33,
  STRIDE = LONGEST + 3,
  CASES = 4 * (LONGEST + 1),
  RIGHT_SIDES = 3,
};

/* n × n; every third matrix has rows of very different scale, every fifth many zeros. */
static int fill_matrix(stream *from, int k, double *A)
{
  const int n = k % (LONGEST + 1);
  for (int i = 0; i < n; i++) {
    const double unit = k % 3 == 0 ? stream_scaled(from) : 1.0;
    for (int j = 0; j < n; j++) {
      const double zero_or_one = k % 5 == 0 && i != j && stream_below(from, 3) ? 0.0 : 1.0;
      A[i * STRIDE + j] = zero_or_one * unit * stream_number(from);
    }
  }
  return n;
}

/* A := B B^T + n 2^-10 times the unit matrix, with a fixed order of sums. Every seventh is spoilt. */
static int fill_definite(stream *from, int k, double *A)
{
  double B[LONGEST * STRIDE];
  const int n = fill_matrix(from, k, B);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = i == j ? n * 0x1p-10 : 0.0;
      for (int l = 0; l < n; l++) {
        sum += B[i * STRIDE + l] * B[j * STRIDE + l];
      }
      A[i * STRIDE + j] = sum;
    }
  }
  if (k % 7 == 6 && n > 1) {
    A[(n - 1) * STRIDE + n - 1] = -1.0;
  }
  return n;
}

static void hash_matrix(hash *h, int rows, int cols, const double *A, int lda)
{
  for (int i = 0; i < rows; i++) {
    hash_doubles(h, (size_t)cols, A + (size_t)i * (size_t)lda);
  }
}

static void fill_sides(stream *from, double *X)
{
  stream_fill(from, (size_t)RIGHT_SIDES * STRIDE, X);
}

void golden_lu(hash *h)
{
  double A[LONGEST * STRIDE], X[RIGHT_SIDES * STRIDE], work[2 * LONGEST];
  int perm[LONGEST];
  stream from = stream_begin(2);
  for (int k = 0; k < CASES; k++) {
    nsd_lu_info info = {0};
    const int n = fill_matrix(&from, k, A);
    const double norm = nsd_matrix_norm_1(n, n, A, STRIDE);
    const nsdyn_status status = nsd_lu_factor(n, A, STRIDE, perm, &info);
    hash_int(h, status);
    hash_double(h, info.growth);
    hash_double(h, info.margin);
    hash_int(h, info.column);
    if (status != NSDYN_OK) {
      continue;
    }
    hash_matrix(h, n, n, A, STRIDE);
    for (int i = 0; i < n; i++) {
      hash_int(h, perm[i]);
    }
    fill_sides(&from, X);
    nsd_lu_solve(n, A, STRIDE, perm, RIGHT_SIDES, X, STRIDE);
    hash_matrix(h, RIGHT_SIDES, n, X, STRIDE);
    nsd_lu_solve_transposed(n, A, STRIDE, perm, RIGHT_SIDES, X, STRIDE);
    hash_matrix(h, RIGHT_SIDES, n, X, STRIDE);
    hash_double(h, nsd_lu_rcond(n, A, STRIDE, perm, norm, work));
  }
}

void golden_cholesky(hash *h)
{
  double A[LONGEST * STRIDE], X[RIGHT_SIDES * STRIDE];
  stream from = stream_begin(3);
  for (int k = 0; k < CASES; k++) {
    int failed = -1;
    const int n = fill_definite(&from, k, A);
    const nsdyn_status status = nsd_cholesky_factor(n, A, STRIDE, &failed);
    hash_int(h, status);
    if (status != NSDYN_OK) {
      hash_int(h, failed);
      continue;
    }
    hash_matrix(h, n, n, A, STRIDE);
    fill_sides(&from, X);
    nsd_cholesky_solve(n, A, STRIDE, RIGHT_SIDES, X, STRIDE);
    hash_matrix(h, RIGHT_SIDES, n, X, STRIDE);
    nsd_cholesky_forward(n, A, STRIDE, RIGHT_SIDES, X, STRIDE);
    hash_matrix(h, RIGHT_SIDES, n, X, STRIDE);
    nsd_cholesky_backward(n, A, STRIDE, RIGHT_SIDES, X, STRIDE);
    hash_matrix(h, RIGHT_SIDES, n, X, STRIDE);
  }
}

void golden_product(hash *h)
{
  double A[LONGEST * STRIDE], B[LONGEST * STRIDE], C[LONGEST * STRIDE], x[STRIDE], y[STRIDE];
  stream from = stream_begin(4);
  for (int k = 0; k < CASES; k++) {
    const int rows = k % (LONGEST + 1);
    const int cols = stream_below(&from, LONGEST + 1);
    const int inner = stream_below(&from, LONGEST + 1);
    stream_fill(&from, (size_t)LONGEST * STRIDE, A);
    stream_fill(&from, (size_t)LONGEST * STRIDE, B);
    stream_fill(&from, STRIDE, x);
    nsd_multiply(rows, cols, A, STRIDE, x, y);
    hash_doubles(h, (size_t)rows, y);
    nsd_multiply_transposed(rows, cols, A, STRIDE, x, y);
    hash_doubles(h, (size_t)cols, y);
    nsd_product(rows, cols, inner, A, STRIDE, B, STRIDE, C, STRIDE);
    hash_matrix(h, rows, cols, C, STRIDE);
    nsd_product_nt(rows, cols, inner, A, STRIDE, B, STRIDE, C, STRIDE);
    hash_matrix(h, rows, cols, C, STRIDE);
    nsd_product_tn(rows, cols, inner, A, STRIDE, B, STRIDE, C, STRIDE);
    hash_matrix(h, rows, cols, C, STRIDE);
  }
}

void golden_norm(hash *h)
{
  double A[LONGEST * STRIDE], x[STRIDE];
  stream from = stream_begin(5);
  for (int k = 0; k < CASES; k++) {
    const int n = k % (LONGEST + 1);
    const int rows = stream_below(&from, LONGEST + 1);
    for (int i = 0; i < n; i++) {
      x[i] = k % 2 ? stream_any(&from) : stream_scaled(&from);
    }
    stream_fill(&from, (size_t)LONGEST * STRIDE, A);
    hash_double(h, nsd_dot(n, x, A));
    hash_double(h, nsd_norm_2(n, x));
    hash_double(h, nsd_norm_inf(n, x));
    hash_double(h, nsd_matrix_norm_1(rows, n, A, STRIDE));
    hash_double(h, nsd_matrix_norm_inf(rows, n, A, STRIDE));
    hash_double(h, nsd_matrix_norm_max(rows, n, A, STRIDE));
    hash_int(h, nsd_all_finite(rows, n, A, STRIDE));
  }
}

typedef void exchange(int rows, int cols, double *T, int ld, int r, int s);

/* Some exchanges in a row on one tableau, by one variant. */
static void hash_exchanges(hash *h, exchange *by, int rows, int cols, uint64_t seed)
{
  _Alignas(64) double T[STRIDE * (LONGEST + 2)];
  const int ld = nsd_tableau_ld(rows);
  stream from = stream_begin(seed);
  memset(T, 0, sizeof T);
  for (int j = 0; j < cols; j++) {
    for (int i = 0; i < rows; i++) {
      T[j * ld + i] = stream_below(&from, 4) ? stream_number(&from) : 0.0;
    }
  }
  for (int round = 0; round < 4; round++) {
    const int r = stream_below(&from, rows);
    const int s = stream_below(&from, cols);
    if (T[s * ld + r] != 0.0) {
      by(rows, cols, T, ld, r, s);
    }
  }
  hash_matrix(h, cols, rows, T, ld);
}

/* The plain variant's bits are the result; where the processor has AVX2, that variant and the choice
 * between them must agree with it, or a word is added that no stored hash contains. */
void golden_pivot(hash *h)
{
  for (int k = 0; k < CASES; k++) {
    const int rows = 1 + k % LONGEST;
    const int cols = 1 + (k * 7) % (LONGEST + 2);
    const uint64_t seed = 1000u + (uint64_t)k;
    hash plain = hash_begin(), chosen = hash_begin(), avx2 = hash_begin();
    hash_exchanges(&plain, nsd_tableau_exchange_plain, rows, cols, seed);
    hash_exchanges(&chosen, nsd_tableau_exchange, rows, cols, seed);
    if (nsd_cpu_avx2()) {
      hash_exchanges(&avx2, nsd_tableau_exchange_avx2, rows, cols, seed);
    } else {
      avx2 = plain;
    }
    hash_int(h, (int64_t)plain.value);
    if (chosen.value != plain.value || avx2.value != plain.value) {
      hash_int(h, -1);
    }
  }
}
