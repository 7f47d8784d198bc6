/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/attempt.c: every method on every class. Whatever a method says, its answer is judged by other code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/object.h"
#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/piles.h"
#include "support/problems.h"

#define MOST 30

static nsdyn_lcp *solver(int32_t method)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.max_iterations = options.max_nodes = 2000;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

static nsdyn_status solve(nsdyn_lcp *lcp, const problem *q, double *x, double *residual)
{
  for (int i = 0; i < q->n; i++) {
    x[i] = NAN;
  }
  const nsdyn_status status =
      nsdyn_lcp_solve_mixed(lcp, q->n, q->A, q->n, q->b, problem_lo(q), problem_hi(q), x, NULL);
  nsdyn_lcp_residual(q->n, q->A, q->n, q->b, problem_lo(q), problem_hi(q), x, residual, NULL);
  return status;
}

/* The classes for which theory makes a method sure (see nsdyn_lcp_method). */
static int is_sure(int32_t method, const problem *q)
{
  const unsigned t = q->traits;
  const int plain = !(t & PROBLEM_MIXED);
  switch (method) {
  case NSDYN_LCP_LEMKE:
    return (t & PROBLEM_LEMKE) != 0 && !(t & PROBLEM_EXPONENTIAL);
  case NSDYN_LCP_MURTY:
    return plain && (t & PROBLEM_P) && !(t & PROBLEM_EXPONENTIAL);
  case NSDYN_LCP_PRINCIPAL:
    return (t & PROBLEM_SYMMETRIC) && (t & PROBLEM_PSD) && !(t & PROBLEM_EXPONENTIAL);
  case NSDYN_LCP_BLOCK:
    return (t & PROBLEM_P) && !(t & PROBLEM_EXPONENTIAL);
  case NSDYN_LCP_ENUMERATIVE:
    return plain && q->n <= 12;
  default:
    return 0;
  }
}

START_TEST(no_method_is_believed)
{
  problem *q = problem_new(MOST);
  for (int32_t method = NSDYN_LCP_LEMKE; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
    nsdyn_lcp *lcp = solver(method);
    for (int c = 0; c < problem_class_count(); c++) {
      int sure = 0;
      int solved = 0;
      const int cases = random_cases(40);
      for (int seed = 0; seed < cases; seed++) {
        problem_make(q, c, 1 + seed % (method == NSDYN_LCP_ENUMERATIVE ? 12 : MOST), (uint64_t)seed);
        double x[MOST];
        double residual;
        const nsdyn_status status = solve(lcp, q, x, &residual);
        ck_assert_msg(status != NSDYN_OK || residual <= 1e-9, "method %d, %s, n %d, seed %d: residual %g",
                      method, q->name, q->n, seed, residual);
        ck_assert_msg(status != NSDYN_OK || q->promise != PROBLEM_NONE, "method %d, %s, n %d, seed %d",
                      method, q->name, q->n, seed);
        ck_assert_msg(status != NSDYN_NO_SOLUTION || q->promise == PROBLEM_NONE || q->promise == PROBLEM_OPEN,
                      "method %d, %s, n %d, seed %d has a solution", method, q->name, q->n, seed);
        if (status >= 0) {
          for (int i = 0; i < q->n; i++) {
            ck_assert_msg(!isnan(x[i]), "method %d, %s, n %d, seed %d", method, q->name, q->n, seed);
          }
        }
        if (q->promise != PROBLEM_NONE && q->promise != PROBLEM_OPEN && is_sure(method, q)) {
          sure++;
          solved += status == NSDYN_OK;
          ck_assert_msg(status == NSDYN_OK, "method %d, %s, n %d, seed %d: %s", method, q->name, q->n, seed,
                        nsdyn_lcp_message(lcp));
        }
      }
      ck_assert_int_eq(solved, sure);
    }
    nsdyn_lcp_free(lcp);
  }
  problem_free(q);
}
END_TEST

