/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/proof/certificate.h"

#include <stdlib.h>
#include <string.h>

/* The same source once more, built without AVX2, under other names. */
#include "base/kernels/cpu.h"
#define nsd_cpu_avx2() 0
#define nsd_lcp_is_plain plain_lcp_is_plain
#define nsd_certify plain_certify
#define nsd_certify_asking plain_certify_asking
#define nsd_passes plain_passes
#define nsd_certificate_of plain_certificate_of
#define nsd_is_far_out plain_is_far_out
#define nsd_lcp_round plain_lcp_round
int plain_lcp_is_plain(const nsd_lcp_problem *p);
nsd_certificate plain_certify_asking(const nsd_lcp_problem *p, const double *x, double *y, nsd_poll *poll);
nsd_certificate plain_certify(const nsd_lcp_problem *p, const double *x, double *y);
int plain_passes(const nsd_lcp_problem *p, double tol, const nsd_passing *to);
nsd_certificate plain_certificate_of(int n, const double *violation, const double *scale);
int plain_is_far_out(const nsd_lcp_problem *p, const double *x, double tol, nsd_poll *poll);
void plain_lcp_round(const nsd_lcp_problem *p, double *x, double *work, nsd_poll *poll);
/* NOLINTNEXTLINE(bugprone-suspicious-include): that is the point */
#include "lcp/proof/certificate.c"
#undef nsd_cpu_avx2
#undef nsd_lcp_is_plain
#undef nsd_certify
#undef nsd_certify_asking
#undef nsd_passes
#undef nsd_certificate_of
#undef nsd_is_far_out
#undef nsd_lcp_round

#include "suite.h"
#include "support/problems.h"

#define MOST 40

/* y = 2 x_0 + x_1 − 5 and so on: the example of nsdyn/lcp.h. */
static const double A2[4] = {2.0, 1.0, 1.0, 2.0};
static const double b2[2] = {-5.0, -6.0};

static nsd_certificate judge2(double x0, double x1)
{
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A2, .b = b2};
  const double x[2] = {x0, x1};
  return nsd_certify(&p, x, NULL);
}

START_TEST(solutions_pass_and_others_do_not)
{
  ck_assert(judge2(4.0 / 3.0, 7.0 / 3.0).residual <= 1e-15);
  ck_assert_int_eq(judge2(0.0, 6.0).row, 1);
  const nsd_certificate wrong = judge2(2.0, 2.0); /* y = (1, 0) where x > 0; s_0 = 5 + 4 + 2 */
  ck_assert_int_eq(wrong.row, 0);
  ck_assert(wrong.violation == 1.0 && wrong.residual == 1.0 / 11.0);
}
END_TEST

START_TEST(outside_its_bounds_is_no_solution)
{
  ck_assert(judge2(-1e-300, 3.0).residual == (double)INFINITY);
  ck_assert(judge2(NAN, 3.0).residual == (double)INFINITY);
  ck_assert(judge2(INFINITY, 3.0).residual == (double)INFINITY);
  ck_assert_int_eq(judge2(1.0, NAN).row, 1);
}
END_TEST

/* The same problem in other units has the same residual: a toy of 0.3 g is judged like a crane. */
START_TEST(has_no_unit)
{
  problem *q = problem_new(MOST);
  const int c = problem_class_find("planar_friction");
  for (int seed = 0; seed < random_cases(300); seed++) {
    problem_make(q, c, 3 + seed % 20, (uint64_t)seed);
    random_state random = random_seed((uint64_t)seed);
    double x[MOST];
    for (int i = 0; i < q->n; i++) {
      x[i] = random_below(&random, 2) ? random_unit(&random) : 0.0;
    }
    const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b};
    const double residual = nsd_certify(&p, x, NULL).residual;
    for (int i = 0; i < q->n; i++) {
      const int e = (i % 5 - 2) * 20;
      q->b[i] = ldexp(q->b[i], e);
      for (int j = 0; j < q->n; j++) {
        q->A[i * q->n + j] = ldexp(q->A[i * q->n + j], e);
      }
    }
    ck_assert(nsd_certify(&p, x, NULL).residual == residual);
  }
  problem_free(q);
}
END_TEST

/* y comes back as a caller wants it: zero strictly inside the bounds, A x + b at them. */
START_TEST(hands_out_y)
{
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A2, .b = b2};
  const double x[2] = {0.0, 3.0};
  double y[2];
  nsd_certify(&p, x, y);
  ck_assert(y[0] == -2.0 && y[1] == 0.0);
}
END_TEST

