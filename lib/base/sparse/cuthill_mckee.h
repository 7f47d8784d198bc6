/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* An order of a graph's nodes in which neighbours stand close together, so that factors within an envelope
 * stay small (Cuthill & McKee 1969): breadth first from a node at the edge of each part, of the neighbours
 * those with few of their own first; and all that backwards, which fills in less (George 1971). */
#ifndef NSD_BASE_SPARSE_CUTHILL_MCKEE_H
#define NSD_BASE_SPARSE_CUTHILL_MCKEE_H

#include <stddef.h>

typedef struct nsd_graph {
  int nodes;
  const void *user;
  /* A neighbour of `node`: the first for *at = 0, then one after the other; −1 behind the last. The node
   * itself, and one that comes twice, do no harm. */
  int (*next)(const void *user, int node, size_t *at);
  size_t (*degree)(const void *user, int node); /* how many: a size to compare by */
} nsd_graph;

/* order (nodes): first to last; rank (nodes): its inverse. */
void nsd_cuthill_mckee(const nsd_graph *graph, int *order, int *rank);

#endif
