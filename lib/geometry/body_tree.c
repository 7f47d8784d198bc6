/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/body_tree.h"

#include <math.h>
#include <string.h>

void nsd_body_tree_init(nsd_body_tree *tree)
{
  tree->node = NULL;
  tree->root = tree->free = NSD_NO_NODE;
  tree->room = 0;
}

void nsd_body_tree_release(nsd_body_tree *tree, nsdyn_context *ctx)
{
  nsd_release(ctx, tree->node, (size_t)tree->room, sizeof *tree->node);
}

nsdyn_status nsd_body_tree_reserve(nsd_body_tree *tree, nsdyn_context *ctx, int32_t leaves)
{
  const int32_t wanted = 2 * leaves; /* one inner node less than leaves */
  if (wanted <= tree->room) {
    return NSDYN_OK;
  }
  nsd_body_node *node = nsd_allocate(ctx, (size_t)wanted, sizeof *node);
  if (!node) {
    return NSDYN_ERR_NOMEM;
  }
  if (tree->room) {
    memcpy(node, tree->node, (size_t)tree->room * sizeof *node);
  }
  for (int32_t i = wanted - 1; i >= tree->room; i--) {
    node[i].parent = tree->free;
    tree->free = i;
  }
  nsd_release(ctx, tree->node, (size_t)tree->room, sizeof *node);
  tree->node = node;
  tree->room = wanted;
  return NSDYN_OK;
}

static int32_t take_node(nsd_body_tree *tree)
{
  const int32_t i = tree->free;
  tree->free = tree->node[i].parent;
  return i;
}

static void give_node(nsd_body_tree *tree, int32_t i)
{
  tree->node[i].parent = tree->free;
  tree->free = i;
}

static void join(const double *a, const double *b, double *out)
{
  out[0] = a[0] < b[0] ? a[0] : b[0];
  out[1] = a[1] < b[1] ? a[1] : b[1];
  out[2] = a[2] > b[2] ? a[2] : b[2];
  out[3] = a[3] > b[3] ? a[3] : b[3];
}

/* Half its circumference: how likely a box is to be met. */
static double half_round(const double *box)
{
  return box[2] - box[0] + box[3] - box[1];
}

static double grown(const double *box, const double *by)
{
  double both[4];
  join(box, by, both);
  return half_round(both);
}

static void update(nsd_body_tree *tree, int32_t i)
{
  nsd_body_node *n = &tree->node[i];
  const nsd_body_node *a = &tree->node[n->child[0]], *b = &tree->node[n->child[1]];
  join(a->box, b->box, n->box);
  n->height = 1 + (a->height > b->height ? a->height : b->height);
}

static void replace(nsd_body_tree *tree, int32_t parent, int32_t old, int32_t by)
{
  if (parent == NSD_NO_NODE) {
    tree->root = by;
  } else {
    tree->node[parent].child[tree->node[parent].child[1] == old] = by;
  }
  tree->node[by].parent = parent;
}

/* Child `up` of node i, higher than its sibling by two, comes to the place of i, which takes over its lower
 * child. Returns what is there now. */
static int32_t rotate(nsd_body_tree *tree, int32_t i, int side)
{
  const int32_t up = tree->node[i].child[side], parent = tree->node[i].parent;
  nsd_body_node *u = &tree->node[up];
  const int low = tree->node[u->child[0]].height > tree->node[u->child[1]].height;
  const int32_t moved = u->child[low];
  replace(tree, parent, i, up);
  u->child[low] = i;
  tree->node[i].parent = up;
  tree->node[i].child[side] = moved;
  tree->node[moved].parent = i;
  update(tree, i);
  update(tree, up);
  return up;
}

/* From node i up: boxes and heights, and balance. */
static void mend(nsd_body_tree *tree, int32_t i)
{
  while (i != NSD_NO_NODE) {
    const int32_t a = tree->node[i].child[0], b = tree->node[i].child[1];
    const int32_t more = tree->node[b].height - tree->node[a].height;
    if (more > 1 || more < -1) {
      i = rotate(tree, i, more > 1);
    } else {
      update(tree, i);
    }
    i = tree->node[i].parent;
  }
}

int32_t nsd_body_tree_insert(nsd_body_tree *tree, int32_t id, const double *box)
{
  const int32_t leaf = take_node(tree);
  nsd_body_node *own = &tree->node[leaf];
  memcpy(own->box, box, sizeof own->box);
  own->child[0] = own->child[1] = NSD_NO_NODE;
  own->id = id;
  own->height = 0;
  own->parent = NSD_NO_NODE;
  if (tree->root == NSD_NO_NODE) {
    tree->root = leaf;
    return leaf;
  }
  /* Down to where boxes grow least; a node that would grow less with the leaf beside it is its sibling. */
  int32_t at = tree->root;
  while (tree->node[at].child[0] != NSD_NO_NODE) {
    const nsd_body_node *n = &tree->node[at];
    const double *a = tree->node[n->child[0]].box, *b = tree->node[n->child[1]].box;
    const double more_a = grown(a, box) - half_round(a), more_b = grown(b, box) - half_round(b);
    const double here = grown(n->box, box), below = here - half_round(n->box) + fmin(more_a, more_b);
    if (here < below) {
      break;
    }
    at = n->child[more_b < more_a];
  }
  const int32_t parent = take_node(tree);
  nsd_body_node *p = &tree->node[parent];
  p->id = -1;
  replace(tree, tree->node[at].parent, at, parent);
  p->child[0] = at;
  p->child[1] = leaf;
  tree->node[at].parent = tree->node[leaf].parent = parent;
  mend(tree, parent);
  return leaf;
}

void nsd_body_tree_remove(nsd_body_tree *tree, int32_t leaf)
{
  const int32_t parent = tree->node[leaf].parent;
  if (parent == NSD_NO_NODE) {
    tree->root = NSD_NO_NODE;
  } else {
    /* The sibling takes the parent's place. */
    const nsd_body_node *p = &tree->node[parent];
    const int32_t sibling = p->child[p->child[0] == leaf];
    const int32_t above = p->parent;
    replace(tree, above, parent, sibling);
    mend(tree, above);
    give_node(tree, parent);
  }
  give_node(tree, leaf);
}
