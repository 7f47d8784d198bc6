/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The parts of the mode enumerator, laid out for one contact problem after the other. */
#ifndef TESTS_UNIT_CONTACT_CELLS_H
#define TESTS_UNIT_CONTACT_CELLS_H

#include "contact/enumerate/vertices.h"
#include "contact_cases.h"
#include "search/cell_narrow.h"
#include "search/decide_exactly.h"

typedef struct cell_bench {
  nsd_arena arena;
  contact_case made;
  nsd_signs signs;
  nsd_cells cells;
  nsd_cell cell;
  nsd_cell other;
  nsd_extent extent;
  nsd_exact exact;
  nsd_error_bounds sure;
} cell_bench;

static inline cell_bench *cell_bench_new(void)
{
  cell_bench *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->arena = nsd_arena_empty(NULL);
  nsd_extent_init(&t->extent, NULL);
  nsd_exact_init(&t->exact, NULL);
  return t;
}

static inline void cell_bench_free(cell_bench *t)
{
  nsd_extent_release(&t->extent);
  nsd_exact_release(&t->exact);
  nsd_arena_release(&t->arena);
  free(t);
}

static inline void cell_bench_lay_out(cell_bench *t, nsd_arena *arena)
{
  int m, units;
  nsd_signs_count(&t->made.data, &m, &units);
  nsd_signs_lay_out(arena, &t->signs, &t->made.data);
  nsd_cells_lay_out(arena, &t->cells, m, t->made.data.rows);
  nsd_cell_lay_out(arena, &t->cell, m, t->made.data.rows);
  nsd_cell_lay_out(arena, &t->other, m, t->made.data.rows);
  nsd_extent_lay_out(arena, &t->extent, m, t->made.data.rows);
  nsd_error_bounds_lay_out(arena, &t->sure, t->made.data.rows);
}

/* For the problem in t->made. */
static inline void cell_bench_load(cell_bench *t)
{
  nsd_arena measure = nsd_arena_measure();
  cell_bench_lay_out(t, &measure);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  cell_bench_lay_out(t, &t->arena);
  ck_assert_int_eq(nsd_signs_load(&t->signs, &t->made.data, NULL), NSDYN_OK);
  nsd_cells_load(&t->cells, &t->signs.forms);
}

/* A random alternative of each unit, or of some; those chosen into choice, −1 where none was. */
static inline void cell_bench_ask(cell_bench *t, random_state *r, int all, int *choice)
{
  for (int u = 0; u < t->signs.units; u++) {
    const nsd_unit *unit = &t->signs.unit[u];
    choice[u] = all || random_below(r, 2) ? random_below(r, unit->alternatives) : -1;
    if (choice[u] >= 0) {
      const nsd_alternative *a = &unit->alternative[choice[u]];
      for (int k = 0; k < a->asks; k++) {
        nsd_cell_ask(&t->cell, unit->part[a->part[k]], a->ask[k]);
      }
    }
  }
}

/* Λ' at the point that the tableau shows. */
static inline void cell_bench_point(const nsd_cell *cell, double *Lambda)
{
  for (int j = 0; j < cell->columns; j++) {
    Lambda[j] = cell->sign[j] * nsd_cell_value(cell, j);
  }
}

/* Whether Λ' obeys what the cell asks, relative to the terms of each sum. */
static inline int cell_bench_obeys(const nsd_cell *cell, const nsd_signs *signs, const double *Lambda)
{
  for (int k = 0; k < cell->rows; k++) {
    const int own = cell->columns + k;
    double size;
    double value = nsd_signs_slope(signs, k, Lambda, &size) + signs->d[k];
    size += fabs(signs->d[k]);
    value *= cell->sign[own];
    if ((cell->ask[own] != NSD_ASK_NOTHING && value < -1e-9 * (1.0 + size)) ||
        (cell->ask[own] == NSD_ASK_ZERO && value > 1e-9 * (1.0 + size))) {
      return 0;
    }
  }
  return 1;
}

#endif
