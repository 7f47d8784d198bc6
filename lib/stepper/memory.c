/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/scene.h"

void nsd_memory_init(nsd_memory *memory, nsdyn_context *ctx)
{
  const nsd_memory empty = {.ctx = ctx, .near = INFINITY};
  *memory = empty;
  nsd_keys_init(&memory->keys, ctx);
}

static void release_found(nsd_memory *memory)
{
  const size_t room = (size_t)memory->found_room;
  nsd_release(memory->ctx, memory->found_key, room, sizeof *memory->found_key);
  nsd_release(memory->ctx, memory->found_trace, room, sizeof *memory->found_trace);
  nsd_release(memory->ctx, memory->found_past, room, sizeof *memory->found_past);
}

void nsd_memory_release(nsd_memory *memory)
{
  release_found(memory);
  nsd_keys_release(&memory->keys);
  nsd_release(memory->ctx, memory->strays, (size_t)memory->stray_room, sizeof *memory->strays);
  nsd_release(memory->ctx, memory->strays_next, (size_t)memory->stray_room, sizeof *memory->strays);
}

void nsd_memory_lay_out(nsd_arena *arena, nsd_memory *memory, int contacts)
{
  memory->trace = nsd_arena_take(arena, (size_t)contacts, sizeof *memory->trace);
  memory->known = nsd_arena_take(arena, (size_t)contacts, sizeof *memory->known);
  memory->past = nsd_arena_take(arena, (size_t)contacts, sizeof *memory->past);
}

void nsd_memory_clear(nsd_memory *memory, int contacts)
{
  const nsd_past nothing = {.gap = NSD_PAST_NOWHERE};
  for (int i = 0; i < contacts; i++) {
    memory->trace[i] = -1;
    memory->past[i] = nothing;
  }
  nsd_keys_clear(&memory->keys);
  memory->known_count = memory->found_count = memory->is_in_solver = 0;
  memory->stray_count = memory->stray_next_count = 0;
  memory->seen = 0.0;
}

nsdyn_status nsd_memory_reserve(nsd_memory *memory, int count)
{
  if (count <= memory->found_room) {
    return NSDYN_OK;
  }
  const size_t room = (size_t)count + (size_t)count / 2;
  const nsdyn_status status = nsd_keys_reserve(&memory->keys, room);
  if (status) {
    return status;
  }
  int64_t *key = nsd_allocate(memory->ctx, room, sizeof *key);
  int32_t *trace = nsd_allocate(memory->ctx, room, sizeof *trace);
  nsd_past *past = nsd_allocate(memory->ctx, room, sizeof *past);
  if (!key || !trace || !past) {
    nsd_release(memory->ctx, key, room, sizeof *key);
    nsd_release(memory->ctx, trace, room, sizeof *trace);
    nsd_release(memory->ctx, past, room, sizeof *past);
    return NSDYN_ERR_NOMEM;
  }
  for (int i = 0; i < memory->found_count; i++) {
    key[i] = memory->found_key[i];
    trace[i] = memory->found_trace[i];
    past[i] = memory->found_past[i];
  }
  release_found(memory);
  memory->found_key = key;
  memory->found_trace = trace;
  memory->found_past = past;
  memory->found_room = (int)room;
  return NSDYN_OK;
}

nsdyn_status nsd_memory_reserve_strays(nsd_memory *memory, int count)
{
  memory->stray_next_count = 0;
  if (count <= memory->stray_room) {
    return NSDYN_OK;
  }
  const size_t room = (size_t)count + (size_t)count / 2;
  nsd_stray *now = nsd_allocate(memory->ctx, room, sizeof *now);
  nsd_stray *next = nsd_allocate(memory->ctx, room, sizeof *next);
  if (!now || !next) {
    nsd_release(memory->ctx, now, room, sizeof *now);
    nsd_release(memory->ctx, next, room, sizeof *next);
    return NSDYN_ERR_NOMEM;
  }
  for (int k = 0; k < memory->stray_count; k++) {
    now[k] = memory->strays[k];
  }
  nsd_release(memory->ctx, memory->strays, (size_t)memory->stray_room, sizeof *now);
  nsd_release(memory->ctx, memory->strays_next, (size_t)memory->stray_room, sizeof *next);
  memory->strays = now;
  memory->strays_next = next;
  memory->stray_room = (int)room;
  return NSDYN_OK;
}

