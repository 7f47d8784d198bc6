/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Vectors of four doubles that give the same bits on every processor, and the loops everything dense
 * is made of.
 *
 * Element by element, vectors of any length give the same bits; a sum does not, so nsd_lanes_dot
 * fixes its order as four interleaved partial sums. The four lanes are the compiler's own vectors: two
 * registers, or one where a function is built for AVX2. These functions are compiled into every file
 * that uses them, so a kernel written with them once is built once per instruction set:
 *
 *   NSD_INLINE void body(…) { … nsd_lanes_axpy(…) … }
 *   static void plain(…) { body(…); }
 *   NSD_TARGET_AVX2 static void avx2(…) { body(…); } */
#ifndef NSD_BASE_KERNELS_SIMD_H
#define NSD_BASE_KERNELS_SIMD_H

#include "base/kernels/cpu.h"

#define NSD_PRAGMA(text) _Pragma(#text)

/* Before a loop whose passes are independent; NSD_SIMD_SUM before one with a sum that does not depend on
 * its order, such as those that only ask whether a NaN came in. */
#define NSD_SIMD NSD_PRAGMA(omp simd)
/* NOLINTNEXTLINE(bugprone-macro-parentheses): s is a name, in a clause that takes no parentheses */
#define NSD_SIMD_SUM(s) NSD_PRAGMA(omp simd reduction(+ : s))
/* NOLINTNEXTLINE(bugprone-macro-parentheses): likewise */
#define NSD_SIMD_MAX(m) NSD_PRAGMA(omp simd reduction(max : m))

/* Before a loop: that many passes written out, also at -O2. */
#if defined(__clang__)
#define NSD_UNROLL(times) NSD_PRAGMA(unroll times)
#else
#define NSD_UNROLL(times) NSD_PRAGMA(GCC unroll times)
#endif

#define NSD_INLINE static inline __attribute__((always_inline))

/* For what takes or returns vectors: plain and AVX2 code pass these in different places, so it is inlined
 * even where a build for coverage defines always_inline away. */
#define NSD_INLINE_LANES static inline __attribute__((__always_inline__))

#define NSD_LANES 4

/* Four (two) doubles in a row, anywhere in memory. */
typedef double nsd_lanes __attribute__((vector_size(NSD_LANES * sizeof(double)), aligned(8), may_alias));
typedef double nsd_lanes_2 __attribute__((vector_size(16), aligned(8), may_alias));

/* Their bits; a mask is 0 or −1 in each lane. */
typedef long long nsd_lanes_bits __attribute__((vector_size(NSD_LANES * sizeof(double))));

/* Lanes i, j, k, l of a and, counted from 4, of b; two lanes and two more; two lanes and any two more. GCC
 * knows Clang's name for it from 12 on. */
#if defined(__clang__) || (__GNUC__ >= 12 && !defined(NSD_OLD_SHUFFLE))
#define NSD_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#define NSD_JOIN(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3)
#define NSD_WIDEN(low) __builtin_shufflevector(low, low, 0, 1, -1, -1)
#else
#define NSD_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (nsd_lanes_bits){i, j, k, l})
#define NSD_JOIN(low, high) ((nsd_lanes){(low)[0], (low)[1], (high)[0], (high)[1]})
#define NSD_WIDEN(low) ((nsd_lanes){(low)[0], (low)[1], 0.0, 0.0})
#endif

/* The larger one, the smaller one; b where either is NaN. */
NSD_INLINE double nsd_larger(double a, double b)
{
  return a > b ? a : b;
}

NSD_INLINE double nsd_smaller(double a, double b)
{
  return a < b ? a : b;
}

NSD_INLINE_LANES nsd_lanes nsd_lanes_load(const double *from)
{
  return *(const nsd_lanes *)from;
}

NSD_INLINE_LANES void nsd_lanes_store(double *to, nsd_lanes v)
{
  *(nsd_lanes *)to = v;
}

NSD_INLINE_LANES nsd_lanes nsd_lanes_all(double x)
{
  return (nsd_lanes){x, x, x, x};
}

NSD_INLINE_LANES nsd_lanes_bits nsd_lanes_bits_all(long long x)
{
  return (nsd_lanes_bits){x, x, x, x};
}

