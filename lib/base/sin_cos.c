/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sin_cos.h"

#include <math.h>

#include "base/assert.h"

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
