/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/lemke.h"

#include <string.h>

/* The same source once more, built without AVX2, under other names. */
#include "base/kernels/cpu.h"
#define nsd_cpu_avx2() 0
#define nsd_lemke_lay_out plain_lemke_lay_out
#define nsd_lemke_solve plain_lemke_solve
void plain_lemke_lay_out(nsd_arena *arena, void *workspace, int n);
nsdyn_status plain_lemke_solve(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o,
                               nsd_lcp_answer *answer);
/* NOLINTNEXTLINE(bugprone-suspicious-include): that is the point */
#include "lcp/solve/lemke.c"
#undef nsd_cpu_avx2
#undef nsd_lemke_lay_out
#undef nsd_lemke_solve

#include "lcp/proof/certificate.h"
#include "lcp/solve/basis.h"
#include "lcp/solve/scale.h"
#include "suite.h"
#include "support/problems.h"

#define MOST 60

/* A workspace with its answer. */
typedef struct bench {
  nsd_arena arena;
  nsd_lemke lemke;
  nsd_arena scale_arena;
  nsd_scale scale;
  double x[MOST];
  double ray[MOST];
  int32_t basis[MOST];
  nsd_lcp_answer answer;
} bench;

static void bench_new(bench *t)
{
  t->arena = nsd_arena_empty(NULL);
  t->scale_arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_lemke_lay_out(&measure, &t->lemke, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  measure = nsd_arena_measure();
  nsd_scale_lay_out(&measure, &t->scale, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t->scale_arena, &measure), NSDYN_OK);
}

static void bench_free(bench *t)
{
  nsd_arena_release(&t->arena);
  nsd_arena_release(&t->scale_arena);
}

static nsdyn_status walk(bench *t, const nsd_lcp_problem *p, const nsd_lemke_options *options)
{
  t->arena.used = 0;
  nsd_lemke_lay_out(&t->arena, &t->lemke, p->n);
  t->answer = (nsd_lcp_answer){.x = t->x, .basis = t->basis, .ray = t->ray, .refused_row = -1};
  return nsd_lemke_solve(&t->lemke, p, options, &t->answer);
}

static nsd_lcp_problem view(const problem *q)
{
  return (nsd_lcp_problem){.n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = NULL, .hi = NULL};
}

static nsd_lemke_options lexicographic(int max_pivots)
{
  return (nsd_lemke_options){.ties = NSD_LEMKE_LEXICOGRAPHIC, .pivot_tol = 1e-11, .max_pivots = max_pivots};
}

