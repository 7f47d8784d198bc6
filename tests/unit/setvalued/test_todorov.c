/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <math.h>

#include "nsdyn/setvalued.h"
#include "suite.h"
#include "support/projections.h"

/* The force alone, as a map for the differences of support/projections.h. */
static void force(const projection *map, const double *z, double *F)
{
  nsdyn_todorov(map->a, map->b, z, F, NULL, NULL);
}

static void force_derivative(const projection *map, const double *z, double *dF)
{
  double F[3];
  nsdyn_todorov(map->a, map->b, z, F, NULL, dF);
}

static projection todorov(double mu, double rho)
{
  return (projection){.n = 3, .a = mu, .b = rho, .prox = force, .derivative = force_derivative};
}

static projection any_case(random_state *random, double decades, double *z)
{
  const projection map = todorov(random_below(random, 10) ? random_scale(random, 0.1 * decades) : 0.0,
                                 random_scale(random, decades));
  const double unit = random_scale(random, decades), angle = random_between(random, 0.0, 6.283185307179586);
  z[0] = random_below(random, 10) ? unit * random_normal(random) : 0.0;
  const int kind = random_below(random, 4);
  const double reach = kind == 0   ? 0.0
                       : kind == 1 ? map.a * fabs(z[0]) * (1.0 + 2.0 * DBL_EPSILON * random_normal(random))
                                   : unit * random_normal(random);
  z[1] = reach * cos(angle);
  z[2] = reach * sin(angle);
  return map;
}

/* Whatever z is: Coulomb's law by its two proximal points. */
START_TEST(every_pair_obeys_coulomb)
{
  int counts[3] = {0, 0, 0};
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double z[3], F[3], nu[3];
    const projection map = any_case(&random, 100.0, z);
    nsdyn_todorov(map.a, map.b, z, F, nu, NULL);
    REQUIRE(F[0] >= 0.0 && nu[0] >= 0.0 && (F[0] == 0.0 || nu[0] == 0.0), "seed %d: normal", k);
    REQUIRE((nu[0] == 0.0) == (z[0] <= 0.0), "seed %d: zero exactly where it says", k);
    const double r = map.a * F[0], against[2] = {-nu[1], -nu[2]};
    const double off = nsdyn_disk_residual(r, map.b, &F[1], against);
    REQUIRE(off <= 16.0 * DBL_EPSILON * (r + hypot(F[1], F[2])), "seed %d: tangential %g", k, off);
    for (int i = 0; i < 3; i++) { /* z = ρν − F */
      REQUIRE(fabs(map.b * nu[i] - F[i] - z[i]) <= 4.0 * DBL_EPSILON * fabs(z[i]), "seed %d: z", k);
    }
    const int sticks = nu[1] == 0.0 && nu[2] == 0.0;
    REQUIRE(sticks == (F[1] == -z[1] && F[2] == -z[2]), "seed %d: stick", k);
    counts[F[0] == 0.0 ? 0 : sticks ? 1 : 2]++;
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_int_gt(counts[i], cases / 20);
  }
}
END_TEST

/* And each pair that obeys the law comes from its z. */
START_TEST(every_lawful_pair_has_its_z)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double mu = random_scale(&random, 1.0), rho = random_scale(&random, 2.0);
    const double angle = random_between(&random, 0.0, 6.283185307179586), slip = random_unit(&random);
    const double e[2] = {cos(angle), sin(angle)}, load = random_scale(&random, 2.0);
    double given[6] = {0.0}, z[3], F[3], nu[3];
    const int kind = random_below(&random, 3);
    if (kind == 0) { /* open: moves as it likes */
      given[3] = slip;
      given[4] = random_normal(&random);
      given[5] = random_normal(&random);
    } else {
      const double share = kind == 1 ? slip : 1.0;
      given[0] = load;
      given[1] = -share * mu * load * e[0];
      given[2] = -share * mu * load * e[1];
      given[4] = kind == 1 ? 0.0 : slip * e[0];
      given[5] = kind == 1 ? 0.0 : slip * e[1];
    }
    for (int i = 0; i < 3; i++) {
      z[i] = rho * given[3 + i] - given[i];
    }
    nsdyn_todorov(mu, rho, z, F, nu, NULL);
    const double size = projection_norm(3, z);
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabs(F[i] - given[i]) <= 8.0 * DBL_EPSILON * (1.0 + mu) * size, "seed %d: force %d", k, i);
      REQUIRE(fabs(nu[i] - given[3 + i]) * rho <= 8.0 * DBL_EPSILON * (1.0 + mu) * size,
              "seed %d: velocity %d", k, i);
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
    const projection map = any_case(&random, 1.0, z);
    const double size = projection_norm(3, z);
    const double h = 1e-3 * fmin(fabs(z[0]), hypot(z[1], z[2])) + 1e-6 * size;
    const double error = projection_slope_error(&map, z, h, 1e-7);
    resolved += error >= 0.0;
    REQUIRE(error <= 1e-7, "seed %d: μ %g, z %g %g %g: error %g", k, map.a, z[0], z[1], z[2], error);
  }
  ck_assert_int_gt(resolved, cases / 3);
}
END_TEST

