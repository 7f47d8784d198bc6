/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "stepper/object.h"
#include "stepping.h"

/* The balance is exact: over random systems with everything that varies, contacts of both kinds, constraints.
 */
START_TEST(the_balance_holds_to_rounding)
{
  const int cases = random_cases(400);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 1 + random_below(&random, 7), known = random_below(&random, 4);
    model m;
    nsdyn_stepper *s = random_stepper(&m, &random, nu, known, random_below(&random, 3), nu > 4, NULL);
    for (int k = 0; k < 5; k++) {
      run(s, 1e-2, 1);
      const nsdyn_step_energy e = energy_of(s);
      const double change = e.after - e.before;
      const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia;
      const double scale = e.after + e.before + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                           fabs(e.constraint) + fabs(e.inertia);
      REQUIRE(e.known == 1 && e.projection == 0.0, "seed %d", seed);
      REQUIRE(fabs(change - sum) <= 1e-11 * scale, "seed %d: %g is not %g", seed, change, sum);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A sliding block: each term by hand. */
START_TEST(each_term_is_what_it_says)
{
  const double dt = 0.01;
  model m;
  make_block(&m, 8.0, -19.62, 0.3);
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, NULL);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, 0.0});
  run(s, dt, 1);
  const double u = nsdyn_stepper_u(s)[0], mean = 0.5 * (1.0 + u);
  const nsdyn_step_energy e = energy_of(s);
  ck_assert_double_eq_tol(e.before, 1.0, 1e-15);
  ck_assert_double_eq_tol(e.after, u * u, 1e-15);
  ck_assert_double_eq_tol(e.force, 8.0 * mean * dt, 1e-15);
  ck_assert_double_eq_tol(e.tangent, -0.3 * 19.62 * mean * dt, 1e-15);
  ck_assert_double_eq_tol(e.normal, 0.0, 1e-15);
  ck_assert(e.inertia == 0.0 && e.constraint == 0.0);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(without_a_mass_matrix_it_is_unknown)
{
  model m;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  make_block(&m, 8.0, -19.62, 0.3);
  nsdyn_system_def def = model_def(&m, 0, MODEL_SOLVES);
  def.mass = NULL;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  run(s, 0.01, 1);
  const nsdyn_step_energy e = energy_of(s);
  ck_assert(e.known == 0 && e.before == 0.0 && e.after == 0.0 && e.inertia == 0.0);
  ck_assert(e.force > 0.0);
  nsdyn_stepper_free(s);
}
END_TEST

static int kinetic(void *user, double t, const double *q, const double *u, double *T)
{
  model *m = user;
  double M[MODEL_MOST * MODEL_MOST] = {0.0};
  (void)t;
  model_mass(m, q, M);
  for (int i = 0; i < m->nu; i++) {
    for (int j = 0; j < m->nu; j++) {
      *T += 0.5 * u[i] * M[i * m->nu + j] * u[j];
    }
  }
  return m->fails == MODEL_CALLBACKS ? -7 : 0;
}

/* Where M is only solved with, somebody else knows T; the balance is the same. */
START_TEST(kinetic_energy_may_be_told)
{
  const int cases = random_cases(200);
  int moving = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    nsdyn_stepper *with_mass = random_stepper(&m, &random, 1 + seed % 5, seed % 3, 0, 0, NULL), *s;
    nsdyn_system_def def = with_mass->sys->def;
    nsdyn_system *sys;
    const nsdyn_system_def solves = model_def(&m, 0, MODEL_SOLVES);
    def.mass = NULL;
    def.solve_mass = solves.solve_mass;
    def.kinetic = kinetic;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    for (int i = 0; i < def.ncontacts; i++) {
      ck_assert_int_eq(nsdyn_system_set_contact(sys, i, &with_mass->sys->laws[i]), NSDYN_OK);
    }
    nsdyn_stepper_options options = stepper_defaults();
    options.start_tol = INFINITY;
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, nsdyn_stepper_time(with_mass), nsdyn_stepper_q(with_mass),
                                             nsdyn_stepper_u(with_mass)),
                     NSDYN_OK);
    nsdyn_system_free(sys);
    for (int k = 0; k < 5; k++) {
      run(s, 1e-2, 1);
      const nsdyn_step_energy e = energy_of(s);
      const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia;
      const double scale = e.after + e.before + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                           fabs(e.constraint) + fabs(e.inertia);
      REQUIRE(e.known == 1, "seed %d", seed);
      moving += e.before > 0.0;
      REQUIRE(fabs(e.after - e.before - sum) <= 1e-11 * scale, "seed %d: %g", seed, sum);
    }
    m.fails = MODEL_CALLBACKS;
    nsdyn_step_energy e = {.size = sizeof e};
    ck_assert_int_eq(nsdyn_stepper_energy(s, &e), NSDYN_ERR_CALLBACK);
    ck_assert_msg(strstr(nsdyn_stepper_message(s), "callback kinetic") != NULL, "%s",
                  nsdyn_stepper_message(s));
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(with_mass);
  }
  ck_assert_int_gt(moving, cases);
}
END_TEST

START_TEST(before_a_step_and_after_a_failure_there_is_none)
{
  model m;
  make_block(&m, 8.0, -19.62, 0.3);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  nsdyn_step_energy e = energy_of(s);
  ck_assert(e.known == 0 && e.force == 0.0);
  run(s, 0.01, 1);
  m.fails = MODEL_FORCE;
  m.code = -1;
  ck_assert_int_eq(nsdyn_stepper_step(s, 0.01), NSDYN_ERR_CALLBACK);
  e = energy_of(s);
  ck_assert(e.known == 0 && e.force == 0.0);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(failing_callbacks_are_named)
{
  model m;
  make_block(&m, 8.0, -19.62, 0.3);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  nsdyn_step_energy e;
  nsdyn_step_energy_init(&e, sizeof e);
  run(s, 0.01, 1);
  m.fails = MODEL_MASS;
  m.code = -1;
  ck_assert_int_eq(nsdyn_stepper_energy(s, &e), NSDYN_ERR_CALLBACK);
  m.code = 0;
  m.value = INFINITY;
  ck_assert_int_eq(nsdyn_stepper_energy(s, &e), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_stepper_message(s), "callback mass: M row 0, column 0 is inf");
  m.fails = MODEL_CONFIGURE;
  m.code = 2;
  ck_assert_int_eq(nsdyn_stepper_energy(s, &e), NSDYN_ERR_CALLBACK_RETRY);
  m.fails = MODEL_NONE;
  ck_assert_int_eq(nsdyn_stepper_energy(s, &e), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_energy(NULL, &e), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_energy(s, NULL), NSDYN_ERR_ARGUMENT);
  e.size = 1;
  ck_assert_int_eq(nsdyn_stepper_energy(s, &e), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_step_energy_init(&e, 8), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("stepper/energy", TEST(kinetic_energy_may_be_told), TEST(the_balance_holds_to_rounding),
      TEST(each_term_is_what_it_says), TEST(without_a_mass_matrix_it_is_unknown),
      TEST(before_a_step_and_after_a_failure_there_is_none), TEST(failing_callbacks_are_named))
