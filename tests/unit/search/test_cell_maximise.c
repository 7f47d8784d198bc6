/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/cell_maximise.h"

#include "branching.h"
#include "contact_cells.h"
#include "search/cell_narrow.h"

/* x_0 + x_1 <= 1 by y_0, and y_1 = x_0 − x_1 + 2. */
static branching *triangle(void)
{
  branching *t = branching_new(2);
  const double A[] = {-1.0, -1.0, 1.0, -1.0}, b[] = {1.0, 2.0};
  for (int i = 0; i < 4; i++) {
    t->A[i] = A[i];
  }
  t->b[0] = b[0];
  t->b[1] = b[1];
  branching_load(t);
  ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
  return t;
}

START_TEST(raises_what_can_be_positive)
{
  branching *t = triangle();
  for (int k = 0; k < 4; k++) {
    nsd_cell_copy(&t->other, &t->cell, NULL);
    ck_assert_int_eq(nsd_cell_raise(&t->other, &t->cells, k), 1);
    ck_assert_int_ne(t->other.mark[k] & NSD_CELL_SEEN, 0);
    ck_assert(vertex_defect(t, &t->other) < 1e-15);
    ck_assert(!nsd_cell_is_unbounded(&t->other, &t->cells, k));
  }
  branching_free(t);
}
END_TEST

/* y_0 = −x_0 − x_1: nothing of these is ever positive; x_2 and y_2 = x_2 grow together. */
START_TEST(closing_finds_all_zeros)
{
  branching *t = branching_new(3);
  const double A[] = {-1.0, -1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 1.0};
  for (int i = 0; i < 9; i++) {
    t->A[i] = A[i];
  }
  branching_load(t);
  ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
  ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
  ck_assert_int_eq(t->cell.live_count, 1);
  for (int k = 0; k < 6; k++) {
    ck_assert_int_eq(nsd_cell_is_held(&t->cell, k), k != 2 && k != 5);
  }
  ck_assert(nsd_cell_is_unbounded(&t->cell, &t->cells, 2));
  ck_assert_int_eq((int)t->cells.doubtful, 0);
  branching_free(t);
}
END_TEST

/* Full dimension by construction: nothing is zero, whatever vertex one starts from. */
START_TEST(interior_points_leave_nothing_fixed)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
    ck_assert_int_eq(t->cell.live_count, t->n);
    branching_free(t);
  }
}
END_TEST

/* x_0 free: y_0 = x_0 + 1 and y_1 = 2 − x_0 leave it between −1 and 2. */
START_TEST(either_side_of_what_is_free)
{
  branching *t = branching_new(2);
  t->A[0] = 1.0;
  t->A[2] = -1.0;
  t->b[0] = 1.0;
  t->b[1] = 2.0;
  t->base[0] = NSD_ASK_NOTHING;
  for (int k = 0; k < 2; k++) {
    branching_load(t);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    ck_assert_int_eq(nsd_cell_reaches(&t->cell, &t->cells, 0, 1), 1);
    ck_assert_int_eq(nsd_cell_reaches(&t->cell, &t->cells, 0, -1), !k);
    ck_assert_int_eq(nsd_cell_reaches(&t->cell, &t->cells, 2, -1), 0);
    ck_assert_int_eq((int)t->cells.doubtful, 0);
    t->b[0] = 0.0; /* now from 0 on */
  }
  branching_free(t);
}
END_TEST

/* A random cell of a random problem: 1 where it is not empty. */
static int random_cell(cell_bench *t, int kind, uint64_t seed, int all)
{
  int choice[2 * CASE_CONTACTS];
  contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 3), seed);
  cell_bench_load(t);
  random_state r = random_seed(seed + 1000);
  if (nsd_cell_start(&t->cell, &t->cells)) {
    return 0;
  }
  cell_bench_ask(t, &r, all, choice);
  return !nsd_cell_narrow(&t->cell, &t->cells);
}

/* After closing every unknown that is >= 0 is zero on the whole cell, or positive somewhere. */
START_TEST(closing_finds_what_is_zero)
{
  cell_bench *t = cell_bench_new();
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(200); seed++) {
      if (!random_cell(t, kind, seed, 1) || nsd_cell_renew(&t->cell, &t->cells)) {
        continue;
      }
      nsd_cell_copy(&t->other, &t->cell, NULL);
      ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
      const int dimension = t->cell.live_count;
      ck_assert_int_le(dimension, t->other.live_count);
      for (int k = 0; k < t->cell.columns + t->cell.rows; k++) {
        if (t->cell.ask[k] == NSD_ASK_POSITIVE) {
          ck_assert_int_eq(nsd_cell_raise(&t->cell, &t->cells, k), 1);
        } else if (t->cell.ask[k] == NSD_ASK_ZERO && t->other.ask[k] == NSD_ASK_POSITIVE) {
          t->other.mark[k] = 0;
          REQUIRE(!nsd_cell_raise(&t->other, &t->cells, k), "%s %llu: %d is positive somewhere",
                  case_names[kind], (unsigned long long)seed, k);
        }
      }
      ck_assert_int_eq(t->cell.live_count, dimension);
    }
  }
  cell_bench_free(t);
}
END_TEST

/* A slot without friction and with G = 0: its impulse is a line; one that only pushes is a half line. */
START_TEST(lines_and_half_lines)
{
  cell_bench *t = cell_bench_new();
  for (int slot = 0; slot < 2; slot++) {
    t->made.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE, .kind = slot};
    case_number(&t->made, 1, 0);
    t->made.G[0] = t->made.c[0] = 0.0;
    cell_bench_load(t);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    if (!slot) {
      nsd_cell_ask(&t->cell, 1, NSD_ASK_ZERO);
      ck_assert_int_eq(nsd_cell_narrow(&t->cell, &t->cells), NSD_CELL_OPEN);
      ck_assert_int_eq(nsd_cell_is_unbounded(&t->cell, &t->cells, 1 + t->signs.contact[0].load), 1);
    }
    ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
    ck_assert_int_eq(t->cell.live_count, 1);
    int lines = 0;
    for (int s = 0; s < t->cell.columns; s++) {
      lines += nsd_cell_is_free(&t->cell, s);
    }
    ck_assert_int_eq(lines, slot);
  }
  cell_bench_free(t);
}
END_TEST

SUITE("search/cell_maximise", TEST(raises_what_can_be_positive), TEST(closing_finds_all_zeros),
      TEST(interior_points_leave_nothing_fixed), TEST(either_side_of_what_is_free),
      TEST(closing_finds_what_is_zero), TEST(lines_and_half_lines))
