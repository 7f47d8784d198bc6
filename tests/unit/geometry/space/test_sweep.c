/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Pairs of near boxes, against all pairs. */
#include "geometry/space/sweep.h"

#include <math.h>
#include <string.h>

#include "suite.h"

enum { MOST = 40 };

typedef struct seen {
  int pair[MOST][MOST], count;
} seen;

static int mark(void *user, int32_t first, int32_t second)
{
  seen *s = user;
  REQUIRE(first < second && !s->pair[first][second]);
  s->pair[first][second] = 1;
  s->count++;
  return 0;
}

static int stop(void *user, int32_t first, int32_t second)
{
  int *calls = user;
  ++*calls;
  return first + second + 7;
}

START_TEST(pairs_are_those_of_all)
{
  const int cases = random_cases(1000);
  int met = 0;
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number);
    static nsd_sweep_entry order[MOST];
    static seen s;
    double box[MOST][6];
    const int count = random_below(&random, MOST + 1), is_flat = random_below(&random, 3);
    const double margin = random_below(&random, 5) ? random_between(&random, 0.0, 0.5) : INFINITY;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < count; i++) {
      const int is_plane = random_below(&random, 12) == 0;
      for (int a = 0; a < 3; a++) {
        const double x = a == is_flat ? random_below(&random, 2) : random_between(&random, 0.0, 5.0);
        box[i][a] = is_plane ? -INFINITY : x;
        box[i][3 + a] = is_plane ? INFINITY : x + random_between(&random, 0.0, 1.0);
      }
    }
    REQUIRE(nsd_sweep(count, (const double(*)[6])box, margin, order, mark, &s) == 0);
    int expected = 0;
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        int is_near = 1;
        for (int a = 0; a < 3; a++) {
          is_near &= box[i][a] <= box[j][3 + a] + margin && box[j][a] <= box[i][3 + a] + margin;
        }
        REQUIRE(s.pair[i][j] == is_near, "case %d: %d and %d", number, i, j);
        expected += is_near;
      }
    }
    REQUIRE(s.count == expected, "case %d", number);
    met += expected > 0;
  }
  ck_assert(is_common(met, cases, 2));
}
END_TEST

START_TEST(visits_end_the_sweep)
{
  const double box[3][6] = {
      {0.0, 0.0, 0.0, 1.0, 1.0, 1.0}, {0.5, 0.0, 0.0, 1.0, 1.0, 1.0}, {0.7, 0.0, 0.0, 1.0, 1.0, 1.0}};
  nsd_sweep_entry order[3];
  int calls = 0;
  ck_assert_int_eq(nsd_sweep(3, box, 0.0, order, stop, &calls), 8);
  ck_assert_int_eq(calls, 1);
}
END_TEST

SUITE("geometry/space/sweep", TEST(pairs_are_those_of_all), TEST(visits_end_the_sweep))
