/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sin_cos.h"

#include <math.h>

#include "base/assert.h"
#include "base/kernels/simd.h"

#define QUARTER_PI 0x1.921fb54442d18p-1
#define HALF_ROOT 0x1.6a09e667f3bcdp-1 /* √½, as the series below has it */

/* π/2 in three parts: the first two have 33 bits, so that their products with numbers below 2^20 are exact.
 */
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 (0x1.0b4611a6p+0 / 0x1p+34)
#define HALF_PI_3 (0x1.3198a2e037073p+0 / 0x1p+69)

/* Taylor's series up to |x| = π/4, where the first term left out is below 1e-19. */
static void cos_sin(double x, double *c, double *s)
{
  const double u = x * x;
  double even = 0.0, odd = 0.0;
  for (int k = 16; k > 0; k -= 2) {
    even = (1.0 - even) * u / ((k - 1) * k); /* 1 − cos x = x²/2 (1 − x²/12 (1 − …)) */
    odd = (1.0 - odd) * u / (k * (k + 1));   /* 1 − sin x / x = x²/6 (1 − x²/20 (1 − …)) */
  }
  *c = 1.0 - even;
  *s = x - x * odd;
}

void nsd_sin_cos_of_turn(int64_t part, int64_t whole, double *e)
{
  NSD_ASSERT(part >= 0 && part <= whole && whole > 0);
  /* octant k, and what is left of 1/8 turn, from the axis that is nearest */
  const int64_t k = 8 * part / whole;
  const int64_t rest = 8 * part - k * whole;
  const double x = QUARTER_PI * ((double)(k % 2 ? whole - rest : rest) / (double)whole);
  double c = 1.0, s = 0.0;
  if (x == QUARTER_PI) { /* a diagonal */
    c = s = HALF_ROOT;
  } else if (x != 0.0) {
    cos_sin(x, &c, &s);
  }
  const int steep = (k + 1) % 4 >= 2; /* nearer to the second axis */
  e[0] = steep ? s : c;
  e[1] = steep ? c : s;
  e[0] = k % 8 >= 2 && k % 8 < 6 ? 0.0 - e[0] : e[0];
  e[1] = k % 8 >= 4 ? 0.0 - e[1] : e[1];
}

void nsd_sin_cos(double angle, double *e)
{
  NSD_ASSERT(isfinite(angle));
  const double x = fabs(angle) < 1e6 ? angle : fmod(angle, 8.0 * QUARTER_PI);
  /* x = n π/2 + y, |y| <= π/4 */
  const double n = floor(x / (2.0 * QUARTER_PI) + 0.5);
  const double y = ((x - n * HALF_PI_1) - n * HALF_PI_2) - n * HALF_PI_3;
  const int quarter = (int)(n - 4.0 * floor(0.25 * n));
  double c, s;
  cos_sin(y, &c, &s);
  e[0] = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
  e[1] = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* ---- many at once ---- */

/* a₀ + a₁ u + … + a₆ u⁶, by halves: its terms do not wait for each other. */
NSD_INLINE_LANES nsd_lanes sum_series(const double *a, nsd_lanes u)
{
  const nsd_lanes u2 = u * u, u4 = u2 * u2;
  return ((a[0] + a[1] * u) + (a[2] + a[3] * u) * u2) + ((a[4] + a[5] * u) + a[6] * u2) * u4;
}

/* Taylor's series as in cos_sin(), up to x¹⁶ and x¹⁵, whose next term is below 5e-17 x. */
NSD_INLINE void cos_sin_of_four(const double *x, double *c, double *s)
{
  static const double even[] = {
      1.0 / 24.0,        -1.0 / 720.0,         1.0 / 40320.0,         -1.0 / 3628800.0,
      1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
  static const double odd[] = {1.0 / 6.0,        -1.0 / 120.0,        1.0 / 5040.0,         -1.0 / 362880.0,
                               1.0 / 39916800.0, -1.0 / 6227020800.0, 1.0 / 1307674368000.0};
  const double turn_to_int = 0x1.8p52; /* a sum with it is rounded to an integer, which its last bits hold */
  const nsd_lanes angle = nsd_lanes_load(x), shift = nsd_lanes_all(turn_to_int);
  const nsd_lanes turned = angle * (0.5 / QUARTER_PI) + shift, n = turned - shift;
  const nsd_lanes y = ((angle - n * HALF_PI_1) - n * HALF_PI_2) - n * HALF_PI_3, u = y * y;
  const nsd_lanes cos_y = 1.0 - (0.5 * u - (u * u) * sum_series(even, u));
  const nsd_lanes sin_y = y - (y * u) * sum_series(odd, u);
  /* Quarters: 1 and 3 exchange the two, 1 and 2 have cos < 0, 2 and 3 sin < 0. */
  const nsd_lanes_bits quarter = (nsd_lanes_bits)turned, steep = -(quarter & 1);
  const nsd_lanes_bits minus_c = -(((quarter + 1) >> 1) & 1), minus_s = -((quarter >> 1) & 1);
  const nsd_lanes cos_x = nsd_lanes_choose(steep, sin_y, cos_y),
                  sin_x = nsd_lanes_choose(steep, cos_y, sin_y);
  nsd_lanes_store(c, nsd_lanes_choose(minus_c, -cos_x, cos_x));
  nsd_lanes_store(s, nsd_lanes_choose(minus_s, -sin_x, sin_x));
}

/* Whether one is beyond 10^6, where an angle has lost digits to whole turns, or is NaN. */
NSD_INLINE int all_of_four(int count, const double *angle, double *c, double *s)
{
  const nsd_lanes end = nsd_lanes_all(1e6);
  nsd_lanes_bits far = nsd_lanes_bits_all(0);
  for (int i = 0; i < count; i += NSD_LANES) {
    far |= ~(nsd_lanes_bits)(nsd_lanes_abs(nsd_lanes_load(angle + i)) < end);
    cos_sin_of_four(angle + i, c + i, s + i);
  }
  return (far[0] | far[1] | far[2] | far[3]) != 0;
}

static int plain(int count, const double *angle, double *c, double *s)
{
  return all_of_four(count, angle, c, s);
}

NSD_TARGET_AVX2 static int avx2(int count, const double *angle, double *c, double *s)
{
  return all_of_four(count, angle, c, s);
}

void nsd_sin_cos_of_many(int count, const double *angle, double *c, double *s)
{
  const int far = (nsd_cpu_avx2() ? avx2 : plain)(count, angle, c, s);
  for (int i = 0; far && i < count; i++) {
    if (!(fabs(angle[i]) < 1e6)) {
      double e[2];
      nsd_sin_cos(angle[i], e);
      c[i] = e[0];
      s[i] = e[1];
    }
  }
}
