/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Trees of random bodies: all that the recursions compute, along some steps of their motion. */
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

void golden_multibody(hash *h)
{
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
