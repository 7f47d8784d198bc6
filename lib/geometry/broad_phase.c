/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check_options.h"
#include "geometry/body_tree.h"
#include "geometry/placed.h"

enum { MOST_BODIES = 1 << 26, NOBODY = -1, LEAD = 20, AHEAD = 8 };

/* A body, but for its box: the larger one that stands in the tree, which holds its own and half the reach
 * round it. */
typedef struct body {
  double fat[4];
  int32_t leaf; /* NSD_NO_NODE: there is no such body */
  int32_t reserved;
} body;

/* Bodies whose fat boxes overlap, or did. */
typedef struct pair {
  int32_t first, second;
} pair;

struct nsdyn_broad_phase {
  nsdyn_context *ctx;
  nsdyn_broad_phase_options options;
  nsd_fault fault;
  nsd_body_tree tree;
  body *bodies;
  double (*box)[4]; /* of each body; of one that is not there NaN, near nothing */
  pair *pairs;
  int32_t *slot; /* a hash of pairs: number of the pair, NOBODY where there is none */
  size_t body_room, pair_count, pair_room, slots;
};

nsdyn_status nsdyn_broad_phase_options_init(nsdyn_broad_phase_options *options, size_t size)
{
  const nsdyn_broad_phase_options defaults = {.size = sizeof defaults};
  return nsd_sized_init(options, size, NSD_BROAD_PHASE_OPTIONS_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_shape_box(const nsdyn_shape *shape, const double *pose, double *box)
{
  if (!shape || !pose || !box) {
    return NSDYN_ERR_ARGUMENT;
  }
  const nsdyn_status status = nsd_pose_check(pose, "given", "pose", NULL);
  if (status) {
    return status;
  }
  const nsd_frame f = nsd_frame_of(pose);
  const nsd_box_node *root = shape->tree.node;
  double centre[2];
  nsd_frame_place(&f, root->centre, centre);
  const double c = fabs(f.c), s = fabs(f.s), r = shape->radius;
  const double half[2] = {c * root->half[0] + s * root->half[1] + r,
                          s * root->half[0] + c * root->half[1] + r};
  for (int a = 0; a < 2; a++) {
    box[a] = centre[a] - half[a];
    box[2 + a] = centre[a] + half[a];
  }
  return NSDYN_OK;
}

/* ---- the object ---- */

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_broad_phase_options *options,
                         nsdyn_broad_phase **out, nsd_fault *fault)
{
  nsdyn_broad_phase_options own;
  const nsdyn_status status =
      NSD_SIZED_READ(nsdyn_broad_phase_options, &own, NSD_BROAD_PHASE_OPTIONS_LEAST, options, fault);
  if (status) {
    return status;
  }
  if (!(own.reach >= 0.0 && isfinite(own.reach))) {
    return NSD_OPTIONS_REFUSE(nsdyn_broad_phase_options, &own, reach, "a finite number >= 0", fault);
  }
  if (!(own.fat >= 0.0 && isfinite(own.fat))) {
    return NSD_OPTIONS_REFUSE(nsdyn_broad_phase_options, &own, fat, "a finite number >= 0", fault);
  }
  nsdyn_broad_phase *broad = nsd_allocate(ctx, 1, sizeof *broad);
  if (!broad) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_broad_phase_new: out of memory");
  }
  memset(broad, 0, sizeof *broad);
  broad->ctx = nsd_context_hold(ctx);
  broad->options = own;
  nsd_fault_clear(&broad->fault);
  nsd_body_tree_init(&broad->tree);
  *out = broad;
  return NSDYN_OK;
}

