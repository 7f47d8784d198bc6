/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The public calls: what comes in is checked, what goes out is judged. */
#include "base/dense.h"
#include "base/number.h"
#include "base/sized.h"
#include "lcp/object.h"
#include "lcp/text.h"

const double nsd_lcp_no_element = 0.0;

static nsdyn_status refuse_argument(nsdyn_lcp *lcp, int argument, const char *reason)
{
  return nsd_fault_set(&lcp->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, argument, "%s", reason);
}

nsdyn_status nsd_lcp_check_shape(nsdyn_lcp *lcp, int n, const double *A, int64_t lda)
{
  if (n < 0) {
    return refuse_argument(lcp, 1, "n is negative");
  }
  if (n > 0 && !A) {
    return refuse_argument(lcp, 2, "A is NULL");
  }
  const nsdyn_status status = nsd_stride_check(n, n, lda);
  if (status) {
    return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_ARGUMENT, 3,
                         status == NSDYN_ERR_TOO_LARGE ? "lda is %lld; no memory has %d such rows"
                                                       : "lda is %lld; the rows of A need at least n = %d",
                         (long long)lda, n);
  }
  return NSDYN_OK;
}

static nsdyn_status check_elements(nsdyn_lcp *lcp, int n, const double *A, int lda)
{
  /* The caller is asked on the way; what it has answered goes over to the solve's own poll. */
  nsd_poll poll = nsd_poll_of(lcp->ctx, "checking");
  poll.is_cancelled = lcp->poll.is_cancelled;
  lcp->busy = 1;
  int is_finite = 1;
  for (int i = 0; i < n && is_finite && !poll.is_cancelled; i += 16) {
    const int rows = n - i < 16 ? n - i : 16;
    is_finite = nsd_all_finite(rows, n, A + (size_t)i * (size_t)lda, lda);
    (void)nsd_poll_stops(&poll, NSD_POLL_READ * (double)rows * n);
  }
  lcp->busy = 0;
  lcp->poll.is_cancelled = poll.is_cancelled;
  if (is_finite) {
    return NSDYN_OK;
  }
  /* Which element: read once more, since this happens hardly ever. */
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const double a = A[(size_t)i * (size_t)lda + (size_t)j];
      if (!isfinite(a)) {
        char text[NSD_NUMBER_LENGTH];
        return nsd_fault_set(&lcp->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_ROW, i,
                             "row %d of A: column %d is %s", i, j, nsd_number_text(a, text));
      }
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_lcp_check_matrix(nsdyn_lcp *lcp, int n, const double *A, int64_t lda)
{
  const nsdyn_status status = nsd_lcp_check_shape(lcp, n, A, lda);
  return status ? status : check_elements(lcp, n, A, (int)lda);
}

static nsdyn_status check_vector(nsdyn_lcp *lcp, int n, const double *b)
{
  if (nsd_all_finite(1, n, b, n)) {
    return NSDYN_OK;
  }
  for (int i = 0; i < n; i++) {
    if (!isfinite(b[i])) {
      char text[NSD_NUMBER_LENGTH];
      return nsd_fault_set(&lcp->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_ROW, i, "row %d of b is %s", i,
                           nsd_number_text(b[i], text));
    }
  }
  return NSDYN_OK;
}

static nsdyn_status check_bounds(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  for (int i = 0; i < p->n; i++) {
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    if (!(lo <= hi) || lo == (double)INFINITY || hi == -(double)INFINITY) {
      char text_lo[NSD_NUMBER_LENGTH];
      char text_hi[NSD_NUMBER_LENGTH];
      return nsd_fault_set(&lcp->fault, isnan(lo) || isnan(hi) ? NSDYN_ERR_NOT_FINITE : NSDYN_ERR_ARGUMENT,
                           NSDYN_DETAIL_ROW, i, "row %d: the bounds lo = %s and hi = %s leave no number", i,
                           nsd_number_text(lo, text_lo), nsd_number_text(hi, text_hi));
    }
  }
  return NSDYN_OK;
}

static nsdyn_status check_cover(nsdyn_lcp *lcp, int n)
{
  const double *cover = lcp->options.lemke_cover;
  for (int i = 0; cover && i < n; i++) {
    if (!(cover[i] > 0.0 && cover[i] < (double)INFINITY)) {
      char text[NSD_NUMBER_LENGTH];
      return nsd_fault_set(&lcp->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ROW, i,
                           "option lemke_cover: row %d is %s; it must be positive and finite", i,
                           nsd_number_text(cover[i], text));
    }
  }
  return NSDYN_OK;
}

/* Where an answer would be written over what it is judged by. */
static int is_within_data(const nsd_lcp_problem *p, const double *answer)
{
  const size_t n = (size_t)p->n;
  return nsd_overlaps(answer, n, p->b, n) || nsd_overlaps(answer, n, p->lo, n) ||
         nsd_overlaps(answer, n, p->hi, n) ||
         nsd_overlaps(answer, n, p->A, n > 0 ? (n - 1) * (size_t)p->lda + n : 0);
}

/* What can be seen without looking at a number. */
static nsdyn_status check_arguments(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const double *x,
                                    const double *y)
{
  if (p->n == 0) {
    return NSDYN_OK;
  }
  if (!p->b) {
    return refuse_argument(lcp, 4, "b is NULL");
  }
  if (!x) {
    return refuse_argument(lcp, 7, "x is NULL");
  }
  if (is_within_data(p, x)) {
    return refuse_argument(lcp, 7, "x overlaps the data");
  }
  return is_within_data(p, y) || nsd_overlaps(x, (size_t)p->n, y, (size_t)p->n)
             ? refuse_argument(lcp, 8, "y overlaps x or the data")
             : NSDYN_OK;
}

nsdyn_status nsd_lcp_check_vectors(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  const nsdyn_status status = check_vector(lcp, p->n, p->b);
  return status == NSDYN_OK && (p->lo || p->hi) ? check_bounds(lcp, p) : status;
}

static nsdyn_status check_numbers(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  nsdyn_status status = check_elements(lcp, p->n, p->A, p->lda);
  if (status) {
    return status;
  }
  status = nsd_lcp_check_vectors(lcp, p);
  return status ? status : check_cover(lcp, p->n);
}

nsdyn_status nsd_lcp_check_problem(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  return p->n > 0 && !p->b ? refuse_argument(lcp, 4, "b is NULL") : check_numbers(lcp, p);
}

nsdyn_status nsd_lcp_refused(nsdyn_lcp *lcp, int n, nsdyn_status status)
{
  nsdyn_lcp_solve_report_init(&lcp->report, sizeof lcp->report);
  lcp->report.status = status;
  lcp->report.n = n;
  lcp->report.worst_row = -1;
  lcp->ray_n = 0;
  return status;
}

/* Before the first attempt: nothing found, the point nearest zero within the bounds as a beginning. */
static void begin(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  /* Nothing found yet: an infinite residual, which every attempt betters. */
  nsdyn_lcp_solve_report_init(&lcp->report, sizeof lcp->report);
  lcp->report.n = p->n;
  lcp->report.worst_row = -1;
  lcp->report.residual = INFINITY;
  const int is_cancelled = lcp->poll.is_cancelled; /* while the data were checked: not asked again */
  lcp->poll = nsd_poll_of(lcp->ctx, "solving");
  lcp->poll.is_cancelled = is_cancelled;
  lcp->has_best = 0;
  lcp->y_is_of_best = 0;
  lcp->ray_n = 0;
}

/* A warm start of Lemke's method is the last basis itself and what Newton's method makes of it. */
static nsdyn_status solve_by_lemke(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  if (nsd_lcp_try_last_basis(lcp, p) == NSDYN_OK) {
    return NSDYN_OK;
  }
  return nsd_lcp_lemke_chain(lcp, p);
}

static nsdyn_status solve_by_options(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  if (lcp->options.method == NSDYN_LCP_AUTOMATIC) {
    return nsd_lcp_automatic(lcp, p);
  }
  if (lcp->options.method == NSDYN_LCP_LEMKE) {
    return solve_by_lemke(lcp, p);
  }
  /* All other methods take the last basis itself as their start. */
  const int warm = lcp->options.warm_start && lcp->basis_n == p->n && p->n > 0;
  if (warm) {
    for (int i = 0; i < p->n; i++) {
      lcp->start[i] = lcp->basis[i];
    }
  }
  const nsd_lcp_plan plan = {.method = lcp->options.method,
                             .ties = NSD_LEMKE_LEXICOGRAPHIC,
                             .max_iterations = nsd_lcp_given_limit(lcp, lcp->options.method),
                             .pivot_tol = lcp->options.pivot_tol,
                             .start = warm ? lcp->start : NULL};
  return nsd_lcp_attempt(lcp, p, &plan);
}

/* Hands out the best x, and y as the judge saw it. */
static void hand_out(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  /* Every attempt has failed without a point: the one next to zero within the bounds. */
  if (!lcp->has_best) {
    nsd_lcp_project_zero(p, lcp->best_x);
  }
  /* y as the judge saw it: computed from x, A and b, not by the method. */
  if (!lcp->has_best || (y && !lcp->y_is_of_best)) {
    const nsd_certificate certificate = nsd_lcp_judge(lcp, p, lcp->best_x, y);
    lcp->report.residual = certificate.residual;
    lcp->report.violation = certificate.violation;
    lcp->report.worst_row = certificate.row;
  }
  for (int i = 0; i < p->n; i++) {
    x[i] = lcp->best_x[i];
  }
}

/* The whole way: the data are checked, then attempt follows attempt. */
static nsdyn_status solve_thoroughly(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  /* Stage 1. Check the data. */
  nsdyn_status status = check_numbers(lcp, p);
  if (status) {
    lcp->poll.is_cancelled = 0;
    return nsd_lcp_refused(lcp, p->n, status);
  }
  /* Stage 2. Attempts, by the options. */
  begin(lcp, p);
  lcp->order.m = -1;
  lcp->y = y;
  lcp->busy = 1;
  status = solve_by_options(lcp, p);
  lcp->poll = nsd_poll_to_end(lcp->ctx, "judging");
  /* Stage 3. The report, x and y, and the message. */
  lcp->report.status = status;
  if (status != NSDYN_UNDECIDED && lcp->report.proof != NSDYN_LCP_PROOF_FARKAS) {
    lcp->ray_n = 0; /* left by a run before the one that gave the answer */
  }
  if (status >= 0) {
    hand_out(lcp, p, x, y);
  }
  lcp->busy = 0;
  lcp->poll = nsd_poll_of(lcp->ctx, "solving");
  if (status == NSDYN_OK) {
    nsd_fault_clear(&lcp->fault);
  } else {
    lcp->basis_n = 0;
    nsd_log(lcp->ctx, status < 0 ? NSDYN_LOG_ERROR : NSDYN_LOG_WARNING, lcp->fault.message);
  }
  return status;
}

/* A plain problem of the size that memory is laid out for. */
static nsdyn_status solve_plain(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  return nsd_lcp_solve_quickly(lcp, p, x, y) ? NSDYN_OK : solve_thoroughly(lcp, p, x, y);
}

nsdyn_status nsdyn_lcp_solve_mixed(nsdyn_lcp *lcp, int32_t n, const double *A, int64_t lda, const double *b,
                                   const double *lo, const double *hi, double *x, double *y)
{
  if (!lcp) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (lcp->busy) {
    return NSDYN_ERR_BUSY;
  }
  /* Arguments first; then bounds that say nothing new (lo = 0, hi = ∞) are dropped. */
  nsdyn_status status = nsd_lcp_check_shape(lcp, n, A, lda);
  nsd_lcp_problem p = {.n = n, .lda = (int)lda, .A = A, .b = b, .lo = lo, .hi = hi};
  status = status ? status : check_arguments(lcp, &p, x, y);
  if (status) {
    return nsd_lcp_refused(lcp, n, status);
  }
  if (n == 0) {
    p.A = p.b = &nsd_lcp_no_element;
  }
  if ((lo || hi) && nsd_lcp_is_plain(&p)) {
    p.lo = p.hi = NULL;
  }
  /* The quick way of up to four boxed unknowns, whose memory is laid out. */
  if (n == lcp->boxes_n && (p.lo || p.hi) && nsd_lcp_solve_boxes_quickly(lcp, &p, x, y)) {
    return NSDYN_OK;
  }
  /* Memory is laid out anew for another n, and for bounds. */
  if (n != lcp->reserved_n || p.lo || p.hi || lcp->reserved_mixed) {
    status = nsd_lcp_reserve(lcp, n, p.lo || p.hi);
    if (status) {
      nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to solve for %d unknowns", n);
      return nsd_lcp_refused(lcp, n, status);
    }
  }
  /* The quick way of plain problems, or the whole one. */
  if (n == lcp->quick_n) {
    return solve_plain(lcp, &p, x, y);
  }
  lcp->early.is_there = 0;
  lcp->early.warm_rounds = 0;
  lcp->early.known = 0;
  return solve_thoroughly(lcp, &p, x, y);
}

nsdyn_status nsdyn_lcp_solve(nsdyn_lcp *lcp, int32_t n, const double *A, int64_t lda, const double *b,
                             double *x, double *y)
{
  /* What the last solve was like passes straight on. */
  if (lcp && n == lcp->quick_n && lda >= n && lda <= INT32_MAX && A && b && x && !lcp->busy) {
    const nsd_lcp_problem p = {.n = n, .lda = (int)lda, .A = A, .b = b, .lo = NULL, .hi = NULL};
    if (check_arguments(lcp, &p, x, y) == NSDYN_OK) {
      return solve_plain(lcp, &p, x, y);
    }
  }
  return nsdyn_lcp_solve_mixed(lcp, n, A, lda, b, NULL, NULL, x, y);
}

/* ---- all solutions, the classes of a matrix, problems as text ---- */

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
  const nsdyn_status status = lcp ? nsd_fault_begin(&lcp->fault, lcp->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  nsd_poll poll = nsd_poll_of(lcp->ctx, "reading");
  lcp->busy = 1;
  const nsdyn_status read = nsd_lcp_read_text(text, length, n, A, lda, b, lo, hi, &lcp->fault, &poll);
  lcp->busy = 0;
  return read;
}
