/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the tests of the LCP solvers share: a problem with room for its answer, makers of matrices whose class
 * is known by construction, and the search over all complementary bases. */
#ifndef TESTS_UNIT_SOLVING_H
#define TESTS_UNIT_SOLVING_H

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

/* A workspace `w` of type nsd_NAME from an arena, for problems up to MOST. */
#define WORKSPACE(NAME)                                                                                      \
  nsd_arena arena = nsd_arena_empty(NULL);                                                                   \
  nsd_arena measure_ = nsd_arena_measure();                                                                  \
  nsd_##NAME w;                                                                                              \
  nsd_##NAME##_lay_out(&measure_, &w, MOST);                                                                 \
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure_), NSDYN_OK);                                          \
  nsd_##NAME##_lay_out(&arena, &w, MOST)

#endif
