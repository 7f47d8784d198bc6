/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/anderson.h"

#include <math.h>

#include "base/dense.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"

#define GROWTH 2.0 /* of the change over the least: beyond, the combination is no help */

enum { DEPTH = NSD_ANDERSON_DEPTH };

void nsd_anderson_lay_out(nsd_arena *arena, nsd_anderson *w, int n)
{
  double **const vectors[] = {&w->weight, &w->x, &w->best, &w->g, &w->f, &w->last_g, &w->last_f};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = nsd_arena_take(arena, (size_t)n, sizeof(double));
  }
  w->dg = nsd_arena_take(arena, DEPTH * (size_t)n, sizeof *w->dg);
  w->df = nsd_arena_take(arena, DEPTH * (size_t)n, sizeof *w->df);
  w->n = n;
}

static void restart(nsd_anderson *w)
{
  w->depth = w->next = 0;
  w->is_first = 1;
  w->least = INFINITY;
}

void nsd_anderson_start(nsd_anderson *w, const double *x)
{
  for (int i = 0; i < w->n; i++) {
    w->x[i] = x[i];
  }
  restart(w);
}

static double weighted_dot(int n, const double *weight, const double *x, const double *y)
{
  nsd_lanes sum = nsd_lanes_all(0.0);
  int i = 0;
  for (; i + NSD_LANES <= n; i += NSD_LANES) {
    sum += nsd_lanes_load(weight + i) * nsd_lanes_load(x + i) * nsd_lanes_load(y + i);
  }
  for (; i < n; i++) {
    sum[0] += weight[i] * x[i] * y[i];
  }
  return nsd_lanes_sum(sum);
}

/* The difference of the last two rounds joins the others. */
static void remember(nsd_anderson *w)
{
  const size_t n = (size_t)w->n;
  double *dg = w->dg + (size_t)w->next * n, *df = w->df + (size_t)w->next * n;
  double *plain = w->x; /* what the next round begins with is written behind this */
  double dots[DEPTH];
  for (size_t i = 0; i < n; i++) {
    dg[i] = w->g[i] - w->last_g[i];
    plain[i] = w->f[i] - w->last_f[i];
    df[i] = w->weight[i] * plain[i];
  }
  w->depth = w->depth < DEPTH ? w->depth + 1 : DEPTH;
  nsd_multiply(w->depth, (int)n, w->df, (int)n, plain, dots);
  for (int j = 0; j < w->depth; j++) {
    w->gram[w->next][j] = w->gram[j][w->next] = dots[j];
  }
  w->next = (w->next + 1) % DEPTH;
}

/* γ with |f − Σ γ_j df_j| least, by Cholesky's method on the differences that say something new. */
static void combine(const nsd_anderson *w, double *gamma)
{
  const int n = w->n;
  const int m = w->depth;
  double L[DEPTH][DEPTH] = {{0.0}}, z[DEPTH];
  nsd_multiply(m, n, w->df, n, w->f, z);
  for (int i = 0; i < m; i++) {
    double pivot = w->gram[i][i];
    for (int j = 0; j < i; j++) {
      double l = w->gram[i][j];
      for (int k = 0; k < j; k++) {
        l -= L[i][k] * L[j][k];
      }
      L[i][j] = l * L[j][j];
      pivot -= L[i][j] * L[i][j];
      z[i] -= L[i][j] * z[j];
    }
    const int counts = pivot > NSD_ROUNDS_DEPENDENT * w->gram[i][i] && w->gram[i][i] > 0.0;
    L[i][i] = counts ? 1.0 / sqrt(pivot) : 0.0; /* the inverse of the diagonal */
    z[i] *= L[i][i];
  }
  for (int i = m - 1; i >= 0; i--) {
    double sum = z[i];
    for (int j = i + 1; j < m; j++) {
      sum -= L[j][i] * gamma[j];
    }
    gamma[i] = sum * L[i][i];
  }
}

/* x := g − Σ γ_j dg_j */
static void combine_rounds(nsd_anderson *w)
{
  const int n = w->n;
  double gamma[DEPTH];
  combine(w, gamma);
  for (int j = 0; j < w->depth; j++) {
    gamma[j] = -gamma[j];
  }
  for (int i = 0; i < n; i++) {
    w->x[i] = w->g[i];
  }
  nsd_add_transposed(w->depth, n, w->dg, n, gamma, w->x);
}

static void copy(int n, const double *from, double *to)
{
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
  }
}

static void swap(double **a, double **b)
{
  double *c = *a;
  *a = *b;
  *b = c;
}

int nsd_anderson_step(nsd_anderson *w)
{
  const int n = w->n;
  for (int i = 0; i < n; i++) {
    w->f[i] = w->g[i] - w->x[i];
  }
  w->change = sqrt(weighted_dot(n, w->weight, w->f, w->f));
  if (!(w->change <= GROWTH * w->least) && !w->is_first) { /* a NaN too */
    copy(n, w->best, w->x);
    restart(w);
    return 0;
  }
  if (w->change < w->least) {
    w->least = w->change;
    copy(n, w->g, w->best);
  }
  const int is_combination = !w->is_first;
  if (is_combination) {
    remember(w);
    combine_rounds(w);
  } else {
    copy(n, w->g, w->x);
  }
  w->is_first = 0;
  swap(&w->g, &w->last_g);
  swap(&w->f, &w->last_f);
  return is_combination;
}
