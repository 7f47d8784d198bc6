/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One try with one method: run, judge, polish, keep. */
#include "lcp/methods.h"
#include "lcp/sparse/solver.h"

nsd_lcp_problem nsd_lcp_plain_form(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  if (!p->lo && !p->hi) {
    return *p;
  }
  nsd_plain_form_make(&lcp->normal, p, lcp->options.pivot_tol);
  return nsd_plain_form_plain(&lcp->normal);
}

/* Where a method that knows no bounds writes its answer: straight to the attempt's for plain problems. */
static nsd_lcp_answer plain_answer(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_answer *answer)
{
  nsd_lcp_answer inner = *answer;
  if (p->lo || p->hi) {
    inner.x = lcp->plain_x;
    inner.basis = lcp->plain_basis;
  }
  return inner;
}

/* The plain answer in the unknowns of `own`, which it is the plain form of. */
static void take_over(nsdyn_lcp *lcp, const nsd_lcp_problem *own, const nsd_lcp_answer *inner,
                      nsd_lcp_answer *answer)
{
  answer->has_ray = inner->has_ray;
  answer->is_exact = inner->is_exact && !own->lo && !own->hi;
  answer->iterations = inner->iterations;
  if (!own->lo && !own->hi) {
    return;
  }
  /* x of the mixed problem from x', with the bounds met exactly. */
  nsd_plain_form_point(&lcp->normal, own, inner->x, inner->basis, answer->x);
  nsd_plain_form_basis(&lcp->normal, inner->basis, answer->basis);
  if (inner->has_ray) {
    nsd_plain_form_direction(&lcp->normal, inner->ray, lcp->work);
    for (int i = 0; i < own->n; i++) {
      answer->ray[i] = lcp->work[i];
    }
  }
}

/* Whether the early run is what the plan would do: the same options, and an end that no limit made, or the
 * same limit. */
static int is_early_run(const nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                        int max_pivots)
{
  const nsd_lcp_early *early = &lcp->early;
  const int has_ended = early->status != NSDYN_MAX_ITERATIONS && early->answer.iterations <= max_pivots;
  return early->is_there && !plan->rescaled && !p->lo && !p->hi && plan->ties == NSD_LEMKE_LEXICOGRAPHIC &&
         plan->pivot_tol == lcp->options.pivot_tol && (has_ended || early->limit == max_pivots);
}

/* The answer of a run that was stopped before it began: the point next to zero within the bounds. */
static void stay_near_zero(const nsd_lcp_problem *p, const nsd_lcp_answer *answer)
{
  nsd_lcp_project_zero(p, answer->x);
  nsd_basis_of(p, answer->x, answer->basis);
}

