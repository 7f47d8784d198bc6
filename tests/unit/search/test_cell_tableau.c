/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "branching.h"
#include "contact_cells.h"

/* For any values of the nonbasic unknowns that are not dropped, the rows give the others: y = A x + b. */
static double tableau_defect(const branching *t, const nsd_cell *cell, random_state *r)
{
  const int n = t->n;
  double z[2 * MOST] = {0.0};
  const int32_t *lists[] = {cell->live, cell->proof};
  const int counts[] = {cell->live_count, cell->proof_count};
  for (int l = 0; l < 2; l++) {
    for (int k = 0; k < counts[l]; k++) {
      z[cell->slot[lists[l][k]]] = random_normal(r);
    }
  }
  for (int i = 0; i < n; i++) {
    double sum = cell->c[i];
    for (int l = 0; l < 2; l++) {
      for (int k = 0; k < counts[l]; k++) {
        sum += nsd_cell_column(cell, lists[l][k])[i] * z[cell->slot[lists[l][k]]];
      }
    }
    z[cell->row[i]] = sum;
  }
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    double sum = t->b[i] - cell->sign[n + i] * z[n + i];
    double size = fabs(t->b[i]) + fabs(z[n + i]);
    for (int j = 0; j < n; j++) {
      sum += t->A[i * n + j] * cell->sign[j] * z[j];
      size += fabs(t->A[i * n + j] * z[j]);
    }
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

/* A few exchanges at the largest elements of random columns. */
static void shuffle(branching *t, random_state *r, int count)
{
  for (int k = 0; k < count; k++) {
    const int s = t->cell.live[random_below(r, t->cell.live_count)];
    const double *C = nsd_cell_column(&t->cell, s);
    int best = 0;
    for (int i = 1; i < t->n; i++) {
      best = fabs(C[i]) > fabs(C[best]) ? i : best;
    }
    nsd_cell_exchange(&t->cell, &t->cells, best, s);
    nsd_cell_turn(&t->cell, random_below(r, 2 * t->n));
  }
}

START_TEST(rows_stay_true)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    nsd_cell_load(&t->cell, &t->cells);
    shuffle(t, &r, 2 * t->n);
    ck_assert_msg(tableau_defect(t, &t->cell, &r) < 1e-9, "seed %d", k);
    nsd_cell_copy(&t->other, &t->cell, NULL);
    ck_assert_msg(tableau_defect(t, &t->other, &r) < 1e-9, "seed %d, copy", k);
    for (int i = 0; i < 2 * t->n; i++) {
      const int place = t->cell.place[i];
      ck_assert_int_eq(place >= 0 ? t->cell.row[place] : t->cell.slot[~place], i);
    }
    branching_free(t);
  }
}
END_TEST

/* A fresh tableau has the same basis and better digits. */
START_TEST(refresh_keeps_the_basis)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    nsd_cell_load(&t->cell, &t->cells);
    shuffle(t, &r, 3 * t->n);
    nsd_cell_copy(&t->other, &t->cell, NULL);
    ck_assert_int_eq(nsd_cell_refresh(&t->cell, &t->cells), 1);
    ck_assert_msg(tableau_defect(t, &t->cell, &r) < 1e-10, "seed %d", k);
    for (int i = 0; i < 2 * t->n; i++) {
      ck_assert_int_eq(t->cell.place[i] >= 0, t->other.place[i] >= 0);
      const double a = given_value(&t->cell, i), b = given_value(&t->other, i);
      ck_assert_msg(fabs(a - b) <= 1e-6 * (fabs(a) + 1.0), "seed %d: %g %g", k, a, b);
    }
    branching_free(t);
  }
}
END_TEST

START_TEST(blocking_row_keeps_what_is_feasible)
{
  branching *t = branching_new(3);
  /* x_0 grows: y_0 = 2 − x_0, y_1 = 1 − x_0, y_2 = 1 + x_0. */
  const double column[] = {-1.0, -1.0, 1.0}, b[] = {2.0, 1.0, 1.0};
  for (int i = 0; i < 3; i++) {
    t->A[3 * i] = column[i];
    t->A[3 * i + 1] = t->A[3 * i + 2] = i == 0;
    t->b[i] = b[i];
  }
  branching_load(t);
  nsd_cell_load(&t->cell, &t->cells);
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, -1, 0), 1);
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 1, -1, 0), -1);
  nsd_cell_step(&t->cell, &t->cells, 1, 0);
  ck_assert(nsd_cell_value(&t->cell, 0) > 0.0);
  ck_assert(nsd_cell_value(&t->cell, 4) == 0.0);
  ck_assert(vertex_defect(t, &t->cell) < 1e-15);
  branching_free(t);
}
END_TEST

/* The target stops where it reaches zero, from above or below; it wins ties, and a row before it wins. */
START_TEST(the_target_stops_at_zero)
{
  branching *t = branching_new(4);
  /* x_0 grows: y = 2 − x_0, 2 − 2 x_0, −1 + x_0, 1 − x_0. */
  const double column[] = {-1.0, -2.0, 1.0, -1.0}, b[] = {2.0, 2.0, -1.0, 1.0};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      t->A[4 * i + j] = column[i];
    }
    t->b[i] = b[i];
  }
  branching_load(t);
  nsd_cell_load(&t->cell, &t->cells);
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, -1, 0), 1); /* of two equal the larger element */
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, 3, 0), 3);
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, 2, 0), 2);
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, 0, 0), 1);
  t->cell.row[1] = 7;
  t->cell.row[3] = 5;
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, -1, 1), 3); /* or the least number */
  branching_free(t);
}
END_TEST

