/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/space/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tolerances.h"

typedef struct wrapping {
  const double (*x)[3]; /* points */
  int32_t count;
  double flat; /* what is as near is in one plane, or on one line */
  nsd_hull *hull;
} wrapping;

/* The plane with normal n through the line of x_a along e turns about it, until it meets a point: n is the
 * new normal. All points are behind the plane; beyond the line is m = e × n, and a point there is met after
 * the angle φ = atan2(−n · w, m · w). */
static void turn_about(const wrapping *p, int32_t a, const double e[3], double n[3])
{
  double m[3], least = INFINITY, c = 1.0, s = 0.0;
  nsd_vec3_cross(e, n, m);
  for (int32_t i = 0; i < p->count; i++) {
    double w[3];
    nsd_vec3_add_scaled(p->x[i], -1.0, p->x[a], w);
    const double beyond = nsd_vec3_dot(m, w), behind = fmax(0.0, -nsd_vec3_dot(n, w));
    const double away = hypot(beyond, behind);
    if (away > p->flat && atan2(behind, beyond) < least) {
      least = atan2(behind, beyond);
      c = beyond / away;
      s = behind / away;
    }
  }
  for (int i = 0; i < 3; i++) {
    n[i] = c * n[i] + s * m[i];
  }
  nsd_vec3_scale(1.0 / nsd_vec3_norm(n), n, n);
}

static void direct(const double *from, const double *to, double out[3])
{
  nsd_vec3_add_scaled(to, -1.0, from, out);
  nsd_vec3_scale(1.0 / nsd_vec3_norm(out), out, out);
}

/* From `at` the corner of the round that comes next: all points of the plane are to the left of the way there
 * or on it, and of those on it the farthest one is taken. */
static int32_t next_corner(const wrapping *p, const int32_t *in, int32_t count, const double n[3], int32_t at)
{
  int32_t best = -1;
  double way[3] = {0.0}, length = 0.0;
  for (int32_t k = 0; k < count; k++) {
    double w[3], side[3];
    nsd_vec3_add_scaled(p->x[in[k]], -1.0, p->x[at], w);
    const double far = nsd_vec3_norm(w);
    if (in[k] == at || far <= p->flat) {
      continue;
    }
    if (best >= 0) {
      nsd_vec3_cross(way, w, side);
      const double left = nsd_vec3_dot(n, side) / length; /* how far to the left of the way */
      const int is_on = fabs(left) <= p->flat && nsd_vec3_dot(way, w) > 0.0;
      if (is_on ? far <= length : left >= 0.0) {
        continue;
      }
    }
    best = in[k];
    length = far;
    nsd_vec3_scale(1.0, w, way);
  }
  return best;
}

/* The normal of a round, by the areas of its triangles, and the farthest of all points along it. */
static void set_plane(const wrapping *p, const int32_t *round, int32_t count, double plane[4])
{
  double n[3] = {0.0}, area[3], v[3], w[3];
  for (int32_t k = 1; k + 1 < count; k++) {
    nsd_vec3_add_scaled(p->x[round[k]], -1.0, p->x[round[0]], v);
    nsd_vec3_add_scaled(p->x[round[k + 1]], -1.0, p->x[round[0]], w);
    nsd_vec3_cross(v, w, area);
    nsd_vec3_add_scaled(n, 1.0, area, n);
  }
  nsd_vec3_scale(1.0 / nsd_vec3_norm(n), n, plane);
  plane[3] = -INFINITY;
  for (int32_t i = 0; i < p->count; i++) {
    plane[3] = fmax(plane[3], nsd_vec3_dot(plane, p->x[i]));
  }
}

/* The face with normal n and x_a in it, behind the others; NSD_HULL_FLAT where it takes all points,
 * NSD_HULL_TORN where it has no round. */