START_TEST(at_kinks_the_derivative_is_a_limit)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double mu = random_scale(&random, 0.5), angle = random_between(&random, 0.0, 6.283185307179586);
    const projection map = todorov(mu, random_scale(&random, 3.0));
    const double limit[3] = {-1.0, mu * cos(angle), mu * sin(angle)}, tip[3] = {0.0, 0.0, 0.0};
    const double lifts[3] = {0.0, cos(angle), sin(angle)};
    REQUIRE(projection_limit_error(&map, limit, 1e-9, &random) <= 1e-6, "seed %d: limit of friction", k);
    REQUIRE(projection_limit_error(&map, lifts, 1e-9, &random) <= 1e-6, "seed %d: no load", k);
    REQUIRE(projection_limit_error(&map, tip, 1e-9, &random) <= 1e-6, "seed %d: nothing", k);
  }
}
END_TEST

/* One contact solved by Newton's method on G F(z) + c = ν(z), as MJ section 4 has it; here with G = 1, where
 * the solution is known: Λ_N = −c_N, and friction takes μ Λ_N off the sliding. */
START_TEST(its_equation_has_the_solutions_of_the_cone)
{
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double mu = random_scale(&random, 0.5);
    const double c[3] = {random_normal(&random), random_normal(&random), random_normal(&random)};
    /* G = 1 and ρ = 1: F + c = z + F, so z = c. */
    double F[3], nu[3], push[2];
    nsdyn_todorov(mu, 1.0, c, F, nu, NULL);
    const double load = fmax(0.0, -c[0]), against[2] = {-c[1], -c[2]};
    nsdyn_disk_prox(mu * load, against, push);
    REQUIRE(F[0] == load && F[1] == push[0] && F[2] == push[1], "seed %d: force", k);
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabs(nu[i] - (F[i] + c[i])) <= 2.0 * DBL_EPSILON, "seed %d: velocity", k);
    }
  }
}
END_TEST

START_TEST(wrong_and_extreme_arguments)
{
  const double z[3] = {-2.0, 1.0, 0.0}, wrong[3] = {-2.0, NAN, 0.0}, far[3] = {-INFINITY, 0.0, 0.0};
  double F[3], nu[3], dF[9];
  nsdyn_todorov(0.25, 1.0, z, F, nu, dF);
  ck_assert(F[0] == 2.0 && F[1] == -0.5 && F[2] == 0.0 && nu[0] == 0.0 && nu[1] == 0.5 && nu[2] == 0.0);
  ck_assert(dF[0] == -1.0 && dF[3] == 0.25 && dF[4] == 0.0 && dF[8] == -0.5);
  static const double bad[][2] = {{-1.0, 1.0}, {NAN, 1.0},      {INFINITY, 1.0},
                                  {1.0, 0.0},  {1.0, INFINITY}, {1.0, NAN}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    nsdyn_todorov(bad[i][0], bad[i][1], z, F, nu, dF);
    ck_assert(isnan(F[0]) && isnan(F[2]) && isnan(nu[0]) && isnan(nu[2]) && isnan(dF[0]) && isnan(dF[8]));
  }
  nsdyn_todorov(1.0, 1.0, wrong, F, NULL, NULL);
  ck_assert(isnan(F[0]) && isnan(F[1]));
  nsdyn_todorov(1.0, 1.0, far, F, nu, NULL);
  ck_assert(isnan(F[0]) && isnan(nu[1]));
  const double huge[3] = {-1e300, 1e300, -1e300};
  nsdyn_todorov(1e300, 1e-300, huge, F, nu, dF);
  ck_assert(F[1] == -1e300 && nu[1] == 0.0 && dF[4] == -1.0);
  nsdyn_todorov(1e-300, 1e-300, huge, F, nu, dF);
  ck_assert(nu[1] == DBL_MAX && isfinite(F[1]) && isfinite(dF[3]));
  const double tiny[3] = {1e-300, 1e-300, 0.0};
  nsdyn_todorov(1.0, 1e300, tiny, F, nu, NULL);
  ck_assert(nu[0] == DBL_TRUE_MIN && nu[1] == DBL_TRUE_MIN && nu[2] == 0.0);
}
END_TEST

SUITE("setvalued/todorov", TEST(every_pair_obeys_coulomb), TEST(every_lawful_pair_has_its_z),
      TEST(derivative_is_that_of_the_function), TEST(at_kinks_the_derivative_is_a_limit),
      TEST(its_equation_has_the_solutions_of_the_cone), TEST(wrong_and_extreme_arguments))
