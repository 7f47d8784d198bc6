/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/basis.h"

#include <float.h>

#include "base/dense.h"
#include "base/kernels/exchange.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "setvalued/nearest.h"

#define COLUMN_READ 20.0 /* multiplications that take as long as to read an element out of a column */

void nsd_basis_lay_out(nsd_arena *arena, nsd_basis *w, int n)
{
  w->poll = NULL;
  const size_t size = (size_t)n;
  const size_t padded = (size_t)nsd_tableau_ld(n);
  w->block = nsd_arena_take(arena, padded * padded, sizeof *w->block);
  w->right = nsd_arena_take(arena, padded, sizeof *w->right);
  w->size = nsd_arena_take(arena, padded, sizeof *w->size);
  w->q = nsd_arena_take(arena, padded, sizeof *w->q);
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
  /* Without bounds all that are fixed are zero. */
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
    (void)nsd_poll_stops(w->poll, COLUMN_READ * m);
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
  const int is_noise = fabs(value) <= NSD_ELIMINATION_ROUNDING * size;
  w->right[k] = is_noise ? 0.0 : value;
  w->size[k] = is_noise ? 0.0 : size;
}

/* right := A_FF⁻¹ right by the factors in block. Returns 0 where it is told to stop. */
static int solve_factored(nsd_basis *w, int m)
{
  double *r = w->right;
  /* right := P right, the rows in the order of the pivots. Then L z = right from above ... */
  for (int k = 0; k < m; k++) {
    const double other = r[w->perm[k]];
    r[w->perm[k]] = r[k];
    r[k] = other;
  }
  for (int k = 0; k < m; k++) {
    const double *row = w->block + (size_t)k * (size_t)m;
    settle(w, k, r[k] - nsd_dot(k, row, r), largest_term(k, row, w->size, fabs(r[k])));
    if (nsd_poll_stops(w->poll, 4.0 * k)) {
      return 0;
    }
  }
  /* ... and U x = z from below, each number beside the size of the largest term that it was made of. */
  for (int k = m - 1; k >= 0; k--) {
    const double *row = w->block + (size_t)k * (size_t)m;
    const int rest = m - 1 - k;
    const double sum = r[k] - nsd_dot(rest, row + k + 1, r + k + 1);
    const double size = largest_term(rest, row + k + 1, w->size + k + 1, w->size[k]);
    settle(w, k, sum / row[k], size / fabs(row[k]));
    if (nsd_poll_stops(w->poll, 4.0 * rest)) {
      return 0;
    }
  }
  return 1;
}

