/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Constructed problems: exponential paths, cycles, continua of solutions, none at all. All are integers times
 * powers of two, so what is claimed of them holds exactly in doubles. */
#include <math.h>

#include "makers.h"

#define EXPONENTIAL_TRAITS (PROBLEM_P | PROBLEM_LEMKE | PROBLEM_FEASIBLE | PROBLEM_EXPONENTIAL)

/* L: ones on the diagonal, twos below. */
static double murty(int i, int j)
{
  return i == j ? 1.0 : i > j ? 2.0 : 0.0;
}

/* (L Lᵀ)_ij, symmetric positive definite. */
static double fathi(int i, int j)
{
  double sum = 0.0;
  for (int k = 0; k <= i && k <= j; k++) {
    sum += murty(i, k) * murty(j, k);
  }
  return sum;
}

/* Murty (1978): A = L, b_i = −Σ_{j<=i} 2^(n−j) (j from 0). Lemke with a cover of ones makes 2^n pivots: it
 * meets every complementary cone. y = x_1 = 2^n solves the first row, all others are then slack. */
static void make_murty_lemke(problem *p, random_state *r)
{
  (void)r;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j <= i; j++) {
      *element(p, i, j) = murty(i, j);
    }
    p->b[i] = (i > 0 ? p->b[i - 1] : 0.0) - ldexp(1.0, p->n - i);
    p->x[i] = i == 0 ? ldexp(1.0, p->n) : 0.0;
  }
  p->has_x = 1;
  p->promise = PROBLEM_UNIQUE;
  p->traits = EXPONENTIAL_TRAITS;
}

/* Fathi (1979): A = L Lᵀ; with b_i = −Σ_{j<=i} 4^(n−j) Lemke makes 2^n pivots on a symmetric positive
 * definite problem (powers of two give 2^n only up to n = 3). */
static void make_fathi_lemke(problem *p, random_state *r)
{
  (void)r;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      *element(p, i, j) = fathi(i, j);
    }
    p->b[i] = (i > 0 ? p->b[i - 1] : 0.0) - ldexp(1.0, 2 * (p->n - i));
    p->x[i] = i == 0 ? ldexp(1.0, 2 * p->n) : 0.0;
  }
  p->has_x = 1;
  p->promise = PROBLEM_UNIQUE;
  p->traits = EXPONENTIAL_TRAITS | PROBLEM_SYMMETRIC | PROBLEM_PD | PROBLEM_PSD;
}

/* Murty (1978): A = Lᵀ, b = −1. Least-index principal pivoting makes 2^n − 1 pivots: it counts in binary. */
static void make_murty_least_index(problem *p, random_state *r)
{
  (void)r;
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      *element(p, i, j) = murty(j, i);
    }
    p->b[i] = -1.0;
    p->x[i] = i == n - 1 ? 1.0 : 0.0;
  }
  p->has_x = 1;
  p->promise = PROBLEM_UNIQUE;
  p->traits = EXPONENTIAL_TRAITS;
}

/* The same with A = Lᵀ L (Fathi's, read from the other end): symmetric positive definite, 2^n − 1 pivots. */
static void make_fathi_least_index(problem *p, random_state *r)
{
  (void)r;
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      *element(p, i, j) = fathi(n - 1 - i, n - 1 - j);
    }
    p->b[i] = -1.0;
    p->x[i] = i == n - 1 ? 1.0 : 0.0;
  }
  p->has_x = 1;
  p->promise = PROBLEM_UNIQUE;
  p->traits = EXPONENTIAL_TRAITS | PROBLEM_SYMMETRIC | PROBLEM_PD | PROBLEM_PSD;
}

/* A naive ratio test cycles here. A is the circulant with 1 on the diagonal and 2 right of it (the matrix on
 * which Kostreva (1979) showed principal pivoting to cycle), n odd: det = 1 + 2^n, and every proper
 * principal minor is 1, so it is a P-matrix. b = −1 and a cover of ones tie all rows at the start,
 * and after the first pivot the right-hand side is zero but for the artificial variable: every pivot is
 * degenerate, z0 stays 1, only the tie-break decides. Taking the first row among ties (even seeds) returns to
 * an earlier basis after 8 pivots at n = 3, 17 at n = 5, 380 at n = 27; odd seeds number backwards, and the
 * last row among ties does. The lexicographic rule ends. x_i = 1/3. */
