/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whether a contact problem written as an LCP is the same problem to the last bit. What is proved of an LCP
 * whose elements were rounded on the way is true of another contact problem, perhaps of one far away: where
 * rows of W depend on each other, the last bit decides whether there is a solution. */
#ifndef NSD_CONTACT_PLANAR_EXACT_SUM_H
#define NSD_CONTACT_PLANAR_EXACT_SUM_H

#include <math.h>

#include "base/tolerances.h"

/* Whether a + f g is a double, computed without rounding. */
static inline int nsd_sum_is_exact(double a, double f, double g)
{
  const double product = f * g;
  if (product == 0.0) {
    return f == 0.0 || g == 0.0;
  }
  if (!(fabs(product) >= NSD_PRODUCT_TOLD_LEAST) || fma(f, g, -product) != 0.0) {
    return 0;
  }
  /* What a sum loses (Knuth): zero. */
  const double sum = a + product, of_product = sum - a;
  return (a - (sum - of_product)) + (product - of_product) == 0.0;
}

#endif
