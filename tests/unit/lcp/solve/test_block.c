/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/block.h"

#include "solving.h"

/* Without degenerate unknowns. */
static void make_regular(solving *s, random_state *r, int k)
{
  make_p_matrix(s, r, random_below(r, P_KINDS));
  for (int i = 0; i < s->p.n; i++) {
    s->b[i] = random_normal(r);
  }
  if (k % 2) {
    make_bounds(s, r);
  }
}

START_TEST(solves_every_p_matrix)
{
  SOLVER(block);
  check_class(&by, make_p_problem, 6000, 60, 20);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(agrees_with_all_bases)
{
  SOLVER(block);
  check_beside_all_bases(&by, make_p_problem, 1500, 6, 1e-8);
  nsd_arena_release(&arena);
}
END_TEST

/* The same matrix through the symmetric path and through LU. */
START_TEST(both_factorizations_agree)
{
  SOLVER(block);
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    double x[MOST];
    make_p_matrix(s, &r, 0);
    make_b(s, &r);
    if (k % 2) {
      make_bounds(s, &r);
    }
    check_solved(&by, s, NULL, k);
    memcpy(x, s->x, sizeof x);
    s->p.symmetry = NSD_ASYMMETRIC;
    ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
    ck_assert_msg(distance(s->p.n, s->x, x) <= 1e-8, "seed %d: %g", k, distance(s->p.n, s->x, x));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_basis_to_start_from)
{
  SOLVER(block);
  ck_assert_int_eq(check_warm_starts(&by, make_regular, 1000, 60, 3), 0);
  nsd_arena_release(&arena);
}
END_TEST

/* Where Murty's method visits all 2^n bases, the safeguard must not be needed. */
START_TEST(the_exponential_family_takes_a_few_rounds)
{
  SOLVER(block);
  for (int n = 1; n <= 60; n++) {
    solving *s = solving_new(n);
    for (int i = 0; i < n; i++) {
      for (int j = i; j < n; j++) {
        *element(s, i, j) = i == j ? 1.0 : 2.0;
      }
      s->b[i] = -1.0;
    }
    check_solved(&by, s, NULL, n);
    ck_assert_msg(s->answer.iterations <= n + 20, "n %d: %d", n, s->answer.iterations);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(refuses_what_it_is_not_made_for)
{
  SOLVER(block);
  random_state r = random_seed(3);
  solving *s = solving_new(4);
  make_gram(s, &r, 4, 1.0);
  *element(s, 2, 2) = 0.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 2);
  /* Rank one, and b asks for both unknowns. */
  s->p.n = s->p.lda = 2;
  *element(s, 0, 0) = *element(s, 0, 1) = *element(s, 1, 0) = *element(s, 1, 1) = 1.0;
  s->b[0] = s->b[1] = -1.0;
  s->p.symmetry = NSD_SYMMETRIC;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 1);
  s->p.symmetry = NSD_ASYMMETRIC;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(limits_and_extremes)
{
  SOLVER(block);
  random_state r = random_seed(5);
  solving *s = solving_new(40);
  make_gram(s, &r, 40, 0.01);
  for (int i = 0; i < 40; i++) {
    s->b[i] = random_normal(&r);
  }
  const int32_t all_at_lo[40] = {0};
  s->options.max_iterations = 0;
  ck_assert_int_eq(run(&by, s, all_at_lo), NSDYN_MAX_ITERATIONS);
  ck_assert(isfinite(residual_of(s)) && residual_of(s) > 1e-9);
  s->p.n = 0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
  s->p.n = s->p.lda = 1;
  s->options.max_iterations = -1;
  s->A[0] = 1e-300;
  s->b[0] = -1e300;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_NOT_FINITE);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/block", TEST(solves_every_p_matrix), TEST(agrees_with_all_bases),
      TEST(both_factorizations_agree), TEST(a_basis_to_start_from),
      TEST(the_exponential_family_takes_a_few_rounds), TEST(refuses_what_it_is_not_made_for),
      TEST(limits_and_extremes))
