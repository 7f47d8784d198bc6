/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Problems by the class of their matrix, and with bounds. Even seeds take small integers wherever the
 * class allows it: then its properties and its solution hold exactly, not to rounding. */
#include <math.h>

#include "makers.h"

static int is_whole(const problem *p)
{
  return p->seed % 2 == 0;
}

static double entry(random_state *r, int whole, double size)
{
  return whole ? random_below(r, 5) - 2 : random_between(r, -size, size);
}

/* A += G Gᵀ, G n × rank. */
static void add_gram(problem *p, random_state *r, int rank, int whole)
{
  const int n = p->n;
  double *G = p->scratch;
  for (int i = 0; i < n * rank; i++) {
    G[i] = entry(r, whole, 1.0);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < rank; k++) {
        sum += G[i * rank + k] * G[j * rank + k];
      }
      *element(p, i, j) += sum;
      if (j < i) {
        *element(p, j, i) += sum;
      }
    }
  }
}

static void add_diagonal(problem *p, double d)
{
  for (int i = 0; i < p->n; i++) {
    *element(p, i, i) += d;
  }
}

static void add_skew(problem *p, random_state *r, int whole, double size)
{
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < i; j++) {
      const double k = whole ? random_below(r, 7) - 3 : random_between(r, -size, size);
      *element(p, i, j) += k;
      *element(p, j, i) -= k;
    }
  }
}

/* Random elements, then a diagonal that exceeds the sum of its row (of its column where `by_column`) by
 * `margin`. */
static void dominant(problem *p, double *A, random_state *r, int whole, double margin, int by_column)
{
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
      const double value = i == j ? 0.0 : entry(r, whole, 1.0);
      A[by_column ? j * n + i : i * n + j] = value;
      sum += fabs(value);
    }
    A[i * n + i] = sum + margin;
  }
}

/* B := B⁻¹ A in place of A, B column dominant: no row exchange needed. */
static void divide_by(problem *p, double *B)
{
  const int n = p->n;
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) {
      const double f = B[i * n + k] / B[k * n + k];
      for (int j = k; j < n; j++) {
        B[i * n + j] -= f * B[k * n + j];
      }
      for (int j = 0; j < n; j++) {
        *element(p, i, j) -= f * *element(p, k, j);
      }
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = 0; j < n; j++) {
      double sum = *element(p, k, j);
      for (int i = k + 1; i < n; i++) {
        sum -= B[k * n + i] * *element(p, i, j);
      }
      *element(p, k, j) = sum / B[k * n + k];
    }
  }
}

/* P by four constructions: positive triangular, dominant with scaled columns, PD between two diagonals,
 * and B⁻¹C with B and C column dominant (Johnson & Tsatsomeros 1995: it is P where BT + C(I−T) is regular for
 * every diagonal T between 0 and I). */
static void fill_p(problem *p, random_state *r)
{
  const int n = p->n;
  const int whole = is_whole(p);
  switch (p->seed / 2 % 4) {
  case 0:
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        *element(p, i, j) = n > 12 ? entry(r, 0, 2.0) / n : entry(r, whole, 2.0);
      }
      *element(p, i, i) = whole ? 1 + random_below(r, 3) : random_between(r, 0.3, 2.0);
    }
    shuffle(p, r);
    break;
  case 1:
    dominant(p, p->A, r, whole, 1.0, 0);
    scale_columns(p, r, 4);
    break;
  case 2:
    add_gram(p, r, n, 0);
    add_diagonal(p, 0.1);
    add_skew(p, r, 0, 2.0);
    scale_rows(p, r, 3);
    scale_columns(p, r, 3);
    break;
  default:
    dominant(p, p->A, r, 0, 0.2, 1);
    dominant(p, p->scratch, r, 0, 0.2, 1);
    divide_by(p, p->scratch);
    break;
  }
  p->traits = PROBLEM_P | PROBLEM_LEMKE | PROBLEM_FEASIBLE;
  p->promise = PROBLEM_UNIQUE;
}

static void b_either_way(problem *p, random_state *r)
{
  if (p->seed % 3 == 0) {
    choose_b(p, r, is_whole(p));
  } else {
    choose_solution(p, r, is_whole(p), 0.0);
  }
}

static void make_p(problem *p, random_state *r)
{
  fill_p(p, r);
  b_either_way(p, r);
}

