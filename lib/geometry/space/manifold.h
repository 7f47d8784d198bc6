/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What touches beside the nearest features, where solids lie flat on each other. */
#ifndef NSD_GEOMETRY_SPACE_MANIFOLD_H
#define NSD_GEOMETRY_SPACE_MANIFOLD_H

#include "geometry/space/touch.h"

/* Whether x is over face f, within its edges or as near to them as flush. */
int nsd_face_covers(const nsd_solid_view *v, int32_t f, const double x[3], double flush);

/* Tells all touches but the nearest one. */
void nsd_solid_manifold(nsd_solid_pair *pair, const nsd_solid_nearest *nearest);

#endif