START_TEST(bounds_have_their_signs)
{
  const double A[1] = {1.0};
  const double b[1] = {-3.0};
  const double lo[1] = {-1.0};
  const double hi[1] = {2.0};
  const nsd_lcp_problem p = {.n = 1, .lda = 1, .A = A, .b = b, .lo = lo, .hi = hi};
  const double top = 2.0;
  const double bottom = -1.0;
  const double beyond = 2.5;
  ck_assert(nsd_certify(&p, &top, NULL).residual == 0.0);    /* y = −1 at hi */
  ck_assert(nsd_certify(&p, &bottom, NULL).residual == 1.0); /* y = −4 at lo, s = 4 */
  ck_assert(nsd_certify(&p, &beyond, NULL).residual == (double)INFINITY);
  const nsd_lcp_problem fixed = {.n = 1, .lda = 1, .A = A, .b = b, .lo = hi, .hi = hi};
  ck_assert(nsd_certify(&fixed, &top, NULL).residual == 0.0);
}
END_TEST

/* Known solutions of every class pass; moved by a thousandth in a basic row of a P-matrix they do not. */
START_TEST(known_solutions_pass)
{
  problem *q = problem_new(MOST);
  int judged = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int seed = 0; seed < random_cases(100); seed++) {
      problem_make(q, c, 1 + seed % 20, (uint64_t)seed);
      if (!q->has_x) {
        continue;
      }
      const nsd_lcp_problem p = {
          .n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = problem_lo(q), .hi = problem_hi(q)};
      const double residual = nsd_certify(&p, q->x, NULL).residual;
      ck_assert_msg(residual <= 1e-12, "%s, n %d, seed %d: %g", q->name, q->n, seed, residual);
      judged++;
    }
  }
  ck_assert_int_gt(judged, 500 < random_cases(500) ? 500 : random_cases(500));
  problem_free(q);
}
END_TEST

START_TEST(overflow_is_a_violation)
{
  const double A[1] = {1e300};
  const double b[1] = {-1.0};
  const nsd_lcp_problem p = {.n = 1, .lda = 1, .A = A, .b = b};
  const double x = 1e300;
  ck_assert(nsd_certify(&p, &x, NULL).residual == (double)INFINITY);
}
END_TEST

static int passes_at_all(const nsd_lcp_problem *p, const double *x)
{
  double rows[4][16];
  const nsd_passing to = {
      .x = x, .y = rows[0], .violation = rows[1], .scale = rows[2], .x_out = rows[3], .y_out = NULL};
  return nsd_passes(p, 0.5, &to);
}

/* x = t (1, 1): A x vanishes, b does not, and no x at all solves the problem. Far out the residual is small
 * nevertheless. */
START_TEST(far_out_b_is_not_seen)
{
  const double A[4] = {1.0, -1.0, -1.0, 1.0};
  const double b[2] = {-1.0, -1.0};
  const double zero_b[2] = {0.0, 0.0};
  const double near[2] = {2.0, 1.0};
  const double far[2] = {1e12, 1e12};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  const nsd_lcp_problem homogeneous = {.n = 2, .lda = 2, .A = A, .b = zero_b};
  ck_assert(nsd_certify(&p, far, NULL).residual <= 1e-12);
  ck_assert_int_eq(nsd_is_far_out(&p, far, 1e-9, NULL), 1);
  ck_assert_int_eq(passes_at_all(&p, far), 0);
  ck_assert_int_eq(passes_at_all(&homogeneous, far), 1);
  ck_assert_int_eq(nsd_is_far_out(&p, near, 1e-9, NULL), 0);
  ck_assert_int_eq(nsd_is_far_out(&homogeneous, far, 1e-9, NULL), 0);
  /* Bounds load a row like b does. */
  const double lo[2] = {0.0, 3.0};
  const double hi[2] = {INFINITY, 3.0};
  const double x[2] = {3.0, 3.0};
  const nsd_lcp_problem bounded = {.n = 2, .lda = 2, .A = A, .b = zero_b, .lo = lo, .hi = hi};
  ck_assert_int_eq(nsd_is_far_out(&bounded, x, 1e-9, NULL), 0);
}
END_TEST

START_TEST(rounding_puts_small_x_onto_its_bound)
{
  const double A[4] = {2.0, 0.0, 0.0, 2.0};
  const double b[2] = {1.0, -2.0};
  double x[2] = {1e-9, 1.0 + 1e-9};
  double work[2];
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  nsd_lcp_round(&p, x, work, NULL);
  ck_assert(x[0] == 0.0 && x[1] == 1.0 + 1e-9);
  const double lo[2] = {-1.0, -1.0};
  const double hi[2] = {1.0, 0.5};
  const nsd_lcp_problem box = {.n = 2, .lda = 2, .A = A, .b = b, .lo = lo, .hi = hi};
  double z[2] = {-0.5, 0.5 - 1e-9};
  nsd_lcp_round(&box, z, work, NULL);
  ck_assert(z[0] == -0.5 && z[1] == 0.5);
}
END_TEST

