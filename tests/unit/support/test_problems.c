/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The generator keeps its promises: else every test that believes them would be worth nothing. */
#include "support/problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/lcp.h"
#include "suite.h"

#define MOST 60

/* Calls `check` for seeds of every class, sizes from 1 to `most`. */
static void for_each_problem(int cases, int most, void (*check)(const problem *))
{
  problem *p = problem_new(MOST);
  ck_assert_ptr_nonnull(p);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(p, c, 1 + (k * 7 + k / 16) % most, (uint64_t)k);
      check(p);
    }
  }
  problem_free(p);
}

static void check_form(const problem *p)
{
  ck_assert(p->n >= 1 && p->n <= p->capacity);
  for (int i = 0; i < p->n * p->n; i++) {
    REQUIRE(isfinite(p->A[i]), "%s %d", p->name, (int)p->seed);
  }
  int plain = 1;
  for (int i = 0; i < p->n; i++) {
    REQUIRE(isfinite(p->b[i]), "%s %d", p->name, (int)p->seed);
    REQUIRE(p->lo[i] <= p->hi[i], "%s %d", p->name, (int)p->seed);
    plain = plain && p->lo[i] == 0.0 && p->hi[i] == INFINITY;
  }
  REQUIRE(plain || problem_lo(p), "%s %d has bounds and hides them", p->name, (int)p->seed);
  REQUIRE(!p->has_x || p->promise == PROBLEM_SOLVABLE || p->promise == PROBLEM_UNIQUE, "%s", p->name);
  REQUIRE(!p->has_v || p->promise == PROBLEM_NONE, "%s", p->name);
}

START_TEST(problems_are_well_formed)
{
  for_each_problem(random_cases(400), MOST, check_form);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_bits)
{
  problem *p = problem_new(30);
  problem *q = problem_new(30);
  for (int c = 0; c < problem_class_count(); c++) {
    problem_make(p, c, 20, 7);
    problem_make(q, c, 13, 8);
    problem_make(q, c, 20, 7);
    ck_assert_int_eq(p->n, q->n);
    ck_assert_mem_eq(p->A, q->A, (size_t)(p->n * p->n) * sizeof *p->A);
    ck_assert_mem_eq(p->b, q->b, (size_t)p->n * sizeof *p->b);
    ck_assert_int_eq(c, problem_class_find(problem_class_name(c)));
  }
  ck_assert_int_eq(problem_class_find("nothing of that name"), -1);
  problem_free(p);
  problem_free(q);
}
END_TEST

static void check_x(const problem *p)
{
  double residual;
  int row;
  if (p->has_x) {
    nsdyn_lcp_residual(p->n, p->A, p->n, p->b, problem_lo(p), problem_hi(p), p->x, &residual, &row);
    REQUIRE(residual <= 1e-13, "%s %d, n = %d: %g in row %d", p->name, (int)p->seed, p->n, residual, row);
  }
}

START_TEST(solutions_put_in_are_solutions)
{
  for_each_problem(random_cases(400), MOST, check_x);
}
END_TEST

/* The products are integers times one power of two per column: the sums are exact. */
static void check_v(const problem *p)
{
  double bv = 0.0;
  for (int i = 0; p->has_v && i < p->n; i++) {
    REQUIRE(p->v[i] >= 0.0, "%s %d", p->name, (int)p->seed);
    bv += p->v[i] * p->b[i];
  }
  for (int j = 0; p->has_v && j < p->n; j++) {
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
      sum += p->v[i] * p->A[i * p->n + j];
    }
    if (!problem_lo(p)) {
      REQUIRE(sum <= 0.0, "%s %d: column %d", p->name, (int)p->seed, j);
    } else if (sum != 0.0) {
      bv += sum * (sum > 0.0 ? p->hi[j] : p->lo[j]);
    }
  }
  REQUIRE(!p->has_v || bv < 0.0, "%s %d: %g", p->name, (int)p->seed, bv);
}

START_TEST(farkas_vectors_prove)
{
  for_each_problem(random_cases(400), MOST, check_v);
}
END_TEST

