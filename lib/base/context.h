/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Files of this folder:
 *
 *   context.c, arena.c               the host's memory, log and cancelling; one block of memory for an
 *                                    object's arrays
 *   sized.c, check_options.c         structs that may grow; options refused by name
 *   failure.c, status.c, version.c   what failed last; names of statuses; the release
 *   number.c, text.c, checksum.h     numbers and problems as text, saved bytes
 *   poll.h                           asks the host whether to go on, by work done
 *   tolerances.h, assert.h           each tolerance once; inner invariants
 *   exact_pair.h, safe_scalar.h      arithmetic that keeps what it rounds, or stays within range
 *   dense.h, norm.c, kernels/        dense matrices: factors, products, norms, for the processor at hand
 *   row.c, sparse/                   sparse rows and matrices: orders, factors, products
 *   levenberg_marquardt.c            equations as least squares
 *   vec3.h, quaternion.c, sin_cos.c  vectors, rotations and directions
 *
 * The context as the other layers use it: memory, log, progress. NULL is the default context. */
#ifndef NSD_BASE_CONTEXT_H
#define NSD_BASE_CONTEXT_H

#include "base/failure.h"

/* Every block is aligned so that a row of doubles can be read as vectors. */
#define NSD_ALIGNMENT 64u

/* `count` × `size` bytes, not initialized; NULL where there are none, where the product overflows,
 * or where it is zero. */
void *nsd_allocate(nsdyn_context *ctx, size_t count, size_t size);

/* Takes back what nsd_allocate gave, with the same two numbers; NULL is fine. */
void nsd_release(nsdyn_context *ctx, void *memory, size_t count, size_t size);

/* Counted holding; both accept NULL. */
nsdyn_context *nsd_context_hold(nsdyn_context *ctx);
void nsd_context_drop(nsdyn_context *ctx);

/* One line to the host's log. */
void nsd_log(const nsdyn_context *ctx, int32_t level, const char *line);

/* NSDYN_OK to go on, NSDYN_CANCELLED to stop. `done` in [0, 1], or −1 where the end is not known. */
nsdyn_status nsd_progress(const nsdyn_context *ctx, const char *activity, double done);

#endif
