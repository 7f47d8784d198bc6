/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/proof/farkas_equations.h"

#include <float.h>

#include "base/tolerances.h"

#define COLUMN_READ 60.0 /* multiplications that take as long as to read an element out of a column */

void nsd_enclosure_lay_out(nsd_arena *arena, nsd_enclosure *w, int n)
{
  w->poll = NULL;
  const size_t size = (size_t)n;
  w->block = nsd_arena_take(arena, 2 * size * size, sizeof *w->block);
  w->columns = nsd_arena_take(arena, size, sizeof *w->columns);
  w->rows = nsd_arena_take(arena, size, sizeof *w->rows);
  w->at = nsd_arena_take(arena, size, sizeof *w->at);
}

/* One line of the block per column of A: its elements in the rows, then the unit matrix. */
static double *line(const nsd_enclosure *w, int columns, int rows, int s)
{
  return w->block + (size_t)s * (size_t)(columns + rows);
}

static void fill(nsd_enclosure *w, const nsd_lcp_problem *p, int columns, int rows)
{
  for (int s = 0; s < columns; s++) {
    double *to = line(w, columns, rows, s);
    for (int i = 0; i < rows; i++) {
      to[i] = nsd_lcp_row(p, w->rows[i])[w->columns[s]];
    }
    for (int t = 0; t < columns; t++) {
      to[rows + t] = s == t ? 1.0 : 0.0;
    }
    (void)nsd_poll_stops(w->poll, COLUMN_READ * rows);
  }
}

static void swap(int *a, int *b)
{
  const int c = *a;
  *a = *b;
  *b = c;
}

/* The largest element in lines not yet solved and rows not yet chosen. */
static double find_pivot(const nsd_enclosure *w, int columns, int rows, int chosen, int *s, int *i)
{
  double most = 0.0;
  for (int k = chosen; k < columns; k++) {
    const double *from = line(w, columns, rows, w->at[k]);
    for (int r = chosen; r < rows; r++) {
      if (fabs(from[r]) > most) {
        most = fabs(from[r]);
        *s = k;
        *i = r;
      }
    }
    (void)nsd_poll_stops(w->poll, rows);
  }
  return most;
}

/* Rows i and k of A change their places in the block. */
static void swap_rows(nsd_enclosure *w, int columns, int rows, int i, int k)
{
  swap(&w->rows[i], &w->rows[k]);
  for (int s = 0; s < columns; s++) {
    double *from = line(w, columns, rows, s);
    const double moved = from[i];
    from[i] = from[k];
    from[k] = moved;
  }
}

/* Gauss–Jordan: rows[k] is solved for in line at[k], whose right part then is row k of X. */
static int invert(nsd_enclosure *w, int columns, int rows)
{
  double first = 0.0;
  for (int k = 0; k < columns; k++) {
    w->at[k] = k;
  }
  for (int k = 0; k < columns; k++) {
    /* Complete pivoting among the lines and rows that are left. */
    int s = k, i = k;
    const double most = find_pivot(w, columns, rows, k, &s, &i);
    first = k == 0 ? most : first;
    if (!(most > NSD_ENCLOSURE_PIVOT * first)) {
      return 0;
    }
    swap(&w->at[k], &w->at[s]);
    swap_rows(w, columns, rows, i, k);
    /* Row k becomes one in its line, zero in all others; the unit matrix beside turns into X. */
    double *pivot = line(w, columns, rows, w->at[k]);
    const double inverse = 1.0 / pivot[k];
    for (int c = 0; c < columns + rows; c++) {
      pivot[c] *= inverse;
    }
    for (int t = 0; t < columns; t++) {
      double *other = line(w, columns, rows, t);
      const double f = t == w->at[k] ? 0.0 : other[k];
      for (int c = 0; f != 0.0 && c < columns + rows; c++) {
        other[c] -= f * pivot[c];
      }
      if (nsd_poll_stops(w->poll, 2.0 * (columns + rows))) {
        return 0;
      }
    }
  }
  return 1;
}

/* Above |I − X K| in the row sum norm. */
static double defect(const nsd_enclosure *w, const nsd_lcp_problem *p, int columns, int rows)
{
  const double part = (columns + 4) * DBL_EPSILON;
  double worst = 0.0;
  for (int t = 0; t < columns; t++) {
    const double *X = line(w, columns, rows, w->at[t]) + rows;
    double norm = 0.0;
    for (int u = 0; u < columns; u++) {
      const double *a = nsd_lcp_row(p, w->rows[u]);
      /* (X K − I)_tu and the sizes of its terms, of which (columns + 4) ε bounds the rounding. */
      double sum = t == u ? -1.0 : 0.0;
      double size = fabs(sum);
      for (int s = 0; s < columns; s++) {
        const double term = X[s] * a[w->columns[s]];
        sum += term;
        size += fabs(term);
      }
      norm += fabs(sum) + part * size + columns * DBL_MIN;
      (void)nsd_poll_stops(w->poll, 4.0 * columns);
    }
    worst = !(norm <= worst) ? norm : worst;
  }
  return worst;
}

double nsd_enclose(nsd_enclosure *w, const nsd_lcp_problem *p, int columns, int rows, const double *sum,
                   const double *error)
{
  if (rows < columns) {
    return INFINITY;
  }
  /* 1. X, an approximate inverse of K = A_RS, and g >= |I − X K|: below 1, K is regular. */
  fill(w, p, columns, rows);
  if (!invert(w, columns, rows) || !(defect(w, p, columns, rows) <= 0.25)) {
    return INFINITY;
  }
  /* 2. |e| <= |X| |sum| / (1 − g), with what the sums themselves may be off by. */
  double worst = 0.0;
  for (int t = 0; t < columns; t++) {
    const double *X = line(w, columns, rows, w->at[t]) + rows;
    double bound = 0.0;
    for (int s = 0; s < columns; s++) {
      const int j = w->columns[s];
      bound += fabs(X[s]) * (fabs(sum[j]) + error[j]) + DBL_MIN;
    }
    worst = !(bound <= worst) ? bound : worst;
  }
  return worst <= DBL_MAX / 2.0 ? 2.0 * worst : INFINITY; /* 1 / (1 − g) and rounding take less than 2 */
}
