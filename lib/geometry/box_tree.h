/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A tree of boxes over an outline, in its frame (SB fig. 7): each box holds a run of edges, its two children
 * one half each. Besides the box a node knows the directions that its outward normals, and those between them
 * at its corners, take: pieces that do not face each other cannot touch first. */
#ifndef NSD_GEOMETRY_BOX_TREE_H
#define NSD_GEOMETRY_BOX_TREE_H

#include "base/arena.h"

enum { NSD_LEAF_EDGES = 4 };

typedef struct nsd_box_node {
  double centre[2], half[2];
  double facing[2];     /* unit vector, the middle of its normals' directions; */
  double spread[2];     /* cosine and sine of the largest angle to it; cosine −1: all directions */
  double core[2];       /* centre of the box along `facing` and across it, */
  double wide[2];       /* and half its sides: a smooth run of length l is thin, l², in it */
  int32_t first, count; /* edges; a leaf has NSD_LEAF_EDGES at most */
  int32_t right;        /* right child; the left one stands next to its parent. 0: a leaf */
  int32_t reserved;
} nsd_box_node;

typedef struct nsd_box_tree {
  nsd_box_node *node; /* the root first */
  int32_t nodes;
} nsd_box_tree;

struct nsd_outline;

/* Room for a tree over so many edges. */
void nsd_box_tree_lay_out(nsd_arena *arena, nsd_box_tree *tree, size_t edges);

/* line: struct nsd_outline. */
void nsd_box_tree_build(const struct nsd_outline *line, nsd_box_tree *tree);

/* The edge of an outline that is nearest to x, as far as `within`: its number, −1 where none is as near (of a
 * circle 0), and its distance. */
typedef struct nsd_nearest {
  int32_t edge;
  int32_t is_behind; /* x is behind it; at a corner: it is a notch */
  double distance;
} nsd_nearest;

nsd_nearest nsd_box_tree_nearest(const struct nsd_outline *line, const nsd_box_tree *tree, const double *x,
                                 double within);

/* Whether x is solid, exactly for x and corners as they are; of a profile whether it is behind the edge that
 * is nearest, as far as `within`. */
int nsd_box_tree_contains(const struct nsd_outline *line, const nsd_box_tree *tree, const double *x,
                          double within);

#endif
