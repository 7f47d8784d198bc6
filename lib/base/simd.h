/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Loops the compiler shall vectorize, and the two loops everything dense is made of.
 *
 * NSD_SIMD before a loop says that its passes are independent: vectors of any length then give the
 * same bits. A sum is not of that kind; nsd_lanes_dot fixes its order as four interleaved partial
 * sums, which vectors of two or four can follow. NSD_SIMD_SUM is for sums that do not depend on an
 * order, such as those that only ask whether a NaN came in. */
#ifndef NSD_BASE_SIMD_H
#define NSD_BASE_SIMD_H

#define NSD_PRAGMA(text) _Pragma(#text)
#define NSD_SIMD NSD_PRAGMA(omp simd)
/* NOLINTNEXTLINE(bugprone-macro-parentheses): s is a name, in a clause that takes no parentheses */
#define NSD_SIMD_SUM(s) NSD_PRAGMA(omp simd reduction(+ : s))

/* A body that is compiled once per instruction set, into each function that names it. */
#define NSD_INLINE static inline __attribute__((always_inline))

/* y := y + a x */
NSD_INLINE void nsd_lanes_axpy(int n, double a, const double *restrict x, double *restrict y)
{
  NSD_SIMD
  for (int i = 0; i < n; i++) {
    y[i] += a * x[i];
  }
}

/* The sum of x_i y_i over i = l, l + 4, l + 8, … for l = 0 … 3, then (s_0 + s_2) + (s_1 + s_3). */
NSD_INLINE double nsd_lanes_dot(int n, const double *x, const double *y)
{
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += x[i] * y[i];
    s1 += x[i + 1] * y[i + 1];
    s2 += x[i + 2] * y[i + 2];
    s3 += x[i + 3] * y[i + 3];
  }
  if (i < n) {
    s0 += x[i] * y[i];
  }
  if (i + 1 < n) {
    s1 += x[i + 1] * y[i + 1];
  }
  if (i + 2 < n) {
    s2 += x[i + 2] * y[i + 2];
  }
  return (s0 + s2) + (s1 + s3);
}

#endif
