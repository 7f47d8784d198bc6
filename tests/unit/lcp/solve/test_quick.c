/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/solve/quick.c: the first run comes before all checks, and nobody must notice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/problems.h"

#define MOST 48

static nsdyn_lcp *solver(int32_t method, int32_t warm_start)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.warm_start = warm_start;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

static nsdyn_lcp_solve_report report_of(const nsdyn_lcp *lcp)
{
  nsdyn_lcp_solve_report result;
  nsdyn_lcp_solve_report_init(&result, sizeof result);
  ck_assert_int_eq(nsdyn_lcp_report(lcp, &result), NSDYN_OK);
  return result;
}

/* The report of a refused call: its status, and nothing of the solve before. */
static void expect_blank_report(const nsdyn_lcp *lcp, nsdyn_status status)
{
  const nsdyn_lcp_solve_report r = report_of(lcp);
  ck_assert_int_eq(r.status, status);
  ck_assert(r.method == 0 && r.iterations == 0 && r.attempts == 0 && r.proof == 0 && r.warm == 0);
  ck_assert(r.worst_row == -1 && r.residual == 0.0 && r.violation == 0.0);
  ck_assert_ptr_null(nsdyn_lcp_ray(lcp, NULL));
}

/* Refused with a message and a row; x and y stay. */
static void expect_refused(nsdyn_lcp *lcp, const problem *q, const char *message, int row)
{
  double x[MOST];
  double y[MOST];
  for (int i = 0; i < q->n; i++) {
    x[i] = 3.0 + i;
    y[i] = -3.0 - i;
  }
  const nsdyn_status status = nsdyn_lcp_solve(lcp, q->n, q->A, q->n, q->b, x, y);
  REQUIRE(status == NSDYN_ERR_NOT_FINITE, "%s, n %d: %s instead of '%s'", q->name, q->n,
          nsdyn_status_name(status), message);
  ck_assert_str_eq(nsdyn_lcp_message(lcp), message);
  nsdyn_detail detail;
  nsdyn_detail_init(&detail, sizeof detail);
  nsdyn_lcp_detail(lcp, &detail);
  ck_assert(detail.kind == NSDYN_DETAIL_ROW && detail.index == row);
  for (int i = 0; i < q->n; i++) {
    ck_assert(x[i] == 3.0 + i && y[i] == -3.0 - i);
  }
  expect_blank_report(lcp, NSDYN_ERR_NOT_FINITE);
}

/* One number of a good problem is replaced, wherever it stands, also in columns whose x_j is zero and where
 * x = 0 solves the problem; then all of them are. */
static void break_everywhere(nsdyn_lcp *lcp, problem *q, random_state *r)
{
  static const char *const names[] = {"nan", "inf", "-inf"};
  const double values[] = {NAN, INFINITY, -INFINITY};
  double x[MOST];
  char message[100];
  for (int k = 0; k < 6; k++) {
    const int i = random_below(r, q->n);
    const int j = random_below(r, q->n);
    double *a = &q->A[i * q->n + j];
    const double old_a = *a;
    const double old_b = q->b[i];
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, q->n, q->A, q->n, q->b, x, NULL), NSDYN_OK);
    *a = values[k % 3];
    snprintf(message, sizeof message, "row %d of A: column %d is %s", i, j, names[k % 3]);
    expect_refused(lcp, q, message, i);
    *a = old_a;
    q->b[i] = values[k % 3];
    snprintf(message, sizeof message, "row %d of b is %s", i, names[k % 3]);
    expect_refused(lcp, q, message, i);
    q->b[i] = old_b;
  }
}

START_TEST(numbers_that_are_none_are_named)
{
  static const char *const classes[] = {"planar_friction", "pd_symmetric", "m"};
  problem *q = problem_new(MOST);
  for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_LEMKE; method++) {
    for (int32_t warm = 0; warm <= 1; warm++) {
      nsdyn_lcp *lcp = solver(method, warm);
      for (int seed = 0; seed < random_cases(300); seed++) {
        random_state r = random_seed((uint64_t)seed);
        problem_make(q, problem_class_find(classes[seed % 3]), 1 + seed % MOST, (uint64_t)seed);
        for (int i = 0; seed % 5 == 0 && i < q->n; i++) {
          q->b[i] = fabs(q->b[i]); /* x = 0 */
        }
        break_everywhere(lcp, q, &r);
      }
      nsdyn_lcp_free(lcp);
    }
  }
  problem_free(q);
}
END_TEST

