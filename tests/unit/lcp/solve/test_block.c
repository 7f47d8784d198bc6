/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/block.h"

#include "solving.h"

static void check_solved(nsd_block *w, solving *s, const int32_t *start, int seed)
{
  const nsdyn_status status = nsd_block_solve(w, &s->p, &s->options, start, &s->answer);
  ck_assert_msg(status == NSDYN_OK, "seed %d: status %d", seed, (int)status);
  ck_assert_msg(residual_of(s) <= 1e-9, "seed %d: residual %g", seed, residual_of(s));
}

START_TEST(solves_every_p_matrix)
{
  WORKSPACE(block);
  const int cases = random_cases(6000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    make_p_matrix(s, &r, random_below(&r, P_KINDS));
    make_b(s, &r);
    if (random_below(&r, 2)) {
      make_bounds(s, &r);
    }
    if (random_below(&r, 3) == 0) {
      scale_symmetric(s, &r, 20);
    }
    check_solved(&w, s, NULL, k);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(agrees_with_all_bases)
{
  WORKSPACE(block);
  const int cases = random_cases(1500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 6);
    double x[MOST];
    make_p_matrix(s, &r, random_below(&r, P_KINDS));
    make_b(s, &r);
    if (k % 2) {
      make_bounds(s, &r);
    }
    check_solved(&w, s, NULL, k);
    ck_assert_int_ge(count_solutions(&s->p, x), 1);
    ck_assert_msg(distance(s->p.n, s->x, x) <= 1e-8, "seed %d: %g", k, distance(s->p.n, s->x, x));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* The same matrix through the symmetric path and through LU. */
START_TEST(both_factorizations_agree)
{
  WORKSPACE(block);
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
    check_solved(&w, s, NULL, k);
    memcpy(x, s->x, sizeof x);
    s->p.symmetry = NSD_ASYMMETRIC;
    ck_assert_int_eq(nsd_block_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_OK);
    ck_assert_msg(distance(s->p.n, s->x, x) <= 1e-8, "seed %d: %g", k, distance(s->p.n, s->x, x));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_basis_to_start_from)
{
  WORKSPACE(block);
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    int32_t basis[MOST];
    make_p_matrix(s, &r, random_below(&r, P_KINDS));
    for (int i = 0; i < s->p.n; i++) {
      s->b[i] = random_normal(&r);
    }
    if (k % 2) {
      make_bounds(s, &r);
    }
    check_solved(&w, s, NULL, k);
    memcpy(basis, s->basis, sizeof basis);
    check_solved(&w, s, basis, k);
    ck_assert_msg(s->answer.iterations == 0, "seed %d: %d rounds from the solution", k, s->answer.iterations);
    for (int i = 0; i < s->p.n; i++) {
      basis[i] = random_below(&r, 3);
    }
    check_solved(&w, s, basis, k);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* Where Murty's method visits all 2^n bases, the safeguard must not be needed. */
START_TEST(the_exponential_family_takes_a_few_rounds)
{
  WORKSPACE(block);
  for (int n = 1; n <= 60; n++) {
    solving *s = solving_new(n);
    for (int i = 0; i < n; i++) {
      for (int j = i; j < n; j++) {
        *element(s, i, j) = i == j ? 1.0 : 2.0;
      }
      s->b[i] = -1.0;
    }
    check_solved(&w, s, NULL, n);
    ck_assert_msg(s->answer.iterations <= n + 20, "n %d: %d", n, s->answer.iterations);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(refuses_what_it_is_not_made_for)
{
  WORKSPACE(block);
  random_state r = random_seed(3);
  solving *s = solving_new(4);
  make_gram(s, &r, 4, 1.0);
  *element(s, 2, 2) = 0.0;
  ck_assert_int_eq(nsd_block_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 2);
  /* Rank one, and b asks for both unknowns. */
  s->p.n = s->p.lda = 2;
  *element(s, 0, 0) = *element(s, 0, 1) = *element(s, 1, 0) = *element(s, 1, 1) = 1.0;
  s->b[0] = s->b[1] = -1.0;
  s->p.symmetry = NSD_SYMMETRIC;
  ck_assert_int_eq(nsd_block_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 1);
  s->p.symmetry = NSD_ASYMMETRIC;
  ck_assert_int_eq(nsd_block_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_ERR_UNSUPPORTED);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(limits_and_extremes)
{
  WORKSPACE(block);
  random_state r = random_seed(5);
  solving *s = solving_new(40);
  make_gram(s, &r, 40, 0.01);
  for (int i = 0; i < 40; i++) {
    s->b[i] = random_normal(&r);
  }
  const int32_t all_at_lo[40] = {0};
  s->options.max_iterations = 0;
  ck_assert_int_eq(nsd_block_solve(&w, &s->p, &s->options, all_at_lo, &s->answer), NSDYN_MAX_ITERATIONS);
  ck_assert(isfinite(residual_of(s)) && residual_of(s) > 1e-9);
  s->p.n = 0;
  ck_assert_int_eq(nsd_block_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_OK);
  s->p.n = s->p.lda = 1;
  s->options.max_iterations = -1;
  s->A[0] = 1e-300;
  s->b[0] = -1e300;
  ck_assert_int_eq(nsd_block_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_ERR_NOT_FINITE);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/block", TEST(solves_every_p_matrix), TEST(agrees_with_all_bases),
      TEST(both_factorizations_agree), TEST(a_basis_to_start_from),
      TEST(the_exponential_family_takes_a_few_rounds), TEST(refuses_what_it_is_not_made_for),
      TEST(limits_and_extremes))