int32_t nsd_memory_found(const nsd_memory *memory, int64_t key)
{
  const int64_t place = nsd_keys_find(&memory->keys, key);
  return place < 0 ? -1 : memory->found_trace[place];
}

int32_t nsd_memory_trace(const nsd_memory *memory, const nsd_closed *c)
{
  return c->index >= 0 ? nsd_memory_known(memory, c->index) : nsd_memory_found(memory, c->key);
}

static int is_seen(const nsd_past *past)
{
  return (past->flags & (NSD_PAST_KNOWN | NSD_PAST_MIDDLE)) == NSD_PAST_KNOWN;
}

const nsd_past *nsd_memory_found_past(const nsd_memory *memory, int64_t key)
{
  const int64_t place = nsd_keys_find(&memory->keys, key);
  return place >= 0 && is_seen(&memory->found_past[place]) ? &memory->found_past[place] : NULL;
}

const nsd_past *nsd_memory_past(const nsd_memory *memory, const nsd_closed *c)
{
  if (c->index < 0) {
    return nsd_memory_found_past(memory, c->key);
  }
  return is_seen(&memory->past[c->index]) ? &memory->past[c->index] : NULL;
}

int nsd_memory_add_known(nsd_memory *memory, int32_t index, int32_t trace)
{
  if (memory->trace[index] >= 0) {
    return 0;
  }
  const nsd_past nothing = {.gap = NSD_PAST_NOWHERE};
  memory->trace[index] = trace;
  memory->past[index] = nothing;
  memory->known[memory->known_count++] = index;
  return 1;
}

int nsd_memory_add_found(nsd_memory *memory, int64_t key, int32_t trace)
{
  if (!nsd_keys_add(&memory->keys, key, memory->found_count)) {
    return 0;
  }
  const nsd_past nothing = {.gap = NSD_PAST_NOWHERE};
  memory->found_key[memory->found_count] = key;
  memory->found_past[memory->found_count] = nothing;
  memory->found_trace[memory->found_count++] = trace;
  return 1;
}

/* Of what has linear gaps only how deep it is has to be known (hold.h). */
NSD_INLINE void keep_past(const nsd_scene *scene, int k, int is_simple, nsd_past *to)
{
  if (is_simple) {
    to->gap = scene->closed[k].gap;
    to->worse = 0;
    to->flags = NSD_PAST_KNOWN;
  } else {
    *to = scene->past[k];
  }
}

static inline int32_t trace_of(const nsd_scene *scene, int k)
{
  const nsd_closed *c = &scene->closed[k];
  return c->kept ? c->kept : nsd_trace(c->mode, scene->state[k]);
}

void nsd_memory_keep(nsd_memory *memory, const nsd_scene *scene, int is_same)
{
  const int is_simple = !scene->is_watched;
  if (is_same) {
    for (int k = 0; k < scene->known; k++) {
      const int32_t i = scene->closed[k].index;
      memory->trace[i] = trace_of(scene, k);
      keep_past(scene, k, is_simple, &memory->past[i]);
    }
    for (int k = scene->known; k < scene->contacts; k++) {
      memory->found_trace[k - scene->known] = trace_of(scene, k);
      keep_past(scene, k, is_simple, &memory->found_past[k - scene->known]);
    }
    return;
  }
  for (int k = 0; k < memory->known_count; k++) {
    memory->trace[memory->known[k]] = -1;
    memory->past[memory->known[k]].flags = 0;
    memory->past[memory->known[k]].gap = NSD_PAST_NOWHERE;
  }
  if (memory->found_count) {
    nsd_keys_clear(&memory->keys);
  }
  memory->known_count = memory->found_count = 0;
  for (int k = 0; k < scene->contacts; k++) {
    const nsd_closed *c = &scene->closed[k];
    const int32_t trace = trace_of(scene, k);
    if (c->index >= 0) {
      (void)nsd_memory_add_known(memory, c->index, trace);
      keep_past(scene, k, is_simple, &memory->past[c->index]);
    } else {
      (void)nsd_memory_add_found(memory, c->key, trace);
      keep_past(scene, k, is_simple, &memory->found_past[memory->found_count - 1]);
    }
  }
}
