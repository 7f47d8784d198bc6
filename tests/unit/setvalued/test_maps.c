/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nsdyn/setvalued.h"

#include <float.h>
#include <math.h>

#include "suite.h"

static const double specials[] = {0.0,     -0.0,     1.0,       -1.0,         0.5,           -0.5,
                                  3.0,     -3.0,     DBL_MIN,   DBL_TRUE_MIN, -DBL_TRUE_MIN, 1e-300,
                                  -1e-300, INFINITY, -INFINITY, NAN};
static const int special_count = sizeof specials / sizeof *specials;

/* Often one of the special numbers, else any scale and sign. */
static double any_number(random_state *random)
{
  if (random_below(random, 2)) {
    return specials[random_below(random, special_count)];
  }
  return (random_below(random, 2) ? 1.0 : -1.0) * random_scale(random, 100.0);
}

static double finite_number(random_state *random)
{
  double value;
  do {
    value = any_number(random);
  } while (!isfinite(value));
  return value;
}

static int is_complementary(double a, double b)
{
  return a >= 0.0 && b >= 0.0 && (a == 0.0 || b == 0.0);
}

START_TEST(upr_as_printed)
{
  double lo, hi;
  ck_assert_int_eq(nsdyn_upr(DBL_TRUE_MIN, &lo, &hi), 1);
  ck_assert(lo == 0.0 && hi == 0.0);
  ck_assert_int_eq(nsdyn_upr(-0.0, &lo, &hi), 1);
  ck_assert(lo == -INFINITY && hi == 0.0);
  ck_assert_int_eq(nsdyn_upr(-DBL_TRUE_MIN, &lo, &hi), 0);
  ck_assert(lo == INFINITY && hi == -INFINITY);
  ck_assert_int_eq(nsdyn_upr(NAN, &lo, &hi), 0);
  ck_assert(lo == INFINITY && hi == -INFINITY);
  ck_assert(!nsdyn_upr_contains(0.0, -INFINITY));
  ck_assert(nsdyn_upr_contains(0.0, -DBL_MAX));
}
END_TEST

START_TEST(sgn_as_printed)
{
  double lo, hi;
  ck_assert(nsdyn_sgn(2.0, DBL_TRUE_MIN, &lo, &hi) && lo == 2.0 && hi == 2.0);
  ck_assert(nsdyn_sgn(2.0, 0.0, &lo, &hi) && lo == -2.0 && hi == 2.0);
  ck_assert(nsdyn_sgn(2.0, -1.0, &lo, &hi) && lo == -2.0 && hi == -2.0);
  ck_assert(nsdyn_sgn(0.0, -1.0, &lo, &hi) && lo == 0.0 && hi == 0.0);
  ck_assert(nsdyn_sgn(INFINITY, 0.0, &lo, &hi) && lo == -INFINITY && hi == INFINITY);
  ck_assert(!nsdyn_sgn(INFINITY, 1.0, &lo, &hi) && lo == INFINITY && hi == -INFINITY);
  ck_assert(!nsdyn_sgn(-1.0, 0.0, &lo, &hi) && lo == INFINITY && hi == -INFINITY);
  ck_assert(!nsdyn_sgn(NAN, 0.0, &lo, &hi) && !nsdyn_sgn(1.0, NAN, &lo, &hi));
  ck_assert(nsdyn_sgn_contains(INFINITY, 0.0, 1e300) && !nsdyn_sgn_contains(INFINITY, 0.0, INFINITY));
}
END_TEST

START_TEST(a_member_is_what_lies_between_the_ends)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double a = any_number(&random), x = any_number(&random), z = any_number(&random);
    double lo, hi;
    int some = nsdyn_upr(x, &lo, &hi);
    ck_assert_msg(nsdyn_upr_contains(x, z) == (some && lo <= z && z <= hi && isfinite(z)), "seed %d", k);
    some = nsdyn_sgn(a, x, &lo, &hi);
    ck_assert_msg(nsdyn_sgn_contains(a, x, z) == (some && lo <= z && z <= hi && isfinite(z)), "seed %d", k);
  }
}
END_TEST

/* Glocker & Studer (2005), eq. 2 */
START_TEST(upr_is_complementarity)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double x = finite_number(&random), y = finite_number(&random);
    ck_assert_msg(nsdyn_upr_contains(x, -y) == is_complementary(x, y), "seed %d", k);
  }
}
END_TEST

/* (x1 − x2)(z1 − z2) >= 0 for any two points of a graph */
START_TEST(both_maps_are_monotone)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double a = fabs(finite_number(&random));
    double x[2], lo[2], hi[2];
    for (int i = 0; i < 2; i++) {
      x[i] = finite_number(&random);
      ck_assert(nsdyn_sgn(a, x[i], &lo[i], &hi[i]));
    }
    ck_assert_msg(!(x[0] < x[1]) || hi[0] <= lo[1], "Sgn, seed %d", k);
    const int both = nsdyn_upr(x[0], &lo[0], &hi[0]) && nsdyn_upr(x[1], &lo[1], &hi[1]);
    ck_assert_msg(!both || !(x[0] < x[1]) || hi[0] <= lo[1], "Upr, seed %d", k);
  }
}
END_TEST

