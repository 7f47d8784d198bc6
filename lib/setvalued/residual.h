/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the residuals ‖x − prox(x + ρy)‖ of sets in plane and space share. All is positively homogeneous: with
 * x, ρy and the set's size times t, the residual is t times as large. */
#ifndef NSD_SETVALUED_RESIDUAL_H
#define NSD_SETVALUED_RESIDUAL_H

#include "base/safe_scalar.h"

static inline int nsd_vector_is_finite(int n, const double *v)
{
  int finite = 1;
  for (int i = 0; i < n; i++) {
    finite &= isfinite(v[i]) != 0;
  }
  return finite;
}

/* v t² for t a power of two, where t² is beyond the range of doubles. */
static inline double nsd_twice(double v, double t)
{
  return v * t * t;
}

/* u = x and z = x + ρy (n ≤ 3 each), both times t², which the set's size then takes too: t = 1, or 2^-514
 * where the sum would overflow. */
static inline double nsd_step_along(int n, double rho, const double *x, const double *y, double *u, double *z)
{
  for (int i = 0; i < n; i++) {
    u[i] = x[i];
    z[i] = x[i] + rho * y[i];
  }
  if (nsd_vector_is_finite(n, z)) {
    return 1.0;
  }
  for (int i = 0; i < n; i++) {
    u[i] = nsd_twice(x[i], 0x1p-514);
    z[i] = u[i] + (rho * 0x1p-514) * (y[i] * 0x1p-514);
  }
  return 0x1p-514;
}

/* √(a² + b² + c²); ∞ where that overflows. */
static inline double nsd_norm_space(double a, double b, double c)
{
  const double s = nsd_safe_scale(a, fabs(b) > fabs(c) ? b : c);
  const double as = a * s, bs = b * s, cs = c * s;
  return sqrt((as * as + bs * bs) + cs * cs) / s;
}

#endif
