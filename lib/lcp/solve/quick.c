/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The first run on a plain problem, which is the first entry of the plan (lcp/automatic_plan.h): solved and
 * judged before anything else is looked at.
 *
 * Nothing here checks the numbers that come in, and nothing needs to: every element of A and b goes into the
 * certificate, beside a zero of x too (0 ∞ and 0 NaN are NaN), so that an answer which passes has shown them
 * finite. Where the answer does not pass, the slow way (lcp/api.c) checks them, names what is wrong, and
 * goes on from the run made here. The caller's arrays are written with a certificate only.
 *
 * Up to four unknowns within bounds go the same way: no x passes where a bound is NaN. */
#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "lcp/automatic_plan.h"
#include "lcp/matrix/symmetry.h"
#include "lcp/solve/block_small.h"
#include "lcp/solve/first_basis.h"
#include "lcp/sparse/solver.h"

typedef int32_t four_places __attribute__((vector_size(4 * sizeof(int32_t)), aligned(4), may_alias));

/* b >= 0: x = 0 is a solution, whatever A is, and Lemke's path has no pivot. */
static int is_solved_by_zero(const nsd_lcp_problem *p)
{
  for (int i = 0; i < p->n; i++) {
    if (!(p->b[i] >= 0.0)) {
      return 0;
    }
  }
  return 1;
}

/* Whether the plan's first entry for matrices that are not sparse applies. What it asks of A is looked at
 * where it matters only. */
static int has_first_run(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  if (p->n <= NSD_LCP_LEMKE_FIRST || lcp->options.method == NSDYN_LCP_LEMKE || is_solved_by_zero(p)) {
    return 1;
  }
  unsigned known = nsd_sparse_run_applies(p, &lcp->poll)        ? NSD_KNOWN_SPARSE
                   : nsd_lcp_asymmetric_row(p, &lcp->poll) >= 0 ? NSD_KNOWN_ASYMMETRIC
                                                                : NSD_KNOWN_SYMMETRIC;
  known |= p->n > NSD_LCP_DAMPED_FIRST ? NSD_KNOWN_HUNDREDS : 0;
  if (!(known & NSD_KNOWN_SPARSE) && nsd_sparse_damped_applies(p, &lcp->poll)) {
    known |= NSD_KNOWN_ZEROS;
  }
  lcp->early.known = known;
  return !nsd_lcp_entry_applies(&nsd_lcp_entries[NSD_PLAN_DAMPED], known) &&
         nsd_lcp_entry_applies(&nsd_lcp_entries[NSD_PLAN_FIRST], known);
}

/* Arrays of places have room for whole vectors of four. */
NSD_INLINE void copy_places(int n, const int32_t *from, int32_t *to)
{
  for (int i = 0; i < n; i += 4) {
    *(four_places *)(to + i) = *(const four_places *)(from + i);
  }
}

static void take_basis(nsdyn_lcp *lcp, int n, const int32_t *basis)
{
  copy_places(n, basis, lcp->basis);
  lcp->basis_n = n;
  lcp->order.m = -1;
}

/* The report of an answer that has passed. Its residual is worked out
 * by nsd_lcp_report_of, when it is asked for. */
NSD_INLINE void write_report(nsdyn_lcp *lcp, int n, int32_t method, int iterations)
{
  lcp->ray_n = 0;
  nsdyn_lcp_solve_report *report =
      &lcp->report; /* field by field: a whole struct is made elsewhere and copied */
  report->status = NSDYN_OK;
  report->method = method;
  report->n = n;
  report->iterations = iterations;
  report->attempts = 1;
  report->proof = NSDYN_LCP_PROOF_NONE;
  report->worst_row = NSD_LCP_ROW_OPEN;
  report->warm = method == NSDYN_LCP_NEWTON_MIN;
  if (lcp->fault.status != NSDYN_OK) {
    nsd_fault_clear(&lcp->fault);
  }
}

nsdyn_lcp_solve_report nsd_lcp_report_of(const nsdyn_lcp *lcp)
{
  nsdyn_lcp_solve_report report = lcp->report;
  /* The worst row has not been worked out yet. */
  if (report.worst_row == NSD_LCP_ROW_OPEN) {
    const nsd_certificate certificate = nsd_certificate_of(report.n, lcp->violation, lcp->row_scale);
    report.residual = certificate.residual;
    report.violation = certificate.violation;
    report.worst_row = certificate.row;
  }
  return report;
}

