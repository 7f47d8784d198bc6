/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/moves.h"

#include "contact_cells.h"

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

/* A cell is either empty and proves it, or shows a point that obeys all that was asked. */
START_TEST(cells_show_a_point_or_are_empty)
{
  cell_bench *t = cell_bench_new();
  int open = 0, empty = 0;
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(300); seed++) {
      double Lambda[CASE_ROWS];
      if (!random_cell(t, kind, seed, (int)(seed % 2))) {
        empty++;
        continue;
      }
      open++;
      cell_bench_point(&t->cell, Lambda);
      REQUIRE(cell_bench_obeys(&t->cell, &t->signs, Lambda), "%s %llu", case_names[kind],
              (unsigned long long)seed);
      for (int s = 0; s < t->cell.columns; s++) {
        for (int i = 0; i < t->cell.rows; i++) { /* what is zero stays zero along live columns */
          ck_assert(!nsd_cell_is_live(&t->cell, s) || t->cell.ask[t->cell.row[i]] != NSD_ASK_ZERO ||
                    nsd_cell_column(&t->cell, s)[i] == 0.0);
        }
      }
    }
  }
  ck_assert_int_gt(open, random_cases(300));
  ck_assert_int_gt(empty, random_cases(300));
  cell_bench_free(t);
}
END_TEST

/* An empty cell stays empty however it was come to: all asks at once or one by one. */
START_TEST(the_order_of_asks_does_not_matter)
{
  cell_bench *t = cell_bench_new();
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(200); seed++) {
      int choice[2 * CASE_CONTACTS];
      const int at_once = random_cell(t, kind, seed, 1);
      random_state r = random_seed(seed + 1000);
      if (nsd_cell_start(&t->cell, &t->cells)) {
        ck_assert_int_eq(at_once, 0);
        continue;
      }
      nsd_cell_copy(&t->other, &t->cell);
      cell_bench_ask(t, &r, 1, choice);
      nsd_cell_copy(&t->cell, &t->other);
      int open = 1;
      for (int u = t->signs.units - 1; u >= 0 && open; u--) {
        const nsd_unit *unit = &t->signs.unit[u];
        const nsd_alternative *a = &unit->alternative[choice[u]];
        for (int k = 0; k < a->asks && open; k++) {
          nsd_cell_ask(&t->cell, unit->part[a->part[k]], a->ask[k]);
          open = !nsd_cell_narrow(&t->cell, &t->cells);
        }
      }
      REQUIRE(open == at_once, "%s %llu: %d at once, %d one by one", case_names[kind],
              (unsigned long long)seed, at_once, open);
    }
  }
  cell_bench_free(t);
}
END_TEST

/* After closing every unknown that is >= 0 is zero on the whole cell, or positive somewhere. */
START_TEST(closing_finds_what_is_zero)
{
  cell_bench *t = cell_bench_new();
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(200); seed++) {
      if (!random_cell(t, kind, seed, 1) || nsd_cell_renew(&t->cell, &t->cells)) {
        continue;
      }
      nsd_cell_copy(&t->other, &t->cell);
      ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
      const int dimension = nsd_cell_dimension(&t->cell);
      ck_assert_int_le(dimension, nsd_cell_dimension(&t->other));
      for (int k = 0; k < t->cell.rows; k++) {
        if (t->cell.ask[k] == NSD_ASK_POSITIVE) {
          ck_assert_int_eq(nsd_cell_raise(&t->cell, &t->cells, k), 1);
        } else if (t->cell.ask[k] == NSD_ASK_ZERO && t->other.ask[k] == NSD_ASK_POSITIVE) {
          t->other.mark[k] = 0;
          REQUIRE(!nsd_cell_raise(&t->other, &t->cells, k), "%s %llu: %d is positive somewhere",
                  case_names[kind], (unsigned long long)seed, k);
        }
      }
      ck_assert_int_eq(nsd_cell_dimension(&t->cell), dimension);
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
      nsd_cell_ask(&t->cell, 0, NSD_ASK_ZERO);
      ck_assert_int_eq(nsd_cell_narrow(&t->cell, &t->cells), NSD_CELL_OPEN);
      ck_assert_int_eq(nsd_cell_is_unbounded(&t->cell, &t->cells, t->signs.contact[0].load), 1);
    }
    ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
    ck_assert_int_eq(nsd_cell_dimension(&t->cell), 1);
    int lines = 0;
    for (int s = 0; s < t->cell.columns; s++) {
      lines += nsd_cell_is_free(&t->cell, s);
    }
    ck_assert_int_eq(lines, slot);
  }
  cell_bench_free(t);
}
END_TEST

SUITE("moves", TEST(cells_show_a_point_or_are_empty), TEST(the_order_of_asks_does_not_matter),
      TEST(closing_finds_what_is_zero), TEST(lines_and_half_lines))
