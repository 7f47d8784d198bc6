/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "boxes.h"

#include <math.h>
#include <nsdyn/nsdyn.h>

#include "bodies.h"

/* Edges that are nearly parallel have no direction across; and a face is taken before edges that tell as
 * much. */
#define PARALLEL 1e-3
#define PREFERRED 1e-3

/* Numbers of points: 12 faces to be flat × 6 faces of the other × 24 (corners of the other, own ones, 4 × 4
 * edges), then 9 pairs of directions of edges × 4 × 4 edges of these directions. */
enum { FACES = 6, OWN = 4, CROSSINGS = 8, MARKS = 24, EDGES_ID = 2 * FACES * FACES * MARKS };

/* Axis k of the box in the world. */
static void axis_of(const box *b, int k, double *axis)
{
  double e[3] = {0.0, 0.0, 0.0};
  e[k] = 1.0;
  nsdyn_quaternion_rotate(b->q + 3, e, axis);
}

/* a + s b */
static void along(const double *a, double s, const double *b, double *out)
{
  for (int k = 0; k < 3; k++) {
    out[k] = a[k] + s * b[k];
  }
}

void box_corner(const box *b, int k, double *corner)
{
  const double own[3] = {k & 1 ? b->half[0] : -b->half[0], k & 2 ? b->half[1] : -b->half[1],
                         k & 4 ? b->half[2] : -b->half[2]};
  double turned[3];
  nsdyn_quaternion_rotate(b->q + 3, own, turned);
  along(b->q, 1.0, turned, corner);
}

/* How far it reaches from its centre along n. */
static double reach(const box *b, const double *n)
{
  double own[3];
  nsdyn_quaternion_rotate_back(b->q + 3, n, own);
  return fabs(own[0]) * b->half[0] + fabs(own[1]) * b->half[1] + fabs(own[2]) * b->half[2];
}

/* Gap along n, which is turned to point from the first box to the second. */
static double gap_along(const box *first, const box *second, double *n)
{
  double between[3];
  along(second->q, -1.0, first->q, between);
  const double apart = vector_dot(between, n);
  for (int k = 0; k < 3 && apart < 0.0; k++) {
    n[k] = -n[k];
  }
  return fabs(apart) - reach(first, n) - reach(second, n);
}

/* ---- Points ---- */

/* One more: `on` of flat and of other, n from flat to other. swapped: flat is the second box. */
static void add_point(box_touch *t, int id, const double *on_flat, const double *on_other, const double *n,
                      int swapped, double margin)
{
  double between[3];
  along(on_other, -1.0, on_flat, between);
  const double gap = vector_dot(between, n);
  if (gap > margin || t->count == BOX_POINTS) {
    return;
  }
  t->id[t->count] = id;
  t->gap[t->count] = gap;
  for (int k = 0; k < 3; k++) {
    t->n[t->count][k] = swapped ? n[k] : -n[k];
    t->on[t->count][swapped][k] = on_flat[k];
    t->on[t->count][!swapped][k] = on_other[k];
  }
  t->count++;
}

/* The nearest points of two lines through x along a and through y along b, which have a direction across;
 * that looks along n. Returns 0 where they are nearly parallel. */
static int near_lines(const double *x, const double *a, const double *y, const double *b, const double *n,
                      double *on_a, double *on_b, double *across)
{
  double between[3];
  vector_cross(a, b, across);
  const double length = sqrt(vector_dot(across, across));
  if (length < PARALLEL) {
    return 0;
  }
  const double sign = vector_dot(across, n) < 0.0 ? -1.0 : 1.0;
  for (int k = 0; k < 3; k++) {
    across[k] *= sign / length;
  }
  /* x − y + s a − t b is across a and b. */
  along(x, -1.0, y, between);
  const double ab = vector_dot(a, b), da = vector_dot(between, a), db = vector_dot(between, b);
  const double per = 1.0 / (1.0 - ab * ab);
  along(x, (ab * db - da) * per, a, on_a);
  along(y, (db - ab * da) * per, b, on_b);
  return 1;
}

/* ---- A face ---- */

typedef struct face {
  int which;
  double n[3], half[2], axis[2][3], centre[3]; /* outward normal; sides */
  double corner[4][3];                         /* round about */
} face;

