/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Which classes a matrix belongs to.
 *
 * The answers are those of the matrix as its doubles stand there, not of one that rounding made of it: an
 * elimination carries a bound of its own error with every element (first order, as running error analysis
 * has it), and a pivot counts as positive only where it is larger than that bound. What cannot be told from
 * zero counts as zero: then the matrix is not P and not positive definite, but still semidefinite. Bounds
 * scale with their elements, so that rows and columns in other units change no answer. */
#ifndef NSD_LCP_MATRIX_CLASSES_H
#define NSD_LCP_MATRIX_CLASSES_H

#include "base/arena.h"
#include "base/poll.h"
#include "nsdyn/lcp.h"

#define NSD_MINORS_MOST 20 /* largest n whose 2^n principal minors are all looked at */

/* What `automatic` may ask before each solve: flags from n²
 * comparisons, fewer where all flags are lost early. */
enum nsd_glance {
  NSD_GLANCE_SYMMETRIC = 1,         /* to the bit */
  NSD_GLANCE_POSITIVE_DIAGONAL = 2, /* A_ii > 0 */
  NSD_GLANCE_Z = 4                  /* off-diagonal elements <= 0 */
};
unsigned nsd_lcp_glance(int n, const double *A, int lda, nsd_poll *poll);

typedef struct nsd_classes {
  nsd_poll poll;  /* of one call */
  double *S;      /* n × n: the matrix under elimination */
  double *E;      /* n × n: error bounds of its elements */
  double *start;  /* n: diagonal before the elimination */
  double *levels; /* what the recursion over principal minors stacks up, n <= NSD_MINORS_MOST */
  int *order;     /* n */
} nsd_classes;

void nsd_classes_lay_out(nsd_arena *arena, nsd_classes *w, int n);

/* Fills all but `size` of `classes`. A is finite. NSDYN_OK, NSDYN_CANCELLED by the context's progress (then
 * classes is untouched). */
nsdyn_status nsd_classes_solve(nsd_classes *w, const nsdyn_context *ctx, int n, const double *A, int lda,
                               nsdyn_lcp_classes *classes);

#endif
