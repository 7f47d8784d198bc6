/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Levenberg and Marquardt's methods, regular and projected (Mylapilli & Jain 2017, §5: RLM and PLM; the
 * engine is base/levenberg_marquardt.h), on the problem as a system of equations by Fischer and Burmeister's
 * function, penalized or not (equations.h; §2.2, §3.3).
 *
 * They lead downhill on ½ |ψ|² from any start, and end in a solution or in another minimum of it. A run that
 * stalls, which is seen by its slope and by what its steps gain, begins again from farther out; when all have
 * stalled, the answer is the best point of all, and the caller goes on with another method.
 *
 * Sure to find a solution only near one that is regular. From afar: P-matrices in practice. Bounds, free
 * variables and zero diagonals are allowed.
 *
 * Cost of a step: regular n³/2 for JᵀJ and n³/6 for its factor; projected 2 n³ for the reflections.
 * Refused: nothing. */
#ifndef NSD_LCP_SOLVE_SEMISMOOTH_MARQUARDT_H
#define NSD_LCP_SOLVE_SEMISMOOTH_MARQUARDT_H

#include "base/levenberg_marquardt.h"
#include "lcp/solve/semismooth/equations.h"

typedef struct nsd_lcp_marquardt {
  nsd_lcp_equations equations;
  nsd_marquardt engine;
  double *z; /* n: where the iteration is */
} nsd_lcp_marquardt;

void nsd_lcp_marquardt_lay_out(nsd_arena *arena, void *workspace, int n);

/* All loops ask it from now on. */
void nsd_lcp_marquardt_ask(nsd_lcp_marquardt *w, nsd_poll *poll);

/* start: a basis whose point to begin from, or NULL for the projection of zero. options: method (which of the
 * two), max_iterations (steps of all runs together; negative: 1000), tol, lambda, restarts. NSDYN_OK,
 * NSDYN_MAX_ITERATIONS (also where all runs stall). */
nsdyn_status nsd_lcp_marquardt_solve(void *workspace, const nsd_lcp_problem *p,
                                     const nsdyn_lcp_options *options, const int32_t *start,
                                     nsd_lcp_answer *answer);

#endif