/* Hands lcp->x out where it passes; with its y in y_work at any rate. */
/* NOLINTNEXTLINE(readability-non-const-parameter): x and y are written by way of `passing` */
NSD_INLINE int hand_out(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double tol, double *x, double *y)
{
  const nsd_passing passing = {.x = lcp->x,
                               .y = lcp->y_work,
                               .violation = lcp->violation,
                               .scale = lcp->row_scale,
                               .x_out = x,
                               .y_out = y,
                               .poll = p->n > NSD_LCP_LEMKE_FIRST ? &lcp->poll : NULL};
  return nsd_passes(p, tol, &passing);
}

/* What an answer must hold without another look for a better one. */
NSD_INLINE double polished(const nsdyn_lcp *lcp)
{
  return nsd_smaller(lcp->options.tol, NSD_RESIDUAL_ROUNDING);
}

/* The basis of lcp->order: x, with what it was before it was cut off at zero in work. */
NSD_INLINE int replay(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  return nsd_basis_replay(&lcp->w.basis, p, &lcp->order, lcp->x, lcp->work);
}

/* Whether the point that has not passed belongs to a wrong basis, which shows in signs. Anything finer is for
 * a solve with a search for pivots. */
static int has_wrong_signs(const nsdyn_lcp *lcp, int n)
{
  const double residual = nsd_certificate_of(n, lcp->violation, lcp->row_scale).residual;
  /* Much above rounding: a wrong sign. (An infinite residual is left to the checks of the data.) */
  return residual > NSD_LCP_WRONG_SIGN && residual < (double)INFINITY;
}

/* Newton's method on bases from the one in start, whose point has not passed, each with pivots in the order
 * of its rows. */
static int follow_signs(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y, int *rounds)
{
  /* x and y of a wrong basis choose the next one, by the signs of the minimum map. */
  while (has_wrong_signs(lcp, p->n) && *rounds < NSD_LCP_WARM_ROUNDS &&
         nsd_lcp_move_basis(p, lcp->work, lcp->y_work, lcp->start)) {
    ++*rounds;
    nsd_basis_order_rows(lcp->start, p->n, &lcp->order);
    if (!replay(lcp, p)) {
      return 0;
    }
    if (hand_out(lcp, p, polished(lcp), x, y)) {
      const int m = lcp->order.m;
      take_basis(lcp, p->n, lcp->start);
      lcp->order.m = m;
      return 1;
    }
  }
  return 0;
}

/* The same, from where it ended, with a search for the pivots of each basis. */
static int search_pivots(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y, int *rounds)
{
  nsd_certificate certificate;
  int searched = 0;
  if (!nsd_lcp_improve_basis(lcp, p, &certificate, &searched) || !hand_out(lcp, p, lcp->options.tol, x, y)) {
    *rounds += searched;
    return 0;
  }
  *rounds += searched;
  take_basis(lcp, p->n, lcp->start);
  nsd_basis_learn(&lcp->w.basis, p->n, &lcp->order);
  return 1;
}

/* The warm start, where it is wanted. */
static int solve_warm(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  if (!nsd_lcp_wants_warm_start(lcp, p)) {
    return 0;
  }
  /* Stage 1. The order of the pivots: that of the last factorization, or that
   * of the rows for a basis set by the caller. */
  int rounds = 1;
  nsd_lcp_activate(lcp, NSD_LCP_BASIS, p->n);
  if (lcp->order.m < 0) {
    for (int i = 0; i < p->n; i++) { /* a place at an infinite bound counts as basic */
      lcp->basis[i] = lcp->basis[i] == NSDYN_LCP_AT_LO ? NSDYN_LCP_AT_LO : NSDYN_LCP_BASIC;
    }
    nsd_basis_order_rows(lcp->basis, p->n, &lcp->order);
  }
  /* Stage 2. The last basis with the new b and A: the usual case of a step that changes no contact. */
  const int is_sound = replay(lcp, p);
  if (is_sound && hand_out(lcp, p, polished(lcp), x, y)) {
    write_report(lcp, p->n, NSDYN_LCP_NEWTON_MIN, rounds);
    return 1;
  }
  /* Stage 3. Newton's method on bases, first without a search for pivots, then with one. */
  copy_places(p->n, lcp->basis, lcp->start);
  if ((is_sound && follow_signs(lcp, p, x, y, &rounds)) || search_pivots(lcp, p, x, y, &rounds)) {
    write_report(lcp, p->n, NSDYN_LCP_NEWTON_MIN, rounds);
    return 1;
  }
  /* It was in vain; the report counts its rounds. */
  lcp->order.m = -1;
  lcp->early.warm_rounds = rounds;
  return 0;
}

