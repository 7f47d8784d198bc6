/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "pile_peers.h"

#include <stddef.h>

const pile_peer *const pile_peers[] = {
#ifdef BENCH_SICONOS
    &pile_siconos_nsgs,
    &pile_siconos_lemke,
#endif
    NULL,
};
