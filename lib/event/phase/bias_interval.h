/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Over which time w̄ is differenced where the user does not give it (nsd_bias_time, event/object.h): the two
 * stencils of phase/acceleration.c tell how far it may be off, and steps whose w̄ was not good are repeated
 * over a shorter one. */
#ifndef NSD_EVENT_PHASE_BIAS_TIME_H
#define NSD_EVENT_PHASE_BIAS_TIME_H

#include "event/internal.h"

/* The first time of all; what was known of w̄ at the state before is forgotten. */
void nsd_bias_time_begin(const nsdyn_event_driver *d, nsd_phase *phase);

/* A longer or shorter time, by what the last evaluation says. Returns whether it was changed by much. */
int nsd_bias_time_tune(const nsdyn_event_driver *d, nsd_phase *phase, nsd_bias_time *bias);

/* The last step once more, not beyond t_end, over shorter times as long as they are too long; what is longer
 * is for the next step, in bias->next. */
nsdyn_status nsd_bias_time_refine(const nsdyn_event_driver *d, nsd_phase *phase, nsd_bias_time *bias,
                                  double t_end);

/* nsd_dopri_doubt, of the driver `user`: what rounding of w̄ makes of a step of length h, beside the
 * tolerance of each component. */
void nsd_bias_time_doubt(void *user, double h, double *beside);

#endif
