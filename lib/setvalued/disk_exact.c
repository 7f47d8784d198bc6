/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A floating-point filter decides all but the points within some roundings of the circle; for those
 * the sum is formed exactly, as an expansion of doubles. */
#include "setvalued/disk_exact.h"

#include "base/assert.h"
#include "base/exact_pair.h"
#include "base/safe_scalar.h"

/* Adds `value` to the n terms of an expansion: ordered by magnitude, no two with a common bit, so
 * that the last one that is not zero has the sign of the sum (Shewchuk 1997, theorem 10). */
static void grow(double *terms, int n, double value)
{
  double carry = value;
  for (int i = 0; i < n; i++) {
    nsd_two_sum(carry, terms[i], &carry, &terms[i]);
  }
  terms[n] = carry;
}

/* Sign of n² − (r − m)(r + m) for r in [1/2, 1), r/2 <= m < r, 2^-28 <= n <= m. */
static int exact_side(double r, double m, double n)
{
  /* r − m is exact, r + m = sum + rest: so n² − d (sum + rest) is a sum of five exact products. */
  const double d = r - m; /* exact, the two being within a factor of 2 */
  double sum, rest, terms[5], pair[2];
  nsd_two_sum(r, m, &sum, &rest); /* rest is 0 or a power of two: d·rest is exact */
  nsd_two_product(n, n, &pair[1], &pair[0]);
  terms[0] = pair[0];
  grow(terms, 1, pair[1]);
  nsd_two_product(d, sum, &pair[1], &pair[0]);
  grow(terms, 2, -pair[0]);
  grow(terms, 3, -pair[1]);
  grow(terms, 4, -d * rest);
  for (int i = 4; i >= 0; i--) {
    if (terms[i] != 0.0) {
      return terms[i] > 0.0 ? 1 : -1;
    }
  }
  return 0;
}

int nsd_disk_side(double r, double a, double b)
{
  NSD_ASSERT(r >= 0.0 && r <= DBL_MAX);
  const double m = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
  const double n = fabs(a) > fabs(b) ? fabs(b) : fabs(a);
  if (m >= r) {
    return m > r || n > 0.0;
  }
  const double s = nsd_safe_scale(m, r);
  const double left = (m * s) * (m * s) + (n * s) * (n * s), right = (r * s) * (r * s);
  if (fabs(left - right) > 8.0 * DBL_EPSILON * right) {
    return left > right ? 1 : -1;
  }
  /* Near the circle. With r brought to [1/2, 1), r² − m² >= 2^-54 (r + m), so a small n is inside. */
  int exponent;
  const double r1 = frexp(r, &exponent);
  const double n1 = ldexp(n, -exponent);
  return n1 < 0x1p-28 ? -1 : exact_side(r1, ldexp(m, -exponent), n1);
}
