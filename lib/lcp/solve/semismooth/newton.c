/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/semismooth/newton.h"

#include <float.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"

#define DEFAULT_LIMIT 300
#define RUNS 3       /* starting points */
#define HALVINGS 40  /* of a step */
#define ARMIJO 1e-4  /* share of the fall that the slope promises */
#define MEMORY 5     /* merit values that a step is compared with */
#define DAMPING 1e-3 /* μ of a Levenberg–Marquardt step over |ψ| */

void nsd_newton_lay_out(nsd_arena *arena, void *workspace, int n)
{
  nsd_newton *w = workspace;
  const size_t size = (size_t)n;
  double **const vectors[] = {&w->z, &w->slope, &w->step, &w->trial, &w->work};
  nsd_lcp_equations_lay_out(arena, &w->equations, n);
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, size, sizeof(double));
  }
  w->J = nsd_arena_take(arena, size * size, sizeof *w->J);
  w->normal = nsd_arena_take(arena, size * size, sizeof *w->normal);
  w->perm = nsd_arena_take(arena, size, sizeof *w->perm);
}

/* One call's data. */
typedef struct run {
  nsd_newton *w;
  nsd_lcp_equations *e;
  nsd_poll *poll;
  const nsdyn_lcp_options *options;
  nsd_lcp_answer *answer;
  int n;
  int limit;
} run;

/* slope := Jᵀ ψ, J = diag(dx) + diag(dy) A. */
static void find_slope(const run *r)
{
  const nsd_newton *w = r->w;
  const nsd_lcp_equations *e = r->e;
  /* Jᵀψ = diag(dx) ψ + Aᵀ diag(dy) ψ. */
  for (int i = 0; i < r->n; i++) {
    w->work[i] = e->dy[i] * e->value[i];
  }
  nsd_multiply_transposed_asking(r->n, r->n, e->p.A, e->p.lda, w->work, w->slope, r->poll);
  for (int i = 0; i < r->n; i++) {
    w->slope[i] += e->dx[i] * e->value[i];
  }
}

/* Newton's step for the minimum map. */
static int step_to_basis(const run *r)
{
  const nsd_newton *w = r->w;
  nsd_lcp_equations_basis(r->e, w->z, r->e->place);
  if (nsd_basis_solve(&r->e->basis, &r->e->p, r->e->place, w->trial)) {
    return 0;
  }
  for (int i = 0; i < r->n; i++) {
    w->step[i] = w->trial[i] - w->z[i];
  }
  return 1;
}

/* J step = −ψ. */
static int step_of_newton(const run *r)
{
  const nsd_newton *w = r->w;
  const int n = r->n;
  nsd_lcp_equations_jacobian(r->e, w->J);
  if (nsd_poll_stops(r->poll, 0.0) || nsd_lu_factor_asking(n, w->J, n, w->perm, NULL, r->poll)) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    w->step[i] = -r->e->value[i];
  }
  nsd_lu_solve_asking(n, w->J, n, w->perm, w->step, r->poll);
  return 1;
}

/* (JᵀJ + μ I) step = −Jᵀψ. */
static int step_of_levenberg(const run *r)
{
  const nsd_newton *w = r->w;
  const int n = r->n;
  /* μ grows with |ψ|: far from a solution short steps, near one nearly Newton's. */
  const double damping = DAMPING * nsd_norm_2(n, r->e->value) + DBL_EPSILON;
  nsd_lcp_equations_jacobian(r->e, w->J);
  if (nsd_poll_stops(r->poll, 0.0)) {
    return 0;
  }
  nsd_normal_matrix_asking(n, w->J, w->normal, r->poll);
  for (int i = 0; i < n; i++) {
    w->normal[(size_t)i * (size_t)n + (size_t)i] += damping;
    w->step[i] = -w->slope[i];
  }
  if (nsd_poll_stops(r->poll, 0.0) || nsd_cholesky_factor_asking(n, w->normal, n, NULL, r->poll)) {
    return 0;
  }
  nsd_cholesky_solve_asking(n, w->normal, n, w->step, r->poll);
  return 1;
}

static int step_downhill(const run *r)
{
  for (int i = 0; i < r->n; i++) {
    r->w->step[i] = -r->w->slope[i];
  }
  return 1;
}

/* Walks along the step as far as the merit function falls; moves z and returns 1, or leaves it. */
static int search(const run *r, double reference, double *merit)
{
  const nsd_newton *w = r->w;
  const int n = r->n;
  /* The slope along the step, ψᵀJ step: a step that does not lead down by a share of |step|² is refused. */
  const double fall = nsd_dot(n, w->slope, w->step);
  const double length = nsd_norm_2(n, w->step);
  if (!(fall <= -NSD_NEWTON_DOWNHILL * length * length) || !(length < INFINITY)) {
    return 0;
  }
  double t = 1.0;
  for (int k = 0; k < HALVINGS && !nsd_poll_stops(r->poll, 0.0); k++) {
    for (int i = 0; i < n; i++) {
      w->trial[i] = w->z[i] + t * w->step[i];
    }
    const double there = nsd_lcp_equations_at(r->e, w->trial);
    /* Armijo: at least a ten-thousandth of the fall that the slope
     * promises, from the worst of the last merits. */
    if (there <= reference + ARMIJO * t * fall) {
      memcpy(w->z, w->trial, (size_t)n * sizeof *w->z);
      *merit = there;
      return 1;
    }
    t *= 0.5;
  }
  /* ψ and its derivatives belong to z again. */
  nsd_lcp_equations_at(r->e, w->z);
  return 0;
}

