/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Inner invariants. Only builds with -Dassertions=true (those of the tests) check them; a library as
 * it is installed never traps. */
#ifndef NSD_BASE_ASSERT_H
#define NSD_BASE_ASSERT_H

/* The default of the option `check` of integrators. */
#ifdef NSD_ASSERTIONS
enum { NSD_CHECKS_MODELS = 1 };
#define NSD_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
enum { NSD_CHECKS_MODELS = 0 };
#define NSD_ASSERT(condition) ((void)0)
#endif

#endif
