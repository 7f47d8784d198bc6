/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* NCP functions: minimum map, Fischer–Burmeister, penalized Fischer–Burmeister, each for
 * 0 <= a ⊥ b >= 0 and for bounds lo <= x <= hi. */
#include "base/safe_scalar.h"
#include "nsdyn/setvalued.h"

#define ROOT_HALF 0.70710678118654752440

static double give(double value, double da, double db, double *out_da, double *out_db)
{
  if (out_da) {
    *out_da = da;
  }
  if (out_db) {
    *out_db = db;
  }
  return value;
}

static int bounds_are_wrong(double lo, double hi)
{
  return !(lo <= hi && lo < INFINITY && hi > -INFINITY);
}

double nsdyn_ncp_min(double a, double b, double *da, double *db)
{
  if (isnan(a) || isnan(b)) {
    return give(NAN, NAN, NAN, da, db);
  }
  return a <= b ? give(a, 1.0, 0.0, da, db) : give(b, 0.0, 1.0, da, db);
}

double nsdyn_ncp_min_box(double lo, double hi, double x, double y, double *dx, double *dy)
{
  if (bounds_are_wrong(lo, hi) || isnan(x) || isnan(y)) {
    return give(NAN, NAN, NAN, dx, dy);
  }
  /* mid(x − lo, y, x − hi), where x − hi <= x − lo. */
  const double above_lo = lo == -INFINITY ? INFINITY : nsd_difference(x, lo);
  const double above_hi = hi == INFINITY ? -INFINITY : nsd_difference(x, hi);
  if (y >= above_lo) {
    return give(above_lo, 1.0, 0.0, dx, dy);
  }
  return y <= above_hi ? give(above_hi, 1.0, 0.0, dx, dy) : give(y, 0.0, 1.0, dx, dy);
}

/* a/r − 1 without cancellation, r = √(a² + b²) > 0. */
static double fb_slope(double a, double b, double r)
{
  return a > 0.0 ? -(b / r) * (b / (r + a)) : a / r - 1.0;
}

/* φ = √(a² + b²) − a − b by signs, so that nothing cancels and nothing but 0 gives 0: with r the root,
 *
 *   a, b > 0:      φ = −2ab/(r + a + b) = −m t,  m the smaller, M the larger, t = 2M/(r + a + b) in [1/2, 1];
 *   a > 0 >= b:    φ = |b| + b²/(r + a) = |b| (1 + |b|/(r + a));
 *   a, b <= 0:     a sum of three.
 *
 * The ratios are formed from scaled numbers. */
static double fb_value(double a, double b)
{
  const double s = nsd_safe_scale(a, b);
  const double as = a * s, bs = b * s;
  const double r = sqrt(as * as + bs * bs);
  if (a > 0.0 && b > 0.0) {
    const double smaller = a < b ? a : b, larger = a < b ? bs : as;
    return -smaller * (2.0 * larger / (r + (as + bs)));
  }
  if (a > 0.0) {
    return nsd_saturate(-b * (1.0 - bs / (r + as)));
  }
  if (b > 0.0) {
    return nsd_saturate(-a * (1.0 - as / (r + bs)));
  }
  return nsd_saturate((r - (as + bs)) / s);
}

/* The limits where a or b is infinite: φ(∞, b) = −b. */
static double fb_limit(double a, double b)
{
  if (a == -INFINITY || b == -INFINITY) {
    return INFINITY;
  }
  return a == INFINITY ? (b == INFINITY ? -INFINITY : -b) : -a;
}

/* The point with the same derivatives: for an infinite one its direction, for the kink (1, 1). */
static void fb_direction(double *a, double *b)
{
  if (isinf(*a) || isinf(*b)) {
    *a = isinf(*a) ? copysign(1.0, *a) : 0.0;
    *b = isinf(*b) ? copysign(1.0, *b) : 0.0;
  } else if (*a == 0.0 && *b == 0.0) {
    *a = *b = 1.0;
  }
}

double nsdyn_ncp_fb(double a, double b, double *da, double *db)
{
  if (isnan(a) || isnan(b)) {
    return give(NAN, NAN, NAN, da, db);
  }
  const double value = isinf(a) || isinf(b) ? fb_limit(a, b) : fb_value(a, b);
  if (da || db) {
    /* The derivatives a / r − 1 and b / r − 1. */
    fb_direction(&a, &b);
    const double s = nsd_safe_scale(a, b);
    const double as = a * s, bs = b * s;
    const double r = sqrt(as * as + bs * bs);
    give(value, fb_slope(as, bs, r), fb_slope(bs, as, r), da, db);
  }
  return value;
}

