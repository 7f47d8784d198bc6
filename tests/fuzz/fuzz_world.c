/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any bodies, shapes, joints and springs as a world: what is refused leaves a line that says why, and the
 * system of what is taken moves by steps and events, with numbers that are some. */
#include <math.h>

#include "nsdyn/event.h"
#include "nsdyn/stepper.h"
#include "nsdyn/world.h"
#include "target.h"

enum { BODIES = 5, POINTS = 8, COORDINATES = 3 * BODIES };

/* A number of moderate size; seldom any at all. */
static double read_number(reader *from)
{
  uint8_t byte;
  read_bytes(from, &byte, 1);
  return byte == 255 ? read_double(from) : (double)(byte - 127) / 32.0;
}

/* A default now and then. */
static void read_numbers(reader *from, double *x, int count)
{
  for (int i = 0; i < count; i++) {
    x[i] = read_below(from, 3) ? read_number(from) : x[i];
  }
}

static void is_told(const nsdyn_world *world, nsdyn_status status)
{
  REQUIRE((status == NSDYN_OK) == (nsdyn_world_message(world)[0] == 0));
}

static int drive(void *user, double t, double *value)
{
  (void)user;
  value[0] = 0.1 * t;
  value[1] = 0.1;
  return 0;
}

static int swing(void *user, double t, double *pose, double *rate, double *acceleration)
{
  (void)user;
  pose[0] = 3.0 - t;
  rate[0] = -1.0;
  acceleration[0] = 0.0;
  return 0;
}

static void read_shape(reader *from, nsdyn_world *world, int32_t body)
{
  double p[2 * POINTS];
  nsdyn_shape_def def;
  nsdyn_attachment on;
  nsdyn_shape *shape = NULL;
  nsdyn_shape_def_init(&def, sizeof def);
  nsdyn_attachment_init(&on, sizeof on);
  def.kind = read_below(from, 5);
  def.side = read_below(from, 2);
  def.count = 1 + read_below(from, POINTS);
  def.radius = read_below(from, 2) ? 0.0 : read_number(from);
  def.points = p;
  for (int i = 0; i < 2 * POINTS; i++) {
    p[i] = read_number(from);
  }
  read_numbers(from, on.pose, 3);
  read_numbers(from, &on.density, 1);
  on.material = read_below(from, 3);
  if (nsdyn_shape_new(NULL, &def, &shape, NULL) == NSDYN_OK) {
    is_told(world, nsdyn_world_attach(world, body, shape, &on, NULL));
  }
  nsdyn_shape_free(shape);
}

static void read_body(reader *from, nsdyn_world *world)
{
  nsdyn_body_def def;
  nsdyn_body_def_init(&def, sizeof def);
  def.kind = read_below(from, 3);
  def.motion = swing;
  read_numbers(from, def.pose, 3);
  read_numbers(from, def.velocity, 3);
  read_numbers(from, &def.mass, 1);
  read_numbers(from, &def.inertia, 1);
  is_told(world, nsdyn_world_add_body(world, &def, NULL));
}

static void read_tie(reader *from, nsdyn_world *world)
{
  nsdyn_joint_def joint;
  nsdyn_spring_def spring;
  nsdyn_joint_def_init(&joint, sizeof joint);
  nsdyn_spring_def_init(&spring, sizeof spring);
  joint.kind = read_below(from, 6);
  spring.kind = read_below(from, 2);
  for (int k = 0; k < 2; k++) {
    joint.body[k] = spring.body[k] = read_below(from, BODIES + 1) - 1;
  }
  joint.touch = read_below(from, 2);
  joint.drive = read_below(from, 3) ? NULL : drive;
  read_numbers(from, joint.anchor, 4);
  read_numbers(from, joint.axis, 2);
  read_numbers(from, &joint.rest, 1);
  read_numbers(from, spring.anchor, 4);
  read_numbers(from, &spring.stiffness, 1);
  read_numbers(from, &spring.damping, 1);
  read_numbers(from, &spring.rest, 1);
  is_told(world, read_below(from, 2) ? nsdyn_world_add_joint(world, &joint, NULL)
                                     : nsdyn_world_add_spring(world, &spring, NULL));
}

static void read_material(reader *from, nsdyn_world *world)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  read_numbers(from, &law.mu, 1);
  read_numbers(from, &law.eps_n, 1);
  is_told(world, nsdyn_world_add_material(world, &law, NULL));
  is_told(world, nsdyn_world_set_law(world, 0, read_below(from, 3), &law));
}

static void is_finite(const double *x, int32_t count)
{
  for (int32_t i = 0; i < count; i++) {
    REQUIRE(isfinite(x[i]));
  }
}

static void move(nsdyn_system *sys, const nsdyn_world *world)
{
  double q[COORDINATES], u[COORDINATES];
  int32_t nq, nu;
  REQUIRE(nsdyn_world_sizes(world, &nq, &nu) == NSDYN_OK && nq == nu && nq <= COORDINATES);
  REQUIRE(nsdyn_world_begin(world, q, u) == NSDYN_OK);
  is_finite(q, nq);
  is_finite(u, nu);
  nsdyn_stepper_options steps;
  nsdyn_stepper *stepper = NULL;
  nsdyn_stepper_options_init(&steps, sizeof steps);
  REQUIRE(nsdyn_stepper_new(NULL, sys, &steps, &stepper, NULL) == NSDYN_OK);
  nsdyn_status status = nsdyn_stepper_set_state(stepper, 0.0, q, u);
  for (int k = 0; k < 10 && status == NSDYN_OK; k++) {
    status = nsdyn_stepper_step(stepper, 1e-2);
    REQUIRE(status == NSDYN_OK || nsdyn_stepper_message(stepper)[0] != 0);
    is_finite(nsdyn_stepper_q(stepper), nq);
    is_finite(nsdyn_stepper_u(stepper), nu);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_event_driver_options options;
  nsdyn_event_driver *driver = NULL;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.max_steps = 40;
  REQUIRE(nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL) == NSDYN_OK);
  status = nsdyn_event_driver_set_state(driver, 0.0, q, u);
  status = status ? status : nsdyn_event_driver_advance(driver, 0.1);
  REQUIRE(status == NSDYN_OK || nsdyn_event_driver_message(driver)[0] != 0);
  is_finite(nsdyn_event_driver_q(driver), nq);
  is_finite(nsdyn_event_driver_u(driver), nu);
  nsdyn_event_driver_free(driver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader from = {data, size};
  nsdyn_world *world = NULL;
  nsdyn_system *sys = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  REQUIRE(nsdyn_world_new(NULL, NULL, &world, NULL) == NSDYN_OK);
  read_material(&from, world);
  for (int k = 0; k < 12 && from.left > 0; k++) {
    const int what = read_below(&from, 4);
    if (what == 0 && k < BODIES) {
      read_body(&from, world);
    } else if (what < 3) {
      read_shape(&from, world, read_below(&from, BODIES) - 1);
    } else {
      read_tie(&from, world);
    }
  }
  const nsdyn_status status = nsdyn_world_system(world, NULL, &sys, &error);
  REQUIRE((status == NSDYN_OK) == (sys != NULL) && (error.message[0] == 0) == (status == NSDYN_OK));
  if (sys) {
    move(sys, world);
  }
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
  return 0;
}
