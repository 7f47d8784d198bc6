/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* On which side of a line a point lies, in exact arithmetic. */
#ifndef NSD_GEOMETRY_ORIENTATION_H
#define NSD_GEOMETRY_ORIENTATION_H

/* 1 where c is to the left of the line from a to b, −1 to the right, 0 on it: the sign of (b − a) × (c − a),
 * exact for coordinates that are zero or between 2^-480 and 2^480 in size. */
int nsd_orientation(const double *a, const double *b, const double *c);

/* 1 where the segments from a to b and from c to d have a point in common, ends included. */
int nsd_segments_meet(const double *a, const double *b, const double *c, const double *d);

/* 1 where they cross: each has its ends on both sides of the other one, none on it. */
int nsd_segments_cross(const double *a, const double *b, const double *c, const double *d);

#endif
