/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nsdyn/setvalued.h"

#include <float.h>
#include <math.h>

#include "setvalued/disk_exact.h"
#include "suite.h"
#include "support/projections.h"

/* An interval of any kind: bounded, a point, one-sided, the line. */
static void any_interval(random_state *random, double scale, double *lo, double *hi)
{
  *lo = random_below(random, 4) ? scale * random_normal(random) : -INFINITY;
  *hi = random_below(random, 4) ? scale * random_normal(random) : INFINITY;
  if (random_below(random, 5) == 0 && isfinite(*lo)) {
    *hi = *lo;
  }
  if (*hi < *lo) {
    const double swap = *lo;
    *lo = *hi;
    *hi = swap;
  }
}

/* A point of an interval's neighbourhood: an end, next to an end, inside, or anywhere. */
static double near_interval(random_state *random, double scale, double lo, double hi)
{
  const double end = random_below(random, 2) ? lo : hi;
  const int kind = random_below(random, 4);
  if (kind < 2 && isfinite(end)) {
    return kind == 0 ? end : nextafter(end, random_below(random, 2) ? INFINITY : -INFINITY);
  }
  return kind == 2 ? nsdyn_interval_prox(lo, hi, scale * random_normal(random))
                   : scale * random_normal(random);
}

static int is_in_normal_cone(double lo, double hi, double x, double y)
{
  double cone_lo, cone_hi;
  return nsdyn_interval_normal(lo, hi, x, &cone_lo, &cone_hi) && y >= cone_lo && y <= cone_hi;
}

START_TEST(normal_cones_of_an_interval)
{
  double lo, hi;
  ck_assert_int_eq(nsdyn_interval_normal(-1, 2, -1, &lo, &hi), NSDYN_NORMAL_RAY);
  ck_assert(lo == -INFINITY && hi == 0.0);
  ck_assert_int_eq(nsdyn_interval_normal(-1, 2, 2, &lo, &hi), NSDYN_NORMAL_RAY);
  ck_assert(lo == 0.0 && hi == INFINITY);
  ck_assert_int_eq(nsdyn_interval_normal(-1, 2, nextafter(2, 0), &lo, &hi), NSDYN_NORMAL_ZERO);
  ck_assert(lo == 0.0 && hi == 0.0);
  ck_assert_int_eq(nsdyn_interval_normal(2, 2, 2, &lo, &hi), NSDYN_NORMAL_ALL);
  ck_assert(lo == -INFINITY && hi == INFINITY);
  ck_assert_int_eq(nsdyn_interval_normal(-1, 2, nextafter(2, 3), &lo, &hi), NSDYN_NORMAL_EMPTY);
  ck_assert(lo == INFINITY && hi == -INFINITY);
  ck_assert_int_eq(nsdyn_interval_normal(-INFINITY, INFINITY, 1e300, NULL, NULL), NSDYN_NORMAL_ZERO);
  ck_assert_int_eq(nsdyn_interval_normal(-INFINITY, INFINITY, INFINITY, NULL, NULL), NSDYN_NORMAL_EMPTY);
  ck_assert_int_eq(nsdyn_interval_normal(2, -1, 0, NULL, NULL), NSDYN_NORMAL_EMPTY);
  ck_assert_int_eq(nsdyn_interval_normal(INFINITY, INFINITY, INFINITY, NULL, NULL), NSDYN_NORMAL_EMPTY);
  ck_assert_int_eq(nsdyn_interval_normal(-1, 1, NAN, NULL, NULL), NSDYN_NORMAL_EMPTY);
}
END_TEST

