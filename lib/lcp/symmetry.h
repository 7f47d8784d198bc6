/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whether a matrix is symmetric: a question that is asked before every solve and must cost little beside it.
 */
#ifndef NSD_LCP_SYMMETRY_H
#define NSD_LCP_SYMMETRY_H

#include "lcp/problem.h"

/* −1 where A is symmetric to a few roundings of √(A_ii A_jj); else a row that is not. */
int nsd_lcp_asymmetric_row(const nsd_lcp_problem *p);

#endif