START_TEST(nothing_but_nan_ends_at_once)
{
  problem *q = problem_new(MOST);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_LEMKE, 0);
  for (int n = 1; n <= MOST; n++) {
    problem_make(q, problem_class_find("p"), n, 1);
    for (int k = 0; k < n * n; k++) {
      q->A[k] = NAN;
    }
    q->b[n - 1] = -1.0;
    expect_refused(lcp, q, "row 0 of A: column 0 is nan", 0);
  }
  nsdyn_lcp_free(lcp);
  problem_free(q);
}
END_TEST

/* A refusal for an argument leaves no report of the solve before either. */
START_TEST(a_refused_call_reports_itself)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC, 0);
  const double A[4] = {2.0, 1.0, 1.0, 2.0};
  const double b[2] = {-5.0, -6.0};
  const double lo[2] = {0.0, 3.0};
  const double hi[2] = {1.0, 2.0};
  double x[2];
  for (int kind = 0; kind < 6; kind++) {
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, NULL), NSDYN_OK);
    ck_assert_int_eq(report_of(lcp).status, NSDYN_OK);
    const nsdyn_status status = kind == 0   ? nsdyn_lcp_solve(lcp, -1, A, 2, b, x, NULL)
                                : kind == 1 ? nsdyn_lcp_solve(lcp, 2, NULL, 2, b, x, NULL)
                                : kind == 2 ? nsdyn_lcp_solve(lcp, 2, A, 1, b, x, NULL)
                                : kind == 3 ? nsdyn_lcp_solve(lcp, 2, A, 2, NULL, x, NULL)
                                : kind == 4 ? nsdyn_lcp_solve(lcp, 2, A, 2, b, NULL, NULL)
                                            : nsdyn_lcp_solve_mixed(lcp, 2, A, 2, b, lo, hi, x, NULL);
    ck_assert_int_eq(status, NSDYN_ERR_ARGUMENT);
    expect_blank_report(lcp, NSDYN_ERR_ARGUMENT);
    ck_assert_str_ne(nsdyn_lcp_message(lcp), "");
  }
  ck_assert_int_eq(nsdyn_lcp_solve(lcp, 2, A, 2, b, x, NULL), NSDYN_OK);
  ck_assert_str_eq(nsdyn_lcp_message(lcp), "");
  nsdyn_lcp_free(lcp);
}
END_TEST

/* x, y and what the report says of them. */
static void expect_true_report(const nsdyn_lcp *lcp, const problem *q, const double *x, const double *y,
                               int seed)
{
  const nsdyn_lcp_solve_report r = report_of(lcp);
  double residual;
  int row;
  nsdyn_lcp_residual(q->n, q->A, q->n, q->b, NULL, NULL, x, &residual, &row);
  REQUIRE(r.status == NSDYN_OK && r.n == q->n && r.proof == NSDYN_LCP_PROOF_NONE, "%s, seed %d", q->name,
          seed);
  REQUIRE(r.residual == residual && r.worst_row == row, "%s, seed %d", q->name, seed);
  REQUIRE(residual <= 1e-9 && r.attempts >= 1 && r.method != NSDYN_LCP_AUTOMATIC, "%s, seed %d", q->name,
          seed);
  REQUIRE(!r.warm || r.method == NSDYN_LCP_NEWTON_MIN, "%s, seed %d", q->name, seed);
  int n;
  const int32_t *basis = nsdyn_lcp_basis(lcp, &n);
  REQUIRE(n == q->n, "%s, seed %d", q->name, seed);
  for (int i = 0; i < q->n; i++) {
    double sum = q->b[i];
    double scale = fabs(q->b[i]);
    for (int j = 0; j < q->n; j++) {
      sum += q->A[i * q->n + j] * x[j];
      scale += fabs(q->A[i * q->n + j] * x[j]);
    }
    REQUIRE(x[i] > 0.0 ? y[i] == 0.0 : fabs(y[i] - sum) <= 1e-14 * scale, "%s, seed %d", q->name, seed);
    REQUIRE(basis[i] == NSDYN_LCP_BASIC || x[i] == 0.0, "%s, seed %d", q->name, seed);
  }
}

