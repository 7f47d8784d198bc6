/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Normal cones, proximal points and residuals of half line, interval and disk. */
#include "base/safe_scalar.h"
#include "nsdyn/setvalued.h"
#include "setvalued/disk_exact.h"

static int is_interval(double lo, double hi)
{
  return lo <= hi && lo < INFINITY && hi > -INFINITY;
}

double nsdyn_half_line_prox(double z)
{
  return z < 0.0 ? 0.0 : z;
}

double nsdyn_half_line_residual(double rho, double x, double y)
{
  return nsdyn_interval_residual(0.0, INFINITY, rho, x, y);
}

int32_t nsdyn_interval_normal(double lo, double hi, double x, double *cone_lo, double *cone_hi)
{
  /* The normal cone of [lo, hi]: all of ℝ⁻ at lo, of ℝ⁺ at hi, zero in between, empty outside. */
  const int inside = is_interval(lo, hi) && x >= lo && x <= hi && !isinf(x);
  const int at_lo = x == lo, at_hi = x == hi;
  if (cone_lo) {
    *cone_lo = !inside ? INFINITY : at_lo ? -INFINITY : 0.0;
  }
  if (cone_hi) {
    *cone_hi = !inside ? -INFINITY : at_hi ? INFINITY : 0.0;
  }
  if (!inside) {
    return NSDYN_NORMAL_EMPTY;
  }
  return at_lo && at_hi ? NSDYN_NORMAL_ALL : at_lo || at_hi ? NSDYN_NORMAL_RAY : NSDYN_NORMAL_ZERO;
}

double nsdyn_interval_prox(double lo, double hi, double z)
{
  if (!is_interval(lo, hi)) {
    return NAN;
  }
  return z < lo ? lo : z > hi ? hi : z;
}

/* x − prox(x + ρy) is the minimum map with −ρy in the place of y. */
double nsdyn_interval_residual(double lo, double hi, double rho, double x, double y)
{
  if (!(rho > 0.0 && rho <= DBL_MAX)) {
    return NAN;
  }
  return fabs(nsdyn_ncp_min_box(lo, hi, x, -nsd_scaled(rho, y), NULL, NULL));
}

int32_t nsdyn_disk_normal(double r, const double *x)
{
  if (!(r >= 0.0) || !isfinite(x[0]) || !isfinite(x[1])) {
    return NSDYN_NORMAL_EMPTY;
  }
  const int side = isinf(r) ? -1 : nsd_disk_side(r, x[0], x[1]);
  if (side != 0) {
    return side < 0 ? NSDYN_NORMAL_ZERO : NSDYN_NORMAL_EMPTY;
  }
  return r > 0.0 ? NSDYN_NORMAL_RAY : NSDYN_NORMAL_ALL;
}

/* r z/‖z‖ for z outside of the circle, drawn in by the rounding error where that led outside. */
static void pull_to_circle(double r, const double *z, double *p)
{
  const double s = nsd_safe_scale(z[0], z[1]);
  const double zs[2] = {z[0] * s, z[1] * s};
  const double norm = sqrt(zs[0] * zs[0] + zs[1] * zs[1]);
  p[0] = r * (zs[0] / norm);
  p[1] = r * (zs[1] / norm);
  while (nsd_disk_side(r, p[0], p[1]) > 0) {
    p[0] = nsd_shrink(p[0]);
    p[1] = nsd_shrink(p[1]);
  }
}

void nsdyn_disk_prox(double r, const double *z, double *p)
{
  const double z0 = z[0], z1 = z[1];
  if (!(r >= 0.0) || isnan(z0) || isnan(z1)) {
    p[0] = p[1] = NAN;
  } else if (isinf(r)) {
    p[0] = z0;
    p[1] = z1;
  } else if (isinf(z0) || isinf(z1)) {
    /* An infinite z: only its infinite elements count for its direction. */
    const double far[2] = {isinf(z0) ? copysign(DBL_MAX, z0) : 0.0, isinf(z1) ? copysign(DBL_MAX, z1) : 0.0};
    nsdyn_disk_prox(r, far, p);
  } else if (nsd_disk_side(r, z0, z1) <= 0) {
    p[0] = z0;
    p[1] = z1;
  } else {
    const double outside[2] = {z0, z1};
    pull_to_circle(r, outside, p);
  }
}

void nsdyn_disk_prox_derivative(double r, const double *z, double *D)
{
  if (!(r >= 0.0) || isnan(z[0]) || isnan(z[1])) {
    D[0] = D[1] = D[2] = D[3] = NAN;
  } else if (isinf(r) || (r > 0.0 && isfinite(z[0]) && isfinite(z[1]) && nsd_disk_side(r, z[0], z[1]) <= 0)) {
    D[0] = D[3] = 1.0;
    D[1] = D[2] = 0.0;
  } else if (isinf(z[0]) || isinf(z[1]) || r == 0.0) {
    D[0] = D[1] = D[2] = D[3] = 0.0;
  } else {
    /* (r/‖z‖)(1 − e eᵀ) = (r/‖z‖) f fᵀ, f = e turned by a right angle */
    const double s = nsd_safe_scale(z[0], z[1]);
    const double z0 = z[0] * s, z1 = z[1] * s;
    const double norm = sqrt(z0 * z0 + z1 * z1), e0 = z0 / norm, e1 = z1 / norm, share = r * s / norm;
    D[0] = share * (e1 * e1);
    D[1] = D[2] = -share * (e0 * e1);
    D[3] = share * (e0 * e0);
  }
}

/* z = x + ρy. Where that overflows, z 2^-1028 instead: outside of the circle all that counts is its
 * direction. (z can be inside all the same, where ρy alone overflows and x takes part of it away; then ρy
 * and the way from x to the circle are both too long for a double.) Returns whether z is what it says. */
static int step_along(double rho, const double *x, const double *y, double *z)
{
  z[0] = x[0] + rho * y[0];
  z[1] = x[1] + rho * y[1];
  if (isfinite(z[0]) && isfinite(z[1])) {
    return 1;
  }
  for (int i = 0; i < 2; i++) {
    z[i] = x[i] * 0x1p-514 * 0x1p-514 + (rho * 0x1p-514) * (y[i] * 0x1p-514);
  }
  return 0;
}

double nsdyn_disk_residual(double r, double rho, const double *x, const double *y)
{
  if (!(r >= 0.0) || !(rho > 0.0 && rho <= DBL_MAX) || !isfinite(x[0]) || !isfinite(x[1]) ||
      !isfinite(y[0]) || !isfinite(y[1])) {
    return NAN;
  }
  double z[2], p[2];
  const int in_range = step_along(rho, x, y, z);
  if (isinf(r) || (in_range && nsd_disk_side(r, z[0], z[1]) <= 0)) {
    /* x − prox(z) = −ρy, without the rounding of the sum */
    return nsd_scaled(rho, nsd_saturate(nsd_norm_plane(y[0], y[1])));
  }
  pull_to_circle(r, z, p);
  return nsd_saturate(nsd_norm_plane(x[0] - p[0], x[1] - p[1]));
}
