/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/semismooth/marquardt.h"

#include "solving.h"
#include "support/problems.h"

/* The two methods, on the function without penalty and with it. */
enum { KINDS = 4 };

static void use_kind(solving *s, int kind)
{
  s->options.method = kind % 2 ? NSDYN_LCP_MARQUARDT_PROJECTED : NSDYN_LCP_MARQUARDT_REGULAR;
  s->options.marquardt_lambda = kind / 2 ? 0.8 : 1.0;
}

/* The projected method all of them, the regular one all but two in a hundred: it accepts no step that leads
 * up, so that it may creep along a kink for ever. */
START_TEST(solves_p_matrices)
{
  SOLVER(lcp_marquardt);
  const int cases = random_cases(2000);
  int unsolved[2] = {0, 0};
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
    use_kind(s, k % KINDS);
    const nsdyn_status status = run(&by, s, NULL);
    REQUIRE(status == NSDYN_OK || (k % 2 == 0 && status == NSDYN_MAX_ITERATIONS), "seed %d: %d", k,
            (int)status);
    REQUIRE((status == NSDYN_OK) == (residual_of(s) <= 1e-9), "seed %d: residual %g", k, residual_of(s));
    unsolved[k % 2] += status != NSDYN_OK;
    free(s);
  }
  ck_assert_msg(unsolved[0] <= 0.02 * cases, "%d of %d", unsolved[0], cases);
  nsd_arena_release(&arena);
}
END_TEST

/* The certificate once more, in long double: |y| or its wrong sign beyond tol of the row's terms. */
static int is_solution(const nsd_lcp_problem *p, const double *x, double tol)
{
  for (int i = 0; i < p->n; i++) {
    long double y = p->b[i], scale = fabsl(y);
    for (int j = 0; j < p->n; j++) {
      const long double term = (long double)nsd_lcp_row(p, i)[j] * x[j];
      y += term;
      scale += fabsl(term);
    }
    const double lo = nsd_lcp_lo(p, i), hi = nsd_lcp_hi(p, i);
    const long double wrong = lo == hi ? 0.0L : x[i] == lo ? -y : x[i] == hi ? y : fabsl(y);
    if (!(x[i] >= lo && x[i] <= hi && wrong <= (tol + 1e-13) * scale)) {
      return 0;
    }
  }
  return 1;
}

/* A, b of small problems of every sort: P, semidefinite, copositive (semidefinite plus non-negative), small
 * integers. All but the first may have no solution, one, or many. */
enum { SORTS = 4 };
static void make_sort(solving *s, random_state *r, int sort)
{
  const int n = s->p.n;
  if (sort == 0) {
    make_p_matrix(s, r, random_below(r, P_KINDS));
  } else {
    make_gram(s, r, sort == 3 ? 0 : n / 2, 0.0);
  }
  for (int i = 0; i < n * n; i++) {
    s->A[i] += sort == 2   ? (random_below(r, 2) ? fabs(random_normal(r)) : 0.0)
               : sort == 3 ? (double)(random_below(r, 3) - 1)
                           : 0.0;
  }
  make_b(s, r);
}

/* Beside every basis in turn: what is called solved is a solution, the only one where there is one; nothing
 * is found where there is none; P-matrices and semidefinite ones are always solved where they can be. */
