/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The convex hull of points, by wrapping (Chand & Kapur 1970): from each edge of a face that is known the
 * plane turns about it until it meets the next points. All points in one plane are one face, so no two faces
 * are flat on each other. */
#ifndef NSD_GEOMETRY_SPACE_HULL_H
#define NSD_GEOMETRY_SPACE_HULL_H

#include "geometry/space/solid.h"

typedef struct nsd_hull {
  int32_t corners, faces, sides; /* sides: of all faces, twice the edges */
  double corner[NSD_SOLID_CORNERS][3];
  double plane[NSD_SOLID_FACES][4];
  int32_t first[NSD_SOLID_FACES + 1]; /* of each face in: */
  int32_t round[2 * NSD_SOLID_EDGES];
} nsd_hull;

/* NSD_HULL_FLAT: the points lie in one plane, up to NSD_SOLID_FLAT of their extent, or all within
 * NSD_SOLID_LEAST; NSD_HULL_TORN: no closed surface was found, with anything flat up to NSD_SOLID_FLAT_MOST.
 */
enum { NSD_HULL_FLAT = 1, NSD_HULL_TORN };

/* 0, or why there is none. */
int nsd_hull_make(int32_t count, const double *points, nsd_hull *hull);

#endif
