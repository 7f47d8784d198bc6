/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The film of a bearing, a string over a profile: y = A x + b, x >= lo, with a tridiagonal A of positive
 * diagonal that has nothing positive beside it. One pass over the rows finds the basis, and one elimination
 * solves it, whatever n is (Chandrasekaran 1970; Cryer 1983).
 *
 * The first k rows alone, with x_{k+1} at its bound, are a smaller problem of the same class. What is basic
 * in it is basic in all longer ones: x_{k+1} above its bound only lowers y_k, since A_{k,k+1} <= 0. So row k
 * + 1 either stays at its bound, or becomes basic and may draw others along. Basic unknowns form runs of
 * neighbours, and of a run nothing matters but its ends, measured from their bounds, as functions of the
 * unknowns next to it, u before and v behind,
 *
 *     x_first = p + q u + r v,    x_last = s + t u + w v.
 *
 * Two runs that meet are joined in one division. Each unknown becomes basic once.
 *
 * For M-matrices the basis is the solution's, but for rounding where y and x vanish both. Where A turns out
 * to be none, it says so. The numbers need not have been checked: one that is not finite, or a bound that is
 * none, leaves an x that no certificate passes, or is refused. */
#ifndef NSD_LCP_SPARSE_TRIDIAGONAL_H
#define NSD_LCP_SPARSE_TRIDIAGONAL_H

#include "base/arena.h"
#include "base/poll.h"
#include "nsdyn/lcp.h"

typedef struct nsd_tridiagonal_run {
  int32_t first, last;
  double p, q, r; /* of the first */
  double s, t, w; /* of the last */
} nsd_tridiagonal_run;

typedef struct nsd_tridiagonal {
  nsd_poll *poll;
  int32_t n;
  double *below;            /* n: A_{i,i−1} */
  double *diagonal;         /* n */
  double *above;            /* n: A_{i,i+1} */
  double *load;             /* n: y where all unknowns stand at their bounds */
  double *factor;           /* n: U of an elimination */
  double *x;                /* n */
  int32_t *place;           /* n: nsdyn_lcp_place */
  nsd_tridiagonal_run *run; /* (n + 1) / 2 */
} nsd_tridiagonal;

void nsd_tridiagonal_lay_out(nsd_arena *arena, nsd_tridiagonal *w, int32_t n);

/* Whether A is of this kind, by what it says of its shape alone. */
int nsd_tridiagonal_may_be(const nsdyn_sparse_matrix *A);

/* Solves into x and place. lo NULL: zeros. Returns 0 where the problem is not of this class after all, or
 * told to stop. */
int nsd_tridiagonal_solve(nsd_tridiagonal *w, const nsdyn_sparse_matrix *A, const double *b,
                          const double *lo);

#endif
