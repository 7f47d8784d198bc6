/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Inner invariants. Only builds with -Dassertions=true (those of the tests) check them; a library as
 * it is installed never traps. */
#ifndef NSD_BASE_ASSERT_H
#define NSD_BASE_ASSERT_H

#ifdef NSD_ASSERTIONS
#define NSD_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define NSD_ASSERT(condition) ((void)0)
#endif

#endif
