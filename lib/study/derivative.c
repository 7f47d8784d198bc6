/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The map's derivative, by central differences. */
#include "study/cycle.h"

enum { TRIES = 4 };

#define SHORTER 0.125 /* where a varied state does not come back */

/* Images of the base with unknown k varied by ±h; *spread is the distance of the two. */
static nsdyn_status vary(nsdyn_cycle *c, int k, double h, double *spread)
{
  const int i = c->unknown[k];
  double *y = c->trial;
  nsd_cycle_copy(c, c->base.y, y);
  y[i] = c->base.y[i] + h;
  *spread = y[i];
  nsdyn_status status = nsd_cycle_shoot(c, &c->base.snapshot, y, c->high);
  y[i] = c->base.y[i] - h;
  *spread -= y[i];
  return status ? status : nsd_cycle_shoot(c, &c->base.snapshot, y, c->low);
}

nsdyn_status nsd_cycle_differentiate(nsdyn_cycle *c)
{
  for (int k = 0; k < c->count; k++) {
    const double scale = c->scale[c->unknown[k]];
    double h = c->options.step * scale, spread;
    nsdyn_status status = vary(c, k, h, &spread);
    for (int tries = 1; nsd_cycle_is_too_far(status) && tries < TRIES; tries++) {
      h *= SHORTER;
      status = vary(c, k, h, &spread);
    }
    if (status) {
      return status;
    }
    for (int r = 0; r < c->count; r++) {
      const int i = c->unknown[r];
      c->J[r * c->count + k] = (c->high[i] - c->low[i]) / c->scale[i] * (scale / spread);
    }
  }
  return NSDYN_OK;
}