static int add_face(const wrapping *p, int32_t a, const double n[3])
{
  nsd_hull *hull = p->hull;
  int32_t in[NSD_SOLID_CORNERS], count = 0, start = a;
  for (int32_t i = 0; i < p->count; i++) {
    double w[3];
    nsd_vec3_add_scaled(p->x[i], -1.0, p->x[a], w);
    if (fabs(nsd_vec3_dot(n, w)) <= p->flat) {
      in[count++] = i;
    }
  }
  if (count == p->count || hull->faces == NSD_SOLID_FACES) {
    return count == p->count ? NSD_HULL_FLAT : NSD_HULL_TORN;
  }
  int32_t *round = hull->round + hull->first[hull->faces], sides = 0;
  /* x_a may lie within an edge; the farthest point from it is a corner. */
  double farthest = -1.0;
  for (int32_t k = 0; k < count; k++) {
    double w[3];
    nsd_vec3_add_scaled(p->x[in[k]], -1.0, p->x[a], w);
    if (nsd_vec3_dot(w, w) > farthest) {
      farthest = nsd_vec3_dot(w, w);
      start = in[k];
    }
  }
  int32_t at = start;
  do {
    if (sides == count || hull->first[hull->faces] + sides == 2 * NSD_SOLID_EDGES) {
      return NSD_HULL_TORN;
    }
    round[sides++] = at;
    at = next_corner(p, in, count, n, at);
  } while (at >= 0 && at != start);
  if (at < 0 || sides < 3) {
    return NSD_HULL_TORN;
  }
  set_plane(p, round, sides, hull->plane[hull->faces]);
  hull->faces++;
  hull->first[hull->faces] = hull->first[hull->faces - 1] + sides;
  return 0;
}

/* How often an edge is gone from one corner to the other: 1 in a hull, both ways. */
static int times_gone(const nsd_hull *hull, int32_t from, int32_t to)
{
  int times = 0;
  for (int32_t f = 0; f < hull->faces; f++) {
    const int32_t first = hull->first[f], end = hull->first[f + 1];
    for (int32_t k = first; k < end; k++) {
      times += hull->round[k] == from && hull->round[k + 1 < end ? k + 1 : first] == to;
    }
  }
  return times;
}

/* A plane that three points are in and none before: from the one with the least x. */
static int add_first_face(const wrapping *p)
{
  int32_t a = 0, b = -1;
  double n[3] = {-1.0, 0.0, 0.0}, e[3] = {0.0, 0.0, 1.0}, farthest = p->flat;
  for (int32_t i = 1; i < p->count; i++) {
    a = p->x[i][0] < p->x[a][0] ? i : a;
  }
  turn_about(p, a, e, n);
  for (int32_t i = 0; i < p->count; i++) { /* the farthest one that this plane has met */
    double w[3];
    nsd_vec3_add_scaled(p->x[i], -1.0, p->x[a], w);
    if (fabs(nsd_vec3_dot(n, w)) <= p->flat && nsd_vec3_norm(w) > farthest) {
      farthest = nsd_vec3_norm(w);
      b = i;
    }
  }
  if (b < 0) {
    return NSD_HULL_FLAT;
  }
  direct(p->x[a], p->x[b], e);
  nsd_vec3_add_scaled(n, -nsd_vec3_dot(n, e), e, n); /* at right angles to the last digit */
  nsd_vec3_scale(1.0 / nsd_vec3_norm(n), n, n);
  turn_about(p, a, e, n);
  return add_face(p, a, n);
}

/* Corners alone, in the order of the points. */
static void keep_corners(const wrapping *p)
{
  nsd_hull *hull = p->hull;
  int32_t number[NSD_SOLID_CORNERS];
  memset(number, -1, sizeof number);
  for (int32_t k = 0; k < hull->sides; k++) {
    number[hull->round[k]] = 0;
  }
  hull->corners = 0;
  for (int32_t i = 0; i < p->count; i++) {
    if (number[i] == 0) {
      number[i] = hull->corners;
      memcpy(hull->corner[hull->corners++], p->x[i], sizeof p->x[i]);
    }
  }
  for (int32_t k = 0; k < hull->sides; k++) {
    hull->round[k] = number[hull->round[k]];
  }
}

