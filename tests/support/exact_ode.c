/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_ode.h"

#include <math.h>
#include <string.h>

enum { columns = 8, HALVES = 4 };

/* Gragg's midpoint rule in m = 2, 4, … substeps, without the smoothing step: its error is a series in (h/m)².
 * `first` is the rate at y. */
static void midpoint(const exact_ode *ode, long double h, int m, const long double *y,
                     const long double *first, long double *out)
{
  long double before[EXACT_ODE_MOST];
  long double now[EXACT_ODE_MOST];
  long double f[EXACT_ODE_MOST];
  const long double d = h / (long double)m;
  memcpy(before, y, sizeof *y * (size_t)ode->n);
  for (int i = 0; i < ode->n; i++) {
    now[i] = y[i] + d * first[i];
  }
  for (int k = 1; k < m; k++) {
    ode->rate(ode->data, now, f);
    for (int i = 0; i < ode->n; i++) {
      const long double next = before[i] + 2.0L * d * f[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  memcpy(out, now, sizeof *out * (size_t)ode->n);
}

/* How far two approximations are apart, in shares of the sizes. */
static long double apart(const exact_ode *ode, const long double *best, const long double *lower)
{
  long double most = 0.0L;
  for (int i = 0; i < ode->n; i++) {
    const long double off = fabsl(best[i] - lower[i]) / ode->size[i];
    most = off <= most ? most : off; /* NaN stays */
  }
  return most;
}

/* One step of all orders up to that which is asked for; 0 where none is as accurate. */
static int extrapolate(const exact_ode *ode, long double h, const long double *y, long double *out)
{
  long double T[columns][EXACT_ODE_MOST];
  long double first[EXACT_ODE_MOST];
  long double before = 0.0L;
  int settled = 0;
  ode->rate(ode->data, y, first);
  for (int j = 0; j < columns && !settled; j++) {
    midpoint(ode, h, 2 * (j + 1), y, first, T[j]);
    /* Aitken and Neville, towards substeps of length zero */
    for (int k = j - 1; k >= 0; k--) {
      const long double ratio = (long double)(j + 1) / (long double)(k + 1);
      for (int i = 0; i < ode->n; i++) {
        T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) / (ratio * ratio - 1.0L);
      }
    }
    if (!ode->size || j == 0) {
      continue;
    }
    /* The errors of the orders fall about as fast as the last two did, or faster: that of T[0] is
     * change²/before, at worst a hundred times as much. */
    const long double change = apart(ode, T[0], T[1]);
    settled = change <= ode->accuracy ||
              (j > 1 && change < before && 1024.0L * change * change <= ode->accuracy * before);
    before = change;
  }
  memcpy(out, T[0], sizeof *out * (size_t)ode->n);
  return settled || !ode->size || !isfinite(before);
}

/* Halves of halves, `depth` times. */
static void step(const exact_ode *ode, long double h, int depth, long double *y)
{
  long double out[EXACT_ODE_MOST];
  if (!extrapolate(ode, h, y, out) && depth > 0) {
    step(ode, 0.5L * h, depth - 1, y);
    step(ode, 0.5L * h, depth - 1, y);
    return;
  }
  memcpy(y, out, sizeof *y * (size_t)ode->n);
}

void exact_ode_step(const exact_ode *ode, long double h, long double *y)
{
  step(ode, h, HALVES, y);
}

/* until(y(h)) > 0 at low, <= 0 at high: halved until no number is between. */
static long double locate(const exact_ode *ode, long double high, long double *y)
{
  long double low = 0.0L;
  long double from[EXACT_ODE_MOST];
  memcpy(from, y, sizeof *y * (size_t)ode->n);
  for (;;) {
    const long double middle = low + (high - low) / 2.0L;
    memcpy(y, from, sizeof *y * (size_t)ode->n);
    exact_ode_step(ode, middle, y);
    if (!(middle > low && middle < high)) {
      return middle;
    }
    if (ode->until(ode->data, y) > 0.0L) {
      low = middle;
    } else {
      high = middle;
    }
  }
}

long double exact_ode_run(const exact_ode *ode, long double span, int steps, long double *y)
{
  const long double h = span / (long double)steps;
  int armed = ode->until && ode->until(ode->data, y) > 0.0L;
  for (int k = 0; k < steps; k++) {
    long double next[EXACT_ODE_MOST];
    memcpy(next, y, sizeof *y * (size_t)ode->n);
    exact_ode_step(ode, h, next);
    const int positive = !ode->until || ode->until(ode->data, next) > 0.0L;
    if (armed && !positive) {
      return h * (long double)k + locate(ode, h, y);
    }
    armed = armed || (ode->until && positive);
    memcpy(y, next, sizeof *y * (size_t)ode->n);
  }
  return span;
}
