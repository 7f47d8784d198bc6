/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The certificate of an x by a sparse matrix as the caller has it (the definition is at the head of
 * nsdyn/lcp.h). It shares no code with the solvers, and costs a few operations per element. */
#ifndef NSD_LCP_SPARSE_CERTIFICATE_H
#define NSD_LCP_SPARSE_CERTIFICATE_H

#include "base/poll.h"
#include "nsdyn/lcp.h"

typedef struct nsd_sparse_certificate {
  double residual;  /* largest violation / its row's scale; infinite where x is out of bounds or not finite */
  double violation; /* that violation in its own units */
  int32_t row;      /* where; −1 where nothing is violated */
  int far_out; /* b vanishes beside A x in every row strictly between its bounds, but is not zero there */
} nsd_sparse_certificate;

/* lo, hi, y may be NULL; y as a solve hands it out. It asks the poll, but goes on to the end. */
nsd_sparse_certificate nsd_sparse_certify(const nsdyn_sparse_matrix *A, const double *b, const double *lo,
                                          const double *hi, const double *x, double *y, nsd_poll *poll);

#endif
