/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Which method when, for sparse problems. Every answer is judged by the caller's own matrix. */
#include "base/number.h"
#include "base/tolerances.h"
#include "lcp/sparse/solver.h"

/* Multiplications of damped problems for each row: four seconds for a thousand. */
#define DAMPED_WORK 2e7

enum {
  LEVELS_FROM = 128,   /* unknowns: below, rounds from any start are as cheap as a start from coarse levels */
  COARSE_ROUNDS = 30,  /* on a coarse level, which need not be exact */
  PROXIMAL_STEPS = 25, /* regularized problems in a row */
  NEWTON_STEPS = 100,
  NEWTON_ROUNDS = 8, /* from the basis of one of its steps */
  DENSE_MOST = 256   /* unknowns that the dense methods may be asked for */
};

static double load_at_bounds(const nsd_sparse_problem *p, int32_t i, const double *x)
{
  double load = p->b[i];
  for (int64_t k = p->A.row[i]; k < p->A.row[i + 1]; k++) {
    load += p->A.value[k] * x[p->A.column[k]];
  }
  return load;
}

/* The basis that x next to zero within the bounds suggests: basic is what y pushes off its bound. */
static void start_at_bounds(nsd_active_set *w, const nsd_sparse_problem *p)
{
  const int32_t n = p->A.n;
  for (int32_t i = 0; i < n; i++) {
    w->x[i] = fmin(fmax(0.0, p->lo[i]), p->hi[i]);
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
  }
  for (int32_t i = 0; i < n; i++) {
    const double load = load_at_bounds(p, i, w->x);
    const int at_hi = w->x[i] == p->hi[i], at_lo = w->x[i] == p->lo[i];
    w->place[i] = at_lo && load >= 0.0   ? NSDYN_LCP_AT_LO
                  : at_hi && load <= 0.0 ? NSDYN_LCP_AT_HI
                                         : NSDYN_LCP_BASIC;
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ * (double)(p->A.row[i + 1] - p->A.row[i] + 2));
  }
}

/* One run from the basis in `place`. */
static nsdyn_status run_active_set(nsdyn_lcp *lcp, nsd_sparse_solver *s, const nsd_sparse_problem *p,
                                   int rounds, int32_t *total)
{
  nsd_active_set *w = &s->active;
  w->poll = &lcp->poll;
  w->factor = &s->factor;
  const nsdyn_status status = nsd_active_set_solve(w, p, rounds);
  *total += w->rounds;
  return status;
}

/* The places of a level's unknowns from those of their pairs. pair[i] <= i: from the last to the first it can
 * be done in place. */
static void spread_places(const nsd_coarse_level *level, int32_t n, int32_t *place, nsd_poll *poll)
{
  for (int32_t i = n - 1; i >= 0; i--) {
    place[i] = level->pair[i] < 0 ? NSDYN_LCP_AT_LO : place[level->pair[i]];
    (void)nsd_poll_stops(poll, NSD_POLL_FETCH);
  }
}

/* The first basis from smaller problems, smallest first. Each second level is one of squares where the mesh
 * is; those between are passed through. */
static nsdyn_status start_from_levels(nsdyn_lcp *lcp, nsd_sparse_solver *s, int32_t *total)
{
  nsdyn_status status = nsd_coarse_levels_make(&s->levels, &s->p);
  if (status || s->levels.count == 0) {
    start_at_bounds(&s->active, &s->p);
    return status;
  }
  const int last = s->levels.count - 1;
  start_at_bounds(&s->active, &s->levels.level[last].p);
  for (int k = last; k >= 0; k--) {
    const nsd_sparse_problem *p = &s->levels.level[k].p;
    if (k == last || k % 2 == 1) {
      status = nsd_sparse_ldu_analyze(&s->factor, &p->A, p->is_symmetric, -1);
      status = status ? status : run_active_set(lcp, s, p, COARSE_ROUNDS, total);
      if (status < 0 || status == NSDYN_CANCELLED) {
        return status;
      }
    }
    spread_places(&s->levels.level[k], k > 0 ? s->levels.level[k - 1].p.A.n : s->p.A.n, s->active.place,
                  &lcp->poll);
  }
  return NSDYN_OK;
}

