/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/shape.h"

#include <stdlib.h>
#include <string.h>

#include "shapes.h"

/* Refused with this status and in these words. */
static void refuse(const nsdyn_shape_def *def, nsdyn_status status, const char *words, int line)
{
  nsdyn_shape *shape = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  const nsdyn_status got = nsdyn_shape_new(NULL, def, &shape, &error);
  ck_assert_msg(got == status && !shape && strstr(error.message, words), "line %d: %d, %s", line, (int)got,
                error.message);
}

static nsdyn_shape_def define(int kind, int count, const double *points, double radius)
{
  nsdyn_shape_def def;
  nsdyn_shape_def_init(&def, sizeof def);
  def.kind = kind;
  def.count = count;
  def.points = points;
  def.radius = radius;
  return def;
}

static void refuse_points(int kind, int count, const double *points, double radius, nsdyn_status status,
                          const char *words, int line)
{
  const nsdyn_shape_def def = define(kind, count, points, radius);
  refuse(&def, status, words, line);
}

#define REFUSE(...) refuse_points(__VA_ARGS__, __LINE__)

START_TEST(wrong_points_are_named)
{
  const double nan_at_2[] = {0.0, 0.0, 1.0, 0.0, 1.0, NAN}, huge[] = {0.0, 0.0, 1e200, 0.0, 0.0, 1.0};
  const double twice[] = {0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0},
               closed[] = {0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  const double line[] = {0.0, 0.0, 1.0, 1.0, 3.0, 3.0}, bow[] = {0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0};
  const double touch[] = {0.0, 0.0, 4.0, 0.0, 4.0, 2.0, 2.0, 0.0, 0.0, 2.0};
  const double thin[] = {0.0, 0.0, 1.0, 1e-16, 2.0, 0.0}, p[] = {1.0, 2.0, 3.0, 4.0};
  REFUSE(NSDYN_SHAPE_POLYGON, 3, nan_at_2, 0.0, NSDYN_ERR_NOT_FINITE, "point 2 is not a number");
  REFUSE(NSDYN_SHAPE_POLYGON, 3, huge, 0.0, NSDYN_ERR_NOT_FINITE, "point 1 is not a number");
  REFUSE(NSDYN_SHAPE_POLYGON, 2, p, 0.0, NSDYN_ERR_ARGUMENT, "a polygon has 3 to 1048576 points, not 2");
  REFUSE(NSDYN_SHAPE_POLYGON, 4, twice, 0.0, NSDYN_ERR_ARGUMENT, "points 1 and 2 are the same");
  REFUSE(NSDYN_SHAPE_POLYGON, 4, closed, 0.0, NSDYN_ERR_ARGUMENT, "points 3 and 0 are the same");
  REFUSE(NSDYN_SHAPE_POLYGON, 3, line, 0.0, NSDYN_ERR_ARGUMENT, "crosses or touches");
  REFUSE(NSDYN_SHAPE_POLYGON, 3, thin, 0.0, NSDYN_ERR_ARGUMENT, "lie on one line");
  REFUSE(NSDYN_SHAPE_POLYGON, 4, bow, 0.0, NSDYN_ERR_ARGUMENT,
         "from point 0 to 1 crosses or touches that from 2 to 3");
  REFUSE(NSDYN_SHAPE_POLYGON, 5, touch, 0.0, NSDYN_ERR_ARGUMENT, "from point 0 to 1 crosses or touches that");
  REFUSE(NSDYN_SHAPE_CIRCLE, 1, p, 0.0, NSDYN_ERR_ARGUMENT, "radius of a circle");
  REFUSE(NSDYN_SHAPE_CAPSULE, 2, p, NAN, NSDYN_ERR_ARGUMENT, "radius is not");
  REFUSE(NSDYN_SHAPE_CAPSULE, 2, p, -1.0, NSDYN_ERR_ARGUMENT, "radius is not");
  REFUSE(NSDYN_SHAPE_CAPSULE, 2, NULL, 1.0, NSDYN_ERR_ARGUMENT, "points is NULL");
  REFUSE(7, 2, p, 1.0, NSDYN_ERR_ARGUMENT, "kind");
  nsdyn_shape_def def = define(NSDYN_SHAPE_PROFILE, 2, p, 0.0);
  def.side = 2;
  refuse(&def, NSDYN_ERR_ARGUMENT, "side", __LINE__);
  refuse(NULL, NSDYN_ERR_ARGUMENT, "def is NULL", __LINE__);
  def.size = 4097;
  refuse(&def, NSDYN_ERR_STRUCT_SIZE, "nsdyn_shape_def", __LINE__);
  ck_assert_int_eq(nsdyn_shape_new(NULL, &def, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_shape_measure(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_shape_def_init(NULL, sizeof def), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_shape_properties_init(NULL, 0), NSDYN_ERR_ARGUMENT);
  nsdyn_shape_free(NULL);
}
END_TEST

/* In either direction, from any point on: the same vertices, area, centre and moments. */
START_TEST(direction_does_not_matter)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double p[2 * SHAPES_MOST], back[2 * SHAPES_MOST];
    const int n = 3 + random_below(&random, 30), shift = random_below(&random, n);
    shapes_wild(&random, n, p);
    for (int i = 0; i < n; i++) {
      memcpy(back + 2 * i, p + 2 * ((shift + n - i) % n), 2 * sizeof *p);
    }
    nsdyn_shape *one = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0),
                *other = shapes_make(NSDYN_SHAPE_POLYGON, n, back, 0.0);
    nsdyn_shape_properties a = {.size = sizeof a}, b = {.size = sizeof b};
    ck_assert_int_eq(nsdyn_shape_measure(one, &a), NSDYN_OK);
    ck_assert_int_eq(nsdyn_shape_measure(other, &b), NSDYN_OK);
    REQUIRE(a.clockwise + b.clockwise == 1 && a.vertices == b.vertices, "case %d", k);
    REQUIRE(fabs(a.area - b.area) <= 1e-13 && fabs(a.second[0] - b.second[0]) <= 1e-12, "case %d", k);
    for (int32_t i = 0; i < one->line.corners; i++) {
      const double *at = p + 2 * one->line.vertex[i];
      REQUIRE(one->line.p[i][0] == at[0] && one->line.p[i][1] == at[1], "case %d", k);
      /* The edge has the number of the given point where it begins, in the order of the given ones. */
      const int32_t next = (i + 1) % one->line.corners, from = one->line.edge[i], to = (from + 1) % n;
      REQUIRE((one->line.vertex[i] == from && one->line.vertex[next] == to) ||
                  (one->line.vertex[i] == to && one->line.vertex[next] == from),
              "case %d, edge %d", k, from);
    }
    nsdyn_shape_free(one);
    nsdyn_shape_free(other);
  }
}
END_TEST

