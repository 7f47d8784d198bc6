/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "world/object.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

nsdyn_status nsdyn_world_options_init(nsdyn_world_options *options, size_t size)
{
  const nsdyn_world_options defaults = {.size = sizeof defaults,
                                        .gravity = {0.0, -9.81},
                                        .skin = INFINITY,
                                        .skin_share = 0.05,
                                        .reach = -1.0,
                                        .fat = -1.0};
  return nsd_sized_init(options, size, NSD_WORLD_OPTIONS_LEAST, &defaults, sizeof defaults);
}

/* ---- the object ---- */

static nsdyn_status check_options(const nsdyn_world_options *options, nsd_fault *fault)
{
  for (int k = 0; k < 2; k++) {
    if (!(fabs(options->gravity[k]) <= NSD_SHAPE_LARGEST)) {
      return NSD_OPTIONS_REFUSE(nsdyn_world_options, options, gravity[k], "a finite number", fault);
    }
  }
  if (!(options->skin > 0.0)) {
    return NSD_OPTIONS_REFUSE(nsdyn_world_options, options, skin, "a depth > 0", fault);
  }
  if (!(options->skin_share > 0.0 && options->skin_share <= 1.0)) {
    return NSD_OPTIONS_REFUSE(nsdyn_world_options, options, skin_share, "in (0, 1]", fault);
  }
  if (!(fabs(options->reach) <= NSD_SHAPE_LARGEST)) {
    return NSD_OPTIONS_REFUSE(nsdyn_world_options, options, reach, "a finite number", fault);
  }
  if (!(fabs(options->fat) <= NSD_SHAPE_LARGEST)) {
    return NSD_OPTIONS_REFUSE(nsdyn_world_options, options, fat, "a finite number", fault);
  }
  return NSDYN_OK;
}

static void release(nsdyn_world *world)
{
  nsdyn_context *ctx = world->ctx;
  for (int32_t i = 0; i < world->shapes.count; i++) {
    nsdyn_shape_free(nsd_world_shape(world, i)->shape);
  }
  nsd_list *const lists[] = {&world->bodies,  &world->shapes, &world->materials,
                             &world->agreed,  &world->pairs,  &world->joints,
                             &world->springs, &world->apart,  &world->near};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    nsd_list_drop(ctx, lists[i]);
  }
  const size_t materials = (size_t)world->materials.count;
  nsd_release(ctx, world->law, materials * materials, sizeof *world->law);
  nsd_release(ctx, world->motion, (size_t)world->bodies.count + 1, sizeof *world->motion);
  nsdyn_broad_phase_free(world->broad);
  nsdyn_detector_free(world->detector);
  nsd_release(ctx, world, 1, sizeof *world);
  nsd_context_drop(ctx);
}

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_world_options *options, nsdyn_world **out,
                         nsd_fault *fault)
{
  nsdyn_world_options own;
  nsdyn_status status = NSD_SIZED_READ(nsdyn_world_options, &own, NSD_WORLD_OPTIONS_LEAST, options, fault);
  status = status ? status : check_options(&own, fault);
  if (status) {
    return status;
  }
  nsdyn_world *world = nsd_allocate(ctx, 1, sizeof *world);
  if (!world) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_world_new: out of memory");
  }
  const nsdyn_world empty = {.ctx = nsd_context_hold(ctx),
                             .options = own,
                             .bodies = {.size = sizeof(nsd_body)},
                             .shapes = {.size = sizeof(nsd_attached)},
                             .materials = {.size = sizeof(nsdyn_contact_law)},
                             .agreed = {.size = sizeof(nsd_agreed)},
                             .pairs = {.size = sizeof(nsd_agreed)},
                             .joints = {.size = sizeof(nsd_joint)},
                             .springs = {.size = sizeof(nsd_spring)},
                             .apart = {.size = sizeof(uint64_t)},
                             .near = {.size = sizeof(uint64_t)}};
  *world = empty;
  atomic_init(&world->holders, 1);
  nsd_fault_clear(&world->fault);
  /* Material 0, for shapes that nothing is said of. */
  status = nsd_list_room(world->ctx, &world->materials);
  if (status) {
    release(world);
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_world_new: no memory for a material");
  }
  nsdyn_contact_law_init(world->materials.item, sizeof(nsdyn_contact_law));
  world->materials.count = 1;
  *out = world;
  return NSDYN_OK;
}

nsdyn_status nsdyn_world_new(nsdyn_context *ctx, const nsdyn_world_options *options, nsdyn_world **out,
                             nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_world_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_world_free(nsdyn_world *world)
{
  if (world && atomic_fetch_sub_explicit(&world->holders, 1, memory_order_acq_rel) == 1) {
    release(world);
  }
}

nsdyn_status nsd_world_open(nsdyn_world *world)
{
  if (!world) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&world->fault);
  return world->has_system ? nsd_fault_set(&world->fault, NSDYN_ERR_BUSY, NSDYN_DETAIL_NONE, -1,
                                           "the world has its system: nothing is added to it any more")
                           : NSDYN_OK;
}

/* ---- words ---- */

const char *nsd_world_whose(const nsdyn_world *world, int32_t body, char text[NSD_LABEL_LENGTH])
{
  if (body == NSDYN_GROUND) {
    snprintf(text, NSD_LABEL_LENGTH, "the ground");
    return text;
  }
  return nsd_label_text("body", body, nsd_world_body(world, body)->name, text);
}

nsdyn_status nsd_world_refuse(nsdyn_world *world, const char *who, const char *what, double value,
                              const char *range)
{
  char text[NSD_NUMBER_LENGTH];
  return nsd_fault_set(&world->fault, isfinite(value) ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE,
                       NSDYN_DETAIL_NONE, -1, "%s: %s: %s is not %s", who, what, nsd_number_text(value, text),
                       range);
}

nsdyn_status nsd_world_numbers(nsdyn_world *world, const char *who, const char *what, int count,
                               const double *x)
{
  for (int k = 0; k < count; k++) {
    if (!(fabs(x[k]) <= NSD_SHAPE_LARGEST)) {
      return nsd_world_refuse(world, who, what, x[k], "a number in [-2^480, 2^480]");
    }
  }
  return NSDYN_OK;
}

const char *nsdyn_world_message(const nsdyn_world *world)
{
  return world ? world->fault.message : "";
}

nsdyn_status nsdyn_world_detail(const nsdyn_world *world, nsdyn_detail *detail)
{
  return world && detail ? nsd_fault_detail(&world->fault, detail) : NSDYN_ERR_ARGUMENT;
}
