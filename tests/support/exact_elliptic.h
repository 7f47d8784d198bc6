/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Carlson's symmetric elliptic integral of the first kind (Carlson 1995), by duplication, to the last digits
 * of a long double. All times of pendulums, upright or upside down, are made of it. */
#ifndef TESTS_SUPPORT_EXACT_ELLIPTIC_H
#define TESTS_SUPPORT_EXACT_ELLIPTIC_H

/* R_F(x, y, z) = ½ ∫₀^∞ dt / √((t + x)(t + y)(t + z)); x, y, z >= 0, at most one of them zero. */
long double exact_elliptic(long double x, long double y, long double z);

#endif
