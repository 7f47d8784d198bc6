/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/orientation.h"

#include <math.h>

#include "base/exact_pair.h"
#include "base/tolerances.h"

enum { PRODUCTS = 6, PARTS = 2 * PRODUCTS };

/* Adds b to an expansion of `count` numbers, the smallest first, none of which shares a bit with another
 * (Shewchuk, grow-expansion). */
static void add(double *sum, int count, double b)
{
  for (int i = 0; i < count; i++) {
    nsd_two_sum(b, sum[i], &b, &sum[i]);
  }
  sum[count] = b;
}

/* Sign of a_x (b_y − c_y) + b_x (c_y − a_y) + c_x (a_y − b_y), whose six products are pairs of doubles. */
static int exact_sign(const double *a, const double *b, const double *c)
{
  const double factor[PRODUCTS][2] = {{a[0], b[1]},  {-a[0], c[1]}, {b[0], c[1]},
                                      {-b[0], a[1]}, {c[0], a[1]},  {-c[0], b[1]}};
  double sum[PARTS];
  int count = 0;
  for (int k = 0; k < PRODUCTS; k++) {
    double high, low;
    nsd_two_product(factor[k][0], factor[k][1], &high, &low);
    add(sum, count++, low);
    add(sum, count++, high);
  }
  /* The largest part that is not zero has the sign of the sum. */
  for (int i = count - 1; i >= 0; i--) {
    if (sum[i] != 0.0) {
      return sum[i] > 0.0 ? 1 : -1;
    }
  }
  return 0;
}

int nsd_orientation(const double *a, const double *b, const double *c)
{
  const double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
  const double det = left - right;
  /* Four differences, two products and one difference have rounded: the sign is certain beyond that. */
  if (fabs(det) > NSD_ORIENTATION_ROUNDING * (fabs(left) + fabs(right))) {
    return det > 0.0 ? 1 : -1;
  }
  return exact_sign(a, b, c);
}

/* Whether p, which is on the line through a and b, is between them. */
static int is_between(const double *a, const double *b, const double *p)
{
  return (p[0] >= a[0] || p[0] >= b[0]) && (p[0] <= a[0] || p[0] <= b[0]) && (p[1] >= a[1] || p[1] >= b[1]) &&
         (p[1] <= a[1] || p[1] <= b[1]);
}

int nsd_segments_meet(const double *a, const double *b, const double *c, const double *d)
{
  const int of_c = nsd_orientation(a, b, c), of_d = nsd_orientation(a, b, d);
  const int of_a = nsd_orientation(c, d, a), of_b = nsd_orientation(c, d, b);
  if (of_c * of_d < 0 && of_a * of_b < 0) {
    return 1;
  }
  /* Or an end of one is on the other. */
  return (of_c == 0 && is_between(a, b, c)) || (of_d == 0 && is_between(a, b, d)) ||
         (of_a == 0 && is_between(c, d, a)) || (of_b == 0 && is_between(c, d, b));
}

int nsd_segments_cross(const double *a, const double *b, const double *c, const double *d)
{
  return nsd_orientation(a, b, c) * nsd_orientation(a, b, d) < 0 &&
         nsd_orientation(c, d, a) * nsd_orientation(c, d, b) < 0;
}
