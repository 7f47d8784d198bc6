/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/api.c: what comes in is checked, what goes out is judged. */
#include <math.h>
#include <string.h>

#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/problems.h"

static nsdyn_lcp *solver(int32_t method)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

static const double A2[4] = {2.0, 1.0, 1.0, 2.0};
static const double b2[2] = {-5.0, -6.0};

START_TEST(example_of_the_header)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  const double b[2] = {-5.0, 1.0};
  double x[2];
  double y[2];
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A2, 2, b, x, y), NSDYN_OK);
  ck_assert(x[0] == 2.5 && x[1] == 0.0 && y[0] == 0.0 && y[1] == 3.5);
  ck_assert_str_eq(nsdyn_lcp_message(lcp), "");
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(every_method_solves_it)
{
  for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
    nsdyn_lcp *lcp = solver(method);
    double x[2];
    ck_assert_msg(nsdyn_lcp_solve(lcp, 2, A2, 2, b2, x, NULL) == NSDYN_OK, "method %d: %s", method,
                  nsdyn_lcp_message(lcp));
    ck_assert_msg(fabs(x[0] - 4.0 / 3.0) < 1e-8 && fabs(x[1] - 7.0 / 3.0) < 1e-8, "method %d", method);
    nsdyn_lcp_solve_report result;
    nsdyn_lcp_solve_report_init(&result, sizeof result);
    nsdyn_lcp_report(lcp, &result);
    ck_assert_int_ne(result.method, NSDYN_LCP_AUTOMATIC);
    ck_assert(method == NSDYN_LCP_AUTOMATIC || result.method == method);
    ck_assert(result.n == 2 && result.residual <= 1e-9 && result.attempts >= 1);
    nsdyn_lcp_free(lcp);
  }
}
END_TEST

START_TEST(nothing_to_solve_is_solved)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 0, NULL, 0, NULL, NULL, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL), NSDYN_OK);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* Refused: the status, the message names the thing, and x stays. */
static void expect(nsdyn_lcp *lcp, nsdyn_status expected, const char *words, int n, const double *A, int lda,
                   const double *b, const double *lo, const double *hi)
{
  double x[2] = {7.0, 8.0};
  double y[2] = {9.0, 10.0};
  ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, n, A, lda, b, lo, hi, x, y), expected);
  ck_assert_msg(strstr(nsdyn_lcp_message(lcp), words), "'%s' has no '%s'", nsdyn_lcp_message(lcp), words);
  ck_assert(x[0] == 7.0 && x[1] == 8.0 && y[0] == 9.0 && y[1] == 10.0);
}

