/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/moments.h"

#include "shapes.h"

/* By many thin strips, and by many points: independent of triangles. */
static void by_points(const double *low, const double *high, int (*holds)(const void *, const double *),
                      const void *of, double *out)
{
  enum { GRID = 700 };
  long double s[6] = {0.0L};
  const double dx = (high[0] - low[0]) / GRID, dy = (high[1] - low[1]) / GRID;
  for (int i = 0; i < GRID; i++) {
    for (int j = 0; j < GRID; j++) {
      const double x[2] = {low[0] + (i + 0.5) * dx, low[1] + (j + 0.5) * dy};
      if (holds(of, x)) {
        const long double t[6] = {1.0L, x[0], x[1], x[0] * x[0], x[1] * x[1], x[0] * x[1]};
        for (int k = 0; k < 6; k++) {
          s[k] += t[k] * dx * dy;
        }
      }
    }
  }
  out[0] = (double)s[0];
  out[1] = (double)(s[1] / s[0]);
  out[2] = (double)(s[2] / s[0]);
  out[3] = (double)(s[3] - s[1] * s[1] / s[0]);
  out[4] = (double)(s[4] - s[2] * s[2] / s[0]);
  out[5] = (double)(s[5] - s[1] * s[2] / s[0]);
}

typedef struct figure {
  int n;
  double p[2 * 16], r;
} figure;

static int in_polygon(const void *of, const double *x)
{
  const figure *f = of;
  return shapes_inside(f->n, f->p, x);
}

static int in_capsule(const void *of, const double *x)
{
  const figure *f = of;
  return shapes_to_segment(x, f->p, f->p + 2) <= f->r;
}

static void compare(int kind, const figure *f, int (*holds)(const void *, const double *), int k)
{
  nsdyn_shape *shape = shapes_make(kind, f->n, f->p, f->r);
  nsdyn_shape_properties got = {.size = sizeof got};
  double expected[6];
  REQUIRE(nsdyn_shape_measure(shape, &got) == NSDYN_OK);
  by_points(got.low, got.high, holds, f, expected);
  const double size = fmax(got.high[0] - got.low[0], got.high[1] - got.low[1]), share = 0.01;
  REQUIRE(fabs(got.area - expected[0]) <= share * size * size, "case %d: %g, %g", k, got.area, expected[0]);
  for (int a = 0; a < 2; a++) {
    REQUIRE(fabs(got.centroid[a] - expected[1 + a]) <= share * size, "case %d", k);
  }
  for (int a = 0; a < 3; a++) {
    REQUIRE(fabs(got.second[a] - expected[3 + a]) <= share * size * size * size * size, "case %d, %d: %g, %g",
            k, a, got.second[a], expected[3 + a]);
  }
  nsdyn_shape_free(shape);
}

START_TEST(by_looking_at_points)
{
  const int cases = random_cases(12);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    figure f = {.n = 4 + random_below(&random, 10)};
    shapes_wild(&random, f.n, f.p);
    compare(NSDYN_SHAPE_POLYGON, &f, in_polygon, k);
    f.n = 2;
    f.r = random_between(&random, 0.05, 1.0);
    compare(NSDYN_SHAPE_CAPSULE, &f, in_capsule, k);
    f.n = 1;
    f.p[2] = f.p[0];
    f.p[3] = f.p[1] + 1e-9;
    compare(NSDYN_SHAPE_CIRCLE, &f, in_capsule, k);
  }
}
END_TEST

/* A rectangle b × h turned by any angle and put far away: b h, b³h/12 and b h³/12 about its centre, to
 * rounding of where it is. */
START_TEST(rectangles)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double b = random_scale(&random, 1.0), h = random_scale(&random, 1.0),
                 far = 1000.0 * random_unit(&random);
    const double angle = random_between(&random, -4.0, 4.0), c = cos(angle), s = sin(angle);
    double p[8];
    for (int i = 0; i < 4; i++) {
      const double x = (i == 1 || i == 2 ? 0.5 : -0.5) * b, y = (i > 1 ? 0.5 : -0.5) * h;
      p[2 * i] = far + c * x - s * y;
      p[2 * i + 1] = -far + s * x + c * y;
    }
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0);
    nsdyn_shape_properties got = {.size = sizeof got};
    ck_assert_int_eq(nsdyn_shape_measure(shape, &got), NSDYN_OK);
    const double along = b * b * b * h / 12.0, across = b * h * h * h / 12.0, tol = 1e-10 * (along + across);
    REQUIRE(fabs(got.area - b * h) <= 1e-10 * b * h, "case %d", k);
    REQUIRE(fabs(got.centroid[0] - far) <= 1e-11 * (far + b + h) &&
                fabs(got.length - 2.0 * (b + h)) <= 1e-10 * (b + h),
            "case %d", k);
    REQUIRE(fabs(got.second[0] - c * c * along - s * s * across) <= tol &&
                fabs(got.second[1] - s * s * along - c * c * across) <= tol &&
                fabs(got.second[2] - c * s * (along - across)) <= tol,
            "case %d", k);
    nsdyn_shape_free(shape);
  }
}
END_TEST

SUITE("geometry/moments", TEST(by_looking_at_points), TEST(rectangles))