/* Where the theory promises an answer and the numbers are of like size, it comes, and x is right. */
START_TEST(finds_what_theory_promises)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  const int cases = random_cases(150);
  int judged = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int seed = 0; seed < cases; seed++) {
      problem_make(q, c, 1 + seed % 30, (uint64_t)seed);
      if (!(q->traits & PROBLEM_LEMKE) ||
          q->traits & (PROBLEM_MIXED | PROBLEM_SCALED | PROBLEM_EXPONENTIAL) || q->promise == PROBLEM_NONE) {
        continue;
      }
      const nsd_lcp_problem p = view(q);
      const nsd_lemke_options options = lexicographic(100000);
      ck_assert_msg(walk(&t, &p, &options) == NSDYN_OK, "%s, n %d, seed %d: no solution", q->name, q->n,
                    seed);
      const nsd_certificate certificate = nsd_certify(&p, t.x, NULL);
      ck_assert_msg(certificate.residual <= 1e-9, "%s, n %d, seed %d: residual %g in row %d", q->name, q->n,
                    seed, certificate.residual, certificate.row);
      judged++;
    }
  }
  ck_assert_int_ge(judged, 10 * cases);
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* In units of like size the badly scaled ones are as good as the others. */
START_TEST(units_do_not_matter_when_rescaled)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  const int cases = random_cases(150);
  int judged = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int seed = 0; seed < cases; seed++) {
      problem_make(q, c, 1 + seed % 30, (uint64_t)seed);
      if (!(q->traits & PROBLEM_P) || !(q->traits & PROBLEM_SCALED) || q->traits & PROBLEM_MIXED) {
        continue;
      }
      const nsd_lcp_problem p = view(q);
      t.scale_arena.used = 0;
      nsd_scale_lay_out(&t.scale_arena, &t.scale, p.n);
      const nsd_lcp_problem even = nsd_scale_make(&t.scale, &p);
      nsd_lemke_options options = lexicographic(100000);
      options.ties = NSD_LEMKE_LARGEST_PIVOT;
      options.pivot_tol = 1e-7;
      ck_assert_msg(walk(&t, &even, &options) == NSDYN_OK, "%s, n %d, seed %d", q->name, q->n, seed);
      nsd_scale_point(&t.scale, p.n, t.x);
      const double residual = nsd_certify(&p, t.x, NULL).residual;
      ck_assert_msg(residual <= 1e-9, "%s, n %d, seed %d: residual %g", q->name, q->n, seed, residual);
      judged++;
    }
  }
  ck_assert_int_ge(judged, 3 * cases);
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* x is zero where the basis says so. */
START_TEST(basis_belongs_to_x)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  const int c = problem_class_find("p");
  for (int seed = 0; seed < random_cases(500); seed++) {
    problem_make(q, c, 1 + seed % 20, (uint64_t)seed);
    const nsd_lcp_problem p = view(q);
    const nsd_lemke_options options = lexicographic(10000);
    ck_assert_int_eq(walk(&t, &p, &options), NSDYN_OK);
    for (int i = 0; i < p.n; i++) {
      ck_assert(t.basis[i] == NSDYN_LCP_BASIC || (t.basis[i] == NSDYN_LCP_AT_LO && t.x[i] == 0.0));
    }
  }
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* Every covering vector leads to the one solution of a P-matrix. */
START_TEST(covering_vector_changes_the_path_only)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  const int c = problem_class_find("pd_nonsymmetric");
  for (int seed = 0; seed < random_cases(300); seed++) {
    problem_make(q, c, 1 + seed % 12, (uint64_t)seed);
    const nsd_lcp_problem p = view(q);
    double cover[MOST];
    double x[MOST];
    nsd_lemke_options options = lexicographic(10000);
    ck_assert_int_eq(walk(&t, &p, &options), NSDYN_OK);
    random_state random = random_seed((uint64_t)seed);
    double size = 0.0;
    for (int i = 0; i < p.n; i++) {
      x[i] = t.x[i];
      size = x[i] > size ? x[i] : size;
      cover[i] = random_scale(&random, 2.0);
    }
    options.cover = cover;
    ck_assert_int_eq(walk(&t, &p, &options), NSDYN_OK);
    for (int i = 0; i < p.n; i++) {
      ck_assert_msg(fabs(t.x[i] - x[i]) <= 1e-8 * size, "seed %d, row %d: %g, %g", seed, i, t.x[i], x[i]);
    }
  }
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* Murty's and Fathi's families: 2^n pivots, no more and no less, which is why nobody should rely on Lemke's
 * method alone. */