nsdyn_status nsd_lcp_run_lemke(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                               nsd_lcp_answer *answer)
{
  const int max_pivots = plan->max_iterations < 0 ? 1000000 : plan->max_iterations;
  if (plan->damped) {
    return nsd_sparse_run_damped(lcp, p, plan, answer);
  }
  /* Stage 1. The same run may have been made before the data were checked. */
  if (is_early_run(lcp, p, plan, max_pivots)) {
    answer->has_ray = lcp->early.answer.has_ray;
    answer->iterations = lcp->early.answer.iterations;
    return lcp->early.status;
  }
  /* Stage 2. Units of like size, if the plan says so, then a
   * plain problem without bounds or free unknowns. */
  const nsd_lcp_problem own = plan->rescaled ? nsd_scale_make(&lcp->scale, p) : *p;
  const nsd_lcp_problem plain = nsd_lcp_plain_form(lcp, &own);
  const int is_own = !plan->rescaled && !p->lo && !p->hi;
  const int is_spread = plan->spread && (p->lo || p->hi);
  /* Stage 3. The covering vector d: ones, the caller's, or for another
   * path numbers between 1 and 2, no two alike. */
  for (int i = 0; is_spread && i < plain.n; i++) {
    const double turns = 0.6180339887498949 * plan->spread * (i + 1); /* the golden section spreads evenly */
    lcp->plain_cover[i] = 1.0 + (turns - floor(turns));
  }
  const nsd_lemke_options options = {.cover = is_own      ? lcp->options.lemke_cover
                                              : is_spread ? lcp->plain_cover
                                                          : NULL,
                                     .ties = plan->ties,
                                     .sizes = plan->sizes,
                                     .pivot_tol = plan->pivot_tol,
                                     .max_pivots = max_pivots,
                                     .ctx = lcp->ctx,
                                     .poll = &lcp->poll};
  const int is_plain_scaled = plan->rescaled && (p->lo || p->hi);
  if (is_plain_scaled && !nsd_poll_stops(&lcp->poll, 0.0)) { /* elimination has left numbers of any size */
    nsd_scale_in_place(&lcp->plain_scale, plain.n, lcp->normal.A, lcp->normal.b);
  }
  if (nsd_poll_stops(&lcp->poll, 0.0)) {
    stay_near_zero(p, answer);
    return NSDYN_CANCELLED;
  }
  /* Stage 4. The path. */
  nsd_lcp_activate(lcp, NSDYN_LCP_LEMKE, plain.n);
  nsd_lcp_answer inner = plain_answer(lcp, p, answer);
  const nsdyn_status status = nsd_lemke_solve(&lcp->w.lemke, &plain, &options, &inner);
  /* Stage 5. Back through all forms: units of the plain form, plain to mixed, units of the problem. */
  if (is_plain_scaled) {
    nsd_scale_point(&lcp->plain_scale, plain.n, inner.x);
    if (inner.has_ray) {
      nsd_scale_point(&lcp->plain_scale, plain.n, inner.ray);
    }
  }
  take_over(lcp, &own, &inner, answer);
  if (plan->rescaled) {
    nsd_scale_point(&lcp->scale, p->n, answer->x);
    if (answer->has_ray) {
      nsd_scale_point(&lcp->scale, p->n, answer->ray);
    }
  }
  /* Going back may have rounded x out of its bounds. */
  if (!is_own) {
    nsd_lcp_project(p, answer->x);
  }
  return status;
}

/* Plain problems the search rescales itself; the pivots of the plain form want numbers of like size before.
 */
nsdyn_status nsd_lcp_run_enumerative(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                     nsd_lcp_answer *answer)
{
  const int is_mixed = p->lo || p->hi;
  const nsd_lcp_problem own = is_mixed ? nsd_scale_make(&lcp->scale, p) : *p;
  const nsd_lcp_problem plain = nsd_lcp_plain_form(lcp, &own);
  const nsd_branch_proof_form form = {.p = &own, .normal = &lcp->normal};
  const nsd_enumerate_options options = {
      .tol = lcp->options.tol, .max_nodes = plan->max_iterations, .form = is_mixed ? &form : NULL};
  nsd_lcp_answer inner = plain_answer(lcp, p, answer);
  if (nsd_poll_stops(&lcp->poll, 0.0)) {
    stay_near_zero(p, answer);
    return NSDYN_CANCELLED;
  }
  nsdyn_status status = nsd_lcp_reserve_search(lcp, plain.n, p->n);
  if (status == NSDYN_OK) {
    status = nsd_enumerate_first(&lcp->search, &plain, &options, &inner);
  }
  if (status < 0) {
    return status;
  }
  take_over(lcp, &own, &inner, answer);
  if (is_mixed) {
    /* x = C x'. A claim of emptiness is one for the scaled problem; it
     * holds for this one if scaling was exact. */
    nsd_scale_point(&lcp->scale, p->n, answer->x);
    nsd_lcp_project(p, answer->x);
    if (status == NSDYN_NO_SOLUTION && !nsd_scale_is_exact(&lcp->scale, p)) {
      status = NSDYN_UNDECIDED; /* of another problem, to which scaling has lost a number */
    }
  }
  if (status == NSDYN_NO_SOLUTION) {
    lcp->report.proof = NSDYN_LCP_PROOF_EXHAUSTED;
  }
  return status;
}

