/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/builder/names.h"

#include <string.h>

#include "suite.h"

enum { LENGTH = 6, MOST = 200 };

typedef struct item {
  double before;
  char name[LENGTH];
} item;

/* Names of a few letters, bytes of any kind among them, so that many are the same or begin the same. */
static void make_name(random_state *random, char *name)
{
  static const char letters[] = {'a', 'b', '\x80', '\xff', 1};
  const int length = random_below(random, LENGTH + 1);
  memset(name, 0, LENGTH);
  for (int i = 0; i < length; i++) {
    name[i] = letters[random_below(random, 5)];
  }
}

static int32_t first_of(const item *items, int32_t count, const char *name)
{
  for (int32_t i = 0; i < count; i++) {
    if (!memcmp(items[i].name, name, LENGTH)) {
      return i;
    }
  }
  return -1;
}

/* What a look at all of them finds. */
START_TEST(found_as_by_looking_at_all)
{
  const int cases = random_cases(50);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    item items[MOST];
    const nsd_name_array of = {items[0].name, sizeof items[0], LENGTH};
    nsd_names names;
    char name[LENGTH];
    nsd_names_begin(&names);
    make_name(&random, name);
    REQUIRE(nsd_names_find(&names, of, name) == -1);
    for (int32_t i = 0; i < MOST; i++) {
      make_name(&random, items[i].name);
      REQUIRE(nsd_names_room(NULL, &names) == NSDYN_OK);
      REQUIRE(nsd_names_add(&names, of, i) == first_of(items, i + 1, items[i].name), "case %d, %d", k,
              (int)i);
      make_name(&random, name);
      REQUIRE(nsd_names_find(&names, of, name) == first_of(items, i + 1, name), "case %d, %d", k, (int)i);
    }
    nsd_names_drop(NULL, &names);
  }
}
END_TEST

SUITE("base/builder/names", TEST(found_as_by_looking_at_all))
