/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lib/event computes: integrated steps with their extension, and roots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event/integrator/dopri.h"
#include "event/integrator/locate.h"
#include "hash.h"

enum { MOST = 7, ROWS = 5 };

/* y_i' = Σ A_ij y_j / (1 + y_j²) + b_i t: smooth, bounded slopes. */
typedef struct task {
  int n;
  double A[MOST * MOST], b[MOST], y[MOST], tol[MOST];
} task;

static int slope_of(void *user, double t, const double *y, double *slope)
{
  const task *p = user;
  for (int i = 0; i < p->n; i++) {
    double sum = p->b[i] * t;
    for (int j = 0; j < p->n; j++) {
      sum += p->A[i * p->n + j] * (y[j] / (1.0 + y[j] * y[j]));
    }
    slope[i] = sum;
  }
  return t > 1.9 && p->n == MOST; /* one of them has an end */
}

static void hash_run(hash *h, nsd_dopri *w, task *p, double tol)
{
  const nsd_dopri_task what = {
      .f = slope_of, .user = p, .absolute = p->tol, .relative = p->tol, .longest = INFINITY};
  double y[MOST];
  for (int i = 0; i < MOST; i++) {
    p->tol[i] = tol;
  }
  hash_int(h, nsd_dopri_start(w, &what, 0.0, p->y, 0.0));
  nsdyn_status status = NSDYN_OK;
  while (w->t < 2.0 && status == NSDYN_OK) {
    status = nsd_dopri_step(w, 2.0);
    hash_int(h, status);
    if (status == NSDYN_OK) {
      hash_int(h, nsd_dopri_extend(w));
      nsd_dopri_at(w, 0.375, y);
      hash_doubles(h, (size_t)p->n, y);
    }
    if (w->steps % 5 == 4) {
      hash_int(h, nsd_dopri_cut(w, w->t_before + 0.625 * w->h));
    }
  }
  hash_doubles(h, (size_t)p->n, w->y);
  hash_double(h, w->t);
  hash_int(h, w->evaluations);
}

void golden_dopri(hash *h)
{
  stream from = stream_begin(71);
  for (int k = 0; k < 40; k++) {
    nsd_dopri w;
    nsd_arena measure = nsd_arena_measure(), arena = nsd_arena_empty(NULL);
    task p = {.n = 1 + k % MOST};
    stream_fill(&from, sizeof p.A / sizeof *p.A, p.A);
    stream_fill(&from, MOST, p.b);
    stream_fill(&from, MOST, p.y);
    nsd_dopri_lay_out(&measure, &w, p.n);
    if (nsd_arena_reserve(&arena, &measure)) {
      abort();
    }
    nsd_dopri_lay_out(&arena, &w, p.n);
    nsd_dopri_reset(&w);
    hash_run(h, &w, &p, ldexp(1.0, -6 - k));
    nsd_arena_release(&arena);
  }
}

/* Rational functions with a pole outside [0, 1]. */
static int rational(void *user, double theta, double *g)
{
  const task *p = user;
  for (int k = 0; k < ROWS; k++) {
    double sum = 0.0;
    for (int i = 0; i < MOST; i++) {
      sum = sum * (theta + theta - 1.0) + p->A[k * MOST + i];
    }
    g[k] = p->b[k] + sum / (1.0625 + fabs(p->y[k]) - theta);
  }
  return 0;
}

void golden_locate(hash *h)
{
  stream from = stream_begin(72);
  nsd_locate w;
  nsd_arena measure = nsd_arena_measure(), arena = nsd_arena_empty(NULL);
  nsd_locate_lay_out(&measure, &w, ROWS);
  if (nsd_arena_reserve(&arena, &measure)) {
    abort();
  }
  nsd_locate_lay_out(&arena, &w, ROWS);
  nsd_locate_reset(&w);
  for (int k = 0; k < 400; k++) {
    task p = {.n = ROWS};
    nsd_root root;
    stream_fill(&from, sizeof p.A / sizeof *p.A, p.A);
    stream_fill(&from, MOST, p.y);
    for (int i = 0; i < MOST; i++) {
      p.b[i] = 2.0 * fabs(stream_number(&from));
      p.tol[i] = 0x1p-44;
    }
    const nsd_locate_task what = {
        .m = ROWS, .coarse = k % 2, .values = rational, .user = &p, .noise = p.tol, .resolution = 0x1p-52};
    hash_int(h, nsd_locate_first(&w, &what, 0.0, 1.0, &root));
    hash_int(h, root.kind);
    hash_int(h, root.k);
    hash_double(h, root.theta);
    hash_double(h, root.bound);
  }
  hash_int(h, w.evaluations);
  nsd_arena_release(&arena);
}
