/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <string.h>

#include "base/heap_sort.h"
#include "base/number.h"
#include "geometry/detector.h"
#include "system/found_contacts.h"
#include "world/object.h"

/* Features of all shapes are numbered in one row; a key is two of these numbers, the smaller shape's above.
 */
enum { FEATURE_BITS = 31 };

/* What moves a body: nothing, time alone, coordinates. */
enum { STANDS, DRIVEN, MOVES };
static int mobility(const nsdyn_world *world, int32_t body)
{
  const int32_t kind = body == NSDYN_GROUND ? NSDYN_BODY_FIXED : nsd_world_body(world, body)->def.kind;
  return kind == NSDYN_BODY_FIXED ? STANDS : kind == NSDYN_BODY_DRIVEN ? DRIVEN : MOVES;
}

/* Where a shape is, by how its body moves. */
static void place_shape(const nsdyn_world *world, nsd_attached *shape)
{
  const nsd_motion *motion = nsd_world_motion(world, shape->body);
  nsd_world_arm(world, shape->body, motion, shape->on.pose, shape->offset);
  shape->pose[0] = motion->pose[0] + shape->offset[0];
  shape->pose[1] = motion->pose[1] + shape->offset[1];
  shape->pose[2] = motion->pose[2] + shape->on.pose[2];
}

/* The box round a shape with all that may be near it, or come, within the time looked ahead: from any side,
 * as what goes past the end of an edge approaches its line, too. */
static void widen_box(const nsd_attached *shape, double *box)
{
  const double *way = shape->way;
  const double by = fmax(0.0, shape->near) + shape->turn + sqrt(way[0] * way[0] + way[1] * way[1]);
  for (int a = 0; a < 2; a++) {
    box[a] = shape->box[a] - by;
    box[2 + a] = shape->box[2 + a] + by;
  }
}

static nsdyn_status set_box(nsdyn_world *world, int32_t i)
{
  nsd_attached *shape = nsd_world_shape(world, i);
  double box[4];
  nsdyn_status status = nsdyn_shape_box(shape->shape, shape->pose, shape->box);
  widen_box(shape, box);
  status = status ? status : nsdyn_broad_phase_set(world->broad, i, box);
  if (status) {
    char whose[NSD_LABEL_LENGTH];
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "%s, shape %d: %s",
                         nsd_world_whose(world, shape->body, whose), (int)i,
                         status == NSDYN_ERR_NOMEM ? "no memory to look for its contacts with"
                                                   : "its place is out of reach");
  }
  return NSDYN_OK;
}

static int comes_before(const void *a, const void *b)
{
  return *(const uint64_t *)a < *(const uint64_t *)b;
}

/* The order of pairs is that of their numbers, whatever happened before. */
static void sort(uint64_t *x, int32_t count)
{
  uint64_t spare;
  nsd_heap_sort(x, count, sizeof *x, comes_before, &spare);
}

static double farthest(const nsdyn_shape *shape)
{
  double most = 0.0;
  for (int32_t i = 0; i < shape->line.corners; i++) {
    const double *p = shape->line.p[i];
    most = fmax(most, sqrt(p[0] * p[0] + p[1] * p[1]));
  }
  return most + shape->radius;
}

