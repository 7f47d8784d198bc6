/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/scene.h"

void nsd_memory_init(nsd_memory *memory, nsdyn_context *ctx)
{
  const nsd_memory empty = {.ctx = ctx};
  *memory = empty;
  nsd_keys_init(&memory->keys, ctx);
}

static void release_found(nsd_memory *memory)
{
  const size_t room = (size_t)memory->found_room;
  nsd_release(memory->ctx, memory->found_key, room, sizeof *memory->found_key);
  nsd_release(memory->ctx, memory->found_trace, room, sizeof *memory->found_trace);
}

void nsd_memory_release(nsd_memory *memory)
{
  release_found(memory);
  nsd_keys_release(&memory->keys);
}

void nsd_memory_lay_out(nsd_arena *arena, nsd_memory *memory, int contacts)
{
  memory->trace = nsd_arena_take(arena, (size_t)contacts, sizeof *memory->trace);
  memory->known = nsd_arena_take(arena, (size_t)contacts, sizeof *memory->known);
}

void nsd_memory_clear(nsd_memory *memory, int contacts)
{
  for (int i = 0; i < contacts; i++) {
    memory->trace[i] = -1;
  }
  nsd_keys_clear(&memory->keys);
  memory->known_count = memory->found_count = memory->is_in_solver = 0;
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
  if (!key || !trace) {
    nsd_release(memory->ctx, key, room, sizeof *key);
    nsd_release(memory->ctx, trace, room, sizeof *trace);
    return NSDYN_ERR_NOMEM;
  }
  for (int i = 0; i < memory->found_count; i++) {
    key[i] = memory->found_key[i];
    trace[i] = memory->found_trace[i];
  }
  release_found(memory);
  memory->found_key = key;
  memory->found_trace = trace;
  memory->found_room = (int)room;
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

int nsd_memory_is_same(const nsd_memory *memory, const nsd_scene *scene)
{
  if (memory->known_count != scene->known || memory->known_count + memory->found_count != scene->contacts) {
    return 0;
  }
  for (int k = 0; k < scene->known; k++) {
    if (memory->known[k] != scene->closed[k].index) {
      return 0;
    }
  }
  for (int k = scene->known; k < scene->contacts; k++) {
    if (memory->found_key[k - scene->known] != scene->closed[k].key) {
      return 0;
    }
  }
  return 1;
}

int nsd_memory_add_known(nsd_memory *memory, int32_t index, int32_t trace)
{
  if (memory->trace[index] >= 0) {
    return 0;
  }
  memory->trace[index] = trace;
  memory->known[memory->known_count++] = index;
  return 1;
}

int nsd_memory_add_found(nsd_memory *memory, int64_t key, int32_t trace)
{
  if (!nsd_keys_add(&memory->keys, key, memory->found_count)) {
    return 0;
  }
  memory->found_key[memory->found_count] = key;
  memory->found_trace[memory->found_count++] = trace;
  return 1;
}

static inline int32_t trace_of(const nsd_scene *scene, int k)
{
  const nsd_closed *c = &scene->closed[k];
  return c->kept ? c->kept : nsd_trace(c->mode, scene->state[k]);
}

void nsd_memory_keep(nsd_memory *memory, const nsd_scene *scene, int is_same)
{
  if (is_same) {
    for (int k = 0; k < scene->contacts; k++) {
      const nsd_closed *c = &scene->closed[k];
      const int32_t trace = trace_of(scene, k);
      *(c->index >= 0 ? &memory->trace[c->index] : &memory->found_trace[k - scene->known]) = trace;
    }
    return;
  }
  for (int k = 0; k < memory->known_count; k++) {
    memory->trace[memory->known[k]] = -1;
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
    } else {
      (void)nsd_memory_add_found(memory, c->key, trace);
    }
  }
}
