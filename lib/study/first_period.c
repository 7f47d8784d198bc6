/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A first period: how long it takes, where it is calm, what it sweeps. */
#include <math.h>

#include "study/object.h"

enum { LOOKS = 64 }; /* at a period */

#define LEAST_SHARE 1e-3    /* of the largest coordinate's or velocity's scale */
#define FORCING_SHARE 0.125 /* of the forcing's period: scale of time */

/* From the section through the period that delay and period are read off. */
static nsdyn_status time_period(nsdyn_cycle *c)
{
  const double begin = nsdyn_event_driver_time(c->driver);
  /* Phases are measured over one period, and the longest one gets the base. */
  nsd_cycle_begin_phases(c);
  const nsdyn_status status = nsd_cycle_cross(c, c->options.returns);
  if (status) {
    return status;
  }
  c->period = nsdyn_event_driver_time(c->driver) - begin;
  nsd_cycle_choose_base(c, begin);
  if (!(c->delay > 0.0)) {
    return nsd_fault_set(&c->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_NONE, -1,
                         "no time passes between %d returns to the section", (int)c->options.returns);
  }
  return NSDYN_OK;
}

nsdyn_status nsd_cycle_approach(nsdyn_cycle *c)
{
  nsdyn_status status = nsd_cycle_wait(c, c->delay);
  if (status) {
    return status;
  }
  nsd_cycle_read_driver(c, c->base.y);
  return nsd_cycle_take(c, &c->base.snapshot);
}

static void include(const nsdyn_cycle *c, double *low, double *high)
{
  nsd_cycle_read_driver(c, c->image);
  for (int i = 1; i < c->length; i++) {
    low[i] = fmin(low[i], c->image[i]);
    high[i] = fmax(high[i], c->image[i]);
  }
}

/* Scales of y_begin … y_end−1 from what they swept: where nothing moves, from the sizes themselves. */
static void scale_group(nsdyn_cycle *c, int begin, int end)
{
  double most = 0.0, size = 0.0;
  for (int i = begin; i < end; i++) {
    c->scale[i] = 0.5 * (c->high[i] - c->low[i]);
    most = fmax(most, c->scale[i]);
    size = fmax(size, fmax(fabs(c->high[i]), fabs(c->low[i])));
  }
  /* What does not move gets a thousandth of what moves most, or of its own size. */
  const double least = most > 0.0 ? LEAST_SHARE * most : size > 0.0 ? LEAST_SHARE * size : 1.0;
  for (int i = begin; i < end; i++) {
    c->scale[i] = fmax(c->scale[i], least);
  }
}

/* Follows a period from the base and looks how far coordinates and velocities swing. */
static nsdyn_status measure(nsdyn_cycle *c)
{
  nsdyn_status status = NSDYN_OK;
  /* Least and largest of each number, at 64 times of the period. */
  nsd_cycle_copy(c, c->base.y, c->low);
  nsd_cycle_copy(c, c->base.y, c->high);
  for (int k = 0; k < LOOKS && !status; k++) {
    status = nsd_cycle_wait(c, c->period / LOOKS);
    include(c, c->low, c->high);
  }
  if (!status) {
    scale_group(c, 1, 1 + c->nq);
    scale_group(c, 1 + c->nq, c->length);
  }
  return status;
}

nsdyn_status nsd_cycle_survey(nsdyn_cycle *c)
{
  nsdyn_status status = NSDYN_OK;
  /* Stage 1. To the section, and the periods that the option `settle` asks for. */
  if (c->place == NSD_PLACE_STATE) {
    status = nsd_cycle_cross(c, 1);
  }
  for (int k = 0; k < c->options.settle && !c->report.found && !status; k++) {
    status = nsd_cycle_cross(c, c->options.returns);
  }
  /* Stage 2. One period: its duration, and the base in its longest phase without events. */
  status = status ? status : time_period(c);
  status = status ? status : nsd_cycle_approach(c);
  /* Stage 3. Scales: time by the forcing, all else by what a period sweeps. */
  if (!status && isfinite(c->options.forcing)) {
    c->scale[0] = FORCING_SHARE * c->options.forcing;
  }
  return status || c->options.scale ? status : measure(c);
}