/* The certificate of x in active.x; keeps it if it is the best so far. NSDYN_OK with a certificate. */
static nsdyn_status judge(nsdyn_lcp *lcp, nsd_sparse_solver *s, nsdyn_status status, int32_t method)
{
  nsdyn_lcp_solve_report *report = &lcp->report;
  const int32_t n = s->p.A.n;
  nsd_active_set *w = &s->active;
  for (int32_t i = 0; i < n; i++) {
    w->x[i] = isfinite(w->x[i]) ? w->x[i] : 0.0;
    (void)nsd_poll_stops(&lcp->poll, NSD_POLL_READ);
  }
  nsd_active_set_project(w, &s->p);
  const nsd_sparse_certificate found =
      nsd_sparse_certify(&s->matrix, s->p.b, s->given_lo, s->given_hi, w->x, w->y, &lcp->poll);
  report->attempts++;
  /* Newton's method goes off along a ray where there is no solution, and its residuals fall below any
   * tolerance on the way. A basis that is one's solution leaves rounding. */
  const int is_on_ray = method == NSDYN_LCP_NEWTON_FB && found.residual <= lcp->options.tol &&
                        found.residual > NSD_RESIDUAL_ROUNDING;
  const int is_astray = found.far_out || is_on_ray;
  const int is_certified = found.residual <= lcp->options.tol && !is_astray;
  if (!is_astray && (!s->has_best || found.residual < report->residual)) {
    s->has_best = 1;
    report->residual = found.residual;
    report->violation = found.violation;
    report->worst_row = found.row;
    report->method = method;
    for (int32_t i = 0; i < n; i++) {
      s->best_x[i] = w->x[i];
      s->best_y[i] = w->y[i];
      s->best_place[i] = w->place[i];
      (void)nsd_poll_stops(&lcp->poll, 2.0 * NSD_POLL_READ);
    }
  }
  if (is_certified) {
    return NSDYN_OK;
  }
  return status != NSDYN_OK                    ? status
         : is_astray                           ? NSDYN_UNDECIDED
         : found.residual <= NSD_RESIDUAL_NEAR ? NSDYN_INACCURATE
                                               : NSDYN_UNDECIDED;
}

static int is_final(nsdyn_status status)
{
  return status == NSDYN_OK || status == NSDYN_CANCELLED || status < 0;
}

nsdyn_status nsd_sparse_rounds(nsdyn_lcp *lcp, nsd_sparse_solver *s, const int32_t *start, int most,
                               int32_t *total)
{
  nsd_active_set *w = &s->active;
  const int32_t n = s->p.A.n;
  nsdyn_status status = NSDYN_OK;
  w->shift = w->center = NULL;
  w->poll = &lcp->poll;
  if (start) {
    for (int32_t i = 0; i < n; i++) {
      w->place[i] = start[i];
    }
  } else if (s->p.is_z && s->p.has_positive_diagonal && n >= LEVELS_FROM) {
    status = start_from_levels(lcp, s, total);
  } else {
    start_at_bounds(w, &s->p);
  }
  status = status ? status : nsd_sparse_ldu_analyze(&s->factor, &s->p.A, s->p.is_symmetric, -1);
  return status ? status : run_active_set(lcp, s, &s->p, most, total);
}

/* Rounds on the given problem, judged. */
static nsdyn_status try_active_set(nsdyn_lcp *lcp, nsd_sparse_solver *s, int rounds)
{
  const int32_t *start = lcp->options.warm_start && lcp->basis_n == s->p.A.n ? lcp->basis : NULL;
  const nsdyn_status status = nsd_sparse_rounds(lcp, s, start, rounds, &lcp->report.iterations);
  return status < 0 || status == NSDYN_CANCELLED ? status : judge(lcp, s, status, NSDYN_LCP_BLOCK);
}

nsdyn_status nsd_sparse_damped(nsdyn_lcp *lcp, nsd_sparse_solver *s, int most, int32_t *total)
{
  nsd_active_set *w = &s->active;
  w->poll = &lcp->poll;
  return nsd_damped_solve(&s->damped, w, &s->p, lcp->options.tol, DAMPED_WORK * s->p.A.n, most, total);
}

