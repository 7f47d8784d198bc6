/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/api_further.c: enumeration, classification and texts through the public calls. */
#include <math.h>
#include <string.h>

#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/problems.h"

#define MOST 12

typedef struct visits {
  nsdyn_lcp *lcp;
  int stop_after;
  int count;
  int busy;
} visits;

static int visit(void *user, const nsdyn_lcp_piece *piece)
{
  visits *v = user;
  const double A[1] = {1.0};
  const double b[1] = {1.0};
  double x[1];
  ck_assert_uint_eq(piece->size, sizeof *piece);
  v->busy += nsdyn_lcp_solve(v->lcp, 1, A, 1, b, x, NULL) == NSDYN_ERR_BUSY;
  v->count++;
  return v->count == v->stop_after;
}

static nsdyn_lcp *solver(void)
{
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  return lcp;
}

/* A = −1, b = 1: every corner of the cube is a solution. */
static void cube(int n, double *A, double *b)
{
  for (int i = 0; i < n * n; i++) {
    A[i] = 0.0;
  }
  for (int i = 0; i < n; i++) {
    A[i * (n + 1)] = -1.0;
    b[i] = 1.0;
  }
}

START_TEST(all_corners_of_the_cube)
{
  nsdyn_lcp *lcp = solver();
  double A[MOST * MOST];
  double b[MOST];
  for (int n = 0; n <= 10; n++) {
    cube(n, A, b);
    visits v = {.lcp = lcp, .stop_after = -1};
    nsdyn_lcp_census census;
    nsdyn_lcp_census_init(&census, sizeof census);
    ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, n, A, n, b, visit, &v, &census), NSDYN_OK);
    ck_assert_int_eq(census.points, 1 << n);
    ck_assert_int_eq(v.count, 1 << n);
    ck_assert_int_eq(v.busy, v.count);
    ck_assert(census.complete == 1 && census.bounded_pieces == 0 && census.unbounded_pieces == 0);
  }
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(the_visitor_stops_it)
{
  nsdyn_lcp *lcp = solver();
  double A[MOST * MOST];
  double b[MOST];
  cube(8, A, b);
  visits v = {.lcp = lcp, .stop_after = 5};
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, 8, A, 8, b, visit, &v, &census), NSDYN_CANCELLED);
  ck_assert_int_eq(v.count, 5);
  ck_assert_int_eq(census.complete, 0);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* Ma's pendulum: infinitely many, one vertex and one ray. */
START_TEST(ma_pendulum_is_a_ray)
{
  nsdyn_lcp *lcp = solver();
  problem *q = problem_new(MOST);
  problem_make(q, problem_class_find("ma_pendulum"), 3, 1);
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, q->n, q->A, q->n, q->b, NULL, NULL, &census), NSDYN_OK);
  ck_assert(census.points == 0 && census.unbounded_pieces == 1 && census.max_dimension == 1);
  problem_free(q);
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(none_is_proved_by_exhaustion)
{
  nsdyn_lcp *lcp = solver();
  const double A[1] = {-1.0};
  const double b[1] = {-1.0};
  ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, 1, A, 1, b, NULL, NULL, NULL), NSDYN_NO_SOLUTION);
  nsdyn_lcp_solve_report result;
  nsdyn_lcp_solve_report_init(&result, sizeof result);
  nsdyn_lcp_report(lcp, &result);
  ck_assert(result.proof == NSDYN_LCP_PROOF_EXHAUSTED && result.method == NSDYN_LCP_ENUMERATIVE);
  const double nan_b[1] = {NAN};
  ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, 1, A, 1, nan_b, NULL, NULL, NULL), NSDYN_ERR_NOT_FINITE);
  nsdyn_lcp_census raw;
  memset(&raw, 0, sizeof raw);
  ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, 1, A, 1, b, NULL, NULL, &raw), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(classes_of_known_matrices)
{
  nsdyn_lcp *lcp = solver();
  nsdyn_lcp_classes classes;
  nsdyn_lcp_classes_init(&classes, sizeof classes);
  const double laplace[9] = {2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0};
  ck_assert_int_eq(nsdyn_lcp_classify(lcp, 3, laplace, 3, &classes), NSDYN_OK);
  ck_assert(classes.symmetric == 1 && classes.p_matrix == 1 && classes.positive_definite == 1);
  ck_assert(classes.z_matrix == 1 && classes.m_matrix == 1 && classes.diagonally_dominant == 0);
  const double turn[4] = {0.0, 1.0, -1.0, 0.0};
  ck_assert_int_eq(nsdyn_lcp_classify(lcp, 2, turn, 2, &classes), NSDYN_OK);
  ck_assert(classes.symmetric == 0 && classes.p_matrix == 0 && classes.positive_semidefinite == 1);
  ck_assert(classes.positive_diagonal == 0);
  const double nan_matrix[1] = {NAN};
  ck_assert_int_eq(nsdyn_lcp_classify(lcp, 1, nan_matrix, 1, &classes), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_lcp_classify(lcp, 2, turn, 2, NULL), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(texts_are_read_and_their_lines_named)
{
  nsdyn_lcp *lcp = solver();
  const char *text = "# two rows\n2\n2 1\n1 2\n-5 -6\n";
  int n;
  double A[4];
  double b[2];
  double x[2];
  ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, strlen(text), &n, NULL, 0, NULL, NULL, NULL), NSDYN_OK);
  ck_assert_int_eq(n, 2);
  ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, strlen(text), &n, A, 2, b, NULL, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, n, A, n, b, x, NULL), NSDYN_OK);
  ck_assert(fabs(x[0] - 4.0 / 3.0) < 1e-15);
  const char *broken = "2\n2 1\n1 two\n-5 -6\n";
  ck_assert_int_eq(nsdyn_lcp_read_text(lcp, broken, strlen(broken), &n, A, 2, b, NULL, NULL),
                   NSDYN_ERR_SYNTAX);
  ck_assert_msg(strstr(nsdyn_lcp_message(lcp), "line 3"), "%s", nsdyn_lcp_message(lcp));
  nsdyn_detail detail;
  nsdyn_detail_init(&detail, sizeof detail);
  nsdyn_lcp_detail(lcp, &detail);
  ck_assert(detail.kind == NSDYN_DETAIL_LINE && detail.index == 3);
  nsdyn_lcp_free(lcp);
}
END_TEST

SUITE("lcp/api_further", TEST(all_corners_of_the_cube), TEST(the_visitor_stops_it),
      TEST(ma_pendulum_is_a_ray), TEST(none_is_proved_by_exhaustion), TEST(classes_of_known_matrices),
      TEST(texts_are_read_and_their_lines_named))
