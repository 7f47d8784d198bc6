/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/detect.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "geometry/depth.h"
#include "geometry/sift.h"

#define WIDER 64.0 /* how much more of the skin is tried next */
/* Of how many pairs of boxes at most all are looked at with the whole skin at once. */
enum { MOST_CROSSINGS = 4096, STACK = 128, FEW_PAIRS = 32 };

void nsd_search_init(nsd_search *search, nsdyn_context *ctx)
{
  memset(search, 0, sizeof *search);
  search->ctx = ctx;
}

void nsd_search_release(nsd_search *search)
{
  nsd_release(search->ctx, search->meeting, (size_t)search->meeting_room, sizeof *search->meeting);
  nsd_release(search->ctx, search->sighting, (size_t)search->sighting_room, sizeof *search->sighting);
  for (int side = 0; side < 2; side++) {
    nsd_release(search->ctx, search->mark[side], (size_t)search->mark_room[side], sizeof *search->mark[side]);
  }
  nsd_release(search->ctx, search->crossing, (size_t)search->crossing_room, sizeof *search->crossing);
}

void nsd_search_corner(const nsd_search *search, int side, int32_t i, double *x)
{
  const double *p = search->view.shape[side]->line.p[i];
  if (side) {
    nsd_frame_place(&search->view.frame, p, x);
  } else {
    x[0] = p[0];
    x[1] = p[1];
  }
}

void nsd_search_normal(const nsd_search *search, int side, int32_t edge, double *n)
{
  const double *own = search->view.shape[side]->line.n[edge];
  if (side) {
    nsd_frame_turn(&search->view.frame, own, n);
  } else {
    n[0] = own[0];
    n[1] = own[1];
  }
}

/* ---- memory ---- */

/* Room for `more` behind the `count` in use. */
static nsdyn_status make_room(nsdyn_context *ctx, void **array, int32_t count, int32_t more, int32_t *room,
                              size_t size)
{
  if (*room - count >= more) {
    return NSDYN_OK;
  }
  if (count > INT32_MAX / 4 || more > INT32_MAX / 4) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const size_t wanted = (size_t)count + (size_t)more + nsd_room_ahead((size_t)count);
  void *memory = nsd_allocate(ctx, wanted, size);
  if (!memory) {
    return NSDYN_ERR_NOMEM;
  }
  if (count) {
    memcpy(memory, *array, (size_t)count * size);
  }
  nsd_release(ctx, *array, (size_t)*room, size);
  *array = memory;
  *room = (int32_t)wanted;
  return NSDYN_OK;
}

nsdyn_status nsd_search_room(nsd_search *search, int32_t more)
{
  void *array = search->meeting;
  const nsdyn_status status =
      make_room(search->ctx, &array, search->meetings, more, &search->meeting_room, sizeof *search->meeting);
  search->meeting = array;
  return status;
}

static nsdyn_status room_for_sightings(nsd_search *search, int more)
{
  void *array = search->sighting;
  const nsdyn_status status = make_room(search->ctx, &array, search->sightings, more, &search->sighting_room,
                                        sizeof *search->sighting);
  search->sighting = array;
  return status;
}

static nsdyn_status room_for_crossings(nsd_search *search, int more)
{
  void *array = search->crossing;
  const nsdyn_status status = make_room(search->ctx, &array, search->crossings, more, &search->crossing_room,
                                        sizeof *search->crossing);
  search->crossing = array;
  return status;
}

/* One mark for each corner and edge; a new one has never been marked. */
static nsdyn_status room_for_marks(nsd_search *search, int side)
{
  const int32_t count = search->view.shape[side]->line.corners;
  if (count <= search->mark_room[side]) {
    return NSDYN_OK;
  }
  nsd_mark *mark = nsd_allocate(search->ctx, (size_t)count, sizeof *mark);
  if (!mark) {
    return NSDYN_ERR_NOMEM;
  }
  memset(mark, 0, (size_t)count * sizeof *mark);
  nsd_release(search->ctx, search->mark[side], (size_t)search->mark_room[side], sizeof *mark);
  search->mark[side] = mark;
  search->mark_room[side] = count;
  return NSDYN_OK;
}