double nsdyn_ncp_fb_box(double lo, double hi, double x, double y, double *dx, double *dy)
{
  double fx, fy;
  const double value = -nsdyn_ncp_pfb_box(1.0, lo, hi, x, y, dx ? &fx : NULL, dy ? &fy : NULL);
  return give(value, dx ? -fx : 0.0, dy ? -fy : 0.0, dx, dy);
}

/* The penalty max(a, 0) max(b, 0) times `weight`, with its derivatives; on the axes those of the
 * quadrant in which both are positive, or (side < 0) those outside of it. */
static double penalty(double weight, double a, double b, int side, double *da, double *db)
{
  *da = *db = 0.0;
  if (weight == 0.0) {
    return 0.0;
  }
  const int in = side < 0 ? a > 0.0 && b > 0.0 : a >= 0.0 && b >= 0.0;
  if (in) {
    *da = nsd_saturate(weight * b);
    *db = nsd_saturate(weight * a);
  }
  if (!(a > 0.0 && b > 0.0)) {
    return 0.0;
  }
  const double product = a < b ? weight * b * a : weight * a * b;
  return isinf(a) || isinf(b) ? INFINITY : nsd_saturate(product);
}

/* ψ = −λφ + (1 − λ) a⁺b⁺. At a kink the derivatives are limits along a and b growing (side > 0) or
 * falling (side < 0) at the same rate. Both terms have the same sign: the sum is zero where φ is. */
static double pfb(double lambda, double a, double b, int side, double *da, double *db)
{
  /* The penalty's derivatives are b⁺ and a⁺; φ's at the kink are those along the way of approach. */
  const int at_kink = a == 0.0 && b == 0.0;
  double slope[2], weight[2];
  const double phi = nsdyn_ncp_fb(a, b, &slope[0], &slope[1]);
  const double product = penalty(1.0 - lambda, a, b, side, &weight[0], &weight[1]);
  if (at_kink && side < 0) {
    slope[0] = slope[1] = -1.0 - ROOT_HALF;
  }
  *da = nsd_saturate(weight[0] - lambda * slope[0]);
  *db = nsd_saturate(weight[1] - lambda * slope[1]);
  const double value = product - nsd_scaled(lambda, phi);
  return isinf(a) || isinf(b) ? value : nsd_saturate(value);
}

double nsdyn_ncp_pfb(double lambda, double a, double b, double *da, double *db)
{
  if (!(lambda > 0.0 && lambda <= 1.0) || isnan(a) || isnan(b)) {
    return give(NAN, NAN, NAN, da, db);
  }
  double slope[2];
  const double value = pfb(lambda, a, b, 1, &slope[0], &slope[1]);
  return give(value, slope[0], slope[1], da, db);
}

/* Ψ = ψ(u, σ), u = x − lo, σ = −ψ(v, w), v = hi − x, w = −y. At a kink all limits are taken along one
 * way, x and y growing at the same rate: v and w fall, and u and σ grow. */
double nsdyn_ncp_pfb_box(double lambda, double lo, double hi, double x, double y, double *dx, double *dy)
{
  if (!(lambda > 0.0 && lambda <= 1.0) || bounds_are_wrong(lo, hi) || isnan(x) || isnan(y)) {
    return give(NAN, NAN, NAN, dx, dy);
  }
  /* σ = −ψ(hi − x, −y): it has the sign of y below hi. */
  double sigma = y, sigma_x = 0.0, sigma_y = 1.0;
  if (hi < INFINITY) {
    sigma = -pfb(lambda, nsd_difference(hi, x), -y, -1, &sigma_x, &sigma_y);
  }
  if (lo == -INFINITY) {
    return give(sigma, sigma_x, sigma_y, dx, dy);
  }
  const double u = nsd_difference(x, lo);
  double psi_u, psi_sigma;
  const double value = pfb(lambda, u, sigma, 1, &psi_u, &psi_sigma);
  if (u == 0.0 && sigma == 0.0) { /* along (u, σ) growing as they do; the penalty is flat here */
    double fb_u, fb_sigma;
    nsdyn_ncp_fb(1.0, sigma_x + sigma_y, &fb_u, &fb_sigma);
    psi_u = -lambda * fb_u;
    psi_sigma = -lambda * fb_sigma;
  }
  /* The chain rule: Ψ_x = ψ_u + ψ_σ σ_x, Ψ_y = ψ_σ σ_y. */
  return give(value, nsd_saturate(psi_u + psi_sigma * sigma_x), nsd_saturate(psi_sigma * sigma_y), dx, dy);
}