/* Who is asked while an x is judged: after a cancel the best is told even so, and the caller, who has no say
 * in it, hears of the progress. */
static nsd_poll *judging_poll(nsdyn_lcp *lcp, nsd_poll *last)
{
  *last = nsd_poll_to_end(lcp->ctx, "judging");
  return lcp->poll.is_cancelled ? last : &lcp->poll;
}

nsd_certificate nsd_lcp_judge(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const double *x, double *y)
{
  nsd_poll last;
  const nsd_certificate rows = nsd_certify_asking(p, x, y, judging_poll(lcp, &last));
  if (!nsd_wants_reduced(p, &rows)) {
    return rows;
  }
  nsd_lcp_activate(lcp, NSD_LCP_REDUCED, p->n);
  return nsd_certify_reduced(&lcp->w.reduced, p, x, rows);
}

/* Whether b vanishes beside A x. */
static int is_far_out(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_certificate *certificate)
{
  nsd_poll last;
  return p->lo || p->hi ? nsd_is_far_out(p, lcp->x, NSD_FAR_OUT, judging_poll(lcp, &last))
                        : certificate->far_out;
}

/* Solves the basis once more, where rounding has piled up on the way: the attempt's own, and if that does not
 * do the one that x itself suggests. */
static nsd_certificate polish(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  nsd_lcp_activate(lcp, NSD_LCP_BASIS, p->n);
  if (nsd_lcp_polish(&lcp->w.basis, p, lcp->attempt_basis, lcp->x, lcp->work) > lcp->options.tol) {
    nsd_basis_of(p, lcp->x, lcp->start);
    (void)nsd_lcp_polish(&lcp->w.basis, p, lcp->start, lcp->x, lcp->work);
  }
  return nsd_lcp_judge(lcp, p, lcp->x, lcp->y);
}

/* Whether the basis has every unknown that is off its bounds: then it is worth a warm start. Degenerate
 * unknowns are basic and at a bound at once, which x alone does not tell. */
static int is_basis_of(const nsd_lcp_problem *p, const int32_t *basis, const double *x)
{
  for (int i = 0; i < p->n; i++) {
    const int is_off = x[i] > nsd_lcp_lo(p, i) && x[i] < nsd_lcp_hi(p, i);
    const int is_other = basis[i] == NSDYN_LCP_AT_LO ? x[i] != nsd_lcp_lo(p, i) : x[i] != nsd_lcp_hi(p, i);
    if (basis[i] != NSDYN_LCP_BASIC && (is_off || is_other)) {
      return 0;
    }
  }
  return 1;
}

/* The best of all attempts stays; its y is the one that was judged last, as long as nothing is judged after
 * it. */
static void keep(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_certificate *certificate,
                 const int32_t *basis, int32_t method)
{
  nsdyn_lcp_solve_report *report = &lcp->report;
  if (lcp->has_best && !(certificate->residual < report->residual)) {
    return;
  }
  report->residual = certificate->residual;
  report->violation = certificate->violation;
  report->worst_row = certificate->row;
  report->method = method;
  lcp->has_best = 1;
  lcp->y_is_of_best = 1; /* the y of the x just judged */
  /* The arrays change places: the next attempt writes into the old best. */
  double *const old_best = lcp->best_x;
  lcp->best_x = lcp->x;
  lcp->x = old_best;
  if (is_basis_of(p, basis, lcp->best_x)) {
    for (int i = 0; i < p->n; i++) {
      lcp->basis[i] = basis[i];
    }
  } else {
    nsd_basis_of(p, lcp->best_x, lcp->basis);
  }
  lcp->basis_n = p->n;
}

/* The ray becomes the object's: with a proof it is one, else the direction in which x went off. */
static nsdyn_status prove(nsdyn_lcp *lcp, const nsd_lcp_problem *p, nsdyn_status status)
{
  for (int i = 0; i < p->n; i++) {
    lcp->ray[i] = lcp->attempt_ray[i];
  }
  lcp->ray_n = p->n;
  nsd_lcp_activate(lcp, NSD_LCP_PROOF, p->n);
  if (nsd_farkas_find(&lcp->w.proof, p, lcp->ray)) {
    lcp->report.proof = NSDYN_LCP_PROOF_FARKAS;
    return NSDYN_NO_SOLUTION;
  }
  return status == NSDYN_NO_SOLUTION ? NSDYN_UNDECIDED : status;
}