nsdyn_status nsd_contacts_prepare(nsdyn_world *world)
{
  nsdyn_broad_phase_options broad;
  nsdyn_detector_options detector;
  nsdyn_broad_phase_options_init(&broad, sizeof broad);
  nsdyn_detector_options_init(&detector, sizeof detector);
  detector.skin = world->options.skin;
  detector.skin_share = world->options.skin_share;
  if (world->apart.count) {
    sort(world->apart.item, world->apart.count);
  }
  /* 1. Numbers of features; sizes of what moves. A wire has its points twice, and each point is a vertex and
   * the beginning of an edge. */
  double extent = 0.0;
  int32_t moving = 0;
  int64_t features = 0;
  for (int32_t i = 0; i < world->shapes.count; i++) {
    nsd_attached *shape = nsd_world_shape(world, i);
    shape->first_feature = (int32_t)features;
    shape->far = farthest(shape->shape);
    features += 4 * (int64_t)shape->shape->properties.count;
    if (features >= (int64_t)1 << FEATURE_BITS) {
      return nsd_fault_set(&world->fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_NONE, -1,
                           "the world: its shapes have too many points: shape %d is beyond 2^29", (int)i);
    }
    if (mobility(world, shape->body) != STANDS) {
      extent += shape->shape->extent;
      moving++;
    }
  }
  const double share = moving ? 0.05 * extent / moving : 0.0;
  broad.reach = world->options.reach >= 0.0 ? world->options.reach : share;
  broad.fat = world->options.fat >= 0.0 ? world->options.fat : share;
  nsdyn_status status = nsdyn_broad_phase_new(world->ctx, &broad, &world->broad, NULL);
  status = status ? status : nsdyn_detector_new(world->ctx, &detector, &world->detector, NULL);
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to look for contacts with");
  }
  /* 2. What stands still is placed for good. */
  for (int32_t i = 0; i < world->shapes.count && !status; i++) {
    const int32_t body = nsd_world_shape(world, i)->body;
    if (mobility(world, body) == STANDS) {
      (void)nsd_world_move(world, body, 0.0, NULL, NULL, nsd_world_motion(world, body), &world->fault);
      place_shape(world, nsd_world_shape(world, i));
      status = set_box(world, i);
    }
  }
  return status;
}

/* ---- who is near whom ---- */

static int is_apart(const nsdyn_world *world, int32_t a, int32_t b)
{
  const uint64_t *pair = world->apart.item, x = (uint64_t)((int64_t)a + 1), y = (uint64_t)((int64_t)b + 1);
  const uint64_t own = x < y ? x << 32 | y : y << 32 | x;
  int32_t from = 0, to = world->apart.count;
  while (from < to) {
    const int32_t middle = from + (to - from) / 2;
    if (pair[middle] < own) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from < world->apart.count && pair[from] == own;
}

int nsd_contacts_may_touch(const nsdyn_world *world, int32_t first, int32_t second)
{
  const int32_t a = nsd_world_shape(world, first)->body, b = nsd_world_shape(world, second)->body;
  return a != b && (mobility(world, a) == MOVES || mobility(world, b) == MOVES) && !is_apart(world, a, b);
}

static int note_pair(void *user, int32_t first, int32_t second)
{
  nsdyn_world *world = user;
  if (!nsd_contacts_may_touch(world, first, second) || nsd_world_law_of(world, first, second) < 0) {
    return 0;
  }
  const nsdyn_status status = nsd_list_room(world->ctx, &world->near);
  if (status) {
    return (int)nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no room for pairs of shapes");
  }
  ((uint64_t *)world->near.item)[world->near.count] = (uint64_t)first << 32 | (uint64_t)second;
  world->near.count++;
  return 0;
}

/* ---- their touches ---- */

static void place_body(const nsdyn_world *world, const nsd_attached *shape, nsdyn_placed *placed)
{
  const nsd_motion *motion = nsd_world_motion(world, shape->body);
  nsdyn_placed_init(placed, sizeof *placed);
  placed->shape = shape->shape;
  memcpy(placed->pose, shape->pose, sizeof placed->pose);
  memcpy(placed->rate, motion->rate, sizeof placed->rate);
  memcpy(placed->bias, motion->bias, sizeof placed->bias);
  placed->first = motion->first;
  placed->blocks = motion->blocks;
  placed->block = motion->block;
  placed->has_bias = motion->has_bias;
}

static nsdyn_status tell_failure(nsdyn_world *world, const int32_t *shape, nsdyn_status status)
{
  char who[2][NSD_LABEL_LENGTH], depth[NSD_NUMBER_LENGTH], skin[NSD_NUMBER_LENGTH];
  for (int k = 0; k < 2; k++) {
    (void)nsd_world_whose(world, nsd_world_shape(world, shape[k])->body, who[k]);
  }
  if (status != NSDYN_ERR_CALLBACK_RETRY) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "%s and %s, shapes %d and %d: %s",
                         who[0], who[1], (int)shape[0], (int)shape[1],
                         nsdyn_detector_message(world->detector));
  }
  return nsd_fault_set(
      &world->fault, status, NSDYN_DETAIL_NONE, -1,
      "%s and %s, shapes %d and %d, are in each other by %s, the skin is %s: the step was too "
      "large",
      who[0], who[1], (int)shape[0], (int)shape[1], nsd_number_text(world->detector->search.depth, depth),
      nsd_number_text(world->detector->search.skin, skin));
}

