/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/vec3.h"

#include <string.h>

#include "base/dense.h"
#include "matrices.h"

static void fill(random_state *random, int count, double *a)
{
  for (int i = 0; i < count; i++) {
    a[i] = random_normal(random) * random_scale(random, 2.0);
  }
}

/* a × b is orthogonal to both, its length is that of Lagrange's identity, and it changes its sign with
 * the order. */
START_TEST(cross_product)
{
  const double e[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  double c[3];
  for (int i = 0; i < 3; i++) {
    nsd_vec3_cross(e + 3 * i, e + (3 * i + 3) % 9, c);
    ck_assert_mem_eq(c, e + (3 * i + 6) % 9, sizeof c);
  }
  const int cases = random_cases(10000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double a[3], b[3], d[3];
    fill(&random, 3, a);
    fill(&random, 3, b);
    nsd_vec3_cross(a, b, c);
    nsd_vec3_cross(b, a, d);
    REQUIRE(c[0] == -d[0] && c[1] == -d[1] && c[2] == -d[2]);
    const double size = nsd_vec3_norm(a) * nsd_vec3_norm(b), along = nsd_vec3_dot(a, b);
    REQUIRE(fabs(nsd_vec3_dot(a, c)) <= 8 * DBL_EPSILON * size * nsd_vec3_norm(a));
    REQUIRE(fabs(nsd_vec3_dot(b, c)) <= 8 * DBL_EPSILON * size * nsd_vec3_norm(b));
    REQUIRE(fabs(nsd_vec3_dot(c, c) + along * along - size * size) <= 16 * DBL_EPSILON * size * size);
    memcpy(d, a, sizeof d);
    nsd_vec3_cross(d, b, d);
    REQUIRE(memcmp(c, d, sizeof c) == 0);
  }
}
END_TEST

START_TEST(norm_and_multiples)
{
  const double bad[] = {NAN, 1.0, INFINITY}, infinite[] = {1.0, -INFINITY, 0.0}, zero[] = {0.0, -0.0, 0.0};
  REQUIRE(isnan(nsd_vec3_norm(bad)) && nsd_vec3_norm(infinite) == INFINITY && nsd_vec3_norm(zero) == 0.0);
  REQUIRE(!nsd_vec3_is_finite(3, bad) && !nsd_vec3_is_finite(3, infinite) && nsd_vec3_is_finite(3, zero));
  const int cases = random_cases(10000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double a[3], b[3], c[3];
    const double unit = random_scale(&random, 305.0);
    fill(&random, 3, a);
    nsd_vec3_scale(unit, a, b);
    const long double norm =
        sqrtl((long double)b[0] * b[0] + (long double)b[1] * b[1] + (long double)b[2] * b[2]);
    REQUIRE(fabsl(nsd_vec3_norm(b) - norm) <= 2 * DBL_EPSILON * norm + 0x1p-1074L || norm > DBL_MAX,
            "case %d: %g", k, nsd_vec3_norm(b));
    nsd_vec3_add_scaled(a, -2.0, a, c);
    REQUIRE(c[0] == -a[0] && c[1] == -a[1] && c[2] == -a[2]);
  }
}
END_TEST

/* The same as the matrices of any size, which have tests of their own. */
START_TEST(products)
{
  const int cases = random_cases(10000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double A[9], B[9], C[9], D[9], x[3], y[3], z[3];
    fill(&random, 9, A);
    fill(&random, 9, B);
    fill(&random, 3, x);
    const double a = nsd_norm_2(9, A), b = nsd_norm_2(9, B), size = nsd_vec3_norm(x);
    nsd_mat3_multiply(A, x, y);
    nsd_multiply(3, 3, A, 3, x, z);
    REQUIRE(fabs(y[0] - z[0]) + fabs(y[1] - z[1]) + fabs(y[2] - z[2]) <= 8 * DBL_EPSILON * a * size);
    nsd_mat3_multiply_transposed(A, x, y);
    nsd_multiply_transposed(3, 3, A, 3, x, z);
    REQUIRE(fabs(y[0] - z[0]) + fabs(y[1] - z[1]) + fabs(y[2] - z[2]) <= 8 * DBL_EPSILON * a * size);
    nsd_mat3_product(A, B, C);
    nsd_product(3, 3, 3, A, 3, B, 3, D, 3);
    for (int i = 0; i < 9; i++) {
      REQUIRE(fabs(C[i] - D[i]) <= 4 * DBL_EPSILON * a * b);
    }
    memcpy(D, A, sizeof D);
    nsd_mat3_product(D, B, D);
    REQUIRE(memcmp(C, D, sizeof C) == 0);
    nsd_mat3_transpose(A, D);
    for (int i = 0; i < 9; i++) {
      REQUIRE(D[i] == A[i % 3 * 3 + i / 3]);
    }
    nsd_mat3_transpose(D, D);
    REQUIRE(memcmp(A, D, sizeof A) == 0);
    REQUIRE(fabs(nsd_mat3_determinant(C) - nsd_mat3_determinant(A) * nsd_mat3_determinant(B)) <=
            1e-12 * a * a * a * b * b * b);
  }
}
END_TEST

/* |A X − I| ≤ c 2^-52 |A| |X| in the units of A, whatever they are: rows and columns from 1e-100 to
 * 1e100, the whole near the ends of the range. */
START_TEST(inverse)
{
  const int cases = random_cases(20000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double A[9], X[9];
    const double decades = k % 3 == 0 ? 0.0 : k % 3 == 1 ? 10.0 : 70.0;
    fill(&random, 9, A);
    for (int i = 0; i < 3; i++) {
      const double row = random_scale(&random, decades), column = random_scale(&random, decades);
      for (int j = 0; j < 3; j++) {
        A[3 * i + j] *= row;
        A[3 * j + i] *= column;
      }
    }
    const nsdyn_status status = nsd_mat3_inverse(A, X);
    ck_assert_msg(status == NSDYN_OK || status == NSDYN_ERR_SINGULAR, "case %d: %s", k,
                  nsdyn_status_name(status));
    if (status != NSDYN_OK) {
      continue;
    }
    solved++;
    /* the condition that no units change: |A^-1| |A| elementwise */
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        long double sum = i == j ? -1.0L : 0.0L, allowed = 0.0L;
        for (int l = 0; l < 3; l++) {
          sum += (long double)A[3 * i + l] * X[3 * l + j];
          for (int m = 0; m < 3; m++) {
            for (int q = 0; q < 3; q++) {
              allowed += fabsl((long double)A[3 * i + l] * X[3 * l + m]) *
                         fabsl((long double)A[3 * m + q] * X[3 * q + j]);
            }
          }
        }
        REQUIRE(fabsl(sum) <= 16 * DBL_EPSILON * allowed, "case %d: %Lg of %Lg", k, sum, allowed);
      }
    }
  }
  REQUIRE(solved > cases * 99 / 100, "%d of %d", solved, cases);
}
END_TEST

