/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/witness.h"

#include "branching.h"

/* y_0 = −x_0 − 1 is negative, y_1 = x_1 + 1 positive, y_2 = −x_2 zero: three true claims. */
static branching *claims(void)
{
  branching *t = branching_new(3);
  t->A[0] = -1.0;
  t->A[4] = 1.0;
  t->A[8] = -1.0;
  t->b[0] = -1.0;
  t->b[1] = 1.0;
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  nsd_node_load(&t->node, &t->tree);
  return t;
}

START_TEST(true_claims_hold)
{
  branching *t = claims();
  ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, 0, NSD_ROW_NEGATIVE), 1);
  ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, 1, NSD_ROW_POSITIVE), 1);
  ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, 2, NSD_ROW_ZERO), 1);
  branching_free(t);
}
END_TEST

START_TEST(false_claims_do_not)
{
  branching *t = claims();
  for (int r = 0; r < 3; r++) {
    ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, r, NSD_ROW_NEGATIVE), r == 0);
    ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, r, NSD_ROW_POSITIVE), r == 1);
    ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, r, NSD_ROW_ZERO), r == 2);
  }
  branching_free(t);
}
END_TEST

/* The tableau may say what it likes: A and b decide. Here its c and T are tampered with, and v is not. */
START_TEST(the_tableau_is_not_believed)
{
  branching *t = claims();
  t->node.c[1] = -1.0;
  nsd_node_column(&t->node, 1)[1] = -1.0;
  ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, 1, NSD_ROW_NEGATIVE), 0);
  t->node.c[1] = 0.0;
  ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, 1, NSD_ROW_ZERO), 0);
  branching_free(t);
}
END_TEST

/* No tableau of a feasible problem, spoiled at random, has a row that proves it empty. */
START_TEST(feasible_problems_are_never_proved_empty)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % 8);
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_node_start(&t->node, &t->tree), NSD_NODE_OPEN);
    for (int q = 0; q < t->p.n; q++) {
      double *C = nsd_node_column(&t->node, t->node.live[q]);
      for (int i = 0; i < t->p.n; i++) {
        C[i] *= random_between(&r, 0.0, 2.0);
      }
    }
    for (int i = 0; i < t->p.n; i++) {
      ck_assert_int_eq(nsd_witness_holds(&t->node, &t->tree, i, NSD_ROW_NEGATIVE), 0);
    }
    branching_free(t);
  }
}
END_TEST

SUITE("witness", TEST(true_claims_hold), TEST(false_claims_do_not), TEST(the_tableau_is_not_believed),
      TEST(feasible_problems_are_never_proved_empty))
