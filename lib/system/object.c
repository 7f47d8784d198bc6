/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/object.h"

#include <string.h>

#include "base/assert.h"
#include "contact/law.h"

static void release(nsdyn_system *sys)
{
  nsdyn_context *ctx = sys->ctx;
  nsd_release(ctx, sys->block, 2 * (size_t)sys->def.nblocks, sizeof *sys->block);
  nsd_release(ctx, sys->laws, (size_t)sys->def.ncontacts, sizeof *sys->laws);
  for (int k = 0; k < NSD_LAW_CHUNKS; k++) {
    nsd_release(ctx, sys->found_laws[k], (size_t)NSD_LAW_CHUNK << k, sizeof *sys->found_laws[k]);
  }
  nsd_release(ctx, sys, 1, sizeof *sys);
  nsd_context_drop(ctx);
}

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_system_def *def, nsdyn_system **out,
                         nsd_fault *fault)
{
  if (!def) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "nsdyn_system_new: def is NULL");
  }
  nsdyn_system_def own;
  const nsdyn_status status = nsd_system_def_read(&own, def, fault);
  if (status) {
    return status;
  }
  nsdyn_system *sys = nsd_allocate(ctx, 1, sizeof *sys);
  if (!sys) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_system_new: out of memory");
  }
  /* Once it stands in `sys`, release() frees all of it. */
  const nsdyn_system empty = {.def = own, .ctx = nsd_context_hold(ctx)};
  *sys = empty;
  atomic_init(&sys->holders, 1);
  atomic_init(&sys->found_count, 0);
  atomic_flag_clear(&sys->is_locked);
  nsd_fault_clear(&sys->fault);
  sys->block = nsd_allocate(ctx, 2 * (size_t)own.nblocks, sizeof *sys->block);
  if (own.nblocks && !sys->block) {
    release(sys);
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_system_new: no memory for the sizes of %d blocks", (int)own.nblocks);
  }
  sys->block_first = sys->block ? sys->block + own.nblocks : NULL;
  for (int32_t b = 0, first = 0; b < own.nblocks; b++) {
    sys->block[b] = own.block[b];
    sys->block_first[b] = first;
    first += own.block[b];
  }
  sys->def.block = sys->block;
  sys->laws = nsd_allocate(ctx, (size_t)own.ncontacts, sizeof *sys->laws);
  if (own.ncontacts && !sys->laws) {
    release(sys);
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_system_new: no memory for the laws of %d contacts", (int)own.ncontacts);
  }
  /* Defaults: contacts without a law of their own are frictionless and inelastic. */
  for (int32_t i = 0; i < own.ncontacts; i++) {
    nsdyn_contact_law_init(&sys->laws[i], sizeof sys->laws[i]);
  }
  *out = sys;
  return NSDYN_OK;
}

