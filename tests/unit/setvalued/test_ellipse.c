/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <math.h>

#include "nsdyn/setvalued.h"
#include "suite.h"
#include "support/projections.h"

static void prox(const projection *set, const double *z, double *p)
{
  nsdyn_ellipse_prox(set->a, set->b, z, p);
}

static void derivative(const projection *set, const double *z, double *D)
{
  nsdyn_ellipse_prox_derivative(set->a, set->b, z, D);
}

static double residual(const projection *set, double rho, const double *x, const double *y)
{
  return nsdyn_ellipse_residual(set->a, set->b, rho, x, y);
}

static projection ellipse(double a, double b)
{
  return (projection){.n = 2, .a = a, .b = b, .prox = prox, .derivative = derivative, .residual = residual};
}

/* Half axes at up to `decades` from one, and a point of any kind: on an axis, near the curve, between the
 * tips, beside them, near a centre of curvature, far away. */
static projection any_case(random_state *random, double decades, double *z)
{
  const double scale = random_scale(random, decades), aspect = random_scale(random, decades);
  const projection set = ellipse(scale, random_below(random, 8) ? scale * aspect : scale);
  const double angle = random_between(random, 0.0, 6.283185307179586);
  const double grow = random_below(random, 3)   ? 1.0 + random_scale(random, 16.0) * 1e-3
                      : random_below(random, 2) ? 1.0 + 4.0 * DBL_EPSILON * random_normal(random)
                                                : random_scale(random, decades);
  z[0] = set.a * cos(angle) * grow;
  z[1] = set.b * sin(angle) * grow;
  const int kind = random_below(random, 6);
  if (kind == 0) {
    z[random_below(random, 2)] = 0.0;
  } else if (kind == 1) { /* sideways by lengths of the other axis */
    z[1] += set.a * random_normal(random);
  } else if (kind == 2) {
    z[0] += set.b * random_normal(random);
  }
  return set;
}

START_TEST(prox_is_a_projection)
{
  int pulled = 0;
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], p[2], again[2], swapped[2];
    const projection set = any_case(&random, k % 2 ? 3.0 : 70.0, z);
    set.prox(&set, z, p);
    set.prox(&set, p, again);
    REQUIRE(again[0] == p[0] && again[1] == p[1], "seed %d: idempotent", k);
    const projection turned = ellipse(set.b, set.a);
    const double other[2] = {-z[1], z[0]};
    turned.prox(&turned, other, swapped);
    REQUIRE(swapped[0] == -p[1] && swapped[1] == p[0], "seed %d: symmetric", k);
    const double inside = (p[0] / set.a) * (p[0] / set.a) + (p[1] / set.b) * (p[1] / set.b);
    const double rounding = 4.0 * DBL_EPSILON * hypot(z[0], z[1]);
    REQUIRE(inside <= 1.0 && fabs(p[0]) <= fabs(z[0]) + rounding && fabs(p[1]) <= fabs(z[1]) + rounding,
            "seed %d: inside", k);
    if (p[0] == z[0] && p[1] == z[1]) {
      continue;
    }
    pulled++;
    for (int i = 0; i < 12; i++) { /* members all around, and next to p */
      const double angle = i < 8 ? 0.78539816339744831 * i + random_unit(&random)
                                 : atan2(p[1] / set.b, p[0] / set.a) + 1e-5 * random_normal(&random);
      const double x[2] = {set.a * cos(angle), set.b * sin(angle)};
      const double excess = projection_excess(2, z, p, x);
      REQUIRE(excess <= 16.0 * DBL_EPSILON, "seed %d: a %g, b %g, z (%g, %g), excess %g", k, set.a, set.b,
              z[0], z[1], excess);
    }
  }
  ck_assert_int_gt(pulled, cases / 3);
}
END_TEST