static int report_pair(nsdyn_world *world, uint64_t pair, const double *u, double margin,
                       nsdyn_contact_sink *sink)
{
  const int32_t number[2] = {(int32_t)(pair >> 32), (int32_t)(pair & UINT32_MAX)};
  const nsd_attached *shape[2];
  nsdyn_placed placed[2];
  double offset[2][2];
  for (int k = 0; k < 2; k++) {
    shape[k] = nsd_world_shape(world, number[k]);
    place_body(world, shape[k], &placed[k]);
    memcpy(offset[k], shape[k]->offset, sizeof offset[k]);
  }
  const nsdyn_status status = nsd_detector_look(world->detector, placed, margin);
  if (status) {
    (void)tell_failure(world, number, status);
    return nsd_sink_fail(sink, status, world->fault.message);
  }
  const nsd_couple couple = {.offset = (const double(*)[2])offset,
                             .base = {shape[0]->first_feature, shape[1]->first_feature},
                             .shift = FEATURE_BITS,
                             .law = nsd_world_law_of(world, number[0], number[1])};
  return nsd_detector_tell(world->detector, placed, &couple, u, sink);
}

/* ---- what is wanted ---- */

/* The shape that a number of a feature belongs to; −1: none. */
static int32_t shape_of(const nsdyn_world *world, int64_t feature)
{
  int32_t from = 0, to = world->shapes.count;
  while (from < to) {
    const int32_t middle = from + (to - from) / 2;
    if (nsd_world_shape(world, middle)->first_feature <= feature) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  const nsd_attached *shape = from ? nsd_world_shape(world, from - 1) : NULL;
  return shape && feature < shape->first_feature + 4 * (int64_t)shape->shape->properties.count ? from - 1
                                                                                               : -1;
}

/* How far a body's point of reference goes in some time, and how far, at most, its shape turns about it. */
static void go_on(const nsdyn_world *world, const nsd_attached *shape, const double *u, double span,
                  double *way, double *turn)
{
  double v[3];
  const double *arm = shape->offset;
  nsd_motion_velocity(nsd_world_motion(world, shape->body), u, v);
  way[0] = span * v[0];
  way[1] = span * v[1];
  *turn = span * fabs(v[2]) * (sqrt(arm[0] * arm[0] + arm[1] * arm[1]) + shape->far);
}

/* How much nearer two shapes may get to each other by that. */
static double nearing(const double *way, double turn, const double *its_way, double its_turn)
{
  const double x = way[0] - its_way[0], y = way[1] - its_way[1];
  return (sqrt(x * x + y * y) + turn + its_turn) * (1.0 + NSD_WAY_SLACK);
}

/* Contacts that are named are looked for between their shapes alone. */
static void look_for_named(const nsdyn_world *world, const nsd_wish *wish)
{
  for (int32_t k = 0; k < wish->named; k++) {
    int64_t key = -1;
    double span = 0.0, way[2][2], turn[2];
    double gap = wish->name(wish->who, k, &key, &span);
    const int64_t feature[2] = {key >> FEATURE_BITS, key & (((int64_t)1 << FEATURE_BITS) - 1)};
    const int32_t number[2] = {shape_of(world, feature[0]), shape_of(world, feature[1])};
    if (number[0] < 0 || number[1] < 0) {
      continue; /* one of the user's own */
    }
    nsd_attached *shape[2] = {nsd_world_shape(world, number[0]), nsd_world_shape(world, number[1])};
    if (wish->moved && span > 0.0) {
      go_on(world, shape[0], wish->moved, span, way[0], &turn[0]);
      go_on(world, shape[1], wish->moved, span, way[1], &turn[1]);
      gap += nearing(way[0], turn[0], way[1], turn[1]);
    }
    shape[0]->near = fmax(shape[0]->near, gap);
    shape[1]->near = fmax(shape[1]->near, gap);
  }
}

/* Up to which gap touches of two shapes are wanted: what is near both, and what comes. Negative: none. */
static double wanted(const nsd_wish *wish, const nsd_attached *a, const nsd_attached *b)
{
  const double coming = fmax(0.0, wish->near) + nearing(a->way, a->turn, b->way, b->turn);
  return fmax(fmin(a->near, b->near), wish->u ? coming : -1.0);
}

/* How far touches of a pair are looked for. Those that come are bound by what bodies do: a margin knows of no
 * arms. */
static double far_as(const nsd_wish *wish, const nsd_attached *a, const nsd_attached *b, double margin)
{
  if (!wish) {
    return margin;
  }
  return fmin(wish->u ? DBL_MAX : margin, wanted(wish, a, b));
}

static int are_apart(const nsd_attached *a, const nsd_attached *b, double by)
{
  return a->box[0] - b->box[2] > by || b->box[0] - a->box[2] > by || a->box[1] - b->box[3] > by ||
         b->box[1] - a->box[3] > by;
}

int nsd_contacts_find(nsdyn_world *world, const double *u, double margin, nsdyn_contact_sink *sink)
{
  const nsd_wish *wish = sink->wish;
  /* 1. Boxes of what moves, round all that is wanted of it. */
  for (int32_t i = 0; i < world->shapes.count; i++) {
    nsd_attached *shape = nsd_world_shape(world, i);
    shape->near = wish ? wish->near : 0.0;
    shape->way[0] = shape->way[1] = shape->turn = 0.0;
    if (mobility(world, shape->body) != STANDS) {
      place_shape(world, shape);
      if (wish && wish->u) {
        go_on(world, shape, wish->u, wish->horizon, shape->way, &shape->turn);
      }
    }
  }
  if (wish) {
    look_for_named(world, wish);
  }
  nsdyn_status status = NSDYN_OK;
  for (int32_t i = 0; i < world->shapes.count && !status; i++) {
    if (mobility(world, nsd_world_shape(world, i)->body) != STANDS) {
      status = set_box(world, i);
    }
  }
  /* 2. Pairs whose boxes are near each other, in the order of their numbers. */
  world->near.count = 0;
  if (!status && nsdyn_broad_phase_pairs(world->broad, wish ? 0.0 : margin, note_pair, world)) {
    status = world->fault.status ? world->fault.status
                                 : nsd_fault_set(&world->fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "%s",
                                                 nsdyn_broad_phase_message(world->broad));
  }
  if (status) {
    return nsd_sink_fail(sink, status, world->fault.message);
  }
  uint64_t *pair = world->near.item;
  sort(pair, world->near.count);
  /* 3. Their touches. */
  int failed = 0;
  for (int32_t i = 0; i < world->near.count && !failed; i++) {
    const nsd_attached *a = nsd_world_shape(world, (int32_t)(pair[i] >> 32));
    const nsd_attached *b = nsd_world_shape(world, (int32_t)(pair[i] & UINT32_MAX));
    const double far = far_as(wish, a, b, margin);
    if (wish && wish->u) { /* what comes counts beyond the margin, too */
      sink->margin = fmax(sink->margin, far);
    }
    if (far >= 0.0 && !(wish && are_apart(a, b, far))) {
      failed = report_pair(world, pair[i], u, far, sink);
    }
  }
  return failed;
}

/* ---- keys ---- */

static int64_t feature_bits(const nsdyn_touch *touch, int shape)
{
  const int is_edge = touch->kind == (shape ? NSDYN_TOUCH_VERTEX_EDGE : NSDYN_TOUCH_EDGE_VERTEX);
  return 2 * (int64_t)touch->feature[shape] + is_edge;
}

/* Whether a shape has such a feature: vertices are its given points, edge i leads from point i to the next
 * one, and what goes back along a wire counts on from their number. A circle has no edge. */
static int has_feature(const nsdyn_shape *shape, int64_t feature, int is_edge)
{
  const int64_t count = shape->properties.count;
  if (!is_edge || feature < 0) {
    return feature >= 0 && feature < count;
  }
  const int is_round = count > 1 && shape->line.closed && !shape->line.thin; /* the last point has one, too */
  return feature < (shape->line.thin ? 2 : 1) * count && feature % count < count - !is_round;
}

int64_t nsdyn_world_key(const nsdyn_world *world, int32_t first, int32_t second, const nsdyn_touch *touch)
{
  nsdyn_touch own = {.size = sizeof own};
  if (!world || !world->has_system || first < 0 || first >= second || second >= world->shapes.count ||
      !touch || nsd_sized_read(&own, sizeof own, NSD_TOUCH_LEAST, touch, "nsdyn_touch", NULL) ||
      own.kind < NSDYN_TOUCH_VERTEX_EDGE || own.kind > NSDYN_TOUCH_VERTEX_VERTEX) {
    return -1;
  }
  const nsd_attached *const shape[2] = {nsd_world_shape(world, first), nsd_world_shape(world, second)};
  for (int k = 0; k < 2; k++) {
    if (!has_feature(shape[k]->shape, own.feature[k], (int)(feature_bits(&own, k) & 1))) {
      return -1;
    }
  }
  return (shape[0]->first_feature + feature_bits(&own, 0)) << FEATURE_BITS |
         (shape[1]->first_feature + feature_bits(&own, 1));
}

nsdyn_status nsdyn_world_touch(const nsdyn_world *world, int64_t key, int32_t *shapes, int32_t *bodies,
                               nsdyn_touch *touch)
{
  if (!world || !world->has_system || key < 0) {
    return NSDYN_ERR_ARGUMENT;
  }
  const int64_t mask = ((int64_t)1 << FEATURE_BITS) - 1, feature[2] = {key >> FEATURE_BITS, key & mask};
  nsdyn_touch own = {.size = sizeof own};
  int32_t number[2];
  int is_edge[2];
  for (int k = 0; k < 2; k++) {
    number[k] = shape_of(world, feature[k]);
    if (number[k] < 0) {
      return NSDYN_ERR_ARGUMENT;
    }
    const int64_t bits = feature[k] - nsd_world_shape(world, number[k])->first_feature;
    own.feature[k] = (int32_t)(bits >> 1);
    is_edge[k] = (int)(bits & 1);
    if (!has_feature(nsd_world_shape(world, number[k])->shape, own.feature[k], is_edge[k])) {
      return NSDYN_ERR_ARGUMENT;
    }
  }
  if ((is_edge[0] && is_edge[1]) || number[0] >= number[1]) {
    return NSDYN_ERR_ARGUMENT;
  }
  own.kind = is_edge[0]   ? NSDYN_TOUCH_EDGE_VERTEX
             : is_edge[1] ? NSDYN_TOUCH_VERTEX_EDGE
                          : NSDYN_TOUCH_VERTEX_VERTEX;
  const nsdyn_status status = touch ? nsd_sized_write(touch, NSD_TOUCH_LEAST, &own, sizeof own) : NSDYN_OK;
  for (int k = 0; k < 2 && !status; k++) {
    if (shapes) {
      shapes[k] = number[k];
    }
    if (bodies) {
      bodies[k] = nsd_world_shape(world, number[k])->body;
    }
  }
  return status;
}
