/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sine and cosine in long double, to the last digits, of moderate angles. Some C libraries take every
 * argument above π/4 to their reduction for arguments as large as 1e300, which costs many times the sine
 * itself. */
#ifndef TESTS_SUPPORT_EXACT_ANGLE_H
#define TESTS_SUPPORT_EXACT_ANGLE_H

#include <float.h>
#include <math.h>

/* x − n π/2, for the n that brings it to ±π/4, and n modulo 4 (Cody & Waite, in three parts): π/2 = first +
 * second + third, and n first and n second are exact, as first and second have 40 bits each. */
static inline long double exact_reduce(long double x, int *quarter)
{
  static const long double first = 0x1.921fb54442p0L, second = 0x1.a308d31318p-41L,
                           third = 0x1.8a2e03707344a40ap-81L;
  const long long n = (long long)(x * 0.636619772367581343L + copysignl(0.5L, x));
  *quarter = (int)(n & 3);
  return ((x - (long double)n * first) - (long double)n * second) - (long double)n * third;
}

/* Whether n, and one bit more, has as many bits as n times 40 bits leaves; not for NaN. */
static inline int exact_is_moderate(long double x)
{
  return fabsl(x) < (long double)(1LL << (LDBL_MANT_DIG - 40));
}

static inline long double exact_sin(long double x)
{
  int quarter;
  if (!exact_is_moderate(x)) {
    return sinl(x);
  }
  const long double r = exact_reduce(x, &quarter), s = quarter & 1 ? cosl(r) : sinl(r);
  return quarter & 2 ? -s : s;
}

static inline long double exact_cos(long double x)
{
  int quarter;
  if (!exact_is_moderate(x)) {
    return cosl(x);
  }
  const long double r = exact_reduce(x, &quarter), c = quarter & 1 ? sinl(r) : cosl(r);
  return quarter == 1 || quarter == 2 ? -c : c;
}

#endif
