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
  nsdyn_cone_prox(set->a, z, p);
}

static void derivative(const projection *set, const double *z, double *D)
{
  nsdyn_cone_prox_derivative(set->a, z, D);
}

static double residual(const projection *set, double rho, const double *x, const double *y)
{
  return nsdyn_cone_residual(set->a, rho, x, y);
}

static projection cone(double mu)
{
  return (projection){.n = 3, .a = mu, .prox = prox, .derivative = derivative, .residual = residual};
}

/* A point of each region and of their boundaries, at any scale. */
static projection any_case(random_state *random, double decades, double steep, double *z)
{
  const double mu = random_below(random, 12) ? random_scale(random, steep) : 0.0;
  const double angle = random_between(random, 0.0, 6.283185307179586), unit = random_scale(random, decades);
  const int kind = random_below(random, 6);
  double normal = unit * random_normal(random), reach = unit * random_unit(random);
  if (kind == 0) { /* about on the cone */
    normal = unit * random_unit(random);
    reach = mu * normal * (1.0 + 4.0 * DBL_EPSILON * random_normal(random));
  } else if (kind == 1) { /* about on the polar cone */
    normal = -mu * reach * (1.0 + 4.0 * DBL_EPSILON * random_normal(random));
  } else if (kind == 2) {
    reach = 0.0;
  } else if (kind == 3) {
    normal *= random_scale(random, steep);
  }
  z[0] = normal;
  z[1] = reach * cos(angle);
  z[2] = reach * sin(angle);
  return cone(mu);
}

START_TEST(prox_is_a_projection)
{
  int pulled = 0, tips = 0;
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[3], p[3], q[3], r[3];
    const projection set = any_case(&random, 100.0, k % 2 ? 2.0 : 60.0, z);
    set.prox(&set, z, p);
    set.prox(&set, p, q);
    REQUIRE(projection_equal(3, p, q), "seed %d: idempotent", k);
    REQUIRE(hypot(p[1], p[2]) <= set.a * p[0] * (1.0 + 4.0 * DBL_EPSILON), "seed %d: inside", k);
    /* Moreau: z = p + q with p in the cone, q in the polar one −K', K' the cone of 1/μ, and p·q = 0 */
    const double size = projection_norm(3, z);
    const double mirrored[3] = {-z[0], z[1], z[2]};
    nsdyn_cone_prox(1.0 / set.a, mirrored, r);
    for (int i = 0; i < 3; i++) {
      const double sum = p[i] + (i == 0 ? -r[i] : r[i]);
      REQUIRE(fabs(sum - z[i]) <= 8.0 * DBL_EPSILON * size, "seed %d: Moreau's sum, μ %g, z %g %g %g", k,
              set.a, z[0], z[1], z[2]);
    }
    pulled += !projection_equal(3, p, z);
    tips += p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0;
  }
  ck_assert(pulled > cases / 3 && tips > cases / 20 && tips < cases / 2);
}
END_TEST

START_TEST(prox_is_nonexpansive_and_knows_no_units)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[3], w[3], p[3], q[3], d[3], e[3];
    const projection set = any_case(&random, 1.0, 3.0, z);
    const double near = projection_norm(3, z) * (random_below(&random, 2) ? 1.0 : 1e-7);
    for (int i = 0; i < 3; i++) {
      w[i] = z[i] + near * random_normal(&random);
    }
    set.prox(&set, z, p);
    set.prox(&set, w, q);
    for (int i = 0; i < 3; i++) {
      d[i] = p[i] - q[i];
      e[i] = z[i] - w[i];
    }
    REQUIRE(projection_norm(3, d) <=
                projection_norm(3, e) + 16.0 * DBL_EPSILON * (near + projection_norm(3, z)),
            "seed %d", k);
    const double unit = ldexp(1.0, random_below(&random, 1900) - 950);
    for (int i = 0; i < 3; i++) {
      w[i] = z[i] * unit;
    }
    set.prox(&set, w, q);
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabs(q[i] - p[i] * unit) <= 4.0 * DBL_EPSILON * fabs(p[i] * unit) + DBL_MIN, "seed %d", k);
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
    double z[3];
    const projection set = any_case(&random, 1.0, 1.0, z);
    const double h = 1e-3 * fmin(hypot(z[1], z[2]), projection_norm(3, z)) + 1e-5 * projection_norm(3, z);
    const double error = projection_slope_error(&set, z, h, 1e-7);
    resolved += error >= 0.0;
    REQUIRE(error <= 1e-7, "seed %d: μ %g, z %g %g %g: error %g", k, set.a, z[0], z[1], z[2], error);
    REQUIRE(projection_shape_error(&set, z, &random) <= 8.0 * DBL_EPSILON, "seed %d", k);
  }
  ck_assert_int_gt(resolved, cases / 3);
}
END_TEST

