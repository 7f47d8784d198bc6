/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Block principal pivoting (Kostreva 1978; Júdice & Pires 1992, 1994): guess which unknowns are basic,
 * solve, move every unknown that came out on the wrong side, all at once; repeat.
 *
 * While the number of wrong ones drops, whole blocks move. Where it has not dropped for a few rounds, only
 * the least wrong index moves (Murty's rule, finite for every P-matrix) until the number is below all before.
 *
 * Sure: P-matrices, bounds and free variables included. The number of rounds does not grow with n in practice
 * (three to six); the safeguard alone is exponential at worst.
 *
 * Cost: symmetric A (positive definite, then): one factorization UᵀDU of the basic block, |F|³/3 flops, kept
 * up row by row where few unknowns move (lcp/solve/ldl_update.h), and n² per round. Else one LU, 2|F|³/3, per
 * round.
 *
 * Refused: a diagonal element that is not positive; a symmetric A with a basic block that is not positive
 * definite to rounding (the row is named). */
#ifndef NSD_LCP_SOLVE_BLOCK_H
#define NSD_LCP_SOLVE_BLOCK_H

#include "lcp/solve/basis.h"
#include "lcp/solve/ldl_update.h"

typedef struct nsd_block {
  nsd_ldl_update factor;
  nsd_basis basis;          /* what is not symmetric goes through here */
  double *y;                /* n: A x + b */
  double *shift;            /* n: b and what the unknowns at bounds add */
  double *right;            /* n */
  int *rows;                /* n */
  int32_t *next;            /* n: where the signs say that each unknown belongs */
  const nsdyn_context *ctx; /* whose progress a long run asks; NULL after lay_out */
} nsd_block;

void nsd_block_lay_out(nsd_arena *arena, void *workspace, int n);

/* start: a basis to begin from, or NULL. p->symmetry is taken for granted where it is known.
 * options: max_iterations (negative: 100 + 2ⁿ, at most 100 + 10 000 rounds), tol.
 * NSDYN_OK, NSDYN_MAX_ITERATIONS, NSDYN_ERR_UNSUPPORTED, NSDYN_ERR_NOT_FINITE (overflow). */
nsdyn_status nsd_block_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                             const int32_t *start, nsd_lcp_answer *answer);

#endif
