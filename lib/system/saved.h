/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A state as bytes: numbers as they stand in memory, a checksum behind them. Only for this library on the
 * same kind of machine, not a format for other programs. */
#ifndef NSD_SYSTEM_SAVED_H
#define NSD_SYSTEM_SAVED_H

#include "base/checksum.h"
#include "system/object.h"

/* How the head begins of what a stepper or a driver saves. */
typedef struct nsd_saved {
  uint64_t magic; /* of who saved it, with the layout's version in it */
  int64_t bytes;  /* of all, the checksum included */
  int32_t nq, nu, ncontacts, nconstraints;
} nsd_saved;

nsd_saved nsd_saved_of(const nsdyn_system_def *def, uint64_t magic, size_t bytes);

/* Appends the checksum of `bytes` − 8 bytes behind `buffer` to them. */
void nsd_saved_seal(unsigned char *buffer, size_t bytes);

/* Argument 1 of the function `name`: whether `size` bytes, a head of `head` bytes and a checksum at least,
 * are whole, of this magic, and of a system of these sizes. What the rest of the head says is not looked at.
 */
nsdyn_status nsd_saved_check(const nsdyn_system_def *def, uint64_t magic, const void *buffer, size_t size,
                             size_t head, const char *name, nsd_fault *fault);

nsdyn_status nsd_saved_refuse(const char *name, const char *reason, nsd_fault *fault);

#endif