/* y ∈ N(x) ⇔ x = prox(x + ρ y), for numbers small enough that x + ρ y is exact. */
START_TEST(normal_cone_and_prox_of_an_interval_agree)
{
  int members = 0;
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double bounds[2] = {random_below(&random, 9) - 4, random_below(&random, 9) - 4};
    double lo = fmin(bounds[0], bounds[1]), hi = fmax(bounds[0], bounds[1]);
    lo = random_below(&random, 4) ? lo : -INFINITY;
    hi = random_below(&random, 4) ? hi : INFINITY;
    const double x = random_below(&random, 11) - 5, y = (random_below(&random, 9) - 4) * 0.25;
    const double rho = ldexp(1.0, random_below(&random, 21) - 10);
    const int member = is_in_normal_cone(lo, hi, x, y);
    members += member;
    ck_assert_msg(member == (x == nsdyn_interval_prox(lo, hi, x + rho * y)), "seed %d", k);
    const double r = nsdyn_interval_residual(lo, hi, rho, x, y);
    ck_assert_msg(r == fabs(x - nsdyn_interval_prox(lo, hi, x + rho * y)), "seed %d", k);
    if (lo == 0.0 && hi == INFINITY) {
      ck_assert_msg(member == nsdyn_upr_contains(x, y), "seed %d", k);
      ck_assert_msg(r == nsdyn_half_line_residual(rho, x, y), "seed %d", k);
      ck_assert(nsdyn_half_line_prox(x + rho * y) == nsdyn_interval_prox(lo, hi, x + rho * y));
    }
    if (lo == -hi) {
      ck_assert_msg(member == nsdyn_sgn_contains(hi, y, x), "seed %d: Sgn is the inverse map", k);
    }
  }
  ck_assert_int_gt(members, cases / 20);
}
END_TEST

/* The residual is zero on the graph and nowhere else, at any scale. */
START_TEST(residual_of_an_interval_is_zero_exactly_on_the_graph)
{
  int members = 0;
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double scale = random_scale(&random, 150.0);
    double lo, hi;
    any_interval(&random, scale, &lo, &hi);
    const double x = near_interval(&random, scale, lo, hi);
    const double y = random_below(&random, 3) ? random_normal(&random) * random_scale(&random, 150.0) : 0.0;
    const double r = nsdyn_interval_residual(lo, hi, random_scale(&random, 250.0), x, y);
    const int member = is_in_normal_cone(lo, hi, x, y);
    members += member;
    ck_assert_msg(isfinite(r) && r >= 0.0 && (r == 0.0) == member, "seed %d: r %g, member %d", k, r, member);
  }
  ck_assert_int_gt(members, cases / 20);
}
END_TEST

/* The two promises of the header: a shift by r reaches the graph, none by less than r/3 does. */
START_TEST(residual_is_a_distance)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double scale = random_scale(&random, 100.0);
    double lo, hi;
    any_interval(&random, scale, &lo, &hi);
    const double rho = random_scale(&random, 50.0);
    const double on_x = near_interval(&random, scale, lo, hi), push = random_normal(&random) * scale / rho;
    if (!is_in_normal_cone(lo, hi, on_x, push)) {
      continue;
    }
    const double moved = random_unit(&random) * scale * (random_below(&random, 2) ? 1.0 : 1e-6);
    const double x = on_x + random_between(&random, -1.0, 1.0) * moved;
    const double y = push + random_between(&random, -1.0, 1.0) * moved / rho;
    const double r = nsdyn_interval_residual(lo, hi, rho, x, y);
    const double rounding = 8.0 * DBL_EPSILON * (fabs(x) + rho * fabs(y) + fabs(on_x));
    ck_assert_msg(r <= 3.0 * moved + rounding, "seed %d: r %g after a shift of %g", k, r, moved);
    const double d = x - nsdyn_interval_prox(lo, hi, x + rho * y);
    ck_assert_msg(fabs(fabs(d) - r) <= rounding, "seed %d", k);
    ck_assert_msg(nsdyn_interval_residual(lo, hi, rho, x - d, y + d / rho) <= rounding, "seed %d", k);
  }
}
END_TEST

START_TEST(prox_of_an_interval_is_a_projection)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double scale = random_scale(&random, 150.0);
    double lo, hi;
    any_interval(&random, scale, &lo, &hi);
    const double z1 = near_interval(&random, scale, lo, hi), z2 = near_interval(&random, scale, lo, hi);
    const double p1 = nsdyn_interval_prox(lo, hi, z1), p2 = nsdyn_interval_prox(lo, hi, z2);
    ck_assert_msg(p1 >= lo && p1 <= hi, "seed %d", k);
    ck_assert_msg(nsdyn_interval_prox(lo, hi, p1) == p1, "seed %d: idempotent", k);
    ck_assert_msg(fabs(p1 - p2) <= fabs(z1 - z2), "seed %d: nonexpansive", k);
    ck_assert_msg(nsdyn_half_line_prox(z1) == fmax(z1, 0.0), "seed %d", k);
  }
}
END_TEST