nsdyn_status nsdyn_broad_phase_new(nsdyn_context *ctx, const nsdyn_broad_phase_options *options,
                                   nsdyn_broad_phase **out, nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_broad_phase_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_broad_phase_free(nsdyn_broad_phase *broad)
{
  if (!broad) {
    return;
  }
  nsdyn_context *ctx = broad->ctx;
  nsd_body_tree_release(&broad->tree, ctx);
  nsd_release(ctx, broad->bodies, broad->body_room, sizeof *broad->bodies);
  nsd_release(ctx, broad->box, broad->body_room, sizeof *broad->box);
  nsd_release(ctx, broad->pairs, broad->pair_room, sizeof *broad->pairs);
  nsd_release(ctx, broad->slot, broad->slots, sizeof *broad->slot);
  nsd_release(ctx, broad, 1, sizeof *broad);
  nsd_context_drop(ctx);
}

const char *nsdyn_broad_phase_message(const nsdyn_broad_phase *broad)
{
  return broad ? broad->fault.message : "";
}

static nsdyn_status refuse(nsdyn_broad_phase *broad, nsdyn_status status, int32_t id, const char *why)
{
  return nsd_fault_set(&broad->fault, status, NSDYN_DETAIL_ROW, id, "nsdyn_broad_phase: body %d: %s", (int)id,
                       why);
}

static int is_there(const nsdyn_broad_phase *broad, int32_t id)
{
  return id >= 0 && (size_t)id < broad->body_room && broad->bodies[id].leaf != NSD_NO_NODE;
}

/* ---- pairs ---- */

static size_t place_of(const nsdyn_broad_phase *broad, pair p)
{
  uint64_t x = ((uint64_t)(uint32_t)p.first << 32 | (uint32_t)p.second) * UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> 29;
  return (size_t)x & (broad->slots - 1);
}

/* The slot of a pair, or the free one where it would go. */
static size_t find_slot(const nsdyn_broad_phase *broad, pair p)
{
  size_t at = place_of(broad, p);
  while (broad->slot[at] != NOBODY) {
    const pair *there = &broad->pairs[broad->slot[at]];
    if (there->first == p.first && there->second == p.second) {
      break;
    }
    at = (at + 1) & (broad->slots - 1);
  }
  return at;
}

/* Room for so many pairs; slots are twice as many and more. */
static nsdyn_status room_for_pairs(nsdyn_broad_phase *broad, size_t count)
{
  if (count <= broad->pair_room) {
    return NSDYN_OK;
  }
  if (count > INT32_MAX / 4) {
    return NSDYN_ERR_TOO_LARGE;
  }
  size_t room = 64;
  while (room < count) {
    room *= 2;
  }
  pair *pairs = nsd_allocate(broad->ctx, room, sizeof *pairs);
  int32_t *slot = nsd_allocate(broad->ctx, 2 * room, sizeof *slot);
  if (!pairs || !slot) {
    nsd_release(broad->ctx, pairs, room, sizeof *pairs);
    nsd_release(broad->ctx, slot, 2 * room, sizeof *slot);
    return NSDYN_ERR_NOMEM;
  }
  if (broad->pair_count) {
    memcpy(pairs, broad->pairs, broad->pair_count * sizeof *pairs);
  }
  nsd_release(broad->ctx, broad->pairs, broad->pair_room, sizeof *pairs);
  nsd_release(broad->ctx, broad->slot, broad->slots, sizeof *slot);
  broad->pairs = pairs;
  broad->slot = slot;
  broad->pair_room = room;
  broad->slots = 2 * room;
  for (size_t i = 0; i < broad->slots; i++) {
    slot[i] = NOBODY;
  }
  for (size_t i = 0; i < broad->pair_count; i++) {
    slot[find_slot(broad, pairs[i])] = (int32_t)i;
  }
  return NSDYN_OK;
}

/* Takes pair i out: the last one takes its number, and what stands behind its slot moves up. */
static void drop_pair(nsdyn_broad_phase *broad, size_t i)
{
  size_t hole = find_slot(broad, broad->pairs[i]);
  const size_t mask = broad->slots - 1, last = broad->pair_count - 1;
  if (i != last) {
    broad->slot[find_slot(broad, broad->pairs[last])] = (int32_t)i;
  }
  for (size_t at = (hole + 1) & mask; broad->slot[at] != NOBODY; at = (at + 1) & mask) {
    const int32_t number = broad->slot[at];
    const size_t home =
        place_of(broad, broad->pairs[number == (int32_t)i && i != last ? last : (size_t)number]);
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      broad->slot[hole] = number;
      hole = at;
    }
  }
  broad->slot[hole] = NOBODY;
  broad->pairs[i] = broad->pairs[last];
  broad->pair_count--;
}

