/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/box_tree.h"

#include <float.h>
#include <math.h>

#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "geometry/orientation.h"
#include "geometry/shape.h"

/* Leaves hold two edges at least, as half of what is more than NSD_LEAF_EDGES. */
void nsd_box_tree_lay_out(nsd_arena *arena, nsd_box_tree *tree, size_t edges)
{
  tree->node = nsd_arena_take(arena, edges + 1, sizeof *tree->node);
}

/* ---- directions of normals ---- */

typedef struct fan {
  double middle[2], cosine, sine;
} fan;

static fan all_directions(void)
{
  const fan f = {{1.0, 0.0}, -1.0, 0.0};
  return f;
}

/* What holds both: in the middle between their middles, δ apart, and δ/2 wider than the wider one. */
static fan join(const fan *a, const fan *b)
{
  const double x = a->middle[0] + b->middle[0], y = a->middle[1] + b->middle[1], l = sqrt(x * x + y * y);
  if (l < 0.25) {
    return all_directions();
  }
  fan f = {{x / l, y / l}, 0.0, 0.0};
  const double c = 0.5 * l, s = sqrt(fmax(0.0, 1.0 - c * c)); /* of δ/2, as l = 2 cos δ/2 */
  const fan *wide = a->cosine < b->cosine ? a : b;
  f.cosine = c * wide->cosine - s * wide->sine;
  f.sine = s * wide->cosine + c * wide->sine;
  return f.sine < 0.0 ? all_directions() : f; /* half a turn to either side */
}

/* Normal of the edge before corner i, or behind it. Where an open outline ends, its solid goes straight down.
 */
static void normal_beside(const nsd_outline *line, int32_t i, int behind, double *n)
{
  const int32_t edge = behind ? i : nsd_corner_before(line, i);
  if (edge >= 0 && edge < line->edges) {
    n[0] = line->n[edge][0];
    n[1] = line->n[edge][1];
    return;
  }
  const double *own = line->n[behind ? i - 1 : i];
  n[0] = behind ? -own[1] : own[1];
  n[1] = behind ? own[0] : -own[0];
}

/* Normals of the edges, and what is between two of them at a corner. A wire's end turns by half a turn: its
 * own direction is in the middle. */
static fan fan_of_leaf(const nsd_outline *line, const nsd_box_node *node)
{
  fan f = all_directions();
  if (line->edges == 0) {
    return f;
  }
  for (int32_t k = 0; k <= node->count; k++) {
    const int32_t i = line->closed ? (node->first + k) % line->corners : node->first + k;
    double n[2][2];
    normal_beside(line, i, 0, n[0]);
    normal_beside(line, i, 1, n[1]);
    const fan before = {{n[0][0], n[0][1]}, 1.0, 0.0}, after = {{n[1][0], n[1][1]}, 1.0, 0.0};
    const fan end = {{-n[0][1], n[0][0]}, 1.0, 0.0};
    fan here = line->convex[i] && n[0][0] * n[1][0] + n[0][1] * n[1][1] < 0.0 ? join(&before, &end) : before;
    here = join(&here, &after);
    f = k ? join(&f, &here) : here;
  }
  return f;
}

/* ---- boxes ---- */

static void box_of_leaf(const nsd_outline *line, nsd_box_node *node)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int32_t k = 0; k <= node->count; k++) {
    const int32_t i = line->closed ? (node->first + k) % line->corners : node->first + k;
    for (int a = 0; a < 2; a++) {
      low[a] = fmin(low[a], line->p[i][a]);
      high[a] = fmax(high[a], line->p[i][a]);
    }
  }
  for (int a = 0; a < 2; a++) {
    node->centre[a] = 0.5 * low[a] + 0.5 * high[a];
    /* Rounding of the centre: what is in the box is nearer to it than this. */
    node->half[a] = fmax(high[a] - node->centre[a], node->centre[a] - low[a]) * (1.0 + 4.0 * DBL_EPSILON);
  }
}