START_TEST(residuals_at_the_limits_of_double)
{
  ck_assert(nsdyn_half_line_residual(1e-200, 0.0, 1e-200) > 0.0);
  ck_assert(nsdyn_half_line_residual(1e-200, 0.0, -1e-200) == 0.0);
  ck_assert(nsdyn_half_line_residual(1e200, 1e300, -1e200) == 1e300);
  ck_assert(nsdyn_half_line_residual(1e200, 0.0, 1e200) == DBL_MAX);
  ck_assert(nsdyn_interval_residual(-DBL_MAX, DBL_MAX, 1.0, DBL_MAX, 0.0) == 0.0);
  ck_assert(nsdyn_interval_residual(-DBL_MAX, -DBL_MAX, 1.0, DBL_MAX, 0.0) == DBL_MAX);
  ck_assert(isnan(nsdyn_interval_residual(0.0, 1.0, 0.0, 0.0, 0.0)));
  ck_assert(isnan(nsdyn_interval_residual(0.0, 1.0, INFINITY, 0.0, 0.0)));
  ck_assert(isnan(nsdyn_interval_residual(0.0, 1.0, -1.0, 0.0, 0.0)));
  ck_assert(isnan(nsdyn_interval_residual(0.0, 1.0, 1.0, NAN, 0.0)));
  ck_assert(isnan(nsdyn_interval_residual(0.0, 1.0, 1.0, 0.0, NAN)));
  ck_assert(isnan(nsdyn_interval_residual(1.0, 0.0, 1.0, 0.0, 0.0)));
  ck_assert(isnan(nsdyn_interval_prox(1.0, 0.0, 0.0)));
  ck_assert(isnan(nsdyn_interval_prox(NAN, 0.0, 0.0)));
  ck_assert(isnan(nsdyn_interval_prox(0.0, 1.0, NAN)));
  ck_assert(isnan(nsdyn_half_line_prox(NAN)));
}
END_TEST

START_TEST(normal_cones_of_a_disk)
{
  const double on[2] = {3.0, -4.0}, inside[2] = {3.0, nextafter(-4.0, 0.0)}, zero[2] = {0.0, -0.0};
  const double outside[2] = {nextafter(3.0, 4.0), -4.0}, wrong[2] = {NAN, 0.0}, far[2] = {INFINITY, 0.0};
  ck_assert_int_eq(nsdyn_disk_normal(5.0, on), NSDYN_NORMAL_RAY);
  ck_assert_int_eq(nsdyn_disk_normal(5.0, inside), NSDYN_NORMAL_ZERO);
  ck_assert_int_eq(nsdyn_disk_normal(5.0, outside), NSDYN_NORMAL_EMPTY);
  ck_assert_int_eq(nsdyn_disk_normal(0.0, zero), NSDYN_NORMAL_ALL);
  ck_assert_int_eq(nsdyn_disk_normal(0.0, on), NSDYN_NORMAL_EMPTY);
  ck_assert_int_eq(nsdyn_disk_normal(INFINITY, on), NSDYN_NORMAL_ZERO);
  ck_assert_int_eq(nsdyn_disk_normal(INFINITY, far), NSDYN_NORMAL_EMPTY);
  ck_assert_int_eq(nsdyn_disk_normal(-1.0, zero), NSDYN_NORMAL_EMPTY);
  ck_assert_int_eq(nsdyn_disk_normal(NAN, zero), NSDYN_NORMAL_EMPTY);
  ck_assert_int_eq(nsdyn_disk_normal(5.0, wrong), NSDYN_NORMAL_EMPTY);
}
END_TEST

/* A point and a radius at one scale: inside, about on the circle, or outside, at times on an axis. */
static double disk_case(random_state *random, double z[2])
{
  const double scale = random_scale(random, 300.0), angle = random_between(random, 0.0, 6.283185307179586);
  const int kind = random_below(random, 4);
  const double r = random_below(random, 10) ? scale * random_unit(random) : 0.0;
  const double distance = kind == 0   ? r * random_unit(random)
                          : kind == 1 ? r
                          : kind == 2 ? r * (1.0 + 1e-15 * random_normal(random))
                                      : r + scale * random_unit(random);
  z[0] = distance * cos(angle);
  z[1] = distance * sin(angle);
  if (random_below(random, 6) == 0) {
    z[random_below(random, 2)] = 0.0;
  } else if (random_below(random, 6) == 0) {
    z[random_below(random, 2)] *= 1e-200;
  }
  return r;
}

