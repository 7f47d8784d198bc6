/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a world tells of itself and of a state: numbers of coordinates, masses, places, energies, and the way
 * from joints to the system's constraints. */
#include <string.h>

#include "world/object.h"

/* Whether there is a free body of that number, in a world that has its system. */
static int is_free(const nsdyn_world *world, int32_t body)
{
  return world && world->has_system && body >= 0 && body < world->bodies.count &&
         nsd_world_body(world, body)->first >= 0;
}

nsdyn_status nsdyn_world_sizes(const nsdyn_world *world, int32_t *nq, int32_t *nu)
{
  if (!world || !world->has_system) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (nq) {
    *nq = world->nq;
  }
  if (nu) {
    *nu = world->nu;
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_world_place(const nsdyn_world *world, int32_t body, int32_t *in_q, int32_t *in_u)
{
  if (!is_free(world, body)) {
    return NSDYN_ERR_ARGUMENT;
  }
  /* Three for each free body, behind the user's own. */
  const int32_t first = 3 * nsd_world_body(world, body)->first;
  if (in_q) {
    *in_q = world->own.nq + first;
  }
  if (in_u) {
    *in_u = world->own.nu + first;
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_world_mass(const nsdyn_world *world, int32_t body, double *mass, double *inertia,
                              double *centre)
{
  if (!is_free(world, body)) {
    return NSDYN_ERR_ARGUMENT;
  }
  const nsd_body *own = nsd_world_body(world, body);
  if (mass) {
    *mass = own->mass;
  }
  if (inertia) {
    *inertia = own->inertia;
  }
  if (centre) {
    memcpy(centre, own->centre, sizeof own->centre);
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_world_begin(const nsdyn_world *world, double *q, double *u)
{
  if (!world || !world->has_system) {
    return NSDYN_ERR_ARGUMENT;
  }
  for (int32_t i = 0; i < world->bodies.count; i++) {
    const nsd_body *body = nsd_world_body(world, i);
    const nsdyn_body_def *def = &body->def;
    if (body->first < 0) {
      continue;
    }
    /* The centre of mass from the frame's origin: r + R c, and v + ω × R c. */
    const nsd_frame frame = nsd_frame_of(def->pose);
    double arm[2];
    nsd_frame_turn(&frame, body->centre, arm);
    if (q) {
      double *own = q + world->own.nq + 3 * (ptrdiff_t)body->first;
      own[0] = def->pose[0] + arm[0];
      own[1] = def->pose[1] + arm[1];
      own[2] = def->pose[2];
    }
    if (u) {
      double *own = u + world->own.nu + 3 * (ptrdiff_t)body->first;
      own[0] = def->velocity[0] - def->velocity[2] * arm[1];
      own[1] = def->velocity[1] + def->velocity[2] * arm[0];
      own[2] = def->velocity[2];
    }
  }
  return NSDYN_OK;
}

/* The status of a body's callback that failed. */
static nsdyn_status status_of(int failed, const nsd_fault *fault)
{
  return !failed ? NSDYN_OK : fault->status ? fault->status : NSDYN_ERR_CALLBACK;
}

nsdyn_status nsdyn_world_pose(const nsdyn_world *world, int32_t body, double t, const double *q,
                              const double *u, double *pose, double *velocity)
{
  if (!world || !world->has_system || !nsd_world_has_body(world, body) || (!q && world->nq) ||
      (velocity && !u && world->nu)) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_motion motion;
  nsd_fault fault;
  nsd_fault_clear(&fault);
  const int failed = nsd_world_move(world, body, t, q, velocity ? u : NULL, &motion, &fault);
  if (failed) {
    return status_of(failed, &fault);
  }
  /* From the place that moves, a free body's centre of mass, to the frame's origin: r + R s, v + ω × R s. */
  const double origin[2] = {0.0, 0.0};
  double arm[2];
  nsd_world_arm(world, body, &motion, origin, arm);
  for (int k = 0; k < 3 && pose; k++) {
    pose[k] = motion.pose[k] + (k < 2 ? arm[k] : 0.0);
  }
  if (velocity) {
    velocity[0] = motion.v[0] - motion.v[2] * arm[1];
    velocity[1] = motion.v[1] + motion.v[2] * arm[0];
    velocity[2] = motion.v[2];
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_world_energy_init(nsdyn_world_energy *energy, size_t size)
{
  return nsd_sized_init(energy, size, NSD_WORLD_ENERGY_LEAST, NULL, sizeof *energy);
}

nsdyn_status nsdyn_world_measure(const nsdyn_world *world, double t, const double *q, const double *u,
                                 nsdyn_world_energy *energy)
{
  if (!world || !world->has_system || !energy || (world->nq && !q) || (world->nu && !u)) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_world_energy own = {.size = sizeof own};
  nsd_fault fault;
  nsd_fault_clear(&fault);
  /* T = ½ m v² + ½ J ω² and V = −m g · r of free bodies; those of posed ones are the user's. */
  for (int32_t i = 0; i < world->bodies.count; i++) {
    const nsd_body *body = nsd_world_body(world, i);
    if (body->first >= 0) {
      const double *r = q + world->own.nq + 3 * (ptrdiff_t)body->first;
      const double *v = u + world->own.nu + 3 * (ptrdiff_t)body->first, *g = world->options.gravity;
      own.kinetic += 0.5 * body->mass * (v[0] * v[0] + v[1] * v[1]) + 0.5 * body->inertia * v[2] * v[2];
      own.gravity -= body->mass * (g[0] * r[0] + g[1] * r[1]);
    }
  }
  /* ½ k (l − l₀)² between the places of two bodies, whatever moves these. */
  for (int32_t i = 0; i < world->springs.count; i++) {
    const nsd_spring *spring = nsd_world_spring(world, i);
    nsd_motion motion[2];
    for (int k = 0; k < 2; k++) {
      const int failed = nsd_world_move(world, spring->def.body[k], t, q, u, &motion[k], &fault);
      if (failed) {
        return status_of(failed, &fault);
      }
    }
    own.springs += nsd_spring_energy(world, spring, &motion[0], &motion[1]);
  }
  return nsd_sized_write(energy, NSD_WORLD_ENERGY_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_world_constraints(const nsdyn_world *world, int32_t joint, int32_t *first, int32_t *count)
{
  if (!world || !world->has_system || joint < 0 || joint >= world->joints.count) {
    return NSDYN_ERR_ARGUMENT;
  }
  /* The user's own constraints come first. */
  const nsd_joint *own = nsd_world_joint(world, joint);
  if (first) {
    *first = world->own.nconstraints + own->first;
  }
  if (count) {
    *count = own->rows;
  }
  return NSDYN_OK;
}
