/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "trees.h"

/* Every number of bodies, also where memory grows: what was added stays. */
START_TEST(bodies_one_after_the_other)
{
  random_state random = random_seed(7);
  const double none[3] = {0.0};
  trees_model m;
  int q = 0, u = 0;
  trees_begin(&m, none);
  ck_assert_int_eq(nsdyn_tree_bodies(m.tree) + nsdyn_tree_nq(m.tree) + nsdyn_tree_nu(m.tree), 0);
  for (int i = 0; i < 40; i++) {
    char name[48];
    (void)snprintf(name, sizeof name, i % 3 ? "body number %d of a very long name indeed" : "%d", i);
    nsdyn_tree_body b = trees_body(&random, i % TREES_KINDS, i - 1);
    b.name = i % 4 ? name : NULL;
    if (i == 33) { /* no more than these fit into the reference */
      break;
    }
    if (m.nu + 6 <= TREES_NU) {
      trees_add(&m, &b);
      ck_assert_int_eq(nsdyn_tree_first_q(m.tree, i), q);
      ck_assert_int_eq(nsdyn_tree_first_u(m.tree, i), u);
      q += trees_nq[b.joint];
      u += trees_nu[b.joint];
      ck_assert_int_eq(nsdyn_tree_nq(m.tree), q);
      ck_assert_int_eq(nsdyn_tree_nu(m.tree), u);
      ck_assert_int_eq(nsdyn_tree_bodies(m.tree), i + 1);
      ck_assert_int_eq(nsdyn_tree_find(m.tree, name), i % 4 ? i : -1);
    }
  }
  ck_assert_int_eq(nsdyn_tree_first_q(m.tree, -1), -1);
  ck_assert_int_eq(nsdyn_tree_first_u(m.tree, m.bodies), -1);
  ck_assert_int_eq(nsdyn_tree_find(m.tree, "nobody"), -1);
  ck_assert_int_eq(nsdyn_tree_find(m.tree, ""), -1);
  ck_assert_int_eq(nsdyn_tree_find(m.tree, NULL), -1);
  trees_free(&m);
}
END_TEST

/* A name that is cut within a character of two bytes loses all of it. */
START_TEST(long_names)
{
  const double none[3] = {0.0};
  trees_model m;
  nsdyn_tree_body b;
  trees_begin(&m, none);
  nsdyn_tree_body_init(&b, sizeof b);
  b.name = "thirty bytes and one that is \xc3\xa4\xc3\xa4";
  trees_add(&m, &b);
  ck_assert_int_eq(nsdyn_tree_find(m.tree, "thirty bytes and one that is \xc3\xa4"), 0);
  ck_assert_int_eq(nsdyn_tree_find(m.tree, "thirty bytes and one that is "), -1);
  b.mass = -1.0;
  ck_assert_int_eq(nsdyn_tree_add(m.tree, &b, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_add: body 1 (thirty bytes and one that is \xc3\xa4): mass is negative");
  trees_free(&m);
}
END_TEST

/* A body that is added makes the state one of another tree. */
START_TEST(a_state_is_forgotten)
{
  random_state random = random_seed(3);
  const double none[3] = {0.0}, q[4] = {0.0};
  double h[2];
  trees_model m;
  trees_begin(&m, none);
  const nsdyn_tree_body b = trees_body(&random, NSDYN_TREE_PRISMATIC, -1);
  trees_add(&m, &b);
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_force(m.tree, h), NSDYN_OK);
  trees_add(&m, &b);
  ck_assert_int_eq(nsdyn_tree_force(m.tree, h), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_force(m.tree, h), NSDYN_OK);
  trees_free(&m);
}
END_TEST

START_TEST(refused)
{
  nsdyn_tree_options options;
  nsdyn_tree *tree = NULL;
  nsdyn_error error = {.size = sizeof error};
  nsdyn_tree_body b;
  ck_assert_int_eq(nsdyn_tree_options_init(&options, sizeof options), NSDYN_OK);
  ck_assert(options.gravity[0] == 0.0 && options.gravity[2] == 0.0);
  ck_assert_int_eq(nsdyn_tree_options_init(NULL, sizeof options), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_body_init(&b, 3), NSDYN_ERR_STRUCT_SIZE);
  options.gravity[1] = NAN;
  ck_assert_int_eq(nsdyn_tree_new(NULL, &options, &tree, &error), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(error.message, "nsdyn_tree_new: gravity is not finite");
  ck_assert_ptr_null(tree);
  ck_assert_int_eq(nsdyn_tree_new(NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_new(NULL, NULL, &tree, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_add(tree, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(tree), "nsdyn_tree_add: body is NULL");
  ck_assert_int_eq(nsdyn_tree_body_init(&b, sizeof b), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_add(NULL, &b, NULL), NSDYN_ERR_ARGUMENT);
  b.size = 8;
  ck_assert_int_eq(nsdyn_tree_add(tree, &b, NULL), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_tree_detail(tree, &detail), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_detail(tree, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_detail(NULL, &detail), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(NULL), "");
  ck_assert_int_eq(nsdyn_tree_bodies(NULL) + nsdyn_tree_nq(NULL) + nsdyn_tree_nu(NULL), 0);
  nsdyn_tree_free(tree);
  nsdyn_tree_free(NULL);
}
END_TEST

SUITE("multibody/object", TEST(bodies_one_after_the_other), TEST(long_names), TEST(a_state_is_forgotten),
      TEST(refused))
