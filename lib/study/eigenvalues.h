/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Eigenvalues of a real square matrix: balancing, Hessenberg form, Francis's double shifts. Own code rather
 * than GSL's, which takes memory beside the context's, ends a failure in its error handler, and need not give
 * the same bits everywhere. The tests compare the two. */
#ifndef NSD_STUDY_EIGENVALUES_H
#define NSD_STUDY_EIGENVALUES_H

#include "nsdyn/base.h"

/* A (n × n) is destroyed. lambda receives real and imaginary part of each of the n, by falling size; of a
 * pair the one with positive imaginary part first. NSDYN_ERR_NOT_FINITE for a NaN or an overflow,
 * NSDYN_MAX_ITERATIONS where the iteration does not converge. */
nsdyn_status nsd_eigenvalues(int n, double *A, int lda, double *lambda);

#endif
