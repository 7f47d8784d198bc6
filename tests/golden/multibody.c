/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Trees of random bodies: all that the recursions compute, along some steps of their motion; and a mechanism
 * of all elements, with a loop, in steps and by events. */
#include <math.h>

#include "hash.h"
#include "nsdyn/nsdyn.h"

enum { BODIES = 7, NU = 6 * BODIES, NQ = 7 * BODIES, ROWS = 6 };

static nsdyn_tree *random_tree(stream *from, hash *h)
{
  nsdyn_tree_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_tree_options_init(&options, sizeof options);
  stream_fill(from, 3, options.gravity);
  hash_int(h, nsdyn_tree_new(NULL, &options, &tree, NULL));
  for (int i = 0; i < BODIES; i++) {
    nsdyn_tree_body body;
    int32_t number = -1;
    nsdyn_tree_body_init(&body, sizeof body);
    body.parent = stream_below(from, i + 1) - 1;
    body.joint = stream_below(from, 9);
    stream_fill(from, 3, body.joint_place);
    stream_fill(from, 4, body.joint_turn);
    stream_fill(from, 3, body.own_place);
    stream_fill(from, 4, body.own_turn);
    stream_fill(from, 3, body.axis);
    if (body.joint == NSDYN_TREE_PLANAR) { /* at right angles */
      body.second[0] = body.axis[1];
      body.second[1] = -body.axis[0];
    } else {
      stream_fill(from, 3, body.second);
    }
    body.pitch = stream_number(from);
    body.mass = 1.5 + stream_number(from);
    stream_fill(from, 3, body.centre);
    body.inertia[0] = 1.1;
    body.inertia[1] = 1.3;
    body.inertia[2] = 0.9;
    body.inertia[3] = 0.1 * stream_number(from);
    hash_int(h, nsdyn_tree_add(tree, &body, &number));
    hash_int(h, number);
  }
  return tree;
}

static void hash_state(hash *h, stream *from, nsdyn_tree *tree, double *udot)
{
  const int n = nsdyn_tree_nu(tree);
  double x[NU], M[NU * NU], W[ROWS * NU], G[ROWS * ROWS], point[3];
  nsdyn_tree_motion motion;
  nsdyn_tree_totals totals;
  nsdyn_tree_motion_init(&motion, sizeof motion);
  nsdyn_tree_totals_init(&totals, sizeof totals);
  stream_fill(from, 3, point);
  stream_fill(from, (size_t)n, x);
  hash_int(h, nsdyn_tree_point(tree, BODIES - 1, point, &motion));
  hash_doubles(h, 3, motion.place);
  hash_doubles(h, 9, motion.turn);
  hash_doubles(h, 3, motion.velocity);
  hash_doubles(h, 3, motion.bias);
  hash_doubles(h, 3, motion.alpha);
  hash_int(h, nsdyn_tree_measure(tree, &totals));
  hash_double(h, totals.kinetic);
  hash_double(h, totals.potential);
  hash_doubles(h, 3, totals.angular);
  hash_int(h, nsdyn_tree_jacobian(tree, BODIES - 1, point, W));
  hash_int(h, nsdyn_tree_delassus(tree, ROWS, W, G));
  hash_doubles(h, sizeof G / sizeof *G, G);
  hash_int(h, nsdyn_tree_mass(tree, M));
  hash_doubles(h, (size_t)n * (size_t)n, M);
  hash_int(h, nsdyn_tree_push(tree, BODIES - 1, point, motion.velocity, motion.omega, x));
  hash_int(h, nsdyn_tree_accelerations(tree, x, udot));
  hash_doubles(h, (size_t)n, udot);
  hash_int(h, nsdyn_tree_inverse_dynamics(tree, udot, x));
  hash_doubles(h, (size_t)n, x);
  hash_int(h, nsdyn_tree_solve_mass(tree, 1, x));
  hash_int(h, nsdyn_tree_multiply_mass(tree, x, x));
  hash_doubles(h, (size_t)n, x);
}