static void make_cycling(problem *p, random_state *r)
{
  (void)r;
  const int n = p->n;
  const int backwards = p->seed % 2 == 1;
  for (int i = 0; i < n; i++) {
    const int next = backwards ? (i + n - 1) % n : (i + 1) % n;
    *element(p, i, i) = 1.0;
    *element(p, i, next) = 2.0;
    p->b[i] = -1.0;
    p->x[i] = 1.0 / 3.0;
  }
  p->has_x = 1;
  p->promise = PROBLEM_UNIQUE;
  p->traits = PROBLEM_P | PROBLEM_LEMKE | PROBLEM_FEASIBLE | PROBLEM_DEGENERATE;
}

/* Ma's pendulum, θ = π/4, μ = 1, F_x = 0, F_y = F > 0, mass m, his eqs. 1, 5, 7 in the order
 * x = (g̈_N, g̈_T+, g̈_T−), y = (F_N, F_T+, F_T−). Solutions: x = (F/m, α, α), α >= 0: one vertex, one ray;
 * only α = 0 is physical. Several pendulums side by side: one vertex, a ray each. */
static void make_ma_pendulum(problem *p, random_state *r)
{
  static const double A[3][3] = {{0.625, 0.375, -0.375}, {0.5, 0.5, -0.5}, {0.125, -0.125, 0.125}};
  for (int k = 0; k < p->n; k += 3) {
    const double m = ldexp(1.0, random_below(r, 7) - 3);
    const double F = 1 + random_below(r, 9);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        *element(p, k + i, k + j) = m * A[i][j];
      }
      p->b[k + i] = -F * A[i][0];
      p->x[k + i] = i == 0 ? F / m : 0.0;
    }
  }
  p->has_x = 1;
  p->promise = PROBLEM_SOLVABLE;
  p->traits = PROBLEM_FRICTION | PROBLEM_FEASIBLE | PROBLEM_DEGENERATE;
}

/* Farkas: v >= 0 chosen, v_k = 1 in a row k that is then solved for so that Aᵀv = −(slack >= 0) and bᵀv < 0.
 */
static void close_farkas(problem *p, random_state *r, int k)
{
  const int n = p->n;
  const int tight = chance(r, 0.5);
  double sum_b = 0.0;
  for (int i = 0; i < n; i++) {
    sum_b += i == k ? 0.0 : p->v[i] * p->b[i];
  }
  for (int j = 0; j < n; j++) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      sum += i == k ? 0.0 : p->v[i] * *element(p, i, j);
    }
    *element(p, k, j) = -sum - (tight ? 0 : random_below(r, 3));
  }
  p->b[k] = -sum_b - 1.0 - random_below(r, 3);
  p->has_v = 1;
  p->promise = PROBLEM_NONE;
}

static int choose_v(problem *p, random_state *r)
{
  const int k = random_below(r, p->n);
  for (int i = 0; i < p->n; i++) {
    p->v[i] = i == k ? 1.0 : chance(r, 0.5) ? random_below(r, 4) : 0.0;
  }
  return k;
}

static void fill_whole(problem *p, random_state *r)
{
  for (int i = 0; i < p->n * p->n; i++) {
    p->A[i] = random_below(r, 7) - 3;
  }
  for (int i = 0; i < p->n; i++) {
    p->b[i] = random_below(r, 11) - 5;
  }
}

static void make_infeasible(problem *p, random_state *r)
{
  const int k = choose_v(p, r);
  fill_whole(p, r);
  close_farkas(p, r, k);
}

static void make_infeasible_scaled(problem *p, random_state *r)
{
  make_infeasible(p, r);
  scale_rows(p, r, 40);
  scale_columns(p, r, 40);
}

/* A = G Gᵀ with Gᵀv = 0 and bᵀv < 0: semidefinite, so that Lemke must end on a ray that proves it. */
static void make_infeasible_psd(problem *p, random_state *r)
{
  const int n = p->n;
  const int k = choose_v(p, r);
  const int rank = random_below(r, n);
  double *G = p->scratch;
  for (int c = 0; c < rank; c++) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
      G[i * rank + c] = random_below(r, 5) - 2;
      sum += i == k ? 0.0 : p->v[i] * G[i * rank + c];
    }
    G[k * rank + c] = -sum;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int c = 0; c < rank; c++) {
        *element(p, i, j) += G[i * rank + c] * G[j * rank + c];
      }
    }
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    p->b[i] = random_below(r, 11) - 5;
    sum += i == k ? 0.0 : p->v[i] * p->b[i];
  }
  p->b[k] = -sum - 1.0 - random_below(r, 3);
  p->has_v = 1;
  p->promise = PROBLEM_NONE;
  p->traits = PROBLEM_SYMMETRIC | PROBLEM_PSD | PROBLEM_LEMKE;
}

/* A linear program whose primal constraints B u >= d, u >= 0 contradict each other: w >= 0 with wᵀB <= 0,
 * wᵀd > 0. A = [0, −Bᵀ; B, 0], b = (c; −d); v = (0; w). */
