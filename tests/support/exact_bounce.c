/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_bounce.h"

#include <math.h>

double exact_bounce_impact(const exact_bounce *p, int k, double *speed)
{
  const double first = sqrt(p->v * p->v + 2.0 * p->g * p->y);
  double sum = 0.0; /* ε + … + ε^(k−1) */
  double power = 1.0;
  for (int i = 1; i < k; i++) {
    power *= p->eps;
    sum += power;
  }
  *speed = power * first;
  return (p->v + first + 2.0 * first * sum) / p->g;
}

double exact_bounce_zeno(const exact_bounce *p)
{
  double speed;
  const double first = exact_bounce_impact(p, 1, &speed);
  return p->eps < 1.0 ? first + 2.0 * p->eps * speed / (p->g * (1.0 - p->eps)) : HUGE_VAL;
}

int exact_bounce_at(const exact_bounce *p, double t, double *y, double *v)
{
  double speed;
  const double first = exact_bounce_impact(p, 1, &speed);
  if (t < first) {
    *y = p->y + p->v * t - p->g * t * t / 2.0;
    *v = p->v - p->g * t;
    return 0;
  }
  if (t >= exact_bounce_zeno(p)) {
    *y = *v = 0.0;
    return p->eps > 0.0 ? -1 : 1;
  }
  int k = 1;
  double start = first;
  double up = p->eps * speed;
  while (t >= start + 2.0 * up / p->g && up > 0.0) {
    start += 2.0 * up / p->g;
    up *= p->eps;
    k++;
  }
  const double since = t - start;
  *y = since * (up - p->g * since / 2.0);
  *v = up - p->g * since;
  return k;
}
