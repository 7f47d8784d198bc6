/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* LU factorization with partial pivoting (Golub & Van Loan, Matrix Computations, alg. 3.4.1), row by
 * row, and the estimate of the condition number (Hager 1984; Higham 1988). What panels and AVX2 buy: `LU +
 * solve` of tests/bench/bench_dense.c, beside GSL and LAPACK. */
#include <float.h>
#include <math.h>

#include "base/dense.h"
#include "base/kernels/cpu.h"
#include "base/kernels/simd.h"

NSD_INLINE double *row(double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

NSD_INLINE const double *row_of(const double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

enum {
  panel = 4, /* columns that are factored together, one nsd_lanes */
  ROWS_PER_POLL = 64,
  LONG = 1024 /* rows from which on a panel may take a millisecond */
};

#define COLUMN_READ 8.0 /* multiplications that take as long as to read an element out of a column */

/* Rows i … i + 3 of the panel at column k: a_ic −= Σ l_ij u_jc over j < depth. */
NSD_INLINE void reduce_four_rows(double *A, int lda, int i, int k, int depth)
{
  double *a0 = row(A, lda, i), *a1 = a0 + lda, *a2 = a1 + lda, *a3 = a2 + lda;
  const double *u = A + k;
  nsd_lanes s0 = *(nsd_lanes *)(a0 + k), s1 = *(nsd_lanes *)(a1 + k);
  nsd_lanes s2 = *(nsd_lanes *)(a2 + k), s3 = *(nsd_lanes *)(a3 + k);
  /* Columns k … k + 3 of rows i … i + 3, less what the rows of U above them make. */
  for (int j = 0; j < depth; j++, u += lda) {
    const nsd_lanes x = *(const nsd_lanes *)u;
    s0 -= a0[j] * x;
    s1 -= a1[j] * x;
    s2 -= a2[j] * x;
    s3 -= a3[j] * x;
  }
  if (i < k) { /* these are rows of U: each needs those above it in this group */
    s1 -= a1[i] * s0;
    s2 -= a2[i] * s0;
    s3 -= a3[i] * s0;
    s2 -= a2[i + 1] * s1;
    s3 -= a3[i + 1] * s1;
    s3 -= a3[i + 2] * s2;
  }
  *(nsd_lanes *)(a0 + k) = s0;
  *(nsd_lanes *)(a1 + k) = s1;
  *(nsd_lanes *)(a2 + k) = s2;
  *(nsd_lanes *)(a3 + k) = s3;
}

/* One of the last rows, below all whole groups and so below the panel's diagonal. */
NSD_INLINE void reduce_row_of_four(double *A, int lda, int i, int k)
{
  double *a = row(A, lda, i);
  const double *u = A + k;
  nsd_lanes s = *(nsd_lanes *)(a + k);
  for (int j = 0; j < k; j++, u += lda) {
    s -= a[j] * *(const nsd_lanes *)u;
  }
  *(nsd_lanes *)(a + k) = s;
}

/* One row of a panel with `width` < 4 columns. */
NSD_INLINE void reduce_row(double *A, int lda, int i, int k, int width)
{
  double *a = row(A, lda, i);
  const double *u = A + k;
  const int depth = i < k ? i : k;
  double s0 = a[k], s1 = width > 1 ? a[k + 1] : 0.0, s2 = width > 2 ? a[k + 2] : 0.0;
  for (int j = 0; j < depth; j++, u += lda) {
    s0 -= a[j] * u[0];
    if (width > 1) {
      s1 -= a[j] * u[1];
    }
    if (width > 2) {
      s2 -= a[j] * u[2];
    }
  }
  a[k] = s0;
  if (width > 1) {
    a[k + 1] = s1;
  }
  if (width > 2) {
    a[k + 2] = s2;
  }
}

/* The whole panel at column k: brought to where the elimination of all columns before it leaves it. */
NSD_INLINE void reduce_panel(int n, double *A, int lda, int k, nsd_poll *poll)
{
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    /* A row of U (i < k) is done after i columns, a row of L after k. */
    reduce_four_rows(A, lda, i, k, i < k ? i : k);
    if (n >= LONG && poll && i % ROWS_PER_POLL == 0) {
      (void)nsd_poll_stops(poll, (double)ROWS_PER_POLL * panel * (i < k ? i : k));
    }
  }
  for (; i < n; i++) {
    reduce_row_of_four(A, lda, i, k);
  }
}

/* Exchanges two rows, which may be the same, but for the panel of `width` columns at column `begin`. */
NSD_INLINE void swap_outside(int n, double *a, double *b, int begin, int width)
{
  int j = 0;
  for (; j + panel <= n; j += panel) {
    if (j == begin) {
      continue;
    }
    const nsd_lanes x = *(nsd_lanes *)(a + j), y = *(nsd_lanes *)(b + j);
    *(nsd_lanes *)(a + j) = y;
    *(nsd_lanes *)(b + j) = x;
  }
  for (; j < n && width == panel; j++) {
    const double x = a[j], y = b[j];
    a[j] = y;
    b[j] = x;
  }
}

/* Exchanges them inside the panel, element by element, as they were just written: a vector read would
 * have to wait for the memory. p receives what row a then has. */
NSD_INLINE void swap_inside(double *a, double *b, int begin, int width, double *p)
{
  NSD_UNROLL(8)
  for (int c = 0; c < width; c++) {
    const double x = a[begin + c], y = b[begin + c];
    a[begin + c] = p[c] = y;
    b[begin + c] = x;
  }
}

/* The largest element of a column below a row: where, and |its size|. A NaN is never the largest; where
 * there is nothing else the size is −1. */
typedef struct pivot {
  double size;
  int at;
} pivot;

/* Without a branch, since no processor can predict which row wins. */
NSD_INLINE void consider(pivot *best, double element, int i)
{
  const double size = fabs(element);
  best->at = size > best->size ? i : best->at;
  best->size = nsd_larger(size, best->size);
}

NSD_INLINE pivot find_pivot(int n, const double *A, int lda, int k)
{
  pivot best = {-1.0, k};
  for (int i = k; i < n; i++) {
    consider(&best, row_of(A, lda, i)[k], i);
  }
  return best;
}

/* A power of two that brings p where 1/p is as exact as any number. */
NSD_INLINE double unit_of(double p)
{
  return fabs(p) < 0x1p-1000 ? 0x1p+500 : fabs(p) > 0x1p+1000 ? 0x1p-500 : 1.0;
}

/* Column k of L, and its part of the next `rest` columns; p holds row k from column k on. Returns the
 * pivot of column k + 1, where that is in the panel. */
NSD_INLINE pivot eliminate(int n, double *A, int lda, int k, int rest, const double *p)
{
  pivot best = {-1.0, k + 1};
  /* l_ik = a_ik / p. For p near the ends of the range 1/p would
   * overflow or be subnormal: units of two help. */
  const double unit = unit_of(p[0]), inverse = 1.0 / (unit * p[0]);
  for (int i = k + 1; i < n; i++) {
    double *a = row(A, lda, i) + k;
    double l = unit * a[0] * inverse;
    if (fabs(a[0]) == fabs(p[0])) { /* rows that are equal cancel exactly */
      l = a[0] == p[0] ? 1.0 : -1.0;
    }
    a[0] = l;
    if (rest > 0) {
      /* The next column's search for a pivot rides on this loop, so that the column is not read twice. */
      const double next = a[1] - l * p[1];
      consider(&best, next, i);
      a[1] = next;
    }
    if (rest > 1) {
      a[2] -= l * p[2];
    }
    if (rest > 2) {
      a[3] -= l * p[3];
    }
  }
  return best;
}

/* The panel of `width` columns at column k. Returns how many have a pivot before one has none.
 * A NaN or infinity needs no search of its own: from row i of L it goes into all of row i of U, from u_ij
 * into all of column j below, so that it reaches the diagonal of U. */
NSD_INLINE int factor_panel(int n, double *A, int lda, int *perm, int k, int width)
{
  pivot best = find_pivot(n, A, lda, k);
  NSD_UNROLL(8)
  for (int c = 0; c < width; c++) {
    perm[k + c] = best.at;
    if (!(best.size > 0.0 && best.size <= DBL_MAX)) {
      return c;
    }
    /* Pivot to row k + c, then this column of L and its part of the panel's other columns. */
    double p[panel];
    swap_inside(row(A, lda, k + c), row(A, lda, best.at), k, width, p);
    swap_outside(n, row(A, lda, k + c), row(A, lda, best.at), k, width);
    best = eliminate(n, A, lda, k + c, width - 1 - c, p + c);
  }
  return width;
}

/* The last columns, fewer than a panel. Returns the first without a pivot, n where each has one. */
NSD_INLINE int factor_rest(int n, double *A, int lda, int *perm, int k, int width)
{
  for (int i = 1; i < n && k > 0; i++) {
    reduce_row(A, lda, i, k, width);
  }
  return k + factor_panel(n, A, lda, perm, k, width);
}

/* Returns the first column without a pivot, n where each has one, −1 where the poll stops it. */
NSD_INLINE int factor(int n, double *A, int lda, int *perm, nsd_poll *poll)
{
  int k = 0;
  for (; k + panel <= n; k += panel) {
    /* Left-looking: the panel first gets what all columns before it make, then is factored by itself. */
    reduce_panel(n, A, lda, k, poll);
    const int done = factor_panel(n, A, lda, perm, k, panel);
    if (done < panel) {
      return k + done;
    }
    if (poll && nsd_poll_stops(poll, n < LONG ? (double)panel * n * (k + panel) : COLUMN_READ * panel * n)) {
      return -1;
    }
  }
  /* One to three columns are left. */
  switch (n - k) {
  case 3:
    return factor_rest(n, A, lda, perm, k, 3);
  case 2:
    return factor_rest(n, A, lda, perm, k, 2);
  case 1:
    return factor_rest(n, A, lda, perm, k, 1);
  default:
    return n;
  }
}

/* What describe() gathers, column after column. */
typedef struct summary {
  double largest; /* |u_ij| so far */
  nsd_lu_info info;
} summary;

/* Column k from row `begin` on, given Σ |l_kj| |u_jk| before it. */
NSD_INLINE void summarize_column(const double *LU, int lda, int k, int begin, double sum, double down,
                                 summary *s)
{
  const double *l = row_of(LU, lda, k);
  for (int j = begin; j < k; j++) {
    const double u = fabs(row_of(LU, lda, j)[k]);
    s->largest = nsd_larger(u, s->largest);
    sum += fabs(l[j]) * (down * u);
  }
  /* |u_kk| / (Σ_j |l_kj| |u_jk| + |u_kk|): what cancellation has left of the pivot. */
  const double u = fabs(l[k]), margin = down * u / (sum + down * u);
  s->largest = nsd_larger(u, s->largest);
  if (margin < s->info.margin) {
    s->info.margin = margin;
    s->info.column = k;
  }
}

/* Columns k … k + 3: the rectangle above their triangle in four lanes. */
NSD_INLINE void summarize_panel(const double *LU, int lda, int k, double down, summary *s)
{
  const double *l0 = row_of(LU, lda, k), *l1 = l0 + lda, *l2 = l1 + lda, *l3 = l2 + lda;
  nsd_lanes sum = {0.0, 0.0, 0.0, 0.0}, most = sum;
  for (int j = 0; j < k; j++) {
    const nsd_lanes l = {fabs(l0[j]), fabs(l1[j]), fabs(l2[j]), fabs(l3[j])};
    const nsd_lanes u = nsd_lanes_abs(nsd_lanes_load(row_of(LU, lda, j) + k));
    most = nsd_lanes_max(u, most);
    sum += l * (down * u);
  }
  s->largest = nsd_larger(nsd_lanes_largest(most), s->largest);
  summarize_column(LU, lda, k, k, sum[0], down, s);
  summarize_column(LU, lda, k + 1, k, sum[1], down, s);
  summarize_column(LU, lda, k + 2, k, sum[2], down, s);
  summarize_column(LU, lda, k + 3, k, sum[3], down, s);
}

/* `largest` is that of |A|; large matrices are taken 2^-32 times, so that no sum overflows. */
NSD_INLINE void describe(int n, const double *LU, int lda, double largest, nsd_lu_info *info, nsd_poll *poll)
{
  const double down = largest > 1.0 ? 0x1p-32 : 1.0;
  summary s = {largest, {1.0, 1.0, 0}};
  int k = 0;
  for (; k + panel <= n; k += panel) {
    summarize_panel(LU, lda, k, down, &s);
    if (poll) {
      (void)nsd_poll_stops(poll, COLUMN_READ * panel * k);
    }
  }
  for (; k < n; k++) {
    summarize_column(LU, lda, k, 0, 0.0, down, &s);
  }
  s.info.growth = n > 0 ? s.largest / largest : 1.0;
  *info = s.info;
}

NSD_INLINE double largest_element(int n, const double *A, int lda, nsd_poll *poll)
{
  double m = 0.0;
  if (lda == n && n > 3 && n < LONG) {
    return nsd_lanes_norm(n * n, A);
  }
  if (n <= 3 && lda == n) { /* so few that a vector would wait for their being written */
    for (int i = 0; i < n * n; i++) {
      m = nsd_larger(fabs(A[i]), m);
    }
    return m;
  }
  for (int i = 0; i < n; i++) {
    m = nsd_larger(nsd_lanes_norm(n, row_of(A, lda, i)), m);
    if (poll) {
      (void)nsd_poll_stops(poll, 2.0 * n);
    }
  }
  return m;
}

NSD_INLINE int factor_and_describe(int n, double *A, int lda, int *perm, nsd_lu_info *info, nsd_poll *poll)
{
  if (!info) {
    return factor(n, A, lda, perm, poll);
  }
  /* The largest element of A, before it is overwritten: growth is judged beside it. */
  const double largest = largest_element(n, A, lda, poll);
  const int rank = factor(n, A, lda, perm, poll);
  if (rank == n) {
    describe(n, A, lda, largest, info, poll);
  }
  return rank;
}

static int factor_plain(int n, double *A, int lda, int *perm, nsd_lu_info *info, nsd_poll *poll)
{
  return factor_and_describe(n, A, lda, perm, info, poll);
}

NSD_TARGET_AVX2 static int factor_avx2(int n, double *A, int lda, int *perm, nsd_lu_info *info,
                                       nsd_poll *poll)
{
  return factor_and_describe(n, A, lda, perm, info, poll);
}

nsdyn_status nsd_lu_factor(int n, double *A, int lda, int *perm, nsd_lu_info *info)
{
  return nsd_lu_factor_asking(n, A, lda, perm, info, NULL);
}

nsdyn_status nsd_lu_factor_asking(int n, double *A, int lda, int *perm, nsd_lu_info *info, nsd_poll *poll)
{
  const int rank = (nsd_cpu_avx2() ? factor_avx2 : factor_plain)(n, A, lda, perm, info, poll);
  if (rank == n) {
    return NSDYN_OK;
  }
  if (rank < 0) {
    return NSDYN_CANCELLED;
  }
  /* Why it failed: a number that is not finite, or no pivot. */
  if (!nsd_all_finite(n, n, A, lda)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  if (info) {
    const nsd_lu_info singular = {.growth = 1.0, .margin = 0.0, .column = rank};
    *info = singular;
  }
  return NSDYN_ERR_SINGULAR;
}

NSD_INLINE void exchange(double *x, int i, int j)
{
  const double t = x[i];
  x[i] = x[j];
  x[j] = t;
}

/* x := L^-1 x: groups of four rows, the triangle on the diagonal element by element. */
NSD_INLINE void solve_lower(int n, const double *LU, int lda, double *x, nsd_poll *poll)
{
  /* Rows i … i + 3: x_i −= Σ_{j<i} l_ij x_j, then their own triangle (l_ii = 1). */
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const double *l1 = row_of(LU, lda, i + 1) + i, *l2 = l1 + lda, *l3 = l2 + lda;
    nsd_lanes_subtract_four(i, l1 - lda - i, lda, x, x + i);
    x[i + 1] -= l1[0] * x[i];
    x[i + 2] = (x[i + 2] - l2[0] * x[i]) - l2[1] * x[i + 1];
    x[i + 3] = ((x[i + 3] - l3[0] * x[i]) - l3[1] * x[i + 1]) - l3[2] * x[i + 2];
    if (poll && i % ROWS_PER_POLL == 0) {
      (void)nsd_poll_stops(poll, 2.0 * ROWS_PER_POLL * i);
    }
  }
  for (; i < n; i++) {
    const double *l = row_of(LU, lda, i);
    double s = x[i];
    for (int j = 0; j < i; j++) {
      s -= l[j] * x[j];
    }
    x[i] = s;
  }
}

/* x := U^-1 x, in the same groups. */
NSD_INLINE void solve_upper(int n, const double *LU, int lda, double *x, nsd_poll *poll)
{
  /* The rows behind the last whole group first: U is solved from below. */
  const int whole = n / 4 * 4;
  for (int i = n - 1; i >= whole; i--) {
    const double *u = row_of(LU, lda, i);
    double s = x[i];
    for (int j = n - 1; j > i; j--) {
      s -= u[j] * x[j];
    }
    x[i] = nsd_divide(s, u[i]);
  }
  for (int i = whole - 4; i >= 0; i -= 4) {
    const double *u0 = row_of(LU, lda, i) + i, *u1 = u0 + lda, *u2 = u1 + lda, *u3 = u2 + lda;
    /* Four rows at once, then their triangle from below. */
    nsd_lanes_subtract_four(n - i - 4, u0 + 4, lda, x + i + 4, x + i);
    const double x3 = nsd_divide(x[i + 3], u3[3]);
    const double x2 = nsd_divide(x[i + 2] - u2[3] * x3, u2[2]);
    const double x1 = nsd_divide((x[i + 1] - u1[3] * x3) - u1[2] * x2, u1[1]);
    x[i] = nsd_divide(((x[i] - u0[3] * x3) - u0[2] * x2) - u0[1] * x1, u0[0]);
    x[i + 1] = x1;
    x[i + 2] = x2;
    x[i + 3] = x3;
    if (poll && i % ROWS_PER_POLL == 0) {
      (void)nsd_poll_stops(poll, 2.0 * ROWS_PER_POLL * (n - i));
    }
  }
}

NSD_INLINE void solve(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx,
                      nsd_poll *poll)
{
  for (int r = 0; r < nrhs && n > 0; r++) { /* n = 0: X may be NULL */
    double *x = row(X, ldx, r);
    /* P x, then L z = P x, then U x = z. */
    for (int k = 0; k < n; k++) {
      exchange(x, k, perm[k]);
    }
    solve_lower(n, LU, lda, x, poll);
    solve_upper(n, LU, lda, x, poll);
  }
}

static void solve_plain(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx)
{
  solve(n, LU, lda, perm, nrhs, X, ldx, NULL);
}

static void solve_asking_plain(int n, const double *LU, int lda, const int *perm, double *x, nsd_poll *poll)
{
  solve(n, LU, lda, perm, 1, x, n, poll);
}

NSD_TARGET_AVX2 static void solve_avx2(int n, const double *LU, int lda, const int *perm, int nrhs, double *X,
                                       int ldx)
{
  solve(n, LU, lda, perm, nrhs, X, ldx, NULL);
}

NSD_TARGET_AVX2 static void solve_asking_avx2(int n, const double *LU, int lda, const int *perm, double *x,
                                              nsd_poll *poll)
{
  solve(n, LU, lda, perm, 1, x, n, poll);
}

void nsd_lu_solve_asking(int n, const double *LU, int lda, const int *perm, double *x, nsd_poll *poll)
{
  (nsd_cpu_avx2() ? solve_asking_avx2 : solve_asking_plain)(n, LU, lda, perm, x, poll);
}

void nsd_lu_solve(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx)
{
  (nsd_cpu_avx2() ? solve_avx2 : solve_plain)(n, LU, lda, perm, nrhs, X, ldx);
}

void nsd_lu_solve_transposed(int n, const double *LU, int lda, const int *perm, int nrhs, double *X, int ldx)
{
  for (int r = 0; r < nrhs && n > 0; r++) { /* n = 0: X may be NULL */
    double *x = row(X, ldx, r);
    /* Uᵀ z = x, Lᵀ y = z, x = Pᵀ y. */
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
  /* The mean of all unit vectors: ‖A⁻¹ x‖_1 at a point from which every vertex can be reached. */
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
    /* The gradient of ‖A⁻¹ x‖_1 is A⁻ᵀ sign(A⁻¹ x). The same signs: no higher vertex in sight. */
    if (!take_signs(n, x, sign)) {
      break;
    }
    for (int i = 0; i < n; i++) {
      x[i] = scale * sign[i];
    }
    nsd_lu_solve_transposed(n, LU, lda, perm, 1, x, n);
    /* The vertex with the largest slope; where none is larger than here, it is a maximum. */
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
