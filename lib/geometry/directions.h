/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a system has to know of a touch: where it is, w_N, w_T, ŵ and w̄. */
#ifndef NSD_GEOMETRY_DIRECTIONS_H
#define NSD_GEOMETRY_DIRECTIONS_H

#include "geometry/detect.h"

/* A touch in the world. */
typedef struct nsd_spot {
  double gap, n[2];
  double radius[2];    /* of the first and second shape's rounding */
  double arm[2][2];    /* from each body's origin to the point on its outline, */
  double middle[2][2]; /* to the same without rounding, */
  double vertex[2][2]; /* and to the vertex: where it is as seen from both bodies */
  int side;            /* whose vertex it is */
  int at_vertex;
} nsd_spot;

void nsd_spot_of(const nsd_search *search, const nsd_meeting *meeting, nsd_spot *place);

/* Rows w_N and w_T of one body's part in W: w (rows × count), which begins with them, from J (3 × count).
 * body: 0 the first, on which n acts, 1 the second. */
void nsd_spot_rows(const nsd_spot *place, int body, int32_t count, const double *J, double *w);

/* γ_N and γ_T of both bodies' velocities, v (2 × 3). */
void nsd_spot_velocities(const nsd_spot *place, const double *v, double *gamma);

/* w̄_N and w̄_T from velocities and the bias of their poses, v and b (2 × 3). NaN where two vertices are in the
 * same place. */
void nsd_spot_bias(const nsd_spot *place, const double *v, const double *b, double *w_bar);

#endif
