/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/ldl_update.h"

#include <float.h>
#include <string.h>

#include "base/assert.h"
#include "base/kernels/cpu.h"
#include "base/kernels/exchange.h"
#include "base/kernels/simd.h"

#define SMALL 8 /* up to this many rows vectors would wait for the scalars just stored */

void nsd_ldl_update_lay_out(nsd_arena *arena, nsd_ldl_update *f, int n)
{
  const size_t size = (size_t)n;
  f->poll = NULL;
  f->m = 0;
  f->ld = nsd_tableau_ld(n);
  f->U = nsd_arena_take(arena, (size_t)f->ld * size, sizeof *f->U);
  f->d = nsd_arena_take(arena, size, sizeof *f->d);
  f->inverse = nsd_arena_take(arena, size, sizeof *f->inverse);
  f->rows = nsd_arena_take(arena, size, sizeof *f->rows);
  f->work = nsd_arena_take(arena, (size_t)f->ld, sizeof *f->work);
}

enum { ROWS_PER_POLL = 64 };

/* A row of U is worked on by groups of four columns. Rows of U begin on multiples of four, and what a
 * group of four holds beyond its row (column k and before in row k, column m and behind) is kept zero: no
 * loop has a remainder. Lanes never mix, except in `dot`, whose order is fixed: the bits are the same for
 * every width of vector. */

static inline int group_of(int k)
{
  return k & ~(NSD_LANES - 1);
}

NSD_INLINE double *row_of(const nsd_ldl_update *f, int k)
{
  return f->U + (size_t)k * (size_t)f->ld;
}

/* to := to − c from, columns begin … end−1 (multiples of four). */
NSD_INLINE void subtract_row(int begin, int end, double c, const double *from, double *to)
{
  for (int l = begin; l < end; l += NSD_LANES) {
    *(nsd_lanes *)(to + l) -= c * *(const nsd_lanes *)(from + l);
  }
}

/* The same with four rows, one after the other for every element. */
NSD_INLINE void subtract_four_rows(int begin, int end, const double *c, const double *from, size_t ld,
                                   double *to)
{
  for (int l = begin; l < end; l += NSD_LANES) {
    nsd_lanes t = *(nsd_lanes *)(to + l);
    t -= c[0] * *(const nsd_lanes *)(from + l);
    t -= c[1] * *(const nsd_lanes *)(from + ld + l);
    t -= c[2] * *(const nsd_lanes *)(from + 2 * ld + l);
    t -= c[3] * *(const nsd_lanes *)(from + 3 * ld + l);
    *(nsd_lanes *)(to + l) = t;
  }
}

NSD_INLINE double dot(int begin, int end, const double *x, const double *y)
{
  nsd_lanes sum = {0.0, 0.0, 0.0, 0.0};
  for (int l = begin; l < end; l += NSD_LANES) {
    sum += *(const nsd_lanes *)(x + l) * *(const nsd_lanes *)(y + l);
  }
  return nsd_lanes_sum(sum);
}

/* row_l := A_il at the columns of F from place i on, zero in the rest of its groups. */
NSD_INLINE void gather(const nsd_ldl_update *f, const nsd_lcp_problem *p, int i, int m, double *row)
{
  const double *a = nsd_lcp_row(p, f->rows[i]);
  const int end = nsd_tableau_ld(m);
  *(nsd_lanes *)(row + group_of(i)) = (nsd_lanes){0.0, 0.0, 0.0, 0.0};
  for (int l = i; l < m; l++) {
    row[l] = a[f->rows[l]];
  }
  for (int l = m; l < end; l++) {
    row[l] = 0.0;
  }
}

