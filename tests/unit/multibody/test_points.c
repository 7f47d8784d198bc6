/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

/* J of points, and Jᵀ of forces there. */
START_TEST(jacobians_of_random_trees)
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
    for (int b = -1; b < m.bodies; b++) {
      double point[3], force[3], moment[3], J[6 * TREES_NU], tau[TREES_NU];
      trees_vector(&random, 1.0, point);
      trees_vector(&random, 1.0, force);
      trees_vector(&random, 1.0, moment);
      for (int i = 0; i < m.nu; i++) {
        tau[i] = i;
      }
      REQUIRE(nsdyn_tree_jacobian(m.tree, b, point, J) == NSDYN_OK);
      REQUIRE(nsdyn_tree_push(m.tree, b, point, force, moment, tau) == NSDYN_OK);
      for (int c = 0; c < m.nu; c++) {
        trees_real v[6] = {0.0L}, sum = c, size = 1.0L + c;
        if (b >= 0) {
          trees_rate(r->pose[b], r->slope[c][b], point, v);
        }
        for (int i = 0; i < 6; i++) {
          const trees_real f = i < 3 ? force[i] : moment[i - 3];
          REQUIRE(fabsl(J[i * m.nu + c] - v[i]) <=
                      trees_tolerance() * (1.0L + fabsl(v[0]) + fabsl(v[1]) + fabsl(v[2])),
                  "case %d, body %d, column %d", k, b, c);
          sum += v[i] * f;
          size += fabsl(v[i] * f);
        }
        REQUIRE(fabsl(tau[c] - sum) <= trees_tolerance() * size, "case %d, body %d, column %d", k, b, c);
      }
    }
    free(r);
    trees_free(&m);
  }
}
END_TEST

START_TEST(the_world_and_what_is_none)
{
  const double none[3] = {0.0}, point[3] = {1.0, 2.0, 3.0};
  random_state random = random_seed(1);
  trees_model m;
  double q = 0.3, u = 0.2, J[6], tau = 5.0;
  trees_begin(&m, none);
  const nsdyn_tree_body arm = trees_body(&random, NSDYN_TREE_REVOLUTE, -1);
  trees_add(&m, &arm);
  nsdyn_tree_motion got = {.size = sizeof got};
  ck_assert_int_eq(nsdyn_tree_point(m.tree, 0, NULL, &got), NSDYN_ERR_ARGUMENT); /* no state */
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, &q, &u), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_point(m.tree, -1, point, &got), NSDYN_OK);
  for (int i = 0; i < 3; i++) {
    ck_assert(got.place[i] == point[i] && got.velocity[i] == 0.0 && got.bias[i] == 0.0);
  }
  ck_assert(got.turn[0] == 1.0 && got.turn[1] == 0.0 && got.turn[8] == 1.0);
  ck_assert_int_eq(nsdyn_tree_point(m.tree, 1, point, &got), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_point: body is 1; there are bodies 0 to 0, and the world, -1");
  ck_assert_int_eq(nsdyn_tree_point(m.tree, 0, point, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_jacobian(m.tree, -2, point, J), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_jacobian(m.tree, 0, point, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_push(m.tree, 0, point, none, none, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_push(m.tree, 0, point, NULL, NULL, &tau), NSDYN_OK);
  ck_assert(tau == 5.0);
  got.size = 3;
  ck_assert_int_eq(nsdyn_tree_point(m.tree, 0, point, &got), NSDYN_ERR_STRUCT_SIZE);
  trees_free(&m);
}
END_TEST

SUITE("multibody/points", TEST(jacobians_of_random_trees), TEST(the_world_and_what_is_none))
