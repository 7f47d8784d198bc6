/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Projected Gauss–Seidel by rows, over-relaxed (Cryer 1971): no factors, no memory but x.
 *
 *     x_i := min(max(x_i − ω y_i / A_ii, lo_i), hi_i),    i = 1 … n.
 *
 * For symmetric positive definite A it goes to the solution for every ω in (0, 2). */
#include "lcp/sparse/sparse_solver.h"

enum { DEFAULT_SWEEPS = 20000, JUDGED_AFTER = 16 /* sweeps from one look at all rows to the next */ };

/* The first row whose diagonal element is not positive, −1 if there is none; the diagonal goes to
 * w->diagonal. */
static int32_t read_diagonal(nsd_active_set *w, const nsd_sparse *A)
{
  for (int32_t i = 0; i < A->n; i++) {
    double diagonal = 0.0;
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      diagonal = A->column[k] == i ? A->value[k] : diagonal;
    }
    if (!(diagonal > 0.0)) {
      return i;
    }
    w->diagonal[i] = diagonal;
  }
  return -1;
}

static void sweep(nsd_active_set *w, const nsd_sparse_problem *p, double relaxation)
{
  const nsd_sparse *A = &p->A;
  for (int32_t i = 0; i < A->n; i++) {
    double y = p->b[i];
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      y += A->value[k] * w->x[A->column[k]];
    }
    const double x = w->x[i] - relaxation * y / w->diagonal[i];
    w->x[i] = fmin(fmax(x, p->lo[i]), p->hi[i]);
    w->place[i] = w->x[i] == p->lo[i]   ? NSDYN_LCP_AT_LO
                  : w->x[i] == p->hi[i] ? NSDYN_LCP_AT_HI
                                        : NSDYN_LCP_BASIC;
    if (nsd_poll_stops(w->poll, NSD_POLL_READ * (double)(A->row[i + 1] - A->row[i] + 2))) {
      return;
    }
  }
}

/* Whether every row holds within the tolerance at w->x. */
static int is_solved(const nsd_active_set *w, const nsd_sparse_problem *p, double tol)
{
  nsd_active_set_rows(w, p);
  for (int32_t i = 0; i < p->A.n; i++) {
    const double slack = tol * w->scale[i], y = w->y[i];
    if (!(y >= -slack || w->x[i] == p->hi[i]) || !(y <= slack || w->x[i] == p->lo[i])) {
      return 0;
    }
  }
  return 1;
}

nsdyn_status nsd_sparse_sweep(nsdyn_lcp *lcp, nsd_sparse_solver *s)
{
  nsd_active_set *w = &s->active;
  const nsdyn_lcp_options *o = &lcp->options;
  const int most = o->max_iterations >= 0 ? o->max_iterations : DEFAULT_SWEEPS;
  w->poll = &lcp->poll;
  w->shift = w->center = NULL;
  const int32_t refused = read_diagonal(w, &s->p.A);
  if (refused >= 0) {
    return nsd_fault_set(&lcp->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_ROW, refused,
                         "projected Gauss-Seidel: row %d: the diagonal element is not positive",
                         (int)refused);
  }
  for (int32_t i = 0; i < s->p.A.n; i++) {
    w->x[i] = fmin(fmax(0.0, s->p.lo[i]), s->p.hi[i]);
    w->place[i] = NSDYN_LCP_AT_LO;
  }
  for (int k = 0; k < most; k++) {
    sweep(w, &s->p, o->sweep_relaxation);
    lcp->report.iterations++;
    if (nsd_poll_stops(&lcp->poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
    if (((k + 1) % JUDGED_AFTER == 0 || k + 1 == most) && is_solved(w, &s->p, 0.5 * o->tol)) {
      return NSDYN_OK;
    }
  }
  return NSDYN_MAX_ITERATIONS;
}
