/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/block_small.h"

#include <float.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"

#define ROUNDS 6

typedef struct tiny {
  double M[NSD_BLOCK_SMALL][NSD_BLOCK_SMALL]; /* upper triangle: m A m + I − m, then its factors */
  double inverse[NSD_BLOCK_SMALL];            /* of the pivots */
  double r[NSD_BLOCK_SMALL];
  double basic[NSD_BLOCK_SMALL]; /* m: one or zero */
  double shift[NSD_BLOCK_SMALL]; /* b + A x_bounds */
  double y[NSD_BLOCK_SMALL];
} tiny;

/* Unknowns at bounds go there, the others to zero; shift := b + A x. */
NSD_INLINE void place(tiny *t, const nsd_lcp_problem *p, int n, const nsd_lcp_answer *answer)
{
  const int plain = !p->lo && !p->hi;
  /* x = 0 and shift = b, whatever the basis is. */
  NSD_UNROLL(NSD_BLOCK_SMALL)
  for (int i = 0; i < n; i++) {
    t->basic[i] = answer->basis[i] == NSDYN_LCP_BASIC ? 1.0 : 0.0;
    t->shift[i] = p->b[i];
    answer->x[i] = 0.0;
  }
  /* Unknowns at a bound other than zero: x_j = bound, shift += A_·j bound (A symmetric: its row j). */
  NSD_UNROLL(NSD_BLOCK_SMALL)
  for (int j = 0; j < n && !plain; j++) {
    const double bound = answer->basis[j] == NSDYN_LCP_AT_HI ? nsd_lcp_hi(p, j) : nsd_lcp_lo(p, j);
    if (t->basic[j] == 0.0 && bound != 0.0) {
      const double *a = nsd_lcp_row(p, j);
      answer->x[j] = bound;
      NSD_UNROLL(NSD_BLOCK_SMALL)
      for (int i = 0; i < n; i++) {
        t->shift[i] += a[i] * bound;
      }
    }
  }
}

/* M = Uᵀ D U with the right-hand side carried along; zero where a pivot is not positive. */
NSD_INLINE int eliminate(tiny *t, const nsd_lcp_problem *p, int n)
{
  int definite = 1;
  /* M = m A m + I − m, r = −m shift: rows and columns not in F are
   * those of the unit matrix, r is zero there. */
  NSD_UNROLL(NSD_BLOCK_SMALL)
  for (int i = 0; i < n; i++) {
    const double *a = nsd_lcp_row(p, i);
    NSD_UNROLL(NSD_BLOCK_SMALL)
    for (int j = i; j < n; j++) {
      t->M[i][j] = a[j] * t->basic[i] * t->basic[j];
    }
    t->M[i][i] += 1.0 - t->basic[i];
    t->r[i] = -t->basic[i] * t->shift[i];
  }
  NSD_UNROLL(NSD_BLOCK_SMALL)
  for (int k = 0; k < n; k++) {
    const double pivot = t->M[k][k];
    /* A pivot beside its diagonal element: what is less than 512 ε of it has lost all digits. */
    definite &= pivot > NSD_BLOCK_SMALL_PIVOT * t->basic[k] * nsd_lcp_row(p, k)[k];
    t->inverse[k] = 1.0 / pivot;
    NSD_UNROLL(NSD_BLOCK_SMALL)
    for (int i = k + 1; i < n; i++) {
      /* Row i := row i − (M_ki / d_k) row k, upper triangle only. */
      const double f = t->M[k][i] * t->inverse[k];
      NSD_UNROLL(NSD_BLOCK_SMALL)
      for (int j = i; j < n; j++) {
        t->M[i][j] -= f * t->M[k][j];
      }
      t->r[i] -= f * t->r[k];
    }
  }
  return definite;
}