/* Two methods find the same x where there is one. */
START_TEST(methods_agree_where_the_solution_is_unique)
{
  problem *q = problem_new(MOST);
  nsdyn_lcp *judge = solver(NSDYN_LCP_ENUMERATIVE);
  const char *const classes[] = {"p", "pd_symmetric", "pd_nonsymmetric", "m", "ties"};
  for (int32_t method = NSDYN_LCP_LEMKE; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
    nsdyn_lcp *lcp = solver(method);
    for (int k = 0; k < 5; k++) {
      for (int seed = 0; seed < random_cases(60); seed++) {
        problem_make(q, problem_class_find(classes[k]), 1 + seed % 10, (uint64_t)seed);
        double x[MOST];
        double z[MOST];
        double residual;
        ck_assert_int_eq(solve(judge, q, z, &residual), NSDYN_OK);
        if (solve(lcp, q, x, &residual) != NSDYN_OK) {
          continue;
        }
        double size = 0.0;
        for (int i = 0; i < q->n; i++) {
          size = fmax(size, fabs(z[i]));
        }
        for (int i = 0; i < q->n; i++) {
          ck_assert_msg(fabs(x[i] - z[i]) <= 1e-6 * size, "method %d, %s, n %d, seed %d, row %d: %g, %g",
                        method, q->name, q->n, seed, i, x[i], z[i]);
        }
      }
    }
    nsdyn_lcp_free(lcp);
  }
  nsdyn_lcp_free(judge);
  problem_free(q);
}
END_TEST

/* What a program's progress callback does: it counts, and ends the call at a given count. */
typedef struct host {
  int calls, stop_at;
  nsdyn_lcp *lcp;
} host;

static int on_progress(void *user, const char *activity, double done)
{
  host *h = user;
  const double one = 1.0;
  double x;
  ck_assert(activity && done <= 1.0);
  ck_assert_int_eq(nsdyn_lcp_solve(h->lcp, 1, &one, 1, &one, &x, NULL), NSDYN_ERR_BUSY);
  return ++h->calls == h->stop_at;
}

static nsdyn_context *context_asking(host *h)
{
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = h;
  def.progress = on_progress;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  return ctx;
}

/* Paths of 2^n pivots ask, and end where they are told to; ordinary problems are over before that. */
START_TEST(long_paths_can_be_cancelled)
{
  static const struct {
    int32_t method;
    const char *family;
  } runs[] = {{NSDYN_LCP_LEMKE, "murty_lemke"},
              {NSDYN_LCP_MURTY, "murty_least_index"},
              {NSDYN_LCP_BLOCK, "random"}}; /* no P-matrix: its rounds do not end */
  host h = {.stop_at = -1};
  nsdyn_context *ctx = context_asking(&h);
  problem *q = problem_new(MOST);
  for (int k = 0; k < 3; k++) {
    nsdyn_lcp_options options;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = runs[k].method;
    ck_assert_int_eq(nsdyn_lcp_new(ctx, &options, &h.lcp, NULL), NSDYN_OK);
    double x[MOST];
    double residual;
    h.calls = 0;
    h.stop_at = 2;
    problem_make(q, problem_class_find(runs[k].family), 18, 1);
    for (int i = 0; i < q->n && runs[k].method == NSDYN_LCP_BLOCK; i++) {
      q->A[i * (q->n + 1)] = 0.1;
    }
    const nsdyn_status status = solve(h.lcp, q, x, &residual);
    REQUIRE(status == NSDYN_CANCELLED && h.calls == 2, "%s: %s after %d calls", runs[k].family,
            nsdyn_status_name(status), h.calls);
    ck_assert(residual < (double)INFINITY);
    ck_assert_str_ne(nsdyn_lcp_message(h.lcp), "");
    h.calls = 0;
    for (int seed = 0; seed < random_cases(50); seed++) {
      problem_make(q, problem_class_find("p"), 1 + seed % MOST, (uint64_t)seed);
      ck_assert_int_eq(solve(h.lcp, q, x, &residual), NSDYN_OK);
    }
    ck_assert_int_eq(h.calls, 0);
    nsdyn_lcp_free(h.lcp);
  }
  problem_free(q);
  nsdyn_context_free(ctx);
}
END_TEST

/* Whoever wants to stop is heard in the first loops of a large problem, whatever the method, and is not asked
 * again. */
