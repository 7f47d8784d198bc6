/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/depth.h"

#include <stdlib.h>
#include <time.h>

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

enum { CORNERS = 9 };

/* Corners of a convex polygon within the unit circle, with blunt and sharp corners. */
static int convex_points(random_state *random, double *p)
{
  const int n = 3 + random_below(random, CORNERS - 2);
  const double wide = random_between(random, 0.3, 1.0), turn = random_between(random, 0.0, 7.0);
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * (double)SHAPES_PI * (i + random_between(random, 0.0, 0.7)) / n;
    const double x = cos(angle), y = wide * sin(angle);
    p[2 * i] = cos(turn) * x - sin(turn) * y;
    p[2 * i + 1] = sin(turn) * x + cos(turn) * y;
  }
  return n;
}

/* How far apart two convex polygons are along the normals of the first one's edges, at most. */
static double apart_along(int n, const double *p, int m, const double *q, const double *d)
{
  double most = -INFINITY;
  for (int i = 0; i < n; i++) {
    const double *a = p + 2 * (ptrdiff_t)i, *b = p + 2 * (ptrdiff_t)((i + 1) % n);
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    double least = INFINITY;
    for (int j = 0; j < m; j++) {
      const double x = q[2 * j] + d[0] - a[0], y = q[2 * j + 1] + d[1] - a[1];
      least = fmin(least, (x * (b[1] - a[1]) - y * (b[0] - a[0])) / length);
    }
    most = fmax(most, least);
  }
  return most;
}

static double apart(int n, const double *p, int m, const double *q, const double *d)
{
  const double back[2] = {-d[0], -d[1]};
  return fmax(apart_along(n, p, m, q, d), apart_along(m, q, n, p, back));
}

/* Turns the second one until an edge of it faces one of the first, by a little more or less, and tells where
 * it has to be for two of their ends to meet, nearly. */
static void lay_flat(random_state *random, int n, const double *p, int m, double *q, double *at,
                     double *along)
{
  const int i = random_below(random, n), j = random_below(random, m);
  const double *a = p + 2 * (ptrdiff_t)i, *b = p + 2 * (ptrdiff_t)((i + 1) % n);
  const double *c = q + 2 * (ptrdiff_t)j, *d = q + 2 * (ptrdiff_t)((j + 1) % m);
  const double tilt = pow(10.0, random_between(random, -5.0, -1.0)) * (random_below(random, 2) ? 1.0 : -1.0);
  const double turn = atan2(a[1] - b[1], a[0] - b[0]) - atan2(d[1] - c[1], d[0] - c[0]) + tilt;
  for (int k = 0; k < m; k++) {
    const double x = q[2 * k], y = q[2 * k + 1];
    q[2 * k] = cos(turn) * x - sin(turn) * y;
    q[2 * k + 1] = sin(turn) * x + cos(turn) * y;
  }
  const double length = hypot(b[0] - a[0], b[1] - a[1]),
               t[2] = {(b[0] - a[0]) / length, (b[1] - a[1]) / length};
  const double slip = pow(10.0, random_between(random, -6.0, -1.5)) * (random_below(random, 2) ? 1.0 : -1.0);
  const int end = random_below(random, 2);
  for (int k = 0; k < 2; k++) {
    at[k] = (end ? b[k] - c[k] : a[k] - d[k]) + slip * t[k];
    along[k] = k ? -t[0] : t[1];
  }
}

/* Convex polygons in each other by less than the skin, along the best of the directions that part them (the
 * normals of their edges, separating axes): touches say so. Also where a corner is past
 * the end of the edge that it faces, within a blunt corner, and does not face the other edge there. */
