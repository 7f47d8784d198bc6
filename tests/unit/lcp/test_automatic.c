/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/automatic.c through the public call: every class, every answer judged by other code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/problems.h"
#include "support/random.h"

#define MOST 60

typedef struct outcome {
  nsdyn_status status;
  double residual; /* by nsdyn_lcp_residual */
  nsdyn_lcp_solve_report report;
} outcome;

static outcome solve(nsdyn_lcp *lcp, const problem *q, double *x)
{
  outcome o;
  double y[MOST];
  for (int i = 0; i < q->n; i++) {
    x[i] = y[i] = NAN;
  }
  o.status = nsdyn_lcp_solve_mixed(lcp, q->n, q->A, q->n, q->b, problem_lo(q), problem_hi(q), x, y);
  ck_assert_int_eq(
      nsdyn_lcp_residual(q->n, q->A, q->n, q->b, problem_lo(q), problem_hi(q), x, &o.residual, NULL),
      NSDYN_OK);
  nsdyn_lcp_solve_report_init(&o.report, sizeof o.report);
  ck_assert_int_eq(nsdyn_lcp_report(lcp, &o.report), NSDYN_OK);
  ck_assert_int_eq(o.report.status, o.status);
  if (o.status == NSDYN_OK) {
    for (int i = 0; i < q->n; i++) {
      ck_assert(isfinite(x[i]) && isfinite(y[i]));
    }
  }
  return o;
}

/* What is solvable is solved, what is not is never called solved, and what is called proved is so. */
START_TEST(every_class_is_answered)
{
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  problem *q = problem_new(MOST);
  const int cases = random_cases(120);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int seed = 0; seed < cases; seed++) {
      problem_make(q, c, 1 + seed % MOST, (uint64_t)seed);
      double x[MOST];
      const outcome o = solve(lcp, q, x);
      const int is_small = q->n <= 24;
      if (o.status == NSDYN_OK) {
        ck_assert_msg(o.residual <= 1e-9, "%s, n %d, seed %d: residual %g", q->name, q->n, seed, o.residual);
        ck_assert_msg(q->promise != PROBLEM_NONE, "%s, n %d, seed %d has no solution", q->name, q->n, seed);
      } else if (o.status == NSDYN_NO_SOLUTION) {
        ck_assert_msg(q->promise == PROBLEM_NONE || q->promise == PROBLEM_OPEN,
                      "%s, n %d, seed %d has a solution", q->name, q->n, seed);
        ck_assert_int_ne(o.report.proof, NSDYN_LCP_PROOF_NONE);
      } else {
        ck_assert_msg(o.status == NSDYN_UNDECIDED || o.status == NSDYN_MAX_ITERATIONS ||
                          o.status == NSDYN_INACCURATE,
                      "%s, n %d, seed %d: %s", q->name, q->n, seed, nsdyn_status_name(o.status));
      }
      /* Every P-matrix and every semidefinite problem, and whatever is small enough to be searched. */
      const int is_sure = (q->traits & (PROBLEM_P | PROBLEM_PSD | PROBLEM_FRICTION)) || is_small;
      if (q->promise == PROBLEM_SOLVABLE || q->promise == PROBLEM_UNIQUE) {
        ck_assert_msg(o.status == NSDYN_OK || !is_sure, "%s, n %d, seed %d: %s", q->name, q->n, seed,
                      nsdyn_lcp_message(lcp));
      }
    }
  }
  problem_free(q);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* The three friction sets of 1 500 problems each, n up to 96: all of them. */
START_TEST(friction_sets_are_solved_whole)
{
  enum { LARGEST = 96 };
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  problem *q = problem_new(LARGEST);
  const int cases = random_cases(1500);
  for (int kind = 0; kind < SEQUENCE_COUNT; kind++) {
    const int rows = kind == SEQUENCE_PLANAR ? 3 : 6;
    for (int k = 0; k < cases; k++) {
      sequence_make(q, (sequence_kind)kind, rows * (1 + k % (LARGEST / rows)), (uint64_t)k, k);
      double x[LARGEST];
      double residual;
      const nsdyn_status status = nsdyn_lcp_solve(lcp, q->n, q->A, q->n, q->b, x, NULL);
      ck_assert_msg(status == NSDYN_OK, "%s, n %d, step %d: %s", sequence_name((sequence_kind)kind), q->n, k,
                    nsdyn_lcp_message(lcp));
      nsdyn_lcp_residual(q->n, q->A, q->n, q->b, NULL, NULL, x, &residual, NULL);
      ck_assert_msg(residual <= 1e-9, "%s, n %d, step %d: residual %g", sequence_name((sequence_kind)kind),
                    q->n, k, residual);
    }
  }
  problem_free(q);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* Families that cost Lemke's or least-index methods 2^n pivots. */
START_TEST(exponential_families_are_harmless)
{
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  problem *q = problem_new(MOST);
  int met = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int n = 2; n <= 18; n++) {
      problem_make(q, c, n, 0);
      if (!(q->traits & PROBLEM_EXPONENTIAL)) {
        break;
      }
      double x[MOST];
      const outcome o = solve(lcp, q, x);
      ck_assert_msg(o.status == NSDYN_OK && o.residual <= 1e-9, "%s, n %d: %s", q->name, n,
                    nsdyn_lcp_message(lcp));
      ck_assert_msg(o.report.iterations <= 200 + 40 * n, "%s, n %d: %d iterations", q->name, n,
                    o.report.iterations);
      met++;
    }
  }
  ck_assert_int_eq(met, 4 * 17);
  problem_free(q);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* The same call gives the same bits, whatever was solved before; a warm start finds the same solution. */
