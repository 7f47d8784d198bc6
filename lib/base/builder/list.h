/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* An array that grows: what a builder is told, one item after the other. */
#ifndef NSD_BASE_BUILDER_LIST_H
#define NSD_BASE_BUILDER_LIST_H

#include "base/context.h"

enum { NSD_LIST_MOST = 1 << 24 };

/* `size` bytes an item is set by its owner, the rest is zero at the beginning. */
typedef struct nsd_list {
  void *item;
  int32_t count;
  size_t room, size;
} nsd_list;

/* One more item, not initialized, behind the others: NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE. It counts only
 * when the caller raises `count`. */
nsdyn_status nsd_list_room(nsdyn_context *ctx, nsd_list *list);

/* Its memory goes back. */
void nsd_list_drop(nsdyn_context *ctx, nsd_list *list);

#endif