START_TEST(prox_of_a_disk_is_a_projection)
{
  int pulled = 0;
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], p[2], again[2], swapped[2];
    const double r = disk_case(&random, z);
    nsdyn_disk_prox(r, z, p);
    ck_assert_msg(nsd_disk_side(r, p[0], p[1]) <= 0, "seed %d: in the disk without rounding", k);
    nsdyn_disk_prox(r, p, again);
    ck_assert_msg(again[0] == p[0] && again[1] == p[1], "seed %d: idempotent", k);
    const double turned[2] = {-z[1], z[0]};
    nsdyn_disk_prox(r, turned, swapped);
    ck_assert_msg(swapped[0] == -p[1] && swapped[1] == p[0], "seed %d: symmetric", k);
    const int inside = nsd_disk_side(r, z[0], z[1]) <= 0;
    pulled += !inside;
    if (inside) {
      ck_assert_msg(p[0] == z[0] && p[1] == z[1], "seed %d: unchanged inside", k);
    } else {
      const long double norm = sqrtl((long double)z[0] * z[0] + (long double)z[1] * z[1]);
      const double tol = 8.0 * DBL_EPSILON * r + 4.0 * DBL_TRUE_MIN;
      ck_assert_msg(fabs((double)(p[0] - r * (z[0] / norm))) <= tol, "seed %d", k);
      ck_assert_msg(fabs((double)(p[1] - r * (z[1] / norm))) <= tol, "seed %d", k);
    }
  }
  ck_assert(pulled > cases / 4 && pulled < cases - cases / 4);
}
END_TEST

START_TEST(prox_of_a_disk_is_nonexpansive)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double r = random_unit(&random), near = random_below(&random, 2) ? 1.0 : 1e-7;
    const double z[2] = {random_normal(&random), random_normal(&random)};
    const double w[2] = {z[0] + near * random_normal(&random), z[1] + near * random_normal(&random)};
    double p[2], q[2];
    nsdyn_disk_prox(r, z, p);
    nsdyn_disk_prox(r, w, q);
    ck_assert_msg(hypot(p[0] - q[0], p[1] - q[1]) <= hypot(z[0] - w[0], z[1] - w[1]) + 8.0 * DBL_EPSILON * r,
                  "seed %d", k);
  }
}
END_TEST

/* y = t x with t >= 0 belongs to the normal cone of a boundary point x, and only that. */
START_TEST(normal_cone_and_prox_of_a_disk_agree)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double r = random_scale(&random, 100.0), rho = random_scale(&random, 100.0);
    const double angle = random_between(&random, 0.0, 6.283185307179586);
    const double x[2] = {r * cos(angle), r * sin(angle)};
    const double t = random_below(&random, 10) ? random_scale(&random, 100.0) : 0.0;
    const double out[2] = {t * x[0], t * x[1]}, in[2] = {-out[0], -out[1]}, along[2] = {-out[1], out[0]};
    const double tol = 8.0 * DBL_EPSILON * r;
    ck_assert_msg(nsdyn_disk_residual(r, rho, x, out) <= tol, "seed %d: outward", k);
    if (t > 0.0) {
      /* inward by s and sideways by s (in units of r): the residual is known */
      const double s = rho * t;
      const double inward = r * (s > 2.0 ? 2.0 : s), sideways = r * sqrt(2.0 - 2.0 / sqrt(1.0 + s * s));
      ck_assert_msg(fabs(nsdyn_disk_residual(r, rho, x, in) - inward) <= tol, "seed %d: inward", k);
      const double found = nsdyn_disk_residual(r, rho, x, along);
      ck_assert_msg(fabs(found * found - sideways * sideways) <= tol * (r + found), "seed %d: sideways", k);
    }
    /* inside: only y = 0 */
    const double inner[2] = {0.5 * x[0], 0.5 * x[1]};
    const double zero[2] = {0.0, 0.0}, tiny[2] = {DBL_TRUE_MIN, 0.0};
    ck_assert_msg(nsdyn_disk_residual(r, rho, inner, zero) == 0.0, "seed %d: inside", k);
    ck_assert_msg(nsdyn_disk_residual(r, rho, inner, tiny) > 0.0, "seed %d: inside", k);
  }
}
END_TEST

