/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Stones of two materials that fall on each other, some of them tied by joints and springs, by steps. */
#include "hash.h"
#include "nsdyn/nsdyn.h"

enum { STONES = 6, MOST = 8 };

static nsdyn_shape *stone(stream *from)
{
  double p[2 * MOST];
  const int count = 4 + stream_below(from, MOST - 4);
  for (int i = 0; i < count; i++) {
    /* the rational points of a circle */
    const double s = (i + 0.5) / count, t = (2.0 * s - 1.0) / (4.0 * s * (1.0 - s));
    const double r = (0.75 + 0.25 * stream_number(from)) / (1.0 + t * t);
    p[2 * i] = 0.5 * r * (1.0 - t * t);
    p[2 * i + 1] = r * t;
  }
  nsdyn_shape_def def;
  nsdyn_shape *shape = NULL;
  nsdyn_shape_def_init(&def, sizeof def);
  def.count = count;
  def.points = p;
  (void)nsdyn_shape_new(NULL, &def, &shape, NULL);
  return shape;
}

static void attach(hash *h, nsdyn_world *world, int32_t body, nsdyn_shape *shape, int32_t material)
{
  nsdyn_attachment on;
  nsdyn_attachment_init(&on, sizeof on);
  on.material = material;
  hash_int(h, nsdyn_world_attach(world, body, shape, &on, NULL));
  nsdyn_shape_free(shape);
}

static void tie(hash *h, nsdyn_world *world)
{
  nsdyn_joint_def joint;
  nsdyn_spring_def spring;
  nsdyn_joint_def_init(&joint, sizeof joint);
  nsdyn_spring_def_init(&spring, sizeof spring);
  for (int kind = 0; kind < 5; kind++) {
    joint.kind = kind;
    joint.body[0] = kind == 4 ? NSDYN_GROUND : kind;
    joint.body[1] = kind + 1;
    hash_int(h, kind % 2 == 0 ? 0 : nsdyn_world_add_joint(world, &joint, NULL));
  }
  spring.body[0] = 0;
  spring.body[1] = 3;
  spring.stiffness = 50.0;
  spring.damping = 1.0;
  hash_int(h, nsdyn_world_add_spring(world, &spring, NULL));
  spring.kind = NSDYN_SPRING_TURN;
  hash_int(h, nsdyn_world_add_spring(world, &spring, NULL));
}

static void run(hash *h, nsdyn_world *world)
{
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  double q[3 * STONES], u[3 * STONES];
  hash_int(h, nsdyn_world_system(world, NULL, &sys, NULL));
  hash_int(h, nsdyn_world_begin(world, q, u));
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.check = 0; /* unit tests have done that */
  hash_int(h, nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL));
  hash_int(h, nsdyn_stepper_set_state(stepper, 0.0, q, u));
  for (int i = 0; i < 150; i++) {
    hash_int(h, nsdyn_stepper_step(stepper, 0x1p-9));
    hash_int(h, nsdyn_stepper_active(stepper));
    hash_doubles(h, 3 * STONES, nsdyn_stepper_q(stepper));
  }
  nsdyn_world_energy energy;
  nsdyn_world_energy_init(&energy, sizeof energy);
  hash_int(h, nsdyn_world_measure(world, 0.0, nsdyn_stepper_q(stepper), nsdyn_stepper_u(stepper), &energy));
  hash_double(h, energy.kinetic);
  hash_double(h, energy.springs);
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
}

void golden_world(hash *h)
{
  static const double ground[] = {99.0, 0.0, -99.0, 0.0};
  for (int number = 0; number < 4; number++) {
    stream from = stream_begin((uint64_t)number);
    nsdyn_world *world = NULL;
    nsdyn_contact_law law;
    nsdyn_shape_def floor;
    nsdyn_shape *shape = NULL;
    nsdyn_contact_law_init(&law, sizeof law);
    nsdyn_shape_def_init(&floor, sizeof floor);
    floor.kind = NSDYN_SHAPE_PROFILE;
    floor.count = 2;
    floor.points = ground;
    law.mu = 0.4;
    hash_int(h, nsdyn_world_new(NULL, NULL, &world, NULL));
    hash_int(h, nsdyn_world_set_law(world, 0, 0, &law));
    law.mu = 0.1;
    hash_int(h, nsdyn_world_add_material(world, &law, NULL));
    hash_int(h, nsdyn_shape_new(NULL, &floor, &shape, NULL));
    attach(h, world, NSDYN_GROUND, shape, 0);
    for (int i = 0; i < STONES; i++) {
      nsdyn_body_def def;
      int32_t body = 0;
      nsdyn_body_def_init(&def, sizeof def);
      stream_fill(&from, 3, def.pose);
      stream_fill(&from, 3, def.velocity);
      const int row = i / 3, column = i % 3;
      def.pose[0] += 2.5 * column;
      def.pose[1] += 3.0 + 3.0 * row;
      hash_int(h, nsdyn_world_add_body(world, &def, &body));
      attach(h, world, body, stone(&from), i % 2);
    }
    if (number % 2) {
      tie(h, world);
    }
    run(h, world);
    nsdyn_world_free(world);
  }
}
