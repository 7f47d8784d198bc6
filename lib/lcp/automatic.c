/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Which method when, and what next.
 *
 * The order goes by what is known of A and by price; every answer must pass the certificate, so a method that
 * is not sure for A costs time at worst. Measured on the friction sets of tests/support/problems.c, the
 * first attempt answers more than 99 of 100. */
#include "base/number.h"
#include "base/tolerances.h"
#include "lcp/object.h"

/* The search is the last resort, not an end in itself: about a second at most. */
static int most_nodes(int n)
{
  /* A node costs n²: as many as take the time of MOST nodes with SMALL unknowns. */
  enum { MOST = 100000, SMALL = 24 };
  return n <= SMALL ? MOST : (int)((double)MOST * (SMALL * SMALL) / ((double)n * n));
}

/* An answer, or a proof that there is none: nothing is left to try. Errors end the chain as well, but for a
 * method that finds the problem is not of its class. */
static int is_final(nsdyn_status status)
{
  return status == NSDYN_OK || status == NSDYN_NO_SOLUTION || status == NSDYN_CANCELLED ||
         (status < 0 && status != NSDYN_ERR_UNSUPPORTED && status != NSDYN_ERR_NOT_FINITE);
}

/* An attempt's own limit, or the caller's where that is lower. */
static int limit_of(const nsdyn_lcp *lcp, int32_t method, int own)
{
  const int given = nsd_lcp_given_limit(lcp, method);
  return given >= 0 && (own < 0 || given < own) ? given : own;
}

static nsdyn_status try_method(nsdyn_lcp *lcp, const nsd_lcp_problem *p, int32_t method, int limit,
                               int symmetric)
{
  const nsd_lcp_plan plan = {.method = method,
                             .ties = NSD_LEMKE_LEXICOGRAPHIC,
                             .max_iterations = limit_of(lcp, method, limit),
                             .pivot_tol = lcp->options.pivot_tol,
                             .start = NULL,
                             .symmetric = symmetric};
  return nsd_lcp_attempt(lcp, p, &plan);
}

static int is_lemke_first(const nsd_lcp_problem *p, int positive_diagonal)
{
  return positive_diagonal && !p->lo && !p->hi && p->n <= NSD_LCP_LEMKE_FIRST;
}

/* Symmetric A: positive definite by Lemke's path or by blocks, semidefinite by principal pivots. */
static nsdyn_status try_symmetric(nsdyn_lcp *lcp, const nsd_lcp_problem *p, int positive_diagonal)
{
  /* 1. Lemke's path is fastest up to NSD_LCP_LEMKE_FIRST unknowns. */
  if (is_lemke_first(p, positive_diagonal)) {
    const nsdyn_status status = try_method(lcp, p, NSDYN_LCP_LEMKE, nsd_lcp_ordinary_pivots(p->n), 1);
    if (is_final(status)) {
      return status;
    }
  }
  /* 2. Block pivots: three to six factorizations, whatever n is; sure for positive definite A. */
  if (positive_diagonal) {
    const nsdyn_status status = try_method(lcp, p, NSDYN_LCP_BLOCK, nsd_lcp_ordinary_pivots(p->n), 1);
    if (is_final(status)) {
      return status;
    }
  }
  /* 3. Principal pivots: sure for semidefinite A of every rank, and they
   * find the proof that there is no solution. */
  return try_method(lcp, p, NSDYN_LCP_PRINCIPAL, nsd_lcp_ordinary_pivots(p->n), 1);
}

/* In units of like size, and with large pivots among ties, the tableau stays accurate where rounding has
 * spoilt the first run; should that run cycle, the lexicographic order does not. Mixed problems get other
 * covering vectors then: bodies at rest have many rows that tie under one of ones. */
