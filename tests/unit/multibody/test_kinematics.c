/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

#define TOL trees_tolerance()

/* Places, turns, velocities and accelerations at u̇ = 0 of points of bodies. */
START_TEST(points_of_random_trees)
{
  const int cases = random_cases(120);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU];
    trees_make(&m, &random, trees_size(k), 0);
    trees_state(&m, &random, q, u);
    trees_reference *r = trees_solve(&m, q, u);
    REQUIRE(nsdyn_tree_set_state(m.tree, q, u) == NSDYN_OK);
    for (int b = 0; b < m.bodies; b++) {
      nsdyn_tree_motion got = {.size = sizeof got};
      double point[3];
      trees_real v[6], a[6], speed = 1.0L;
      trees_vector(&random, 1.0, point);
      REQUIRE(nsdyn_tree_point(m.tree, b, point, &got) == NSDYN_OK);
      trees_rate(r->pose[b], r->rate[b], point, v);
      trees_rate(r->pose[b], r->bend[b], point, a);
      for (int i = 0; i < m.nu; i++) {
        speed += fabsl((trees_real)u[i]);
      }
      for (int i = 0; i < 3; i++) {
        const trees_real *R = r->pose[b] + 3 * i;
        const trees_real x = r->pose[b][9 + i] + R[0] * point[0] + R[1] * point[1] + R[2] * point[2];
        REQUIRE(fabsl(got.place[i] - x) <= TOL * (1.0L + fabsl(x)), "case %d", k);
        REQUIRE(fabsl(got.velocity[i] - v[i]) <= TOL * speed, "case %d", k);
        REQUIRE(fabsl(got.omega[i] - v[3 + i]) <= TOL * speed, "case %d", k);
        REQUIRE(fabsl(got.bias[i] - a[i]) <= TOL * speed * speed, "case %d", k);
        REQUIRE(fabsl(got.alpha[i] - a[3 + i]) <= TOL * speed * speed, "case %d", k);
        for (int j = 0; j < 3; j++) {
          REQUIRE(fabsl(got.turn[3 * i + j] - R[j]) <= TOL, "case %d", k);
        }
      }
    }
    free(r);
    trees_free(&m);
  }
}
END_TEST

/* A step at constant u ends where it should; q̇ is its slope. */
START_TEST(steps_of_q)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    trees_model m;
    double q[TREES_NQ], u[TREES_NU], rest[TREES_NQ], to[TREES_NQ], rate[TREES_NQ];
    trees_real at[TREES_NQ], v[TREES_NU], ends[TREES_NQ], pose[TREES_BODIES][TREES_POSE];
    trees_make(&m, &random, trees_size(k), 0);
    trees_state(&m, &random, q, u);
    for (int i = 0; i < m.nq; i++) {
      at[i] = q[i];
    }
    for (int i = 0; i < m.nu; i++) {
      v[i] = u[i];
    }
    const double dt = random_between(&random, 0.0, 2.0);
    REQUIRE(nsdyn_tree_retract(m.tree, q, u, dt, to) == NSDYN_OK);
    REQUIRE(nsdyn_tree_rates(m.tree, q, u, rate) == NSDYN_OK);
    trees_go(&m, at, v, dt, ends);
    trees_places(&m, ends, pose);
    REQUIRE(nsdyn_tree_set_state(m.tree, to, NULL) == NSDYN_OK);
    for (int b = 0; b < m.bodies; b++) {
      nsdyn_tree_motion got = {.size = sizeof got};
      REQUIRE(nsdyn_tree_point(m.tree, b, NULL, &got) == NSDYN_OK);
      for (int i = 0; i < 3; i++) {
        REQUIRE(fabsl(got.place[i] - pose[b][9 + i]) <= TOL * (1.0L + fabsl(pose[b][9 + i])) * 10.0L,
                "case %d", k);
        REQUIRE(got.velocity[i] == 0.0 && got.bias[i] == 0.0 && got.omega[i] == 0.0, "u is NULL: at rest");
      }
    }
    /* of all coordinates, quaternions too: (q(ε) − q(−ε)) / 2ε; the unit norms of q(ε) scaled back */
    trees_real up[TREES_NQ], down[TREES_NQ];
    trees_go(&m, at, v, 1e-6L, up);
    trees_go(&m, at, v, -1e-6L, down);
    for (int i = 0; i < m.nq; i++) {
      const trees_real slope = (up[i] - down[i]) / 2e-6L;
      REQUIRE(fabsl(rate[i] - slope) <= 1e-9L * (1.0L + fabsl(slope)), "case %d, q[%d]", k, i);
    }
    REQUIRE(nsdyn_tree_rest(m.tree, rest) == NSDYN_OK);
    for (int b = 0, i = 0; b < m.bodies; i += trees_nq[m.body[b++].joint]) {
      const int ball = m.body[b].joint == NSDYN_TREE_SPHERICAL ? i
                       : m.body[b].joint == NSDYN_TREE_FREE    ? i + 3
                                                               : -1;
      for (int j = i; j < i + trees_nq[m.body[b].joint]; j++) {
        REQUIRE(rest[j] == (j == ball ? 1.0 : 0.0), "case %d", k);
      }
    }
    trees_free(&m);
  }
}
END_TEST

/* States that are none, by the name of the coordinate and its body. */
START_TEST(refused_states)
{
  const double none[3] = {0.0};
  random_state random = random_seed(1);
  trees_model m;
  trees_begin(&m, none);
  nsdyn_tree_body arm = trees_body(&random, NSDYN_TREE_REVOLUTE, -1),
                  ball = trees_body(&random, NSDYN_TREE_SPHERICAL, 0),
                  hand = trees_body(&random, NSDYN_TREE_FIXED, 1);
  ball.name = "ball";
  trees_add(&m, &arm);
  trees_add(&m, &ball);
  trees_add(&m, &hand);
  double q[5] = {0.3, 1.0, 0.0, 0.0, 0.0}, u[4] = {0.0, 0.0, 0.0, NAN}, h[4];
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, u), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_set_state: u[3], of the joint of body 1 (ball), is not finite");
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_tree_detail(m.tree, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.kind, NSDYN_DETAIL_COORDINATE);
  ck_assert_int_eq(detail.index, 3);
  ck_assert_int_eq(nsdyn_tree_force(m.tree, h), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_force: no state is set");
  q[0] = INFINITY;
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_set_state: q[0], of the joint of body 0, is not finite");
  q[0] = 0.0;
  q[1] = 0.0;
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_set_state: the quaternion of the joint of body 1 (ball) is zero");
  q[4] = -1e-160;
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_OK);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "");
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_set_state(NULL, q, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_rates(m.tree, q, NULL, q), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_retract(m.tree, q, NULL, 0.1, q), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_rest(m.tree, NULL), NSDYN_ERR_ARGUMENT);
  trees_free(&m);
}
END_TEST

SUITE("multibody/kinematics", TEST(points_of_random_trees), TEST(steps_of_q), TEST(refused_states))
