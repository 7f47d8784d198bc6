/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/newton.h"

#include <float.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "lcp/proof/certificate.h"
#include "lcp/solve/polish.h"
#include "nsdyn/setvalued.h"

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
  w->poll = NULL;
  double **const vectors[] = {&w->b,  &w->lo, &w->hi,    &w->z,    &w->y,     &w->value,
                              &w->dx, &w->dy, &w->slope, &w->step, &w->trial, &w->work};
  nsd_scale_lay_out(arena, &w->scale, n);
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, size, sizeof(double));
  }
  w->J = nsd_arena_take(arena, size * size, sizeof *w->J);
  w->normal = nsd_arena_take(arena, size * size, sizeof *w->normal);
  w->perm = nsd_arena_take(arena, size, sizeof *w->perm);
  w->place = nsd_arena_take(arena, size, sizeof *w->place);
  w->last = nsd_arena_take(arena, size, sizeof *w->last);
  nsd_basis_lay_out(arena, &w->basis, n);
}

/* One call's data. */
typedef struct run {
  nsd_newton *w;
  const nsd_lcp_problem *given;
  nsd_lcp_problem p; /* in the iteration's units */
  const nsdyn_lcp_options *options;
  nsd_lcp_answer *answer;
  double size;     /* of x in those units */
  double lambda;   /* of the merit function */
  double residual; /* of answer->x */
  double polished; /* the merit where the last basis was solved */
  int limit;
} run;

/* ψ at a point, its derivatives and the merit function; infinite where it overflows. */
static double evaluate(const run *r, const double *z)
{
  const nsd_newton *w = r->w;
  const nsd_lcp_problem *p = &r->p;
  /* y = A z + b, ψ_i(z_i, y_i) with ∂ψ/∂x and ∂ψ/∂y, merit ½ Σ ψ_i². An overflow counts as infinitely bad. */
  nsd_multiply_asking(p->n, p->n, p->A, p->lda, z, w->y, w->poll);
  double merit = 0.0;
  for (int i = 0; i < p->n; i++) {
    w->y[i] += p->b[i];
    w->value[i] = nsdyn_ncp_pfb_box(r->lambda, p->lo[i], p->hi[i], z[i], w->y[i], &w->dx[i], &w->dy[i]);
    merit += 0.5 * (w->value[i] * w->value[i]);
  }
  return merit < INFINITY ? merit : INFINITY;
}

/* slope := Jᵀ ψ, J = diag(dx) + diag(dy) A. */
static void find_slope(const run *r)
{
  const nsd_newton *w = r->w;
  const int n = r->p.n;
  /* Jᵀψ = diag(dx) ψ + Aᵀ diag(dy) ψ. */
  for (int i = 0; i < n; i++) {
    w->work[i] = w->dy[i] * w->value[i];
  }
  nsd_multiply_transposed_asking(n, n, r->p.A, r->p.lda, w->work, w->slope, w->poll);
  for (int i = 0; i < n; i++) {
    w->slope[i] += w->dx[i] * w->value[i];
  }
}

static void assemble_jacobian(const run *r)
{
  const nsd_newton *w = r->w;
  const int n = r->p.n;
  for (int i = 0; i < n; i++) {
    const double *a = nsd_lcp_row(&r->p, i);
    double *row = w->J + (size_t)i * (size_t)n;
    /* Row i: ∂ψ_i/∂x e_i + ∂ψ_i/∂y A_i. */
    for (int j = 0; j < n; j++) {
      row[j] = w->dy[i] * a[j];
    }
    row[i] += w->dx[i];
    if (nsd_poll_stops(w->poll, 3.0 * n)) {
      return;
    }
  }
}

/* The basis that the signs of the minimum map choose. */
static void choose_basis(const run *r, int32_t *basis)
{
  const nsd_newton *w = r->w;
  for (int i = 0; i < r->p.n; i++) {
    double dx;
    double dy;
    const double value = nsdyn_ncp_min_box(r->p.lo[i], r->p.hi[i], w->z[i], w->y[i], &dx, &dy);
    /* dy = 1: the middle of the three is y, so the row is the
     * equation y_i = 0; else x_i stands at the bound. */
    basis[i] = dy == 1.0                       ? NSDYN_LCP_BASIC
               : value == w->z[i] - r->p.lo[i] ? NSDYN_LCP_AT_LO
                                               : NSDYN_LCP_AT_HI;
  }
}

/* Newton's step for the minimum map. */
static int step_to_basis(const run *r)
{
  const nsd_newton *w = r->w;
  choose_basis(r, w->place);
  if (nsd_basis_solve(&r->w->basis, &r->p, w->place, w->trial)) {
    return 0;
  }
  for (int i = 0; i < r->p.n; i++) {
    w->step[i] = w->trial[i] - w->z[i];
  }
  return 1;
}

