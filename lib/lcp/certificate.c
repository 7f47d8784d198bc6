/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/certificate.h"

#include <float.h>

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

/* y_i and s_i = |b_i| + Σ_j |A_ij x_j|. Four partial sums, always combined in the same order: the bits do
 * not depend on the compiler, and the loop can be vectorized. */
static double row_value(const nsd_lcp_problem *p, int i, const double *x, double *scale)
{
  const double *a = nsd_lcp_row(p, i);
  const int whole = p->n - p->n % 4;
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  double size[4] = {0.0, 0.0, 0.0, 0.0};
  for (int j = 0; j < whole; j += 4) {
    for (int k = 0; k < 4; k++) {
      const double term = a[j + k] * x[j + k];
      sum[k] += term;
      size[k] += fabs(term);
    }
  }
  for (int j = whole; j < p->n; j++) {
    const double term = a[j] * x[j];
    sum[j - whole] += term;
    size[j - whole] += fabs(term);
  }
  *scale = fabs(p->b[i]) + ((size[0] + size[1]) + (size[2] + size[3]));
  return p->b[i] + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

/* How far y is from what its row allows at x: zero or positive. */
static double row_violation(double x, double y, double lo, double hi)
{
  if (lo == hi) {
    return 0.0;
  }
  if (x <= lo) {
    return y < 0.0 ? -y : 0.0;
  }
  if (x >= hi) {
    return y > 0.0 ? y : 0.0;
  }
  return fabs(y);
}

nsd_certificate nsd_certify(const nsd_lcp_problem *p, const double *x, double *y)
{
  nsd_certificate worst = {.residual = 0.0, .violation = 0.0, .row = -1};
  for (int i = 0; i < p->n; i++) {
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    double scale;
    const double value = row_value(p, i, x, &scale);
    double violation = row_violation(x[i], value, lo, hi);
    /* A violation is no larger than its scale, so the quotient is finite unless something overflowed. */
    double residual = violation > 0.0 ? violation / scale : 0.0;
    if (!(x[i] >= lo && x[i] <= hi) || !isfinite(x[i])) {
      violation = x[i] < lo ? lo - x[i] : x[i] - hi;
      residual = INFINITY;
    } else if (!isfinite(scale)) {
      residual = INFINITY;
    }
    if (residual > worst.residual) {
      worst = (nsd_certificate){.residual = residual, .violation = violation, .row = i};
    }
    if (y) {
      y[i] = x[i] > lo && x[i] < hi ? 0.0 : value;
    }
  }
  return worst;
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
