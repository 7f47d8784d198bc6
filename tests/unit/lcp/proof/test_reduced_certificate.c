/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/proof/reduced_certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "support/piles.h"

#define TOL 1e-9

/* A mixed problem: velocities u without bounds, then of each contact the normal impulse, the reserve of
 * friction to the right, and what it slides to the left.
 *
 *   0 = M u − Wᵀλ − M u_free,   0 <= W_N u + noise ⊥ λ_N >= 0, … */
typedef struct mixed {
  int n, nu;
  double *A, *b, *lo, *hi, *x;
} mixed;

static mixed mixed_new(int n, int nu)
{
  mixed m = {.n = n, .nu = nu};
  const size_t size = (size_t)n;
  m.A = calloc(size * size, sizeof *m.A);
  m.b = calloc(size, sizeof *m.b);
  m.lo = calloc(size, sizeof *m.lo);
  m.hi = calloc(size, sizeof *m.hi);
  m.x = calloc(size, sizeof *m.x);
  for (int i = 0; i < n; i++) {
    m.lo[i] = i < nu ? -INFINITY : 0.0;
    m.hi[i] = INFINITY;
  }
  return m;
}

static void mixed_free(const mixed *m)
{
  free(m->A);
  free(m->b);
  free(m->lo);
  free(m->hi);
  free(m->x);
}

/* A pile of bodies, in so many units of length and of mass, its contact rows with `noise` in b. */
static mixed pile_of(pile_kind kind, int contacts, uint64_t seed, double noise, double length, double mass)
{
  random_state r = random_seed(seed);
  pile p = pile_make(kind, seed % 2 ? PILE_REST : PILE_SHAKE, contacts, &r);
  const int nu = p.nu, n = nu + 3 * p.contacts;
  mixed m = mixed_new(n, nu);
  for (int i = 0; i < nu; i++) {
    m.A[i * n + i] = mass * p.M[i];
    m.b[i] = -mass * p.M[i] * length * p.u[i];
  }
  for (int k = 0; k < p.contacts; k++) {
    const double mu = p.laws[k].mu;
    const double *normal = p.W + (size_t)(2 * k) * (size_t)nu, *tangent = normal + nu;
    const int N = nu + 3 * k, R = N + 1, L = N + 2;
    for (int j = 0; j < nu; j++) {
      m.A[j * n + N] = -(normal[j] - mu * tangent[j]);
      m.A[j * n + R] = -tangent[j];
      m.A[N * n + j] = normal[j];
      m.A[R * n + j] = tangent[j];
    }
    m.A[R * n + L] = 1.0;
    m.A[L * n + N] = 2.0 * mu;
    m.A[L * n + R] = -1.0;
    m.b[N] = noise * length * random_normal(&r);
    m.b[R] = noise * length * random_normal(&r);
  }
  pile_free(&p);
  return m;
}

/* The problem without its velocities, from the impulses alone and in long numbers: the largest violation over
 * the sum of the sizes of what makes its row. M is diagonal, so u = u_free + M⁻¹ Wᵀλ. */
static double reduced_residual(const mixed *m)
{
  const int n = m->n, nu = m->nu;
  long double worst = 0.0L;
  for (int i = nu; i < n; i++) {
    long double y = m->b[i], scale = fabsl(y);
    for (int k = nu; k < n; k++) {
      const long double term = (long double)m->A[i * n + k] * m->x[k];
      y += term;
      scale += fabsl(term);
    }
    for (int j = 0; j < nu; j++) {
      const long double a = m->A[i * n + j] / (long double)m->A[j * n + j];
      for (int k = nu; k <= n; k++) {
        const long double term = a * (k < n ? (long double)m->A[j * n + k] * m->x[k] : (long double)m->b[j]);
        y -= term;
        scale += fabsl(term);
      }
    }
    const long double violation = m->x[i] > 0.0 ? fabsl(y) : fmaxl(-y, 0.0L);
    worst = violation > 0.0L ? fmaxl(worst, violation / scale) : worst;
  }
  return (double)worst;
}

