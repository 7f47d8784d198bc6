/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Principal pivoting of Cottle and Dantzig (1968), with bounds, for symmetric positive semidefinite A.
 *
 * Most rows are complementary already: x_i basic with y_i = 0, or x_i at a bound with the right sign of y_i.
 * One row after the other that is not is driven there: x_i moves so that |y_i| falls, the basic unknowns
 * follow,
 *
 *   d_C = −A_CC⁻¹ A_Ci d_i,   dy_i = (A_ii − A_iC A_CC⁻¹ A_Ci) d_i,
 *
 * and wherever a basic unknown meets a bound it leaves the basis, wherever a y_j is used up x_j enters it.
 * Where the Schur complement above vanishes, A d = 0: y stays as it is and only bounds can stop x. If none
 * does, v = d proves that there is no solution, since dᵀ(A x + b) = d_i y_i < 0 for every x.
 *
 * Sure: symmetric positive semidefinite A of every rank, bounds and free variables, redundant rows included:
 * a solution or that proof. Steps of length zero are followed with least indices after a while, so that ties
 * do not make it cycle.
 *
 * Cost: 4 |C|² + 2 n |C| per step (the factorization follows the basis, lcp/solve/ldl_update.h), about as
 * many steps as the first guess of the basis is wrong in; exponential at worst.
 *
 * Refused: A that is not symmetric to rounding, negative diagonal elements, rows whose Schur complement shows
 * that A is not semidefinite. */
#ifndef NSD_LCP_SOLVE_PRINCIPAL_H
#define NSD_LCP_SOLVE_PRINCIPAL_H

#include "lcp/solve/basis.h"
#include "lcp/solve/ldl_update.h"

typedef struct nsd_principal {
  nsd_poll *poll; /* asked on the way; NULL after lay_out */
  nsd_ldl_update factor;
  nsd_basis basis; /* for the last solve */
  double *y;       /* n: A x + b, kept up with x */
  double *dx;      /* n: the direction of a step */
  double *dy;      /* n: A dx */
  double *root;    /* n: √A_ii, the natural unit of row i */
  double *right;   /* n, padded */
  int *rows;       /* n */
  int32_t *state;  /* n: a place, or between bounds without being basic */
} nsd_principal;

void nsd_principal_lay_out(nsd_arena *arena, void *workspace, int n);

/* start: a basis to begin from, or NULL. options: max_iterations (negative: 1000 + 100 n steps), tol,
 * pivot_tol (a Schur complement that is no larger beside A_ii is zero). NSDYN_OK; NSDYN_NO_SOLUTION with the
 * proof in ray; NSDYN_UNDECIDED where that proof does not hold; NSDYN_MAX_ITERATIONS; NSDYN_ERR_UNSUPPORTED,
 * NSDYN_ERR_NOT_FINITE (overflow). */
nsdyn_status nsd_principal_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                                 const int32_t *start, nsd_lcp_answer *answer);

#endif