static void fill_pd(problem *p, random_state *r, int skew)
{
  add_gram(p, r, p->n, is_whole(p));
  add_diagonal(p, is_whole(p) ? 1.0 : 0.05);
  p->traits = PROBLEM_P | PROBLEM_PD | PROBLEM_PSD | PROBLEM_LEMKE | PROBLEM_FEASIBLE;
  if (skew) {
    add_skew(p, r, is_whole(p), 4.0);
  } else {
    p->traits |= PROBLEM_SYMMETRIC;
  }
  p->promise = PROBLEM_UNIQUE;
}

static void make_pd_symmetric(problem *p, random_state *r)
{
  fill_pd(p, r, 0);
  b_either_way(p, r);
}

static void make_pd_nonsymmetric(problem *p, random_state *r)
{
  fill_pd(p, r, 1);
  b_either_way(p, r);
}

static void fill_psd(problem *p, random_state *r, int skew)
{
  add_gram(p, r, (int)(p->seed / 2 % ((uint64_t)p->n + 1)), is_whole(p));
  p->traits = PROBLEM_PSD | PROBLEM_LEMKE | PROBLEM_FEASIBLE;
  if (skew) {
    add_skew(p, r, is_whole(p), 2.0);
  } else {
    p->traits |= PROBLEM_SYMMETRIC;
  }
}

static void make_psd_symmetric(problem *p, random_state *r)
{
  fill_psd(p, r, 0);
  choose_solution(p, r, is_whole(p), p->seed % 3 == 0 ? 0.2 : 0.0);
}

static void make_psd_nonsymmetric(problem *p, random_state *r)
{
  fill_psd(p, r, 1);
  choose_solution(p, r, is_whole(p), p->seed % 3 == 0 ? 0.2 : 0.0);
}

/* Optimality of a linear program, min cᵀu subject to B u >= d, u >= 0: A = [0, −Bᵀ; B, 0], b = (c; −d). */
static void make_linear_program(problem *p, random_state *r)
{
  const int n = p->n;
  const int m = 1 + random_below(r, n - 1);
  for (int i = m; i < n; i++) {
    for (int j = 0; j < m; j++) {
      const double value = entry(r, is_whole(p), 1.0);
      *element(p, i, j) = value;
      *element(p, j, i) = -value;
    }
  }
  p->traits = PROBLEM_PSD | PROBLEM_LEMKE | PROBLEM_FEASIBLE;
  choose_solution(p, r, is_whole(p), 0.1);
}

/* s I − N with N >= 0 and any s: solvable where feasible (it has a least element). */
static void make_z(problem *p, random_state *r)
{
  const double density = random_between(r, 0.1, 1.0);
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      const double value = is_whole(p) ? random_below(r, 3) : random_unit(r);
      *element(p, i, j) = i == j ? value : chance(r, density) ? -value : 0.0;
    }
  }
  p->traits = PROBLEM_Z | PROBLEM_FEASIBLE;
  choose_solution(p, r, is_whole(p), 0.1);
}

static void fill_m(problem *p, random_state *r, int symmetric)
{
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      const double value = -(is_whole(p) ? random_below(r, 3) : random_unit(r));
      *element(p, i, j) = value;
      *element(p, j, i) = symmetric ? value : -(is_whole(p) ? random_below(r, 3) : random_unit(r));
    }
  }
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
      sum -= *element(p, i, j);
    }
    *element(p, i, i) = sum + (is_whole(p) ? 1.0 : 0.1);
  }
  p->traits = PROBLEM_Z | PROBLEM_P | PROBLEM_LEMKE | PROBLEM_FEASIBLE;
  p->promise = PROBLEM_UNIQUE;
}

static void make_m(problem *p, random_state *r)
{
  fill_m(p, r, 0);
  scale_columns(p, r, 3);
  p->traits &= ~(unsigned)PROBLEM_SCALED;
  b_either_way(p, r);
}

static void make_m_symmetric(problem *p, random_state *r)
{
  fill_m(p, r, 1);
  p->traits |= PROBLEM_SYMMETRIC | PROBLEM_PD | PROBLEM_PSD;
  b_either_way(p, r);
}

/* A string over an obstacle: second differences, b = load + what the obstacle's shape bends. */
static void make_obstacle(problem *p, random_state *r)
{
  const double height = random_between(r, 0.0, 2.0);
  const double load = random_between(r, -1.0, 1.0) / p->n;
  for (int i = 0; i < p->n; i++) {
    *element(p, i, i) = 2.0;
    if (i > 0) {
      *element(p, i, i - 1) = -1.0;
      *element(p, i - 1, i) = -1.0;
    }
    const double s = (i + 0.5) / p->n - 0.5;
    p->b[i] = load + height * s / p->n * (i % 3 - 1);
  }
  p->traits =
      PROBLEM_Z | PROBLEM_P | PROBLEM_PD | PROBLEM_PSD | PROBLEM_SYMMETRIC | PROBLEM_LEMKE | PROBLEM_FEASIBLE;
  p->promise = PROBLEM_UNIQUE;
}

