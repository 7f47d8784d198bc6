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

#include "base/exact_pair.h"
#include "base/tolerances.h"

/* Multiplications that take as long as this question. */
#define NSD_SUM_IS_EXACT_WORK 20.0

/* Whether a + f g is a double, computed without rounding. */
static inline int nsd_sum_is_exact(double a, double f, double g)
{
  if (f == 0.0 || g == 0.0) {
    return 1;
  }
  /* Factors of middling size multiply exactly as pairs; of others nothing is claimed. */
  const double least = NSD_EXACT_PRODUCT_LEAST, most = 1.0 / NSD_EXACT_PRODUCT_LEAST;
  if (!(fabs(f) >= least && fabs(g) >= least && fabs(f) <= most && fabs(g) <= most && fabs(a) <= most)) {
    return 0;
  }
  double product, lost, sum, rest;
  nsd_two_product(f, g, &product, &lost);
  nsd_two_sum(a, product, &sum, &rest);
  return lost == 0.0 && rest == 0.0;
}

#endif