/* Damped problems, judged. What is no problem for them is left to others. */
static nsdyn_status try_damped(nsdyn_lcp *lcp, nsd_sparse_solver *s, int most)
{
  const nsdyn_status status = nsd_sparse_damped(lcp, s, most, &lcp->report.iterations);
  if (status == NSDYN_ERR_UNSUPPORTED) {
    return NSDYN_UNDECIDED;
  }
  return status < 0 || status == NSDYN_CANCELLED ? status : judge(lcp, s, status, NSDYN_LCP_LEMKE);
}

/* Singular A: y = A x + b + δ (x − c) with c the last x, until c itself passes. Each problem is regular, and
 * for monotone A the sequence goes to a solution (Rockafellar 1976). */
static nsdyn_status try_proximal(nsdyn_lcp *lcp, nsd_sparse_solver *s, int rounds)
{
  nsd_active_set *w = &s->active;
  const int32_t n = s->p.A.n;
  for (int32_t i = 0; i < n; i++) {
    s->shift[i] = NSD_SPARSE_PROXIMAL * w->diagonal[i];
    s->center[i] = fmin(fmax(0.0, s->p.lo[i]), s->p.hi[i]);
  }
  start_at_bounds(w, &s->p);
  nsdyn_status status = NSDYN_UNDECIDED;
  for (int k = 0; k < PROXIMAL_STEPS; k++) {
    w->shift = s->shift;
    w->center = s->center;
    status = run_active_set(lcp, s, &s->p, rounds, &lcp->report.iterations);
    w->shift = w->center = NULL;
    for (int32_t i = 0; i < n; i++) {
      s->center[i] = w->x[i];
    }
    if (status < 0 || status == NSDYN_CANCELLED) {
      return status;
    }
    const int is_solved = status == NSDYN_OK;
    status = judge(lcp, s, status, NSDYN_LCP_BLOCK);
    if (status == NSDYN_OK || !is_solved) {
      return status;
    }
  }
  return status;
}

/* A few rounds from a step of Newton's method, judged. */
typedef struct newton_end {
  nsdyn_lcp *lcp;
  nsd_sparse_solver *s;
} newton_end;

static nsdyn_status try_rounds(void *user)
{
  const newton_end *end = user;
  const nsdyn_status status =
      run_active_set(end->lcp, end->s, &end->s->p, NEWTON_ROUNDS, &end->lcp->report.iterations);
  return status < 0 || status == NSDYN_CANCELLED ? status
                                                 : judge(end->lcp, end->s, status, NSDYN_LCP_NEWTON_FB);
}

/* Newton's method on Fischer and Burmeister's function, from the bounds. */
static nsdyn_status try_newton(nsdyn_lcp *lcp, nsd_sparse_solver *s, int most)
{
  nsd_active_set *w = &s->active;
  const int32_t n = s->p.A.n;
  nsd_arena measure = nsd_arena_measure();
  nsd_sparse_newton_lay_out(&measure, &s->newton, n);
  nsdyn_status status = nsd_arena_reserve(&s->search, &measure);
  if (status) {
    return status;
  }
  nsd_sparse_newton_lay_out(&s->search, &s->newton, n);
  w->poll = &lcp->poll;
  w->factor = &s->factor;
  w->shift = w->center = NULL;
  start_at_bounds(w, &s->p);
  status = nsd_sparse_ldu_analyze(&s->factor, &s->p.A, s->p.is_symmetric, -1);
  if (status) {
    return status;
  }
  newton_end end = {.lcp = lcp, .s = s};
  status = nsd_sparse_newton_solve(&s->newton, w, &s->p, most, try_rounds, &end, &lcp->report.iterations);
  return status <= NSDYN_OK || status == NSDYN_CANCELLED ? status
                                                         : judge(lcp, s, status, NSDYN_LCP_NEWTON_FB);
}

