/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/row.h"

#include <math.h>
#include <string.h>

#include "suite.h"

enum { MOST = 40, ROWS = 3 };

/* Three rows that stand together, as parts and dense. */
typedef struct rows {
  int n, parts;
  nsd_part part[MOST];
  double value[ROWS * MOST], dense[ROWS][MOST];
} rows;

static rows make(random_state *random)
{
  rows a = {.n = 1 + random_below(random, MOST)};
  double *value = a.value;
  for (int j = random_below(random, 4); j < a.n;) {
    const int most = a.n - j < 7 ? a.n - j : 7, n = 1 + random_below(random, most);
    a.part[a.parts++] = (nsd_part){.first = j, .n = n};
    for (int r = 0; r < ROWS; r++) {
      for (int k = 0; k < n; k++) {
        *value++ = a.dense[r][j + k] = random_below(random, 5) ? random_normal(random) : 0.0;
      }
    }
    j += n + random_below(random, 9);
  }
  return a;
}

static nsd_row row_of(const rows *a, int r)
{
  return (nsd_row){.w = a->value, .part = a->part, .parts = a->parts, .rows = ROWS, .r = r, .n = a->n};
}

/* What is asked of a row by its parts has the bits of the dense row's: sums in lanes, sizes from the left. */
START_TEST(parts_have_the_bits_of_the_dense_row)
{
  const int cases = random_cases(5000);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const rows a = make(&random);
    double x[MOST], w[MOST];
    for (int j = 0; j < a.n; j++) {
      x[j] = random_normal(&random);
    }
    for (int r = 0; r < ROWS; r++) {
      const nsd_row row = row_of(&a, r), dense = nsd_row_dense(a.n, a.dense[r]);
      double size = 0.5, sum = 0.0, most = 0.0;
      int is_written = 0;
      for (int j = 0; j < a.n; j++) {
        size += fabs(a.dense[r][j] * x[j]);
        sum += fabs(a.dense[r][j]);
        most = fmax(most, fabs(a.dense[r][j]));
        is_written |= a.dense[r][j] != 0.0;
      }
      const double dot = nsd_small_dot(a.n, a.dense[r], x);
      REQUIRE(nsd_row_dot(row, x) == dot && nsd_row_dot(dense, x) == dot, "seed %d: %g, not %g", seed,
              nsd_row_dot(row, x), dot);
      REQUIRE(nsd_row_size(0.5, row, x) == size && nsd_row_size(0.5, dense, x) == size, "seed %d", seed);
      REQUIRE(nsd_row_size(0.0, row, NULL) == sum && nsd_row_size(0.0, dense, NULL) == sum, "seed %d", seed);
      REQUIRE(nsd_row_largest(row) == most && nsd_row_largest(dense) == most, "seed %d", seed);
      REQUIRE(nsd_row_is_written(row) == is_written && nsd_row_is_written(dense) == is_written, "seed %d",
              seed);
      nsd_row_expand(row, w);
      REQUIRE(memcmp(w, a.dense[r], (size_t)a.n * sizeof *w) == 0, "seed %d", seed);
    }
  }
}
END_TEST

/* Rows without a part, or without a column. */
START_TEST(rows_of_nothing_are_zero)
{
  const double x[9] = {1.0};
  double w[9];
  const nsd_row row = {.rows = 1, .n = 9}, none = nsd_row_dense(0, NULL);
  nsd_row_expand(row, w);
  ck_assert(nsd_row_dot(row, x) == 0.0 && nsd_row_size(2.0, row, x) == 2.0 && nsd_row_largest(row) == 0.0 &&
            !nsd_row_is_written(row) && w[0] == 0.0 && w[8] == 0.0);
  ck_assert(nsd_row_dot(none, x) == 0.0 && nsd_row_size(2.0, none, NULL) == 2.0 && !nsd_row_is_written(none));
}
END_TEST

SUITE("base/row", TEST(parts_have_the_bits_of_the_dense_row), TEST(rows_of_nothing_are_zero))
