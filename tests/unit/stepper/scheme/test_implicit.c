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
  int nu, asked, told_wrong;
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

SUITE("stepper/scheme/implicit", TEST(steps_satisfy_the_implicit_equation),
      TEST(too_few_rounds_fail_the_step), TEST(what_drives_away_bounds_the_step),
      TEST(without_a_mass_matrix_it_is_refused))
