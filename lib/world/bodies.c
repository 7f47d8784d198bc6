/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "world/object.h"

#include <stdio.h>
#include <string.h>

nsdyn_status nsdyn_body_def_init(nsdyn_body_def *def, size_t size)
{
  const nsdyn_body_def defaults = {
      .size = sizeof defaults, .mass = NAN, .inertia = NAN, .centre = {NAN, NAN}};
  return nsd_sized_init(def, size, NSD_BODY_DEF_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_attachment_init(nsdyn_attachment *attachment, size_t size)
{
  const nsdyn_attachment defaults = {.size = sizeof defaults, .density = 1.0};
  return nsd_sized_init(attachment, size, NSD_ATTACHMENT_LEAST, &defaults, sizeof defaults);
}

/* ---- adding ---- */

/* NaN: not given. */
static nsdyn_status check_positive(nsdyn_world *world, const char *who, const char *what, double value)
{
  const int is_good = isnan(value) || (value > 0.0 && value <= NSD_SHAPE_LARGEST);
  return is_good ? NSDYN_OK : nsd_world_refuse(world, who, what, value, "in (0, 2^480]");
}

static nsdyn_status check_body(nsdyn_world *world, const char *who, const nsdyn_body_def *def)
{
  if (def->kind < NSDYN_BODY_FREE || def->kind > NSDYN_BODY_POSED) {
    return nsd_world_refuse(world, who, "kind", def->kind, "a nsdyn_body_kind");
  }
  if (def->reserved != 0) {
    return nsd_world_refuse(world, who, "reserved", def->reserved, "0");
  }
  if ((def->kind == NSDYN_BODY_DRIVEN && !def->motion) || (def->kind == NSDYN_BODY_POSED && !def->place)) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "%s: the callback %s is NULL", who,
                         def->kind == NSDYN_BODY_DRIVEN ? "motion" : "place");
  }
  nsdyn_status status = nsd_world_numbers(world, who, "pose", 3, def->pose);
  status = status ? status : nsd_world_numbers(world, who, "velocity", 3, def->velocity);
  status = status ? status : check_positive(world, who, "mass", def->mass);
  status = status ? status : check_positive(world, who, "inertia", def->inertia);
  for (int k = 0; k < 2 && !status; k++) {
    if (!isnan(def->centre[k]) || !isnan(def->centre[!k])) {
      status = nsd_world_numbers(world, who, "centre", 1, &def->centre[k]);
    }
  }
  return status;
}

nsdyn_status nsdyn_world_add_body(nsdyn_world *world, const nsdyn_body_def *def, int32_t *number)
{
  nsdyn_body_def own;
  nsdyn_status status = nsd_world_open(world);
  if (status) {
    return status;
  }
  char who[NSD_LABEL_LENGTH], name[NSD_NAME_LENGTH];
  status = NSD_SIZED_READ(nsdyn_body_def, &own, NSD_BODY_DEF_LEAST, def, &world->fault);
  if (status) {
    return status;
  }
  nsd_name_copy(name, own.name);
  status = check_body(world, nsd_label_text("body", world->bodies.count, name, who), &own);
  if (status) {
    return status;
  }
  status = nsd_list_room(world->ctx, &world->bodies);
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no room for %s", who);
  }
  nsd_body *body = nsd_world_body(world, world->bodies.count);
  const nsd_body fresh = {.def = own, .first = -1};
  *body = fresh;
  body->def.name = NULL; /* the caller's */
  memcpy(body->name, name, sizeof name);
  if (number) {
    *number = world->bodies.count;
  }
  world->bodies.count++;
  return NSDYN_OK;
}

/* What a shape adds to ∫ϱ, ∫ϱ r² and the centre of its body, in the body's frame. Moments are about the
 * centre of what is there already, never about the origin: that may be far away, and would have to be taken
 * off again. */
static void add_mass(nsd_body *body, const nsdyn_shape *shape, const nsdyn_attachment *on)
{
  const nsdyn_shape_properties *sizes = &shape->properties;
  const double mass = on->density * sizes->area, before = body->area_mass, both = before + mass;
  const double share = mass > 0.0 ? mass / both : 0.0;
  const nsd_frame frame = nsd_frame_of(on->pose);
  double centre[2];
  nsd_frame_place(&frame, sizes->centroid, centre);
  const double d[2] = {centre[0] - body->area_centre[0], centre[1] - body->area_centre[1]};
  body->area_mass = both;
  for (int k = 0; k < 2; k++) {
    body->area_centre[k] += share * d[k];
  }
  /* Steiner's theorem for both parts: m₁ (m₂/m)² d² + m₂ (m₁/m)² d² = m₁ m₂/m d² */
  body->area_inertia +=
      on->density * (sizes->second[0] + sizes->second[1]) + before * share * (d[0] * d[0] + d[1] * d[1]);
}

