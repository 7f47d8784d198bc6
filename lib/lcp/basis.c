/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/basis.h"

#include <float.h>

#include "base/dense.h"
#include "base/simd.h"

/* Part of its size below which a number is taken for rounding. */
#define ROUNDING (32.0 * DBL_EPSILON)

void nsd_basis_lay_out(nsd_arena *arena, nsd_basis *w, int n)
{
  const size_t size = (size_t)n;
  w->block = nsd_arena_take(arena, size * size, sizeof *w->block);
  w->right = nsd_arena_take(arena, size, sizeof *w->right);
  w->size = nsd_arena_take(arena, size, sizeof *w->size);
  w->free_rows = nsd_arena_take(arena, size, sizeof *w->free_rows);
  w->perm = nsd_arena_take(arena, size, sizeof *w->perm);
}

/* The bound a place stands for; a free side of an unbounded unknown has none. */
static int bound_of(const nsd_lcp_problem *p, int32_t place, int i, double *bound)
{
  if (place == NSDYN_LCP_BASIC) {
    return 0;
  }
  *bound = place == NSDYN_LCP_AT_LO ? nsd_lcp_lo(p, i) : nsd_lcp_hi(p, i);
  return isfinite(*bound) ? 1 : 0;
}

/* Sorts the unknowns: F into free_rows (its number is returned), the others keep their bounds. */
static int split(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis)
{
  int m = 0;
  for (int i = 0; i < p->n; i++) {
    double bound;
    if (!bound_of(p, basis[i], i, &bound)) {
      w->free_rows[m++] = i;
    }
  }
  return m;
}

/* right_k = −b_i − Σ_{j fixed} A_ij bound_j for i = free_rows[k]. */
static void assemble_right(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, int m)
{
  for (int k = 0; k < m; k++) {
    w->right[k] = -p->b[w->free_rows[k]];
  }
  if (!p->lo && !p->hi) {
    return;
  }
  for (int j = 0; j < p->n; j++) {
    double bound;
    if (!bound_of(p, basis[j], j, &bound) || bound == 0.0) {
      continue;
    }
    for (int k = 0; k < m; k++) {
      w->right[k] -= nsd_lcp_row(p, w->free_rows[k])[j] * bound;
    }
  }
}

static void scatter(const nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, int m, double *x)
{
  for (int i = 0; i < p->n; i++) {
    double bound;
    if (bound_of(p, basis[i], i, &bound)) {
      x[i] = bound;
    }
  }
  for (int k = 0; k < m; k++) {
    x[w->free_rows[k]] = w->right[k];
  }
}

/* The largest of `least` and the |a_i| s_i. */
NSD_INLINE double largest_term(int n, const double *a, const double *s, double least)
{
  NSD_SIMD_MAX(least)
  for (int i = 0; i < n; i++) {
    const double term = fabs(a[i]) * s[i];
    least = term > least ? term : least;
  }
  return least;
}

/* Takes element k for zero where it is rounding of its size. A zero is exact then: it passes no rounding on.
 */
static void settle(nsd_basis *w, int k, double value, double size)
{
  const int is_noise = fabs(value) <= ROUNDING * size;
  w->right[k] = is_noise ? 0.0 : value;
  w->size[k] = is_noise ? 0.0 : size;
}

/* right := A_FF⁻¹ right by the factors in block. */
static void solve_factored(nsd_basis *w, int m)
{
  double *r = w->right;
  for (int k = 0; k < m; k++) {
    const double other = r[w->perm[k]];
    r[w->perm[k]] = r[k];
    r[k] = other;
  }
  for (int k = 0; k < m; k++) {
    const double *row = w->block + (size_t)k * (size_t)m;
    settle(w, k, r[k] - nsd_dot(k, row, r), largest_term(k, row, w->size, fabs(r[k])));
  }
  for (int k = m - 1; k >= 0; k--) {
    const double *row = w->block + (size_t)k * (size_t)m;
    const int rest = m - 1 - k;
    const double sum = r[k] - nsd_dot(rest, row + k + 1, r + k + 1);
    const double size = largest_term(rest, row + k + 1, w->size + k + 1, w->size[k]);
    settle(w, k, sum / row[k], size / fabs(row[k]));
  }
}

nsdyn_status nsd_basis_solve(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, double *x)
{
  const int m = split(w, p, basis);
  for (int k = 0; k < m; k++) {
    const double *row = nsd_lcp_row(p, w->free_rows[k]);
    double *to = w->block + (size_t)k * (size_t)m;
    for (int l = 0; l < m; l++) {
      to[l] = row[w->free_rows[l]];
    }
  }
  assemble_right(w, p, basis, m);
  nsd_lu_info info;
  const nsdyn_status status = nsd_lu_factor(m, w->block, m, w->perm, &info);
  if (status) {
    return status;
  }
  /* Pivots that are mere rounding yield a point of enormous size, whose certificate holds since b vanishes
   * beside it: it solves another problem. */
  if (info.margin <= 16.0 * m * DBL_EPSILON && m > 0) {
    return NSDYN_ERR_SINGULAR;
  }
  solve_factored(w, m);
  if (!nsd_all_finite(1, m, w->right, m)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  scatter(w, p, basis, m, x);
  return NSDYN_OK;
}

nsdyn_status nsd_basis_solve_symmetric(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis,
                                       double *x)
{
  const int m = split(w, p, basis);
  for (int k = 0; k < m; k++) {
    const double *row = nsd_lcp_row(p, w->free_rows[k]);
    double *to = w->block + (size_t)k * (size_t)m;
    for (int l = 0; l <= k; l++) {
      to[l] = row[w->free_rows[l]];
    }
  }
  assemble_right(w, p, basis, m);
  const nsdyn_status status = nsd_cholesky_factor(m, w->block, m, NULL);
  if (status) {
    return status;
  }
  nsd_cholesky_solve(m, w->block, m, 1, w->right, m);
  if (!nsd_all_finite(1, m, w->right, m)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  scatter(w, p, basis, m, x);
  return NSDYN_OK;
}

void nsd_basis_of(const nsd_lcp_problem *p, const double *x, int32_t *basis)
{
  for (int i = 0; i < p->n; i++) {
    basis[i] = x[i] <= nsd_lcp_lo(p, i)   ? NSDYN_LCP_AT_LO
               : x[i] >= nsd_lcp_hi(p, i) ? NSDYN_LCP_AT_HI
                                          : NSDYN_LCP_BASIC;
  }
}

void nsd_lcp_project(const nsd_lcp_problem *p, double *x)
{
  for (int i = 0; i < p->n; i++) {
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    if (x[i] < lo) {
      x[i] = lo;
    } else if (x[i] > hi) {
      x[i] = hi;
    }
  }
}
