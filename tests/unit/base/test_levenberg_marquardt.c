/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/levenberg_marquardt.h"

#include <math.h>
#include <stdlib.h>

#include "base/dense.h"
#include "nsdyn/setvalued.h"
#include "suite.h"

enum { MOST = 12, STEPS = 400 };

static const nsd_marquardt_kind kinds[] = {NSD_MARQUARDT_REGULAR, NSD_MARQUARDT_PROJECTED};

/* An LCP by Fischer and Burmeister's function: φ_i(z_i, (A z + b)_i); `unit` scales φ. */
typedef struct lcp {
  int n;
  double A[MOST * MOST], b[MOST], tol, unit;
} lcp;

static double y_of(const lcp *p, int i, const double *z)
{
  double y = p->b[i];
  for (int j = 0; j < p->n; j++) {
    y += p->A[i * p->n + j] * z[j];
  }
  return y;
}

static void lcp_residual(void *user, const double *z, double *phi)
{
  const lcp *p = user;
  for (int i = 0; i < p->n; i++) {
    double da, db;
    phi[i] = p->unit * nsdyn_ncp_fb(z[i], y_of(p, i, z), &da, &db);
  }
}

static void lcp_jacobian(void *user, const double *z, double *J)
{
  const lcp *p = user;
  for (int i = 0; i < p->n; i++) {
    double da, db;
    nsdyn_ncp_fb(z[i], y_of(p, i, z), &da, &db);
    for (int j = 0; j < p->n; j++) {
      J[i * p->n + j] = p->unit * (db * p->A[i * p->n + j] + (i == j ? da : 0.0));
    }
  }
}

static int lcp_is_solved(void *user, const double *z, const double *phi)
{
  (void)z;
  const lcp *p = user;
  double most = 0.0;
  for (int i = 0; i < p->n; i++) {
    most = fmax(most, fabs(phi[i]));
  }
  return most <= p->tol * p->unit;
}

static nsd_arena arena;

static nsd_marquardt room(int n)
{
  nsd_marquardt w, counted;
  nsd_arena measure = nsd_arena_measure();
  nsd_marquardt_lay_out(&measure, &counted, n);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_marquardt_lay_out(&arena, &w, n);
  return w;
}

static lcp random_lcp(uint64_t seed)
{
  random_state random = random_seed(seed);
  lcp p = {.n = 1 + random_below(&random, MOST), .tol = 1e-10, .unit = 1.0};
  double B[MOST * MOST];
  for (int i = 0; i < p.n * p.n; i++) {
    B[i] = random_normal(&random);
  }
  for (int i = 0; i < p.n; i++) { /* positive definite, not symmetric */
    for (int j = 0; j < p.n; j++) {
      for (int k = 0; k < p.n; k++) {
        p.A[i * p.n + j] += B[k * p.n + i] * B[k * p.n + j];
      }
      p.A[i * p.n + j] += i < j ? 0.3 : i > j ? -0.3 : 0.1;
    }
    p.b[i] = random_normal(&random);
  }
  return p;
}

START_TEST(both_solve_positive_definite_lcps)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    lcp p = random_lcp((uint64_t)k);
    const nsd_equations e = {p.n, &p, lcp_residual, lcp_jacobian, lcp_is_solved};
    for (int kind = 0; kind < 2; kind++) {
      nsd_marquardt w = room(p.n);
      double z[MOST] = {0.0};
      int steps = 0;
      const nsd_marquardt_end end = nsd_marquardt_solve(&w, kinds[kind], &e, STEPS, z, &steps, NULL);
      REQUIRE(end == NSD_MARQUARDT_SOLVED, "seed %d kind %d: end %d after %d steps", k, kind, (int)end,
              steps);
      for (int i = 0; i < p.n; i++) { /* z solves the LCP, whatever the method says */
        const double y = y_of(&p, i, z);
        REQUIRE(fabs(fmin(z[i], y)) <= 1e-9, "seed %d kind %d: row %d: x %g, y %g", k, kind, i, z[i], y);
      }
    }
  }
}
END_TEST

/* φ in other units leads along the same points. */
START_TEST(units_of_phi_do_not_matter)
{
  for (int k = 0; k < 50; k++) {
    for (int kind = 0; kind < 2; kind++) {
      double z[2][MOST] = {{0.0}, {0.0}};
      int steps[2] = {0, 0};
      for (int unit = 0; unit < 2; unit++) {
        lcp p = random_lcp((uint64_t)k);
        p.unit = unit == 0 ? 1.0 : 0x1p-60;
        const nsd_equations e = {p.n, &p, lcp_residual, lcp_jacobian, lcp_is_solved};
        nsd_marquardt w = room(p.n);
        nsd_marquardt_solve(&w, kinds[kind], &e, STEPS, z[unit], &steps[unit], NULL);
      }
      REQUIRE(steps[0] == steps[1], "seed %d kind %d: %d and %d steps", k, kind, steps[0], steps[1]);
      for (int i = 0; i < MOST; i++) {
        REQUIRE(z[0][i] == z[1][i], "seed %d kind %d: %g and %g", k, kind, z[0][i], z[1][i]);
      }
    }
  }
}
END_TEST