START_TEST(large_problems_ask_from_the_first_loop_on)
{
  enum { N = 700, LAST = 3 };
  host h = {.stop_at = -1};
  nsdyn_context *ctx = context_asking(&h);
  double *A = calloc((size_t)N * N, sizeof *A);
  double b[N], lo[N], hi[N], x[N];
  int32_t basis[N];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      A[i * N + j] = 1.0 / (1.0 + abs(i - j)); /* positive definite */
    }
    b[i] = i % 3 ? -1.0 : 0.5;
    lo[i] = i % 2 ? -INFINITY : -1.0;
    hi[i] = i % 5 ? INFINITY : 1.0;
    basis[i] = NSDYN_LCP_BASIC;
  }
  for (int k = 0; k < 2 * (NSDYN_LCP_MARQUARDT_PROJECTED + 1) * 2; k++) {
    const int is_mixed = k % 2;
    const int is_symmetric = k / 2 % 2;
    nsdyn_lcp_options options;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = k / 4;
    options.warm_start = 1;
    A[1] = is_symmetric ? A[N] : 0.25;
    const int is_refused = (options.method == NSDYN_LCP_MURTY && is_mixed) ||
                           (options.method == NSDYN_LCP_PRINCIPAL && !is_symmetric);
    for (h.stop_at = 1; h.stop_at <= LAST && !is_refused; h.stop_at++) {
      ck_assert_int_eq(nsdyn_lcp_new(ctx, &options, &h.lcp, NULL), NSDYN_OK);
      ck_assert_int_eq(nsdyn_lcp_set_basis(h.lcp, N, basis), NSDYN_OK);
      h.calls = 0;
      for (int i = 0; i < N; i++) {
        x[i] = NAN;
      }
      const nsdyn_status status =
          nsdyn_lcp_solve_mixed(h.lcp, N, A, N, b, is_mixed ? lo : NULL, is_mixed ? hi : NULL, x, NULL);
      REQUIRE(status == NSDYN_CANCELLED && h.calls == h.stop_at,
              "method %d, mixed %d, symmetric %d: %s, %d of %d calls", options.method, is_mixed, is_symmetric,
              nsdyn_status_name(status), h.calls, h.stop_at);
      for (int i = 0; i < N; i++) {
        REQUIRE(isfinite(x[i]) && (!is_mixed || (x[i] >= lo[i] && x[i] <= hi[i])),
                "method %d, mixed %d, symmetric %d, stopped at %d: x_%d = %g", options.method, is_mixed,
                is_symmetric, h.stop_at, i, x[i]);
      }
      nsdyn_lcp_free(h.lcp);
    }
  }
  free(A);
  nsdyn_context_free(ctx);
}
END_TEST

/* Stops a call, and looks what has been done without a question when the next one comes. */
typedef struct stopper {
  int calls, stop_at;
  double since; /* multiplications; negative: no question has come */
  nsdyn_lcp *lcp;
} stopper;

static int on_question(void *user, const char *activity, double done)
{
  stopper *s = user;
  (void)activity;
  (void)done;
  s->calls++;
  if (s->calls == s->stop_at + 1) {
    s->since = s->lcp->poll.work;
  }
  return s->calls == s->stop_at;
}

/* One solve that is stopped; returns what was done after that, in multiplications, or −1. */
static double work_after_stop(stopper *s, const nsdyn_lcp_options *options, nsdyn_context *ctx,
                              const problem *q, const int32_t *basis, double *x)
{
  s->calls = 0;
  s->since = -1.0;
  ck_assert_int_eq(nsdyn_lcp_new(ctx, options, &s->lcp, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_set_basis(s->lcp, q->n, basis), NSDYN_OK);
  (void)nsdyn_lcp_solve_mixed(s->lcp, q->n, q->A, q->n, q->b, q->lo, q->hi, x, NULL);
  nsdyn_lcp_free(s->lcp);
  return s->since;
}

/* Loops that hear a stop end: what follows it until the best point is judged is less than reading A a few
 * times, whatever was going on. */
START_TEST(little_is_done_after_a_stop)
{
  enum { N = 720, FEW = 3, MOST_CALLS = 300, STOPS = 12 };
  stopper s = {.calls = 0};
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &s;
  def.progress = on_question;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  problem *q = problem_new(N);
  double x[N];
  int32_t basis[N];
  q->n = N;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      q->A[i * N + j] = 1.0 / (1.0 + abs(i - j)); /* positive definite */
    }
    q->b[i] = sin((double)(i * i));
    q->lo[i] = i % 5 ? -0.25 : -INFINITY;
    q->hi[i] = i % 5 ? 0.25 : INFINITY;
    basis[i] = NSDYN_LCP_BASIC;
  }
  for (int32_t method = NSDYN_LCP_LEMKE; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
    nsdyn_lcp_options options;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = method;
    options.warm_start = 1;
    s.stop_at = MOST_CALLS;
    (void)work_after_stop(&s, &options, ctx, q, basis, x);
    const int calls = s.calls < MOST_CALLS ? s.calls : MOST_CALLS;
    for (int k = 0; k < random_cases(STOPS); k++) {
      s.stop_at = 1 + calls * k / STOPS;
      const double work = work_after_stop(&s, &options, ctx, q, basis, x);
      REQUIRE(work <= (double)FEW * N * N, "method %d, stopped at %d of %d: %g times n^2", method, s.stop_at,
              calls, work / ((double)N * N));
    }
  }
  problem_free(q);
  nsdyn_context_free(ctx);
}
END_TEST

