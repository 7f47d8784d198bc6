/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the tests of the LCP solvers share: a problem with room for its answer, makers of matrices whose class
 * is known by construction, and the search over all complementary bases. */
#ifndef TESTS_UNIT_SOLVING_H
#define TESTS_UNIT_SOLVING_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lcp/proof/certificate.h"
#include "lcp/solve/basis.h"
#include "suite.h"

#define MOST 64 /* unknowns */

typedef struct solving {
  nsd_lcp_problem p; /* points into the arrays below */
  nsd_lcp_answer answer;
  nsdyn_lcp_options options;
  double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST], x[MOST], ray[MOST];
  int32_t basis[MOST];
} solving;

static inline solving *solving_new(int n)
{
  solving *s = calloc(1, sizeof *s);
  ck_assert_ptr_nonnull(s);
  s->p = (nsd_lcp_problem){.n = n, .lda = n, .A = s->A, .b = s->b};
  s->answer = (nsd_lcp_answer){.x = s->x, .basis = s->basis, .ray = s->ray, .refused_row = -1};
  s->options = (nsdyn_lcp_options){.size = sizeof s->options,
                                   .max_iterations = -1,
                                   .automatic_enumerate_up_to = 24,
                                   .tol = 1e-9,
                                   .pivot_tol = 1e-11,
                                   .sweep_relaxation = 1.0,
                                   .newton_fb_lambda = 1.0,
                                   .marquardt_lambda = 1.0,
                                   .marquardt_restarts = 5};
  return s;
}

static inline double residual_of(const solving *s)
{
  return nsd_certify(&s->p, s->x, NULL).residual;
}

static inline double *element(solving *s, int i, int j)
{
  return s->A + i * s->p.n + j;
}

/* A := G Gᵀ + shift I with G n × rank: symmetric, positive semidefinite of that rank where shift = 0. */
static inline void make_gram(solving *s, random_state *r, int rank, double shift)
{
  static double G[MOST * MOST];
  const int n = s->p.n;
  for (int i = 0; i < n * rank; i++) {
    G[i] = random_normal(r);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = i == j ? shift : 0.0;
      for (int k = 0; k < rank; k++) {
        sum += G[i * rank + k] * G[j * rank + k];
      }
      *element(s, i, j) = *element(s, j, i) = sum;
    }
  }
}

/* A matrix whose principal minors are positive, of one of four kinds, none symmetric but the first: Gram,
 * Gram with a skew part, strictly dominant diagonal with any signs, triangular with a positive diagonal. */
enum { P_KINDS = 4 };
static inline void make_p_matrix(solving *s, random_state *r, int kind)
{
  const int n = s->p.n;
  make_gram(s, r, n, 0.1);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i && kind == 1; j++) {
      const double skew = 2.0 * random_normal(r);
      *element(s, i, j) += skew;
      *element(s, j, i) -= skew;
    }
    double sum = 0.1;
    for (int j = 0; j < n && kind >= 2; j++) {
      *element(s, i, j) = kind == 3 && j > i ? 0.0 : random_normal(r);
      sum += i == j ? 0.0 : fabs(*element(s, i, j));
    }
    if (kind >= 2) {
      *element(s, i, i) = kind == 2 ? sum * (1.0 + random_unit(r)) : 0.5 + random_unit(r);
    }
  }
}

/* b normal; in a third of the cases half of it is zero, in another third it has three values only. */
static inline void make_b(solving *s, random_state *r)
{
  const int kind = random_below(r, 3);
  for (int i = 0; i < s->p.n; i++) {
    s->b[i] = kind == 2                         ? (double)(random_below(r, 3) - 1)
              : kind == 1 && random_below(r, 2) ? 0.0
                                                : random_normal(r);
  }
}

/* Bounds of every sort: the half line, two bounds around or beside zero, one value, none. */
static inline void make_bounds(solving *s, random_state *r)
{
  for (int i = 0; i < s->p.n; i++) {
    const int kind = random_below(r, 6);
    const double at = kind == 0 ? 0.0 : random_normal(r);
    s->lo[i] = kind >= 4 ? -INFINITY : at;
    s->hi[i] = kind == 0   ? INFINITY
               : kind == 1 ? at + random_unit(r)
               : kind == 2 ? at
               : kind == 3 ? at + 2.0
               : kind == 4 ? at
                           : INFINITY;
  }
  s->p.lo = s->lo;
  s->p.hi = s->hi;
}

