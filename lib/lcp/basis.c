/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/basis.h"

#include <float.h>

#include "base/dense.h"

void nsd_basis_lay_out(nsd_arena *arena, nsd_basis *w, int n)
{
  const size_t size = (size_t)n;
  w->block = nsd_arena_take(arena, size * size, sizeof *w->block);
  w->right = nsd_arena_take(arena, size, sizeof *w->right);
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
  nsd_lu_solve(m, w->block, m, w->perm, 1, w->right, m);
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
