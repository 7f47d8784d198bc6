/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The certificate of an x, from the problem's data and x alone (the definition is at the head of
 * nsdyn/lcp.h). It shares no code with the solvers. */
#ifndef NSD_LCP_PROOF_CERTIFICATE_H
#define NSD_LCP_PROOF_CERTIFICATE_H

#include "base/poll.h"
#include "base/tolerances.h"
#include "lcp/problem.h"

typedef struct nsd_certificate {
  double residual;  /* largest violation / its row's scale; infinite where x is out of bounds or not finite */
  double violation; /* that violation in its own units */
  int row;          /* where; −1 where nothing is violated */
  int far_out;      /* problems without bounds: what nsd_is_far_out() says at NSD_FAR_OUT */
} nsd_certificate;

/* Judges x. y (may be NULL) receives A x + b as the caller of a solve gets it: set to zero strictly between
 * the bounds. */
nsd_certificate nsd_certify(const nsd_lcp_problem *p, const double *x, double *y);

/* The same, asking on the way; it goes on to the end, though. */
nsd_certificate nsd_certify_asking(const nsd_lcp_problem *p, const double *x, double *y, nsd_poll *poll);

/* A point of a problem without bounds, and what is found of it; by whole vectors (base/kernels/exchange.h),
 * but for the last two, which receive n numbers where it passes. */
typedef struct nsd_passing {
  const double *x;
  double *y;         /* as nsd_certify hands it out */
  double *violation; /* of each row, in its own units */
  double *scale;     /* s of each row */
  double *x_out;
  double *y_out;  /* or NULL */
  nsd_poll *poll; /* asked where there are many rows, or NULL */
} nsd_passing;

/* The question that a success asks, at half the price: 1 where the certificate of `to->x` has a residual of
 * at most tol and b does not vanish beside A x. 0 leaves the question to nsd_certify. */
int nsd_passes(const nsd_lcp_problem *p, double tol, const nsd_passing *to);

/* The certificate that is made of violations and scales: how well a point has passed. */
nsd_certificate nsd_certificate_of(int n, const double *violation, const double *scale);

/* Whether b vanishes beside A x: in no row strictly between the bounds is what is not basic, b_i + Σ A_ij x_j
 * over the x_j at bounds, more than tol of the row's scale, though it is not zero everywhere. Then the
 * certificate of a large x holds for the problem without b, and says nothing about this one: singular
 * matrices admit such points far out, also where there is no solution. */
int nsd_is_far_out(const nsd_lcp_problem *p, const double *x, double tol, nsd_poll *poll);

/* For answers of iterative methods: puts an x_i onto its bound where y_i says that it belongs there,
 * y_i > d_i (x_i − lo_i), d_i = A_ii where positive, else 1 in the row's own units (and likewise hi). y is
 * A x + b, recomputed inside; work holds n. */
void nsd_lcp_round(const nsd_lcp_problem *p, double *x, double *work, nsd_poll *poll);

#endif
