/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Worlds for tests: shapes in one line, random ones of all kinds of bodies, joints and springs. */
#ifndef TESTS_UNIT_WORLDS_H
#define TESTS_UNIT_WORLDS_H

#include <string.h>

#include "shapes.h"

#define GOOD(call) ck_assert_int_eq(call, NSDYN_OK)

/* A world whose materials rub with μ. */
static inline nsdyn_world *worlds_new(double mu)
{
  nsdyn_world *world = NULL;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = mu;
  GOOD(nsdyn_world_new(NULL, NULL, &world, NULL));
  GOOD(nsdyn_world_set_law(world, 0, 0, &law));
  return world;
}

static inline nsdyn_body_def worlds_body(double x, double y, double phi)
{
  nsdyn_body_def def;
  nsdyn_body_def_init(&def, sizeof def);
  def.pose[0] = x;
  def.pose[1] = y;
  def.pose[2] = phi;
  return def;
}

static inline int32_t worlds_add(nsdyn_world *world, const nsdyn_body_def *def)
{
  int32_t number = -2;
  ck_assert_msg(nsdyn_world_add_body(world, def, &number) == NSDYN_OK, "%s", nsdyn_world_message(world));
  return number;
}

/* Puts a shape there and lets go of it: the world holds it. */
static inline int32_t worlds_attach(nsdyn_world *world, int32_t body, nsdyn_shape *shape)
{
  int32_t number = -1;
  ck_assert_msg(nsdyn_world_attach(world, body, shape, NULL, &number) == NSDYN_OK, "%s",
                nsdyn_world_message(world));
  nsdyn_shape_free(shape);
  return number;
}

static inline nsdyn_shape *worlds_box(double width, double height)
{
  const double a = 0.5 * width, b = 0.5 * height, p[] = {-a, -b, a, -b, a, b, -a, b};
  return shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0);
}

/* Level ground through the origin, solid below. */
static inline nsdyn_shape *worlds_ground(void)
{
  const double p[] = {90.0, 0.0, -90.0, 0.0};
  return shapes_make(NSDYN_SHAPE_PROFILE, 2, p, 0.0);
}

/* Ground that falls to the right by so much, through the origin. */
static inline int32_t worlds_slope(nsdyn_world *world, double angle)
{
  nsdyn_attachment on;
  nsdyn_attachment_init(&on, sizeof on);
  on.pose[2] = -angle;
  nsdyn_shape *ground = worlds_ground();
  int32_t number = -1;
  GOOD(nsdyn_world_attach(world, NSDYN_GROUND, ground, &on, &number));
  nsdyn_shape_free(ground);
  return number;
}

static inline nsdyn_system *worlds_system(nsdyn_world *world)
{
  nsdyn_system *sys = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  ck_assert_msg(nsdyn_world_system(world, NULL, &sys, &error) == NSDYN_OK, "%s", error.message);
  return sys;
}

/* A stepper that begins where the world does, at t = 0; at most 30 coordinates. */
static inline nsdyn_stepper *worlds_stepper(const nsdyn_world *world, nsdyn_system *sys)
{
  nsdyn_stepper *stepper = NULL;
  double q[30], u[30];
  GOOD(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL));
  GOOD(nsdyn_world_begin(world, q, u));
  GOOD(nsdyn_stepper_set_state(stepper, 0.0, q, u));
  return stepper;
}

static inline nsdyn_event_driver *worlds_driver(const nsdyn_world *world, nsdyn_system *sys)
{
  nsdyn_event_driver *driver = NULL;
  double q[30], u[30];
  GOOD(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL));
  GOOD(nsdyn_world_begin(world, q, u));
  GOOD(nsdyn_event_driver_set_state(driver, 0.0, q, u));
  return driver;
}

static inline double worlds_energy(const nsdyn_world *world, double t, const double *q, const double *u)
{
  nsdyn_world_energy energy;
  nsdyn_world_energy_init(&energy, sizeof energy);
  GOOD(nsdyn_world_measure(world, t, q, u, &energy));
  return energy.kinetic + energy.gravity + energy.springs;
}

#endif
