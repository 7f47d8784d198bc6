/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/pieces.h"

#include <math.h>

#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "geometry/orientation.h"

/* ---- loading ---- */

/* Point k of the piece, of those from −1 on; stands at k + 1. */
static void load_corner(const nsd_view *view, int side, int32_t i, int k, nsd_piece *piece)
{
  const nsd_outline *line = &view->shape[side]->line;
  piece->convex[k + 1] = line->convex[i];
  if (side) {
    nsd_frame_place(&view->frame, line->p[i], piece->p[k + 1]);
  } else {
    piece->p[k + 1][0] = line->p[i][0];
    piece->p[k + 1][1] = line->p[i][1];
  }
}

static void load_normal(const nsd_view *view, int side, int32_t edge, int k, nsd_piece *piece)
{
  const nsd_outline *line = &view->shape[side]->line;
  piece->length[k + 1] = line->length[edge];
  if (side) {
    nsd_frame_turn(&view->frame, line->n[edge], piece->n[k + 1]);
  } else {
    piece->n[k + 1][0] = line->n[edge][0];
    piece->n[k + 1][1] = line->n[edge][1];
  }
}

/* Where a profile ends its solid goes straight down: as far as it is wide, behind an edge that nothing
 * touches. */
static void end_before(const nsd_view *view, int side, nsd_piece *piece)
{
  const double deep = view->shape[side]->extent, *n = piece->n[1];
  piece->p[0][0] = piece->p[1][0] - deep * n[0];
  piece->p[0][1] = piece->p[1][1] - deep * n[1];
  piece->n[0][0] = n[1];
  piece->n[0][1] = -n[0];
  piece->length[0] = deep;
  piece->is_open[0] = 1;
}

static void end_behind(const nsd_view *view, int side, nsd_piece *piece)
{
  const int last = piece->edges;
  const double deep = view->shape[side]->extent, *n = piece->n[last], *p = piece->p[last + 1];
  piece->p[last + 2][0] = p[0] - deep * n[0];
  piece->p[last + 2][1] = p[1] - deep * n[1];
  piece->n[last + 1][0] = -n[1];
  piece->n[last + 1][1] = n[0];
  piece->length[last + 1] = deep;
  piece->is_open[1] = 1;
}

void nsd_piece_load(const nsd_view *view, int side, int32_t first, int32_t count, nsd_piece *piece)
{
  const nsd_outline *line = &view->shape[side]->line;
  piece->first = first;
  piece->edges = count;
  piece->is_point = line->edges == 0;
  piece->is_open[0] = !line->closed && first == 0;
  piece->is_open[1] = !line->closed && first + count == line->edges;
  /* A corner belongs to the edge that begins there; the last one of an open line to the one before. */
  piece->corners = piece->is_point ? 1 : count + piece->is_open[1];
  const int begin = piece->is_point || piece->is_open[0] ? 0 : -1;
  const int end = piece->is_point ? 0 : count + !piece->is_open[1];
  for (int k = begin; k <= end; k++) {
    int32_t i = first + k;
    i = i < 0 ? i + line->corners : i >= line->corners ? i - line->corners : i;
    load_corner(view, side, i, k, piece);
    if (k < end) {
      load_normal(view, side, i, k, piece);
    }
  }
  if (!piece->is_point && piece->is_open[0]) {
    end_before(view, side, piece);
  }
  if (!piece->is_point && piece->is_open[1]) {
    end_behind(view, side, piece);
  }
}

/* ---- one vertex ---- */

/* Whether all of the body near its corner k is on the side of n that n points to, up to rounding: the corner
 * is where it is nearest to a line with that normal. */
static int faces(const nsd_piece *piece, int k, const double *n)
{
  if (piece->is_point) {
    return 1;
  }
  const double *c = piece->p[k + 1], *before = piece->p[k], *after = piece->p[k + 2];
  const double rise_before = (before[0] - c[0]) * n[0] + (before[1] - c[1]) * n[1];
  const double rise_after = (after[0] - c[0]) * n[0] + (after[1] - c[1]) * n[1];
  return rise_before >= -NSD_FACING_ROUNDING * piece->length[k] &&
         rise_after >= -NSD_FACING_ROUNDING * piece->length[k + 1];
}

/* d from corner k to a point: how far along the edge before it goes, past its end, and along the edge behind
 * it, from its begin. */
static inline void along_edges(const nsd_piece *piece, int k, const double *d, double *past, double *from)
{
  const double *before = piece->n[k], *behind = piece->n[k + 1];
  *past = d[1] * before[0] - d[0] * before[1];
  *from = d[1] * behind[0] - d[0] * behind[1];
}

