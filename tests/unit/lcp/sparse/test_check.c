/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/check.c: what is wrong with a matrix is named by its row, and what kind it is. */
#include "lcp/sparse/solver.h"

#include "sparse_cases.h"

static nsdyn_status check_of(const nsdyn_sparse_matrix *A, nsd_fault *fault)
{
  nsd_fault_clear(fault);
  return nsd_sparse_check_matrix(A, 1, fault, NULL);
}

START_TEST(faults_are_named_by_their_row)
{
  nsd_fault fault;
  for (int kind = 0; kind < 9; kind++) {
    sparse_case c = sparse_case_mesh(4, 0.0);
    nsdyn_sparse_matrix A = sparse_case_matrix(&c);
    const int64_t k = c.row[5] + 1; /* an element inside of row 5 */
    nsdyn_status expected = NSDYN_ERR_ARGUMENT;
    switch (kind) {
    case 0:
      c.column[k] = c.column[k - 1]; /* twice */
      break;
    case 1:
      c.column[k] = 0; /* not ascending */
      break;
    case 2:
      c.column[k] = 16;
      break;
    case 3:
      c.column[k] = -1;
      break;
    case 4:
      c.value[k] = NAN;
      expected = NSDYN_ERR_NOT_FINITE;
      break;
    case 5:
      c.value[k] = -(double)INFINITY;
      expected = NSDYN_ERR_NOT_FINITE;
      break;
    case 6:
      c.row[6] = c.row[5] - 1;
      break;
    case 7:
      c.row[6] = c.row[5] + 100;
      break;
    default:
      break;
    }
    if (kind == 8) {
      ck_assert_int_eq(check_of(&A, &fault), NSDYN_OK);
    } else {
      ck_assert_int_eq(check_of(&A, &fault), expected);
      ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_ROW);
      ck_assert_int_eq((int)fault.detail.index, 5);
      ck_assert_msg(strncmp(fault.message, "row 5 of A", 10) == 0, "%s", fault.message);
    }
    sparse_case_free(&c);
  }
}
END_TEST

START_TEST(shapes_are_checked)
{
  nsd_fault fault;
  sparse_case c = sparse_case_mesh(3, 0.0);
  const nsdyn_sparse_matrix good = sparse_case_matrix(&c);
  nsdyn_sparse_matrix A = good;
  A.n = -1;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_ERR_ARGUMENT);
  A = good;
  A.format = 2;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_ERR_ARGUMENT);
  A = good;
  A.row = NULL;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_ERR_ARGUMENT);
  A = good;
  A.value = NULL;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_ERR_ARGUMENT);
  A = good;
  A.format = NSDYN_SPARSE_BANDED;
  A.lower = A.upper = 1;
  A.stride = 3;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_OK);
  A.stride = 2;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_ERR_ARGUMENT);
  A.stride = INT64_MAX / 2;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_ERR_ARGUMENT);
  A.stride = 3;
  A.upper = 9;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_ERR_ARGUMENT);
  A.upper = -1;
  ck_assert_int_eq(check_of(&A, &fault), NSDYN_ERR_ARGUMENT);
  c.row[0] = 1;
  ck_assert_int_eq(check_of(&good, &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(fault.message, "row 0 of A begins at element 1, not at 0");
  sparse_case_free(&c);
}
END_TEST

/* What is seen of a matrix at a glance. */
static nsd_sparse_problem look(nsdyn_lcp *lcp, const sparse_case *c)
{
  nsd_sparse_solver *s = nsd_sparse_solver_of(lcp);
  ck_assert(s != NULL);
  s->matrix = sparse_case_matrix(c);
  s->given_lo = s->given_hi = NULL;
  ck_assert_int_eq(nsd_sparse_solver_load(s, c->b, NULL), NSDYN_OK);
  return s->p;
}

START_TEST(symmetry_is_judged_in_units_of_rounding)
{
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  sparse_case c = sparse_case_mesh(5, 0.0);
  const int64_t k = c.row[7] + 1;
  ck_assert(look(lcp, &c).is_symmetric && look(lcp, &c).is_z && look(lcp, &c).has_positive_diagonal);
  c.value[k] = -1.0 - 4e-16; /* the last bit */
  ck_assert(look(lcp, &c).is_symmetric);
  c.value[k] = -1.0 - 1e-13;
  ck_assert(!look(lcp, &c).is_symmetric && look(lcp, &c).is_z);
  c.value[k] = 1e-300;
  ck_assert(!look(lcp, &c).is_z);
  sparse_case_free(&c);
  /* An element whose mirror image is missing, left and right of the diagonal. */
  for (int side = 0; side < 2; side++) {
    c = sparse_case_new(3, 4);
    for (int32_t i = 0; i < 3; i++) {
      if (side == 0 && i == 2) {
        sparse_case_add(&c, i, 0, -1.0);
      }
      sparse_case_add(&c, i, i, i == 1 ? 0.0 : 1.0);
      if (side == 1 && i == 0) {
        sparse_case_add(&c, i, 2, -1.0);
      }
      sparse_case_end_row(&c, i);
    }
    ck_assert(!look(lcp, &c).is_symmetric && !look(lcp, &c).has_positive_diagonal);
    sparse_case_free(&c);
  }
  nsdyn_lcp_free(lcp);
}
END_TEST

SUITE("lcp/sparse/check", TEST(faults_are_named_by_their_row), TEST(shapes_are_checked),
      TEST(symmetry_is_judged_in_units_of_rounding))
