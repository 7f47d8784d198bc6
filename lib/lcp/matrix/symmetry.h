/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whether a matrix is symmetric: a question that is asked before every solve and must cost little beside it.
 */
#ifndef NSD_LCP_MATRIX_SYMMETRY_H
#define NSD_LCP_MATRIX_SYMMETRY_H

#include "base/poll.h"
#include "lcp/problem.h"

/* −1 where A is symmetric to a few roundings of √(A_ii A_jj); else a row that is not. Asks the poll, which
 * may be NULL, on the way: told to stop, it says that the row it has come to is not. */
int nsd_lcp_asymmetric_row(const nsd_lcp_problem *p, nsd_poll *poll);

#endif
