/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Primal pivots on a node: how large can z_k become? */
#include "lcp/node.h"

#include "lcp/certain.h"
#include "lcp/witness.h"

typedef enum climb_end {
  CLIMB_TOP,      /* z_k is at its maximum; it is basic */
  CLIMB_POSITIVE, /* z_k > 0 (where that was all that was asked) */
  CLIMB_UNBOUNDED /* the last column asked for has no bound */
} climb_end;

/* A live column that raises row r: the largest T_rs, or with Bland's rule the least number. */
static int rising(const nsd_node *node, int r, int bland)
{
  int best = -1;
  double most = 0.0;
  for (int k = 0; k < node->live_count; k++) {
    const int s = node->live[k];
    const double t = nsd_node_column(node, s)[r];
    if (t > 0.0 && (best < 0 || (bland ? node->slot[s] < node->slot[best] : t > most))) {
      most = t;
      best = s;
    }
  }
  return best;
}

/* The next column to increase for the sake of z_k, noise passed over; −1 at the top. */
static int next_column(const nsd_node *node, int k, int bland)
{
  const int place = node->place[k];
  if (place < 0) {
    return ~place;
  }
  for (;;) {
    const int s = rising(node, place, bland);
    if (s < 0 || nsd_node_accept(node, place, s)) {
      return s;
    }
  }
}

/* The primal simplex method on z_k. After 2n + 20 pivots Bland's rule takes over, so it ends; the limit is
 * for rounding only, and then says the harmless thing. */
static climb_end climb(nsd_node *node, nsd_tree *tree, int k, int until_positive)
{
  const int patience = 2 * node->n + 20;
  const int limit = 100 * node->n + 1000;
  for (int count = 0; count < limit && !tree->status; count++) {
    if (until_positive && nsd_node_value(node, k) > 0.0) {
      return CLIMB_POSITIVE;
    }
    const int bland = count > patience;
    const int s = next_column(node, k, bland);
    if (s < 0) {
      return CLIMB_TOP;
    }
    const int r = nsd_node_blocking(node, s, -1, bland);
    if (r < 0) {
      return CLIMB_UNBOUNDED;
    }
    nsd_node_step(node, tree, r, s);
  }
  return until_positive ? CLIMB_POSITIVE : CLIMB_TOP;
}

int nsd_node_raise(nsd_node *node, nsd_tree *tree, int k)
{
  if (node->state[k] & NSD_POSITIVE) {
    return 1;
  }
  int zero = climb(node, tree, k, 1) == CLIMB_TOP;
  /* At the top z_k is basic, zero, and no T_rj > 0. */
  int vanishes = 1;
  if (zero && tree->exact && !nsd_witness_holds(node, tree, node->place[k], NSD_ROW_ZERO) &&
      nsd_certain_vanishes(node, tree, k, &vanishes)) {
    node->state[k] |= vanishes ? 0 : NSD_POSITIVE;
    return !vanishes;
  }
  if (zero && tree->exact) {
    return 0;
  }
  if (zero && !nsd_witness_holds(node, tree, node->place[k], NSD_ROW_ZERO)) {
    if (nsd_node_renew(node, tree)) {
      return 0;
    }
    zero = climb(node, tree, k, 1) == CLIMB_TOP;
    if (zero && !nsd_witness_holds(node, tree, node->place[k], NSD_ROW_ZERO)) {
      tree->doubtful++;
    }
  }
  if (zero) {
    return 0;
  }
  node->state[k] |= NSD_POSITIVE;
  return 1;
}

int nsd_node_unbounded(nsd_node *node, nsd_tree *tree, int k)
{
  return climb(node, tree, k, 0) == CLIMB_UNBOUNDED;
}

/* Everything positive at this vertex. */
static void mark_positive(nsd_node *node)
{
  for (int r = 0; r < node->n; r++) {
    if (node->c[r] > 0.0) {
      node->state[node->row[r]] |= NSD_POSITIVE;
    }
  }
}

static int undecided(const nsd_node *node)
{
  for (int k = 0; k < 2 * node->n; k++) {
    if (!(node->state[k] & (NSD_FIXED | NSD_POSITIVE))) {
      return k;
    }
  }
  return -1;
}

nsd_node_end nsd_node_close(nsd_node *node, nsd_tree *tree)
{
  for (int k = 0; k < 2 * node->n; k++) {
    node->state[k] = (uint8_t)(node->state[k] & ~NSD_POSITIVE);
  }
  int64_t seen = -1; /* pivots when the vertex was last looked at */
  for (;;) {
    if (seen != tree->pivots) {
      seen = tree->pivots;
      nsd_node_clean(node, tree);
      mark_positive(node);
    }
    const int k = undecided(node);
    if (k < 0) {
      return NSD_NODE_OPEN;
    }
    if (!nsd_node_raise(node, tree, k) && (node->place[k] < 0 || nsd_node_vanish(node, node->place[k]))) {
      return NSD_NODE_COVERED;
    }
  }
}