/* Determinant of the rows and columns in `set`, in long double with pivoting. */
static long double minor(const problem *p, unsigned set)
{
  long double M[8][8];
  int at[8];
  int m = 0;
  for (int i = 0; i < p->n; i++) {
    if (set >> i & 1u) {
      at[m++] = i;
    }
  }
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      M[i][j] = p->A[at[i] * p->n + at[j]];
    }
  }
  long double det = 1.0L;
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++) {
      best = fabsl(M[i][k]) > fabsl(M[best][k]) ? i : best;
    }
    for (int j = 0; best != k && j < m; j++) {
      const long double swapped = M[k][j];
      M[k][j] = M[best][j];
      M[best][j] = swapped;
    }
    det *= best == k ? M[k][k] : -M[k][k];
    for (int i = k + 1; i < m; i++) {
      const long double f = M[k][k] != 0.0L ? M[i][k] / M[k][k] : 0.0L;
      for (int j = k; j < m; j++) {
        M[i][j] -= f * M[k][j];
      }
    }
  }
  return det;
}

static void check_minors(const problem *p)
{
  for (unsigned set = 1; p->traits & PROBLEM_P && set < 1u << p->n; set++) {
    REQUIRE(minor(p, set) > 0.0L, "%s %d: minor %x", p->name, (int)p->seed, set);
  }
}

START_TEST(p_matrices_have_positive_minors)
{
  for_each_problem(random_cases(200), 8, check_minors);
}
END_TEST

static void check_signs(const problem *p)
{
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < i; j++) {
      const double a = p->A[i * p->n + j];
      const double t = p->A[j * p->n + i];
      REQUIRE(!(p->traits & PROBLEM_SYMMETRIC) || a == t, "%s %d", p->name, (int)p->seed);
      REQUIRE(!(p->traits & PROBLEM_Z) || (a <= 0.0 && t <= 0.0), "%s %d", p->name, (int)p->seed);
    }
  }
}

START_TEST(signs_and_symmetry)
{
  for_each_problem(random_cases(200), MOST, check_signs);
}
END_TEST

/* xᵀAx for random x, against the rounding of its terms. */
static void check_form_sign(const problem *p)
{
  random_state r = random_seed(p->seed);
  double x[MOST];
  for (int k = 0; p->traits & PROBLEM_PSD && k < 20; k++) {
    double value = 0.0;
    double size = 0.0;
    for (int i = 0; i < p->n; i++) {
      /* Scaled D A D: choose x in the scale of D⁻¹. */
      const double d = p->A[i * p->n + i];
      x[i] = random_between(&r, -1.0, 1.0) / (d > 0.0 ? sqrt(d) : 1.0);
    }
    for (int i = 0; i < p->n; i++) {
      for (int j = 0; j < p->n; j++) {
        const double term = x[i] * p->A[i * p->n + j] * x[j];
        value += term;
        size += fabs(term);
      }
    }
    REQUIRE(value >= -1e-14 * size, "%s %d: %g", p->name, (int)p->seed, value);
    REQUIRE(!(p->traits & PROBLEM_PD) || value > 0.0, "%s %d: %g", p->name, (int)p->seed, value);
  }
}

START_TEST(semidefinite_forms_are_not_negative)
{
  for_each_problem(random_cases(100), MOST, check_form_sign);
}
END_TEST

/* A textbook tableau, with nothing done against ties: the solver that the families are made for.
 * y = T x + q, column n is the artificial variable. */
typedef struct tableau {
  int n;
  double T[MOST][MOST + 1];
  double q[MOST];
  int row[MOST]; /* variable of each row: y_i is i, x_i is n + i, z0 is 2n */
  int column[MOST + 1];
} tableau;

static void tableau_begin(tableau *t, const problem *p)
{
  t->n = p->n;
  for (int i = 0; i < p->n; i++) {
    memcpy(t->T[i], p->A + i * p->n, (size_t)p->n * sizeof *p->A);
    t->T[i][p->n] = 1.0;
    t->q[i] = p->b[i];
    t->row[i] = i;
    t->column[i] = p->n + i;
  }
  t->column[p->n] = 2 * p->n;
}

static void exchange(tableau *t, int r, int s, int columns)
{
  const double pivot = t->T[r][s];
  for (int i = 0; i < t->n; i++) {
    const double f = t->T[i][s] / pivot;
    for (int j = 0; i != r && j < columns; j++) {
      t->T[i][j] = j == s ? f : t->T[i][j] - f * t->T[r][j];
    }
    t->q[i] -= i == r ? 0.0 : f * t->q[r];
  }
  for (int j = 0; j < columns; j++) {
    t->T[r][j] = j == s ? 1.0 / pivot : -t->T[r][j] / pivot;
  }
  t->q[r] = -t->q[r] / pivot;
  const int variable = t->row[r];
  t->row[r] = t->column[s];
  t->column[s] = variable;
}

