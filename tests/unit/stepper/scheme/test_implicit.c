/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/scheme/implicit.h"

#include <math.h>
#include <string.h>

#include "stepping.h"

static nsdyn_stepper_options implicit(void)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = NSDYN_SCHEME_MOREAU_JEAN;
  return options;
}

/* h = −k q³ − d u³ + f of each coordinate, with its derivatives. */
typedef struct cubic {
  int nu, asked, told_wrong, retries;
  double k, d, f;
} cubic;

static int cubic_mass(void *user, double t, const double *q, double *M)
{
  const cubic *c = user;
  (void)t;
  for (int i = 0; i < c->nu; i++) {
    M[i * c->nu + i] = 1.0 + 0.1 * q[i] * q[i];
  }
  return 0;
}

static int cubic_force(void *user, double t, const double *q, const double *u, double *h)
{
  const cubic *c = user;
  (void)t;
  for (int i = 0; i < c->nu; i++) {
    h[i] = c->f - c->k * q[i] * q[i] * q[i] - c->d * u[i] * u[i] * u[i];
  }
  return 0;
}

static int cubic_jacobian(void *user, double t, const double *q, const double *u, double *K, double *D)
{
  cubic *c = user;
  (void)t;
  c->asked++;
  for (int i = 0; i < c->nu; i++) {
    K[i * c->nu + i] = c->told_wrong ? -c->k : -3.0 * c->k * q[i] * q[i];
    D[i * c->nu + i] = c->told_wrong ? 0.0 : -3.0 * c->d * u[i] * u[i];
  }
  return 0;
}

static nsdyn_stepper *start(cubic *c, int tells, int64_t flags)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  def.nq = def.nu = c->nu;
  def.user = c;
  def.flags = flags;
  def.mass = cubic_mass;
  def.force = cubic_force;
  def.force_jacobian = tells ? cubic_jacobian : NULL;
  const nsdyn_stepper_options options = implicit();
  nsdyn_stepper *s = stepper_for(&def, &law, &options);
  double q[MODEL_MOST], u[MODEL_MOST];
  for (int i = 0; i < c->nu; i++) {
    q[i] = 0.5 + 0.1 * i;
    u[i] = -1.0 + 0.3 * i;
  }
  set_state(s, q, u);
  return s;
}

/* The step satisfies M(q^θ) (uᴱ − uᴬ) = h(q^θ, u^θ) Δt, whatever leads Newton's method: derivatives that are
 * told, differenced, or told wrong. */
START_TEST(steps_satisfy_the_implicit_equation)
{
  const double dt = 0.05;
  for (int way = 0; way < 3; way++) {
    cubic c = {.nu = 4, .k = 20.0, .d = 0.5, .f = 0.3, .told_wrong = way == 2};
    nsdyn_stepper *s = start(&c, way > 0, 0);
    for (int k = 0; k < 50; k++) {
      double q[4], u[4], mean[4], M[16] = {0.0}, h[4];
      memcpy(q, nsdyn_stepper_q(s), sizeof q);
      memcpy(u, nsdyn_stepper_u(s), sizeof u);
      run(s, dt, 1);
      for (int i = 0; i < 4; i++) {
        mean[i] = 0.5 * (u[i] + nsdyn_stepper_u(s)[i]);
        q[i] += 0.5 * dt * mean[i];
        ck_assert_double_eq_tol(nsdyn_stepper_q(s)[i], q[i] + 0.5 * dt * mean[i], 1e-12);
      }
      cubic_mass(&c, 0.0, q, M);
      cubic_force(&c, 0.0, q, mean, h);
      for (int i = 0; i < 4; i++) {
        const double left = M[i * 5] * (nsdyn_stepper_u(s)[i] - u[i]) - h[i] * dt;
        REQUIRE(fabs(left) <= 1e-9, "way %d, step %d: %g", way, k, left);
      }
      const nsdyn_step_energy e = energy_of(s);
      REQUIRE(fabs(e.after - e.before - e.force - e.inertia) <= 1e-12 * (e.after + e.before), "way %d", way);
    }
    ck_assert_int_eq(c.asked > 0, way > 0);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Too few rounds: the step says so, and the state is that before it. */
START_TEST(too_few_rounds_fail_the_step)
{
  cubic c = {.nu = 1, .k = 1e4, .f = 1.0};
  nsdyn_stepper *s = start(&c, 1, 0);
  nsdyn_stepper_options options = implicit();
  options.implicit_rounds = 1;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_step(s, 0.1), NSDYN_MAX_ITERATIONS);
  ck_assert(strstr(nsdyn_stepper_message(s), "implicit_rounds") != NULL);
  ck_assert(nsdyn_stepper_q(s)[0] == 0.5 && nsdyn_stepper_u(s)[0] == -1.0 && nsdyn_stepper_time(s) == 0.0);
  options.implicit_rounds = 30;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_step(s, 0.1), NSDYN_OK);
  nsdyn_stepper_free(s);
}
END_TEST

