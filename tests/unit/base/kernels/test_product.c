/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "matrices.h"

enum { longest = 30, stride = longest + 5, space = longest * stride };

static void fill(random_state *random, double *A)
{
  for (int i = 0; i < space; i++) {
    A[i] = random_below(random, 5) ? random_normal(random) * random_scale(random, 2.0) : 0.0;
  }
}

static int size(random_state *random)
{
  return random_below(random, longest + 1);
}

/* |y − A x| ≤ n 2^-52 |A| |x| for both. */
START_TEST(matrix_times_vector)
{
  static double A[space];
  double x[stride], y[stride];
  const int cases = random_cases(4000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int rows = size(&random), cols = size(&random), transposed = k % 2;
    const int in = transposed ? rows : cols, out = transposed ? cols : rows;
    fill(&random, A);
    for (int i = 0; i < stride; i++) {
      x[i] = random_normal(&random);
      y[i] = MATRIX_PADDING;
    }
    (transposed ? nsd_multiply_transposed : nsd_multiply)(rows, cols, A, stride, x, y);
    for (int i = 0; i < out; i++) {
      long double sum = 0.0L, magnitude = 0.0L;
      for (int j = 0; j < in; j++) {
        const long double product = (long double)A[transposed ? j * stride + i : i * stride + j] * x[j];
        sum += product;
        magnitude += fabsl(product);
      }
      REQUIRE(fabsl(y[i] - sum) <= (in + 1) * DBL_EPSILON * magnitude);
    }
    ck_assert(matrix_padding_intact(1, out, y, stride));
  }
}
END_TEST

/* Whatever the processor can do, a product with rows is made of their dot products. */
START_TEST(products_with_rows_have_the_bits_of_dots)
{
  static double A[space], C[2 * stride];
  double x[stride], y[stride];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int rows = size(&random), cols = size(&random);
    fill(&random, A);
    for (int i = 0; i < stride; i++) {
      x[i] = random_normal(&random);
    }
    nsd_multiply(rows, cols, A, stride, x, y);
    for (int i = 0; i < rows; i++) {
      REQUIRE(y[i] == nsd_dot(cols, A + i * stride, x));
    }
    nsd_product_nt(2, rows, cols, A, stride, A, stride, C, stride);
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < rows; j++) {
        REQUIRE(C[i * stride + j] == nsd_dot(cols, A + i * stride, A + j * stride));
      }
    }
  }
}
END_TEST

/* Rows go in one after the other, so two halves of the rows give the bits of all. */
START_TEST(rows_add_to_what_is_there)
{
  static double A[space];
  double x[stride], y[stride], halves[stride], plus[stride];
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int rows = size(&random), cols = size(&random), half = random_below(&random, rows + 1);
    fill(&random, A);
    for (int i = 0; i < stride; i++) {
      x[i] = random_normal(&random);
      y[i] = halves[i] = plus[i] = i < cols ? random_normal(&random) : MATRIX_PADDING;
    }
    nsd_add_transposed(rows, cols, A, stride, x, y);
    nsd_add_transposed(half, cols, A, stride, x, halves);
    nsd_add_transposed(rows - half, cols, A + half * stride, stride, x + half, halves);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cols; j++) {
        plus[j] += x[i] * A[i * stride + j];
      }
    }
    ck_assert_mem_eq(y, plus, sizeof y);
    ck_assert_mem_eq(y, halves, sizeof y);
  }
}
END_TEST

typedef enum form { plain, b_transposed, a_transposed } form;

static void multiply_elements(form f, const double *A, const double *B, int i, int j, int l,
                              long double *product)
{
  const double a = f == a_transposed ? A[l * stride + i] : A[i * stride + l];
  const double b = f == b_transposed ? B[j * stride + l] : B[l * stride + j];
  *product = (long double)a * b;
}

START_TEST(matrix_times_matrix)
{
  static double A[space], B[space], C[space];
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int m = size(&random), n = size(&random), inner = size(&random);
    const form f = (form)(k % 3);
    fill(&random, A);
    fill(&random, B);
    for (int i = 0; i < space; i++) {
      C[i] = MATRIX_PADDING;
    }
    (f == plain          ? nsd_product
     : f == b_transposed ? nsd_product_nt
                         : nsd_product_tn)(m, n, inner, A, stride, B, stride, C, stride);
    ck_assert(matrix_padding_intact(m, n, C, stride));
    ck_assert(matrix_padding_intact(longest - m, 0, C + m * stride, stride));
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        long double sum = 0.0L, magnitude = 0.0L, product;
        for (int l = 0; l < inner; l++) {
          multiply_elements(f, A, B, i, j, l, &product);
          sum += product;
          magnitude += fabsl(product);
        }
        REQUIRE(fabsl(C[i * stride + j] - sum) <= (inner + 1) * DBL_EPSILON * magnitude,
                "case %d, element %d, %d", k, i, j);
      }
    }
  }
}
END_TEST

/* A zero does not hide what it is multiplied with. */
START_TEST(zero_times_nan_is_nan)
{
  const double A[] = {0.0, 1.0, 0.0, 1.0}, B[] = {NAN, 1.0, 1.0, 1.0}, x[] = {NAN, 1.0}, z[] = {0.0, 1.0};
  double y[2], C[4];
  nsd_multiply(2, 2, A, 2, x, y);
  ck_assert(isnan(y[0]) && isnan(y[1]));
  nsd_multiply_transposed(2, 2, B, 2, z, y);
  ck_assert(isnan(y[0]) && y[1] == 1.0);
  nsd_product(2, 2, 2, A, 2, B, 2, C, 2);
  ck_assert(isnan(C[0]) && C[1] == 1.0 && isnan(C[2]) && C[3] == 1.0);
  nsd_product_nt(2, 2, 2, A, 2, B, 2, C, 2);
  ck_assert(isnan(C[0]) && C[1] == 1.0 && isnan(C[2]) && C[3] == 1.0);
  nsd_product_tn(2, 2, 2, A, 2, B, 2, C, 2);
  ck_assert(isnan(C[0]) && C[1] == 0.0 && isnan(C[2]) && C[3] == 2.0);
}
END_TEST

/* JᵀJ in pieces has the bits of JᵀJ in one, below its diagonal; told to stop, it ends. */
START_TEST(the_normal_matrix_is_a_product)
{
  enum { MANY = 150 };
  static double J[MANY * MANY], H[MANY * MANY], C[MANY * MANY];
  for (int n = 0; n <= MANY; n += n < 10 ? 1 : 35) {
    random_state random = random_seed((uint64_t)n);
    for (int i = 0; i < n * n; i++) {
      J[i] = random_normal(&random);
    }
    nsd_normal_matrix_asking(n, J, H, NULL);
    nsd_product_tn(n, n, n, J, n, J, n, C, n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        REQUIRE(H[i * n + j] == C[i * n + j], "n %d: %d %d", n, i, j);
      }
    }
  }
  nsd_poll told = {.is_cancelled = 1};
  H[MANY * MANY - 1] = 4711.0;
  nsd_normal_matrix_asking(MANY, J, H, &told);
  ck_assert(H[MANY * MANY - 1] == 4711.0);
}
END_TEST

SUITE("base/kernels/product", TEST(matrix_times_vector), TEST(products_with_rows_have_the_bits_of_dots),
      TEST(rows_add_to_what_is_there), TEST(matrix_times_matrix), TEST(zero_times_nan_is_nan),
      TEST(the_normal_matrix_is_a_product))
