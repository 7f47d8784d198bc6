/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/plain_form.h"

#include "lcp/proof/certificate.h"
#include "lcp/proof/farkas.h"
#include "lcp/solve/lemke.h"
#include "lcp/solve/polish.h"
#include "suite.h"
#include "support/problems.h"

#define MOST 24

typedef struct bench {
  nsd_arena arena;
  nsd_plain_form normal;
  nsd_arena lemke_arena;
  nsd_lemke lemke;
  double plain_x[2 * MOST];
  double ray[2 * MOST];
  int32_t basis[2 * MOST];
  nsd_lcp_answer answer;
  nsd_arena polish_arena;
  nsd_basis polish;
} bench;

static void bench_new(bench *t)
{
  t->arena = nsd_arena_empty(NULL);
  t->lemke_arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_plain_form_lay_out(&measure, &t->normal, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  t->polish_arena = nsd_arena_empty(NULL);
  measure = nsd_arena_measure();
  nsd_basis_lay_out(&measure, &t->polish, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t->polish_arena, &measure), NSDYN_OK);
  nsd_basis_lay_out(&t->polish_arena, &t->polish, MOST);
  measure = nsd_arena_measure();
  nsd_lemke_lay_out(&measure, &t->lemke, 2 * MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t->lemke_arena, &measure), NSDYN_OK);
}

static void bench_free(bench *t)
{
  nsd_arena_release(&t->arena);
  nsd_arena_release(&t->lemke_arena);
  nsd_arena_release(&t->polish_arena);
}

static nsd_lcp_problem make(bench *t, const nsd_lcp_problem *p)
{
  t->arena.used = 0;
  nsd_plain_form_lay_out(&t->arena, &t->normal, p->n);
  nsd_plain_form_make(&t->normal, p, 1e-11);
  return nsd_plain_form_plain(&t->normal);
}

/* Lemke's method on the plain form, its x carried back. */
static nsdyn_status solve(bench *t, const nsd_lcp_problem *p, double *x)
{
  const nsd_lcp_problem plain = make(t, p);
  const nsd_lemke_options options = {.pivot_tol = 1e-11, .max_pivots = 100000};
  t->lemke_arena.used = 0;
  nsd_lemke_lay_out(&t->lemke_arena, &t->lemke, plain.n);
  t->answer = (nsd_lcp_answer){.x = t->plain_x, .basis = t->basis, .ray = t->ray, .refused_row = -1};
  const nsdyn_status status = nsd_lemke_solve(&t->lemke, &plain, &options, &t->answer);
  nsd_plain_form_point(&t->normal, p, t->plain_x, t->basis, x);
  return status;
}

/* A bound is met exactly or, by rounding, overstepped a little: then it is met. */
static void clamp(const nsd_lcp_problem *p, double *x)
{
  for (int i = 0; i < p->n; i++) {
    x[i] = fmin(fmax(x[i], nsd_lcp_lo(p, i)), nsd_lcp_hi(p, i));
  }
}

START_TEST(solutions_carry_back)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  int judged = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int seed = 0; seed < random_cases(300); seed++) {
      problem_make(q, c, 1 + seed % 14, (uint64_t)seed);
      if (!(q->traits & PROBLEM_MIXED) || q->traits & PROBLEM_SCALED || q->promise == PROBLEM_NONE ||
          !(q->traits & (PROBLEM_P | PROBLEM_PSD))) {
        continue;
      }
      const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = q->lo, .hi = q->hi};
      double x[MOST];
      ck_assert_msg(solve(&t, &p, x) == NSDYN_OK, "%s, n %d, seed %d", q->name, q->n, seed);
      clamp(&p, x);
      /* Where x is zero but for rounding, its row has no other scale: the last solve settles that. */
      nsd_basis_of(&p, x, t.basis);
      const double residual = nsd_lcp_polish(&t.polish, &p, t.basis, x, t.ray);
      ck_assert_msg(residual <= 1e-9, "%s, n %d, seed %d: residual %g", q->name, q->n, seed, residual);
      judged++;
    }
  }
  ck_assert_int_ge(judged, random_cases(300) * 4);
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* One row of each kind, by hand: y = x + b. */
START_TEST(every_kind_of_row)
{
  bench t;
  bench_new(&t);
  double A[36] = {0.0};
  for (int i = 0; i < 6; i++) {
    A[7 * i] = 1.0;
  }
  const double inf = INFINITY;
  const double b[6] = {-3.0, 5.0, 1.0, -9.0, 4.0, -1.0};
  const double lo[6] = {1.0, -inf, -inf, -2.0, 7.0, -2.0};
  const double hi[6] = {inf, inf, -4.0, 2.0, 7.0, 2.0};
  const double expected[6] = {3.0, -5.0, -4.0, 2.0, 7.0, 1.0};
  const nsd_lcp_problem p = {.n = 6, .lda = 6, .A = A, .b = b, .lo = lo, .hi = hi};
  double x[6];
  ck_assert_int_eq(solve(&t, &p, x), NSDYN_OK);
  for (int i = 0; i < 6; i++) {
    ck_assert_msg(x[i] == expected[i], "row %d: %g, not %g", i, x[i], expected[i]);
  }
  /* Two rows leave (free, fixed), two boxes bring one more each. */
  ck_assert_int_eq(t.normal.m, 6);
  bench_free(&t);
}
END_TEST

