/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Steps whose lengths follow the motion, Studer (2008): where nothing changes but smoothly a step of Δt is
 * compared with two of Δt/2, which are kept; where contacts change, steps are halved until they are as short
 * as the option `shortest` says, and such a one is taken as it is. Above all a step is rejected at whose end
 * something has newly penetrated: so impacts fall into the shortest steps, and their error is of the order of
 * those.
 *
 * What is rejected leaves no trace: what a step changes in the state and in what is remembered is kept aside,
 * to the bit, before the first of the two halves is taken. */
#ifndef NSD_STEPPER_ADAPTIVE_H
#define NSD_STEPPER_ADAPTIVE_H

#include "stepper/object.h"

/* Makes what the option `advance_tol` needs. */
nsdyn_status nsd_adaptive_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options);
void nsd_adaptive_release(nsdyn_stepper *s);

/* Two steps on, as far as the motion lets them, but not beyond t_end, which is later than s->t. */
nsdyn_status nsd_adaptive_step(nsdyn_stepper *s, double t_end);

/* Begins an advance: counts anew, and the next step is as long as the option `dt` says, or as the last ones
 * were. */
void nsd_adaptive_begin(nsdyn_stepper *s);

/* Forgets how long steps were and how large velocities. */
void nsd_adaptive_forget(nsdyn_stepper *s);

/* What of that is saved, behind all else of the state: its bytes; where it ends; whether what stands there
 * are numbers that a stepper has; and taken over, where steps follow the motion here, too. */
size_t nsd_adaptive_bytes(const nsdyn_system_def *def);
unsigned char *nsd_adaptive_save(const nsdyn_stepper *s, unsigned char *to);
int nsd_adaptive_is_saved(const nsdyn_system_def *def, const unsigned char *from);
void nsd_adaptive_restore(nsdyn_stepper *s, const unsigned char *from);

#endif
