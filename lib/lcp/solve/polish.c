/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/polish.h"

#include <float.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "lcp/proof/certificate.h"

#define STEPS 3

/* How many unknowns of the basis are free: the size of the block that nsd_basis_solve factored. */
static int count_free(const nsd_lcp_problem *p, const int32_t *basis)
{
  int m = 0;
  for (int i = 0; i < p->n; i++) {
    const double bound = basis[i] == NSDYN_LCP_AT_HI ? nsd_lcp_hi(p, i) : nsd_lcp_lo(p, i);
    m += basis[i] == NSDYN_LCP_BASIC || !isfinite(bound);
  }
  return m;
}

/* Whether cancellation left a pivot that is mere rounding: u_kk beside (|L| |U|)_kk. Such a basis yields a
 * point of enormous size whose certificate holds since b vanishes beside it: it solves another problem. */
static int is_singular(const nsd_basis *w, int m)
{
  for (int k = 0; k < m && !nsd_poll_stops(w->poll, 8.0 * k); k++) {
    /* u_kk = a_kk − Σ_{l<k} l_kl u_lk: |u_kk| beside the sum of the sizes of all terms. */
    const double pivot = fabs(w->block[(size_t)k * (size_t)m + (size_t)k]);
    double terms = pivot;
    for (int l = 0; l < k; l++) {
      terms +=
          fabs(w->block[(size_t)k * (size_t)m + (size_t)l] * w->block[(size_t)l * (size_t)m + (size_t)k]);
    }
    if (pivot <= NSD_PIVOT_ROUNDING(m) * terms) {
      return 1;
    }
  }
  return 0;
}

/* One step of refinement with the factors that nsd_basis_solve left behind, which makes the residuals small
 * beside their rows' own scales. */
static void refine(nsd_basis *w, const nsd_lcp_problem *p, int m, double *x)
{
  /* A_FF e = −(b + A x)_F, x_F += e. */
  for (int k = 0; k < m; k++) {
    const int i = w->free_rows[k];
    w->right[k] = -(p->b[i] + nsd_dot(p->n, nsd_lcp_row(p, i), x));
    if (nsd_poll_stops(w->poll, p->n)) {
      return;
    }
  }
  nsd_lu_solve_asking(m, w->block, m, w->perm, w->right, w->poll);
  if (nsd_poll_stops(w->poll, 0.0)) {
    return;
  }
  for (int k = 0; k < m; k++) {
    x[w->free_rows[k]] += w->right[k];
  }
}

/* Takes the trial where its certificate is better; returns the better residual. */
static double keep_better(const nsd_lcp_problem *p, double residual, double *trial, double *x, nsd_poll *poll)
{
  const double other = nsd_certify_asking(p, trial, NULL, poll).residual;
  if (!(other < residual)) {
    return residual;
  }
  memcpy(x, trial, (size_t)p->n * sizeof *x);
  return other;
}

/* The basic unknown with the largest term in a row; −1 where all are zero. */
static int largest_basic(const nsd_lcp_problem *p, const int32_t *basis, int row, const double *x)
{
  const double *a = nsd_lcp_row(p, row);
  double largest = 0.0;
  int found = -1;
  for (int j = 0; j < p->n; j++) {
    const double term = fabs(a[j] * x[j]);
    if (basis[j] == NSDYN_LCP_BASIC && term > largest) {
      largest = term;
      found = j;
    }
  }
  return found;
}

/* Where b and all terms of a row vanish but for rounding, rounding is all that the row is judged by. The
 * unknown behind it becomes zero: should it have been more than rounding, other rows tell. */
static void drop_noise(const nsd_lcp_problem *p, const int32_t *basis, double *x, nsd_poll *poll)
{
  for (int step = 0; step < p->n && !nsd_poll_stops(poll, 2.0 * p->n * p->n); step++) {
    const nsd_certificate c = nsd_certify_asking(p, x, NULL, poll);
    const int j = c.residual > NSD_RESIDUAL_ROUNDING ? largest_basic(p, basis, c.row, x) : -1;
    if (j < 0) {
      return;
    }
    x[j] = 0.0;
    nsd_lcp_project(p, x);
  }
}

double nsd_lcp_polish(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, double *x, double *work)
{
  if (!nsd_all_finite(1, p->n, x, p->n) || nsd_poll_stops(w->poll, 0.0)) {
    return INFINITY;
  }
  /* Stage 1. The x at hand, and that of its basis, if the basis is regular. */
  double residual = nsd_certify_asking(p, x, NULL, w->poll).residual;
  const int m = count_free(p, basis);
  const int regular = nsd_basis_solve(w, p, basis, work) == NSDYN_OK && !is_singular(w, m);
  if (!regular) {
    memcpy(work, x, (size_t)p->n * sizeof *x);
  }
  /* Stage 2. Refine the latter until its certificate is as good as
   * rounding allows, and keep the better of the two. */
  for (int step = 0; step <= STEPS && residual > NSD_RESIDUAL_ROUNDING && !nsd_poll_stops(w->poll, 0.0);
       step++) {
    if (regular && step > 0) {
      refine(w, p, m, work);
    }
    nsd_lcp_project(p, work);
    residual = keep_better(p, residual, work, x, w->poll);
    /* A row that only rounding judges. */
    if (residual > NSD_RESIDUAL_ROUNDING && step > 0) {
      drop_noise(p, basis, work, w->poll);
      residual = keep_better(p, residual, work, x, w->poll);
    }
  }
  return residual;
}

nsdyn_status nsd_lcp_refuse(nsd_lcp_answer *answer, int row, const char *reason)
{
  answer->refused_row = row;
  answer->refused = reason;
  return NSDYN_ERR_UNSUPPORTED;
}

int nsd_lcp_row_without_positive_diagonal(const nsd_lcp_problem *p)
{
  for (int i = 0; i < p->n; i++) {
    if (!(nsd_lcp_row(p, i)[i] > 0.0)) {
      return i;
    }
  }
  return -1;
}
