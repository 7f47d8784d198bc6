/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Semismooth Newton methods on the problem as a system of equations (equations.h), by the minimum map or by
 * Fischer and Burmeister's.
 *
 * Newton's step of the minimum map is the solution of the basis that its signs choose; that of
 * Fischer–Burmeister solves with diag(∂x) + diag(∂y) A. Both are followed as far as a line search allows on
 * the merit function ½ Σ ψ_i², which is smooth where the maps are not (De Luca, Facchinei & Kanzow 2000). The
 * line search looks back over a few steps (Grippo, Lampariello & Lucidi 1986). Where the Jacobian is singular
 * or its step does not lead downhill, a Levenberg–Marquardt step takes over, which always does. A run that
 * ends in a local minimum begins again, twice, from farther out.
 *
 * Sure to find a solution only near one that is regular, then in a few steps (quadratically; the minimum map
 * often exactly in one). From afar: P-matrices in practice; elsewhere they may end in a local minimum of the
 * merit function and say so. Bounds, free variables and zero diagonals are allowed.
 *
 * Cost: one LU (2/3 n³; the minimum map's is that of its basic block) and n² per step, n³ more for a
 * Levenberg–Marquardt step.
 * Refused: nothing. */
#ifndef NSD_LCP_SOLVE_SEMISMOOTH_NEWTON_H
#define NSD_LCP_SOLVE_SEMISMOOTH_NEWTON_H

#include "lcp/solve/semismooth/equations.h"

typedef struct nsd_newton {
  nsd_lcp_equations equations;
  double *z;      /* n: where the iteration is */
  double *slope;  /* n: gradient of the merit function */
  double *step;   /* n */
  double *trial;  /* n */
  double *work;   /* n */
  double *J;      /* n × n: Jacobian and its factors */
  double *normal; /* n × n: JᵀJ + μ I and its factors */
  int *perm;      /* n */
} nsd_newton;

void nsd_newton_lay_out(nsd_arena *arena, void *workspace, int n);

/* start: a basis whose point to begin from, or NULL for the projection of zero. options: method (which of the
 * two maps), max_iterations (negative: 300), tol, lambda. NSDYN_OK, NSDYN_MAX_ITERATIONS (also where no step
 * leads down). */
nsdyn_status nsd_newton_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                              const int32_t *start, nsd_lcp_answer *answer);

#endif
