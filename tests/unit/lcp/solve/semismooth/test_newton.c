/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/semismooth/newton.h"

#include "solving.h"
#include "support/problems.h"

/* The two maps, the second also penalized. */
static void use_map(solving *s, int kind)
{
  s->options.method = kind == 0 ? NSDYN_LCP_NEWTON_MIN : NSDYN_LCP_NEWTON_FB;
  s->options.newton_fb_lambda = kind == 2 ? 0.8 : 1.0;
}

static void make_any(solving *s, random_state *r, int k)
{
  make_p_problem(s, r, k);
  use_map(s, k % 3);
}

static void make_regular(solving *s, random_state *r, int k)
{
  make_p_matrix(s, r, k % P_KINDS);
  for (int i = 0; i < s->p.n; i++) {
    s->b[i] = random_normal(r);
  }
  use_map(s, k % 3);
}

START_TEST(solves_p_matrices)
{
  SOLVER(newton);
  check_class(&by, make_any, 2000, 30, 20);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(agrees_with_all_bases)
{
  SOLVER(newton);
  check_beside_all_bases(&by, make_any, 900, 6, 1e-7);
  nsd_arena_release(&arena);
}
END_TEST

/* The same problem with all lengths and forces in other units: 1e12 of the one are 1e−12 of the other. */
START_TEST(takes_the_same_steps_in_other_units)
{
  SOLVER(newton);
  problem *q = problem_new(MOST);
  const int friction = problem_class_find("planar_friction");
  ck_assert_int_ge(friction, 0);
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    solving *s = solving_new(0);
    problem_make(q, friction, 6 + k % 24, (uint64_t)k);
    memcpy(s->A, q->A, (size_t)(q->n * q->n) * sizeof *s->A);
    memcpy(s->b, q->b, (size_t)q->n * sizeof *s->b);
    s->p.n = s->p.lda = q->n;
    use_map(s, k % 3);
    check_solved(&by, s, NULL, k);
    const int steps = s->answer.iterations;
    for (int sign = -1; sign <= 1; sign += 2) {
      for (int i = 0; i < q->n; i++) {
        s->b[i] = ldexp(q->b[i], 40 * sign);
      }
      check_solved(&by, s, NULL, k);
      ck_assert_msg(s->answer.iterations == steps, "seed %d: %d, not %d", k, s->answer.iterations, steps);
    }
    free(s);
  }
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_basis_to_start_from)
{
  SOLVER(newton);
  ck_assert_int_eq(check_warm_starts(&by, make_regular, 500, 30, 0), 0);
  nsd_arena_release(&arena);
}
END_TEST

/* Every class of the generator: no answer without its certificate, none where there is no solution, always
 * one for P-matrices. Of well-posed friction problems, most. */
START_TEST(every_class_of_problems)
{
  SOLVER(newton);
  problem *q = problem_new(MOST);
  solving *s = solving_new(0);
  const int cases = random_cases(20);
  int friction = 0;
  int solved = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(q, c, 1 + 3 * k % 32, (uint64_t)k);
      s->p = (nsd_lcp_problem){
          .n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = problem_lo(q), .hi = problem_hi(q)};
      use_map(s, k % 3);
      const nsdyn_status status = run(&by, s, NULL);
      ck_assert(status == NSDYN_OK || status == NSDYN_MAX_ITERATIONS);
      ck_assert_msg(isfinite(residual_of(s)), "%s, seed %d", q->name, k);
      ck_assert_msg((status == NSDYN_OK) == (residual_of(s) <= 1e-9), "%s, seed %d", q->name, k);
      ck_assert_msg(status != NSDYN_OK || q->promise != PROBLEM_NONE, "%s, seed %d", q->name, k);
      ck_assert_msg(status == NSDYN_OK || !(q->traits & PROBLEM_P), "%s, seed %d", q->name, k);
      if (c == problem_class_find("planar_friction") || c == problem_class_find("polyhedral")) {
        friction++;
        solved += status == NSDYN_OK;
      }
    }
  }
  ck_assert_msg(solved >= 0.95 * friction, "%d of %d", solved, friction);
  free(s);
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(limits_and_extremes)
{
  SOLVER(newton);
  check_limits(&by, use_map, 3);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/semismooth/newton", TEST(solves_p_matrices), TEST(agrees_with_all_bases),
      TEST(takes_the_same_steps_in_other_units), TEST(a_basis_to_start_from), TEST(every_class_of_problems),
      TEST(limits_and_extremes))
