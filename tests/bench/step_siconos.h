/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker by Siconos' C++ kernel: Moreau and Jean's scheme with θ = ½, M and spring constant, and
 * sweeps over the contacts (NSGS), the fastest of its planar methods: Lemke's takes six times as long, and
 * with enumeration and CPG the toy ends elsewhere. */
#ifndef TESTS_BENCH_STEP_SICONOS_H
#define TESTS_BENCH_STEP_SICONOS_H

#include "floor_woodpecker.h"

#ifdef __cplusplus
extern "C" {
#endif

/* So many steps from a state; q: where they end. Returns how many were made. */
long siconos_woodpecker(const floor_toy *p, const floor_state *begin, double dt, long steps, double *q);

#ifdef __cplusplus
}
#endif

#endif
