/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/delassus.h"

#include "base/dense.h"

/* G_ij = x_i · x_j with X = W L⁻ᵀ, rows x_i: W M⁻¹ Wᵀ = (L⁻¹ Wᵀ)ᵀ (L⁻¹ Wᵀ) for M = L Lᵀ. */
void nsd_delassus_product(int rows, int nu, const double *X, int ldx, double *G, int ldg)
{
  for (int i = 0; i < rows; i++) {
    const double *x = X + (size_t)i * (size_t)ldx;
    for (int j = 0; j <= i; j++) {
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

/* The triangle only: what stands above it is nobody's. */
static int is_finite_triangle(int nu, const double *L, int ldl)
{
  int finite = 1;
  for (int i = 0; finite && i < nu; i++) {
    finite = nsd_all_finite(1, i + 1, L + (size_t)i * (size_t)ldl, ldl);
  }
  return finite;
}

static void clear(int rows, double *G, int ldg)
{
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      G[(size_t)i * (size_t)ldg + (size_t)j] = 0.0;
    }
  }
}

nsdyn_status nsdyn_contact_delassus(int rows, int nu, const double *W, int ldw, const double *L, int ldl,
                                    double *X, double *G, int ldg)
{
  if (rows < 0 || nu < 0 || ldw < nu || ldl < nu || ldg < rows) {
    return NSDYN_ERR_ARGUMENT;
  }
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
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < nu; j++) {
      X[(size_t)i * (size_t)nu + (size_t)j] = W[(size_t)i * (size_t)ldw + (size_t)j];
    }
  }
  if (!has_elements) {
    clear(rows, G, ldg);
    return NSDYN_OK;
  }
  nsd_cholesky_forward(nu, L, ldl, rows, X, nu);
  nsd_delassus_product(rows, nu, X, nu, G, ldg);
  return nsd_all_finite(rows, rows, G, ldg) ? NSDYN_OK : NSDYN_ERR_NOT_FINITE;
}
