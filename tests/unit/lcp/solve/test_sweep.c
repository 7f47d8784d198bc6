/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/sweep.h"

#include "solving.h"
#include "support/problems.h"

static void check_solved(nsd_sweep *w, solving *s, const int32_t *start, int seed)
{
  const nsdyn_status status = nsd_sweep_solve(w, &s->p, &s->options, start, &s->answer);
  ck_assert_msg(status == NSDYN_OK, "seed %d: status %d", seed, (int)status);
  ck_assert_msg(residual_of(s) <= 1e-9, "seed %d: residual %g", seed, residual_of(s));
}

START_TEST(solves_definite_problems_with_any_relaxation)
{
  WORKSPACE(sweep);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    make_gram(s, &r, s->p.n, 1.0);
    make_b(s, &r);
    if (random_below(&r, 2)) {
      make_bounds(s, &r);
    }
    if (random_below(&r, 3) == 0) {
      scale_symmetric(s, &r, 20);
    }
    s->options.sweep_relaxation = random_between(&r, 0.5, 1.8);
    check_solved(&w, s, NULL, k);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(solves_dominant_diagonals)
{
  WORKSPACE(sweep);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    make_p_matrix(s, &r, 2);
    make_b(s, &r);
    if (random_below(&r, 2)) {
      make_bounds(s, &r);
    }
    check_solved(&w, s, NULL, k);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(agrees_with_all_bases)
{
  WORKSPACE(sweep);
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 6);
    double x[MOST];
    make_gram(s, &r, s->p.n, 0.3);
    make_b(s, &r);
    if (k % 2) {
      make_bounds(s, &r);
    }
    check_solved(&w, s, NULL, k);
    ck_assert_int_ge(count_solutions(&s->p, x), 1);
    ck_assert_msg(distance(s->p.n, s->x, x) <= 1e-6, "seed %d: %g", k, distance(s->p.n, s->x, x));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* Units that are powers of two change no digit on the way. */
START_TEST(takes_the_same_sweeps_in_other_units)
{
  WORKSPACE(sweep);
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 40);
    make_gram(s, &r, s->p.n, 1.0);
    for (int i = 0; i < s->p.n; i++) {
      s->b[i] = random_normal(&r);
    }
    check_solved(&w, s, NULL, k);
    const int sweeps = s->answer.iterations;
    scale_symmetric(s, &r, 30);
    check_solved(&w, s, NULL, k);
    ck_assert_msg(s->answer.iterations == sweeps, "seed %d: %d, not %d", k, s->answer.iterations, sweeps);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_basis_to_start_from)
{
  WORKSPACE(sweep);
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 40);
    int32_t basis[MOST];
    make_gram(s, &r, s->p.n, 1.0);
    for (int i = 0; i < s->p.n; i++) {
      s->b[i] = random_normal(&r);
    }
    check_solved(&w, s, NULL, k);
    memcpy(basis, s->basis, sizeof basis);
    check_solved(&w, s, basis, k);
    ck_assert_msg(s->answer.iterations == 0, "seed %d: %d", k, s->answer.iterations);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* Every class of the generator: no answer without its certificate, none where there is no solution, and rows
 * without a positive diagonal are named. */
START_TEST(every_class_of_problems)
{
  WORKSPACE(sweep);
  problem *q = problem_new(MOST);
  solving *s = solving_new(0);
  s->options.max_iterations = 300;
  const int cases = random_cases(40);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(q, c, 1 + k % 60, (uint64_t)k);
      s->p = (nsd_lcp_problem){
          .n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = problem_lo(q), .hi = problem_hi(q)};
      const nsdyn_status status = nsd_sweep_solve(&w, &s->p, &s->options, NULL, &s->answer);
      if (status == NSDYN_ERR_UNSUPPORTED) {
        const int row = s->answer.refused_row;
        ck_assert(row >= 0 && row < q->n && !(q->A[row * q->n + row] > 0.0));
        continue;
      }
      ck_assert(status == NSDYN_OK || status == NSDYN_MAX_ITERATIONS);
      ck_assert_msg(isfinite(residual_of(s)), "%s, seed %d", q->name, k);
      ck_assert_msg((status == NSDYN_OK) == (residual_of(s) <= 1e-9), "%s, seed %d", q->name, k);
      ck_assert_msg(status != NSDYN_OK || q->promise != PROBLEM_NONE, "%s, seed %d", q->name, k);
    }
  }
  free(s);
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(limits_and_extremes)
{
  WORKSPACE(sweep);
  random_state r = random_seed(7);
  solving *s = solving_new(30);
  make_gram(s, &r, 30, 1e-3);
  for (int i = 0; i < 30; i++) {
    s->b[i] = random_normal(&r);
  }
  s->options.max_iterations = 1;
  s->options.tol = 0.0;
  ck_assert_int_eq(nsd_sweep_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(s->answer.iterations, 1);
  ck_assert(isfinite(residual_of(s)));
  s->p.n = 0;
  ck_assert_int_eq(nsd_sweep_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_OK);
  /* It diverges: x doubles with every sweep until it overflows. */
  s->p.n = s->p.lda = 2;
  s->options = (nsdyn_lcp_options){.max_iterations = -1, .tol = 1e-9, .sweep_relaxation = 1.0};
  s->A[0] = s->A[3] = 1.0;
  s->A[1] = -2.0;
  s->A[2] = -1.0;
  s->b[0] = s->b[1] = -1.0;
  ck_assert_int_eq(nsd_sweep_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_MAX_ITERATIONS);
  ck_assert(isfinite(residual_of(s)) && s->answer.iterations < 10000);
  s->A[3] = 0.0;
  ck_assert_int_eq(nsd_sweep_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 1);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/sweep", TEST(solves_definite_problems_with_any_relaxation), TEST(solves_dominant_diagonals),
      TEST(agrees_with_all_bases), TEST(takes_the_same_sweeps_in_other_units), TEST(a_basis_to_start_from),
      TEST(every_class_of_problems), TEST(limits_and_extremes))
