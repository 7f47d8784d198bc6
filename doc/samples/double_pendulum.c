/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

// A double pendulum: rods of length 1 about y, hanging down along −z at q = 0.
static nsdyn_status add_rod(nsdyn_tree *tree, int32_t parent, double hinge, int32_t *number)
{
  nsdyn_tree_body rod;
  nsdyn_tree_body_init(&rod, sizeof rod);
  rod.name = parent < 0 ? "upper arm" : "forearm";
  rod.parent = parent;
  rod.joint = NSDYN_TREE_REVOLUTE;
  rod.axis[1] = 1.0, rod.axis[2] = 0.0;
  rod.joint_place[2] = hinge; // on the parent
  rod.mass = 1.0;
  rod.centre[2] = -0.5;
  rod.inertia[0] = rod.inertia[1] = 1.0 / 12.0; // about its centre
  return nsdyn_tree_add(tree, &rod, number);
}

// What the tree does not know: added to its own h.
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q;
  h[1] -= 0.2 * u[1]; // a damper in the elbow
  return 0;
}

static nsdyn_status make_system(nsdyn_tree *tree, nsdyn_system **sys)
{
  nsdyn_system_def own;
  nsdyn_system_def_init(&own, sizeof own);
  own.force = force;
  return nsdyn_tree_system_new(NULL, tree, &own, sys, NULL);
}

static double energy(nsdyn_tree *tree, const double *q, const double *u)
{
  nsdyn_tree_totals totals;
  nsdyn_tree_totals_init(&totals, sizeof totals);
  nsdyn_tree_set_state(tree, q, u);
  nsdyn_tree_measure(tree, &totals);
  return totals.kinetic + totals.potential;
}

int main(void)
{
  nsdyn_tree_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  const double q[2] = {1.5, 0.0}, u[2] = {0.0, 0.0};
  int32_t upper, forearm;
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[2] = -9.81;
  if (nsdyn_tree_new(NULL, &options, &tree, NULL) || add_rod(tree, -1, 0.0, &upper) ||
      add_rod(tree, upper, -1.0, &forearm)) {
    return 1;
  }
  if (make_system(tree, &sys) || nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL) ||
      nsdyn_stepper_set_state(stepper, 0.0, q, u)) {
    return 1;
  }
  const double tip[3] = {0.0, 0.0, -1.0};
  for (int i = 0; i <= 4; i++) {
    nsdyn_tree_motion motion;
    nsdyn_tree_motion_init(&motion, sizeof motion);
    const double E = energy(tree, nsdyn_stepper_q(stepper), nsdyn_stepper_u(stepper));
    nsdyn_tree_point(tree, forearm, tip, &motion);
    printf("t = %.1f s: tip at %5.2f, %5.2f m, energy %5.2f J\n", nsdyn_stepper_time(stepper),
           motion.place[0], motion.place[2], E);
    for (int k = 0; k < 500; k++) {
      if (nsdyn_stepper_step(stepper, 1e-3)) {
        fprintf(stderr, "%s\n", nsdyn_stepper_message(stepper));
        return 1;
      }
    }
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
  return 0;
}
