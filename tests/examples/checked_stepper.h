/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Put before the first line of an example (the compiler's option -include): its steppers have the scheme that
 * the variable NSDYN_MATRIX_SCHEME numbers, the impact law of NSDYN_MATRIX_IMPACT and the option `project` of
 * NSDYN_MATRIX_PROJECT; after every step the
 * balance of energy is taken. */
#ifndef TESTS_EXAMPLES_CHECKED_STEPPER_H
#define TESTS_EXAMPLES_CHECKED_STEPPER_H

#include <nsdyn/nsdyn.h>

nsdyn_status checked_new(nsdyn_context *ctx, nsdyn_system *sys, const nsdyn_stepper_options *options,
                         nsdyn_stepper **out, nsdyn_error *error);
nsdyn_status checked_step(nsdyn_stepper *stepper, double dt);
void checked_free(nsdyn_stepper *stepper);

#define nsdyn_stepper_new checked_new
#define nsdyn_stepper_step checked_step
#define nsdyn_stepper_free checked_free

#endif