/* J step = −ψ. */
static int step_of_newton(const run *r)
{
  const nsd_newton *w = r->w;
  const int n = r->p.n;
  assemble_jacobian(r);
  if (nsd_poll_stops(w->poll, 0.0) || nsd_lu_factor_asking(n, w->J, n, w->perm, NULL, w->poll)) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    w->step[i] = -w->value[i];
  }
  nsd_lu_solve_asking(n, w->J, n, w->perm, w->step, w->poll);
  return 1;
}

/* JᵀJ, row by row. */
static int multiply_jacobian(const run *r)
{
  const nsd_newton *w = r->w;
  const int n = r->p.n;
  for (int i = 0; i < n; i++) {
    nsd_product_tn(1, n, n, w->J + i, n, w->J, n, w->normal + (size_t)i * (size_t)n, n);
    if (nsd_poll_stops(w->poll, (double)n * n)) {
      return 0;
    }
  }
  return 1;
}

/* (JᵀJ + μ I) step = −Jᵀψ. */
static int step_of_levenberg(const run *r)
{
  const nsd_newton *w = r->w;
  const int n = r->p.n;
  /* μ grows with |ψ|: far from a solution short steps, near one nearly Newton's. */
  const double damping = DAMPING * nsd_norm_2(n, w->value) + DBL_EPSILON;
  assemble_jacobian(r);
  if (nsd_poll_stops(w->poll, 0.0) || !multiply_jacobian(r)) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    w->normal[(size_t)i * (size_t)n + (size_t)i] += damping;
    w->step[i] = -w->slope[i];
  }
  if (nsd_cholesky_factor_asking(n, w->normal, n, NULL, w->poll)) {
    return 0;
  }
  nsd_cholesky_solve_asking(n, w->normal, n, w->step, w->poll);
  return 1;
}

static int step_downhill(const run *r)
{
  for (int i = 0; i < r->p.n; i++) {
    r->w->step[i] = -r->w->slope[i];
  }
  return 1;
}

/* Walks along the step as far as the merit function falls; moves z and returns 1, or leaves it. */
static int search(const run *r, double reference, double *merit)
{
  const nsd_newton *w = r->w;
  const int n = r->p.n;
  /* The slope along the step, ψᵀJ step: a step that does not lead down by a share of |step|² is refused. */
  const double fall = nsd_dot(n, w->slope, w->step);
  const double length = nsd_norm_2(n, w->step);
  if (!(fall <= -NSD_NEWTON_DOWNHILL * length * length) || !(length < INFINITY)) {
    return 0;
  }
  double t = 1.0;
  for (int k = 0; k < HALVINGS && !nsd_poll_stops(w->poll, 0.0); k++) {
    for (int i = 0; i < n; i++) {
      w->trial[i] = w->z[i] + t * w->step[i];
    }
    const double there = evaluate(r, w->trial);
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
  evaluate(r, w->z);
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
    if (nsd_poll_stops(r->w->poll, 0.0)) {
      return 0;
    }
  }
  return 0;
}

/* Back to the caller's units, where x is judged; the best is kept. */
static void judge(run *r, const double *z)
{
  const nsd_newton *w = r->w;
  const nsd_lcp_problem *p = r->given;
  /* x = size · C z. */
  for (int i = 0; i < p->n; i++) {
    w->trial[i] = r->size * z[i];
  }
  nsd_scale_point(&w->scale, p->n, w->trial);
  nsd_lcp_project(p, w->trial);
  const double residual = nsd_certify_asking(p, w->trial, NULL, w->poll).residual;
  if (residual < r->residual) {
    r->residual = residual;
    memcpy(r->answer->x, w->trial, (size_t)p->n * sizeof *w->trial);
    nsd_basis_of(p, w->trial, r->answer->basis);
  }
}

/* Judges the point at hand, rounded to the bounds that the minimum map says it belongs to; if its basis is a
 * new one or the point much better than when that was solved, the basis's solution too. */
static void round_and_judge(run *r, double merit)
{
  nsd_newton *w = r->w;
  const size_t size = (size_t)r->p.n;
  choose_basis(r, w->place);
  /* Stage 1. Rounded: at the bound where the minimum map puts it. */
  for (int i = 0; i < r->p.n; i++) {
    w->step[i] = w->place[i] == NSDYN_LCP_AT_LO   ? nsd_lcp_lo(&r->p, i)
                 : w->place[i] == NSDYN_LCP_AT_HI ? nsd_lcp_hi(&r->p, i)
                                                  : w->z[i];
  }
  nsd_lcp_project(&r->p, w->step);
  judge(r, w->step);
  /* Stage 2. Its basis solved, if that is new: Newton's method ends
   * there, exactly, where the signs are right. */
  const int is_new =
      memcmp(w->place, w->last, size * sizeof *w->place) != 0 || merit < NSD_NEWTON_FALLEN * r->polished;
  if (r->residual > r->options->tol && is_new) {
    r->polished = merit;
    memcpy(w->last, w->place, size * sizeof *w->last);
    nsd_lcp_polish(&w->basis, &r->p, w->place, w->step, w->work);
    if (!nsd_poll_stops(w->poll, 0.0)) {
      judge(r, w->step);
    }
  }
}