/* A case near the graph of the law: its branches, its corners, their neighbours, or anything. */
static void friction_case(random_state *random, double *a, double *x, double *y)
{
  *a = random_below(random, 8) ? random_scale(random, 150.0) : 0.0;
  *x = random_below(random, 3) ? finite_number(random) : 0.0;
  switch (random_below(random, 6)) {
  case 0:
    *y = *a;
    break;
  case 1:
    *y = -*a;
    break;
  case 2:
    *y = nextafter(*a, random_below(random, 2) ? INFINITY : -INFINITY);
    break;
  case 3:
    *y = -nextafter(*a, random_below(random, 2) ? INFINITY : -INFINITY);
    break;
  case 4:
    *y = random_between(random, -*a, *a);
    break;
  default:
    *y = finite_number(random);
  }
}

/* Glocker & Studer (2005), eqs. 4 and 5 */
START_TEST(sgn_is_two_upr)
{
  int kept = 0;
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double a, x, y, x_r, y_r, x_l, y_l, x_back, y_back;
    friction_case(&random, &a, &x, &y);
    nsdyn_sgn_split(a, x, y, &x_r, &y_r, &x_l, &y_l);
    const int law = nsdyn_sgn_contains(a, x, -y);
    kept += law;
    ck_assert_msg(law == (is_complementary(x_r, y_r) && is_complementary(x_l, y_l)), "seed %d", k);
    ck_assert_msg(law == (nsdyn_upr_contains(x_r, -y_r) && nsdyn_upr_contains(x_l, -y_l)), "seed %d", k);
    ck_assert_msg(x_r >= 0.0 && x_l >= 0.0 && (x_r == 0.0 || x_l == 0.0), "seed %d", k);
    nsdyn_sgn_join(x_r, y_r, x_l, y_l, &x_back, &y_back);
    ck_assert_msg(x_back == x, "seed %d", k);
    ck_assert_msg(fabs(y_back - y) <= 2.0 * DBL_EPSILON * (a + fabs(y)), "seed %d: %g, %g", k, y, y_back);
    ck_assert_msg(!law || nsdyn_sgn_contains(a, x_back, -y_back), "seed %d", k);
    ck_assert_msg(x == 0.0 || !law || y_back == y, "seed %d: a step end is kept to the bit", k);
  }
  ck_assert_int_gt(kept, cases / 5);
  ck_assert_int_lt(kept, cases - cases / 5);
}
END_TEST

/* The other direction: pairs as a linear complementarity problem gives them. */
START_TEST(two_upr_are_sgn)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double a = random_below(&random, 8) ? random_scale(&random, 100.0) : 0.0;
    const int side = random_below(&random, 3);
    const double part = random_unit(&random) * 2.0 * a;
    const double y_r = side == 0 ? part : side == 1 ? 0.0 : 2.0 * a, y_l = 2.0 * a - y_r;
    const double x_r = y_r == 0.0 ? random_unit(&random) : 0.0, x_l = y_l == 0.0 ? random_unit(&random) : 0.0;
    double x, y;
    nsdyn_sgn_join(x_r, y_r, x_l, y_l, &x, &y);
    ck_assert_msg(nsdyn_sgn_contains(a, x, -y), "seed %d: a %g, x %g, y %g", k, a, x, y);
  }
}
END_TEST

START_TEST(a_split_neither_overflows_nor_hides_a_nan)
{
  double x_r, y_r, x_l, y_l, x, y;
  nsdyn_sgn_split(DBL_MAX, -DBL_MAX, DBL_MAX, &x_r, &y_r, &x_l, &y_l);
  ck_assert(x_r == 0.0 && y_r == DBL_MAX && x_l == DBL_MAX && y_l == 0.0);
  nsdyn_sgn_split(1.0, NAN, NAN, &x_r, &y_r, &x_l, &y_l);
  ck_assert(isnan(x_r) && isnan(y_r) && isnan(x_l) && isnan(y_l));
  nsdyn_sgn_join(NAN, 1.0, 0.0, 1.0, &x, &y);
  ck_assert(isnan(x) && y == 0.0);
}
END_TEST

SUITE("setvalued/maps", TEST(upr_as_printed), TEST(sgn_as_printed),
      TEST(a_member_is_what_lies_between_the_ends), TEST(upr_is_complementarity),
      TEST(both_maps_are_monotone), TEST(sgn_is_two_upr), TEST(two_upr_are_sgn),
      TEST(a_split_neither_overflows_nor_hides_a_nan))
