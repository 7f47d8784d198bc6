/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/sift.h"

#include <math.h>

#include "base/heap_sort.h"
#include "base/safe_scalar.h"

#define FACING_EACH_OTHER (-0.70710678118654752) /* cosine of normals whose edges are within 45 degrees */

/* ---- order ---- */

static int comes_before(const nsd_meeting *a, const nsd_meeting *b)
{
  if (a->side != b->side) {
    return a->side < b->side;
  }
  if (a->vertex != b->vertex) {
    return a->vertex < b->vertex;
  }
  if (a->at_vertex != b->at_vertex) {
    return a->at_vertex < b->at_vertex;
  }
  return a->edge < b->edge;
}

static int meets_before(const void *a, const void *b)
{
  return comes_before(a, b);
}

static void sort(nsd_meeting *m, int32_t count)
{
  nsd_meeting spare;
  nsd_heap_sort(m, count, sizeof *m, meets_before, &spare);
}

/* The one with this side, vertex and edge among those in order; NULL: none. */
static nsd_meeting *find(nsd_search *search, int side, int32_t vertex, int32_t edge)
{
  const nsd_meeting wanted = {.side = side, .vertex = vertex, .edge = edge};
  int32_t low = 0, high = search->meetings;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (comes_before(&search->meeting[middle], &wanted)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < search->meetings && !comes_before(&wanted, &search->meeting[low]) ? &search->meeting[low]
                                                                                 : NULL;
}

/* What is marked by a NaN goes. */
static void drop_marked(nsd_search *search, int32_t from)
{
  int32_t kept = from;
  for (int32_t i = from; i < search->meetings; i++) {
    if (!isnan(search->meeting[i].h)) {
      search->meeting[kept++] = search->meeting[i];
    }
  }
  search->meetings = kept;
}

/* ---- behind an edge: inside, or far beyond? ---- */

/* Corners stand in the first shape's frame; the second one's tree is in its own. */
static void corner_in_other(const nsd_search *search, int side, int32_t vertex, double *x)
{
  nsd_search_corner(search, side, vertex, x);
  if (!side) {
    nsd_frame_unplace(&search->view.frame, x, x);
  }
}

nsd_nearest nsd_sift_nearest(const nsd_search *search, int side, int32_t vertex, double within)
{
  const nsdyn_shape *other = search->view.shape[!side];
  double x[2];
  corner_in_other(search, side, vertex, x);
  return nsd_box_tree_nearest(&other->line, &other->tree, x, within);
}

int nsd_sift_contains(const nsd_search *search, int side, int32_t vertex, double within)
{
  const nsdyn_shape *other = search->view.shape[!side];
  double x[2];
  corner_in_other(search, side, vertex, x);
  return nsd_box_tree_contains(&other->line, &other->tree, x, within);
}

static int is_crossed(const nsd_search *search, int side, int32_t edge)
{
  return edge >= 0 && search->mark[side][edge].crossed == search->round;
}

static int do_cross(const nsd_search *search, int side, int32_t edge, int32_t opposite)
{
  for (int32_t i = 0; i < search->crossings && is_crossed(search, side, edge); i++) {
    const nsd_crossing *x = &search->crossing[i];
    if (x->edge[side] == edge && x->edge[!side] == opposite) {
      return 1;
    }
  }
  return 0;
}

/* Where a corner has passed a sharp tip or a thin part within a step, it is behind an edge, through which its
 * own edges come, and outside again. It still belongs to that edge. */
static int has_passed(const nsd_search *search, const nsd_meeting *m)
{
  const nsd_outline *own = &search->view.shape[m->side]->line;
  return !m->is_beyond && m->h >= -search->view.skin &&
         (do_cross(search, m->side, m->vertex, m->edge) ||
          do_cross(search, m->side, nsd_corner_before(own, m->vertex), m->edge));
}

/* A wire has no inside: a vertex is behind it where its own edges cross it. */
static int is_inside(const nsd_search *search, const nsd_meeting *m)
{
  const nsd_outline *other = &search->view.shape[!m->side]->line;
  if (other->thin) {
    const nsd_outline *own = &search->view.shape[m->side]->line;
    return is_crossed(search, m->side, m->vertex) ||
           is_crossed(search, m->side, nsd_corner_before(own, m->vertex));
  }
  /* On another edge up to rounding, as where two boxes are flush, is inside, too. */
  const double within = m->is_beyond ? INFINITY : 2.0 * (search->view.place - m->h); /* of a profile's edge */
  return nsd_sift_contains(search, m->side, m->vertex, within) ||
         nsd_sift_nearest(search, m->side, m->vertex, search->view.place).edge >= 0 || has_passed(search, m);
}

/* Those behind an edge that are not inside go; by rounding all may be. */
static void drop_outside(nsd_search *search, int32_t from)
{
  for (int32_t i = from; i < search->meetings; i++) {
    nsd_meeting *m = &search->meeting[i];
    if ((m->h < -search->view.place || m->is_beyond == NSD_BEHIND_BOTH) && !is_inside(search, m)) {
      m->h = NAN;
    }
  }
  drop_marked(search, from);
}

/* Whether two edges of one outline end in a corner that is a notch. */
static int share_notch(const nsd_outline *line, int32_t e, int32_t f)
{
  const int32_t after_e = nsd_corner_after(line, e), after_f = nsd_corner_after(line, f);
  return (after_e == f && !line->convex[f]) || (after_f == e && !line->convex[e]);
}

/* Of a vertex behind several edges, in a row from `begin`: whether i is behind another one by less. */
static int belongs_elsewhere(const nsd_search *search, int32_t begin, int32_t end, int32_t i)
{
  const nsd_meeting *m = &search->meeting[i];
  const nsd_outline *line = &search->view.shape[!m->side]->line;
  for (int32_t j = begin; j < end && m->h < 0.0 && !m->at_vertex; j++) {
    const nsd_meeting *o = &search->meeting[j];
    if (j != i && !o->at_vertex && o->h < 0.0 && (o->h > m->h || (o->h == m->h && j < i)) &&
        !share_notch(line, o->edge, m->edge)) {
      return 1;
    }
  }
  return 0;
}

/* A vertex inside belongs to one edge, the nearest of those that it can leave by, and in a notch to both (SB:
 * half angles at corners). */
static void give_one_edge(nsd_search *search)
{
  nsd_meeting *m = search->meeting;
  for (int32_t begin = 0, end = 0; begin < search->meetings; begin = end) {
    while (end < search->meetings && m[end].side == m[begin].side && m[end].vertex == m[begin].vertex) {
      end++;
    }
    /* Each is judged beside all of its vertex before one goes. */
    for (int32_t i = begin; i < end; i++) {
      m[i].reserved = belongs_elsewhere(search, begin, end, i);
    }
  }
  for (int32_t i = 0; i < search->meetings; i++) {
    m[i].h = m[i].reserved ? NAN : m[i].h;
    m[i].reserved = 0;
  }
  drop_marked(search, 0);
}

/* ---- flat on flat ---- */

static void add(nsd_search *search, int side, int32_t vertex, int32_t edge, int is_beyond, double h,
                const double *n)
{
  const nsd_meeting m = {
      .side = side, .vertex = vertex, .edge = edge, .is_beyond = is_beyond, .h = h, .n = {n[0], n[1]}};
  if (h <= search->view.reach && h >= -search->view.skin) {
    search->meeting[search->meetings++] = m;
  }
}

/* Whether x is behind the other side of a notch that the edge ends in, or on it up to rounding, within the
 * skin of it: there both sides are pressed (pieces.c). */
static int is_in_notch(const nsd_search *search, int side, int32_t edge, int32_t corner, const double *x)
{
  const nsd_outline *line = &search->view.shape[side]->line;
  const int32_t other = corner == edge ? nsd_corner_before(line, edge) : corner;
  double n[2], p[2];
  if (corner < 0 || other < 0 || other >= line->edges || line->convex[corner]) {
    return 0;
  }
  nsd_search_normal(search, side, other, n);
  nsd_search_corner(search, side, corner, p);
  const double d[2] = {x[0] - p[0], x[1] - p[1]};
  return d[0] * n[0] + d[1] * n[1] <= search->view.place && nsd_norm_plane(d[0], d[1]) <= search->view.whole;
}

/* Vertex C of an edge f is at edge e, and f and e face each other: their overlap has another end, where the
 * other vertex of f is at e, or an end of e at f. */
static void add_other_end(nsd_search *search, const nsd_meeting *m, int32_t f, int32_t far_vertex)
{
  const nsd_outline *own = &search->view.shape[m->side]->line, *other = &search->view.shape[!m->side]->line;
  const double *n = m->n;
  double nf[2], x[2], a[2], b[2], near[2];
  nsd_search_normal(search, m->side, f, nf);
  if (nf[0] * n[0] + nf[1] * n[1] > FACING_EACH_OTHER) {
    return;
  }
  const int32_t ends[2] = {m->edge, nsd_corner_after(other, m->edge)};
  nsd_search_corner(search, m->side, far_vertex, x);
  nsd_search_corner(search, m->side, m->vertex, near);
  nsd_search_corner(search, !m->side, ends[0], a);
  nsd_search_corner(search, !m->side, ends[1], b);
  const double before = (x[0] - a[0]) * n[1] - (x[1] - a[1]) * n[0];
  const double beyond = (x[1] - b[1]) * n[0] - (x[0] - b[0]) * n[1];
  const int is_on = before <= search->view.place && beyond <= search->view.place; /* where both end, either */
  if (is_on || is_in_notch(search, !m->side, m->edge, before > 0.0 ? ends[0] : ends[1], x)) {
    if (own->convex[far_vertex]) {
      add(search, m->side, far_vertex, m->edge, is_on ? 0 : NSD_BEHIND_BOTH,
          (x[0] - a[0]) * n[0] + (x[1] - a[1]) * n[1], n);
    }
    return;
  }
  /* f reaches beyond e: the end of e is at f, between its ends. */
  const int32_t end = before > 0.0 ? ends[0] : ends[1];
  const double *p = before > 0.0 ? a : b;
  const double along_far = (p[1] - x[1]) * nf[0] - (p[0] - x[0]) * nf[1];
  const double along_near = (p[1] - near[1]) * nf[0] - (p[0] - near[0]) * nf[1];
  if (other->convex[end] && (along_far <= 0.0) != (along_near < 0.0)) {
    /* From the beginning of f, as in pieces.c: the same bits, whether it was seen there or here. */
    double begin[2];
    nsd_search_corner(search, m->side, f, begin);
    add(search, !m->side, end, f, 0, (p[0] - begin[0]) * nf[0] + (p[1] - begin[1]) * nf[1], nf);
  }
}

static nsdyn_status add_other_ends(nsd_search *search)
{
  const int32_t count = search->meetings;
  const nsdyn_status status =
      count < INT32_MAX / 8 ? nsd_search_room(search, 2 * count) : NSDYN_ERR_TOO_LARGE;
  for (int32_t i = 0; i < count && !status; i++) {
    const nsd_meeting m = search->meeting[i];
    const nsd_outline *own = &search->view.shape[m.side]->line;
    /* What is past the end of an edge is flat on it only where it presses: in a notch it may be behind both
     * sides, and the far end of its own edge is at one of them all the same. */
    if (m.at_vertex || (m.is_beyond && m.h > search->view.place) || m.is_beyond == NSD_BEFORE_BOTH ||
        own->edges == 0) {
      continue;
    }
    /* The edge behind its vertex, and the one before it. */
    const int32_t after = nsd_corner_after(own, m.vertex), before = nsd_corner_before(own, m.vertex);
    if (after >= 0) {
      add_other_end(search, &m, m.vertex, after);
    }
    if (before >= 0) {
      add_other_end(search, &m, before, before);
    }
  }
  return status;
}

/* ---- one touch for one place ---- */

/* Those with the same side, vertex and edge are one. */
static void drop_twins(nsd_search *search)
{
  int32_t kept = 0;
  for (int32_t i = 0; i < search->meetings; i++) {
    if (kept == 0 || comes_before(&search->meeting[kept - 1], &search->meeting[i])) {
      search->meeting[kept++] = search->meeting[i];
    }
  }
  search->meetings = kept;
}

/* A vertex C at an edge e that ends in P, and P at an edge f that ends in C, are one corner at another. In
 * the same place they are one touch; and where each is inside of the other, the shapes leave each other by
 * the shorter way, unless e and f face each other and C and P are the two ends of what is flat. */
static void join_corner(nsd_search *search, nsd_meeting *m, int32_t p, int32_t f)
{
  nsd_meeting *o = p >= 0 && f >= 0 ? find(search, 1, p, f) : NULL;
  if (!o || isnan(o->h) || isnan(m->h)) {
    return;
  }
  double at_c[2], at_p[2];
  nsd_search_corner(search, 0, m->vertex, at_c);
  nsd_search_corner(search, 1, p, at_p);
  /* Along the edges; across them they are as far apart as the edges are. */
  const double d[2] = {at_c[0] - at_p[0], at_c[1] - at_p[1]};
  const int same = fabs(d[1] * m->n[0] - d[0] * m->n[1]) <= search->view.place;
  const int flat = m->n[0] * o->n[0] + m->n[1] * o->n[1] <= FACING_EACH_OTHER;
  if (same && flat) { /* the nearer one tells when they meet */
    o->reserved = m->h <= o->h;
    m->reserved = m->h > o->h;
  } else if (!flat && m->h < 0.0 && o->h < 0.0) {
    o->reserved = m->h >= o->h;
    m->reserved = m->h < o->h;
  }
}

static void join_corners(nsd_search *search)
{
  const nsd_outline *first = &search->view.shape[0]->line, *second = &search->view.shape[1]->line;
  for (int32_t i = 0; i < search->meetings && search->meeting[i].side == 0; i++) {
    nsd_meeting *m = &search->meeting[i];
    if (m->at_vertex || first->edges == 0) {
      continue;
    }
    const int32_t p[2] = {m->edge, nsd_corner_after(second, m->edge)};
    const int32_t f[2] = {m->vertex < first->edges ? m->vertex : NSD_NO_CORNER,
                          nsd_corner_before(first, m->vertex)};
    for (int k = 0; k < 4; k++) {
      join_corner(search, m, p[k / 2], f[k % 2]);
    }
  }
  /* Marks, not NaN, so that the order stays while it is searched. */
  for (int32_t i = 0; i < search->meetings; i++) {
    search->meeting[i].h = search->meeting[i].reserved ? NAN : search->meeting[i].h;
  }
  drop_marked(search, 0);
}

nsdyn_status nsd_sift(nsd_search *search)
{
  /* 1: what is behind an edge has to be inside. 2: the other ends of what is flat, too. */
  drop_outside(search, 0);
  const int32_t known = search->meetings;
  const nsdyn_status status = add_other_ends(search);
  if (status) {
    return status;
  }
  drop_outside(search, known);
  /* 3: each once, one edge for each vertex, one touch for each pair of corners. */
  sort(search->meeting, search->meetings);
  drop_twins(search);
  give_one_edge(search);
  join_corners(search);
  return NSDYN_OK;
}
