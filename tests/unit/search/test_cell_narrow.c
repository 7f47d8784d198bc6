/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/cell_narrow.h"

#include <string.h>

#include "branching.h"
#include "contact_cells.h"
#include "lcp/solve/scale.h"
#include "support/problems.h"

/* Feasible by construction: found, every time; infeasible by construction: proved, every time. */
START_TEST(feasibility_is_decided)
{
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    for (int i = 0; i < 2 * t->n; i++) {
      ck_assert(nsd_cell_value(&t->cell, i) >= 0.0);
    }
    ck_assert(vertex_defect(t, &t->cell) < 1e-9);
    branching_free(t);
  }
}
END_TEST

START_TEST(infeasibility_is_proved)
{
  static const char *const names[] = {"infeasible", "infeasible_scaled", "infeasible_psd"};
  problem *q = problem_new(MOST);
  ck_assert_ptr_nonnull(q);
  nsd_scale scale = {0};
  nsd_arena measure = nsd_arena_measure(), arena = nsd_arena_empty(NULL);
  nsd_scale_lay_out(&measure, &scale, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_scale_lay_out(&arena, &scale, MOST);
  const int cases = random_cases(1000);
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(q, problem_class_find(names[c]), 1 + k % MOST, (uint64_t)k);
      branching *t = branching_new(q->n);
      const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b};
      const nsd_lcp_problem even = nsd_scale_make(&scale, &p);
      memcpy(t->A, even.A, (size_t)(q->n * q->n) * sizeof *t->A);
      memcpy(t->b, even.b, (size_t)q->n * sizeof *t->b);
      branching_load(t);
      ck_assert_msg(nsd_cell_start(&t->cell, &t->cells) == NSD_CELL_EMPTY, "%s seed %d", names[c], k);
      ck_assert_msg(t->cells.doubtful == 0, "%s seed %d", names[c], k);
      branching_free(t);
    }
  }
  nsd_arena_release(&arena);
  problem_free(q);
}
END_TEST

/* Holding one unknown after the other narrows the cell: its point stays feasible, what is held stays zero,
 * and where all x are held only y = b is left. */
START_TEST(fixed_unknowns_are_zero)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    const int n = t->n;
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    nsd_cell_end end = NSD_CELL_OPEN;
    int positive = 1;
    for (int i = 0; i < n; i++) {
      positive = positive && t->b[i] >= 0.0;
    }
    for (int i = 0; i < n && end == NSD_CELL_OPEN; i++) {
      nsd_cell_ask(&t->cell, i, NSD_ASK_ZERO);
      end = nsd_cell_narrow(&t->cell, &t->cells);
      for (int j = 0; j <= i && end == NSD_CELL_OPEN; j++) {
        ck_assert(nsd_cell_value(&t->cell, j) == 0.0);
      }
      ck_assert(end || vertex_defect(t, &t->cell) < 1e-9);
    }
    ck_assert_int_eq(end, positive ? NSD_CELL_OPEN : NSD_CELL_EMPTY);
    ck_assert_int_eq((int)t->cells.doubtful, 0);
    branching_free(t);
  }
}
END_TEST

START_TEST(renewing_changes_nothing)
{
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    nsd_cell_ask(&t->cell, random_below(&r, 2 * t->n), NSD_ASK_ZERO);
    if (nsd_cell_narrow(&t->cell, &t->cells) == NSD_CELL_OPEN) {
      nsd_cell_copy(&t->other, &t->cell, NULL);
      ck_assert_int_eq(nsd_cell_renew(&t->cell, &t->cells), NSD_CELL_OPEN);
      ck_assert_int_eq(t->cell.live_count, t->other.live_count);
      ck_assert(vertex_defect(t, &t->cell) < 1e-12);
    }
    branching_free(t);
  }
}
END_TEST

/* By how much a step along all live columns at once may move a row; what is free goes either way. */
START_TEST(ranges_of_rows)
{
  branching *t = branching_new(2);
  const double A[] = {1.0, -2.0, -3.0, 0.5};
  memcpy(t->A, A, sizeof A);
  branching_load(t);
  nsd_cell_scan(&t->cell, &t->cells);
  ck_assert(t->cells.row_rise[0] == 1.0 && t->cells.row_fall[0] == 2.0);
  t->base[1] = NSD_ASK_NOTHING;
  branching_load(t);
  nsd_cell_scan(&t->cell, &t->cells);
  ck_assert(t->cells.row_rise[0] == 3.0 && t->cells.row_fall[0] == 2.0);
  ck_assert(t->cells.row_rise[1] == 0.5 && t->cells.row_fall[1] == 3.5);
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
          ck_assert(!!nsd_cell_is_held(&t->cell, t->cell.slot[s]) ||
                    t->cell.ask[t->cell.row[i]] != NSD_ASK_ZERO || nsd_cell_column(&t->cell, s)[i] == 0.0);
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
      nsd_cell_copy(&t->other, &t->cell, NULL);
      cell_bench_ask(t, &r, 1, choice);
      nsd_cell_copy(&t->cell, &t->other, NULL);
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

SUITE("search/cell_narrow", TEST(feasibility_is_decided), TEST(infeasibility_is_proved),
      TEST(fixed_unknowns_are_zero), TEST(renewing_changes_nothing), TEST(ranges_of_rows),
      TEST(cells_show_a_point_or_are_empty), TEST(the_order_of_asks_does_not_matter))
