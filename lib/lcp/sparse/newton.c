/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/newton.h"

#include <string.h>

#include "base/tolerances.h"
#include "nsdyn/setvalued.h"

#define ARMIJO 1e-4 /* share of the fall that the slope promises */

enum {
  MEMORY = 5,    /* merits that a step is compared with */
  HALVINGS = 40, /* of a step */
  SETTLED = 50   /* one place in so many may change for rounds to be tried */
};

void nsd_sparse_newton_lay_out(nsd_arena *arena, nsd_sparse_newton *w, int32_t n)
{
  const size_t size = (size_t)n;
  double **const vectors[] = {&w->size, &w->value, &w->dx, &w->dy, &w->shift, &w->step, &w->trial, &w->saved};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, size, sizeof(double));
  }
  w->last = nsd_arena_take(arena, size, sizeof *w->last);
}

/* One call's data. */
typedef struct run {
  nsd_sparse_newton *w;
  nsd_active_set *a;
  const nsd_sparse_problem *p;
  int32_t n;
} run;

/* σ: the largest element of each row. */
static void find_sizes(const run *r)
{
  const nsd_sparse *A = &r->p->A;
  for (int32_t i = 0; i < r->n; i++) {
    double largest = 0.0;
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      largest = fmax(largest, fabs(A->value[k]));
    }
    r->w->size[i] = largest > 0.0 ? largest : 1.0;
    (void)nsd_poll_stops(r->a->poll, NSD_POLL_READ * (double)(A->row[i + 1] - A->row[i]));
  }
}

/* y, ψ and its derivatives at a->x. Returns ½ Σ ψ_i², infinite where it overflows. */
static double evaluate(const run *r)
{
  const nsd_sparse_newton *w = r->w;
  nsd_active_set_rows(r->a, r->p);
  double merit = 0.0;
  for (int32_t i = 0; i < r->n; i++) {
    const double s = w->size[i];
    w->value[i] = nsdyn_ncp_pfb_box(1.0, s * r->p->lo[i], s * r->p->hi[i], s * r->a->x[i], r->a->y[i],
                                    &w->dx[i], &w->dy[i]);
    merit += 0.5 * (w->value[i] * w->value[i]);
    (void)nsd_poll_stops(r->a->poll, 8.0 * NSD_POLL_READ);
  }
  return merit < (double)INFINITY ? merit : (double)INFINITY;
}

/* Newton's step. 0 where a pivot vanishes, or told to stop. */
static int find_step(const run *r)
{
  const nsd_sparse_newton *w = r->w;
  nsd_active_set *a = r->a;
  const nsd_sparse *A = &r->p->A;
  /* Rows in which y counts, and the others, whose step is known. */
  for (int32_t i = 0; i < r->n; i++) {
    a->in[i] = w->dy[i] > NSD_SPARSE_FLAT * w->dx[i];
    w->shift[i] = a->in[i] ? w->size[i] * w->dx[i] / w->dy[i] : 0.0;
    w->step[i] = a->in[i] ? 0.0 : -w->value[i] / (w->size[i] * w->dx[i]);
    (void)nsd_poll_stops(a->poll, 4.0 * NSD_POLL_READ);
  }
  const double least = r->p->has_positive_diagonal ? NSD_SPARSE_PIVOT : -1.0;
  if (nsd_sparse_ldu_factor(a->factor, a->in, w->shift, least) >= 0 || nsd_poll_stops(a->poll, 0.0)) {
    return 0;
  }
  /* The right-hand side, with the known steps on it. */
  for (int32_t i = 0; i < r->n; i++) {
    double known = 0.0;
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      known += a->in[A->column[k]] ? 0.0 : A->value[k] * w->step[A->column[k]];
    }
    a->step[i] = a->in[i] ? -w->value[i] / w->dy[i] - known : w->step[i];
    (void)nsd_poll_stops(a->poll, NSD_POLL_READ * (double)(A->row[i + 1] - A->row[i] + 2));
  }
  nsd_sparse_ldu_solve(a->factor, a->step, a->work);
  double size = 0.0;
  for (int32_t i = 0; i < r->n; i++) {
    w->step[i] = a->step[i];
    size += fabs(w->step[i]);
    (void)nsd_poll_stops(a->poll, NSD_POLL_READ);
  }
  return size < (double)INFINITY;
}

