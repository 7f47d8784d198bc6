/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sparse/gram.h"

#include <math.h>

#include "base/dense.h"
#include "matrices.h"

enum { most_rows = 40, most_n = 150 };

static nsd_gram make(nsd_arena *arena, int rows, int n)
{
  nsd_gram gram;
  nsd_arena measure = nsd_arena_measure();
  *arena = nsd_arena_empty(NULL);
  nsd_gram_lay_out(&measure, &gram, (size_t)rows, (size_t)n);
  ck_assert_int_eq(nsd_arena_reserve(arena, &measure), NSDYN_OK);
  nsd_gram_lay_out(arena, &gram, (size_t)rows, (size_t)n);
  return gram;
}

/* Rows as of contacts between two bodies of three velocities each. */
static void fill_pairs(random_state *random, int rows, int n, double *X)
{
  for (int i = 0; i < rows * n; i++) {
    X[i] = 0.0;
  }
  for (int r = 0; r < rows; r++) {
    for (int body = 0; body < 2; body++) {
      const int at = random_below(random, n - 2);
      for (int j = 0; j < 3; j++) {
        X[r * n + at + j] = random_normal(random);
      }
    }
  }
}

/* The same bits as the product that knows of no zeros; what is before `from` stays. */
START_TEST(is_the_product)
{
  static double X[most_rows * most_n], G[most_rows * most_rows], dense[most_rows * most_rows];
  const int cases = random_cases(1000);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int rows = random_below(&random, most_rows + 1), n = most_n - random_below(&random, 8);
    const int from = random_below(&random, 3) ? 0 : random_below(&random, rows + 1);
    nsd_arena arena;
    nsd_gram gram = make(&arena, most_rows, n);
    fill_pairs(&random, rows, n, X);
    for (int i = 0; i < rows * rows; i++) {
      G[i] = MATRIX_PADDING;
    }
    nsd_product_nt(rows, rows, n, X, n, X, n, dense, rows);
    REQUIRE(nsd_gram_product(&gram, from, rows, n, X, G), "seed %d", seed);
    for (int i = 0; i < rows * rows; i++) {
      const int is_asked = i / rows >= from || i % rows >= from;
      REQUIRE(G[i] == (is_asked ? dense[i] : MATRIX_PADDING), "seed %d: row %d, column %d", seed, i / rows,
              i % rows);
    }
    nsd_arena_release(&arena);
  }
}
END_TEST

/* Who looks at the diagonal sees that a number is none. */
START_TEST(nan_stays_on_the_diagonal)
{
  static double X[most_rows * most_n], G[most_rows * most_rows];
  nsd_arena arena;
  nsd_gram gram = make(&arena, most_rows, most_n);
  for (int place = 0; place < most_n; place++) {
    random_state random = random_seed((uint64_t)place);
    fill_pairs(&random, most_rows, most_n, X);
    X[7 * most_n + place] = place % 2 ? (double)NAN : (double)INFINITY;
    REQUIRE(nsd_gram_product(&gram, 0, most_rows, most_n, X, G));
    REQUIRE(!isfinite(G[7 * (most_rows + 1)]));
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(rows_that_are_full_are_left_to_others)
{
  static double X[most_rows * most_n], G[most_rows * most_rows];
  nsd_arena arena;
  nsd_gram gram = make(&arena, most_rows, most_n);
  for (int i = 0; i < most_rows * most_n; i++) {
    X[i] = 1.0;
  }
  for (int i = 0; i < most_rows * most_rows; i++) {
    G[i] = MATRIX_PADDING;
  }
  REQUIRE(!nsd_gram_product(&gram, 0, most_rows, most_n, X, G));
  for (int i = 0; i < most_rows * most_rows; i++) {
    REQUIRE(G[i] == MATRIX_PADDING);
  }
  nsd_arena_release(&arena);
}
END_TEST

SUITE("base/sparse/gram", TEST(is_the_product), TEST(nan_stays_on_the_diagonal),
      TEST(rows_that_are_full_are_left_to_others))
