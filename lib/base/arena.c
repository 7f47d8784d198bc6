/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/arena.h"

#include "base/assert.h"

nsd_arena nsd_arena_empty(nsdyn_context *ctx)
{
  const nsd_arena arena = {.ctx = ctx, .block = NULL, .capacity = 0, .used = 0};
  return arena;
}

nsd_arena nsd_arena_measure(void)
{
  return nsd_arena_empty(NULL);
}

/* Bytes of an array, rounded up to the alignment; SIZE_MAX where they cannot be counted. */
static size_t padded(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX - NSD_ALIGNMENT) / size) {
    return SIZE_MAX;
  }
  return (count * size + (NSD_ALIGNMENT - 1)) / NSD_ALIGNMENT * NSD_ALIGNMENT;
}

void *nsd_arena_take(nsd_arena *arena, size_t count, size_t size)
{
  const size_t bytes = padded(count, size);
  const size_t start = arena->used;
  /* A sum that cannot be counted stays SIZE_MAX; nsd_arena_reserve refuses it. */
  if (bytes > SIZE_MAX - start) {
    arena->used = SIZE_MAX;
    return NULL;
  }
  arena->used = start + bytes;
  if (!arena->block) {
    return NULL;
  }
  NSD_ASSERT(arena->used <= arena->capacity);
  return arena->block + start;
}

nsdyn_status nsd_arena_reserve(nsd_arena *arena, const nsd_arena *measure)
{
  if (measure->used == SIZE_MAX) {
    return NSDYN_ERR_TOO_LARGE;
  }
  /* The old block stays until the new one is there. */
  if (measure->used > arena->capacity) {
    char *block = nsd_allocate(arena->ctx, measure->used, 1);
    if (!block) {
      return NSDYN_ERR_NOMEM;
    }
    nsd_release(arena->ctx, arena->block, arena->capacity, 1);
    arena->block = block;
    arena->capacity = measure->used;
  }
  arena->used = 0;
  return NSDYN_OK;
}

void nsd_arena_release(nsd_arena *arena)
{
  nsd_release(arena->ctx, arena->block, arena->capacity, 1);
  *arena = nsd_arena_empty(arena->ctx);
}