/* b = 0: x = 0 is the solution, and every basis of it. */
static void make_zero_b(problem *p, random_state *r)
{
  fill_p(p, r);
  for (int i = 0; i < p->n; i++) {
    p->x[i] = 0.0;
  }
  p->has_x = 1;
  p->traits |= PROBLEM_DEGENERATE;
}

/* Rows with x_i = y_i = 0 at the solution. */
static void make_degenerate(problem *p, random_state *r)
{
  fill_pd(p, r, p->seed / 2 % 2 == 1);
  choose_solution(p, r, is_whole(p), 0.5);
  p->traits |= PROBLEM_DEGENERATE;
}

/* Every ratio test is a tie: equal rows but for the order, and b = −1. */
static void make_ties(problem *p, random_state *r)
{
  const int n = p->n;
  for (int k = 0; k < n; k++) {
    const double value = k == 0 ? 2.0 * n + 1.0 : random_below(r, 5) - 2;
    for (int i = 0; i < n; i++) {
      *element(p, i, (i + k) % n) = value;
    }
  }
  double sum = 0.0;
  for (int j = 0; j < n; j++) {
    sum += *element(p, 0, j);
    p->b[j] = -1.0;
  }
  for (int i = 0; i < n; i++) {
    p->x[i] = 1.0 / sum; /* the sum is at least 3 */
  }
  p->has_x = 1;
  p->traits = PROBLEM_P | PROBLEM_PD | PROBLEM_PSD | PROBLEM_LEMKE | PROBLEM_FEASIBLE | PROBLEM_DEGENERATE;
  p->promise = PROBLEM_UNIQUE;
}

static void make_scaled_rows(problem *p, random_state *r)
{
  fill_p(p, r);
  b_either_way(p, r);
  scale_rows(p, r, 40);
}

static void make_scaled_columns(problem *p, random_state *r)
{
  fill_p(p, r);
  b_either_way(p, r);
  scale_columns(p, r, 40);
}

static void make_scaled_both(problem *p, random_state *r)
{
  fill_p(p, r);
  b_either_way(p, r);
  scale_rows(p, r, 40);
  scale_columns(p, r, 40);
}

static void make_scaled_symmetric(problem *p, random_state *r)
{
  fill_pd(p, r, 0);
  b_either_way(p, r);
  scale_symmetrically(p, r, 40);
}

static void make_scaled_psd(problem *p, random_state *r)
{
  fill_psd(p, r, p->seed / 2 % 2 == 1);
  choose_solution(p, r, is_whole(p), 0.1);
  scale_symmetrically(p, r, 40);
}

/* A = −D, b > 0: every complementary basis solves it, 2^n solutions. */
static void make_minus_identity(problem *p, random_state *r)
{
  for (int i = 0; i < p->n; i++) {
    *element(p, i, i) = is_whole(p) ? -1.0 : -random_between(r, 0.1, 3.0);
    p->b[i] = is_whole(p) ? 1.0 : random_between(r, 0.1, 3.0);
    p->x[i] = 0.0;
  }
  p->has_x = 1;
  p->promise = PROBLEM_SOLVABLE;
  p->count = ldexp(1.0, p->n);
  p->traits = PROBLEM_Z | PROBLEM_SYMMETRIC | PROBLEM_FEASIBLE;
}

/* Nothing but random numbers: some have no solution, some many. */
static void make_random(problem *p, random_state *r)
{
  for (int i = 0; i < p->n * p->n; i++) {
    p->A[i] = is_whole(p) ? random_below(r, 7) - 3 : random_between(r, -1.0, 1.0);
  }
  choose_b(p, r, is_whole(p));
}

/* Random A with a solution put into it. */
static void make_random_solvable(problem *p, random_state *r)
{
  for (int i = 0; i < p->n * p->n; i++) {
    p->A[i] = is_whole(p) ? random_below(r, 7) - 3 : random_between(r, -1.0, 1.0);
  }
  choose_solution(p, r, is_whole(p), 0.0);
  p->traits = PROBLEM_FEASIBLE;
}

/* Bounds of every kind: both, one, none, equal. `kinds` of them in this order: both, lower, upper, free,
 * equal. */
