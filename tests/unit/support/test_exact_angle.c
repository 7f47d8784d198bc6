/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sine and cosine of the exact references: those of the C library, where it reduces arguments with as many
 * digits as it takes. */
#include "support/exact_angle.h"

#include "suite.h"

/* Two units in the last place, also where the result is near zero. */
static int is_same(long double x)
{
  const long double ok = 2.0L * LDBL_EPSILON;
  long double sine, cosine;
  exact_sin_cos(x, &sine, &cosine);
  return sine == exact_sin(x) && cosine == exact_cos(x) &&
         fabsl(exact_sin(x) - sinl(x)) <= ok * fabsl(sinl(x)) &&
         fabsl(exact_cos(x) - cosl(x)) <= ok * fabsl(cosl(x));
}

START_TEST(random_angles)
{
  for (int k = 0; k < random_cases(200000); k++) {
    random_state r = random_seed((uint64_t)k);
    const long double x = (long double)random_scale(&r, 7.0) * (1.0L + 1e-17L * random_unit(&r));
    REQUIRE(is_same(x) && is_same(-x), "case %d: %.21Lg", k, x);
  }
}
END_TEST

/* The nearest numbers to multiples of π/2 and of π/4, where digits cancel and where the quarter changes. */
START_TEST(multiples_of_a_quarter)
{
  for (long n = 0; n < 20000000; n += 1 + n / 50) {
    const long double x = (long double)n * 0.785398163397448309616L;
    REQUIRE(is_same(x) && is_same(nextafterl(x, 0.0L)) && is_same(nextafterl(x, INFINITY)), "%ld π/4", n);
    REQUIRE(is_same(-x), "−%ld π/4", n);
  }
}
END_TEST

START_TEST(what_is_too_large_or_no_number)
{
  const long double edge = (long double)(1LL << (LDBL_MANT_DIG - 40));
  ck_assert(is_same(nextafterl(edge, 0.0L)) && is_same(edge) && is_same(1e12L) && is_same(1e300L));
  ck_assert_ldouble_eq(exact_sin(0.0L), 0.0L);
  ck_assert_ldouble_eq(exact_cos(0.0L), 1.0L);
  ck_assert(is_same(LDBL_MIN) && is_same(1e-30L));
  ck_assert(isnan(exact_sin(NAN)) && isnan(exact_cos(NAN)) && isnan(exact_sin(INFINITY)));
  long double sine, cosine;
  exact_sin_cos(NAN, &sine, &cosine);
  ck_assert(isnan(sine) && isnan(cosine));
}
END_TEST

SUITE("support/exact_angle", TEST(random_angles), TEST(multiples_of_a_quarter),
      TEST(what_is_too_large_or_no_number))
