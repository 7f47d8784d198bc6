/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "branching.h"
#include "support/problems.h"

/* Feasible by construction: found, every time; infeasible by construction: proved, every time. */
START_TEST(feasibility_is_decided)
{
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_node_start(&t->node, &t->tree), NSD_NODE_OPEN);
    for (int i = 0; i < 2 * t->p.n; i++) {
      ck_assert(nsd_node_value(&t->node, i) >= 0.0);
    }
    ck_assert(vertex_defect(t, &t->node) < 1e-9);
    branching_free(t);
  }
}
END_TEST

START_TEST(infeasibility_is_proved)
{
  static const char *const names[] = {"infeasible", "infeasible_scaled", "infeasible_psd"};
  problem *q = problem_new(MOST);
  ck_assert_ptr_nonnull(q);
  const int cases = random_cases(1000);
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(q, problem_class_find(names[c]), 1 + k % MOST, (uint64_t)k);
      branching *t = branching_new(q->n);
      const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b};
      ck_assert_int_eq(nsd_tree_load(&t->tree, &p), NSDYN_OK);
      ck_assert_msg(nsd_node_start(&t->node, &t->tree) == NSD_NODE_EMPTY, "%s seed %d", names[c], k);
      ck_assert_msg(t->tree.doubtful == 0, "%s seed %d", names[c], k);
      branching_free(t);
    }
  }
  problem_free(q);
}
END_TEST

/* Fixing one unknown after the other narrows P: z stays feasible, fixed unknowns stay zero, and where all x
 * are fixed only y = b is left. */
START_TEST(fixed_unknowns_are_zero)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    const int n = t->p.n;
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_node_start(&t->node, &t->tree), NSD_NODE_OPEN);
    nsd_node_end end = NSD_NODE_OPEN;
    int positive = 1;
    for (int i = 0; i < n; i++) {
      positive = positive && t->b[i] >= 0.0;
    }
    for (int i = 0; i < n && end == NSD_NODE_OPEN; i++) {
      end = nsd_node_fix(&t->node, &t->tree, i);
      for (int j = 0; j <= i && end == NSD_NODE_OPEN; j++) {
        ck_assert(nsd_node_value(&t->node, j) == 0.0);
      }
      ck_assert(end || vertex_defect(t, &t->node) < 1e-9);
    }
    ck_assert_int_eq(end, positive ? NSD_NODE_OPEN : NSD_NODE_EMPTY);
    ck_assert_int_eq((int)t->tree.doubtful, 0);
    branching_free(t);
  }
}
END_TEST

/* y_0 = 1 + x_1 forces x_0 = 0; y_1 = −x_1 forces both to zero. */
START_TEST(rows_force)
{
  branching *t = branching_new(2);
  const double A[] = {0.0, 1.0, 0.0, -1.0};
  for (int i = 0; i < 4; i++) {
    t->A[i] = A[i];
  }
  t->b[0] = 1.0;
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  ck_assert_int_eq(nsd_node_start(&t->node, &t->tree), NSD_NODE_OPEN);
  nsd_node_copy(&t->other, &t->node, NULL);
  ck_assert_int_eq(nsd_node_settle(&t->node, &t->tree), NSD_NODE_OPEN);
  ck_assert(nsd_node_is_fixed(&t->node, 0) && nsd_node_is_fixed(&t->node, 1));
  ck_assert(nsd_node_is_fixed(&t->node, 3) && !nsd_node_is_fixed(&t->node, 2));
  ck_assert_int_eq(t->node.live_count, 0);
  t->other.state[1] |= NSD_WANTED;
  ck_assert_int_eq(nsd_node_settle(&t->other, &t->tree), NSD_NODE_COVERED);
  branching_free(t);
}
END_TEST

START_TEST(renewing_changes_nothing)
{
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_node_start(&t->node, &t->tree), NSD_NODE_OPEN);
    if (nsd_node_fix(&t->node, &t->tree, random_below(&r, 2 * t->p.n)) == NSD_NODE_OPEN) {
      nsd_node_copy(&t->other, &t->node, NULL);
      ck_assert_int_eq(nsd_node_renew(&t->node, &t->tree), NSD_NODE_OPEN);
      ck_assert_int_eq(t->node.live_count, t->other.live_count);
      ck_assert(vertex_defect(t, &t->node) < 1e-12);
    }
    branching_free(t);
  }
}
END_TEST

SUITE("narrow", TEST(feasibility_is_decided), TEST(infeasibility_is_proved), TEST(fixed_unknowns_are_zero),
      TEST(rows_force), TEST(renewing_changes_nothing))
