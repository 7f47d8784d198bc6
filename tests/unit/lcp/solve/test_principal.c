/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/principal.h"

#include "solving.h"
#include "support/problems.h"

/* b := y − A x with 0 <= x ⊥ y >= 0, many of both zero: feasible for every A. */
static void make_feasible(solving *s, random_state *r)
{
  double x[MOST];
  for (int i = 0; i < s->p.n; i++) {
    x[i] = random_below(r, 3) ? 0.0 : random_unit(r);
    s->b[i] = x[i] > 0.0 || random_below(r, 2) ? 0.0 : random_unit(r);
  }
  for (int i = 0; i < s->p.n; i++) {
    for (int j = 0; j < s->p.n; j++) {
      s->b[i] -= *element(s, i, j) * x[j];
    }
  }
}

static void make_semidefinite(solving *s, random_state *r, int k)
{
  (void)k;
  make_gram(s, r, random_below(r, s->p.n + 1), 0.0);
  make_feasible(s, r);
}

static void make_boxes(solving *s, random_state *r, int k)
{
  (void)k;
  make_gram(s, r, random_below(r, s->p.n + 1), 0.0);
  for (int i = 0; i < s->p.n; i++) {
    s->b[i] = random_normal(r);
    s->lo[i] = random_normal(r);
    s->hi[i] = s->lo[i] + (random_below(r, 4) ? 2.0 * random_unit(r) : 0.0);
  }
  s->p.lo = s->lo;
  s->p.hi = s->hi;
}

static void make_unique(solving *s, random_state *r, int k)
{
  make_gram(s, r, s->p.n, 0.1);
  make_b(s, r);
  if (k % 2) {
    make_bounds(s, r);
  }
}

/* Without degenerate unknowns. */
static void make_regular(solving *s, random_state *r, int k)
{
  (void)k;
  make_gram(s, r, s->p.n, 0.1);
  for (int i = 0; i < s->p.n; i++) {
    s->b[i] = random_normal(r);
  }
}