/* Units: A, b times 2^a, x times 2^-c. */
static void rescale(problem *q, int a, int c)
{
  for (int i = 0; i < q->n; i++) {
    q->b[i] = ldexp(q->b[i], a);
    for (int j = 0; j < q->n; j++) {
      q->A[i * q->n + j] = ldexp(q->A[i * q->n + j], a + c);
    }
  }
}

/* The next problem of a sequence: every row and column grows or shrinks by up to 1 %, b a little more, and
 * now and then an element of it vanishes or changes its sign. Symmetry, definiteness, P, Z and copositivity
 * stay. */
static void drift(problem *q, random_state *r)
{
  double d[MOST];
  for (int i = 0; i < q->n; i++) {
    d[i] = 1.0 + 0.01 * (random_unit(r) - 0.5);
  }
  for (int i = 0; i < q->n; i++) {
    for (int j = 0; j < q->n; j++) {
      q->A[i * q->n + j] *= d[i] * d[j];
    }
    q->b[i] *= d[i] * (1.0 + 0.05 * random_normal(r));
  }
  const int event = random_below(r, 6);
  const int row = random_below(r, q->n);
  q->b[row] *= event == 0 ? 0.0 : event == 1 ? -1.0 : 1.0;
}

static int same_point(int n, const double *x, const double *z)
{
  double size = 0.0;
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs(z[i]));
    most = fmax(most, fabs(x[i] - z[i]));
  }
  return most <= 1e-7 * size;
}

/* Sequences of every plain class: the warm start answers what the cold one answers, whatever the units; with
 * a P-matrix of even scale it is the same x. */
START_TEST(warm_answers_are_the_cold_ones)
{
  enum { STEPS = 8 };
  problem *q = problem_new(MOST);
  nsdyn_lcp *cold = solver(NSDYN_LCP_AUTOMATIC, 0);
  long warm_answers = 0;
  long answers = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int seed = 0; seed < random_cases(60); seed++) {
      random_state r = random_seed((uint64_t)seed);
      problem_make(q, c, 1 + seed % 24, (uint64_t)seed);
      if (q->traits & PROBLEM_MIXED) {
        break;
      }
      nsdyn_lcp *warm = solver(seed % 2 ? NSDYN_LCP_LEMKE : NSDYN_LCP_AUTOMATIC, 1);
      rescale(q,
              seed % 5 == 3   ? 200
              : seed % 5 == 4 ? -200
                              : 0,
              seed % 7 == 5   ? 100
              : seed % 7 == 6 ? -100
                              : 0);
      const int is_unique = (q->traits & PROBLEM_P) && !(q->traits & PROBLEM_SCALED);
      for (int step = 0; step < STEPS; step++) {
        double x[MOST];
        double y[MOST];
        double z[MOST];
        const nsdyn_status expected = nsdyn_lcp_solve(cold, q->n, q->A, q->n, q->b, z, NULL);
        const nsdyn_status status = nsdyn_lcp_solve(warm, q->n, q->A, q->n, q->b, x, y);
        REQUIRE(status != NSDYN_OK || expected != NSDYN_NO_SOLUTION, "%s, n %d, seed %d, step %d", q->name,
                q->n, seed, step);
        REQUIRE(status != NSDYN_NO_SOLUTION || expected != NSDYN_OK, "%s, n %d, seed %d, step %d", q->name,
                q->n, seed, step);
        REQUIRE(!is_unique || (status == NSDYN_OK && expected == NSDYN_OK), "%s, n %d, seed %d, step %d",
                q->name, q->n, seed, step);
        if (status == NSDYN_OK) {
          expect_true_report(warm, q, x, y, seed);
          warm_answers += report_of(warm).warm;
          answers++;
        }
        REQUIRE(!is_unique || same_point(q->n, x, z), "%s, n %d, seed %d, step %d", q->name, q->n, seed,
                step);
        drift(q, &r);
      }
      nsdyn_lcp_free(warm);
    }
  }
  ck_assert_int_gt(2 * warm_answers, answers);
  nsdyn_lcp_free(cold);
  problem_free(q);
}
END_TEST

