/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/row.h"

#include <math.h>

enum { LANES = 4 };

/* A dense row is one part. */
static nsd_row by_parts(nsd_row row, nsd_part *whole)
{
  if (!row.rows) {
    *whole = (nsd_part){.n = row.n};
    row.part = whole;
    row.parts = row.rows = 1;
    row.r = 0;
  }
  return row;
}

double nsd_row_dot_parts(const nsd_row *row, const double *x)
{
  if (row->n <= LANES) { /* few numbers have an order of their own */
    double w[LANES] = {0.0, 0.0, 0.0, 0.0};
    nsd_row_expand(*row, w);
    return nsd_small_dot(row->n, w, x);
  }
  /* As nsd_dot(): lane l has the columns l, l + 4, … */
  double lane[LANES] = {0.0, 0.0, 0.0, 0.0};
  const double *at = row->w;
  for (int p = 0; p < row->parts; p++) {
    const int first = row->part[p].first;
    const double *w = nsd_row_part(row, p, &at);
    for (int j = 0; j < row->part[p].n; j++) {
      lane[(first + j) % LANES] += w[j] * x[first + j];
    }
  }
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

double nsd_row_size(double from, nsd_row row, const double *x)
{
  nsd_part whole;
  const nsd_row own = by_parts(row, &whole);
  const double *at = own.w;
  double sum = from;
  for (int p = 0; p < own.parts; p++) {
    const double *w = nsd_row_part(&own, p, &at);
    for (int j = 0; j < own.part[p].n; j++) {
      sum += x ? fabs(w[j] * x[own.part[p].first + j]) : fabs(w[j]);
    }
  }
  return sum;
}

double nsd_row_largest(nsd_row row)
{
  nsd_part whole;
  const nsd_row own = by_parts(row, &whole);
  const double *at = own.w;
  double most = 0.0;
  for (int p = 0; p < own.parts; p++) {
    const double *w = nsd_row_part(&own, p, &at);
    for (int j = 0; j < own.part[p].n; j++) {
      most = nsd_larger(fabs(w[j]), most);
    }
  }
  return most;
}

int nsd_row_is_written(nsd_row row)
{
  nsd_part whole;
  const nsd_row own = by_parts(row, &whole);
  const double *at = own.w;
  int any = 0;
  for (int p = 0; p < own.parts; p++) {
    const double *w = nsd_row_part(&own, p, &at);
    for (int j = 0; j < own.part[p].n; j++) {
      any |= w[j] != 0.0;
    }
  }
  return any;
}

void nsd_row_expand(nsd_row row, double *w)
{
  nsd_part whole;
  const nsd_row own = by_parts(row, &whole);
  const double *at = own.w;
  for (int j = 0; j < own.n; j++) {
    w[j] = 0.0;
  }
  for (int p = 0; p < own.parts; p++) {
    const double *numbers = nsd_row_part(&own, p, &at);
    for (int j = 0; j < own.part[p].n; j++) {
      w[own.part[p].first + j] = numbers[j];
    }
  }
}
