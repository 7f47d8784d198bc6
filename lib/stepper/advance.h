/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A step in its two halves: tried, and then kept or dropped. */
#ifndef NSD_STEPPER_ADVANCE_H
#define NSD_STEPPER_ADVANCE_H

#include "stepper/object.h"

/* From the state over dt to q_next, u_next; the state stays. */
nsdyn_status nsd_advance_try(nsdyn_stepper *s, double dt, double t_next);

/* Ends it: with NSDYN_OK the state becomes that of its end, with another status it stays. Returns the status.
 */
nsdyn_status nsd_advance_end(nsdyn_stepper *s, nsdyn_status status, double t_next);

/* As if it had never been tried. */
void nsd_advance_drop(nsdyn_stepper *s);

#endif