/* Whatever basis a warm start begins from, and whatever was solved in between. */
START_TEST(any_basis_is_as_good_as_none)
{
  problem *q = problem_new(MOST);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC, 1);
  const int classes[] = {problem_class_find("planar_friction"), problem_class_find("p"),
                         problem_class_find("tower"), problem_class_find("infeasible_psd")};
  for (int seed = 0; seed < random_cases(2000); seed++) {
    random_state r = random_seed((uint64_t)seed);
    problem_make(q, classes[seed % 4], 1 + seed % 20, (uint64_t)seed);
    int32_t basis[MOST];
    double x[MOST];
    double residual;
    for (int i = 0; i < q->n; i++) {
      basis[i] = random_below(&r, 3);
    }
    ck_assert_int_eq(nsdyn_lcp_set_basis(lcp, q->n, basis), NSDYN_OK);
    const nsdyn_status status = nsdyn_lcp_solve(lcp, q->n, q->A, q->n, q->b, x, NULL);
    nsdyn_lcp_residual(q->n, q->A, q->n, q->b, NULL, NULL, x, &residual, NULL);
    REQUIRE((status == NSDYN_OK) == (q->promise != PROBLEM_NONE), "%s, n %d, seed %d: %s", q->name, q->n,
            seed, nsdyn_lcp_message(lcp));
    REQUIRE(status != NSDYN_OK || residual <= 1e-9, "%s, n %d, seed %d", q->name, q->n, seed);
  }
  nsdyn_lcp_free(lcp);
  problem_free(q);
}
END_TEST

/* Bounds that are none make no other problem: the same bits, quick or not. */
START_TEST(plain_is_plain)
{
  problem *q = problem_new(MOST);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_LEMKE, 0);
  double lo[MOST];
  double hi[MOST];
  double cover[MOST];
  for (int i = 0; i < MOST; i++) {
    lo[i] = 0.0;
    hi[i] = INFINITY;
    cover[i] = 1.0;
  }
  nsdyn_lcp *slow;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = NSDYN_LCP_LEMKE;
  options.lemke_cover = cover; /* ones: the same path, but all checks come first */
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &slow, NULL), NSDYN_OK);
  for (int seed = 0; seed < random_cases(500); seed++) {
    problem_make(q, problem_class_find("planar_friction"), 3 + seed % 46, (uint64_t)seed);
    double x[3][MOST];
    double y[3][MOST];
    const size_t size = (size_t)q->n * sizeof(double);
    ck_assert_int_eq(nsdyn_lcp_solve(lcp, q->n, q->A, q->n, q->b, x[0], y[0]), NSDYN_OK);
    expect_true_report(lcp, q, x[0], y[0], seed);
    ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, q->n, q->A, q->n, q->b, lo, hi, x[1], y[1]), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_solve(slow, q->n, q->A, q->n, q->b, x[2], y[2]), NSDYN_OK);
    for (int k = 1; k < 3; k++) {
      REQUIRE(!memcmp(x[0], x[k], size) && !memcmp(y[0], y[k], size), "seed %d", seed);
    }
  }
  nsdyn_lcp_free(slow);
  nsdyn_lcp_free(lcp);
  problem_free(q);
}
END_TEST

