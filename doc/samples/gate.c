/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

// A gate, 1.2 m wide, on a hinge about the vertical.
static nsdyn_status add_gate(nsdyn_tree *tree, int32_t *number)
{
  nsdyn_tree_body gate;
  nsdyn_tree_body_init(&gate, sizeof gate);
  gate.name = "gate";
  gate.joint = NSDYN_TREE_REVOLUTE; // about z
  gate.mass = 20.0;
  gate.centre[0] = 0.6;
  gate.inertia[2] = gate.inertia[1] = 20.0 * 1.2 * 1.2 / 12.0;
  return nsdyn_tree_add(tree, &gate, number);
}

// Its hinge: a spring that closes it, a damper, dry friction, and a post on either side.
static nsdyn_status add_hinge(nsdyn_tree *tree, int32_t gate, int32_t *number)
{
  nsdyn_tree_element hinge;
  nsdyn_tree_element_init(&hinge, sizeof hinge);
  hinge.name = "hinge";
  hinge.body[0] = gate;
  hinge.stiffness = 9.0; // N m per radian
  hinge.rest = -0.5;     // the spring presses it against its post
  hinge.damping = 2.0;
  hinge.friction = 1.5;
  hinge.lower = 0.0;
  hinge.upper = 1.8;
  hinge.eps_n = 0.4;
  return nsdyn_tree_add_element(tree, &hinge, number);
}

int main(void)
{
  nsdyn_tree *tree = NULL;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  const double q[1] = {1.0}, u[1] = {2.5};
  int32_t gate, hinge, lower, upper, friction;
  if (nsdyn_tree_new(NULL, NULL, &tree, NULL) || add_gate(tree, &gate)) {
    return 1;
  }
  if (add_hinge(tree, gate, &hinge)) {
    fprintf(stderr, "%s\n", nsdyn_tree_message(tree));
    return 1;
  }
  nsdyn_tree_element_rows(tree, hinge, &lower, &upper, &friction, NULL);
  printf("contact %d: shut, %d: open, %d: friction\n", (int)lower, (int)upper, (int)friction);
  if (nsdyn_tree_system_new(NULL, tree, NULL, &sys, NULL) ||
      nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL) ||
      nsdyn_event_driver_set_state(driver, 0.0, q, u)) {
    return 1;
  }
  for (int i = 0; i <= 8; i++) {
    if (nsdyn_event_driver_advance(driver, 0.5 * i)) {
      fprintf(stderr, "%s\n", nsdyn_event_driver_message(driver));
      return 1;
    }
    printf("t = %.1f s: %6.3f rad, %6.3f rad/s\n", nsdyn_event_driver_time(driver),
           nsdyn_event_driver_q(driver)[0], nsdyn_event_driver_u(driver)[0]);
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
  return 0;
}