static nsdyn_status explain(nsdyn_lcp *lcp, nsdyn_status status)
{
  char residual[NSD_NUMBER_LENGTH];
  const nsdyn_lcp_solve_report *report = &lcp->report;
  if (status == NSDYN_OK) {
    return status;
  }
  if (status < 0 || status == NSDYN_CANCELLED) {
    return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "sparse problem of %d unknowns: %s",
                         (int)report->n, nsdyn_status_text(status));
  }
  return nsd_fault_set(
      &lcp->fault, status, NSDYN_DETAIL_ROW, report->worst_row,
      "sparse problem: %s (%d rounds in %d attempts); the best x violates row %d by %s of its scale",
      nsdyn_status_text(status), (int)report->iterations, (int)report->attempts, (int)report->worst_row,
      nsd_number_text(report->residual, residual));
}

nsdyn_status nsd_sparse_solve(nsdyn_lcp *lcp, nsd_sparse_solver *s)
{
  const int32_t method = lcp->options.method;
  const int given = lcp->options.max_iterations;
  const int most = given >= 0 ? given : INT32_MAX - 1;
  s->has_best = 0;
  if (method == NSDYN_LCP_SWEEP) {
    const nsdyn_status swept = nsd_sparse_sweep(lcp, s);
    return swept < 0 ? swept : explain(lcp, judge(lcp, s, swept, method));
  }
  if (method == NSDYN_LCP_NEWTON_FB) {
    return explain(lcp, try_newton(lcp, s, most < NEWTON_STEPS ? most : NEWTON_STEPS));
  }
  if (method != NSDYN_LCP_AUTOMATIC && method != NSDYN_LCP_BLOCK) {
    return nsd_fault_set(&lcp->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_NONE, -1,
                         "the chosen method has no form for sparse matrices");
  }
  const int pivots = nsd_lcp_ordinary_pivots(s->p.A.n);
  const int pieces = pivots < most ? pivots : most;
  nsdyn_status status = NSDYN_UNDECIDED;
  /* Stage 0. Rows without a diagonal element, as friction has them: rounds have no pivots there. */
  const int has_multipliers =
      method == NSDYN_LCP_AUTOMATIC && !s->p.has_positive_diagonal && !s->p.is_symmetric;
  if (has_multipliers) {
    status = try_damped(lcp, s, pieces);
    if (is_final(status)) {
      return explain(lcp, status);
    }
  }
  /* Stage 1. Rounds of factorizations. For M-matrices they end by themselves. */
  const int own = nsd_active_set_is_monotone(&s->p) ? INT32_MAX - 1
                  : method == NSDYN_LCP_BLOCK       ? nsd_lcp_ordinary_pivots(s->p.A.n)
                                                    : NSD_SPARSE_OPEN_ROUNDS;
  const int rounds = own < most ? own : most;
  status = try_active_set(lcp, s, rounds);
  if (method == NSDYN_LCP_BLOCK || is_final(status)) {
    return explain(lcp, status);
  }
  /* Stage 2. Newton's method with a line search, which does not walk in circles. */
  status = try_newton(lcp, s, most < NEWTON_STEPS ? most : NEWTON_STEPS);
  if (is_final(status)) {
    return explain(lcp, status);
  }
  /* Stage 3. Damped problems, each solved by a path that does not depend on how far its start is. */
  if (!has_multipliers && !s->p.is_symmetric) {
    status = try_damped(lcp, s, pieces);
    if (is_final(status)) {
      return explain(lcp, status);
    }
  }
  /* Stage 4. Regularized problems, for singular A. */
  status = try_proximal(lcp, s, most < NSD_SPARSE_OPEN_ROUNDS ? most : NSD_SPARSE_OPEN_ROUNDS);
  if (status == NSDYN_MAX_ITERATIONS && given < 0) {
    status = s->has_best && lcp->report.residual <= NSD_RESIDUAL_NEAR ? NSDYN_INACCURATE : NSDYN_UNDECIDED;
  }
  return explain(lcp, status);
}

int nsd_sparse_wants_dense(const nsdyn_lcp *lcp, nsdyn_status status, int32_t n)
{
  return lcp->options.method == NSDYN_LCP_AUTOMATIC && !is_final(status) && n <= DENSE_MOST;
}