/* The same constraint twice is one constraint; contradicting itself it is none. */
START_TEST(redundant_equations_leave)
{
  bench t;
  bench_new(&t);
  const double A[9] = {2.0, 1.0, 1.0, 1.0, 0.5, 0.5, 1.0, 0.5, 3.0};
  double b[3] = {-2.0, -1.0, -5.0};
  const double lo[3] = {-INFINITY, -INFINITY, 0.0};
  const double hi[3] = {INFINITY, INFINITY, INFINITY};
  const nsd_lcp_problem p = {.n = 3, .lda = 3, .A = A, .b = b, .lo = lo, .hi = hi};
  double x[3];
  ck_assert_int_eq(solve(&t, &p, x), NSDYN_OK);
  ck_assert_int_eq(t.normal.m, 1);
  ck_assert(nsd_certify(&p, x, NULL).residual <= 1e-14);
  b[1] = 1.0;
  ck_assert_int_eq(solve(&t, &p, x), NSDYN_UNDECIDED);
  bench_free(&t);
}
END_TEST

/* A step of x' is a step of x along the direction that belongs to it. */
START_TEST(directions_carry_back)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  int judged = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int seed = 0; seed < random_cases(100); seed++) {
      problem_make(q, c, 1 + seed % 12, (uint64_t)seed);
      if (!(q->traits & PROBLEM_MIXED) || q->traits & PROBLEM_SCALED) {
        continue;
      }
      const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = q->lo, .hi = q->hi};
      const nsd_lcp_problem plain = make(&t, &p);
      random_state random = random_seed((uint64_t)seed);
      const int32_t basis[2 * MOST] = {0};
      double from[2 * MOST];
      double step[2 * MOST];
      double to[2 * MOST];
      for (int i = 0; i < plain.n; i++) {
        from[i] = 0.25 * random_unit(&random);
        step[i] = 0.25 * random_unit(&random);
        to[i] = from[i] + step[i];
      }
      double a[MOST];
      double b[MOST];
      double dx[MOST];
      nsd_plain_form_point(&t.normal, &p, from, basis, a);
      nsd_plain_form_point(&t.normal, &p, to, basis, b);
      nsd_plain_form_direction(&t.normal, step, dx);
      for (int i = 0; i < p.n; i++) {
        const int is_met = a[i] == q->hi[i] || b[i] == q->hi[i] || q->lo[i] == q->hi[i];
        const double size = fabs(a[i]) + fabs(b[i]) + fabs(dx[i]);
        ck_assert_msg(is_met || fabs(b[i] - a[i] - dx[i]) <= 1e-11 * size, "%s, seed %d, row %d: %g, %g",
                      q->name, seed, i, b[i] - a[i], dx[i]);
        judged++;
      }
    }
  }
  ck_assert_int_ge(judged, random_cases(100) * 4);
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* Multipliers carried back belong to the same combination of rows: over the mixed problem's unknowns its sums
 * are those of the plain form's, and zero at unknowns that were solved for. */