static nsdyn_status check_attachment(nsdyn_world *world, const char *who, const nsdyn_attachment *on)
{
  if (on->material < 0 || on->material >= world->materials.count) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "%s: there is no material %d", who, (int)on->material);
  }
  if (on->reserved != 0) {
    return nsd_world_refuse(world, who, "reserved", on->reserved, "0");
  }
  if (!(on->density >= 0.0 && on->density <= NSD_SHAPE_LARGEST)) {
    return nsd_world_refuse(world, who, "density", on->density, "in [0, 2^480]");
  }
  return nsd_world_numbers(world, who, "pose", 3, on->pose);
}

nsdyn_status nsdyn_world_attach(nsdyn_world *world, int32_t body, nsdyn_shape *shape,
                                const nsdyn_attachment *attachment, int32_t *number)
{
  nsdyn_attachment own;
  nsdyn_status status = nsd_world_open(world);
  if (status) {
    return status;
  }
  if (!nsd_world_has_body(world, body) || !shape) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, shape ? 1 : 2,
                         "nsdyn_world_attach: %s", shape ? "there is no such body" : "shape is NULL");
  }
  char whose[NSD_LABEL_LENGTH], who[2 * NSD_LABEL_LENGTH];
  (void)nsd_world_whose(world, body, whose);
  snprintf(who, sizeof who, "shape %d on %s", (int)world->shapes.count, whose);
  status = NSD_SIZED_READ(nsdyn_attachment, &own, NSD_ATTACHMENT_LEAST, attachment, &world->fault);
  status = status ? status : check_attachment(world, who, &own);
  if (status) {
    return status;
  }
  status = nsd_list_room(world->ctx, &world->shapes);
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no room for %s", who);
  }
  nsd_attached *attached = nsd_world_shape(world, world->shapes.count);
  const nsd_attached fresh = {.shape = nsd_shape_hold(shape), .on = own, .body = body};
  *attached = fresh;
  if (body != NSDYN_GROUND) {
    add_mass(nsd_world_body(world, body), shape, &own);
  }
  if (number) {
    *number = world->shapes.count;
  }
  world->shapes.count++;
  return NSDYN_OK;
}

/* ---- masses ---- */

static nsdyn_status weigh(nsdyn_world *world, int32_t i)
{
  nsd_body *body = nsd_world_body(world, i);
  const nsdyn_body_def *def = &body->def;
  const double shapes = body->area_mass;
  char who[NSD_LABEL_LENGTH];
  body->mass = isnan(def->mass) ? shapes : def->mass;
  for (int k = 0; k < 2; k++) {
    body->centre[k] = !isnan(def->centre[k]) ? def->centre[k] : body->area_centre[k];
  }
  /* About the shapes' own centre, in the ratio of masses, and from there to the centre of mass. */
  body->inertia = !isnan(def->inertia) ? def->inertia : 0.0;
  if (isnan(def->inertia) && shapes > 0.0) {
    const double dx = body->area_centre[0] - body->centre[0], dy = body->area_centre[1] - body->centre[1];
    body->inertia = body->mass / shapes * body->area_inertia + body->mass * (dx * dx + dy * dy);
  }
  if (!(body->mass > 0.0 && body->mass <= NSD_SHAPE_LARGEST)) {
    return nsd_world_refuse(world, nsd_world_whose(world, i, who), "mass", body->mass,
                            "> 0: give it one, or a shape with an area and a density");
  }
  if (!(body->inertia > 0.0 && body->inertia <= NSD_SHAPE_LARGEST)) {
    return nsd_world_refuse(world, nsd_world_whose(world, i, who), "moment of inertia", body->inertia,
                            "> 0: give it one, or a shape with an area and a density");
  }
  return nsd_world_numbers(world, nsd_world_whose(world, i, who), "centre of mass", 2, body->centre);
}

nsdyn_status nsd_world_weigh(nsdyn_world *world)
{
  world->free_bodies = 0;
  for (int32_t i = 0; i < world->bodies.count; i++) {
    nsd_body *body = nsd_world_body(world, i);
    if (body->def.kind == NSDYN_BODY_FREE) {
      const nsdyn_status status = weigh(world, i);
      if (status) {
        return status;
      }
      body->first = world->free_bodies;
      world->free_bodies++;
    }
  }
  return NSDYN_OK;
}