static nsdyn_status try_rescaled_lemke(nsdyn_lcp *lcp, const nsd_lcp_problem *p, int max_iterations)
{
  nsd_lcp_plan plan = {.method = NSDYN_LCP_LEMKE,
                       .ties = NSD_LEMKE_LARGEST_PIVOT,
                       .max_iterations = max_iterations < 0 ? nsd_lcp_ordinary_pivots(p->n) : max_iterations,
                       .pivot_tol = fmax(lcp->options.pivot_tol, NSD_LEMKE_CLEAN_PIVOT),
                       .start = NULL,
                       .rescaled = 1,
                       .symmetric = 0};
  /* 1. Large pivots among ties, for clean numbers. */
  nsdyn_status status = nsd_lcp_attempt(lcp, p, &plan);
  if (is_final(status)) {
    return status;
  }
  /* 2. The lexicographic order, which cannot cycle; mixed problems get a
   * covering vector of numbers between 1 and 2. */
  plan.ties = NSD_LEMKE_LEXICOGRAPHIC;
  plan.pivot_tol = fmax(lcp->options.pivot_tol, NSD_LEMKE_ORDERED_PIVOT);
  plan.spread = 1;
  status = nsd_lcp_attempt(lcp, p, &plan);
  if (is_final(status) || (!p->lo && !p->hi)) {
    return status;
  }
  /* 3. Mixed problems only: another such vector, with large pivots. */
  plan.ties = NSD_LEMKE_LARGEST_PIVOT;
  plan.spread = 2;
  return nsd_lcp_attempt(lcp, p, &plan);
}

/* Lemke's path in the given units, then in units of like size. */
static nsdyn_status try_lemke(nsdyn_lcp *lcp, const nsd_lcp_problem *p, int max_iterations)
{
  const nsd_lcp_plan plan = {.method = NSDYN_LCP_LEMKE,
                             .ties = NSD_LEMKE_LEXICOGRAPHIC,
                             .max_iterations = max_iterations,
                             .pivot_tol = lcp->options.pivot_tol,
                             .start = NULL,
                             .rescaled = 0,
                             .symmetric = 0};
  const nsdyn_status status = nsd_lcp_attempt(lcp, p, &plan);
  return is_final(status) ? status : try_rescaled_lemke(lcp, p, max_iterations);
}

/* Piles of bodies at rest: paths so long that sizes passed on from pivot to pivot take real values for
 * rounding, and many rows that tie, but for rounding of b. */
static nsdyn_status try_long_lemke(nsdyn_lcp *lcp, const nsd_lcp_problem *p, int max_iterations)
{
  nsd_lcp_plan plan = {.method = NSDYN_LCP_LEMKE,
                       .ties = NSD_LEMKE_LEXICOGRAPHIC,
                       .sizes = NSD_LEMKE_SIZES_OF_CHANGES,
                       .max_iterations = max_iterations < 0 ? nsd_lcp_ordinary_pivots(p->n) : max_iterations,
                       .pivot_tol = fmax(lcp->options.pivot_tol, NSD_LEMKE_ORDERED_PIVOT),
                       .start = NULL,
                       .rescaled = 1,
                       .spread = 1,
                       .symmetric = 0};
  /* 1. Real values stay what they are. */
  const nsdyn_status status = nsd_lcp_attempt(lcp, p, &plan);
  if (is_final(status)) {
    return status;
  }
  /* 2. Ties that rounding has parted are joined; mixed problems get another
   * covering vector. */
  plan.sizes = NSD_LEMKE_SIZES_COARSE;
  plan.spread = 3;
  return nsd_lcp_attempt(lcp, p, &plan);
}

nsdyn_status nsd_lcp_lemke_runs(nsdyn_lcp *lcp, const nsd_lcp_problem *p, int max_iterations)
{
  const nsdyn_status status = try_lemke(lcp, p, max_iterations);
  return is_final(status) ? status : try_long_lemke(lcp, p, max_iterations);
}

/* Pivots of the last run of all: a fraction of a second, whatever n is. */
static int last_pivots(int n)
{
  const double work = 1.0 + (double)n * n;
  return 1000 + (int)(3e8 / work);
}

