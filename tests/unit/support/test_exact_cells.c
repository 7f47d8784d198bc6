/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "support/exact_cells.h"

#include "suite.h"

/* x, y >= 0 and x + y <= 1: a triangle; without the last, a quadrant; with x + y <= 0, its corner; with
 * x + y <= −1, nothing. */
START_TEST(a_triangle)
{
  static const double x[2] = {1.0, 0.0}, y[2] = {0.0, 1.0}, sum[2] = {-1.0, -1.0};
  static const int8_t all[3] = {CELLS_MORE, CELLS_MORE, CELLS_MORE},
                      two[3] = {CELLS_MORE, CELLS_MORE, CELLS_ANY};
  cells_piece piece;
  cells *c = cells_new(3, 2);
  cells_set(c, 0, x, 0.0);
  cells_set(c, 1, y, 0.0);
  cells_set(c, 2, sum, 1.0);
  ck_assert_int_eq(cells_look(c, all, &piece), 1);
  ck_assert(piece.dimension == 2 && !piece.unbounded && piece.more == 7 && piece.less == 0);
  ck_assert_int_eq(cells_look(c, two, &piece), 1);
  ck_assert(piece.dimension == 2 && piece.unbounded && piece.less == 4);
  cells_set(c, 2, sum, 0.0);
  ck_assert_int_eq(cells_look(c, all, &piece), 1);
  ck_assert(piece.dimension == 0 && piece.more == 0);
  cells_set(c, 2, sum, -0x1p-1000);
  ck_assert_int_eq(cells_look(c, all, &piece), 0);
  cells_free(c);
}
END_TEST

/* A line: y is free along x = 0, and takes both signs. */
START_TEST(a_line)
{
  static const double x[2] = {1.0, 0.0}, y[2] = {0.0, 1.0};
  static const int8_t ask[2] = {CELLS_ZERO, CELLS_ANY};
  cells_piece piece;
  cells *c = cells_new(2, 2);
  cells_set(c, 0, x, 0.0);
  cells_set(c, 1, y, 3.0);
  ck_assert_int_eq(cells_look(c, ask, &piece), 1);
  ck_assert(piece.dimension == 1 && piece.unbounded && piece.more == 2 && piece.less == 2);
  cells_add(c, ask);
  cells_add(c, ask);
  ck_assert_int_eq(cells_count(c), 1);
  ck_assert_int_eq(cells_get(c, 0)->dimension, 1);
  cells_free(c);
}
END_TEST

SUITE("support/exact_cells", TEST(a_triangle), TEST(a_line))
