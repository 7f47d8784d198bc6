/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a multiplier on the unit circle means. */
#include <math.h>

#include "base/sized.h"
#include "study/object.h"

nsdyn_status nsdyn_cycle_point_init(nsdyn_cycle_point *point, size_t size)
{
  const nsdyn_cycle_point nothing = {.size = sizeof nothing, .contact = -1};
  return nsd_sized_init(point, size, NSD_CYCLE_POINT_LEAST, &nothing, sizeof nothing);
}

const char *nsdyn_stability_change_name(int32_t change)
{
  static const char *const names[] = {"none", "fold", "flip", "torus", "jump", "grazing"};
  const int32_t count = (int32_t)(sizeof names / sizeof *names);
  return change >= 0 && change < count ? names[change] : "unknown";
}

double nsd_cycle_size(const nsdyn_cycle *c, int k)
{
  const double re = c->lambda[2 * k], im = c->lambda[2 * k + 1];
  return sqrt(re * re + im * im);
}

int32_t nsd_change_of(double re, double im)
{
  if (im != 0.0) {
    return NSDYN_CHANGE_TORUS;
  }
  return re > 0.0 ? NSDYN_CHANGE_FOLD : NSDYN_CHANGE_FLIP;
}