static void box_of_children(nsd_box_node *node, const nsd_box_node *left, const nsd_box_node *right)
{
  for (int a = 0; a < 2; a++) {
    const double low = fmin(left->centre[a] - left->half[a], right->centre[a] - right->half[a]);
    const double high = fmax(left->centre[a] + left->half[a], right->centre[a] + right->half[a]);
    node->centre[a] = 0.5 * low + 0.5 * high;
    node->half[a] = fmax(high - node->centre[a], node->centre[a] - low) * (1.0 + 4.0 * DBL_EPSILON);
  }
}

static void set_fan(nsd_box_node *node, const fan *f)
{
  node->facing[0] = f->middle[0];
  node->facing[1] = f->middle[1];
  node->spread[0] = f->cosine;
  node->spread[1] = f->sine;
}

static fan fan_of(const nsd_box_node *node)
{
  const fan f = {{node->facing[0], node->facing[1]}, node->spread[0], node->spread[1]};
  return f;
}

/* The box along the middle of the normals' directions, of all corners of the run. */
static void turned_box(const nsd_outline *line, nsd_box_node *node)
{
  const double f[2] = {node->facing[0], node->facing[1]}, *o = node->centre;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, middle[2];
  for (int32_t k = 0; k <= node->count; k++) {
    const int32_t i = line->closed ? (node->first + k) % line->corners : node->first + k;
    const double x = line->p[i][0] - o[0], y = line->p[i][1] - o[1];
    const double along[2] = {f[0] * x + f[1] * y, f[0] * y - f[1] * x};
    for (int a = 0; a < 2; a++) {
      low[a] = fmin(low[a], along[a]);
      high[a] = fmax(high[a], along[a]);
    }
  }
  for (int a = 0; a < 2; a++) {
    middle[a] = 0.5 * low[a] + 0.5 * high[a];
    node->wide[a] = 0.5 * high[a] - 0.5 * low[a];
  }
  node->core[0] = o[0] + f[0] * middle[0] - f[1] * middle[1];
  node->core[1] = o[1] + f[1] * middle[0] + f[0] * middle[1];
}

/* Edges first, …, first + count − 1; returns the node's number. As deep as 20 halvings of 2^21 edges. */
static int32_t build(const nsd_outline *line, nsd_box_tree *tree, int32_t first, int32_t count)
{
  const int32_t at = tree->nodes++;
  nsd_box_node *node = &tree->node[at];
  node->first = first;
  node->count = count;
  node->right = node->reserved = 0;
  if (count <= NSD_LEAF_EDGES) {
    box_of_leaf(line, node);
    const fan f = fan_of_leaf(line, node);
    set_fan(node, &f);
    turned_box(line, node);
    return at;
  }
  build(line, tree, first, count / 2);
  node->right = build(line, tree, first + count / 2, count - count / 2);
  const nsd_box_node *left = &tree->node[at + 1], *right = &tree->node[node->right];
  box_of_children(node, left, right);
  const fan a = fan_of(left), b = fan_of(right), both = join(&a, &b);
  set_fan(node, &both);
  turned_box(line, node);
  return at;
}

void nsd_box_tree_build(const nsd_outline *line, nsd_box_tree *tree)
{
  tree->nodes = 0;
  build(line, tree, 0, line->edges);
}

/* ---- the nearest point ---- */

static double distance_to_box(const nsd_box_node *node, const double *x)
{
  const double dx = fmax(0.0, fabs(x[0] - node->centre[0]) - node->half[0]);
  const double dy = fmax(0.0, fabs(x[1] - node->centre[1]) - node->half[1]);
  return sqrt(dx * dx + dy * dy);
}

/* One edge; of its ends, the half angle of SB eqs. 34 and 35 decides that the nearest point of the outline is
 * on this one: beyond an end it is the corner. */
