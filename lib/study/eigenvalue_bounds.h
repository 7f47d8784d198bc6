/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How far the eigenvalues of a matrix may be off that is known up to errors: those of J + ΔJ with
 * |ΔJ_rk| ≤ e_k lie in circles around those of J. A circle around an eigenvalue has no eigenvalue of any
 * J + ΔJ on its rim, and so as many in it as J has, where the spectral radius of |(J − x)⁻¹| |ΔJ| is less
 * than 1 there: where Σ_k e_k Σ_r |(J − x)⁻¹|_kr < 1. That needs no eigenvectors, and holds for those that
 * are multiple or defective as well: their circles are larger than the errors by as much as they have to be.
 */
#ifndef NSD_STUDY_EIGENVALUE_BOUNDS_H
#define NSD_STUDY_EIGENVALUE_BOUNDS_H

#include "nsdyn/base.h"

/* Room for n² numbers of work times this. */
enum { NSD_NEARBY_WORK = 8 };

/* radius[i] of each of the n eigenvalues lambda (real and imaginary part in turn) of J (n × n); e: n errors >
 * 0; work: NSD_NEARBY_WORK n² numbers; perm: 2 n. Infinite where there is no such circle. */
void nsd_eigenvalues_nearby(int n, const double *J, const double *e, const double *lambda, double *radius,
                            double *work, int *perm);

#endif
