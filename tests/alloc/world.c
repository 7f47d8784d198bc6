/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Worlds that are built, and ever more stones of one that come to touch each other. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"

enum { STAGES = 3, STONES = 4, MATERIALS = 3 };

typedef struct scene {
  nsdyn_world *world;
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
} scene;

static nsdyn_status attach(nsdyn_context *ctx, nsdyn_world *world, int32_t body, int32_t material, int kind)
{
  static const double square[] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5},
                      floor[] = {99.0, 0.0, -99.0, 0.0};
  nsdyn_shape_def def;
  nsdyn_attachment on;
  nsdyn_shape *shape = NULL;
  nsdyn_shape_def_init(&def, sizeof def);
  nsdyn_attachment_init(&on, sizeof on);
  def.kind = kind;
  def.count = kind == NSDYN_SHAPE_POLYGON ? 4 : 2;
  def.points = kind == NSDYN_SHAPE_POLYGON ? square : floor;
  on.material = material;
  nsdyn_status status = nsdyn_shape_new(ctx, &def, &shape, NULL);
  status = status ? status : nsdyn_world_attach(world, body, shape, &on, NULL);
  nsdyn_shape_free(shape);
  return status;
}

static nsdyn_status fill(nsdyn_context *ctx, nsdyn_world *world)
{
  nsdyn_contact_law law;
  nsdyn_joint_def joint;
  nsdyn_spring_def spring;
  nsdyn_contact_law_init(&law, sizeof law);
  nsdyn_joint_def_init(&joint, sizeof joint);
  nsdyn_spring_def_init(&spring, sizeof spring);
  nsdyn_status status = attach(ctx, world, NSDYN_GROUND, 0, NSDYN_SHAPE_PROFILE);
  for (int i = 1; i < MATERIALS && !status; i++) {
    status = nsdyn_world_add_material(world, &law, NULL);
    status = status ? status : nsdyn_world_set_law(world, 0, i, &law);
  }
  for (int i = 0; i < STONES && !status; i++) {
    nsdyn_body_def def;
    int32_t body;
    nsdyn_body_def_init(&def, sizeof def);
    def.pose[0] = 1.5 * i;
    def.pose[1] = 0.7;
    status = nsdyn_world_add_body(world, &def, &body);
    status = status ? status : attach(ctx, world, body, i % MATERIALS, NSDYN_SHAPE_POLYGON);
    joint.body[1] = body;
    spring.body[1] = body;
    joint.kind = NSDYN_JOINT_DISTANCE;
    joint.touch = 1;
    joint.anchor[2] = joint.anchor[3] = 0.0;
    if (!status && i % 2 == 0) {
      status = nsdyn_world_add_joint(world, &joint, NULL);
    }
    status = status ? status : nsdyn_world_add_spring(world, &spring, NULL);
    status = status || !i ? status : nsdyn_world_set_pair(world, i, i + 1, i % 2 ? &law : NULL);
  }
  return status;
}

static void drop(void *object)
{
  scene *s = object;
  nsdyn_stepper_free(s->stepper);
  nsdyn_system_free(s->sys);
  nsdyn_world_free(s->world);
  free(s);
}

static nsdyn_status make(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)def;
  scene *s = calloc(1, sizeof *s);
  *object = NULL;
  if (!s) {
    return WRONG_ANSWER;
  }
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.check = 0;
  options.start_tol = INFINITY; /* stones are put where their rods do not want them */
  nsdyn_status status = nsdyn_world_new(ctx, NULL, &s->world, NULL);
  status = status ? status : fill(ctx, s->world);
  status = status ? status : nsdyn_world_system(s->world, NULL, &s->sys, NULL);
  status = status ? status : nsdyn_stepper_new(NULL, s->sys, &options, &s->stepper, NULL);
  if (status) {
    drop(s);
    return status;
  }
  *object = s;
  return NSDYN_OK;
}

/* Ever more stones on the ground, side by side, so that each touches it and the next one. */
static nsdyn_status use(void *object, int stage)
{
  scene *s = object;
  const int low = STONES >> (STAGES - 1 - stage);
  double q[3 * STONES], u[3 * STONES];
  nsdyn_status status = nsdyn_world_begin(s->world, q, u);
  for (int i = 0; i < low; i++) {
    q[3 * i] = 1.0 * i;
    q[3 * i + 1] = 0.5;
  }
  status = status ? status : nsdyn_stepper_set_state(s->stepper, 0.0, q, u);
  for (int i = 0; i < 3 && !status; i++) {
    status = nsdyn_stepper_step(s->stepper, 1e-4);
  }
  return status ? status : nsdyn_stepper_active(s->stepper) >= low ? NSDYN_OK : WRONG_ANSWER;
}

const scenario world_moves = {.name = "world",
                              .calls = "nsdyn_world_new nsdyn_world_add_body nsdyn_world_attach "
                                       "nsdyn_world_add_material nsdyn_world_set_law nsdyn_world_set_pair "
                                       "nsdyn_world_add_joint nsdyn_world_add_spring nsdyn_world_system",
                              .stages = STAGES,
                              .make = make,
                              .use = use,
                              .drop = drop};