/* m of c = U/(W + m), s = V/m by halving, in long double, whose range knows no end here. */
static void halved(const projection *set, const double *z, long double *p)
{
  const int i = set->a < set->b;
  const long double a = i ? set->b : set->a, b = i ? set->a : set->b;
  const long double U = a * fabsl((long double)z[i]), V = b * fabsl((long double)z[!i]),
                    W = (a - b) * (a + b);
  long double low = 0.0L, high = U + V;
  for (int k = 0; k < 20000 && high > low; k++) {
    /* in the middle of the exponents as long as they differ, then of the numbers */
    const long double m = low == 0.0L          ? 1e-6L * high
                          : low < 0.25L * high ? sqrtl(low) * sqrtl(high)
                                               : 0.5L * (low + high);
    if (m <= low || m >= high) {
      break;
    }
    const long double c = U / (W + m), s = V / m;
    *(c * c + s * s > 1.0L ? &low : &high) = m;
  }
  p[i] = copysignl(a * U / (W + high), z[i]);
  p[!i] = copysignl(V > 0.0L ? b * V / high : 0.0L, z[!i]);
  if (V == 0.0L && U < W) {
    p[!i] = b * sqrtl((1.0L - U / W) * (1.0L + U / W));
  }
}

START_TEST(prox_is_exact_to_some_roundings)
{
  double worst = 0.0;
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], p[2];
    long double q[2];
    const projection set = any_case(&random, k % 2 ? 2.0 : k % 4 ? 8.0 : 50.0, z);
    set.prox(&set, z, p);
    if ((p[0] == z[0] && p[1] == z[1]) || z[set.a >= set.b] == 0.0) {
      continue;
    }
    halved(&set, z, q);
    const double error = (double)(hypotl(p[0] - q[0], p[1] - q[1]) / hypotl(q[0], q[1]));
    worst = fmax(worst, error);
    REQUIRE(error <= 8.0 * DBL_EPSILON,
            "seed %d: a %g, b %g, z (%g, %g): (%.17g, %.17g), not (%.17Lg, %.17Lg)", k, set.a, set.b, z[0],
            z[1], p[0], p[1], q[0], q[1]);
  }
}
END_TEST

START_TEST(prox_is_nonexpansive)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], w[2], p[2], q[2];
    const projection set = any_case(&random, 3.0, z);
    const double near = (hypot(z[0], z[1]) + set.b) * (random_below(&random, 2) ? 1.0 : 1e-7);
    w[0] = z[0] + near * random_normal(&random);
    w[1] = z[1] + near * random_normal(&random);
    set.prox(&set, z, p);
    set.prox(&set, w, q);
    REQUIRE(hypot(p[0] - q[0], p[1] - q[1]) <=
                hypot(z[0] - w[0], z[1] - w[1]) +
                    16.0 * DBL_EPSILON * (hypot(p[0], p[1]) + hypot(q[0], q[1])),
            "seed %d", k);
  }
}
END_TEST

/* The same numbers, times a power of two as large as doubles bear. */
START_TEST(prox_and_derivative_know_no_units)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], p[2], q[2], D[4], E[4];
    const projection set = any_case(&random, 2.0, z);
    const double unit = ldexp(1.0, random_below(&random, 1900) - 950);
    const projection scaled = ellipse(set.a * unit, set.b * unit);
    const double w[2] = {z[0] * unit, z[1] * unit};
    set.prox(&set, z, p);
    scaled.prox(&scaled, w, q);
    REQUIRE(hypot(w[0], w[1]) > 1e300 || hypot(w[0], w[1]) < 1e-290 ||
                (q[0] == p[0] * unit && q[1] == p[1] * unit),
            "seed %d", k);
    set.derivative(&set, z, D);
    scaled.derivative(&scaled, w, E);
    REQUIRE(hypot(w[0], w[1]) > 1e300 || hypot(w[0], w[1]) < 1e-290 || projection_equal(4, D, E), "seed %d",
            k);
  }
}
END_TEST

START_TEST(a_circle_is_a_disk)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double r = random_scale(&random, 150.0), reach = r * random_scale(&random, 3.0);
    const double z[2] = {reach * random_normal(&random), reach * random_normal(&random)};
    double p[2], q[2], D[4], E[4];
    nsdyn_ellipse_prox(r, r, z, p);
    nsdyn_disk_prox(r, z, q);
    REQUIRE(hypot(p[0] - q[0], p[1] - q[1]) <= 8.0 * DBL_EPSILON * r, "seed %d", k);
    nsdyn_ellipse_prox_derivative(r, r, z, D);
    nsdyn_disk_prox_derivative(r, z, E);
    for (int i = 0; i < 4; i++) {
      REQUIRE(fabs(D[i] - E[i]) <= 16.0 * DBL_EPSILON, "seed %d: %g, %g", k, D[i], E[i]);
    }
  }
}
END_TEST

