/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

// A bar along x of its frame, which turns about z at a point of its parent.
static int32_t add_bar(nsdyn_tree *tree, const char *name, int32_t parent, double x, double length)
{
  nsdyn_tree_body bar;
  int32_t number = -1;
  nsdyn_tree_body_init(&bar, sizeof bar);
  bar.name = name;
  bar.parent = parent;
  bar.joint = NSDYN_TREE_REVOLUTE;
  bar.joint_place[0] = x;
  bar.mass = length;
  bar.centre[0] = 0.5 * length;
  bar.inertia[1] = bar.inertia[2] = length * length * length / 12.0;
  nsdyn_tree_add(tree, &bar, &number);
  return number;
}

// The hinge that closes the loop: ends of two bars in one place.
static nsdyn_status close_loop(nsdyn_tree *tree, int32_t coupler, int32_t rocker)
{
  nsdyn_tree_loop pin;
  nsdyn_tree_loop_init(&pin, sizeof pin);
  pin.name = "pin";
  pin.body[0] = coupler;
  pin.body[1] = rocker;
  pin.joint = NSDYN_TREE_REVOLUTE;
  pin.joint_place[0] = 1.4; // on the coupler
  pin.own_place[0] = 1.1;   // on the rocker
  pin.own_place[1] = pin.own_place[2] = 0.0;
  pin.own_turn[0] = 1.0; // none: its axis is z of both
  pin.own_turn[1] = pin.own_turn[2] = pin.own_turn[3] = 0.0;
  return nsdyn_tree_add_loop(tree, &pin, NULL);
}

// A motor at the crank: one radian per second, whatever that takes.
static int turn(void *user, double t, double *value)
{
  (void)user;
  value[0] = t;   // f
  value[1] = 1.0; // its rate
  value[2] = 0.0; // and that of this one
  return 0;
}

static nsdyn_status add_motor(nsdyn_tree *tree, int32_t crank, int32_t *number)
{
  nsdyn_tree_element motor;
  nsdyn_tree_element_init(&motor, sizeof motor);
  motor.name = "motor";
  motor.body[0] = crank;
  motor.held = 1;
  motor.drive = turn;
  return nsdyn_tree_add_element(tree, &motor, number);
}

int main(void)
{
  nsdyn_tree_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_system *sys = NULL;
  nsdyn_stepper_options how;
  nsdyn_stepper *stepper = NULL;
  nsdyn_consistent_report found;
  nsdyn_constraint_state moment;
  int32_t motor, row;
  const double q[3] = {0.0, 0.9, 1.6}, u[3] = {0.0}; // nearly closed
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[1] = -9.81;
  if (nsdyn_tree_new(NULL, &options, &tree, NULL)) {
    return 1;
  }
  const int32_t crank = add_bar(tree, "crank", -1, 0.0, 0.5),
                coupler = add_bar(tree, "coupler", crank, 0.5, 1.4),
                rocker = add_bar(tree, "rocker", -1, 1.5, 1.1);
  if (close_loop(tree, coupler, rocker) || add_motor(tree, crank, &motor)) {
    fprintf(stderr, "%s\n", nsdyn_tree_message(tree));
    return 1;
  }
  nsdyn_tree_element_rows(tree, motor, NULL, NULL, NULL, &row);
  nsdyn_stepper_options_init(&how, sizeof how);
  how.project = NSDYN_PROJECT_AFTER; // no drift
  nsdyn_consistent_report_init(&found, sizeof found);
  nsdyn_constraint_state_init(&moment, sizeof moment);
  if (nsdyn_tree_system_new(NULL, tree, NULL, &sys, NULL) ||
      nsdyn_stepper_new(NULL, sys, &how, &stepper, NULL) || nsdyn_stepper_set_state(stepper, 0.0, q, u) ||
      nsdyn_stepper_consistent(stepper, &found)) { // closes it, and finds its velocities
    return 1;
  }
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 500; k++) {
      if (nsdyn_stepper_step(stepper, 2e-3)) {
        fprintf(stderr, "%s\n", nsdyn_stepper_message(stepper));
        return 1;
      }
    }
    const double *now = nsdyn_stepper_q(stepper);
    nsdyn_stepper_constraint(stepper, row, &moment);
    printf("crank %4.2f, rocker %6.4f rad, motor %6.2f N m\n", now[0], now[2], moment.force);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
  return 0;
}