/* Smallest ratio; z0 first among ties, then the first row, or the last. −1 for a ray. */
static int naive_row(const tableau *t, int s, int last)
{
  double least = INFINITY;
  int best = -1;
  for (int i = 0; i < t->n; i++) {
    if (t->T[i][s] < -1e-9) {
      const double ratio = -t->q[i] / t->T[i][s];
      if (best < 0 || ratio < least - 1e-9 * fabs(least)) {
        least = ratio;
        best = i;
      } else if (ratio <= least + 1e-9 * fabs(least) && t->row[best] != 2 * t->n &&
                 (last || t->row[i] == 2 * t->n)) {
        best = i;
      }
    }
  }
  return best;
}

static uint64_t basis_bits(const tableau *t)
{
  uint64_t bits = 0;
  for (int i = 0; i < t->n; i++) {
    bits |= t->row[i] >= t->n && t->row[i] < 2 * t->n ? (uint64_t)1 << (t->row[i] - t->n) : 0;
  }
  return bits;
}

/* Pivots until the end, or −(pivots) where the run came back to the state of an earlier pivot. */
static int naive_lemke(const problem *p, int last, int limit)
{
  static tableau t;
  static uint64_t met[4096];
  tableau_begin(&t, p);
  int r = 0;
  for (int i = 1; i < t.n; i++) {
    r = t.q[i] < t.q[r] || (last && t.q[i] == t.q[r]) ? i : r;
  }
  int left = t.row[r];
  exchange(&t, r, t.n, t.n + 1);
  for (int pivots = 1; pivots <= limit; pivots++) {
    if (left == 2 * t.n) {
      return pivots;
    }
    const int enter = left < t.n ? left + t.n : left - t.n;
    /* Basis and entering variable are the whole state. */
    const uint64_t state = basis_bits(&t) * 128 + (uint64_t)enter;
    for (int k = 0; k < pivots - 1 && k < 4096; k++) {
      if (met[k] == state) {
        return -pivots;
      }
    }
    if (pivots <= 4096) {
      met[pivots - 1] = state;
    }
    int s = 0;
    while (t.column[s] != enter) {
      s++;
    }
    r = naive_row(&t, s, last);
    ck_assert_int_ge(r, 0);
    left = t.row[r];
    exchange(&t, r, s, t.n + 1);
  }
  return 0;
}

static int least_index(const problem *p, int limit)
{
  static tableau t;
  tableau_begin(&t, p);
  for (int pivots = 0; pivots < limit; pivots++) {
    int r = 0;
    while (r < t.n && t.q[r] >= 0.0) {
      r++;
    }
    if (r == t.n) {
      return pivots;
    }
    exchange(&t, r, r, t.n);
  }
  return limit;
}

START_TEST(exponential_families_are_exponential)
{
  problem *p = problem_new(MOST);
  for (int n = 1; n <= 12; n++) {
    problem_make(p, problem_class_find("murty_lemke"), n, 0);
    ck_assert_int_eq(naive_lemke(p, 0, 1 << 20), 1 << n);
    problem_make(p, problem_class_find("fathi_lemke"), n, 0);
    ck_assert_int_eq(naive_lemke(p, 0, 1 << 20), 1 << n);
    problem_make(p, problem_class_find("murty_least_index"), n, 0);
    ck_assert_int_eq(least_index(p, 1 << 20), (1 << n) - 1);
    problem_make(p, problem_class_find("fathi_least_index"), n, 0);
    ck_assert_int_eq(least_index(p, 1 << 20), (1 << n) - 1);
  }
  problem_free(p);
}
END_TEST

START_TEST(a_naive_ratio_test_cycles)
{
  problem *p = problem_new(MOST);
  for (int n = 3; n <= 27; n += 2) {
    for (int backwards = 0; backwards < 2; backwards++) {
      problem_make(p, problem_class_find("cycling"), n, (uint64_t)backwards);
      ck_assert_int_eq(p->n, n);
      const int pivots = naive_lemke(p, backwards, 4000);
      REQUIRE(pivots < 0, "n = %d ended after %d pivots", n, pivots);
      ck_assert_int_eq(n == 3 ? 8 : n == 5 ? 17 : n == 27 ? 380 : -pivots, -pivots);
    }
  }
  problem_free(p);
}
END_TEST