/* mask ? a : b, lane by lane. */
NSD_INLINE_LANES nsd_lanes nsd_lanes_choose(nsd_lanes_bits mask, nsd_lanes a, nsd_lanes b)
{
  return (nsd_lanes)((mask & (nsd_lanes_bits)a) | (~mask & (nsd_lanes_bits)b));
}

/* The lane of element `index`, for the lanes of elements first … first + 3. */
NSD_INLINE_LANES nsd_lanes_bits nsd_lanes_at(int first, int index)
{
  const nsd_lanes_bits lanes = {first, first + 1LL, first + 2LL, first + 3LL};
  const nsd_lanes_bits all = {index, index, index, index};
  return (nsd_lanes_bits)(lanes == all);
}

NSD_INLINE_LANES nsd_lanes nsd_lanes_abs(nsd_lanes a)
{
  return (nsd_lanes)((nsd_lanes_bits)a & 0x7fffffffffffffff);
}

/* Lane by lane the larger, the smaller one; b where they are equal or one is NaN. */
NSD_INLINE_LANES nsd_lanes nsd_lanes_max(nsd_lanes a, nsd_lanes b)
{
  return nsd_lanes_choose((nsd_lanes_bits)(a > b), a, b);
}

NSD_INLINE_LANES nsd_lanes nsd_lanes_min(nsd_lanes a, nsd_lanes b)
{
  return nsd_lanes_choose((nsd_lanes_bits)(a < b), a, b);
}

/* Of the four. Sums have this order everywhere. */
NSD_INLINE_LANES double nsd_lanes_sum(nsd_lanes a)
{
  return (a[0] + a[2]) + (a[1] + a[3]);
}

NSD_INLINE_LANES double nsd_lanes_largest(nsd_lanes a)
{
  return nsd_larger(nsd_larger(a[0], a[2]), nsd_larger(a[1], a[3]));
}

NSD_INLINE_LANES double nsd_lanes_smallest(nsd_lanes a)
{
  return nsd_smaller(nsd_smaller(a[0], a[2]), nsd_smaller(a[1], a[3]));
}

/* The largest |x_i|; a NaN is passed over. */
NSD_INLINE double nsd_lanes_norm(int n, const double *x)
{
  nsd_lanes m = nsd_lanes_all(0.0);
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    m = nsd_lanes_max(nsd_lanes_abs(nsd_lanes_load(x + i)), m);
  }
  double rest = 0.0;
  for (; i < n; i++) {
    rest = nsd_larger(x[i] < 0.0 ? -x[i] : x[i], rest);
  }
  return nsd_larger(nsd_lanes_largest(m), rest);
}

/* y := y + a x */
NSD_INLINE void nsd_lanes_axpy(int n, double a, const double *restrict x, double *restrict y)
{
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    *(nsd_lanes *)(y + i) += a * *(const nsd_lanes *)(x + i);
  }
  if (n & 2) {
    *(nsd_lanes_2 *)(y + i) += a * *(const nsd_lanes_2 *)(x + i);
    i += 2;
  }
  if (n & 1) {
    y[i] += a * x[i];
  }
}

/* z := x + a y; z may be one of them. Two at a time: it is for few. */
NSD_INLINE void nsd_lanes_combine(int n, const double *x, double a, const double *y, double *z)
{
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    *(nsd_lanes_2 *)(z + i) = *(const nsd_lanes_2 *)(x + i) + a * *(const nsd_lanes_2 *)(y + i);
  }
  if (n & 1) {
    z[i] = x[i] + a * y[i];
  }
}

/* Zero, or NaN where an element is NaN or infinite. */
NSD_INLINE double nsd_lanes_zero(int n, const double *x)
{
  nsd_lanes_2 zero = {0.0, 0.0};
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    zero += 0.0 * *(const nsd_lanes_2 *)(x + i);
  }
  if (n & 1) {
    zero[0] += 0.0 * x[i];
  }
  return zero[0] + zero[1];
}