START_TEST(history_does_not_matter_unless_asked)
{
  nsdyn_lcp *fresh;
  nsdyn_lcp *used;
  nsdyn_lcp *warm;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.warm_start = 1;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &used, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &warm, NULL), NSDYN_OK);
  problem *q = problem_new(MOST);
  int warm_answers = 0;
  for (int step = 0; step < 200; step++) {
    sequence_make(q, SEQUENCE_PLANAR, 12, 7, step);
    double a[MOST];
    double b[MOST];
    double c[MOST];
    ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &fresh, NULL), NSDYN_OK);
    ck_assert_int_eq(solve(fresh, q, a).status, NSDYN_OK);
    ck_assert_int_eq(solve(used, q, b).status, NSDYN_OK);
    const outcome o = solve(warm, q, c);
    ck_assert_int_eq(o.status, NSDYN_OK);
    ck_assert(o.residual <= 1e-9);
    warm_answers += o.report.warm;
    ck_assert_int_eq(memcmp(a, b, (size_t)q->n * sizeof *a), 0);
    nsdyn_lcp_free(fresh);
  }
  ck_assert_int_gt(warm_answers, 150);
  problem_free(q);
  nsdyn_lcp_free(used);
  nsdyn_lcp_free(warm);
}
END_TEST

/* A problem whose data, and a solution by construction, are exact in doubles. */
typedef enum exact_kind { INTEGERS, LOW_RANK, NEARLY_DEPENDENT, ANY_B, EXACT_KINDS } exact_kind;

static int random_integer(random_state *r, int least, int most)
{
  return least + random_below(r, most - least + 1);
}

static void make_integers(random_state *r, int n, double *A)
{
  for (int k = 0; k < n * n; k++) {
    A[k] = random_integer(r, -9, 9);
  }
}

/* A = B C of small integers, which has no full rank. */
static void make_low_rank(random_state *r, int n, double *A)
{
  double B[MOST][MOST], C[MOST][MOST];
  const int rank = 1 + random_integer(r, 0, n / 2);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < rank; k++) {
      B[i][k] = random_integer(r, -3, 3);
      C[k][i] = random_integer(r, -3, 3);
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[i * n + j] = 0.0;
      for (int k = 0; k < rank; k++) {
        A[i * n + j] += B[i][k] * C[k][j];
      }
    }
  }
}

/* Half of the rows differ from others by 2^-13 … 2^-44 only, and some columns are the same. */
static void make_nearly_dependent(random_state *r, int n, double *A)
{
  make_integers(r, n, A);
  for (int i = 1; i < n; i++) {
    const int twin = random_integer(r, 0, i - 1), digits = random_integer(r, 13, 44);
    for (int j = 0; j < n && i % 2; j++) {
      A[i * n + j] = A[twin * n + j] + ldexp(random_integer(r, -1, 1), -digits);
    }
  }
  for (int j = 1; j < n; j++) {
    const int twin = random_integer(r, 0, j - 1), same = random_integer(r, 0, 5) == 0;
    for (int i = 0; i < n && same; i++) {
      A[i * n + j] = A[i * n + twin];
    }
  }
}

/* b = y − A x, to the last bit: no sum has more than 53 of them. Half of the pairs are zero in both. Rows and
 * columns then get units 2^-20 … 2^20 of their own. */
static void make_exact(random_state *r, exact_kind kind, int n, double *A, double *b)
{
  double x[MOST], y[MOST];
  static void (*const makers[])(random_state *, int, double *) = {make_integers, make_low_rank,
                                                                  make_nearly_dependent, make_integers};
  makers[kind](r, n, A);
  for (int i = 0; i < n; i++) {
    const int state = random_integer(r, 0, 3);
    x[i] = state == 0 ? random_integer(r, 1, 6) : 0.0;
    y[i] = state == 1 ? random_integer(r, 1, 6) : 0.0;
  }
  for (int i = 0; i < n; i++) {
    b[i] = kind == ANY_B ? random_integer(r, -9, 9) : y[i];
    for (int j = 0; j < n && kind != ANY_B; j++) {
      b[i] -= A[i * n + j] * x[j];
    }
  }
  int row[MOST], column[MOST];
  for (int i = 0; i < n; i++) {
    row[i] = random_integer(r, -20, 20);
    column[i] = random_integer(r, -20, 20);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[i * n + j] = ldexp(A[i * n + j], row[i] + column[j]);
    }
    b[i] = ldexp(b[i], row[i]);
  }
}

/* Up to twelve unknowns exact arithmetic decides everything, whatever the ranks and the units: dependent
 * rows, rows that are nearly so, whose solutions may be so large that b is lost beside A x, any b. */
