/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/ldl_update.h"

#include "solving.h"

/* Largest |A_FF − Uᵀ D U| beside the diagonal. */
static double factor_error(const nsd_ldl_update *f, const nsd_lcp_problem *p)
{
  double worst = 0.0;
  for (int i = 0; i < f->m; i++) {
    for (int j = i; j < f->m; j++) {
      double sum = -nsd_lcp_row(p, f->rows[i])[f->rows[j]];
      for (int k = 0; k <= i; k++) {
        const double u_ki = k == i ? 1.0 : f->U[k * f->ld + i];
        const double u_kj = k == j ? 1.0 : f->U[k * f->ld + j];
        sum += u_ki * f->d[k] * u_kj;
      }
      const double unit =
          sqrt(nsd_lcp_row(p, f->rows[i])[f->rows[i]]) * sqrt(nsd_lcp_row(p, f->rows[j])[f->rows[j]]);
      worst = fmax(worst, fabs(sum) / unit);
    }
    worst = fmax(worst, fabs(f->d[i] * f->inverse[i] - 1.0));
  }
  return worst;
}

START_TEST(the_factors_give_the_matrix)
{
  WORKSPACE(ldl_update);
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    make_gram(s, &r, s->p.n, 0.1);
    int m = 0;
    for (int i = 0; i < s->p.n; i++) {
      if (random_below(&r, 3)) {
        w.rows[m++] = i;
      }
    }
    ck_assert_int_eq(nsd_ldl_update_build(&w, &s->p, m, 1e-13), -1);
    ck_assert_int_eq(w.m, m);
    ck_assert_msg(factor_error(&w, &s->p) <= 1e-14 * (m + 1), "seed %d: %g", k, factor_error(&w, &s->p));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(follows_a_block_that_changes)
{
  WORKSPACE(ldl_update);
  const int cases = random_cases(100);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(2 + k % 59);
    int in[MOST] = {0};
    make_gram(s, &r, s->p.n, 0.1);
    ck_assert_int_eq(nsd_ldl_update_build(&w, &s->p, 0, 1e-13), -1);
    for (int change = 0; change < 200; change++) {
      const int i = random_below(&r, s->p.n);
      if (!in[i]) {
        ck_assert(nsd_ldl_update_add(&w, &s->p, i, 1e-13) > 0.0);
        ck_assert_int_eq(w.rows[w.m - 1], i);
      } else {
        int at = 0;
        while (w.rows[at] != i) {
          at++;
        }
        nsd_ldl_update_remove(&w, at);
      }
      in[i] = !in[i];
    }
    ck_assert_msg(factor_error(&w, &s->p) <= 1e-11, "seed %d: %g", k, factor_error(&w, &s->p));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(solves_with_the_factors)
{
  WORKSPACE(ldl_update);
  nsd_arena room = nsd_arena_measure();
  nsd_arena_take(&room, MOST, sizeof(double));
  nsd_arena own = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&own, &room), NSDYN_OK);
  double *x = nsd_arena_take(&own, MOST, sizeof *x);
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    make_gram(s, &r, s->p.n, 1.0);
    for (int i = 0; i < s->p.n; i++) {
      w.rows[i] = s->p.n - 1 - i;
      x[i] = s->b[i] = random_normal(&r);
    }
    ck_assert_int_eq(nsd_ldl_update_build(&w, &s->p, s->p.n, 1e-13), -1);
    nsd_ldl_update_solve(&w, x);
    for (int i = 0; i < s->p.n; i++) {
      double sum = -s->b[i];
      double size = fabs(s->b[i]);
      for (int j = 0; j < s->p.n; j++) {
        const double term = nsd_lcp_row(&s->p, w.rows[i])[w.rows[j]] * x[j];
        sum += term;
        size += fabs(term);
      }
      ck_assert_msg(fabs(sum) <= 1e-12 * size, "seed %d: row %d: %g of %g", k, i, sum, size);
    }
    free(s);
  }
  nsd_arena_release(&own);
  nsd_arena_release(&arena);
}
END_TEST

/* Rank r: the first r rows have pivots, the next has none, and what stands before it can be used. */
START_TEST(tells_where_a_block_is_singular)
{
  WORKSPACE(ldl_update);
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(2 + k % 59);
    const int rank = random_below(&r, s->p.n);
    make_gram(s, &r, rank, 0.0);
    for (int i = 0; i < s->p.n; i++) {
      w.rows[i] = i;
    }
    ck_assert_int_eq(nsd_ldl_update_build(&w, &s->p, s->p.n, 1e-10), rank);
    ck_assert_int_eq(w.m, rank);
    ck_assert(nsd_ldl_update_add(&w, &s->p, s->p.n - 1, 1e-10) <=
              1e-10 * *element(s, s->p.n - 1, s->p.n - 1));
    ck_assert_int_eq(w.m, rank);
    if (rank > 1) {
      nsd_ldl_update_remove(&w, 0);
      ck_assert(nsd_ldl_update_add(&w, &s->p, 0, 1e-10) > 0.0);
    }
    ck_assert_msg(factor_error(&w, &s->p) <= 1e-8, "seed %d: %g", k, factor_error(&w, &s->p));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(adds_rows)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    double x[MOST], y[MOST] = {0.0};
    int rows[MOST];
    make_gram(s, &r, s->p.n, 1.0);
    for (int i = 0; i < s->p.n; i++) {
      rows[i] = (7 * i + 3) % s->p.n;
      x[i] = random_below(&r, 8);
    }
    for (int i = 0; i < s->p.n * s->p.n; i++) {
      s->A[i] = floor(8.0 * s->A[i]); /* small integers: every order gives the same sum */
    }
    nsd_add_rows(&s->p, s->p.n, rows, x, y, NULL);
    for (int j = 0; j < s->p.n; j++) {
      double sum = 0.0;
      for (int i = 0; i < s->p.n; i++) {
        sum += x[i] * *element(s, rows[i], j);
      }
      ck_assert(y[j] == sum);
    }
    free(s);
  }
}
END_TEST

SUITE("lcp/solve/ldl_update", TEST(the_factors_give_the_matrix), TEST(follows_a_block_that_changes),
      TEST(solves_with_the_factors), TEST(tells_where_a_block_is_singular), TEST(adds_rows))
