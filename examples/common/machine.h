/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A system with its stepper: what the small drivers do the same way (examples/woodpecker.c does it in full).
 *
 *   machine m;
 *   nsdyn_status status = machine_start(&m, &def, laws, NULL, q, u);
 *   while (status == NSDYN_OK && nsdyn_stepper_time(m.stepper) < t_end) {
 *     status = nsdyn_stepper_step(m.stepper, dt);
 *   }
 *   const int code = machine_stop(&m, &out, status); */
#ifndef EXAMPLES_COMMON_MACHINE_H
#define EXAMPLES_COMMON_MACHINE_H

#include <nsdyn/nsdyn.h>

#include "options.h"

typedef struct machine {
  nsdyn_context *ctx;
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
} machine;

/* Makes the system with one law per contact, and a stepper at t = 0, q, u; options NULL: defaults. */
nsdyn_status machine_start(machine *m, const nsdyn_system_def *def, const nsdyn_contact_law *laws,
                           const nsdyn_stepper_options *options, const double *q, const double *u);

/* Whether the run goes on: the next step, or as much of it as is left until t_end. */
int machine_is_before(const machine *m, double t_end, double dt);

/* Frees all. Returns 0, or STATUS_FAILED after a line with the message of what failed. */
int machine_stop(machine *m, const output *out, nsdyn_status status);

#endif
