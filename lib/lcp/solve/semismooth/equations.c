/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/semismooth/equations.h"

#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "lcp/proof/certificate.h"
#include "lcp/solve/polish.h"
#include "nsdyn/setvalued.h"

void nsd_lcp_equations_lay_out(nsd_arena *arena, nsd_lcp_equations *w, int n)
{
  const size_t size = (size_t)n;
  double **const vectors[] = {&w->b,  &w->lo, &w->hi, &w->y,       &w->value,
                              &w->dx, &w->dy, &w->x,  &w->rounded, &w->work};
  nsd_scale_lay_out(arena, &w->scale, n);
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, size, sizeof(double));
  }
  w->place = nsd_arena_take(arena, size, sizeof *w->place);
  w->last = nsd_arena_take(arena, size, sizeof *w->last);
  nsd_basis_lay_out(arena, &w->basis, n);
  nsd_lcp_equations_ask(w, NULL);
}

void nsd_lcp_equations_ask(nsd_lcp_equations *w, nsd_poll *poll)
{
  w->poll = w->scale.poll = w->basis.poll = poll;
}

/* The problem in units in which A, b and the bounds next to zero are of the order of one. */
static void make_units(nsd_lcp_equations *w)
{
  /* Rows and columns by powers of two; then x, b and the bounds by a common one,
   * 2^exponent, next above the largest of them. */
  w->p = nsd_scale_make(&w->scale, w->given);
  double largest = nsd_norm_inf(w->p.n, w->p.b);
  for (int i = 0; i < w->p.n; i++) {
    const double lo = nsd_lcp_lo(&w->p, i);
    const double hi = nsd_lcp_hi(&w->p, i);
    const double nearest = lo > 0.0 ? lo : hi < 0.0 ? -hi : 0.0;
    largest = nearest > largest ? nearest : largest;
  }
  int exponent = 0;
  frexp(largest > 0.0 ? largest : 1.0, &exponent);
  w->size = ldexp(1.0, exponent);
  /* A (x / size) + b / size = y / size: A stays. */
  for (int i = 0; i < w->p.n; i++) {
    w->b[i] = ldexp(w->p.b[i], -exponent);
    w->lo[i] = ldexp(nsd_lcp_lo(&w->p, i), -exponent);
    w->hi[i] = ldexp(nsd_lcp_hi(&w->p, i), -exponent);
  }
  w->p.b = w->b;
  w->p.lo = w->lo;
  w->p.hi = w->hi;
}

void nsd_lcp_equations_begin(nsd_lcp_equations *w, const nsd_lcp_problem *p, double tol, double lambda,
                             nsd_lcp_answer *answer)
{
  w->given = p;
  w->answer = answer;
  w->tol = tol;
  w->lambda = lambda;
  /* Stage 1. The projection of zero, judged: an answer in any case. */
  nsd_lcp_project_zero(p, answer->x);
  nsd_basis_of(p, answer->x, answer->basis);
  w->residual = nsd_certify_asking(p, answer->x, NULL, w->poll).residual;
  /* Stage 2. Units. */
  make_units(w);
}

void nsd_lcp_equations_start(nsd_lcp_equations *w, const int32_t *start, double *z)
{
  for (int i = 0; i < w->p.n; i++) {
    w->last[i] = -1;
  }
  if (start) {
    nsd_basis_solve(&w->basis, &w->p, start, z); /* z stays where it is singular */
  }
  nsd_lcp_project(&w->p, z);
}

double nsd_lcp_equations_at(nsd_lcp_equations *w, const double *z)
{
  const nsd_lcp_problem *p = &w->p;
  /* y = A z + b, ψ_i(z_i, y_i) with ∂ψ/∂x and ∂ψ/∂y, merit ½ Σ ψ_i². An overflow counts as infinitely bad. */
  nsd_multiply_asking(p->n, p->n, p->A, p->lda, z, w->y, w->poll);
  double merit = 0.0;
  for (int i = 0; i < p->n; i++) {
    w->y[i] += p->b[i];
    w->value[i] = nsdyn_ncp_pfb_box(w->lambda, p->lo[i], p->hi[i], z[i], w->y[i], &w->dx[i], &w->dy[i]);
    merit += 0.5 * (w->value[i] * w->value[i]);
  }
  return merit < INFINITY ? merit : INFINITY;
}

void nsd_lcp_equations_jacobian(const nsd_lcp_equations *w, double *J)
{
  const int n = w->p.n;
  for (int i = 0; i < n; i++) {
    const double *a = nsd_lcp_row(&w->p, i);
    double *row = J + (size_t)i * (size_t)n;
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

void nsd_lcp_equations_basis(const nsd_lcp_equations *w, const double *z, int32_t *basis)
{
  for (int i = 0; i < w->p.n; i++) {
    double dx;
    double dy;
    const double value = nsdyn_ncp_min_box(w->p.lo[i], w->p.hi[i], z[i], w->y[i], &dx, &dy);
    /* dy = 1: the middle of the three is y, so the row is the
     * equation y_i = 0; else x_i stands at the bound. */
    basis[i] = dy == 1.0 ? NSDYN_LCP_BASIC : value == z[i] - w->p.lo[i] ? NSDYN_LCP_AT_LO : NSDYN_LCP_AT_HI;
  }
}

/* Back to the caller's units, where x is judged; the best is kept. */
static void judge(nsd_lcp_equations *w, const double *z)
{
  const nsd_lcp_problem *p = w->given;
  /* x = size · C z. */
  for (int i = 0; i < p->n; i++) {
    w->x[i] = w->size * z[i];
  }
  nsd_scale_point(&w->scale, p->n, w->x);
  nsd_lcp_project(p, w->x);
  const double residual = nsd_certify_asking(p, w->x, NULL, w->poll).residual;
  if (residual < w->residual) {
    w->residual = residual;
    memcpy(w->answer->x, w->x, (size_t)p->n * sizeof *w->x);
    nsd_basis_of(p, w->x, w->answer->basis);
  }
}

int nsd_lcp_equations_judge(nsd_lcp_equations *w, const double *z, double merit)
{
  const size_t size = (size_t)w->p.n;
  nsd_lcp_equations_basis(w, z, w->place);
  /* Stage 1. Rounded: at the bound where the minimum map puts it. */
  for (int i = 0; i < w->p.n; i++) {
    w->rounded[i] = w->place[i] == NSDYN_LCP_AT_LO   ? nsd_lcp_lo(&w->p, i)
                    : w->place[i] == NSDYN_LCP_AT_HI ? nsd_lcp_hi(&w->p, i)
                                                     : z[i];
  }
  nsd_lcp_project(&w->p, w->rounded);
  judge(w, w->rounded);
  /* Stage 2. Its basis solved, if that is new: Newton's method ends
   * there, exactly, where the signs are right. */
  const int is_new =
      memcmp(w->place, w->last, size * sizeof *w->place) != 0 || merit < NSD_NEWTON_FALLEN * w->polished;
  if (w->residual > w->tol && is_new) {
    w->polished = merit;
    memcpy(w->last, w->place, size * sizeof *w->last);
    nsd_lcp_polish(&w->basis, &w->p, w->place, w->rounded, w->work);
    if (!nsd_poll_stops(w->poll, 0.0)) {
      judge(w, w->rounded);
    }
  }
  return nsd_lcp_equations_are_solved(w);
}