static nsdyn_system *mechanism(nsdyn_tree **tree, hash *h)
{
  nsdyn_tree_options options;
  nsdyn_tree_element e;
  nsdyn_tree_loop pin;
  nsdyn_system *sys = NULL;
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[1] = -9.81;
  hash_int(h, nsdyn_tree_new(NULL, &options, tree, NULL));
  for (int i = 0; i < 4; i++) { /* a crank, its coupler, a rocker, and a wheel on that */
    static const double place[4] = {0.0, 0.5, 1.5, 0.4}, length[4] = {0.5, 1.4, 1.1, 0.2};
    nsdyn_tree_body bar;
    nsdyn_tree_body_init(&bar, sizeof bar);
    bar.parent = i == 1 ? 0 : i == 3 ? 2 : -1;
    bar.joint = NSDYN_TREE_REVOLUTE;
    bar.joint_place[0] = place[i];
    bar.mass = length[i];
    bar.centre[0] = 0.5 * length[i];
    bar.inertia[1] = bar.inertia[2] = 0.1;
    hash_int(h, nsdyn_tree_add(*tree, &bar, NULL));
  }
  nsdyn_tree_loop_init(&pin, sizeof pin);
  pin.body[0] = 1;
  pin.body[1] = 2;
  pin.joint = NSDYN_TREE_REVOLUTE;
  pin.joint_place[0] = 1.4;
  pin.own_place[0] = 1.1;
  pin.own_place[1] = pin.own_place[2] = 0.0;
  pin.own_turn[0] = 1.0;
  pin.own_turn[1] = pin.own_turn[2] = pin.own_turn[3] = 0.0;
  hash_int(h, nsdyn_tree_add_loop(*tree, &pin, NULL));
  nsdyn_tree_element_init(&e, sizeof e);
  e.body[0] = 3;
  e.friction = 0.05;
  e.stiffness = 2.0;
  e.damping = 0.1;
  e.lower = -0.3;
  e.upper = 0.4;
  e.eps_n = 0.5;
  hash_int(h, nsdyn_tree_add_element(*tree, &e, NULL));
  nsdyn_tree_element_init(&e, sizeof e);
  e.kind = NSDYN_ELEMENT_LINE;
  e.body[1] = 1;
  e.anchor[1] = 1.0;
  e.stiffness = 5.0;
  e.rest = 0.6;
  e.upper = 1.7;
  hash_int(h, nsdyn_tree_add_element(*tree, &e, NULL));
  hash_int(h, nsdyn_tree_system_new(NULL, *tree, NULL, &sys, NULL));
  return sys;
}

static void hash_mechanism(hash *h)
{
  static const int schemes[] = {NSDYN_SCHEME_MOREAU, NSDYN_SCHEME_MOREAU_JEAN};
  const double q[4] = {0.1, 0.9, 1.6, 0.0}, u[4] = {2.0, 0.0, 0.0, 1.0};
  nsdyn_tree *tree = NULL;
  nsdyn_system *sys = mechanism(&tree, h);
  nsdyn_consistent_report report = {.size = sizeof report};
  for (int i = 0; i < 2; i++) {
    nsdyn_stepper_options options;
    nsdyn_stepper *s = NULL;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = schemes[i];
    options.project = NSDYN_PROJECT_AFTER;
    hash_int(h, nsdyn_stepper_new(NULL, sys, &options, &s, NULL));
    hash_int(h, nsdyn_stepper_set_state(s, 0.0, q, u));
    hash_int(h, nsdyn_stepper_consistent(s, &report));
    for (int k = 0; k < 100; k++) {
      hash_int(h, nsdyn_stepper_step(s, 5e-3));
      hash_doubles(h, 4, nsdyn_stepper_q(s));
      hash_doubles(h, 4, nsdyn_stepper_u(s));
    }
    nsdyn_stepper_free(s);
  }
  nsdyn_event_driver *driver = NULL;
  hash_int(h, nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL));
  hash_int(h, nsdyn_event_driver_set_state(driver, 0.0, q, u));
  hash_int(h, nsdyn_event_driver_consistent(driver, &report));
  hash_int(h, nsdyn_event_driver_advance(driver, 0.5));
  hash_doubles(h, 4, nsdyn_event_driver_q(driver));
  hash_doubles(h, 4, nsdyn_event_driver_u(driver));
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
}

/* ---- solids ---- */

static int hash_touch(void *user, const nsdyn_solid_touch *touch)
{
  hash *h = user;
  hash_int(h, touch->feature[0]);
  hash_int(h, touch->feature[1]);
  hash_double(h, touch->gap);
  hash_doubles(h, 3, touch->normal);
  hash_doubles(h, 3, touch->point[0]);
  hash_doubles(h, 3, touch->point[1]);
  return 0;
}

static nsdyn_solid *solid_of(stream *from, int kind, hash *h)
{
  enum { POINTS = 12 };
  double points[3 * POINTS], size[4];
  nsdyn_solid_def def;
  nsdyn_solid *solid = NULL;
  nsdyn_solid_properties properties = {.size = sizeof properties};
  nsdyn_solid_def_init(&def, sizeof def);
  stream_fill(from, 3 * POINTS, points);
  stream_fill(from, 4, size);
  def.kind = kind;
  def.points = points;
  def.count = POINTS;
  for (int i = 0; i < 3; i++) {
    def.extent[i] = 0.3 + fabs(size[i]);
  }
  def.radius = kind == NSDYN_SOLID_BOX || kind == NSDYN_SOLID_HULL ? 0.0 : 0.1 + 0.3 * fabs(size[3]);
  hash_int(h, nsdyn_solid_new(NULL, &def, &solid, NULL));
  hash_int(h, nsdyn_solid_measure(solid, &properties));
  hash_double(h, properties.volume);
  hash_doubles(h, 3, properties.centroid);
  hash_doubles(h, 6, properties.inertia);
  return solid;
}