/* What overflowed on the way is no point: zero, or the nearest bound, stands in for it. */
static void keep_finite(const nsd_lcp_problem *p, double *x)
{
  int overflowed = 0;
  for (int i = 0; i < p->n; i++) {
    if (!isfinite(x[i])) {
      x[i] = 0.0;
      overflowed = 1;
    }
  }
  if (overflowed) {
    nsd_lcp_project(p, x);
  }
}

nsdyn_status nsd_lcp_attempt(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan)
{
  nsd_lcp_answer answer = {.x = lcp->x,
                           .basis = lcp->attempt_basis,
                           .ray = lcp->attempt_ray,
                           .has_ray = 0,
                           .is_exact = 0,
                           .iterations = 0,
                           .refused_row = -1,
                           .refused = NULL};
  nsdyn_status status = NSDYN_CANCELLED;
  /* Stage 1. Run the method. */
  if (nsd_poll_stops(&lcp->poll, 0.0)) {
    stay_near_zero(p, &answer);
  } else {
    status = nsd_lcp_methods[plan->method].run(lcp, p, plan, &answer);
    if (nsd_poll_stops(&lcp->poll, 0.0) && status != NSDYN_OK && status != NSDYN_CANCELLED) {
      stay_near_zero(p, &answer); /* a factorization that was not ended looks like one that failed */
    }
    status = nsd_poll_stops(&lcp->poll, 0.0) ? NSDYN_CANCELLED : status;
  }
  lcp->early.is_there = 0; /* its arrays serve others now */
  lcp->report.attempts++;
  lcp->report.iterations += answer.iterations;
  /* Stage 2. Errors and refusals: no x to judge. */
  if (status < 0) {
    return nsd_lcp_explain(lcp, status, plan, &answer);
  }
  /* Stage 3. Judge x, and where rounding may be better, solve its basis once more. */
  lcp->y_is_of_best = 0;
  keep_finite(p, lcp->x);
  nsd_poll last;
  nsd_certificate certificate = nsd_certify_asking(p, lcp->x, lcp->y, judging_poll(lcp, &last));
  const int has_digits =
      certificate.residual <=
      (plan->damped ? lcp->options.tol : NSD_RESIDUAL_ROUNDING); /* its own factors gave them */
  if (status != NSDYN_CANCELLED && !has_digits && certificate.residual < (double)INFINITY) {
    certificate = polish(lcp, p);
  }
  /* Stage 4. Keep it if it is the best so far. An x beside which b vanishes solves another problem, b = 0. */
  const int is_certified = certificate.residual <= lcp->options.tol;
  const int is_astray = is_certified && !answer.is_exact && is_far_out(lcp, p, &certificate);
  if (!is_astray) {
    keep(lcp, p, &certificate, lcp->attempt_basis, plan->method);
  }
  /* Stage 5. A certificate ends it, whatever the method said of itself. */
  if (is_certified && !is_astray) {
    return NSDYN_OK;
  }
  /* Stage 6. Without one: a ray may prove that there is no solution; otherwise what the method said. */
  if (answer.has_ray && status != NSDYN_CANCELLED) {
    status = prove(lcp, p, status);
  }
  if (status == NSDYN_OK) { /* refused by the judge */
    status = certificate.residual <= NSD_RESIDUAL_NEAR ? NSDYN_INACCURATE : NSDYN_UNDECIDED;
  }
  if (status != NSDYN_NO_SOLUTION && lcp->poll.is_cancelled) { /* while it was judged or proved */
    status = NSDYN_CANCELLED;
  }
  return nsd_lcp_explain(lcp, status, plan, &answer);
}

