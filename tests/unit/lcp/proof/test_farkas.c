/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/proof/farkas.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "support/problems.h"

#define MOST 60

typedef struct bench {
  problem *p;
  nsd_arena arena;
  nsd_farkas w;
} bench;

static bench bench_new(void)
{
  bench t = {.p = problem_new(MOST), .arena = nsd_arena_empty(NULL)};
  nsd_arena measure = nsd_arena_measure();
  nsd_farkas_lay_out(&measure, &t.w, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t.arena, &measure), NSDYN_OK);
  nsd_farkas_lay_out(&t.arena, &t.w, MOST);
  return t;
}

static void bench_free(bench *t)
{
  nsd_arena_release(&t->arena);
  problem_free(t->p);
}

static nsd_lcp_problem as_lcp(const problem *p)
{
  return (nsd_lcp_problem){
      .n = p->n, .lda = p->n, .A = p->A, .b = p->b, .lo = problem_lo(p), .hi = problem_hi(p)};
}

START_TEST(constructed_proofs_hold)
{
  bench t = bench_new();
  const int cases = random_cases(400);
  int proofs = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(t.p, c, 1 + k % MOST, (uint64_t)k);
      const nsd_lcp_problem lcp = as_lcp(t.p);
      if (t.p->has_v) {
        REQUIRE(nsd_farkas_holds(&t.w, &lcp, t.p->v), "%s %d", t.p->name, k);
        proofs++;
      }
    }
  }
  ck_assert_int_ge(proofs, 5 * cases);
  bench_free(&t);
}
END_TEST

/* What a solver that ends on such a ray hands over: any multiple, rounding, noise in the other entries. */
START_TEST(proofs_are_found_again)
{
  bench t = bench_new();
  const int cases = random_cases(400);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(t.p, c, 1 + k % MOST, (uint64_t)k);
      const nsd_lcp_problem lcp = as_lcp(t.p);
      random_state r = random_seed((uint64_t)k);
      const double factor = random_scale(&r, 3.0);
      double v[MOST];
      for (int i = 0; t.p->has_v && i < t.p->n; i++) {
        v[i] = factor * t.p->v[i] * (1.0 + random_between(&r, -1e-14, 1e-14));
        if (v[i] == 0.0 && !(t.p->traits & PROBLEM_SCALED)) {
          v[i] = factor * random_between(&r, -1e-15, 1e-15);
        }
      }
      if (t.p->has_v) {
        REQUIRE(nsd_farkas_find(&t.w, &lcp, v), "%s %d, n = %d", t.p->name, k, t.p->n);
        REQUIRE(nsd_farkas_holds(&t.w, &lcp, v), "%s %d, n = %d", t.p->name, k, t.p->n);
      }
    }
  }
  bench_free(&t);
}
END_TEST

/* Real numbers: some columns with (Aᵀv)_j = 0 to rounding, of either sign, fewer than v has entries; the
 * others safely negative. */
static void make_real(problem *p, random_state *r, int n)
{
  const int k = random_below(r, n);
  int support = 0;
  double sum_b = 0.0;
  p->n = n;
  for (int i = 0; i < n; i++) {
    p->v[i] = i == k || random_below(r, 4) ? random_between(r, 0.1, 1.0) : 0.0;
    p->b[i] = random_between(r, -1.0, 1.0);
    support += p->v[i] != 0.0;
    sum_b += i == k ? 0.0 : p->b[i] * p->v[i];
  }
  p->b[k] = -(sum_b + random_between(r, 0.1, 1.0)) / p->v[k];
  const int tight = random_below(r, support);
  for (int j = 0; j < n; j++) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      p->A[i * n + j] = random_between(r, -1.0, 1.0);
      sum += i == k ? 0.0 : p->A[i * n + j] * p->v[i];
    }
    p->A[k * n + j] = -(sum + (j < tight ? 0.0 : random_between(r, 0.01, 1.0))) / p->v[k];
  }
}

START_TEST(tight_columns_of_real_numbers_are_moved_inwards)
{
  bench t = bench_new();
  const int cases = random_cases(3000);
  int as_they_stood = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 2 + k % (MOST - 1);
    make_real(t.p, &r, n);
    const nsd_lcp_problem lcp = {.n = n, .lda = n, .A = t.p->A, .b = t.p->b};
    as_they_stood += nsd_farkas_holds(&t.w, &lcp, t.p->v);
    REQUIRE(nsd_farkas_find(&t.w, &lcp, t.p->v), "seed %d, n = %d", k, n);
    REQUIRE(nsd_farkas_holds(&t.w, &lcp, t.p->v), "seed %d, n = %d", k, n);
  }
  ck_assert_int_lt(as_they_stood, cases / 2);
  bench_free(&t);
}
END_TEST