/* Row and column i times 2^k, |k| <= exponent: symmetric scaling, exact. */
static inline void scale_symmetric(solving *s, random_state *r, int exponent)
{
  const int n = s->p.n;
  for (int i = 0; i < n; i++) {
    const double d = ldexp(1.0, random_below(r, 2 * exponent + 1) - exponent);
    for (int j = 0; j < n; j++) {
      *element(s, i, j) *= d;
      *element(s, j, i) *= d;
    }
    s->b[i] *= d;
    s->lo[i] /= d;
    s->hi[i] /= d;
  }
}

/* Whether x solves the problem to 1e-10 of its largest numbers: a judge for problems that are not badly
 * scaled, which takes no offence at rounding in place of a zero. */
static inline int solves(const nsd_lcp_problem *p, const double *x)
{
  double size = 0.0;
  double length = 0.0;
  double worst = 0.0;
  double beyond = 0.0;
  for (int i = 0; i < p->n; i++) {
    double y = p->b[i];
    size = fmax(size, fabs(y));
    length = fmax(length, fabs(x[i]));
    for (int j = 0; j < p->n; j++) {
      const double term = nsd_lcp_row(p, i)[j] * x[j];
      y += term;
      size = fmax(size, fabs(term));
    }
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    beyond = fmax(beyond, fmax(lo - x[i], x[i] - hi));
    if (lo < hi) {
      worst = fmax(worst, x[i] <= lo ? -y : x[i] >= hi ? y : fabs(y));
    }
  }
  return beyond <= 1e-10 * length && worst <= 1e-10 * size;
}

/* Every basis in turn: how many solve the problem; the x of the last that does goes out. */
static inline int count_solutions(const nsd_lcp_problem *p, double *x)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_basis w;
  nsd_basis_lay_out(&measure, &w, p->n);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_basis_lay_out(&arena, &w, p->n);
  int32_t basis[MOST] = {0};
  double trial[MOST];
  int count = 0;
  for (int done = 0; !done;) {
    if (nsd_basis_solve(&w, p, basis, trial) == NSDYN_OK && solves(p, trial)) {
      memcpy(x, trial, (size_t)p->n * sizeof *x);
      count++;
    }
    done = 1;
    for (int i = 0; i < p->n && done; i++) {
      const int places = isfinite(nsd_lcp_hi(p, i)) ? 3 : 2;
      basis[i] = (basis[i] + 1) % places;
      done = basis[i] == 0;
    }
  }
  nsd_arena_release(&arena);
  return count;
}

static inline double distance(int n, const double *x, const double *y)
{
  double most = 0.0;
  double size = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i] - y[i]));
    size = fmax(size, fabs(y[i]));
  }
  return size > 0.0 ? most / size : most;
}

/* A solver under test. */
typedef struct solver {
  nsdyn_status (*run)(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                      const int32_t *start, nsd_lcp_answer *answer);
  void *workspace;
} solver;

static inline nsdyn_status run(const solver *by, solving *s, const int32_t *start)
{
  return by->run(by->workspace, &s->p, &s->options, start, &s->answer);
}

static inline void check_solved(const solver *by, solving *s, const int32_t *start, int seed)
{
  const nsdyn_status status = run(by, s, start);
  REQUIRE(status == NSDYN_OK, "seed %d: status %d", seed, (int)status);
  REQUIRE(residual_of(s) <= 1e-9, "seed %d: residual %g", seed, residual_of(s));
}

/* Makes problem k of a class that a solver is sure for, and may choose its options. */
typedef void make_problem(solving *s, random_state *r, int k);

static inline void make_p_problem(solving *s, random_state *r, int k)
{
  (void)k;
  make_p_matrix(s, r, random_below(r, P_KINDS));
  make_b(s, r);
  if (random_below(r, 2)) {
    make_bounds(s, r);
  }
}

/* All of the class are solved, a third of them in units 2^-scale … 2^scale, to which 0 adds nothing. */
static inline void check_class(const solver *by, make_problem *make, int cases, int most, int scale)
{
  for (int k = 0; k < random_cases(cases); k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % most);
    make(s, &r, k);
    if (random_below(&r, 3) == 0) {
      scale_symmetric(s, &r, scale);
    }
    check_solved(by, s, NULL, k);
    free(s);
  }
}