/* Tries the kinds of step in turn. */
static int advance(const run *r, double reference, double *merit)
{
  /* From the step that converges fastest to the one that always leads down: the basis of the minimum map,
   * Newton's, Levenberg and Marquardt's, −slope. */
  static int (*const kinds[])(const run *) = {step_to_basis, step_of_newton, step_of_levenberg,
                                              step_downhill};
  for (size_t k = r->options->method == NSDYN_LCP_NEWTON_MIN ? 0 : 1; k < sizeof kinds / sizeof *kinds; k++) {
    if (kinds[k](r) && search(r, reference, merit)) {
      return 1;
    }
    if (nsd_poll_stops(r->poll, 0.0)) {
      return 0;
    }
  }
  return 0;
}

/* From z until the certificate holds, no step leads down, or the limit is reached. */
static void iterate(const run *r)
{
  const nsd_newton *w = r->w;
  /* Stage 1. The last merits, to compare with: at first all are that of the start. */
  double past[MEMORY];
  double merit = nsd_lcp_equations_at(r->e, w->z);
  for (int k = 0; k < MEMORY; k++) {
    past[k] = merit;
  }
  if (nsd_poll_stops(r->poll, 0.0)) {
    return;
  }
  int is_solved = nsd_lcp_equations_judge(r->e, w->z, merit);
  for (int k = 0; !is_solved && r->answer->iterations < r->limit; k++) {
    /* Stage 2. The slope. A zero slope with ψ ≠ 0 is a local minimum, which no step leaves. */
    find_slope(r);
    if (nsd_poll_stops(r->poll, 0.0) || !(merit < INFINITY) ||
        nsd_norm_2(r->n, w->slope) <= NSD_NEWTON_STATIONARY * nsd_norm_2(r->n, r->e->value)) {
      return;
    }
    /* Stage 3. A step that lies below the worst of the last MEMORY merits: it may rise in between, which
     * helps it through curved valleys (Grippo, Lampariello and Lucidi 1986). */
    double reference = past[0];
    for (int l = 1; l < MEMORY; l++) {
      reference = past[l] > reference ? past[l] : reference;
    }
    r->answer->iterations++;
    if (!advance(r, reference, &merit) || nsd_poll_stops(r->poll, 0.0)) {
      return;
    }
    /* Stage 4. Judge the new point. */
    past[k % MEMORY] = merit;
    is_solved = nsd_lcp_equations_judge(r->e, w->z, merit);
  }
}

/* Where a run begins: the point of the caller's basis or the projection of zero, then ever farther out. */
static void place_start(const run *r, const int32_t *start, int number)
{
  static const double outwards[RUNS] = {0.0, 1.0, 30.0};
  for (int i = 0; i < r->n; i++) {
    r->w->z[i] = outwards[number];
  }
  nsd_lcp_equations_start(r->e, number == 0 ? start : NULL, r->w->z);
}

nsdyn_status nsd_newton_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                              const int32_t *start, nsd_lcp_answer *answer)
{
  nsd_newton *w = workspace;
  nsd_lcp_equations *e = &w->equations;
  const run r = {.w = w,
                 .e = e,
                 .poll = e->poll,
                 .options = options,
                 .answer = answer,
                 .n = p->n,
                 .limit = options->max_iterations < 0 ? DEFAULT_LIMIT : options->max_iterations};
  answer->iterations = 0;
  answer->has_ray = 0;
  /* Stage 1. The problem as equations, in units of like size. */
  const double lambda = options->method == NSDYN_LCP_NEWTON_MIN ? 1.0 : options->newton_fb_lambda;
  nsd_lcp_equations_begin(e, p, options->tol, lambda, answer);
  if (nsd_poll_stops(r.poll, 0.0)) {
    return NSDYN_CANCELLED;
  }
  /* Stage 2. Up to RUNS runs, each from farther out, until one has a certificate. */
  for (int number = 0; number < RUNS && !nsd_lcp_equations_are_solved(e) && answer->iterations < r.limit &&
                       !nsd_poll_stops(r.poll, 0.0);
       number++) {
    place_start(&r, start, number);
    iterate(&r);
  }
  return nsd_lcp_equations_are_solved(e) ? NSDYN_OK : NSDYN_MAX_ITERATIONS;
}
