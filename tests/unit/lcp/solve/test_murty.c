/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/murty.h"

#include "solving.h"

/* Without bounds, which it does not know. */
static void make_plain(solving *s, random_state *r, int k)
{
  make_p_matrix(s, r, k % P_KINDS);
  make_b(s, r);
}

START_TEST(solves_every_p_matrix)
{
  SOLVER(murty);
  check_class(&by, make_plain, 4000, 24, 20);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(agrees_with_all_bases)
{
  SOLVER(murty);
  check_beside_all_bases(&by, make_plain, 1000, 8, 1e-8);
  nsd_arena_release(&arena);
}
END_TEST

/* Murty (1978): ones on the diagonal, twos on one side of it, b = −1: every basis is visited. */
START_TEST(visits_every_basis_of_the_exponential_family)
{
  SOLVER(murty);
  for (int n = 1; n <= 14; n++) {
    solving *s = solving_new(n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        *element(s, i, j) = i == j ? 1.0 : j > i ? 2.0 : 0.0;
      }
      s->b[i] = -1.0;
    }
    ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
    ck_assert_int_eq(s->answer.iterations, (1 << n) - 1);
    for (int i = 0; i < n; i++) {
      ck_assert(s->x[i] == (i == n - 1 ? 1.0 : 0.0));
    }
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(starts_where_it_is_told)
{
  SOLVER(murty);
  ck_assert_int_eq(check_warm_starts(&by, make_plain, 500, 20, 2), 0);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(refuses_what_it_is_not_made_for)
{
  SOLVER(murty);
  solving *s = solving_new(3);
  random_state r = random_seed(1);
  make_gram(s, &r, 3, 1.0);
  s->b[0] = s->b[1] = s->b[2] = -1.0;
  s->hi[0] = s->hi[2] = INFINITY;
  s->hi[1] = 4.0;
  s->p.lo = s->lo;
  s->p.hi = s->hi;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 1);
  s->hi[1] = INFINITY;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
  s->lo[2] = -1.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 2);
  s->lo[2] = 0.0;
  *element(s, 0, 0) = 0.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 0);
  ck_assert_ptr_nonnull(s->answer.refused);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

/* Diagonal 1, off-diagonal 2: the 2 × 2 minor is −3, which the second pivot meets. */
START_TEST(refuses_a_minor_that_is_not_positive)
{
  SOLVER(murty);
  solving *s = solving_new(2);
  *element(s, 0, 0) = *element(s, 1, 1) = 1.0;
  *element(s, 0, 1) = 2.0;
  *element(s, 1, 0) = 2.0;
  s->b[0] = -1.0;
  s->b[1] = -3.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 1);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(stops_at_its_limit_with_what_it_has)
{
  SOLVER(murty);
  solving *s = solving_new(10);
  for (int i = 0; i < 10; i++) {
    for (int j = i; j < 10; j++) {
      *element(s, i, j) = i == j ? 1.0 : 2.0;
    }
    s->b[i] = -1.0;
  }
  s->options.max_iterations = 100;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(s->answer.iterations, 100);
  ck_assert(residual_of(s) > 1e-9 && isfinite(residual_of(s)));
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(says_when_numbers_overflow)
{
  SOLVER(murty);
  solving *s = solving_new(2);
  *element(s, 0, 0) = *element(s, 1, 1) = 1e-200;
  *element(s, 1, 0) = 1e200;
  s->b[0] = s->b[1] = -1e200;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_NOT_FINITE);
  s->p.n = 0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/murty", TEST(solves_every_p_matrix), TEST(agrees_with_all_bases),
      TEST(visits_every_basis_of_the_exponential_family), TEST(starts_where_it_is_told),
      TEST(refuses_what_it_is_not_made_for), TEST(refuses_a_minor_that_is_not_positive),
      TEST(stops_at_its_limit_with_what_it_has), TEST(says_when_numbers_overflow))
