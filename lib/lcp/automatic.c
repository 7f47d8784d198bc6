/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Goes through the plan (lcp/automatic_plan.h). */
#include "lcp/automatic_plan.h"

#include "base/number.h"
#include "lcp/matrix/symmetry.h"
#include "lcp/sparse/solver.h"

enum { ENTRIES = sizeof nsd_lcp_entries / sizeof *nsd_lcp_entries };

/* The search is the last resort, not an end in itself: about a second at most. */
static int most_nodes(int n)
{
  /* A node costs n²: as many as take the time of MOST nodes with SMALL unknowns. */
  enum { MOST = 100000, SMALL = 24 };
  return n <= SMALL ? MOST : (int)((double)MOST * (SMALL * SMALL) / ((double)n * n));
}

/* Pivots of a tableau of ten thousands of unknowns squared take as many seconds; two per unknown are the
 * least that is worth a run. */
static int tableau_pivots(int n)
{
  const int by_work = (int)nsd_smaller(5e9 / (1.0 + (double)n * n), 1e9);
  const int least = 50 + 2 * n, ordinary = nsd_lcp_ordinary_pivots(n);
  return by_work > ordinary ? ordinary : by_work < least ? least : by_work;
}

/* Pivots of the last runs: a fraction of a second for few unknowns; for many, where that were not even an
 * ordinary path, as many as an ordinary run has. */
static int last_pivots(int n)
{
  const int by_work = 1000 + (int)(3e8 / (1.0 + (double)n * n)), ordinary = tableau_pivots(n);
  return by_work > ordinary ? by_work : ordinary;
}

/* Steps of Newton's method, of n³ multiplications each. */
static int newton_steps(int most, int n)
{
  const int by_work = 2 + (int)nsd_smaller(3e9 / (1.0 + (double)n * n * n), 1e9);
  return by_work < most ? by_work : most;
}

static int limit_of(const nsdyn_lcp *lcp, const nsd_lcp_entry *entry, int n)
{
  /* Lemke's method by itself has the caller's limit, and none in the given units. */
  if (lcp->options.method == NSDYN_LCP_LEMKE) {
    const int given = lcp->options.max_iterations;
    return given < 0 && entry->rescaled ? nsd_lcp_ordinary_pivots(n) : given;
  }
  const int is_tableau = entry->method == NSDYN_LCP_LEMKE && !entry->damped;
  const int own = entry->limit == NSD_LIMIT_ORDINARY
                      ? (is_tableau ? tableau_pivots(n) : nsd_lcp_ordinary_pivots(n))
                  : entry->limit == NSD_LIMIT_LAST  ? last_pivots(n)
                  : entry->limit == NSD_LIMIT_NODES ? most_nodes(n)
                                                    : newton_steps(entry->limit, n);
  return nsd_lcp_lower_limit(lcp, entry->method, own);
}

/* An answer, or a proof that there is none: nothing is left to try. Errors end the chain as well, but for a
 * method that finds the problem is not of its class. */
static int is_final(nsdyn_status status)
{
  return status == NSDYN_OK || status == NSDYN_NO_SOLUTION || status == NSDYN_CANCELLED ||
         (status < 0 && status != NSDYN_ERR_UNSUPPORTED && status != NSDYN_ERR_NOT_FINITE);
}

/* The entries from `first` to the last that apply, until one ends the chain. */
static nsdyn_status follow(nsdyn_lcp *lcp, const nsd_lcp_problem *p, int first, unsigned known)
{
  nsdyn_status status = NSDYN_ERR_UNSUPPORTED;
  for (int i = first; i < ENTRIES && !is_final(status); i++) {
    const nsd_lcp_entry *entry = &nsd_lcp_entries[i];
    if (!nsd_lcp_entry_applies(entry, known)) {
      continue;
    }
    const nsd_lcp_plan plan = {.method = entry->method,
                               .ties = entry->ties,
                               .sizes = entry->sizes,
                               .max_iterations = limit_of(lcp, entry, p->n),
                               .pivot_tol = fmax(lcp->options.pivot_tol, entry->least_pivot),
                               .start = NULL,
                               .rescaled = entry->rescaled,
                               .spread = entry->spread,
                               .damped = entry->damped};
    nsd_lcp_problem own = *p;
    own.symmetry = entry->symmetry;
    status = nsd_lcp_attempt(lcp, &own, &plan);
  }
  return status;
}

static unsigned is_mixed(const nsd_lcp_problem *p)
{
  return p->lo || p->hi ? NSD_KNOWN_MIXED : 0;
}

nsdyn_status nsd_lcp_lemke_chain(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  return follow(lcp, p, NSD_PLAN_LEMKE, is_mixed(p));
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

/* Whether A is symmetric or sparse: each takes a look at all its elements, which may have been had before the
 * data were checked. */
static unsigned look_at(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  unsigned known = lcp->early.known;
  if (!known) {
    known = nsd_sparse_run_applies(p, &lcp->poll)      ? NSD_KNOWN_SPARSE
            : nsd_sparse_damped_applies(p, &lcp->poll) ? NSD_KNOWN_ZEROS
                                                       : 0;
    known |= p->n > NSD_LCP_DAMPED_FIRST ? NSD_KNOWN_HUNDREDS : 0;
  }
  if (!(known & (NSD_KNOWN_SYMMETRIC | NSD_KNOWN_ASYMMETRIC))) {
    known |= nsd_lcp_asymmetric_row(p, &lcp->poll) < 0 ? NSD_KNOWN_SYMMETRIC : NSD_KNOWN_ASYMMETRIC;
  }
  return known;
}

static nsdyn_status try_all(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  /* Stage 1. What can be seen of the problem at a glance. */
  unsigned known = is_mixed(p) | look_at(lcp, p);
  known |= nsd_lcp_row_without_positive_diagonal(p) < 0 ? NSD_KNOWN_POSITIVE_DIAGONAL : 0;
  known |= !is_mixed(p) && p->n <= NSD_LCP_LEMKE_FIRST ? NSD_KNOWN_FEW : 0;
  known |= p->n <= lcp->options.automatic_enumerate_up_to ? NSD_KNOWN_SEARCHABLE : 0;
  /* Stage 2. The last basis, where a warm start is wanted. */
  if (nsd_lcp_try_last_basis(lcp, p) == NSDYN_OK) {
    return NSDYN_OK;
  }
  /* Stage 3. The plan. Its first entry may have been run already: nsd_lcp_attempt knows. */
  return follow(lcp, p, NSD_PLAN_SPARSE, known);
}

nsdyn_status nsd_lcp_automatic(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  return conclude(lcp, try_all(lcp, p));
}
