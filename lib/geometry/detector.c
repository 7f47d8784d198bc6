/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/detector.h"

#include <math.h>
#include <string.h>

#include "base/check_options.h"
#include "base/number.h"
#include "system/found_contacts.h"

enum { ROWS = 3, KEY_BITS = 21 };

nsdyn_status nsdyn_detector_options_init(nsdyn_detector_options *options, size_t size)
{
  const nsdyn_detector_options defaults = {.size = sizeof defaults, .skin = INFINITY, .skin_share = 0.05};
  return nsd_sized_init(options, size, NSD_DETECTOR_OPTIONS_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_touch_init(nsdyn_touch *touch, size_t size)
{
  return nsd_sized_init(touch, size, NSD_TOUCH_LEAST, NULL, sizeof *touch);
}

nsdyn_status nsdyn_detector_result_init(nsdyn_detector_result *result, size_t size)
{
  return nsd_sized_init(result, size, NSD_DETECTOR_RESULT_LEAST, NULL, sizeof *result);
}

/* ---- the object ---- */

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_detector_options *options, nsdyn_detector **out,
                         nsd_fault *fault)
{
  nsdyn_detector_options own;
  nsdyn_status status =
      NSD_SIZED_READ(nsdyn_detector_options, &own, NSD_DETECTOR_OPTIONS_LEAST, options, fault);
  if (status) {
    return status;
  }
  if (!(own.skin > 0.0)) {
    return NSD_OPTIONS_REFUSE(nsdyn_detector_options, &own, skin, "a depth > 0", fault);
  }
  if (!(own.skin_share > 0.0 && own.skin_share <= 1.0)) {
    return NSD_OPTIONS_REFUSE(nsdyn_detector_options, &own, skin_share, "in (0, 1]", fault);
  }
  nsdyn_detector *detector = nsd_allocate(ctx, 1, sizeof *detector);
  if (!detector) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_detector_new: out of memory");
  }
  memset(detector, 0, sizeof *detector);
  detector->ctx = nsd_context_hold(ctx);
  detector->options = own;
  nsd_fault_clear(&detector->fault);
  nsd_search_init(&detector->search, ctx);
  *out = detector;
  return NSDYN_OK;
}

nsdyn_status nsdyn_detector_new(nsdyn_context *ctx, const nsdyn_detector_options *options,
                                nsdyn_detector **out, nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_detector_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_detector_free(nsdyn_detector *detector)
{
  if (!detector) {
    return;
  }
  nsdyn_context *ctx = detector->ctx;
  nsd_search_release(&detector->search);
  nsd_release(ctx, detector->block, detector->blocks, sizeof *detector->block);
  nsd_release(ctx, detector->value, detector->values, sizeof *detector->value);
  nsd_release(ctx, detector, 1, sizeof *detector);
  nsd_context_drop(ctx);
}

/* ---- searching ---- */

static nsdyn_status search(nsdyn_detector *detector, const nsdyn_shape *first, const double *pose,
                           const nsdyn_shape *second, const double *its_pose, double margin)
{
  nsd_fault *fault = &detector->fault;
  detector->search.meetings = 0;
  if (!(margin >= 0.0)) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1, "the margin is not a number >= 0");
  }
  nsdyn_status status = nsd_pose_check(pose, "first", "pose", fault);
  status = status ? status : nsd_pose_check(its_pose, "second", "pose", fault);
  if (status) {
    return status;
  }
  const double skin =
      fmin(detector->options.skin, detector->options.skin_share * fmin(first->extent, second->extent));
  status = nsd_search_run(&detector->search, first, pose, second, its_pose, margin, skin);
  return status
             ? nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "no memory for the touches of two shapes")
             : NSDYN_OK;
}

