/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One block of memory that an object carves its arrays out of.
 *
 * Layout and size come from the same code, run twice: a function that takes array after array from
 * an arena runs first on a measuring arena, which counts, then on the real one.
 *
 *   static void lay_out(nsd_arena *arena, workspace *w, size_t n)
 *   {
 *     w->A = nsd_arena_take(arena, n * n, sizeof *w->A);
 *     w->x = nsd_arena_take(arena, n, sizeof *w->x);
 *   }
 *   …
 *   workspace counted;
 *   nsd_arena measure = nsd_arena_measure();
 *   lay_out(&measure, &counted, n);
 *   status = nsd_arena_reserve(&arena, &measure);
 *   if (status == NSDYN_OK) lay_out(&arena, &w, n);
 *
 * The first run is on a struct of its own, because it leaves NULL in every pointer: where the reserve
 * fails, w still stands in the old block. A reserve that finds the block long enough allocates
 * nothing, so a step that repeats a known size allocates nothing. */
#ifndef NSD_BASE_ARENA_H
#define NSD_BASE_ARENA_H

#include "base/context.h"

typedef struct nsd_arena {
  nsdyn_context *ctx; /* not held: the arena's owner holds it */
  char *block;        /* NULL while measuring or empty */
  size_t capacity;    /* bytes of the block */
  size_t used;        /* bytes taken so far; SIZE_MAX once they cannot be counted */
} nsd_arena;

/* How many to make room for where `count` are needed and more may come, one after the other: half as many
 * again; of many an eighth. */
static inline size_t nsd_room_ahead(size_t count)
{
  const size_t few = 256;
  return count + (count < few ? count / 2 : few / 2 + (count - few) / 8);
}

/* An arena without memory. */
nsd_arena nsd_arena_empty(nsdyn_context *ctx);

/* An arena that only counts: take gives NULL. */
nsd_arena nsd_arena_measure(void);

/* Makes room for what `measure` counted and starts over: all earlier takes are void. On failure
 * (NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE) the old block is untouched. */
nsdyn_status nsd_arena_reserve(nsd_arena *arena, const nsd_arena *measure);

/* The next `count` × `size` bytes, aligned to NSD_ALIGNMENT, not initialized. */
void *nsd_arena_take(nsd_arena *arena, size_t count, size_t size);

/* Gives the block back. */
void nsd_arena_release(nsd_arena *arena);

#endif