START_TEST(agrees_with_all_bases)
{
  SOLVER(lcp_marquardt);
  const int cases = random_cases(6000);
  int solvable[SORTS] = {0}, solved[SORTS] = {0};
  for (int k = 0; k < cases; k++) {
    const int sort = k % SORTS;
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k / SORTS % 6);
    double x[MOST];
    make_sort(s, &r, sort);
    if (sort < 2 && random_below(&r, 2)) {
      make_bounds(s, &r);
    }
    use_kind(s, k / SORTS % KINDS);
    const int count = count_solutions(&s->p, x);
    const nsdyn_status status = run(&by, s, NULL);
    REQUIRE(status == NSDYN_OK || status == NSDYN_MAX_ITERATIONS, "seed %d: %d", k, (int)status);
    REQUIRE((status == NSDYN_OK) == (residual_of(s) <= 1e-9), "seed %d: residual %g", k, residual_of(s));
    REQUIRE(status != NSDYN_OK || is_solution(&s->p, s->x, 1e-9), "seed %d", k);
    if (sort == 0) {
      REQUIRE(count >= 1 && distance(s->p.n, s->x, x) <= 1e-7, "seed %d: %d, %g", k, count,
              distance(s->p.n, s->x, x));
    }
    solvable[sort] += count > 0;
    solved[sort] += count > 0 && status == NSDYN_OK;
    free(s);
  }
  for (int sort = 0; sort < SORTS; sort++) {
    /* Semidefinite: all but a few of a thousand; copositive: some have minima that are none; integers: most.
     */
    const double share = sort == 0 ? 1.0 : sort == 1 ? 0.99 : sort == 2 ? 0.98 : 0.9;
    REQUIRE(solvable[sort] < 100 || solved[sort] >= share * solvable[sort], "sort %d: %d of %d", sort,
            solved[sort], solvable[sort]);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* The same problem with all lengths and forces in other units: 1e12 of the one are 1e−12 of the other, and
 * 1e200. */
START_TEST(takes_the_same_steps_in_other_units)
{
  SOLVER(lcp_marquardt);
  problem *q = problem_new(MOST);
  const int friction = problem_class_find("planar_friction");
  static const int exponents[] = {-600, -40, 40, 600};
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    solving *s = solving_new(0);
    problem_make(q, friction, 6 + k % 24, (uint64_t)k);
    memcpy(s->A, q->A, (size_t)(q->n * q->n) * sizeof *s->A);
    memcpy(s->b, q->b, (size_t)q->n * sizeof *s->b);
    s->p.n = s->p.lda = q->n;
    use_kind(s, k % KINDS);
    const nsdyn_status status = run(&by, s, NULL);
    const int steps = s->answer.iterations;
    for (int l = 0; l < 4; l++) {
      for (int i = 0; i < q->n; i++) {
        s->b[i] = ldexp(q->b[i], exponents[l]);
      }
      REQUIRE(run(&by, s, NULL) == status, "seed %d", k);
      REQUIRE(s->answer.iterations == steps, "seed %d: %d, not %d", k, s->answer.iterations, steps);
    }
    free(s);
  }
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

static void make_regular(solving *s, random_state *r, int k)
{
  make_p_matrix(s, r, k % P_KINDS);
  for (int i = 0; i < s->p.n; i++) {
    s->b[i] = random_normal(r);
  }
  use_kind(s, k % KINDS);
}

START_TEST(a_basis_to_start_from)
{
  SOLVER(lcp_marquardt);
  (void)check_warm_starts(&by, make_regular, 500, 30, 0);
  nsd_arena_release(&arena);
}
END_TEST

/* Every class of the generator: no answer without its certificate, none where there is no solution. Of
 * P-matrices the projected method misses none. Of semidefinite matrices and of well-posed friction problems
 * all but a few: the projected method misses none of 18 000, the regular one creeps along kinks in one of 2
 * 000. */
START_TEST(every_class_of_problems)
{
  SOLVER(lcp_marquardt);
  problem *q = problem_new(MOST);
  solving *s = solving_new(0);
  const int cases = random_cases(24);
  int asked[2] = {0, 0}, solved[2] = {0, 0};
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(q, c, 1 + 3 * k % 32, (uint64_t)k);
      s->p = (nsd_lcp_problem){
          .n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = problem_lo(q), .hi = problem_hi(q)};
      use_kind(s, k % KINDS);
      const nsdyn_status status = run(&by, s, NULL);
      REQUIRE(status == NSDYN_OK || status == NSDYN_MAX_ITERATIONS, "%s, seed %d", q->name, k);
      REQUIRE(isfinite(residual_of(s)), "%s, seed %d", q->name, k);
      REQUIRE((status == NSDYN_OK) == (residual_of(s) <= 1e-9), "%s, seed %d", q->name, k);
      REQUIRE(status != NSDYN_OK || q->promise != PROBLEM_NONE, "%s, seed %d", q->name, k);
      REQUIRE(status == NSDYN_OK || !(q->traits & PROBLEM_P) || k % 2 == 0, "%s, seed %d", q->name, k);
      const int is_friction =
          c == problem_class_find("planar_friction") || c == problem_class_find("polyhedral");
      if ((is_friction || (q->traits & PROBLEM_PSD)) &&
          (q->promise == PROBLEM_SOLVABLE || q->promise == PROBLEM_UNIQUE)) {
        asked[k % 2]++;
        solved[k % 2] += status == NSDYN_OK;
      }
    }
  }
  ck_assert_msg(solved[0] >= 0.99 * asked[0], "regular: %d of %d", solved[0], asked[0]);
  ck_assert_msg(solved[1] >= 0.998 * asked[1], "projected: %d of %d", solved[1], asked[1]);
  free(s);
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

/* Matrices without any class: a run that ends in a minimum that is no solution begins again elsewhere, and of
 * those left unsolved by one run a good part is solved by six. One run ends before
 * the limit. */