static void make_infeasible_program(problem *p, random_state *r)
{
  const int n = p->n;
  const int m = 1 + random_below(r, n - 1);
  const int k = m + random_below(r, n - m);
  double sum_b = 0.0;
  for (int i = 0; i < n; i++) {
    p->v[i] = i < m ? 0.0 : i == k ? 1.0 : random_below(r, 3);
    p->b[i] = random_below(r, 7) - 3;
    sum_b += i == k ? 0.0 : p->v[i] * p->b[i];
  }
  p->b[k] = -sum_b - 1.0 - random_below(r, 3);
  for (int j = 0; j < m; j++) {
    double sum = 0.0;
    for (int i = m; i < n; i++) {
      *element(p, i, j) = random_below(r, 7) - 3;
      sum += i == k ? 0.0 : p->v[i] * *element(p, i, j);
    }
    *element(p, k, j) = -sum - random_below(r, 2);
    for (int i = m; i < n; i++) {
      *element(p, j, i) = -*element(p, i, j);
    }
  }
  p->has_v = 1;
  p->promise = PROBLEM_NONE;
  p->traits = PROBLEM_PSD | PROBLEM_LEMKE;
}

/* Feasible, yet without solution. Core of two rows: y_1 = −α x_1 + γ x_2 − p, y_2 = δ x_1 + β x_2 + q with
 * α, β, δ >= 0 and γ, p, q > 0. y_1 >= 0 needs x_2 > 0, but then y_2 >= q > 0. x = (0, p/γ) is feasible. The
 * other rows depend on the core, the core not on them. */
static void make_feasible_without(problem *p, random_state *r)
{
  const int n = p->n;
  for (int i = 2; i < n; i++) {
    for (int j = 0; j < n; j++) {
      *element(p, i, j) = j < 2    ? random_below(r, 7) - 3
                          : j == i ? 1 + random_below(r, 3)
                                   : random_below(r, 3);
    }
    p->b[i] = random_below(r, 11) - 5;
  }
  *element(p, 0, 0) = -random_below(r, 3);
  *element(p, 0, 1) = 1 + random_below(r, 3);
  *element(p, 1, 0) = random_below(r, 3);
  *element(p, 1, 1) = random_below(r, 3);
  p->b[0] = -1 - random_below(r, 3);
  p->b[1] = 1 + random_below(r, 3);
  p->promise = PROBLEM_NONE;
  p->traits = PROBLEM_FEASIBLE;
  shuffle(p, r);
}

/* With bounds: y_i < 0 all over the box in a row that has no upper bound. */
static void make_infeasible_bounds(problem *p, random_state *r)
{
  const int n = p->n;
  const int k = random_below(r, n);
  fill_whole(p, r);
  for (int i = 0; i < n; i++) {
    p->lo[i] = random_below(r, 5) - 3;
    p->hi[i] = i == k ? INFINITY : p->lo[i] + 1 + random_below(r, 3);
    p->v[i] = i == k ? 1.0 : 0.0;
  }
  *element(p, k, k) = -random_below(r, 2);
  double most = 0.0;
  for (int j = 0; j < n; j++) {
    const double a = *element(p, k, j);
    most += a > 0.0 ? a * p->hi[j] : a * p->lo[j];
  }
  p->b[k] = -most - 1 - random_below(r, 3);
  p->has_v = 1;
  p->promise = PROBLEM_NONE;
  p->traits = PROBLEM_MIXED;
  shuffle(p, r);
}

const problem_class family_classes[] = {
    {"murty_lemke", make_murty_lemke, 1, 18, 1},
    {"fathi_lemke", make_fathi_lemke, 1, 18, 1},
    {"murty_least_index", make_murty_least_index, 1, 18, 1},
    {"fathi_least_index", make_fathi_least_index, 1, 18, 1},
    {"cycling", make_cycling, 3, 51, 2},
    {"ma_pendulum", make_ma_pendulum, 3, 30, 3},
    {"infeasible", make_infeasible, 1, INT32_MAX, 1},
    {"infeasible_scaled", make_infeasible_scaled, 1, INT32_MAX, 1},
    {"infeasible_psd", make_infeasible_psd, 1, INT32_MAX, 1},
    {"infeasible_program", make_infeasible_program, 2, INT32_MAX, 1},
    {"infeasible_bounds", make_infeasible_bounds, 1, INT32_MAX, 1},
    {"feasible_without", make_feasible_without, 2, INT32_MAX, 1},
};
const int family_class_count = (int)(sizeof family_classes / sizeof *family_classes);