/* ---- walks ---- */

/* Leaves whose boxes overlap `box`. */
typedef struct walk {
  const nsd_body_tree *tree;
  const double *box;
  int depth;
  int32_t stack[NSD_TREE_STACK];
} walk;

static walk begin_walk(const nsd_body_tree *tree, const double *box)
{
  walk w;
  w.tree = tree;
  w.box = box;
  w.depth = 0;
  if (tree->root != NSD_NO_NODE && (!box || nsd_boxes_overlap(tree->node[tree->root].box, box))) {
    w.stack[w.depth++] = tree->root;
  }
  return w;
}

static inline void fetch(const nsd_body_node *node, const nsd_body_node *above)
{
  if (above->child[0] != NSD_NO_NODE) {
    __builtin_prefetch(&node[above->child[0]]);
    __builtin_prefetch(&node[above->child[1]]);
  }
}

/* The next one's body; NOBODY behind the last. */
static int32_t next_body(walk *w)
{
  while (w->depth > 0) {
    const nsd_body_node *n = &w->tree->node[w->stack[--w->depth]];
    if (n->child[0] == NSD_NO_NODE) {
      return n->id;
    }
    /* Children go on the stack where they overlap; both are written, and counted where they do. */
    const int32_t a = n->child[0], b = n->child[1];
    const nsd_body_node *node = w->tree->node, *second = &node[b], *first = &node[a];
    w->stack[w->depth] = b;
    w->depth += nsd_boxes_overlap(second->box, w->box);
    w->stack[w->depth] = a;
    w->depth += nsd_boxes_overlap(first->box, w->box);
    /* What is below the first one comes next: it is fetched while the second one's box is waited for. */
    fetch(node, first);
    fetch(node, second);
  }
  return NOBODY;
}

static void widen(const double *box, double by, double *out)
{
  out[0] = box[0] - by;
  out[1] = box[1] - by;
  out[2] = box[2] + by;
  out[3] = box[3] + by;
}

/* Pairs of a body that has a new fat box. Where there is no memory in the midst of it, those that were added
 * are forgotten at the next visit, as those that have parted are. */
static nsdyn_status add_pairs(nsdyn_broad_phase *broad, int32_t id, const double *fat)
{
  walk w = begin_walk(&broad->tree, fat);
  for (int32_t other = next_body(&w); other != NOBODY; other = next_body(&w)) {
    const nsdyn_status status = room_for_pairs(broad, broad->pair_count + 1);
    if (status) {
      return status;
    }
    const pair p = {id < other ? id : other, id < other ? other : id};
    const size_t at = find_slot(broad, p);
    if (other != id && broad->slot[at] == NOBODY) {
      broad->slot[at] = (int32_t)broad->pair_count;
      broad->pairs[broad->pair_count++] = p;
    }
  }
  return NSDYN_OK;
}

/* ---- bodies ---- */

