/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A state t, q, u that a caller hands in. */
#ifndef NSD_SYSTEM_STATE_H
#define NSD_SYSTEM_STATE_H

#include "system/object.h"

/* Arguments 1, 2, 3 of a call: NSDYN_ERR_ARGUMENT where an array is missing, NSDYN_ERR_NOT_FINITE where a
 * number is not finite. */
nsdyn_status nsd_state_check(const nsdyn_system_def *def, double t, const double *q, const double *u,
                             nsd_fault *fault);

/* Once they are good, they become *own_t, own_q and own_u; else nothing changes. They may be the same arrays.
 */
nsdyn_status nsd_state_take(const nsdyn_system_def *def, double t, const double *q, const double *u,
                            double *own_t, double *own_q, double *own_u, nsd_fault *fault);

#endif
