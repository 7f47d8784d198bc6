/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Cylinders: features are four corners of each rim, the lower one first (+x −x +y −y), that are points like
 * others; the two rims, the side, and the lower and the upper end. */
#ifndef NSD_GEOMETRY_SPACE_CYLINDER_H
#define NSD_GEOMETRY_SPACE_CYLINDER_H

#include "geometry/space/touch.h"

enum { NSD_CYLINDER_RIM = 8, NSD_CYLINDER_SIDE = 10, NSD_CYLINDER_END = 11 };

/* Rims of the other side than k, a plane; its corners come beside them: 1 where all of it is told, as none is
 * near the plane at once with others. */
int nsd_cylinder_touch_plane(nsd_solid_pair *pair, int k);

/* Side k with a point. */
void nsd_cylinder_touch_point(nsd_solid_pair *pair, int k);

#endif
