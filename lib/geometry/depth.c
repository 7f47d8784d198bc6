/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/depth.h"

#include <math.h>

#include "geometry/sift.h"

/* Where on its edge of shape `side` a crossing is: distances of the edge's two ends from the other edge's
 * line, along the normal of that. */
static double place_on_edge(const nsd_search *search, const nsd_crossing *x, int side, double *rise)
{
  const nsd_outline *line = &search->view.shape[side]->line;
  double n[2], p[2], a[2], b[2];
  nsd_search_normal(search, !side, x->edge[!side], n);
  nsd_search_corner(search, !side, x->edge[!side], p);
  nsd_search_corner(search, side, x->edge[side], a);
  nsd_search_corner(search, side, nsd_corner_after(line, x->edge[side]), b);
  const double ha = (a[0] - p[0]) * n[0] + (a[1] - p[1]) * n[1],
               hb = (b[0] - p[0]) * n[0] + (b[1] - p[1]) * n[1];
  *rise = hb - ha;
  return ha / (ha - hb);
}

/* The next crossing on an edge of shape `side`, from the place `at` on (0 and 1 are its ends), forth or back;
 * NULL: none. */
static nsd_crossing *next_on_edge(const nsd_search *search, const nsd_crossing *x, int side, int32_t edge,
                                  double at, int forth)
{
  nsd_crossing *next = NULL;
  double least = INFINITY;
  for (int32_t i = 0; i < search->crossings; i++) {
    nsd_crossing *y = &search->crossing[i];
    if (y != x && y->edge[side] == edge) {
      double rise;
      const double other = place_on_edge(search, y, side, &rise), way = forth ? other - at : at - other;
      next = way > 0.0 && way < least ? y : next;
      least = way > 0.0 ? fmin(least, way) : least;
    }
  }
  return next;
}

/* A way along the part of shape `side` that is inside of the other one, from a crossing to the next. */
typedef struct way {
  int is_touched;     /* a touch is on it */
  int is_notched;     /* a corner on it is a notch: both of its sides are pressed */
  int32_t middle;     /* the corner in its middle; NSD_NO_CORNER where there is none */
  nsd_crossing *left; /* where it leaves; NULL where that is not known, or a touch ended it */
} way;

static way follow(const nsd_search *search, const nsd_crossing *x, int side, int turned)
{
  const nsd_outline *line = &search->view.shape[side]->line;
  const nsd_mark *mark = search->mark[side];
  const int32_t edge = x->edge[side];
  way w = {.middle = NSD_NO_CORNER};
  double rise;
  /* Along the edge into the other shape, against its normal. */
  const double at = place_on_edge(search, x, side, &rise);
  const int forth = (rise < 0.0) != turned;
  if (mark[edge].crossed_twice == search->round) {
    w.left = next_on_edge(search, x, side, edge, at, forth);
  }
  int32_t corner = forth ? nsd_corner_after(line, edge) : edge, slow = corner;
  for (int32_t k = 0; !w.left && corner >= 0 && k < line->corners; k++) {
    w.middle = slow;
    w.is_notched |= !line->convex[corner];
    if (mark[corner].touched == search->round) {
      w.is_touched = 1;
      return w;
    }
    const int32_t next_edge = forth ? corner : nsd_corner_before(line, corner);
    if (next_edge >= 0 && mark[next_edge].crossed == search->round) {
      w.left = next_on_edge(search, NULL, side, next_edge, forth ? -1.0 : 2.0, forth);
      return w;
    }
    corner = forth ? nsd_corner_after(line, corner) : nsd_corner_before(line, corner);
    slow = k % 2 ? (forth ? nsd_corner_after(line, slow) : nsd_corner_before(line, slow)) : slow;
  }
  return w;
}

/* The same, into the other shape, followed once: many ways around lead along it, and with all of them anew
 * the work would be the cube of the number of crossings. */
