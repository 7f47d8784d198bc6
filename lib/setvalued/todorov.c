/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Todorov's map (Mylapilli & Jain 2017, eqs. 49, 50 and 59): F_T of eq. 50 is −prox of the disk of radius μ
 * F_N at z_T, and ν = (z + F)/ρ. */
#include "nsdyn/setvalued.h"
#include "setvalued/residual.h"

/* Eq. 59: with the radius r = μ F_N, F_T = −prox_r(z_T), ∂prox/∂r = (prox − D z_T)/r, which is z_T/‖z_T‖
 * outside of the disk and 0 inside. */
static void derivative(double mu, double r, const double *z, const double *F, double *dF)
{
  for (int i = 0; i < 9; i++) {
    dF[i] = 0.0;
  }
  if (!(z[0] < 0.0)) {
    return; /* open: F = 0 on this side */
  }
  double D[4];
  nsdyn_disk_prox_derivative(r, &z[1], D);
  dF[0] = -1.0;
  dF[4] = -D[0];
  dF[5] = dF[7] = -D[1];
  dF[8] = -D[3];
  const int slides = F[1] != -z[1] || F[2] != -z[2];
  const double s = nsd_safe_scale(z[1], z[2]);
  const double norm = nsd_norm_plane(z[1] * s, z[2] * s);
  for (int i = 1; i < 3 && slides; i++) {
    dF[3 * i] = nsd_saturate(mu * (z[i] * s / norm)); /* −∂prox/∂r μ ∂F_N/∂z_N */
  }
}

void nsdyn_todorov(double mu, double rho, const double *z, double *F, double *nu, double *dF)
{
  const double at[3] = {z[0], z[1], z[2]};
  const int wrong =
      !(mu >= 0.0 && mu <= DBL_MAX) || !(rho > 0.0 && rho <= DBL_MAX) || !nsd_vector_is_finite(3, at);
  for (int i = 0; i < 9 && wrong; i++) {
    F[i / 3] = NAN;
    if (nu) {
      nu[i / 3] = NAN;
    }
    if (dF) {
      dF[i] = NAN;
    }
  }
  if (wrong) {
    return;
  }
  F[0] = at[0] < 0.0 ? -at[0] : 0.0;
  const double r = nsd_saturate(mu * F[0]);
  nsdyn_disk_prox(r, &at[1], &F[1]);
  F[1] = 0.0 - F[1];
  F[2] = 0.0 - F[2];
  for (int i = 0; i < 3 && nu; i++) {
    nu[i] = nsd_shared(at[i] + F[i], rho);
  }
  if (dF) {
    derivative(mu, r, at, F, dF);
  }
}
