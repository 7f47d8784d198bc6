/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sine and cosine in long double, to the last digits, of moderate angles: reduced to ±π/4, then Taylor's
 * series. C libraries take several times as long, as they serve arguments as large as 1e300 by tables. */
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
  const long n = lrintl(x * 0.636619772367581343L);
  const long double turns = (long double)n;
  *quarter = (int)(n & 3);
  return ((x - turns * first) - turns * second) - turns * third;
}

/* Whether n, and one bit more, has as many bits as n times 40 bits leaves; not for NaN. */
static inline int exact_is_moderate(long double x)
{
  return fabsl(x) < (long double)(1LL << (LDBL_MANT_DIG - 40));
}

/* Σ a_k z^k for k < 8; powers side by side, which takes half as long as one after the other. */
static inline long double exact_series(const long double *a, long double z)
{
  const long double z2 = z * z, z4 = z2 * z2;
  return ((a[0] + z * a[1]) + z2 * (a[2] + z * a[3])) + z4 * ((a[4] + z * a[5]) + z2 * (a[6] + z * a[7]));
}

/* sin r = r − r³/3! + r⁵/5! …, for |r| ≤ π/4: what follows r¹⁹ is below 2⁻⁷¹ r. */
static inline long double exact_sin_near(long double r)
{
  static const long double a[] = {1.0L / 120.0L,
                                  -1.0L / 5040.0L,
                                  1.0L / 362880.0L,
                                  -1.0L / 39916800.0L,
                                  1.0L / 6227020800.0L,
                                  -1.0L / 1307674368000.0L,
                                  1.0L / 355687428096000.0L,
                                  -1.0L / 121645100408832000.0L};
  const long double z = r * r;
  return r + r * (z * (z * exact_series(a, z) - 1.0L / 6.0L));
}

/* cos r = 1 − r²/2! + r⁴/4! …: what follows r¹⁸ is below 2⁻⁶⁷. */
static inline long double exact_cos_near(long double r)
{
  static const long double a[] = {
      1.0L / 24.0L,        -1.0L / 720.0L,         1.0L / 40320.0L,          -1.0L / 3628800.0L,
      1.0L / 479001600.0L, -1.0L / 87178291200.0L, 1.0L / 20922789888000.0L, -1.0L / 6402373705728000.0L};
  const long double z = r * r;
  return 1.0L + z * (z * exact_series(a, z) - 0.5L);
}

static inline long double exact_sin(long double x)
{
  int quarter;
  if (!exact_is_moderate(x)) {
    return sinl(x);
  }
  const long double r = exact_reduce(x, &quarter), s = quarter & 1 ? exact_cos_near(r) : exact_sin_near(r);
  return quarter & 2 ? -s : s;
}

static inline long double exact_cos(long double x)
{
  int quarter;
  if (!exact_is_moderate(x)) {
    return cosl(x);
  }
  const long double r = exact_reduce(x, &quarter), c = quarter & 1 ? exact_sin_near(r) : exact_cos_near(r);
  return quarter == 1 || quarter == 2 ? -c : c;
}

/* Both, for little more than one. */
static inline void exact_sin_cos(long double x, long double *sine, long double *cosine)
{
  int quarter;
  if (!exact_is_moderate(x)) {
    *sine = sinl(x);
    *cosine = cosl(x);
    return;
  }
  const long double r = exact_reduce(x, &quarter), s = exact_sin_near(r), c = exact_cos_near(r);
  *sine = quarter & 1 ? c : s;
  *cosine = quarter & 1 ? s : c;
  *sine = quarter & 2 ? -*sine : *sine;
  *cosine = quarter == 1 || quarter == 2 ? -*cosine : *cosine;
}

#endif