/* A force that drives away, over a step so long that M − θ² Δt² K is not definite. */
START_TEST(what_drives_away_bounds_the_step)
{
  model m;
  model_clear(&m, 1);
  m.K[0] = -100.0;
  const nsdyn_stepper_options options = implicit();
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){1.0}, (double[]){0.0});
  ck_assert_int_eq(nsdyn_stepper_step(s, 1.0), NSDYN_ERR_NOT_DEFINITE);
  ck_assert_int_eq(nsdyn_stepper_step(s, 0.1), NSDYN_OK);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(without_a_mass_matrix_it_is_refused)
{
  model m;
  nsdyn_system *sys;
  nsdyn_stepper *s = NULL;
  model_clear(&m, 1);
  nsdyn_system_def def = model_def(&m, 0, MODEL_SOLVES);
  def.mass = NULL;
  nsdyn_stepper_options options = implicit();
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_ptr_null(s);
  options.implicit_rounds = 0;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
}
END_TEST

/* ---- linear forces: h = −k (q_i − q_{i−1}) + … − d u of a chain between walls ---- */

static int chain_mass(void *user, double t, const double *q, double *M)
{
  const cubic *c = user;
  (void)t, (void)q;
  for (int i = 0; i < c->nu; i++) {
    M[i * c->nu + i] = 1.0 + i;
  }
  return 0;
}

static int chain_force(void *user, double t, const double *q, const double *u, double *h)
{
  const cubic *c = user;
  (void)t;
  for (int i = 0; i < c->nu; i++) {
    const double left = i ? q[i - 1] : 0.0, right = i + 1 < c->nu ? q[i + 1] : 0.0;
    h[i] = c->f + c->k * (left - 2.0 * q[i] + right) - c->d * u[i];
  }
  return 0;
}

static int chain_jacobian(void *user, double t, const double *q, const double *u, double *K, double *D)
{
  cubic *c = user;
  (void)t, (void)q, (void)u;
  c->asked++;
  if (c->retries > 0) {
    c->retries--;
    return 1;
  }
  for (int i = 0; i < c->nu; i++) {
    K[i * c->nu + i] = -2.0 * c->k;
    D[i * c->nu + i] = -c->d;
    if (i) {
      K[i * c->nu + i - 1] = K[(i - 1) * c->nu + i] = c->k;
    }
  }
  return 0;
}

static int chain_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[0] + 0.2;
  return 0;
}

static int chain_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = 0.0;
  return 0;
}

static nsdyn_stepper *start_chain(cubic *c, int64_t flags, int32_t scheme)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = 0.5;
  def.nq = def.nu = c->nu;
  def.ncontacts = 1;
  def.user = c;
  def.flags = NSDYN_CONSTANT_MASS | flags;
  def.mass = chain_mass;
  def.force = chain_force;
  def.force_jacobian = chain_jacobian;
  def.gap = chain_gap;
  def.direction = chain_direction;
  nsdyn_stepper_options options = implicit();
  options.scheme = scheme;
  nsdyn_stepper *s = stepper_for(&def, &law, &options);
  double q[MODEL_MOST] = {0.0}, u[MODEL_MOST] = {-3.0, 1.0, 2.0};
  set_state(s, q, u);
  return s;
}

static const int32_t schemes[2] = {NSDYN_SCHEME_MOREAU_JEAN, NSDYN_SCHEME_GENERALIZED_ALPHA};

/* With constant slopes the matrix is made once for each length of steps, and nothing else changes: the bits
 * are those of slopes that are asked for in each step, through impacts, other lengths and a new state. */
