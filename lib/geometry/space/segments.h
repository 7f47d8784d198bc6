/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Edges in space: x = p + s d with s between 0 and 1. */
#ifndef NSD_GEOMETRY_SPACE_SEGMENTS_H
#define NSD_GEOMETRY_SPACE_SEGMENTS_H

#include "base/vec3.h"

/* Where two segments are nearest to each other: s, t. Of parallel ones some such place. A segment of length 0
 * is a point. Returns the square of their distance there. */
double nsd_segments_nearest(const double p[3], const double d[3], const double q[3], const double e[3],
                            double st[2]);

/* Where the lines of two segments are nearest, and c = d × e: 0 where they are parallel, up to
 * NSD_SOLID_PARALLEL. */
int nsd_lines_nearest(const double p[3], const double d[3], const double q[3], const double e[3],
                      double st[2], double c[3]);

#endif
