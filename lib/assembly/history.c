/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/scene.h"

void nsd_history_init(nsd_history *history, nsdyn_context *ctx)
{
  const nsd_history empty = {.ctx = ctx, .near = INFINITY};
  *history = empty;
  nsd_keys_init(&history->keys, ctx);
}

static void release_found(nsd_history *history)
{
  const size_t room = (size_t)history->found_room;
  nsd_release(history->ctx, history->found_key, room, sizeof *history->found_key);
  nsd_release(history->ctx, history->found_trace, room, sizeof *history->found_trace);
  nsd_release(history->ctx, history->found_past, room, sizeof *history->found_past);
}

void nsd_history_release(nsd_history *history)
{
  release_found(history);
  nsd_keys_release(&history->keys);
  nsd_release(history->ctx, history->strays, (size_t)history->stray_room, sizeof *history->strays);
  nsd_release(history->ctx, history->strays_next, (size_t)history->stray_room, sizeof *history->strays);
}

void nsd_history_lay_out(nsd_arena *arena, nsd_history *history, int contacts)
{
  history->trace = nsd_arena_take(arena, (size_t)contacts, sizeof *history->trace);
  history->known = nsd_arena_take(arena, (size_t)contacts, sizeof *history->known);
  history->past = nsd_arena_take(arena, (size_t)contacts, sizeof *history->past);
}

void nsd_history_clear(nsd_history *history, int contacts)
{
  const nsd_past nothing = {.gap = NSD_PAST_NOWHERE};
  for (int i = 0; i < contacts; i++) {
    history->trace[i] = -1;
    history->past[i] = nothing;
  }
  nsd_keys_clear(&history->keys);
  history->known_count = history->found_count = history->is_in_solver = 0;
  history->stray_count = history->stray_next_count = 0;
  history->seen = 0.0;
}

nsdyn_status nsd_history_reserve(nsd_history *history, int count)
{
  if (count <= history->found_room) {
    return NSDYN_OK;
  }
  /* Half as much again: contacts that come one by one allocate seldom. All memory first, so that a failure
   * leaves what is remembered as it is. */
  const size_t room = nsd_room_ahead((size_t)count);
  const nsdyn_status status = nsd_keys_reserve(&history->keys, room);
  if (status) {
    return status;
  }
  int64_t *key = nsd_allocate(history->ctx, room, sizeof *key);
  int32_t *trace = nsd_allocate(history->ctx, room, sizeof *trace);
  nsd_past *past = nsd_allocate(history->ctx, room, sizeof *past);
  if (!key || !trace || !past) {
    nsd_release(history->ctx, key, room, sizeof *key);
    nsd_release(history->ctx, trace, room, sizeof *trace);
    nsd_release(history->ctx, past, room, sizeof *past);
    return NSDYN_ERR_NOMEM;
  }
  for (int i = 0; i < history->found_count; i++) {
    key[i] = history->found_key[i];
    trace[i] = history->found_trace[i];
    past[i] = history->found_past[i];
  }
  release_found(history);
  history->found_key = key;
  history->found_trace = trace;
  history->found_past = past;
  history->found_room = (int)room;
  return NSDYN_OK;
}

nsdyn_status nsd_history_reserve_strays(nsd_history *history, int count)
{
  if (count <= history->stray_room) {
    return NSDYN_OK;
  }
  const size_t room = nsd_room_ahead((size_t)count);
  nsd_stray *now = nsd_allocate(history->ctx, room, sizeof *now);
  nsd_stray *next = nsd_allocate(history->ctx, room, sizeof *next);
  if (!now || !next) {
    nsd_release(history->ctx, now, room, sizeof *now);
    nsd_release(history->ctx, next, room, sizeof *next);
    return NSDYN_ERR_NOMEM;
  }
  for (int k = 0; k < history->stray_count; k++) {
    now[k] = history->strays[k];
  }
  for (int k = 0; k < history->stray_next_count; k++) {
    next[k] = history->strays_next[k];
  }
  nsd_release(history->ctx, history->strays, (size_t)history->stray_room, sizeof *now);
  nsd_release(history->ctx, history->strays_next, (size_t)history->stray_room, sizeof *next);
  history->strays = now;
  history->strays_next = next;
  history->stray_room = (int)room;
  return NSDYN_OK;
}

int32_t nsd_history_found(const nsd_history *history, int64_t key)
{
  const int64_t place = nsd_keys_find(&history->keys, key);
  return place < 0 ? -1 : history->found_trace[place];
}

int32_t nsd_history_trace(const nsd_history *history, const nsd_closed *c)
{
  return c->index >= 0 ? nsd_history_known(history, c->index) : nsd_history_found(history, c->key);
}

const double *nsd_history_impulses(const nsd_history *history, const nsd_closed *c)
{
  /* Known contacts have their place by number, found ones by their key. */
  if (c->index >= 0) {
    return history->trace[c->index] >= 0 ? history->past[c->index].impulse : NULL;
  }
  const int64_t place = nsd_keys_find(&history->keys, c->key);
  return place >= 0 ? history->found_past[place].impulse : NULL;
}

static int is_seen(const nsd_past *past)
{
  /* NSD_PAST_MIDDLE: it was far away where the step ended, so that its numbers are half a step older. */
  return (past->flags & (NSD_PAST_KNOWN | NSD_PAST_MIDDLE)) == NSD_PAST_KNOWN;
}

const nsd_past *nsd_history_found_past(const nsd_history *history, int64_t key)
{
  const int64_t place = nsd_keys_find(&history->keys, key);
  return place >= 0 && is_seen(&history->found_past[place]) ? &history->found_past[place] : NULL;
}