/* All pairs, near and far; then bodies that fall on a plane and on each other. */
static void hash_solids(hash *h)
{
  enum { KINDS = 6, FALLING = 4, NQ_FREE = 7, NU_FREE = 6 };
  for (int number = 0; number < 20 * KINDS * KINDS; number++) {
    stream from = stream_begin(5000 + (uint64_t)number);
    double pose[2][7];
    nsdyn_solid *a = solid_of(&from, number % KINDS, h), *b = solid_of(&from, number / KINDS % KINDS, h);
    stream_fill(&from, 7, pose[0]);
    stream_fill(&from, 7, pose[1]);
    hash_int(h, nsdyn_solids_touch(a, pose[0], b, pose[1], INFINITY, hash_touch, h));
    nsdyn_solid_free(a);
    nsdyn_solid_free(b);
  }
  stream from = stream_begin(4999);
  nsdyn_tree_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *s = NULL;
  double q[NQ_FREE * FALLING] = {0.0}, u[NU_FREE * FALLING] = {0.0};
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[2] = -10.0;
  hash_int(h, nsdyn_tree_new(NULL, &options, &tree, NULL));
  for (int i = -1; i < FALLING; i++) {
    static const int kinds[] = {NSDYN_SOLID_PLANE, NSDYN_SOLID_BOX, NSDYN_SOLID_HULL, NSDYN_SOLID_CAPSULE,
                                NSDYN_SOLID_SPHERE};
    nsdyn_tree_body body;
    nsdyn_tree_solid own;
    nsdyn_tree_body_init(&body, sizeof body);
    nsdyn_tree_solid_init(&own, sizeof own);
    body.joint = NSDYN_TREE_FREE;
    body.mass = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.2;
    own.body = i;
    own.solid = solid_of(&from, kinds[i + 1], h);
    if (i >= 0) {
      hash_int(h, nsdyn_tree_add(tree, &body, NULL));
      q[NQ_FREE * i + 2] = 1.5 + 2.0 * i;
      q[NQ_FREE * i] = 0.1 * i;
      q[NQ_FREE * i + 3] = 1.0;
    }
    hash_int(h, nsdyn_tree_add_solid(tree, &own, NULL));
    nsdyn_solid_free(own.solid);
  }
  hash_int(h, nsdyn_tree_system_new(NULL, tree, NULL, &sys, NULL));
  hash_int(h, nsdyn_stepper_new(NULL, sys, NULL, &s, NULL));
  hash_int(h, nsdyn_stepper_set_state(s, 0.0, q, u));
  for (int k = 0; k < 150; k++) {
    hash_int(h, nsdyn_stepper_step(s, 5e-3));
    hash_doubles(h, NQ_FREE * FALLING, nsdyn_stepper_q(s));
    hash_doubles(h, NU_FREE * FALLING, nsdyn_stepper_u(s));
  }
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
  nsdyn_tree_free(tree);
}

void golden_multibody(hash *h)
{
  hash_solids(h);
  hash_mechanism(h);
  for (int number = 0; number < 60; number++) {
    stream from = stream_begin((uint64_t)number);
    nsdyn_tree *tree = random_tree(&from, h);
    const int n = nsdyn_tree_nu(tree);
    double q[NQ] = {0.0}, u[NU] = {0.0}, udot[NU] = {0.0}, qdot[NQ] = {0.0};
    hash_int(h, nsdyn_tree_rest(tree, q));
    stream_fill(&from, (size_t)n, u);
    for (int step = 0; step < 5; step++) {
      hash_int(h, nsdyn_tree_retract(tree, q, u, 0.1, q));
      hash_int(h, nsdyn_tree_rates(tree, q, u, qdot));
      hash_doubles(h, (size_t)nsdyn_tree_nq(tree), q);
      hash_doubles(h, (size_t)nsdyn_tree_nq(tree), qdot);
      hash_int(h, nsdyn_tree_set_state(tree, q, u));
      hash_state(h, &from, tree, udot);
      for (int i = 0; i < n; i++) {
        u[i] += 0.01 * udot[i];
      }
    }
    nsdyn_tree_free(tree);
  }
}
