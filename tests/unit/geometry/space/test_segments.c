/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The nearest points of two segments: no two others are nearer, as the distance is convex and does not fall
 * from there along either of them or both. */
#include "geometry/space/segments.h"

#include "suite.h"

static double clamp(double x)
{
  return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static double apart(const double *p, const double *d, double s, const double *q, const double *e, double t)
{
  double square = 0.0;
  for (int i = 0; i < 3; i++) {
    const double w = p[i] + s * d[i] - q[i] - t * e[i];
    square += w * w;
  }
  return square;
}

START_TEST(no_points_are_nearer)
{
  const int cases = random_cases(4000);
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number);
    const int kind = random_below(&random, 4);
    double p[3], d[3], q[3], e[3], st[2];
    for (int i = 0; i < 3; i++) {
      p[i] = random_normal(&random);
      q[i] = random_normal(&random);
      d[i] = random_normal(&random);
      /* Any, parallel, nearly so, a point. */
      e[i] = kind == 0 ? random_normal(&random) : kind == 3 ? 0.0 : -0.7 * d[i];
      e[i] += kind == 2 ? 1e-7 * random_normal(&random) : 0.0;
    }
    const double square = nsd_segments_nearest(p, d, q, e, st);
    REQUIRE(st[0] >= 0.0 && st[0] <= 1.0 && st[1] >= 0.0 && st[1] <= 1.0, "case %d", number);
    REQUIRE(fabs(square - apart(p, d, st[0], q, e, st[1])) <= 1e-14 * (1.0 + square), "case %d", number);
    for (int k = 0; k < 400; k++) {
      const double h = k < 200 ? 1.0 : 1e-3, s = clamp(st[0] + h * random_between(&random, -1.0, 1.0));
      const double t = clamp(st[1] + h * random_between(&random, -1.0, 1.0));
      REQUIRE(apart(p, d, s, q, e, t) >= square * (1.0 - 1e-12), "case %d kind %d: %g < %g", number, kind,
              apart(p, d, s, q, e, t), square);
    }
  }
}
END_TEST

START_TEST(parallel_lines_have_no_crossing)
{
  const double p[3] = {0.0, 0.0, 0.0}, d[3] = {2.0, 0.0, 0.0}, q[3] = {0.5, 0.0, 3.0};
  double st[2], c[3];
  ck_assert_int_eq(nsd_lines_nearest(p, d, q, (double[]){-5.0, 1e-8, 0.0}, st, c), 0);
  ck_assert_int_eq(nsd_lines_nearest(p, d, q, (double[]){0.0, 0.0, 0.0}, st, c), 0);
  ck_assert_int_eq(nsd_lines_nearest(p, d, q, (double[]){0.0, 4.0, 0.0}, st, c), 1);
  ck_assert_double_eq(st[0], 0.25);
  ck_assert_double_eq(st[1], 0.0);
  ck_assert_double_eq(c[2], 8.0);
}
END_TEST

SUITE("geometry/space/segments", TEST(no_points_are_nearer), TEST(parallel_lines_have_no_crossing))
