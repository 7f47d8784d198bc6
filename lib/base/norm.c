/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <math.h>

#include "base/dense.h"
#include "base/kernels/simd.h"

static const double *row(const double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

/* Zero, or NaN where an element of x is NaN or infinite. */
static double zero_if_finite(size_t n, const double *x)
{
  /* 0 · x is 0 for a finite x, NaN for all others. Two sums, as
   * the additions of one alone would wait for each other. */
  nsd_lanes even = nsd_lanes_all(0.0);
  nsd_lanes odd = even;
  size_t i = 0;
  for (; i + 2 * NSD_LANES <= n; i += 2 * NSD_LANES) {
    even += 0.0 * nsd_lanes_load(x + i);
    odd += 0.0 * nsd_lanes_load(x + i + NSD_LANES);
  }
  double rest = 0.0;
  for (; i < n; i++) {
    rest += 0.0 * x[i];
  }
  return rest + nsd_lanes_sum(even + odd);
}

static int has_nan(int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    if (isnan(x[i])) {
      return 1;
    }
  }
  return 0;
}

int nsd_all_finite(int rows, int cols, const double *A, int lda)
{
  if (lda == cols) {
    return zero_if_finite((size_t)rows * (size_t)cols, A) == 0.0;
  }
  double s = 0.0;
  for (int i = 0; i < rows && cols > 0; i++) { /* A may be NULL where it has no element */
    s += zero_if_finite((size_t)cols, row(A, lda, i));
  }
  return s == 0.0;
}

double nsd_dot(int n, const double *x, const double *y)
{
  return nsd_lanes_dot(n, x, y);
}

double nsd_norm_inf(int n, const double *x)
{
  if (zero_if_finite((size_t)n, x) != 0.0 && has_nan(n, x)) {
    return NAN;
  }
  return nsd_lanes_norm(n, x);
}

/* √Σ(f x_i)² / f for a power of two f that brings the squares where they neither overflow nor vanish. */
static double scaled_norm(int n, const double *x, double f)
{
  double s[4] = {0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < n; i++) {
    const double y = f * x[i];
    s[i % 4] += y * y;
  }
  return sqrt((s[0] + s[2]) + (s[1] + s[3])) / f;
}

double nsd_norm_2(int n, const double *x)
{
  /* The squares neither overflow nor vanish: the usual case. */
  const double square = nsd_lanes_dot(n, x, x);
  if (square > 0x1p-900 && square < DBL_MAX) {
    return sqrt(square);
  }
  /* NaN and infinity pass through the largest element; others are scaled by a power of two. */
  const double m = nsd_norm_inf(n, x);
  if (!(m > 0.0 && m <= DBL_MAX)) {
    return m;
  }
  return scaled_norm(n, x, m > 1.0 ? 0x1p-600 : 0x1p+600);
}

double nsd_matrix_norm_1(int rows, int cols, const double *A, int lda)
{
  double m = 0.0;
  for (int j = 0; j < cols; j++) {
    double s = 0.0;
    for (int i = 0; i < rows; i++) {
      s += fabs(row(A, lda, i)[j]);
    }
    /* A NaN stays, whatever follows. */
    m = s > m || isnan(s) ? s : m;
    if (isnan(m)) {
      return m;
    }
  }
  return m;
}

static double sum_of_magnitudes(int n, const double *x)
{
  double s[4] = {0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < n; i++) {
    s[i % 4] += fabs(x[i]);
  }
  return (s[0] + s[2]) + (s[1] + s[3]);
}

double nsd_matrix_norm_inf(int rows, int cols, const double *A, int lda)
{
  double m = 0.0;
  for (int i = 0; i < rows; i++) {
    const double s = sum_of_magnitudes(cols, row(A, lda, i));
    if (isnan(s)) {
      return s;
    }
    m = s > m ? s : m;
  }
  return m;
}

double nsd_matrix_norm_max(int rows, int cols, const double *A, int lda)
{
  double m = 0.0;
  for (int i = 0; i < rows; i++) {
    const double s = nsd_norm_inf(cols, row(A, lda, i));
    if (isnan(s)) {
      return s;
    }
    m = s > m ? s : m;
  }
  return m;
}
