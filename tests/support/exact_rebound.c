/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_rebound.h"

#include <float.h>
#include <math.h>

#include "exact_elliptic.h"

/* θ̇² = 4 ω² (k² − sin² θ/2). At the wall θ̇² = 4 ω² d, d = k² − sin² wall/2; a hit turns d into ε² d. */
typedef struct swing {
  long double s, d; /* sin wall/2, d */
} swing;

static swing first_swing(const exact_rebound *p)
{
  const long double s = sinl((long double)p->wall / 2.0L), k = sinl((long double)p->start / 2.0L);
  const swing first = {.s = s, .d = (k - s) * (k + s)};
  return first;
}

/* From the wall to the turn, once: (1/ω) ∫ dσ / √((1 − σ²)(k² − σ²)) from s to k; on the side of the bottom
 * where the wall is, and then from there. */
static long double swing_time(const exact_rebound *p, const swing *w)
{
  const long double s2 = w->s * w->s, k2 = s2 + w->d;
  const long double beside =
      sqrtl(w->d) * exact_elliptic(k2 * (1.0L - k2), s2 * (1.0L - k2), k2 * (1.0L - s2));
  const long double quarter = exact_elliptic(0.0L, 1.0L - k2, 1.0L);
  return (w->s < 0.0L ? 2.0L * quarter - beside : beside) / (long double)p->omega;
}

long double exact_rebound_hit(const exact_rebound *p, int k, long double *spin)
{
  const long double eps = p->eps;
  swing w = first_swing(p);
  if (!(w.d > 0.0L)) {
    return -1.0L;
  }
  long double t = swing_time(p, &w);
  for (int i = 1; i < k; i++) {
    w.d *= eps * eps;
    t += 2.0L * swing_time(p, &w);
  }
  *spin = 2.0L * (long double)p->omega * sqrtl(w.d);
  return t;
}

long double exact_rebound_rest(const exact_rebound *p)
{
  const long double eps = p->eps;
  swing w = first_swing(p);
  long double t = swing_time(p, &w);
  for (;;) {
    w.d *= eps * eps;
    const long double time = 2.0L * swing_time(p, &w);
    t += time;
    if (w.d < LDBL_EPSILON * w.s * w.s) { /* like a ball's on the floor by now: a geometric series is left */
      return t + time * eps / (1.0L - eps);
    }
  }
}