START_TEST(inverse_at_the_ends_of_the_range)
{
  double tiny[9] = {1e-300, 0.0, 0.0, 0.0, 2e-300, 1e-300, 0.0, 1e-300, 1e-300}, X[9];
  double mixed[9] = {1e-160, 0.0, 0.0, 0.0, 1e-160, 0.0, 0.0, 0.0, 1e300};
  double denormal[9] = {1e-320, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  ck_assert_int_eq(nsd_mat3_inverse(tiny, X), NSDYN_OK);
  ck_assert_double_eq_tol(X[0] * 1e-300, 1.0, 1e-15);
  ck_assert_double_eq_tol(X[4] * 1e-300, 1.0, 1e-15);
  ck_assert_double_eq_tol(X[5] * 1e-300, -1.0, 1e-15);
  ck_assert_int_eq(nsd_mat3_inverse(mixed, X), NSDYN_OK);
  ck_assert_double_eq_tol(X[0] * 1e-160, 1.0, 1e-15);
  ck_assert_double_eq_tol(X[8] * 1e300, 1.0, 1e-15);
  memset(X, 0, sizeof X);
  ck_assert_int_eq(nsd_mat3_inverse(denormal, X), NSDYN_ERR_NOT_FINITE);
  REQUIRE(X[0] == 0.0 && X[8] == 0.0);
}
END_TEST

/* Units 2^r_i of rows, 2^c_j of columns change no bit of the inverse, wherever its elements and those of A
 * are doubles, but for elements that are less than 2^-1000 where the equilibrated matrix is near 1; it is not
 * finite where one of its elements is none. */
static nsdyn_status check_units(double base[9], const int r[3], const int c[3], int k)
{
  double A[9], S[9], X[9], Y[9];
  int d[3], e[3], finite = 1;
  for (int i = 0; i < 9; i++) {
    const int power = r[i / 3] + c[i % 3];
    base[i] = power < -1000 || power > 1000 ? 0.0 : base[i];
    A[i] = ldexp(base[i], power);
  }
  const nsdyn_status status = nsd_mat3_inverse(base, Y), scaled = nsd_mat3_inverse(A, X);
  for (int i = 0; i < 9 && status == NSDYN_OK; i++) {
    Y[i] = ldexp(Y[i], -c[i / 3] - r[i % 3]);
    finite &= isfinite(Y[i]) != 0;
  }
  ck_assert_msg(scaled == (finite ? status : NSDYN_ERR_NOT_FINITE), "case %d: %s", k,
                nsdyn_status_name(scaled));
  nsd_mat3_equilibrate(A, S, d, e);
  for (int i = 0; i < 9 && scaled == NSDYN_OK; i++) {
    REQUIRE(fabs(S[i]) < 1.0);
    const double nothing = ldexp(1.0, -1000 - d[i % 3] - e[i / 3]);
    REQUIRE(fabs(X[i] - Y[i]) <= nothing, "case %d, element %d: %a, not %a", k, i, X[i], Y[i]);
  }
  return scaled;
}

START_TEST(inverse_has_no_unit)
{
  const int cases = random_cases(30000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int widest = k % 3 == 0 ? 500 : k % 3 == 1 ? 1000 : 1500;
    double base[9];
    int r[3], c[3];
    fill(&random, 9, base);
    for (int i = 0; i < 3; i++) {
      r[i] = random_below(&random, 2 * widest + 1) - widest;
      c[i] = random_below(&random, 2 * widest + 1) - widest;
    }
    solved += check_units(base, r, c, k) == NSDYN_OK;
  }
  REQUIRE(solved > cases / 2, "%d of %d", solved, cases);
  /* rows near the largest double, two columns small; elements that are 2^-1800 of the largest in their rows
   * and columns, but no product of the determinant does without one */
  double rows[9] = {3.0, 0.7, 0.2, 0.6, 3.0, 0.3, 0.1, 0.5, 3.0};
  double arrow[9] = {0.0, 1.5, 1.0, 1.0, 3.0, 0.3, 0.7, 0.5, 3.0};
  const int high[3] = {1000, 1000, 1000}, low[3] = {0, -1000, -1000};
  const int head[3] = {900, -900, -900}, tail[3] = {1800, 0, 0};
  ck_assert_int_eq(check_units(rows, high, low, -1), NSDYN_OK);
  ck_assert_int_eq(check_units(arrow, head, tail, -2), NSDYN_OK);
}
END_TEST

/* Rank 2 and less, exactly and but for rounding, in any units. */
START_TEST(singular)
{
  const int cases = random_cases(10000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double A[9], X[9] = {7.0};
    const double p = random_normal(&random), q = random_normal(&random);
    fill(&random, 9, A);
    for (int j = 0; j < 3; j++) {
      A[6 + j] = k % 4 == 0 ? 0.0 : k % 4 == 1 ? A[j] : p * A[j] + q * A[3 + j];
      A[3 + j] = k % 4 == 3 ? p * A[j] : A[3 + j];
    }
    for (int i = 0; i < 3; i++) {
      nsd_vec3_scale(random_scale(&random, 50.0), A + 3 * i, A + 3 * i);
    }
    REQUIRE(nsd_mat3_inverse(A, X) == NSDYN_ERR_SINGULAR, "case %d", k);
    REQUIRE(X[0] == 7.0);
    nsd_mat3_transpose(A, A);
    REQUIRE(nsd_mat3_inverse(A, X) == NSDYN_ERR_SINGULAR, "case %d", k);
  }
}
END_TEST

START_TEST(not_finite_at_every_place)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int at = 0; at < 27; at++) {
    double A[9] = {4.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 2.0}, X[9], x[3], b[3] = {1.0, 2.0, 3.0};
    A[at % 9] = bad[at / 9];
    ck_assert_int_eq(nsd_mat3_inverse(A, X), NSDYN_ERR_NOT_FINITE);
    const int upper = at % 9 % 3 > at % 9 / 3;
    ck_assert_int_eq(nsd_mat3_solve_symmetric(A, b, x), upper ? NSDYN_OK : NSDYN_ERR_NOT_FINITE);
    double D[9] = {4.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 2.0};
    b[at % 3] = bad[at / 9];
    ck_assert_int_eq(nsd_mat3_solve_symmetric(D, b, x), NSDYN_ERR_NOT_FINITE);
  }
}
END_TEST

