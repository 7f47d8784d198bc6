/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Vectors and matrices of space: double[3], and double[9] by rows. An output may be one of the inputs.
 * Only the functions that return a status check what they are given. */
#ifndef NSD_BASE_VEC3_H
#define NSD_BASE_VEC3_H

#include <float.h>
#include <math.h>

#include "nsdyn/base.h"

static inline void nsd_vec3_set(double x, double y, double z, double out[3])
{
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

static inline double nsd_vec3_dot(const double a[3], const double b[3])
{
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void nsd_vec3_cross(const double a[3], const double b[3], double out[3])
{
  nsd_vec3_set(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], out);
}

static inline void nsd_vec3_scale(double s, const double a[3], double out[3])
{
  nsd_vec3_set(s * a[0], s * a[1], s * a[2], out);
}

/* out := a + s b */
static inline void nsd_vec3_add_scaled(const double a[3], double s, const double b[3], double out[3])
{
  nsd_vec3_set(a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2], out);
}

/* ‖a‖, without overflow or underflow on the way; NaN where there is one. */
static inline double nsd_vec3_norm(const double a[3])
{
  const double square = nsd_vec3_dot(a, a);
  if (square > 0x1p-900 && square <= DBL_MAX) {
    return sqrt(square);
  }
  const double largest = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
  if (largest == 0.0 || isnan(square) || largest > DBL_MAX) {
    return isnan(square) ? square : largest;
  }
  const double unit = largest > 1.0 ? 0x1p-600 : 0x1p+600;
  double scaled[3];
  nsd_vec3_scale(unit, a, scaled);
  return sqrt(nsd_vec3_dot(scaled, scaled)) / unit;
}

/* Non-zero where all `count` numbers are finite. */
static inline int nsd_vec3_is_finite(int count, const double *a)
{
  double s = 0.0;
  for (int i = 0; i < count; i++) {
    s += 0.0 * a[i];
  }
  return s == 0.0;
}

/* out := A x */
static inline void nsd_mat3_multiply(const double A[9], const double x[3], double out[3])
{
  nsd_vec3_set(nsd_vec3_dot(A, x), nsd_vec3_dot(A + 3, x), nsd_vec3_dot(A + 6, x), out);
}

/* out := A^T x */
static inline void nsd_mat3_multiply_transposed(const double A[9], const double x[3], double out[3])
{
  nsd_vec3_set((A[0] * x[0] + A[3] * x[1]) + A[6] * x[2], (A[1] * x[0] + A[4] * x[1]) + A[7] * x[2],
               (A[2] * x[0] + A[5] * x[1]) + A[8] * x[2], out);
}

static inline void nsd_mat3_copy(const double A[9], double out[9])
{
  for (int i = 0; i < 9; i++) {
    out[i] = A[i];
  }
}

static inline void nsd_mat3_transpose(const double A[9], double out[9])
{
  const double T[9] = {A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]};
  nsd_mat3_copy(T, out);
}

/* out := A B, row by row: row i is B^T applied to row i of A. */
static inline void nsd_mat3_product(const double A[9], const double B[9], double out[9])
{
  double C[9];
  for (int i = 0; i < 9; i += 3) {
    nsd_mat3_multiply_transposed(B, A + i, C + i);
  }
  nsd_mat3_copy(C, out);
}

static inline double nsd_mat3_determinant(const double A[9])
{
  double across[3];
  nsd_vec3_cross(A + 3, A + 6, across);
  return nsd_vec3_dot(A, across);
}

/* The six products of the determinant, all taken as positive: what its rounding errors are a fraction of. */
static inline double nsd_mat3_permanent(const double A[9])
{
  const double x = fabs(A[0]) * (fabs(A[4] * A[8]) + fabs(A[5] * A[7]));
  const double y = fabs(A[1]) * (fabs(A[5] * A[6]) + fabs(A[3] * A[8]));
  const double z = fabs(A[2]) * (fabs(A[3] * A[7]) + fabs(A[4] * A[6]));
  return (x + y) + z;
}

enum { nsd_mat3_nothing = -10000 }; /* exponent of zero, below any sum of three that are numbers */

/* e with 2^(e-1) <= |a| < 2^e */
static inline int nsd_mat3_exponent(double a)
{
  int e;
  frexp(a, &e);
  return a == 0.0 ? nsd_mat3_nothing : e;
}