/* Conditions in integers, exactly. */
static int holds_in_integers(const nsd_lcp_problem *p, const double *v)
{
  long long total = 0;
  for (int i = 0; i < p->n; i++) {
    if ((v[i] < 0.0 && nsd_lcp_lo(p, i) > -INFINITY) || (v[i] > 0.0 && nsd_lcp_hi(p, i) < INFINITY)) {
      return 0;
    }
    total += (long long)(v[i] * p->b[i]);
  }
  for (int j = 0; j < p->n; j++) {
    const double lo = nsd_lcp_lo(p, j);
    const double hi = nsd_lcp_hi(p, j);
    long long c = 0;
    for (int i = 0; i < p->n; i++) {
      c += (long long)(nsd_lcp_row(p, i)[j] * v[i]);
    }
    if ((c > 0 && hi == INFINITY) || (c < 0 && lo == -INFINITY)) {
      return 0;
    }
    total += c > 0 ? c * (long long)hi : c < 0 ? c * (long long)lo : 0;
  }
  return total < 0;
}

START_TEST(agrees_with_integers)
{
  bench t = bench_new();
  const int cases = random_cases(40000);
  int proofs = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + random_below(&r, 3);
    double A[9];
    double b[3];
    double lo[3];
    double hi[3];
    double v[3];
    const int plain = random_below(&r, 2);
    for (int i = 0; i < n * n; i++) {
      A[i] = random_below(&r, 5) - 3;
    }
    for (int i = 0; i < n; i++) {
      const int kind = random_below(&r, 5);
      b[i] = random_below(&r, 7) - 5;
      v[i] = random_below(&r, 5) - (plain ? 0 : 1);
      lo[i] = kind == 1 || kind == 2 ? -(double)INFINITY : random_below(&r, 5) - 2.0;
      hi[i] = kind == 0 || kind == 2 ? INFINITY
              : kind == 1            ? random_below(&r, 5) - 2
                                     : lo[i] + (double)(kind - 3);
    }
    const nsd_lcp_problem lcp = {
        .n = n, .lda = n, .A = A, .b = b, .lo = plain ? NULL : lo, .hi = plain ? NULL : hi};
    const int expected = holds_in_integers(&lcp, v);
    REQUIRE(nsd_farkas_holds(&t.w, &lcp, v) == expected, "seed %d: expected %d", k, expected);
    proofs += expected;
  }
  ck_assert_int_gt(proofs, cases / 50);
  bench_free(&t);
}
END_TEST

/* Candidates that come close: the point itself, its y, noise, and a vector that would prove the twin. */
static void offer_candidates(bench *t, random_state *r, const nsd_lcp_problem *lcp, const double *x,
                             const double *twin)
{
  double v[MOST];
  for (int kind = 0; kind < 6; kind++) {
    for (int i = 0; i < lcp->n; i++) {
      const double noise = random_between(r, 0.0, 1.0);
      const double near = kind % 2 ? 1.0 + 1e-14 * noise : 1.0;
      v[i] = kind < 2 ? near * x[i] : kind < 4 && twin ? near * twin[i] : noise * (kind == 5 ? 1e-12 : 1.0);
    }
    REQUIRE(!nsd_farkas_find(&t->w, lcp, v), "%s, seed %d, n = %d: candidate %d", t->p->name, (int)t->p->seed,
            lcp->n, kind);
  }
}

START_TEST(what_has_a_solution_is_never_proved_to_have_none)
{
  bench t = bench_new();
  const int cases = random_cases(200);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k += 2) { /* even seeds are integers: the solution is one exactly */
      problem_make(t.p, c, 1 + k % MOST, (uint64_t)k);
      random_state r = random_seed((uint64_t)k);
      const nsd_lcp_problem lcp = as_lcp(t.p);
      if (t.p->promise == PROBLEM_SOLVABLE || t.p->promise == PROBLEM_UNIQUE) {
        offer_candidates(&t, &r, &lcp, t.p->has_x ? t.p->x : t.p->b, NULL);
      }
    }
  }
  bench_free(&t);
}
END_TEST

/* Barely feasible, exactly so: with Aᵀv = 0 and b = −A x + y, y = 0 but for at most one row in which v is
 * zero or the gap is one: bᵀv = vᵀy. Lowering b by 2^-30 in a row of v makes the twin that v does prove. */
START_TEST(barely_feasible)
{
  bench t = bench_new();
  const int cases = random_cases(4000);
  const int infeasible = problem_class_find("infeasible_psd");
  for (int k = 0; k < cases; k++) {
    problem *p = t.p;
    problem_make(p, infeasible, 1 + k % 30, (uint64_t)k);
    random_state r = random_seed((uint64_t)k);
    double x[MOST];
    int row = -1;
    for (int i = 0; i < p->n; i++) {
      x[i] = random_below(&r, 4);
      row = p->v[i] == 1.0 ? i : row;
    }
    for (int i = 0; i < p->n; i++) {
      double sum = 0.0;
      for (int j = 0; j < p->n; j++) {
        sum += p->A[i * p->n + j] * x[j];
      }
      p->b[i] = -sum;
    }
    const nsd_lcp_problem lcp = as_lcp(p);
    offer_candidates(&t, &r, &lcp, x, p->v);
    p->b[row] -= 0x1p-30; /* exact: b holds small integers */
    REQUIRE(nsd_farkas_holds(&t.w, &lcp, p->v), "seed %d: the twin", k);
    double v[MOST];
    for (int i = 0; i < p->n; i++) {
      v[i] = p->v[i] * (1.0 + random_between(&r, -1e-15, 1e-15)) / 3.0;
    }
    REQUIRE(nsd_farkas_find(&t.w, &lcp, v), "seed %d: the twin, found", k);
  }
  bench_free(&t);
}
END_TEST