/* Whether what is off by d from corner k is nearer to the corner than to either of its edges. A point in
 * front of a corner is nearest to the edge before it, to the one behind it, or to none: which is decided by
 * the same two numbers for all, so none is left out. */
static inline int is_corners_own(const nsd_piece *piece, int k, const double *d)
{
  double past, from;
  if (piece->is_point) {
    return 1;
  }
  along_edges(piece, k, d, &past, &from);
  return past > 0.0 && from < 0.0;
}

static nsd_meeting meeting_of(int side, const nsd_piece *v, int k, const nsd_piece *e, int j, double h,
                              const double *n)
{
  const nsd_meeting m = {
      .side = side, .vertex = v->first + k, .edge = e->first + j, .h = h, .n = {n[0], n[1]}};
  return m;
}

/* Whether what is off by d from one end of an edge is not past its other end. */
static int is_along(const nsd_view *view, const nsd_piece *e, int edge, const double *d)
{
  const double *n = e->n[edge + 1];
  return fabs(d[0] * n[1] - d[1] * n[0]) <= e->length[edge + 1] + view->place;
}

/* What is past an end of the edge, by `past` > 0, still meets it in a notch. In front of the other side, too,
 * it does: what is free there is before both lines, and what slides from one side to the other, or is as far
 * off as steps err, is to have the gap of both sides throughout. Behind the other side of the
 * notch, or on it up to rounding, both sides are pressed. At a convex corner it is another edge's, unless it
 * is behind that one, too: within a blunt corner there are places before neither's end but nearest to the
 * other, and where the body does not face that one, as flat on flat, this is the edge it can leave by. */
static int is_beyond_end(const nsd_view *view, const nsd_piece *e, int corner, const double *d, int other,
                         double past)
{
  if ((corner == 0 && e->is_open[0]) || (corner == e->edges && e->is_open[1])) {
    return 0;
  }
  const double h = d[0] * e->n[other + 1][0] + d[1] * e->n[other + 1][1];
  const int is_notch = !e->convex[corner + 1];
  if (is_notch && past <= view->place) {
    return NSD_AT_END;
  }
  /* What lies on the other side has a gap of rounding, whose sign tells nothing. */
  const int is_behind = is_notch ? h <= view->place : h < 0.0;
  if (nsd_norm_plane(d[0], d[1]) > view->whole || (is_notch && !is_along(view, e, other, d))) {
    return 0;
  }
  return is_behind ? NSD_BEHIND_BOTH : is_notch ? NSD_BEFORE_BOTH : 0;
}

/* SB eqs. 33 to 36: vertex k of v at edge j of e. */
static int at_edge(const nsd_view *view, int side, const nsd_piece *v, int k, const nsd_piece *e, int j,
                   nsd_meeting *out)
{
  const double *n = e->n[j + 1], *c = v->p[k + 1], *a = e->p[j + 1], *b = e->p[j + 2];
  const double from_a[2] = {c[0] - a[0], c[1] - a[1]}, from_b[2] = {c[0] - b[0], c[1] - b[1]};
  /* eq. 33 and 36: on which side of its line, and how far */
  const double h = from_a[0] * n[0] + from_a[1] * n[1];
  if (!(h <= view->reach && h >= -view->skin) || !v->convex[k + 1] || !faces(v, k, n)) {
    return 0;
  }
  /* eqs. 34 and 35: between its ends */
  const double before = from_a[0] * n[1] - from_a[1] * n[0], beyond = from_b[1] * n[0] - from_b[0] * n[1];
  int is_beyond = 0;
  if (before > 0.0) {
    is_beyond = is_beyond_end(view, e, j, from_a, j - 1, before);
    if (!is_beyond) {
      return 0;
    }
  } else if (beyond > 0.0) {
    is_beyond = is_beyond_end(view, e, j + 1, from_b, j + 1, beyond);
    if (!is_beyond) {
      return 0;
    }
  }
  *out = meeting_of(side, v, k, e, j, h, n);
  out->is_beyond = is_beyond;
  return 1;
}

/* ---- two vertices ---- */

/* Lines along the edges at a corner of e that have corner k of v, and all of its body near it, in front: the
 * one that is farthest from it. */
