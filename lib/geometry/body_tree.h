/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A tree of boxes whose leaves come, go and move; kept balanced by rotations. */
#ifndef NSD_GEOMETRY_BODY_TREE_H
#define NSD_GEOMETRY_BODY_TREE_H

#include "base/context.h"

enum { NSD_NO_NODE = -1, NSD_TREE_STACK = 128 };

typedef struct nsd_body_node {
  double box[4];       /* low x, low y, high x, high y */
  int32_t parent;      /* of a free node the next free one */
  int32_t child[2];    /* NSD_NO_NODE: a leaf */
  int32_t id, height;  /* of a leaf its body, and 0 */
  int32_t reserved[3]; /* so that a node is one line of the processor's cache */
} nsd_body_node;

typedef struct nsd_body_tree {
  nsd_body_node *node;
  int32_t root, free, room;
} nsd_body_tree;

static inline int nsd_boxes_overlap(const double *a, const double *b)
{
  /* All four are compared: which of them fails cannot be foretold, and a wrong guess costs more. */
  return (a[0] <= b[2]) & (b[0] <= a[2]) & (a[1] <= b[3]) & (b[1] <= a[3]);
}

void nsd_body_tree_init(nsd_body_tree *tree);
void nsd_body_tree_release(nsd_body_tree *tree, nsdyn_context *ctx);

/* Room for so many leaves. NSDYN_OK, NSDYN_ERR_NOMEM. */
nsdyn_status nsd_body_tree_reserve(nsd_body_tree *tree, nsdyn_context *ctx, int32_t leaves);

/* A new leaf, for which there is room; returns its node. */
int32_t nsd_body_tree_insert(nsd_body_tree *tree, int32_t id, const double *box);

void nsd_body_tree_remove(nsd_body_tree *tree, int32_t leaf);

#endif