/* ---- trees ---- */

/* Boxes of the first tree are along the axes, those of the second one turned by its frame: apart by more than
 * `within` along one of the four directions of their sides? Else a bound of their distance, 0 where they
 * overlap. */
static double box_distance(const nsd_frame *f, const nsd_box_node *a, const nsd_box_node *b)
{
  double centre[2];
  nsd_frame_place(f, b->centre, centre);
  const double x = centre[0] - a->centre[0], y = centre[1] - a->centre[1];
  const double c = fabs(f->c), s = fabs(f->s);
  const double dx = fabs(x) - a->half[0] - (c * b->half[0] + s * b->half[1]);
  const double dy = fabs(y) - a->half[1] - (s * b->half[0] + c * b->half[1]);
  const double du = fabs(f->c * x + f->s * y) - b->half[0] - (c * a->half[0] + s * a->half[1]);
  const double dv = fabs(f->c * y - f->s * x) - b->half[1] - (s * a->half[0] + c * a->half[1]);
  const double along_a = dx > dy ? dx : dy, along_b = du > dv ? du : dv;
  const double most = along_a > along_b ? along_a : along_b;
  return most > 0.0 ? most : 0.0;
}

/* Whether a normal of a can be opposite to one of b: the angle between the middles of −a and b is at most the
 * sum of what they spread. */
static int can_face(const nsd_frame *f, const nsd_box_node *a, const nsd_box_node *b)
{
  double middle[2];
  const double ca = a->spread[0], sa = a->spread[1], cb = b->spread[0], sb = b->spread[1];
  const double cosine = ca * cb - sa * sb, sine = sa * cb + ca * sb;
  if (ca <= -1.0 || cb <= -1.0 || sine < 0.0 || (sine == 0.0 && cosine < 0.0)) {
    return 1; /* half a turn and more */
  }
  nsd_frame_turn(f, b->facing, middle);
  return -(a->facing[0] * middle[0] + a->facing[1] * middle[1]) >= cosine - NSD_FACING_SLACK;
}

/* Least |d·f| cos σ − |d·t| sin σ for all vectors d between two boxes, of which `near` ≤ |d·f| and |d·t| ≤
 * `far`: so far from each other's lines, at least, are points d apart along normals within σ of f. */
static double least_height(const nsd_box_node *node, double near, double far)
{
  const double cosine = node->spread[0] - NSD_SPREAD_SLACK, sine = node->spread[1] + NSD_SPREAD_SLACK;
  return near > 0.0 && cosine > 0.0 ? near * cosine - far * sine : 0.0;
}

/* Boxes along the middles of the normals. Where they are apart, no edges cross; and where every corner is
 * farther than `near` from the line of every edge, in front of it or behind, there is no meeting, wherever
 * along the edges the corners are. Of smooth outlines that touch about √n boxes along the axes overlap, of
 * these a few on each level of the trees. */
static void look_along_normals(const nsd_view *view, double near, const nsd_box_node *a,
                               const nsd_box_node *b, int *overlap, int *facing)
{
  double x[2], f[2];
  const double *n = a->facing;
  nsd_frame_place(&view->frame, b->core, x);
  nsd_frame_turn(&view->frame, b->facing, f);
  x[0] -= a->core[0];
  x[1] -= a->core[1];
  const double c = fabs(n[0] * f[0] + n[1] * f[1]), s = fabs(n[0] * f[1] - n[1] * f[0]);
  /* between the middles, along and across each box's direction; and what both reach there */
  const double xa = fabs(n[0] * x[0] + n[1] * x[1]), ya = fabs(n[0] * x[1] - n[1] * x[0]);
  const double xb = fabs(f[0] * x[0] + f[1] * x[1]), yb = fabs(f[0] * x[1] - f[1] * x[0]);
  const double rxa = a->wide[0] + c * b->wide[0] + s * b->wide[1];
  const double rya = a->wide[1] + s * b->wide[0] + c * b->wide[1];
  const double rxb = b->wide[0] + c * a->wide[0] + s * a->wide[1];
  const double ryb = b->wide[1] + s * a->wide[0] + c * a->wide[1];
  const double place = view->place;
  *overlap &= xa - rxa <= place && ya - rya <= place && xb - rxb <= place && yb - ryb <= place;
  *facing &= least_height(a, xa - rxa, ya + rya) <= near + place ||
             least_height(b, xb - rxb, yb + ryb) <= near + place;
}

