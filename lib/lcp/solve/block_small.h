/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Block principal pivoting for a handful of unknowns, where calls, branches and loops that are hard to
 * foresee cost more than the arithmetic.
 *
 * The block A_FF is not cut out: with the diagonal m of ones for F and zeros else, the whole
 *
 *   (m A m + I − m) x = −m (b + A x_bounds)
 *
 * is factored, whatever F is, so that for one n the processor always walks the same way. */
#ifndef NSD_LCP_SOLVE_BLOCK_SMALL_H
#define NSD_LCP_SOLVE_BLOCK_SMALL_H

#include "lcp/problem.h"

#define NSD_BLOCK_SMALL 4 /* unknowns at most */

/* For symmetric A, from the basis in the answer. 1: solved, x and basis are filled in; 0: not within its
 * few rounds, or a basic block that is not positive definite: the basis is as good a start as any. */
int nsd_block_small_solve(const nsd_lcp_problem *p, nsd_lcp_answer *answer);

#endif
