/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_cradle.h"

#include <math.h>
#include <string.h>

/* 0 <= x ⊥ G x + c >= 0 with the tridiagonal G of a row of balls. */
typedef struct row_problem {
  int n;
  long double diagonal[EXACT_BALLS_MOST];
  long double beside[EXACT_BALLS_MOST]; /* G_{i,i+1} */
  long double c[EXACT_BALLS_MOST];
} row_problem;

static row_problem row_of(const exact_cradle *p)
{
  row_problem r = {.n = p->k - 1};
  for (int i = 0; i < r.n; i++) {
    r.diagonal[i] = 1.0L / p->mass[i] + 1.0L / p->mass[i + 1];
    r.beside[i] = -1.0L / p->mass[i + 1];
  }
  return r;
}

static long double row_value(const row_problem *r, const long double *x, int i)
{
  long double y = r->c[i] + r->diagonal[i] * x[i];
  y += i > 0 ? r->beside[i - 1] * x[i - 1] : 0.0L;
  y += i + 1 < r->n ? r->beside[i] * x[i + 1] : 0.0L;
  return y;
}

/* y_i = 0 for i in `set`, x_i = 0 elsewhere: elimination along the row. */
static void solve_set(const row_problem *r, int set, long double *x)
{
  long double factor[EXACT_BALLS_MOST] = {0.0L};
  for (int i = 0; i < r->n; i++) {
    x[i] = 0.0L;
    if (set >> i & 1) {
      const int joined = i > 0 && (set >> (i - 1) & 1);
      const long double lower = joined ? r->beside[i - 1] : 0.0L;
      const long double pivot = r->diagonal[i] - lower * (joined ? factor[i - 1] : 0.0L);
      factor[i] = r->beside[i] / pivot;
      x[i] = (-r->c[i] - lower * (joined ? x[i - 1] : 0.0L)) / pivot;
    }
  }
  for (int i = r->n - 2; i >= 0; i--) {
    if ((set >> i & 1) && (set >> (i + 1) & 1)) {
      x[i] -= factor[i] * x[i + 1];
    }
  }
}

/* All 2^n sets; sets that meet in the same x count once. */
static int solve_row(const row_problem *r, long double *x)
{
  int found = 0;
  long double size = 0.0L;
  for (int i = 0; i < r->n; i++) {
    size = fmaxl(size, fabsl(r->c[i]));
  }
  const long double tiny = 1e-13L * size;
  for (int set = 0; set < 1 << r->n; set++) {
    long double trial[EXACT_BALLS_MOST] = {0.0L};
    solve_set(r, set, trial);
    int fits = 1;
    int differs = 0;
    for (int i = 0; i < r->n; i++) {
      fits = fits && trial[i] * r->diagonal[i] >= -tiny && row_value(r, trial, i) >= -tiny;
      differs = differs || (found > 0 && fabsl(trial[i] - x[i]) * r->diagonal[i] > 100.0L * tiny);
    }
    if (fits && (found == 0 || differs)) {
      memcpy(x, trial, sizeof *x * (size_t)r->n);
      found++;
    }
  }
  return found == 1;
}

static void kick(const exact_cradle *p, const long double *Lambda, long double *v)
{
  for (int i = 0; i + 1 < p->k; i++) {
    v[i] -= Lambda[i] / p->mass[i];
    v[i + 1] += Lambda[i] / p->mass[i + 1];
  }
}

int exact_cradle_newton(const exact_cradle *p, long double *v, long double *Lambda)
{
  row_problem r = row_of(p);
  memcpy(v, p->v, sizeof *v * (size_t)p->k);
  for (int i = 0; i < r.n; i++) {
    r.c[i] = (1.0L + p->eps[i]) * (p->v[i + 1] - p->v[i]);
  }
  if (!solve_row(&r, Lambda)) {
    return 0;
  }
  kick(p, Lambda, v);
  return 1;
}

int exact_cradle_poisson(const exact_cradle *p, long double *v, long double *Lambda)
{
  row_problem r = row_of(p);
  long double stored[EXACT_BALLS_MOST];
  long double more[EXACT_BALLS_MOST];
  memcpy(v, p->v, sizeof *v * (size_t)p->k);
  for (int i = 0; i < r.n; i++) {
    r.c[i] = p->v[i + 1] - p->v[i];
  }
  if (!solve_row(&r, Lambda)) {
    return 0;
  }
  for (int i = 0; i < r.n; i++) {
    stored[i] = p->eps[i] * Lambda[i];
    Lambda[i] += stored[i];
  }
  kick(p, Lambda, v);
  for (int i = 0; i < r.n; i++) {
    r.c[i] = v[i + 1] - v[i];
  }
  if (!solve_row(&r, more)) {
    return 0;
  }
  for (int i = 0; i < r.n; i++) {
    Lambda[i] += more[i];
  }
  kick(p, more, v);
  return 1;
}

int exact_cradle_collide(const exact_cradle *p, const long double *gap, int most, long double *v)
{
  long double g[EXACT_BALLS_MOST];
  memcpy(v, p->v, sizeof *v * (size_t)p->k);
  memcpy(g, gap, sizeof *g * (size_t)(p->k - 1));
  for (int count = 0; count <= most; count++) {
    int next = -1;
    long double when = 0.0L;
    for (int i = 0; i + 1 < p->k; i++) {
      const long double speed = v[i] - v[i + 1];
      if (speed > 0.0L && (next < 0 || g[i] < when * speed)) {
        next = i;
        when = g[i] / speed;
      }
    }
    if (next < 0) {
      return count;
    }
    for (int i = 0; i + 1 < p->k; i++) {
      g[i] += when * (v[i + 1] - v[i]);
    }
    g[next] = 0.0L;
    const long double reduced = 1.0L / (1.0L / p->mass[next] + 1.0L / p->mass[next + 1]);
    const long double Lambda = (1.0L + p->eps[next]) * reduced * (v[next] - v[next + 1]);
    v[next] -= Lambda / p->mass[next];
    v[next + 1] += Lambda / p->mass[next + 1];
  }
  return -1;
}
