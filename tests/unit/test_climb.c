/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "branching.h"

/* x_0 + x_1 <= 1 by y_0, and y_1 = x_0 − x_1 + 2. */
static branching *triangle(void)
{
  branching *t = branching_new(2);
  const double A[] = {-1.0, -1.0, 1.0, -1.0}, b[] = {1.0, 2.0};
  for (int i = 0; i < 4; i++) {
    t->A[i] = A[i];
  }
  t->b[0] = b[0];
  t->b[1] = b[1];
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  ck_assert_int_eq(nsd_node_start(&t->node, &t->tree), NSD_NODE_OPEN);
  return t;
}

START_TEST(raises_what_can_be_positive)
{
  branching *t = triangle();
  for (int k = 0; k < 4; k++) {
    nsd_node_copy(&t->other, &t->node, NULL);
    ck_assert_int_eq(nsd_node_raise(&t->other, &t->tree, k), 1);
    ck_assert_int_ne(t->other.state[k] & NSD_POSITIVE, 0);
    ck_assert(vertex_defect(t, &t->other) < 1e-15);
    ck_assert(!nsd_node_unbounded(&t->other, &t->tree, k));
  }
  branching_free(t);
}
END_TEST

/* y_0 = −x_0 − x_1: nothing of these is ever positive; x_2 and y_2 = x_2 grow together. */
START_TEST(closing_finds_all_zeros)
{
  branching *t = branching_new(3);
  const double A[] = {-1.0, -1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 1.0};
  for (int i = 0; i < 9; i++) {
    t->A[i] = A[i];
  }
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  ck_assert_int_eq(nsd_node_start(&t->node, &t->tree), NSD_NODE_OPEN);
  nsd_node_copy(&t->other, &t->node, NULL);
  ck_assert_int_eq(nsd_node_close(&t->node, &t->tree), NSD_NODE_OPEN);
  ck_assert_int_eq(t->node.live_count, 1);
  for (int k = 0; k < 6; k++) {
    ck_assert_int_eq(nsd_node_is_fixed(&t->node, k), k != 2 && k != 5 ? NSD_FIXED : 0);
  }
  ck_assert(nsd_node_unbounded(&t->node, &t->tree, 2));
  t->other.state[1] |= NSD_WANTED;
  ck_assert_int_eq(nsd_node_close(&t->other, &t->tree), NSD_NODE_COVERED);
  ck_assert_int_eq((int)t->tree.doubtful, 0);
  branching_free(t);
}
END_TEST

/* Full dimension by construction: nothing is zero, whatever vertex one starts from. */
START_TEST(interior_points_leave_nothing_fixed)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_node_start(&t->node, &t->tree), NSD_NODE_OPEN);
    ck_assert_int_eq(nsd_node_close(&t->node, &t->tree), NSD_NODE_OPEN);
    ck_assert_int_eq(t->node.live_count, t->p.n);
    branching_free(t);
  }
}
END_TEST

SUITE("climb", TEST(raises_what_can_be_positive), TEST(closing_finds_all_zeros),
      TEST(interior_points_leave_nothing_fixed))
