/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The cone ‖p_T‖ <= μ p_N: proximal point, its derivative, residual.
 *
 * With the half angle α, tan α = μ, and e = z_T/‖z_T‖, a z beside the cone and not in its polar one has the
 * nearest point on the ray (cos α, sin α e), at the distance k = cos α z_N + sin α ‖z_T‖ from the tip. */
#include "nsdyn/setvalued.h"
#include "setvalued/residual.h"

/* A z in units in which its squares are safe. */
typedef struct place {
  double unit; /* z times this is */
  double w[3];
  double n;    /* ‖w_T‖ */
  double e[2]; /* w_T/‖w_T‖ */
  double cosine, sine, k;
} place;

static int is_inside(double mu, const double *z)
{
  const double n = nsd_norm_plane(z[1], z[2]);
  return n == 0.0 ? z[0] >= 0.0 : isinf(mu) ? z[0] >= 0.0 : n <= mu * z[0];
}

/* z_N <= −μ ‖z_T‖ */
static int is_at_tip(double mu, const double *z)
{
  const double n = nsd_norm_plane(z[1], z[2]);
  return n == 0.0 ? z[0] <= 0.0 : !isinf(mu) && mu * n <= -z[0];
}

static void find_place(double mu, const double *z, place *at)
{
  const double far = fabs(z[1]) > fabs(z[2]) ? fabs(z[1]) : fabs(z[2]);
  at->unit = nsd_safe_scale(z[0], far);
  for (int i = 0; i < 3; i++) {
    at->w[i] = z[i] * at->unit;
  }
  at->n = nsd_norm_plane(at->w[1], at->w[2]);
  const double t = nsd_safe_scale(z[1], z[2]); /* z_T may be small beside z_N */
  const double t1 = z[1] * t, t2 = z[2] * t, length = sqrt(t1 * t1 + t2 * t2);
  at->e[0] = t1 / length;
  at->e[1] = t2 / length;
  const double slope = mu > 1.0 ? 1.0 / mu : mu; /* of the shorter leg */
  const double wide = sqrt(1.0 + slope * slope);
  at->cosine = (mu > 1.0 ? slope : 1.0) / wide;
  at->sine = (mu > 1.0 ? 1.0 : slope) / wide;
  const double k = at->cosine * at->w[0] + at->sine * at->n;
  at->k = k > 0.0 ? k : 0.0;
}

/* z finite, beside the cone, not in the polar one. */
static void pull(double mu, const double *z, double *p)
{
  place at;
  find_place(mu, z, &at);
  double near[3];
  near[0] = nsd_saturate(at.cosine * at.k / at.unit);
  const double bound = near[0] < DBL_MAX ? DBL_MAX : mu * near[0];
  const double reach = at.sine * at.k / at.unit;
  near[1] = (reach < bound ? reach : bound) * at.e[0];
  near[2] = (reach < bound ? reach : bound) * at.e[1];
  /* a p_N that is too small to be exact */
  const double least = nsd_norm_plane(near[1], near[2]) / mu;
  near[0] = near[0] < least ? least : near[0];
  /* drawn in by the rounding error where that leads outside; next to denormals doubles can be too coarse for
   * that, and the axis is as near */
  for (int tries = 0; !is_inside(mu, near); tries++) {
    if (near[0] < 0.5 * DBL_MAX) {
      near[0] = nsd_grow(near[0]);
    } else {
      near[1] = nsd_shrink(near[1]);
      near[2] = nsd_shrink(near[2]);
    }
    if (tries >= 8) {
      near[1] = near[2] = 0.0;
    }
  }
  for (int i = 0; i < 3; i++) {
    p[i] = near[i];
  }
}

static void set(double *p, double p0, double p1, double p2)
{
  p[0] = p0;
  p[1] = p1;
  p[2] = p2;
}

