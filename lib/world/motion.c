/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/number.h"
#include "base/sin_cos.h"
#include "world/object.h"

static const nsd_motion at_rest = {.e = {1.0, 0.0}, .first = -1, .has_bias = 1};

/* What a callback of a body left behind: its code, or −1 where it wrote what is no number. */
static int judge(const nsdyn_world *world, int32_t body, const char *name, int code, const nsd_motion *motion,
                 nsd_fault *fault)
{
  char who[NSD_LABEL_LENGTH], text[NSD_NUMBER_LENGTH];
  if (code) {
    (void)nsd_fault_set(fault, code > 0 ? NSDYN_ERR_CALLBACK_RETRY : NSDYN_ERR_CALLBACK,
                        NSDYN_DETAIL_CALLBACK, code, "%s: callback %s returned %d",
                        nsd_world_whose(world, body, who), name, code);
    return code;
  }
  const double *const given[] = {motion->pose, motion->rate, motion->bias};
  static const char *const what[] = {"pose", "rate", "bias"};
  for (int k = 0; k < 9; k++) {
    const double x = given[k / 3][k % 3];
    if (!(fabs(x) <= NSD_SHAPE_LARGEST)) {
      (void)nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1, "%s: callback %s: %s is %s",
                          nsd_world_whose(world, body, who), name, what[k / 3], nsd_number_text(x, text));
      return -1;
    }
  }
  return 0;
}

/* A body that coordinates of the user's place: pose, J, rate and bias of its frame. */
static int move_posed(const nsdyn_world *world, int32_t i, double t, const double *q, const double *u,
                      nsd_motion *motion, nsd_fault *fault)
{
  const nsdyn_body_def *def = &nsd_world_body(world, i)->def;
  nsdyn_placed placed, own;
  nsdyn_placed_init(&placed, sizeof placed);
  const int code = def->place(def->user, t, q, u, &placed);
  placed.size = sizeof placed;
  own = placed;
  memcpy(motion->pose, own.pose, sizeof own.pose);
  memcpy(motion->rate, own.rate, sizeof own.rate);
  memcpy(motion->bias, own.bias, sizeof own.bias);
  motion->first = own.first;
  motion->blocks = own.blocks;
  motion->block = own.block;
  motion->has_bias = own.has_bias;
  if (!u) {
    memset(motion->bias, 0, sizeof motion->bias); /* only meant with velocities */
  }
  const int failed = judge(world, i, "place", code, motion, fault);
  if (failed) {
    return failed;
  }
  /* J may only speak of velocities that there are. */
  int wrong = own.first < -1 || own.first > world->nu - 3 || own.blocks < 0 || (own.blocks && !own.block);
  for (int32_t b = 0; b < own.blocks && !wrong; b++) {
    const nsdyn_contact_block *block = &own.block[b];
    wrong = block->count < 0 || block->offset < 0 || block->offset > world->nu - block->count ||
            (block->count && !block->values);
  }
  if (wrong) {
    char who[NSD_LABEL_LENGTH];
    (void)nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                        "%s: callback place: its Jacobian lies outside the %d velocities",
                        nsd_world_whose(world, i, who), (int)world->nu);
    return -1;
  }
  return 0;
}

int nsd_world_move(const nsdyn_world *world, int32_t i, double t, const double *q, const double *u,
                   nsd_motion *motion, nsd_fault *fault)
{
  *motion = at_rest;
  if (i == NSDYN_GROUND) {
    return 0;
  }
  const nsd_body *body = nsd_world_body(world, i);
  const nsdyn_body_def *def = &body->def;
  int failed = 0;
  if (def->kind == NSDYN_BODY_FREE) {
    /* r of the centre of mass and φ are coordinates: J is the identity. */
    memcpy(motion->pose, q + world->own.nq + 3 * (ptrdiff_t)body->first, sizeof motion->pose);
    motion->first = world->own.nu + 3 * body->first;
  } else if (def->kind == NSDYN_BODY_FIXED) {
    memcpy(motion->pose, def->pose, sizeof motion->pose);
  } else if (def->kind == NSDYN_BODY_DRIVEN) {
    const int code = def->motion(def->user, t, motion->pose, motion->rate, motion->bias);
    failed = judge(world, i, "motion", code, motion, fault);
  } else {
    failed = move_posed(world, i, t, q, u, motion, fault);
  }
  if (failed) {
    return failed;
  }
  nsd_sin_cos(motion->pose[2], motion->e);
  nsd_motion_velocity(motion, u, motion->v);
  return 0;
}

void nsd_motion_velocity(const nsd_motion *motion, const double *u, double *v)
{
  memcpy(v, motion->rate, sizeof motion->rate);
  for (int k = 0; k < 3 && u && motion->first >= 0; k++) {
    v[k] += u[motion->first + k];
  }
  for (int32_t b = 0; b < motion->blocks && u; b++) {
    const nsdyn_contact_block *block = &motion->block[b];
    for (int k = 0; k < 3; k++) {
      for (int32_t j = 0; j < block->count; j++) {
        v[k] += block->values[(size_t)k * (size_t)block->count + (size_t)j] * u[block->offset + j];
      }
    }
  }
}

int nsd_world_configure(nsdyn_world *world, double t, const double *q, const double *u)
{
  for (int32_t i = 0; i < world->bodies.count; i++) {
    const int failed = nsd_world_move(world, i, t, q, u, &world->motion[i], &world->fault);
    if (failed) {
      return failed;
    }
  }
  return 0;
}

void nsd_world_arm(const nsdyn_world *world, int32_t i, const nsd_motion *motion, const double *point,
                   double *arm)
{
  const double *centre = i == NSDYN_GROUND ? NULL : nsd_world_body(world, i)->centre;
  const double x = point[0] - (centre ? centre[0] : 0.0), y = point[1] - (centre ? centre[1] : 0.0);
  arm[0] = motion->e[0] * x - motion->e[1] * y;
  arm[1] = motion->e[1] * x + motion->e[0] * y;
}

void nsd_motion_add(const nsd_motion *motion, const double *c, double *w)
{
  for (int k = 0; k < 3 && motion->first >= 0; k++) {
    w[motion->first + k] += c[k];
  }
  for (int32_t b = 0; b < motion->blocks; b++) {
    const nsdyn_contact_block *block = &motion->block[b];
    for (int32_t j = 0; j < block->count; j++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++) {
        sum += block->values[(size_t)k * (size_t)block->count + (size_t)j] * c[k];
      }
      w[block->offset + j] += sum;
    }
  }
}