START_TEST(ma_pendulum_has_one_vertex_and_one_ray)
{
  problem *p = problem_new(MOST);
  for (int k = 0; k < 50; k++) {
    problem_make(p, problem_class_find("ma_pendulum"), 3, (uint64_t)k);
    double residual;
    for (double alpha = 0.0; alpha < 1e6; alpha = 4.0 * alpha + 1.0) {
      double x[3] = {p->x[0], alpha, alpha};
      nsdyn_lcp_residual(3, p->A, 3, p->b, NULL, NULL, x, &residual, NULL);
      REQUIRE(residual == 0.0, "alpha = %g: %g", alpha, residual);
      x[1] += 0.5; /* off the ray it is none */
      nsdyn_lcp_residual(3, p->A, 3, p->b, NULL, NULL, x, &residual, NULL);
      ck_assert(residual > 1e-8);
    }
  }
  problem_free(p);
}
END_TEST

/* The core of a problem without solution, found again in the shuffled rows: feasible, and the argument of
 * families.c holds for it. */
START_TEST(feasible_without_solution)
{
  problem *p = problem_new(MOST);
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    problem_make(p, problem_class_find("feasible_without"), 2 + k % 7, (uint64_t)k);
    int cores = 0;
    for (int i = 0; i < p->n; i++) {
      for (int j = 0; j < p->n; j++) {
        int alone = i != j;
        for (int c = 0; c < p->n; c++) {
          alone = alone && (c == i || c == j || (p->A[i * p->n + c] == 0.0 && p->A[j * p->n + c] == 0.0));
        }
        cores += alone && p->A[i * p->n + i] <= 0.0 && p->A[i * p->n + j] > 0.0 && p->b[i] < 0.0 &&
                 p->A[j * p->n + i] >= 0.0 && p->A[j * p->n + j] >= 0.0 && p->b[j] > 0.0;
      }
    }
    ck_assert_int_ge(cores, 1);
  }
  problem_free(p);
}
END_TEST

START_TEST(minus_identity_has_as_many_solutions_as_it_says)
{
  problem *p = problem_new(MOST);
  for (int n = 1; n <= 8; n++) {
    problem_make(p, problem_class_find("minus_identity"), n, (uint64_t)n);
    int solutions = 0;
    for (unsigned set = 0; set < 1u << n; set++) {
      double x[8];
      double residual;
      for (int i = 0; i < n; i++) {
        x[i] = set >> i & 1u ? -p->b[i] / p->A[i * n + i] : 0.0;
      }
      nsdyn_lcp_residual(n, p->A, n, p->b, NULL, NULL, x, &residual, NULL);
      solutions += residual < 1e-15;
    }
    ck_assert(solutions == p->count);
  }
  problem_free(p);
}
END_TEST

START_TEST(sequences_vary_slowly)
{
  problem *p = problem_new(48);
  problem *q = problem_new(48);
  for (int kind = 0; kind < SEQUENCE_COUNT; kind++) {
    for (uint64_t seed = 1; seed < (is_brief() ? 2 : 8); seed += 2) {
      int changes = 0;
      sequence_make(p, (sequence_kind)kind, 48, seed, 0);
      problem_make(q, problem_class_find(p->name), 48, seed);
      ck_assert_mem_eq(p->A, q->A, (size_t)(p->n * p->n) * sizeof *p->A);
      for (int step = 1; step <= 1000; step++) {
        double moved = 0.0;
        double size = 0.0;
        sequence_make(q, (sequence_kind)kind, 48, seed, step);
        for (int i = 0; i < p->n * p->n; i++) {
          moved = fmax(moved, fabs(q->A[i] - p->A[i]));
          size = fmax(size, fabs(p->A[i]));
        }
        REQUIRE(moved <= 0.05 * size, "%s, step %d: %g of %g", q->name, step, moved, size);
        for (int i = 0; i < p->n; i++) {
          changes += (q->b[i] < 0.0) != (p->b[i] < 0.0);
        }
        problem *swapped = p;
        p = q;
        q = swapped;
      }
      REQUIRE(changes > 4, "%s: b changed sign %d times", p->name, changes);
    }
  }
  problem_free(p);
  problem_free(q);
}
END_TEST

SUITE("support/problems", TEST(problems_are_well_formed), TEST(the_same_seed_gives_the_same_bits),
      TEST(solutions_put_in_are_solutions), TEST(farkas_vectors_prove), TEST(p_matrices_have_positive_minors),
      TEST(signs_and_symmetry), TEST(semidefinite_forms_are_not_negative),
      TEST(exponential_families_are_exponential), TEST(a_naive_ratio_test_cycles),
      TEST(ma_pendulum_has_one_vertex_and_one_ray), TEST(feasible_without_solution),
      TEST(minus_identity_has_as_many_solutions_as_it_says), TEST(sequences_vary_slowly))