nsdyn_status nsdyn_detector_search(nsdyn_detector *detector, const nsdyn_shape *first, const double *pose,
                                   const nsdyn_shape *second, const double *its_pose, double margin,
                                   nsdyn_detector_result *result)
{
  if (!detector) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&detector->fault);
  detector->search.meetings = 0;
  if (!first || !pose || !second || !its_pose) {
    return nsd_fault_set(&detector->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_detector_search: a shape or a pose is NULL");
  }
  if (result && !nsd_sized_is_known(result, NSD_DETECTOR_RESULT_LEAST)) {
    return nsd_fault_set(&detector->fault, NSDYN_ERR_STRUCT_SIZE, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_detector_search: the size of the result is not one of this library's");
  }
  const nsdyn_status status = search(detector, first, pose, second, its_pose, margin);
  if (status || !result) {
    return status;
  }
  const nsd_search *s = &detector->search;
  const nsdyn_detector_result own = {.size = sizeof own,
                                     .touches = s->meetings,
                                     .is_deep = s->is_deep,
                                     .depth = s->depth,
                                     .skin = s->skin,
                                     .visited = s->visited};
  return nsd_sized_tell(result, NSD_DETECTOR_RESULT_LEAST, &own, sizeof own, "nsdyn_detector_result",
                        &detector->fault);
}

/* ---- a touch ---- */

/* Numbers that the user knows them by. */
static void name_features(const nsd_search *s, const nsd_meeting *m, nsdyn_touch *touch)
{
  const nsd_outline *own = &s->view.shape[m->side]->line, *other = &s->view.shape[!m->side]->line;
  touch->kind = m->at_vertex ? NSDYN_TOUCH_VERTEX_VERTEX
                : m->side    ? NSDYN_TOUCH_EDGE_VERTEX
                             : NSDYN_TOUCH_VERTEX_EDGE;
  touch->feature[m->side] = own->vertex[m->vertex];
  touch->feature[!m->side] = m->at_vertex ? other->vertex[m->edge] : other->edge[m->edge];
}

nsdyn_status nsdyn_detector_touch(const nsdyn_detector *detector, int32_t i, nsdyn_touch *touch)
{
  if (!detector || !touch || i < 0 || i >= detector->search.meetings) {
    return NSDYN_ERR_ARGUMENT;
  }
  const nsd_search *s = &detector->search;
  nsdyn_touch own = {.size = sizeof own};
  nsd_spot place;
  nsd_spot_of(s, &s->meeting[i], &place);
  name_features(s, &s->meeting[i], &own);
  own.gap = place.gap;
  for (int a = 0; a < 2; a++) {
    /* Arms lead from each body's origin, in the world's directions. */
    own.normal[a] = place.n[a];
    own.point[a] = s->world.d[a] + place.arm[0][a];
    own.middle[a] = s->world.d[a] + place.middle[0][a];
    own.point[2 + a] = s->its.d[a] + place.arm[1][a];
    own.middle[2 + a] = s->its.d[a] + place.middle[1][a];
  }
  return nsd_sized_write(touch, NSD_TOUCH_LEAST, &own, sizeof own);
}

/* ---- keys ---- */

/* A feature, in 21 bits: its number and whether it is an edge. */
static int64_t feature_bits(const nsdyn_touch *touch, int shape)
{
  const int is_edge = touch->kind == (shape ? NSDYN_TOUCH_VERTEX_EDGE : NSDYN_TOUCH_EDGE_VERTEX);
  return 2 * (int64_t)touch->feature[shape] + is_edge;
}

static int64_t key_of(int32_t pair, const nsdyn_touch *touch)
{
  return ((int64_t)pair << (2 * KEY_BITS)) | (feature_bits(touch, 0) << KEY_BITS) | feature_bits(touch, 1);
}

int64_t nsdyn_touch_key(int32_t pair, const nsdyn_touch *touch)
{
  nsdyn_touch own = {.size = sizeof own};
  if (!touch || pair < 0 || pair >= 1 << KEY_BITS ||
      nsd_sized_read(&own, sizeof own, NSD_TOUCH_LEAST, touch, "nsdyn_touch", NULL)) {
    return -1;
  }
  const int32_t most = 1 << (KEY_BITS - 1);
  if (own.kind < NSDYN_TOUCH_VERTEX_EDGE || own.kind > NSDYN_TOUCH_VERTEX_VERTEX || own.feature[0] < 0 ||
      own.feature[0] >= most || own.feature[1] < 0 || own.feature[1] >= most) {
    return -1;
  }
  return key_of(pair, &own);
}

nsdyn_status nsdyn_touch_of_key(int64_t key, int32_t *pair, nsdyn_touch *touch)
{
  const int64_t mask = (1 << KEY_BITS) - 1, a = key >> KEY_BITS & mask, b = key & mask;
  if (key < 0 || !touch || (a & 1 && b & 1)) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_touch own = {.size = sizeof own};
  own.kind = a & 1 ? NSDYN_TOUCH_EDGE_VERTEX : b & 1 ? NSDYN_TOUCH_VERTEX_EDGE : NSDYN_TOUCH_VERTEX_VERTEX;
  own.feature[0] = (int32_t)(a >> 1);
  own.feature[1] = (int32_t)(b >> 1);
  const nsdyn_status status = nsd_sized_write(touch, NSD_TOUCH_LEAST, &own, sizeof own);
  if (!status && pair) {
    *pair = (int32_t)(key >> (2 * KEY_BITS));
  }
  return status;
}

/* ---- reporting ---- */

/* Room for the blocks of two bodies, with three rows each: as many as any law has. */
static nsdyn_status make_room(nsdyn_detector *detector, const nsdyn_placed *body)
{
  size_t blocks = 0, values = 0;
  for (int k = 0; k < 2; k++) {
    blocks += (size_t)body[k].blocks + 1;
    values += ROWS * 3;
    for (int32_t b = 0; b < body[k].blocks; b++) {
      values += ROWS * (size_t)body[k].block[b].count;
    }
  }
  if (blocks > detector->blocks) {
    nsdyn_contact_block *block = nsd_allocate(detector->ctx, blocks, sizeof *block);
    if (!block) {
      return NSDYN_ERR_NOMEM;
    }
    nsd_release(detector->ctx, detector->block, detector->blocks, sizeof *block);
    detector->block = block;
    detector->blocks = blocks;
  }
  if (values > detector->values) {
    double *value = nsd_allocate(detector->ctx, values, sizeof *value);
    if (!value) {
      return NSDYN_ERR_NOMEM;
    }
    nsd_release(detector->ctx, detector->value, detector->values, sizeof *value);
    detector->value = value;
    detector->values = values;
  }
  return NSDYN_OK;
}

static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/* Block b of a body, the identity of its own coordinates last. Returns 0 behind the last one. */
static int block_of(const nsdyn_placed *body, int32_t b, nsdyn_contact_block *block)
{
  if (b < body->blocks) {
    *block = body->block[b];
    return 1;
  }
  block->offset = body->first;
  block->count = 3;
  block->values = identity;
  return b == body->blocks && body->first >= 0;
}

/* Velocities of the pose, J u + rate. Blocks that reach beyond nu are left to the sink, which refuses them.
 */
static void velocity_of(const nsdyn_placed *body, const double *u, int32_t nu, double *v)
{
  nsdyn_contact_block block = {.count = 0};
  for (int k = 0; k < 3; k++) {
    v[k] = body->rate[k];
  }
  for (int32_t b = 0; block_of(body, b, &block); b++) {
    for (int32_t j = 0; j < block.count && block.offset >= 0 && j < nu - block.offset; j++) {
      for (int k = 0; k < 3; k++) {
        v[k] += block.values[(size_t)k * (size_t)block.count + (size_t)j] * u[block.offset + j];
      }
    }
  }
}

/* w_N and w_T of both bodies, block after block. */
static int32_t write_rows(nsdyn_detector *detector, const nsd_spot *place, const nsdyn_placed *body)
{
  int32_t count = 0;
  double *w = detector->value;
  for (int k = 0; k < 2; k++) {
    nsdyn_contact_block block = {.count = 0};
    for (int32_t b = 0; block_of(&body[k], b, &block); b++) {
      nsd_spot_rows(place, k, block.count, block.values, w);
      for (int32_t j = 0; j < block.count; j++) {
        w[2 * block.count + j] = 0.0; /* nothing moves out of the plane */
      }
      detector->block[count].offset = block.offset;
      detector->block[count].count = block.count;
      detector->block[count].values = w;
      count++;
      w += ROWS * (size_t)block.count;
    }
  }
  return count;
}

/* The spot as seen from where the bodies' coordinates are, not from the shapes' origins. */
static void shift(nsd_spot *place, const double (*offset)[2])
{
  for (int k = 0; k < 2; k++) {
    for (int a = 0; a < 2; a++) {
      place->arm[k][a] += offset[k][a];
      place->middle[k][a] += offset[k][a];
      place->vertex[k][a] += offset[k][a];
    }
  }
}

static int report_touch(nsdyn_detector *detector, const nsd_meeting *m, const nsdyn_placed *body,
                        const nsd_couple *pair, const double *v, nsdyn_contact_sink *sink)
{
  nsdyn_found_contact found;
  nsdyn_touch touch = {.size = sizeof touch};
  nsd_spot place;
  double rate[6], bias[6];
  for (int k = 0; k < 6; k++) {
    rate[k] = body[k / 3].rate[k % 3];
    bias[k] = body[k / 3].bias[k % 3];
  }
  nsd_spot_of(&detector->search, m, &place);
  if (pair->offset) {
    shift(&place, pair->offset);
  }
  name_features(&detector->search, m, &touch);
  nsdyn_found_contact_init(&found, sizeof found);
  found.key =
      ((pair->base[0] + feature_bits(&touch, 0)) << pair->shift) | (pair->base[1] + feature_bits(&touch, 1));
  found.gap = place.gap;
  found.law = pair->law;
  found.blocks = write_rows(detector, &place, body);
  found.block = detector->block;
  nsd_spot_velocities(&place, rate, found.w_hat);
  if (v && body[0].has_bias && body[1].has_bias) {
    nsd_spot_bias(&place, v, bias, found.w_bar);
    found.w_bar[2] = 0.0;
  }
  return nsdyn_contact_sink_add(sink, &found);
}

nsdyn_status nsd_detector_look(nsdyn_detector *detector, const nsdyn_placed *body, double margin)
{
  nsd_fault_clear(&detector->fault);
  nsdyn_status status = search(detector, body[0].shape, body[0].pose, body[1].shape, body[1].pose, margin);
  if (status || detector->search.is_deep) {
    /* Gaps that come from a step that was too large are no gaps to go on with. */
    return status ? status : NSDYN_ERR_CALLBACK_RETRY;
  }
  return make_room(detector, body) ? nsd_fault_set(&detector->fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                                                   "no memory for the rows of a touch")
                                   : NSDYN_OK;
}

int nsd_detector_tell(nsdyn_detector *detector, const nsdyn_placed *body, const nsd_couple *pair,
                      const double *u, nsdyn_contact_sink *sink)
{
  double v[6] = {0.0};
  for (int k = 0; k < 2 && u; k++) {
    velocity_of(&body[k], u, sink->sys->def.nu, v + 3 * (size_t)k);
  }
  for (int32_t i = 0; i < detector->search.meetings; i++) {
    const int failed = report_touch(detector, &detector->search.meeting[i], body, pair, u ? v : NULL, sink);
    if (failed) {
      return failed;
    }
  }
  return 0;
}

static nsdyn_status tell_depth(nsdyn_detector *detector, int32_t pair)
{
  char depth[NSD_NUMBER_LENGTH], skin[NSD_NUMBER_LENGTH];
  return nsd_fault_set(&detector->fault, NSDYN_ERR_CALLBACK_RETRY, NSDYN_DETAIL_CONTACT, pair,
                       "pair %d: the bodies are in each other by %s, the skin is %s: the step was too large",
                       (int)pair, nsd_number_text(detector->search.depth, depth),
                       nsd_number_text(detector->search.skin, skin));
}

/* The search, and room for what it reports. */
static nsdyn_status prepare(nsdyn_detector *detector, const nsdyn_placed *first, const nsdyn_placed *second,
                            int32_t pair, double margin, nsdyn_placed *body)
{
  nsd_fault *fault = &detector->fault;
  if (pair < 0 || pair >= 1 << KEY_BITS) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 4,
                         "nsdyn_detector_report: pair %d is not in [0, 2^21)", (int)pair);
  }
  nsdyn_status status = nsd_placed_read(&body[0], first, "first", fault);
  status = status ? status : nsd_placed_read(&body[1], second, "second", fault);
  status = status ? status : nsd_detector_look(detector, body, margin);
  return status == NSDYN_ERR_CALLBACK_RETRY ? tell_depth(detector, pair) : status;
}

int nsdyn_detector_report(nsdyn_detector *detector, const nsdyn_placed *first, const nsdyn_placed *second,
                          const double *u, int32_t pair, double margin, int32_t law, nsdyn_contact_sink *sink)
{
  if (!detector || !sink) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_placed body[2] = {{.size = 0}, {.size = 0}};
  nsd_fault_clear(&detector->fault);
  const nsdyn_status status = prepare(detector, first, second, pair, margin, body);
  if (status) {
    return nsd_sink_fail(sink, status, detector->fault.message);
  }
  const nsd_couple own = {.base = {(int64_t)pair << KEY_BITS, 0}, .shift = KEY_BITS, .law = law};
  return nsd_detector_tell(detector, body, &own, u, sink);
}

const char *nsdyn_detector_message(const nsdyn_detector *detector)
{
  return detector ? detector->fault.message : "";
}

nsdyn_status nsdyn_detector_detail(const nsdyn_detector *detector, nsdyn_detail *detail)
{
  return detector && detail ? nsd_fault_detail(&detector->fault, detail) : NSDYN_ERR_ARGUMENT;
}
