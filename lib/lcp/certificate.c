/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/certificate.h"

#include "base/simd.h"

int nsd_lcp_is_plain(const nsd_lcp_problem *p)
{
  for (int i = 0; p->lo && i < p->n; i++) {
    if (p->lo[i] != 0.0) {
      return 0;
    }
  }
  for (int i = 0; p->hi && i < p->n; i++) {
    if (p->hi[i] != INFINITY) {
      return 0;
    }
  }
  return 1;
}

/* y_i and s_i = |b_i| + Σ_j |A_ij x_j|, by four partial sums. */
NSD_INLINE double row_value(const nsd_lcp_problem *p, int i, const double *x, double *scale)
{
  const int n = p->n;
  const double *a = nsd_lcp_row(p, i);
  nsd_lanes sum = nsd_lanes_all(0.0);
  nsd_lanes size = nsd_lanes_all(0.0);
  int j = 0;
  for (; j + NSD_LANES <= n; j += NSD_LANES) {
    const nsd_lanes term = nsd_lanes_load(a + j) * nsd_lanes_load(x + j);
    sum += term;
    size += nsd_lanes_abs(term);
  }
  double rest = 0.0;
  double rest_size = fabs(p->b[i]);
  for (; j < n; j++) {
    const double term = a[j] * x[j];
    rest += term;
    rest_size += fabs(term);
  }
  *scale = rest_size + nsd_lanes_sum(size);
  return p->b[i] + (rest + nsd_lanes_sum(sum));
}

/* How far y is from what its row allows at x: zero or positive. Where x is is not to be predicted: no branch.
 */
NSD_INLINE double row_violation(double x, double y, double lo, double hi)
{
  const double below = y < 0.0 ? -y : 0.0;
  const double above = y > 0.0 ? y : 0.0;
  return (x < hi ? below : 0.0) + (x > lo ? above : 0.0);
}

/* Outside its bounds, or not a number at all. */
static nsd_certificate refuse(int row, double x, double lo, double hi)
{
  const double violation = x < lo ? lo - x : x > hi ? x - hi : x;
  return (nsd_certificate){.residual = INFINITY, .violation = violation, .row = row};
}

NSD_INLINE nsd_certificate certify(const nsd_lcp_problem *p, const double *x, double *y)
{
  nsd_certificate worst = {.residual = 0.0, .violation = 0.0, .row = -1};
  for (int i = 0; i < p->n; i++) {
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    if (!(x[i] >= lo && x[i] <= hi && fabs(x[i]) < INFINITY)) {
      return refuse(i, x[i], lo, hi);
    }
    double scale;
    const double value = row_value(p, i, x, &scale);
    const double violation = row_violation(x[i], value, lo, hi);
    /* Written so that a NaN or an overflow is a violation. One that is real is at most its scale. */
    if (!(violation <= worst.residual * scale && scale < INFINITY)) {
      const double residual = violation / scale;
      worst.residual = scale < INFINITY && residual <= 1.0 ? residual : INFINITY;
      worst.violation = violation;
      worst.row = i;
    }
    if (y) {
      y[i] = ((x[i] > lo) & (x[i] < hi)) ? 0.0 : value;
    }
  }
  return worst;
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static nsd_certificate certify_avx2(const nsd_lcp_problem *p, const double *x, double *y)
{
  return certify(p, x, y);
}
#endif

nsd_certificate nsd_certify(const nsd_lcp_problem *p, const double *x, double *y)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return certify_avx2(p, x, y);
  }
#endif
  return certify(p, x, y);
}

static int is_inside(const nsd_lcp_problem *p, int i, const double *x)
{
  return x[i] > nsd_lcp_lo(p, i) && x[i] < nsd_lcp_hi(p, i);
}

/* b_i and what the unknowns at their bounds add. */
static double load_of(const nsd_lcp_problem *p, int i, const double *x)
{
  const double *a = nsd_lcp_row(p, i);
  double load = p->b[i];
  for (int j = 0; (p->lo || p->hi) && j < p->n; j++) {
    load += is_inside(p, j, x) ? 0.0 : a[j] * x[j];
  }
  return load;
}

int nsd_is_far_out(const nsd_lcp_problem *p, const double *x, double tol)
{
  int is_loaded = 0;
  for (int i = 0; i < p->n; i++) {
    if (!is_inside(p, i, x)) {
      continue;
    }
    const double load = fabs(load_of(p, i, x));
    double scale;
    (void)row_value(p, i, x, &scale);
    if (load > tol * scale) {
      return 0;
    }
    is_loaded |= load > 0.0;
  }
  return is_loaded;
}

/* What one unit of x_i weighs in y_i. */
static double stiffness(const nsd_lcp_problem *p, int i, const double *x, double scale)
{
  const double diagonal = nsd_lcp_row(p, i)[i];
  if (diagonal > 0.0) {
    return diagonal;
  }
  const double size = fabs(x[i]);
  return size > 0.0 ? scale / size : 1.0;
}

void nsd_lcp_round(const nsd_lcp_problem *p, double *x, double *work)
{
  /* All rows are judged at the same x: what one row rounds must not move the next. */
  for (int i = 0; i < p->n; i++) {
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    double scale;
    const double y = row_value(p, i, x, &scale);
    const double d = stiffness(p, i, x, scale);
    work[i] = x[i];
    if (x[i] <= lo || y > d * (x[i] - lo)) {
      work[i] = lo;
    } else if (x[i] >= hi || -y > d * (hi - x[i])) {
      work[i] = hi;
    }
  }
  for (int i = 0; i < p->n; i++) {
    x[i] = work[i];
  }
}

nsdyn_status nsdyn_lcp_residual(int n, const double *A, int lda, const double *b, const double *lo,
                                const double *hi, const double *x, double *residual, int *row)
{
  if (n < 0 || lda < n || !residual || (n > 0 && (!A || !b || !x))) {
    return NSDYN_ERR_ARGUMENT;
  }
  const nsd_lcp_problem p = {.n = n, .lda = lda, .A = A, .b = b, .lo = lo, .hi = hi};
  const nsd_certificate certificate = nsd_certify(&p, x, NULL);
  *residual = certificate.residual;
  if (row) {
    *row = certificate.row;
  }
  return NSDYN_OK;
}
