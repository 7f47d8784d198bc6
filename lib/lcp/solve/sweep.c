/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/sweep.h"

#include <string.h>

#include "base/dense.h"
#include "lcp/proof/certificate.h"
#include "lcp/solve/polish.h"
#include "setvalued/nearest.h"

#define DEFAULT_LIMIT 10000

void nsd_sweep_lay_out(nsd_arena *arena, void *workspace, int n)
{
  nsd_sweep *w = workspace;
  const size_t size = (size_t)n;
  w->poll = NULL;
  w->x = nsd_arena_take(arena, size, sizeof *w->x);
  w->trial = nsd_arena_take(arena, size, sizeof *w->trial);
  w->work = nsd_arena_take(arena, size, sizeof *w->work);
  w->last = nsd_arena_take(arena, size, sizeof *w->last);
  w->place = nsd_arena_take(arena, size, sizeof *w->place);
  nsd_basis_lay_out(arena, &w->basis, n);
}

/* One sweep. Zero where x is no longer finite, or the caller wants to stop. */
static int sweep(const nsd_lcp_problem *p, double relaxation, double *x, nsd_poll *poll)
{
  int finite = 1;
  for (int i = 0; i < p->n; i++) {
    const double *a = nsd_lcp_row(p, i);
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    /* x_i := [x_i − ω (A_i x + b_i) / A_ii] within its bounds, with the x_j of this sweep for j < i. */
    const double y = p->b[i] + nsd_dot(p->n, a, x);
    const double moved = x[i] - relaxation * (y / a[i]);
    x[i] = nsd_nearest_in_interval(moved, lo, hi);
    finite &= fabs(x[i]) < INFINITY;
    if (nsd_poll_stops(poll, p->n)) {
      return 0;
    }
  }
  return finite;
}

/* LU of the basic block: whether it costs no more than `sweeps` sweeps did. */
static int is_affordable(const nsd_lcp_problem *p, const int32_t *basis, int sweeps)
{
  double m = 0.0;
  for (int i = 0; i < p->n; i++) {
    m += basis[i] == NSDYN_LCP_BASIC;
  }
  return m * m * m <= 3.0 * sweeps * p->n * (double)p->n;
}

/* Judges the x at hand, rounded and, where it pays, with its basis solved; keeps it if it is the best so far.
 * `solved` says whether the basis of the last check was solved already. */
static void check(nsd_sweep *w, const nsd_lcp_problem *p, int sweeps, int force, int *solved,
                  double *residual, nsd_lcp_answer *answer)
{
  const size_t size = (size_t)p->n;
  /* The sweeps come near a bound without reaching it: such x_i are put there first. */
  memcpy(w->trial, w->x, size * sizeof *w->trial);
  nsd_lcp_round(p, w->trial, w->work, w->poll);
  if (nsd_poll_stops(w->poll, 0.0)) {
    return;
  }
  nsd_basis_of(p, w->trial, w->place);
  /* The basis is solved where it is the one of the last check: then it is likely to stay. */
  const int settled = memcmp(w->place, w->last, size * sizeof *w->place) == 0;
  memcpy(w->last, w->place, size * sizeof *w->last);
  *solved = settled && *solved;
  double found = nsd_certify_asking(p, w->trial, NULL, w->poll).residual;
  if (!*solved && (force || (settled && is_affordable(p, w->place, sweeps)))) {
    found = nsd_lcp_polish(&w->basis, p, w->place, w->trial, w->work);
    *solved = 1;
  }
  if (found < *residual) {
    *residual = found;
    memcpy(answer->x, w->trial, size * sizeof *w->trial);
    nsd_basis_of(p, answer->x, answer->basis);
  }
}

static void begin(nsd_sweep *w, const nsd_lcp_problem *p, const int32_t *start, nsd_lcp_answer *answer)
{
  for (int i = 0; i < p->n; i++) {
    w->x[i] = 0.0;
    w->last[i] = -1;
  }
  if (start) {
    /* The sweeps begin at that basis' point, or at the point next to zero within the bounds. */
    nsd_basis_solve(&w->basis, p, start, w->x); /* zero stays where it is singular */
  }
  nsd_lcp_project(p, w->x);
  memcpy(answer->x, w->x, (size_t)p->n * sizeof *w->x);
  nsd_basis_of(p, answer->x, answer->basis);
}

nsdyn_status nsd_sweep_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                             const int32_t *start, nsd_lcp_answer *answer)
{
  nsd_sweep *w = workspace;
  answer->iterations = 0;
  answer->has_ray = 0;
  const int row = nsd_lcp_row_without_positive_diagonal(p);
  if (row >= 0) {
    return nsd_lcp_refuse(answer, row, "sweeps need positive diagonal elements");
  }
  /* The first x is judged as well: a warm start may have it right. */
  begin(w, p, start, answer);
  const int limit = options->max_iterations < 0 ? DEFAULT_LIMIT : options->max_iterations;
  double residual = nsd_certify_asking(p, answer->x, NULL, w->poll).residual;
  int solved = 0;
  int due = 1;
  while (residual > options->tol && answer->iterations < limit) {
    if (!sweep(p, options->sweep_relaxation, w->x, w->poll)) {
      break;
    }
    const int sweeps = ++answer->iterations;
    /* n² multiplications per sweep, n² per check; checks after 1, 2, 3, 4,
     * 6, 8, 11, … sweeps cost a third at most. */
    if (sweeps >= due || sweeps == limit) {
      check(w, p, sweeps, sweeps == limit, &solved, &residual, answer);
      due = sweeps + 1 + sweeps / 4;
    }
  }
  return residual <= options->tol ? NSDYN_OK : NSDYN_MAX_ITERATIONS;
}
