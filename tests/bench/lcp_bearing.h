/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A journal bearing that cavitates: the sparse solver, and the dense one, against an active set written by
 * hand for three diagonals (Thomas' algorithm). */
#ifndef TESTS_BENCH_LCP_BEARING_H
#define TESTS_BENCH_LCP_BEARING_H

#include "bench.h"

void lcp_bearing_race(bench *b);

#endif
