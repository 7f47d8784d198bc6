/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <math.h>

#include "nsdyn/setvalued.h"
#include "suite.h"
#include "support/projections.h"

#define TURN 6.283185307179586476925286766559L

static void prox(const projection *set, const double *z, double *p)
{
  nsdyn_polygon_prox(set->sides, set->a, z, p);
}

static void derivative(const projection *set, const double *z, double *D)
{
  nsdyn_polygon_prox_derivative(set->sides, set->a, z, D);
}

static double residual(const projection *set, double rho, const double *x, const double *y)
{
  return nsdyn_polygon_residual(set->sides, set->a, rho, x, y);
}

static projection polygon(int sides, double r)
{
  return (projection){
      .n = 2, .a = r, .sides = sides, .prox = prox, .derivative = derivative, .residual = residual};
}

static int any_sides(random_state *random)
{
  return 4 + 2 * (random_below(random, 4) ? random_below(random, 8) : random_below(random, 500));
}

/* A point near a corner's direction, at a side, inside, or far away; its direction in `angle`. */
static projection any_case(random_state *random, double decades, double *z)
{
  const projection set = polygon(any_sides(random), random_scale(random, decades));
  const int corner = random_below(random, set.sides), kind = random_below(random, 4);
  const double part = kind == 0 ? corner : kind == 1 ? corner + 0.5 : set.sides * random_unit(random);
  const double angle = (double)TURN * part / set.sides + (random_below(random, 2) ? 1e-15 : 0.0);
  const int far = random_below(random, 5);
  const double reach = far == 0   ? 1.0
                       : far == 1 ? cos(0.5 * (double)TURN / set.sides)
                       : far == 2 ? random_unit(random)
                                  : random_scale(random, far == 3 ? 1.0 : 9.0);
  z[0] = set.a * reach * cos(angle);
  z[1] = set.a * reach * sin(angle);
  return set;
}

START_TEST(prox_is_a_projection)
{
  int pulled = 0;
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], p[2], q[2];
    const projection set = any_case(&random, 150.0, z);
    set.prox(&set, z, p);
    set.prox(&set, p, q);
    REQUIRE(projection_equal(2, p, q), "seed %d: idempotent", k);
    const double mirrored[2] = {-z[0], z[1]};
    set.prox(&set, mirrored, q);
    REQUIRE(q[0] == -p[0] && q[1] == p[1], "seed %d: symmetric", k);
    const double turned[2] = {-z[0], -z[1]};
    set.prox(&set, turned, q);
    REQUIRE(q[0] == -p[0] && q[1] == -p[1], "seed %d: symmetric", k);
    if (set.sides % 4 == 0) {
      const double diagonal[2] = {z[1], z[0]};
      set.prox(&set, diagonal, q);
      REQUIRE(hypot(q[0] - p[1], q[1] - p[0]) <= 8.0 * DBL_EPSILON * set.a, "seed %d: symmetric", k);
    }
    if (projection_equal(2, p, z)) {
      continue;
    }
    pulled++;
    for (int j = 0; j < set.sides; j++) {
      const double x[2] = {(double)(set.a * cosl(TURN * j / set.sides)),
                           (double)(set.a * sinl(TURN * j / set.sides))};
      REQUIRE(projection_excess(2, z, p, x) <= 16.0 * DBL_EPSILON, "seed %d: corner %d", k, j);
      const long double half = TURN / (2 * set.sides), n0 = cosl((2 * j + 1) * half),
                        n1 = sinl((2 * j + 1) * half);
      REQUIRE(n0 * p[0] + n1 * p[1] <= set.a * (cosl(half) + 8.0L * DBL_EPSILON), "seed %d: inside", k);
    }
  }
  ck_assert_int_gt(pulled, cases / 4);
}
END_TEST

