/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How many solutions a step's contact problem has (option `count`): the search through all contact modes. */
#ifndef NSD_STEPPER_COUNT_SOLUTIONS_H
#define NSD_STEPPER_COUNT_SOLUTIONS_H

#include "stepper/object.h"

/* Makes what the option needs, where it is set. */
nsdyn_status nsd_count_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options);
void nsd_count_release(nsdyn_stepper *s);

/* Counts the solutions of the scene's contact problem into the stepper. */
nsdyn_status nsd_count_solutions(nsdyn_stepper *s);

#endif
