/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/keys.h"

#include "suite.h"

START_TEST(keys_are_found_again_as_the_table_grows)
{
  nsd_keys keys;
  nsd_keys_init(&keys, NULL);
  ck_assert_int_eq((int)nsd_keys_find(&keys, 7), -1);
  random_state random = random_seed(1);
  int64_t key[1000];
  for (int i = 0; i < 1000; i++) {
    key[i] = i < 500 ? i - 250 : (int64_t)random_bits(&random);
    ck_assert_int_eq(nsd_keys_reserve(&keys, (size_t)i + 1), NSDYN_OK);
    ck_assert_int_eq(nsd_keys_add(&keys, key[i], i), 1);
    ck_assert_int_eq(nsd_keys_add(&keys, key[i], -7), 0);
  }
  for (int i = 0; i < 1000; i++) {
    REQUIRE(nsd_keys_find(&keys, key[i]) == i, "key %d is lost", i);
  }
  ck_assert_int_eq((int)nsd_keys_find(&keys, 4711), -1);
  ck_assert_uint_eq(keys.count, 1000);
  nsd_keys_release(&keys);
}
END_TEST

START_TEST(clearing_forgets_and_keeps_the_room)
{
  nsd_keys keys;
  nsd_keys_init(&keys, NULL);
  ck_assert_int_eq(nsd_keys_reserve(&keys, 20), NSDYN_OK);
  const size_t room = keys.room;
  for (int round = 0; round < 100; round++) {
    nsd_keys_clear(&keys);
    for (int i = 0; i < 20; i++) {
      REQUIRE(nsd_keys_find(&keys, i) == -1, "round %d", round);
      REQUIRE(nsd_keys_add(&keys, i, round) == 1, "round %d", round);
      REQUIRE(nsd_keys_find(&keys, i) == round, "round %d", round);
    }
    ck_assert_int_eq(nsd_keys_reserve(&keys, 20), NSDYN_OK);
  }
  ck_assert_uint_eq(keys.room, room);
  nsd_keys_release(&keys);
}
END_TEST

START_TEST(more_than_memory_is_refused)
{
  nsd_keys keys;
  nsd_keys_init(&keys, NULL);
  ck_assert_int_eq(nsd_keys_reserve(&keys, SIZE_MAX / 4), NSDYN_ERR_TOO_LARGE);
  ck_assert_int_eq(nsd_keys_reserve(&keys, 1), NSDYN_OK);
  nsd_keys_release(&keys);
}
END_TEST

SUITE("system/keys", TEST(keys_are_found_again_as_the_table_grows), TEST(clearing_forgets_and_keeps_the_room),
      TEST(more_than_memory_is_refused))
