/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Touches of two shapes: trees against each other, pieces against each other, and what remains of what was
 * found. */
#ifndef NSD_GEOMETRY_DETECT_H
#define NSD_GEOMETRY_DETECT_H

#include "geometry/pieces.h"

/* In which round a corner was the vertex of a touch behind an edge, and the edge behind it crossed another.
 */
typedef struct nsd_mark {
  int64_t touched, crossed, crossed_twice;
} nsd_mark;

/* A vertex near an edge or a vertex, before it is asked how deep it is, and how far apart the boxes are that
 * it is in: which searches for less than the skin would not have found it. */
typedef struct nsd_sighting {
  nsd_meeting meeting;
  double apart;
} nsd_sighting;

typedef struct nsd_search {
  nsdyn_context *ctx;   /* not held */
  nsd_frame world, its; /* the first shape's frame, the second's */
  nsd_view view;
  nsd_meeting *meeting; /* what was found: in the end the touches */
  nsd_crossing *crossing;
  nsd_sighting *sighting;
  int32_t meetings, meeting_room, crossings, crossing_room, sightings, sighting_room;
  double seen;        /* the skin that the sightings were looked for with; < 0: not yet */
  double skin, depth; /* the largest depth that is no fault; how deep it is where it is one */
  int is_deep;
  int is_notched;    /* what is inside goes past a notch, whose other side the skin may have left out */
  nsd_mark *mark[2]; /* of each corner, and the edge that begins there */
  int32_t mark_room[2];
  int64_t round; /* what a mark of this round holds */
  int64_t visited;
} nsd_search;

void nsd_search_init(nsd_search *search, nsdyn_context *ctx);
void nsd_search_release(nsd_search *search);

/* Poses are finite. NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE. */
nsdyn_status nsd_search_run(nsd_search *search, const nsdyn_shape *first, const double *pose,
                            const nsdyn_shape *second, const double *its_pose, double margin, double skin);

/* Room for so many meetings more. */
nsdyn_status nsd_search_room(nsd_search *search, int32_t more);

/* Outward normal of an edge of shape `side` in the first one's frame. */
void nsd_search_normal(const nsd_search *search, int side, int32_t edge, double *n);

/* Corner i of shape `side` in the first one's frame. */
void nsd_search_corner(const nsd_search *search, int side, int32_t i, double *x);

#endif