/* A solution far out: (Aᵀv)_j is positive by 2^-e of its terms, so x_j of some 2^e solves it. */
START_TEST(a_solution_far_out_is_one)
{
  bench t = bench_new();
  for (int e = 1; e <= 52; e++) {
    const double eps = ldexp(1.0, -e);
    const double A[4] = {1.0 + eps, -1.0, -1.0, 1.0};
    const double b[2] = {-1.0, -1.0};
    const nsd_lcp_problem feasible = {.n = 2, .lda = 2, .A = A, .b = b}; /* x = (2/eps, 2/eps + 1) */
    const double B[4] = {1.0 - eps, -1.0, -1.0, 1.0};
    const nsd_lcp_problem infeasible = {.n = 2, .lda = 2, .A = B, .b = b};
    double v[2] = {1.0, 1.0};
    ck_assert(!nsd_farkas_holds(&t.w, &feasible, v));
    ck_assert(!nsd_farkas_find(&t.w, &feasible, v));
    ck_assert(v[0] == 1.0 && v[1] == 1.0);
    ck_assert(nsd_farkas_holds(&t.w, &infeasible, v));
    const double hi[2] = {1.0 / eps, 1.0 / eps}; /* bounded rows say nothing */
    const nsd_lcp_problem bounded = {.n = 2, .lda = 2, .A = A, .b = b, .hi = hi};
    ck_assert(!nsd_farkas_holds(&t.w, &bounded, v));
  }
  bench_free(&t);
}
END_TEST

START_TEST(odd_candidates)
{
  bench t = bench_new();
  const double A[4] = {-1.0, 0.0, 0.0, -1.0};
  const double b[2] = {-1.0, -1.0};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  static const double bad[][2] = {{0.0, 0.0},       {NAN, 1.0},  {1.0, INFINITY},
                                  {-INFINITY, 1.0}, {-1.0, 1.0}, {-0.0, 0.0}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    ck_assert_msg(!nsd_farkas_holds(&t.w, &p, bad[k]), "%zu", k);
  }
  double v[2] = {NAN, 1.0};
  ck_assert(!nsd_farkas_find(&t.w, &p, v));
  double zero[2] = {0.0, 0.0};
  ck_assert(!nsd_farkas_find(&t.w, &p, zero));
  double negative[2] = {-1.0, 1.0};
  ck_assert(nsd_farkas_find(&t.w, &p, negative));
  ck_assert(negative[0] == 0.0 && negative[1] > 0.0);
  const nsd_lcp_problem none = {.n = 0, .lda = 0};
  ck_assert(!nsd_farkas_holds(&t.w, &none, v));
  ck_assert(!nsd_farkas_find(&t.w, &none, v));
  bench_free(&t);
}
END_TEST

/* Numbers near the ends of the range: a proof, or an honest no; never a wrong yes. */
START_TEST(extreme_sizes)
{
  static const double sizes[] = {0x1p-1074, 1e-310, 1e-300, 1e-160, 1e-140,
                                 1.0,       1e140,  1e160,  1e300,  1.7e308};
  const size_t count = sizeof sizes / sizeof *sizes;
  bench t = bench_new();
  for (size_t i = 0; i < count * count * count * count; i++) {
    const double a = sizes[i % count];
    const double c = sizes[i / count % count];
    const double b = sizes[i / count / count % count];
    const double v[2] = {sizes[i / count / count / count], sizes[i / count / count / count]};
    const double A[4] = {a, -c, -c, a}; /* column sums a − c */
    const double below[2] = {-b, -b};
    const double above[2] = {b, -b}; /* bᵀv = 0 */
    const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = below};
    const nsd_lcp_problem q = {.n = 2, .lda = 2, .A = A, .b = above};
    REQUIRE(!nsd_farkas_holds(&t.w, &p, v) || a <= c, "%g %g %g %g", a, c, b, v[0]);
    REQUIRE(!nsd_farkas_holds(&t.w, &q, v), "%g %g %g %g", a, c, b, v[0]);
    if (a > 1e-150 && c < 1e150 && b > 1e-150 && b < 1e150 && v[0] == 1.0 && a <= c) {
      REQUIRE(nsd_farkas_holds(&t.w, &p, v), "%g %g %g %g", a, c, b, v[0]);
    }
  }
  bench_free(&t);
}
END_TEST

SUITE("lcp/proof/farkas", TEST(constructed_proofs_hold), TEST(proofs_are_found_again),
      TEST(tight_columns_of_real_numbers_are_moved_inwards), TEST(agrees_with_integers),
      TEST(what_has_a_solution_is_never_proved_to_have_none), TEST(barely_feasible),
      TEST(a_solution_far_out_is_one), TEST(odd_candidates), TEST(extreme_sizes))
