/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The same chain of n rods in minimal coordinates, n joint angles, and in redundant ones: n free bodies with
 * five constraints for each hinge, as in Mylapilli & Jain (2017), section 2.4. Steps of Moreau's scheme, the
 * second with and without a projection that keeps the joints together. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

enum { MOST = 32, STEPS = 20 };

/* One way to tell the chain, with its stepper and the state that it starts from. */
typedef struct chain {
  nsdyn_tree *tree;
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
  double q[7 * MOST], u[6 * MOST];
} chain;

static void stop(const char *why)
{
  fprintf(stderr, "bench_redundant: %s\n", why);
  exit(1);
}

static nsdyn_tree_body rod_of(int i)
{
  nsdyn_tree_body rod;
  nsdyn_tree_body_init(&rod, sizeof rod);
  rod.parent = i - 1;
  rod.joint = NSDYN_TREE_REVOLUTE;
  rod.joint_place[2] = i ? -1.0 : 0.0;
  rod.axis[0] = cos(i); /* about ever other directions */
  rod.axis[1] = sin(i);
  rod.axis[2] = 0.2;
  rod.mass = 1.0;
  rod.centre[2] = -0.5;
  rod.inertia[0] = rod.inertia[1] = 1.0 / 12.0;
  rod.inertia[2] = 0.01;
  return rod;
}

static void begin(chain *c)
{
  nsdyn_tree_options options;
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[2] = -9.81;
  if (nsdyn_tree_new(NULL, &options, &c->tree, NULL)) {
    stop("no tree");
  }
}

static void add(chain *c, const nsdyn_tree_body *body)
{
  if (nsdyn_tree_add(c->tree, body, NULL)) {
    stop(nsdyn_tree_message(c->tree));
  }
}

static void finish(chain *c, int project)
{
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.project = project;
  if (nsdyn_tree_system_new(NULL, c->tree, NULL, &c->sys, NULL) ||
      nsdyn_stepper_new(NULL, c->sys, &options, &c->stepper, NULL)) {
    stop("no system");
  }
}

static void make_minimal(chain *c, int n)
{
  begin(c);
  for (int i = 0; i < n; i++) {
    const nsdyn_tree_body rod = rod_of(i);
    add(c, &rod);
    c->q[i] = 0.3 * cos(i);
    c->u[i] = sin(2.0 * i);
  }
  finish(c, 0);
}

/* Free bodies where those of the other chain are, and its joints as loops. */
static void make_redundant(chain *c, int n, const chain *from, int project)
{
  begin(c);
  if (nsdyn_tree_set_state(from->tree, from->q, from->u)) {
    stop(nsdyn_tree_message(from->tree));
  }
  for (int i = 0; i < n; i++) {
    nsdyn_tree_body rod = rod_of(i);
    nsdyn_tree_motion at = {.size = sizeof at};
    rod.parent = -1;
    rod.joint = NSDYN_TREE_FREE;
    rod.joint_place[2] = 0.0;
    add(c, &rod);
    nsdyn_tree_point(from->tree, i, NULL, &at);
    for (int k = 0; k < 3; k++) {
      c->q[7 * i + k] = at.place[k];
      c->u[6 * i + k] = at.velocity[k];
    }
    nsdyn_quaternion_from_matrix(at.turn, c->q + 7 * i + 3);
    nsdyn_quaternion_rotate_back(c->q + 7 * i + 3, at.omega, c->u + 6 * i + 3);
  }
  for (int i = 0; i < n; i++) {
    const nsdyn_tree_body rod = rod_of(i);
    nsdyn_tree_loop hinge;
    nsdyn_tree_loop_init(&hinge, sizeof hinge);
    hinge.body[0] = i - 1;
    hinge.body[1] = i;
    hinge.joint = NSDYN_TREE_REVOLUTE;
    for (int k = 0; k < 3; k++) {
      hinge.joint_place[k] = rod.joint_place[k];
      hinge.own_place[k] = 0.0;
      hinge.axis[k] = rod.axis[k];
    }
    hinge.own_turn[0] = 1.0;
    hinge.own_turn[1] = hinge.own_turn[2] = hinge.own_turn[3] = 0.0;
    if (nsdyn_tree_add_loop(c->tree, &hinge, NULL)) {
      stop(nsdyn_tree_message(c->tree));
    }
  }
  finish(c, project);
}

static void run(void *data)
{
  chain *c = data;
  if (nsdyn_stepper_set_state(c->stepper, 0.0, c->q, c->u)) {
    stop(nsdyn_stepper_message(c->stepper));
  }
  for (int i = 0; i < STEPS; i++) {
    if (nsdyn_stepper_step(c->stepper, 1e-3)) {
      stop(nsdyn_stepper_message(c->stepper));
    }
  }
}

static void drop(chain *c)
{
  nsdyn_stepper_free(c->stepper);
  nsdyn_system_free(c->sys);
  nsdyn_tree_free(c->tree);
}

int main(int argc, char **argv)
{
  static const int sizes[] = {1, 2, 4, 8, 16, MOST};
  static chain minimal, redundant, projected;
  bench *b = bench_new("redundant", argc, argv);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int n = sizes[i];
    if (!bench_wants(b, "step of a chain", n)) {
      continue;
    }
    make_minimal(&minimal, n);
    make_redundant(&redundant, n, &minimal, NSDYN_PROJECT_NONE);
    make_redundant(&projected, n, &minimal, NSDYN_PROJECT_AFTER);
    const bench_contender contenders[] = {{.name = "minimal", .run = run, .own = &minimal},
                                          {.name = "redundant", .run = run, .own = &redundant},
                                          {.name = "redundant, projected", .run = run, .own = &projected}};
    bench_race(b, "step of a chain", n, STEPS, contenders, 3, NULL);
    drop(&minimal);
    drop(&redundant);
    drop(&projected);
  }
  return bench_finish(b);
}