nsdyn_status nsdyn_system_new(nsdyn_context *ctx, const nsdyn_system_def *def, nsdyn_system **out,
                              nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_system_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, def, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

nsdyn_system *nsd_system_hold(nsdyn_system *sys)
{
  atomic_fetch_add_explicit(&sys->holders, 1, memory_order_relaxed);
  return sys;
}

void nsd_system_drop(nsdyn_system *sys)
{
  if (!sys || atomic_fetch_sub_explicit(&sys->holders, 1, memory_order_acq_rel) != 1) {
    return;
  }
  /* The callback is called last, when nothing of the system is left. */
  void (*destroy_user)(void *) = sys->def.destroy_user;
  void *user = sys->def.user;
  release(sys);
  if (destroy_user) {
    destroy_user(user);
  }
}

void nsdyn_system_free(nsdyn_system *sys)
{
  nsd_system_drop(sys);
}

/* ---- Who uses the laws ---- */

/* A spin lock: held for a few instructions, and never within a step, so that no thread has to sleep. */
static void lock(nsdyn_system *sys)
{
  while (atomic_flag_test_and_set_explicit(&sys->is_locked, memory_order_acquire)) {
  }
}

static void unlock(nsdyn_system *sys)
{
  atomic_flag_clear_explicit(&sys->is_locked, memory_order_release);
}

void nsd_system_enter(nsdyn_system *sys, nsd_holder *holder, const int *busy, int engaged)
{
  holder->busy = busy;
  holder->engaged = engaged;
  holder->before = NULL;
  lock(sys);
  holder->next = sys->users;
  if (holder->next) {
    holder->next->before = holder;
  }
  sys->users = holder;
  unlock(sys);
}

void nsd_system_leave(nsdyn_system *sys, nsd_holder *holder)
{
  if (!holder->busy) {
    return;
  }
  lock(sys);
  if (holder->before) {
    holder->before->next = holder->next;
  } else {
    sys->users = holder->next;
  }
  if (holder->next) {
    holder->next->before = holder->before;
  }
  unlock(sys);
  holder->busy = NULL;
}

/* Whether an object is within a call just now; the caller has the lock. A flag that
 * another thread is writing may read either way: changing laws while others run is
 * forbidden, and refused as far as it is seen. */
static int is_in_use(const nsdyn_system *sys)
{
  for (const nsd_holder *holder = sys->users; holder; holder = holder->next) {
    if (*(const volatile int *)holder->busy == holder->engaged) {
      return 1;
    }
  }
  return 0;
}

/* ---- Laws ---- */

nsdyn_status nsd_system_say(nsdyn_system *sys, const nsd_fault *said)
{
  lock(sys);
  sys->fault = *said;
  unlock(sys);
  return said->status;
}

/* `*to` := *law unless the laws are in use just now; `what` is for the message. */
static nsdyn_status replace(nsdyn_system *sys, nsdyn_contact_law *to, const nsdyn_contact_law *law,
                            const char *what, int number, nsd_fault *said)
{
  lock(sys);
  /* Under the lock: no object can enter between the question and the change. */
  const int in_use = is_in_use(sys);
  if (!in_use) {
    *to = *law;
    sys->revision++;
  }
  unlock(sys);
  if (in_use) {
    nsd_fault_set(said, NSDYN_ERR_BUSY, what[0] == 'c' ? NSDYN_DETAIL_CONTACT : NSDYN_DETAIL_ARGUMENT,
                  what[0] == 'c' ? number : 1,
                  "%s %d: its law cannot be changed from within a callback of a step or run of this system; "
                  "change it between two calls",
                  what, number);
  }
  return nsd_system_say(sys, said);
}

nsdyn_status nsdyn_system_set_contact(nsdyn_system *sys, int32_t i, const nsdyn_contact_law *law)
{
  if (!sys) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault said;
  nsd_fault_clear(&said);
  if (i < 0 || i >= sys->def.ncontacts) {
    nsd_fault_set(&said, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                  "there is no contact %d: the system has %d", i, (int)sys->def.ncontacts);
    return nsd_system_say(sys, &said);
  }
  if (!law) {
    nsd_fault_set(&said, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 2, "contact %d: law is NULL", i);
    return nsd_system_say(sys, &said);
  }
  nsdyn_contact_law own;
  const nsdyn_status status = nsd_contact_law_read(&own, law, i, &said);
  return status ? nsd_system_say(sys, &said) : replace(sys, &sys->laws[i], &own, "contact", i, &said);
}

/* The checks speak of contacts; a law for contacts that are yet to be found is "law 3". */
static nsdyn_status read_found_law(nsdyn_contact_law *own, const nsdyn_contact_law *law, int32_t number,
                                   nsd_fault *said)
{
  static const char contact[] = "contact", name[] = "law";
  if (!law) {
    return nsd_fault_set(said, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "law %d is NULL", (int)number);
  }
  const nsdyn_status status = nsd_contact_law_read(own, law, number, said);
  char *message = said->message;
  if (status && strncmp(message, contact, sizeof contact - 1) == 0) {
    memmove(message + sizeof name - 1, message + sizeof contact - 1,
            strlen(message + sizeof contact - 1) + 1);
    memcpy(message, name, sizeof name - 1);
  }
  return status;
}

/* Chunk and place of the next law; the caller has the lock. */
static nsdyn_contact_law **next_place(nsdyn_system *sys, int32_t *place, int *chunk)
{
  /* Chunk k holds NSD_LAW_CHUNK · 2^k laws. */
  int32_t room = NSD_LAW_CHUNK;
  *place = atomic_load_explicit(&sys->found_count, memory_order_relaxed);
  for (*chunk = 0; *chunk < NSD_LAW_CHUNKS && *place >= room; ++*chunk) {
    *place -= room;
    room = *chunk + 1 < NSD_LAW_CHUNKS ? 2 * room : room;
  }
  return *chunk < NSD_LAW_CHUNKS ? &sys->found_laws[*chunk] : NULL;
}

/* Puts a law behind the others. Memory is asked for without the lock: the user's allocator may take its time,
 * and another thread may have put the same chunk there meanwhile. */
static nsdyn_status append(nsdyn_system *sys, const nsdyn_contact_law *law, int32_t *number)
{
  nsdyn_contact_law *memory = NULL;
  for (int chunk_of_memory = -1;;) {
    int32_t place;
    int chunk;
    lock(sys);
    nsdyn_contact_law **at = next_place(sys, &place, &chunk);
    /* Memory that was got without the lock, for a chunk that still is missing. */
    if (at && !*at && chunk == chunk_of_memory) {
      *at = memory;
      memory = NULL;
    }
    const int has_room = at && *at;
    /* The law first, then the count: a reader that sees the count sees the law. */
    if (has_room) {
      (*at)[place] = *law;
      *number = atomic_load_explicit(&sys->found_count, memory_order_relaxed);
      atomic_store_explicit(&sys->found_count, *number + 1, memory_order_release);
    }
    unlock(sys);
    if (memory) {
      nsd_release(sys->ctx, memory, (size_t)NSD_LAW_CHUNK << chunk_of_memory, sizeof *memory);
    }
    /* Done, or all chunks are full; otherwise memory for the missing chunk, and once more. */
    if (has_room || !at) {
      return at ? NSDYN_OK : NSDYN_ERR_TOO_LARGE;
    }
    NSD_ASSERT(chunk >= 0);
    memory = nsd_allocate(sys->ctx, (size_t)NSD_LAW_CHUNK << chunk, sizeof *memory);
    chunk_of_memory = chunk;
    if (!memory) {
      return NSDYN_ERR_NOMEM;
    }
  }
}

nsdyn_status nsdyn_system_add_law(nsdyn_system *sys, const nsdyn_contact_law *law, int32_t *number)
{
  if (!sys) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault said;
  nsd_fault_clear(&said);
  const int32_t count = nsd_system_found_count(sys);
  if (!number) {
    nsd_fault_set(&said, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 2, "number is NULL");
    return nsd_system_say(sys, &said);
  }
  nsdyn_contact_law own;
  nsdyn_status status = read_found_law(&own, law, count, &said);
  if (status) {
    return nsd_system_say(sys, &said);
  }
  status = append(sys, &own, number);
  if (status) {
    nsd_fault_set(&said, status, NSDYN_DETAIL_NONE, -1, "no memory for law %d", (int)count);
  }
  return nsd_system_say(sys, &said);
}

nsdyn_status nsdyn_system_set_law(nsdyn_system *sys, int32_t number, const nsdyn_contact_law *law)
{
  if (!sys) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault said;
  nsd_fault_clear(&said);
  const int32_t count = nsd_system_found_count(sys);
  if (number < 0 || number >= count) {
    nsd_fault_set(&said, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                  "there is no law %d: the system has %d for contacts found at run time", (int)number,
                  (int)count);
    return nsd_system_say(sys, &said);
  }
  nsdyn_contact_law own;
  const nsdyn_status status = read_found_law(&own, law, number, &said);
  return status ? nsd_system_say(sys, &said)
                : replace(sys, nsd_system_found_law(sys, number), &own, "law", number, &said);
}

const char *nsdyn_system_message(const nsdyn_system *sys)
{
  return sys ? sys->fault.message : "";
}

nsdyn_status nsdyn_system_detail(const nsdyn_system *sys, nsdyn_detail *detail)
{
  return sys ? nsd_fault_detail(&sys->fault, detail) : NSDYN_ERR_ARGUMENT;
}