int nsd_lcp_move_basis(const nsd_lcp_problem *p, const double *x, const double *y, int32_t *basis)
{
  /* The minimum map's choice: basic unknowns beyond a bound go there, those at a
   * bound whose y has the wrong sign become basic. */
  int moved = 0;
  for (int i = 0; i < p->n; i++) {
    const int32_t old = basis[i];
    if (old == NSDYN_LCP_BASIC) {
      basis[i] = x[i] < nsd_lcp_lo(p, i)   ? NSDYN_LCP_AT_LO
                 : x[i] > nsd_lcp_hi(p, i) ? NSDYN_LCP_AT_HI
                                           : NSDYN_LCP_BASIC;
    } else if (old == NSDYN_LCP_AT_LO ? y[i] < 0.0 : y[i] > 0.0) {
      basis[i] = NSDYN_LCP_BASIC;
    }
    moved += basis[i] != old;
  }
  return moved;
}

/* Whether a basis' point may be handed out. In the first round one that only just passes may be bettered. */
static int is_good(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_certificate *certificate, int round)
{
  return certificate->residual <= lcp->options.tol &&
         (certificate->residual <= NSD_RESIDUAL_ROUNDING || round > 1) && !is_far_out(lcp, p, certificate);
}

/* The point of the basis in `start`, its certificate with y in y_work, and x as it was before the bounds cut
 * it off in work. */
static int solve_basis(nsdyn_lcp *lcp, const nsd_lcp_problem *p, nsd_certificate *certificate)
{
  /* A_FF x_F = −b_F − A_FB x_B. */
  if (nsd_basis_solve(&lcp->w.basis, p, lcp->start, lcp->x) != NSDYN_OK) {
    return 0;
  }
  for (int i = 0; i < p->n; i++) {
    lcp->work[i] = lcp->x[i];
  }
  nsd_lcp_project(p, lcp->x);
  *certificate = nsd_certify_asking(p, lcp->x, lcp->y_work, p->n > NSD_LCP_LEMKE_FIRST ? &lcp->poll : NULL);
  return 1;
}

int nsd_lcp_improve_basis(nsdyn_lcp *lcp, const nsd_lcp_problem *p, nsd_certificate *certificate, int *rounds)
{
  nsd_lcp_activate(lcp, NSD_LCP_BASIS, p->n);
  *rounds = 1;
  if (!solve_basis(lcp, p, certificate)) {
    return 0;
  }
  /* Newton's method on the minimum map: the signs of x and y choose the
   * next basis, whose solution is the next point. */
  while (!is_good(lcp, p, certificate, *rounds)) {
    if (*rounds == NSD_LCP_WARM_ROUNDS || !nsd_lcp_move_basis(p, lcp->work, lcp->y_work, lcp->start)) {
      return 0;
    }
    ++*rounds;
    if (!solve_basis(lcp, p, certificate)) {
      return 0;
    }
  }
  return 1;
}

nsdyn_status nsd_lcp_try_last_basis(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  if (!nsd_lcp_wants_warm_start(lcp, p)) {
    return NSDYN_MAX_ITERATIONS;
  }
  lcp->report.attempts++;
  if (lcp->early.warm_rounds) { /* the same was tried before the data were checked */
    lcp->report.iterations += lcp->early.warm_rounds;
    return NSDYN_MAX_ITERATIONS;
  }
  /* The last basis, from a copy: lcp->basis stays what the caller may read. */
  nsd_certificate certificate;
  int rounds;
  for (int i = 0; i < p->n; i++) {
    lcp->start[i] = lcp->basis[i];
  }
  const int is_good = nsd_lcp_improve_basis(lcp, p, &certificate, &rounds);
  lcp->report.iterations += rounds;
  lcp->y_is_of_best = 0;
  if (!is_good) {
    return NSDYN_MAX_ITERATIONS;
  }
  /* The y that was judged stands in y_work, not in the caller's y. */
  keep(lcp, p, &certificate, lcp->start, NSDYN_LCP_NEWTON_MIN);
  lcp->y_is_of_best = 0;
  lcp->report.warm = 1;
  return NSDYN_OK;
}
