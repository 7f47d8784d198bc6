/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What an object remembers of its last failure: status, what and where, one line for people. */
#ifndef NSD_BASE_FAULT_H
#define NSD_BASE_FAULT_H

#include "nsdyn/base.h"

typedef struct nsd_fault {
  nsdyn_detail detail;
  nsdyn_status status;
  char message[232];
} nsd_fault;

/* Nothing went wrong: NSDYN_OK and an empty message. NULL is fine. */
void nsd_fault_clear(nsd_fault *fault);

/* Whether there is no answer, honestly, where another way may have one: not where the caller wants to stop,
 * NSDYN_STOPPED or NSDYN_CANCELLED, which goes out at once. */
static inline int nsd_is_unanswered(nsdyn_status status)
{
  return status > NSDYN_CANCELLED;
}

/* How a call that may change an object begins: from inside of its own callbacks, while it is `busy`,
 * NSDYN_ERR_BUSY, and its message stays; else the message of the call before is cleared. */
static inline nsdyn_status nsd_fault_begin(nsd_fault *fault, int busy)
{
  if (busy) {
    return NSDYN_ERR_BUSY;
  }
  nsd_fault_clear(fault);
  return NSDYN_OK;
}

/* Stores status, place and message and returns `status`, so that a caller can write
 * `return nsd_fault_set(…)`. `fault` may be NULL: then only the status goes out. An
 * index beyond int32_t stops at its end; a message too long is cut between two characters. Numbers that are
 * not integers go through nsd_number_text(), since printf's depend on the locale. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
nsdyn_status
nsd_fault_set(nsd_fault *fault, nsdyn_status status, int32_t kind, int64_t index, const char *format, ...);

/* For a `new`, which has no object yet. It begins with an empty `fault`, and refuses an `error` (may be NULL)
 * without size, and an `out` that is NULL, the `which`-th argument of the function `name`. It ends with what
 * the fault says in `error`, and returns `status`. */
nsdyn_status nsd_error_begin(const nsdyn_error *error, nsd_fault *fault, const void *out, const char *name,
                             int which);
nsdyn_status nsd_error_end(nsdyn_error *error, const nsd_fault *fault, nsdyn_status status);

/* Fills a caller's sized detail from `fault`. */
nsdyn_status nsd_fault_detail(const nsd_fault *fault, nsdyn_detail *detail);

#endif
