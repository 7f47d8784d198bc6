/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/decide.h"

#include "contact_cells.h"

static void be_exact(cell_bench *t)
{
  cell_bench_load(t);
  t->cells.exact = &t->exact;
  t->cells.sure = &t->sure;
  t->cells.exact_is_loaded = 0;
  t->cells.exact_work = 100000000;
  t->cells.status = NSDYN_OK;
}

/* What numbers say for sure about a cell is what exact arithmetic says. */
START_TEST(sure_is_exact)
{
  cell_bench *t = cell_bench_new();
  int points = 0, empty = 0, choice[2 * CASE_CONTACTS];
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(60); seed++) {
      contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 3), seed);
      be_exact(t);
      random_state r = random_seed(seed + 5);
      if (nsd_cell_start(&t->cell, &t->cells)) {
        continue;
      }
      cell_bench_ask(t, &r, 1, choice);
      nsd_cell_copy(&t->other, &t->cell);
      nsd_cell_end own = nsd_cell_narrow(&t->cell, &t->cells), judged = NSD_CELL_EMPTY;
      ck_assert_int_eq(nsd_decide_close(&t->other, &t->cells, &judged), 1);
      ck_assert_int_eq(own == NSD_CELL_EMPTY && judged == NSD_CELL_OPEN, 0);
      empty += own == NSD_CELL_EMPTY;
      if (own == NSD_CELL_OPEN && nsd_decide_point(&t->cell, &t->cells)) {
        points++;
        ck_assert_int_eq(judged, NSD_CELL_OPEN);
        ck_assert_int_eq(nsd_cell_dimension(&t->other), 0);
        for (int k = 0; k < t->cell.rows; k++) {
          ck_assert(t->cell.ask[k] != NSD_ASK_POSITIVE || t->other.ask[k] == NSD_ASK_POSITIVE);
        }
      }
    }
  }
  ck_assert_int_gt(points, 20);
  ck_assert_int_gt(empty, 20);
  cell_bench_free(t);
}
END_TEST

SUITE("decide", TEST(sure_is_exact))
