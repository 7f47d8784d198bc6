/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/rounds.h"

#include "base/dense.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"

#define GROWTH 2.0 /* of the change over the least: beyond, the combination is no help */

enum { DEPTH = NSD_ROUNDS_DEPTH };

void nsd_rounds_lay_out(nsd_arena *arena, nsd_rounds *w, int contacts, int bilateral, int rows)
{
  const size_t n = (size_t)rows;
  w->local = nsd_arena_take(arena, (size_t)contacts, sizeof *w->local);
  nsd_envelope_lay_out(arena, &w->constraints, bilateral);
  double **const vectors[] = {&w->weight, &w->x, &w->best, &w->g, &w->f, &w->last_g, &w->last_f};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = nsd_arena_take(arena, n, sizeof(double));
  }
  w->dg = nsd_arena_take(arena, DEPTH * n, sizeof *w->dg);
  w->df = nsd_arena_take(arena, DEPTH * n, sizeof *w->df);
}

/* The block of the constraints, in the order of the cells. */
static nsdyn_status factor_constraints(nsd_rounds *w, nsd_poll *poll)
{
  const nsd_coupling *k = w->k;
  const nsd_contact_data *d = k->d;
  const int own = nsd_contact_own_rows(d);
  nsd_envelope *e = &w->constraints;
  nsd_envelope_begin(e, d->bilateral);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < d->bilateral; i++) {
      const double *g = nsd_contact_row(d, own + i) + own;
      for (int j = 0; j <= i; j++) {
        if (g[j] == 0.0) {
          continue;
        }
        if (pass == 0) {
          nsd_envelope_reach(e, i, j);
        } else {
          *nsd_envelope_element(e, i, j) = *nsd_envelope_element(e, j, i) = g[j];
        }
      }
      e->size[i] = g[i];
      if (nsd_poll_stops(poll, d->bilateral)) {
        return NSDYN_CANCELLED;
      }
    }
    if (pass == 0 && nsd_envelope_clear(e, poll)) {
      return NSDYN_CANCELLED;
    }
  }
  w->work = 2.0 * (double)e->at[e->n];
  return nsd_envelope_factor(e, NSD_CONTACT_PIVOT, poll);
}

nsdyn_status nsd_rounds_begin(nsd_rounds *w, const nsd_coupling *k, nsd_poll *poll)
{
  const nsd_contact_data *d = k->d;
  w->k = k;
  for (int i = 0; i < d->contacts; i++) {
    w->local[i] = nsd_one_exact_of(d, &d->spec[i]);
  }
  for (int i = 0; i < d->rows; i++) {
    w->weight[i] = k->diagonal[i];
  }
  const nsdyn_status status = factor_constraints(w, poll);
  w->work += (k->is_dense ? (double)d->rows * d->rows : 2.0 * (double)k->from[k->cells]) +
             (DEPTH + 4.0) * d->rows + 50.0 * d->contacts;
  return status;
}

static void restart(nsd_rounds *w)
{
  w->depth = w->next = 0;
  w->is_first = 1;
  w->least = INFINITY;
}

void nsd_rounds_start(nsd_rounds *w, const double *Lambda)
{
  for (int i = 0; i < w->k->d->rows; i++) {
    w->x[i] = Lambda[i];
  }
  restart(w);
}

static void relax_contact(const nsd_rounds *w, int i, double *Lambda)
{
  const nsd_contact_spec *s = &w->k->d->spec[i];
  const nsd_one_exact *b = &w->local[i];
  double y[2] = {0.0, 0.0};
  double *own = Lambda + s->row;
  nsd_coupling_velocity(w->k, i, Lambda, y);
  if (s->friction == NSD_FRICTION_NONE) {
    y[0] -= b->NN * own[0];
  } else {
    y[0] -= b->NN * own[0] + b->NT * own[1];
    y[1] -= b->NT * own[0] + b->TT * own[1];
  }
  nsd_one_exact_solve(b, s, y, own);
}

/* All constraints at once, by the factors of their block. */
static void relax_constraints(nsd_rounds *w, double *Lambda)
{
  const nsd_contact_data *d = w->k->d;
  const int own = nsd_contact_own_rows(d);
  double *xi = w->f; /* free until the round is over */
  for (int i = 0; i < d->bilateral; i++) {
    nsd_coupling_velocity(w->k, d->contacts + i, Lambda, &xi[i]);
  }
  nsd_envelope_solve(&w->constraints, xi);
  for (int i = 0; i < d->bilateral; i++) {
    Lambda[own + i] -= xi[i];
  }
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
static void remember(nsd_rounds *w)
{
  const size_t n = (size_t)w->k->d->rows;
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
static void combine(const nsd_rounds *w, double *gamma)
{
  const int n = w->k->d->rows;
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

/* x := g − Σ γ_j dg_j, onto what the laws allow. */
static void accelerate(nsd_rounds *w)
{
  const int n = w->k->d->rows;
  double gamma[DEPTH];
  combine(w, gamma);
  for (int j = 0; j < w->depth; j++) {
    gamma[j] = -gamma[j];
  }
  for (int i = 0; i < n; i++) {
    w->x[i] = w->g[i];
  }
  nsd_add_transposed(w->depth, n, w->dg, n, gamma, w->x);
  nsd_contact_project_all(w->k->d, w->x);
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

void nsd_rounds_step(nsd_rounds *w)
{
  const nsd_contact_data *d = w->k->d;
  const int n = d->rows;
  copy(n, w->x, w->g);
  for (int i = 0; i < w->k->cells; i++) {
    const int cell = w->k->order[i];
    if (cell < d->contacts) {
      relax_contact(w, cell, w->g);
    }
  }
  if (d->bilateral > 0) {
    relax_constraints(w, w->g);
  }
  for (int i = 0; i < n; i++) {
    w->f[i] = w->g[i] - w->x[i];
  }
  w->change = sqrt(weighted_dot(n, w->weight, w->f, w->f));
  if (!(w->change <= GROWTH * w->least) && !w->is_first) { /* a NaN too */
    copy(n, w->best, w->x);
    restart(w);
    return;
  }
  if (w->change < w->least) {
    w->least = w->change;
    copy(n, w->g, w->best);
  }
  if (!w->is_first) {
    remember(w);
    accelerate(w);
  } else {
    copy(n, w->g, w->x);
  }
  w->is_first = 0;
  swap(&w->g, &w->last_g);
  swap(&w->f, &w->last_f);
}
