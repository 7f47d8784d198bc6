/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Random simple polygons, and what two of them are to each other by looking at all pairs of edges: a judge
 * that shares no line with the library, in long double. */
#ifndef TESTS_UNIT_SHAPES_H
#define TESTS_UNIT_SHAPES_H

#include <math.h>
#include <nsdyn/nsdyn.h>

#include "suite.h"

#define SHAPES_PI 3.14159265358979323846264338327950288L
enum { SHAPES_MOST = 64 };

/* Round the origin, radii between 1 − rough and 1: counter-clockwise. */
static inline void shapes_star(random_state *random, int n, double rough, double *p)
{
  for (int i = 0; i < n; i++) {
    const double angle = 2.0 * (double)SHAPES_PI * (i + 0.8 * random_unit(random)) / n;
    const double r = 1.0 - rough * random_unit(random);
    p[2 * i] = r * cos(angle);
    p[2 * i + 1] = r * sin(angle);
  }
}

static inline long double shapes_turn(const double *a, const double *b, const double *c)
{
  return ((long double)b[0] - a[0]) * ((long double)c[1] - a[1]) -
         ((long double)b[1] - a[1]) * ((long double)c[0] - a[0]);
}

static inline int shapes_cross(const double *a, const double *b, const double *c, const double *d)
{
  return shapes_turn(a, b, c) * shapes_turn(a, b, d) < 0.0L &&
         shapes_turn(c, d, a) * shapes_turn(c, d, b) < 0.0L;
}

/* Any simple polygon through n random points: crossings are undone one after the other, which shortens it
 * each time. */
static inline void shapes_wild(random_state *random, int n, double *p)
{
  for (int i = 0; i < 2 * n; i++) {
    p[i] = random_between(random, -1.0, 1.0);
  }
  for (int again = 1; again;) {
    again = 0;
    for (int i = 0; i < n && !again; i++) {
      for (int j = i + 2; j < n && !again; j++) {
        if (shapes_cross(p + 2 * i, p + 2 * ((i + 1) % n), p + 2 * j, p + 2 * ((j + 1) % n))) {
          again = 1;
          for (int a = i + 1, b = j; a < b; a++, b--) {
            for (int k = 0; k < 2; k++) {
              const double t = p[2 * a + k];
              p[2 * a + k] = p[2 * b + k];
              p[2 * b + k] = t;
            }
          }
        }
      }
    }
  }
}

static inline nsdyn_shape *shapes_make(int kind, int n, const double *p, double radius)
{
  nsdyn_shape_def def;
  nsdyn_shape *shape = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  nsdyn_shape_def_init(&def, sizeof def);
  def.kind = kind;
  def.count = n;
  def.points = p;
  def.radius = radius;
  ck_assert_msg(nsdyn_shape_new(NULL, &def, &shape, &error) == NSDYN_OK, "%s", error.message);
  return shape;
}

/* Points of a placed polygon in the world. */
static inline void shapes_place(int n, const double *p, const double *pose, double *out)
{
  for (int i = 0; i < n; i++) {
    out[2 * i] = pose[0] + cos(pose[2]) * p[2 * i] - sin(pose[2]) * p[2 * i + 1];
    out[2 * i + 1] = pose[1] + sin(pose[2]) * p[2 * i] + cos(pose[2]) * p[2 * i + 1];
  }
}

static inline double shapes_to_segment(const double *x, const double *a, const double *b)
{
  const long double ex = (long double)b[0] - a[0], ey = (long double)b[1] - a[1];
  long double s = ((x[0] - a[0]) * ex + (x[1] - a[1]) * ey) / (ex * ex + ey * ey);
  s = s < 0.0L ? 0.0L : s > 1.0L ? 1.0L : s;
  return (double)hypotl(x[0] - a[0] - s * ex, x[1] - a[1] - s * ey);
}

/* By the number of edges that a ray to the right meets. */
static inline int shapes_inside(int n, const double *p, const double *x)
{
  int inside = 0;
  for (int i = 0; i < n; i++) {
    const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % n);
    if ((a[1] > x[1]) != (b[1] > x[1])) {
      const long double turn = shapes_turn(a, b, x);
      inside ^= (turn > 0.0L) == (b[1] > a[1]);
    }
  }
  return inside;
}

static inline double shapes_to_outline(int n, const double *p, const double *x)
{
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    least = fmin(least, shapes_to_segment(x, p + 2 * i, p + 2 * ((i + 1) % n)));
  }
  return least;
}

/* Distance of two closed outlines; 0 where edges cross. */
static inline double shapes_apart(int n, const double *p, int m, const double *q)
{
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    least = fmin(least, shapes_to_outline(m, q, p + 2 * i));
    for (int j = 0; j < m; j++) {
      if (shapes_cross(p + 2 * i, p + 2 * ((i + 1) % n), q + 2 * j, q + 2 * ((j + 1) % m))) {
        return 0.0;
      }
    }
  }
  for (int j = 0; j < m; j++) {
    least = fmin(least, shapes_to_outline(n, p, q + 2 * j));
  }
  return least;
}

static inline int shapes_overlap(int n, const double *p, int m, const double *q)
{
  return shapes_apart(n, p, m, q) == 0.0 || shapes_inside(m, q, p) || shapes_inside(n, p, q);
}

#endif
