/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Two leaves of box trees: vertices against edges, both ways, vertices against vertices, and edges that
 * cross. */
#ifndef NSD_GEOMETRY_PIECES_H
#define NSD_GEOMETRY_PIECES_H

#include "geometry/placed.h"

/* Past the end of an edge by no more than rounding, or within what corner ends there; or behind the other
 * edge of that corner, too, which is where the body is inside of the other one; or, where the corner is a
 * notch, in front of its other edge. */
enum nsd_beyond { NSD_AT_END = 1, NSD_BEHIND_BOTH = 2, NSD_BEFORE_BOTH = 3 };

/* A vertex of one shape near an edge, or a vertex, of the other one. */
typedef struct nsd_meeting {
  int32_t side;         /* 0: the vertex is of the first shape */
  int32_t vertex, edge; /* corner and edge, or two corners where at_vertex */
  int32_t at_vertex;
  int32_t is_beyond; /* past the end of the edge: 0, or one of enum nsd_beyond */
  int32_t reserved;
  double h;    /* distance of the outlines without rounding; < 0: the vertex is behind the edge's line */
  double n[2]; /* outward normal of the edge; from the other shape to the vertex */
} nsd_meeting;

/* Edges of the first and of the second shape that cross; and, of depth.c, what it met where it followed each
 * shape's outline from there. */
typedef struct nsd_crossing {
  int32_t edge[2];
  int32_t left[2], middle[2];
  unsigned char is_followed[2], is_touched[2], is_notched[2];
} nsd_crossing;

/* Half of the search: the second shape stands in the frame of the first one, so that every test sees the same
 * coordinates of the same vertex, and no vertex falls between two edges. */
typedef struct nsd_view {
  const nsdyn_shape *shape[2];
  nsd_frame frame; /* of the second shape, in that of the first one */
  double rounding; /* sum of the two radii */
  double reach;    /* largest distance without rounding */
  double skin;     /* largest depth without rounding that this search looks for */
  double whole;    /* largest depth at all: how far past the end of an edge a notch still presses */
  double place;    /* distances that are rounding */
} nsd_view;

/* The edges of a leaf and one more on both sides, and their corners, in the first shape's frame; arrays begin
 * one before the leaf's own. */
typedef struct nsd_piece {
  int32_t first, edges, corners; /* the leaf's own */
  int32_t is_point, is_open[2];  /* nothing before the first corner, behind the last one */
  double p[NSD_LEAF_EDGES + 3][2], n[NSD_LEAF_EDGES + 2][2], length[NSD_LEAF_EDGES + 2];
  unsigned char convex[NSD_LEAF_EDGES + 3];
} nsd_piece;

/* Side 0 or 1: which shape; edges first, …, first + count − 1. */
void nsd_piece_load(const nsd_view *view, int side, int32_t first, int32_t count, nsd_piece *piece);

enum {
  NSD_MEETINGS_MOST = 3 * (NSD_LEAF_EDGES + 1) * (NSD_LEAF_EDGES + 1),
  NSD_CROSSINGS_MOST = NSD_LEAF_EDGES * NSD_LEAF_EDGES
};

/* Vertices of both against edges of the other one, and against its vertices; returns how many there are. */
int nsd_pieces_meet(const nsd_view *view, const nsd_piece *first, const nsd_piece *second,
                    nsd_meeting *meeting);

/* Edges that cross: exact, of coordinates as they are in the first shape's frame. */
int nsd_pieces_cross(const nsd_piece *first, const nsd_piece *second, nsd_crossing *crossing);

#endif
