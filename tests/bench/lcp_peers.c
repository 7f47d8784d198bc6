/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp_peers.h"

const lcp_peer *const lcp_peers[] = {
#ifdef BENCH_SICONOS
    &lcp_siconos_driver,
    &lcp_siconos_lemke,
#endif
#ifdef BENCH_ODE
    &lcp_ode_dantzig,
#endif
#ifdef BENCH_BULLET
    &lcp_bullet_dantzig,
    &lcp_bullet_lemke,
#endif
    NULL,
};
