/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/builder/list.h"

#include <string.h>

#include "base/arena.h"

nsdyn_status nsd_list_room(nsdyn_context *ctx, nsd_list *list)
{
  if (list->count >= NSD_LIST_MOST) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const size_t count = (size_t)list->count, least = 4;
  if (count < list->room) {
    return NSDYN_OK;
  }
  /* The new memory first: where there is none, the list is as before. */
  const size_t room = nsd_room_ahead(count) + least;
  void *item = nsd_allocate(ctx, room, list->size);
  if (!item) {
    return NSDYN_ERR_NOMEM;
  }
  if (count) {
    memcpy(item, list->item, count * list->size);
  }
  nsd_release(ctx, list->item, list->room, list->size);
  list->item = item;
  list->room = room;
  return NSDYN_OK;
}

void nsd_list_drop(nsdyn_context *ctx, nsd_list *list)
{
  nsd_release(ctx, list->item, list->room, list->size);
}
