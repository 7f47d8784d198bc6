/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The ellipse (p₀/a)² + (p₁/b)² <= 1: proximal point, its derivative, residual.
 *
 * The point of the curve that is nearest to z outside of it is p = (a c, b s) with c² + s² = 1 and z − p
 * along the normal (c/a, s/b). For z and p in the first quadrant and a >= b that is, with U = a z₀, V = b z₁,
 * W = a² − b² and one unknown m,
 *
 *   c = U/(W + m),  s = V/m,  c² + s² = 1.
 *
 * All but m is known, m counts in the units of U, V and W alone, and those can be chosen: nothing overflows
 * but what does not matter. The sum falls from above 1 to 0 as m grows from the larger of V and U − W, so
 * there is one root. m − b² is the multiplier of the nearest point, >= 0 outside. */
#include <limits.h>

#include "base/tolerances.h"
#include "nsdyn/setvalued.h"
#include "setvalued/residual.h"

/* Newton's method is monotone here and ends when it stands still; seldom after more than ten steps. */
#define STEPS 100

typedef struct foot {
  double a, b;  /* half axes, a >= b, in the unit that makes a lie in [1/2, 1) */
  double scale; /* turns a², in that unit, into the unit of m and W */
  double W, m;  /* a² − b²; the unknown */
  double c, s;  /* p = (a c, b s) */
  double reach; /* p₀/z₀ = a²/(W + m): exact where c is too small to be, and too small itself far away */
  int swapped;  /* the second half axis is the longer one */
  int before;   /* z lies between the tips of a very thin ellipse */
} foot;

static int is_axis(double a)
{
  return a >= 0.0;
}

/* |v|/a, of which only what is below 1 has to be right; 0 for v = 0. */
static double share(double v, double a)
{
  return v == 0.0 || isinf(a) ? 0.0 : fabs(v) / a;
}

static int is_inside(double a, double b, const double *z)
{
  const double x = share(z[0], a), y = share(z[1], b);
  return x * x + y * y <= 1.0;
}

static double clamp(double half, double v)
{
  return v > half ? half : v < -half ? -half : v;
}

/* V → 0: beyond the tip c = 1, before it c = U/W. */
static void thin_foot(double U, double V, foot *f)
{
  f->before = U < f->W;
  f->c = f->before ? U / f->W : 1.0;
  f->s = f->before ? sqrt((f->W - U) / f->W * (1.0 + U / f->W)) : 0.0;
  f->m = f->before ? V / f->s : U - f->W;
}

/* Newton's method for 1/√(c² + s²) = 1, whose left side is a concave function of m: from below it comes near
 * from below, as for the multiplier of a trust region (Moré & Sorensen 1983). */
static void newton_foot(double U, double V, foot *f)
{
  double m = U - f->W > V ? U - f->W : V, length = 1.0;
  for (int k = 0; k < STEPS; k++) {
    const double wide = f->W + m;
    f->c = U / wide;
    f->s = V / m;
    const double square = f->c * f->c + f->s * f->s;
    length = sqrt(square);
    const double next = m + (length - 1.0) * square / (f->c * f->c / wide + f->s * f->s / m);
    if (!(next > m)) {
      break;
    }
    m = next;
  }
  f->m = m;
  f->c /= length;
  f->s /= length;
}

/* Mantissa and exponent of a product, before its unit is known. */
typedef struct product {
  double value;
  int exponent;
} product;

static product multiply(double a, double b)
{
  int of_a, of_b;
  const double value = frexp(a, &of_a) * frexp(b, &of_b);
  return (product){value, of_a + of_b};
}

/* The foot of the perpendicular from z, finite and outside, 0 < a, b < ∞. */
static void find_foot(double a, double b, const double *z, foot *f)
{
  f->swapped = a < b || (a == b && fabs(z[0]) < fabs(z[1]));
  const double longer = f->swapped ? b : a, shorter = f->swapped ? a : b;
  int axis;
  f->a = frexp(longer, &axis);
  f->b = ldexp(shorter, -axis);
  /* U, V, W, in the unit that brings the largest of them to about 1: what is lost by underflow is nothing
   * beside it */
  const product UVW[3] = {multiply(longer, fabs(z[f->swapped])),
                          multiply(shorter, fabs(z[!f->swapped])),
                          {(f->a - f->b) * (f->a + f->b), 2 * axis}};
  int unit = INT_MIN;
  for (int i = 0; i < 3; i++) {
    unit = UVW[i].value > 0.0 && UVW[i].exponent > unit ? UVW[i].exponent : unit;
  }
  double in_unit[3];
  for (int i = 0; i < 3; i++) {
    in_unit[i] = UVW[i].value > 0.0 ? ldexp(UVW[i].value, UVW[i].exponent - unit) : 0.0;
  }
  const double U = in_unit[0], V = in_unit[1];
  f->W = in_unit[2];
  f->scale = ldexp(1.0, 2 * axis - unit);
  f->before = 0;
  if (V <= NSD_ELLIPSE_THIN * (U > f->W ? U : f->W)) {
    thin_foot(U, V, f);
  } else {
    newton_foot(U, V, f);
  }
  f->reach = f->a * f->a * f->scale / (f->W + f->m);
}