/* Two leaves, of boxes that are `apart`, or −1 where they do not face each other. */
static nsdyn_status look_at_leaves(nsd_search *search, const nsd_box_node *a, const nsd_box_node *b,
                                   double apart, int overlap)
{
  nsd_piece first, second;
  nsd_meeting found[NSD_MEETINGS_MOST];
  nsd_piece_load(&search->view, 0, a->first, a->count, &first);
  nsd_piece_load(&search->view, 1, b->first, b->count, &second);
  if (apart >= 0.0) {
    const int count = nsd_pieces_meet(&search->view, &first, &second, found);
    const nsdyn_status status = room_for_sightings(search, count);
    for (int i = 0; i < count && !status; i++) {
      const nsd_sighting sighting = {found[i], apart};
      search->sighting[search->sightings++] = sighting;
    }
    if (status) {
      return status;
    }
  }
  if (overlap && search->crossings < MOST_CROSSINGS) {
    const nsdyn_status status = room_for_crossings(search, NSD_CROSSINGS_MOST);
    if (status) {
      return status;
    }
    search->crossings += nsd_pieces_cross(&first, &second, search->crossing + search->crossings);
  }
  return NSDYN_OK;
}

/* From the roots down: pairs of boxes that are near enough and face each other, for meetings; and pairs that
 * overlap, for crossings, where these are not known. Of few a closer look is not worth its time. */
static nsdyn_status walk_trees(nsd_search *search, int few, int crossings_known)
{
  const nsd_box_tree *tree[2] = {&search->view.shape[0]->tree, &search->view.shape[1]->tree};
  const double near = fmax(search->view.reach, search->view.skin);
  int32_t stack[STACK][2];
  double above[STACK]; /* how far the boxes are apart that they are in */
  int depth = 0;
  stack[depth][0] = stack[depth][1] = 0;
  above[depth] = 0.0;
  depth++;
  search->sightings = 0;
  search->crossings = crossings_known ? search->crossings : 0;
  while (depth > 0) {
    depth--;
    const int32_t at_a = stack[depth][0], at_b = stack[depth][1];
    const nsd_box_node *a = &tree[0]->node[at_a], *b = &tree[1]->node[at_b];
    search->visited++;
    const double distance = box_distance(&search->view.frame, a, b);
    const int overlapping = distance <= search->view.place;
    int overlap = overlapping, facing = distance <= near && can_face(&search->view.frame, a, b);
    if ((overlap || facing) && !few) {
      look_along_normals(&search->view, near, a, b, &overlap, &facing);
    }
    if (!overlap && !facing) {
      continue;
    }
    if (a->right == 0 && b->right == 0) {
      const double apart = distance > above[depth] ? distance : above[depth];
      const int crosses = overlap && !crossings_known;
      const nsdyn_status status =
          facing || crosses ? look_at_leaves(search, a, b, facing ? apart : -1.0, crosses) : NSDYN_OK;
      if (status) {
        return status;
      }
      continue;
    }
    /* What overlaps is gone into however near one looks. */
    const double within = overlapping || distance < above[depth] ? above[depth] : distance;
    /* The one with more edges is split: both are about as large in the end. */
    const int split_b = a->right == 0 || (b->right != 0 && b->count > a->count);
    for (int child = 0; child < 2; child++) {
      stack[depth][0] = split_b ? at_a : child ? at_a + 1 : a->right;
      stack[depth][1] = split_b ? (child ? at_b + 1 : b->right) : at_b;
      above[depth] = within;
      depth++;
    }
  }
  return NSDYN_OK;
}

