/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Which item of an array has a name: a binary tree whose nodes each ask for one bit of it. As many questions
 * as a name has bits at most, whatever the names are. */
#ifndef NSD_BASE_BUILDER_NAMES_H
#define NSD_BASE_BUILDER_NAMES_H

#include "base/builder/list.h"

/* Names of `length` bytes, zeros behind each, one in every `stride` bytes of an array that may move. */
typedef struct nsd_name_array {
  const char *first;
  size_t stride, length;
} nsd_name_array;

typedef struct nsd_names {
  nsd_list nodes; /* one less than names */
  int32_t root;   /* a node, or ~i of item i */
  int32_t count;  /* names that differ */
} nsd_names;

void nsd_names_begin(nsd_names *names);
void nsd_names_drop(nsdyn_context *ctx, nsd_names *names);

/* The item of a name of that length, zeros behind it; −1: none. */
int32_t nsd_names_find(const nsd_names *names, nsd_name_array of, const char *name);

/* Memory for one name more, as nsd_list_room(). */
nsdyn_status nsd_names_room(nsdyn_context *ctx, nsd_names *names);

/* The name of item i, too, for which there is room. Returns i, or the item that has this name already. */
int32_t nsd_names_add(nsd_names *names, nsd_name_array of, int32_t i);

#endif
