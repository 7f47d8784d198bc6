/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Vectors of four doubles that give the same bits on every processor, and the loops everything dense
 * is made of.
 *
 * Element by element, vectors of any length give the same bits; a sum does not, so nsd_lanes_dot
 * fixes its order as four interleaved partial sums. The four lanes are the compiler's own vectors: two
 * registers, or one where a function is built for AVX2. These functions are compiled into whoever uses
 * them, so a kernel written with them once is built once per instruction set:
 *
 *   NSD_INLINE void body(…) { … nsd_lanes_axpy(…) … }
 *   static void plain(…) { body(…); }
 *   NSD_TARGET_AVX2 static void avx2(…) { body(…); } */
#ifndef NSD_BASE_SIMD_H
#define NSD_BASE_SIMD_H

#define NSD_PRAGMA(text) _Pragma(#text)

/* Before a loop whose passes are independent; NSD_SIMD_SUM before one with a sum that does not depend on
 * its order, such as those that only ask whether a NaN came in. */
#define NSD_SIMD NSD_PRAGMA(omp simd)
/* NOLINTNEXTLINE(bugprone-macro-parentheses): s is a name, in a clause that takes no parentheses */
#define NSD_SIMD_SUM(s) NSD_PRAGMA(omp simd reduction(+ : s))

/* Before a loop of few passes whose number is known: written out. */
#define NSD_UNROLL NSD_PRAGMA(GCC unroll 8)

#define NSD_INLINE static inline __attribute__((always_inline))

/* Four (two) doubles in a row, anywhere in memory. */
typedef double nsd_lanes __attribute__((vector_size(32), aligned(8), may_alias));
typedef double nsd_lanes_2 __attribute__((vector_size(16), aligned(8), may_alias));

typedef long long nsd_lanes_bits __attribute__((vector_size(32)));

/* The larger one; b where either is NaN. */
NSD_INLINE double nsd_larger(double a, double b)
{
  return a > b ? a : b;
}

/* The largest |x_i|; a NaN is passed over. */
NSD_INLINE double nsd_lanes_largest(int n, const double *x)
{
  nsd_lanes m = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const nsd_lanes_bits a = (nsd_lanes_bits) * (const nsd_lanes *)(x + i) & 0x7fffffffffffffff;
    const nsd_lanes_bits wins = (nsd_lanes)a > m;
    m = (nsd_lanes)((a & wins) | ((nsd_lanes_bits)m & ~wins));
  }
  double rest = 0.0;
  for (; i < n; i++) {
    rest = nsd_larger(x[i] < 0.0 ? -x[i] : x[i], rest);
  }
  return nsd_larger(nsd_larger(nsd_larger(m[0], m[2]), nsd_larger(m[1], m[3])), rest);
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

/* The sum of x_i y_i over i = l, l + 4, l + 8, … for l = 0 … 3, then (s_0 + s_2) + (s_1 + s_3). */
NSD_INLINE double nsd_lanes_dot(int n, const double *x, const double *y)
{
  nsd_lanes s = {0.0, 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s += *(const nsd_lanes *)(x + i) * *(const nsd_lanes *)(y + i);
  }
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
    y[0] -= (s0[0] + s0[2]) + (s0[1] + s0[3]);
    y[1] -= (s1[0] + s1[2]) + (s1[1] + s1[3]);
    y[2] -= (s2[0] + s2[2]) + (s2[1] + s2[3]);
    y[3] -= (s3[0] + s3[2]) + (s3[1] + s3[3]);
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
