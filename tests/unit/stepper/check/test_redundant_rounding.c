/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/check/redundant_rounding.h"

#include <math.h>

#include "stepping.h"

/* ---- rows ---- */

/* Rows (1, 0), (1, 2), (3, 4), of which the third is the sum of 1 and 2 of the first two. */
static void make_G(double *G)
{
  static const double W[3][2] = {{1.0, 0.0}, {1.0, 2.0}, {3.0, 4.0}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      G[3 * i + j] = W[i][0] * W[j][0] + W[i][1] * W[j][1];
    }
  }
}

START_TEST(what_depends_agrees)
{
  double G[9], y[3], c[3] = {1e-9, 2e-9, 5e-9 + 1e-17};
  const double noise[3] = {1e-16, 1e-16, 1e-16};
  make_G(G);
  ck_assert_int_eq(nsd_redundant_agree(3, G, 3, noise, c, y), 1);
  ck_assert(c[0] == 1e-9 && c[1] == 2e-9);
  ck_assert_double_eq_tol(c[2], 5e-9, 1e-23);
}
END_TEST

START_TEST(what_contradicts_stays)
{
  double G[9], y[3], c[3] = {1e-9, 2e-9, 6e-9};
  const double noise[3] = {1e-16, 1e-16, 1e-16};
  make_G(G);
  ck_assert_int_eq(nsd_redundant_agree(3, G, 3, noise, c, y), -1);
  ck_assert(c[0] == 1e-9 && c[1] == 2e-9 && c[2] == 6e-9);
}
END_TEST

START_TEST(what_is_independent_stays)
{
  double G[9] = {2.0, 1.0, 1.0, 2.0}, y[2], c[2] = {1e-9, -3e-9};
  const double noise[2] = {1.0, 1.0};
  ck_assert_int_eq(nsd_redundant_agree(2, G, 2, noise, c, y), 0);
  ck_assert(c[0] == 1e-9 && c[1] == -3e-9);
}
END_TEST

/* A row of zeros, which asks for nothing but for zero. */
START_TEST(rows_of_zeros)
{
  double G[4] = {1.0, 0.0, 0.0, 0.0}, y[2], c[2] = {1.0, 0.0};
  const double noise[2] = {1e-16, 0.0};
  ck_assert_int_eq(nsd_redundant_agree(2, G, 2, noise, c, y), 0);
  c[1] = 1e-3;
  const double again[4] = {1.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < 4; i++) {
    G[i] = again[i];
  }
  ck_assert_int_eq(nsd_redundant_agree(2, G, 2, noise, c, y), -1);
  ck_assert(c[0] == 1.0 && c[1] == 1e-3);
}
END_TEST

/* ---- a driven yoke, φ = Ω t and x = r cos φ, of which the second is said three times ---- */

static double yoke_r, yoke_omega;

static int yoke_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 0.1;
  M[3] = 1.0;
  return 0;
}

static int yoke(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user;
  g_b[0] = q[0] - yoke_omega * t;
  W_b[0] = 1.0;
  w_hat_b[0] = -yoke_omega;
  for (int i = 1; i < 4; i++) {
    const double scale = i == 1 ? 1.0 : i == 2 ? 3.0 : 0.7;
    g_b[i] = scale * (q[1] - yoke_r * cos(q[0]));
    W_b[2 * i] = scale * yoke_r * sin(q[0]);
    W_b[2 * i + 1] = scale;
  }
  return 0;
}

/* The slider's force passes through zero in the middle of its way, and what is left to correct by a
 * projection is at times hardly more than rounding. */
START_TEST(what_is_said_three_times_is_no_contradiction)
{
  static const double cases[][3] = {{0.446, 1.963, 1.18e-3}, {0.452, 1.613, 1.25e-4},
                                    {0.303, 1.904, 3.52e-3}, {0.129, 1.079, 1.21e-3},
                                    {0.136, 1.292, 1.02e-4}, {0.309, 1.386, 2.47e-3}};
  const int steps = random_cases(12000);
  for (int k = 0; k < 2 * (int)(sizeof cases / sizeof *cases); k++) {
    yoke_r = cases[k / 2][0];
    yoke_omega = cases[k / 2][1];
    const double dt = cases[k / 2][2];
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_stepper *s;
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.nconstraints = 4;
    def.mass = yoke_mass;
    def.constraint = yoke;
    options.project = k % 2;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
    nsdyn_system_free(sys);
    set_state(s, (double[]){0.0, yoke_r}, (double[]){yoke_omega, 0.0});
    for (int step = 0; step < steps; step++) {
      run(s, dt, 1);
      const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
      const double x = q[1] - yoke_r * cos(q[0]), v = u[1] + yoke_r * sin(q[0]) * u[0];
      const double tol = options.project ? 1e-12 : 2.0 * yoke_omega * dt;
      REQUIRE(fabs(x) <= tol && fabs(v) <= tol, "case %d, step %d: off by %g, %g", k, step, x, v);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* At a dead centre sin φ is the rounding of π, and all that the row says of the crank with it. */
START_TEST(yokes_start_at_dead_centres)
{
  const double pi = 3.141592653589793;
  for (int k = -4; k <= 4; k++) {
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_stepper *s;
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.nconstraints = 4;
    def.mass = yoke_mass;
    def.constraint = yoke;
    yoke_r = 0.3;
    yoke_omega = 2.0;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
    nsdyn_system_free(sys);
    const double q[2] = {k * pi, k % 2 ? -yoke_r : yoke_r}, u[2] = {yoke_omega, 0.0};
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.5 * k * pi, q, u), NSDYN_OK);
    run(s, 1e-3, 10);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- what decays: x' = −30 x, and y = x, z = 3 x by constraints that say so twice ---- */

static int decay_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 0.7;
  M[4] = 1.3;
  M[8] = 2.1;
  return 0;
}

static int decay_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q;
  h[0] = -30.0 * u[0];
  return 0;
}

static int decay(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  static const double W[3][3] = {{1.0, -1.0, 0.0}, {3.0, 0.0, -1.0}, {4.1, -1.1, -1.0}};
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) {
    w_hat_b[i] = 0.0;
    for (int j = 0; j < 3; j++) {
      W_b[3 * i + j] = W[i][j];
      g_b[i] += W[i][j] * q[j];
    }
  }
  return 0;
}

/* It reaches the smallest numbers, and beyond them zero; its rows contradict each other nowhere. */
START_TEST(what_decays_reaches_zero)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  const nsdyn_stepper_options options = stepper_defaults();
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.nconstraints = 3;
  def.mass = decay_mass;
  def.force = decay_force;
  def.constraint = decay;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  set_state(s, (double[]){0.0, 0.0, 0.0}, (double[]){1.0, 1.0, 3.0});
  run(s, 0.1, 8000);
  ck_assert(fabs(nsdyn_stepper_u(s)[0]) <= 1e-270);
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("stepper/check/redundant_rounding", TEST(what_depends_agrees), TEST(what_contradicts_stays),
      TEST(what_is_independent_stays), TEST(rows_of_zeros),
      TEST(what_is_said_three_times_is_no_contradiction), TEST(yokes_start_at_dead_centres),
      TEST(what_decays_reaches_zero))
