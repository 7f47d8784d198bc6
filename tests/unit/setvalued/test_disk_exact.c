/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "setvalued/disk_exact.h"

#include <float.h>
#include <math.h>

#include "suite.h"

__extension__ typedef __int128 wide;

/* The judge: integers of 53 bits, squares of 106. */
static int side_of_integers(int64_t r, int64_t a, int64_t b)
{
  const wide sum = (wide)a * a + (wide)b * b - (wide)r * r;
  return (sum > 0) - (sum < 0);
}

START_TEST(agrees_with_integers_near_the_circle)
{
  int on_each_side[3] = {0, 0, 0};
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int64_t r = ((int64_t)1 << 52) + (int64_t)(random_bits(&random) >> 12);
    /* b from 2^53 down to a few units, a what is left of r, give or take some units */
    const int64_t b = (int64_t)(random_bits(&random) >> (11 + random_below(&random, 52))) % r;
    const long double rest = ((long double)r - (long double)b) * ((long double)r + (long double)b);
    int64_t a = (int64_t)sqrtl(rest) + random_below(&random, 5) - 2;
    a = a > ((int64_t)1 << 53) ? (int64_t)1 << 53 : a;
    const int expected = side_of_integers(r, a, b);
    on_each_side[expected + 1]++;
    const double scale = ldexp(1.0, random_below(&random, 1900) - 1020);
    const double sign = random_below(&random, 2) ? 1.0 : -1.0;
    ck_assert_msg(nsd_disk_side((double)r * scale, sign * (double)a * scale, (double)b * scale) == expected,
                  "seed %d", k);
    ck_assert_msg(nsd_disk_side((double)r * scale, (double)b * scale, -sign * (double)a * scale) == expected,
                  "seed %d, swapped", k);
  }
  ck_assert(on_each_side[0] > cases / 10 && on_each_side[2] > cases / 10);
}
END_TEST

START_TEST(right_triangles_lie_on_it_and_their_neighbours_do_not)
{
  static const double triangles[][3] = {{5, 3, 4}, {13, 5, 12}, {1105, 47, 1104}};
  for (int k = 0; k < 3; k++) {
    for (int e = -1070; e < 1010; e++) {
      const double s = ldexp(1.0, e);
      const double r = triangles[k][0] * s, a = triangles[k][1] * s, b = triangles[k][2] * s;
      ck_assert_int_eq(nsd_disk_side(r, a, b), 0);
      ck_assert_int_eq(nsd_disk_side(r, -b, a), 0);
      ck_assert_int_eq(nsd_disk_side(r, nextafter(a, 0.0), b), -1);
      ck_assert_int_eq(nsd_disk_side(r, a, nextafter(b, INFINITY)), 1);
      ck_assert_int_eq(nsd_disk_side(nextafter(r, INFINITY), a, b), -1);
      ck_assert_int_eq(nsd_disk_side(nextafter(r, 0.0), a, b), 1);
    }
  }
}
END_TEST

START_TEST(a_leg_too_small_to_be_squared_counts)
{
  ck_assert_int_eq(nsd_disk_side(1.0, 1.0, DBL_TRUE_MIN), 1);
  ck_assert_int_eq(nsd_disk_side(1.0, -1.0, 0.0), 0);
  ck_assert_int_eq(nsd_disk_side(1.0, 1.0 - 0x1p-53, 1e-300), -1);
  ck_assert_int_eq(nsd_disk_side(1.0, 1.0 - 0x1p-53, 0x1p-26), 1);
  ck_assert_int_eq(nsd_disk_side(DBL_MAX, DBL_MAX, DBL_TRUE_MIN), 1);
  ck_assert_int_eq(nsd_disk_side(DBL_MAX, DBL_MAX, 0.0), 0);
  ck_assert_int_eq(nsd_disk_side(DBL_TRUE_MIN, DBL_TRUE_MIN, DBL_TRUE_MIN), 1);
  ck_assert_int_eq(nsd_disk_side(0.0, DBL_TRUE_MIN, 0.0), 1);
  ck_assert_int_eq(nsd_disk_side(0.0, 0.0, -0.0), 0);
  ck_assert_int_eq(nsd_disk_side(DBL_TRUE_MIN, 0.0, 0.0), -1);
}
END_TEST

SUITE("setvalued/disk_exact", TEST(agrees_with_integers_near_the_circle),
      TEST(right_triangles_lie_on_it_and_their_neighbours_do_not), TEST(a_leg_too_small_to_be_squared_counts))