/* U_il d_i = A_il − Σ_{k<i} U_ki d_k U_kl, row by row. */
NSD_INLINE int build(nsd_ldl_update *f, const nsd_lcp_problem *p, int m, double tol)
{
  const size_t ld = (size_t)f->ld;
  const int end = nsd_tableau_ld(m);
  for (int i = 0; i < m; i++) {
    double *row = row_of(f, i);
    const int begin = group_of(i);
    /* Row i of A_FF from the diagonal on; then what the rows before it take off, four at a time. */
    gather(f, p, i, m, row);
    const double diagonal = row[i];
    int k = 0;
    for (; k + 4 <= i; k += 4) {
      const double *from = row_of(f, k);
      const double c[4] = {from[i] * f->d[k], from[ld + (size_t)i] * f->d[k + 1],
                           from[2 * ld + (size_t)i] * f->d[k + 2], from[3 * ld + (size_t)i] * f->d[k + 3]};
      subtract_four_rows(begin, end, c, from, ld, row);
    }
    for (; k < i; k++) {
      const double *from = row_of(f, k);
      subtract_row(begin, end, from[i] * f->d[k], from, row);
    }
    /* d_i = A_ii − Σ U_ki² d_k. Rounding below tol A_ii: F ends before i. */
    const double pivot = row[i];
    if (!(pivot > tol * diagonal) || !(pivot > 0.0) || nsd_poll_stops(f->poll, (double)i * (m - i))) {
      f->m = i;
      return i;
    }
    const double inverse = 1.0 / pivot;
    f->d[i] = pivot;
    f->inverse[i] = inverse;
    /* What stands left of the diagonal in its group becomes zero again; U_ii = 1 is not stored. */
    for (int l = begin; l <= i; l++) {
      row[l] = 0.0;
    }
    for (int l = begin; l < end; l += NSD_LANES) {
      *(nsd_lanes *)(row + l) *= inverse;
    }
  }
  f->m = m;
  return -1;
}

/* The same one by one: the same bits. */
static int build_small(nsd_ldl_update *f, const nsd_lcp_problem *p, int m, double tol)
{
  const int end = nsd_tableau_ld(m);
  for (int i = 0; i < m; i++) {
    const double *a = nsd_lcp_row(p, f->rows[i]);
    double row[SMALL] = {0.0};
    for (int l = i; l < m; l++) {
      row[l] = a[f->rows[l]];
    }
    /* The same sums in the same order as above: the bits agree. */
    const double diagonal = row[i];
    for (int k = 0; k < i; k++) {
      const double *from = row_of(f, k);
      const double c = from[i] * f->d[k];
      for (int l = i; l < m; l++) {
        row[l] -= c * from[l];
      }
    }
    if (!(row[i] > tol * diagonal) || !(row[i] > 0.0)) {
      f->m = i;
      return i;
    }
    const double inverse = 1.0 / row[i];
    double *to = row_of(f, i);
    f->d[i] = row[i];
    f->inverse[i] = inverse;
    for (int l = group_of(i); l <= i; l++) {
      to[l] = 0.0;
    }
    for (int l = i + 1; l < m; l++) {
      to[l] = row[l] * inverse;
    }
    for (int l = m; l < end; l++) {
      to[l] = 0.0;
    }
  }
  f->m = m;
  return -1;
}

/* U without row and column k: rows above lose a column, rows behind are updated and move up and left. */
NSD_INLINE void take_out(nsd_ldl_update *f, int k)
{
  const int m = f->m;
  const int end = nsd_tableau_ld(m);
  double *u = f->work;
  /* u is row k of U. Rows above lose column k. */
  memcpy(u, row_of(f, k), (size_t)end * sizeof *u);
  for (int j = 0; j < k; j++) {
    double *row = row_of(f, j);
    memmove(row + k, row + k + 1, (size_t)(m - k - 1) * sizeof *row);
    row[m - 1] = 0.0;
    if ((j & (ROWS_PER_POLL - 1)) == ROWS_PER_POLL - 1) {
      (void)nsd_poll_stops(f->poll, ROWS_PER_POLL * 2.0 * (m - k));
    }
  }
  /* U_₂ᵀ D_₂ U_₂ + α u uᵀ, row by row (Gill, Golub, Murray and Saunders 1974, C1):
   * d' = d + α v², β = α v / d', α' = α d / d'. */
  double alpha = f->d[k];
  for (int j = k + 1; j < m; j++) {
    double *from = row_of(f, j);
    const double v = u[j];
    const double d = f->d[j] + alpha * (v * v);
    const double beta = alpha * v / d;
    alpha = alpha * (f->d[j] / d);
    f->d[j - 1] = d;
    f->inverse[j - 1] = 1.0 / d;
    u[j] = 0.0;
    /* u := u − v U_j, then U_j := U_j + β u. Both stay zero where groups are kept zero. */
    for (int l = group_of(j); l < end; l += NSD_LANES) {
      const nsd_lanes row = *(nsd_lanes *)(from + l);
      const nsd_lanes w = *(nsd_lanes *)(u + l) - v * row;
      *(nsd_lanes *)(u + l) = w;
      *(nsd_lanes *)(from + l) = row + beta * w;
    }
    /* Row j becomes row j − 1, and loses column k. */
    double *to = row_of(f, j - 1);
    memcpy(to + j, from + j + 1, (size_t)(m - j - 1) * sizeof *to);
    to[m - 1] = 0.0;
    if ((j & (ROWS_PER_POLL - 1)) == ROWS_PER_POLL - 1) {
      (void)nsd_poll_stops(f->poll, ROWS_PER_POLL * 4.0 * (m - j));
    }
  }
  memmove(f->rows + k, f->rows + k + 1, (size_t)(m - k - 1) * sizeof *f->rows);
  f->m = m - 1;
}