/* The columns p of rows 0, 1, 2 with the largest product of elements 2^x. */
static inline void nsd_mat3_heaviest(const int x[9], int p[3])
{
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  int best = 0, heaviest = 0;
  for (int k = 0; k < 6; k++) {
    const int weight = x[orders[k][0]] + x[3 + orders[k][1]] + x[6 + orders[k][2]];
    if (k == 0 || weight > heaviest) {
      best = k;
      heaviest = weight;
    }
  }
  for (int i = 0; i < 3; i++) {
    p[i] = orders[best][i];
  }
}

/* S_ij := 2^(-d_i - e_j) A_ij, of which none reaches 1, while those of one product of the determinant are
 * at least 1/2 (Duff & Koster 2001: d and e are the dual of the assignment problem). So the determinant
 * of S is rounding noise or far from underflow, in whatever units A is; what underflows in S is rounding
 * noise too. Where all products are zero, they stay zero. */
static inline void nsd_mat3_equilibrate(const double A[9], double S[9], int d[3], int e[3])
{
  int x[9], p[3];
  for (int i = 0; i < 9; i++) {
    x[i] = nsd_mat3_exponent(A[i]);
  }
  nsd_mat3_heaviest(x, p);
  d[0] = d[1] = d[2] = 0;
  for (int round = 0; round < 2; round++) { /* d_i >= d_k + x_ip(k) - x_kp(k): longest paths, 2 edges */
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) {
        const int least = d[k] + x[3 * i + p[k]] - x[3 * k + p[k]];
        d[i] = d[i] > least ? d[i] : least;
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    e[p[i]] = x[3 * i + p[i]] - d[i];
  }
  for (int i = 0; i < 9; i++) {
    S[i] = ldexp(A[i], -d[i / 3] - e[i % 3]);
  }
}

/* out := A^-1 by cofactors. NSDYN_ERR_SINGULAR where the determinant is zero or rounding noise of its six
 * products, in any units of rows and columns; NSDYN_ERR_NOT_FINITE also where the inverse overflows.
 * After an error `out` is as before. */
static inline nsdyn_status nsd_mat3_inverse(const double A[9], double out[9])
{
  double S[9], C[9];
  int d[3], e[3];
  if (!nsd_vec3_is_finite(9, A)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  nsd_mat3_equilibrate(A, S, d, e);
  const double determinant = nsd_mat3_determinant(S);
  if (fabs(determinant) <= 16.0 * DBL_EPSILON * nsd_mat3_permanent(S)) {
    return NSDYN_ERR_SINGULAR;
  }
  nsd_vec3_cross(S + 3, S + 6, C);
  nsd_vec3_cross(S + 6, S, C + 3);
  nsd_vec3_cross(S, S + 3, C + 6);
  for (int i = 0; i < 3; i++) { /* A^-1 = 2^-e S^-1 2^-d, and C holds the columns of det(S) S^-1 */
    for (int j = 0; j < 3; j++) {
      S[3 * i + j] = ldexp(C[3 * j + i] / determinant, -d[j] - e[i]);
    }
  }
  if (!nsd_vec3_is_finite(9, S)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  nsd_mat3_copy(S, out);
  return NSDYN_OK;
}

/* Solves A x = b, A symmetric, its lower triangle read; one step of refinement. Status as for the inverse. */
static inline nsdyn_status nsd_mat3_solve_symmetric(const double A[9], const double b[3], double out[3])
{
  const double S[9] = {A[0], A[3], A[6], A[3], A[4], A[7], A[6], A[7], A[8]};
  double inverse[9], x[3], r[3];
  const nsdyn_status status = nsd_mat3_inverse(S, inverse);
  if (status != NSDYN_OK) {
    return status;
  }
  nsd_mat3_multiply(inverse, b, x);
  if (!nsd_vec3_is_finite(3, x)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  nsd_mat3_multiply(S, x, r);
  nsd_vec3_add_scaled(b, -1.0, r, r);
  nsd_mat3_multiply(inverse, r, r);
  nsd_vec3_add_scaled(x, 1.0, r, r);
  nsd_vec3_scale(1.0, nsd_vec3_is_finite(3, r) ? r : x, out); /* near the end of the range A x may overflow */
  return NSDYN_OK;
}

#endif
