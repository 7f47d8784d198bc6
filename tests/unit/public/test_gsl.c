/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nsdyn/gsl.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <math.h>

#include "suite.h"

/* GSL's error handler counts: no adapter may reach it. */
static int handler_calls;

static void count_call(const char *reason, const char *file, int line, int number)
{
  (void)reason, (void)file, (void)line, (void)number;
  handler_calls++;
}

static void watch_handler(void)
{
  handler_calls = 0;
  gsl_set_error_handler(count_call);
}

START_TEST(matrices_pass_uncopied)
{
  watch_handler();
  gsl_matrix *whole = gsl_matrix_calloc(5, 7);
  gsl_matrix_view part = gsl_matrix_submatrix(whole, 1, 2, 3, 4);
  double *data = nsdyn_gsl_matrix_data(&part.matrix);
  const int64_t lda = nsdyn_gsl_matrix_lda(&part.matrix);
  ck_assert_int_eq(nsdyn_gsl_matrix_rows(&part.matrix), 3);
  ck_assert_int_eq(nsdyn_gsl_matrix_cols(&part.matrix), 4);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      data[i * lda + j] = 10.0 * i + j;
    }
  }
  ck_assert(nsdyn_gsl_matrix_const_data(&part.matrix) == data);
  for (size_t i = 0; i < 5; i++) {
    for (size_t j = 0; j < 7; j++) {
      const int inside = i >= 1 && i < 4 && j >= 2 && j < 6;
      const double expected = inside ? 10.0 * (double)(i - 1) + (double)(j - 2) : 0.0;
      ck_assert(gsl_matrix_get(whole, i, j) == expected);
    }
  }
  gsl_matrix_free(whole);
  ck_assert_int_eq(handler_calls, 0);
}
END_TEST

START_TEST(vectors_pass_only_side_by_side)
{
  watch_handler();
  gsl_matrix *A = gsl_matrix_calloc(3, 2);
  gsl_vector_view row = gsl_matrix_row(A, 1), column = gsl_matrix_column(A, 1);
  gsl_vector_view one = gsl_vector_subvector(&column.vector, 2, 1);
  ck_assert_ptr_eq(nsdyn_gsl_vector_data(&row.vector), A->data + 2);
  ck_assert_ptr_eq(nsdyn_gsl_vector_const_data(&row.vector), A->data + 2);
  ck_assert_int_eq(nsdyn_gsl_vector_size(&column.vector), 3);
  ck_assert_ptr_null(nsdyn_gsl_vector_data(&column.vector));
  ck_assert_ptr_null(nsdyn_gsl_vector_const_data(&column.vector));
  ck_assert_ptr_eq(nsdyn_gsl_vector_data(&one.vector), A->data + 5);
  ck_assert_ptr_eq(nsdyn_gsl_vector_const_data(&one.vector), A->data + 5);
  gsl_matrix_free(A);
  ck_assert_int_eq(handler_calls, 0);
}
END_TEST

START_TEST(sizes_beyond_int_are_refused)
{
  ck_assert_int_eq(nsdyn_gsl_size(0), 0);
  ck_assert_int_eq(nsdyn_gsl_size((size_t)INT32_MAX), INT32_MAX);
  ck_assert_int_eq(nsdyn_gsl_size((size_t)INT32_MAX + 1), -1);
  ck_assert_int_eq(nsdyn_gsl_size((size_t)-1), -1);
}
END_TEST

/* A product by GSL of arrays that are ours. */
START_TEST(arrays_pass_to_gsl_uncopied)
{
  watch_handler();
  double A[2 * 4] = {1, 2, 3, NAN, 4, 5, 6, NAN}, x[3] = {1, 10, 100}, y[2] = {0, 0};
  gsl_matrix_view matrix = nsdyn_gsl_matrix_view(A, 2, 3, 4);
  gsl_vector_view in = nsdyn_gsl_vector_view(x, 3), out = nsdyn_gsl_vector_view(y, 2);
  ck_assert_int_eq(gsl_blas_dgemv(CblasNoTrans, 1.0, &matrix.matrix, &in.vector, 0.0, &out.vector), 0);
  ck_assert(y[0] == 321.0 && y[1] == 654.0);
  ck_assert_int_eq(handler_calls, 0);
}
END_TEST

