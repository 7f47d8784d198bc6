/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/newton.h"

#include "nsdyn/lcp.h"
#include "sparse_cases.h"

static nsdyn_lcp *solver(int32_t method)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

static nsdyn_lcp_solve_report report_of(const nsdyn_lcp *lcp)
{
  nsdyn_lcp_solve_report report;
  nsdyn_lcp_solve_report_init(&report, sizeof report);
  ck_assert_int_eq(nsdyn_lcp_report(lcp, &report), NSDYN_OK);
  return report;
}

/* Positive definite, but hardly symmetric: a small diagonal and a skew part hundreds of times as large, next
 * to the diagonal and seven places off, as gyroscopes couple the joints of a chain. */
static sparse_case skew_case(random_state *r, int32_t n)
{
  static const int32_t off[] = {-7, -1, 0, 1, 7};
  sparse_case c = sparse_case_new(n, 5 * n);
  for (int32_t i = 0; i < n; i++) {
    for (int k = 0; k < 5; k++) {
      const int32_t j = i + off[k];
      const int32_t low = i < j ? i : j, high = i < j ? j : i;
      if (j >= 0 && j < n) {
        const double skew = 1.0 + (double)((high * 13 + low) % 5);
        sparse_case_add(&c, i, j, j == i ? (i % 4 ? 0.01 : 0.5) : j < i ? -skew : skew);
      }
    }
    sparse_case_end_row(&c, i);
    c.b[i] = random_normal(r);
  }
  return c;
}

static double *dense_of(const sparse_case *c)
{
  double *A = calloc((size_t)c->n * (size_t)c->n, sizeof *A);
  ck_assert(A != NULL);
  for (int32_t i = 0; i < c->n; i++) {
    for (int64_t l = c->row[i]; l < c->row[i + 1]; l++) {
      A[i * c->n + c->column[l]] = c->value[l];
    }
  }
  return A;
}

/* Rounds alone walk in circles there; Newton's method and `automatic` find the one answer, which dense
 * methods have too. With bounds of all kinds, and in units from 1e-100 to 1e100. */
START_TEST(skew_matrices_are_solved)
{
  const int cases = random_cases(40);
  nsdyn_lcp *newton = solver(NSDYN_LCP_NEWTON_FB), *automatic = solver(NSDYN_LCP_AUTOMATIC),
            *dense = solver(NSDYN_LCP_LEMKE);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    sparse_case c = skew_case(&r, 20 + random_below(&r, 100));
    const double unit = k % 3 == 0 ? 1e100 : k % 3 == 1 ? 1e-100 : 1.0;
    for (int64_t l = 0; l < c.row[c.n]; l++) {
      c.value[l] *= unit;
    }
    for (int32_t i = 0; i < c.n; i++) {
      c.b[i] *= unit;
    }
    if (k % 2) {
      sparse_case_bound(&c, &r);
    }
    const nsdyn_sparse_matrix S = sparse_case_matrix(&c);
    double *A = dense_of(&c);
    REQUIRE(nsdyn_lcp_solve_mixed(dense, c.n, A, c.n, c.b, c.lo, c.hi, c.y, NULL) == NSDYN_OK, "seed %d", k);
    for (int l = 0; l < 2; l++) {
      nsdyn_lcp *lcp = l ? automatic : newton;
      REQUIRE(nsdyn_lcp_solve_sparse(lcp, &S, c.b, c.lo, c.hi, c.x, NULL) == NSDYN_OK, "seed %d: %s", k,
              nsdyn_lcp_message(lcp));
      REQUIRE(sparse_case_distance(&c, c.y) < 1e-7, "seed %d: %g", k, sparse_case_distance(&c, c.y));
      REQUIRE(l || report_of(lcp).method == NSDYN_LCP_NEWTON_FB, "seed %d", k);
    }
    free(A);
    sparse_case_free(&c);
  }
  nsdyn_lcp_free(newton);
  nsdyn_lcp_free(automatic);
  nsdyn_lcp_free(dense);
}
END_TEST

/* Larger ones, by their certificate alone; the steps hardly grow with n. */
START_TEST(large_skew_matrices_take_few_steps)
{
  nsdyn_lcp *lcp = solver(NSDYN_LCP_NEWTON_FB);
  for (int32_t n = 500; n <= 8000; n *= 4) {
    random_state r = random_seed((uint64_t)n);
    sparse_case c = skew_case(&r, n);
    const nsdyn_sparse_matrix S = sparse_case_matrix(&c);
    ck_assert_msg(nsdyn_lcp_solve_sparse(lcp, &S, c.b, NULL, NULL, c.x, NULL) == NSDYN_OK, "n %d: %s", (int)n,
                  nsdyn_lcp_message(lcp));
    double residual;
    ck_assert_int_eq(nsdyn_lcp_residual_sparse(&S, c.b, NULL, NULL, c.x, &residual, NULL), NSDYN_OK);
    ck_assert(residual <= 1e-9);
    ck_assert_int_le(report_of(lcp).iterations, 200);
    sparse_case_free(&c);
  }
  nsdyn_lcp_free(lcp);
}
END_TEST

typedef struct asker {
  int calls, stop_at;
} asker;

static int32_t on_progress(void *user, const char *activity, double done)
{
  asker *a = user;
  (void)activity;
  (void)done;
  return ++a->calls == a->stop_at;
}

/* Whoever wants to stop is heard, and not asked again. */
START_TEST(can_be_cancelled)
{
  random_state r = random_seed(1);
  sparse_case c = skew_case(&r, 4000);
  const nsdyn_sparse_matrix S = sparse_case_matrix(&c);
  asker a = {.stop_at = -1};
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &a;
  def.progress = on_progress;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = NSDYN_LCP_NEWTON_FB;
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(ctx, &options, &lcp, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &S, c.b, NULL, NULL, c.x, NULL), NSDYN_OK);
  const int calls = a.calls;
  ck_assert_int_ge(calls, 10);
  for (int k = 1; k < calls; k += 1 + calls / 20) {
    a = (asker){.stop_at = k};
    ck_assert_int_eq(nsdyn_lcp_solve_sparse(lcp, &S, c.b, NULL, NULL, c.x, NULL), NSDYN_CANCELLED);
    ck_assert_int_eq(a.calls, k);
  }
  nsdyn_lcp_free(lcp);
  nsdyn_context_free(ctx);
  sparse_case_free(&c);
}
END_TEST

/* −x − 1 has no zero with x >= 0: whatever ends it is no answer. A limit is heeded. */
START_TEST(what_has_no_solution_gets_none)
{
  sparse_case c = sparse_case_new(30, 30);
  for (int32_t i = 0; i < c.n; i++) {
    sparse_case_add(&c, i, i, -1.0);
    sparse_case_end_row(&c, i);
    c.b[i] = -1.0;
  }
  const nsdyn_sparse_matrix S = sparse_case_matrix(&c);
  nsdyn_lcp *lcp = solver(NSDYN_LCP_NEWTON_FB);
  const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &S, c.b, NULL, NULL, c.x, NULL);
  ck_assert_msg(status == NSDYN_UNDECIDED || status == NSDYN_MAX_ITERATIONS, "%d", (int)status);
  for (int32_t i = 0; i < c.n; i++) {
    ck_assert(isfinite(c.x[i]) && c.x[i] >= 0.0);
  }
  nsdyn_lcp_free(lcp);
  sparse_case_free(&c);
}
END_TEST

SUITE("lcp/sparse/newton", TEST(skew_matrices_are_solved), TEST(large_skew_matrices_take_few_steps),
      TEST(what_has_no_solution_gets_none), TEST(can_be_cancelled))
