/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/shape.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "geometry/crossings.h"
#include "geometry/moments.h"
#include "geometry/outline.h"

nsdyn_status nsdyn_shape_def_init(nsdyn_shape_def *def, size_t size)
{
  const nsdyn_shape_def defaults = {.size = sizeof defaults, .kind = NSDYN_SHAPE_POLYGON};
  return nsd_sized_init(def, size, NSD_SHAPE_DEF_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_shape_properties_init(nsdyn_shape_properties *properties, size_t size)
{
  return nsd_sized_init(properties, size, NSD_SHAPE_PROPERTIES_LEAST, NULL, sizeof *properties);
}

/* ---- what is given ---- */

static nsdyn_status refuse_field(nsd_fault *fault, size_t offset, const char *text)
{
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)offset, "nsdyn_shape_new: %s",
                       text);
}

static nsdyn_status refuse_point(nsd_fault *fault, nsdyn_status status, int32_t i, const char *text)
{
  return nsd_fault_set(fault, status, NSDYN_DETAIL_ROW, i, "nsdyn_shape_new: point %d %s", (int)i, text);
}

/* Fewest and most points of each kind. */
static const struct {
  const char *name;
  int32_t least, most;
} kinds[] = {
    {"a polygon", 3, NSD_SHAPE_MOST_POINTS},
    {"a circle", 1, 1},
    {"a capsule", 2, 2},
    {"a profile", 2, NSD_SHAPE_MOST_POINTS},
    {"a wire", 2, NSD_SHAPE_MOST_POINTS / 2},
};

static nsdyn_status check_fields(const nsdyn_shape_def *def, nsd_fault *fault)
{
  if (def->kind < NSDYN_SHAPE_POLYGON || def->kind > NSDYN_SHAPE_WIRE) {
    return refuse_field(fault, offsetof(nsdyn_shape_def, kind), "kind is not one of nsdyn_shape_kind");
  }
  if (def->side != NSDYN_SIDE_LEFT && def->side != NSDYN_SIDE_RIGHT) {
    return refuse_field(fault, offsetof(nsdyn_shape_def, side), "side is not one of nsdyn_shape_side");
  }
  if (def->count < kinds[def->kind].least || def->count > kinds[def->kind].most) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                         (int64_t)offsetof(nsdyn_shape_def, count),
                         "nsdyn_shape_new: %s has %d to %d points, not %d", kinds[def->kind].name,
                         (int)kinds[def->kind].least, (int)kinds[def->kind].most, (int)def->count);
  }
  if (!def->points) {
    return refuse_field(fault, offsetof(nsdyn_shape_def, points), "points is NULL");
  }
  /* Written so that NaN fails. */
  if (!(def->radius >= 0.0 && def->radius <= NSD_SHAPE_LARGEST)) {
    return refuse_field(fault, offsetof(nsdyn_shape_def, radius), "radius is not a number in [0, 2^480]");
  }
  if (def->kind == NSDYN_SHAPE_CIRCLE && !(def->radius >= NSD_SHAPE_SMALLEST)) {
    return refuse_field(fault, offsetof(nsdyn_shape_def, radius),
                        "the radius of a circle has to be >= 2^-480");
  }
  return NSDYN_OK;
}

/* Copies the points to p; what is too small beside the largest for exact products becomes zero. */
static nsdyn_status copy_points(const nsdyn_shape_def *def, double *p, nsd_fault *fault)
{
  double largest = def->radius;
  for (int32_t i = 0; i < 2 * def->count; i++) {
    if (!(fabs(def->points[i]) <= NSD_SHAPE_LARGEST)) {
      return refuse_point(fault, NSDYN_ERR_NOT_FINITE, i / 2, "is not a number in [-2^480, 2^480]");
    }
    largest = fmax(largest, fabs(def->points[i]));
  }
  for (int32_t i = 0; i < 2 * def->count; i++) {
    const double x = def->points[i];
    p[i] = fabs(x) < NSD_SHAPE_SMALLEST || fabs(x) < NSD_SHAPE_SMALLEST * largest ? 0.0 : x;
  }
  return NSDYN_OK;
}

static nsdyn_status check_neighbours(const nsdyn_shape_def *def, const double *p, nsd_fault *fault)
{
  for (int32_t i = 0; i < def->count; i++) {
    const int32_t next = i + 1 < def->count ? i + 1 : 0;
    const int is_pair = next || def->kind == NSDYN_SHAPE_POLYGON;
    if (def->count > 1 && is_pair && p[2 * (size_t)i] == p[2 * (size_t)next] &&
        p[2 * (size_t)i + 1] == p[2 * (size_t)next + 1]) {
      return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ROW, next ? next : i,
                           "nsdyn_shape_new: points %d and %d are the same", (int)i, (int)next);
    }
  }
  return NSDYN_OK;
}

static nsdyn_status check_crossings(nsdyn_context *ctx, const nsdyn_shape_def *def, const double *p,
                                    nsd_fault *fault)
{
  int32_t edge[2];
  const nsdyn_status status = nsd_find_crossing(ctx, def->count, p, def->kind == NSDYN_SHAPE_POLYGON, edge);
  if (status) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_shape_new: out of memory");
  }
  if (edge[0] < 0) {
    return NSDYN_OK;
  }
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ROW, edge[0],
                       "nsdyn_shape_new: the edge from point %d to %d crosses or touches that from %d to %d",
                       (int)edge[0], (int)((edge[0] + 1) % def->count), (int)edge[1],
                       (int)((edge[1] + 1) % def->count));
}

/* ---- the object ---- */

