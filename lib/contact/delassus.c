/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/delassus.h"

#include <math.h>

#include "base/context.h"
#include "base/dense.h"
#include "base/sized.h"

/* G_ij = x_i · x_j with X = W L⁻ᵀ, rows x_i: W M⁻¹ Wᵀ = (L⁻¹ Wᵀ)ᵀ (L⁻¹ Wᵀ) for M = L Lᵀ. */
void nsd_delassus_product(int rows, int nu, const double *X, int ldx, double *G, int ldg)
{
  for (int i = 0; i < rows; i++) {
    const double *x = X + (size_t)i * (size_t)ldx;
    for (int j = 0; j <= i; j++) {
      /* One triangle is computed, so that G is symmetric to the bit. */
      const double g = nsd_dot(nu, x, X + (size_t)j * (size_t)ldx);
      G[(size_t)i * (size_t)ldg + (size_t)j] = g;
      G[(size_t)j * (size_t)ldg + (size_t)i] = g;
    }
  }
}

static int is_factor(int nu, const double *L, int ldl)
{
  for (int i = 0; i < nu; i++) {
    if (!(L[(size_t)i * (size_t)ldl + (size_t)i] > 0.0)) {
      return 0;
    }
  }
  return 1;
}

/* The triangle only: what stands above the diagonal is not read. */
static int is_finite_triangle(int nu, const double *L, int ldl)
{
  int finite = 1;
  for (int i = 0; finite && i < nu; i++) {
    finite = nsd_all_finite(1, i + 1, L + (size_t)i * (size_t)ldl, ldl);
  }
  return finite;
}

#define SURELY_FINITE                                                                                        \
  0x1p1000 /* sums of numbers below it that bounds of rounding do not lift over the edge */

/* Whether no number on the way to X and G can overflow, judged by bounds alone: with m_k >= |x_ij| of all
 * rows i and j <= k, |x_ik| <= (max_i |w_ik| + Σ_j |l_kj| m_(k−1)) / l_kk. Costs one row's part of the work.
 */
static int cannot_overflow(int rows, int nu, const double *W, int ldw, const double *L, int ldl)
{
  double most = 0.0;
  for (int k = 0; k < nu; k++) {
    const double *l = L + (size_t)k * (size_t)ldl;
    double w = 0.0, sum = 0.0;
    for (int i = 0; i < rows; i++) {
      w = fmax(w, fabs(W[(size_t)i * (size_t)ldw + (size_t)k]));
    }
    for (int j = 0; j < k; j++) {
      sum += fabs(l[j]);
    }
    /* x_ik = (w_ik − Σ_j l_kj x_ij) / l_kk, bounded for all rows i at once. */
    const double before = w + sum * most;
    const double x = before / l[k];
    if (!(before <= SURELY_FINITE && x <= SURELY_FINITE && l[k] >= 1.0 / SURELY_FINITE)) {
      return 0;
    }
    most = fmax(most, x);
  }
  /* G_ij = Σ_k x_ik x_jk, nu terms of at most most². */
  return nu * most * most <= SURELY_FINITE;
}

/* Whether no row that is not zero has a zero on the diagonal of G: x_ik = w_ik / l_kk at its first element
 * that is not zero, and G_ii >= x_ik². */
static int cannot_underflow(int rows, int nu, const double *W, int ldw, const double *L, int ldl)
{
  for (int i = 0; i < rows; i++) {
    const double *w = W + (size_t)i * (size_t)ldw;
    int k = 0;
    while (k < nu && w[k] == 0.0) {
      k++;
    }
    /* √ of the smallest double is about 2^-537: x² of what is larger does not vanish. */
    if (k < nu && !(fabs(w[k]) / L[(size_t)k * (size_t)ldl + (size_t)k] >= 0x1p-500)) {
      return 0;
    }
  }
  return 1;
}

static int is_zero(int n, const double *x)
{
  int any = 0;
  for (int j = 0; j < n; j++) {
    any |= x[j] != 0.0;
  }
  return !any;
}

