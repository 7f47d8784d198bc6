/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/builder/list.h"

#include "suite.h"

/* What was put in stays where it was, whatever the memory moved to; a full list says so. */
START_TEST(items_stay_as_the_list_grows)
{
  nsd_list list = {.size = sizeof(int64_t)};
  for (int32_t i = 0; i < 1000; i++) {
    REQUIRE(nsd_list_room(NULL, &list) == NSDYN_OK && list.room > (size_t)i);
    ((int64_t *)list.item)[i] = 7 * (int64_t)i;
    list.count++;
  }
  for (int32_t i = 0; i < 1000; i++) {
    REQUIRE(((const int64_t *)list.item)[i] == 7 * (int64_t)i, "item %d", (int)i);
  }
  const int32_t count = list.count;
  list.count = NSD_LIST_MOST;
  ck_assert_int_eq(nsd_list_room(NULL, &list), NSDYN_ERR_TOO_LARGE);
  list.count = count;
  nsd_list_drop(NULL, &list);
}
END_TEST

SUITE("base/builder/list", TEST(items_stay_as_the_list_grows))