const nsd_past *nsd_history_past(const nsd_history *history, const nsd_closed *c)
{
  if (c->index < 0) {
    return nsd_history_found_past(history, c->key);
  }
  return is_seen(&history->past[c->index]) ? &history->past[c->index] : NULL;
}

int nsd_history_add_known(nsd_history *history, int32_t index, int32_t trace)
{
  if (history->trace[index] >= 0) {
    return 0;
  }
  const nsd_past nothing = {.gap = NSD_PAST_NOWHERE};
  history->trace[index] = trace;
  history->past[index] = nothing;
  history->known[history->known_count++] = index;
  return 1;
}

int nsd_history_add_found(nsd_history *history, int64_t key, int32_t trace)
{
  /* A key that comes twice keeps its first entry. */
  if (!nsd_keys_add(&history->keys, key, history->found_count)) {
    return 0;
  }
  const nsd_past nothing = {.gap = NSD_PAST_NOWHERE};
  history->found_key[history->found_count] = key;
  history->found_past[history->found_count] = nothing;
  history->found_trace[history->found_count++] = trace;
  return 1;
}

/* Of what has linear gaps only how deep it is has to be known (stepper/drift/keep_closed.h). */
NSD_INLINE void keep_past(const nsd_scene *scene, int k, int is_simple, nsd_past *to)
{
  if (is_simple) {
    to->gap = scene->closed.contact[k].gap;
    to->worse = 0;
    to->flags = NSD_PAST_KNOWN;
  } else {
    *to = scene->closed.past[k];
  }
}

/* Λ of all that is closed, which is remembered already: where the next step's solver begins in space, and of
 * many contacts. */
static __attribute__((noinline)) void keep_impulses(nsd_history *history, const nsd_scene *scene)
{
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    double *to = c->index >= 0 ? history->past[c->index].impulse
                               : history->found_past[nsd_keys_find(&history->keys, c->key)].impulse;
    for (int i = 0; i < NSD_CONTACT_ROWS; i++) {
      to[i] = i < c->rows ? scene->solution.Lambda[c->row + i] : 0.0;
    }
  }
}

static inline int32_t trace_of(const nsd_scene *scene, int k)
{
  const nsd_closed *c = &scene->closed.contact[k];
  return c->kept ? c->kept : nsd_trace(c->mode, scene->solution.state[k]);
}

static inline void keep(nsd_history *history, const nsd_scene *scene, int is_same)
{
  const int is_simple = !scene->closed.is_watched;
  /* The same contacts in the same order: each overwrites its own entry, and no key is looked up. */
  if (is_same) {
    for (int k = 0; k < scene->closed.known; k++) {
      const int32_t i = scene->closed.contact[k].index;
      history->trace[i] = trace_of(scene, k);
      keep_past(scene, k, is_simple, &history->past[i]);
    }
    for (int k = scene->closed.known; k < scene->closed.count; k++) {
      history->found_trace[k - scene->closed.known] = trace_of(scene, k);
      keep_past(scene, k, is_simple, &history->found_past[k - scene->closed.known]);
    }
    return;
  }
  /* Else all are forgotten first: a contact that has opened must not count as pressing. */
  for (int k = 0; k < history->known_count; k++) {
    history->trace[history->known[k]] = -1;
    history->past[history->known[k]].flags = 0;
    history->past[history->known[k]].gap = NSD_PAST_NOWHERE;
  }
  if (history->found_count) {
    nsd_keys_clear(&history->keys);
  }
  history->known_count = history->found_count = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int32_t trace = trace_of(scene, k);
    if (c->index >= 0) {
      (void)nsd_history_add_known(history, c->index, trace);
      keep_past(scene, k, is_simple, &history->past[c->index]);
    } else {
      (void)nsd_history_add_found(history, c->key, trace);
      keep_past(scene, k, is_simple, &history->found_past[history->found_count - 1]);
    }
  }
}

void nsd_history_keep(nsd_history *history, const nsd_scene *scene, int is_same)
{
  keep(history, scene, is_same);
  if (scene->problem.is_spatial || scene->closed.rows > NSD_SCENE_MANY_ROWS) {
    keep_impulses(history, scene);
  }
}

nsdyn_status nsd_history_copy(nsd_history *to, const nsd_history *from, int contacts)
{
  nsdyn_status status = nsd_history_reserve(to, from->found_count);
  status = status ? status : nsd_history_reserve_strays(to, from->stray_count);
  if (status) {
    return status;
  }
  for (int i = 0; i < contacts; i++) {
    to->trace[i] = from->trace[i];
    to->known[i] = from->known[i];
    to->past[i] = from->past[i];
  }
  /* The table of keys is made anew: its order of insertion decides on nothing but the places. */
  nsd_keys_clear(&to->keys);
  for (int i = 0; i < from->found_count; i++) {
    (void)nsd_keys_add(&to->keys, from->found_key[i], i);
    to->found_key[i] = from->found_key[i];
    to->found_trace[i] = from->found_trace[i];
    to->found_past[i] = from->found_past[i];
  }
  for (int i = 0; i < from->stray_count; i++) {
    to->strays[i] = from->strays[i];
  }
  to->known_count = from->known_count;
  to->found_count = from->found_count;
  to->stray_count = from->stray_count;
  to->stray_next_count = 0;
  to->seen = from->seen;
  to->near = from->near;
  to->is_same = from->is_same;
  to->is_in_solver = from->is_in_solver;
  return NSDYN_OK;
}
