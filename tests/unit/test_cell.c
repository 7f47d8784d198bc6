/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/cell.h"

#include "contact_cells.h"

/* Values of all unknowns where Λ' is given. */
static void values_at(const cell_bench *t, const double *Lambda, double *z)
{
  const nsd_cell *cell = &t->cell;
  for (int k = 0; k < cell->rows; k++) {
    z[k] = cell->sign[k] * (nsd_signs_slope(&t->signs, k, Lambda, NULL) + t->signs.d[k]);
  }
  for (int j = 0; j < cell->columns; j++) {
    z[cell->rows + j] = cell->sign[cell->rows + j] * Lambda[j];
  }
}

/* z_B = c + T z_N, whatever Λ' is; `tol` relative to the terms. */
static void holds(const cell_bench *t, random_state *r, double tol)
{
  const nsd_cell *cell = &t->cell;
  double Lambda[CASE_ROWS], z[5 * CASE_ROWS];
  for (int j = 0; j < cell->columns; j++) {
    Lambda[j] = random_normal(r);
  }
  values_at(t, Lambda, z);
  for (int i = 0; i < cell->rows; i++) {
    double sum = cell->c[i], size = fabs(sum) + 1.0;
    for (int s = 0; s < cell->columns; s++) {
      sum += nsd_cell_column(cell, s)[i] * z[cell->slot[s]];
      size += fabs(nsd_cell_column(cell, s)[i] * z[cell->slot[s]]);
    }
    ck_assert_double_eq_tol(sum, z[cell->row[i]], tol * size);
    ck_assert_int_eq(cell->place[cell->row[i]], i);
  }
  for (int s = 0; s < cell->columns; s++) {
    ck_assert_int_eq(cell->place[cell->slot[s]], ~s);
  }
}

/* A random exchange at an element that is not small. */
static void exchange_somewhere(cell_bench *t, random_state *r)
{
  for (int tries = 0; tries < 100; tries++) {
    const int i = random_below(r, t->cell.rows);
    const int s = random_below(r, t->cell.columns);
    if (fabs(nsd_cell_column(&t->cell, s)[i]) > 0.1) {
      nsd_cell_exchange(&t->cell, &t->cells, i, s);
      return;
    }
  }
}

START_TEST(exchanges_keep_what_the_rows_say)
{
  cell_bench *t = cell_bench_new();
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(50); seed++) {
      contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 3), seed);
      cell_bench_load(t);
      random_state r = random_seed(seed);
      nsd_cell_load(&t->cell, &t->cells);
      holds(t, &r, 1e-14);
      for (int step = 0; step < 10; step++) {
        exchange_somewhere(t, &r);
        nsd_cell_turn(&t->cell, random_below(&r, t->cell.rows + t->cell.columns));
      }
      holds(t, &r, 1e-9);
    }
  }
  cell_bench_free(t);
}
END_TEST

/* The tableau afresh is that of the same basis; digits lost on the way come back. */
START_TEST(a_fresh_tableau_is_the_same)
{
  cell_bench *t = cell_bench_new();
  for (uint64_t seed = 0; seed < (uint64_t)random_cases(200); seed++) {
    contact_case_make(&t->made, CASE_REGULAR, 1 + (int)(seed % 3), seed);
    cell_bench_load(t);
    random_state r = random_seed(seed);
    nsd_cell_load(&t->cell, &t->cells);
    for (int step = 0; step < 12; step++) {
      exchange_somewhere(t, &r);
    }
    nsd_cell_copy(&t->other, &t->cell);
    for (int i = 0; i < t->cell.rows; i++) {
      t->cell.c[i] *= 1.0 + 1e-3 * random_unit(&r);
    }
    ck_assert_int_eq(nsd_cell_refresh(&t->cell, &t->cells), 1);
    ck_assert_int_eq(t->cell.age, 0);
    for (int k = 0; k < t->cell.rows + t->cell.columns; k++) {
      ck_assert_int_eq(t->cell.place[k] < 0, t->other.place[k] < 0);
      const double was = nsd_cell_value(&t->other, k);
      ck_assert_double_eq_tol(nsd_cell_value(&t->cell, k), was, 1e-7 * (1.0 + fabs(was)));
    }
    holds(t, &r, 1e-9);
  }
  cell_bench_free(t);
}
END_TEST

