/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The first step of pivoting solvers: a basis to begin with, from a few projected Gauss–Seidel sweeps. A
 * sweep costs less than a round of pivots and saves more than one. */
#ifndef NSD_LCP_SOLVE_FIRST_GUESS_H
#define NSD_LCP_SOLVE_FIRST_GUESS_H

#include "base/poll.h"
#include "lcp/problem.h"

/* Guesses a basis. Rows whose diagonal element is not positive stay at the projection of zero. `symmetric` A
 * makes it cheaper. x, y and inverse hold n; x receives the point. Asks the poll, if any;
 * told to stop, it ends as it would. */
void nsd_first_guess(const nsd_lcp_problem *p, int symmetric, double *x, double *y, double *inverse,
                     int32_t *basis, nsd_poll *poll);

#endif