START_TEST(bad_input_is_named)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  const double inf = INFINITY;
  double A[4] = {2.0, 1.0, NAN, 2.0};
  double b[2] = {-5.0, -inf};
  expect(lcp, NSDYN_ERR_NOT_FINITE, "row 1 of A: column 0 is nan", 2, A, 2, b2, NULL, NULL);
  A[2] = -inf;
  expect(lcp, NSDYN_ERR_NOT_FINITE, "row 1 of A: column 0 is -inf", 2, A, 2, b2, NULL, NULL);
  expect(lcp, NSDYN_ERR_NOT_FINITE, "row 1 of b is -inf", 2, A2, 2, b, NULL, NULL);
  expect(lcp, NSDYN_ERR_ARGUMENT, "n is negative", -1, A2, 2, b2, NULL, NULL);
  expect(lcp, NSDYN_ERR_ARGUMENT, "lda is 1", 2, A2, 1, b2, NULL, NULL);
  expect(lcp, NSDYN_ERR_ARGUMENT, "A is NULL", 2, NULL, 2, b2, NULL, NULL);
  expect(lcp, NSDYN_ERR_ARGUMENT, "b is NULL", 2, A2, 2, NULL, NULL, NULL);
  const double lo[2] = {0.0, 3.0};
  const double hi[2] = {1.0, 2.0};
  expect(lcp, NSDYN_ERR_ARGUMENT, "row 1: the bounds lo = 3 and hi = 2", 2, A2, 2, b2, lo, hi);
  const double nan_lo[2] = {NAN, 0.0};
  expect(lcp, NSDYN_ERR_NOT_FINITE, "row 0", 2, A2, 2, b2, nan_lo, NULL);
  const double inf_lo[2] = {inf, 0.0};
  expect(lcp, NSDYN_ERR_ARGUMENT, "row 0", 2, A2, 2, b2, inf_lo, NULL);
  double x[2];
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A2, 2, b2, NULL, x), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_solve(NULL, 2, A2, 2, b2, x, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* Twice each: the second call takes the way of a problem like the last one. */
START_TEST(an_answer_does_not_lie_in_the_data)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  double A[6] = {2.0, 1.0, 1.0, 2.0, 0.0, 0.0}, b[3] = {-5.0, -6.0, 0.0}, x[3], lo[2] = {0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, b, NULL), NSDYN_ERR_ARGUMENT);
    ck_assert_str_eq(nsdyn_lcp_message(lcp), "x overlaps the data");
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, b + 1, NULL), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, A + 3, NULL), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, x + 1), NSDYN_ERR_ARGUMENT);
    ck_assert_str_eq(nsdyn_lcp_message(lcp), "y overlaps x or the data");
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, b), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, 2, A, 2, b, lo, NULL, lo, NULL), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, A + 4), NSDYN_OK);
    ck_assert(A[0] == 2.0 && b[0] == -5.0 && b[1] == -6.0);
  }
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(strides_beyond_memory_are_refused)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  double x[2], residual;
  nsdyn_lcp_classes classes = {.size = sizeof classes};
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A2, 2, b2, x, NULL), NSDYN_OK);
  const int64_t far[3] = {INT64_MAX, (int64_t)INT32_MAX + 1, INT64_C(1) << 33};
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A2, far[k], b2, x, NULL), NSDYN_ERR_TOO_LARGE);
    ck_assert_msg(strstr(nsdyn_lcp_message(lcp), "lda is ") != NULL, "%s", nsdyn_lcp_message(lcp));
    ck_assert_int_eq(nsdyn_lcp_classify(lcp, 2, A2, far[k], &classes), NSDYN_ERR_TOO_LARGE);
    ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, 2, A2, far[k], b2, NULL, NULL, NULL), NSDYN_ERR_TOO_LARGE);
    ck_assert_int_eq(nsdyn_lcp_residual(2, A2, far[k], b2, NULL, NULL, x, &residual, NULL),
                     NSDYN_ERR_TOO_LARGE);
    ck_assert_uint_eq(nsdyn_lcp_write_text(2, A2, far[k], b2, NULL, NULL, NULL, 0), 0);
  }
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, INT32_MAX, A2, INT32_MAX, b2, x, NULL), NSDYN_ERR_TOO_LARGE);
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A2, 1, b2, x, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A2, INT64_MIN, b2, x, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(cover_must_be_positive)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  const double cover[2] = {1.0, -1.0};
  options.method = NSDYN_LCP_LEMKE;
  options.lemke_cover = cover;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  expect(lcp, NSDYN_ERR_ARGUMENT, "cover: row 1 is -1", 2, A2, 2, b2, NULL, NULL);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* The rows of A may stand further apart than n, and what stands between is not read. */
START_TEST(rows_may_be_apart)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  const double A[8] = {2.0, 1.0, NAN, NAN, 1.0, 2.0, NAN, NAN};
  double x[2];
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 4, b2, x, NULL), NSDYN_OK);
  ck_assert(fabs(x[0] - 4.0 / 3.0) < 1e-15);
  nsdyn_lcp_free(lcp);
}
END_TEST

START_TEST(bounds_of_every_kind)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  const double inf = INFINITY;
  double A[25] = {0.0};
  for (int i = 0; i < 5; i++) {
    A[6 * i] = 2.0;
  }
  const double b[5] = {-6.0, 10.0, -18.0, 8.0, -2.0};
  const double lo[5] = {1.0, -inf, -2.0, 7.0, -inf};
  const double hi[5] = {inf, inf, 2.0, 7.0, -4.0};
  const double expected_x[5] = {3.0, -5.0, 2.0, 7.0, -4.0};
  const double expected_y[5] = {0.0, 0.0, -14.0, 22.0, -10.0};
  double x[5];
  double y[5];
  ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, 5, A, 5, b, lo, hi, x, y), NSDYN_OK);
  for (int i = 0; i < 5; i++) {
    ck_assert_msg(x[i] == expected_x[i] && y[i] == expected_y[i], "row %d: %g, %g", i, x[i], y[i]);
  }
  int n;
  const int32_t *basis = nsdyn_lcp_basis(lcp, &n);
  ck_assert_int_eq(n, 5);
  ck_assert(basis[0] == NSDYN_LCP_BASIC && basis[2] == NSDYN_LCP_AT_HI && basis[4] == NSDYN_LCP_AT_HI);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* Infeasible: x_0 + x_1 <= −1 with x >= 0. The proof is checked by hand. */
