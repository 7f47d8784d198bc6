/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/depth.h"

#include "shapes.h"

static nsdyn_shape *box(double b, double h)
{
  const double p[] = {0.0, 0.0, b, 0.0, b, h, 0.0, h};
  return shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0);
}

/* A box sunk into a floor by less than the skin touches it at two points; by more it is told as too deep, by
 * how much; wholly inside it is, too. */
START_TEST(sunk_box)
{
  const int cases = random_cases(2000);
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsdyn_shape *floor = box(10.0, 5.0), *body = box(1.0, 1.0);
    const double depth = pow(10.0, random_between(&random, -12.0, 0.6)), skin = 0.05;
    const double at[3] = {random_between(&random, 1.0, 8.0), 5.0 - depth, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    REQUIRE(nsd_search_run(&s, body, at, floor, zero, 0.01, skin) == NSDYN_OK);
    if (depth <= skin) {
      REQUIRE(!s.is_deep && s.depth == 0.0 && s.meetings == 2, "case %d: %g, %d", k, depth, s.meetings);
      REQUIRE(fabs(s.meeting[0].h + depth) < 1e-12 && fabs(s.meeting[1].h + depth) < 1e-12, "case %d", k);
    } else {
      const double least = depth < 1.0 ? fmin(depth, 1.0 - depth) : 1.0;
      REQUIRE(s.is_deep && s.depth >= 0.99 * least, "case %d: %g, %g", k, s.depth, depth);
      REQUIRE(depth > 0.5 || fabs(s.depth - depth) < 1e-12, "case %d: %g, %g", k, s.depth, depth);
    }
    nsdyn_shape_free(floor);
    nsdyn_shape_free(body);
  }
  nsd_search_release(&s);
}
END_TEST

/* A round polygon of 1000 sides that sinks by many of them: not too deep, and at its lowest corner. */
START_TEST(many_corners_inside)
{
  enum { N = 1000 };
  double p[2 * N];
  for (int i = 0; i < N; i++) {
    p[2 * i] = sin(2.0 * (double)SHAPES_PI * i / N);
    p[2 * i + 1] = -cos(2.0 * (double)SHAPES_PI * i / N);
  }
  nsdyn_shape *wheel = shapes_make(NSDYN_SHAPE_POLYGON, N, p, 0.0), *floor = box(10.0, 5.0);
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (double depth = 1e-7; depth < 0.2; depth *= 3.0) {
    const double at[3] = {5.0, 6.0 - depth, 0.0}, zero[3] = {0.0, 0.0, 0.0}, skin = 0.05;
    ck_assert_int_eq(nsd_search_run(&s, wheel, at, floor, zero, 0.0, skin), NSDYN_OK);
    ck_assert_msg(s.is_deep == (depth > skin), "%g: %g", depth, s.depth);
    double least = 0.0;
    for (int i = 0; i < s.meetings; i++) {
      least = fmin(least, s.meeting[i].h);
    }
    ck_assert_msg(s.is_deep ? s.depth > 0.5 * depth && s.depth < 1.01 * depth : fabs(least + depth) < 1e-14,
                  "%g: %g, %g", depth, least, s.depth);
  }
  nsd_search_release(&s);
  nsdyn_shape_free(wheel);
  nsdyn_shape_free(floor);
}
END_TEST

/* Two disks overlap by more than the skin, or less. */
START_TEST(disks)
{
  const double none[] = {0.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
  nsdyn_shape *disk = shapes_make(NSDYN_SHAPE_CIRCLE, 1, none, 1.0);
  nsd_search s;
  nsd_search_init(&s, NULL);
  const double depths[] = {0.0, 0.01, 0.05, 0.06, 1.0, 2.0};
  for (int k = 0; k < 6; k++) {
    const double at[3] = {2.0 - depths[k], 0.0, 0.0};
    ck_assert_int_eq(nsd_search_run(&s, disk, at, disk, zero, 0.0, 0.05 + 1e-12), NSDYN_OK);
    ck_assert(s.is_deep == (k > 2) && s.meetings == 1 && fabs(s.meeting[0].h - 2.0 + depths[k]) < 1e-15);
    ck_assert(!s.is_deep || fabs(s.depth - depths[k]) < 1e-15);
  }
  nsd_search_release(&s);
  nsdyn_shape_free(disk);
}
END_TEST

SUITE("geometry/depth", TEST(sunk_box), TEST(many_corners_inside), TEST(disks))