/* Few unknowns within bounds have a way of their own: the same bits and the same report as by all checks. */
START_TEST(boxes_are_boxes)
{
  problem *q = problem_new(MOST);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC, 0);
  nsdyn_lcp *slow;
  const double cover[MOST] = {1.0, 1.0, 1.0, 1.0, 1.0};
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.lemke_cover = cover; /* not used with bounds, but checked before the solve */
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &slow, NULL), NSDYN_OK);
  for (int seed = 0; seed < random_cases(4000); seed++) {
    problem_make(q, problem_class_find(seed % 7 ? "box_pd" : "box_psd"), 1 + seed % 5, (uint64_t)seed);
    random_state r = random_seed((uint64_t)seed);
    for (int i = 0; i < q->n; i++) { /* ties, and bounds that leave one number or are none */
      const int kind = random_below(&r, 12);
      q->lo[i] = kind == 0 ? -INFINITY : q->lo[i];
      q->hi[i] = kind == 1 ? INFINITY : kind == 2 ? q->lo[i] : q->hi[i];
      q->hi[i] = q->hi[i] == -INFINITY ? INFINITY : q->hi[i];
      q->b[i] = kind == 3 ? 0.0 : q->b[i];
    }
    q->lo[0] = q->lo[0] == 0.0 ? -1.0 : q->lo[0]; /* else it may be plain, where the cover matters */
    double x[2][MOST];
    double y[2][MOST];
    nsdyn_lcp *const both[2] = {lcp, slow};
    nsdyn_lcp_solve_report result[2];
    for (int k = 0; k < 2; k++) {
      (void)nsdyn_lcp_solve_mixed(both[k], q->n, q->A, q->n, q->b, q->lo, q->hi, x[k], y[k]);
      result[k] = report_of(both[k]);
    }
    const size_t size = (size_t)q->n * sizeof(double);
    REQUIRE(!memcmp(x[0], x[1], size) && !memcmp(y[0], y[1], size), "seed %d", seed);
    REQUIRE(!memcmp(&result[0], &result[1], sizeof *result), "seed %d", seed);
    REQUIRE(result[0].status != NSDYN_OK || !memcmp(nsdyn_lcp_basis(lcp, NULL), nsdyn_lcp_basis(slow, NULL),
                                                    (size_t)q->n * sizeof(int32_t)),
            "seed %d", seed);
  }
  nsdyn_lcp_free(slow);
  nsdyn_lcp_free(lcp);
  problem_free(q);
}
END_TEST

/* What is no number, or leaves none, is refused there too. */
START_TEST(boxes_want_numbers)
{
  const double values[3] = {NAN, INFINITY, -INFINITY};
  problem *q = problem_new(MOST);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_AUTOMATIC, 0);
  for (int seed = 0; seed < random_cases(1000); seed++) {
    problem_make(q, problem_class_find("box_pd"), 1 + seed % 4, (uint64_t)seed);
    random_state r = random_seed((uint64_t)seed);
    const int row = random_below(&r, q->n);
    const int column = random_below(&r, q->n);
    double *const places[] = {&q->A[row * q->n + column], &q->b[row], &q->lo[row], &q->hi[row]};
    for (int k = 0; k < 4; k++) {
      double x[MOST] = {7.0};
      const double value = k == 2 && seed % 3 == 2   ? INFINITY
                           : k == 3 && seed % 3 == 1 ? -INFINITY
                                                     : values[seed % 3];
      const double old = *places[k];
      ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, q->n, q->A, q->n, q->b, q->lo, q->hi, x, NULL), NSDYN_OK);
      const double kept = x[0];
      *places[k] = value;
      const nsdyn_status status = nsdyn_lcp_solve_mixed(lcp, q->n, q->A, q->n, q->b, q->lo, q->hi, x, NULL);
      *places[k] = old;
      REQUIRE(status == (k < 2 || isnan(value) ? NSDYN_ERR_NOT_FINITE : NSDYN_ERR_ARGUMENT) && x[0] == kept,
              "seed %d, place %d: %s", seed, k, nsdyn_status_name(status));
    }
  }
  nsdyn_lcp_free(lcp);
  problem_free(q);
}
END_TEST

SUITE("lcp/solve/quick", TEST(boxes_are_boxes), TEST(boxes_want_numbers),
      TEST(numbers_that_are_none_are_named), TEST(nothing_but_nan_ends_at_once),
      TEST(a_refused_call_reports_itself), TEST(warm_answers_are_the_cold_ones),
      TEST(any_basis_is_as_good_as_none), TEST(plain_is_plain))