/* r := U⁻ᵀ r; r is aligned, zero behind its m elements. */
NSD_INLINE void forward(const nsd_ldl_update *f, double *r)
{
  const int end = nsd_tableau_ld(f->m);
  for (int k = 0; k < f->m - 1; k++) {
    subtract_row(group_of(k + 1), end, r[k], row_of(f, k), r);
    if ((k & (ROWS_PER_POLL - 1)) == ROWS_PER_POLL - 1) {
      (void)nsd_poll_stops(f->poll, ROWS_PER_POLL * 2.0 * (end - k));
    }
  }
}

NSD_INLINE void solve(const nsd_ldl_update *f, double *r)
{
  const int m = f->m;
  const int end = nsd_tableau_ld(m);
  /* Uᵀ z = r, z := D⁻¹ z, U x = z. */
  for (int l = m; l < end; l++) {
    r[l] = 0.0;
  }
  forward(f, r);
  for (int k = 0; k < m; k++) {
    r[k] *= f->inverse[k];
  }
  for (int k = m - 2; k >= 0; k--) {
    r[k] -= dot(group_of(k + 1), end, row_of(f, k), r);
    if ((k & (ROWS_PER_POLL - 1)) == ROWS_PER_POLL - 1) {
      (void)nsd_poll_stops(f->poll, ROWS_PER_POLL * 2.0 * (end - k));
    }
  }
}