/* The plan's first entry, Lemke's method, as nsd_lcp_attempt would run it. */
static int solve_cold(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  nsd_lcp_early *early = &lcp->early;
  nsd_lcp_answer *answer = &early->answer;
  const nsd_lcp_entry *first = &nsd_lcp_entries[NSD_PLAN_FIRST];
  const nsd_lemke_options options = {
      .cover = NULL,
      .ties = first->ties,
      .sizes = first->sizes,
      .pivot_tol = lcp->options.pivot_tol,
      .max_pivots = nsd_lcp_lower_limit(lcp, first->method, nsd_lcp_ordinary_pivots(p->n)),
      .ctx = lcp->ctx,
      .poll = p->n > NSD_LCP_LEMKE_FIRST ? &lcp->poll : NULL};
  answer->x = lcp->x;
  answer->basis = lcp->attempt_basis;
  answer->ray = lcp->attempt_ray;
  nsd_lcp_activate(lcp, first->method, p->n);
  early->status = nsd_lemke_solve(&lcp->w.lemke, p, &options, answer);
  /* Solved: judged and handed out at once. Anything else is for the whole chain. */
  if (early->status == NSDYN_OK) {
    if (hand_out(lcp, p, polished(lcp), x, y)) {
      write_report(lcp, p->n, first->method, answer->iterations);
      take_basis(lcp, p->n, lcp->attempt_basis);
      if (early->warm_rounds) { /* they count */
        lcp->report.attempts++;
        lcp->report.iterations += early->warm_rounds;
      }
      return 1;
    }
  }
  /* What came out stands in lcp->x and the attempt's arrays, for nsd_lcp_attempt. */
  early->is_there = 1;
  early->limit = options.max_pivots;
  return 0;
}

int nsd_lcp_solve_quickly(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  lcp->early.is_there = 0;
  lcp->early.warm_rounds = 0;
  lcp->early.known = 0;
  if (p->n > NSD_LCP_LEMKE_FIRST) {
    lcp->poll = nsd_poll_of(lcp->ctx, "solving");
  }
  lcp->busy = 1;
  /* First the last basis, where a warm start is wanted; then Lemke's path. */
  const int is_solved = solve_warm(lcp, p, x, y) || (has_first_run(lcp, p) && solve_cold(lcp, p, x, y));
  lcp->busy = 0;
  return is_solved;
}

/* Adding a zero makes no −0, and no call of memcpy(), which costs more than so few numbers. */
NSD_INLINE void copy(int n, const double *restrict from, double *restrict to)
{
  for (int i = 0; i < n; i++) {
    to[i] = from[i] + 0.0;
  }
}

/* Whether A is its own mirror, with a positive diagonal. */
NSD_INLINE int is_symmetric_positive(const nsd_lcp_problem *p)
{
  int holds = 1;
  /* Also NaN fails: it is not equal to itself. */
  for (int i = 0; i < p->n; i++) {
    const double *row = nsd_lcp_row(p, i);
    holds &= row[i] > 0.0;
    for (int j = 0; j < i; j++) {
      holds &= row[j] == nsd_lcp_row(p, j)[i];
    }
  }
  return holds;
}

int nsd_lcp_solve_boxes_quickly(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y)
{
  if (nsd_lcp_wants_warm_start(lcp, p) || !is_symmetric_positive(p)) {
    return 0;
  }
  double inverse[NSD_BLOCK_SMALL];
  nsd_lcp_answer answer = {.x = lcp->x, .basis = lcp->attempt_basis, .iterations = 0};
  /* The plan's entry for them: a guess of the basis, block pivots, the certificate. */
  nsd_first_guess(p, 1, lcp->x, lcp->y_work, inverse, answer.basis, NULL);
  if (!nsd_block_small_solve(p, &answer)) {
    return 0;
  }
  const nsd_certificate certificate = nsd_certify(p, lcp->x, lcp->y_work);
  if (!(certificate.residual <= polished(lcp)) || nsd_is_far_out(p, lcp->x, NSD_FAR_OUT, NULL)) {
    return 0;
  }
  copy(p->n, lcp->x, x);
  if (y) {
    copy(p->n, lcp->y_work, y);
  }
  write_report(lcp, p->n, nsd_lcp_entries[NSD_PLAN_BOXES].method, answer.iterations);
  lcp->report.worst_row = certificate.row;
  lcp->report.residual = certificate.residual;
  lcp->report.violation = certificate.violation;
  take_basis(lcp, p->n, answer.basis);
  return 1;
}
