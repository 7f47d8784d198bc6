/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/enumerate/without_rows.h"

#include <math.h>

#include "base/tolerances.h"

void nsd_without_rows_lay_out(nsd_arena *arena, nsd_without_rows *w, const nsd_contact_data *d)
{
  const size_t n = (size_t)d->rows;
  w->M = nsd_arena_take(arena, n, (n + 1) * sizeof *w->M);
  w->is_pivot = nsd_arena_take(arena, n, sizeof *w->is_pivot);
}

static double *row_of(nsd_without_rows *w, int i)
{
  return w->M + (size_t)i * ((size_t)w->rows + 1);
}

/* √G_ii: impulses in its units compare. */
static double scale_of(const nsd_contact_data *d, int i)
{
  const double g = nsd_contact_row(d, i)[i];
  return g > 0.0 ? sqrt(g) : 1.0;
}

/* The bilateral row with the largest share of its diagonal element left; −1: all are taken. */
static int next_pivot(nsd_without_rows *w, const nsd_contact_data *d, double *share)
{
  int best = -1;
  *share = 0.0;
  for (int i = w->own; i < w->rows; i++) {
    const double s = scale_of(d, i), left = row_of(w, i)[i] / (s * s);
    if (!w->is_pivot[i] && left > *share) {
      *share = left;
      best = i;
    }
  }
  return best;
}

/* Row k solved for its impulse, which goes out of all other rows. */
static void take_out(nsd_without_rows *w, int k)
{
  double *pivot = row_of(w, k);
  const double per = 1.0 / pivot[k];
  for (int j = 0; j <= w->rows; j++) {
    pivot[j] *= per;
  }
  for (int i = 0; i < w->rows; i++) {
    double *row = row_of(w, i);
    const double times = row[k];
    for (int j = 0; i != k && times != 0.0 && j <= w->rows; j++) {
      row[j] -= times * pivot[j];
    }
    row[k] = i == k ? 1.0 : 0.0;
  }
  w->is_pivot[k] = 1;
}

/* Nothing of a row that depends on others is left: neither what contacts do to it nor its own velocity. */
static int is_spent(nsd_without_rows *w, const nsd_contact_data *d, int i, double speed)
{
  const double *row = row_of(w, i), s = scale_of(d, i);
  for (int j = 0; j < w->own; j++) {
    if (fabs(row[j]) > NSD_SPENT_ROW * s * scale_of(d, j)) {
      return 0;
    }
  }
  return fabs(row[w->rows]) <= NSD_SPENT_ROW * s * speed;
}

int nsd_without_rows_make(nsd_without_rows *w, const nsd_contact_data *d, nsd_poll *poll)
{
  const int n = d->rows;
  w->rows = n;
  w->own = nsd_contact_own_rows(d);
  w->is_unsure = 0;
  double speed = 0.0, share;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      row_of(w, i)[j] = nsd_contact_row(d, i)[j];
    }
    row_of(w, i)[n] = d->c[i];
    w->is_pivot[i] = 0;
    speed = fmax(speed, fabs(d->c[i]) / scale_of(d, i));
  }
  /* Gauss and Jordan's elimination with the largest pivots of the diagonal, in the units of √G_ii. */
  for (int k = next_pivot(w, d, &share); share > NSD_DEPENDENT_PIVOT; k = next_pivot(w, d, &share)) {
    w->is_unsure |= share < NSD_DOUBTFUL_PIVOT;
    take_out(w, k);
    if (nsd_poll_stops(poll, (double)n * n)) {
      return 0;
    }
  }
  for (int i = w->own; i < n; i++) {
    if (!w->is_pivot[i] && !is_spent(w, d, i, speed)) {
      return 0;
    }
  }
  return 1;
}

void nsd_without_rows_complete(const nsd_without_rows *w, double *Lambda)
{
  for (int i = w->own; i < w->rows; i++) {
    const double *row = nsd_without_rows_row(w, i);
    double sum = row[w->rows];
    for (int j = 0; j < w->own; j++) {
      sum += row[j] * Lambda[j];
    }
    Lambda[i] = w->is_pivot[i] ? -sum : 0.0;
  }
}
