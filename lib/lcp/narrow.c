/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A node becomes narrower: unknowns are fixed at zero, by choice or because the rows force it. */
#include "lcp/node.h"

#include "base/simd.h"
#include "lcp/certain.h"

#define OLD 100          /* pivots after which a tableau is made afresh */
#define COLUMN_READ 60.0 /* multiplications that take as long as to read elements out of columns */

/* ---- to zero ------------------------------------------------------------------------------------- */

/* The least number among sign · T_rs > 0 (Bland's rule). */
static int entering_least(const nsd_node *node, int r, double sign)
{
  for (;;) {
    int best = -1;
    for (int k = 0; k < node->live_count; k++) {
      const int s = node->live[k];
      const double t = sign * nsd_node_column(node, s)[r];
      if (t > 0.0 && (best < 0 || node->slot[s] < node->slot[best])) {
        best = s;
      }
    }
    if (best < 0 || nsd_node_accept(node, r, best)) {
      return best;
    }
  }
}

/* Moves z_k, basic and not zero, to zero by primal pivots that keep what is feasible feasible, and out of the
 * basis: 1. 0 where its row shows that it cannot be zero. */
static int drive_to_zero(nsd_node *node, nsd_tree *tree, int k)
{
  const int patience = 2 * node->n + 20;
  const int limit = 100 * node->n + 1000;
  for (int count = 0; count < limit && !tree->status; count++) {
    const int r = node->place[k];
    if (node->c[r] == 0.0) {
      return 1;
    }
    const double sign = node->c[r] > 0.0 ? -1.0 : 1.0;
    const int bland = count > patience;
    const int s = bland ? entering_least(node, r, sign) : nsd_node_entering(node, r, sign);
    if (s < 0) {
      return 0;
    }
    const int stop = nsd_node_blocking(node, s, r, bland);
    nsd_node_step(node, tree, stop, s);
    if (stop == r) {
      return 1;
    }
  }
  return 0;
}

/* ---- fixing -------------------------------------------------------------------------------------- */

/* Pivots a fixed unknown out of the basis. What stays basic is zero by the equations alone. 0: it cannot be
 * zero. */
static int drive_out(nsd_node *node, nsd_tree *tree, int k)
{
  if (!drive_to_zero(node, tree, k)) {
    return 0;
  }
  if (node->place[k] >= 0) {
    const int s = nsd_node_entering(node, node->place[k], 0.0);
    if (s >= 0) {
      nsd_node_exchange(node, tree, node->place[k], s);
    }
  }
  if (node->place[k] < 0) {
    nsd_node_retire(node, ~node->place[k]);
  }
  return 1;
}

/* c >= 0 and all fixed unknowns out of the basis: 1. Else 0; `proved` tells whether A and b bear it out. */
static int narrow(nsd_node *node, nsd_tree *tree, int *proved)
{
  for (int r = 0; r < node->n && !tree->status; r++) {
    const int k = node->row[r];
    if (node->c[r] < 0.0 && !drive_to_zero(node, tree, k)) {
      *proved = nsd_witness_holds(node, tree, node->place[k], NSD_ROW_NEGATIVE);
      return 0;
    }
  }
  for (int r = 0; r < node->n && !tree->status; r++) {
    const int k = node->row[r];
    if (nsd_node_is_fixed(node, k) && !drive_out(node, tree, k)) {
      *proved = nsd_witness_holds(node, tree, node->place[k], NSD_ROW_POSITIVE);
      return 0;
    }
  }
  return 1;
}

/* A claim that is not borne out is made once more from a fresh tableau. */
static nsd_node_end narrow_surely(nsd_node *node, nsd_tree *tree)
{
  int proved = 0;
  if (narrow(node, tree, &proved) || tree->status) {
    return NSD_NODE_OPEN;
  }
  nsd_node_end end = NSD_NODE_OPEN;
  if (!proved && tree->exact && nsd_certain_start(node, tree, &end)) {
    return end;
  }
  if (!proved && nsd_node_refresh(node, tree) && narrow(node, tree, &proved)) {
    return NSD_NODE_OPEN;
  }
  if (!proved) {
    tree->doubtful++;
  }
  return NSD_NODE_EMPTY;
}

nsd_node_end nsd_node_start(nsd_node *node, nsd_tree *tree)
{
  nsd_node_load(node, tree);
  return narrow_surely(node, tree);
}

