/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* base/sparse/ldu.c: factors of the basic block that follow the basis. */
#include <float.h>

#include "../../lcp/sparse/sparse_cases.h"

/* |A_FF x − b| over Σ |A_ij x_j| + |b_i|, the largest of all rows in F. */
static double residual(const sparse_case *c, const unsigned char *in, const double *shift, const double *b,
                       const double *x)
{
  double worst = 0.0;
  for (int32_t i = 0; i < c->n; i++) {
    double sum = -b[i] + (shift ? shift[i] * x[i] : 0.0), size = fabs(b[i]);
    for (int64_t k = c->row[i]; k < c->row[i + 1]; k++) {
      if (in[c->column[k]]) {
        sum += c->value[k] * x[c->column[k]];
        size += fabs(c->value[k] * x[c->column[k]]);
      }
    }
    worst = in[i] ? fmax(worst, fabs(sum) / size) : worst;
  }
  return worst;
}

/* Sets that change a little and much, with and without a shift: each solve leaves no more than rounding. */
START_TEST(solves_every_set_of_rows)
{
  const int cases = random_cases(400);
  nsd_sparse_ldu f = nsd_sparse_ldu_empty(NULL, NULL);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 1 + random_below(&r, 50);
    const int symmetric = k % 2;
    sparse_case c = sparse_case_random(&r, n, 0.5 * random_unit(&r), symmetric, 1.01);
    const nsd_sparse A = sparse_case_rows(&c);
    unsigned char in[64];
    double shift[64], work[64];
    ck_assert_int_eq(nsd_sparse_ldu_analyze(&f, &A, symmetric, -1), NSDYN_OK);
    ck_assert(nsd_sparse_ldu_is_ready(&f));
    for (int32_t i = 0; i < n; i++) {
      in[i] = (unsigned char)random_below(&r, 2);
      shift[i] = random_unit(&r);
    }
    for (int step = 0; step < 8; step++) {
      const double *added = step >= 4 ? shift : NULL;
      for (int change = random_below(&r, 1 + n); change > 0; change--) {
        in[random_below(&r, n)] ^= 1;
      }
      ck_assert_int_eq(nsd_sparse_ldu_factor(&f, in, added, 1e-12), -1);
      memcpy(c.x, c.b, (size_t)n * sizeof *c.x);
      nsd_sparse_ldu_solve(&f, c.x, work);
      REQUIRE(residual(&c, in, added, c.b, c.x) <= 200.0 * DBL_EPSILON, "seed %d step %d", k, step);
      for (int32_t i = 0; i < n; i++) {
        REQUIRE(in[i] || c.x[i] == c.b[i], "seed %d: row %d is not in the set", k, i);
      }
    }
    sparse_case_free(&c);
  }
  nsd_sparse_ldu_release(&f);
}
END_TEST

/* Whatever came before, the same set gives the same bits. */
START_TEST(a_set_has_its_factors_whatever_came_before)
{
  sparse_case c = sparse_case_mesh(12, 0.25);
  const nsd_sparse A = sparse_case_rows(&c);
  nsd_sparse_ldu f = nsd_sparse_ldu_empty(NULL, NULL), g = nsd_sparse_ldu_empty(NULL, NULL);
  ck_assert_int_eq(nsd_sparse_ldu_analyze(&f, &A, 0, -1), NSDYN_OK);
  random_state r = random_seed(7);
  unsigned char in[144];
  double work[144];
  for (int32_t i = 0; i < c.n; i++) {
    in[i] = 1;
    c.b[i] = random_normal(&r);
  }
  for (int step = 0; step < 40; step++) {
    in[random_below(&r, c.n)] ^= 1;
    ck_assert_int_eq(nsd_sparse_ldu_factor(&f, in, NULL, 1e-12), -1);
    ck_assert_int_eq(nsd_sparse_ldu_analyze(&g, &A, 0, -1), NSDYN_OK);
    ck_assert_int_eq(nsd_sparse_ldu_factor(&g, in, NULL, 1e-12), -1);
    memcpy(c.x, c.b, (size_t)c.n * sizeof *c.x);
    memcpy(c.y, c.b, (size_t)c.n * sizeof *c.y);
    nsd_sparse_ldu_solve(&f, c.x, work);
    nsd_sparse_ldu_solve(&g, c.y, work);
    ck_assert(memcmp(c.x, c.y, (size_t)c.n * sizeof *c.x) == 0);
  }
  nsd_sparse_ldu_release(&f);
  nsd_sparse_ldu_release(&g);
  sparse_case_free(&c);
}
END_TEST

/* Rows that depend on each other: the row is named, and what is left of F is none. */
START_TEST(a_vanishing_pivot_is_named)
{
  sparse_case c = sparse_case_new(3, 9);
  for (int32_t i = 0; i < 3; i++) {
    for (int32_t j = 0; j < 3; j++) {
      sparse_case_add(&c, i, j, i == j ? 2.0 : -1.0);
    }
    sparse_case_end_row(&c, i);
  }
  const nsd_sparse A = sparse_case_rows(&c);
  nsd_sparse_ldu f = nsd_sparse_ldu_empty(NULL, NULL);
  unsigned char in[3] = {1, 1, 1};
  double work[3];
  ck_assert_int_eq(nsd_sparse_ldu_analyze(&f, &A, 1, -1), NSDYN_OK);
  const int32_t row = nsd_sparse_ldu_factor(&f, in, NULL, 1e-14);
  ck_assert(row >= 0 && row < 3);
  in[row] = 0;
  ck_assert_int_eq(nsd_sparse_ldu_factor(&f, in, NULL, 1e-14), -1);
  c.b[0] = c.b[1] = c.b[2] = 1.0;
  nsd_sparse_ldu_solve(&f, c.b, work);
  for (int32_t i = 0; i < 3; i++) {
    ck_assert(i == row || fabs(c.b[i] - 1.0) < 1e-15); /* [2 −1; −1 2] x = (1, 1) */
  }
  nsd_sparse_ldu_release(&f);
  sparse_case_free(&c);
}
END_TEST

START_TEST(too_much_fill_is_told_beforehand)
{
  sparse_case c = sparse_case_mesh(20, 0.0);
  const nsd_sparse A = sparse_case_rows(&c);
  nsd_sparse_ldu f = nsd_sparse_ldu_empty(NULL, NULL);
  ck_assert_int_eq(nsd_sparse_ldu_analyze(&f, &A, 1, 1000), NSDYN_OK);
  ck_assert(!nsd_sparse_ldu_is_ready(&f) && f.fill > 1000 && f.work > 0.0);
  const int64_t fill = f.fill;
  ck_assert_int_eq(nsd_sparse_ldu_analyze(&f, &A, 1, fill), NSDYN_OK);
  ck_assert(nsd_sparse_ldu_is_ready(&f) && f.fill == fill);
  nsd_sparse_ldu_release(&f);
  sparse_case_free(&c);
}
END_TEST

SUITE("base/sparse/ldu", TEST(solves_every_set_of_rows), TEST(a_set_has_its_factors_whatever_came_before),
      TEST(a_vanishing_pivot_is_named), TEST(too_much_fill_is_told_beforehand))
