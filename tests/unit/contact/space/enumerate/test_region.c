/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Lines through cones and half spaces, by points along them. */
#include "contact/space/enumerate/region.h"

#include <math.h>

#include "suite.h"
#include "support/random.h"

START_TEST(a_line_is_in_a_region_where_its_points_are)
{
  int some = 0, none = 0;
  for (int k = 0; k < random_cases(3000); k++) {
    random_state random = random_seed((uint64_t)k);
    double T[2], T_on[2], a = random_normal(&random), b = random_normal(&random);
    const double N = 2.0 * random_normal(&random), N_on = random_normal(&random);
    for (int i = 0; i < 2; i++) {
      T[i] = random_normal(&random);
      T_on[i] = random_normal(&random);
    }
    nsd_region region = nsd_region_of(1, 1e-10);
    nsd_region_ask(&region, a, b);
    nsd_region_ask_disk(&region, T, T_on, N, N_on, 0);
    if (region.is_unclear) {
      continue;
    }
    int any = 0;
    for (int i = -400; i <= 400; i++) {
      const double t = 0.05 * i;
      const double slack = N + t * N_on - hypot(T[0] + t * T_on[0], T[1] + t * T_on[1]);
      const int is_in = a + b * t >= 0.0 && slack >= 0.0, is_told = t >= region.low && t <= region.high;
      REQUIRE(is_in == is_told || fabs(slack) < 1e-9 || fabs(a + b * t) < 1e-9, "seed %d, t %g: %d for %d", k,
              t, is_told, is_in);
      any |= is_in;
    }
    some += any;
    none += region.low > region.high;
  }
  ck_assert(some > 0 && none > 0);
}
END_TEST

START_TEST(a_point_has_the_least_of_all_margins)
{
  const double still[2] = {0.0, 0.0}, T[2] = {3.0, 4.0};
  nsd_region region = nsd_region_of(0, 1e-10);
  nsd_region_ask(&region, 2.0, 0.0);
  nsd_region_ask_disk(&region, T, still, 6.0, 0.0, 0);
  ck_assert_double_eq_tol(region.margin, 1.0, 1e-15);
  nsd_region_ask_disk(&region, T, still, -5.5, 0.0, 1); /* a slot presses to either side */
  ck_assert_double_eq_tol(region.margin, 0.5, 1e-15);
  nsd_region_ask_disk(&region, T, still, -5.5, 0.0, 0);
  ck_assert_double_eq_tol(region.margin, -10.5, 1e-15);
}
END_TEST

SUITE("contact/space/enumerate/region", TEST(a_line_is_in_a_region_where_its_points_are),
      TEST(a_point_has_the_least_of_all_margins))
