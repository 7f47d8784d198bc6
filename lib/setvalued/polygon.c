/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The regular polygon with corners r (cos 2πj/m, sin 2πj/m), m even: proximal point, its derivative,
 * residual.
 *
 * An even number of sides is symmetric to both axes: z is mirrored into the first quadrant. There, the
 * corners whose directions enclose z are found by halving, and the side between them, with the normal n and
 * the direction t, has the nearest point: h n + u t, h = r cos(π/m), u = t·z kept within ±r sin(π/m). */
#include "base/sin_cos.h"
#include "nsdyn/setvalued.h"
#include "setvalued/residual.h"

/* The side that z in the first quadrant looks at. */
typedef struct side {
  double n[2], t[2];        /* outward normal, direction; unit vectors */
  double first[2], last[2]; /* directions of its corners, t leading from the first to the last */
  double height, half;      /* distance from the centre, half length, both for r = 1 */
} side;

static int is_polygon(int32_t sides, double r)
{
  return sides >= 4 && sides % 2 == 0 && r >= 0.0;
}

static void find_side(int32_t sides, const double *z, side *at)
{
  /* Corners 0 … last + 1 cover the first quadrant; z is between those of `low` and `high`. */
  int32_t low = 0, high = sides / 4 + (sides % 4 > 0);
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    double v[2];
    nsd_sin_cos_of_turn(middle, sides, v);
    if (v[0] * z[1] - v[1] * z[0] >= 0.0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  double half_turn[2];
  nsd_sin_cos_of_turn(low, sides, at->first);
  nsd_sin_cos_of_turn(high, sides, at->last);
  nsd_sin_cos_of_turn(2 * (int64_t)low + 1, 2 * (int64_t)sides, at->n);
  nsd_sin_cos_of_turn(1, 2 * (int64_t)sides, half_turn);
  at->t[0] = -at->n[1];
  at->t[1] = at->n[0];
  at->height = half_turn[0];
  at->half = half_turn[1];
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1];
}

/* A power of two that brings the larger of r and ‖z‖ to where products neither overflow nor lose digits. */
static double safe_unit(double r, const double *z)
{
  const double far = fabs(z[0]) > fabs(z[1]) ? fabs(z[0]) : fabs(z[1]);
  return nsd_safe_scale(r, far);
}

/* |z| u, in the first quadrant. */
static void mirror(const double *z, double u, double *w)
{
  w[0] = fabs(z[0]) * u;
  w[1] = fabs(z[1]) * u;
}

/* Whether z, finite, is in the polygon, and the side that it looks at; w is z mirrored and in the unit 1/u.
 */
static int is_inside(int32_t sides, double r, const double *z, double u, side *at, double *w)
{
  mirror(z, u, w);
  find_side(sides, w, at);
  return dot(at->n, w) <= r * u * at->height;
}

/* An infinite element is as good as the largest one: all that counts is the end of a side. */
static void bring_near(const double *z, double *near)
{
  for (int i = 0; i < 2; i++) {
    near[i] = isinf(z[i]) ? copysign(DBL_MAX, z[i]) : z[i];
  }
}

/* How far along its side the point is, for r = 1, beyond ±half where it is a corner. */
static double along_side(double size, const double *w, const side *at)
{
  const double along = dot(at->t, w);
  return along == 0.0 ? 0.0 : along / size;
}

static void pull(int32_t sides, double r, const double *z, double *p)
{
  const double u = safe_unit(r, z);
  side at;
  double w[2], near[2];
  if (is_inside(sides, r, z, u, &at, w)) {
    p[0] = z[0];
    p[1] = z[1];
    return;
  }
  const double along = along_side(r * u, w, &at);
  for (int i = 0; i < 2; i++) {
    const double q = along < -at.half  ? at.first[i]
                     : along > at.half ? at.last[i]
                                       : at.height * at.n[i] + along * at.t[i];
    near[i] = copysign(q > 0.0 ? r * q : 0.0, z[i]);
  }
  /* drawn in by the rounding error where that leads outside */
  while (!is_inside(sides, r, near, safe_unit(r, near), &at, w)) {
    near[0] = nsd_shrink(near[0]);
    near[1] = nsd_shrink(near[1]);
  }
  p[0] = near[0];
  p[1] = near[1];
}

void nsdyn_polygon_prox(int32_t sides, double r, const double *z, double *p)
{
  const double z0 = z[0], z1 = z[1];
  if (!is_polygon(sides, r) || isnan(z0) || isnan(z1)) {
    p[0] = p[1] = NAN;
  } else if (isinf(r)) {
    p[0] = z0;
    p[1] = z1;
  } else {
    double near[2];
    bring_near(z, near);
    pull(sides, r, near, p);
  }
}

static void pull_derivative(int32_t sides, double r, const double *z, double *D)
{
  const double u = safe_unit(r, z);
  side at;
  double w[2];
  if (is_inside(sides, r, z, u, &at, w)) {
    D[0] = D[3] = 1.0;
    D[1] = D[2] = 0.0;
    return;
  }
  const double on_side = fabs(along_side(r * u, w, &at)) <= at.half;
  const double across = copysign(1.0, z[0]) * copysign(1.0, z[1]);
  D[0] = on_side * (at.t[0] * at.t[0]);
  D[1] = D[2] = on_side * across * (at.t[0] * at.t[1]);
  D[3] = on_side * (at.t[1] * at.t[1]);
}

void nsdyn_polygon_prox_derivative(int32_t sides, double r, const double *z, double *D)
{
  if (!is_polygon(sides, r) || isnan(z[0]) || isnan(z[1])) {
    D[0] = D[1] = D[2] = D[3] = NAN;
  } else if (isinf(r)) {
    D[0] = D[3] = 1.0;
    D[1] = D[2] = 0.0;
  } else if (r == 0.0) {
    D[0] = D[1] = D[2] = D[3] = 0.0;
  } else {
    double near[2];
    bring_near(z, near);
    pull_derivative(sides, r, near, D);
  }
}

double nsdyn_polygon_residual(int32_t sides, double r, double rho, const double *x, const double *y)
{
  if (!is_polygon(sides, r) || !(rho > 0.0 && rho <= DBL_MAX) || !nsd_vector_is_finite(2, x) ||
      !nsd_vector_is_finite(2, y)) {
    return NAN;
  }
  double u[2], z[2], p[2];
  const double t = nsd_step_along(2, rho, x, y, u, z);
  nsdyn_polygon_prox(sides, nsd_twice(r, t), z, p);
  if (t == 1.0 && p[0] == z[0] && p[1] == z[1]) {
    return nsd_scaled(rho, nsd_saturate(nsd_norm_plane(y[0], y[1]))); /* x − prox(z) = −ρy */
  }
  return nsd_saturate(nsd_twice(nsd_norm_plane(u[0] - p[0], u[1] - p[1]), 1.0 / t));
}