static way follow_once(const nsd_search *search, nsd_crossing *x, int side)
{
  enum { NOWHERE = -1 };
  if (!x->is_followed[side]) {
    const way w = follow(search, x, side, 0);
    x->is_followed[side] = 1;
    x->is_touched[side] = w.is_touched != 0;
    x->is_notched[side] = w.is_notched != 0;
    x->middle[side] = w.middle;
    x->left[side] = w.left ? (int32_t)(w.left - search->crossing) : NOWHERE;
    return w;
  }
  return (way){.is_touched = x->is_touched[side],
               .is_notched = x->is_notched[side],
               .middle = x->middle[side],
               .left = x->left[side] >= 0 ? &search->crossing[x->left[side]] : NULL};
}

/* Whether a touch is on the outline of what two solid shapes have in common at a crossing: along the one to
 * where it leaves, there along the other one, and so on around. */
static int is_on_common(const nsd_search *search, nsd_crossing *x)
{
  nsd_crossing *at = x;
  int side = 0;
  for (int32_t k = 0; at && k < search->crossings; k++, side = !side) {
    const way w = follow_once(search, at, side);
    if (w.is_touched) {
      return 1;
    }
    at = w.left == x ? NULL : w.left;
  }
  return 0;
}

/* What the four ends of two edges that cross say of the depth there: at least this. */
static double least_depth(const nsd_search *search, const nsd_crossing *x)
{
  double least = INFINITY;
  for (int side = 0; side < 2; side++) {
    const nsd_outline *line = &search->view.shape[side]->line;
    double n[2], a[2];
    nsd_search_normal(search, !side, x->edge[!side], n);
    nsd_search_corner(search, !side, x->edge[!side], a);
    for (int end = 0; end < 2; end++) {
      double c[2];
      nsd_search_corner(search, side, end ? nsd_corner_after(line, x->edge[side]) : x->edge[side], c);
      least = fmin(least, fabs((c[0] - a[0]) * n[0] + (c[1] - a[1]) * n[1]));
    }
  }
  return least;
}

/* Depth of the overlap at a crossing that no touch explains: of the corner in the middle of what is inside,
 * and at least what the edges say. */
static double depth_at(const nsd_search *search, const nsd_crossing *x, const int32_t *middle)
{
  double deep = 0.0;
  for (int side = 0; side < 2; side++) {
    if (middle[side] >= 0) {
      deep = fmax(deep, nsd_sift_contains(search, side, middle[side], INFINITY)
                            ? nsd_sift_nearest(search, side, middle[side], INFINITY).distance
                            : 0.0);
    }
  }
  return fmax(deep, least_depth(search, x));
}

static void tell_depth(nsd_search *search, double depth)
{
  search->is_deep = 1;
  search->depth = fmax(search->depth, depth);
}

/* Whether a crossing is next to a corner that has passed a tip or a thin part (sift.c), which is outside
 * again: of its own edges with the one that it came through, or the next ones. */
static int has_passed(const nsd_search *search, const nsd_crossing *x)
{
  for (int32_t i = 0; i < search->meetings; i++) {
    const nsd_meeting *m = &search->meeting[i];
    const nsd_outline *own = &search->view.shape[m->side]->line, *other = &search->view.shape[!m->side]->line;
    const int32_t edge = x->edge[m->side], opposite = x->edge[!m->side];
    const int is_own = edge == m->vertex || nsd_corner_after(own, edge) == m->vertex;
    const int is_next = opposite == m->edge || nsd_corner_after(other, opposite) == m->edge ||
                        nsd_corner_before(other, opposite) == m->edge;
    if (m->h < 0.0 && !m->at_vertex && is_own && is_next &&
        !nsd_sift_contains(search, m->side, m->vertex, INFINITY)) {
      return 1;
    }
  }
  return 0;
}

/* Whether a touch is inside where two edges cross; else middle (2) has the corners in the middle of what is.
 */