START_TEST(derivative_is_that_of_the_function)
{
  int resolved = 0;
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2];
    const projection set = any_case(&random, 1.0, z);
    const double h = 1e-3 * fmin(set.a, set.b);
    const double error = projection_slope_error(&set, z, h, 1e-7);
    resolved += error >= 0.0;
    REQUIRE(error <= 1e-7, "seed %d: a %g, b %g, z (%g, %g): error %g", k, set.a, set.b, z[0], z[1], error);
    REQUIRE(projection_shape_error(&set, z, &random) <= 8.0 * DBL_EPSILON, "seed %d", k);
  }
  ck_assert_int_gt(resolved, cases / 2);
}
END_TEST

START_TEST(derivative_at_extreme_sizes_is_one)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], D[4];
    const projection set = any_case(&random, 70.0, z);
    set.derivative(&set, z, D);
    REQUIRE(isfinite(D[0]) && isfinite(D[1]) && isfinite(D[3]), "seed %d", k);
    REQUIRE(projection_shape_error(&set, z, &random) <= 8.0 * DBL_EPSILON, "seed %d", k);
  }
}
END_TEST

START_TEST(at_kinks_the_derivative_is_a_limit)
{
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const projection set = ellipse(random_scale(&random, 1.0), random_scale(&random, 1.0));
    const double far[2] = {10.0 * set.a * random_normal(&random), 10.0 * set.b * random_normal(&random)};
    double p[2];
    set.prox(&set, far, p);
    const double error = projection_limit_error(&set, p, 1e-9 * fmin(set.a, set.b), &random);
    REQUIRE(error <= 1e-6, "seed %d: %g", k, error);
  }
}
END_TEST

START_TEST(normal_cone_and_prox_agree)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2];
    const projection set = any_case(&random, k % 2 ? 2.0 : 40.0, z);
    const double x[2] = {z[0] * random_normal(&random), z[1] * random_normal(&random)};
    const double error = projection_residual_error(&set, z, x, random_scale(&random, 30.0));
    REQUIRE(error <= 16.0 * DBL_EPSILON, "seed %d: %g", k, error);
    const double angle = random_between(&random, 0.0, 6.283185307179586), rho = random_scale(&random, 10.0);
    const double on[2] = {set.a * cos(angle), set.b * sin(angle)};
    const double normal[2] = {cos(angle) * set.b, sin(angle) * set.a}, in[2] = {-normal[0], -normal[1]};
    const double size = hypot(set.a, set.b);
    if (k %
        2) { /* the normal is known; against it the way is missed, or half of the least radius of curvature */
      REQUIRE(set.residual(&set, rho, on, normal) <= 16.0 * DBL_EPSILON * size, "seed %d: outward", k);
      const double way = rho * hypot(in[0], in[1]),
                   radius = fmin(set.a, set.b) * fmin(set.a, set.b) / fmax(set.a, set.b);
      REQUIRE(set.residual(&set, rho, on, in) >= 0.5 * fmin(way, radius), "seed %d: inward", k);
    }
  }
}
END_TEST

