/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/semismooth/newton.h"

#include <float.h>

#include "solving.h"
#include "support/problems.h"

/* The two maps, the second also penalized. */
static void use_map(solving *s, int kind)
{
  s->options.method = kind == 0 ? NSDYN_LCP_NEWTON_MIN : NSDYN_LCP_NEWTON_FB;
  s->options.newton_fb_lambda = kind == 2 ? 0.8 : 1.0;
}

static void check_solved(nsd_newton *w, solving *s, const int32_t *start, int seed)
{
  const nsdyn_status status = nsd_newton_solve(w, &s->p, &s->options, start, &s->answer);
  ck_assert_msg(status == NSDYN_OK, "seed %d: status %d", seed, (int)status);
  ck_assert_msg(residual_of(s) <= 1e-9, "seed %d: residual %g", seed, residual_of(s));
}

START_TEST(solves_p_matrices)
{
  WORKSPACE(newton);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 30);
    make_p_matrix(s, &r, random_below(&r, P_KINDS));
    make_b(s, &r);
    if (random_below(&r, 2)) {
      make_bounds(s, &r);
    }
    if (random_below(&r, 3) == 0) {
      scale_symmetric(s, &r, 20);
    }
    use_map(s, k % 3);
    check_solved(&w, s, NULL, k);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(agrees_with_all_bases)
{
  WORKSPACE(newton);
  const int cases = random_cases(900);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 6);
    double x[MOST];
    make_p_matrix(s, &r, random_below(&r, P_KINDS));
    make_b(s, &r);
    if (random_below(&r, 2)) {
      make_bounds(s, &r);
    }
    use_map(s, k % 3);
    check_solved(&w, s, NULL, k);
    ck_assert_int_ge(count_solutions(&s->p, x), 1);
    ck_assert_msg(distance(s->p.n, s->x, x) <= 1e-7, "seed %d: %g", k, distance(s->p.n, s->x, x));
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* The same problem with all lengths and forces in other units: 1e12 of the one are 1e−12 of the other. */
START_TEST(takes_the_same_steps_in_other_units)
{
  WORKSPACE(newton);
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
    check_solved(&w, s, NULL, k);
    const int steps = s->answer.iterations;
    for (int sign = -1; sign <= 1; sign += 2) {
      for (int i = 0; i < q->n; i++) {
        s->b[i] = ldexp(q->b[i], 40 * sign);
      }
      check_solved(&w, s, NULL, k);
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
  WORKSPACE(newton);
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 30);
    int32_t basis[MOST];
    make_p_matrix(s, &r, k % P_KINDS);
    for (int i = 0; i < s->p.n; i++) {
      s->b[i] = random_normal(&r);
    }
    use_map(s, k % 3);
    check_solved(&w, s, NULL, k);
    memcpy(basis, s->basis, sizeof basis);
    check_solved(&w, s, basis, k);
    ck_assert_msg(s->answer.iterations == 0, "seed %d: %d", k, s->answer.iterations);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* Every class of the generator: no answer without its certificate, none where there is no solution, always
 * one for P-matrices. Of well-posed friction problems, most. */
START_TEST(every_class_of_problems)
{
  WORKSPACE(newton);
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
      const nsdyn_status status = nsd_newton_solve(&w, &s->p, &s->options, NULL, &s->answer);
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

/* y = −1 − x has no zero with x >= 0 but one without bounds; y = −1 has none at all: a flat merit function.
 */
START_TEST(limits_and_extremes)
{
  WORKSPACE(newton);
  for (int kind = 0; kind < 3; kind++) {
    solving *s = solving_new(1);
    use_map(s, kind);
    s->A[0] = -1.0;
    s->b[0] = -1.0;
    ck_assert_int_eq(nsd_newton_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_MAX_ITERATIONS);
    ck_assert(s->x[0] >= 0.0 && isfinite(residual_of(s)));
    s->lo[0] = -INFINITY;
    s->hi[0] = INFINITY;
    s->p.lo = s->lo;
    s->p.hi = s->hi;
    check_solved(&w, s, NULL, kind);
    ck_assert(s->x[0] == -1.0);
    s->A[0] = 0.0;
    ck_assert_int_eq(nsd_newton_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_MAX_ITERATIONS);
    ck_assert(isfinite(s->x[0]));
    s->hi[0] = 5.0;
    s->lo[0] = 4.0;
    check_solved(&w, s, NULL, kind);
    ck_assert(s->x[0] == 5.0);
    s->p.lo = s->p.hi = NULL;
    s->A[0] = 1e-300;
    s->b[0] = -1e300;
    ck_assert_int_eq(nsd_newton_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_MAX_ITERATIONS);
    ck_assert(isfinite(s->x[0]));
    s->b[0] = -1e-300;
    check_solved(&w, s, NULL, kind);
    ck_assert(fabs(s->x[0] - 1.0) <= DBL_EPSILON);
    s->options.max_iterations = 0;
    s->b[0] = 1.0;
    check_solved(&w, s, NULL, kind);
    s->p.n = 0;
    ck_assert_int_eq(nsd_newton_solve(&w, &s->p, &s->options, NULL, &s->answer), NSDYN_OK);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/semismooth/newton", TEST(solves_p_matrices), TEST(agrees_with_all_bases),
      TEST(takes_the_same_steps_in_other_units), TEST(a_basis_to_start_from), TEST(every_class_of_problems),
      TEST(limits_and_extremes))