START_TEST(solves_semidefinite_problems_of_every_rank)
{
  SOLVER(principal);
  check_class(&by, make_semidefinite, 4000, 60, 20);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(solves_boxes_around_semidefinite_matrices)
{
  SOLVER(principal);
  check_class(&by, make_boxes, 3000, 60, 0);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(agrees_with_all_bases_where_x_is_unique)
{
  SOLVER(principal);
  check_beside_all_bases(&by, make_unique, 1500, 6, 1e-8);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_basis_to_start_from)
{
  SOLVER(principal);
  ck_assert_int_eq(check_warm_starts(&by, make_regular, 1000, 60, 3), 0);
  nsd_arena_release(&arena);
}
END_TEST

/* v as nsdyn_lcp_ray() promises it: the signs that the bounds ask for, Aᵀ v = 0, bᵀ v < 0. */
static void check_proof(const solving *s, int seed)
{
  const double *v = s->ray;
  double value = 0.0;
  double terms = 0.0;
  ck_assert(s->answer.has_ray);
  for (int i = 0; i < s->p.n; i++) {
    ck_assert(!(v[i] > 0.0 && nsd_lcp_hi(&s->p, i) < INFINITY));
    ck_assert(!(v[i] < 0.0 && nsd_lcp_lo(&s->p, i) > -INFINITY));
    value += v[i] * s->b[i];
    terms += fabs(v[i] * s->b[i]);
    double sum = 0.0;
    double size = 0.0;
    for (int j = 0; j < s->p.n; j++) {
      sum += nsd_lcp_row(&s->p, j)[i] * v[j];
      size += fabs(nsd_lcp_row(&s->p, j)[i] * v[j]);
    }
    ck_assert_msg(fabs(sum) <= 1e-9 * size, "seed %d: row %d of Aᵀ v is %g of %g", seed, i, sum, size);
  }
  ck_assert_msg(value < -1e-10 * terms, "seed %d: bᵀ v = %g", seed, value);
}

/* Every class of the generator: what is symmetric and semidefinite is solved or proved to be infeasible, what
 * is not symmetric is refused, and nothing that is solved lacks its certificate. */
START_TEST(every_class_of_problems)
{
  SOLVER(principal);
  problem *q = problem_new(MOST);
  solving *s = solving_new(0);
  const int cases = random_cases(150);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(q, c, 1 + k % 60, (uint64_t)k);
      s->p = (nsd_lcp_problem){
          .n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = problem_lo(q), .hi = problem_hi(q)};
      memcpy(s->b, q->b, (size_t)q->n * sizeof *s->b);
      s->answer.has_ray = 0;
      const nsdyn_status status = run(&by, s, NULL);
      if (status == NSDYN_OK) {
        ck_assert_msg(residual_of(s) <= 1e-9, "%s, seed %d: residual %g", q->name, k, residual_of(s));
        ck_assert_msg(q->promise != PROBLEM_NONE, "%s, seed %d", q->name, k);
      }
      if (status == NSDYN_NO_SOLUTION) {
        ck_assert_msg(q->promise == PROBLEM_NONE || q->promise == PROBLEM_OPEN, "%s, seed %d", q->name, k);
        check_proof(s, k);
      }
      if ((q->traits & PROBLEM_SYMMETRIC) && (q->traits & PROBLEM_PSD)) {
        const nsdyn_status due = q->promise == PROBLEM_NONE ? NSDYN_NO_SOLUTION : NSDYN_OK;
        ck_assert_msg(status == due, "%s, seed %d: status %d", q->name, k, (int)status);
      }
    }
  }
  free(s);
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

/* A grid of the same values everywhere: every ratio test is a tie. */
START_TEST(ties_everywhere)
{
  SOLVER(principal);
  for (int n = 1; n <= 60; n++) {
    solving *s = solving_new(n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        *element(s, i, j) = (i - j) % 3 ? 0.0 : 1.0;
      }
      s->b[i] = i % 2 ? -1.0 : 0.0;
      s->hi[i] = 1.0;
    }
    check_solved(&by, s, NULL, n);
    s->p.lo = s->lo;
    s->p.hi = s->hi;
    check_solved(&by, s, NULL, n);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(ill_conditioned)
{
  SOLVER(principal);
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(2 + k % 29);
    for (int i = 0; i < s->p.n; i++) {
      for (int j = 0; j < s->p.n; j++) {
        *element(s, i, j) = 1.0 / (1 + i + j); /* Hilbert */
      }
      s->b[i] = random_between(&r, -0.5, 0.5);
    }
    check_solved(&by, s, NULL, k);
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(refuses_what_it_is_not_made_for)
{
  SOLVER(principal);
  random_state r = random_seed(2);
  solving *s = solving_new(5);
  make_gram(s, &r, 5, 1.0);
  for (int i = 0; i < 5; i++) {
    s->b[i] = -1.0;
  }
  *element(s, 3, 1) += 1e-6;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 3);
  *element(s, 3, 1) = *element(s, 1, 3);
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
  *element(s, 2, 2) = -1.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(s->answer.refused_row, 2);
  /* Symmetric, but indefinite: eigenvalues 3 and −1. */
  s->p.n = s->p.lda = 2;
  s->A[0] = s->A[3] = 1.0;
  s->A[1] = s->A[2] = 2.0;
  s->b[0] = -1.0;
  s->b[1] = -3.0;
  const nsdyn_status status = run(&by, s, NULL);
  ck_assert(status == NSDYN_ERR_UNSUPPORTED || (status == NSDYN_OK && residual_of(s) <= 1e-9));
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(limits_and_extremes)
{
  SOLVER(principal);
  random_state r = random_seed(5);
  solving *s = solving_new(40);
  const int32_t all_at_lo[40] = {0};
  make_gram(s, &r, 40, 0.01);
  for (int i = 0; i < 40; i++) {
    s->b[i] = random_normal(&r);
  }
  s->options.max_iterations = 2;
  ck_assert_int_eq(run(&by, s, all_at_lo), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(s->answer.iterations, 2);
  ck_assert(isfinite(residual_of(s)) && residual_of(s) > 1e-9);
  s->p.n = 0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
  s->p.n = s->p.lda = 1;
  s->options.max_iterations = -1;
  s->A[0] = 1e-300;
  s->b[0] = -1e300;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_ERR_NOT_FINITE);
  s->A[0] = 0.0;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_NO_SOLUTION);
  check_proof(s, 0);
  s->hi[0] = 3.0;
  s->p.lo = s->lo;
  s->p.hi = s->hi;
  ck_assert_int_eq(run(&by, s, NULL), NSDYN_OK);
  ck_assert(s->x[0] == 3.0);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/principal", TEST(solves_semidefinite_problems_of_every_rank),
      TEST(solves_boxes_around_semidefinite_matrices), TEST(agrees_with_all_bases_where_x_is_unique),
      TEST(a_basis_to_start_from), TEST(every_class_of_problems), TEST(ties_everywhere),
      TEST(ill_conditioned), TEST(refuses_what_it_is_not_made_for), TEST(limits_and_extremes))