static double residual_of(const mixed *m)
{
  double residual = NAN;
  ck_assert_int_eq(nsdyn_lcp_residual(m->n, m->A, m->n, m->b, m->lo, m->hi, m->x, &residual, NULL), NSDYN_OK);
  return residual;
}

static nsdyn_status solve_by(const mixed *m, int32_t method)
{
  nsdyn_lcp_options options;
  nsdyn_lcp *lcp;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.tol = TOL;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  const nsdyn_status status = nsdyn_lcp_solve_mixed(lcp, m->n, m->A, m->n, m->b, m->lo, m->hi, m->x, NULL);
  nsdyn_lcp_solve_report result;
  nsdyn_lcp_solve_report_init(&result, sizeof result);
  nsdyn_lcp_report(lcp, &result);
  REQUIRE(status != NSDYN_OK || (result.residual <= TOL && result.residual == residual_of(m)),
          "residual %g, recomputed %g", result.residual, residual_of(m));
  nsdyn_lcp_free(lcp);
  return status;
}

/* Whatever the units and the noise, both methods end with a point that the impulses alone bear out. */
START_TEST(bodies_at_rest_are_solved)
{
  static const double noises[] = {0.0, 1e-17, 1e-16, 1e-15};
  static const double units[] = {1.0, 1e-2, 1e3};
  for (int k = 0; k < random_cases(80); k++) {
    const double mass = units[k % 3] * units[k % 3] * units[k % 3];
    const mixed m =
        pile_of((pile_kind)(k % PILE_CHAIN), 8 + k % 25, (uint64_t)k, noises[k % 4], units[k % 3], mass);
    for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_LEMKE; method++) {
      const nsdyn_status status = solve_by(&m, method);
      REQUIRE(status == NSDYN_OK, "case %d method %d: status %d, residual %g", k, method, status,
              residual_of(&m));
      REQUIRE(reduced_residual(&m) <= TOL, "case %d method %d: reduced %g", k, method, reduced_residual(&m));
    }
    mixed_free(&m);
  }
}
END_TEST

/* A relative error of 100 tol of the largest impulse, or of a velocity beside what makes it, is refused: it
 * shows in the free rows, which are held to tol of their own terms (reduced.h). */
START_TEST(a_wrong_point_is_refused)
{
  for (int k = 0; k < random_cases(60); k++) {
    const mixed m = pile_of((pile_kind)(k % PILE_CHAIN), 8 + k % 9, (uint64_t)k, 1e-16, 1.0, 1.0);
    ck_assert_int_eq(solve_by(&m, NSDYN_LCP_AUTOMATIC), NSDYN_OK);
    const int n = m.n;
    int top = m.nu;
    for (int i = m.nu; i < n; i++) {
      top = (i - m.nu) % 3 < 2 && m.x[i] > m.x[top] ? i : top;
    }
    const double impulse = m.x[top];
    m.x[top] = impulse * (1.0 + 100.0 * TOL);
    REQUIRE(residual_of(&m) > TOL, "case %d: impulse %d", k, top);
    m.x[top] = impulse;
    for (int j = 0; j < m.nu; j++) {
      double terms = fabs(m.b[j]);
      for (int i = m.nu; i < n; i++) {
        terms += fabs(m.A[j * n + i] * m.x[i]);
      }
      const double u = m.x[j];
      m.x[j] = u + (k % 2 ? 100.0 : -100.0) * TOL * terms / m.A[j * n + j];
      REQUIRE(residual_of(&m) > TOL, "case %d: velocity %d", k, j);
      m.x[j] = u;
    }
    mixed_free(&m);
  }
}
END_TEST

/* A ball of mass 1 on the ground, g dt = 1: u = 0 and λ = 1, but for a rounding of 1e-17 in the gap's row,
 * which no double can answer beside λ. Rows: s_N = 1e-17; s~_N = 2 and ξ = 2. */