/* Stewart's corners d_j: each is its own nearest point, and that of what lies beyond it. */
START_TEST(corners_are_where_the_header_says)
{
  for (int sides = 4; sides < 200; sides += 2) {
    for (int j = 0; j < sides; j++) {
      const long double angle = TURN * j / sides;
      const double far[2] = {(double)(5.0L * cosl(angle)), (double)(5.0L * sinl(angle))};
      double p[2], D[4];
      nsdyn_polygon_prox(sides, 2.0, far, p);
      REQUIRE(hypotl(p[0] - 2.0L * cosl(angle), p[1] - 2.0L * sinl(angle)) <= 8.0L * DBL_EPSILON, "%d of %d",
              j, sides);
      nsdyn_polygon_prox_derivative(sides, 2.0, far, D);
      REQUIRE(D[0] == 0.0 && D[1] == 0.0 && D[2] == 0.0 && D[3] == 0.0, "%d of %d", j, sides);
    }
  }
  const double right[2] = {9.0, 0.5};
  double p[2];
  nsdyn_polygon_prox(4, 1.0, right, p);
  ck_assert(p[0] == 1.0 && p[1] == 0.0);
}
END_TEST

START_TEST(prox_is_nonexpansive)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], w[2], p[2], q[2];
    const projection set = any_case(&random, 1.0, z);
    const double near = set.a * (random_below(&random, 2) ? 1.0 : 1e-7);
    w[0] = z[0] + near * random_normal(&random);
    w[1] = z[1] + near * random_normal(&random);
    set.prox(&set, z, p);
    set.prox(&set, w, q);
    REQUIRE(hypot(p[0] - q[0], p[1] - q[1]) <=
                hypot(z[0] - w[0], z[1] - w[1]) + 16.0 * DBL_EPSILON * (set.a + hypot(z[0], z[1])),
            "seed %d", k);
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
    const double reach = hypot(z[0], z[1]), h = 1e-4 * set.a / set.sides;
    const double resolution = 1e-9 + 64.0 * DBL_EPSILON * (reach + set.a) / h;
    const double error = projection_slope_error(&set, z, h, resolution);
    resolved += error >= 0.0;
    REQUIRE(error <= 10.0 * resolution, "seed %d: error %g", k, error);
    REQUIRE(projection_shape_error(&set, z, &random) <= 8.0 * DBL_EPSILON, "seed %d", k);
  }
  ck_assert_int_gt(resolved, cases / 3);
}
END_TEST

START_TEST(at_kinks_the_derivative_is_a_limit)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2], p[2];
    const projection set = any_case(&random, 1.0, z);
    set.prox(&set, z, p);
    const double error = projection_limit_error(&set, p, 1e-9 * set.a, &random);
    REQUIRE(error <= 8.0 * DBL_EPSILON, "seed %d: %g", k, error);
    /* where a side's region ends */
    const double angle = (double)TURN * (random_below(&random, set.sides) + 0.5) / set.sides;
    const double half = set.a * sin(0.5 * (double)TURN / set.sides);
    const double edge[2] = {3.0 * set.a * cos(angle) - half * sin(angle),
                            3.0 * set.a * sin(angle) + half * cos(angle)};
    REQUIRE(projection_limit_error(&set, edge, 1e-9 * set.a, &random) <= 8.0 * DBL_EPSILON, "seed %d", k);
  }
}
END_TEST

START_TEST(normal_cone_and_prox_agree)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[2];
    const projection set = any_case(&random, k % 2 ? 2.0 : 100.0, z);
    const double x[2] = {z[0] * random_normal(&random), z[1] * random_normal(&random)};
    const double error = projection_residual_error(&set, z, x, random_scale(&random, 30.0));
    REQUIRE(error <= 16.0 * DBL_EPSILON, "seed %d: %g", k, error);
    /* at a corner all between the normals of its sides is in the cone, and nothing else is */
    const int j = random_below(&random, set.sides);
    const double half = 0.5 * (double)TURN / set.sides, at = 2.0 * half * j, rho = random_scale(&random, 5.0);
    const double corner[2] = {set.a * cos(at), set.a * sin(at)};
    const double within = at + half * random_between(&random, -0.999, 0.999);
    const double beyond = at + half * (random_below(&random, 2) ? 1.5 : -1.5);
    const double y[2] = {set.a / rho * cos(within), set.a / rho * sin(within)};
    const double w[2] = {set.a / rho * cos(beyond), set.a / rho * sin(beyond)};
    REQUIRE(set.residual(&set, rho, corner, y) <= 16.0 * DBL_EPSILON * set.a, "seed %d: in the cone", k);
    REQUIRE(set.residual(&set, rho, corner, w) >= 0.4 * half * set.a, "seed %d: beside it", k);
  }
}
END_TEST