START_TEST(exponential_families_take_two_to_the_n)
{
  static const char *const families[] = {"murty_lemke", "fathi_lemke"};
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  for (int f = 0; f < 2; f++) {
    const int c = problem_class_find(families[f]);
    ck_assert_int_ge(c, 0);
    /* Fathi's numbers grow like 4^n: from n = 8 on rounding takes the end of the path for the solution. */
    const int most = f == 0 ? 12 : 7;
    for (int n = 2; n <= most; n++) {
      problem_make(q, c, n, 0);
      const nsd_lcp_problem p = view(q);
      const nsd_lemke_options options = lexicographic(1 << 14);
      ck_assert_int_eq(walk(&t, &p, &options), NSDYN_OK);
      ck_assert_msg(t.answer.iterations == 1 << n, "%s, n %d: %d pivots", families[f], n,
                    t.answer.iterations);
    }
  }
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* On the degenerate family the largest pivot walks in circles (in units of like size); the lexicographic
 * order does not. */
START_TEST(lexicographic_order_does_not_cycle)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  const int c = problem_class_find("cycling");
  int circles = 0;
  for (int n = 3; n <= (is_brief() ? 13 : 51); n += 2) {
    for (uint64_t seed = 0; seed < 2; seed++) {
      problem_make(q, c, n, seed);
      const nsd_lcp_problem p = view(q);
      nsd_lemke_options options = lexicographic(n * n);
      ck_assert_msg(walk(&t, &p, &options) == NSDYN_OK, "n %d, seed %d", n, (int)seed);
      ck_assert(nsd_certify(&p, t.x, NULL).residual <= 1e-12);
      options.ties = NSD_LEMKE_LARGEST_PIVOT;
      options.max_pivots = 100000;
      t.scale_arena.used = 0;
      nsd_scale_lay_out(&t.scale_arena, &t.scale, p.n);
      const nsd_lcp_problem even = nsd_scale_make(&t.scale, &p);
      circles += walk(&t, &even, &options) == NSDYN_MAX_ITERATIONS;
    }
  }
  ck_assert_int_gt(circles, 0);
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* For a positive semidefinite A the ray v of x proves that there is no solution: v >= 0, A'v <= 0, b'v < 0.
 */
START_TEST(ray_of_a_semidefinite_problem_is_a_proof)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  const int c = problem_class_find("infeasible_psd");
  for (int seed = 0; seed < random_cases(300); seed++) {
    problem_make(q, c, 1 + seed % 25, (uint64_t)seed);
    const nsd_lcp_problem p = view(q);
    nsd_lemke_options options = lexicographic(10000);
    options.pivot_tol = 1e-9; /* with 1e-11 rounding is taken for a pivot in one of 4 000 */
    ck_assert_msg(walk(&t, &p, &options) == NSDYN_UNDECIDED, "n %d, seed %d", q->n, seed);
    ck_assert(t.answer.has_ray);
    double along_b = 0.0;
    double size = 0.0;
    double scale = 0.0;
    for (int k = 0; k < p.n * p.n; k++) {
      scale = fmax(scale, fabs(p.A[k]));
    }
    for (int j = 0; j < p.n; j++) {
      double sum = 0.0;
      for (int i = 0; i < p.n; i++) {
        sum += t.ray[i] * nsd_lcp_row(&p, i)[j];
      }
      ck_assert(t.ray[j] >= 0.0);
      ck_assert_msg(sum <= 1e-8 * scale, "n %d, seed %d, column %d: %g of %g", q->n, seed, j, sum, scale);
      along_b += t.ray[j] * p.b[j];
      size += fabs(t.ray[j] * p.b[j]);
    }
    ck_assert_msg(along_b < -1e-9 * size, "n %d, seed %d", q->n, seed);
  }
  problem_free(q);
  bench_free(&t);
}
END_TEST

START_TEST(nothing_to_do)
{
  bench t;
  bench_new(&t);
  const nsd_lemke_options options = lexicographic(10);
  const nsd_lcp_problem none = {.n = 0};
  ck_assert_int_eq(walk(&t, &none, &options), NSDYN_OK);
  const double A[4] = {0.0, 0.0, 0.0, 0.0};
  const double b[2] = {0.0, 3.0};
  const nsd_lcp_problem zero = {.n = 2, .lda = 2, .A = A, .b = b};
  ck_assert_int_eq(walk(&t, &zero, &options), NSDYN_OK);
  ck_assert(t.x[0] == 0.0 && t.x[1] == 0.0 && t.answer.iterations == 0);
  bench_free(&t);
}
END_TEST