/* How far points are from the first one. */
static double extent_of(int32_t count, const double (*x)[3])
{
  double extent = 0.0, w[3];
  for (int32_t i = 0; i < count; i++) {
    nsd_vec3_add_scaled(x[i], -1.0, x[0], w);
    extent = fmax(extent, nsd_vec3_norm(w));
  }
  return extent;
}

/* Of points nearer to each other than what is flat only the first. */
static void keep_apart(wrapping *p, double (*x)[3], int32_t count, const double *points)
{
  p->count = 0;
  for (int32_t i = 0; i < count; i++) {
    int is_new = 1;
    for (int32_t k = 0; k < p->count && is_new; k++) {
      double w[3];
      nsd_vec3_add_scaled(points + (ptrdiff_t)3 * i, -1.0, x[k], w);
      is_new = nsd_vec3_norm(w) > 2.0 * p->flat;
    }
    if (is_new) {
      memcpy(x[p->count++], points + (ptrdiff_t)3 * i, sizeof *x);
    }
  }
}

/* Faces beyond all edges of faces, until each edge has been gone both ways. */
static int wrap(const wrapping *p)
{
  nsd_hull *hull = p->hull;
  memset(hull, 0, sizeof *hull);
  int code = p->count < 4 ? NSD_HULL_FLAT : add_first_face(p);
  for (int32_t f = 0; f < hull->faces && !code; f++) {
    for (int32_t k = hull->first[f]; k < hull->first[f + 1] && !code; k++) {
      const int32_t from = hull->round[k];
      const int32_t to = hull->round[k + 1 < hull->first[f + 1] ? k + 1 : hull->first[f]];
      double e[3], n[3];
      if (times_gone(hull, to, from) > 0) {
        continue;
      }
      direct(p->x[from], p->x[to], e);
      nsd_vec3_scale(1.0, hull->plane[f], n);
      turn_about(p, from, e, n);
      code = add_face(p, from, n);
      code = code || times_gone(hull, to, from) == 1 ? code : NSD_HULL_TORN;
    }
  }
  hull->sides = hull->first[hull->faces];
  return code;
}

/* Whether each edge is gone once both ways, corners are in the planes of their faces, and V − E + F = 2. */
static int is_closed(const wrapping *p)
{
  const nsd_hull *hull = p->hull;
  for (int32_t f = 0; f < hull->faces; f++) {
    const int32_t first = hull->first[f], end = hull->first[f + 1];
    for (int32_t k = first; k < end; k++) {
      const int32_t from = hull->round[k], to = hull->round[k + 1 < end ? k + 1 : first];
      const double below = hull->plane[f][3] - nsd_vec3_dot(hull->plane[f], hull->corner[from]);
      if (times_gone(hull, from, to) != 1 || times_gone(hull, to, from) != 1 || !(below <= 4.0 * p->flat)) {
        return 0;
      }
    }
  }
  return hull->corners - hull->sides / 2 + hull->faces == 2;
}

/* Where points are about as far from a plane as what is flat, some are taken into it from one edge and not
 * from another, and the surface has tears: then as much again is flat, and all begins anew. */
int nsd_hull_make(int32_t count, const double *points, nsd_hull *hull)
{
  double x[NSD_SOLID_CORNERS][3];
  memcpy(x, points, (size_t)count * sizeof *x);
  wrapping p = {(const double(*)[3])x, count, 0.0, hull};
  const double extent = extent_of(count, p.x);
  if (!(extent > NSD_SOLID_LEAST)) {
    return NSD_HULL_FLAT;
  }
  for (int doubled = 0; ldexp(NSD_SOLID_FLAT, doubled) <= NSD_SOLID_FLAT_MOST; doubled++) {
    p.flat = ldexp(NSD_SOLID_FLAT, doubled) * extent;
    keep_apart(&p, x, count, points);
    const int code = wrap(&p);
    if (code == NSD_HULL_FLAT) {
      return doubled ? NSD_HULL_TORN : code;
    }
    if (!code) {
      keep_corners(&p);
      if (is_closed(&p)) {
        return 0;
      }
    }
  }
  return NSD_HULL_TORN;
}
