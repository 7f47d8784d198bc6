/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What remains of the vertices that were found near edges: touches. */
#ifndef NSD_GEOMETRY_SIFT_H
#define NSD_GEOMETRY_SIFT_H

#include "geometry/detect.h"

/* Drops what is behind an edge but not inside, adds the other ends of what is flat, gives each vertex inside
 * one edge and each pair of corners one touch; leaves them in the order of side, vertex and edge. NSDYN_OK,
 * NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE. */
nsdyn_status nsd_sift(nsd_search *search);

/* Nearest point of the other shape to corner `vertex` of shape `side`, as far as `within`. */
nsd_nearest nsd_sift_nearest(const nsd_search *search, int side, int32_t vertex, double within);

/* Whether that corner is in the other shape; `within` as for a profile. */
int nsd_sift_contains(const nsd_search *search, int side, int32_t vertex, double within);

#endif
