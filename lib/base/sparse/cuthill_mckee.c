/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sparse/cuthill_mckee.h"

/* Goes on from the nodes order[*head … *tail − 1], breadth first. A node that has been reached has a
 * rank >= 0. */
static void search(const nsd_graph *graph, int *order, int *rank, int *head, int *tail)
{
  for (; *head < *tail; ++*head) {
    const int node = order[*head];
    const int begin = *tail;
    int other;
    size_t at = 0;
    while ((other = graph->next(graph->user, node, &at)) >= 0) {
      if (rank[other] >= 0) {
        continue;
      }
      rank[other] = 0;
      const size_t degree = graph->degree(graph->user, other);
      int place = (*tail)++;
      /* Sorted in by degree among the new neighbours of this node. */
      while (place > begin && graph->degree(graph->user, order[place - 1]) > degree) {
        order[place] = order[place - 1];
        place--;
      }
      order[place] = other;
    }
  }
}

/* The last node of a search from `root` is far from all: where an order should begin. */
static int far_from(const nsd_graph *graph, int *order, int *rank, int root, int count)
{
  int head = count, end = count;
  order[end++] = root;
  rank[root] = 0;
  search(graph, order, rank, &head, &end);
  for (int i = count; i < end; i++) {
    rank[order[i]] = -1;
  }
  return order[end - 1];
}

void nsd_cuthill_mckee(const nsd_graph *graph, int *order, int *rank)
{
  int head = 0, count = 0;
  for (int node = 0; node < graph->nodes; node++) {
    rank[node] = -1;
  }
  /* Part after part, each from one of two nodes that are far from each other. */
  for (int node = 0; node < graph->nodes; node++) {
    if (rank[node] < 0) {
      const int edge = far_from(graph, order, rank, node, count);
      const int root = far_from(graph, order, rank, edge, count);
      order[count++] = root;
      rank[root] = 0;
      search(graph, order, rank, &head, &count);
    }
  }
  for (int i = 0, j = graph->nodes - 1; i < j; i++, j--) {
    const int node = order[i];
    order[i] = order[j];
    order[j] = node;
  }
  for (int i = 0; i < graph->nodes; i++) {
    rank[order[i]] = i;
  }
}
