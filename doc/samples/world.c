/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static nsdyn_status make_world(nsdyn_world *world, nsdyn_shape *ground, nsdyn_shape *iron)
{
  nsdyn_contact_law steel;
  nsdyn_contact_law_init(&steel, sizeof steel);
  steel.mu = 0.5;
  nsdyn_body_def body;
  nsdyn_body_def_init(&body, sizeof body);
  body.pose[1] = 0.5;
  body.pose[2] = 0.6;
  body.name = "angle iron";
  nsdyn_attachment on;
  nsdyn_attachment_init(&on, sizeof on);
  on.density = 78.5; // kg/m², 10 mm of steel
  int32_t falls;
  nsdyn_status status = nsdyn_world_set_law(world, 0, 0, &steel); // material 0 is there
  status = status ? status : nsdyn_world_attach(world, NSDYN_GROUND, ground, NULL, NULL);
  status = status ? status : nsdyn_world_add_body(world, &body, &falls);
  return status ? status : nsdyn_world_attach(world, falls, iron, &on, NULL);
}

/* A bar that hangs on the ground by a pin, held up by a spring. */
static nsdyn_status hang_bar(nsdyn_world *world)
{
  nsdyn_body_def bar;
  nsdyn_joint_def pin;
  nsdyn_spring_def spring;
  nsdyn_body_def_init(&bar, sizeof bar);
  nsdyn_joint_def_init(&pin, sizeof pin);
  nsdyn_spring_def_init(&spring, sizeof spring);
  bar.pose[0] = 2.0; // its frame is at the pin
  bar.pose[1] = 1.0;
  bar.mass = 2.0;
  bar.inertia = 2.0 * 0.6 * 0.6 / 12.0;
  bar.centre[0] = 0.3;
  bar.centre[1] = 0.0;
  int32_t number;
  nsdyn_status status = nsdyn_world_add_body(world, &bar, &number);
  pin.kind = NSDYN_JOINT_REVOLUTE; // the ground's point below the bar's origin is found by itself
  pin.body[0] = number;
  spring.kind = NSDYN_SPRING_TURN;
  spring.body[1] = number;
  spring.stiffness = 30.0; // N m per radian
  spring.damping = 2.0;
  status = status ? status : nsdyn_world_add_joint(world, &pin, NULL);
  return status ? status : nsdyn_world_add_spring(world, &spring, NULL);
}

static nsdyn_status make_shapes(nsdyn_shape **ground, nsdyn_shape **iron)
{
  const double floor[] = {-5.0, 0.0, 5.0, 0.0};
  const double outline[] = {0.0, 0.0, 0.4, 0.0, 0.4, 0.1, 0.1, 0.1, 0.1, 0.3, 0.0, 0.3};
  nsdyn_shape_def def;
  nsdyn_shape_def_init(&def, sizeof def);
  def.count = 6;
  def.points = outline;
  nsdyn_status status = nsdyn_shape_new(NULL, &def, iron, NULL);
  def.kind = NSDYN_SHAPE_PROFILE;
  def.side = NSDYN_SIDE_RIGHT; // solid below
  def.count = 2;
  def.points = floor;
  return status ? status : nsdyn_shape_new(NULL, &def, ground, NULL);
}

int main(void)
{
  nsdyn_world *world = NULL;
  nsdyn_shape *ground = NULL, *iron = NULL;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  double q[6], u[6];
  if (make_shapes(&ground, &iron) || nsdyn_world_new(NULL, NULL, &world, NULL)) {
    return 1;
  }
  nsdyn_status status = make_world(world, ground, iron);
  status = status ? status : hang_bar(world);
  status = status ? status : nsdyn_world_system(world, NULL, &sys, NULL);
  status = status ? status : nsdyn_world_begin(world, q, u);
  status = status ? status : nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL);
  status = status ? status : nsdyn_stepper_set_state(stepper, 0.0, q, u);
  for (int i = 0; i < 4000 && status == NSDYN_OK; i++) {
    status = nsdyn_stepper_step(stepper, 5e-4);
  }
  if (status) {
    fprintf(stderr, "%s\n%s\n", nsdyn_world_message(world), nsdyn_stepper_message(stepper));
    return 1;
  }
  double mass, inertia, pose[3];
  nsdyn_world_mass(world, 0, &mass, &inertia, NULL);
  printf("angle iron: %.3f kg, %.5f kg m2\n", mass, inertia);
  for (int32_t body = 0; body < 2; body++) {
    nsdyn_world_pose(world, body, 2.0, nsdyn_stepper_q(stepper), NULL, pose, NULL);
    printf("body %d: %.3f m, %.3f m, %.3f rad\n", (int)body, pose[0], pose[1], pose[2]);
  }
  for (int32_t k = 0; k < nsdyn_stepper_active(stepper); k++) {
    nsdyn_contact_state state;
    nsdyn_touch touch;
    int32_t bodies[2];
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_touch_init(&touch, sizeof touch);
    nsdyn_stepper_active_contact(stepper, k, &state);
    nsdyn_world_touch(world, state.key, NULL, bodies, &touch);
    printf("bodies %d and %d: edge %d, vertex %d, %.1f N\n", (int)bodies[0], (int)bodies[1],
           (int)touch.feature[0], (int)touch.feature[1], state.force[0]);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
  nsdyn_shape_free(ground);
  nsdyn_shape_free(iron);
  return 0;
}