static nsdyn_status room_for_body(nsdyn_broad_phase *broad, int32_t id)
{
  const size_t wanted = (size_t)id + 1;
  if (wanted > broad->body_room) {
    const size_t room = nsd_room_ahead(wanted);
    /* The tree first: it may well have more room than there are bodies. */
    const nsdyn_status status = nsd_body_tree_reserve(&broad->tree, broad->ctx, (int32_t)room);
    if (status) {
      return status;
    }
    body *bodies = nsd_allocate(broad->ctx, room, sizeof *bodies);
    double(*box)[4] = nsd_allocate(broad->ctx, room, sizeof *box);
    if (!bodies || !box) {
      nsd_release(broad->ctx, bodies, room, sizeof *bodies);
      nsd_release(broad->ctx, box, room, sizeof *box);
      return NSDYN_ERR_NOMEM;
    }
    if (broad->body_room) {
      memcpy(bodies, broad->bodies, broad->body_room * sizeof *bodies);
      memcpy(box, broad->box, broad->body_room * sizeof *box);
    }
    for (size_t i = broad->body_room; i < room; i++) {
      bodies[i].leaf = NSD_NO_NODE;
    }
    nsd_release(broad->ctx, broad->bodies, broad->body_room, sizeof *bodies);
    nsd_release(broad->ctx, broad->box, broad->body_room, sizeof *box);
    broad->bodies = bodies;
    broad->box = box;
    broad->body_room = room;
  }
  return NSDYN_OK;
}

/* A body that moves will be further on: its fat box is longer ahead of it, for the next LEAD sets, but no
 * more than by twice what it is fat. */
static void lead(const nsdyn_broad_phase *broad, int32_t id, const double *box, double *fat)
{
  const double *was = broad->box[id], most = 2.0 * broad->options.fat;
  for (int a = 0; a < 2; a++) {
    fat[a] -= fmin(most, LEAD * fmax(0.0, was[a] - box[a]));
    fat[2 + a] += fmin(most, LEAD * fmax(0.0, box[2 + a] - was[2 + a]));
  }
}

static int holds(const double *outer, const double *inner)
{
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
}

static nsdyn_status check_box(nsdyn_broad_phase *broad, int32_t id, const double *box)
{
  if (id < 0 || id >= MOST_BODIES || !box) {
    return refuse(broad, NSDYN_ERR_ARGUMENT, id, "its number is not in [0, 2^26), or its box is NULL");
  }
  for (int k = 0; k < 4; k++) {
    if (!isfinite(box[k])) {
      return refuse(broad, NSDYN_ERR_NOT_FINITE, id, "its box is not finite");
    }
  }
  return box[0] <= box[2] && box[1] <= box[3]
             ? NSDYN_OK
             : refuse(broad, NSDYN_ERR_ARGUMENT, id, "its box has no inside");
}

nsdyn_status nsdyn_broad_phase_set(nsdyn_broad_phase *broad, int32_t id, const double *box)
{
  if (!broad) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&broad->fault);
  nsdyn_status status = check_box(broad, id, box);
  if (status) {
    return status;
  }
  double needed[4], fat[4];
  widen(box, 0.5 * broad->options.reach, needed);
  /* As long as it stays in its fat box the tree need not know. */
  if (is_there(broad, id) && holds(broad->bodies[id].fat, needed)) {
    memcpy(broad->box[id], box, sizeof broad->box[id]);
    return NSDYN_OK;
  }
  widen(needed, broad->options.fat, fat);
  if (is_there(broad, id)) {
    lead(broad, id, box, fat);
  }
  status = room_for_body(broad, id);
  status = status ? status : add_pairs(broad, id, fat);
  if (status) {
    return refuse(broad, status, id, "no memory for it");
  }
  body *b = &broad->bodies[id];
  if (b->leaf != NSD_NO_NODE) {
    nsd_body_tree_remove(&broad->tree, b->leaf);
  }
  memcpy(broad->box[id], box, sizeof broad->box[id]);
  memcpy(b->fat, fat, sizeof b->fat);
  b->leaf = nsd_body_tree_insert(&broad->tree, id, fat);
  return NSDYN_OK;
}