nsdyn_status nsd_basis_solve(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, double *x)
{
  /* Stage 1. F, the unknowns without a bound to stand at, and the block A_FF, by rows. */
  const int m = split(w, p, basis);
  for (int k = 0; k < m; k++) {
    const double *row = nsd_lcp_row(p, w->free_rows[k]);
    double *to = w->block + (size_t)k * (size_t)m;
    for (int l = 0; l < m; l++) {
      to[l] = row[w->free_rows[l]];
    }
    if (nsd_poll_stops(w->poll, 4.0 * m)) {
      return NSDYN_CANCELLED;
    }
  }
  /* Stage 2. right = −b_F − A_FB x_B, and the factors P A_FF = L U. */
  assemble_right(w, p, basis, m);
  w->m = m;
  nsd_lu_info info;
  const nsdyn_status status = nsd_lu_factor_asking(m, w->block, m, w->perm, &info, w->poll);
  if (status) {
    return status;
  }
  /* Pivots that are mere rounding yield a point of enormous size, whose certificate holds since b vanishes
   * beside it: it solves another problem. */
  if (info.margin <= NSD_PIVOT_ROUNDING(m) && m > 0) {
    return NSDYN_ERR_SINGULAR;
  }
  /* Stage 3. x_F from the factors, and x_B = bound beside it. */
  if (!solve_factored(w, m)) {
    return NSDYN_CANCELLED;
  }
  if (!nsd_all_finite(1, m, w->right, m)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  scatter(w, p, basis, m, x);
  return NSDYN_OK;
}

/* What belongs to no row or column: it makes whole vectors. */
static void fill_up(nsd_basis_order *order, int m)
{
  for (int k = m; m > 0 && k < nsd_tableau_ld(m); k++) {
    order->rows[k] = order->columns[k] = order->columns[0];
  }
}

void nsd_basis_order_rows(const int32_t *basis, int n, nsd_basis_order *order)
{
  int m = 0;
  for (int i = 0; i < n; i++) {
    m += basis[i] == NSDYN_LCP_BASIC;
  }
  order->m = m;
  for (int i = 0, k = 0; i < nsd_tableau_ld(n); i++) {
    order->position[i] = m;
    if (i < n && basis[i] == NSDYN_LCP_BASIC) {
      order->rows[k] = order->columns[k] = i;
      order->position[i] = k++;
    }
  }
  fill_up(order, m);
}

void nsd_basis_learn(const nsd_basis *w, int n, nsd_basis_order *order)
{
  const int m = w->m;
  order->m = m;
  /* position[i] = m for all that are not basic: done[m] is the zero that replay() reads for them. */
  for (int i = 0; i < nsd_tableau_ld(n); i++) {
    order->position[i] = m;
  }
  for (int k = 0; k < m; k++) {
    order->rows[k] = order->columns[k] = w->free_rows[k];
    order->position[w->free_rows[k]] = k;
  }
  /* The interchanges of rows that LU noted, done once: their order is the order of the pivots. */
  for (int k = 0; k < m; k++) {
    const int row = order->rows[k];
    order->rows[k] = order->rows[w->perm[k]];
    order->rows[w->perm[k]] = row;
  }
  fill_up(order, m);
}

/* Part of all that went into a pivot below which it is rounding. */
NSD_INLINE double singular_tol(int m)
{
  return NSD_PIVOT_ROUNDING(m);
}

/* Gauss and Jordan's elimination. It clears a column above its pivot too, so that x needs no way back, on
 * which every unknown would wait for the one before it. */

/* A right-hand side and the largest number that went into it: what is rounding of that is zero, and passes no
 * rounding on. */
NSD_INLINE void settle_pair(double *value, double *size)
{
  const int counts = fabs(*value) > NSD_ELIMINATION_ROUNDING * *size;
  *value = counts ? *value : 0.0;
  *size = counts ? *size : 0.0;
}

/* Up to so many unknowns all numbers of the elimination stand in the processor's registers. */
enum { FEW = 6 };

/* Up to so many Gauss and Jordan's. */
enum { SHORT = 16 };

/* Up to so many are over before it would pay to ask. */
enum { FEW_TO_ASK = 32, COLUMNS_PER_POLL = 64 };

typedef struct few {
  double M[FEW][FEW];
  double r[FEW];
  double size[FEW];
  double spent[FEW];
} few;

/* M = A_FF and r = −b_F in the known order. */
NSD_INLINE void gather_few(few *e, const nsd_lcp_problem *p, const nsd_basis_order *order, int m)
{
  NSD_UNROLL(6)
  for (int i = 0; i < m; i++) {
    const double *a = nsd_lcp_row(p, order->rows[i]);
    NSD_UNROLL(6)
    for (int j = 0; j < m; j++) {
      e->M[i][j] = a[order->columns[j]];
    }
    e->r[i] = -p->b[order->rows[i]];
    e->size[i] = fabs(e->r[i]);
    e->spent[i] = 0.0;
  }
}

/* Elimination in the known order, for a number of unknowns that the compiler knows. */
NSD_INLINE int eliminate_few(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, int m)
{
  few e;
  double inverse[FEW];
  int sound = 1;
  gather_few(&e, p, order, m);
  NSD_UNROLL(6)
  for (int k = 0; k < m; k++) {
    /* Pivot k, with |u| beside Σ |q u| that was subtracted from it: what is below 16 m ε of that sum has
     * lost all digits, and the block is singular to rounding. */
    const double u = fabs(e.M[k][k]);
    sound &= u > singular_tol(m) * (e.spent[k] + u);
    inverse[k] = 1.0 / e.M[k][k];
    settle_pair(&e.r[k], &e.size[k]);
    NSD_UNROLL(6)
    for (int i = 0; i < m; i++) {
      if (i == k) {
        continue;
      }
      /* Row i := row i − l row k, for the rows below and above. */
      const double l = e.M[i][k] * inverse[k];
      NSD_UNROLL(6)
      for (int j = k + 1; j < m; j++) {
        e.M[i][j] -= l * e.M[k][j];
      }
      e.r[i] -= l * e.r[k];
      e.size[i] = nsd_larger(fabs(l) * e.size[k], e.size[i]);
      /* Rows above k have had their pivots: only those to come note what goes into them. */
      if (i > k) {
        e.spent[i] += fabs(l * e.M[k][i]);
      }
    }
  }
  /* Every column is cleared: D x = r, D the pivots. */
  NSD_UNROLL(6)
  for (int k = 0; k < m; k++) {
    settle_pair(&e.r[k], &e.size[k]);
    w->done[k] = e.r[k] * inverse[k];
  }
  return sound;
}

/* Five and six unknowns: the same by columns of two vectors each. */
typedef struct six {
  nsd_lanes T[FEW][2];
  nsd_lanes r[2];
  nsd_lanes size[2];
  double spent[FEW];
} six;

NSD_INLINE void gather_six(six *e, const nsd_lcp_problem *p, const nsd_basis_order *order, int m)
{
  const double *a[FEW];
  double b[FEW];
  NSD_UNROLL(6)
  for (int i = 0; i < m; i++) {
    a[i] = nsd_lcp_row(p, order->rows[i]);
    b[i] = p->b[order->rows[i]];
  }
  NSD_UNROLL(6)
  for (int j = 0; j < m; j++) {
    const int c = order->columns[j];
    e->T[j][0] = (nsd_lanes){a[0][c], a[1][c], a[2][c], a[3][c]};
    /* Lanes without a row repeat the last row (m = 5) or are zero: their results are not read. */
    e->T[j][1] = (nsd_lanes){a[4][c], a[m - 1][c], 0.0, 0.0};
    e->spent[j] = 0.0;
  }
  e->r[0] = -(nsd_lanes){b[0], b[1], b[2], b[3]};
  e->r[1] = -(nsd_lanes){b[4], b[m - 1], 0.0, 0.0};
  e->size[0] = nsd_lanes_abs(e->r[0]);
  e->size[1] = nsd_lanes_abs(e->r[1]);
}

/* Element i of a column. */
NSD_INLINE double element(const nsd_lanes *column, int i)
{
  return column[i / NSD_LANES][i % NSD_LANES];
}

/* Column k is cleared by q, in the columns behind it and on the right. */
NSD_INLINE void clear_six(six *e, const nsd_lanes *q, int k, int m)
{
  /* r_k as it goes into the other rows: zero where it is rounding of the size of its terms. */
  double r_k = element(e->r, k);
  double size_k = element(e->size, k);
  settle_pair(&r_k, &size_k);
  /* Column j, which is behind k, gets q times its element in row k. */
  NSD_UNROLL(6)
  for (int j = k + 1; j < m; j++) {
    const double f = element(e->T[j], k);
    e->spent[j] += fabs(f * element(q, j));
    e->T[j][0] += f * q[0];
    e->T[j][1] += f * q[1];
  }
  NSD_UNROLL(2)
  for (int v = 0; v < 2; v++) {
    const nsd_lanes_bits at_k = nsd_lanes_at(NSD_LANES * v, k);
    const nsd_lanes size = nsd_lanes_max(nsd_lanes_abs(q[v]) * size_k, e->size[v]);
    e->r[v] = nsd_lanes_choose(at_k, nsd_lanes_all(r_k), e->r[v] + q[v] * r_k);
    e->size[v] = nsd_lanes_choose(at_k, nsd_lanes_all(size_k), size);
  }
}

NSD_INLINE int eliminate_six(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, int m)
{
  six e;
  double inverse[FEW];
  int sound = 1;
  gather_six(&e, p, order, m);
  double pivot = e.T[0][0][0];
  NSD_UNROLL(6)
  for (int k = 0; k < m; k++) {
    const double u = fabs(pivot);
    sound &= u > singular_tol(m) * (e.spent[k] + u);
    inverse[k] = 1.0 / pivot;
    if (k + 1 < m) {
      /* Pivot k + 1 ahead of its column: the next division need not wait for the loop below. */
      pivot = element(e.T[k + 1], k + 1) + element(e.T[k + 1], k) * (element(e.T[k], k + 1) * -inverse[k]);
    }
    nsd_lanes q[2];
    /* q = −(column k) / pivot, with zero in row k itself. */
    NSD_UNROLL(2)
    for (int v = 0; v < 2; v++) {
      const nsd_lanes_bits all = (nsd_lanes_bits)(e.T[k][v] * -inverse[k]);
      q[v] = (nsd_lanes)(all & ~nsd_lanes_at(NSD_LANES * v, k));
    }
    clear_six(&e, q, k, m);
  }
  /* D x = r. */
  NSD_UNROLL(6)
  for (int k = 0; k < m; k++) {
    double r = element(e.r, k);
    double size = element(e.size, k);
    settle_pair(&r, &size);
    w->done[k] = r * inverse[k];
  }
  return sound;
}

/* The same by columns. The rows that fill up the last vector repeat a
 * row of the block; their results are not read. */
NSD_INLINE void gather(const nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, int m,
                       int ld)
{
  for (int i = 0; i < ld; i += NSD_LANES) {
    const int *at = order->rows + i;
    const double *a0 = nsd_lcp_row(p, at[0]);
    const double *a1 = nsd_lcp_row(p, at[1]);
    const double *a2 = nsd_lcp_row(p, at[2]);
    const double *a3 = nsd_lcp_row(p, at[3]);
    double *to = w->block + i;
    const int *columns = order->columns;
    /* Column j of A_FF, four rows at a time: to[i] = A_(row i)(column j). */
    for (int j = 0; j < m; j++, to += ld) {
      const int column = columns[j];
      nsd_lanes_store(to, (nsd_lanes){a0[column], a1[column], a2[column], a3[column]});
    }
    if (m > FEW_TO_ASK && w->poll) {
      (void)nsd_poll_stops(w->poll, COLUMN_READ * m);
    }
    const nsd_lanes b = {p->b[at[0]], p->b[at[1]], p->b[at[2]], p->b[at[3]]};
    nsd_lanes_store(w->right + i, -b);
    nsd_lanes_store(w->size + i, nsd_lanes_abs(b));
    nsd_lanes_store(w->spent + i, nsd_lanes_all(0.0));
  }
}

/* q = −(column k) / pivot, zero in row k, which stays: what clears the column adds q times row k to all, or,
 * with a way back, to those below it. Vectors begin at `first`. */
NSD_INLINE void find_multipliers(const nsd_basis *w, const double *column, int k, double inverse, int first,
                                 int ld, int way_back)
{
  const nsd_lanes_bits lanes = {0, 1, 2, 3};
  const nsd_lanes factor = nsd_lanes_all(-inverse);
  NSD_UNROLL(4)
  for (int i = first; i < ld; i += NSD_LANES) {
    const nsd_lanes_bits rows = lanes + nsd_lanes_bits_all(i);
    /* With a way back only rows below k are cleared (U remains), otherwise all but row k. */
    const nsd_lanes_bits counts = way_back ? (nsd_lanes_bits)(rows > nsd_lanes_bits_all(k))
                                           : (nsd_lanes_bits)(rows != nsd_lanes_bits_all(k));
    const nsd_lanes q = nsd_lanes_load(column + i) * factor;
    nsd_lanes_store(w->q + i, (nsd_lanes)((nsd_lanes_bits)q & counts));
  }
}

/* Clears column k: in the columns behind it, noting what goes into the pivots to come. Here for short
 * columns, whose multipliers stand in registers. */
NSD_INLINE void clear_short(const nsd_basis *w, int k, int m, int ld)
{
  nsd_lanes q[SHORT / NSD_LANES];
  NSD_UNROLL(4)
  for (int i = 0; i < ld; i += NSD_LANES) {
    q[i / NSD_LANES] = nsd_lanes_load(w->q + i);
  }
  /* T_ij += q_i T_kj. |q_j T_kj| is what goes into the pivot of column j. */
  double *to = w->block + (size_t)(k + 1) * (size_t)ld;
  for (int j = k + 1; j < m; j++, to += ld) {
    const double f = to[k];
    w->spent[j] += fabs(f * w->q[j]);
    NSD_UNROLL(4)
    for (int i = 0; i < ld; i += NSD_LANES) {
      nsd_lanes_store(to + i, nsd_lanes_load(to + i) + f * q[i / NSD_LANES]);
    }
  }
}

/* The same for long ones, two at a time, from row `first` on. */
NSD_INLINE void clear_long(const nsd_basis *w, int k, int m, int first, int ld)
{
  const double *q = w->q;
  double *spent = w->spent;
  double *to = w->block + (size_t)(k + 1) * (size_t)ld;
  int j = k + 1;
  for (; j + 1 < m; j += 2, to += 2 * (size_t)ld) {
    double *other = to + ld;
    const double f = to[k];
    const double g = other[k];
    spent[j] += fabs(f * q[j]);
    spent[j + 1] += fabs(g * q[j + 1]);
    for (int i = first; i < ld; i += NSD_LANES) {
      const nsd_lanes z = nsd_lanes_load(q + i);
      nsd_lanes_store(to + i, nsd_lanes_load(to + i) + f * z);
      nsd_lanes_store(other + i, nsd_lanes_load(other + i) + g * z);
    }
    if (w->poll && (j - k) % COLUMNS_PER_POLL == 1) {
      (void)nsd_poll_stops(w->poll, 2.0 * COLUMNS_PER_POLL * (ld - first));
    }
  }
  if (j < m) {
    const double f = to[k];
    spent[j] += fabs(f * q[j]);
    for (int i = first; i < ld; i += NSD_LANES) {
      nsd_lanes_store(to + i, nsd_lanes_load(to + i) + f * nsd_lanes_load(q + i));
    }
  }
}

/* And on the right, whose row k has been settled. (It goes in by whole vectors: a load behind a store of one
 * of its elements would have to wait.) */
NSD_INLINE void clear_right(const nsd_basis *w, int k, double r_k, double size_k, int first, int ld)
{
  NSD_UNROLL(4)
  for (int i = first; i < ld; i += NSD_LANES) {
    const nsd_lanes_bits at_k = nsd_lanes_at(i, k);
    const nsd_lanes q = nsd_lanes_load(w->q + i);
    const nsd_lanes r = nsd_lanes_load(w->right + i) + q * r_k;
    const nsd_lanes size = nsd_lanes_max(nsd_lanes_abs(q) * size_k, nsd_lanes_load(w->size + i));
    nsd_lanes_store(w->right + i, nsd_lanes_choose(at_k, nsd_lanes_all(r_k), r));
    nsd_lanes_store(w->size + i, nsd_lanes_choose(at_k, nsd_lanes_all(size_k), size));
  }
}

/* U x = right, from below. Whole vectors reach beyond row k, into numbers that are not read any more. */
NSD_INLINE void substitute(const nsd_basis *w, int m, int ld)
{
  for (int k = m - 1; k >= 0; k--) {
    const double *column = w->block + (size_t)k * (size_t)ld;
    /* x_k = right_k / u_kk, then right_i −= u_ik x_k in all rows above. */
    double x_k = w->right[k] * w->inverse[k];
    double size_k = w->size[k] * fabs(w->inverse[k]);
    settle_pair(&x_k, &size_k);
    w->done[k] = x_k;
    for (int i = 0; i < k; i += NSD_LANES) {
      const nsd_lanes u = nsd_lanes_load(column + i);
      const nsd_lanes size = nsd_lanes_load(w->size + i);
      nsd_lanes_store(w->right + i, nsd_lanes_load(w->right + i) - u * x_k);
      nsd_lanes_store(w->size + i, nsd_lanes_max(nsd_lanes_abs(u) * size_k, size));
    }
    if (w->poll) {
      (void)nsd_poll_stops(w->poll, 2.0 * k);
    }
  }
}

/* x where every column was cleared. */
NSD_INLINE void divide_by_pivots(const nsd_basis *w, int ld)
{
  for (int i = 0; i < ld; i += NSD_LANES) {
    const nsd_lanes r = nsd_lanes_load(w->right + i);
    /* r_k that is rounding of its size is an exact zero. */
    const nsd_lanes noise = NSD_ELIMINATION_ROUNDING * nsd_lanes_load(w->size + i);
    const nsd_lanes x = r * nsd_lanes_load(w->inverse + i);
    nsd_lanes_store(w->done + i, (nsd_lanes)((nsd_lanes_bits)x & (nsd_lanes_bits)(nsd_lanes_abs(r) > noise)));
  }
}

/* Elimination in the known order, for any number of unknowns. */
NSD_INLINE int eliminate_many(nsd_basis *work, const nsd_lcp_problem *p, const nsd_basis_order *order, int ld,
                              int way_back)
{
  const nsd_basis own = *work; /* a copy: storing a double changes no pointer of it */
  const nsd_basis *w = &own;
  const int m = order->m;
  int sound = 1;
  gather(w, p, order, m, ld);
  double pivot = w->block[0];
  for (int k = 0; k < m; k++) {
    /* Without row interchanges: `order` has the pivots where a
     * factorization with a search once found them. */
    const int first = way_back ? k / NSD_LANES * NSD_LANES : 0;
    const double *column = w->block + (size_t)k * (size_t)ld;
    const double u = fabs(pivot);
    sound &= u > singular_tol(m) * (w->spent[k] + u);
    const double inverse = 1.0 / pivot;
    w->inverse[k] = inverse;
    if (k + 1 < m) { /* the next pivot, ahead of its column: the next division waits for nothing else */
      const double *next = column + ld;
      pivot = next[k + 1] + next[k] * (column[k + 1] * -inverse);
    }
    double r_k = w->right[k];
    double size_k = w->size[k];
    settle_pair(&r_k, &size_k);
    find_multipliers(w, column, k, inverse, first, ld, way_back);
    if (way_back) {
      clear_long(w, k, m, (k + 1) / NSD_LANES * NSD_LANES, ld);
    } else {
      clear_short(w, k, m, ld);
    }
    clear_right(w, k, r_k, size_k, first, ld);
    if (way_back && m > FEW_TO_ASK && w->poll && nsd_poll_stops(w->poll, (double)(m - k))) {
      return 0;
    }
  }
  /* Upper triangle: U x = r from below. Diagonal: x = r / D at once. */
  if (way_back) {
    substitute(w, m, ld);
  } else {
    divide_by_pivots(w, ld);
  }
  return sound;
}

/* One copy for each small number of unknowns, and for each small number of whole vectors. */
NSD_INLINE int eliminate(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order)
{
  switch (order->m) {
  case 0:
    return 1;
  case 1:
    return eliminate_few(w, p, order, 1);
  case 2:
    return eliminate_few(w, p, order, 2);
  case 3:
    return eliminate_few(w, p, order, 3);
  case 4:
    return eliminate_few(w, p, order, 4);
  case 5:
    return eliminate_six(w, p, order, 5);
  case 6:
    return eliminate_six(w, p, order, 6);
  case 7:
  case 8:
    return eliminate_many(w, p, order, 8, 0);
  case 9:
  case 10:
  case 11:
  case 12:
    return eliminate_many(w, p, order, 12, 0);
  case 13:
  case 14:
  case 15:
  case 16:
    return eliminate_many(w, p, order, 16, 0);
  default:
    return eliminate_many(w, p, order, nsd_tableau_ld(order->m), 1);
  }
}

NSD_INLINE int replay(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, double *x,
                      double *uncut)
{
  const int sound = eliminate(w, p, order);
  const double *value = w->done;
  w->done[order->m] = 0.0;
  /* x_i by its position among the pivots. `uncut` keeps the negative ones, by which the basis is judged. */
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
    if (nsd_poll_stops(w->poll, 2.0 * k)) {
      return NSDYN_CANCELLED;
    }
  }
  assemble_right(w, p, basis, m);
  /* A_FF = L Lᵀ: half the work of LU, and it fails where A_FF is not positive definite. */
  const nsdyn_status status = nsd_cholesky_factor_asking(m, w->block, m, NULL, w->poll);
  if (status) {
    return status;
  }
  nsd_cholesky_solve_asking(m, w->block, m, w->right, w->poll);
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
    x[i] = nsd_nearest_in_interval(x[i], nsd_lcp_lo(p, i), nsd_lcp_hi(p, i));
  }
}

void nsd_lcp_project_zero(const nsd_lcp_problem *p, double *x)
{
  for (int i = 0; i < p->n; i++) {
    x[i] = 0.0;
  }
  nsd_lcp_project(p, x);
}
