/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What contacts did in the step before: whether friction held, and where a warm start begins. It changes only
 * when a step is done. */
#ifndef NSD_STEPPER_MEMORY_H
#define NSD_STEPPER_MEMORY_H

#include "base/arena.h"
#include "nsdyn/contact.h"
#include "system/keys.h"

struct nsd_closed;
struct nsd_scene;

/* A contact's trace: its mode, and the state that the solver begins with (contact/states.h), which says more.
 */
static inline int32_t nsd_trace(int32_t mode, int32_t state)
{
  return mode | state * 16;
}

static inline int32_t nsd_trace_mode(int32_t trace)
{
  return trace & 15;
}

static inline int32_t nsd_trace_state(int32_t trace)
{
  return trace / 16;
}

typedef struct nsd_memory {
  nsdyn_context *ctx; /* not held */
  int32_t *trace;     /* of each contact known in advance; −1 where it was open */
  int32_t *known;     /* those that were closed, in their order */
  int known_count;
  nsd_keys keys;        /* of contacts found, with their place in what follows */
  int64_t *found_key;   /* found_count */
  int32_t *found_trace; /* found_count */
  int found_count;
  int found_room;
  int is_same;      /* of a step that solves: the same contacts are closed as in the step before */
  int is_in_solver; /* the contact solver holds these states, in this order */
} nsd_memory;

void nsd_memory_init(nsd_memory *memory, nsdyn_context *ctx);
void nsd_memory_release(nsd_memory *memory);
void nsd_memory_lay_out(nsd_arena *arena, nsd_memory *memory, int contacts);

/* Forgets all; there are so many contacts known in advance. */
void nsd_memory_clear(nsd_memory *memory, int contacts);

/* Room for `count` contacts found at run time; what is remembered stays. */
nsdyn_status nsd_memory_reserve(nsd_memory *memory, int count);

/* Trace in the step before of a contact known in advance, of a found one; −1 where it was not closed. */
static inline int32_t nsd_memory_known(const nsd_memory *memory, int32_t index)
{
  return memory->trace[index];
}

int32_t nsd_memory_found(const nsd_memory *memory, int64_t key);

/* Whether a contact of this trace pressed. */
static inline int nsd_trace_pressed(int32_t trace)
{
  return trace >= 0 && nsd_trace_mode(trace) != NSDYN_MODE_OPEN;
}

/* Of either kind. */
int32_t nsd_memory_trace(const nsd_memory *memory, const struct nsd_closed *c);

/* Whether the same contacts were closed, in the same order. */
int nsd_memory_is_same(const nsd_memory *memory, const struct nsd_scene *scene);

/* Takes over the traces of a scene; room for them has been reserved. is_same: what nsd_memory_is_same() says.
 */
void nsd_memory_keep(nsd_memory *memory, const struct nsd_scene *scene, int is_same);

/* Adds one contact as it was saved; room has been reserved. 0 where it is there already. */
int nsd_memory_add_known(nsd_memory *memory, int32_t index, int32_t trace);
int nsd_memory_add_found(nsd_memory *memory, int64_t key, int32_t trace);

#endif