/* The steepest edge is that of its definition, noise passed over. */
START_TEST(the_steepest_edge_enters)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + k % 13;
    branching *t = branching_new(n);
    make_feasible(t, &r);
    nsd_cell_load(&t->cell, &t->cells);
    for (int row = 0; row < n; row++) {
      const double sign = k % 3 - 1;
      double most = 0.0;
      for (int s = 0; s < n; s++) {
        const double *S = nsd_cell_column(&t->cell, s);
        double length = 1.0;
        for (int i = 0; i < n; i++) {
          length += S[i] * S[i];
        }
        const double merit = S[row] * S[row] / length;
        most = sign * S[row] > 0.0 || sign == 0.0 ? fmax(most, merit) : most;
      }
      const int s = nsd_cell_entering(&t->cell, &t->cells, row, sign, 0);
      ck_assert_int_eq(s >= 0, most > 0.0);
      if (s >= 0) {
        const double *S = nsd_cell_column(&t->cell, s);
        double length = 1.0;
        for (int i = 0; i < n; i++) {
          length += S[i] * S[i];
        }
        ck_assert(sign * S[row] > 0.0 || sign == 0.0);
        ck_assert(S[row] * S[row] >= most * length * (1.0 - 1e-12));
      }
    }
    branching_free(t);
  }
}
END_TEST

START_TEST(noise_is_no_pivot)
{
  branching *t = branching_new(2);
  const double A[] = {1.0, 1.0, 1e-14, 1.0};
  memcpy(t->A, A, sizeof A);
  t->b[0] = t->b[1] = 1.0;
  branching_load(t);
  nsd_cell_load(&t->cell, &t->cells);
  double *C = nsd_cell_column(&t->cell, 0);
  C[1] = 1e-14 * C[0];
  ck_assert_int_eq(nsd_cell_accept(&t->cell, &t->cells, 0, 0), 1);
  ck_assert_int_eq(nsd_cell_accept(&t->cell, &t->cells, 1, 0), 0);
  ck_assert(C[1] == 0.0);
  C[1] = 1e-14 * C[0];
  nsd_cell_denoise(&t->cell, &t->cells);
  ck_assert(C[1] == 0.0 && C[0] != 0.0);
  branching_free(t);
}
END_TEST

/* What was seen of a cell stays seen: a search that forgets it at every fresh tableau goes round for ever. */
START_TEST(a_fresh_tableau_forgets_nothing)
{
  branching *t = branching_new(2);
  const double A[] = {2.0, 1.0, 1.0, 2.0};
  memcpy(t->A, A, sizeof A);
  t->b[0] = t->b[1] = 1.0;
  branching_load(t);
  nsd_cell_load(&t->cell, &t->cells);
  t->cell.mark[0] = NSD_CELL_SEEN;
  t->cell.mark[1] = NSD_CELL_SEEN | 8;
  t->cell.mark[3] = 4;
  ck_assert_int_eq(nsd_cell_refresh(&t->cell, &t->cells), 1);
  ck_assert_int_eq(t->cell.mark[0], NSD_CELL_SEEN);
  ck_assert_int_eq(t->cell.mark[1], NSD_CELL_SEEN | 8);
  ck_assert_int_eq(t->cell.mark[3] & ~NSD_CELL_TO_BASIS, 4);
  branching_free(t);
}
END_TEST

/* c that is the rest of a sum of large terms is zero; as small a c that is a datum is not. */
START_TEST(rounding_of_zero_is_cleaned)
{
  branching *t = branching_new(2);
  const double A[] = {3.0, 1.0, 9.0, 1.0};
  memcpy(t->A, A, sizeof A);
  t->b[0] = 0.1;
  t->b[1] = 0.1 * 3.0;
  branching_load(t);
  nsd_cell_load(&t->cell, &t->cells);
  nsd_cell_exchange(&t->cell, &t->cells, 0, 0);
  t->cell.c[1] = 1e-15;
  nsd_cell_clean(&t->cell, &t->cells);
  ck_assert(t->cell.c[1] == 0.0 && t->cell.c[0] != 0.0);
  t->b[0] = 1e-15;
  branching_load(t);
  nsd_cell_load(&t->cell, &t->cells);
  nsd_cell_clean(&t->cell, &t->cells);
  ck_assert(t->cell.c[0] > 0.0);
  branching_free(t);
}
END_TEST

/* A row stops a column where its unknown may not go below zero, and where it is free it does not. */
START_TEST(what_is_free_stops_nothing)
{
  branching *t = branching_new(2);
  const double A[] = {-1.0, 0.0, -2.0, 0.0};
  memcpy(t->A, A, sizeof A);
  t->b[0] = t->b[1] = 1.0; /* x_0 <= 1 and x_0 <= 1/2 */
  branching_load(t);
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, -1, 0), 1);
  t->base[3] = NSD_ASK_NOTHING;
  branching_load(t);
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, -1, 0), 0);
  t->base[2] = NSD_ASK_NOTHING;
  branching_load(t);
  ck_assert_int_eq(nsd_cell_blocking(&t->cell, &t->cells, 0, -1, 0), -1);
  branching_free(t);
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

SUITE("search/cell_tableau", TEST(rows_stay_true), TEST(refresh_keeps_the_basis),
      TEST(blocking_row_keeps_what_is_feasible), TEST(the_target_stops_at_zero),
      TEST(the_steepest_edge_enters), TEST(noise_is_no_pivot), TEST(a_fresh_tableau_forgets_nothing),
      TEST(rounding_of_zero_is_cleaned), TEST(what_is_free_stops_nothing), TEST(rounding_is_no_pivot))