START_TEST(disks_at_the_limits_of_double)
{
  double p[2];
  const double far[2] = {INFINITY, 3.0}, corner[2] = {-INFINITY, INFINITY}, huge[2] = {DBL_MAX, DBL_MAX};
  const double wrong[2] = {0.0, NAN}, zero[2] = {0.0, 0.0}, small[2] = {DBL_TRUE_MIN, DBL_TRUE_MIN};
  nsdyn_disk_prox(2.0, far, p);
  ck_assert(p[0] == 2.0 && p[1] == 0.0);
  nsdyn_disk_prox(2.0, corner, p);
  ck_assert(p[0] == -p[1] && fabs(p[1] - sqrt(2.0)) < 1e-15);
  nsdyn_disk_prox(DBL_MAX, huge, p);
  ck_assert(p[0] == p[1] && fabs(p[0] / DBL_MAX - sqrt(0.5)) < 1e-15);
  nsdyn_disk_prox(INFINITY, corner, p);
  ck_assert(p[0] == -INFINITY && p[1] == INFINITY);
  nsdyn_disk_prox(DBL_TRUE_MIN, small, p);
  ck_assert(p[0] == 0.0 && p[1] == 0.0);
  nsdyn_disk_prox(0.0, huge, p);
  ck_assert(p[0] == 0.0 && p[1] == 0.0);
  nsdyn_disk_prox(1.0, wrong, p);
  ck_assert(isnan(p[0]) && isnan(p[1]));
  nsdyn_disk_prox(-1.0, zero, p);
  ck_assert(isnan(p[0]) && isnan(p[1]));
  /* x + ρ y overflows: the direction still counts */
  const double x[2] = {1.0, 0.0}, up[2] = {0.0, 1e200}, out[2] = {1e200, 0.0};
  ck_assert(fabs(nsdyn_disk_residual(1.0, 1e200, x, up) - sqrt(2.0)) < 1e-15);
  ck_assert(nsdyn_disk_residual(1.0, 1e200, x, out) == 0.0);
  ck_assert(nsdyn_disk_residual(INFINITY, 1e200, x, out) == DBL_MAX);
  ck_assert(nsdyn_disk_residual(INFINITY, 1e-200, x, small) == DBL_TRUE_MIN);
  ck_assert(nsdyn_disk_residual(0.0, 1.0, zero, huge) == 0.0);
  ck_assert(nsdyn_disk_residual(0.0, 1.0, x, zero) == 1.0);
  ck_assert(isnan(nsdyn_disk_residual(-1.0, 1.0, x, zero)) && isnan(nsdyn_disk_residual(1.0, 0.0, x, zero)));
  ck_assert(isnan(nsdyn_disk_residual(1.0, 1.0, wrong, zero)));
  ck_assert(isnan(nsdyn_disk_residual(1.0, 1.0, zero, wrong)));
}
END_TEST

/* Where x + ρ y overflows, x still has its part in the direction. */
START_TEST(residual_of_a_disk_beyond_the_largest_double)
{
  const double r = 0x1p1023;
  for (int i = 0; i < 8; i++) {
    const double sign = i & 1 ? -1.0 : 1.0, rho = i & 2 ? 2.0 : 0x1p1023, push = 2.0 * (0x1p1023 / rho);
    const int along = i >> 2;
    double x[2] = {0.0, 0.0}, y[2] = {0.0, 0.0};
    x[!along] = r;
    y[along] = sign * push;
    /* x = (0, r), ρy = (±2r, 0), their sum pulled to (±2, 1) r/√5 */
    const double pulled = nsdyn_disk_residual(r, rho, x, y) / r;
    ck_assert_msg(fabs(pulled - sqrt(2.0 - 2.0 / sqrt(5.0))) <= 8.0 * DBL_EPSILON, "case %d: %g", i, pulled);
    /* x = (±r, r), ρy = (±2r, 0): the sum points to (±3, 1) */
    x[along] = sign * r;
    const double both = nsdyn_disk_residual(r, rho, x, y) / r;
    ck_assert_msg(fabs(both - sqrt(3.0 - 8.0 / sqrt(10.0))) <= 8.0 * DBL_EPSILON, "case %d: %g", i, both);
    /* x = (∓r, 0), ρy = (±2r, 0): the sum is on the circle, but on the other side */
    x[along] = -sign * r;
    x[!along] = 0.0;
    ck_assert_msg(nsdyn_disk_residual(r, rho, x, y) == DBL_MAX, "case %d", i);
    ck_assert_msg(nsdyn_disk_residual(1.5 * r, rho, x, y) == DBL_MAX, "case %d", i);
  }
  const double east[2] = {DBL_MAX, 0.0}, west[2] = {-DBL_MAX, 0.0}, corner[2] = {DBL_MAX, -DBL_MAX};
  ck_assert(nsdyn_disk_residual(DBL_MAX, 2.0, east, west) == DBL_MAX);
  ck_assert(nsdyn_disk_residual(DBL_MAX, 2.0, corner, west) == DBL_MAX);
}
END_TEST

