/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_elliptic.h"

#include <float.h>
#include <math.h>

long double exact_elliptic(long double x, long double y, long double z)
{
  for (;;) {
    const long double mean = (x + y + z) / 3.0L;
    const long double X = 1.0L - x / mean, Y = 1.0L - y / mean, Z = -X - Y;
    const long double most = fmaxl(fabsl(X), fmaxl(fabsl(Y), fabsl(Z)));
    if (most * most * most * most <
        1e-2L * sqrtl(LDBL_EPSILON)) { /* the series leaves out terms of order 8 */
      const long double s = X * Y - Z * Z, c = X * Y * Z;
      const long double sum = 1.0L - s / 10.0L + c / 14.0L + s * s / 24.0L - 3.0L * s * c / 44.0L -
                              5.0L * s * s * s / 208.0L + 3.0L * c * c / 104.0L + s * s * c / 16.0L;
      return sum / sqrtl(mean);
    }
    const long double a = sqrtl(x), b = sqrtl(y), d = sqrtl(z), shift = a * b + b * d + d * a;
    x = (x + shift) / 4.0L;
    y = (y + shift) / 4.0L;
    z = (z + shift) / 4.0L;
  }
}