nsdyn_status nsdyn_broad_phase_remove(nsdyn_broad_phase *broad, int32_t id)
{
  if (!broad) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&broad->fault);
  if (!is_there(broad, id)) {
    return refuse(broad, NSDYN_ERR_ARGUMENT, id, "there is none of this number");
  }
  /* Its pairs go with it: a body that comes later under its number has others. */
  walk w = begin_walk(&broad->tree, broad->bodies[id].fat);
  for (int32_t other = next_body(&w); other != NOBODY; other = next_body(&w)) {
    const pair p = {id < other ? id : other, id < other ? other : id};
    const size_t at = other == id || !broad->slots ? 0 : find_slot(broad, p);
    if (other != id && broad->slots && broad->slot[at] != NOBODY) {
      drop_pair(broad, (size_t)broad->slot[at]);
    }
  }
  nsd_body_tree_remove(&broad->tree, broad->bodies[id].leaf);
  broad->bodies[id].leaf = NSD_NO_NODE;
  for (int k = 0; k < 4; k++) {
    broad->box[id][k] = NAN;
  }
  return NSDYN_OK;
}

/* ---- questions ---- */

/* Kept pairs: those whose fat boxes have parted are forgotten. Boxes that are near need not be asked for
 * that. */
static nsdyn_status visit_kept(nsdyn_broad_phase *broad, double margin, nsdyn_pair_visit *visit, void *user)
{
  for (size_t i = 0; i < broad->pair_count;) {
    const pair p = broad->pairs[i], soon = broad->pairs[i + AHEAD < broad->pair_count ? i + AHEAD : i];
    double near[4];
    __builtin_prefetch(broad->box[soon.first]); /* bodies of pairs stand anywhere */
    __builtin_prefetch(broad->box[soon.second]);
    widen(broad->box[p.first], margin, near);
    if (nsd_boxes_overlap(near, broad->box[p.second])) {
      if (visit(user, p.first, p.second)) {
        return NSDYN_STOPPED;
      }
    } else if (!is_there(broad, p.first) || !is_there(broad, p.second) ||
               !nsd_boxes_overlap(broad->bodies[p.first].fat, broad->bodies[p.second].fat)) {
      drop_pair(broad, i);
      continue;
    }
    i++;
  }
  return NSDYN_OK;
}