/* The same where all are smaller than NSD_NUMBERS_END = 2^255 (base/tolerances.h): larger ones overflow. */
#define NSD_NUMBERS_SCALE 0x1p769
NSD_INLINE double nsd_lanes_bounded(int n, const double *x)
{
  nsd_lanes_2 zero = {0.0, 0.0};
  int i = 0;
  for (; i + 2 <= n; i += 2) {
    zero += 0.0 * (NSD_NUMBERS_SCALE * *(const nsd_lanes_2 *)(x + i));
  }
  if (n & 1) {
    zero[0] += 0.0 * (NSD_NUMBERS_SCALE * x[i]);
  }
  return zero[0] + zero[1];
}

/* What remains of a sum in four lanes from element i on, and the sum of all. */
NSD_INLINE_LANES double nsd_lanes_dot_end(nsd_lanes s, int i, int n, const double *x, const double *y)
{
  nsd_lanes_2 low = {s[0], s[1]}, high = {s[2], s[3]};
  if (n & 2) {
    low += *(const nsd_lanes_2 *)(x + i) * *(const nsd_lanes_2 *)(y + i);
    if (n & 1) {
      high[0] += x[i + 2] * y[i + 2];
    }
  } else if (n & 1) {
    low[0] += x[i] * y[i];
  }
  low += high;
  return low[0] + low[1];
}

/* The sum of x_i y_i over i = l, l + 4, l + 8, … for l = 0 … 3, then (s_0 + s_2) + (s_1 + s_3). */
NSD_INLINE double nsd_lanes_dot(int n, const double *x, const double *y)
{
  nsd_lanes s = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s += *(const nsd_lanes *)(x + i) * *(const nsd_lanes *)(y + i);
  }
  return nsd_lanes_dot_end(s, i, n, x, y);
}

/* The same of x and four rows y, all at once. */
NSD_INLINE void nsd_lanes_dot_four(int n, const double *x, const double *y, int ldy, double *sums)
{
  const double *y0 = y, *y1 = y0 + ldy, *y2 = y1 + ldy, *y3 = y2 + ldy;
  nsd_lanes s0 = {0.0, 0.0, 0.0, 0.0}, s1 = s0, s2 = s0, s3 = s0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const nsd_lanes z = *(const nsd_lanes *)(x + i);
    s0 += z * *(const nsd_lanes *)(y0 + i);
    s1 += z * *(const nsd_lanes *)(y1 + i);
    s2 += z * *(const nsd_lanes *)(y2 + i);
    s3 += z * *(const nsd_lanes *)(y3 + i);
  }
  sums[0] = nsd_lanes_dot_end(s0, i, n, x, y0);
  sums[1] = nsd_lanes_dot_end(s1, i, n, x, y1);
  sums[2] = nsd_lanes_dot_end(s2, i, n, x, y2);
  sums[3] = nsd_lanes_dot_end(s3, i, n, x, y3);
}

/* y_i −= Σ a_ij x_j for four rows i of a, each sum in four lanes, what remains of a row after it. */
NSD_INLINE void nsd_lanes_subtract_four(int n, const double *a, int lda, const double *x, double *y)
{
  const double *a0 = a, *a1 = a0 + lda, *a2 = a1 + lda, *a3 = a2 + lda;
  nsd_lanes s0 = {0.0, 0.0, 0.0, 0.0}, s1 = s0, s2 = s0, s3 = s0;
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    const nsd_lanes z = *(const nsd_lanes *)(x + j);
    s0 += *(const nsd_lanes *)(a0 + j) * z;
    s1 += *(const nsd_lanes *)(a1 + j) * z;
    s2 += *(const nsd_lanes *)(a2 + j) * z;
    s3 += *(const nsd_lanes *)(a3 + j) * z;
  }
  if (j > 0) {
    y[0] -= nsd_lanes_sum(s0);
    y[1] -= nsd_lanes_sum(s1);
    y[2] -= nsd_lanes_sum(s2);
    y[3] -= nsd_lanes_sum(s3);
  }
  for (; j < n; j++) {
    y[0] -= a0[j] * x[j];
    y[1] -= a1[j] * x[j];
    y[2] -= a2[j] * x[j];
    y[3] -= a3[j] * x[j];
  }
}

/* s / u, by a reciprocal that need not wait for s, but for a u whose reciprocal is out of range. */
NSD_INLINE double nsd_divide(double s, double u)
{
  const double size = u < 0.0 ? -u : u;
  return size >= 0x1p-1000 && size <= 0x1p+1000 ? s * (1.0 / u) : s / u;
}

#endif
