/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the tests of the enumeration's parts share: a problem, its tree and a few nodes. */
#ifndef TESTS_UNIT_BRANCHING_H
#define TESTS_UNIT_BRANCHING_H

#include <stdlib.h>

#include "lcp/node.h"
#include "suite.h"

#define MOST 24

typedef struct branching {
  nsd_arena arena;
  nsd_tree tree;
  nsd_node node;
  nsd_node other;
  nsd_lcp_problem p;
  double A[MOST * MOST], b[MOST];
} branching;

static inline branching *branching_new(int n)
{
  branching *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  nsd_arena measure = nsd_arena_measure();
  nsd_tree_lay_out(&measure, &t->tree, n);
  nsd_node_lay_out(&measure, &t->node, n);
  nsd_node_lay_out(&measure, &t->other, n);
  t->arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  nsd_tree_lay_out(&t->arena, &t->tree, n);
  nsd_node_lay_out(&t->arena, &t->node, n);
  nsd_node_lay_out(&t->arena, &t->other, n);
  t->p = (nsd_lcp_problem){.n = n, .lda = n, .A = t->A, .b = t->b};
  return t;
}

static inline void branching_free(branching *t)
{
  nsd_arena_release(&t->arena);
  free(t);
}

/* A random matrix, and b such that x >= 0, y >= 0 has a point with a positive x and y in every row. */
static inline void make_feasible(branching *t, random_state *r)
{
  const int n = t->p.n;
  double x[MOST];
  for (int j = 0; j < n; j++) {
    x[j] = random_unit(r);
  }
  for (int i = 0; i < n; i++) {
    t->b[i] = random_unit(r);
    for (int j = 0; j < n; j++) {
      t->A[i * n + j] = random_normal(r);
      t->b[i] -= t->A[i * n + j] * x[j];
    }
  }
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
}

/* Largest |y − A x − b| at the node's vertex, in scaled units. */
static inline double vertex_defect(const branching *t, const nsd_node *node)
{
  const int n = node->n;
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    double sum = t->tree.b[i] - nsd_node_value(node, n + i);
    for (int j = 0; j < n; j++) {
      sum += t->tree.A[i * n + j] * nsd_node_value(node, j);
    }
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

#endif