START_TEST(limit_of_pivots_is_kept)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  problem_make(q, problem_class_find("murty_lemke"), 10, 0);
  const nsd_lcp_problem p = view(q);
  const nsd_lemke_options options = lexicographic(17);
  ck_assert_int_eq(walk(&t, &p, &options), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(t.answer.iterations, 17);
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* Numbers so small that a quotient has no digits left beside the row that rides in it: still the row that
 * leaves is one that the entering variable presses down (an assertion in the code), and the path ends. With a
 * few units of 5e-324 for all digits it need not end at a solution. */
START_TEST(quotients_may_be_subnormal)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  int solved = 0;
  for (int seed = 0; seed < random_cases(2000); seed++) {
    random_state r = random_seed((uint64_t)seed);
    problem_make(q, problem_class_find("p"), 2 + seed % 12, (uint64_t)seed);
    for (int i = 0; i < q->n; i++) {
      q->b[i] = ldexp((double)(random_below(&r, 400) - 200), -1074);
    }
    const nsd_lcp_problem p = view(q);
    const nsd_lemke_options options = lexicographic(1000);
    solved += walk(&t, &p, &options) == NSDYN_OK;
    for (int i = 0; i < p.n; i++) {
      ck_assert(t.x[i] >= 0.0 && t.x[i] < 1e-300);
    }
  }
  ck_assert_int_gt(2 * solved, random_cases(2000));
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* With AVX2 and without: the same path, the same bits, for every length of a row. */
START_TEST(bits_do_not_depend_on_the_processor)
{
  bench t;
  bench_new(&t);
  problem *q = problem_new(MOST);
  for (int seed = 0; seed < random_cases(1500); seed++) {
    const char *const classes[] = {"planar_friction", "tower", "p", "infeasible_psd", "random"};
    problem_make(q, problem_class_find(classes[seed % 5]), 1 + seed % 40, (uint64_t)seed);
    const nsd_lcp_problem p = view(q);
    nsd_lemke_options options = lexicographic(400);
    options.ties = seed % 3 ? NSD_LEMKE_LEXICOGRAPHIC : NSD_LEMKE_LARGEST_PIVOT;
    double x[MOST] = {0.0};
    double ray[MOST] = {0.0};
    int32_t basis[MOST] = {0};
    nsd_lcp_answer other = {.x = x, .basis = basis, .ray = ray, .refused_row = -1};
    const nsdyn_status status = walk(&t, &p, &options);
    ck_assert_int_eq(plain_lemke_solve(&t.lemke, &p, &options, &other), status);
    const size_t size = (size_t)p.n;
    ck_assert_int_eq(other.iterations, t.answer.iterations);
    ck_assert(!memcmp(x, t.x, size * sizeof *x) && !memcmp(basis, t.basis, size * sizeof *basis));
    ck_assert(other.has_ray == t.answer.has_ray &&
              (!other.has_ray || !memcmp(ray, t.ray, size * sizeof *ray)));
  }
  problem_free(q);
  bench_free(&t);
}
END_TEST

/* The basis is complementary and complete, also where z0 came to zero in a tie: its block is regular, and its
 * point is x. (A warm start begins there.) */
START_TEST(basis_is_regular)
{
  bench t;
  bench_new(&t);
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_basis w;
  nsd_basis_lay_out(&measure, &w, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_basis_lay_out(&arena, &w, MOST);
  problem *q = problem_new(MOST);
  for (int kind = 0; kind < SEQUENCE_COUNT; kind++) {
    for (int step = 0; step < random_cases(300); step++) {
      sequence_make(q, (sequence_kind)kind, 6 + 6 * (step % 7), 1, step);
      const nsd_lcp_problem p = view(q);
      const nsd_lemke_options options = lexicographic(10000);
      double x[MOST];
      if (walk(&t, &p, &options) != NSDYN_OK) {
        continue;
      }
      ck_assert_msg(nsd_basis_solve(&w, &p, t.basis, x) == NSDYN_OK, "%s, n %d, step %d",
                    sequence_name((sequence_kind)kind), p.n, step);
      double size = 0.0;
      for (int i = 0; i < p.n; i++) {
        size = fmax(size, t.x[i]);
      }
      for (int i = 0; i < p.n; i++) {
        ck_assert_msg(fabs(x[i] - t.x[i]) <= 1e-8 * size, "%s, n %d, step %d, row %d",
                      sequence_name((sequence_kind)kind), p.n, step, i);
      }
    }
  }
  problem_free(q);
  nsd_arena_release(&arena);
  bench_free(&t);
}
END_TEST

SUITE("lcp/solve/lemke", TEST(quotients_may_be_subnormal), TEST(bits_do_not_depend_on_the_processor),
      TEST(basis_is_regular), TEST(finds_what_theory_promises), TEST(units_do_not_matter_when_rescaled),
      TEST(basis_belongs_to_x), TEST(covering_vector_changes_the_path_only),
      TEST(exponential_families_take_two_to_the_n), TEST(lexicographic_order_does_not_cycle),
      TEST(ray_of_a_semidefinite_problem_is_a_proof), TEST(nothing_to_do), TEST(limit_of_pivots_is_kept))