START_TEST(shallow_convex)
{
  const int cases = random_cases(20000);
  const double skin = 0.05, zero[3] = {0.0, 0.0, 0.0};
  int met = 0;
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double p[2 * CORNERS], q[2 * CORNERS], at[3] = {0.0, 0.0, 0.0}, along[2], near = -4.0, far = 4.0;
    const int n = convex_points(&random, p), m = convex_points(&random, q);
    const double depth = pow(10.0, random_between(&random, -9.0, -2.0)),
                 angle = random_between(&random, 0.0, 7.0);
    along[0] = cos(angle);
    along[1] = sin(angle);
    near = 0.0;
    if (k % 2) {
      lay_flat(&random, n, p, m, q, at, along);
      near = -0.2;
    }
    const double from[2] = {at[0], at[1]};
    for (int i = 0; i < 80; i++) {
      const double middle = 0.5 * (near + far);
      at[0] = from[0] + middle * along[0];
      at[1] = from[1] + middle * along[1];
      *(apart(n, p, m, q, at) > -depth ? &far : &near) = middle;
    }
    nsdyn_shape *first = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0),
                *second = shapes_make(NSDYN_SHAPE_POLYGON, m, q, 0.0);
    REQUIRE(nsd_search_run(&s, first, zero, second, at, 0.01, skin) == NSDYN_OK);
    nsdyn_shape_free(first);
    nsdyn_shape_free(second);
    double least = 0.0;
    for (int i = 0; i < s.meetings; i++) {
      least = fmin(least, s.meeting[i].h);
    }
    /* From deep inside on they come apart but once, mostly. */
    at[0] = from[0] + near * along[0];
    at[1] = from[1] + near * along[1];
    if (fabs(apart(n, p, m, q, at) + depth) > 1e-12) {
      continue;
    }
    met++;
    REQUIRE(!s.is_deep, "case %d: %g, %g", k, depth, s.depth);
    REQUIRE(least < 0.0, "case %d: %g, %g", k, depth, least);
  }
  nsd_search_release(&s);
  REQUIRE(is_common(met, cases, 2), "%d of %d", met, cases);
}
END_TEST

/* A gear of so many triangular teeth, between the radii 0.9 and 1.1. */
static nsdyn_shape *gear(int teeth)
{
  double *p = calloc(4 * (size_t)teeth, sizeof *p);
  for (ptrdiff_t i = 0; i < 2 * (ptrdiff_t)teeth; i++) {
    const double angle = (double)SHAPES_PI * (double)i / teeth, r = i % 2 ? 1.1 : 0.9;
    p[2 * i] = r * cos(angle);
    p[2 * i + 1] = r * sin(angle);
  }
  nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 2 * teeth, p, 0.0);
  free(p);
  return shape;
}

/* CPU time of a look at two such gears about one centre, half a tooth from each other: no touch explains any
 * of the crossings, two to a tooth. */
static double look_at_gears(int teeth)
{
  const double zero[3] = {0.0, 0.0, 0.0}, turned[3] = {0.0, 0.0, (double)SHAPES_PI / teeth};
  nsdyn_shape *shape = gear(teeth);
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    nsd_search s;
    nsd_search_init(&s, NULL);
    const clock_t begin = clock();
    ck_assert_int_eq(nsd_search_run(&s, shape, zero, shape, turned, 0.0, 1e-9), NSDYN_OK);
    least = fmin(least, (double)(clock() - begin) / CLOCKS_PER_SEC);
    ck_assert(s.is_deep && s.crossings >= 2 * teeth);
    nsd_search_release(&s);
  }
  nsdyn_shape_free(shape);
  return least;
}

/* Six times as many crossings cost at most their square, 36 times as much, and not their cube, 216 times. */
START_TEST(gears_in_each_other)
{
  if (!is_brief()) {
    look_at_gears(50);
    const double few = look_at_gears(100), many = look_at_gears(600);
    ck_assert_msg(many < 80.0 * few, "%g s, %g s", few, many);
  }
}
END_TEST

SUITE("geometry/depth", TEST(sunk_box), TEST(many_corners_inside), TEST(disks), TEST(shallow_convex),
      TEST(gears_in_each_other))
