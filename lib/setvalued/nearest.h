/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Nearest points of sets on the line, inlined: every law and every bound is projected by these. Each is one
 * or two comparisons without a branch; what is not a number stays none, so that no judge takes it for a point
 * of the set. */
#ifndef NSD_SETVALUED_NEAREST_H
#define NSD_SETVALUED_NEAREST_H

/* Of [lo, hi], lo <= hi; both may be infinite. */
static inline double nsd_nearest_in_interval(double x, double lo, double hi)
{
  const double below = x > hi ? hi : x;
  return below < lo ? lo : below;
}

/* Of [−a, a], a >= 0: a times the values of Sgn. */
static inline double nsd_nearest_in_band(double x, double a)
{
  return x > a ? a : x < -a ? -a : x;
}

/* Of [0, ∞). */
static inline double nsd_nearest_not_negative(double x)
{
  return x <= 0.0 ? 0.0 : x;
}

#endif