START_TEST(stalls_are_seen_and_restarted)
{
  SOLVER(lcp_marquardt);
  problem *q = problem_new(MOST);
  solving *s = solving_new(0);
  const int cases = random_cases(100);
  int unsolved[2] = {0, 0};
  for (int k = 0; k < cases; k++) {
    problem_make(q, problem_class_find("random_solvable"), 1 + k % 30, (uint64_t)k);
    s->p = (nsd_lcp_problem){.n = q->n, .lda = q->n, .A = q->A, .b = q->b};
    use_kind(s, k % KINDS);
    for (int many = 0; many < 2; many++) {
      s->options.marquardt_restarts = many ? 5 : 0;
      const nsdyn_status status = run(&by, s, NULL);
      REQUIRE((status == NSDYN_OK) == (residual_of(s) <= 1e-9), "seed %d", k);
      REQUIRE(many || s->answer.iterations < 1000, "seed %d: %d", k, s->answer.iterations);
      unsolved[many] += status != NSDYN_OK;
    }
  }
  ck_assert_msg(cases < 30 || (unsolved[0] > 0 && unsolved[1] <= 0.7 * unsolved[0]), "%d of %d, then %d",
                unsolved[0], cases, unsolved[1]);
  /* A walk along a kink, whose merit falls by a hundredth in fifty steps, is a stall as well. */
  problem_make(q, problem_class_find("psd_nonsymmetric"), 22, 51);
  s->p = (nsd_lcp_problem){.n = q->n, .lda = q->n, .A = q->A, .b = q->b};
  use_kind(s, 0);
  s->options.marquardt_restarts = 0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_MAX_ITERATIONS);
  ck_assert_int_lt(s->answer.iterations, 1000);
  free(s);
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

/* Mylapilli & Jain's first example, a sphere that slides on a plane, as the LCP of their §3 with four
 * directions, one of them aligned: μ = 0.2, v = 2, m = r = 1, Δt = 1 ms. In each step until it rolls, at
 * t = 2 v / (7 μ g), friction takes μ g Δt; then it rolls with 5 v / 7. */
START_TEST(the_sphere_of_the_paper_slides_and_rolls)
{
  enum { STEPS = 600, N = 6 };
  const double g = 9.81, mu = 0.2, dt = 1e-3, inertia = 0.4;
  SOLVER(lcp_marquardt);
  for (int kind = 0; kind < KINDS; kind++) {
    solving *s = solving_new(N);
    use_kind(s, kind);
    double v[2] = {2.0, 0.0}, omega[2] = {0.0, 0.0}; /* along x and y; r ω of what turns towards x and y */
    for (int k = 0; k < STEPS; k++) {
      /* x = (Λ_N, β_1 … β_4, σ), directions +x, +y, −x, −y; the contact point slips with v − ω. A unit of
       * impulse along a direction changes that by 1/m + r²/I. */
      static const double d[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
      memset(s->A, 0, sizeof s->A);
      s->A[0] = 1.0;
      s->b[0] = -g * dt;
      for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
          s->A[(1 + i) * N + 1 + j] = (d[i][0] * d[j][0] + d[i][1] * d[j][1]) * (1.0 + 1.0 / inertia);
        }
        s->A[(1 + i) * N + 5] = 1.0;
        s->A[5 * N + 1 + i] = -1.0;
        s->b[1 + i] = d[i][0] * (v[0] - omega[0]) + d[i][1] * (v[1] - omega[1]);
      }
      s->A[5 * N] = mu;
      s->b[5] = 0.0;
      check_solved(&by, s, NULL, k);
      for (int i = 0; i < 4; i++) {
        for (int l = 0; l < 2; l++) {
          v[l] += d[i][l] * s->x[1 + i];
          omega[l] -= d[i][l] * s->x[1 + i] / inertia;
        }
      }
      const double t = (k + 1) * dt;
      const double closed = t < 2.0 * 2.0 / (7.0 * mu * g) ? 2.0 - mu * g * t : 5.0 / 7.0 * 2.0;
      REQUIRE(fabs(v[0] - closed) <= mu * g * dt && fabs(v[1]) <= 1e-9, "kind %d, step %d: (%g, %g), not %g",
              kind, k, v[0], v[1], closed);
    }
    REQUIRE(fabs(v[0] - 10.0 / 7.0) <= 1e-8 && fabs(omega[0] - v[0]) <= 1e-8, "kind %d: %.12g", kind, v[0]);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* The example of §2.2: y = 0.1 + 0 x, whose ψ is flat far out: the solution x = 0 is found from there. */
START_TEST(far_out_the_certificate_is_not_deceived)
{
  SOLVER(lcp_marquardt);
  const int32_t basic = NSDYN_LCP_BASIC;
  for (int kind = 0; kind < KINDS; kind++) {
    solving *s = solving_new(1);
    use_kind(s, kind);
    s->A[0] = 1e-21; /* the basis begins at x = −1e20 */
    s->b[0] = 0.1;
    check_solved(&by, s, &basic, kind);
    ck_assert(s->x[0] == 0.0);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(limits_and_extremes)
{
  SOLVER(lcp_marquardt);
  check_limits(&by, use_kind, KINDS);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/semismooth/marquardt", TEST(solves_p_matrices), TEST(agrees_with_all_bases),
      TEST(takes_the_same_steps_in_other_units), TEST(a_basis_to_start_from), TEST(every_class_of_problems),
      TEST(stalls_are_seen_and_restarted), TEST(the_sphere_of_the_paper_slides_and_rolls),
      TEST(far_out_the_certificate_is_not_deceived), TEST(limits_and_extremes))
