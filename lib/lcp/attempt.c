/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One try with one method: run, judge, polish, keep. */
#include "lcp/object.h"

/* A residual below this is rounding: solving the basis once more would gain nothing. */
#define POLISHED 1e-13

nsd_lcp_problem nsd_lcp_plain_form(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  if (!p->lo && !p->hi) {
    return *p;
  }
  nsd_normal_make(&lcp->normal, p, lcp->options.pivot_tol);
  return nsd_normal_plain(&lcp->normal);
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

/* The plain answer in the problem's own unknowns. */
static void take_over(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_answer *inner,
                      nsd_lcp_answer *answer)
{
  answer->has_ray = inner->has_ray;
  answer->iterations = inner->iterations;
  if (p->lo || p->hi) {
    nsd_normal_point(&lcp->normal, p, inner->x, inner->basis, answer->x);
  }
}

static nsdyn_status run_lemke(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                              nsd_lcp_answer *answer)
{
  const nsd_lcp_problem own = plan->rescaled ? nsd_scale_make(&lcp->scale, p) : *p;
  const nsd_lcp_problem plain = nsd_lcp_plain_form(lcp, &own);
  const int is_own = !plan->rescaled && !p->lo && !p->hi;
  const nsd_lemke_options options = {.cover = is_own ? lcp->options.cover : NULL,
                                     .ties = plan->ties,
                                     .pivot_tol = plan->pivot_tol,
                                     .max_pivots = plan->max_iterations < 0 ? 1000000 : plan->max_iterations};
  nsd_lcp_activate(lcp, NSDYN_LCP_LEMKE, plain.n);
  nsd_lcp_answer inner = plain_answer(lcp, p, answer);
  const nsdyn_status status = nsd_lemke_solve(&lcp->w.lemke, &plain, &options, &inner);
  take_over(lcp, &own, &inner, answer);
  if (plan->rescaled) {
    nsd_scale_point(&lcp->scale, p->n, answer->x);
  }
  if (!is_own) {
    nsd_lcp_project(p, answer->x);
  }
  return status;
}

/* The method's own options: the caller's, with the plan's limit. */
static nsdyn_lcp_options options_of(const nsdyn_lcp *lcp, const nsd_lcp_plan *plan)
{
  nsdyn_lcp_options options = lcp->options;
  options.method = plan->method;
  options.max_iterations = plan->max_iterations;
  return options;
}

static nsdyn_status run_method(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                               nsd_lcp_answer *answer)
{
  const nsdyn_lcp_options options = options_of(lcp, plan);
  if (plan->method == NSDYN_LCP_LEMKE) {
    return run_lemke(lcp, p, plan, answer);
  }
  if (plan->method == NSDYN_LCP_ENUMERATIVE) {
    return nsd_lcp_run_enumerative(lcp, p, plan, answer);
  }
  nsd_lcp_activate(lcp, plan->method, p->n);
  switch (plan->method) {
  case NSDYN_LCP_MURTY:
    return nsd_murty_solve(&lcp->w.murty, p, &options, plan->start, answer);
  case NSDYN_LCP_PRINCIPAL:
    return nsd_principal_solve(&lcp->w.principal, p, &options, plan->start, answer);
  case NSDYN_LCP_BLOCK:
    return nsd_block_solve(&lcp->w.block, p, &options, plan->start, plan->symmetric, answer);
  case NSDYN_LCP_SWEEP:
    return nsd_sweep_solve(&lcp->w.sweep, p, &options, plan->start, answer);
  default:
    return nsd_newton_solve(&lcp->w.newton, p, &options, plan->start, answer);
  }
}

/* The attempt's x, its certificate and y for the caller. */
static nsd_certificate judge(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  return nsd_certify(p, lcp->x, lcp->y);
}

/* Solves the support of x once more, where rounding has piled up on the way. */
static nsd_certificate polish(nsdyn_lcp *lcp, const nsd_lcp_problem *p, nsd_certificate before)
{
  nsd_lcp_activate(lcp, NSDYN_LCP_AUTOMATIC, p->n);
  nsd_basis_of(p, lcp->x, lcp->start);
  const double residual = nsd_lcp_polish(&lcp->w.basis, p, lcp->start, lcp->x, lcp->work);
  return residual < before.residual ? judge(lcp, p) : before;
}

static void swap(double **a, double **b)
{
  double *c = *a;
  *a = *b;
  *b = c;
}

/* The best of all attempts stays; its y is the one that was judged last, as long as nothing is judged after
 * it. */
static void keep(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_certificate *certificate, int32_t method)
{
  nsdyn_lcp_result *result = &lcp->result;
  if (lcp->has_best && !(certificate->residual < result->residual)) {
    return;
  }
  result->residual = certificate->residual;
  result->violation = certificate->violation;
  result->worst_row = certificate->row;
  result->method = method;
  lcp->has_best = 1;
  lcp->y_is_of_best = 1;
  swap(&lcp->x, &lcp->best_x);
  nsd_basis_of(p, lcp->best_x, lcp->basis);
  lcp->basis_n = p->n;
}

nsdyn_status nsd_lcp_attempt(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan)
{
  nsd_lcp_answer answer = {.x = lcp->x,
                           .basis = lcp->attempt_basis,
                           .ray = lcp->attempt_ray,
                           .has_ray = 0,
                           .iterations = 0,
                           .refused_row = -1,
                           .refused = NULL};
  nsdyn_status status = run_method(lcp, p, plan, &answer);
  lcp->result.attempts++;
  lcp->result.iterations += answer.iterations;
  if (status < 0) {
    return nsd_lcp_explain(lcp, status, plan, &answer);
  }
  lcp->y_is_of_best = 0;
  nsd_certificate certificate = judge(lcp, p);
  if (certificate.residual > POLISHED && certificate.residual < (double)INFINITY) {
    certificate = polish(lcp, p, certificate);
  }
  keep(lcp, p, &certificate, plan->method);
  if (certificate.residual <= lcp->options.tol) {
    return NSDYN_OK;
  }
  if (answer.has_ray) {
    status = nsd_lcp_prove(lcp, p, plan, status);
  }
  return nsd_lcp_explain(lcp, status == NSDYN_OK ? NSDYN_MAX_ITERATIONS : status, plan, &answer);
}

/* What a basis solved leaves: a step of Newton's method on the minimum map. Unknowns beyond a bound go
 * there, those whose y has the wrong sign become basic. Returns how many moved. */
static int move_basis(const nsd_lcp_problem *p, const double *x, const double *y, int32_t *basis)
{
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

static nsdyn_status improve_basis(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  enum { ROUNDS = 12 };
  nsd_lcp_activate(lcp, NSDYN_LCP_AUTOMATIC, p->n);
  lcp->result.attempts++;
  for (int round = 0; round < ROUNDS; round++) {
    lcp->result.iterations++;
    if (nsd_basis_solve(&lcp->w.basis, p, lcp->start, lcp->x) != NSDYN_OK) {
      return NSDYN_ERR_SINGULAR;
    }
    for (int i = 0; i < p->n; i++) {
      lcp->work[i] = lcp->x[i];
    }
    nsd_lcp_project(p, lcp->x);
    lcp->y_is_of_best = 0;
    const nsd_certificate certificate = nsd_certify(p, lcp->x, lcp->y_work);
    if (certificate.residual <= POLISHED || (certificate.residual <= lcp->options.tol && round > 0)) {
      keep(lcp, p, &certificate, NSDYN_LCP_NEWTON_MIN);
      lcp->y_is_of_best = 0;
      lcp->result.warm = 1;
      return NSDYN_OK;
    }
    if (!move_basis(p, lcp->work, lcp->y_work, lcp->start)) {
      break;
    }
  }
  return NSDYN_MAX_ITERATIONS;
}

nsdyn_status nsd_lcp_try_last_basis(nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  if (!lcp->options.warm_start || lcp->basis_n != p->n || p->n == 0) {
    return NSDYN_MAX_ITERATIONS;
  }
  for (int i = 0; i < p->n; i++) {
    lcp->start[i] = lcp->basis[i];
  }
  return improve_basis(lcp, p);
}