START_TEST(polygons_at_their_limits)
{
  double p[2], D[4];
  const double up[2] = {0.25, INFINITY}, corner[2] = {-INFINITY, INFINITY}, wrong[2] = {NAN, 0.0};
  const double z[2] = {3.0, -4.0}, zero[2] = {0.0, 0.0}, east[2] = {INFINITY, 7.0};
  nsdyn_polygon_prox(6, 1.0, up, p); /* a flat side on top */
  ck_assert(fabs(p[0] - 0.25) < 1e-15 && fabs(p[1] - sqrt(0.75)) < 1e-15);
  nsdyn_polygon_prox(4, 1.0, up, p); /* a corner on top */
  ck_assert(p[0] == 0.0 && p[1] == 1.0);
  nsdyn_polygon_prox(4, 2.0, corner, p);
  ck_assert(fabs(p[0] + 1.0) < 1e-15 * 4 && fabs(p[1] - 1.0) < 1e-15 * 4);
  nsdyn_polygon_prox(6, 2.0, east, p);
  ck_assert(p[0] == 2.0 && p[1] == 0.0);
  nsdyn_polygon_prox(8, 0.0, z, p);
  ck_assert(p[0] == 0.0 && p[1] == 0.0);
  nsdyn_polygon_prox_derivative(8, 0.0, zero, D);
  ck_assert(D[0] == 0.0 && D[3] == 0.0);
  nsdyn_polygon_prox(8, INFINITY, corner, p);
  ck_assert(p[0] == -INFINITY && p[1] == INFINITY);
  nsdyn_polygon_prox_derivative(8, INFINITY, z, D);
  ck_assert(D[0] == 1.0 && D[1] == 0.0 && D[2] == 0.0 && D[3] == 1.0);
  nsdyn_polygon_prox(INT32_MAX - 1, 1.0, z, p); /* half a side from where a circle has it */
  ck_assert(fabs(p[0] - 0.6) < 1.5e-9 && fabs(p[1] + 0.8) < 1.5e-9 && fabs(hypot(p[0], p[1]) - 1.0) < 1e-15);
  static const int32_t sides[] = {2, 3, 5, 0, -4, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    nsdyn_polygon_prox(sides[i], 1.0, z, p);
    nsdyn_polygon_prox_derivative(sides[i], 1.0, z, D);
    ck_assert(isnan(p[0]) && isnan(p[1]) && isnan(D[0]) && isnan(D[3]));
    ck_assert(isnan(nsdyn_polygon_residual(sides[i], 1.0, 1.0, z, z)));
  }
  nsdyn_polygon_prox(4, -1.0, z, p);
  ck_assert(isnan(p[0]));
  nsdyn_polygon_prox(4, 1.0, wrong, p);
  ck_assert(isnan(p[0]) && isnan(p[1]));
  ck_assert(isnan(nsdyn_polygon_residual(4, 1.0, INFINITY, z, z)));
  ck_assert(isnan(nsdyn_polygon_residual(4, 1.0, 1.0, z, wrong)));
  ck_assert(nsdyn_polygon_residual(4, INFINITY, 1.0, z, zero) == 0.0);
  const double tip[2] = {0x1p1023, 0.0}, push[2] = {0x1p1023, 0.0}, back[2] = {-0x1p1023, 0.0};
  ck_assert(nsdyn_polygon_residual(4, 0x1p1023, 4.0, tip, push) == 0.0);
  ck_assert(nsdyn_polygon_residual(4, 0x1p1023, 4.0, tip, back) == DBL_MAX);
}
END_TEST

SUITE("setvalued/polygon", TEST(prox_is_a_projection), TEST(corners_are_where_the_header_says),
      TEST(prox_is_nonexpansive), TEST(derivative_is_that_of_the_function),
      TEST(at_kinks_the_derivative_is_a_limit), TEST(normal_cone_and_prox_agree),
      TEST(polygons_at_their_limits))
