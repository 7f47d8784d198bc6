/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Scalars that neither overflow nor underflow. Everything is + − × ÷ √ and scaling by powers of two,
 * so the bits are the same everywhere (hypot and its like differ from one C library to the next). */
#ifndef NSD_SETVALUED_SATURATE_H
#define NSD_SETVALUED_SATURATE_H

#include <float.h>
#include <math.h>

/* What overflowed is the largest double. For values computed from finite numbers. */
static inline double nsd_saturate(double value)
{
  return value > DBL_MAX ? DBL_MAX : value < -DBL_MAX ? -DBL_MAX : value;
}

/* a − b, saturated where both are finite: its sign is exact, and it is zero only for a = b. */
static inline double nsd_difference(double a, double b)
{
  const double d = a - b;
  return isinf(d) && !isinf(a) && !isinf(b) ? nsd_saturate(d) : d;
}

/* scale × value with scale > 0, kept between the smallest and the largest double, so that it is zero
 * only for value = 0 and infinite only for an infinite value. */
static inline double nsd_scaled(double scale, double value)
{
  const double product = scale * value;
  if (product == 0.0 && value != 0.0) {
    return value > 0.0 ? DBL_TRUE_MIN : -DBL_TRUE_MIN;
  }
  return isinf(value) ? value : nsd_saturate(product);
}

/* value / scale in the same way. */
static inline double nsd_shared(double value, double scale)
{
  const double quotient = value / scale;
  if (quotient == 0.0 && value != 0.0) {
    return value > 0.0 ? DBL_TRUE_MIN : -DBL_TRUE_MIN;
  }
  return nsd_saturate(quotient);
}

/* The next number but one, or the next: v > 0 and one unit in the last place more at least. */
static inline double nsd_grow(double v)
{
  const double step = v * DBL_EPSILON;
  return v + (step < DBL_TRUE_MIN ? DBL_TRUE_MIN : step);
}

/* One step towards zero that is at least one unit in the last place. */
static inline double nsd_shrink(double v)
{
  const double step = fabs(v) * DBL_EPSILON;
  const double down = step < DBL_TRUE_MIN ? DBL_TRUE_MIN : step;
  return v > 0.0 ? v - down : v < 0.0 ? v + down : v;
}

/* A power of two that brings the larger of |a| and |b| to where squares are safe: they do not
 * overflow, and one that underflows is too small to change a rounding of their sum. */
static inline double nsd_safe_scale(double a, double b)
{
  const double largest = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
  return largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1.0;
}

/* √(a² + b²); ∞ where that overflows. */
static inline double nsd_norm_plane(double a, double b)
{
  const double s = nsd_safe_scale(a, b);
  const double as = a * s, bs = b * s;
  return sqrt(as * as + bs * bs) / s;
}

#endif
