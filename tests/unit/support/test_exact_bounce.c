/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The bouncing ball's closed forms against each other and against free fall. */
#include "support/exact_bounce.h"

#include <math.h>

#include "suite.h"

static exact_bounce random_bounce(random_state *r)
{
  return (exact_bounce){.g = 9.81,
                        .eps = random_between(r, 0.05, 0.98),
                        .y = random_between(r, 0.0, 2.0),
                        .v = random_between(r, -3.0, 3.0)};
}

/* Energy before impact k is that of free fall, times ε² per impact; the ball is on the floor there; between
 * impacts its mean acceleration is −g. */
START_TEST(impacts_follow_from_free_fall)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_bounce p = random_bounce(&r);
    double energy = p.v * p.v / 2.0 + p.g * p.y;
    double last = 0.0;
    double left = p.v;
    for (int i = 1; i <= 12; i++) {
      double speed;
      double y;
      double v;
      const double t = exact_bounce_impact(&p, i, &speed);
      REQUIRE(fabs(speed * speed / 2.0 - energy) < 1e-12 * energy, "impact %d of case %d", i, k);
      REQUIRE(fabs(left - p.g * (t - last) + speed) < 1e-13 * (1.0 + fabs(p.v) + t), "impact %d of case %d",
              i, k);
      if (t - last < 1e-5 * t) {
        break; /* too short to be looked into */
      }
      const double before = last + (t - last) * (1.0 - 1e-9);
      REQUIRE(exact_bounce_at(&p, before, &y, &v) == i - 1, "impact %d of case %d", i, k);
      REQUIRE(fabs(y) < 1e-7 * (1.0 + p.y) && fabs(v + speed) < 1e-7 * (1.0 + speed), "impact %d of case %d",
              i, k);
      last = t;
      left = p.eps * speed;
      energy *= p.eps * p.eps;
    }
  }
}
END_TEST

START_TEST(impacts_end_at_the_zeno_time)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_bounce p = random_bounce(&r);
    const double zeno = exact_bounce_zeno(&p);
    const int many = 2 + (int)(log(1e-16) / log(p.eps));
    double speed;
    double y;
    double v;
    REQUIRE(fabs(exact_bounce_impact(&p, many, &speed) - zeno) < 1e-12 * zeno, "case %d", k);
    /* what is left of the way after impact n: 2 ε^n v_1/(g (1 − ε)) */
    const double t = exact_bounce_impact(&p, 5, &speed);
    REQUIRE(fabs(t + 2.0 * p.eps * speed / (p.g * (1.0 - p.eps)) - zeno) < 1e-13 * zeno, "case %d", k);
    REQUIRE(exact_bounce_at(&p, zeno, &y, &v) == -1 && y == 0.0 && v == 0.0, "case %d", k);
    REQUIRE(exact_bounce_at(&p, zeno * (1.0 - 1e-6), &y, &v) > 0 && y >= 0.0, "case %d", k);
  }
}
END_TEST

START_TEST(borders)
{
  double y;
  double v;
  exact_bounce p = {.g = 10.0, .eps = 0.0, .y = 5.0};
  ck_assert_double_eq_tol(exact_bounce_zeno(&p), 1.0, 1e-15);
  ck_assert_int_eq(exact_bounce_at(&p, 1.5, &y, &v), 1);
  ck_assert_double_eq(y, 0.0);
  p.eps = 1.0;
  ck_assert_double_eq(exact_bounce_zeno(&p), HUGE_VAL);
  ck_assert_int_eq(exact_bounce_at(&p, 101.0 - 1e-9, &y, &v), 50);
  ck_assert_double_eq_tol(v, -10.0, 1e-6);
  ck_assert_int_eq(exact_bounce_at(&p, 100.0, &y, &v), 50);
  ck_assert_double_eq_tol(y, 5.0, 1e-12);
  /* 1 m, ε = 0.8: known by hand, √(2/9.81) (1 + 1.6/0.2) */
  p = (exact_bounce){.g = 9.81, .eps = 0.8, .y = 1.0};
  ck_assert_double_eq_tol(exact_bounce_zeno(&p), 9.0 * sqrt(2.0 / 9.81), 1e-14);
}
END_TEST

SUITE("support/exact_bounce", TEST(impacts_follow_from_free_fall), TEST(impacts_end_at_the_zeno_time),
      TEST(borders))
