/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/certificate.h"

#include <math.h>

#include "base/tolerances.h"

/* Row i: y_i, s_i = |b_i| + Σ |A_ij x_j|, and b_i with the terms of what is at a bound. */
typedef struct row_sums {
  double y, scale, load;
} row_sums;

typedef struct box {
  const double *lo, *hi;
} box;

static double lower(const box *bounds, int64_t i)
{
  return bounds->lo ? bounds->lo[i] : 0.0;
}

static double upper(const box *bounds, int64_t i)
{
  return bounds->hi ? bounds->hi[i] : (double)INFINITY;
}

static void add_term(row_sums *r, double a, const double *x, int64_t j, const box *bounds)
{
  const double term = a * x[j];
  r->y += term;
  r->scale += fabs(term);
  if (!(x[j] > lower(bounds, j) && x[j] < upper(bounds, j))) {
    r->load += term;
  }
}

static row_sums sum_row(const nsdyn_sparse_matrix *A, int64_t i, double b, const double *x, const box *bounds)
{
  row_sums r = {.y = b, .scale = fabs(b), .load = b};
  if (A->format == NSDYN_SPARSE_ROWS) {
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      add_term(&r, A->value[k], x, A->column[k], bounds);
    }
    return r;
  }
  const int64_t first = i > A->lower ? i - A->lower : 0;
  const int64_t end = i + A->upper + 1 < A->n ? i + A->upper + 1 : A->n;
  for (int64_t j = first; j < end; j++) {
    add_term(&r, A->value[i * A->stride + A->lower + j - i], x, j, bounds);
  }
  return r;
}

/* An x outside of its bounds, or no number, is no answer, whatever its rows say: the first such. */
static nsd_sparse_certificate judge_bounds(int32_t n, const double *x, const box *bounds,
                                           nsd_sparse_certificate rows)
{
  for (int32_t i = 0; i < n; i++) {
    const double lo = lower(bounds, i), hi = upper(bounds, i);
    if (!(x[i] >= lo && x[i] <= hi && isfinite(x[i]))) {
      return (nsd_sparse_certificate){.residual = INFINITY,
                                      .violation = x[i] < lo   ? lo - x[i]
                                                   : x[i] > hi ? x[i] - hi
                                                               : x[i],
                                      .row = i,
                                      .far_out = 0};
    }
  }
  return rows;
}

nsd_sparse_certificate nsd_sparse_certify(const nsdyn_sparse_matrix *A, const double *b, const double *lo,
                                          const double *hi, const double *x, double *y, nsd_poll *poll)
{
  const box bounds = {.lo = lo, .hi = hi};
  nsd_sparse_certificate worst = {.residual = 0.0, .violation = 0.0, .row = -1, .far_out = 0};
  int is_loaded = 0, is_near = 0;
  double work = 0.0;
  for (int32_t i = 0; i < A->n; i++) {
    const row_sums r = sum_row(A, i, b[i], x, &bounds);
    const int above_lo = x[i] > lower(&bounds, i), below_hi = x[i] < upper(&bounds, i);
    /* y < 0 is allowed at hi only, y > 0 at lo only. */
    const double violation = (r.y < 0.0 && below_hi) || (r.y > 0.0 && above_lo) ? fabs(r.y) : 0.0;
    double residual = violation > 0.0 ? violation / r.scale : 0.0;
    if (!(r.scale < (double)INFINITY) || !(residual <= 1.0)) {
      residual = INFINITY; /* an overflow in the row, or an x that is no number */
    }
    if (residual > worst.residual) {
      worst.residual = residual;
      worst.violation = violation;
      worst.row = i;
    }
    if (above_lo && below_hi) {
      is_loaded |= r.load != 0.0;
      is_near |= fabs(r.load) > NSD_FAR_OUT * r.scale;
    }
    if (y) {
      y[i] = above_lo && below_hi ? 0.0 : r.y;
    }
    work += A->format == NSDYN_SPARSE_ROWS ? (double)(A->row[i + 1] - A->row[i]) : (double)A->stride;
    if (work > 1e5) {
      (void)nsd_poll_stops(poll, NSD_POLL_READ * work);
      work = 0.0;
    }
  }
  worst.far_out = is_loaded && !is_near;
  return judge_bounds(A->n, x, &bounds, worst);
}
