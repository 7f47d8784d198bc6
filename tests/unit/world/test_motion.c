/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worlds.h"

typedef struct scene {
  double J[9];
  nsdyn_contact_block block;
  int fault; /* what the callback does wrong */
} scene;

/* x = q₀ + sin t, y = q₁ q₂, φ = q₂ */
static int place(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  scene *s = user;
  const double J[9] = {1.0, 0.0, 0.0, 0.0, q[2], q[1], 0.0, 0.0, 1.0};
  memcpy(s->J, J, sizeof J);
  s->block = (nsdyn_contact_block){.offset = s->fault == 3 ? 4 : 0, .count = 3, .values = s->J};
  placed->pose[0] = q[0] + sin(t);
  placed->pose[1] = q[1] * q[2];
  placed->pose[2] = q[2];
  placed->rate[0] = cos(t);
  if (u) {
    placed->bias[0] = s->fault == 2 ? NAN : -sin(t);
    placed->bias[1] = 2.0 * u[1] * u[2];
  }
  placed->blocks = 1;
  placed->block = &s->block;
  return s->fault == 1 ? 5 : s->fault == 4 ? -3 : 0;
}

static int turns(void *user, double t, double *pose, double *rate, double *acceleration)
{
  (void)user;
  pose[2] = t;
  rate[2] = 1.0;
  acceleration[0] = 0.0;
  return 0;
}

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = M[8] = 1.0;
  return 0;
}

static nsdyn_world *make(scene *s, nsdyn_system **sys)
{
  nsdyn_world *world = worlds_new(0.2);
  nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
  def.kind = NSDYN_BODY_POSED;
  def.place = place;
  def.user = s;
  def.name = "arm";
  worlds_attach(world, worlds_add(world, &def), worlds_box(0.2, 0.1));
  def = worlds_body(4.0, 5.0, 0.3);
  def.centre[0] = 0.5;
  def.centre[1] = 0.25;
  worlds_attach(world, worlds_add(world, &def), worlds_box(0.2, 0.1));
  def = worlds_body(0.0, 0.0, 0.0);
  def.kind = NSDYN_BODY_DRIVEN;
  def.motion = turns;
  worlds_attach(world, worlds_add(world, &def), worlds_box(0.2, 0.1));
  nsdyn_system_def own;
  nsdyn_system_def_init(&own, sizeof own);
  own.nq = own.nu = 3;
  own.mass = mass;
  GOOD(nsdyn_world_system(world, &own, sys, NULL));
  return world;
}

/* Velocities of all kinds of bodies are what their places change by. */
START_TEST(velocities_are_slopes)
{
  const int cases = random_cases(100);
  scene s = {.fault = 0};
  nsdyn_system *sys = NULL;
  nsdyn_world *world = make(&s, &sys);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double q[6], u[6];
    const double t = random_between(&random, 0.0, 3.0), dt = 1e-4;
    for (int i = 0; i < 6; i++) {
      q[i] = random_between(&random, -1.0, 1.0);
      u[i] = random_between(&random, -1.0, 1.0);
    }
    for (int32_t body = -1; body < 3; body++) {
      double at[2][3], v[3];
      for (int side = 0; side < 2; side++) {
        double moved[6];
        for (int i = 0; i < 6; i++) {
          moved[i] = q[i] + (side ? dt : -dt) * u[i];
        }
        GOOD(nsdyn_world_pose(world, body, t + (side ? dt : -dt), moved, NULL, at[side], NULL));
      }
      GOOD(nsdyn_world_pose(world, body, t, q, u, NULL, v));
      for (int i = 0; i < 3; i++) {
        REQUIRE(fabs((at[1][i] - at[0][i]) / (2.0 * dt) - v[i]) < 1e-7, "case %d, body %d", k, body);
      }
    }
  }
  ck_assert_int_eq(nsdyn_world_pose(world, 3, 0.0, NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* A callback that fails, or writes what is no place, is named with its body. */
START_TEST(callbacks_that_fail)
{
  static const char *const words[] = {"", "callback place returned 5", "callback place: bias is nan",
                                      "its Jacobian lies outside the 6 velocities",
                                      "callback place returned -3"};
  static const nsdyn_status wanted[] = {NSDYN_OK, NSDYN_ERR_CALLBACK_RETRY, NSDYN_ERR_NOT_FINITE,
                                        NSDYN_ERR_ARGUMENT, NSDYN_ERR_CALLBACK};
  scene s = {.fault = 0};
  nsdyn_system *sys = NULL;
  nsdyn_world *world = make(&s, &sys);
  double q[6] = {2.0, 3.0, 1.0}, u[6] = {0.0}, pose[3], v[3];
  GOOD(nsdyn_world_begin(world, q, u));
  ck_assert(fabs(q[3] - 4.0 - 0.5 * cos(0.3) + 0.25 * sin(0.3)) < 1e-14); /* only bodies are written */
  ck_assert(q[0] == 2.0);
  for (s.fault = 0; s.fault < 5; s.fault++) {
    nsdyn_stepper *stepper = NULL;
    GOOD(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL));
    GOOD(nsdyn_stepper_set_state(stepper, 0.0, q, u));
    const nsdyn_status status = nsdyn_stepper_step(stepper, 1e-3);
    ck_assert_msg(s.fault == 2 || (s.fault == 0) == (status == NSDYN_OK), "%d: %d", s.fault, status);
    ck_assert_msg(s.fault == 2 || strstr(nsdyn_world_message(world), words[s.fault]), "%d: %s", s.fault,
                  nsdyn_world_message(world));
    ck_assert(s.fault == 0 || s.fault == 2 || strstr(nsdyn_world_message(world), "body 0 (arm)"));
    nsdyn_stepper_free(stepper);
    ck_assert_int_eq(nsdyn_world_pose(world, 0, 0.0, q, u, pose, v), wanted[s.fault]);
  }
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

SUITE("world/motion", TEST(velocities_are_slopes), TEST(callbacks_that_fail))
