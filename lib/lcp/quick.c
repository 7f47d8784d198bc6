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

/* Adding a zero makes no −0, and no call of memcpy(), which costs more than so few numbers. */
NSD_INLINE void copy(int n, const double *restrict from, double *restrict to)
{
  int i = 0;
  for (; i + NSD_LANES <= n; i += NSD_LANES) {
    nsd_lanes_store(to + i, nsd_lanes_load(from + i) + 0.0);
  }
  if (n & 2) {
    *(nsd_lanes_2 *)(to + i) = *(const nsd_lanes_2 *)(from + i) + 0.0;
    i += 2;
  }
  if (n & 1) {
    to[i] = from[i] + 0.0;
  }
}

static void take_basis(nsdyn_lcp *lcp, int n, const int32_t *basis)
{
  for (int i = 0; i < n; i++) {
    lcp->basis[i] = basis[i];
  }
  lcp->basis_n = n;
  lcp->order.m = -1;
}

/* x, y and report of an answer that has passed. */
NSD_INLINE void hand_out(nsdyn_lcp *lcp, int n, const nsd_certificate *certificate, int32_t method,
                         int iterations, double *x, double *y)
{
  copy(n, lcp->x, x);
  if (y) {
    copy(n, lcp->y_work, y);
  }
  lcp->ray_n = 0;
  nsdyn_lcp_result *result = &lcp->result; /* field by field: a whole struct is made elsewhere and copied */
  result->status = NSDYN_OK;
  result->method = method;
  result->n = n;
  result->iterations = iterations;
  result->attempts = 1;
  result->proof = NSDYN_LCP_PROOF_NONE;
  result->worst_row = certificate->row;
  result->warm = method != NSDYN_LCP_LEMKE;
  result->residual = certificate->residual;
  result->violation = certificate->violation;
  if (lcp->fault.status != NSDYN_OK) {
    nsd_fault_clear(&lcp->fault);
  }
}

/* Whether lcp->x may be handed out, with y in y_work. */
NSD_INLINE int passes(nsdyn_lcp *lcp, const nsd_lcp_problem *p, nsd_certificate *certificate)
{
  *certificate = nsd_certify(p, lcp->x, lcp->y_work);
  return certificate->residual <= NSD_LCP_POLISHED && certificate->residual <= lcp->options.tol &&
         !certificate->far_out;
}

/* The last basis once more, its pivots in the order that is known. */
NSD_INLINE int replay(nsdyn_lcp *lcp, const nsd_lcp_problem *p, nsd_certificate *certificate)
{
  nsd_lcp_activate(lcp, NSD_LCP_BASIS, p->n);
  certificate->residual = (double)INFINITY;
  return nsd_basis_replay(&lcp->w.basis, p, &lcp->order, lcp->x, lcp->work) && passes(lcp, p, certificate);
}

/* The warm start, where it is wanted. */
static int solve_warm(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  nsd_certificate certificate;
  int rounds = 0;
  if (!nsd_lcp_wants_warm_start(lcp, p)) {
    return 0;
  }
  int replayed = 0;
  if (lcp->order.m >= 0) {
    if (replay(lcp, p, &certificate)) {
      hand_out(lcp, p->n, &certificate, NSDYN_LCP_NEWTON_MIN, 1, x, y);
      return 1;
    }
    /* A wrong basis shows in signs; anything finer is for a solve with a new search for pivots. */
    replayed = certificate.residual > 1e-6 && certificate.residual < (double)INFINITY;
  }
  if (nsd_lcp_improve_basis(lcp, p, replayed, &certificate, &rounds)) {
    hand_out(lcp, p->n, &certificate, NSDYN_LCP_NEWTON_MIN, rounds, x, y);
    take_basis(lcp, p->n, lcp->start);
    nsd_basis_learn(&lcp->w.basis, p->n, &lcp->order);
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
    nsd_certificate certificate;
    if (passes(lcp, p, &certificate)) {
      hand_out(lcp, p->n, &certificate, NSDYN_LCP_LEMKE, answer->iterations, x, y);
      take_basis(lcp, p->n, lcp->attempt_basis);
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
  lcp->early.is_there = 0;
  lcp->early.warm_rounds = 0;
  return solve_warm(lcp, p, x, y) || (begins_with_lemke(lcp, p) && solve_cold(lcp, p, x, y));
}
