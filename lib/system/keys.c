/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Open addressing with linear probing. Nothing ever walks through the table, so the order of its entries,
 * which depends on how it grew, cannot show. */
#include "system/keys.h"

#include "base/assert.h"

enum { least_room = 16 };

void nsd_keys_init(nsd_keys *keys, nsdyn_context *ctx)
{
  const nsd_keys empty = {.ctx = ctx, .entry = NULL, .room = 0, .count = 0, .stamp = 1};
  *keys = empty;
}

void nsd_keys_release(nsd_keys *keys)
{
  nsd_release(keys->ctx, keys->entry, keys->room, sizeof *keys->entry);
  nsd_keys_init(keys, keys->ctx);
}

/* The finalizer of splitmix64: keys that follow each other are spread over the whole table. */
static uint64_t scattered(int64_t key)
{
  uint64_t x = (uint64_t)key;
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* Where the key is, or where it would go. */
static size_t place(const nsd_keys *keys, int64_t key)
{
  const size_t mask = keys->room - 1;
  size_t i = (size_t)scattered(key) & mask;
  while (keys->entry[i].stamp == keys->stamp && keys->entry[i].key != key) {
    i = (i + 1) & mask;
  }
  return i;
}

static void put(nsd_keys *keys, size_t i, int64_t key, int64_t value)
{
  const nsd_key_entry entry = {.key = key, .stamp = keys->stamp, .value = value};
  keys->entry[i] = entry;
}

nsdyn_status nsd_keys_reserve(nsd_keys *keys, size_t count)
{
  if (keys->room && count <= keys->room / 2) {
    return NSDYN_OK;
  }
  /* A table at most half full keeps probes short. */
  size_t room = keys->room ? keys->room : least_room;
  while (room / 2 < count) {
    if (room > SIZE_MAX / 2 / sizeof *keys->entry) {
      return NSDYN_ERR_TOO_LARGE;
    }
    room *= 2;
  }
  nsd_keys grown = {.ctx = keys->ctx, .room = room, .count = keys->count, .stamp = 1};
  grown.entry = nsd_allocate(keys->ctx, room, sizeof *grown.entry);
  if (!grown.entry) {
    return NSDYN_ERR_NOMEM;
  }
  /* No entry counts: 0 is no stamp. */
  for (size_t i = 0; i < room; i++) {
    grown.entry[i].stamp = 0;
  }
  /* Only keys that count move over. */
  for (size_t i = 0; i < keys->room; i++) {
    const nsd_key_entry *old = &keys->entry[i];
    if (old->stamp == keys->stamp) {
      put(&grown, place(&grown, old->key), old->key, old->value);
    }
  }
  nsd_keys_release(keys);
  *keys = grown;
  return NSDYN_OK;
}

void nsd_keys_clear(nsd_keys *keys)
{
  keys->stamp++; /* 2^64 steps are more than anyone takes */
  keys->count = 0;
}

int nsd_keys_add(nsd_keys *keys, int64_t key, int64_t value)
{
  const size_t i = place(keys, key);
  if (keys->entry[i].stamp == keys->stamp) {
    return 0;
  }
  NSD_ASSERT(keys->count < keys->room / 2);
  put(keys, i, key, value);
  keys->count++;
  return 1;
}

int64_t nsd_keys_find(const nsd_keys *keys, int64_t key)
{
  if (keys->count == 0) {
    return -1;
  }
  const size_t i = place(keys, key);
  return keys->entry[i].stamp == keys->stamp ? keys->entry[i].value : -1;
}
