/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Upr and Sgn, and the decomposition of the one into two of the other. */
#include "base/safe_scalar.h"
#include "nsdyn/setvalued.h"

static int set_interval(double *lo, double *hi, double first, double last)
{
  *lo = first;
  *hi = last;
  return first <= last;
}

static int set_empty(double *lo, double *hi)
{
  return set_interval(lo, hi, INFINITY, -INFINITY);
}

/* Glocker & Studer (2005), eq. 1 */
int nsdyn_upr(double x, double *lo, double *hi)
{
  if (x > 0.0) {
    return set_interval(lo, hi, 0.0, 0.0);
  }
  return x == 0.0 ? set_interval(lo, hi, -INFINITY, 0.0) : set_empty(lo, hi);
}

int nsdyn_upr_contains(double x, double z)
{
  return x > 0.0 ? z == 0.0 : x == 0.0 && z <= 0.0 && z >= -DBL_MAX;
}

/* Glocker & Studer (2005), eq. 3, times a */
int nsdyn_sgn(double a, double x, double *lo, double *hi)
{
  if (!(a >= 0.0) || isnan(x) || (x != 0.0 && isinf(a))) {
    return set_empty(lo, hi);
  }
  return set_interval(lo, hi, x > 0.0 ? a : -a, x < 0.0 ? -a : a);
}

int nsdyn_sgn_contains(double a, double x, double z)
{
  double lo, hi;
  return nsdyn_sgn(a, x, &lo, &hi) && z >= lo && z <= hi && !isinf(z);
}

/* Glocker & Studer (2005), eq. 5 with 1 replaced by a: x = x_R − x_L, y_R = a + y and y_L = a − y. A sum
 * of two doubles is rounded to zero only where it is zero, and its sign is right: the pairs are
 * complementary after rounding where they are before. */
void nsdyn_sgn_split(double a, double x, double y, double *x_r, double *y_r, double *x_l, double *y_l)
{
  *x_r = x < 0.0 ? 0.0 : x;
  *x_l = x > 0.0 ? 0.0 : 0.0 - x;
  *y_r = nsd_difference(a, -y);
  *y_l = nsd_difference(a, y);
}

void nsdyn_sgn_join(double x_r, double y_r, double x_l, double y_l, double *x, double *y)
{
  *x = nsd_difference(x_r, x_l);
  *y = 0.5 * nsd_difference(y_r, y_l);
}
