/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The table of callbacks: coordinates are the user's own, then x, y, φ of each free body; M is block by block
 * their M and diag(m, m, J). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "system/found_contacts.h"
#include "world/object.h"

/* ---- callbacks ---- */

static int configure(void *user, double t, const double *q)
{
  nsdyn_world *world = user;
  nsd_fault_clear(&world->fault);
  const int failed = world->own.configure ? world->own.configure(world->own.user, t, q) : 0;
  return failed ? failed : nsd_world_configure(world, t, q, NULL);
}

static int mass(void *user, double t, const double *q, double *M)
{
  const nsdyn_world *world = user;
  const nsdyn_system_def *own = &world->own;
  const int failed = own->nu ? own->mass(own->user, t, q, M) : 0;
  /* Behind the user's elements three by three of each body. */
  size_t at = world->own_elements;
  for (int32_t i = 0; i < world->bodies.count && !failed; i++) {
    const nsd_body *body = nsd_world_body(world, i);
    if (body->first >= 0) {
      M[at] = M[at + 4] = body->mass;
      M[at + 8] = body->inertia;
      at += 9;
    }
  }
  return failed;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  nsdyn_world *world = user;
  int failed = world->own.force ? world->own.force(world->own.user, t, q, u, h) : 0;
  for (int32_t i = 0; i < world->bodies.count; i++) {
    const nsd_body *body = nsd_world_body(world, i);
    if (body->first >= 0) {
      double *at = h + world->own.nu + 3 * (ptrdiff_t)body->first;
      at[0] += body->mass * world->options.gravity[0];
      at[1] += body->mass * world->options.gravity[1];
    }
  }
  if (!failed && world->springs.count) {
    failed = nsd_world_configure(world, t, q, u);
    failed = failed ? failed : nsd_springs_push(world, h);
  }
  return failed;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const nsdyn_system_def *own = &((const nsdyn_world *)user)->own;
  return own->gap(own->user, t, q, g);
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const nsdyn_system_def *own = &((const nsdyn_world *)user)->own;
  return own->direction(own->user, t, q, i, W, w_hat);
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const nsdyn_system_def *own = &((const nsdyn_world *)user)->own;
  return own->bias(own->user, t, q, u, i, w_bar);
}

/* Contacts of the user's own, whose keys are negative: the others are the world's. */
static int find_own(nsdyn_world *world, double t, const double *q, const double *u, double margin,
                    nsdyn_contact_sink *sink)
{
  const int failed = world->own.find(world->own.user, t, q, u, margin, sink);
  for (int32_t i = 0; i < sink->count && !failed && !sink->status; i++) {
    if (sink->found[i].key >= 0) {
      char message[NSD_LABEL_LENGTH];
      snprintf(message, sizeof message, "own contact with key %" PRId64 ": it must be negative",
               sink->found[i].key);
      return nsd_sink_fail(sink, NSDYN_ERR_ARGUMENT, message);
    }
  }
  return failed ? failed : sink->status ? -1 : 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  nsdyn_world *world = user;
  nsd_fault_clear(&world->fault);
  int failed = world->own.find ? find_own(world, t, q, u, margin, sink) : 0;
  if (failed) {
    return failed;
  }
  /* What bodies' accelerations have without u̇ depends on u. */
  failed = nsd_world_configure(world, t, q, u);
  if (failed && world->fault.status) {
    (void)nsd_sink_fail(sink, world->fault.status, world->fault.message);
    if (world->fault.detail.kind == NSDYN_DETAIL_CALLBACK) {
      sink->fault->detail = world->fault.detail; /* programs ask for what a body's callback returned */
    }
  }
  return failed ? failed : nsd_contacts_find(world, u, margin, sink);
}

static int constraint(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  nsdyn_world *world = user;
  const nsdyn_system_def *own = &world->own;
  const size_t mine = (size_t)own->nconstraints;
  const int failed = mine ? own->constraint(own->user, t, q, g, W, w_hat) : 0;
  return failed ? failed
                : nsd_joints_constrain(world, t, g + mine, W + mine * (size_t)world->nu, w_hat + mine);
}

