/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* From given points to corners. */
#ifndef NSD_GEOMETRY_OUTLINE_H
#define NSD_GEOMETRY_OUTLINE_H

#include "geometry/shape.h"

/* Room for what `points` points can become. */
void nsd_outline_lay_out(nsd_arena *arena, nsd_outline *line, size_t points, int thin);

/* Corners, edges and normals of `def`, whose points p (2 × count, those too small set to zero) were checked;
 * points nearer than `straight` to the line between their neighbours are no corners. keep: room for count
 * numbers. Returns how many of the given points are corners: fewer than 3 make no polygon. */
int32_t nsd_outline_make(const nsdyn_shape_def *def, const double *p, double straight, int32_t *keep,
                         nsd_outline *line);

#endif
