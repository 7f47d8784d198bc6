/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Two placed solids: the nearest features of their cores. */
#ifndef NSD_GEOMETRY_SPACE_TOUCH_H
#define NSD_GEOMETRY_SPACE_TOUCH_H

#include "geometry/space/solid.h"

/* A core in the frame that two solids are compared in: that of the first one. */
typedef struct nsd_solid_view {
  const nsdyn_solid *solid;
  const double (*corner)[3];
  const double (*plane)[4];
} nsd_solid_view;

typedef struct nsd_solid_pair {
  nsd_solid_view side[2];
  double size;   /* of both together: what rounding is a share of */
  double radius; /* of both */
  double margin;
  const double *place, *turn; /* of the frame, in the world */
  nsdyn_solid_visit *visit;
  void *user;
  int32_t told[2]; /* features of the first touch, −1: none yet */
  int code;        /* what `visit` returned; 0 */
  int scans;       /* 1: nothing is told, the nearest one is kept: */
  nsdyn_solid_touch nearest;
} nsd_solid_pair;

/* Where cores are nearest: features of both, points there, and the unit vector a from the first one outwards
 * to the second, along which they are `apart` (< 0: the least depth). */
typedef struct nsd_solid_nearest {
  int32_t feature[2];
  double x[2][3], a[3], apart;
} nsd_solid_nearest;

/* A place of a solid in the world: 3 numbers, and R by rows. */
typedef struct nsd_solid_place {
  double place[3], turn[9];
} nsd_solid_place;

/* As nsdyn_solids_touch(), of what is known to be numbers; returns what ended it, or 0. Of those that can be
 * compared. */
int nsd_solids_touch(const nsdyn_solid *first, const nsd_solid_place *at, const nsdyn_solid *second,
                     const nsd_solid_place *other, double margin, nsdyn_solid_visit *visit, void *user);

/* Tells of features of side k and of the other one, at points of their cores, with a unit vector from side k
 * outwards; not twice what was told first, and nothing beyond the margin. */
void nsd_solid_tell(nsd_solid_pair *pair, int k, const int32_t feature[2], const double on[3],
                    const double other[3], const double a[3]);

/* Numbers of features. */
static inline int32_t nsd_edge_feature(const nsdyn_solid *solid, int32_t edge)
{
  return solid->corners + edge;
}
static inline int32_t nsd_face_feature(const nsdyn_solid *solid, int32_t face)
{
  return solid->corners + solid->edges + face;
}

/* The beginning of an edge, and the way to its end. */
static inline const double *nsd_edge_line(const nsd_solid_view *v, int32_t edge, double d[3])
{
  const nsd_solid_edge *e = &v->solid->edge[edge];
  nsd_vec3_add_scaled(v->corner[e->end[1]], -1.0, v->corner[e->end[0]], d);
  return v->corner[e->end[0]];
}

#endif
