/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/builder/names.h"

#include <string.h>

/* Names below differ in this bit, and in none before it: those that have 0, then those that have 1. */
typedef struct node {
  int32_t bit, below[2]; /* a node, or ~i of item i */
} node;

static const char *name_of(nsd_name_array of, int32_t i)
{
  return of.first + (size_t)i * of.stride;
}

static int bit_of(const char *name, int32_t bit)
{
  return (unsigned char)name[bit / 8] >> (7 - bit % 8) & 1;
}

void nsd_names_begin(nsd_names *names)
{
  memset(names, 0, sizeof *names);
  names->nodes.size = sizeof(node);
}

void nsd_names_drop(nsdyn_context *ctx, nsd_names *names)
{
  nsd_list_drop(ctx, &names->nodes);
}

/* The one item that can have this name, of an index that is not empty. */
static int32_t only_one(const nsd_names *names, const char *name)
{
  const node *nodes = names->nodes.item;
  int32_t at = names->root;
  while (at >= 0) {
    at = nodes[at].below[bit_of(name, nodes[at].bit)];
  }
  return ~at;
}

int32_t nsd_names_find(const nsd_names *names, nsd_name_array of, const char *name)
{
  const int32_t i = names->count ? only_one(names, name) : -1;
  return i >= 0 && !memcmp(name_of(of, i), name, of.length) ? i : -1;
}

nsdyn_status nsd_names_room(nsdyn_context *ctx, nsd_names *names)
{
  return nsd_list_room(ctx, &names->nodes);
}

int32_t nsd_names_add(nsd_names *names, nsd_name_array of, int32_t i)
{
  const char *name = name_of(of, i);
  if (!names->count) {
    names->root = ~i;
    names->count = 1;
    return i;
  }
  /* 1: the first bit in which it differs from the only one that could be the same; */
  const int32_t other = only_one(names, name);
  const char *known = name_of(of, other);
  int32_t bit = 0;
  while ((size_t)bit / 8 < of.length && name[bit / 8] == known[bit / 8]) {
    bit += 8;
  }
  if ((size_t)bit / 8 == of.length) {
    return other;
  }
  while (bit_of(name, bit) == bit_of(known, bit)) {
    bit++;
  }
  /* 2: its node stands before the first one that asks for a later bit. */
  node *nodes = names->nodes.item;
  int32_t *at = &names->root;
  while (*at >= 0 && nodes[*at].bit < bit) {
    at = &nodes[*at].below[bit_of(name, nodes[*at].bit)];
  }
  node *own = &nodes[names->nodes.count];
  own->bit = bit;
  own->below[bit_of(name, bit)] = ~i;
  own->below[!bit_of(name, bit)] = *at;
  *at = names->nodes.count++;
  names->count++;
  return i;
}