START_TEST(multipliers_carry_back)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  const int cases = random_cases(100);
  int solved_for = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      random_state r = random_seed((uint64_t)k);
      problem_make(q, c, 1 + k % MOST, (uint64_t)k);
      if (!(q->traits & PROBLEM_MIXED) || (q->traits & PROBLEM_SCALED)) {
        continue; /* bad units are not for the elimination, which comes after nsd_scale_make() */
      }
      const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = q->lo, .hi = q->hi};
      const nsd_lcp_problem plain = make(&t, &p);
      double plain_v[2 * MOST], v[MOST];
      for (int i = 0; i < plain.n; i++) {
        plain_v[i] = random_normal(&r);
      }
      for (int j = 0; j < p.n; j++) {
        const int s = t.normal.second[j];
        if (s >= 0) {
          plain_v[s] = 0.0;
        }
      }
      nsd_plain_form_multipliers(&t.normal, plain_v, v);
      for (int j = 0; j < p.n; j++) {
        const int f = t.normal.first[j];
        double sum = 0.0, size = 0.0, expected = 0.0;
        for (int i = 0; i < p.n; i++) {
          sum += t.normal.sign[j] * q->A[i * p.n + j] * v[i];
          size += fabs(q->A[i * p.n + j] * v[i]);
        }
        for (int i = 0; f >= 0 && i < plain.n; i++) {
          expected += plain.A[i * plain.n + f] * plain_v[i];
        }
        if (f >= 0 || t.normal.solved_in[j] >= 0) {
          ck_assert_msg(fabs(sum - expected) <= 1e-9 * size, "%s seed %d column %d: %g, not %g", q->name, k,
                        j, sum, expected);
          solved_for += t.normal.solved_in[j] >= 0;
        }
      }
    }
  }
  ck_assert_int_gt(solved_for, cases);
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* x_0 >= 1, x_1 <= 2, 0 <= x_2 <= 3, x_3 free, x_4 = 5: what each fixing of the plain form says of them. */
START_TEST(branches_carry_back)
{
  bench t;
  bench_new(&t);
  enum { N = 5, UP = NSD_FARKAS_POSITIVE, DOWN = NSD_FARKAS_NEGATIVE };
  double A[N * N] = {0.0};
  const double b[N] = {0.0};
  const double inf = INFINITY;
  const double low[N] = {1.0, -inf, 0.0, -inf, 5.0}, high[N] = {inf, 2.0, 3.0, inf, 5.0};
  for (int i = 0; i < N; i++) {
    A[i * N + i] = 1.0;
  }
  const nsd_lcp_problem p = {.n = N, .lda = N, .A = A, .b = b, .lo = low, .hi = high};
  const nsd_lcp_problem plain = make(&t, &p);
  ck_assert_int_eq(plain.n, 4);
  const int up = t.normal.first[0], down = t.normal.first[1], box = t.normal.first[2], v = t.normal.second[2];
  double lo[N], hi[N];
  uint8_t signs[N], fixed[8] = {0};
  ck_assert(nsd_plain_form_branch(&t.normal, &p, fixed, lo, hi, signs));
  ck_assert_mem_eq(lo, low, sizeof lo);
  ck_assert_mem_eq(hi, high, sizeof hi);
  const uint8_t open[N] = {UP, DOWN, 0, UP | DOWN, 0};
  ck_assert_mem_eq(signs, open, sizeof open);

  fixed[up] = fixed[4 + down] = fixed[4 + box] = 1;
  ck_assert(nsd_plain_form_branch(&t.normal, &p, fixed, lo, hi, signs));
  ck_assert(lo[0] == 1.0 && hi[0] == 1.0 && lo[1] == -inf && hi[1] == 2.0 && lo[2] == 0.0 && hi[2] == 3.0);
  const uint8_t some[N] = {UP, UP | DOWN, DOWN, UP | DOWN, 0};
  ck_assert_mem_eq(signs, some, sizeof some);

  fixed[v] = fixed[down] = 1; /* the middle of x_2 */
  ck_assert(nsd_plain_form_branch(&t.normal, &p, fixed, lo, hi, signs));
  ck_assert(lo[1] == 2.0 && hi[1] == 2.0 && signs[2] == (UP | DOWN));

  fixed[4 + box] = fixed[v] = 0;
  fixed[4 + v] = 1;
  ck_assert(nsd_plain_form_branch(&t.normal, &p, fixed, lo, hi, signs));
  ck_assert(lo[2] == 3.0 && hi[2] == 3.0 && signs[2] == DOWN);
  fixed[box] = 1;
  ck_assert(!nsd_plain_form_branch(&t.normal, &p, fixed, lo, hi, signs));
  fixed[4 + v] = 0;
  ck_assert(nsd_plain_form_branch(&t.normal, &p, fixed, lo, hi, signs));
  ck_assert(lo[2] == 0.0 && hi[2] == 0.0 && signs[2] == UP);
  bench_free(&t);
}
END_TEST

SUITE("lcp/solve/plain_form", TEST(multipliers_carry_back), TEST(branches_carry_back),
      TEST(solutions_carry_back), TEST(every_kind_of_row), TEST(redundant_equations_leave),
      TEST(directions_carry_back))