/* What is left: methods that are sure for other classes, then the search through all bases. */
static nsdyn_status try_rest(nsdyn_lcp *lcp, const nsd_lcp_problem *p, int positive_diagonal)
{
  /* 1. Block pivots: sure for P-matrices. */
  nsdyn_status status = NSDYN_ERR_UNSUPPORTED;
  if (positive_diagonal) {
    status = try_method(lcp, p, NSDYN_LCP_BLOCK, nsd_lcp_ordinary_pivots(p->n), 0);
  }
  /* 2. Newton on the minimum map: no class of matrices, but quick where it converges. */
  if (!is_final(status)) {
    status = try_method(lcp, p, NSDYN_LCP_NEWTON_MIN, 100, 0);
  }
  /* 3. The search through all bases: sure, and exponential in time. */
  if (!is_final(status) && p->n <= lcp->options.automatic_enumerate_up_to) {
    status = try_method(lcp, p, NSDYN_LCP_ENUMERATIVE, most_nodes(p->n), 0);
  }
  /* 4. Newton on Fischer–Burmeister, which has other local minima. */
  if (!is_final(status)) {
    status = try_method(lcp, p, NSDYN_LCP_NEWTON_FB, 200, 0);
  }
  /* 5. Lemke's path once more, this time with as many pivots as a fraction of a second allows, and with the
   * runs for long paths. */
  if (!is_final(status)) {
    status = nsd_lcp_lemke_runs(lcp, p, limit_of(lcp, NSDYN_LCP_LEMKE, last_pivots(p->n)));
  }
  return status;
}

/* A limit of the plan itself was not set by the caller: where it ends the chain, the search has found
 * nothing, and the status says so. */
static nsdyn_status conclude(nsdyn_lcp *lcp, nsdyn_status status)
{
  char residual[NSD_NUMBER_LENGTH];
  const nsdyn_lcp_solve_report *report = &lcp->report;
  if (status != NSDYN_MAX_ITERATIONS || lcp->options.max_iterations >= 0 || lcp->options.max_nodes >= 0) {
    return status;
  }
  status = lcp->has_best && report->residual <= NSD_RESIDUAL_NEAR ? NSDYN_INACCURATE : NSDYN_UNDECIDED;
  return nsd_fault_set(
      &lcp->fault, status, NSDYN_DETAIL_ROW, report->worst_row,
      "automatic: %s (%d iterations in %d attempts); the best x violates row %d by %s of its scale",
      nsdyn_status_text(status), report->iterations, report->attempts, report->worst_row,
      nsd_number_text(report->residual, residual));
}

static nsdyn_status try_all(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  /* Stage 1. What can be seen of A at a glance. */
  const unsigned glance = nsd_lcp_glance(p->n, p->A, p->lda, &lcp->poll);
  const int positive_diagonal = (glance & NSD_GLANCE_POSITIVE_DIAGONAL) != 0;
  /* Stage 2. The last basis, where a warm start is wanted. */
  nsdyn_status status = nsd_lcp_try_last_basis(lcp, p);
  if (status == NSDYN_OK) {
    return status;
  }
  /* Stage 3. Symmetric A: methods that are sure for semidefinite matrices. */
  const int is_symmetric = (glance & NSD_GLANCE_SYMMETRIC) != 0;
  const int limit = limit_of(lcp, NSDYN_LCP_LEMKE, nsd_lcp_ordinary_pivots(p->n));
  if (is_symmetric) {
    status = try_symmetric(lcp, p, positive_diagonal);
  }
  /* Stage 4. Lemke's path, in the given units and in units of like size.
   * Symmetric problems may have had the former. */
  if (!is_final(status)) {
    status = is_symmetric && is_lemke_first(p, positive_diagonal) ? try_rescaled_lemke(lcp, p, limit)
                                                                  : try_lemke(lcp, p, limit);
  }
  /* Stage 5. Everything else. */
  if (!is_final(status)) {
    status = try_rest(lcp, p, positive_diagonal);
  }
  return status;
}

nsdyn_status nsd_lcp_automatic(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  return conclude(lcp, try_all(lcp, p));
}
