/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The user's system as the drivers see it: the table of callbacks, laws, holders.
 *
 * Rooms of this folder:
 *
 *   definition.c   the table: defaults and checks
 *   system.c       the object: laws, counted holding
 *   callbacks.h .c calls into the table, and the words for what went wrong there
 *   inertia.h .c   the mass matrix: factored once per configuration, or solved by the user
 *   sink.h .c      contacts found at run time
 *   keys.h .c      their keys */
#ifndef NSD_SYSTEM_SYSTEM_H
#define NSD_SYSTEM_SYSTEM_H

#include <stdatomic.h>

#include "base/context.h"
#include "base/sized.h"
#include "nsdyn/system.h"

/* First release's sizes (base/sized.h). */
#define NSD_SYSTEM_DEF_LEAST NSD_SIZE_THROUGH(nsdyn_system_def, retract)
#define NSD_FOUND_CONTACT_LEAST NSD_SIZE_THROUGH(nsdyn_found_contact, w_bar)

struct nsdyn_system {
  nsdyn_system_def def;
  nsdyn_contact_law *laws;       /* def.ncontacts, of the contacts known in advance */
  nsdyn_contact_law *found_laws; /* found_count, of those found at run time */
  int32_t found_count;
  int32_t found_room;
  int64_t revision; /* how often laws were changed */
  nsdyn_context *ctx;
  nsd_fault fault;
  atomic_size_t holders;
};

/* Reads the user's table into `own`, which is complete then. */
nsdyn_status nsd_system_def_read(nsdyn_system_def *own, const nsdyn_system_def *given, nsd_fault *fault);

/* Counted holding. */
nsdyn_system *nsd_system_hold(nsdyn_system *sys);
void nsd_system_drop(nsdyn_system *sys);

/* Whether q̇ = u, and a step adds dt u to q. */
static inline int nsd_system_is_flat(const nsdyn_system_def *def)
{
  return !def->kinematics && !def->retract;
}

#endif
