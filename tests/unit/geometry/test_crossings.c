/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/crossings.h"

#include <stdlib.h>

#include "geometry/orientation.h"
#include "shapes.h"

/* All pairs: whether edges i and j have more in common than a shared end. */
static int meet(int n, int closed, const double *p, int i, int j)
{
  const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % n), *c = p + 2 * j, *d = p + 2 * ((j + 1) % n);
  if (j == i + 1) {
    return nsd_orientation(a, b, d) == 0 &&
           (a[0] - b[0]) * (d[0] - b[0]) + (a[1] - b[1]) * (d[1] - b[1]) > 0.0;
  }
  if (closed && i == 0 && j == n - 1) {
    return nsd_orientation(c, a, b) == 0 &&
           (c[0] - a[0]) * (b[0] - a[0]) + (c[1] - a[1]) * (b[1] - a[1]) > 0.0;
  }
  return nsd_segments_meet(a, b, c, d);
}

static int meets_somewhere(int n, int closed, const double *p)
{
  const int edges = closed ? n : n - 1;
  for (int i = 0; i < edges; i++) {
    for (int j = i + 1; j < edges; j++) {
      if (meet(n, closed, p, i, j)) {
        return 1;
      }
    }
  }
  return 0;
}

static void judge(int n, const double *p, int k, int *simple)
{
  for (int closed = 0; closed < 2; closed++) {
    int32_t edge[2];
    REQUIRE(nsd_find_crossing(NULL, n, p, closed, edge) == NSDYN_OK);
    const int expected = meets_somewhere(n, closed, p);
    REQUIRE((edge[0] >= 0) == expected, "case %d, closed %d: %d", k, closed, edge[0]);
    REQUIRE(edge[0] < 0 || (edge[0] < edge[1] && meet(n, closed, p, edge[0], edge[1])), "case %d", k);
    simple[closed] += !expected;
  }
}

/* Points on a coarse grid: many touch, follow each other on one line, turn back. */
START_TEST(grid)
{
  const int cases = random_cases(60000);
  int simple[2] = {0, 0};
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int n = 3 + random_below(&random, 6), wide = 2 + random_below(&random, 4);
    double p[2 * SHAPES_MOST];
    for (int i = 0; i < n; i++) {
      do {
        p[2 * i] = random_below(&random, wide);
        p[2 * i + 1] = random_below(&random, wide);
      } while ((i && p[2 * i] == p[2 * i - 2] && p[2 * i + 1] == p[2 * i - 1]) ||
               (i == n - 1 && p[2 * i] == p[0] && p[2 * i + 1] == p[1]));
    }
    judge(n, p, k, simple);
  }
  REQUIRE(is_common(simple[0], cases, 50) && is_common(simple[1], cases, 50), "%d, %d", simple[0], simple[1]);
}
END_TEST

/* Simple polygons through any points, as they are and with two points exchanged. */
START_TEST(polygons)
{
  const int cases = random_cases(3000);
  int simple[2] = {0, 0};
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int n = 4 + random_below(&random, 28);
    double p[2 * SHAPES_MOST];
    shapes_wild(&random, n, p);
    judge(n, p, k, simple);
    REQUIRE(simple[1] == k + 1, "case %d", k);
  }
}
END_TEST

/* A zigzag of long edges side by side, whose boxes all overlap: each edge is compared with its neighbours
 * only, else this took an hour. */
START_TEST(zigzag)
{
  const int n = is_brief() ? 2000 : 200000;
  double *p = malloc(2 * (size_t)n * sizeof *p);
  int32_t edge[2];
  ck_assert_ptr_nonnull(p);
  for (int i = 0; i < n; i++) {
    p[2 * i] = i % 2 + 1e-6 * i;
    p[2 * i + 1] = i % 2;
  }
  ck_assert_int_eq(nsd_find_crossing(NULL, n, p, 0, edge), NSDYN_OK);
  ck_assert_int_eq(edge[0], -1);
  p[2 * (n / 2)] += 1e-5; /* one point goes beyond its neighbours' edges */
  ck_assert_int_eq(nsd_find_crossing(NULL, n, p, 0, edge), NSDYN_OK);
  ck_assert_int_ge(edge[0], n / 2 - 12);
  ck_assert_int_le(edge[1], n / 2 + 12);
  free(p);
}
END_TEST

SUITE("geometry/crossings", TEST(grid), TEST(polygons), TEST(zigzag))
