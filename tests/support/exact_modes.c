/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_modes.h"

#include <math.h>

enum { columns = EXACT_ROWS + 2 };
static const long double endless = 1e300L; /* no infinity: valgrind keeps none in a long double */

typedef struct linear_system {
  int n;
  long double row[EXACT_ROWS][columns];
  int unknown[EXACT_ROWS]; /* which one stands in column j */
} linear_system;

static void set_equations(const exact_contacts *p, const exact_mode *mode, linear_system *e)
{
  e->n = 2 * p->k;
  for (int i = 0; i < e->n; i++) {
    const int contact = i / 2;
    const int tangent = i % 2;
    e->unknown[i] = i;
    for (int j = 0; j < columns; j++) {
      e->row[i][j] = 0.0L;
    }
    if (mode[contact] == EXACT_OPEN) {
      e->row[i][i] = 1.0L;
    } else if (tangent && mode[contact] != EXACT_STICK) {
      e->row[i][i] = 1.0L;
      e->row[i][i - 1] = mode[contact] == EXACT_PLUS ? p->mu[contact] : -p->mu[contact];
    } else {
      for (int j = 0; j < e->n; j++) {
        e->row[i][j] = p->G[i][j];
      }
      e->row[i][EXACT_ROWS] = -p->c[i][0];
      e->row[i][EXACT_ROWS + 1] = -p->c[i][1];
    }
  }
}

/* Every row by its largest coefficient, which gives the rank a scale. */
static void scale_rows(linear_system *e)
{
  for (int i = 0; i < e->n; i++) {
    long double most = 0.0L;
    for (int j = 0; j < e->n; j++) {
      most = fmaxl(most, fabsl(e->row[i][j]));
    }
    for (int j = 0; j < columns && most > 0.0L; j++) {
      e->row[i][j] /= most;
    }
  }
}

static void swap(long double *a, long double *b)
{
  const long double t = *a;
  *a = *b;
  *b = t;
}

static void bring_pivot(linear_system *e, int at)
{
  int row = at;
  int column = at;
  for (int i = at; i < e->n; i++) {
    for (int j = at; j < e->n; j++) {
      if (fabsl(e->row[i][j]) > fabsl(e->row[row][column])) {
        row = i;
        column = j;
      }
    }
  }
  for (int j = 0; j < columns; j++) {
    swap(&e->row[at][j], &e->row[row][j]);
  }
  for (int i = 0; i < e->n; i++) {
    swap(&e->row[i][at], &e->row[i][column]);
  }
  const int t = e->unknown[at];
  e->unknown[at] = e->unknown[column];
  e->unknown[column] = t;
}

/* Gauss–Jordan with full pivoting; returns the rank. */
static int eliminate(linear_system *e)
{
  for (int at = 0; at < e->n; at++) {
    bring_pivot(e, at);
    const long double pivot = e->row[at][at];
    if (fabsl(pivot) < 1e-12L) {
      return at;
    }
    for (int j = 0; j < columns; j++) {
      e->row[at][j] /= pivot;
    }
    for (int i = 0; i < e->n; i++) {
      const long double factor = e->row[i][at];
      for (int j = 0; j < columns && i != at; j++) {
        e->row[i][j] -= factor * e->row[at][j];
      }
    }
  }
  return e->n;
}

int exact_modes_solve(const exact_contacts *p, const exact_mode *mode, exact_impulses *out)
{
  linear_system e;
  set_equations(p, mode, &e);
  scale_rows(&e);
  long double size = 0.0L;
  for (int i = 0; i < e.n; i++) {
    size = fmaxl(size, fmaxl(fabsl(e.row[i][EXACT_ROWS]), fabsl(e.row[i][EXACT_ROWS + 1])));
  }
  const int rank = eliminate(&e);
  if (rank < e.n - 1) {
    return 0;
  }
  for (int i = 0; i < e.n; i++) {
    const int j = e.unknown[i];
    const int is_open = mode[j / 2] == EXACT_OPEN; /* no rounding there */
    out->Lambda[j][0] = i < rank && !is_open ? e.row[i][EXACT_ROWS] : 0.0L;
    out->Lambda[j][1] = i < rank && !is_open ? e.row[i][EXACT_ROWS + 1] : 0.0L;
    out->null[j] = rank == e.n ? 0.0L : i < rank ? -e.row[i][rank] : 1.0L;
  }
  return rank == e.n ||
         fmaxl(fabsl(e.row[rank][EXACT_ROWS]), fabsl(e.row[rank][EXACT_ROWS + 1])) <= 1e-10L * size;
}

