/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What became of an attempt, in words. */
#include "base/number.h"
#include "lcp/methods.h"

static nsdyn_status explain_refusal(nsdyn_lcp *lcp, const nsd_lcp_plan *plan, const nsd_lcp_answer *answer)
{
  /* "method: row i: reason", or without a row where the matrix as a whole is the reason. */
  const char *reason = answer->refused ? answer->refused : "the problem is not of its class";
  if (answer->refused_row < 0) {
    return nsd_fault_set(&lcp->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_NONE, -1, "%s: %s",
                         nsd_lcp_methods[plan->method].name, reason);
  }
  return nsd_fault_set(&lcp->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_ROW, answer->refused_row,
                       "%s: row %d: %s", nsd_lcp_methods[plan->method].name, answer->refused_row, reason);
}

/* Whether the caller's own limit has ended the run. */
static int is_callers_limit(const nsdyn_lcp *lcp, const nsd_lcp_plan *plan, const nsd_lcp_answer *answer)
{
  /* A plan of `automatic` may have a lower limit of its own. */
  const int given = nsd_lcp_given_limit(lcp, plan->method);
  return given >= 0 && plan->max_iterations == given && answer->iterations >= given;
}

static nsdyn_status explain_limit(nsdyn_lcp *lcp, const nsd_lcp_plan *plan)
{
  char residual[NSD_NUMBER_LENGTH];
  return nsd_fault_set(&lcp->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_ROW, lcp->report.worst_row,
                       "%s: stopped by the option %s = %d; the best x violates row %d by %s of its scale",
                       nsd_lcp_methods[plan->method].name,
                       plan->method == NSDYN_LCP_ENUMERATIVE ? "max_nodes" : "max_iterations",
                       nsd_lcp_given_limit(lcp, plan->method), lcp->report.worst_row,
                       nsd_number_text(lcp->report.residual, residual));
}

/* The best answer so far, as far as it goes. */
static nsdyn_status explain_failure(nsdyn_lcp *lcp, nsdyn_status status, const nsd_lcp_plan *plan)
{
  char residual[NSD_NUMBER_LENGTH];
  const nsdyn_lcp_solve_report *report = &lcp->report;
  return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_ROW, report->worst_row,
                       "%s: %s (%d iterations in %d attempts); the best x violates row %d by %s of its scale",
                       nsd_lcp_methods[plan->method].name, nsdyn_status_text(status), report->iterations,
                       report->attempts, report->worst_row, nsd_number_text(report->residual, residual));
}

nsdyn_status nsd_lcp_explain(nsdyn_lcp *lcp, nsdyn_status status, const nsd_lcp_plan *plan,
                             const nsd_lcp_answer *answer)
{
  /* Which words go with which outcome: a refusal has its reason, a
   * limit its option, a failure its residual. */
  switch (status) {
  case NSDYN_OK:
    return NSDYN_OK;
  case NSDYN_ERR_UNSUPPORTED:
    return explain_refusal(lcp, plan, answer);
  case NSDYN_NO_SOLUTION:
  case NSDYN_CANCELLED:
    return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "%s: %s",
                         nsd_lcp_methods[plan->method].name, nsdyn_status_text(status));
  case NSDYN_MAX_ITERATIONS:
    return is_callers_limit(lcp, plan, answer) ? explain_limit(lcp, plan)
                                               : explain_failure(lcp, status, plan);
  case NSDYN_UNDECIDED:
  case NSDYN_INACCURATE:
    return explain_failure(lcp, status, plan);
  default:
    return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "%s: %s",
                         nsd_lcp_methods[plan->method].name, nsdyn_status_text(status));
  }
}
