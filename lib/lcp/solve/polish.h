/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The last step of most solvers: the basis that x suggests is solved afresh, and the better of the two stays.
 */
#ifndef NSD_LCP_SOLVE_POLISH_H
#define NSD_LCP_SOLVE_POLISH_H

#include "lcp/solve/basis.h"

/* Solves `basis` (LU, then a step of refinement if the first is not good to rounding), puts what oversteps a
 * bound onto it and keeps the result in x if its certificate is better than that of the x which came in; work
 * holds n. Returns the residual of the x that stays; an x that is not finite stays. */
double nsd_lcp_polish(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, double *x, double *work);

/* Refuses a problem: fills in the reason and returns NSDYN_ERR_UNSUPPORTED. */
nsdyn_status nsd_lcp_refuse(nsd_lcp_answer *answer, int row, const char *reason);

/* The first row whose diagonal element is not positive, −1 if there is none. */
int nsd_lcp_row_without_positive_diagonal(const nsd_lcp_problem *p);

#endif
