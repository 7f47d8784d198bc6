/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/certain.h"

#include "suite.h"

enum { N = 2 };

/* A tree of two unknowns. */
typedef struct bench {
  nsd_arena arena;
  nsd_tree tree;
  nsd_node node;
  nsd_sure sure;
  nsd_exact exact;
} bench;

static void lay_out(bench *t, nsd_arena *arena)
{
  nsd_tree_lay_out(arena, &t->tree, N);
  nsd_node_lay_out(arena, &t->node, N);
  nsd_sure_lay_out(arena, &t->sure, N);
}

static void load(bench *t, const nsd_lcp_problem *p)
{
  nsd_arena measure = nsd_arena_measure();
  t->arena = nsd_arena_empty(NULL);
  lay_out(t, &measure);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  lay_out(t, &t->arena);
  nsd_exact_init(&t->exact, NULL);
  ck_assert_int_eq(nsd_tree_load(&t->tree, p), NSDYN_OK);
  t->tree.exact = &t->exact;
  t->tree.sure = &t->sure;
  t->tree.exact_work = 1000000;
  nsd_node_load(&t->node, &t->tree);
}

static void drop(bench *t)
{
  nsd_exact_release(&t->exact);
  nsd_arena_release(&t->arena);
}

/* y_0 = x_0 + x_1 − 1 and y_1 = x_0 + x_1 − 1 − δ: both zero is empty for any δ but 0. */
START_TEST(a_bit_makes_it_empty)
{
  static const double A[N * N] = {1.0, 1.0, 1.0, 1.0};
  for (int k = 0; k < 2; k++) {
    const double b[N] = {-1.0, k ? -1.0 - 0x1p-52 : -1.0};
    const nsd_lcp_problem p = {.n = N, .lda = N, .A = A, .b = b};
    bench t;
    nsd_node_end end = NSD_NODE_COVERED;
    load(&t, &p);
    t.node.state[N] |= NSD_FIXED;
    t.node.state[N + 1] |= NSD_FIXED;
    ck_assert_int_eq(nsd_certain_start(&t.node, &t.tree, &end), 1);
    ck_assert_int_eq(end, k ? NSD_NODE_EMPTY : NSD_NODE_OPEN);
    drop(&t);
  }
}
END_TEST

/* Both y and x_1 zero: the point x = (1, 0), or with x_1 not fixed the segment to (0, 1). */
START_TEST(closing_tells_all)
{
  static const double A[N * N] = {1.0, 1.0, 1.0, 1.0}, b[N] = {-1.0, -1.0};
  const nsd_lcp_problem p = {.n = N, .lda = N, .A = A, .b = b};
  bench t;
  nsd_node_end end = NSD_NODE_COVERED;
  int vanishes = 0;
  load(&t, &p);
  t.node.state[N] |= NSD_FIXED;
  ck_assert_int_eq(nsd_certain_vanishes(&t.node, &t.tree, N + 1, &vanishes), 1);
  ck_assert_int_eq(vanishes, 1);
  ck_assert_int_eq(nsd_certain_vanishes(&t.node, &t.tree, 0, &vanishes), 1);
  ck_assert_int_eq(vanishes, 0);
  ck_assert_int_eq(nsd_certain_close(&t.node, &t.tree, &end), 1);
  ck_assert_int_eq(end, NSD_NODE_OPEN);
  ck_assert(nsd_node_is_fixed(&t.node, N + 1) && t.node.live_count == 1 && t.node.is_exact);
  drop(&t);
}
END_TEST

/* Without work it is doubtful, and the tree goes on alone. */
START_TEST(work_may_run_out)
{
  static const double A[N * N] = {1.0, 1.0, 1.0, 1.0}, b[N] = {-1.0, -1.0};
  const nsd_lcp_problem p = {.n = N, .lda = N, .A = A, .b = b};
  bench t;
  nsd_node_end end = NSD_NODE_COVERED;
  load(&t, &p);
  t.tree.exact_work = -1;
  ck_assert_int_eq(nsd_certain_close(&t.node, &t.tree, &end), 0);
  ck_assert(t.tree.exact == NULL && t.tree.doubtful == 1);
  drop(&t);
}
END_TEST

SUITE("certain", TEST(a_bit_makes_it_empty), TEST(closing_tells_all), TEST(work_may_run_out))
