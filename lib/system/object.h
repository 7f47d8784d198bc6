/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The user's system as the drivers see it: the table of callbacks, laws, holders.
 *
 * Files of this folder:
 *
 *   definition.c         the table: defaults and checks; what stepper and driver tell of contacts and
 *                        constraints
 *   object.c             the object: laws, counted holding
 *   callbacks.h .c       calls into the table, and the words for what went wrong there
 *   check_state.h .c     a state that a caller hands in
 *   saved.h .c           a state as bytes: what those of stepper and driver share
 *   inertia.h .c         the mass matrix: factored once per configuration, or solved by the user
 *   found_contacts.h .c  contacts found at run time
 *   keys.h .c            their keys
 *   check/               whether callbacks agree with each other: check.c the call, slopes.c what is
 * compared, difference.c slopes of functions known by their values, messages.c the words */

#ifndef NSD_SYSTEM_OBJECT_H
#define NSD_SYSTEM_OBJECT_H

#include <stdatomic.h>

#include "base/context.h"
#include "base/sized.h"
#include "nsdyn/system.h"

/* First release's sizes (base/sized.h). */
#define NSD_SYSTEM_DEF_LEAST NSD_SIZE_THROUGH(nsdyn_system_def, force_jacobian)
#define NSD_FOUND_CONTACT_LEAST NSD_SIZE_THROUGH(nsdyn_found_contact, w_bar)
#define NSD_CONTACT_STATE_LEAST NSD_SIZE_THROUGH(nsdyn_contact_state, after)
#define NSD_CONSTRAINT_STATE_LEAST NSD_SIZE_THROUGH(nsdyn_constraint_state, force)
#define NSD_CONSISTENT_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_consistent_report, left)

/* Laws of contacts found at run time stand in chunks, each twice as large as the one before.
 * What is there never moves, so a pointer to a law stays good, and a law may be added at any
 * time. All chunks together hold 2^31 − 4 laws. */
enum { NSD_LAW_CHUNK = 4, NSD_LAW_CHUNKS = 29 };

/* Who uses the system's laws while callbacks run: a stepper, an event driver, the model checker. It is part
 * of that object and in the system's list from nsd_system_enter() to nsd_system_leave(). */
typedef struct nsd_holder {
  struct nsd_holder *next, *before;
  const int *busy; /* the object's own; `engaged`: no law may change */
  int engaged;
} nsd_holder;

struct nsdyn_system {
  nsdyn_system_def def;
  int32_t *block;                                /* def.nblocks: what def.block points at, … */
  int32_t *block_first;                          /* … and the first velocity of each, in the same memory */
  nsdyn_contact_law *laws;                       /* def.ncontacts, of the contacts known in advance */
  nsdyn_contact_law *found_laws[NSD_LAW_CHUNKS]; /* of those found at run time: nsd_system_found_law() */
  _Atomic int32_t found_count;                   /* written when the law is there */
  int64_t revision;                              /* how often laws were changed */
  nsdyn_context *ctx;
  nsd_fault fault;
  atomic_size_t holders;
  nsd_holder *users;     /* who could be in the midst of something */
  atomic_flag is_locked; /* for `users`, `found_laws` and `fault` of calls that threads may make together */
};

/* Reads the user's table into `own`, which is complete then; `block` still is the user's. */
nsdyn_status nsd_system_def_read(nsdyn_system_def *own, const nsdyn_system_def *given, nsd_fault *fault);

/* NSDYN_ERR_ARGUMENT where the second argument of the function `name`, a `new`, is NULL. */
static inline nsdyn_status nsd_error_no_system(nsd_fault *fault, const nsdyn_system *sys, const char *name)
{
  return sys ? NSDYN_OK
             : nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "%s: sys is NULL", name);
}

/* Counted holding. */
nsdyn_system *nsd_system_hold(nsdyn_system *sys);
void nsd_system_drop(nsdyn_system *sys);

/* Enters an object into the list: while its `*busy` is `engaged`, laws may not be changed. Objects of several
 * threads may do so together. The message of a failure before is forgotten: this is where a `new` succeeds.
 */
void nsd_system_enter(nsdyn_system *sys, nsd_holder *holder, const int *busy, int engaged);

/* Takes it out again; fine where it never entered. */
void nsd_system_leave(nsdyn_system *sys, nsd_holder *holder);

/* Leaves what a call had to say, also where several threads call; returns its status. */
nsdyn_status nsd_system_say(nsdyn_system *sys, const nsd_fault *said);

/* A law for contacts found at run time, by its number, which must be one. */
static inline nsdyn_contact_law *nsd_system_found_law(const nsdyn_system *sys, int32_t number)
{
  int32_t room = NSD_LAW_CHUNK, chunk = 0;
  while (number >= room) {
    number -= room;
    room *= 2;
    chunk++;
  }
  return &sys->found_laws[chunk][number];
}

/* How many there are. */
static inline int32_t nsd_system_found_count(const nsdyn_system *sys)
{
  return atomic_load_explicit(&sys->found_count, memory_order_acquire);
}

/* Whether q̇ = u, and a step adds dt u to q. */
static inline int nsd_system_is_flat(const nsdyn_system_def *def)
{
  return !def->kinematics && !def->retract;
}

#endif