/* From z until the certificate holds, no step leads down, or the limit is reached. */
static void iterate(run *r)
{
  const nsd_newton *w = r->w;
  /* Stage 1. The last merits, to compare with: at first all are that of the start. */
  double past[MEMORY];
  double merit = evaluate(r, w->z);
  for (int k = 0; k < MEMORY; k++) {
    past[k] = merit;
  }
  if (nsd_poll_stops(w->poll, 0.0)) {
    return;
  }
  round_and_judge(r, merit);
  for (int k = 0; r->residual > r->options->tol && r->answer->iterations < r->limit; k++) {
    /* Stage 2. The slope. A zero slope with ψ ≠ 0 is a local minimum, which no step leaves. */
    find_slope(r);
    if (nsd_poll_stops(w->poll, 0.0) || !(merit < INFINITY) ||
        nsd_norm_2(r->p.n, w->slope) <= NSD_NEWTON_STATIONARY * nsd_norm_2(r->p.n, w->value)) {
      return;
    }
    /* Stage 3. A step that lies below the worst of the last MEMORY merits: it may rise in between, which
     * helps it through curved valleys (Grippo, Lampariello and Lucidi 1986). */
    double reference = past[0];
    for (int l = 1; l < MEMORY; l++) {
      reference = past[l] > reference ? past[l] : reference;
    }
    r->answer->iterations++;
    if (!advance(r, reference, &merit) || nsd_poll_stops(w->poll, 0.0)) {
      return;
    }
    /* Stage 4. Judge the new point. */
    past[k % MEMORY] = merit;
    round_and_judge(r, merit);
  }
}

/* The problem in units in which A, b and the bounds next to zero are of the order of one. */
static void make_units(run *r)
{
  nsd_newton *w = r->w;
  /* Rows and columns by powers of two; then x, b and the bounds by a common one,
   * 2^exponent, next above the largest of them. */
  r->p = nsd_scale_make(&w->scale, r->given);
  double largest = nsd_norm_inf(r->p.n, r->p.b);
  for (int i = 0; i < r->p.n; i++) {
    const double lo = nsd_lcp_lo(&r->p, i);
    const double hi = nsd_lcp_hi(&r->p, i);
    const double nearest = lo > 0.0 ? lo : hi < 0.0 ? -hi : 0.0;
    largest = nearest > largest ? nearest : largest;
  }
  int exponent = 0;
  frexp(largest > 0.0 ? largest : 1.0, &exponent);
  r->size = ldexp(1.0, exponent);
  /* A (x / size) + b / size = y / size: A stays. */
  for (int i = 0; i < r->p.n; i++) {
    w->b[i] = ldexp(r->p.b[i], -exponent);
    w->lo[i] = ldexp(nsd_lcp_lo(&r->p, i), -exponent);
    w->hi[i] = ldexp(nsd_lcp_hi(&r->p, i), -exponent);
  }
  r->p.b = w->b;
  r->p.lo = w->lo;
  r->p.hi = w->hi;
}

/* Where a run begins: the point of the caller's basis or the projection of zero, then ever farther out. */
static void place_start(const run *r, const int32_t *start, int number)
{
  static const double outwards[RUNS] = {0.0, 1.0, 30.0};
  nsd_newton *w = r->w;
  for (int i = 0; i < r->p.n; i++) {
    w->z[i] = outwards[number];
    w->last[i] = -1;
  }
  if (start && number == 0) {
    nsd_basis_solve(&w->basis, &r->p, start, w->z); /* zero stays where it is singular */
  }
  nsd_lcp_project(&r->p, w->z);
}

nsdyn_status nsd_newton_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                              const int32_t *start, nsd_lcp_answer *answer)
{
  nsd_newton *w = workspace;
  answer->iterations = 0;
  answer->has_ray = 0;
  run r = {.w = w, .given = p, .options = options, .answer = answer};
  r.limit = options->max_iterations < 0 ? DEFAULT_LIMIT : options->max_iterations;
  r.lambda = options->method == NSDYN_LCP_NEWTON_MIN ? 1.0 : options->newton_fb_lambda;
  /* Stage 1. The projection of zero, judged: an answer in any case. */
  nsd_lcp_project_zero(p, answer->x);
  nsd_basis_of(p, answer->x, answer->basis);
  r.residual = nsd_certify_asking(p, answer->x, NULL, w->poll).residual;
  /* Stage 2. Units. */
  make_units(&r);
  if (nsd_poll_stops(w->poll, 0.0)) {
    return NSDYN_CANCELLED;
  }
  /* Stage 3. Up to RUNS runs, each from farther out, until one has a certificate. */
  for (int number = 0; number < RUNS && r.residual > options->tol && answer->iterations < r.limit &&
                       !nsd_poll_stops(w->poll, 0.0);
       number++) {
    place_start(&r, start, number);
    iterate(&r);
  }
  return r.residual <= options->tol ? NSDYN_OK : NSDYN_MAX_ITERATIONS;
}
