/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Areas, and what follows from them. */
#ifndef NSD_GEOMETRY_MOMENTS_H
#define NSD_GEOMETRY_MOMENTS_H

#include "nsdyn/geometry.h"

/* Twice the area of a polygon, p (2 × count): > 0 counter-clockwise. */
double nsd_double_area(int32_t count, const double *p);

/* Area, centroid, second moments and length of a shape whose points are checked. */
void nsd_moments(const nsdyn_shape_def *def, const double *p, nsdyn_shape_properties *out);

#endif