static void set_box(nsdyn_shape *shape)
{
  nsdyn_shape_properties *own = &shape->properties;
  const nsd_outline *line = &shape->line;
  for (int a = 0; a < 2; a++) {
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < line->corners; i++) {
      low = fmin(low, line->p[i][a]);
      high = fmax(high, line->p[i][a]);
    }
    own->low[a] = low - shape->radius;
    own->high[a] = high + shape->radius;
  }
  shape->extent = fmax(own->high[0] - own->low[0], own->high[1] - own->low[1]);
}

/* The larger side of the box round the points. */
static double extent_of(int32_t count, const double *p)
{
  double low[2] = {p[0], p[1]}, high[2] = {p[0], p[1]};
  for (int32_t i = 0; i < 2 * count; i++) {
    low[i % 2] = fmin(low[i % 2], p[i]);
    high[i % 2] = fmax(high[i % 2], p[i]);
  }
  return fmax(high[0] - low[0], high[1] - low[1]);
}

static void lay_out(nsd_arena *arena, nsdyn_shape *shape, const nsdyn_shape_def *def)
{
  const int thin = def->kind == NSDYN_SHAPE_CAPSULE || def->kind == NSDYN_SHAPE_WIRE;
  nsd_outline_lay_out(arena, &shape->line, (size_t)def->count, thin);
  nsd_box_tree_lay_out(arena, &shape->tree, thin ? 2 * (size_t)def->count : (size_t)def->count);
}

/* p: checked points; keep: room for as many numbers. */
static nsdyn_status fill(nsdyn_shape *shape, const nsdyn_shape_def *def, const double *p, int32_t *keep,
                         nsd_fault *fault)
{
  nsdyn_shape measured = *shape;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &measured, def);
  const nsdyn_status status = nsd_arena_reserve(&shape->arena, &measure);
  if (status) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_shape_new: no memory for %d points",
                         (int)def->count);
  }
  lay_out(&shape->arena, shape, def);
  const int32_t kept =
      nsd_outline_make(def, p, NSD_SHAPE_STRAIGHT * extent_of(def->count, p), keep, &shape->line);
  if (def->kind == NSDYN_SHAPE_POLYGON && kept < 3) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_shape_new: the %d points of the polygon lie on one line", (int)def->count);
  }
  nsd_box_tree_build(&shape->line, &shape->tree);
  shape->radius = def->radius;
  shape->properties.kind = def->kind;
  shape->properties.count = def->count;
  shape->properties.vertices = kept;
  shape->properties.radius = def->radius;
  shape->properties.clockwise = def->kind == NSDYN_SHAPE_POLYGON && nsd_double_area(def->count, p) < 0.0;
  set_box(shape);
  nsd_moments(def, p, &shape->properties);
  return NSDYN_OK;
}

static void release(nsdyn_shape *shape)
{
  nsdyn_context *ctx = shape->ctx;
  nsd_arena_release(&shape->arena);
  nsd_release(ctx, shape, 1, sizeof *shape);
  nsd_context_drop(ctx);
}

/* With the points copied to p. */
static nsdyn_status make_of(nsdyn_context *ctx, const nsdyn_shape_def *def, double *p, int32_t *keep,
                            nsdyn_shape **out, nsd_fault *fault)
{
  /* NaN first, then what two neighbours and then what two edges show: each message names the first fault. */
  nsdyn_status status = copy_points(def, p, fault);
  status = status ? status : check_neighbours(def, p, fault);
  status = status || def->count < 3 ? status : check_crossings(ctx, def, p, fault);
  if (status) {
    return status;
  }
  nsdyn_shape *shape = nsd_allocate(ctx, 1, sizeof *shape);
  if (!shape) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_shape_new: out of memory");
  }
  memset(shape, 0, sizeof *shape);
  shape->ctx = nsd_context_hold(ctx);
  shape->arena = nsd_arena_empty(ctx);
  atomic_init(&shape->holders, 1);
  status = fill(shape, def, p, keep, fault);
  if (status) {
    release(shape);
    return status;
  }
  *out = shape;
  return NSDYN_OK;
}

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_shape_def *def, nsdyn_shape **out, nsd_fault *fault)
{
  if (!def) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "nsdyn_shape_new: def is NULL");
  }
  nsdyn_shape_def own;
  nsdyn_status status = NSD_SIZED_READ(nsdyn_shape_def, &own, NSD_SHAPE_DEF_LEAST, def, fault);
  status = status ? status : check_fields(&own, fault);
  if (status) {
    return status;
  }
  const size_t count = (size_t)own.count;
  double *p = nsd_allocate(ctx, count, 2 * sizeof *p);
  int32_t *keep = nsd_allocate(ctx, count, sizeof *keep);
  status = p && keep ? make_of(ctx, &own, p, keep, out, fault)
                     : nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                                     "nsdyn_shape_new: no memory for %d points", (int)own.count);
  nsd_release(ctx, keep, count, sizeof *keep);
  nsd_release(ctx, p, count, 2 * sizeof *p);
  return status;
}

nsdyn_status nsdyn_shape_new(nsdyn_context *ctx, const nsdyn_shape_def *def, nsdyn_shape **out,
                             nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_shape_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, def, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

nsdyn_shape *nsd_shape_hold(nsdyn_shape *shape)
{
  atomic_fetch_add_explicit(&shape->holders, 1, memory_order_relaxed);
  return shape;
}

void nsdyn_shape_free(nsdyn_shape *shape)
{
  if (shape && atomic_fetch_sub_explicit(&shape->holders, 1, memory_order_acq_rel) == 1) {
    release(shape);
  }
}

nsdyn_status nsdyn_shape_measure(const nsdyn_shape *shape, nsdyn_shape_properties *properties)
{
  return shape && properties ? nsd_sized_write(properties, NSD_SHAPE_PROPERTIES_LEAST, &shape->properties,
                                               sizeof shape->properties)
                             : NSDYN_ERR_ARGUMENT;
}