START_TEST(exact_data_are_always_decided)
{
  enum { SIZES = 12 };
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  const int cases = random_cases(2000);
  for (int kind = 0; kind < EXACT_KINDS; kind++) {
    for (int seed = 0; seed < cases; seed++) {
      const int n = 1 + seed % SIZES;
      double A[SIZES * SIZES], b[SIZES], x[SIZES];
      double residual;
      random_state r = random_seed((uint64_t)seed * EXACT_KINDS + (uint64_t)kind);
      make_exact(&r, (exact_kind)kind, n, A, b);
      const nsdyn_status status = nsdyn_lcp_solve(lcp, n, A, n, b, x, NULL);
      REQUIRE(status == NSDYN_OK || (kind == ANY_B && status == NSDYN_NO_SOLUTION),
              "kind %d, n %d, seed %d: %s", kind, n, seed, nsdyn_lcp_message(lcp));
      if (status == NSDYN_OK) {
        ck_assert_int_eq(nsdyn_lcp_residual(n, A, n, b, NULL, NULL, x, &residual, NULL), NSDYN_OK);
        ck_assert_msg(residual <= 1e-9, "kind %d, n %d, seed %d: residual %g", kind, n, seed, residual);
      }
    }
  }
  nsdyn_lcp_free(lcp);
}
END_TEST

/* What no path solves is searched up to 64 unknowns: general matrices with a solution by construction. */
START_TEST(general_matrices_are_searched)
{
  enum { LARGEST = 48 };
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  problem *q = problem_new(LARGEST);
  for (int seed = 0; seed < random_cases(60); seed++) {
    double x[LARGEST];
    problem_make(q, problem_class_find("random_solvable"), 25 + seed % (LARGEST - 24), (uint64_t)seed);
    const nsdyn_status status = nsdyn_lcp_solve(lcp, q->n, q->A, q->n, q->b, x, NULL);
    ck_assert_msg(status == NSDYN_OK, "n %d, seed %d: %s", q->n, seed, nsdyn_lcp_message(lcp));
  }
  problem_free(q);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* What is known of a problem at a glance leads to the method that is fastest for it: x = 0 where b >= 0,
 * whatever A is; Lemke's path for many unknowns and a symmetric A that is not definite, principal pivots
 * where there are bounds. */
START_TEST(a_glance_leads_to_the_fastest_method)
{
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  problem *q = problem_new(MOST);
  double x[MOST];
  for (uint64_t seed = 0; seed < 10; seed++) {
    problem_make(q, problem_class_find("minus_identity"), MOST, seed);
    outcome o = solve(lcp, q, x);
    ck_assert(o.status == NSDYN_OK && o.report.iterations == 0 && o.report.attempts == 1);
    problem_make(q, problem_class_find("psd_symmetric"), MOST, seed);
    o = solve(lcp, q, x);
    ck_assert_msg(o.status == NSDYN_OK && o.report.method == NSDYN_LCP_LEMKE, "seed %d: method %d", (int)seed,
                  o.report.method);
    for (int i = 0; i < q->n; i++) {
      q->hi[i] = 1e3; /* out of reach or not: A is the same */
      q->lo[i] = -1e3;
    }
    q->traits |= PROBLEM_MIXED;
    o = solve(lcp, q, x);
    ck_assert_msg(o.status == NSDYN_OK && o.report.method == NSDYN_LCP_PRINCIPAL, "seed %d: method %d",
                  (int)seed, o.report.method);
  }
  problem_free(q);
  nsdyn_lcp_free(lcp);
}
END_TEST

/* Semidefinite, not symmetric, of low rank: the run that is left at the end needs a path as long as any. */
START_TEST(hundreds_of_unknowns_are_answered)
{
  const int hundreds = is_quick() ? 210 : 420;
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  problem *q = problem_new(hundreds);
  double *x = calloc((size_t)hundreds, sizeof *x);
  ck_assert(q && x);
  for (uint64_t seed = 1; seed < (is_brief() ? 1 : is_quick() ? 2 : 3); seed++) {
    double residual = INFINITY;
    problem_make(q, problem_class_find("psd_nonsymmetric"), hundreds, seed);
    const nsdyn_status status = nsdyn_lcp_solve(lcp, q->n, q->A, q->n, q->b, x, NULL);
    ck_assert_int_eq(nsdyn_lcp_residual(q->n, q->A, q->n, q->b, NULL, NULL, x, &residual, NULL), NSDYN_OK);
    ck_assert_msg(status == NSDYN_OK && residual <= 1e-9, "seed %d: status %d, residual %g", (int)seed,
                  status, residual);
  }
  free(x);
  problem_free(q);
  nsdyn_lcp_free(lcp);
}
END_TEST

SUITE("lcp/automatic", TEST(every_class_is_answered), TEST(friction_sets_are_solved_whole),
      TEST(exponential_families_are_harmless), TEST(exact_data_are_always_decided),
      TEST(general_matrices_are_searched), TEST(history_does_not_matter_unless_asked),
      TEST(a_glance_leads_to_the_fastest_method), TEST(hundreds_of_unknowns_are_answered))