static void choose_bounds(problem *p, random_state *r, int kinds)
{
  for (int i = 0; i < p->n; i++) {
    const double lo = is_whole(p) ? random_below(r, 5) - 3 : random_between(r, -1.0, 0.5);
    const double width = is_whole(p) ? 1 + random_below(r, 3) : random_between(r, 0.01, 1.0);
    const int kind = random_below(r, kinds);
    p->lo[i] = kind == 2 || kind == 3 ? -INFINITY : lo;
    p->hi[i] = kind == 0 || kind == 2 ? lo + width : kind == 4 ? lo : INFINITY;
  }
  p->traits |= PROBLEM_MIXED;
}

static void make_box_pd(problem *p, random_state *r)
{
  fill_pd(p, r, 0);
  choose_b(p, r, is_whole(p));
  choose_bounds(p, r, 1);
}

static void make_box_p(problem *p, random_state *r)
{
  fill_p(p, r);
  choose_b(p, r, is_whole(p));
  choose_bounds(p, r, 1);
}

static void make_bounds_pd(problem *p, random_state *r)
{
  fill_pd(p, r, p->seed / 2 % 2 == 1);
  choose_b(p, r, is_whole(p));
  choose_bounds(p, r, 5);
}

static void make_bounds_p(problem *p, random_state *r)
{
  fill_p(p, r);
  choose_b(p, r, is_whole(p));
  choose_bounds(p, r, 5);
}

/* Semidefinite in a box: a minimum over a compact set, so there is one. */
static void make_box_psd(problem *p, random_state *r)
{
  fill_psd(p, r, 0);
  choose_b(p, r, is_whole(p));
  choose_bounds(p, r, 1);
  p->promise = PROBLEM_SOLVABLE;
}

static void make_scaled_bounds(problem *p, random_state *r)
{
  fill_p(p, r);
  choose_b(p, r, is_whole(p));
  choose_bounds(p, r, 5);
  scale_rows(p, r, 40);
  scale_columns(p, r, 40);
}

/* All rows free: a linear system. */
static void make_free(problem *p, random_state *r)
{
  fill_p(p, r);
  choose_b(p, r, is_whole(p));
  for (int i = 0; i < p->n; i++) {
    p->lo[i] = -INFINITY;
  }
  p->traits |= PROBLEM_MIXED;
}

const problem_class matrix_classes[] = {
    {"p", make_p, 1, INT32_MAX, 1},
    {"pd_symmetric", make_pd_symmetric, 1, INT32_MAX, 1},
    {"pd_nonsymmetric", make_pd_nonsymmetric, 1, INT32_MAX, 1},
    {"psd_symmetric", make_psd_symmetric, 1, INT32_MAX, 1},
    {"psd_nonsymmetric", make_psd_nonsymmetric, 1, INT32_MAX, 1},
    {"linear_program", make_linear_program, 2, INT32_MAX, 1},
    {"z", make_z, 1, INT32_MAX, 1},
    {"m", make_m, 1, INT32_MAX, 1},
    {"m_symmetric", make_m_symmetric, 1, INT32_MAX, 1},
    {"obstacle", make_obstacle, 1, INT32_MAX, 1},
    {"zero_b", make_zero_b, 1, INT32_MAX, 1},
    {"degenerate", make_degenerate, 1, INT32_MAX, 1},
    {"ties", make_ties, 1, INT32_MAX, 1},
    {"scaled_rows", make_scaled_rows, 1, INT32_MAX, 1},
    {"scaled_columns", make_scaled_columns, 1, INT32_MAX, 1},
    {"scaled_both", make_scaled_both, 1, INT32_MAX, 1},
    {"scaled_symmetric", make_scaled_symmetric, 1, INT32_MAX, 1},
    {"scaled_psd", make_scaled_psd, 1, INT32_MAX, 1},
    {"minus_identity", make_minus_identity, 1, INT32_MAX, 1},
    {"random", make_random, 1, INT32_MAX, 1},
    {"random_solvable", make_random_solvable, 1, INT32_MAX, 1},
    {"box_pd", make_box_pd, 1, INT32_MAX, 1},
    {"box_p", make_box_p, 1, INT32_MAX, 1},
    {"box_psd", make_box_psd, 1, INT32_MAX, 1},
    {"bounds_pd", make_bounds_pd, 1, INT32_MAX, 1},
    {"bounds_p", make_bounds_p, 1, INT32_MAX, 1},
    {"scaled_bounds", make_scaled_bounds, 1, INT32_MAX, 1},
    {"free", make_free, 1, INT32_MAX, 1},
};
const int matrix_class_count = (int)(sizeof matrix_classes / sizeof *matrix_classes);
