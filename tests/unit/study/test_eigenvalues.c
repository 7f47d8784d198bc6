/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "study/eigenvalues.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "suite.h"

enum { MOST = 12 };

static double size_of(const double *pair)
{
  return hypot(pair[0], pair[1]);
}

/* Each of the two lists has its partner in the other; returns the largest distance. */
static double distance(int n, const double *a, const double *b)
{
  int used[MOST] = {0};
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    int nearest = -1;
    double least = INFINITY;
    for (int k = 0; k < n; k++) {
      const double away = hypot(a[2 * i] - b[2 * k], a[2 * i + 1] - b[2 * k + 1]);
      if (!used[k] && away < least) {
        least = away;
        nearest = k;
      }
    }
    REQUIRE(nearest >= 0, "no partner");
    used[nearest] = 1;
    largest = fmax(largest, least);
  }
  return largest;
}

static void check_order(int n, const double *lambda)
{
  for (int k = 0; k + 1 < n; k++) {
    REQUIRE(size_of(lambda + 2 * k) >= size_of(lambda + 2 * k + 2) * (1.0 - 1e-14), "size rises at %d", k);
  }
  for (int k = 0; k < n; k++) {
    if (lambda[2 * k + 1] > 0.0) {
      REQUIRE(k + 1 < n && lambda[2 * k + 2] == lambda[2 * k] && lambda[2 * k + 3] == -lambda[2 * k + 1],
              "no partner behind %d", k);
      k++;
    } else {
      REQUIRE(lambda[2 * k + 1] == 0.0, "a pair begins with its second half at %d", k);
    }
  }
}

static void solve(int n, const double *A, double *lambda)
{
  double copy[MOST * MOST];
  memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
  const nsdyn_status status = nsd_eigenvalues(n, copy, n, lambda);
  REQUIRE(status == NSDYN_OK, "%s", nsdyn_status_name(status));
  check_order(n, lambda);
}

static void judge(int n, const double *A, double *lambda)
{
  gsl_matrix *matrix = gsl_matrix_alloc((size_t)n, (size_t)n);
  gsl_vector_complex *values = gsl_vector_complex_alloc((size_t)n);
  gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc((size_t)n);
  memcpy(matrix->data, A, (size_t)(n * n) * sizeof *A);
  ck_assert_int_eq(gsl_eigen_nonsymm(matrix, values, work), 0);
  for (int i = 0; i < n; i++) {
    lambda[2 * i] = GSL_REAL(gsl_vector_complex_get(values, (size_t)i));
    lambda[2 * i + 1] = GSL_IMAG(gsl_vector_complex_get(values, (size_t)i));
  }
  gsl_eigen_nonsymm_free(work);
  gsl_vector_complex_free(values);
  gsl_matrix_free(matrix);
}

START_TEST(gsl_finds_the_same)
{
  const int cases = random_cases(2000);
  for (int i = 0; i < cases; i++) {
    random_state r = random_seed((uint64_t)i);
    const int n = 1 + i % MOST;
    double A[MOST * MOST], own[2 * MOST], other[2 * MOST];
    for (int k = 0; k < n * n; k++) {
      A[k] = random_between(&r, -1.0, 1.0) * (random_unit(&r) < 0.3 ? 0.0 : 1.0);
    }
    solve(n, A, own);
    judge(n, A, other);
    /* eigenvalues of a defective matrix move by (n ε)^(1/n); random ones are near such a one now and then */
    const double away = distance(n, own, other);
    REQUIRE(away < 1e-6, "case %d, n = %d: %g", i, n, away);
  }
}
END_TEST

/* Similar to a block-diagonal matrix of known eigenvalues: well apart from each other. */
START_TEST(known_ones_come_back)
{
  const int cases = random_cases(1000);
  for (int i = 0; i < cases; i++) {
    random_state r = random_seed((uint64_t)i);
    const int n = 2 + i % (MOST - 1);
    double D[MOST * MOST] = {0}, S[MOST * MOST], A[MOST * MOST], T[MOST * MOST] = {0}, known[2 * MOST] = {0};
    double own[2 * MOST];
    for (int k = 0; k < n; k++) {
      const double size = 1.0 + k;
      if (k + 1 < n && random_unit(&r) < 0.5) {
        const double angle = random_between(&r, 0.3, 2.8);
        D[k * n + k] = D[(k + 1) * n + k + 1] = known[2 * k] = known[2 * k + 2] = size * cos(angle);
        D[k * n + k + 1] = known[2 * k + 1] = size * sin(angle);
        D[(k + 1) * n + k] = known[2 * k + 3] = -size * sin(angle);
        k++;
      } else {
        D[k * n + k] = known[2 * k] = random_unit(&r) < 0.5 ? -size : size;
      }
    }
    /* S = 1 + small: well conditioned; A = S D S⁻¹, that is A S = S D */
    for (int k = 0; k < n * n; k++) {
      S[k] = (k % (n + 1) == 0 ? 1.0 : 0.0) + random_between(&r, -0.4, 0.4) / n;
    }
    int perm[MOST];
    nsd_product(n, n, n, S, n, D, n, T, n);
    ck_assert_int_eq(nsd_lu_factor(n, S, n, perm, NULL), NSDYN_OK);
    memcpy(A, T, sizeof A);
    nsd_lu_solve_transposed(n, S, n, perm, n, A, n);
    solve(n, A, own);
    const double away = distance(n, own, known);
    REQUIRE(away < 1e-12 * n, "case %d, n = %d: %g", i, n, away);
  }
}
END_TEST

