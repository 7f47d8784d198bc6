/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Convex hulls: all points behind all planes, Euler's formula, known polyhedra. */
#include "geometry/space/hull.h"

#include <string.h>

#include "nsdyn/rotation.h"
#include "suite.h"

static nsd_hull hull;

/* Where points are as flat as `flat` says. */
static void require_nearly(int count, const double *points, double flat, int number)
{
  REQUIRE(hull.corners - hull.sides / 2 + hull.faces == 2, "case %d: %d corners, %d sides, %d faces", number,
          (int)hull.corners, (int)hull.sides, (int)hull.faces);
  for (int f = 0; f < hull.faces; f++) {
    const double *n = hull.plane[f];
    REQUIRE(fabs(nsd_vec3_norm(n) - 1.0) <= 1e-15);
    for (int i = 0; i < count; i++) {
      REQUIRE(nsd_vec3_dot(n, points + (ptrdiff_t)3 * i) <= n[3] + flat, "case %d", number);
    }
    for (int k = hull.first[f]; k < hull.first[f + 1]; k++) {
      REQUIRE(nsd_vec3_dot(n, hull.corner[hull.round[k]]) >= n[3] - flat, "case %d: face %d: %g", number, f,
              nsd_vec3_dot(n, hull.corner[hull.round[k]]) - n[3]);
    }
  }
  for (int i = 0; i < hull.corners; i++) { /* corners are points, to the last digit */
    int is_one = 0;
    for (int k = 0; k < count; k++) {
      is_one = is_one || memcmp(hull.corner[i], points + (ptrdiff_t)3 * k, sizeof hull.corner[i]) == 0;
    }
    REQUIRE(is_one, "case %d", number);
  }
}

/* No edge is gone twice the same way: each has a face on either side. */
static void require_closed(int number)
{
  static int gone[256][256];
  memset(gone, 0, sizeof gone);
  for (int f = 0; f < hull.faces; f++) {
    const int first = hull.first[f], end = hull.first[f + 1];
    for (int k = first; k < end; k++) {
      gone[hull.round[k]][hull.round[k + 1 < end ? k + 1 : first]]++;
    }
  }
  for (int i = 0; i < hull.corners; i++) {
    for (int k = 0; k < hull.corners; k++) {
      REQUIRE(gone[i][k] <= 1 && gone[i][k] == gone[k][i], "case %d", number);
    }
  }
}

static void require_hull(int count, const double *points, int number)
{
  require_nearly(count, points, 4e-9, number);
  require_closed(number);
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

static double volume_of(void)
{
  double V = 0.0;
  for (int f = 0; f < hull.faces; f++) {
    const double *o = hull.corner[hull.round[hull.first[f]]];
    for (int k = hull.first[f] + 1; k + 1 < hull.first[f + 1]; k++) {
      double p[9];
      nsd_vec3_scale(1.0, o, p);
      nsd_vec3_scale(1.0, hull.corner[hull.round[k]], p + 3);
      nsd_vec3_scale(1.0, hull.corner[hull.round[k + 1]], p + 6);
      V += nsd_mat3_determinant(p) / 6.0;
    }
  }
  return V;
}

/* Anyhow turned and rounded to some digits, as files have them: of faces with many corners what rounding
 * leaves may make small ones, but a closed surface always, of the known volume. */
START_TEST(rounded_digits_leave_prisms_and_boxes_closed)
{
  const int cases = random_cases(2000);
  int exact = 0;
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number + 5000);
    const int digits = 6 + random_below(&random, 8), n = number % 2 ? 4 : 3 + random_below(&random, 30);
    const double unit = pow(10.0, -digits), length = random_between(&random, 0.2, 2.0);
    double x[3 * 64], p[4]; /* a quaternion of any norm turns alike */
    for (int i = 0; i < 4; i++) {
      p[i] = random_normal(&random);
    }
    for (int i = 0; i < 2 * n; i++) {
      const double angle = 6.283185307179586 * i / n;
      const double own[3] = {cos(angle), sin(angle), i < n ? 0.0 : length};
      nsdyn_quaternion_rotate(p, own, x + 3 * i);
      for (int k = 0; k < 3; k++) {
        x[3 * i + k] = unit * rint(x[3 * i + k] / unit);
      }
    }
    REQUIRE(nsd_hull_make(2 * n, x, &hull) == 0, "case %d: %d sides of %d digits", number, n, digits);
    require_closed(number);
    require_nearly(2 * n, x, fmax(4e-9, 1000.0 * unit), number);
    const double V = 0.5 * n * sin(6.283185307179586 / n) * length;
    REQUIRE(fabs(volume_of() - V) <= fmax(1e-7, 1000.0 * unit) * V, "case %d: %g of %g", number, volume_of(),
            V);
    exact += hull.faces == n + 2;
    REQUIRE(digits < 11 || hull.faces == n + 2, "case %d: %d faces", number, (int)hull.faces);
  }
  ck_assert(is_common(exact, cases, 4));
}
END_TEST

/* What is as far from a plane as is just taken for flat: a pyramid, and random ones of such depths. */
START_TEST(depths_about_what_is_flat_are_closed)
{
  const double pyramid[15] = {-1.0, 0.0, 0.0, 0.0,     -1.0, 0.0, 0.0, 1.0,
                              0.0,  2.0, 0.0, -4.2e-9, 0.0,  0.0, -1.0};
  ck_assert_int_eq(nsd_hull_make(5, pyramid, &hull), 0);
  require_hull(5, pyramid, 0);
  ck_assert_int_eq(hull.corners, 5);
  const int cases = random_cases(2000);
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number + 9000);
    const int count = 5 + random_below(&random, 20);
    const double depth = pow(10.0, random_between(&random, -11.0, -6.0));
    double x[3 * 32];
    for (int i = 0; i < count; i++) { /* a lattice or a round, nearly flat, and a tip */
      const double angle = 6.283185307179586 * i / (count - 1);
      nsd_vec3_set(number % 2 ? cos(angle) : i % 5, number % 2 ? sin(angle) : i / 5 % 5, //
                   depth * random_normal(&random), x + (ptrdiff_t)3 * i);
    }
    nsd_vec3_set(0.3, 0.2, -1.0, x + (ptrdiff_t)3 * (count - 1));
    if (number % 2 || count > 6) { /* not all of a lattice in one line */
      REQUIRE(nsd_hull_make(count, x, &hull) == 0, "case %d: %d points, %g deep", number, count, depth);
      require_closed(number);
      require_nearly(count, x, 4e-8 + 100.0 * depth, number);
    }
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
  TEST(rounded_digits_leave_prisms_and_boxes_closed),
  TEST(depths_about_what_is_flat_are_closed),
  TEST(points_in_a_plane_have_none))
/* clang-format on */