static void finite_prox(double mu, const double *z, double *p)
{
  if (is_inside(mu, z)) {
    set(p, z[0], z[1], z[2]);
  } else if (isinf(mu)) {
    set(p, 0.0, z[1], z[2]);
  } else if (mu == 0.0) {
    set(p, z[0] > 0.0 ? z[0] : 0.0, 0.0, 0.0);
  } else if (is_at_tip(mu, z)) {
    set(p, 0.0, 0.0, 0.0);
  } else {
    pull(mu, z, p);
  }
}

/* Of an infinite z, only the infinite elements count for its direction, unless that is in the cone. */
static void infinite_prox(double mu, const double *z, double *p)
{
  double far[3], near[3];
  for (int i = 0; i < 3; i++) {
    far[i] = isinf(z[i]) ? copysign(1.0, z[i]) : 0.0;
  }
  finite_prox(mu, far, near);
  const int inside = is_inside(mu, far) && mu > 0.0;
  for (int i = 0; i < 3; i++) {
    p[i] = inside ? z[i] : near[i] == 0.0 ? 0.0 : copysign(INFINITY, near[i]);
  }
}

void nsdyn_cone_prox(double mu, const double *z, double *p)
{
  if (!(mu >= 0.0) || isnan(z[0]) || isnan(z[1]) || isnan(z[2])) {
    set(p, NAN, NAN, NAN);
  } else if (nsd_vector_is_finite(3, z)) {
    finite_prox(mu, z, p);
  } else {
    infinite_prox(mu, z, p);
  }
}

/* With k's derivative (cos α, sin α e) and that of e, (1 − e eᵀ)/‖z_T‖. */
static void pull_derivative(double mu, const double *z, double *D)
{
  place at;
  find_place(mu, z, &at);
  const double e1 = at.e[0], e2 = at.e[1];
  const double swing = at.sine * at.k / at.n,
               turn = swing < 1.0 ? swing : 1.0; /* beside the cone it is < 1 */
  const double cross = at.cosine * at.sine, along = at.sine * at.sine;
  D[0] = at.cosine * at.cosine;
  D[1] = D[3] = cross * e1;
  D[2] = D[6] = cross * e2;
  D[4] = along * (e1 * e1) + turn * (e2 * e2);
  D[5] = D[7] = (along - turn) * (e1 * e2);
  D[8] = along * (e2 * e2) + turn * (e1 * e1);
}

void nsdyn_cone_prox_derivative(double mu, const double *z, double *D)
{
  const int wrong = !(mu >= 0.0) || !nsd_vector_is_finite(3, z);
  for (int i = 0; i < 9; i++) {
    D[i] = wrong ? NAN : 0.0;
  }
  if (wrong) {
    return;
  }
  if (mu == 0.0 || isinf(mu)) { /* a half line, a half space */
    D[0] = z[0] >= 0.0;
    D[4] = D[8] = mu > 0.0;
  } else if (is_inside(mu, z)) {
    D[0] = D[4] = D[8] = 1.0;
  } else if (!is_at_tip(mu, z)) {
    pull_derivative(mu, z, D);
  }
}

double nsdyn_cone_residual(double mu, double rho, const double *x, const double *y)
{
  if (!(mu >= 0.0) || !(rho > 0.0 && rho <= DBL_MAX) || !nsd_vector_is_finite(3, x) ||
      !nsd_vector_is_finite(3, y)) {
    return NAN;
  }
  double u[3], z[3], p[3];
  const double t = nsd_step_along(3, rho, x, y, u, z);
  nsdyn_cone_prox(mu, z, p);
  if (t == 1.0 && p[0] == z[0] && p[1] == z[1] && p[2] == z[2]) {
    return nsd_scaled(rho, nsd_saturate(nsd_norm_space(y[0], y[1], y[2]))); /* x − prox(z) = −ρy */
  }
  return nsd_saturate(nsd_twice(nsd_norm_space(u[0] - p[0], u[1] - p[1], u[2] - p[2]), 1.0 / t));
}
