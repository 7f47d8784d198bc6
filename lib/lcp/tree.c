/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the nodes of an enumeration share. */
#include "base/dense.h"
#include "lcp/node.h"

void nsd_tree_lay_out(nsd_arena *arena, nsd_tree *tree, int n)
{
  const size_t size = (size_t)n;
  const size_t ld = (size_t)nsd_node_ld(n);
  tree->n = n;
  tree->poll = nsd_poll_of(NULL, NULL);
  nsd_scale_lay_out(arena, &tree->scale, n);
  tree->x_unit = nsd_arena_take(arena, size, sizeof *tree->x_unit);
  tree->row_fall = nsd_arena_take(arena, ld, sizeof *tree->row_fall);
  tree->row_most = nsd_arena_take(arena, ld, sizeof *tree->row_most);
  tree->magnitude = nsd_arena_take(arena, ld, sizeof *tree->magnitude);
  tree->multiplier = nsd_arena_take(arena, size, sizeof *tree->multiplier);
  tree->sum = nsd_arena_take(arena, size, sizeof *tree->sum);
  tree->size = nsd_arena_take(arena, size, sizeof *tree->size);
  tree->basic = nsd_arena_take(arena, 2 * size, sizeof *tree->basic);
  tree->ask = nsd_arena_take(arena, 2 * size, sizeof *tree->ask);
}

nsdyn_status nsd_tree_load(nsd_tree *tree, const nsd_lcp_problem *p)
{
  const int n = p->n;
  tree->scale.poll = &tree->poll;
  const nsd_lcp_problem scaled = nsd_scale_make(&tree->scale, p);
  tree->A = scaled.A;
  tree->b = scaled.b;
  tree->pivots = tree->doubtful = 0;
  tree->judge = NULL;
  tree->exact = NULL;
  tree->sure = NULL;
  tree->problem = p;
  tree->is_scaled_exactly = nsd_scale_is_exact(&tree->scale, p);
  tree->exact_is_loaded = 0;
  tree->status = tree->poll.is_cancelled ? NSDYN_CANCELLED : NSDYN_OK;
  for (int i = 0; i < n; i++) {
    tree->x_unit[i] = 1.0;
  }
  nsd_scale_point(&tree->scale, n, tree->x_unit);
  int finite = 1;
  for (int i = 0; i < n && finite && !tree->poll.is_cancelled; i++) {
    finite = nsd_all_finite(1, n, tree->A + (size_t)i * (size_t)n, n);
    (void)nsd_poll_stops(&tree->poll, 2.0 * n);
  }
  finite = finite && nsd_all_finite(1, n, tree->b, n) && nsd_all_finite(1, n, tree->x_unit, n);
  tree->status = tree->poll.is_cancelled ? NSDYN_CANCELLED : tree->status;
  return tree->status ? tree->status : !finite ? NSDYN_ERR_NOT_FINITE : NSDYN_OK;
}