/* Definite or not, in units d_i d_j: the residual is rounding of the terms of b − A x. */
START_TEST(symmetric_solve)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double A[9], b[3], x[3], y[3], d[3];
    fill(&random, 9, A);
    fill(&random, 3, b);
    for (int i = 0; i < 3; i++) {
      d[i] = k % 2 ? random_scale(&random, 6.0) : 1.0;
      b[i] *= d[i];
    }
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j <= i; j++) {
        A[3 * i + j] =
            (k % 3 ? A[3 * i + j] + (i == j ? 4.0 * fabs(A[3 * i + j]) : 0.0) : A[3 * i + j]) * d[i] * d[j];
      }
    }
    const nsdyn_status status = nsd_mat3_solve_symmetric(A, b, x);
    if (status == NSDYN_ERR_SINGULAR) {
      continue;
    }
    ck_assert_int_eq(status, NSDYN_OK);
    double S[9], X[9];
    for (int i = 0; i < 9; i++) {
      S[i] = A[i % 3 > i / 3 ? i % 3 * 3 + i / 3 : i];
    }
    ck_assert_int_eq(nsd_mat3_inverse(S, X), NSDYN_OK);
    nsd_mat3_multiply(S, x, y);
    for (int i = 0; i < 3; i++) {
      double terms = fabs(b[i]);
      for (int j = 0; j < 3; j++) {
        for (int l = 0; l < 3; l++) {
          terms += fabs(S[3 * i + j]) * fabs(X[3 * j + l]) * fabs(b[l]);
        }
      }
      REQUIRE(fabs(y[i] - b[i]) <= 8 * DBL_EPSILON * terms, "case %d: %g of %g", k, y[i] - b[i], terms);
    }
  }
}
END_TEST

SUITE("base/vec3", TEST(cross_product), TEST(norm_and_multiples), TEST(products), TEST(inverse),
      TEST(inverse_at_the_ends_of_the_range), TEST(inverse_has_no_unit), TEST(singular),
      TEST(not_finite_at_every_place), TEST(symmetric_solve))