static int constraint_bias(void *user, double t, const double *q, const double *u, double *w_bar)
{
  nsdyn_world *world = user;
  const nsdyn_system_def *own = &world->own;
  int failed = own->nconstraints ? own->constraint_bias(own->user, t, q, u, w_bar) : 0;
  failed = failed ? failed : nsd_world_configure(world, t, q, u);
  return failed ? failed : nsd_joints_bias(world, t, w_bar + own->nconstraints);
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  const nsdyn_world *world = user;
  const nsdyn_system_def *own = &world->own;
  const int failed = own->kinematics(own->user, t, q, u, qdot);
  for (int32_t j = 0; j < 3 * world->free_bodies; j++) {
    qdot[own->nq + j] = u[own->nu + j];
  }
  return failed;
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  const nsdyn_world *world = user;
  const nsdyn_system_def *own = &world->own;
  const int failed = own->retract(own->user, t, q, u, dt, q_new);
  for (int32_t j = 0; j < 3 * world->free_bodies; j++) {
    q_new[own->nq + j] = q[own->nq + j] + dt * u[own->nu + j];
  }
  return failed;
}

static void destroy(void *user)
{
  nsdyn_world *world = user;
  if (world->own.destroy_user) {
    world->own.destroy_user(world->own.user);
  }
  nsdyn_world_free(world);
}

/* ---- the system ---- */

static nsdyn_status refuse_own(nsdyn_world *world, nsdyn_status status, const char *why)
{
  return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_world_system: %s", why);
}

/* Reads the user's part, which is checked as a system of its own would be. */
static nsdyn_status read_own(nsdyn_world *world, const nsdyn_system_def *given)
{
  nsdyn_system_def *own = &world->own;
  if (!given) {
    nsdyn_system_def_init(own, sizeof *own);
    world->own_elements = 0;
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_system_def_read(own, given, &world->fault);
  if (status) {
    return status;
  }
  if (own->solve_mass) {
    return refuse_own(world, NSDYN_ERR_UNSUPPORTED, "the own part has to bring M: no solve_mass");
  }
  world->own_elements = own->nblocks ? 0 : (size_t)own->nu * (size_t)own->nu;
  for (int32_t b = 0; b < own->nblocks; b++) {
    world->own_elements += (size_t)own->block[b] * (size_t)own->block[b];
  }
  return NSDYN_OK;
}

static void fill_table(nsdyn_world *world, nsdyn_system_def *def)
{
  const nsdyn_system_def *own = &world->own;
  nsdyn_system_def_init(def, sizeof *def);
  def->nq = world->nq;
  def->nu = world->nu;
  def->ncontacts = own->ncontacts;
  def->nconstraints = own->nconstraints + world->constraints;
  def->flags = (own->nu ? own->flags & NSDYN_CONSTANT_MASS : NSDYN_CONSTANT_MASS) |
               (own->flags & NSDYN_CONSTANT_DIRECTIONS);
  def->user = world;
  def->destroy_user = destroy;
  def->configure = configure;
  def->mass = mass;
  def->force = force;
  def->gap = own->gap ? gap : NULL;
  def->direction = own->direction ? direction : NULL;
  def->bias = own->bias ? bias : NULL;
  def->find = world->shapes.count > 1 || own->find ? find : NULL;
  if (def->nconstraints) {
    def->constraint = constraint;
    /* One of the user's constraints that does not know its w̄ has all of them differenced. */
    def->constraint_bias = own->nconstraints && !own->constraint_bias ? NULL : constraint_bias;
  }
  def->kinematics = own->kinematics ? kinematics : NULL;
  def->retract = own->retract ? retract : NULL;
}

/* Sizes of the blocks of M: the user's, and three for each body. */
static int32_t fill_blocks(const nsdyn_world *world, int32_t *block)
{
  const nsdyn_system_def *own = &world->own;
  int32_t count = 0;
  for (int32_t b = 0; b < own->nblocks; b++) {
    block[count++] = own->block[b];
  }
  if (!own->nblocks && own->nu) {
    block[count++] = own->nu;
  }
  for (int32_t i = 0; i < world->free_bodies; i++) {
    block[count++] = 3;
  }
  return count;
}

static nsdyn_status make_system(nsdyn_world *world, nsdyn_system **out)
{
  const size_t most = (size_t)world->own.nblocks + 1 + (size_t)world->free_bodies;
  nsdyn_system_def def;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  fill_table(world, &def);
  int32_t *block = nsd_allocate(world->ctx, most, sizeof *block);
  if (!block) {
    return refuse_own(world, NSDYN_ERR_NOMEM, "no memory for the blocks of M");
  }
  def.nblocks = fill_blocks(world, block);
  def.block = block;
  nsdyn_status status = nsdyn_system_new(world->ctx, &def, out, &error);
  nsd_release(world->ctx, block, most, sizeof *block);
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "%s", error.message);
  }
  /* Held from here on: freeing the system lets go of the world. */
  atomic_fetch_add_explicit(&world->holders, 1, memory_order_relaxed);
  world->own.block = NULL; /* the caller's; the system has its own */
  return NSDYN_OK;
}