static void swap_points(const run *r)
{
  double *const x = r->a->x;
  r->a->x = r->w->trial;
  r->w->trial = x;
}

/* x moves along the step until ψ is smaller; its slope there is −2 merits. Returns the merit, infinite where
 * nothing leads down, with x as it was. */
static double search(const run *r, double merit, double reference)
{
  const nsd_sparse_newton *w = r->w;
  double t = 1.0;
  for (int k = 0; k < HALVINGS && !nsd_poll_stops(r->a->poll, 0.0); k++) {
    for (int32_t i = 0; i < r->n; i++) {
      w->trial[i] = r->a->x[i] + t * w->step[i];
      (void)nsd_poll_stops(r->a->poll, NSD_POLL_READ);
    }
    swap_points(r);
    const double there = evaluate(r);
    if (there <= reference - 2.0 * ARMIJO * t * merit) {
      return there;
    }
    swap_points(r);
    t *= 0.5;
  }
  return (double)INFINITY;
}

/* The basis that the signs of the minimum map choose. Returns how many places are not those of the step
 * before.
 */
static int32_t choose_places(const run *r)
{
  int32_t changed = 0;
  for (int32_t i = 0; i < r->n; i++) {
    const double s = r->w->size[i], x = s * r->a->x[i], y = r->a->y[i];
    const int32_t place = x - s * r->p->lo[i] < y    ? NSDYN_LCP_AT_LO
                          : s * r->p->hi[i] - x < -y ? NSDYN_LCP_AT_HI
                                                     : NSDYN_LCP_BASIC;
    changed += place != r->w->last[i];
    r->a->place[i] = r->w->last[i] = place;
    (void)nsd_poll_stops(r->a->poll, 4.0 * NSD_POLL_READ);
  }
  return changed;
}

nsdyn_status nsd_sparse_newton_solve(nsd_sparse_newton *w, nsd_active_set *a, const nsd_sparse_problem *p,
                                     int most, nsd_sparse_newton_try *try, void *user, int32_t *steps)
{
  const run r = {.w = w, .a = a, .p = p, .n = p->A.n};
  const size_t bytes = (size_t)r.n * sizeof(double);
  double past[MEMORY];
  find_sizes(&r);
  double merit = evaluate(&r);
  for (int k = 0; k < MEMORY; k++) {
    past[k] = merit;
  }
  (void)choose_places(&r);
  for (int k = 0; k < most; k++) {
    if (nsd_poll_stops(a->poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
    /* 1. Newton's step, as far as ψ becomes smaller than the largest of its last values. */
    double reference = past[0];
    for (int l = 1; l < MEMORY; l++) {
      reference = fmax(reference, past[l]);
    }
    ++*steps;
    const double there =
        merit < (double)INFINITY && find_step(&r) ? search(&r, merit, reference) : (double)INFINITY;
    if (nsd_poll_stops(a->poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
    const int is_stuck = !(there < (double)INFINITY);
    if (is_stuck) {
      (void)evaluate(&r); /* ψ belongs to x again */
    } else {
      past[k % MEMORY] = merit = there;
    }
    /* 2. Signs that hardly change: rounds from their basis, which are exact. */
    if (choose_places(&r) <= r.n / SETTLED || is_stuck) {
      memcpy(w->saved, a->x, bytes);
      const nsdyn_status status = try(user);
      if (status <= NSDYN_OK || status == NSDYN_CANCELLED) {
        return status;
      }
      memcpy(a->x, w->saved, bytes);
      (void)evaluate(&r);
    }
    if (is_stuck) {
      return NSDYN_UNDECIDED;
    }
  }
  return NSDYN_MAX_ITERATIONS;
}
