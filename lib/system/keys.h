/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Keys of contacts with a number each; forgotten all at once without touching the table. */
#ifndef NSD_SYSTEM_KEYS_H
#define NSD_SYSTEM_KEYS_H

#include "base/context.h"

typedef struct nsd_key_entry {
  int64_t key;
  uint64_t stamp; /* the entry counts where it is that of the table */
  int64_t value;
} nsd_key_entry;

typedef struct nsd_keys {
  nsdyn_context *ctx; /* not held */
  nsd_key_entry *entry;
  size_t room; /* a power of two, at least twice `count`; 0 at first */
  size_t count;
  uint64_t stamp;
} nsd_keys;

void nsd_keys_init(nsd_keys *keys, nsdyn_context *ctx);
void nsd_keys_release(nsd_keys *keys);

/* Room for `count` keys without another allocation; what is there stays. */
nsdyn_status nsd_keys_reserve(nsd_keys *keys, size_t count);

/* Forgets all keys. */
void nsd_keys_clear(nsd_keys *keys);

/* Adds a key, for which room is reserved; 0 where it is there already. */
int nsd_keys_add(nsd_keys *keys, int64_t key, int64_t value);

/* Its number; −1 where it is not there. */
int64_t nsd_keys_find(const nsd_keys *keys, int64_t key);

#endif