/* The x of the only basis that solves it. */
static inline void check_beside_all_bases(const solver *by, make_problem *make, int cases, int most,
                                          double tol)
{
  for (int k = 0; k < random_cases(cases); k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % most);
    double x[MOST];
    make(s, &r, k);
    check_solved(by, s, NULL, k);
    REQUIRE(count_solutions(&s->p, x) >= 1, "seed %d", k);
    REQUIRE(distance(s->p.n, s->x, x) <= tol, "seed %d: %g", k, distance(s->p.n, s->x, x));
    free(s);
  }
}

/* Returns how many it cannot solve. No step is needed from the solution's basis, where none is degenerate;
 * and with `places`, from any of so many places for each unknown, the problem is solved too. */
static inline int check_warm_starts(const solver *by, make_problem *make, int cases, int most, int places)
{
  int unsolved = 0;
  for (int k = 0; k < random_cases(cases); k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % most);
    int32_t basis[MOST];
    make(s, &r, k);
    if (run(by, s, NULL) == NSDYN_OK) {
      memcpy(basis, s->basis, sizeof basis);
      check_solved(by, s, basis, k);
      REQUIRE(s->answer.iterations == 0, "seed %d: %d steps from the solution", k, s->answer.iterations);
    } else {
      unsolved++;
    }
    for (int i = 0; i < s->p.n; i++) {
      basis[i] = places ? random_below(&r, places) : 0;
    }
    if (places) {
      check_solved(by, s, basis, k);
    }
    free(s);
  }
  return unsolved;
}

/* One unknown at the ends of what there is: y = −1 − x has no zero with x >= 0 but one without bounds; y = −1
 * has none at all: a flat merit function. `choose` sets the options of each kind. */
static inline void check_limits(const solver *by, void (*choose)(solving *s, int kind), int kinds)
{
  for (int kind = 0; kind < kinds; kind++) {
    solving *s = solving_new(1);
    choose(s, kind);
    s->A[0] = -1.0;
    s->b[0] = -1.0;
    ck_assert_int_eq(run(by, s, NULL), NSDYN_MAX_ITERATIONS);
    ck_assert(s->x[0] >= 0.0 && isfinite(residual_of(s)));
    s->lo[0] = -INFINITY;
    s->hi[0] = INFINITY;
    s->p.lo = s->lo;
    s->p.hi = s->hi;
    check_solved(by, s, NULL, kind);
    ck_assert(s->x[0] == -1.0);
    s->A[0] = 0.0;
    ck_assert_int_eq(run(by, s, NULL), NSDYN_MAX_ITERATIONS);
    ck_assert(isfinite(s->x[0]));
    s->hi[0] = 5.0;
    s->lo[0] = 4.0;
    check_solved(by, s, NULL, kind);
    ck_assert(s->x[0] == 5.0);
    s->p.lo = s->p.hi = NULL;
    s->A[0] = 1e-300;
    s->b[0] = -1e300;
    ck_assert_int_eq(run(by, s, NULL), NSDYN_MAX_ITERATIONS);
    ck_assert(isfinite(s->x[0]));
    s->b[0] = -1e-300;
    check_solved(by, s, NULL, kind);
    ck_assert(fabs(s->x[0] - 1.0) <= DBL_EPSILON);
    s->options.max_iterations = 0;
    s->b[0] = 1.0;
    check_solved(by, s, NULL, kind);
    s->p.n = 0;
    ck_assert_int_eq(run(by, s, NULL), NSDYN_OK);
    free(s);
  }
}

/* A workspace `w` of type nsd_NAME from an arena, for problems up to MOST. */
#define WORKSPACE(NAME)                                                                                      \
  nsd_arena arena = nsd_arena_empty(NULL);                                                                   \
  nsd_arena measure_ = nsd_arena_measure();                                                                  \
  nsd_##NAME w;                                                                                              \
  nsd_##NAME##_lay_out(&measure_, &w, MOST);                                                                 \
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure_), NSDYN_OK);                                          \
  nsd_##NAME##_lay_out(&arena, &w, MOST)

/* The same, and the solver `by` that works in it. */
#define SOLVER(NAME)                                                                                         \
  WORKSPACE(NAME);                                                                                           \
  const solver by = {nsd_##NAME##_solve, &w}

#endif
