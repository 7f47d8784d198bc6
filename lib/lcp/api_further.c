/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The public calls beside the solves: all solutions, the classes of a matrix, problems as text. */
#include "base/sized.h"
#include "lcp/object.h"
#include "lcp/text.h"

static nsdyn_status refuse_size(nsdyn_lcp *lcp, const char *name)
{
  return nsd_fault_set(&lcp->fault, NSDYN_ERR_STRUCT_SIZE, NSDYN_DETAIL_FIELD, 0,
                       "%s: its size is not known; call %s_init first", name, name);
}

/* What every solve's report says, for an enumeration. */
static void report_enumeration(nsdyn_lcp *lcp, int n, nsdyn_status status, const nsdyn_lcp_census *census)
{
  nsdyn_lcp_solve_report *report = &lcp->report;
  nsdyn_lcp_solve_report_init(report, sizeof *report);
  report->status = status;
  report->method = NSDYN_LCP_ENUMERATIVE;
  report->n = n;
  report->attempts = 1;
  report->iterations = census->pivots > INT32_MAX ? INT32_MAX : (int32_t)census->pivots;
  report->worst_row = -1;
  report->proof = status == NSDYN_NO_SOLUTION ? NSDYN_LCP_PROOF_EXHAUSTED : NSDYN_LCP_PROOF_NONE;
}

/* Whether the caller wanted to stop while the data were checked. */
static int was_cancelled(nsdyn_lcp *lcp)
{
  const int is_cancelled = lcp->poll.is_cancelled;
  lcp->poll.is_cancelled = 0;
  return is_cancelled;
}

static nsdyn_status explain_enumeration(nsdyn_lcp *lcp, nsdyn_status status)
{
  if (status == NSDYN_OK) {
    nsd_fault_clear(&lcp->fault);
    return status;
  }
  return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "enumeration: %s",
                       nsdyn_status_text(status));
}

nsdyn_status nsdyn_lcp_enumerate(nsdyn_lcp *lcp, int32_t n, const double *A, int64_t lda, const double *b,
                                 int (*visit)(void *user, const nsdyn_lcp_piece *piece), void *user,
                                 nsdyn_lcp_census *census)
{
  if (!lcp) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (lcp->busy) {
    return NSDYN_ERR_BUSY;
  }
  /* The struct's size is checked before anything is run. */
  nsdyn_lcp_census own;
  nsdyn_lcp_census_init(&own, sizeof own);
  if (census && nsd_sized_write(census, NSD_LCP_CENSUS_LEAST, &own, sizeof own) != NSDYN_OK) {
    return refuse_size(lcp, "nsdyn_lcp_census");
  }
  /* Stage 1. Check the data. */
  nsdyn_status status = nsd_lcp_check_shape(lcp, n, A, lda);
  nsd_lcp_problem p = {.n = n, .lda = (int)lda, .A = A, .b = b, .lo = NULL, .hi = NULL};
  status = status ? status : nsd_lcp_check_problem(lcp, &p);
  const int is_cancelled = was_cancelled(lcp);
  if (status) {
    return status;
  }
  if (is_cancelled) {
    report_enumeration(lcp, n, NSDYN_CANCELLED, &own);
    return explain_enumeration(lcp, NSDYN_CANCELLED);
  }
  if (n == 0) {
    p.A = p.b = &nsd_lcp_no_element;
  }
  /* Stage 2. Memory of the search. */
  status = nsd_lcp_reserve_search(lcp, n, n);
  if (status) {
    return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1,
                         "no memory to enumerate with %d unknowns", n);
  }
  /* Stage 3. The search. */
  const nsd_enumerate_options options = {.tol = lcp->options.tol, .max_nodes = lcp->options.max_nodes};
  lcp->busy = 1;
  status = nsd_enumerate_all(&lcp->search, &p, &options, visit, user, &own);
  lcp->busy = 0;
  /* Stage 4. The report: also what a search that was stopped has counted. */
  report_enumeration(lcp, n, status, &own);
  if (census) {
    (void)nsd_sized_write(census, NSD_LCP_CENSUS_LEAST, &own, sizeof own);
  }
  return explain_enumeration(lcp, status);
}

nsdyn_status nsdyn_lcp_classify(nsdyn_lcp *lcp, int32_t n, const double *A, int64_t lda,
                                nsdyn_lcp_classes *classes)
{
  if (!lcp) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (lcp->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsdyn_status status = nsd_lcp_check_matrix(lcp, n, A, lda);
  const int is_cancelled = was_cancelled(lcp);
  if (status) {
    return status;
  }
  nsdyn_lcp_classes own;
  nsdyn_lcp_classes_init(&own, sizeof own);
  if (!classes || nsd_sized_write(classes, NSD_LCP_CLASSES_LEAST, &own, sizeof own) != NSDYN_OK) {
    return refuse_size(lcp, "nsdyn_lcp_classes");
  }
  /* The work comes from the scratch memory of solves, which the next solve lays out again. */
  nsd_arena measure = nsd_arena_measure();
  nsd_classes work;
  nsd_classes_lay_out(&measure, &work, n);
  nsd_lcp_forget_layout(lcp);
  status = nsd_arena_reserve(&lcp->scratch, &measure);
  if (status) {
    return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to classify %d rows", n);
  }
  nsd_classes_lay_out(&lcp->scratch, &work, n);
  lcp->busy = 1;
  status = is_cancelled ? NSDYN_CANCELLED : nsd_classes_solve(&work, lcp->ctx, n, A, (int)lda, &own);
  lcp->busy = 0;
  if (status) {
    return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "classification: %s",
                         nsdyn_status_text(status));
  }
  nsd_fault_clear(&lcp->fault);
  return nsd_sized_write(classes, NSD_LCP_CLASSES_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_lcp_read_text(nsdyn_lcp *lcp, const char *text, size_t length, int32_t *n, double *A,
                                 int64_t lda, double *b, double *lo, double *hi)
{
  if (!lcp) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (lcp->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsd_fault_clear(&lcp->fault);
  return nsd_lcp_read_text(text, length, n, A, lda, b, lo, hi, &lcp->fault);
}
