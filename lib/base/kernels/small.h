/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* M = L Lᵀ, its two halves and dot products, written out for up to four unknowns, and the general ones for
 * more.
 *
 * Most models have up to four velocities; a step of theirs takes some hundred nanoseconds, of which loops of
 * unknown length would be a good part. What it buys: `small Cholesky + solve` of tests/bench/bench_dense.c,
 * written out against general, for a block of a body in space too. Matrices are n × n without gaps, r (n) is
 * 1 / l_ii. */
#ifndef NSD_BASE_KERNELS_SMALL_H
#define NSD_BASE_KERNELS_SMALL_H

#include <math.h>
#include <stddef.h>

#include "base/dense.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"

#define NSD_SMALL 4 /* the most unknowns that are written out */
#define NSD_BODY 6  /* and those of a body in space, as a diagonal block of M */

/* Whether the halves of M are the same to the bit; for any n. */
NSD_INLINE int nsd_is_mirrored(int n, const double *M)
{
  int is_other = 0;
  NSD_UNROLL(4)
  for (int i = 1; i < n; i++) {
    NSD_UNROLL(4)
    for (int j = 0; j < i; j++) {
      is_other |= M[(size_t)i * (size_t)n + (size_t)j] != M[(size_t)j * (size_t)n + (size_t)i];
    }
  }
  return !is_other;
}

NSD_INLINE int nsd_small_factor_of(int n, const double *M, double *L, double *r)
{
  NSD_UNROLL(4)
  for (int i = 0; i < n; i++) {
    NSD_UNROLL(4)
    for (int j = 0; j <= i; j++) {
      /* l_ij = (m_ij − Σ_{k<j} l_ik l_jk) / l_jj, and on the diagonal l_ii² = m_ii − Σ l_ik². */
      double s = M[i * n + j];
      NSD_UNROLL(4)
      for (int k = 0; k < j; k++) {
        s -= L[i * n + k] * L[j * n + k];
      }
      if (j < i) {
        L[i * n + j] = s * r[j];
      } else {
        if (!(s > NSD_PIVOT_SOUND * M[i * n + i] && s < NSD_NUMBERS_END)) {
          return 0;
        }
        L[i * n + i] = sqrt(s);
        r[i] = 1.0 / L[i * n + i];
      }
    }
  }
  return nsd_is_mirrored(n, M);
}

NSD_INLINE void nsd_small_forward_of(int n, const double *L, const double *r, double *x)
{
  /* L x = b from above. */
  NSD_UNROLL(4)
  for (int i = 0; i < n; i++) {
    double s = x[i];
    NSD_UNROLL(4)
    for (int j = 0; j < i; j++) {
      s -= L[i * n + j] * x[j];
    }
    x[i] = s * r[i];
  }
}

NSD_INLINE void nsd_small_backward_of(int n, const double *L, const double *r, double *x)
{
  /* Lᵀ x = b from below. */
  NSD_UNROLL(4)
  for (int i = n - 1; i >= 0; i--) {
    double s = x[i];
    NSD_UNROLL(4)
    for (int j = i + 1; j < n; j++) {
      s -= L[j * n + i] * x[j];
    }
    x[i] = s * r[i];
  }
}

/* M = L Lᵀ, n <= NSD_SMALL. 0 where a pivot is so small, or not finite, or the halves of M so different,
 * that a closer look is due. */
static inline int nsd_small_factor(int n, const double *M, double *L, double *r)
{
  switch (n) {
  case 1:
    return nsd_small_factor_of(1, M, L, r);
  case 2:
    return nsd_small_factor_of(2, M, L, r);
  case 3:
    return nsd_small_factor_of(3, M, L, r);
  case 4:
    return nsd_small_factor_of(4, M, L, r);
  default:
    return n == 0;
  }
}

/* x := L⁻¹ x, n <= NSD_SMALL. */
static inline void nsd_small_forward(int n, const double *L, const double *r, double *x)
{
  switch (n) {
  case 1:
    nsd_small_forward_of(1, L, r, x);
    break;
  case 2:
    nsd_small_forward_of(2, L, r, x);
    break;
  case 3:
    nsd_small_forward_of(3, L, r, x);
    break;
  case 4:
    nsd_small_forward_of(4, L, r, x);
    break;
  default:
    break;
  }
}

/* x := L⁻ᵀ x, n <= NSD_SMALL. */
static inline void nsd_small_backward(int n, const double *L, const double *r, double *x)
{
  switch (n) {
  case 1:
    nsd_small_backward_of(1, L, r, x);
    break;
  case 2:
    nsd_small_backward_of(2, L, r, x);
    break;
  case 3:
    nsd_small_backward_of(3, L, r, x);
    break;
  case 4:
    nsd_small_backward_of(4, L, r, x);
    break;
  default:
    break;
  }
}

/* The same of a diagonal block of M: of up to NSD_SMALL velocities, or NSD_BODY. */
static inline int nsd_block_is_small(int n)
{
  return n <= NSD_SMALL || n == NSD_BODY;
}
static inline int nsd_block_factor(int n, const double *M, double *L, double *r)
{
  return n == NSD_BODY ? nsd_small_factor_of(NSD_BODY, M, L, r) : nsd_small_factor(n, M, L, r);
}
static inline void nsd_block_forward(int n, const double *L, const double *r, double *x)
{
  if (n == NSD_BODY) {
    nsd_small_forward_of(NSD_BODY, L, r, x);
  } else {
    nsd_small_forward(n, L, r, x);
  }
}
static inline void nsd_block_backward(int n, const double *L, const double *r, double *x)
{
  if (n == NSD_BODY) {
    nsd_small_backward_of(NSD_BODY, L, r, x);
  } else {
    nsd_small_backward(n, L, r, x);
  }
}

/* Σ x_i y_i for any n. What is written out adds from left to right or in pairs, nsd_dot() in lanes: of three
 * numbers and more the two may differ in the last bit. */
static inline double nsd_small_dot(int n, const double *x, const double *y)
{
  switch (n) {
  case 0:
    return 0.0;
  case 1:
    return x[0] * y[0];
  case 2:
    return x[0] * y[0] + x[1] * y[1];
  case 3:
    return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2];
  case 4:
    return (x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3]);
  default:
    return nsd_dot(n, x, y);
  }
}

/* n is known where this is inlined. */
NSD_INLINE void nsd_small_dots_of(int rows, int n, const double *X, const double *y, double *sums)
{
  for (int r = 0; r < rows; r++) {
    sums[r] = nsd_small_dot(n, X + r * n, y);
  }
}

/* The same of each row of X (rows × n) with y. */
static inline void nsd_small_dots(int rows, int n, const double *X, const double *y, double *sums)
{
  switch (n) {
  case 1:
    nsd_small_dots_of(rows, 1, X, y, sums);
    break;
  case 2:
    nsd_small_dots_of(rows, 2, X, y, sums);
    break;
  case 3:
    nsd_small_dots_of(rows, 3, X, y, sums);
    break;
  case 4:
    nsd_small_dots_of(rows, 4, X, y, sums);
    break;
  default:
    nsd_multiply(rows, n, X, n, y, sums);
    break;
  }
}

#endif