nsd_node_end nsd_node_renew(nsd_node *node, nsd_tree *tree)
{
  if (!nsd_node_refresh(node, tree)) {
    nsd_node_end end = NSD_NODE_OPEN;
    if (tree->exact && nsd_certain_start(node, tree, &end)) {
      return end;
    }
    tree->doubtful++;
    return NSD_NODE_EMPTY;
  }
  return narrow_surely(node, tree);
}

nsd_node_end nsd_node_fix(nsd_node *node, nsd_tree *tree, int k)
{
  if (nsd_node_is_fixed(node, k)) {
    return NSD_NODE_OPEN;
  }
  node->state[k] |= NSD_FIXED;
  if (node->age > OLD) {
    return nsd_node_renew(node, tree);
  }
  if (node->place[k] >= 0) {
    return narrow_surely(node, tree);
  }
  nsd_node_retire(node, ~node->place[k]);
  return NSD_NODE_OPEN;
}

/* ---- what the rows force ------------------------------------------------------------------------- */

/* row_fall and row_most over the live columns, four rows at a time. */
NSD_INLINE void scan_rows(const nsd_node *node, nsd_tree *tree)
{
  const nsd_lanes zero = nsd_lanes_all(0.0);
  for (int i = 0; i < node->ld; i += NSD_LANES) {
    nsd_lanes fall = zero, most = zero;
    for (int k = 0; k < node->live_count; k++) {
      const nsd_lanes t = nsd_lanes_load(nsd_node_column(node, node->live[k]) + i);
      fall += nsd_lanes_min(t, zero);
      most = nsd_lanes_max(t, most);
    }
    nsd_lanes_store(tree->row_fall + i, fall);
    nsd_lanes_store(tree->row_most + i, most);
    (void)nsd_poll_stops(&tree->poll, COLUMN_READ * node->live_count);
  }
}

static void scan_plain(const nsd_node *node, nsd_tree *tree)
{
  scan_rows(node, tree);
}

NSD_TARGET_AVX2 static void scan_avx2(const nsd_node *node, nsd_tree *tree)
{
  scan_rows(node, tree);
}

static void scan(const nsd_node *node, nsd_tree *tree)
{
  if (nsd_cpu_avx2()) {
    scan_avx2(node, tree);
  } else {
    scan_plain(node, tree);
  }
}

nsd_node_end nsd_node_vanish(nsd_node *node, int r)
{
  int covered = node->state[node->row[r]] & NSD_WANTED;
  node->state[node->row[r]] |= NSD_FIXED;
  for (int k = node->live_count - 1; k >= 0; k--) {
    const int s = node->live[k];
    if (nsd_node_column(node, s)[r] < 0.0 && nsd_node_accept(node, r, s)) {
      covered |= node->state[node->slot[s]] & NSD_WANTED;
      node->state[node->slot[s]] |= NSD_FIXED;
      nsd_node_retire(node, s);
    }
  }
  return covered ? NSD_NODE_COVERED : NSD_NODE_OPEN;
}

/* One pass over the rows. Columns that go while it runs only narrow what the ranges say. `pivoted` tells that
 * the ranges are void. */
static nsd_node_end settle_rows(nsd_node *node, nsd_tree *tree, int *changed, int *pivoted)
{
  for (int r = 0; r < node->n && !*pivoted && !tree->status; r++) {
    const int k = node->row[r];
    if (nsd_node_is_fixed(node, k)) {
      continue;
    }
    if (node->c[r] == 0.0) {
      if (tree->row_most[r] <= 0.0 && nsd_witness_holds(node, tree, r, NSD_ROW_ZERO)) {
        *changed = 1;
        if (nsd_node_vanish(node, r)) {
          return NSD_NODE_COVERED;
        }
      }
      continue;
    }
    const int partner = nsd_partner(node->n, k);
    if (tree->row_fall[r] >= 0.0 && !nsd_node_is_fixed(node, partner) &&
        nsd_witness_holds(node, tree, r, NSD_ROW_POSITIVE)) {
      if (node->state[partner] & NSD_WANTED) {
        return NSD_NODE_COVERED;
      }
      *changed = 1;
      *pivoted = node->place[partner] >= 0;
      const nsd_node_end end = nsd_node_fix(node, tree, partner);
      if (end) {
        return end;
      }
    }
  }
  return NSD_NODE_OPEN;
}

nsd_node_end nsd_node_settle(nsd_node *node, nsd_tree *tree)
{
  for (;;) {
    int changed = 0, pivoted = 0;
    nsd_node_clean(node, tree);
    scan(node, tree);
    const nsd_node_end end = settle_rows(node, tree, &changed, &pivoted);
    if (end || !changed || tree->status) {
      return end;
    }
  }
}