static face face_of(const box *b, int k, int is_negative)
{
  static const double turn[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
  face f = {.which = 2 * k + is_negative};
  axis_of(b, k, f.n);
  for (int i = 0; i < 3; i++) {
    f.n[i] = is_negative ? -f.n[i] : f.n[i];
  }
  along(b->q, b->half[k], f.n, f.centre);
  for (int i = 0; i < 2; i++) {
    f.half[i] = b->half[(k + 1 + i) % 3];
    axis_of(b, (k + 1 + i) % 3, f.axis[i]);
  }
  for (int i = 0; i < 4; i++) {
    along(f.centre, turn[i][0] * f.half[0], f.axis[0], f.corner[i]);
    along(f.corner[i], turn[i][1] * f.half[1], f.axis[1], f.corner[i]);
  }
  return f;
}

/* The face of the box that looks most against n. */
static face face_against(const box *b, const double *n)
{
  double own[3];
  nsdyn_quaternion_rotate_back(b->q + 3, n, own);
  int k = fabs(own[0]) >= fabs(own[1]) ? 0 : 1;
  k = fabs(own[2]) > fabs(own[k]) ? 2 : k;
  return face_of(b, k, own[k] > 0.0);
}

/* Whether x, seen along the normal of the face, is within it; its coordinates there. */
static int is_within(const face *f, const double *x, double *at)
{
  double away[3];
  along(x, -1.0, f->centre, away);
  at[0] = vector_dot(away, f->axis[0]);
  at[1] = vector_dot(away, f->axis[1]);
  return fabs(at[0]) <= f->half[0] && fabs(at[1]) <= f->half[1];
}

/* Whether the segments a b and c d of a plane cross. */
static int do_cross(const double *a, const double *b, const double *c, const double *d)
{
  const double ab[2] = {b[0] - a[0], b[1] - a[1]}, cd[2] = {d[0] - c[0], d[1] - c[1]};
  const double of_c = ab[0] * (c[1] - a[1]) - ab[1] * (c[0] - a[0]);
  const double of_d = ab[0] * (d[1] - a[1]) - ab[1] * (d[0] - a[0]);
  const double of_a = cd[0] * (a[1] - c[1]) - cd[1] * (a[0] - c[0]);
  const double of_b = cd[0] * (b[1] - c[1]) - cd[1] * (b[0] - c[0]);
  return (of_c > 0.0) != (of_d > 0.0) && (of_a > 0.0) != (of_b > 0.0);
}

/* Face f of `flat` and that of `other` which looks at it. */
static void touch_face(const face *f, const box *other, int swapped, double margin, box_touch *t)
{
  const face g = face_against(other, f->n);
  const int base = ((f->which + (swapped ? FACES : 0)) * FACES + g.which) * MARKS;
  const double back[3] = {-g.n[0], -g.n[1], -g.n[2]};
  double of_g[4][2], of_f[4][2], unused[2];
  for (int i = 0; i < 4; i++) {
    double foot[3], away[3];
    /* 1. A corner of the other at this face; */
    if (is_within(f, g.corner[i], of_g[i])) {
      along(g.corner[i], -1.0, f->centre, away);
      along(g.corner[i], -vector_dot(away, f->n), f->n, foot);
      add_point(t, base + i, foot, g.corner[i], f->n, swapped, margin);
    }
    /* 2. an own corner at the other face; */
    (void)is_within(f, f->corner[i], of_f[i]);
    if (is_within(&g, f->corner[i], unused)) {
      along(f->corner[i], -1.0, g.centre, away);
      along(f->corner[i], -vector_dot(away, g.n), g.n, foot);
      add_point(t, base + OWN + i, f->corner[i], foot, back, swapped, margin);
    }
  }
  /* 3. edges that cross, seen along the normal. */
  for (int i = 0; i < 16; i++) {
    const int a = i / 4, b = i % 4, a_next = (a + 1) % 4, b_next = (b + 1) % 4;
    double on_f[3], on_g[3], n[3];
    if (do_cross(of_f[a], of_f[a_next], of_g[b], of_g[b_next]) &&
        near_lines(f->corner[a], f->axis[a % 2], g.corner[b], g.axis[b % 2], f->n, on_f, on_g, n)) {
      add_point(t, base + CROSSINGS + i, on_f, on_g, n, swapped, margin);
    }
  }
}

/* ---- Edges ---- */

/* The middle of the edge along axis k that is farthest along n; returns which of four. */
static int edge_along(const box *b, int k, const double *n, double *middle)
{
  double own[3], turned[3];
  nsdyn_quaternion_rotate_back(b->q + 3, n, own);
  const int which = (own[(k + 1) % 3] < 0.0) + 2 * (own[(k + 2) % 3] < 0.0);
  for (int i = 0; i < 3; i++) {
    own[i] = i == k ? 0.0 : copysign(b->half[i], own[i]);
  }
  nsdyn_quaternion_rotate(b->q + 3, own, turned);
  along(b->q, 1.0, turned, middle);
  return which;
}

static void touch_edges(const box *first, const box *second, int edges, const double *n, double margin,
                        box_touch *t)
{
  double a[3], b[3], middle[3], other_middle[3], on_a[3], on_b[3], across[3];
  const double against[3] = {-n[0], -n[1], -n[2]};
  axis_of(first, edges / 3, a);
  axis_of(second, edges % 3, b);
  const int edge = edge_along(first, edges / 3, n, middle);
  const int other = edge_along(second, edges % 3, against, other_middle);
  if (near_lines(middle, a, other_middle, b, n, on_a, on_b, across)) {
    add_point(t, EDGES_ID + (edges * 4 + edge) * 4 + other, on_a, on_b, across, 0, margin);
  }
}

void box_touches_box(const box *first, const box *second, double margin, box_touch *t)
{
  const box *const pair[2] = {first, second};
  const double size = first->half[0] + second->half[0];
  double best = -INFINITY, n[3] = {0.0, 0.0, 0.0};
  int which = 0; /* 0 … 5: faces; 6 … 14: edges */
  t->count = 0;
  for (int k = 0; k < 15; k++) {
    double axis[3];
    if (k < 6) {
      axis_of(pair[k / 3], k % 3, axis);
    } else {
      double a[3], b[3];
      axis_of(first, (k - 6) / 3, a);
      axis_of(second, (k - 6) % 3, b);
      vector_cross(a, b, axis);
      const double length = sqrt(vector_dot(axis, axis));
      if (length < PARALLEL) {
        continue;
      }
      along((double[3]){0.0, 0.0, 0.0}, 1.0 / length, axis, axis);
    }
    const double gap = gap_along(first, second, axis);
    if (gap > margin) {
      return;
    }
    if (gap > best + (k == 3 || k == 6 ? PREFERRED * size : 0.0)) {
      best = gap;
      which = k;
      along(axis, 0.0, axis, n);
    }
  }
  if (which < 6) {
    const int k = which % 3, is_second = which > 2;
    double out[3], axis[3];
    axis_of(pair[is_second], k, axis);
    along((double[3]){0.0, 0.0, 0.0}, is_second ? -1.0 : 1.0, n, out);
    const face f = face_of(pair[is_second], k, vector_dot(axis, out) < 0.0);
    touch_face(&f, pair[!is_second], is_second, margin, t);
  } else {
    touch_edges(first, second, which - 6, n, margin, t);
  }
}

/* ---- A sphere ---- */

void box_touches_sphere(const box *first, const double *centre, double r, double margin, box_touch *t)
{
  double away[3], own[3], near[3], n[3] = {0.0, 0.0, 0.0};
  along(centre, -1.0, first->q, away);
  nsdyn_quaternion_rotate_back(first->q + 3, away, own);
  int least = 0;
  for (int k = 0; k < 3; k++) {
    near[k] = fmax(-first->half[k], fmin(first->half[k], own[k]));
    least = first->half[k] - fabs(own[k]) < first->half[least] - fabs(own[least]) ? k : least;
  }
  double across[3];
  along(own, -1.0, near, across);
  double distance = sqrt(vector_dot(across, across));
  if (distance > 0.0) {
    along(n, -1.0 / distance, across, n);
  } else {
    /* Its centre is inside: out by the nearest face. */
    n[least] = own[least] < 0.0 ? 1.0 : -1.0;
    near[least] = copysign(first->half[least], own[least]);
    distance = fabs(own[least]) - first->half[least];
  }
  t->count = distance - r <= margin;
  t->id[0] = 0;
  t->gap[0] = distance - r;
  nsdyn_quaternion_rotate(first->q + 3, n, t->n[0]);
  nsdyn_quaternion_rotate(first->q + 3, near, near);
  along(first->q, 1.0, near, t->on[0][0]);
  along(centre, r, t->n[0], t->on[0][1]);
}
