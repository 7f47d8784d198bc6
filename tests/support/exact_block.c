/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_block.h"

#include <float.h>
#include <math.h>

#include "exact_elliptic.h"

/* What a swing is made of: ψ̇² = 4 p² (sin² ψ/2 − k²), k² = sin² α/2 − d, from ψ = α up to ψ̇ = 0. A blow turns
 * d into r² d. */
typedef struct swing {
  long double p, S2; /* p, sin² α/2 */
  long double d;
} swing;

static swing first_swing(const exact_block *block)
{
  const long double b = block->b, c = block->c, R = sqrtl(b * b + c * c), alpha = atan2l(b, c);
  const long double k = sinl((alpha - (long double)block->tilt) / 2.0L), S = sinl(alpha / 2.0L);
  const swing s = {.p = sqrtl(0.75L * (long double)block->g / R), .S2 = S * S, .d = (S - k) * (S + k)};
  return s;
}

/* From the top to flat: 1/(2p) ∫ dt / √(t (1 − t) (t − k²)) over t = sin² ψ/2. */
static long double fall_time(const swing *s)
{
  const long double k2 = s->S2 - s->d;
  return sqrtl(s->d) / s->p * exact_elliptic(k2 * (1.0L - k2), s->S2 * (1.0L - k2), (1.0L - s->S2) * k2);
}

long double exact_block_ratio(const exact_block *block)
{
  const long double b = block->b, c = block->c;
  return 1.0L - 1.5L * b * b / (b * b + c * c);
}

long double exact_block_blow(const exact_block *block, int k, long double *spin)
{
  const long double r = exact_block_ratio(block);
  swing s = first_swing(block);
  long double t = fall_time(&s);
  for (int i = 1; i < k; i++) {
    s.d *= r * r;
    t += 2.0L * fall_time(&s);
  }
  *spin = 2.0L * s.p * sqrtl(s.d);
  return t;
}

long double exact_block_peak(const exact_block *block, int k)
{
  const swing s = first_swing(block);
  const long double d = s.d * powl(exact_block_ratio(block), 2.0L * k);
  return 2.0L * (asinl(sqrtl(s.S2)) - asinl(sqrtl(s.S2 - d)));
}

long double exact_block_rest(const exact_block *block)
{
  const long double r = exact_block_ratio(block);
  swing s = first_swing(block);
  long double t = fall_time(&s);
  for (;;) {
    s.d *= r * r;
    const long double swing_time = 2.0L * fall_time(&s);
    t += swing_time;
    if (s.d < LDBL_EPSILON * s.S2) { /* swings are of one shape by now, and a geometric series is left */
      return t + swing_time * r / (1.0L - r);
    }
  }
}

long double exact_block_friction(const exact_block *block)
{
  const long double r = exact_block_ratio(block);
  return (long double)block->c * (1.0L - r) / ((long double)block->b * (1.0L + r));
}
