/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Projected Gauss–Seidel, over-relaxed (Cryer 1971): row after row,
 *
 *   x_i := the point of [lo_i, hi_i] next to x_i − ω y_i / A_ii.
 *
 * Sure in the limit for symmetric positive definite A and 0 < ω < 2, bounds and free variables included;
 * also for strictly dominant diagonals with ω <= 1. The error falls by a constant factor per sweep that comes
 * close to one where A is ill-conditioned.
 *
 * Now and then (after 1, 2, 3, 4, 6, 8, 11, … sweeps, which costs at most a third on top) the x at hand is
 * rounded to its bounds and judged by the certificate. Where its basis is the one of the last time and a
 * factorization costs no more than the sweeps did, the basis is solved, which ends most runs long before the
 * sweeps would. x is the best that any certificate saw.
 *
 * Cost: n² multiplications per sweep.
 * Refused: diagonal elements that are not positive. */
#ifndef NSD_LCP_SOLVE_SWEEP_H
#define NSD_LCP_SOLVE_SWEEP_H

#include "lcp/solve/basis.h"

typedef struct nsd_sweep {
  nsd_poll *poll; /* asked on the way; NULL after lay_out */
  double *x;      /* n: where the sweeps are */
  double *trial;  /* n: the same, rounded */
  double *work;   /* n */
  int32_t *last;  /* n: basis of the last check */
  int32_t *place; /* n: basis of this check */
  nsd_basis basis;
} nsd_sweep;

void nsd_sweep_lay_out(nsd_arena *arena, void *workspace, int n);

/* start: a basis whose point to begin from, or NULL for the projection of zero. options: max_iterations
 * (sweeps; negative: 10 000), tol, relaxation (ω). NSDYN_OK, NSDYN_MAX_ITERATIONS (also where x runs away),
 * NSDYN_ERR_UNSUPPORTED. */
nsdyn_status nsd_sweep_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                             const int32_t *start, nsd_lcp_answer *answer);

#endif
