/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The elliptic integral: closed forms, its own theorems, and GSL's. */
#include "support/exact_elliptic.h"

#include <gsl/gsl_sf_ellint.h>
#include <math.h>

#include "suite.h"

static const long double tiny = 1e-17L;

/* R_F(x, x, x) = 1/√x, R_F(x, y, y) = arctan(√(y/x − 1)) / √(y − x), R_F(0, y, y) = π / (2√y), and 4 Γ(5/4)²
 * / √2π for the lemniscate's. */
START_TEST(closed_forms_are_met)
{
  for (int k = 1; k < 50; k++) {
    const long double x = (long double)k * 0.37L, y = x + 0.5L * (long double)k;
    ck_assert_ldouble_eq_tol(exact_elliptic(x, x, x) * sqrtl(x), 1.0L, tiny);
    ck_assert_ldouble_eq_tol(exact_elliptic(x, y, y) * sqrtl(y - x), atanl(sqrtl(y / x - 1.0L)), tiny);
    ck_assert_ldouble_eq_tol(exact_elliptic(0.0L, y, y) * sqrtl(y), acosl(0.0L), tiny);
  }
  ck_assert_ldouble_eq_tol(exact_elliptic(0.0L, 1.0L, 2.0L), 1.31102877714605990523L, tiny);
}
END_TEST

START_TEST(order_and_units_do_not_matter)
{
  for (int k = 0; k < random_cases(1000); k++) {
    random_state r = random_seed((uint64_t)k);
    const long double x = random_scale(&r, 3.0), y = random_scale(&r, 3.0), z = random_scale(&r, 3.0);
    const long double R = exact_elliptic(x, y, z);
    REQUIRE(fabsl(exact_elliptic(z, x, y) / R - 1.0L) <= tiny, "case %d", k);
    REQUIRE(fabsl(exact_elliptic(4.0L * x, 4.0L * y, 4.0L * z) * 2.0L / R - 1.0L) <= tiny, "case %d", k);
  }
}
END_TEST

START_TEST(gsl_says_the_same)
{
  for (int k = 0; k < random_cases(1000); k++) {
    random_state r = random_seed((uint64_t)k);
    const double x = random_below(&r, 5) ? random_scale(&r, 3.0) : 0.0;
    const double y = random_scale(&r, 3.0), z = random_scale(&r, 3.0);
    const double judge = gsl_sf_ellint_RF(x, y, z, GSL_PREC_DOUBLE);
    REQUIRE(fabs((double)exact_elliptic(x, y, z) / judge - 1.0) <= 2e-15, "case %d", k);
  }
}
END_TEST

SUITE("support/exact_elliptic", TEST(closed_forms_are_met), TEST(order_and_units_do_not_matter),
      TEST(gsl_says_the_same))
