/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/refute.h"

#include "contact_cells.h"

/* Closes a random cell exactly: 1 where it is proved empty, 0 where it is undecided, −1 where it is not
 * empty. */
static int close_random(cell_bench *t, int kind, uint64_t seed)
{
  int choice[2 * CASE_CONTACTS];
  contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 3), seed);
  cell_bench_load(t);
  t->cells.refute = &t->refute;
  random_state r = random_seed(seed + 7);
  if (!nsd_cell_start(&t->cell, &t->cells)) {
    cell_bench_ask(t, &r, (int)(seed % 2), choice);
    if (!nsd_cell_narrow(&t->cell, &t->cells)) {
      return -1;
    }
  }
  return t->cells.doubtful == 0;
}

/* Generic problems: what is empty can be proved to be. (Sums that are zero by a law's own numbers and were
 * rounded cannot be told from less: one in some thousand.) */
START_TEST(generic_cells_are_decided)
{
  cell_bench *t = cell_bench_new();
  static const case_kind kinds[] = {CASE_REGULAR, CASE_STEEP, CASE_MIXED, CASE_SLIDING, CASE_SLOTS};
  int empty = 0, undecided = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(300); seed++) {
      const int end = close_random(t, (int)kinds[k], seed);
      undecided += end == 0;
      empty += end == 1;
    }
  }
  ck_assert_int_gt(empty, random_cases(300));
  ck_assert_int_le(undecided, 1 + empty / 500);
  cell_bench_free(t);
}
END_TEST

/* No multipliers whatever refute a cell that has a point. */
START_TEST(nothing_refutes_what_is_not_empty)
{
  cell_bench *t = cell_bench_new();
  int tried = 0;
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(200); seed++) {
      if (close_random(t, kind, seed) >= 0) {
        continue;
      }
      random_state r = random_seed(seed);
      for (int trial = 0; trial < 10; trial++, tried++) {
        double v[CASE_ROWS];
        for (int k = 0; k < t->made.data.rows; k++) {
          v[k] = random_below(&r, 3) ? random_normal(&r) : 0.0;
        }
        REQUIRE(!nsd_refute_closes(&t->refute, &t->signs, &t->cell, v), "%s %llu", case_names[kind],
                (unsigned long long)seed);
      }
    }
  }
  ck_assert_int_gt(tried, random_cases(200) * 10);
  cell_bench_free(t);
}
END_TEST

/* p = G_NN − μ G_NT by a unit in the last place: v = 1 proves that there is no force for p <= 0, exactly. */
START_TEST(the_last_place_counts)
{
  cell_bench *t = cell_bench_new();
  for (int e = 30; e <= 52; e++) {
    for (int side = -1; side <= 1; side++) {
      t->made.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 1.0, .sliding = 1};
      case_number(&t->made, 1, 0);
      t->made.G[0] = 1.0;
      t->made.G[1] = t->made.G[2] = 1.0 + side * ldexp(1.0, -e);
      t->made.G[3] = 3.0;
      t->made.c[0] = -1.0;
      t->made.c[1] = 0.0;
      cell_bench_load(t);
      (void)nsd_cell_start(&t->cell, &t->cells);
      ck_assert_int_eq(nsd_refute_closes(&t->refute, &t->signs, &t->cell, (const double[]){1.0, 0.0}),
                       side >= 0);
    }
  }
  cell_bench_free(t);
}
END_TEST

SUITE("refute", TEST(generic_cells_are_decided), TEST(nothing_refutes_what_is_not_empty),
      TEST(the_last_place_counts))
