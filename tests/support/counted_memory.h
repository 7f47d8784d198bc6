/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A context whose memory is counted, and which refuses when told to: how often an object asks, what it leaves
 * behind, whether it works on after a failure, and whether what memory held before matters. */
#ifndef TESTS_SUPPORT_COUNTED_MEMORY_H
#define TESTS_SUPPORT_COUNTED_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "nsdyn/base.h"

typedef struct counted_memory {
  long allocations; /* asked for, refused ones too */
  long live;        /* blocks that were given and not released */
  size_t bytes;     /* given, all together */
  long fail_at;     /* the allocation of this number fails; 0: none */
  int for_good;     /* and all after it */
  int fill;         /* each byte of what is given; 0: as it was */
} counted_memory;

static inline void *counted_allocate(void *user, size_t bytes, size_t alignment)
{
  counted_memory *m = user;
  m->allocations++;
  if (m->fail_at && (m->allocations == m->fail_at || (m->for_good && m->allocations > m->fail_at))) {
    return NULL;
  }
  m->live++;
  m->bytes += bytes;
  void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory && m->fill) {
    memset(memory, m->fill, bytes);
  }
  return memory;
}

static inline void counted_release(void *user, void *memory, size_t bytes)
{
  (void)bytes;
  ((counted_memory *)user)->live--;
  free(memory);
}

/* NULL where the context itself gets no memory. `progress` gets m too; it may be NULL. */
static inline nsdyn_context *counted_context(counted_memory *m, int (*progress)(void *, const char *, double))
{
  nsdyn_context_def def;
  nsdyn_context *ctx = NULL;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = m;
  def.allocate = counted_allocate;
  def.release = counted_release;
  def.progress = progress;
  (void)nsdyn_context_new(&def, &ctx, NULL);
  return ctx;
}

#endif
