/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Projected Gauss–Seidel by rows, over-relaxed (Cryer 1971): no factors, no memory but some vectors.
 *
 *     x_i := min(max(x_i − ω y_i / A_ii, lo_i), hi_i),    i = 1 … n.
 *
 * For symmetric positive definite A it goes to the solution for every ω in (0, 2): each sweep lowers
 * q(x) = ½ xᵀA x + bᵀx. Sweeps soon find which unknowns are at their bounds, and then creep. So between them
 * conjugate gradients lower q in the unknowns that stand between their bounds, and their step is followed
 * along the path that the bounds bend, as far as q falls (Moré & Toraldo 1991). Where A is not symmetric, or
 * turns out not to be definite, there are sweeps only. */
#include "lcp/sparse/solver.h"

#include "base/tolerances.h"

#define ARMIJO 1e-4 /* share of the fall that the slope promises */
#define GAIN 1e-2   /* of |y|² between the bounds: before more is gained, bounds are looked at again */

enum {
  DEFAULT_SWEEPS = 20000,
  JUDGED_AFTER = 16, /* sweeps from one look at all rows to the next */
  HALVINGS = 6       /* of a step */
};

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

/* ---- between sweeps ------------------------------------------------------------------------------------ */

/* One call's data. */
typedef struct run {
  nsd_active_set *w;
  const nsd_sparse_problem *p;
  double *residual; /* n: −y in the unknowns between their bounds, 0 else */
  double *total;    /* n: the step */
  double tol;
} run;

static int is_between(const run *r, int32_t i)
{
  return r->w->x[i] > r->p->lo[i] && r->w->x[i] < r->p->hi[i];
}

/* work := A v; returns v·A v. */
static double multiply(run *r, const double *v)
{
  const nsd_sparse *A = &r->p->A;
  double product = 0.0;
  for (int32_t i = 0; i < A->n; i++) {
    double sum = 0.0;
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      sum += A->value[k] * v[A->column[k]];
    }
    r->w->work[i] = sum;
    product += v[i] * sum;
    (void)nsd_poll_stops(r->w->poll, NSD_POLL_READ * (double)(A->row[i + 1] - A->row[i] + 2));
  }
  return product;
}

/* total := a step that lowers q in the unknowns between their bounds, by at most so many conjugate gradients,
 * each divided by the diagonal, until y is a tenth there of what it was. Returns how many, 0 where there is
 * nothing to gain, −1 where A is not definite on them. */
static int find_step(run *r, int most)
{
  const nsd_active_set *w = r->w;
  const int32_t n = r->p->A.n;
  double *direction = w->step;
  double square = 0.0; /* r·D⁻¹r */
  for (int32_t i = 0; i < n; i++) {
    r->total[i] = 0.0;
    r->residual[i] = is_between(r, i) ? -w->y[i] : 0.0;
    direction[i] = r->residual[i] / w->diagonal[i];
    square += r->residual[i] * direction[i];
    (void)nsd_poll_stops(w->poll, 2.0 * NSD_POLL_READ);
  }
  const double begin = square;
  for (int k = 0; k < most; k++) {
    if (!(square > 0.0)) {
      return k;
    }
    const double curvature = multiply(r, direction);
    if (nsd_poll_stops(w->poll, 0.0)) {
      return 0;
    }
    if (!(curvature > 0.0)) {
      return -1;
    }
    /* The length that lowers q most; then what is left, and the next direction, conjugate to this one. */
    const double length = square / curvature;
    double next = 0.0;
    int is_small = 1;
    for (int32_t i = 0; i < n; i++) {
      if (is_between(r, i)) {
        r->total[i] += length * direction[i];
        r->residual[i] -= length * w->work[i];
        next += r->residual[i] * r->residual[i] / w->diagonal[i];
        is_small &= fabs(r->residual[i]) <= r->tol * w->scale[i];
      }
      (void)nsd_poll_stops(w->poll, 2.0 * NSD_POLL_READ);
    }
    if (is_small || next <= GAIN * begin) {
      return k + 1;
    }
    for (int32_t i = 0; i < n; i++) {
      direction[i] = r->residual[i] / w->diagonal[i] + next / square * direction[i];
      (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
    }
    square = next;
  }
  return most;
}

/* Along min(max(x + t total, lo), hi) as far as q falls. */
static void follow_step(run *r)
{
  nsd_active_set *w = r->w;
  const nsd_sparse_problem *p = r->p;
  const int32_t n = p->A.n;
  double *change = w->step;
  double t = 1.0;
  for (int k = 0; k < HALVINGS; k++) {
    double slope = 0.0;
    for (int32_t i = 0; i < n; i++) {
      const double x = w->x[i] + t * r->total[i];
      change[i] = fmin(fmax(x, p->lo[i]), p->hi[i]) - w->x[i];
      slope += w->y[i] * change[i];
      (void)nsd_poll_stops(w->poll, 2.0 * NSD_POLL_READ);
    }
    /* q(x + δ) − q(x) = y·δ + ½ δ·A δ */
    if (slope + 0.5 * multiply(r, change) <= ARMIJO * slope && slope < 0.0) {
      for (int32_t i = 0; i < n; i++) {
        w->x[i] = fmin(fmax(w->x[i] + change[i], p->lo[i]), p->hi[i]);
        (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
      }
      return;
    }
    t *= 0.5;
  }
}

/* ---- the method ---------------------------------------------------------------------------------------- */

nsdyn_status nsd_sparse_sweep(nsdyn_lcp *lcp, nsd_sparse_solver *s)
{
  nsd_active_set *w = &s->active;
  const nsdyn_lcp_options *o = &lcp->options;
  const int most = o->max_iterations >= 0 ? o->max_iterations : DEFAULT_SWEEPS;
  int32_t *done = &lcp->report.iterations;
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
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
  }
  run r = {.w = w, .p = &s->p, .residual = s->shift, .total = s->center, .tol = 0.25 * o->tol};
  int is_definite = s->p.is_symmetric;
  while (*done < most) {
    /* 1. Sweeps find who is at a bound. */
    for (int k = 0; k < JUDGED_AFTER && *done < most; k++) {
      sweep(w, &s->p, o->sweep_relaxation);
      ++*done;
      if (nsd_poll_stops(w->poll, 0.0)) {
        return NSDYN_CANCELLED;
      }
    }
    if (is_solved(w, &s->p, 0.5 * o->tol)) {
      return NSDYN_OK;
    }
    /* 2. Conjugate gradients for the others, each of the cost of a sweep; one sweep comes after them. */
    const int left = most - *done - 1;
    const int taken = is_definite && left > 0 ? find_step(&r, left) : 0;
    is_definite = is_definite && taken >= 0;
    if (taken > 0) {
      *done += taken;
      follow_step(&r);
    }
    if (nsd_poll_stops(w->poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
  }
  return NSDYN_MAX_ITERATIONS;
}
