/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Random solids and places of them, and how far two are apart by brute force, in long double and without a
 * line of the library: from the corners alone, which of them make edges and faces is not asked. Any line and
 * any triangle of corners is a part of the solid, so none is nearer than the distance; and along any
 * direction at all solids are no farther apart than that. Those tried contain the ones that matter. */
#ifndef TESTS_UNIT_SOLIDS_H
#define TESTS_UNIT_SOLIDS_H

#include <math.h>
#include <nsdyn/nsdyn.h>
#include <string.h>

#include "suite.h"

enum { SOLIDS_CORNERS = 24, SOLIDS_KINDS = 5 };

typedef long double solids_real;

typedef struct solids_case {
  nsdyn_solid *solid;
  int kind, corners;
  double corner[SOLIDS_CORNERS][3], radius, size;
  double pose[7];
} solids_case;

/* ---- random ones ---- */

/* Of some kind, about as large as `size`. */
static inline void solids_make(solids_case *c, random_state *random, int kind, double size)
{
  nsdyn_solid_def def;
  nsdyn_solid_def_init(&def, sizeof def);
  memset(c, 0, sizeof *c);
  def.kind = c->kind = kind;
  c->pose[3] = 1.0;
  for (int i = 0; i < 3; i++) {
    def.extent[i] = size * random_between(random, 0.3, 1.5);
  }
  const int is_round =
      kind == NSDYN_SOLID_SPHERE || kind == NSDYN_SOLID_CAPSULE || kind == NSDYN_SOLID_CYLINDER;
  def.radius = is_round || random_below(random, 4) == 0 ? size * random_between(random, 0.05, 0.5) : 0.0;
  def.radius = kind == NSDYN_SOLID_PLANE ? 0.0 : def.radius;
  c->corners = kind == NSDYN_SOLID_SPHERE ? 1 : kind == NSDYN_SOLID_CAPSULE ? 2 : 8; /* not of cylinders */
  for (int k = 0; k < c->corners; k++) {
    const double half[3] = {0.5 * def.extent[0], 0.5 * def.extent[1], 0.5 * def.extent[2]};
    if (kind == NSDYN_SOLID_CAPSULE) {
      c->corner[k][2] = k ? half[0] : -half[0];
    } else if (kind == NSDYN_SOLID_BOX) {
      for (int i = 0; i < 3; i++) {
        c->corner[k][i] = k >> i & 1 ? half[i] : -half[i];
      }
    }
  }
  if (kind == NSDYN_SOLID_HULL) {
    def.count = c->corners = 4 + random_below(random, 9);
    for (int k = 0; k < c->corners; k++) {
      for (int i = 0; i < 3; i++) {
        c->corner[k][i] = size * random_between(random, -0.7, 0.7);
      }
    }
    def.points = c->corner[0];
  }
  c->radius = def.radius;
  c->size = size;
  REQUIRE(nsdyn_solid_new(NULL, &def, &c->solid, NULL) == NSDYN_OK);
}

static inline void solids_turn(random_state *random, double *p)
{
  double norm = 0.0;
  for (int i = 0; i < 4; i++) {
    p[i] = random_normal(random);
    norm += p[i] * p[i];
  }
  for (int i = 0; i < 4; i++) {
    p[i] /= sqrt(norm);
  }
}

/* out := p r, of quaternions; may be one of them. */
static inline void solids_product(const double *p, const double *r, double *out)
{
  const double own[4] = {p[0] * r[0] - p[1] * r[1] - p[2] * r[2] - p[3] * r[3],
                         p[0] * r[1] + p[1] * r[0] + p[2] * r[3] - p[3] * r[2],
                         p[0] * r[2] + p[2] * r[0] + p[3] * r[1] - p[1] * r[3],
                         p[0] * r[3] + p[3] * r[0] + p[1] * r[2] - p[2] * r[1]};
  memcpy(out, own, sizeof own);
}

/* ---- brute force ---- */

