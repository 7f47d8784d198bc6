/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/basis.h"

#include <float.h>

#include "base/dense.h"
#include "base/pivot.h"
#include "base/simd.h"

/* Part of its size below which a number is taken for rounding. */
#define ROUNDING (32.0 * DBL_EPSILON)

void nsd_basis_lay_out(nsd_arena *arena, nsd_basis *w, int n)
{
  const size_t size = (size_t)n;
  const size_t padded = (size_t)nsd_tableau_ld(n);
  w->block = nsd_arena_take(arena, padded * padded, sizeof *w->block);
  w->right = nsd_arena_take(arena, padded, sizeof *w->right);
  w->size = nsd_arena_take(arena, padded, sizeof *w->size);
  w->columns = nsd_arena_take(arena, padded * padded, sizeof *w->columns);
  w->l = nsd_arena_take(arena, padded, sizeof *w->l);
  w->spent = nsd_arena_take(arena, padded, sizeof *w->spent);
  w->inverse = nsd_arena_take(arena, padded, sizeof *w->inverse);
  w->done = nsd_arena_take(arena, padded + 1, sizeof *w->done);
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
  w->m = m;
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

void nsd_basis_learn(const nsd_basis *w, int n, nsd_basis_order *order)
{
  const int m = w->m;
  order->m = m;
  for (int i = 0; i < nsd_tableau_ld(n); i++) {
    order->position[i] = m;
  }
  for (int k = 0; k < m; k++) {
    order->rows[k] = order->columns[k] = w->free_rows[k];
    order->position[w->free_rows[k]] = k;
  }
  for (int k = 0; k < m; k++) {
    const int row = order->rows[k];
    order->rows[k] = order->rows[w->perm[k]];
    order->rows[w->perm[k]] = row;
  }
  for (int k = m; m > 0 && k < nsd_tableau_ld(m); k++) {
    order->rows[k] = order->columns[k] = order->columns[0];
  }
}

/* Part of all that went into a pivot below which it is rounding. */
NSD_INLINE double singular_tol(int m)
{
  return 16.0 * m * DBL_EPSILON;
}

/* Up to so many unknowns all numbers of the elimination stand in the processor's registers. */
enum { FEW = 6 };

/* A right-hand side and the largest number that went into it: what is rounding of that is zero, and passes no
 * rounding on. */
NSD_INLINE void settle_pair(double *value, double *size)
{
  const int counts = fabs(*value) > ROUNDING * *size;
  *value = counts ? *value : 0.0;
  *size = counts ? *size : 0.0;
}

/* Elimination in the known order, for a number of unknowns that the compiler knows. */
NSD_INLINE int eliminate_few(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, int m)
{
  double M[FEW][FEW];
  double r[FEW];
  double size[FEW];
  double spent[FEW];
  double inverse[FEW];
  int sound = 1;
  NSD_UNROLL(6)
  for (int i = 0; i < m; i++) {
    const double *a = nsd_lcp_row(p, order->rows[i]);
    NSD_UNROLL(6)
    for (int j = 0; j < m; j++) {
      M[i][j] = a[order->columns[j]];
    }
    r[i] = -p->b[order->rows[i]];
    size[i] = fabs(r[i]);
    spent[i] = 0.0;
  }
  NSD_UNROLL(6)
  for (int k = 0; k < m; k++) {
    const double u = fabs(M[k][k]);
    sound &= u > singular_tol(m) * (spent[k] + u);
    inverse[k] = 1.0 / M[k][k];
    settle_pair(&r[k], &size[k]);
    NSD_UNROLL(6)
    for (int i = k + 1; i < m; i++) {
      const double l = M[i][k] * inverse[k];
      NSD_UNROLL(6)
      for (int j = k + 1; j < m; j++) {
        M[i][j] -= l * M[k][j];
      }
      spent[i] += fabs(l * M[k][i]);
      r[i] -= l * r[k];
      size[i] = nsd_larger(fabs(l) * size[k], size[i]);
    }
  }
  NSD_UNROLL(6)
  for (int k = m - 1; k >= 0; k--) {
    r[k] *= inverse[k];
    size[k] *= fabs(inverse[k]);
    settle_pair(&r[k], &size[k]);
    w->done[k] = r[k];
    NSD_UNROLL(6)
    for (int i = 0; i < k; i++) {
      r[i] -= M[i][k] * r[k];
      size[i] = nsd_larger(fabs(M[i][k]) * size[k], size[i]);
    }
  }
  return sound;
}

/* M = A_FF and r = −b_F in the known order. Columns that make whole vectors repeat others and matter to
 * nobody; rows that do are zero. */
NSD_INLINE void gather(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, int m, int ld)
{
  double *to = w->block;
  for (int i = 0; i < m; i++, to += ld) {
    const double *a = nsd_lcp_row(p, order->rows[i]);
    for (int j = 0; j < ld; j += NSD_LANES) {
      const int *at = order->columns + j;
      nsd_lanes_store(to + j, (nsd_lanes){a[at[0]], a[at[1]], a[at[2]], a[at[3]]});
    }
  }
  for (double *end = w->block + (size_t)ld * (size_t)ld; to < end; to += NSD_LANES) {
    nsd_lanes_store(to, nsd_lanes_all(0.0));
  }
  for (int i = 0; i < ld; i += NSD_LANES) {
    const int *at = order->rows + i;
    const nsd_lanes b = {p->b[at[0]], p->b[at[1]], p->b[at[2]], p->b[at[3]]};
    nsd_lanes_store(w->right + i, -b);
    nsd_lanes_store(w->size + i, nsd_lanes_abs(b));
    nsd_lanes_store(w->spent + i, nsd_lanes_all(0.0));
  }
}

/* r := r − l r_k in rows first … of a column, with its sizes. */
NSD_INLINE void subtract_column(nsd_basis *w, const double *l, int first, int end, double r_k, double size_k)
{
  for (int i = first; i < end; i += NSD_LANES) {
    const nsd_lanes f = nsd_lanes_load(l + i);
    const nsd_lanes size = nsd_lanes_load(w->size + i);
    nsd_lanes_store(w->right + i, nsd_lanes_load(w->right + i) - f * r_k);
    nsd_lanes_store(w->size + i, nsd_lanes_max(nsd_lanes_abs(f) * size_k, size));
  }
}

/* l of column k below row k: zero above, where the elimination has been. */
NSD_INLINE void find_multipliers(nsd_basis *w, const double *P, int k, int ld)
{
  const nsd_lanes inverse = nsd_lanes_all(w->inverse[k]);
  const nsd_lanes_bits lanes = {0, 1, 2, 3};
  for (int i = (k + 1) / NSD_LANES * NSD_LANES; i < ld; i += NSD_LANES) {
    const double *at = w->block + (size_t)i * (size_t)ld + (size_t)k;
    const nsd_lanes column = {at[0], at[ld], at[2 * ld], at[3 * ld]};
    const nsd_lanes_bits is_below = (nsd_lanes_bits)(lanes + nsd_lanes_bits_all(i) > nsd_lanes_bits_all(k));
    const nsd_lanes l = (nsd_lanes)((nsd_lanes_bits)(column * inverse) & is_below);
    nsd_lanes_store(w->l + i, l);
    nsd_lanes_store(w->spent + i, nsd_lanes_load(w->spent + i) + nsd_lanes_abs(l * nsd_lanes_load(P + i)));
  }
}

/* One step of the elimination. Row k of U is done then, and its elements go to where the way back finds them
 * as columns. */
NSD_INLINE void eliminate_column(nsd_basis *w, int k, int m, int ld)
{
  const double *P = w->block + (size_t)k * (size_t)ld;
  const int first = (k + 1) / NSD_LANES * NSD_LANES;
  settle_pair(&w->right[k], &w->size[k]);
  find_multipliers(w, P, k, ld);
  subtract_column(w, w->l, first, ld, w->right[k], w->size[k]);
  double *to = w->block + (size_t)(k + 1) * (size_t)ld;
  for (int i = k + 1; i < m; i++, to += ld) {
    const double l = w->l[i];
    for (int j = first; j < ld; j += NSD_LANES) {
      nsd_lanes_store(to + j, nsd_lanes_load(to + j) - l * nsd_lanes_load(P + j));
    }
    w->columns[(size_t)i * (size_t)ld + (size_t)k] = P[i];
  }
}

/* Elimination in the known order, for any number of unknowns. */
NSD_INLINE int eliminate_many(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order)
{
  const int m = order->m;
  const int ld = nsd_tableau_ld(m);
  int sound = 1;
  gather(w, p, order, m, ld);
  for (int k = 0; k < m; k++) {
    const double pivot = w->block[(size_t)k * (size_t)(ld + 1)];
    const double u = fabs(pivot);
    sound &= u > singular_tol(m) * (w->spent[k] + u);
    w->inverse[k] = 1.0 / pivot;
    eliminate_column(w, k, m, ld);
  }
  for (int k = m - 1; k >= 0; k--) {
    w->right[k] *= w->inverse[k];
    w->size[k] *= fabs(w->inverse[k]);
    settle_pair(&w->right[k], &w->size[k]);
    /* Whole vectors reach beyond row k, into numbers that are done: these are kept elsewhere. */
    w->done[k] = w->right[k];
    subtract_column(w, w->columns + (size_t)k * (size_t)ld, 0, k, w->right[k], w->size[k]);
  }
  return sound;
}

/* One copy for each small number of unknowns. */
NSD_INLINE int replay(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, double *x,
                      double *uncut)
{
  int sound = 1;
  switch (order->m) {
  case 0:
    break;
  case 1:
    sound = eliminate_few(w, p, order, 1);
    break;
  case 2:
    sound = eliminate_few(w, p, order, 2);
    break;
  case 3:
    sound = eliminate_few(w, p, order, 3);
    break;
  case 4:
    sound = eliminate_few(w, p, order, 4);
    break;
  case 5:
    sound = eliminate_few(w, p, order, 5);
    break;
  case 6:
    sound = eliminate_few(w, p, order, 6);
    break;
  default:
    sound = eliminate_many(w, p, order);
    break;
  }
  const double *value = w->done;
  w->done[order->m] = 0.0;
  for (int i = 0; i < p->n; i += NSD_LANES) {
    const int *at = order->position + i;
    const nsd_lanes v = {value[at[0]], value[at[1]], value[at[2]], value[at[3]]};
    nsd_lanes_store(uncut + i, v);
    nsd_lanes_store(x + i, nsd_lanes_max(v, nsd_lanes_all(0.0)));
  }
  return sound;
}

static int replay_plain(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, double *x,
                        double *uncut)
{
  return replay(w, p, order, x, uncut);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static int replay_avx2(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order,
                                       double *x, double *uncut)
{
  return replay(w, p, order, x, uncut);
}
#endif

int nsd_basis_replay(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, double *x,
                     double *uncut)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return replay_avx2(w, p, order, x, uncut);
  }
#endif
  return replay_plain(w, p, order, x, uncut);
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
