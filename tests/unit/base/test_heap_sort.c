/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/heap_sort.h"

#include <stdlib.h>

#include "suite.h"

typedef struct item {
  int32_t first, second;
  double load;
} item;

static int comes_before(const void *a, const void *b)
{
  const item *x = a, *y = b;
  return x->first != y->first ? x->first < y->first : x->second < y->second;
}

static int compare(const void *a, const void *b)
{
  return comes_before(b, a) - comes_before(a, b);
}

/* As qsort has them, ties in the first number and all. */
START_TEST(items_stand_in_order)
{
  enum { MOST = 300 };
  for (int k = 0; k < random_cases(1000); k++) {
    random_state random = random_seed((uint64_t)k);
    const int count = k < 5 ? k : random_below(&random, MOST);
    item x[MOST], expected[MOST], spare;
    for (int i = 0; i < count; i++) {
      x[i].first = random_below(&random, 1 + count / 3);
      x[i].second = i;
      x[i].load = random_normal(&random);
      expected[i] = x[i];
    }
    qsort(expected, (size_t)count, sizeof *expected, compare);
    nsd_heap_sort(x, count, sizeof *x, comes_before, &spare);
    for (int i = 0; i < count; i++) {
      REQUIRE(x[i].first == expected[i].first && x[i].second == expected[i].second &&
                  x[i].load == expected[i].load,
              "case %d: item %d of %d", k, i, count);
    }
  }
}
END_TEST

SUITE("base/heap_sort", TEST(items_stand_in_order))