/* Room for what callbacks share; what was made before a failure is freed. */
static nsdyn_status make_room(nsdyn_world *world)
{
  const size_t materials = (size_t)world->materials.count, bodies = (size_t)world->bodies.count + 1;
  world->law = world->law ? world->law : nsd_allocate(world->ctx, materials * materials, sizeof *world->law);
  world->motion = world->motion ? world->motion : nsd_allocate(world->ctx, bodies, sizeof *world->motion);
  if (!world->law || !world->motion) {
    return refuse_own(world, NSDYN_ERR_NOMEM, "no memory for laws and motions");
  }
  memset(world->motion, 0, bodies * sizeof *world->motion);
  (void)nsd_world_move(world, NSDYN_GROUND, 0.0, NULL, NULL, nsd_world_motion(world, NSDYN_GROUND), NULL);
  return NSDYN_OK;
}

/* What a failed attempt leaves is as before it: bodies may be added again. */
static void take_back(nsdyn_world *world)
{
  const size_t materials = (size_t)world->materials.count;
  nsd_release(world->ctx, world->law, materials * materials, sizeof *world->law);
  nsd_release(world->ctx, world->motion, (size_t)world->bodies.count + 1, sizeof *world->motion);
  nsdyn_broad_phase_free(world->broad);
  nsdyn_detector_free(world->detector);
  world->law = NULL;
  world->motion = NULL;
  world->broad = NULL;
  world->detector = NULL;
  memset(&world->own, 0, sizeof world->own);
}

static nsdyn_status build(nsdyn_world *world, const nsdyn_system_def *own, nsdyn_system **out)
{
  /* 1. The user's part; masses of bodies, and where their coordinates are. */
  nsdyn_status status = read_own(world, own);
  status = status ? status : nsd_world_weigh(world);
  if (status) {
    return status;
  }
  if (world->own.nq > INT32_MAX / 2 || world->own.nu > INT32_MAX / 2) {
    return refuse_own(world, NSDYN_ERR_TOO_LARGE, "too many coordinates");
  }
  if (world->own.nconstraints > INT32_MAX - world->constraints) {
    return refuse_own(world, NSDYN_ERR_TOO_LARGE, "too many constraints");
  }
  world->nq = world->own.nq + 3 * world->free_bodies;
  world->nu = world->own.nu + 3 * world->free_bodies;
  /* 2. What callbacks share; shapes that stand still. */
  status = make_room(world);
  status = status ? status : nsd_contacts_prepare(world);
  /* 3. The table, and its laws. */
  status = status ? status : make_system(world, out);
  if (!status && *out) {
    status = nsd_world_legislate(world, *out);
    if (status) {
      world->own.destroy_user = NULL; /* not called after a failure */
      nsdyn_system_free(*out);
      *out = NULL;
    }
  }
  return status;
}

nsdyn_status nsdyn_world_system(nsdyn_world *world, const nsdyn_system_def *own, nsdyn_system **out,
                                nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_world_system", 2);
  if (!out) {
    return nsd_error_end(error, &fault, status);
  }
  *out = NULL;
  if (!status && !world) {
    status = nsd_fault_set(&fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 0,
                           "nsdyn_world_system: world is NULL");
  }
  if (!status && world) {
    status = nsd_world_open(world);
    status = status ? status : build(world, own, out);
    fault = world->fault;
    if (!status) {
      world->has_system = 1;
    } else if (!world->has_system) {
      take_back(world);
    }
  }
  return nsd_error_end(error, &fault, status);
}