START_TEST(wrong_arrays_are_views_of_nothing)
{
  watch_handler();
  double a[4] = {0, 0, 0, 0};
  ck_assert(nsdyn_gsl_vector_view(a, 0).vector.size == 0);
  ck_assert(nsdyn_gsl_vector_view(a, -1).vector.data == NULL);
  ck_assert(nsdyn_gsl_vector_view(NULL, 3).vector.size == 0);
  static const int wrong[][3] = {{2, 2, 1}, {-1, 2, 2}, {2, -1, 2}, {0, 2, 2}, {2, 0, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const gsl_matrix_view view = nsdyn_gsl_matrix_view(a, wrong[i][0], wrong[i][1], wrong[i][2]);
    ck_assert(view.matrix.size1 == 0 && view.matrix.size2 == 0 && view.matrix.data == NULL);
  }
  ck_assert(nsdyn_gsl_matrix_view(NULL, 2, 2, 2).matrix.data == NULL);
  ck_assert_int_eq(handler_calls, 0);
}
END_TEST

static const double speeds[] = {0.1, 0.2, 0.5, 1.0}, coefficients[] = {0.6, 0.4, 0.35, 0.3};

START_TEST(friction_curve_follows_its_spline_and_stops_at_its_ends)
{
  watch_handler();
  nsdyn_gsl_friction curve = {gsl_spline_alloc(gsl_interp_steffen, 4), gsl_interp_accel_alloc()};
  nsdyn_gsl_friction without = {curve.spline, NULL};
  ck_assert_int_eq(gsl_spline_init(curve.spline, speeds, coefficients, 4), 0);
  double mu = NAN, mu_without = NAN;
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(nsdyn_gsl_friction_mu(&curve, speeds[i], &mu), 0);
    ck_assert_msg(fabs(mu - coefficients[i]) < 1e-15, "a point of the curve: %.17g", mu);
  }
  static const double slow[] = {0.0, 0.0999, -1.0}, fast[] = {1.0001, 1e300, INFINITY};
  for (int i = 0; i < 3; i++) {
    ck_assert(nsdyn_gsl_friction_mu(&curve, slow[i], &mu) == 0 && fabs(mu - 0.6) < 1e-15);
    ck_assert(nsdyn_gsl_friction_mu(&curve, fast[i], &mu) == 0 && fabs(mu - 0.3) < 1e-15);
  }
  for (int k = 0; k < random_cases(5000); k++) {
    random_state random = random_seed((uint64_t)k);
    const double speed = random_between(&random, 0.1, 1.0);
    ck_assert_int_eq(nsdyn_gsl_friction_mu(&curve, speed, &mu), 0);
    ck_assert_int_eq(nsdyn_gsl_friction_mu(&without, speed, &mu_without), 0);
    ck_assert(mu == mu_without && mu == gsl_spline_eval(curve.spline, speed, NULL));
    ck_assert_msg(mu <= 0.6 && mu >= 0.3, "seed %d: between its points", k);
  }
  gsl_spline_free(curve.spline);
  gsl_interp_accel_free(curve.accel);
  ck_assert_int_eq(handler_calls, 0);
}
END_TEST

START_TEST(friction_curve_refuses_what_is_no_coefficient)
{
  watch_handler();
  static const double dives[] = {0.5, 0.1, -0.1, 0.0}, holes[] = {0.5, NAN, 0.2, 0.1};
  nsdyn_gsl_friction curve = {gsl_spline_alloc(gsl_interp_linear, 4), NULL};
  double mu = 7.0;
  ck_assert_int_eq(gsl_spline_init(curve.spline, speeds, dives, 4), 0);
  ck_assert_int_eq(nsdyn_gsl_friction_mu(&curve, 0.5, &mu), -1);
  ck_assert_int_eq(nsdyn_gsl_friction_mu(&curve, NAN, &mu), -1);
  ck_assert_int_eq(gsl_spline_init(curve.spline, speeds, holes, 4), 0);
  ck_assert_int_eq(nsdyn_gsl_friction_mu(&curve, 0.2, &mu), -1);
  ck_assert_int_eq(nsdyn_gsl_friction_mu(NULL, 0.2, &mu), -1);
  nsdyn_gsl_friction nothing = {NULL, NULL};
  ck_assert_int_eq(nsdyn_gsl_friction_mu(&nothing, 0.2, &mu), -1);
  ck_assert_msg(mu == 7.0, "untouched on failure");
  gsl_spline_free(curve.spline);
  ck_assert_int_eq(handler_calls, 0);
}
END_TEST

SUITE("public/gsl", TEST(matrices_pass_uncopied), TEST(vectors_pass_only_side_by_side),
      TEST(sizes_beyond_int_are_refused), TEST(arrays_pass_to_gsl_uncopied),
      TEST(wrong_arrays_are_views_of_nothing), TEST(friction_curve_follows_its_spline_and_stops_at_its_ends),
      TEST(friction_curve_refuses_what_is_no_coefficient))