/* G = diag(1, 1), c = (−1, −2), two frictionless contacts: everything is known. */
static void two_loads(cell_bench *t, double c_0, double c_1)
{
  for (int i = 0; i < 2; i++) {
    t->made.spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  }
  case_number(&t->made, 2, 0);
  t->made.G[0] = t->made.G[3] = 1.0;
  t->made.G[1] = t->made.G[2] = 0.0;
  t->made.c[0] = c_0;
  t->made.c[1] = c_1;
  cell_bench_load(t);
  nsd_cell_load(&t->cell, &t->cells);
}

START_TEST(the_nearest_row_stops)
{
  cell_bench *t = cell_bench_new();
  two_loads(t, 1.0, 1.0);
  /* Along −Λ_0 both ξ_0 = 1 − λ and the load fall; the load is at zero already. */
  nsd_cell_turn(&t->cell, t->cell.rows);
  const int s = ~t->cell.place[t->cell.rows];
  const int load = t->cell.place[t->signs.contact[0].load];
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, s, -1, 0), load);
  t->cell.ask[t->signs.contact[0].load] = NSD_ASK_NOTHING;
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, s, -1, 0), t->cell.place[0]);
  t->cell.ask[0] = NSD_ASK_NOTHING;
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, s, -1, 0), -1);
  cell_bench_free(t);
}
END_TEST

/* A row's claim is believed only if a and d bear it out. */
START_TEST(claims_are_checked)
{
  cell_bench *t = cell_bench_new();
  t->made.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  case_number(&t->made, 1, 0);
  t->made.G[0] = 0.0;
  t->made.c[0] = -1.0;
  cell_bench_load(t);
  nsd_cell_load(&t->cell, &t->cells);
  ck_assert_int_eq(nsd_cell_proves(&t->cell, &t->cells, 0, NSD_CELL_NEGATIVE), 1); /* ξ = −1 for all Λ */
  ck_assert_int_eq(nsd_cell_proves(&t->cell, &t->cells, 0, NSD_CELL_ZERO), 0);
  t->made.G[0] = 1.0;
  cell_bench_load(t);
  nsd_cell_load(&t->cell, &t->cells);
  ck_assert_int_eq(nsd_cell_proves(&t->cell, &t->cells, 0, NSD_CELL_NEGATIVE), 0); /* Λ = 1 does */
  nsd_cell_column(&t->cell, 0)[0] = 0.0;                                           /* a tableau that lies */
  ck_assert_int_eq(nsd_cell_proves(&t->cell, &t->cells, 0, NSD_CELL_NEGATIVE), 0);
  cell_bench_free(t);
}
END_TEST

/* What cancels is zero: a fourth row that is the sum of others to rounding. */
START_TEST(rounding_is_no_pivot)
{
  cell_bench *t = cell_bench_new();
  for (uint64_t seed = 0; seed < (uint64_t)random_cases(100); seed++) {
    contact_case_make(&t->made, CASE_TWINS, 2, seed);
    cell_bench_load(t);
    nsd_cell_load(&t->cell, &t->cells);
    for (int i = 0; i < 2; i++) { /* ξ of the first contact out of the basis */
      nsd_cell_exchange(&t->cell, &t->cells, i, i);
    }
    nsd_cell_denoise(&t->cell, &t->cells);
    nsd_cell_clean(&t->cell, &t->cells);
    for (int i = 2; i < 4; i++) { /* the twin's ξ is that of the first, and depends on nothing else */
      ck_assert_double_eq(t->cell.c[i], 0.0);
      for (int s = 2; s < 4; s++) {
        ck_assert_double_eq(nsd_cell_column(&t->cell, s)[i], 0.0);
      }
      int e; /* units of the twins' rows may differ by a power of two */
      const double part = frexp(nsd_cell_column(&t->cell, i - 2)[i], &e);
      ck_assert(fabs(part - 0.5) < 1e-9 || fabs(part - 1.0) < 1e-9);
    }
  }
  cell_bench_free(t);
}
END_TEST

SUITE("cell", TEST(exchanges_keep_what_the_rows_say), TEST(a_fresh_tableau_is_the_same),
      TEST(the_nearest_row_stops), TEST(claims_are_checked), TEST(rounding_is_no_pivot))
