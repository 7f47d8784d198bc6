/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/enumerate/refine.h"

#include "base/tolerances.h"

void nsd_refine_lay_out(nsd_arena *arena, nsd_refine *w, int n)
{
  const size_t size = (size_t)n;
  w->block = nsd_arena_take(arena, size * (size + 1), sizeof *w->block);
  w->columns = nsd_arena_take(arena, size, sizeof *w->columns);
}

static void swap_rows(double *a, double *b, int n)
{
  for (int j = 0; j < n; j++) {
    const double t = a[j];
    a[j] = b[j];
    b[j] = t;
  }
}

/* Row echelon form of the m × k matrix with its right side in column k, by partial pivoting; 0 where the rank
 * is below k. */
static int eliminate(double *M, int m, int k, nsd_poll *poll)
{
  const size_t ld = (size_t)k + 1;
  for (int c = 0; c < k; c++) {
    /* The largest element of the column; beside what was eliminated above, rounding must not be taken for
     * one. */
    int pivot = c;
    double most = 0.0, column = 0.0;
    for (int i = 0; i < m; i++) {
      const double size = fabs(M[(size_t)i * ld + (size_t)c]);
      column = size > column ? size : column;
      if (i >= c && size > most) {
        most = size;
        pivot = i;
      }
    }
    if (!(most > NSD_REFINE_PIVOT * column)) {
      return 0;
    }
    double *row = M + (size_t)c * ld;
    if (pivot != c) {
      swap_rows(row, M + (size_t)pivot * ld, k + 1);
    }
    for (int i = c + 1; i < m; i++) {
      double *below = M + (size_t)i * ld;
      const double f = below[c] / row[c];
      if (f != 0.0) {
        for (int j = c + 1; j <= k; j++) {
          below[j] -= f * row[j];
        }
      }
      if (nsd_poll_stops(poll, k - c)) {
        return 0;
      }
    }
  }
  return 1;
}

/* Solves the triangle; the solution replaces column k. */
static void back_substitute(double *M, int k, nsd_poll *poll)
{
  const size_t ld = (size_t)k + 1;
  for (int i = k - 1; i >= 0; i--) {
    double *row = M + (size_t)i * ld;
    double value = row[k];
    for (int j = i + 1; j < k; j++) {
      value -= row[j] * M[(size_t)j * ld + (size_t)k];
    }
    row[k] = value / row[i];
    (void)nsd_poll_stops(poll, 20.0 * (k - i));
  }
}

/* A_RS z_S = −right for the rows R without y, columns S with x, `fixed` left out. */
static int solve(nsd_refine *w, nsd_cells *cells, double *z, int fixed)
{
  const nsd_forms *forms = cells->forms;
  const int n = forms->columns;
  /* S: the x that are not zero. R: the rows in which y is zero, which are equations for them. */
  int k = 0, m = 0;
  for (int j = 0; j < n; j++) {
    if (z[j] != 0.0 && j != fixed) {
      w->columns[k++] = j;
    }
  }
  for (int i = 0; i < n; i++) {
    if (z[n + i] != 0.0) {
      continue;
    }
    const double *a = forms->a + (size_t)i * (size_t)n;
    double *to = w->block + (size_t)m * ((size_t)k + 1);
    for (int j = 0; j < k; j++) {
      to[j] = a[w->columns[j]];
    }
    to[k] = fixed >= 0 ? -a[fixed] * z[fixed] : -forms->d[i];
    (void)nsd_poll_stops(&cells->poll, 4.0 * k);
    m++;
  }
  if (m < k || !eliminate(w->block, m, k, &cells->poll)) {
    return 0;
  }
  back_substitute(w->block, k, &cells->poll);
  /* A number that comes out negative shows that R and S are not those of a vertex: z stays as it was. */
  for (int j = 0; j < k; j++) {
    const double value = w->block[(size_t)j * ((size_t)k + 1) + (size_t)k];
    if (!(value > 0.0) || !isfinite(value)) {
      return 0;
    }
  }
  for (int j = 0; j < k; j++) {
    z[w->columns[j]] = w->block[(size_t)j * ((size_t)k + 1) + (size_t)k];
  }
  return 1;
}

int nsd_refine_vertex(nsd_refine *w, nsd_cells *cells, double *z)
{
  return solve(w, cells, z, -1);
}

int nsd_refine_ray(nsd_refine *w, nsd_cells *cells, double *z)
{
  /* A ray has no length: its largest element is kept, and A_RS z_S = 0 gives the others. */
  int largest = 0;
  for (int j = 1; j < cells->forms->columns; j++) {
    largest = z[j] > z[largest] ? j : largest;
  }
  return solve(w, cells, z, largest);
}

double nsd_ray_residual(const nsd_lcp_problem *p, const double *ray, const uint8_t *rows, nsd_poll *poll)
{
  double worst = 0.0;
  for (int i = 0; i < p->n; i++) {
    const double *a = nsd_lcp_row(p, i);
    double sum = 0.0, size = 0.0;
    for (int j = 0; j < p->n; j++) {
      const double term = a[j] * ray[j];
      sum += term;
      size += fabs(term);
    }
    /* A r = 0 in rows where r > 0 or that are not in `rows`; in the others only A r < 0 is wrong. */
    const double violation = rows[i] && ray[i] == 0.0 && sum > 0.0 ? 0.0 : fabs(sum);
    if (ray[i] < 0.0 || !isfinite(size)) {
      return INFINITY;
    }
    if (violation > worst * size) {
      worst = violation / size;
    }
    (void)nsd_poll_stops(poll, 3.0 * p->n);
  }
  return worst;
}
