/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/outline.h"

#include <math.h>
#include <string.h>

#include "base/safe_scalar.h"
#include "geometry/moments.h"
#include "geometry/orientation.h"

void nsd_outline_lay_out(nsd_arena *arena, nsd_outline *line, size_t points, int thin)
{
  const size_t n = thin ? 2 * points : points;
  line->p = nsd_arena_take(arena, n, sizeof *line->p);
  line->n = nsd_arena_take(arena, n, sizeof *line->n);
  line->length = nsd_arena_take(arena, n, sizeof *line->length);
  line->vertex = nsd_arena_take(arena, n, sizeof *line->vertex);
  line->edge = nsd_arena_take(arena, n, sizeof *line->edge);
  line->convex = nsd_arena_take(arena, n, 1);
}

/* ---- straight parts ---- */

/* Slopes, against the first direction, of lines from a corner that pass all points since within `wide`. */
typedef struct sleeve {
  double from[2], along[2], low, high;
} sleeve;

static sleeve open_sleeve(const double *from, const double *to)
{
  sleeve s = {.low = -INFINITY, .high = INFINITY};
  const double x = to[0] - from[0], y = to[1] - from[1], length = nsd_norm_plane(x, y);
  memcpy(s.from, from, sizeof s.from);
  s.along[0] = x / length;
  s.along[1] = y / length;
  return s;
}

/* Coordinates of p along and across the sleeve. */
static void in_sleeve(const sleeve *s, const double *p, double *along, double *across)
{
  const double x = p[0] - s->from[0], y = p[1] - s->from[1];
  *along = x * s->along[0] + y * s->along[1];
  *across = s->along[0] * y - s->along[1] * x;
}

/* Whether the line to `next` passes all points since; if not, the one before `next` is a corner. */
static int reaches(const sleeve *s, const double *next)
{
  double along, across;
  in_sleeve(s, next, &along, &across);
  return along > 0.0 && across >= s->low * along && across <= s->high * along;
}

static void narrow(sleeve *s, const double *p, double wide)
{
  double along, across;
  in_sleeve(s, p, &along, &across);
  if (!(along > 0.0)) {
    s->low = INFINITY; /* nothing passes a point behind */
    return;
  }
  s->low = fmax(s->low, (across - wide) / along);
  s->high = fmin(s->high, (across + wide) / along);
}

/* The corners among points begin, …, begin + count (cyclic): the first and the last of these are some. */
static int32_t keep_corners(const double *p, int32_t points, int32_t begin, int32_t count, double straight,
                            int32_t *keep)
{
  int32_t kept = 0, last = begin;
  keep[kept++] = begin;
  sleeve s = open_sleeve(p + 2 * (size_t)begin, p + 2 * (size_t)((begin + 1) % points));
  for (int32_t k = 1; k < count; k++) {
    const int32_t i = (begin + k) % points, next = (begin + k + 1) % points;
    narrow(&s, p + 2 * (size_t)i, straight);
    /* Point i is left out where a straight line from the last corner to the next point passes it, and all
     * others since; distances do not add up, however many they are. */
    if (!reaches(&s, p + 2 * (size_t)next)) {
      last = i;
      keep[kept++] = last;
      s = open_sleeve(p + 2 * (size_t)last, p + 2 * (size_t)next);
    }
  }
  return kept;
}

/* ---- corners ---- */

/* The point farthest to the left, the lowest of these: a corner of every polygon. */
static int32_t leftmost(const double *p, int32_t count)
{
  int32_t least = 0;
  for (int32_t i = 1; i < count; i++) {
    const double *a = p + 2 * (size_t)i, *b = p + 2 * (size_t)least;
    least = a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]) ? i : least;
  }
  return least;
}

static void add_corner(nsd_outline *line, const double *p, int32_t vertex, int32_t edge)
{
  const int32_t i = line->corners++;
  line->p[i][0] = p[2 * (size_t)vertex];
  line->p[i][1] = p[2 * (size_t)vertex + 1];
  line->vertex[i] = vertex;
  line->edge[i] = edge;
}

static void make_edges(nsd_outline *line)
{
  line->edges = line->corners == 1 ? 0 : line->closed ? line->corners : line->corners - 1;
  line->notched = 0;
  for (int32_t i = 0; i < line->edges; i++) {
    const double *a = line->p[i], *b = line->p[nsd_corner_after(line, i)];
    const double x = b[0] - a[0], y = b[1] - a[1], length = nsd_norm_plane(x, y);
    /* The solid is to the left, outside is to the right. */
    line->n[i][0] = y / length;
    line->n[i][1] = -x / length;
    line->length[i] = length;
  }
  for (int32_t i = 0; i < line->corners; i++) {
    const int32_t before = nsd_corner_before(line, i), after = nsd_corner_after(line, i);
    /* A wire turns round at its ends: there it has all of the plane but itself outside. */
    line->convex[i] = before < 0 || after < 0 || before == after ||
                      (line->thin && line->vertex[before] == line->vertex[after]) ||
                      nsd_orientation(line->p[before], line->p[i], line->p[after]) > 0;
    line->notched |= !line->convex[i];
  }
}

int32_t nsd_outline_make(const nsdyn_shape_def *def, const double *p, double straight, int32_t *keep,
                         nsd_outline *line)
{
  const int32_t count = def->count;
  const int is_polygon = def->kind == NSDYN_SHAPE_POLYGON;
  line->closed = def->kind != NSDYN_SHAPE_PROFILE;
  line->thin = def->kind == NSDYN_SHAPE_CAPSULE || def->kind == NSDYN_SHAPE_WIRE;
  line->corners = 0;
  int32_t kept = 1;
  keep[0] = 0;
  if (is_polygon) {
    kept = keep_corners(p, count, leftmost(p, count), count, straight, keep);
  } else if (count > 1) {
    kept = keep_corners(p, count, 0, count - 1, straight, keep);
    keep[kept++] = count - 1;
  }
  if (is_polygon && kept < 3) {
    return kept;
  }
  /* Counter-clockwise, and along a profile such that its solid is to the left. */
  const int turned = is_polygon ? nsd_double_area(count, p) < 0.0
                                : def->kind == NSDYN_SHAPE_PROFILE && def->side == NSDYN_SIDE_RIGHT;
  for (int32_t k = 0; k < kept; k++) {
    const int32_t at = turned ? kept - 1 - k : k;
    const int32_t next = at > 0 ? keep[at - 1] : keep[kept - 1];
    /* An edge has the number of the given point where it begins, seen along the given points. */
    add_corner(line, p, keep[at], turned ? next : keep[at]);
  }
  for (int32_t k = kept - 2; line->thin && k > 0; k--) {
    add_corner(line, p, keep[k], count + keep[k - 1]);
  }
  if (line->thin) { /* the edge from the last point back */
    line->edge[kept - 1] = count + keep[kept - 2];
  }
  make_edges(line);
  return kept;
}