/* Nearly all alike, nearly defective: where an iteration is slowest. Each of them is ill-conditioned, their
 * sum and the sum of their squares are not. */
START_TEST(many_nearly_equal_ones)
{
  const int cases = random_cases(1000);
  for (int i = 0; i < cases; i++) {
    random_state r = random_seed((uint64_t)i);
    const int n = 2 + random_below(&r, MOST - 1), kind = random_below(&r, 3);
    const double noise = pow(10.0, -random_between(&r, 2.0, 14.0));
    double A[MOST * MOST] = {0.0}, lambda[2 * MOST] = {0.0};
    for (int k = 0; k < n * n; k++) {
      const int above = k % n - k / n;
      const double upper = (kind == 1 && above == 1) || (kind == 2 && above > 0) ? random_normal(&r) : 0.0;
      A[k] = (above == 0 ? 1.0 : 0.0) + upper + (random_unit(&r) < 0.5 ? noise * random_normal(&r) : 0.0);
    }
    solve(n, A, lambda);
    double sum = 0.0, squares = 0.0, trace = 0.0, trace_2 = 0.0;
    for (int k = 0; k < n; k++) {
      sum += lambda[2 * k];
      squares += lambda[2 * k] * lambda[2 * k] - lambda[2 * k + 1] * lambda[2 * k + 1];
      trace += A[k * n + k];
      for (int j = 0; j < n; j++) {
        trace_2 += A[k * n + j] * A[j * n + k];
      }
    }
    REQUIRE(fabs(sum - trace) < 1e-12 * n, "case %d: %g", i, sum - trace);
    REQUIRE(fabs(squares - trace_2) < 1e-11 * n, "case %d: %g", i, squares - trace_2);
  }
}
END_TEST

START_TEST(roots_of_unity_of_a_cyclic_exchange)
{
  for (int n = 1; n <= MOST; n++) {
    double A[MOST * MOST] = {0}, lambda[2 * MOST], known[2 * MOST];
    for (int i = 0; i < n; i++) {
      A[i * n + (i + 1) % n] = 1.0;
      known[2 * i] = cos(2.0 * 3.14159265358979323846 * i / n);
      known[2 * i + 1] = sin(2.0 * 3.14159265358979323846 * i / n);
    }
    solve(n, A, lambda);
    ck_assert_double_lt(distance(n, lambda, known), 1e-13);
  }
}
END_TEST

START_TEST(units_do_not_matter)
{
  const double A[9] = {1.0, 2.0, -1.0, 0.5, -3.0, 4.0, -2.0, 1.0, 0.25};
  double plain[6], lambda[6];
  solve(3, A, plain);
  for (int e = -900; e <= 900; e += 300) { /* the whole matrix */
    double B[9];
    for (int i = 0; i < 9; i++) {
      B[i] = ldexp(A[i], e);
    }
    solve(3, B, lambda);
    for (int i = 0; i < 6; i++) {
      ck_assert(ldexp(lambda[i], -e) == plain[i]);
    }
  }
  double C[9]; /* metres, millimetres, kilometres */
  const double unit[3] = {1.0, 1e-3, 1e9};
  for (int i = 0; i < 9; i++) {
    C[i] = A[i] * unit[i / 3] / unit[i % 3];
  }
  solve(3, C, lambda);
  ck_assert_double_lt(distance(3, lambda, plain), 1e-13);
}
END_TEST

START_TEST(extremes)
{
  double lambda[2 * MOST] = {7.0};
  ck_assert_int_eq(nsd_eigenvalues(0, NULL, 0, lambda), NSDYN_OK);
  ck_assert(lambda[0] == 7.0);
  const double zero[16] = {0};
  solve(4, zero, lambda);
  for (int i = 0; i < 8; i++) {
    ck_assert(lambda[i] == 0.0);
  }
  const double nilpotent[9] = {0.0, 1.0, 5.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
  solve(3, nilpotent, lambda);
  for (int i = 0; i < 6; i++) {
    ck_assert(lambda[i] == 0.0);
  }
  const double defective[4] = {2.0, 1.0, 0.0, 2.0};
  solve(2, defective, lambda);
  ck_assert(lambda[0] == 2.0 && lambda[1] == 0.0 && lambda[2] == 2.0 && lambda[3] == 0.0);
  double bad[4] = {1.0, NAN, 0.0, 1.0};
  ck_assert_int_eq(nsd_eigenvalues(2, bad, 2, lambda), NSDYN_ERR_NOT_FINITE);
  double endless[4] = {1.0, 0.0, -INFINITY, 1.0};
  ck_assert_int_eq(nsd_eigenvalues(2, endless, 2, lambda), NSDYN_ERR_NOT_FINITE);
  double large[4] = {1.5e308, 1.5e308, 1.5e308, 1.5e308}; /* 3e308 is no double */
  ck_assert_int_eq(nsd_eigenvalues(2, large, 2, lambda), NSDYN_ERR_NOT_FINITE);
  double tight[8] = {3.0, 0.0, 99.0, 99.0, 0.0, -4.0, 99.0, 99.0}; /* rows 4 apart */
  ck_assert_int_eq(nsd_eigenvalues(2, tight, 4, lambda), NSDYN_OK);
  ck_assert(lambda[0] == -4.0 && lambda[2] == 3.0 && tight[2] == 99.0 && tight[7] == 99.0);
}
END_TEST

SUITE("study/eigenvalues", TEST(gsl_finds_the_same), TEST(known_ones_come_back), TEST(many_nearly_equal_ones),
      TEST(roots_of_unity_of_a_cyclic_exchange), TEST(units_do_not_matter), TEST(extremes))
