/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How a run begins: states that break contacts or constraints are refused, or made consistent. */
#ifndef NSD_STEPPER_CHECK_CONSISTENT_H
#define NSD_STEPPER_CHECK_CONSISTENT_H

#include "stepper/object.h"

/* What has become of the state that was set. */
enum nsd_fresh {
  NSD_FRESH_NOT = 0,       /* a step has been taken from it */
  NSD_FRESH_SET = 1,       /* none, and it was not looked at yet */
  NSD_FRESH_CONSISTENT = 2 /* none, but nsdyn_stepper_consistent() vouches for it */
};

/* Before the first step, which is one of dt: NSDYN_ERR_INCONSISTENT where the state may not begin a run. Else
 * remembers what rests on what, so that the first step already holds it (drift/keep_closed.h). */
nsdyn_status nsd_consistent_run(nsdyn_stepper *s, double dt);

/* The first step has failed: what was remembered for it is forgotten. */
void nsd_consistent_undo(nsdyn_stepper *s);

#endif
