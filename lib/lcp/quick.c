/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The first run on a plain problem: solved and judged before anything else is looked at.
 *
 * Nothing here checks the numbers that come in, and nothing needs to: every element of A and b goes into the
 * certificate, beside a zero of x too (0 ∞ and 0 NaN are NaN), so that an answer which passes has shown them
 * finite. Where the answer does not pass, the slow way (lcp/solve.c) checks them, names what is wrong, and
 * goes on from the run made here. The caller's arrays are written with a certificate only. */
#include "base/simd.h"
#include "lcp/object.h"
#include "lcp/symmetry.h"

/* Whether the first run is Lemke's: nsd_lcp_automatic leaves larger symmetric problems to block pivots. */
static int begins_with_lemke(const nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  return lcp->options.method == NSDYN_LCP_LEMKE || p->n <= NSD_LCP_LEMKE_FIRST ||
         nsd_lcp_asymmetric_row(p) >= 0;
}

static void copy(int n, const double *restrict from, double *restrict to)
{
  int i = 0;
  for (; i + NSD_LANES <= n; i += NSD_LANES) {
    nsd_lanes_store(to + i, nsd_lanes_load(from + i));
  }
  for (; i < n; i++) {
    to[i] = from[i];
  }
}

/* x, y, basis and report of an answer that has passed. */
static void hand_out(nsdyn_lcp *lcp, int n, const nsd_certificate *certificate, const int32_t *basis,
                     int32_t method, int iterations, double *x, double *y)
{
  copy(n, lcp->x, x);
  if (y) {
    copy(n, lcp->y_work, y);
  }
  for (int i = 0; i < n; i++) {
    lcp->basis[i] = basis[i];
  }
  lcp->basis_n = n;
  lcp->ray_n = 0;
  lcp->result = (nsdyn_lcp_result){.size = sizeof lcp->result,
                                   .status = NSDYN_OK,
                                   .method = method,
                                   .n = n,
                                   .iterations = iterations,
                                   .attempts = 1,
                                   .proof = NSDYN_LCP_PROOF_NONE,
                                   .worst_row = certificate->row,
                                   .warm = method != NSDYN_LCP_LEMKE,
                                   .residual = certificate->residual,
                                   .violation = certificate->violation};
  if (lcp->fault.status != NSDYN_OK) {
    nsd_fault_clear(&lcp->fault);
  }
}

/* The warm start, where it is wanted. */
static int solve_warm(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  nsd_certificate certificate;
  int rounds = 0;
  if (!nsd_lcp_wants_warm_start(lcp, p)) {
    return 0;
  }
  if (nsd_lcp_improve_basis(lcp, p, &certificate, &rounds)) {
    hand_out(lcp, p->n, &certificate, lcp->start, NSDYN_LCP_NEWTON_MIN, rounds, x, y);
    return 1;
  }
  lcp->early.warm_rounds = rounds;
  return 0;
}

/* Lemke's method as nsd_lcp_attempt would run it first. */
static int solve_cold(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  nsd_lcp_early *early = &lcp->early;
  nsd_lcp_answer *answer = &early->answer;
  const int given = lcp->options.max_iterations;
  const int own = nsd_lcp_ordinary_pivots(p->n);
  const nsd_lemke_options options = {.cover = NULL,
                                     .ties = NSD_LEMKE_LEXICOGRAPHIC,
                                     .pivot_tol = lcp->options.pivot_tol,
                                     .max_pivots = given >= 0 && given < own ? given : own};
  answer->x = lcp->x;
  answer->basis = lcp->attempt_basis;
  answer->ray = lcp->attempt_ray;
  nsd_lcp_activate(lcp, NSDYN_LCP_LEMKE, p->n);
  early->status = nsd_lemke_solve(&lcp->w.lemke, p, &options, answer);
  if (early->status == NSDYN_OK) {
    const nsd_certificate certificate = nsd_certify(p, lcp->x, lcp->y_work);
    if (certificate.residual <= NSD_LCP_POLISHED && certificate.residual <= lcp->options.tol &&
        !certificate.far_out) {
      hand_out(lcp, p->n, &certificate, lcp->attempt_basis, NSDYN_LCP_LEMKE, answer->iterations, x, y);
      if (early->warm_rounds) { /* they count */
        lcp->result.attempts++;
        lcp->result.iterations += early->warm_rounds;
      }
      return 1;
    }
  }
  early->is_there = 1;
  early->limit = options.max_pivots;
  return 0;
}

int nsd_lcp_solve_quickly(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  return solve_warm(lcp, p, x, y) || (begins_with_lemke(lcp, p) && solve_cold(lcp, p, x, y));
}