START_TEST(no_solution_is_proved)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  const double A[4] = {-1.0, -1.0, 0.0, 1.0};
  const double b[2] = {-1.0, 1.0};
  double x[2];
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, NULL), NSDYN_NO_SOLUTION);
  nsdyn_lcp_solve_report result;
  nsdyn_lcp_solve_report_init(&result, sizeof result);
  nsdyn_lcp_report(lcp, &result);
  ck_assert_int_ne(result.proof, NSDYN_LCP_PROOF_NONE);
  ck_assert(isfinite(result.residual) && result.residual > 0.0);
  if (result.proof == NSDYN_LCP_PROOF_FARKAS) {
    int n;
    const double *v = nsdyn_lcp_ray(lcp, &n);
    ck_assert_int_eq(n, 2);
    ck_assert(v[0] >= 0.0 && v[1] >= 0.0 && v[0] * b[0] + v[1] * b[1] < 0.0);
    ck_assert(-v[0] <= 0.0 && -v[0] + v[1] <= 0.0);
  }
  ck_assert_str_ne(nsdyn_lcp_message(lcp), "");
  nsdyn_lcp_free(lcp);
}
END_TEST

/* tol = 0 is legal: only what is exact passes. */
START_TEST(zero_means_zero)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.tol = 0.0;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  const double A[4] = {2.0, 0.0, 0.0, 4.0};
  const double b[2] = {-6.0, 4.0};
  double x[2];
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, NULL), NSDYN_OK);
  ck_assert(x[0] == 3.0 && x[1] == 0.0);
  options.max_iterations = options.max_nodes = 0;
  options.method = NSDYN_LCP_LEMKE;
  ck_assert_int_eq(nsdyn_lcp_set_options(lcp, &options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, NULL), NSDYN_MAX_ITERATIONS);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* y_1 = x_2 − 1 wants x_2 > 0, but y_2 = 1. Lemke's path ends on a ray that proves nothing, since x = (0, 1)
 * is feasible; the search through the bases does prove it. And of a run before the one that solves, none
 * stays. */
START_TEST(a_ray_stays_only_where_it_says_something)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
  const double A[4] = {0.0, 1.0, 0.0, 0.0};
  const double b[2] = {-1.0, 1.0};
  double x[14];
  int n = -1;
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, NULL), NSDYN_NO_SOLUTION);
  nsdyn_lcp_solve_report result;
  nsdyn_lcp_solve_report_init(&result, sizeof result);
  nsdyn_lcp_report(lcp, &result);
  ck_assert_int_eq(result.proof, NSDYN_LCP_PROOF_EXHAUSTED);
  ck_assert(!nsdyn_lcp_ray(lcp, &n) && n == 0);
  problem *p = problem_new(14);
  int several = 0;
  for (int seed = 0; seed < 300; seed++) {
    problem_make(p, problem_class_find("random_solvable"), 1 + seed % 14, (uint64_t)seed);
    const nsdyn_status status = nsdyn_lcp_solve(lcp, p->n, p->A, p->n, p->b, x, NULL);
    nsdyn_lcp_report(lcp, &result);
    several += result.attempts > 1;
    REQUIRE(status != NSDYN_OK || !nsdyn_lcp_ray(lcp, &n), "seed %d", seed);
  }
  ck_assert_int_gt(several, 0);
  problem_free(p);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* ---- all solutions, the classes of a matrix, problems as text ---- */

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
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
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
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
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
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
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
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
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
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
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
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC);
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

SUITE("lcp/api", TEST(an_answer_does_not_lie_in_the_data), TEST(strides_beyond_memory_are_refused),
      TEST(example_of_the_header), TEST(every_method_solves_it), TEST(nothing_to_solve_is_solved),
      TEST(bad_input_is_named), TEST(cover_must_be_positive), TEST(rows_may_be_apart),
      TEST(bounds_of_every_kind), TEST(no_solution_is_proved), TEST(zero_means_zero),
      TEST(a_ray_stays_only_where_it_says_something), TEST(all_corners_of_the_cube),
      TEST(the_visitor_stops_it), TEST(ma_pendulum_is_a_ray), TEST(none_is_proved_by_exhaustion),
      TEST(classes_of_known_matrices), TEST(texts_are_read_and_their_lines_named))