/* The mixed LCP of a pile: velocities, kept (free, with M u' = M u + Wᵀ Λ) or eliminated; normal impulses;
 * the room of the tangential ones below the upper limit of friction, and what moves against it. Rows of n, A,
 * b. */
static int mixed_of_pile(const pile *p, int is_kept, double *A, double *b)
{
  const int m = p->contacts;
  const int nu = is_kept ? p->nu : 0;
  const int n = nu + 3 * m;
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (int i = 0; i < nu; i++) {
    A[i * n + i] = p->M[i];
    b[i] = -p->M[i] * p->u[i];
    for (int j = 0; j < m; j++) {
      const double T = p->W[(2 * j + 1) * nu + i];
      A[i * n + nu + j] = p->laws[j].mu * T - p->W[2 * j * nu + i];
      A[i * n + nu + m + j] = -T;
    }
  }
  for (int i = 0; i < m; i++) {
    for (int t = 0; t < 2; t++) { /* t = 0: normal row, 1: tangential row */
      const int row = 2 * i + t;
      double *a = A + (nu + t * m + i) * n;
      double *c = b + nu + t * m + i;
      *c = p->c[row];
      for (int j = 0; j < nu; j++) {
        a[j] = p->W[row * nu + j];
        *c -= a[j] * p->u[j];
      }
      for (int j = 0; j < m && !is_kept; j++) {
        const double *g = p->G + row * p->rows + 2 * j;
        a[j] = g[0] - p->laws[j].mu * g[1];
        a[m + j] = g[1];
      }
    }
    A[(nu + m + i) * n + nu + 2 * m + i] = 1.0;
    A[(nu + 2 * m + i) * n + nu + i] = 2.0 * p->laws[i].mu;
    A[(nu + 2 * m + i) * n + nu + m + i] = -1.0;
    b[nu + 2 * m + i] = 0.0;
  }
  return n;
}

/* Values of long paths are not taken for rounding of the larger ones before them, and ties that rounding has
 * parted are joined again: Lemke's runs solve piles of stones and of disks, hit, at rest and shaken, all but
 * one in a hundred. */
START_TEST(lemke_solves_piles)
{
  enum { LARGEST = 400, SEEDS = 10 };
  const struct {
    pile_kind kind;
    int contacts;
  } piles[] = {{PILE_RUBBLE, 30}, {PILE_DISKS, 50}};
  double *A = malloc((size_t)LARGEST * LARGEST * sizeof *A);
  double b[LARGEST], lo[LARGEST], hi[LARGEST], x[LARGEST];
  nsdyn_lcp *lcp = solver(NSDYN_LCP_LEMKE);
  int unsolved = 0;
  const int asked = 2 * PILE_LOADS * 2 * SEEDS;
  for (int k = 0; k < asked; k++) {
    const int seed = 1 + k % SEEDS;
    const int is_kept = k / SEEDS % 2;
    const pile_load load = (pile_load)(k / SEEDS / 2 % PILE_LOADS);
    const pile_kind kind = piles[k / SEEDS / 2 / PILE_LOADS].kind;
    random_state random = random_seed((uint64_t)seed);
    pile p = pile_make(kind, load, piles[k / SEEDS / 2 / PILE_LOADS].contacts, &random);
    ck_assert_int_le(p.nu + 3 * p.contacts, LARGEST);
    const int n = mixed_of_pile(&p, is_kept, A, b);
    for (int i = 0; i < n; i++) {
      lo[i] = is_kept && i < p.nu ? -INFINITY : 0.0;
      hi[i] = INFINITY;
    }
    const nsdyn_status status = nsdyn_lcp_solve_mixed(lcp, n, A, n, b, lo, hi, x, NULL);
    unsolved += status != NSDYN_OK;
    pile_free(&p);
  }
  REQUIRE(unsolved <= asked / 100, "%d of %d unsolved", unsolved, asked);
  nsdyn_lcp_free(lcp);
  free(A);
}
END_TEST

SUITE("lcp/attempt", TEST(large_problems_ask_from_the_first_loop_on), TEST(little_is_done_after_a_stop),
      TEST(long_paths_can_be_cancelled), TEST(no_method_is_believed), TEST(lemke_solves_piles),
      TEST(methods_agree_where_the_solution_is_unique))