typedef struct solids_cloud {
  int count;
  solids_real x[SOLIDS_CORNERS][3];
} solids_cloud;

static inline solids_real solids_dot(const solids_real *a, const solids_real *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void solids_cross(const solids_real *a, const solids_real *b, solids_real *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void solids_minus(const solids_real *a, const solids_real *b, solids_real *c)
{
  for (int i = 0; i < 3; i++) {
    c[i] = a[i] - b[i];
  }
}

/* Corners in the world: x + p y p* of the unit quaternion p. */
static inline void solids_spread(const solids_case *c, solids_cloud *cloud)
{
  const solids_real w = c->pose[3], v[3] = {c->pose[4], c->pose[5], c->pose[6]};
  const solids_real square = w * w + solids_dot(v, v);
  cloud->count = c->corners;
  for (int k = 0; k < c->corners; k++) {
    const solids_real y[3] = {c->corner[k][0], c->corner[k][1], c->corner[k][2]};
    solids_real first[3], second[3];
    solids_cross(v, y, first);
    solids_cross(v, first, second);
    for (int i = 0; i < 3; i++) {
      cloud->x[k][i] = c->pose[i] + y[i] + 2.0L * (w * first[i] + second[i]) / square;
    }
  }
}

/* How far B is beyond A along n of any length, at most; and back. */
static inline void solids_part(const solids_cloud *A, const solids_cloud *B, const solids_real *n,
                               solids_real *most)
{
  solids_real low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  const solids_real norm = sqrtl(solids_dot(n, n));
  if (norm < 1e-12L) {
    return;
  }
  for (int k = 0; k < 2; k++) {
    const solids_cloud *c = k ? B : A;
    for (int i = 0; i < c->count; i++) {
      const solids_real along = solids_dot(n, c->x[i]) / norm;
      low[k] = fminl(low[k], along);
      high[k] = fmaxl(high[k], along);
    }
  }
  *most = fmaxl(*most, fmaxl(low[1] - high[0], low[0] - high[1]));
}

/* Along what is across two lines of corners, of one or of both, and along lines between both: the most. */
static inline solids_real solids_separation(const solids_cloud *A, const solids_cloud *B)
{
  static solids_real line[2 * SOLIDS_CORNERS * SOLIDS_CORNERS][3];
  int lines = 0;
  solids_real most = -INFINITY, n[3];
  for (int k = 0; k < 2; k++) {
    const solids_cloud *c = k ? B : A;
    for (int i = 0; i < c->count; i++) {
      for (int j = 0; j < i; j++) {
        solids_minus(c->x[i], c->x[j], line[lines++]);
      }
    }
  }
  for (int i = 0; i < lines; i++) {
    for (int j = 0; j < i; j++) {
      solids_cross(line[i], line[j], n);
      solids_part(A, B, n, &most);
    }
  }
  return most;
}

static inline solids_real solids_clamp(solids_real x)
{
  return x < 0.0L ? 0.0L : x > 1.0L ? 1.0L : x;
}

/* Between points of two segments, by minimizing one after the other until nothing changes: convex. */
static inline solids_real solids_segments(const solids_real *p, const solids_real *p_end,
                                          const solids_real *q, const solids_real *q_end)
{
  solids_real d[3], e[3], r[3], best = INFINITY;
  solids_minus(p_end, p, d);
  solids_minus(q_end, q, e);
  solids_minus(p, q, r);
  const solids_real a = solids_dot(d, d), b = solids_dot(d, e), c = solids_dot(e, e), f = solids_dot(d, r),
                    g = solids_dot(e, r), det = a * c - b * b;
  /* The stationary point, and the best of all four ends. */
  const solids_real s[5] = {det > 1e-14L * a * c ? solids_clamp((b * g - c * f) / det) : 0.0L, 0.0L, 1.0L,
                            a > 0.0L ? solids_clamp(-f / a) : 0.0L,
                            a > 0.0L ? solids_clamp((b - f) / a) : 0.0L};
  for (int k = 0; k < 5; k++) {
    const solids_real t = c > 0.0L ? solids_clamp((b * s[k] + g) / c) : 0.0L;
    solids_real w[3];
    for (int i = 0; i < 3; i++) {
      w[i] = r[i] + s[k] * d[i] - t * e[i];
    }
    best = fminl(best, solids_dot(w, w));
  }
  return sqrtl(best);
}

/* From a point to the inside of a triangle; INFINITY where it is not over it. */
static inline solids_real solids_triangle(const solids_real *x, const solids_real *a, const solids_real *b,
                                          const solids_real *c)
{
  const solids_real *corner[4] = {a, b, c, a};
  solids_real d[3], e[3], n[3], w[3], side[3];
  solids_minus(b, a, d);
  solids_minus(c, a, e);
  solids_cross(d, e, n);
  const solids_real norm = sqrtl(solids_dot(n, n));
  for (int k = 0; k < 3; k++) {
    solids_minus(corner[k + 1], corner[k], d);
    solids_minus(x, corner[k], w);
    solids_cross(d, w, side);
    if (solids_dot(side, n) < 0.0L) {
      return INFINITY;
    }
  }
  solids_minus(x, a, w);
  return norm > 1e-12L ? fabsl(solids_dot(n, w)) / norm : INFINITY;
}

static inline solids_real solids_corners_over(const solids_cloud *A, const solids_cloud *B)
{
  solids_real least = INFINITY;
  for (int v = 0; v < A->count; v++) {
    for (int i = 0; i < B->count; i++) {
      for (int j = 0; j < i; j++) {
        for (int k = 0; k < j; k++) {
          least = fminl(least, solids_triangle(A->x[v], B->x[i], B->x[j], B->x[k]));
        }
      }
    }
  }
  return least;
}

/* How far they are apart, or minus the least depth. */
static inline solids_real solids_apart(const solids_case *a, const solids_case *b)
{
  solids_cloud A, B;
  solids_spread(a, &A);
  solids_spread(b, &B);
  const solids_real radii = (solids_real)a->radius + b->radius;
  const solids_real most = A.count < 3 && B.count < 3 ? 1.0L : solids_separation(&A, &B);
  if (most <= 0.0L) {
    return most - radii;
  }
  solids_real least = fminl(solids_corners_over(&A, &B), solids_corners_over(&B, &A));
  for (int i = 0; i < A.count; i++) {
    for (int j = 0; j <= i; j++) {
      for (int k = 0; k < B.count; k++) {
        for (int l = 0; l <= k; l++) {
          least = fminl(least, solids_segments(A.x[i], A.x[j], B.x[k], B.x[l]));
        }
      }
    }
  }
  return least - radii;
}

/* ---- what the library finds ---- */

enum { SOLIDS_TOUCHES = 64 };

typedef struct solids_touches {
  int count;
  nsdyn_solid_touch all[SOLIDS_TOUCHES];
} solids_touches;

static inline int solids_keep(void *user, const nsdyn_solid_touch *touch)
{
  solids_touches *found = user;
  REQUIRE(found->count < SOLIDS_TOUCHES);
  found->all[found->count++] = *touch;
  return 0;
}

static inline void solids_look(const solids_case *a, const solids_case *b, double margin,
                               solids_touches *found)
{
  found->count = 0;
  REQUIRE(nsdyn_solids_touch(a->solid, a->pose, b->solid, b->pose, margin, solids_keep, found) == NSDYN_OK);
}

static inline nsdyn_solid *solids_box(double x, double y, double z)
{
  nsdyn_solid_def def;
  nsdyn_solid *solid = NULL;
  nsdyn_solid_def_init(&def, sizeof def);
  def.kind = NSDYN_SOLID_BOX;
  def.extent[0] = x, def.extent[1] = y, def.extent[2] = z;
  ck_assert_int_eq(nsdyn_solid_new(NULL, &def, &solid, NULL), NSDYN_OK);
  return solid;
}

#endif