static void try_edge(const nsd_outline *line, int32_t i, const double *x, nsd_nearest *best)
{
  const int32_t next = nsd_corner_after(line, i);
  const double *a = line->p[i], *b = line->p[next], *n = line->n[i];
  const double from_a[2] = {x[0] - a[0], x[1] - a[1]}, from_b[2] = {x[0] - b[0], x[1] - b[1]};
  const int before =
      from_a[1] * n[0] - from_a[0] * n[1]<0.0, beyond = from_b[1] * n[0] - from_b[0] * n[1]> 0.0;
  const double h = from_a[0] * n[0] + from_a[1] * n[1];
  const double *corner = before ? from_a : from_b;
  const double distance = before || beyond ? sqrt(corner[0] * corner[0] + corner[1] * corner[1]) : fabs(h);
  if (distance < best->distance || (distance == best->distance && best->edge < 0)) {
    best->distance = distance;
    best->edge = i;
    /* Next to a corner the solid is all round where it takes more than half a turn. */
    best->is_behind = !line->thin && (before ? !line->convex[i] : beyond ? !line->convex[next] : h < 0.0);
  }
}

nsd_nearest nsd_box_tree_nearest(const nsd_outline *line, const nsd_box_tree *tree, const double *x,
                                 double within)
{
  nsd_nearest best = {.edge = -1, .distance = within};
  int32_t stack[2 * 32];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const nsd_box_node *node = &tree->node[stack[--depth]];
    if (distance_to_box(node, x) > best.distance) {
      continue;
    }
    if (line->edges == 0) {
      const double dx = x[0] - line->p[0][0], dy = x[1] - line->p[0][1];
      best.distance = sqrt(dx * dx + dy * dy);
      best.edge = best.distance <= within ? 0 : -1;
      continue;
    }
    if (node->right == 0) {
      for (int32_t k = 0; k < node->count; k++) {
        try_edge(line, node->first + k, x, &best);
      }
      continue;
    }
    /* The nearer child first, so that the other one is often too far. */
    const int32_t left = (int32_t)(node - tree->node) + 1, right = node->right;
    const int swap = distance_to_box(&tree->node[left], x) < distance_to_box(&tree->node[right], x);
    stack[depth++] = swap ? right : left;
    stack[depth++] = swap ? left : right;
  }
  return best;
}

/* ---- inside ---- */

/* Whether the ray from x to the right meets edge i; of its two ends the upper one does not belong to it. */
static int is_met(const nsd_outline *line, int32_t i, const double *x)
{
  const double *a = line->p[i], *b = line->p[nsd_corner_after(line, i)];
  if ((a[1] > x[1]) == (b[1] > x[1])) {
    return 0;
  }
  return nsd_orientation(a, b, x) == (b[1] > a[1] ? 1 : -1);
}

static int is_left_of(const nsd_box_node *node, const double *x)
{
  return fabs(x[1] - node->centre[1]) > node->half[1] || x[0] > node->centre[0] + node->half[0];
}

int nsd_box_tree_contains(const nsd_outline *line, const nsd_box_tree *tree, const double *x, double within)
{
  if (line->thin || line->edges == 0) {
    return 0;
  }
  if (!line->closed) {
    const nsd_nearest nearest = nsd_box_tree_nearest(line, tree, x, within);
    return nearest.edge >= 0 && nearest.is_behind;
  }
  /* As often as a ray leaves the solid, it entered it, but for the first time. The nearest edge would not do:
   * in a notch that is thinner than rounding it may be the far side. */
  int32_t stack[2 * 32];
  int depth = 0, inside = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const int32_t at = stack[--depth];
    const nsd_box_node *node = &tree->node[at];
    if (is_left_of(node, x)) {
      continue;
    }
    if (node->right != 0) {
      stack[depth++] = node->right;
      stack[depth++] = at + 1;
      continue;
    }
    for (int32_t k = 0; k < node->count; k++) {
      inside ^= is_met(line, node->first + k, x);
    }
  }
  return inside;
}
