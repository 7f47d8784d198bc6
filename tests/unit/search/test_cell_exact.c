/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/cell_exact.h"

#include "suite.h"
#include "support/exact_cells.h"
#include "support/random.h"

enum { ROWS = 7, COLUMNS = 3, ALL = ROWS + COLUMNS };

/* Small integers, and rows that differ by next to nothing. */
static void make(random_state *r, double A[ROWS][COLUMNS], double d[ROWS])
{
  for (int i = 0; i < ROWS; i++) {
    const int near = i > 0 && random_below(r, 3) == 0;
    for (int j = 0; j < COLUMNS; j++) {
      A[i][j] = near ? A[i - 1][j] * (random_below(r, 2) ? 1.0 : 1.0 + 1e-15) : random_below(r, 7) - 3;
    }
    d[i] = near ? d[i - 1] : random_below(r, 7) - 3;
  }
}

/* Emptiness, signs, dimension and rays are the judge's, whatever is asked. */
START_TEST(agrees_with_the_judge)
{
  nsd_exact w;
  nsd_exact_init(&w, NULL);
  int open = 0;
  for (int k = 0; k < random_cases(1500); k++) {
    random_state r = random_seed((uint64_t)k);
    double A[ROWS][COLUMNS], d[ROWS];
    int8_t ask[ALL];
    make(&r, A, d);
    cells *c = cells_new(ALL, COLUMNS);
    for (int i = 0; i < ALL; i++) {
      double unit[COLUMNS] = {0.0};
      ask[i] = (int8_t)(random_below(&r, 4) - 1);
      unit[i < COLUMNS ? i : 0] = 1.0;
      cells_set(c, i, i < COLUMNS ? unit : A[i - COLUMNS], i < COLUMNS ? 0.0 : d[i - COLUMNS]);
    }
    cells_piece piece;
    const int judged = cells_look(c, ask, &piece);
    ck_assert_int_eq(nsd_exact_load(&w, ROWS, COLUMNS, A[0], COLUMNS, d, 1000000000), NSDYN_OK);
    const nsd_exact_end end = nsd_exact_open(&w, ask, NULL);
    REQUIRE(end == (judged ? NSD_EXACT_OPEN : NSD_EXACT_EMPTY), "seed %d: %d, judged %d", k, (int)end,
            judged);
    cells_free(c);
    if (!judged) {
      continue;
    }
    open++;
    ck_assert_int_eq(nsd_exact_close(&w), NSD_EXACT_OPEN);
    REQUIRE(nsd_exact_dimension(&w) == piece.dimension, "seed %d: dimension %d, judged %d", k,
            nsd_exact_dimension(&w), piece.dimension);
    for (int i = 0; i < ALL; i++) {
      REQUIRE(nsd_exact_reaches(&w, i, 1) == (int)(piece.more >> i & 1u), "seed %d: + of %d", k, i);
      REQUIRE(nsd_exact_reaches(&w, i, -1) == (int)(piece.less >> i & 1u), "seed %d: - of %d", k, i);
    }
    REQUIRE(nsd_exact_is_unbounded(&w) == piece.unbounded, "seed %d: rays", k);
  }
  ck_assert_int_gt(open, random_cases(1500) / 20);
  nsd_exact_release(&w);
}
END_TEST

/* What is too much work stays unknown, and says so. */
START_TEST(work_is_limited)
{
  nsd_exact w;
  nsd_exact_init(&w, NULL);
  random_state r = random_seed(3);
  double A[ROWS][COLUMNS], d[ROWS];
  int8_t ask[ALL] = {2, 2, 2, 1, 1, 1, 1, 1, 1, 1};
  make(&r, A, d);
  ck_assert_int_eq(nsd_exact_load(&w, ROWS, COLUMNS, A[0], COLUMNS, d, 10), NSDYN_OK);
  ck_assert_int_eq(nsd_exact_open(&w, ask, NULL), NSD_EXACT_UNKNOWN);
  nsd_exact_release(&w);
}
END_TEST

SUITE("search/cell_exact", TEST(agrees_with_the_judge), TEST(work_is_limited))
