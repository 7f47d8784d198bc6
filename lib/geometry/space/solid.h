/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A solid as detection sees it: a sharp core of corners, edges and faces, and what rounds it.
 *
 * Files of this folder:
 *
 *   solid.h .c       the object: what is given and checked; volume and inertia
 *   hull.h .c        points as corners and faces of their convex hull
 *   touch.h .c       the nearest features of two solids
 *   manifold.h .c    touches of what lies flat on each other
 *   segments.h .c    edges: their nearest points
 *   cylinder.h .c    touches of cylinders
 *   sweep.h .c       which of many boxes overlap
 *
 * A point has a corner alone, a segment two and an edge; of all others each edge is between two faces. */
#ifndef NSD_GEOMETRY_SPACE_SOLID_H
#define NSD_GEOMETRY_SPACE_SOLID_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/sized.h"
#include "base/vec3.h"
#include "nsdyn/solid.h"

/* First release's sizes (base/sized.h). */
#define NSD_SOLID_DEF_LEAST NSD_SIZE_THROUGH(nsdyn_solid_def, radius)
#define NSD_SOLID_PROPERTIES_LEAST NSD_SIZE_THROUGH(nsdyn_solid_properties, inertia)
#define NSD_SOLID_TOUCH_LEAST NSD_SIZE_THROUGH(nsdyn_solid_touch, point)

/* A polyhedron of V corners has at most 3 V − 6 edges and 2 V − 4 faces (Euler). */
enum {
  NSD_SOLID_CORNERS = 256,
  NSD_SOLID_FACES = 2 * NSD_SOLID_CORNERS - 4,
  NSD_SOLID_EDGES = 3 * NSD_SOLID_CORNERS - 6
};

/* From corner to corner, along the round of its first face; the second one is on its other side. */
typedef struct nsd_solid_edge {
  int32_t end[2], face[2]; /* −1, −1: of a segment */
} nsd_solid_edge;

/* Its corners, to the left round its normal, and the edge from each to the next, begin at `first` of the
 * solid's rounds. */
typedef struct nsd_solid_face {
  int32_t first, count;
} nsd_solid_face;

struct nsdyn_solid {
  nsdyn_context *ctx;
  atomic_size_t holders;
  nsd_arena arena; /* of what follows */
  int32_t kind, corners, edges, faces;
  double (*corner)[3];
  double (*plane)[4]; /* of each face: outward unit normal n, and n · x of its points */
  nsd_solid_edge *edge;
  nsd_solid_face *face;
  int32_t *round, *round_edge; /* 2 edges */
  double radius;               /* of what rounds the core */
  double tube;                 /* of a cylinder; else 0 */
  double centre[3], reach;     /* all of it is within reach of this point; INFINITY of a plane */
  nsdyn_solid_properties properties;
};

/* Counted holding: let go of by nsdyn_solid_free(). */
nsdyn_solid *nsd_solid_hold(nsdyn_solid *solid);

/* How many features; "box" and so on. */
int32_t nsd_solid_features(const nsdyn_solid *solid);
const char *nsd_solid_name(const nsdyn_solid *solid);

/* Whether two can be compared. */
int nsd_solids_compare(const nsdyn_solid *first, const nsdyn_solid *second);

/* The box round a placed solid: low x, y, z, high x, y, z. */
void nsd_solid_box(const nsdyn_solid *solid, const double place[3], const double turn[9], double box[6]);

#endif