START_TEST(ellipses_at_their_limits)
{
  double p[2], D[4];
  const double up[2] = {0.5, INFINITY}, side[2] = {-INFINITY, 0.5}, corner[2] = {INFINITY, -INFINITY};
  const double wrong[2] = {0.0, NAN}, z[2] = {3.0, -4.0};
  nsdyn_ellipse_prox(3.0, 1.0, up, p);
  ck_assert(p[0] == 0.0 && p[1] == 1.0);
  nsdyn_ellipse_prox(3.0, 1.0, side, p);
  ck_assert(p[0] == -3.0 && p[1] == 0.0);
  nsdyn_ellipse_prox(3.0, 1.0, corner, p);
  ck_assert(fabs(p[0] - 9.0 / sqrt(10.0)) < 1e-15 * 4 && fabs(p[1] + 1.0 / sqrt(10.0)) < 1e-15);
  nsdyn_ellipse_prox_derivative(3.0, 1.0, corner, D);
  ck_assert(D[0] == 0.0 && D[1] == 0.0 && D[2] == 0.0 && D[3] == 0.0);
  nsdyn_ellipse_prox(0.0, 2.0, z, p);
  ck_assert(p[0] == 0.0 && p[1] == -2.0);
  nsdyn_ellipse_prox(0.0, 5.0, up, p);
  ck_assert(p[0] == 0.0 && p[1] == 5.0);
  nsdyn_ellipse_prox(INFINITY, 2.0, z, p);
  ck_assert(p[0] == 3.0 && p[1] == -2.0);
  nsdyn_ellipse_prox(INFINITY, INFINITY, corner, p);
  ck_assert(p[0] == INFINITY && p[1] == -INFINITY);
  nsdyn_ellipse_prox(0.0, 0.0, z, p);
  ck_assert(p[0] == 0.0 && p[1] == 0.0);
  nsdyn_ellipse_prox_derivative(0.0, 5.0, z, D);
  ck_assert(D[0] == 0.0 && D[1] == 0.0 && D[2] == 0.0 && D[3] == 1.0);
  nsdyn_ellipse_prox_derivative(2.0, INFINITY, z, D);
  ck_assert(D[0] == 0.0 && D[1] == 0.0 && D[2] == 0.0 && D[3] == 1.0);
  nsdyn_ellipse_prox(DBL_MAX, DBL_TRUE_MIN, z, p);
  ck_assert(p[0] == 3.0 && fabs(p[1]) <= DBL_TRUE_MIN);
  nsdyn_ellipse_prox(1e-160, 1e160, z, p);
  ck_assert(fabs(p[0] - 1e-160) < 1e-175 && p[1] == -4.0);
  const double tip_of_needle[2] = {1e160, 0.3};
  nsdyn_ellipse_prox_derivative(1e160, 2.0, tip_of_needle, D);
  ck_assert(D[0] >= 0.0 && D[0] <= 1.0 && D[1] == 0.0 && D[3] == 0.0);
  nsdyn_ellipse_prox(DBL_TRUE_MIN, DBL_TRUE_MIN, z, p);
  ck_assert(fabs(p[0]) <= DBL_TRUE_MIN && fabs(p[1]) <= DBL_TRUE_MIN);
  nsdyn_ellipse_prox(1.0, 1.0, wrong, p);
  ck_assert(isnan(p[0]) && isnan(p[1]));
  nsdyn_ellipse_prox(-1.0, 1.0, z, p);
  ck_assert(isnan(p[0]) && isnan(p[1]));
  nsdyn_ellipse_prox_derivative(1.0, NAN, z, D);
  ck_assert(isnan(D[0]) && isnan(D[3]));
  ck_assert(isnan(nsdyn_ellipse_residual(1.0, 1.0, 0.0, z, z)));
  ck_assert(isnan(nsdyn_ellipse_residual(1.0, 1.0, 1.0, z, wrong)));
  ck_assert(isnan(nsdyn_ellipse_residual(1.0, -1.0, 1.0, z, z)));
  const double tip[2] = {2.0, 0.0}, push[2] = {1e200, 0.0}, tiny[2] = {1e-200, 0.0}, zero[2] = {0.0, 0.0};
  ck_assert(nsdyn_ellipse_residual(2.0, 1.0, 1e200, tip, push) == 0.0);
  ck_assert(nsdyn_ellipse_residual(2.0, 1.0, 1e-200, zero, tiny) == DBL_TRUE_MIN);
  /* beyond the largest double the flat side and its curvature are still seen */
  const double a = 0x1p1023, top[2] = {a, 0.0}, right[2] = {a, 0.0};
  ck_assert(nsdyn_ellipse_residual(a, 0x1p1000, 1.0, top, right) == 0.0);
}
END_TEST

SUITE("setvalued/ellipse", TEST(prox_is_a_projection), TEST(prox_is_exact_to_some_roundings),
      TEST(prox_is_nonexpansive), TEST(prox_and_derivative_know_no_units), TEST(a_circle_is_a_disk),
      TEST(derivative_is_that_of_the_function), TEST(derivative_at_extreme_sizes_is_one),
      TEST(at_kinks_the_derivative_is_a_limit), TEST(normal_cone_and_prox_agree),
      TEST(ellipses_at_their_limits))
