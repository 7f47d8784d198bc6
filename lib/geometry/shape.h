/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A shape as detection sees it: its corners, its edges, and a tree of boxes over them.
 *
 * Files of this folder:
 *
 *   shape.h .c         the object: what is given, checked and turned round
 *   outline.h .c       the given points as corners: straight ones left out, wires there and back
 *   moments.h .c       areas and what follows from them
 *   crossings.h .c     whether an outline crosses itself
 *   orientation.h .c   on which side of a line a point is, exactly
 *   box_tree.h .c      boxes over pieces of the outline, and its point nearest to one
 *   placed.h .c        a body: where its shape is, how it moves
 *   detect.h .c        touches of two shapes
 *   pieces.h .c        leaves of two trees: vertices against edges, both ways
 *   directions.h .c    w_N, w_T, ŵ and w̄ of a touch
 *   sift.h .c          what remains of what was found: one touch for one place
 *   depth.h .c         whether shapes are deeper in each other than that
 *   body_tree.h .c     a tree of boxes that come, go and move
 *   broad_phase.c      the object: which of many bodies are near each other
 *   detector.h .c      the object: searches, and reports to a system */
#ifndef NSD_GEOMETRY_SHAPE_H
#define NSD_GEOMETRY_SHAPE_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/sized.h"
#include "geometry/box_tree.h"
#include "nsdyn/geometry.h"

/* First release's sizes (base/sized.h). */
#define NSD_SHAPE_DEF_LEAST NSD_SIZE_THROUGH(nsdyn_shape_def, radius)
#define NSD_SHAPE_PROPERTIES_LEAST NSD_SIZE_THROUGH(nsdyn_shape_properties, high)
#define NSD_BROAD_PHASE_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_broad_phase_options, fat)

enum { NSD_SHAPE_MOST_POINTS = 1 << 20 };

/* The outline: corners one after the other, the solid to the left of each edge from one to the next. A wire
 * is an outline that goes there and back; a circle has one corner and no edge. */
struct nsd_outline {
  int32_t corners, edges; /* closed: as many; a profile has one edge less */
  int32_t closed;
  int32_t thin;           /* there and back, no inside */
  int32_t notched;        /* a corner is not convex */
  double (*p)[2];         /* corners */
  double (*n)[2];         /* outward unit normal of edge i, from corner i to the next one */
  double *length;         /* of edge i */
  int32_t *vertex, *edge; /* numbers that a user knows corner and edge i by */
  unsigned char *convex;  /* corner i: 1 where the solid takes less than half a turn */
};
typedef struct nsd_outline nsd_outline;

struct nsdyn_shape {
  nsdyn_context *ctx;
  atomic_size_t holders;
  nsd_arena arena; /* of what follows */
  nsd_outline line;
  nsd_box_tree tree;
  double radius, extent; /* extent: the larger side of the box round it, rounding included */
  nsdyn_shape_properties properties;
};

/* Counted holding: let go of by nsdyn_shape_free(). */
nsdyn_shape *nsd_shape_hold(nsdyn_shape *shape);

/* Corner after i, and before it; of an open outline NSD_NO_CORNER at its ends. */
enum { NSD_NO_CORNER = -1 };
static inline int32_t nsd_corner_after(const nsd_outline *line, int32_t i)
{
  return i + 1 < line->corners ? i + 1 : line->closed ? 0 : NSD_NO_CORNER;
}
static inline int32_t nsd_corner_before(const nsd_outline *line, int32_t i)
{
  return i > 0 ? i - 1 : line->closed ? line->corners - 1 : NSD_NO_CORNER;
}

#endif