START_TEST(public_call)
{
  const double x[2] = {2.0, 2.0};
  double residual;
  int row;
  ck_assert_int_eq(nsdyn_lcp_residual(2, A2, 2, b2, NULL, NULL, x, &residual, &row), NSDYN_OK);
  ck_assert(residual == 1.0 / 11.0 && row == 0);
  ck_assert_int_eq(nsdyn_lcp_residual(2, A2, 1, b2, NULL, NULL, x, &residual, &row), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_residual(2, A2, 2, b2, NULL, NULL, x, NULL, &row), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_lcp_residual(0, NULL, 0, NULL, NULL, NULL, NULL, &residual, NULL), NSDYN_OK);
  ck_assert(residual == 0.0);
}
END_TEST

/* Whether x passes at a tolerance, with AVX2 and without: the numbers of the certificate, to the bit, and x
 * and y handed out only then. */
static int passes(const nsd_lcp_problem *p, const double *x, double tol, const nsd_certificate *c)
{
  double rows[6][MOST];
  double certified_y[MOST];
  double out[4][MOST];
  nsd_certify(p, x, certified_y);
  for (int i = 0; i < p->n; i++) {
    out[0][i] = out[1][i] = out[2][i] = out[3][i] = 7.0;
  }
  const nsd_passing to = {
      .x = x, .y = rows[0], .violation = rows[1], .scale = rows[2], .x_out = out[0], .y_out = out[1]};
  const nsd_passing plain = {
      .x = x, .y = rows[3], .violation = rows[4], .scale = rows[5], .x_out = out[2], .y_out = out[3]};
  const int found = nsd_passes(p, tol, &to);
  ck_assert_int_eq(found, plain_passes(p, tol, &plain));
  for (int i = 0; i < p->n; i++) {
    ck_assert(rows[0][i] == rows[3][i] && rows[1][i] == rows[4][i] && rows[2][i] == rows[5][i]);
    ck_assert(rows[0][i] == certified_y[i]);
    ck_assert(out[0][i] == (found ? x[i] : 7.0) && out[1][i] == (found ? certified_y[i] : 7.0));
    ck_assert(out[2][i] == out[0][i] && out[3][i] == out[1][i]);
  }
  const nsd_certificate later = nsd_certificate_of(p->n, rows[1], rows[2]);
  ck_assert(later.residual == c->residual && later.violation == c->violation && later.row == c->row);
  return found;
}

/* What the certificate must be, number by number: four rows at once and all remainders of
 * four judge alike, with bounds and without; with AVX2 and without the same bits. */
START_TEST(every_size_is_judged_alike)
{
  problem *q = problem_new(MOST);
  for (int seed = 0; seed < random_cases(3000); seed++) {
    random_state r = random_seed((uint64_t)seed);
    problem_make(q, problem_class_find(seed % 2 ? "p" : "box_pd"), 1 + seed % 23, (uint64_t)seed);
    const nsd_lcp_problem p = {
        .n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = problem_lo(q), .hi = problem_hi(q)};
    double x[MOST];
    double y[MOST];
    double plain_y[MOST];
    for (int i = 0; i < p.n; i++) {
      const double at = random_below(&r, 3) ? random_normal(&r) : 0.0;
      x[i] = fmin(fmax(at, nsd_lcp_lo(&p, i)), nsd_lcp_hi(&p, i));
    }
    double worst = 0.0;
    int is_near = 0;
    int is_loaded = 0;
    for (int i = 0; i < p.n; i++) {
      double sum = p.b[i];
      double scale = fabs(p.b[i]);
      for (int j = 0; j < p.n; j++) {
        sum += nsd_lcp_row(&p, i)[j] * x[j];
        scale += fabs(nsd_lcp_row(&p, i)[j] * x[j]);
      }
      const int is_inside = x[i] > nsd_lcp_lo(&p, i) && x[i] < nsd_lcp_hi(&p, i);
      const double wrong = is_inside                                ? fabs(sum)
                           : nsd_lcp_lo(&p, i) == nsd_lcp_hi(&p, i) ? 0.0
                           : x[i] == nsd_lcp_lo(&p, i)              ? fmax(-sum, 0.0)
                                                                    : fmax(sum, 0.0);
      worst = fmax(worst, wrong / scale);
      is_near |= is_inside && fabs(p.b[i]) > NSD_FAR_OUT * scale;
      is_loaded |= is_inside && p.b[i] != 0.0;
    }
    const nsd_certificate c = nsd_certify(&p, x, y);
    const nsd_certificate plain = plain_certify(&p, x, plain_y);
    ck_assert_msg(fabs(c.residual - worst) <= 1e-14, "n %d, seed %d: %g, %g", p.n, seed, c.residual, worst);
    ck_assert_int_eq(c.far_out, is_loaded && !is_near);
    ck_assert(c.residual == plain.residual && c.violation == plain.violation && c.row == plain.row &&
              c.far_out == plain.far_out && !memcmp(y, plain_y, (size_t)p.n * sizeof *y));
    if (!p.lo && !p.hi) {
      ck_assert_int_eq(passes(&p, x, 2.0 * c.residual, &c), c.residual > 0.0 && !c.far_out);
      ck_assert_int_eq(passes(&p, x, 0.5 * c.residual, &c), 0);
      ck_assert_int_eq(passes(&p, x, 1e-300, &c), c.residual == 0.0 && !c.far_out);
    }
  }
  problem_free(q);
}
END_TEST

