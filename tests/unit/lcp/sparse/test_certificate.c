/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/certificate.c: the judge of sparse problems. */
#include "lcp/sparse/certificate.h"

#include "sparse_cases.h"

/* The dense judge on the same numbers, at points right, nearly right, wrong and out of bounds. */
START_TEST(agrees_with_the_dense_judge)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 1 + random_below(&r, 20);
    sparse_case c = sparse_case_random(&r, n, 0.4, 0, 1.01);
    double dense[400] = {0.0};
    for (int32_t i = 0; i < n; i++) {
      for (int64_t l = c.row[i]; l < c.row[i + 1]; l++) {
        dense[i * n + c.column[l]] = c.value[l];
      }
      const int kind = random_below(&r, 4);
      c.lo[i] = kind == 1 ? -1.0 : 0.0;
      c.hi[i] = kind >= 2 ? 1.0 : (double)INFINITY;
      c.x[i] = kind == 0 ? 0.0 : kind == 2 ? 1.0 : 0.5 + 0.6 * random_normal(&r);
    }
    const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    const nsd_sparse_certificate own = nsd_sparse_certify(&A, c.b, c.lo, c.hi, c.x, c.y, NULL);
    double residual;
    int32_t row;
    ck_assert_int_eq(nsdyn_lcp_residual(n, dense, n, c.b, c.lo, c.hi, c.x, &residual, &row), NSDYN_OK);
    REQUIRE(fabs(own.residual - residual) <= 1e-14 || own.residual == residual, "seed %d: %g, %g", k,
            own.residual, residual);
    for (int32_t i = 0; i < n; i++) {
      REQUIRE(c.y[i] == 0.0 || !(c.x[i] > c.lo[i] && c.x[i] < c.hi[i]), "seed %d", k);
    }
    sparse_case_free(&c);
  }
}
END_TEST

/* The same matrix by rows and in a band. */
START_TEST(a_band_is_its_rows)
{
  sparse_case c = sparse_case_mesh(6, 0.125);
  double band[36 * 14];
  random_state r = random_seed(3);
  for (int i = 0; i < 36 * 14; i++) {
    band[i] = 1e9; /* the last column is padding, corners are outside of the matrix */
  }
  for (int32_t i = 0; i < c.n; i++) {
    c.b[i] = random_normal(&r);
    c.x[i] = random_below(&r, 2) ? random_unit(&r) : 0.0;
    for (int32_t j = i - 6 < 0 ? 0 : i - 6; j <= i + 6 && j < c.n; j++) {
      band[i * 14 + 6 + j - i] = 0.0;
    }
    for (int64_t l = c.row[i]; l < c.row[i + 1]; l++) {
      band[i * 14 + 6 + c.column[l] - i] = c.value[l];
    }
  }
  const nsdyn_sparse_matrix rows = sparse_case_matrix(&c);
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.format = NSDYN_SPARSE_BANDED;
  A.n = c.n;
  A.lower = A.upper = 6;
  A.stride = 14;
  A.value = band;
  const nsd_sparse_certificate one = nsd_sparse_certify(&rows, c.b, NULL, NULL, c.x, NULL, NULL);
  const nsd_sparse_certificate two = nsd_sparse_certify(&A, c.b, NULL, NULL, c.x, NULL, NULL);
  ck_assert(one.residual > 0.0 && one.residual == two.residual && one.row == two.row);
  sparse_case_free(&c);
}
END_TEST

/* [1 −1; −1 1] has x + t (1, 1) for every t: far enough out nothing of b is left. */
START_TEST(far_out_is_seen)
{
  sparse_case c = sparse_case_new(2, 4);
  for (int32_t i = 0; i < 2; i++) {
    sparse_case_add(&c, i, 0, i ? -1.0 : 1.0);
    sparse_case_add(&c, i, 1, i ? 1.0 : -1.0);
    sparse_case_end_row(&c, i);
    c.b[i] = -1.0;
    c.x[i] = 1e12;
  }
  const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  nsd_sparse_certificate found = nsd_sparse_certify(&A, c.b, NULL, NULL, c.x, NULL, NULL);
  ck_assert(found.residual < 1e-11 && found.far_out);
  c.x[0] = c.x[1] = 1.0;
  found = nsd_sparse_certify(&A, c.b, NULL, NULL, c.x, NULL, NULL);
  ck_assert(!found.far_out && found.residual > 0.1);
  sparse_case_free(&c);
}
END_TEST

START_TEST(what_is_no_number_is_no_answer)
{
  sparse_case c = sparse_case_mesh(3, 0.0);
  const nsdyn_sparse_matrix A = sparse_case_matrix(&c);
  const double bad[] = {NAN, INFINITY, -1.0, 1e308};
  for (int k = 0; k < 4; k++) {
    c.x[4] = bad[k];
    const nsd_sparse_certificate found = nsd_sparse_certify(&A, c.b, NULL, NULL, c.x, NULL, NULL);
    ck_assert(found.residual == (double)INFINITY || k == 3);
    ck_assert(found.row == 4 || k == 3);
  }
  sparse_case_free(&c);
}
END_TEST

SUITE("lcp/sparse/certificate", TEST(agrees_with_the_dense_judge), TEST(a_band_is_its_rows),
      TEST(far_out_is_seen), TEST(what_is_no_number_is_no_answer))
