/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/polish.h"

#include "solving.h"

START_TEST(solves_the_basis_where_that_is_better)
{
  WORKSPACE(basis);
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    double work[MOST];
    make_gram(s, &r, s->p.n, 1.0);
    /* x is the solution but for a relative 1e−6. */
    for (int i = 0; i < s->p.n; i++) {
      s->basis[i] = random_below(&r, 2);
      s->x[i] = s->basis[i] ? 0.1 + random_unit(&r) : 0.0;
    }
    for (int i = 0; i < s->p.n; i++) {
      s->b[i] = s->basis[i] ? 0.0 : 1.0;
      for (int j = 0; j < s->p.n; j++) {
        s->b[i] -= *element(s, i, j) * s->x[j];
      }
    }
    for (int i = 0; i < s->p.n; i++) {
      s->x[i] *= 1.0 + 1e-6 * random_unit(&r);
    }
    const double residual = nsd_lcp_polish(&w, &s->p, s->basis, s->x, work);
    ck_assert_msg(residual <= 1e-12, "seed %d: %g", k, residual);
    ck_assert(residual == residual_of(s));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(never_makes_it_worse)
{
  WORKSPACE(basis);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 30);
    double work[MOST];
    make_gram(s, &r, random_below(&r, s->p.n + 1), 0.0); /* of any rank */
    make_b(s, &r);
    for (int i = 0; i < s->p.n; i++) {
      s->basis[i] = random_below(&r, 2);
      s->x[i] = random_unit(&r) * s->basis[i];
    }
    const double before = residual_of(s);
    const double after = nsd_lcp_polish(&w, &s->p, s->basis, s->x, work);
    ck_assert_msg(after <= before && after == residual_of(s), "seed %d: %g, %g", k, before, after);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* y = A x − 1 with A = ((1, 1), (1, 1 + 2^−52)): x = (1, 0) solves it; the basis of both unknowns is as good
 * as singular. With b = (−1, 1) it gives an x of 10^16 beside which b is nothing: no answer. */
START_TEST(distrusts_a_basis_that_is_singular_to_rounding)
{
  WORKSPACE(basis);
  solving *s = solving_new(2);
  double work[2];
  s->A[0] = s->A[1] = s->A[2] = 1.0;
  s->A[3] = 1.0 + 0x1p-52;
  s->b[0] = -1.0;
  s->b[1] = 1.0;
  s->basis[0] = s->basis[1] = NSDYN_LCP_BASIC;
  s->p.lo = s->lo;
  s->p.hi = s->hi;
  s->lo[0] = s->lo[1] = -INFINITY;
  s->hi[0] = s->hi[1] = INFINITY;
  ck_assert(nsd_lcp_polish(&w, &s->p, s->basis, s->x, work) > 0.1);
  ck_assert(fabs(s->x[0]) < 10.0 && fabs(s->x[1]) < 10.0);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

/* Rows of zeros in b whose unknowns are rounding: they become zero, since a row of nothing but rounding has a
 * residual of one. */
START_TEST(drops_what_is_rounding)
{
  WORKSPACE(basis);
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(2 + k % 40);
    double work[MOST];
    make_p_matrix(s, &r, 3); /* lower triangular: the first unknown is zero */
    for (int i = 1; i < s->p.n; i++) {
      s->b[i] = random_normal(&r);
    }
    for (int i = 0; i < s->p.n; i++) {
      s->lo[i] = -INFINITY;
      s->hi[i] = INFINITY;
      s->basis[i] = NSDYN_LCP_BASIC;
      s->x[i] = 1e-17;
    }
    s->p.lo = s->lo;
    s->p.hi = s->hi;
    const double residual = nsd_lcp_polish(&w, &s->p, s->basis, s->x, work);
    ck_assert_msg(residual <= 1e-12, "seed %d: %g", k, residual);
    ck_assert(s->x[0] == 0.0);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(says_why_it_refuses)
{
  solving *s = solving_new(3);
  s->A[0] = 1.0;
  ck_assert_int_eq(nsd_lcp_row_without_positive_diagonal(&s->p), 1);
  ck_assert_int_eq(nsd_lcp_refuse(&s->answer, 1, "so"), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 1);
  ck_assert_str_eq(s->answer.refused, "so");
  s->A[4] = s->A[8] = 1e-300;
  ck_assert_int_eq(nsd_lcp_row_without_positive_diagonal(&s->p), -1);
  free(s);
}
END_TEST

SUITE("lcp/solve/polish", TEST(solves_the_basis_where_that_is_better), TEST(never_makes_it_worse),
      TEST(distrusts_a_basis_that_is_singular_to_rounding), TEST(drops_what_is_rounding),
      TEST(says_why_it_refuses))
