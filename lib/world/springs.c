/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "world/object.h"

nsdyn_status nsdyn_spring_def_init(nsdyn_spring_def *def, size_t size)
{
  const nsdyn_spring_def defaults = {
      .size = sizeof defaults, .body = {NSDYN_GROUND, NSDYN_GROUND}, .rest = NAN};
  return nsd_sized_init(def, size, NSD_SPRING_DEF_LEAST, &defaults, sizeof defaults);
}

static nsdyn_status check_spring(nsdyn_world *world, const char *who, nsdyn_spring_def *def)
{
  if (def->kind != NSDYN_SPRING_LINE && def->kind != NSDYN_SPRING_TURN) {
    return nsd_world_refuse(world, who, "kind", def->kind, "a nsdyn_spring_kind");
  }
  if (def->reserved != 0) {
    return nsd_world_refuse(world, who, "reserved", def->reserved, "0");
  }
  const double numbers[] = {def->stiffness, def->damping};
  for (int k = 0; k < 2; k++) {
    if (!(numbers[k] >= 0.0 && numbers[k] <= NSD_SHAPE_LARGEST)) {
      return nsd_world_refuse(world, who, k ? "damping" : "stiffness", numbers[k], "in [0, 2^480]");
    }
  }
  nsdyn_status status = nsd_world_numbers(world, who, "anchor", 4, def->anchor);
  status = status ? status : nsd_world_tie(world, who, def->body, def->anchor, &def->rest, def->kind);
  if (!status && def->kind == NSDYN_SPRING_LINE && def->rest < 0.0) {
    status = nsd_world_refuse(world, who, "rest", def->rest, "a length >= 0");
  }
  return status;
}

nsdyn_status nsdyn_world_add_spring(nsdyn_world *world, const nsdyn_spring_def *def, int32_t *number)
{
  nsdyn_spring_def own;
  char who[NSD_LABEL_LENGTH], name[NSD_NAME_LENGTH];
  nsdyn_status status = nsd_world_open(world);
  status = status ? status : NSD_SIZED_READ(nsdyn_spring_def, &own, NSD_SPRING_DEF_LEAST, def, &world->fault);
  if (status) {
    return status;
  }
  nsd_name_copy(name, own.name);
  status = check_spring(world, nsd_label_text("spring", world->springs.count, name, who), &own);
  if (status) {
    return status;
  }
  status = nsd_list_room(world->ctx, &world->springs);
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no room for %s", who);
  }
  nsd_spring *spring = nsd_world_spring(world, world->springs.count);
  const nsd_spring fresh = {.def = own};
  *spring = fresh;
  spring->def.name = NULL; /* the caller's */
  memcpy(spring->name, name, sizeof name);
  if (number) {
    *number = world->springs.count;
  }
  world->springs.count++;
  return NSDYN_OK;
}

/* ---- forces ---- */

/* How a spring stands: what acts on (x, y, φ) of both bodies per unit of its force, its length or angle, and
 * how fast that grows. */
typedef struct stretch {
  double c[2][3], length, rate;
} stretch;

static void measure(const nsdyn_world *world, const nsdyn_spring_def *def, const nsd_motion *const *body,
                    stretch *s)
{
  const stretch empty = {.length = 0.0};
  *s = empty;
  if (def->kind == NSDYN_SPRING_TURN) {
    s->length = body[1]->pose[2] - body[0]->pose[2];
    s->c[0][2] = -1.0;
    s->c[1][2] = 1.0;
  } else {
    double arm[2][2], d[2];
    for (int k = 0; k < 2; k++) {
      nsd_world_arm(world, def->body[k], body[k], def->anchor + 2 * (ptrdiff_t)k, arm[k]);
    }
    for (int k = 0; k < 2; k++) {
      d[k] = body[1]->pose[k] - body[0]->pose[k] + (arm[1][k] - arm[0][k]);
    }
    s->length = sqrt(d[0] * d[0] + d[1] * d[1]);
    /* Where the anchors meet, the force has no direction: none acts. */
    for (int k = 0; k < 2 && s->length > 0.0; k++) {
      const double sign = k ? 1.0 : -1.0, n[2] = {d[0] / s->length, d[1] / s->length};
      s->c[k][0] = sign * n[0];
      s->c[k][1] = sign * n[1];
      s->c[k][2] = sign * (arm[k][0] * n[1] - arm[k][1] * n[0]);
    }
  }
  s->rate = nsd_motion_dot(s->c[0], body[0]->v) + nsd_motion_dot(s->c[1], body[1]->v);
}

int nsd_springs_push(nsdyn_world *world, double *h)
{
  for (int32_t i = 0; i < world->springs.count; i++) {
    const nsdyn_spring_def *def = &nsd_world_spring(world, i)->def;
    const nsd_motion *const body[2] = {nsd_world_motion(world, def->body[0]),
                                       nsd_world_motion(world, def->body[1])};
    stretch s;
    measure(world, def, body, &s);
    const double force = -def->stiffness * (s.length - def->rest) - def->damping * s.rate;
    for (int k = 0; k < 2; k++) {
      const double c[3] = {force * s.c[k][0], force * s.c[k][1], force * s.c[k][2]};
      nsd_motion_add(body[k], c, h);
    }
  }
  return 0;
}

double nsd_spring_energy(const nsdyn_world *world, const nsd_spring *spring, const nsd_motion *a,
                         const nsd_motion *b)
{
  const nsd_motion *const body[2] = {a, b};
  stretch s;
  measure(world, &spring->def, body, &s);
  const double longer = s.length - spring->def.rest;
  return 0.5 * spring->def.stiffness * longer * longer;
}