/* x of the basic unknowns and y of all. */
NSD_INLINE void substitute(tiny *t, const nsd_lcp_problem *p, int n, double *x)
{
  /* U z = D⁻¹ r from below: z_F = x_F, and z = 0 elsewhere. */
  NSD_UNROLL(NSD_BLOCK_SMALL)
  for (int k = n - 1; k >= 0; k--) {
    t->r[k] *= t->inverse[k];
    x[k] = t->basic[k] != 0.0 ? t->r[k] : x[k];
    NSD_UNROLL(NSD_BLOCK_SMALL)
    for (int i = 0; i < k; i++) {
      t->r[i] -= t->M[i][k] * t->r[k];
    }
  }
  /* y = shift + A_·F x_F. */
  NSD_UNROLL(NSD_BLOCK_SMALL)
  for (int i = 0; i < n; i++) {
    const double *a = nsd_lcp_row(p, i);
    double sum = t->shift[i];
    NSD_UNROLL(NSD_BLOCK_SMALL)
    for (int j = 0; j < n; j++) {
      sum += a[j] * t->r[j];
    }
    t->y[i] = sum;
  }
}

/* Moves every unknown that is in the wrong place; returns how many those are. */
NSD_INLINE int move_wrong(const tiny *t, const nsd_lcp_problem *p, int n, const nsd_lcp_answer *answer)
{
  int wrong = 0;
  NSD_UNROLL(NSD_BLOCK_SMALL)
  for (int i = 0; i < n; i++) {
    const double x = answer->x[i];
    const int32_t now = answer->basis[i];
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    /* Below lo: 0 = AT_LO; within: 1 = BASIC; above hi: 2 = AT_HI. */
    const int32_t inside = (x >= lo) + (x > hi);
    const int over = now == NSDYN_LCP_AT_LO ? t->y[i] < 0.0 : t->y[i] > 0.0;
    int32_t next = now == NSDYN_LCP_BASIC ? inside : now;
    /* At a bound it stays if y has the sign that the bound allows, or none beyond rounding. */
    if (now != NSDYN_LCP_BASIC && over && lo < hi &&
        fabs(t->y[i]) > NSD_LCP_NO_SIGN * nsd_lcp_row_scale(p, i, answer->x)) {
      next = NSDYN_LCP_BASIC;
    }
    wrong += next != now;
    answer->basis[i] = next;
  }
  return wrong;
}

/* Nothing that is not finite, no basic unknown that may be rounding. */
NSD_INLINE int is_sound(const tiny *t, int n, const double *x)
{
  double largest = 0.0;
  double smallest = INFINITY;
  NSD_UNROLL(NSD_BLOCK_SMALL)
  for (int i = 0; i < n; i++) {
    const double size = fabs(x[i]);
    const double basic = t->basic[i] != 0.0 ? size : INFINITY;
    largest = size > largest ? size : largest;
    smallest = basic < smallest ? basic : smallest;
  }
  return largest < INFINITY && !(smallest <= NSD_LCP_X_ROUNDING * largest);
}

NSD_INLINE int solve(const nsd_lcp_problem *p, int n, nsd_lcp_answer *answer)
{
  tiny t;
  /* The rounds of lcp/solve/block.c: x and y of the basis, then all wrong unknowns move at once. */
  for (int round = 0; round < ROUNDS; round++) {
    place(&t, p, n, answer);
    if (!eliminate(&t, p, n)) {
      return 0;
    }
    substitute(&t, p, n, answer->x);
    if (move_wrong(&t, p, n, answer) == 0) {
      return is_sound(&t, n, answer->x);
    }
    answer->iterations++;
  }
  return 0;
}

/* One copy per n: all loops have known lengths. */
int nsd_block_small_solve(const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  switch (p->n) {
  case 1:
    return solve(p, 1, answer);
  case 2:
    return solve(p, 2, answer);
  case 3:
    return solve(p, 3, answer);
  case 4:
    return solve(p, 4, answer);
  default:
    return 0;
  }
}
