/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The return map, seen from the calm point. */
#include <math.h>

#include "study/object.h"

nsdyn_status nsd_cycle_to_section(nsdyn_cycle *c, const nsd_snapshot *from, const double *y)
{
  const nsdyn_status status = nsd_driver_resume(c->driver, from, y[0], y + 1);
  if (status) {
    return nsd_cycle_blame_driver(c, status);
  }
  c->ignore_until = -INFINITY;
  return nsd_cycle_cross(c, c->options.returns - c->behind);
}

nsdyn_status nsd_cycle_shoot(nsdyn_cycle *c, const nsd_snapshot *from, const double *y, double *image)
{
  /* P: the rest of the returns to the section, and `delay` behind it. */
  nsdyn_status status = nsd_cycle_to_section(c, from, y);
  status = status ? status : nsd_cycle_wait(c, c->delay);
  if (status) {
    return status;
  }
  nsd_cycle_read_driver(c, image);
  c->period = image[0] - y[0];
  return NSDYN_OK;
}

int32_t nsd_cycle_windings(const nsdyn_cycle *c, double duration)
{
  const double turns = floor(duration / c->options.forcing + 0.5);
  return turns > 1.0 ? (int32_t)fmin(turns, INT32_MAX) : 1;
}

double nsd_cycle_compare(const nsdyn_cycle *c, const double *y, const double *image, double *residual)
{
  double largest = 0.0;
  for (int k = 0; k < c->count; k++) {
    const int i = c->unknown[k];
    double change = image[i] - y[i];
    /* Time comes back after a whole number of the forcing's periods. */
    if (i == 0) {
      change -= nsd_cycle_windings(c, change) * c->options.forcing;
    }
    residual[k] = change / c->scale[i];
    largest = fmax(largest, fabs(residual[k]));
  }
  return largest;
}

int nsd_cycle_is_too_far(nsdyn_status status)
{
  return status == NSDYN_STOPPED || status == NSDYN_MAX_ITERATIONS || status == NSDYN_UNDECIDED ||
         status == NSDYN_INACCURATE || status == NSDYN_NO_SOLUTION || status == NSDYN_ERR_NOT_FINITE ||
         status == NSDYN_ERR_NOT_DEFINITE || status == NSDYN_ERR_INCONSISTENT ||
         status == NSDYN_ERR_CALLBACK_RETRY;
}