/* value + α slope >= 0 cuts [low, high]. */
static void cut(long double value, long double slope, long double *low, long double *high)
{
  if (slope > 0.0L) {
    *low = fmaxl(*low, -value / slope);
  } else if (slope < 0.0L) {
    *high = fminl(*high, -value / slope);
  }
}

int exact_modes_centre(const exact_contacts *p, const exact_mode *mode, long double s, exact_impulses *out)
{
  long double low = -endless;
  long double high = endless;
  for (int i = 0; i < p->k; i++) {
    const long double N = out->Lambda[2 * i][0] + s * out->Lambda[2 * i][1];
    const long double T = out->Lambda[2 * i + 1][0] + s * out->Lambda[2 * i + 1][1];
    const long double n = out->null[2 * i];
    const long double t = out->null[2 * i + 1];
    cut(N, n, &low, &high);
    if (mode[i] == EXACT_STICK) {
      cut(p->mu[i] * N - T, p->mu[i] * n - t, &low, &high);
      cut(p->mu[i] * N + T, p->mu[i] * n + t, &low, &high);
    }
  }
  if (low > high) {
    return 0;
  }
  long double alpha = 0.0L;
  if (low > -endless) {
    alpha = high < endless ? (low + high) / 2.0L : low;
  } else if (high < endless) {
    alpha = high;
  }
  for (int i = 0; i < 2 * p->k; i++) {
    out->Lambda[i][0] += alpha * out->null[i];
  }
  return 1;
}

static long double xi(const exact_contacts *p, const exact_impulses *x, int row)
{
  long double sum = p->c[row][0];
  for (int j = 0; j < 2 * p->k; j++) {
    sum += p->G[row][j] * x->Lambda[j][0];
  }
  return sum;
}

static int impact_fits(const exact_contacts *p, const exact_mode *mode, const exact_impulses *x,
                       long double zero)
{
  for (int i = 0; i < p->k; i++) {
    const long double N = x->Lambda[2 * i][0];
    const long double T = x->Lambda[2 * i + 1][0];
    const long double tiny = zero / p->G[2 * i][2 * i];
    const long double slip = xi(p, x, 2 * i + 1);
    const int fits = N >= -tiny && xi(p, x, 2 * i) >= -zero &&
                     (mode[i] != EXACT_STICK || fabsl(T) <= p->mu[i] * N + tiny) &&
                     (mode[i] != EXACT_PLUS || slip >= -zero) && (mode[i] != EXACT_MINUS || slip <= zero);
    if (!fits) {
      return 0;
    }
  }
  return 1;
}

static int same_xi(const exact_contacts *p, const exact_impulses *x, const exact_impulses *y,
                   long double zero)
{
  for (int i = 0; i < 2 * p->k; i++) {
    if (fabsl(xi(p, x, i) - xi(p, y, i)) > 10.0L * zero) {
      return 0;
    }
  }
  return 1;
}

int exact_modes_impact(const exact_contacts *p, long double zero, exact_mode *mode, long double *Lambda)
{
  int combinations = 1;
  for (int i = 0; i < p->k; i++) {
    combinations *= EXACT_MODES;
  }
  int found = 0;
  exact_impulses known[1 << EXACT_ROWS];
  for (int code = 0; code < combinations; code++) {
    exact_mode trial[EXACT_CLOSED_MOST] = {EXACT_OPEN};
    exact_impulses x;
    for (int i = 0, rest = code; i < p->k; i++, rest /= EXACT_MODES) {
      trial[i] = (exact_mode)(rest % EXACT_MODES);
    }
    int is_new = exact_modes_solve(p, trial, &x) && exact_modes_centre(p, trial, 0.0L, &x) &&
                 impact_fits(p, trial, &x, zero);
    for (int i = 0; i < found && is_new; i++) {
      is_new = !same_xi(p, &x, &known[i], zero);
    }
    if (!is_new) {
      continue;
    }
    for (int i = 0; i < 2 * p->k && found == 0; i++) {
      mode[i / 2] = trial[i / 2];
      Lambda[i] = x.Lambda[i][0];
    }
    known[found++] = x;
  }
  return found;
}
