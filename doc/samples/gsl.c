/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/gsl.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A friction curve from measured points, asked at a speed between them and at one beyond the last. */
int main(void)
{
  const double speeds[] = {0.0, 0.1, 0.5, 1.0};
  const double coefficients[] = {0.60, 0.45, 0.35, 0.30};
  double mu = 0.0;

  nsdyn_gsl_friction curve = {gsl_spline_alloc(gsl_interp_steffen, 4), gsl_interp_accel_alloc()};
  gsl_spline_init(curve.spline, speeds, coefficients, 4);
  int stopped = nsdyn_gsl_friction_mu(&curve, 0.3, &mu);
  printf("mu(0.3) = %.3f, returned %d\n", mu, stopped);
  stopped = nsdyn_gsl_friction_mu(&curve, 25.0, &mu);
  printf("mu(25)  = %.3f, returned %d\n", mu, stopped);

  gsl_spline_free(curve.spline);
  gsl_interp_accel_free(curve.accel);
  return 0;
}
