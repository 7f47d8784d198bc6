/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Murty's least-index method (1974; also Bard's): while a basic variable is negative, exchange the first of
 * them with its complement.
 *
 * Sure: P-matrices, for every b, in at most 2ⁿ − 1 exchanges, which some take; no basis comes twice.
 * Cost: n² multiplications per exchange and one LU at the end; random problems take about n exchanges.
 * Refused: bounds other than 0 <= x, diagonal elements that are not positive, and matrices that show on the
 * way that they have a principal minor that is not positive. */
#ifndef NSD_LCP_SOLVE_MURTY_H
#define NSD_LCP_SOLVE_MURTY_H

#include "lcp/solve/basis.h"

typedef struct nsd_murty {
  int ld;
  double *T;              /* ld × (n + 1), by columns: the basic variables over the others, constants last */
  double *terms;          /* n: the largest term that went into each constant */
  double *diagonal_terms; /* n: into each diagonal element */
  double *y;              /* n */
  nsd_basis basis;
  const nsdyn_context *ctx; /* whose progress a long run asks; NULL after lay_out */
} nsd_murty;

void nsd_murty_lay_out(nsd_arena *arena, void *workspace, int n);

/* start: a basis to begin from, or NULL. options: max_iterations (negative: 2ⁿ, at most 2²⁰), tol.
 * NSDYN_OK, NSDYN_MAX_ITERATIONS, NSDYN_ERR_UNSUPPORTED, NSDYN_ERR_NOT_FINITE (overflow). */
nsdyn_status nsd_murty_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                             const int32_t *start, nsd_lcp_answer *answer);

#endif
