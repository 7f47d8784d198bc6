/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The pendulum against a wall: its equation of motion integrated, and special walls. */
#include "support/exact_rebound.h"

#include <math.h>

#include "suite.h"
#include "support/exact_ode.h"

static void rate(const void *data, const long double *y, long double *f)
{
  const exact_rebound *p = data;
  f[0] = y[1];
  f[1] = -(long double)p->omega * (long double)p->omega * sinl(y[0]);
}

static long double from_wall(const void *data, const long double *y)
{
  return y[0] - (long double)((const exact_rebound *)data)->wall;
}

START_TEST(hits_come_when_the_integrated_motion_has_them)
{
  for (int k = 0; k < random_cases(100); k++) {
    random_state r = random_seed((uint64_t)k);
    exact_rebound p = {.omega = random_between(&r, 0.5, 3.0), .eps = random_between(&r, 0.3, 1.0)};
    p.start = random_between(&r, 0.3, 2.8);
    p.wall = random_below(&r, 4) ? random_between(&r, -0.9, 0.9) * p.start : 0.0;
    const exact_ode ode = {.n = 2, .rate = rate, .until = from_wall, .data = &p};
    long double y[2] = {p.start, 0.0L}, t = 0.0L, spin = 0.0L;
    for (int i = 1; i <= 4; i++) {
      t += exact_ode_run(&ode, 60.0L / (long double)p.omega, 2000, y);
      const long double exact = exact_rebound_hit(&p, i, &spin);
      REQUIRE(fabsl(t - exact) <= 1e-12L, "case %d, hit %d: %Lg, integrated %Lg", k, i, exact, t);
      REQUIRE(fabsl(-y[1] - spin) <= 1e-12L, "case %d, hit %d: spin %Lg, integrated %Lg", k, i, spin, -y[1]);
      y[0] = p.wall;
      y[1] *= -(long double)p.eps;
    }
  }
}
END_TEST

START_TEST(some_walls_are_never_met)
{
  const exact_rebound p = {.omega = 1.0, .wall = -1.0, .start = 0.9, .eps = 0.5};
  long double spin;
  ck_assert(exact_rebound_hit(&p, 1, &spin) == -1.0L);
}
END_TEST

/* Small swings on a wall at the bottom: π/(2ω), then every π/ω. */
START_TEST(small_swings_are_a_spring)
{
  const exact_rebound p = {.omega = 2.0, .wall = 0.0, .start = 1e-6, .eps = 0.7};
  for (int k = 1; k < 10; k++) {
    long double spin;
    ck_assert_ldouble_eq_tol(exact_rebound_hit(&p, k, &spin), acosl(0.0L) / 2.0L * (long double)(2 * k - 1),
                             1e-11L);
    ck_assert_ldouble_eq_tol(spin, 2e-6L * powl(0.7L, (long double)(k - 1)), 1e-17L);
  }
}
END_TEST

START_TEST(hits_accumulate_at_the_time_of_rest)
{
  for (int k = 0; k < random_cases(200); k++) {
    random_state r = random_seed((uint64_t)k);
    exact_rebound p = {.omega = 1.0, .eps = random_between(&r, 0.1, 0.9)};
    p.wall = random_between(&r, 0.1, 1.0);
    p.start = random_between(&r, 1.1, 2.5);
    long double spin;
    const long double rest = exact_rebound_rest(&p), last = exact_rebound_hit(&p, 300, &spin);
    const long double left = 2.0L * spin * (long double)p.eps / (sinl(p.wall) * (1.0L - (long double)p.eps));
    REQUIRE(fabsl(rest - last - left) <= 1e-12L * rest, "case %d: %Lg, %Lg", k, rest - last, left);
  }
}
END_TEST

SUITE("support/exact_rebound", TEST(hits_come_when_the_integrated_motion_has_them),
      TEST(some_walls_are_never_met), TEST(small_swings_are_a_spring),
      TEST(hits_accumulate_at_the_time_of_rest))
