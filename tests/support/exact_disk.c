/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_disk.h"

#include <math.h>

static double sign_of(double x)
{
  return x > 0.0 ? 1.0 : -1.0;
}

/* Per unit of mass: the friction against sliding with the given sign, v̇ and R ω̇ under it. */
static double sliding_friction(const exact_disk *p, double sign)
{
  return -sign * p->mu * p->g * cos(p->theta);
}

double exact_disk_time(const exact_disk *p)
{
  const double slip = p->v + p->R * p->omega;
  if (slip == 0.0) {
    return 0.0;
  }
  const double friction = sliding_friction(p, sign_of(slip));
  const double rate = p->g * sin(p->theta) + friction * (1.0 + 1.0 / p->kappa);
  return slip * rate < 0.0 ? -slip / rate : HUGE_VAL;
}

int exact_disk_rolls(const exact_disk *p)
{
  return sin(p->theta) * p->kappa <= p->mu * cos(p->theta) * (1.0 + p->kappa);
}

static void advance(const exact_disk *p, double friction, double t, exact_disk_state *s)
{
  const double a = p->g * sin(p->theta) + friction;
  const double alpha = friction / (p->kappa * p->R);
  s->x += s->v * t + a * t * t / 2.0;
  s->phi += s->omega * t + alpha * t * t / 2.0;
  s->v += a * t;
  s->omega += alpha * t;
}

exact_disk_state exact_disk_at(const exact_disk *p, double t)
{
  exact_disk_state s = {.v = p->v, .omega = p->omega};
  const double first = exact_disk_time(p);
  advance(p, sliding_friction(p, sign_of(p->v + p->R * p->omega)), fmin(t, first), &s);
  if (t > first) {
    /* rolling needs F/m = −g sin θ κ/(1 + κ); a ramp too steep for that makes it slide downhill */
    const double need = -p->g * sin(p->theta) * p->kappa / (1.0 + p->kappa);
    advance(p, exact_disk_rolls(p) ? need : sliding_friction(p, 1.0), t - first, &s);
  }
  s.slip = s.v + p->R * s.omega;
  return s;
}
