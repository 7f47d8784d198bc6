/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Cholesky factorization in panels of four columns (Golub & Van Loan, Matrix Computations, sec. 4.2), and
 * what it takes to call a matrix definite. What panels and AVX2 buy: `Cholesky + solve` of
 * tests/bench/bench_dense.c, beside GSL and LAPACK. */
#include <float.h>
#include <math.h>

#include "base/dense.h"
#include "base/kernels/cpu.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"

enum {
  panel = 4,             /* columns that are factored together, one nsd_lanes */
  slice = 64,            /* columns of L that are packed and applied at a time */
  longest_witness = 512, /* elements of w below, on the stack */
  ROWS_PER_POLL = 64,
  LONG = 1024 /* rows from which on a panel may take a millisecond */
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
  /* Lᵀ w = l_k from the last row to the first; a_ii = Σ_j l_ij² is known from L. */
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
  const double noise = NSD_PIVOT_ROUNDING(n);
  /* Three tests by price: a pivot that has kept 2^-20 of its diagonal element is sound; one that has lost
   * all digits is noise; in between the witness tells. */
  if (pivot > NSD_PIVOT_SOUND * diagonal) {
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

/* Columns `from` … `from` + depth − 1 of rows k … k + width − 1 of L, side by side:
 * packed[j][c] = l_{k+c,from+j}. */
NSD_INLINE void pack(const double *L, int ldl, int k, int width, int from, int depth, double (*packed)[panel])
{
  for (int c = 0; c < width; c++) {
    const double *l = row_of(L, ldl, k + c) + from;
    for (int j = 0; j < depth; j++) {
      packed[j][c] = l[j];
    }
  }
}

/* The rows of the panel's triangle: a_{k+r,k+c} −= Σ l_{k+r,j} l_{k+c,j} for c ≤ r. */
NSD_INLINE void reduce_triangle(double *A, int lda, int k, int width, int from, int depth,
                                const double (*packed)[panel])
{
  for (int r = 0; r < width; r++) {
    double *a = row(A, lda, k + r);
    const double *l = a + from;
    /* Σ_j l_{k+r,j} l_{k+c,j} over the columns of this slice. */
    for (int c = 0; c <= r; c++) {
      double s = a[k + c];
      for (int j = 0; j < depth; j++) {
        s -= l[j] * packed[j][c];
      }
      a[k + c] = s;
    }
  }
}

/* The rows below it, four at a time. */
NSD_INLINE void reduce_below(int n, double *A, int lda, int k, int from, int depth,
                             const double (*packed)[panel])
{
  int i = k + panel;
  for (; i + 4 <= n; i += 4) {
    double *a0 = row(A, lda, i), *a1 = a0 + lda, *a2 = a1 + lda, *a3 = a2 + lda;
    nsd_lanes s0 = *(nsd_lanes *)(a0 + k), s1 = *(nsd_lanes *)(a1 + k);
    nsd_lanes s2 = *(nsd_lanes *)(a2 + k), s3 = *(nsd_lanes *)(a3 + k);
    for (int j = 0; j < depth; j++) {
      const nsd_lanes l = *(const nsd_lanes *)packed[j];
      s0 -= a0[from + j] * l;
      s1 -= a1[from + j] * l;
      s2 -= a2[from + j] * l;
      s3 -= a3[from + j] * l;
    }
    *(nsd_lanes *)(a0 + k) = s0;
    *(nsd_lanes *)(a1 + k) = s1;
    *(nsd_lanes *)(a2 + k) = s2;
    *(nsd_lanes *)(a3 + k) = s3;
  }
  for (; i < n; i++) {
    double *a = row(A, lda, i);
    nsd_lanes s = *(nsd_lanes *)(a + k);
    for (int j = 0; j < depth; j++) {
      s -= a[from + j] * *(const nsd_lanes *)packed[j];
    }
    *(nsd_lanes *)(a + k) = s;
  }
}

/* How many columns of L, in fours, are zero at the panel's rows: as many as of A, and all of them where
 * bodies have nothing to do with those before. */
NSD_INLINE int zeros_before(const double *A, int lda, int k, int width)
{
  int first = k;
  for (int r = 0; r < width; r++) {
    const double *a = row_of(A, lda, k + r);
    int j = 0;
    while (j < first && a[j] == 0.0) {
      j++;
    }
    first = j;
  }
  return first / 4 * 4;
}

/* Brings the panel at column k to where all columns of L before it leave it. */
NSD_INLINE void reduce_panel(int n, double *A, int lda, int k, int width, nsd_poll *poll)
{
  double packed[slice][panel];
  /* l_{i,k+c} needs Σ_j l_ij l_{k+c,j} over all columns before: slice by slice, packed once for all rows. */
  for (int from = zeros_before(A, lda, k, width); from < k; from += slice) {
    const int depth = k - from < slice ? k - from : slice;
    pack(A, lda, k, width, from, depth, packed);
    reduce_triangle(A, lda, k, width, from, depth, (const double(*)[panel])packed);
    reduce_below(n, A, lda, k, from, depth, (const double(*)[panel])packed);
    if (n >= LONG && poll) {
      (void)nsd_poll_stops(poll, (double)panel * (n - k) * depth);
    }
  }
}

/* The triangle of the panel at column k; `diagonal` is that of A. inverse[c] := 1 / l_cc. Returns how many
 * pivots are good before one is not. */
NSD_INLINE int factor_triangle(int n, double *A, int lda, int k, int width, const double *diagonal,
                               double *inverse)
{
  NSD_UNROLL(8)
  for (int c = 0; c < width; c++) {
    double *l = row(A, lda, k + c) + k;
    const double pivot = l[c];
    /* l_kk² = a_kk − Σ_j l_kj² must be positive, and more than rounding. */
    if (!(pivot > 0.0 && pivot <= DBL_MAX) || is_noise(n, A, lda, k + c, diagonal[c], pivot)) {
      return c;
    }
    l[c] = sqrt(pivot);
    inverse[c] = 1.0 / l[c]; /* pivot ≥ 2^-1074, so this cannot overflow */
    /* The rows of the triangle below: l_rc = a_rc / l_cc, and its part of the columns that follow. */
    for (int r = c + 1; r < width; r++) {
      double *a = row(A, lda, k + r) + k;
      a[c] *= inverse[c];
      for (int q = c + 1; q <= r; q++) {
        a[q] -= a[c] * row_of(A, lda, k + q)[k + c];
      }
    }
  }
  return width;
}

/* The rows of L below the triangle of a whole panel: x L^T = a, row by row. */
NSD_INLINE void finish_panel(int n, double *A, int lda, int k, const double *inverse)
{
  const double *l1 = row_of(A, lda, k + 1) + k, *l2 = l1 + lda, *l3 = l2 + lda;
  const double l10 = l1[0], l20 = l2[0], l21 = l2[1], l30 = l3[0], l31 = l3[1], l32 = l3[2];
  for (int i = k + panel; i < n; i++) {
    double *a = row(A, lda, i) + k;
    /* x0 l_00 = a0, x0 l_10 + x1 l_11 = a1, … */
    const double x0 = a[0] * inverse[0];
    const double x1 = (a[1] - x0 * l10) * inverse[1];
    const double x2 = ((a[2] - x0 * l20) - x1 * l21) * inverse[2];
    const double x3 = (((a[3] - x0 * l30) - x1 * l31) - x2 * l32) * inverse[3];
    a[0] = x0;
    a[1] = x1;
    a[2] = x2;
    a[3] = x3;
  }
}

NSD_INLINE int factor_panel(int n, double *A, int lda, int k, int width, nsd_poll *poll)
{
  double diagonal[panel], inverse[panel];
  /* The diagonal of A, before reduce_panel() overwrites it: pivots are judged beside it. */
  for (int c = 0; c < width; c++) {
    diagonal[c] = row(A, lda, k + c)[k + c];
  }
  reduce_panel(n, A, lda, k, width, poll);
  const int good = factor_triangle(n, A, lda, k, width, diagonal, inverse);
  if (good == panel) {
    finish_panel(n, A, lda, k, inverse);
  }
  return good;
}

/* Returns the first pivot that is not positive, n where all are, −1 where the poll stops it. */
NSD_INLINE int factor(int n, double *A, int lda, nsd_poll *poll)
{
  int k = 0;
  for (; k + panel <= n; k += panel) {
    const int good = factor_panel(n, A, lda, k, panel, poll);
    if (good < panel) {
      return k + good;
    }
    if (poll && nsd_poll_stops(poll, n < LONG ? (double)panel * (n - k) * (k + panel) : 0.0)) {
      return -1;
    }
  }
  switch (n - k) {
  case 3:
    return k + factor_panel(n, A, lda, k, 3, poll);
  case 2:
    return k + factor_panel(n, A, lda, k, 2, poll);
  case 1:
    return k + factor_panel(n, A, lda, k, 1, poll);
  default:
    return n;
  }
}

static int factor_plain(int n, double *A, int lda, nsd_poll *poll)
{
  return factor(n, A, lda, poll);
}

NSD_TARGET_AVX2 static int factor_avx2(int n, double *A, int lda, nsd_poll *poll)
{
  return factor(n, A, lda, poll);
}

nsdyn_status nsd_cholesky_factor(int n, double *A, int lda, int *failed)
{
  return nsd_cholesky_factor_asking(n, A, lda, failed, NULL);
}

nsdyn_status nsd_cholesky_factor_asking(int n, double *A, int lda, int *failed, nsd_poll *poll)
{
  int k = (nsd_cpu_avx2() ? factor_avx2 : factor_plain)(n, A, lda, poll);
  if (k == n) {
    return NSDYN_OK;
  }
  if (k < 0) {
    return NSDYN_CANCELLED;
  }
  /* Why it failed: a number that is not finite, or a pivot. */
  const int bad = first_not_finite(n, A, lda);
  k = bad < n ? bad : k;
  if (failed) {
    *failed = k;
  }
  return bad < n ? NSDYN_ERR_NOT_FINITE : NSDYN_ERR_NOT_DEFINITE;
}

/* The first column, a multiple of four, that rows i … i + 3 of L and x have something in; L is zero left of
 * `first` (NULL: nowhere), x left of `begin`. A sum in four lanes that leaves out whole groups of zeros is
 * the same to the bit. */
NSD_INLINE int start_of(const int *first, int i, int begin)
{
  const int from = first ? first[i / 4] : 0;
  return from > begin ? from : begin;
}

/* x := L^-1 x: groups of four rows, the triangle on the diagonal element by element. */
NSD_INLINE void forward(int n, const double *L, int ldl, const int *first, double *x, nsd_poll *poll)
{
  int i = 0;
  while (first && i + 4 <= n && x[i] == 0.0 && x[i + 1] == 0.0 && x[i + 2] == 0.0 && x[i + 3] == 0.0) {
    i += 4; /* what begins with zeros stays so */
  }
  const int begin = i;
  for (; i + 4 <= n; i += 4) {
    /* Rows i … i + 3: x_i −= Σ_{j<i} l_ij x_j, then their own triangle. */
    const double *l0 = row_of(L, ldl, i) + i, *l1 = l0 + ldl, *l2 = l1 + ldl, *l3 = l2 + ldl;
    const int from = start_of(first, i, begin);
    nsd_lanes_subtract_four(i - from, l0 - i + from, ldl, x + from, x + i);
    const double x0 = nsd_divide(x[i], l0[0]);
    const double x1 = nsd_divide(x[i + 1] - l1[0] * x0, l1[1]);
    const double x2 = nsd_divide((x[i + 2] - l2[0] * x0) - l2[1] * x1, l2[2]);
    x[i + 3] = nsd_divide(((x[i + 3] - l3[0] * x0) - l3[1] * x1) - l3[2] * x2, l3[3]);
    x[i] = x0;
    x[i + 1] = x1;
    x[i + 2] = x2;
    if (poll && i % ROWS_PER_POLL == 0) {
      (void)nsd_poll_stops(poll, 2.0 * ROWS_PER_POLL * i);
    }
  }
  for (; i < n; i++) {
    const double *l = row_of(L, ldl, i);
    double s = x[i];
    for (int j = start_of(first, i, begin); j < i; j++) {
      s -= l[j] * x[j];
    }
    x[i] = nsd_divide(s, l[i]);
  }
}

/* x_j −= Σ l_ij y_i over four rows i of L, for j < n. */
NSD_INLINE void subtract_rows(int n, const double *l, int ldl, const double *y, double *x)
{
  const double *l0 = l, *l1 = l0 + ldl, *l2 = l1 + ldl, *l3 = l2 + ldl;
  for (int j = 0; j < n; j += 4) {
    nsd_lanes s = *(nsd_lanes *)(x + j);
    s -= y[3] * *(const nsd_lanes *)(l3 + j);
    s -= y[2] * *(const nsd_lanes *)(l2 + j);
    s -= y[1] * *(const nsd_lanes *)(l1 + j);
    s -= y[0] * *(const nsd_lanes *)(l0 + j);
    *(nsd_lanes *)(x + j) = s;
  }
}

/* x := L^-T x, from the last row to the first, in the same groups. */
NSD_INLINE void backward(int n, const double *L, int ldl, double *x, nsd_poll *poll)
{
  const int whole = n / 4 * 4;
  /* The rows behind the last whole group first, since they come last in L. */
  for (int i = n - 1; i >= whole; i--) {
    const double *l = row_of(L, ldl, i);
    x[i] = nsd_divide(x[i], l[i]);
    for (int j = 0; j < i; j++) {
      x[j] -= l[j] * x[i];
    }
  }
  for (int i = whole - 4; i >= 0; i -= 4) {
    /* The triangle of the group, then its four rows at once off all x before them. */
    const double *l0 = row_of(L, ldl, i) + i, *l1 = l0 + ldl, *l2 = l1 + ldl, *l3 = l2 + ldl;
    double y[4];
    y[3] = nsd_divide(x[i + 3], l3[3]);
    y[2] = nsd_divide(x[i + 2] - l3[2] * y[3], l2[2]);
    y[1] = nsd_divide((x[i + 1] - l3[1] * y[3]) - l2[1] * y[2], l1[1]);
    y[0] = nsd_divide(((x[i] - l3[0] * y[3]) - l2[0] * y[2]) - l1[0] * y[1], l0[0]);
    subtract_rows(i, l0 - i, ldl, y, x);
    x[i] = y[0];
    x[i + 1] = y[1];
    x[i + 2] = y[2];
    x[i + 3] = y[3];
    if (poll && i % ROWS_PER_POLL == 0) {
      (void)nsd_poll_stops(poll, 2.0 * ROWS_PER_POLL * i);
    }
  }
}

enum { forward_half = 1, backward_half = 2 };

NSD_INLINE void solve(int n, const double *L, int ldl, int nrhs, double *X, int ldx, int halves,
                      nsd_poll *poll)
{
  for (int r = 0; r < nrhs && n > 0; r++) { /* n = 0: X may be NULL */
    if (halves & forward_half) {
      forward(n, L, ldl, NULL, row(X, ldx, r), poll);
    }
    if (halves & backward_half) {
      backward(n, L, ldl, row(X, ldx, r), poll);
    }
  }
}

static void solve_plain(int n, const double *L, int ldl, int nrhs, double *X, int ldx, int halves)
{
  solve(n, L, ldl, nrhs, X, ldx, halves, NULL);
}

static void solve_asking_plain(int n, const double *L, int ldl, double *x, nsd_poll *poll)
{
  solve(n, L, ldl, 1, x, n, forward_half | backward_half, poll);
}

NSD_TARGET_AVX2 static void solve_avx2(int n, const double *L, int ldl, int nrhs, double *X, int ldx,
                                       int halves)
{
  solve(n, L, ldl, nrhs, X, ldx, halves, NULL);
}

NSD_TARGET_AVX2 static void solve_asking_avx2(int n, const double *L, int ldl, double *x, nsd_poll *poll)
{
  solve(n, L, ldl, 1, x, n, forward_half | backward_half, poll);
}

static void forward_within_plain(int n, const double *L, int ldl, const int *first, double *x)
{
  forward(n, L, ldl, first, x, NULL);
}

NSD_TARGET_AVX2 static void forward_within_avx2(int n, const double *L, int ldl, const int *first, double *x)
{
  forward(n, L, ldl, first, x, NULL);
}

void nsd_cholesky_forward_within(int n, const double *L, int ldl, const int *first, double *x)
{
  (nsd_cpu_avx2() ? forward_within_avx2 : forward_within_plain)(n, L, ldl, first, x);
}

double nsd_cholesky_envelope(int n, const double *A, int lda, int *first)
{
  double size = 0.0;
  for (int i = 0; i < n; i += 4) {
    const int zeros = zeros_before(A, lda, i, n - i < 4 ? n - i : 4);
    first[i / 4] = zeros;
    size += 4.0 * (i + 4 - zeros);
  }
  return size;
}

void nsd_cholesky_solve_asking(int n, const double *L, int ldl, double *x, nsd_poll *poll)
{
  (nsd_cpu_avx2() ? solve_asking_avx2 : solve_asking_plain)(n, L, ldl, x, poll);
}

void nsd_cholesky_forward(int n, const double *L, int ldl, int nrhs, double *X, int ldx)
{
  (nsd_cpu_avx2() ? solve_avx2 : solve_plain)(n, L, ldl, nrhs, X, ldx, forward_half);
}

void nsd_cholesky_backward(int n, const double *L, int ldl, int nrhs, double *X, int ldx)
{
  (nsd_cpu_avx2() ? solve_avx2 : solve_plain)(n, L, ldl, nrhs, X, ldx, backward_half);
}

void nsd_cholesky_solve(int n, const double *L, int ldl, int nrhs, double *X, int ldx)
{
  (nsd_cpu_avx2() ? solve_avx2 : solve_plain)(n, L, ldl, nrhs, X, ldx, forward_half | backward_half);
}