START_TEST(at_kinks_the_derivative_is_a_limit)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[3], p[3];
    const projection set = any_case(&random, 1.0, 0.7, z);
    const double size = projection_norm(3, z), tip[3] = {0.0, 0.0, 0.0};
    set.prox(&set, z, p);
    REQUIRE(projection_limit_error(&set, p, 1e-9 * projection_norm(3, p), &random) <= 1e-6,
            "seed %d: on the cone", k);
    const double n = hypot(z[1], z[2]), polar[3] = {-set.a * n, z[1], z[2]};
    REQUIRE(projection_limit_error(&set, polar, 1e-9 * size, &random) <= 1e-6, "seed %d: on the polar cone",
            k);
    REQUIRE(projection_limit_error(&set, tip, 1.0, &random) <= 1e-6, "seed %d: at the tip", k);
  }
}
END_TEST

START_TEST(normal_cone_and_prox_agree)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[3];
    const projection set = any_case(&random, 50.0, k % 2 ? 1.0 : 50.0, z);
    const double x[3] = {z[0] * random_normal(&random), z[1] * random_normal(&random), z[2]};
    const double error = projection_residual_error(&set, z, x, random_scale(&random, 50.0));
    REQUIRE(error <= 16.0 * DBL_EPSILON, "seed %d: %g", k, error);
  }
}
END_TEST

START_TEST(cones_at_their_limits)
{
  double p[3], D[9];
  const double z[3] = {-1.0, 3.0, -4.0}, up[3] = {INFINITY, 3.0, 4.0}, down[3] = {-INFINITY, 3.0, 4.0};
  const double side[3] = {5.0, -INFINITY, 1.0}, wrong[3] = {0.0, NAN, 0.0}, zero[3] = {0.0, 0.0, 0.0};
  nsdyn_cone_prox(0.0, z, p);
  ck_assert(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0);
  nsdyn_cone_prox(INFINITY, z, p);
  ck_assert(p[0] == 0.0 && p[1] == 3.0 && p[2] == -4.0);
  nsdyn_cone_prox_derivative(INFINITY, z, D);
  ck_assert(D[0] == 0.0 && D[4] == 1.0 && D[8] == 1.0 && D[5] == 0.0);
  nsdyn_cone_prox_derivative(0.0, zero, D);
  ck_assert(D[0] == 1.0 && D[4] == 0.0 && D[8] == 0.0);
  nsdyn_cone_prox(1.0, up, p);
  ck_assert(p[0] == INFINITY && p[1] == 3.0 && p[2] == 4.0);
  nsdyn_cone_prox(1.0, down, p);
  ck_assert(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0);
  nsdyn_cone_prox(1.0, side, p);
  ck_assert(p[0] == INFINITY && p[1] == -INFINITY && p[2] == 0.0);
  nsdyn_cone_prox(0.0, up, p);
  ck_assert(p[0] == INFINITY && p[1] == 0.0 && p[2] == 0.0);
  nsdyn_cone_prox(1.0, wrong, p);
  ck_assert(isnan(p[0]) && isnan(p[1]) && isnan(p[2]));
  nsdyn_cone_prox(-1.0, z, p);
  ck_assert(isnan(p[0]));
  nsdyn_cone_prox(NAN, z, p);
  ck_assert(isnan(p[0]));
  nsdyn_cone_prox_derivative(1.0, up, D);
  ck_assert(isnan(D[0]) && isnan(D[8]));
  ck_assert(isnan(nsdyn_cone_residual(1.0, 0.0, z, z)) && isnan(nsdyn_cone_residual(-1.0, 1.0, z, z)));
  ck_assert(isnan(nsdyn_cone_residual(1.0, 1.0, up, z)));
  const double far[3] = {DBL_MAX, -DBL_MAX, DBL_MAX};
  nsdyn_cone_prox(1.0, far, p);
  ck_assert(isfinite(p[0]) && p[1] == -p[2] && hypot(p[1], p[2]) <= p[0] * (1.0 + 4.0 * DBL_EPSILON));
  ck_assert(nsdyn_cone_residual(1.0, 2.0, far, far) <= DBL_MAX);
  const double force[3] = {1.0, -1.0, 0.0}, velocity[3] = {-0.5, -0.5, 0.0};
  ck_assert(nsdyn_cone_residual(1.0, 1.0, force, velocity) <= 4.0 * DBL_EPSILON);
}
END_TEST

SUITE("setvalued/second_order_cone", TEST(prox_is_a_projection),
      TEST(prox_is_nonexpansive_and_knows_no_units), TEST(derivative_is_that_of_the_function),
      TEST(at_kinks_the_derivative_is_a_limit), TEST(normal_cone_and_prox_agree), TEST(cones_at_their_limits))
