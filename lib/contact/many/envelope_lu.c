/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/envelope_lu.h"

#include <math.h>

#include "base/kernels/simd.h"

#define ROW_WORK 50.0 /* multiplications that a row takes as long as, however short it is */

void nsd_envelope_lay_out(nsd_arena *arena, nsd_envelope *e, int n)
{
  const size_t size = (size_t)n;
  e->room = n > 0 ? size * (size - 1) / 2 : 0;
  e->first = nsd_arena_take(arena, size, sizeof *e->first);
  e->at = nsd_arena_take(arena, size + 1, sizeof *e->at);
  e->L = nsd_arena_take(arena, e->room, sizeof *e->L);
  e->U = nsd_arena_take(arena, e->room, sizeof *e->U);
  e->pivot = nsd_arena_take(arena, size, sizeof *e->pivot);
  e->size = nsd_arena_take(arena, size, sizeof *e->size);
}

void nsd_envelope_begin(nsd_envelope *e, int n)
{
  e->n = n;
  for (int i = 0; i < n; i++) {
    e->first[i] = i;
  }
}

nsdyn_status nsd_envelope_clear(nsd_envelope *e, nsd_poll *poll)
{
  size_t at = 0;
  for (int i = 0; i < e->n; i++) {
    const int length = i - e->first[i];
    e->at[i] = at;
    e->pivot[i] = 0.0;
    for (int j = 0; j < length; j++) {
      e->L[at + (size_t)j] = 0.0;
      e->U[at + (size_t)j] = 0.0;
    }
    at += (size_t)length;
    if (nsd_poll_stops(poll, length)) {
      return NSDYN_CANCELLED;
    }
  }
  e->at[e->n] = at;
  return NSDYN_OK;
}

double nsd_envelope_cost(const nsd_envelope *e)
{
  double work = 0.0;
  for (int i = 0; i < e->n; i++) {
    const double length = i - e->first[i];
    work += length * length;
  }
  return work;
}

/* Σ a_j b_j and Σ c_j e_j at once: neither waits for the other. */
NSD_INLINE void dot_both(int n, const double *a, const double *b, const double *c, const double *e,
                         double *ab, double *ce)
{
  nsd_lanes s0 = nsd_lanes_all(0.0), s1 = s0, t0 = s0, t1 = s0;
  int j = 0;
  for (; j + 2 * NSD_LANES <= n; j += 2 * NSD_LANES) {
    s0 += nsd_lanes_load(a + j) * nsd_lanes_load(b + j);
    t0 += nsd_lanes_load(c + j) * nsd_lanes_load(e + j);
    s1 += nsd_lanes_load(a + j + NSD_LANES) * nsd_lanes_load(b + j + NSD_LANES);
    t1 += nsd_lanes_load(c + j + NSD_LANES) * nsd_lanes_load(e + j + NSD_LANES);
  }
  *ab = nsd_lanes_sum(s0 + s1);
  *ce = nsd_lanes_sum(t0 + t1);
  for (; j < n; j++) {
    *ab += a[j] * b[j];
    *ce += c[j] * e[j];
  }
}

/* Row and column i:  U_ki = A_ki − Σ_j L_kj U_ji,   L_ik = (A_ik − Σ_j L_ij U_jk) / U_kk,   k < i. */
NSD_INLINE void factor_row(const nsd_envelope *e, int i, double tol)
{
  const int first = e->first[i];
  double *l = e->L + e->at[i];
  double *u = e->U + e->at[i];
  /* Only j from where both rows have begun: before, one factor is zero. */
  for (int k = first; k < i; k++) {
    const int from = e->first[k] > first ? e->first[k] : first;
    const int length = k - from;
    const size_t other = e->at[k] + (size_t)(from - e->first[k]);
    const size_t own = (size_t)(from - first);
    const size_t here = (size_t)(k - first);
    double of_u, of_l;
    dot_both(length, e->L + other, u + own, l + own, e->U + other, &of_u, &of_l);
    u[here] -= of_u;
    l[here] = (l[here] - of_l) * e->pivot[k];
  }
  /* U_ii = A_ii − Σ_j L_ij U_ji. One that is rounding of its row's size is none: the unknown stays zero. */
  const double pivot = e->pivot[i] - nsd_lanes_dot(i - first, l, u);
  e->pivot[i] = fabs(pivot) > tol * e->size[i] ? 1.0 / pivot : 0.0;
}

static void factor_row_plain(const nsd_envelope *e, int i, double tol)
{
  factor_row(e, i, tol);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static void factor_row_avx2(const nsd_envelope *e, int i, double tol)
{
  factor_row(e, i, tol);
}
#else
#define factor_row_avx2 factor_row_plain
#endif

nsdyn_status nsd_envelope_factor(nsd_envelope *e, double tol, nsd_poll *poll)
{
  const int has_avx2 = nsd_cpu_avx2();
  for (int i = 0; i < e->n; i++) {
    const double length = i - e->first[i];
    (has_avx2 ? factor_row_avx2 : factor_row_plain)(e, i, tol);
    if (nsd_poll_stops(poll, length * length + ROW_WORK)) {
      return NSDYN_CANCELLED;
    }
  }
  return NSDYN_OK;
}

NSD_INLINE void solve(const nsd_envelope *e, int from, double *x)
{
  /* L y = b, row by row; x is zero before `from`. */
  for (int i = from; i < e->n; i++) {
    const int first = e->first[i];
    x[i] = e->pivot[i] == 0.0 ? 0.0 : x[i] - nsd_lanes_dot(i - first, e->L + e->at[i], x + first);
  }
  /* U x = y, column by column, from the last one on. */
  for (int i = e->n - 1; i >= 0; i--) {
    const int first = e->first[i];
    x[i] *= e->pivot[i];
    nsd_lanes_axpy(i - first, -x[i], e->U + e->at[i], x + first);
  }
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static void solve_avx2(const nsd_envelope *e, int from, double *x)
{
  solve(e, from, x);
}
#endif

void nsd_envelope_solve(const nsd_envelope *e, double *x)
{
  nsd_envelope_solve_from(e, 0, x);
}

void nsd_envelope_solve_from(const nsd_envelope *e, int from, double *x)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    solve_avx2(e, from, x);
    return;
  }
#endif
  solve(e, from, x);
}
