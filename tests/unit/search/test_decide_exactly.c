/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/decide_exactly.h"

#include <string.h>

#include "branching.h"
#include "contact_cells.h"
#include "search/cell_narrow.h"

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
      nsd_cell_copy(&t->other, &t->cell, NULL);
      nsd_cell_end own = nsd_cell_narrow(&t->cell, &t->cells), judged = NSD_CELL_EMPTY;
      ck_assert_int_eq(nsd_decide_close(&t->other, &t->cells, &judged), 1);
      ck_assert_int_eq(own == NSD_CELL_EMPTY && judged == NSD_CELL_OPEN, 0);
      empty += own == NSD_CELL_EMPTY;
      if (own == NSD_CELL_OPEN && nsd_decide_point(&t->cell, &t->cells)) {
        points++;
        ck_assert_int_eq(judged, NSD_CELL_OPEN);
        ck_assert_int_eq(t->other.live_count, 0);
        for (int k = 0; k < t->cell.columns + t->cell.rows; k++) {
          ck_assert(t->cell.ask[k] != NSD_ASK_POSITIVE || t->other.ask[k] == NSD_ASK_POSITIVE);
        }
      }
    }
  }
  ck_assert(is_common(points, CASE_KINDS * random_cases(60), 30));
  ck_assert(is_common(empty, CASE_KINDS * random_cases(60), 30));
  cell_bench_free(t);
}
END_TEST

/* Two unknowns whose y are the same but for δ: y_0 = x_0 + x_1 − 1 and y_1 = y_0 − δ. */
static branching *same_rows(double delta)
{
  static const double A[] = {1.0, 1.0, 1.0, 1.0};
  branching *t = branching_new(2);
  memcpy(t->A, A, sizeof A);
  t->b[0] = -1.0;
  t->b[1] = -1.0 - delta;
  branching_load(t);
  branching_be_exact(t);
  return t;
}

/* Both zero is empty for any δ but 0. */
START_TEST(a_bit_makes_it_empty)
{
  for (int k = 0; k < 2; k++) {
    branching *t = same_rows(k ? 0x1p-52 : 0.0);
    nsd_cell_end end = k ? NSD_CELL_OPEN : NSD_CELL_EMPTY;
    nsd_cell_hold(&t->cell, 2);
    nsd_cell_hold(&t->cell, 3);
    ck_assert_int_eq(nsd_decide_start(&t->cell, &t->cells, &end), 1);
    ck_assert_int_eq(end, k ? NSD_CELL_EMPTY : NSD_CELL_OPEN);
    branching_free(t);
  }
}
END_TEST

/* With both y zero there is a segment from x = (1, 0) to (0, 1). */
START_TEST(closing_tells_all)
{
  branching *t = same_rows(0.0);
  nsd_cell_end end = NSD_CELL_EMPTY;
  int vanishes = 0;
  nsd_cell_hold(&t->cell, 2);
  ck_assert_int_eq(nsd_decide_vanishes(&t->cell, &t->cells, 3, &vanishes), 1);
  ck_assert_int_eq(vanishes, 1);
  ck_assert_int_eq(nsd_decide_vanishes(&t->cell, &t->cells, 0, &vanishes), 1);
  ck_assert_int_eq(vanishes, 0);
  ck_assert_int_eq(nsd_decide_close(&t->cell, &t->cells, &end), 1);
  ck_assert_int_eq(end, NSD_CELL_OPEN);
  ck_assert(nsd_cell_is_held(&t->cell, 3) && t->cell.live_count == 1 && t->cell.is_exact);
  branching_free(t);
}
END_TEST

/* Without work it is doubtful, and the search goes on alone. */
START_TEST(work_may_run_out)
{
  branching *t = same_rows(0.0);
  nsd_cell_end end = NSD_CELL_EMPTY;
  t->cells.exact_work = -1;
  ck_assert_int_eq(nsd_decide_close(&t->cell, &t->cells, &end), 0);
  ck_assert(t->cells.exact == NULL && t->cells.doubtful == 1);
  branching_free(t);
}
END_TEST

SUITE("search/decide_exactly", TEST(sure_is_exact), TEST(a_bit_makes_it_empty), TEST(closing_tells_all),
      TEST(work_may_run_out))
