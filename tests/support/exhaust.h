/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of a plain LCP by brute force: the judge of enumerate.h, with which it shares no code.
 *
 * Each of the 2^n complementary choices (y_i = 0 for i in α, x_i = 0 else) is one system of linear equations,
 *
 *   A_αα x_α = −b_α,
 *
 * reduced by complete pivoting. A regular one has one candidate. A singular one that is consistent leaves
 * d = |α| − rank parameters and n inequalities: each choice of d of them is tried as a vertex, each of
 * d − 1 as a ray. The union of what is positive is the choice's pattern; choices of maximal pattern are the
 * pieces. The price is 2^n eliminations, and binomial(n, d) more for each singular choice. */
#ifndef TESTS_SUPPORT_EXHAUST_H
#define TESTS_SUPPORT_EXHAUST_H

#include "base/context.h"
#include "lcp/problem.h"

#define NSD_EXHAUST_MOST 16 /* largest n */

/* Statuses as nsd_enumerate_all(): NSDYN_OK, NSDYN_NO_SOLUTION, NSDYN_CANCELLED, NSDYN_ERR_NOMEM, and
 * NSDYN_ERR_TOO_LARGE for n above NSD_EXHAUST_MOST. `tol` (1e-9 is usual) is where a number is zero, relative
 * to the terms it is the sum of. Of the census nodes, pivots, duplicates and doubtful stay zero. */
nsdyn_status nsd_exhaust(nsdyn_context *ctx, const nsd_lcp_problem *p, double tol, nsd_lcp_visit *visit,
                         void *user, nsdyn_lcp_census *census);

#endif