/* Sightings for `skin`, and crossings. Small shapes' are looked for with the whole skin, once for all. */
static nsdyn_status see(nsd_search *search, double skin)
{
  if (skin <= search->seen) {
    return NSDYN_OK;
  }
  const nsd_box_tree *first = &search->view.shape[0]->tree, *second = &search->view.shape[1]->tree;
  const int few = (int64_t)first->nodes * second->nodes <= FEW_PAIRS;
  const int crossings_known = search->seen >= 0.0;
  search->seen = search->view.skin = few ? search->skin : skin;
  return walk_trees(search, few, crossings_known);
}

/* Those that a search for `skin` alone would have found are the meetings. */
static nsdyn_status choose(nsd_search *search, double skin)
{
  const double near = fmax(search->view.reach, skin);
  search->view.skin = skin;
  search->meetings = 0;
  const nsdyn_status status = nsd_search_room(search, search->sightings);
  for (int32_t i = 0; i < search->sightings && !status; i++) {
    const nsd_sighting *s = &search->sighting[i];
    if (s->apart <= near && s->meeting.h >= -skin) {
      search->meeting[search->meetings++] = s->meeting;
    }
  }
  return status;
}

/* ---- the search ---- */

static nsdyn_status look(nsd_search *search, double skin)
{
  search->is_deep = search->is_notched = 0;
  search->depth = 0.0;
  search->round++;
  /* 1: boxes, then vertices against edges both ways. */
  nsdyn_status status = see(search, skin);
  status = status ? status : choose(search, skin);
  for (int32_t i = 0; i < search->crossings && !status; i++) {
    for (int side = 0; side < 2; side++) {
      nsd_mark *mark = &search->mark[side][search->crossing[i].edge[side]];
      mark->crossed_twice = mark->crossed == search->round ? search->round : mark->crossed_twice;
      mark->crossed = search->round;
    }
  }
  /* 2: those that are inside, the other ends of what is flat, one edge for each vertex. */
  status = status ? status : nsd_sift(search);
  /* 3: does that explain how they overlap? */
  if (!status) {
    nsd_judge_crossings(search, skin >= search->skin);
  }
  return status;
}

nsdyn_status nsd_search_run(nsd_search *search, const nsdyn_shape *first, const double *pose,
                            const nsdyn_shape *second, const double *its_pose, double margin, double skin)
{
  nsd_view *view = &search->view;
  search->world = nsd_frame_of(pose);
  search->its = nsd_frame_of(its_pose);
  view->shape[0] = first;
  view->shape[1] = second;
  view->frame = nsd_frame_within(&search->world, &search->its);
  view->rounding = first->radius + second->radius;
  view->reach = margin + view->rounding;
  view->place =
      NSD_PLACE_ROUNDING * (first->extent + second->extent + fabs(view->frame.d[0]) + fabs(view->frame.d[1]));
  view->whole = search->skin = skin;
  search->seen = -1.0;
  search->visited = 0;
  /* Bodies that touch are in each other by next to nothing: the whole skin is looked through only where that
   * does not explain how their outlines cross, or where a notch is pressed, of which one side does. */
  nsdyn_status status = room_for_marks(search, 0);
  status = status ? status : room_for_marks(search, 1);
  double tried = fmax(NSD_SKIN_FIRST * skin, fmin(skin, view->place));
  int done = status != NSDYN_OK;
  while (!done) {
    status = look(search, fmin(tried, skin));
    if (!status) {
      nsd_judge_inside(search);
    }
    done = status || !(search->is_deep || search->is_notched) || tried >= skin;
    tried = search->is_notched ? skin : WIDER * tried;
  }
  if (!status) {
    nsd_judge_touches(search);
  } else {
    search->meetings = 0;
  }
  return status;
}