/* The way from z outside to the ellipse, drawn in by the rounding error where that leads outside. */
static void pull(double a, double b, const double *z, double *p)
{
  foot f;
  find_foot(a, b, z, &f);
  const int i = f.swapped;
  const double z0 = fabs(z[i]), longer = i ? b : a, shorter = i ? a : b;
  double p0 = f.reach > 0x1p-900 ? z0 * f.reach : longer * f.c, p1 = shorter * f.s;
  double near[2];
  near[i] = copysign(p0, z[i]);
  near[!i] = copysign(p1, z[!i]);
  while (!is_inside(a, b, near)) {
    near[0] = nsd_shrink(near[0]);
    near[1] = nsd_shrink(near[1]);
  }
  p[0] = near[0];
  p[1] = near[1];
}

/* Of an infinite z, only the infinite elements count for its direction. */
static void bring_near(const double *z, double *near)
{
  const int far = isinf(z[0]) || isinf(z[1]);
  for (int i = 0; i < 2; i++) {
    near[i] = !far ? z[i] : isinf(z[i]) ? copysign(DBL_MAX, z[i]) : 0.0;
  }
}

void nsdyn_ellipse_prox(double a, double b, const double *z, double *p)
{
  const double z0 = z[0], z1 = z[1];
  if (!is_axis(a) || !is_axis(b) || isnan(z0) || isnan(z1)) {
    p[0] = p[1] = NAN;
  } else if (a == 0.0 || b == 0.0 || isinf(a) || isinf(b)) {
    p[0] = clamp(a, z0); /* a segment, a strip, or all */
    p[1] = clamp(b, z1);
  } else if (is_inside(a, b, z)) {
    p[0] = z0;
    p[1] = z1;
  } else {
    double near[2];
    bring_near(z, near);
    pull(a, b, near, p);
  }
}

static void set_matrix(double d00, double d01, double d11, double *D)
{
  D[0] = d00;
  D[1] = D[2] = d01;
  D[3] = d11;
}

/* D = R/(R + d) t tᵀ. With the tangent t along (−a s, b c), the radius of curvature R = (a²s² +
 * b²c²)^{3/2}/(ab) and the distance d = (m − b²) √(a²s² + b²c²)/(ab) this is (−a s, b c)(−a s, b c)ᵀ/(m + W
 * s²). */
static void pull_derivative(double a, double b, const double *z, double *D)
{
  foot f;
  find_foot(a, b, z, &f);
  const double t0 = f.a * f.s, t1 = f.b * f.c;
  const double least = f.b * f.b * f.scale; /* of m, outside; its rounding error grows with a/b */
  const double Q = (f.m > least ? f.m : least) + f.W * f.s * f.s;
  if (!(Q > NSD_ELLIPSE_THIN * f.W)) { /* at the tip of what is a segment to the last bit */
    set_matrix(f.before, 0.0, 0.0, D);
  } else {
    const double across = copysign(1.0, z[0]) * copysign(1.0, z[1]);
    const double per = f.scale / Q;
    set_matrix(t0 * per * t0, -across * (t0 * per * t1), t1 * per * t1, D);
  }
  if (f.swapped) {
    set_matrix(D[3], D[1], D[0], D);
  }
}

void nsdyn_ellipse_prox_derivative(double a, double b, const double *z, double *D)
{
  if (!is_axis(a) || !is_axis(b) || isnan(z[0]) || isnan(z[1])) {
    set_matrix(NAN, NAN, NAN, D);
  } else if (a == 0.0 || b == 0.0 || isinf(a) || isinf(b)) {
    set_matrix(a > 0.0 && fabs(z[0]) <= a, 0.0, b > 0.0 && fabs(z[1]) <= b, D);
  } else if (is_inside(a, b, z)) {
    set_matrix(1.0, 0.0, 1.0, D);
  } else if (isinf(z[0]) || isinf(z[1])) {
    set_matrix(0.0, 0.0, 0.0, D);
  } else {
    pull_derivative(a, b, z, D);
  }
}

double nsdyn_ellipse_residual(double a, double b, double rho, const double *x, const double *y)
{
  if (!is_axis(a) || !is_axis(b) || !(rho > 0.0 && rho <= DBL_MAX) || !nsd_vector_is_finite(2, x) ||
      !nsd_vector_is_finite(2, y)) {
    return NAN;
  }
  double u[2], z[2], p[2];
  const double t = nsd_step_along(2, rho, x, y, u, z);
  nsdyn_ellipse_prox(nsd_twice(a, t), nsd_twice(b, t), z, p);
  if (t == 1.0 && p[0] == z[0] && p[1] == z[1]) {
    return nsd_scaled(rho, nsd_saturate(nsd_norm_plane(y[0], y[1]))); /* x − prox(z) = −ρy */
  }
  return nsd_saturate(nsd_twice(nsd_norm_plane(u[0] - p[0], u[1] - p[1]), 1.0 / t));
}
