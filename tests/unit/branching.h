/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the tests of the polyhedral search share: cells of x >= 0, y = A x + b >= 0. */
#ifndef TESTS_UNIT_BRANCHING_H
#define TESTS_UNIT_BRANCHING_H

#include <math.h>
#include <stdlib.h>

#include "search/decide_exactly.h"
#include "suite.h"

#define MOST 24

typedef struct branching {
  nsd_arena arena;
  int n;
  nsd_forms forms;
  nsd_cells cells;
  nsd_cell cell;
  nsd_cell other;
  nsd_exact exact;
  nsd_error_bounds sure;
  int8_t base[2 * MOST];
  double A[MOST * MOST], b[MOST];
} branching;

static inline void branching_lay_out(branching *t, nsd_arena *arena)
{
  nsd_cells_lay_out(arena, &t->cells, t->n, t->n);
  nsd_cell_lay_out(arena, &t->cell, t->n, t->n);
  nsd_cell_lay_out(arena, &t->other, t->n, t->n);
  nsd_error_bounds_lay_out(arena, &t->sure, t->n);
}

static inline branching *branching_new(int n)
{
  branching *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->n = n;
  nsd_arena measure = nsd_arena_measure();
  branching_lay_out(t, &measure);
  t->arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  branching_lay_out(t, &t->arena);
  nsd_exact_init(&t->exact, NULL);
  for (int k = 0; k < 2 * n; k++) {
    t->base[k] = NSD_ASK_POSITIVE;
  }
  t->forms = (nsd_forms){.rows = n,
                         .columns = n,
                         .a = t->A,
                         .d = t->b,
                         .base = t->base,
                         .is_exact = 1,
                         .given_a = t->A,
                         .given_lda = n,
                         .given_d = t->b};
  return t;
}

static inline void branching_free(branching *t)
{
  nsd_exact_release(&t->exact);
  nsd_arena_release(&t->arena);
  free(t);
}

/* Takes A, b and base as they are now. */
static inline void branching_load(branching *t)
{
  nsd_cells_load(&t->cells, &t->forms);
  nsd_cell_load(&t->cell, &t->cells);
}

/* Whatever rounding leaves open is decided exactly. */
static inline void branching_be_exact(branching *t)
{
  t->cells.exact = &t->exact;
  t->cells.sure = &t->sure;
  t->cells.exact_work = 100000000;
}

/* A random matrix, and b such that x >= 0, y >= 0 has a point with a positive x and y in every row. */
static inline void make_feasible(branching *t, random_state *r)
{
  const int n = t->n;
  double x[MOST];
  for (int j = 0; j < n; j++) {
    x[j] = random_unit(r);
  }
  for (int i = 0; i < n; i++) {
    t->b[i] = random_unit(r);
    for (int j = 0; j < n; j++) {
      t->A[i * n + j] = random_normal(r);
      t->b[i] -= t->A[i * n + j] * x[j];
    }
  }
  branching_load(t);
}

/* Unknown k as it was given, at the point that the tableau shows. */
static inline double given_value(const nsd_cell *cell, int k)
{
  return cell->sign[k] * nsd_cell_value(cell, k);
}

/* Largest |y − A x − b| there. */
static inline double vertex_defect(const branching *t, const nsd_cell *cell)
{
  const int n = cell->columns;
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    double sum = t->b[i] - given_value(cell, n + i);
    for (int j = 0; j < n; j++) {
      sum += t->A[i * n + j] * given_value(cell, j);
    }
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

#endif
