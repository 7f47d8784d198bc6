/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Directions in a plane with + − × ÷ only, since the last bits of a libm's sin and cos differ. */
#ifndef NSD_BASE_SIN_COS_H
#define NSD_BASE_SIN_COS_H

#include <stdint.h>

/* e (2) = (cos, sin) of `part` turns out of `whole`, to some roundings; 0 <= part <= whole, 0 < whole < 2^59.
 * Quarter turns are exact, and directions that mirror each other on an axis or a diagonal have the same
 * digits. */
void nsd_sin_cos_of_turn(int64_t part, int64_t whole, double *e);

/* e (2) = (cos, sin) of a finite angle in radians. Beyond 10^6 the angle itself says no more than its last
 * bit does. */
void nsd_sin_cos(double angle, double *e);

/* The same of `count` angles, four at a time: c and s. There is room for a multiple of four in each array,
 * and what stands in `angle` behind the last one is finite. The last bits differ from those of nsd_sin_cos(),
 * but for angles beyond 10^6. */
void nsd_sin_cos_of_many(int count, const double *angle, double *c, double *s);

#endif
