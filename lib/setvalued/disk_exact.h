/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* On which side of a circle a point lies, without rounding. */
#ifndef NSD_SETVALUED_DISK_EXACT_H
#define NSD_SETVALUED_DISK_EXACT_H

/* The sign of a² + b² − r² as real numbers: −1 inside, 0 on the circle, 1 outside. All finite, r >= 0. */
int nsd_disk_side(double r, double a, double b);

#endif