static void solve_small(const nsd_ldl_update *f, double *r)
{
  /* Uᵀ z = r, z := D⁻¹ z, U x = z, the sums in the order of the vectors above. */
  const int m = f->m;
  for (int k = 0; k < m; k++) {
    const double *row = row_of(f, k);
    for (int l = k + 1; l < m; l++) {
      r[l] -= r[k] * row[l];
    }
  }
  for (int k = 0; k < m; k++) {
    r[k] *= f->inverse[k];
  }
  for (int k = m - 2; k >= 0; k--) {
    const double *row = row_of(f, k);
    double sum[NSD_LANES] = {0.0, 0.0, 0.0, 0.0};
    for (int l = k + 1; l < m; l++) {
      sum[l & (NSD_LANES - 1)] += row[l] * r[l];
    }
    r[k] -= (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }
}

/* The new last column of U, and the pivot that closes it. */
NSD_INLINE double add(nsd_ldl_update *f, const nsd_lcp_problem *p, int i, double tol)
{
  const int m = f->m;
  const double *a = nsd_lcp_row(p, i);
  double *c = f->work;
  /* Uᵀ c = A_Fi, so column m of U is D⁻¹ c, and the pivot A_ii − cᵀ D⁻¹ c. */
  for (int k = 0; k < m; k++) {
    c[k] = a[f->rows[k]];
  }
  for (int k = m; k < nsd_tableau_ld(m); k++) {
    c[k] = 0.0;
  }
  forward(f, c);
  double pivot = a[i];
  for (int k = 0; k < m; k++) {
    pivot -= c[k] * (c[k] * f->inverse[k]);
  }
  if (!(pivot > tol * a[i]) || !(pivot > 0.0)) {
    return pivot;
  }
  const int fresh = m % NSD_LANES == 0; /* the column begins a new group */
  for (int k = 0; k < m; k++) {
    if (fresh) {
      *(nsd_lanes *)(row_of(f, k) + m) = (nsd_lanes){0.0, 0.0, 0.0, 0.0};
    }
    row_of(f, k)[m] = c[k] * f->inverse[k];
  }
  /* Row m of U is empty so far. */
  *(nsd_lanes *)(row_of(f, m) + group_of(m)) = (nsd_lanes){0.0, 0.0, 0.0, 0.0};
  f->d[m] = pivot;
  f->inverse[m] = 1.0 / pivot;
  f->rows[m] = i;
  f->m = m + 1;
  return pivot;
}

/* y := y + Σ x_k A_row(k). The caller's rows stand anywhere, so the last columns come one by one. */
NSD_INLINE void add_rows(const nsd_lcp_problem *p, int m, const int *rows, const double *x, double *y)
{
  /* Four rows at once: y is read and written a quarter as often. */
  const int whole = group_of(p->n);
  int k = 0;
  for (; k + 4 <= m; k += 4) {
    const double *a0 = nsd_lcp_row(p, rows[k]);
    const double *a1 = nsd_lcp_row(p, rows[k + 1]);
    const double *a2 = nsd_lcp_row(p, rows[k + 2]);
    const double *a3 = nsd_lcp_row(p, rows[k + 3]);
    for (int j = 0; j < whole; j += NSD_LANES) {
      nsd_lanes t = *(nsd_lanes *)(y + j);
      t += x[k] * *(const nsd_lanes *)(a0 + j);
      t += x[k + 1] * *(const nsd_lanes *)(a1 + j);
      t += x[k + 2] * *(const nsd_lanes *)(a2 + j);
      t += x[k + 3] * *(const nsd_lanes *)(a3 + j);
      *(nsd_lanes *)(y + j) = t;
    }
    for (int j = whole; j < p->n; j++) {
      y[j] = (((y[j] + x[k] * a0[j]) + x[k + 1] * a1[j]) + x[k + 2] * a2[j]) + x[k + 3] * a3[j];
    }
  }
  for (; k < m; k++) {
    const double *a = nsd_lcp_row(p, rows[k]);
    for (int j = 0; j < whole; j += NSD_LANES) {
      *(nsd_lanes *)(y + j) += x[k] * *(const nsd_lanes *)(a + j);
    }
    for (int j = whole; j < p->n; j++) {
      y[j] += x[k] * a[j];
    }
  }
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static int build_avx2(nsd_ldl_update *f, const nsd_lcp_problem *p, int m, double tol)
{
  return build(f, p, m, tol);
}
NSD_TARGET_AVX2 static void take_out_avx2(nsd_ldl_update *f, int k)
{
  take_out(f, k);
}
NSD_TARGET_AVX2 static void solve_avx2(const nsd_ldl_update *f, double *r)
{
  solve(f, r);
}
NSD_TARGET_AVX2 static double add_avx2(nsd_ldl_update *f, const nsd_lcp_problem *p, int i, double tol)
{
  return add(f, p, i, tol);
}
NSD_TARGET_AVX2 static void add_rows_avx2(const nsd_lcp_problem *p, int m, const int *rows, const double *x,
                                          double *y)
{
  add_rows(p, m, rows, x, y);
}
#define DISPATCH(name, ...) (nsd_cpu_avx2() ? name##_avx2(__VA_ARGS__) : name(__VA_ARGS__))
#else
#define DISPATCH(name, ...) name(__VA_ARGS__)
#endif

int nsd_ldl_update_build(nsd_ldl_update *f, const nsd_lcp_problem *p, int m, double tol)
{
  const int failed = m <= SMALL ? build_small(f, p, m, tol) : DISPATCH(build, f, p, m, tol);
  /* A factorization that ended early has written columns behind its end: they become zero again. */
  for (int k = 0; k < failed; k++) {
    for (int l = failed; l < nsd_tableau_ld(failed); l++) {
      row_of(f, k)[l] = 0.0;
    }
  }
  return failed;
}

double nsd_ldl_update_add(nsd_ldl_update *f, const nsd_lcp_problem *p, int i, double tol)
{
  return DISPATCH(add, f, p, i, tol);
}

void nsd_ldl_update_remove(nsd_ldl_update *f, int k)
{
  NSD_ASSERT(0 <= k && k < f->m);
  DISPATCH(take_out, f, k);
}

void nsd_ldl_update_solve(const nsd_ldl_update *f, double *r)
{
  if (f->m <= SMALL) {
    solve_small(f, r);
  } else {
    DISPATCH(solve, f, r);
  }
}

void nsd_add_rows(const nsd_lcp_problem *p, int m, const int *rows, const double *x, double *y,
                  nsd_poll *poll)
{
  if (p->n > SMALL) {
    for (int k = 0; k < m; k += ROWS_PER_POLL) { /* whole groups of four: the same sums */
      const int count = m - k < ROWS_PER_POLL ? m - k : ROWS_PER_POLL;
      DISPATCH(add_rows, p, count, rows + k, x + k, y);
      (void)nsd_poll_stops(poll, 2.0 * count * p->n);
    }
    return;
  }
  for (int k = 0; k < m; k++) {
    const double *a = nsd_lcp_row(p, rows[k]);
    for (int j = 0; j < p->n; j++) {
      y[j] += x[k] * a[j];
    }
  }
}