static void copy_directions(int rows, int nu, const double *W, int ldw, double *X)
{
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < nu; j++) {
      X[(size_t)i * (size_t)nu + (size_t)j] = W[(size_t)i * (size_t)ldw + (size_t)j];
    }
  }
}

/* The same work on the side, for numbers so large or small that bounds cannot tell: X and G, which may be the
 * only copy of W, stay as they are where it overflows, or where a row that is not zero vanishes in G. A
 * function without an object has the C library's memory. */
static nsdyn_status try_aside(int rows, int nu, const double *W, int ldw, const double *L, int ldl)
{
  double *X = nsd_allocate(NULL, (size_t)rows, (size_t)nu * sizeof *X);
  if (!X) {
    return NSDYN_ERR_NOMEM;
  }
  copy_directions(rows, nu, W, ldw, X);
  nsd_cholesky_forward(nu, L, ldl, rows, X, nu);
  /* Looked for: an element of G that overflows, and a row other than zero whose G_ii vanishes. */
  int finite = nsd_all_finite(rows, nu, X, nu), vanishes = 0;
  for (int i = 0; finite && i < rows; i++) {
    const double *x = X + (size_t)i * (size_t)nu;
    for (int j = 0; finite && j <= i; j++) {
      finite = isfinite(nsd_dot(nu, x, X + (size_t)j * (size_t)nu)) != 0;
    }
    vanishes |= nsd_dot(nu, x, x) == 0.0 && !is_zero(nu, W + (size_t)i * (size_t)ldw);
  }
  nsd_release(NULL, X, (size_t)rows, (size_t)nu * sizeof *X);
  return !finite ? NSDYN_ERR_NOT_FINITE : vanishes ? NSDYN_ERR_ARGUMENT : NSDYN_OK;
}

static nsdyn_status multiply(int rows, int nu, const double *W, int ldw, const double *L, int ldl, double *X,
                             double *G, int ldg)
{
  /* Stage 1. Check arguments and numbers. */
  const int has_elements = rows > 0 && nu > 0;
  if ((has_elements && (!W || !X)) || (nu > 0 && !L) || (rows > 0 && !G)) {
    return NSDYN_ERR_ARGUMENT;
  }
  if ((has_elements && !nsd_all_finite(rows, nu, W, ldw)) || !is_finite_triangle(nu, L, ldl)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  if (!is_factor(nu, L, ldl)) {
    return NSDYN_ERR_ARGUMENT;
  }
  /* Without velocities, or without rows: G is zero. */
  if (!has_elements) {
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < rows; j++) {
        G[(size_t)i * (size_t)ldg + (size_t)j] = 0.0;
      }
    }
    return NSDYN_OK;
  }
  /* Stage 2. Large or small numbers are tried aside, since X and G may be the caller's only copy of W. */
  if (!cannot_overflow(rows, nu, W, ldw, L, ldl) || !cannot_underflow(rows, nu, W, ldw, L, ldl)) {
    const nsdyn_status status = try_aside(rows, nu, W, ldw, L, ldl);
    if (status) {
      return status;
    }
  }
  /* Stage 3. X = W L⁻ᵀ row by row, G = X Xᵀ. */
  copy_directions(rows, nu, W, ldw, X);
  nsd_cholesky_forward(nu, L, ldl, rows, X, nu);
  nsd_delassus_product(rows, nu, X, nu, G, ldg);
  return NSDYN_OK;
}

nsdyn_status nsdyn_contact_delassus(int32_t rows, int32_t nu, const double *W, int64_t ldw, const double *L,
                                    int64_t ldl, double *X, double *G, int64_t ldg)
{
  nsdyn_status status = nsd_stride_check(rows, nu, ldw);
  status = status ? status : nsd_stride_check(nu, nu, ldl);
  status = status ? status : nsd_stride_check(rows, rows, ldg);
  return status ? status : multiply(rows, nu, W, (int)ldw, L, (int)ldl, X, G, (int)ldg);
}