static void disk_prox(const projection *set, const double *z, double *p)
{
  nsdyn_disk_prox(set->a, z, p);
}

static void disk_derivative(const projection *set, const double *z, double *D)
{
  nsdyn_disk_prox_derivative(set->a, z, D);
}

START_TEST(derivative_of_a_disk)
{
  int resolved = 0;
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], D[4], E[4];
    const double r = disk_case(&random, z), size = fmax(r, hypot(z[0], z[1]));
    const projection set = {.n = 2, .a = r / size, .prox = disk_prox, .derivative = disk_derivative};
    const double w[2] = {z[0] / size, z[1] / size};
    const double error = projection_slope_error(&set, w, 1e-3 * fmin(1.0, hypot(w[0], w[1])), 1e-7);
    resolved += error >= 0.0;
    ck_assert_msg(error <= 1e-7, "seed %d: %g", k, error);
    ck_assert_msg(projection_shape_error(&set, w, &random) <= 8.0 * DBL_EPSILON, "seed %d", k);
    nsdyn_disk_prox_derivative(r, z, D);
    nsdyn_disk_prox_derivative(0.5 * r, (const double[]){0.5 * z[0], 0.5 * z[1]}, E);
    ck_assert_msg(fmin(fabs(z[0]), fabs(z[1])) < 1e-290 || projection_equal(4, D, E), "seed %d: at any scale",
                  k);
    /* on the circle: that of the inside */
    double p[2];
    nsdyn_disk_prox(set.a, w, p);
    ck_assert_msg(k % 20 || r < 1e-3 * size || projection_limit_error(&set, p, 1e-9, &random) <= 1e-6,
                  "seed %d", k);
  }
  ck_assert_int_gt(resolved, cases / 3);
  double D[4];
  const double far[2] = {INFINITY, 0.0}, zero[2] = {0.0, 0.0}, wrong[2] = {NAN, 0.0}, unit[2] = {0.0, 2.0};
  nsdyn_disk_prox_derivative(1.0, unit, D);
  ck_assert(D[0] == 0.5 && D[1] == 0.0 && D[2] == 0.0 && D[3] == 0.0);
  nsdyn_disk_prox_derivative(1.0, far, D);
  ck_assert(D[0] == 0.0 && D[3] == 0.0);
  nsdyn_disk_prox_derivative(INFINITY, far, D);
  ck_assert(D[0] == 1.0 && D[1] == 0.0 && D[3] == 1.0);
  nsdyn_disk_prox_derivative(0.0, zero, D);
  ck_assert(D[0] == 0.0 && D[3] == 0.0);
  nsdyn_disk_prox_derivative(1.0, wrong, D);
  ck_assert(isnan(D[0]) && isnan(D[1]) && isnan(D[2]) && isnan(D[3]));
  nsdyn_disk_prox_derivative(-1.0, zero, D);
  ck_assert(isnan(D[0]));
}
END_TEST

SUITE("setvalued/interval_disk", TEST(normal_cones_of_an_interval),
      TEST(normal_cone_and_prox_of_an_interval_agree),
      TEST(residual_of_an_interval_is_zero_exactly_on_the_graph), TEST(residual_is_a_distance),
      TEST(prox_of_an_interval_is_a_projection), TEST(residuals_at_the_limits_of_double),
      TEST(normal_cones_of_a_disk), TEST(prox_of_a_disk_is_a_projection),
      TEST(prox_of_a_disk_is_nonexpansive), TEST(normal_cone_and_prox_of_a_disk_agree),
      TEST(disks_at_the_limits_of_double), TEST(derivative_of_a_disk),
      TEST(residual_of_a_disk_beyond_the_largest_double))