static int is_crossing_explained(nsd_search *search, nsd_crossing *x, int32_t *middle)
{
  int explained = 0, thin = 0;
  for (int side = 0; side < 2; side++) {
    const int32_t is_wire = search->view.shape[!side]->line.thin;
    const way w = follow_once(search, x, side);
    middle[side] = w.middle;
    search->is_notched |= w.is_notched;
    explained |= w.is_touched || (is_wire && follow(search, x, side, 1).is_touched);
    thin |= is_wire;
  }
  return explained || (!thin && is_on_common(search, x));
}

/* Crossings that no touch explains, deeper than rounding. */
void nsd_judge_crossings(nsd_search *search, int is_last)
{
  const int can_be_notched = search->view.shape[0]->line.notched || search->view.shape[1]->line.notched;
  const int is_brief = !is_last && !can_be_notched; /* one crossing that is deep tells all */
  int is_pressed = 0;
  for (int32_t i = 0; i < search->meetings; i++) {
    const nsd_meeting *m = &search->meeting[i];
    if (m->h < 0.0) {
      search->mark[m->side][m->vertex].touched = search->round;
      is_pressed = 1;
    }
    /* Past the end of one side, on its line or behind it by rounding, a vertex explains how outlines cross;
     * what it is in is the other side, by more perhaps than was looked for. */
    search->is_notched |= can_be_notched && m->is_beyond == NSD_BEHIND_BOTH && m->h <= search->view.place;
  }
  for (int32_t i = 0; i < search->crossings; i++) {
    nsd_crossing *x = &search->crossing[i];
    x->is_followed[0] = x->is_followed[1] = 0;
  }
  for (int32_t i = 0; i < search->crossings && !(is_brief && search->is_deep); i++) {
    nsd_crossing *x = &search->crossing[i];
    int32_t middle[2];
    /* Nothing is explained by touches where there are none. */
    if (is_brief && !is_pressed && least_depth(search, x) > search->view.place) {
      search->is_deep = 1;
      continue;
    }
    const double depth =
        is_crossing_explained(search, x, middle) || has_passed(search, x) ? 0.0 : depth_at(search, x, middle);
    if (depth > search->view.place) {
      tell_depth(search, depth + search->view.rounding);
    }
  }
}

/* The touch with the least gap; NULL where there is none. */
static const nsd_meeting *least_meeting(const nsd_search *search)
{
  const nsd_meeting *least = NULL;
  for (int32_t i = 0; i < search->meetings; i++) {
    least = least && least->h <= search->meeting[i].h ? least : &search->meeting[i];
  }
  return least;
}

/* Where no outlines cross but by rounding, and no vertex is behind an edge, one shape may be wholly inside of
 * the other. Then all its corners are, and one is asked; which may be on the outline up to rounding, so two.
 */
void nsd_judge_inside(nsd_search *search)
{
  const nsd_view *view = &search->view;
  const nsd_meeting *least = least_meeting(search);
  if (search->is_deep || (least && least->h < 0.0)) {
    return;
  }
  for (int side = 0; side < 2; side++) {
    const nsdyn_shape *inner = view->shape[side], *outer = view->shape[!side];
    if (inner->extent >
        1.5 * outer->extent) { /* its diameter is larger than the other's, at most 1.42 extents */
      continue;
    }
    /* Next to a touch a profile's nearest edge is soon found; the middle of the outline is far from it. */
    const int32_t corner = least && least->side == side ? least->vertex : 0;
    const int32_t opposite = (corner + inner->line.corners / 2) % inner->line.corners;
    if (nsd_sift_contains(search, side, corner, INFINITY) &&
        nsd_sift_contains(search, side, opposite, INFINITY)) {
      const double distance = nsd_sift_nearest(search, side, opposite, INFINITY).distance;
      tell_depth(search, fmax(distance, inner->extent)); /* it has to go all its length at least */
    }
  }
}

void nsd_judge_touches(nsd_search *search)
{
  for (int32_t i = 0; i < search->meetings; i++) {
    const double gap = search->meeting[i].h - search->view.rounding;
    if (gap < -search->skin) {
      tell_depth(search, -gap);
    }
  }
}