/* One number that is none, anywhere, x_j zero or not: no certificate. */
START_TEST(no_number_that_is_none_passes)
{
  const double values[3] = {NAN, INFINITY, -INFINITY};
  for (int n = 1; n <= 13; n++) {
    double A[169] = {0.0};
    double b[13] = {0.0};
    double x[13] = {0.0};
    const nsd_lcp_problem p = {.n = n, .lda = n, .A = A, .b = b};
    ck_assert(nsd_certify(&p, x, NULL).residual == 0.0 && nsd_certify(&p, x, NULL).row == -1);
    ck_assert_int_eq(passes_at_all(&p, x), 1);
    for (int k = 0; k < n * n; k++) {
      A[k] = values[k % 3];
      ck_assert(nsd_certify(&p, x, NULL).residual == (double)INFINITY);
      ck_assert_int_eq(nsd_certify(&p, x, NULL).row, k / n);
      ck_assert_int_eq(passes_at_all(&p, x), 0);
      A[k] = 0.0;
    }
    for (int i = 0; i < n; i++) {
      b[i] = values[i % 3];
      ck_assert(nsd_certify(&p, x, NULL).residual == (double)INFINITY);
      ck_assert_int_eq(nsd_certify(&p, x, NULL).row, i);
      ck_assert_int_eq(passes_at_all(&p, x), 0);
      b[i] = 0.0;
      x[i] = i % 4 == 3 ? -1e-300 : values[i % 3];
      ck_assert(nsd_certify(&p, x, NULL).residual == (double)INFINITY);
      ck_assert_int_eq(passes_at_all(&p, x), 0);
      x[i] = 0.0;
    }
  }
}
END_TEST

static int count_calls(void *user, const char *activity, double done)
{
  (void)activity;
  (void)done;
  ++*(int *)user;
  return 0;
}

/* Between two questions lie NSD_POLL_WORK multiplications and four rows at most, and nothing else changes. */
START_TEST(a_large_point_asks)
{
  enum { n = 1500 };
  int calls = 0;
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.progress = count_calls;
  def.user = &calls;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  double *A = calloc((size_t)n * n, sizeof *A), *b = calloc(2 * (size_t)n, sizeof *b);
  ck_assert(A && b);
  for (int i = 0; i < n; i++) {
    A[(size_t)i * n + (size_t)i] = 2.0;
    b[i] = i % 2 ? -1.0 : 1.0;
    b[n + i] = i % 2 ? 0.5 + 1e-7 * i : 0.0;
  }
  const nsd_lcp_problem p = {.n = n, .lda = n, .A = A, .b = b};
  nsd_poll poll = nsd_poll_of(ctx, "judging");
  const nsd_certificate asking = nsd_certify_asking(&p, b + n, NULL, &poll);
  const nsd_certificate silent = nsd_certify(&p, b + n, NULL);
  ck_assert_int_ge(calls, (int)((double)n * n / (NSD_POLL_WORK + 4.0 * n)));
  ck_assert(asking.residual == silent.residual && asking.row == silent.row);
  free(A);
  free(b);
  nsdyn_context_free(ctx);
}
END_TEST

SUITE("lcp/proof/certificate", TEST(a_large_point_asks), TEST(every_size_is_judged_alike),
      TEST(no_number_that_is_none_passes), TEST(solutions_pass_and_others_do_not),
      TEST(outside_its_bounds_is_no_solution), TEST(has_no_unit), TEST(hands_out_y),
      TEST(bounds_have_their_signs), TEST(known_solutions_pass), TEST(overflow_is_a_violation),
      TEST(far_out_b_is_not_seen), TEST(rounding_puts_small_x_onto_its_bound), TEST(public_call))
