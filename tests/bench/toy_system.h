/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker as a user would write it: callbacks with nothing to spare. */
#ifndef TESTS_BENCH_TOY_SYSTEM_H
#define TESTS_BENCH_TOY_SYSTEM_H

#include "floor_woodpecker.h"
#include "nsdyn/system.h"

/* The callbacks read `p`, which has to live as long. Flags of nsdyn_system_flag. */
nsdyn_status toy_system(floor_toy *p, int64_t flags, nsdyn_system **out);

#endif