/* Beyond the reach each body asks the tree. */
static nsdyn_status visit_far(const nsdyn_broad_phase *broad, double margin, nsdyn_pair_visit *visit,
                              void *user)
{
  for (size_t i = 0; i < broad->body_room; i++) {
    if (broad->bodies[i].leaf == NSD_NO_NODE) {
      continue;
    }
    double near[4];
    widen(broad->box[i], margin, near);
    walk w = begin_walk(&broad->tree, near);
    for (int32_t other = next_body(&w); other != NOBODY; other = next_body(&w)) {
      if (other > (int32_t)i && nsd_boxes_overlap(near, broad->box[other]) &&
          visit(user, (int32_t)i, other)) {
        return NSDYN_STOPPED;
      }
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_broad_phase_pairs(nsdyn_broad_phase *broad, double margin, nsdyn_pair_visit *visit,
                                     void *user)
{
  if (!broad) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&broad->fault);
  if (!visit || !(margin >= 0.0)) {
    return nsd_fault_set(&broad->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_broad_phase_pairs: visit is NULL, or the margin is not >= 0");
  }
  return margin <= broad->options.reach ? visit_kept(broad, margin, visit, user)
                                        : visit_far(broad, margin, visit, user);
}

nsdyn_status nsdyn_broad_phase_overlap(const nsdyn_broad_phase *broad, const double *box,
                                       nsdyn_body_visit *visit, void *user)
{
  if (!broad || !box || !visit) {
    return NSDYN_ERR_ARGUMENT;
  }
  for (int k = 0; k < 4; k++) {
    if (isnan(box[k])) {
      return NSDYN_ERR_NOT_FINITE;
    }
  }
  walk w = begin_walk(&broad->tree, box);
  for (int32_t id = next_body(&w); id != NOBODY; id = next_body(&w)) {
    if (nsd_boxes_overlap(broad->box[id], box) && visit(user, id)) {
      return NSDYN_STOPPED;
    }
  }
  return NSDYN_OK;
}

/* Whether a segment meets a box: not apart along x, along y, or across the segment. */
static int ray_meets(const double *from, const double *to, const double *box)
{
  const double dx = to[0] - from[0], dy = to[1] - from[1];
  const double cx = 0.5 * (box[0] + box[2]), cy = 0.5 * (box[1] + box[3]);
  const double hx = 0.5 * (box[2] - box[0]), hy = 0.5 * (box[3] - box[1]);
  const double across = fabs((from[0] - cx) * dy - (from[1] - cy) * dx);
  return across <= hx * fabs(dy) + hy * fabs(dx);
}

nsdyn_status nsdyn_broad_phase_ray(const nsdyn_broad_phase *broad, const double *from, const double *to,
                                   nsdyn_body_visit *visit, void *user)
{
  if (!broad || !from || !to || !visit) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (!isfinite(from[0]) || !isfinite(from[1]) || !isfinite(to[0]) || !isfinite(to[1])) {
    return NSDYN_ERR_NOT_FINITE;
  }
  const double box[4] = {fmin(from[0], to[0]), fmin(from[1], to[1]), fmax(from[0], to[0]),
                         fmax(from[1], to[1])};
  walk w = begin_walk(&broad->tree, box);
  while (w.depth > 0) {
    const nsd_body_node *n = &broad->tree.node[w.stack[--w.depth]];
    if (!nsd_boxes_overlap(n->box, box) || !ray_meets(from, to, n->box)) {
      continue;
    }
    if (n->child[0] != NSD_NO_NODE) {
      w.stack[w.depth++] = n->child[1];
      w.stack[w.depth++] = n->child[0];
      continue;
    }
    const double *own = broad->box[n->id];
    if (nsd_boxes_overlap(own, box) && ray_meets(from, to, own) && visit(user, n->id)) {
      return NSDYN_STOPPED;
    }
  }
  return NSDYN_OK;
}

static double distance_to(const double *box, const double *x)
{
  const double dx = fmax(0.0, fmax(box[0] - x[0], x[0] - box[2]));
  const double dy = fmax(0.0, fmax(box[1] - x[1], x[1] - box[3]));
  return sqrt(dx * dx + dy * dy);
}

nsdyn_status nsdyn_broad_phase_nearest(const nsdyn_broad_phase *broad, const double *x,
                                       double (*distance)(void *user, int32_t id, const double *x),
                                       void *user, int32_t *id, double *least)
{
  if (!broad || !x || !id) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (!isfinite(x[0]) || !isfinite(x[1])) {
    return NSDYN_ERR_NOT_FINITE;
  }
  double best = INFINITY;
  walk w = begin_walk(&broad->tree, NULL);
  *id = NOBODY;
  while (w.depth > 0) {
    const nsd_body_node *n = &broad->tree.node[w.stack[--w.depth]];
    if (distance_to(n->box, x) >= best) {
      continue;
    }
    if (n->child[0] != NSD_NO_NODE) {
      /* The nearer one first, so that the other one is often too far. */
      const int32_t a = n->child[0], b = n->child[1];
      const int a_first = distance_to(broad->tree.node[a].box, x) < distance_to(broad->tree.node[b].box, x);
      w.stack[w.depth++] = a_first ? b : a;
      w.stack[w.depth++] = a_first ? a : b;
      continue;
    }
    double d = distance_to(broad->box[n->id], x);
    d = distance && d < best ? distance(user, n->id, x) : d;
    if (d < best) {
      best = d;
      *id = n->id;
    }
  }
  if (least) {
    *least = best;
  }
  return NSDYN_OK;
}
