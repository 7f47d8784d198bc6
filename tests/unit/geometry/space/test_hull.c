/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Convex hulls: all points behind all planes, Euler's formula, known polyhedra. */
#include "geometry/space/hull.h"

#include <string.h>

#include "suite.h"

static nsd_hull hull;

static void require_hull(int count, const double *points, int number)
{
  REQUIRE(hull.corners - hull.sides / 2 + hull.faces == 2, "case %d: %d corners, %d sides, %d faces", number,
          (int)hull.corners, (int)hull.sides, (int)hull.faces);
  for (int f = 0; f < hull.faces; f++) {
    const double *n = hull.plane[f];
    REQUIRE(fabs(nsd_vec3_norm(n) - 1.0) <= 1e-15);
    for (int i = 0; i < count; i++) {
      REQUIRE(nsd_vec3_dot(n, points + (ptrdiff_t)3 * i) <= n[3] + 4e-9, "case %d", number);
    }
    for (int k = hull.first[f]; k < hull.first[f + 1]; k++) {
      REQUIRE(nsd_vec3_dot(n, hull.corner[hull.round[k]]) >= n[3] - 4e-9, "case %d: face %d", number, f);
    }
  }
}

START_TEST(random_points_have_their_hull)
{
  const int cases = random_cases(300);
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number);
    const int count = 4 + random_below(&random, 40), is_ball = random_below(&random, 2);
    double x[3 * 64];
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < 3; k++) {
        x[3 * i + k] = random_normal(&random);
      }
      if (is_ball) {
        nsd_vec3_scale(1.0 / nsd_vec3_norm(x + 3 * i), x + 3 * i, x + 3 * i);
      }
    }
    REQUIRE(nsd_hull_make(count, x, &hull) == 0, "case %d", number);
    REQUIRE(!is_ball || hull.corners == count, "case %d: %d of %d are corners", number, (int)hull.corners,
            count);
    require_hull(count, x, number);
  }
}
END_TEST

/* Points of a lattice, many of them in each face and edge: 8 corners, 6 faces of 4. */
START_TEST(flat_points_are_one_face)
{
  double x[3 * 125];
  for (int i = 0; i < 125; i++) {
    const int y = i / 5 % 5, z = i / 25;
    nsd_vec3_set(0.1 * (i % 5), 0.1 * y, 0.1 * z, x + (ptrdiff_t)3 * i);
  }
  ck_assert_int_eq(nsd_hull_make(125, x, &hull), 0);
  ck_assert_int_eq(hull.corners, 8);
  ck_assert_int_eq(hull.faces, 6);
  ck_assert_int_eq(hull.sides, 24);
  require_hull(125, x, 0);
}
END_TEST

/* A prism of n sides, given twice over. */
START_TEST(prisms_have_two_faces_of_all_corners)
{
  for (int n = 3; n <= 64; n++) {
    double x[12 * 64];
    for (int i = 0; i < 4 * n; i++) {
      const double angle = 6.283185307179586 * i / n;
      nsd_vec3_set(cos(angle), sin(angle), i < 2 * n ? 0.0 : 0.5, x + 3 * i);
    }
    REQUIRE(nsd_hull_make(4 * n, x, &hull) == 0, "%d sides", n);
    REQUIRE(hull.corners == 2 * n && hull.faces == n + 2 && hull.sides == 6 * n, "%d sides", n);
    require_hull(4 * n, x, n);
  }
}
END_TEST

START_TEST(points_in_a_plane_have_none)
{
  double x[3 * 20];
  for (int i = 0; i < 20; i++) {
    nsd_vec3_set(cos(i), sin(i), 0.3 * cos(i) - 0.1 * sin(i), x + 3 * i);
  }
  ck_assert_int_eq(nsd_hull_make(20, x, &hull), 1);
  memset(x, 0, sizeof x);
  ck_assert_int_eq(nsd_hull_make(20, x, &hull), 1);
  for (int i = 0; i < 20; i++) {
    x[3 * i] = i;
  }
  ck_assert_int_eq(nsd_hull_make(20, x, &hull), 1);
}
END_TEST

/* clang-format off */
SUITE("geometry/space/hull",
  TEST(random_points_have_their_hull),
  TEST(flat_points_are_one_face),
  TEST(prisms_have_two_faces_of_all_corners),
  TEST(points_in_a_plane_have_none))
/* clang-format on */
