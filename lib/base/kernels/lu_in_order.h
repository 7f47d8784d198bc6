/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A = L U with the rows in their own order.
 *
 * The systems of patterns are made of G, which is symmetric and semidefinite; friction that slips spoils that
 * by little, as a rule. So they seldom need a search for pivots, and where they do a small pivot shows it.
 * Without a search every loop runs along rows, and L and U serve again for another right-hand side.
 *
 * `LU in order + solve` of tests/bench/bench_dense.c shows what it costs beside an LU with pivots, which
 * knows no redundant rows; what AVX2 buys shows in `cold, planar` of bench_contact.c. */
#ifndef NSD_BASE_KERNELS_LU_IN_ORDER_H
#define NSD_BASE_KERNELS_LU_IN_ORDER_H

#include "base/poll.h"

/* In place: U on and above the diagonal, L, whose diagonal is one, below. size (n): what a pivot of each row
 * is measured with. inverse (n) receives 1 / u_kk, or 0 where row k is redundant: it has no pivot left, nor
 * has what stands below. Returns 0, with A spoilt, where a pivot is neither sound nor nothing. */
int nsd_lu_in_order_factor(int n, double *A, int lda, const double *size, double *inverse);

/* The same for large n: the poll is asked on the way. 0 too where it wants an end. */
int nsd_lu_in_order_factor_asking(int n, double *A, int lda, const double *size, double *inverse,
                                  nsd_poll *poll);

/* x := U⁻¹ L⁻¹ x, redundant unknowns zero. Whether their equations hold is not looked at. */
void nsd_lu_in_order_solve(int n, const double *A, int lda, const double *inverse, double *x);

#endif