START_TEST(rounding_is_told_from_error)
{
  const double A[4] = {1.0, -1.0, 1.0, 0.0}, b[2] = {1.0, -1e-17};
  const double lo[2] = {-INFINITY, 0.0}, hi[2] = {INFINITY, INFINITY};
  double x[2] = {0.0, 1.0}, residual = NAN;
  int row = 7;
  ck_assert_int_eq(nsdyn_lcp_residual(2, A, 2, b, lo, hi, x, &residual, &row), NSDYN_OK);
  ck_assert(residual == 0.0);
  ck_assert_int_eq(row, -1);
  /* λ may be off by tol of the free row's terms 2 and of the reduced row's. */
  x[1] = 1.0 + 4e-9;
  nsdyn_lcp_residual(2, A, 2, b, lo, hi, x, &residual, &row);
  ck_assert(residual > 1.9e-9 && residual < 2.1e-9);
  ck_assert_int_eq(row, 0);
  /* So may u, both below … */
  x[0] = 4e-9;
  x[1] = 1.0;
  nsdyn_lcp_residual(2, A, 2, b, lo, hi, x, &residual, &row);
  ck_assert(residual > 1.9e-9 && residual < 2.1e-9);
  /* … and above: a ball that sinks. */
  x[0] = -4e-9;
  nsdyn_lcp_residual(2, A, 2, b, lo, hi, x, &residual, &row);
  ck_assert(residual > 1.9e-9 && residual < 2.1e-9);
  /* Without the ball's weight nothing is so small that it could be rounding: the gap's row stands alone. */
  const double alone[2] = {0.0, -1e-17};
  x[0] = x[1] = 0.0;
  nsdyn_lcp_residual(2, A, 2, alone, lo, hi, x, &residual, &row);
  ck_assert(residual > 0.999 && residual <= 1.0);
  ck_assert_int_eq(row, 1);
}
END_TEST

/* Two equations for one velocity, the same but for rounding: the one that no pivot is left for is held to its
 * own size. */
START_TEST(redundant_equations_leave_no_gap)
{
  const double A[9] = {1.0, -1.0, -1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  double b[3] = {1.0, 1e-17, -1e-17};
  const double lo[3] = {-INFINITY, -INFINITY, -INFINITY}, hi[3] = {INFINITY, INFINITY, INFINITY};
  double x[3] = {0.0, 0.5, 0.5}, residual = NAN;
  nsdyn_lcp_residual(3, A, 3, b, lo, hi, x, &residual, NULL);
  ck_assert(residual <= TOL);
  b[2] = -1e-6;
  nsdyn_lcp_residual(3, A, 3, b, lo, hi, x, &residual, NULL);
  ck_assert(residual > TOL);
}
END_TEST

/* A power of two in rows, columns and b leaves the verdict to the last bit. */
START_TEST(has_no_unit)
{
  for (int k = 0; k < random_cases(20); k++) {
    const mixed m = pile_of((pile_kind)(k % PILE_CHAIN), 8, (uint64_t)k, 1e-16, 1.0, 1.0);
    random_state r = random_seed((uint64_t)k);
    (void)solve_by(&m, NSDYN_LCP_LEMKE);
    const double before = residual_of(&m);
    const int up = random_below(&r, 200) - 100;
    for (int i = 0; i < m.n * m.n; i++) {
      m.A[i] = ldexp(m.A[i], up);
    }
    for (int i = 0; i < m.n; i++) {
      m.b[i] = ldexp(m.b[i], up - 30);
      m.x[i] = ldexp(m.x[i], -30);
    }
    ck_assert(residual_of(&m) == before);
    mixed_free(&m);
  }
}
END_TEST

SUITE("lcp/proof/reduced_certificate", TEST(bodies_at_rest_are_solved), TEST(a_wrong_point_is_refused),
      TEST(rounding_is_told_from_error), TEST(redundant_equations_leave_no_gap), TEST(has_no_unit))