static void best_line(double place, int side, const nsd_piece *v, int k, const nsd_piece *e, int corner,
                      nsd_meeting *best)
{
  for (int j = corner - 1; j <= corner; j++) {
    if (e->is_point || (j < 0 && e->is_open[0]) || (j == e->edges && e->is_open[1])) {
      continue;
    }
    const double *n = e->n[j + 1], *p = e->p[corner + 1], *c = v->p[k + 1];
    const double d[2] = {c[0] - p[0], c[1] - p[1]}, h = d[0] * n[0] + d[1] * n[1];
    if (h > best->h && faces(v, k, n)) {
      *best = meeting_of(side, v, k, e, j, h, n);
      best->is_beyond = fabs(d[1] * n[0] - d[0] * n[1]) > place; /* else it is at the end of the edge */
    }
  }
}

/* Corner k of a and corner l of b, each nearer to the other than to its edges. Without rounding the shapes
 * are apart by what one of their four edges says: its line has both on different sides, and the gap along its
 * normal is continuous with that of vertex and edge, zero where they touch, and has a direction there.
 * Rounded ones are two circles. */
static int at_vertex(const nsd_view *view, const nsd_piece *a, int k, const nsd_piece *b, int l,
                     nsd_meeting *out)
{
  const double d[2] = {a->p[k + 1][0] - b->p[l + 1][0], a->p[k + 1][1] - b->p[l + 1][1]};
  const double back[2] = {-d[0], -d[1]};
  if (!a->convex[k + 1] || !b->convex[l + 1] || !is_corners_own(b, l, d) || !is_corners_own(a, k, back)) {
    return 0;
  }
  if (view->rounding > 0.0) {
    const double distance = nsd_norm_plane(d[0], d[1]);
    const double n[2] = {distance > 0.0 ? d[0] / distance : 1.0, distance > 0.0 ? d[1] / distance : 0.0};
    *out = meeting_of(0, a, k, b, l, distance, n);
    out->at_vertex = 1;
    return distance <= view->reach;
  }
  nsd_meeting best = {.h = -INFINITY};
  best_line(view->place, 0, a, k, b, l, &best);
  best_line(view->place, 1, b, l, a, k, &best);
  *out = best;
  return best.h <= view->reach && best.h >= -view->skin;
}

/* ---- two pieces ---- */

/* Numbers of corners and edges before the first of a closed outline, and past its last, come round. */
static int32_t wrap(const nsdyn_shape *shape, int32_t i)
{
  const int32_t count = shape->line.corners;
  return i < 0 ? i + count : i >= count ? i - count : i;
}

int nsd_pieces_meet(const nsd_view *view, const nsd_piece *first, const nsd_piece *second,
                    nsd_meeting *meeting)
{
  const nsd_piece *piece[2] = {first, second};
  int count = 0;
  /* Is a vertex of one in the other? And vice versa. */
  for (int side = 0; side < 2; side++) {
    const nsd_piece *v = piece[side], *e = piece[!side];
    for (int k = 0; k < v->corners; k++) {
      for (int j = 0; j < e->edges; j++) {
        count += at_edge(view, side, v, k, e, j, &meeting[count]);
      }
    }
  }
  for (int k = 0; k < first->corners; k++) {
    for (int l = 0; l < second->corners; l++) {
      count += at_vertex(view, first, k, second, l, &meeting[count]);
    }
  }
  for (int i = 0; i < count; i++) {
    meeting[i].vertex = wrap(view->shape[meeting[i].side], meeting[i].vertex);
    meeting[i].edge = wrap(view->shape[!meeting[i].side], meeting[i].edge);
  }
  return count;
}

/* Whether the edges from a to b and from c to d are apart along an axis: then they have no point in common.
 */
static inline int are_apart(const double *a, const double *b, const double *c, const double *d)
{
  for (int k = 0; k < 2; k++) {
    const double low = a[k] < b[k] ? a[k] : b[k], high = a[k] < b[k] ? b[k] : a[k];
    if ((c[k] < low && d[k] < low) || (c[k] > high && d[k] > high)) {
      return 1;
    }
  }
  return 0;
}

int nsd_pieces_cross(const nsd_piece *first, const nsd_piece *second, nsd_crossing *crossing)
{
  int count = 0;
  for (int i = 0; i < first->edges; i++) {
    for (int j = 0; j < second->edges; j++) {
      const double *a = first->p[i + 1], *b = first->p[i + 2], *c = second->p[j + 1], *d = second->p[j + 2];
      if (!are_apart(a, b, c, d) && nsd_segments_cross(a, b, c, d)) {
        crossing[count].edge[0] = first->first + i;
        crossing[count].edge[1] = second->first + j;
        count++;
      }
    }
  }
  return count;
}