START_TEST(constant_slopes_are_asked_for_once)
{
  cubic one = {.nu = 5, .k = 300.0, .d = 0.2, .f = -1.0}, each = one;
  nsdyn_stepper *s = start_chain(&one, NSDYN_CONSTANT_SLOPES, NSDYN_SCHEME_MOREAU_JEAN),
                *r = start_chain(&each, 0, NSDYN_SCHEME_MOREAU_JEAN);
  for (int k = 0; k < 300; k++) {
    const double dt = k < 200 ? 1e-2 : 2e-2;
    run(s, dt, 1);
    run(r, dt, 1);
    REQUIRE(memcmp(nsdyn_stepper_q(s), nsdyn_stepper_q(r), 5 * sizeof(double)) == 0 &&
                memcmp(nsdyn_stepper_u(s), nsdyn_stepper_u(r), 5 * sizeof(double)) == 0,
            "step %d: another motion", k);
    REQUIRE(report_of(s).rounds <= 1, "step %d: %d contact problems", k, report_of(s).rounds);
  }
  ck_assert_int_eq(one.asked, 2);
  ck_assert_int_eq(each.asked, 300);
  /* A new state asks for constants anew: here the springs are others. */
  one.k = each.k = 100.0;
  double q[5] = {0.1}, u[5] = {0.0};
  set_state(s, q, u);
  set_state(r, q, u);
  run(s, 1e-2, 100);
  run(r, 1e-2, 100);
  ck_assert(memcmp(nsdyn_stepper_u(s), nsdyn_stepper_u(r), 5 * sizeof(double)) == 0);
  ck_assert_int_eq(one.asked, 3);
  nsdyn_stepper_free(s);
  nsdyn_stepper_free(r);
}
END_TEST

/* Generalized-α has two of them, with accelerations of the step before and without: it is made again where
 * modes change, and the motion is that of slopes that are asked for in each step, to the bit. Forces that are
 * linear take one contact problem in a step, a second one where modes change in it. */
START_TEST(generalized_alpha_asks_where_modes_change)
{
  cubic one = {.nu = 5, .k = 300.0, .d = 0.2, .f = -1.0}, each = one;
  nsdyn_stepper *s = start_chain(&one, NSDYN_CONSTANT_SLOPES, NSDYN_SCHEME_GENERALIZED_ALPHA),
                *r = start_chain(&each, 0, NSDYN_SCHEME_GENERALIZED_ALPHA);
  int twice = 0;
  for (int k = 0; k < 300; k++) {
    run(s, 1e-2, 1);
    run(r, 1e-2, 1);
    REQUIRE(memcmp(nsdyn_stepper_q(s), nsdyn_stepper_q(r), 5 * sizeof(double)) == 0 &&
                memcmp(nsdyn_stepper_u(s), nsdyn_stepper_u(r), 5 * sizeof(double)) == 0,
            "step %d: another motion", k);
    REQUIRE(report_of(s).rounds <= 2, "step %d: %d contact problems", k, report_of(s).rounds);
    twice += report_of(s).rounds == 2;
  }
  ck_assert_int_ge(each.asked, 300);
  ck_assert_msg(one.asked <= 100 && twice <= 50, "asked %d times, %d steps solve twice", one.asked, twice);
  nsdyn_stepper_free(s);
  nsdyn_stepper_free(r);
}
END_TEST

/* A step of another length whose slopes are not told leaves nothing behind. */
START_TEST(slopes_that_failed_leave_no_trace)
{
  for (int i = 0; i < 2; i++) {
    cubic one = {.nu = 5, .k = 300.0, .d = 5.0, .f = -1.0}, never = one;
    nsdyn_stepper *s = start_chain(&one, NSDYN_CONSTANT_SLOPES, schemes[i]);
    nsdyn_stepper *r = start_chain(&never, NSDYN_CONSTANT_SLOPES, schemes[i]);
    for (int k = 0; k < 50; k++) {
      run(s, 1e-2, 1);
      run(r, 1e-2, 1);
      one.retries = 1;
      ck_assert_int_eq(nsdyn_stepper_step(s, 2e-2), NSDYN_ERR_CALLBACK_RETRY);
      run(s, 1e-2, 1);
      run(r, 1e-2, 1);
      REQUIRE(memcmp(nsdyn_stepper_q(s), nsdyn_stepper_q(r), 5 * sizeof(double)) == 0 &&
                  memcmp(nsdyn_stepper_u(s), nsdyn_stepper_u(r), 5 * sizeof(double)) == 0,
              "step %d: another motion", k);
    }
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(r);
  }
}
END_TEST

SUITE("stepper/scheme/implicit", TEST(slopes_that_failed_leave_no_trace),
      TEST(steps_satisfy_the_implicit_equation), TEST(constant_slopes_are_asked_for_once),
      TEST(generalized_alpha_asks_where_modes_change), TEST(too_few_rounds_fail_the_step),
      TEST(what_drives_away_bounds_the_step), TEST(without_a_mass_matrix_it_is_refused))