/* A million points: a circle's, whose area is known, made in n log n. */
START_TEST(a_million_points)
{
  const int n = is_brief() ? 10000 : 1000000;
  double *p = malloc(2 * (size_t)n * sizeof *p);
  ck_assert_ptr_nonnull(p);
  for (int i = 0; i < n; i++) {
    p[2 * i] = cos(2.0 * (double)SHAPES_PI * i / n);
    p[2 * i + 1] = sin(2.0 * (double)SHAPES_PI * i / n);
  }
  nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0);
  nsdyn_shape_properties got = {.size = sizeof got};
  ck_assert_int_eq(nsdyn_shape_measure(shape, &got), NSDYN_OK);
  ck_assert(got.vertices == n && fabs(got.area - (double)SHAPES_PI) < 1e-7 &&
            fabs(got.length - 2.0 * got.area) < 1e-6);
  ck_assert(fabs(got.second[0] - got.area / 4.0) < 1e-7 && fabs(got.centroid[0]) < 1e-12);
  nsdyn_shape_free(shape);
  p[2 * (n / 3)] = 0.0; /* two edges cross all of the other side's */
  p[2 * (n / 3) + 1] = -2.0;
  nsdyn_shape_def def = define(NSDYN_SHAPE_POLYGON, n, p, 0.0);
  refuse(&def, NSDYN_ERR_ARGUMENT, "crosses or touches", __LINE__);
  free(p);
}
END_TEST

SUITE("geometry/shape", TEST(wrong_points_are_named), TEST(direction_does_not_matter), TEST(a_million_points))
