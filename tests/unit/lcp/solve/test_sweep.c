/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/sweep.h"

#include "solving.h"
#include "support/problems.h"

static void make_definite(solving *s, random_state *r, int k)
{
  (void)k;
  make_gram(s, r, s->p.n, 1.0);
  make_b(s, r);
  if (random_below(r, 2)) {
    make_bounds(s, r);
  }
  s->options.sweep_relaxation = random_between(r, 0.5, 1.8);
}

static void make_dominant(solving *s, random_state *r, int k)
{
  (void)k;
  make_p_matrix(s, r, 2);
  make_b(s, r);
  if (random_below(r, 2)) {
    make_bounds(s, r);
  }
}

static void make_unique(solving *s, random_state *r, int k)
{
  make_gram(s, r, s->p.n, 0.3);
  make_b(s, r);
  if (k % 2) {
    make_bounds(s, r);
  }
}

/* Without degenerate unknowns. */
static void make_regular(solving *s, random_state *r, int k)
{
  (void)k;
  make_gram(s, r, s->p.n, 1.0);
  for (int i = 0; i < s->p.n; i++) {
    s->b[i] = random_normal(r);
  }
}

START_TEST(solves_definite_problems_with_any_relaxation)
{
  SOLVER(sweep);
  check_class(&by, make_definite, 2000, 60, 20);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(solves_dominant_diagonals)
{
  SOLVER(sweep);
  check_class(&by, make_dominant, 2000, 60, 0);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(agrees_with_all_bases)
{
  SOLVER(sweep);
  check_beside_all_bases(&by, make_unique, 500, 6, 1e-6);
  nsd_arena_release(&arena);
}
END_TEST

/* Units that are powers of two change no digit on the way. */
START_TEST(takes_the_same_sweeps_in_other_units)
{
  SOLVER(sweep);
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 40);
    make_gram(s, &r, s->p.n, 1.0);
    for (int i = 0; i < s->p.n; i++) {
      s->b[i] = random_normal(&r);
    }
    check_solved(&by, s, NULL, k);
    const int sweeps = s->answer.iterations;
    scale_symmetric(s, &r, 30);
    check_solved(&by, s, NULL, k);
    ck_assert_msg(s->answer.iterations == sweeps, "seed %d: %d, not %d", k, s->answer.iterations, sweeps);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_basis_to_start_from)
{
  SOLVER(sweep);
  ck_assert_int_eq(check_warm_starts(&by, make_regular, 300, 40, 0), 0);
  nsd_arena_release(&arena);
}
END_TEST

/* Every class of the generator: no answer without its certificate, none where there is no solution, and rows
 * without a positive diagonal are named. */
START_TEST(every_class_of_problems)
{
  SOLVER(sweep);
  problem *q = problem_new(MOST);
  solving *s = solving_new(0);
  s->options.max_iterations = 300;
  const int cases = random_cases(40);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(q, c, 1 + k % 60, (uint64_t)k);
      s->p = (nsd_lcp_problem){
          .n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = problem_lo(q), .hi = problem_hi(q)};
      const nsdyn_status status = run(&by, s, NULL);
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
  SOLVER(sweep);
  random_state r = random_seed(7);
  solving *s = solving_new(30);
  make_gram(s, &r, 30, 1e-3);
  for (int i = 0; i < 30; i++) {
    s->b[i] = random_normal(&r);
  }
  s->options.max_iterations = 1;
  s->options.tol = 0.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(s->answer.iterations, 1);
  ck_assert(isfinite(residual_of(s)));
  s->p.n = 0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
  /* It diverges: x doubles with every sweep until it overflows. */
  s->p.n = s->p.lda = 2;
  s->options = (nsdyn_lcp_options){.max_iterations = -1, .tol = 1e-9, .sweep_relaxation = 1.0};
  s->A[0] = s->A[3] = 1.0;
  s->A[1] = -2.0;
  s->A[2] = -1.0;
  s->b[0] = s->b[1] = -1.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_MAX_ITERATIONS);
  ck_assert(isfinite(residual_of(s)) && s->answer.iterations < 10000);
  s->A[3] = 0.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 1);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/sweep", TEST(solves_definite_problems_with_any_relaxation), TEST(solves_dominant_diagonals),
      TEST(agrees_with_all_bases), TEST(takes_the_same_sweeps_in_other_units), TEST(a_basis_to_start_from),
      TEST(every_class_of_problems), TEST(limits_and_extremes))
