/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static nsdyn_status make_brick(nsdyn_solid **out)
{
  nsdyn_solid_def brick;
  nsdyn_solid_def_init(&brick, sizeof brick);
  brick.kind = NSDYN_SOLID_BOX;
  brick.extent[0] = 0.24, brick.extent[1] = 0.115, brick.extent[2] = 0.071;
  return nsdyn_solid_new(NULL, &brick, out, NULL);
}

// A free body of density 2000 in the shape of a solid, with the solid on it.
static nsdyn_status add_free(nsdyn_tree *tree, nsdyn_solid *solid, const char *name)
{
  nsdyn_solid_properties shape;
  nsdyn_tree_body body;
  nsdyn_tree_solid skin;
  nsdyn_solid_properties_init(&shape, sizeof shape);
  nsdyn_tree_body_init(&body, sizeof body);
  nsdyn_tree_solid_init(&skin, sizeof skin);
  nsdyn_solid_measure(solid, &shape);
  body.name = skin.name = name;
  body.joint = NSDYN_TREE_FREE;
  body.mass = 2000.0 * shape.volume;
  for (int i = 0; i < 3; i++) {
    body.centre[i] = shape.centroid[i];
  }
  for (int i = 0; i < 6; i++) {
    body.inertia[i] = 2000.0 * shape.inertia[i];
  }
  const nsdyn_status status = nsdyn_tree_add(tree, &body, &skin.body);
  skin.solid = solid; // held by the tree from here on
  return status ? status : nsdyn_tree_add_solid(tree, &skin, NULL);
}

// The ground, and what all of them do where they touch.
static nsdyn_status add_ground(nsdyn_tree *tree)
{
  nsdyn_solid_def plane;
  nsdyn_tree_solid ground;
  nsdyn_contact_law law;
  nsdyn_solid_def_init(&plane, sizeof plane);
  nsdyn_tree_solid_init(&ground, sizeof ground); // on the world
  nsdyn_contact_law_init(&law, sizeof law);
  plane.kind = NSDYN_SOLID_PLANE;
  law.tangents = 2;
  law.mu = 0.6;
  ground.name = "ground";
  nsdyn_status status = nsdyn_solid_new(NULL, &plane, &ground.solid, NULL);
  status = status ? status : nsdyn_tree_add_solid(tree, &ground, NULL);
  nsdyn_solid_free(ground.solid);
  return status ? status : nsdyn_tree_set_law(tree, 0, 0, &law);
}

// The run.
int main(void)
{
  nsdyn_tree_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  nsdyn_solid *brick = NULL;
  nsdyn_step_report report;
  nsdyn_error error;
  const double q[14] = {0.0, 0.0, 0.036, 1.0, 0.0, 0.0, 0.0, 0.05, 0.0, 0.15, 1.0}, u[12] = {0.0};
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[2] = -9.81;
  nsdyn_step_report_init(&report, sizeof report);
  nsdyn_error_init(&error, sizeof error);
  nsdyn_status status = nsdyn_tree_new(NULL, &options, &tree, &error);
  status = status ? status : make_brick(&brick);
  status = status ? status : add_ground(tree);
  status = status ? status : add_free(tree, brick, "lower");
  status = status ? status : add_free(tree, brick, "upper");
  const char *message = status && tree ? nsdyn_tree_message(tree) : error.message;
  status = status ? status : nsdyn_tree_system_new(NULL, tree, NULL, &sys, &error);
  status = status ? status : nsdyn_stepper_new(NULL, sys, NULL, &stepper, &error);
  status = status ? status : nsdyn_stepper_set_state(stepper, 0.0, q, u);
  if (status) {
    fprintf(stderr, "%s: %s\n", nsdyn_status_name(status),
            stepper ? nsdyn_stepper_message(stepper) : message);
    return 1;
  }
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 50; k++) {
      if (nsdyn_stepper_step(stepper, 1e-3)) {
        fprintf(stderr, "%s\n", nsdyn_stepper_message(stepper));
        return 1;
      }
    }
    nsdyn_stepper_report(stepper, &report);
    printf("t = %.2f   upper brick at z = %.3f, %2d contacts\n", report.t, nsdyn_stepper_q(stepper)[9],
           (int)report.active);
  }
  for (int32_t k = 0; k < report.active; k++) {
    nsdyn_contact_state contact;
    int32_t solid[2], feature[2];
    nsdyn_contact_state_init(&contact, sizeof contact);
    nsdyn_stepper_active_contact(stepper, k, &contact);
    nsdyn_tree_solids_of_key(tree, contact.key, solid, feature);
    printf("solid %d, feature %2d, on solid %d, feature %2d\n", (int)solid[0], (int)feature[0], (int)solid[1],
           (int)feature[1]);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
  nsdyn_solid_free(brick);
  return 0;
}