/* Rosenbrock's valley: φ = (10 (y − x²), 1 − x), far from its floor. */
static void valley(void *user, const double *z, double *phi)
{
  (void)user;
  phi[0] = 10.0 * (z[1] - z[0] * z[0]);
  phi[1] = 1.0 - z[0];
}

static void valley_jacobian(void *user, const double *z, double *J)
{
  (void)user;
  J[0] = -20.0 * z[0];
  J[1] = 10.0;
  J[2] = -1.0;
  J[3] = 0.0;
}

static int is_tiny(void *user, const double *z, const double *phi)
{
  (void)user;
  (void)z;
  return fabs(phi[0]) + fabs(phi[1]) <= 1e-12;
}

START_TEST(both_follow_a_curved_valley)
{
  for (int kind = 0; kind < 2; kind++) {
    const nsd_equations e = {2, NULL, valley, valley_jacobian, is_tiny};
    nsd_marquardt w = room(2);
    double z[2] = {-1.2, 1.0};
    int steps = 0;
    ck_assert_int_eq(nsd_marquardt_solve(&w, kinds[kind], &e, STEPS, z, &steps, NULL), NSD_MARQUARDT_SOLVED);
    ck_assert_double_eq_tol(z[0], 1.0, 1e-11);
    ck_assert_double_eq_tol(z[1], 1.0, 1e-11);
    ck_assert_int_le(steps, 100);
  }
}
END_TEST

/* φ = (1 + x², y): no solution. The minimum x = y = 0 is found and called a stall. */
static void hopeless(void *user, const double *z, double *phi)
{
  (void)user;
  phi[0] = 1.0 + z[0] * z[0];
  phi[1] = z[1];
}

static void hopeless_jacobian(void *user, const double *z, double *J)
{
  (void)user;
  J[0] = 2.0 * z[0];
  J[1] = J[2] = 0.0;
  J[3] = 1.0;
}

START_TEST(a_minimum_that_is_no_solution_is_a_stall)
{
  for (int kind = 0; kind < 2; kind++) {
    const nsd_equations e = {2, NULL, hopeless, hopeless_jacobian, is_tiny};
    nsd_marquardt w = room(2);
    double z[2] = {1.5, 2.0};
    int steps = 0;
    ck_assert_int_eq(nsd_marquardt_solve(&w, kinds[kind], &e, STEPS, z, &steps, NULL), NSD_MARQUARDT_STALLED);
    ck_assert_double_eq_tol(z[0], 0.0, 1e-4);
    ck_assert_double_eq_tol(z[1], 0.0, 1e-6);
    ck_assert_int_lt(steps, STEPS);
  }
}
END_TEST

/* J singular everywhere: z is one of many solutions, and finite. */
static void flat(void *user, const double *z, double *phi)
{
  (void)user;
  phi[0] = phi[1] = z[0] + z[1] - 2.0;
}

static void flat_jacobian(void *user, const double *z, double *J)
{
  (void)user;
  (void)z;
  J[0] = J[1] = J[2] = J[3] = 1.0;
}

START_TEST(a_singular_jacobian_leads_to_a_near_solution)
{
  for (int kind = 0; kind < 2; kind++) {
    const nsd_equations e = {2, NULL, flat, flat_jacobian, is_tiny};
    nsd_marquardt w = room(2);
    double z[2] = {3.0, -7.0};
    int steps = 0;
    ck_assert_int_eq(nsd_marquardt_solve(&w, kinds[kind], &e, STEPS, z, &steps, NULL), NSD_MARQUARDT_SOLVED);
    ck_assert_double_eq_tol(z[0] - z[1], 10.0, 1e-5); /* nothing moves along the flat direction */
  }
}
END_TEST

/* An overflow where it begins is said. */
static void infinite(void *user, const double *z, double *phi)
{
  (void)user;
  (void)z;
  phi[0] = phi[1] = 1e200;
}

START_TEST(an_overflow_is_told)
{
  const nsd_equations e = {2, NULL, infinite, flat_jacobian, is_tiny};
  nsd_marquardt w = room(2);
  double z[2] = {0.0, 0.0};
  int steps = 0;
  ck_assert_int_eq(nsd_marquardt_solve(&w, NSD_MARQUARDT_REGULAR, &e, STEPS, z, &steps, NULL),
                   NSD_MARQUARDT_OVERFLOW);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("base/levenberg_marquardt", TEST(both_solve_positive_definite_lcps), TEST(units_of_phi_do_not_matter),
      TEST(both_follow_a_curved_valley), TEST(a_minimum_that_is_no_solution_is_a_stall),
      TEST(a_singular_jacobian_leads_to_a_near_solution), TEST(an_overflow_is_told))
