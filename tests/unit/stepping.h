/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What tests of steppers begin with: a stepper for a model, runs that have to succeed. */
#ifndef TESTS_UNIT_STEPPING_H
#define TESTS_UNIT_STEPPING_H

#include <math.h>

#include "suite.h"
#include "support/model.h"

static inline nsdyn_stepper_options stepper_defaults(void)
{
  nsdyn_stepper_options options;
  ck_assert_int_eq(nsdyn_stepper_options_init(&options, sizeof options), NSDYN_OK);
  options.start_tol = INFINITY;
  return options;
}

/* With impacts by this law, of nsdyn_impact_law. */
static inline nsdyn_stepper_options by_law(int law)
{
  nsdyn_stepper_options options = stepper_defaults();
  options.impact = law;
  return options;
}

/* For models that are wrong, or whose calls are counted. */
static inline nsdyn_stepper_options stepper_unchecked(void)
{
  nsdyn_stepper_options options = stepper_defaults();
  options.check = 0;
  return options;
}

/* The system lives as long as the stepper. Any state may begin a run, unless the test gives options of its
 * own that say otherwise: random models begin anywhere. */
static inline nsdyn_stepper *stepper_of(model *m, int64_t flags, int extra,
                                        const nsdyn_stepper_options *options)
{
  nsdyn_system *sys;
  nsdyn_stepper *s;
  const nsdyn_stepper_options any = stepper_defaults();
  ck_assert_int_eq(model_system(m, NULL, flags, extra, &sys), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, options ? options : &any, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  return s;
}

/* A stepper for callbacks of the test's own; every contact, known in advance or found, has the law. */
static inline nsdyn_stepper *stepper_for(const nsdyn_system_def *def, const nsdyn_contact_law *law,
                                         const nsdyn_stepper_options *options)
{
  nsdyn_system *sys = NULL;
  nsdyn_stepper *s = NULL;
  int32_t number;
  ck_assert_int_eq(nsdyn_system_new(NULL, def, &sys, NULL), NSDYN_OK);
  for (int i = 0; i < def->ncontacts; i++) {
    ck_assert_int_eq(nsdyn_system_set_contact(sys, i, law), NSDYN_OK);
  }
  ck_assert(!def->find || nsdyn_system_add_law(sys, law, &number) == NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, options, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  return s;
}

static inline void set_state(nsdyn_stepper *s, const double *q, const double *u)
{
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
}

static inline void run(nsdyn_stepper *s, double dt, int steps)
{
  for (int k = 0; k < steps; k++) {
    const nsdyn_status status = nsdyn_stepper_step(s, dt);
    REQUIRE(status == NSDYN_OK, "step %d: %s", k, nsdyn_stepper_message(s));
  }
}

static inline nsdyn_contact_state state_of(const nsdyn_stepper *s, int i)
{
  nsdyn_contact_state state;
  nsdyn_contact_state_init(&state, sizeof state);
  REQUIRE(nsdyn_stepper_contact(s, i, &state) == NSDYN_OK, "nothing to tell");
  return state;
}

static inline nsdyn_step_report report_of(const nsdyn_stepper *s)
{
  nsdyn_step_report report;
  nsdyn_step_report_init(&report, sizeof report);
  REQUIRE(nsdyn_stepper_report(s, &report) == NSDYN_OK, "nothing to tell");
  return report;
}

static inline nsdyn_step_energy energy_of(nsdyn_stepper *s)
{
  nsdyn_step_energy energy;
  nsdyn_step_energy_init(&energy, sizeof energy);
  REQUIRE(nsdyn_stepper_energy(s, &energy) == NSDYN_OK, "nothing to tell");
  return energy;
}

/* A block of 2 kg on a plane, coordinates x and y, under the force (fx, fy). */
static inline void make_block(model *m, double fx, double fy, double mu)
{
  model_clear(m, 2);
  m->M0[0] = m->M0[3] = 2.0;
  m->f[0] = fx;
  m->f[1] = fy;
  model_add_contact(m, 0.0, 1, 0, mu, 0.0);
}

/* A random model at a random state. */
static inline nsdyn_stepper *random_stepper(model *m, random_state *random, int nu, int known, int found,
                                            int constraints, const nsdyn_stepper_options *options)
{
  double q[MODEL_MOST], u[MODEL_MOST];
  model_random(m, random, nu, known, found, constraints);
  for (int j = 0; j < nu; j++) {
    q[j] = random_between(random, -0.1, 0.1);
    u[j] = random_between(random, -1.0, 1.0);
  }
  nsdyn_stepper *s = stepper_of(m, 0, 0, options);
  set_state(s, q, u);
  return s;
}

/* A crowd of slots with steep friction, which can lock so that an expansion has no solution. */
static inline nsdyn_stepper *locking_crowd(model *m, int seed, int inelastic)
{
  random_state r = random_seed((uint64_t)seed);
  nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
  double q[MODEL_MOST] = {0.0}, u[MODEL_MOST];
  options.inelastic = inelastic;
  model_random(m, &r, 5, 3, 0, 1);
  for (int i = 0; i < 3; i++) {
    m->contact[i].g0 = -0.1;
    m->contact[i].law.kind = random_below(&r, 3) ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
    m->contact[i].law.mu = random_between(&r, 0.5, 8.0);
    m->contact[i].law.eps_n = 0.5;
    m->contact[i].law.eps_t = 1.0;
    m->contact[i].law.reversal = 1.0;
  }
  for (int j = 0; j < 5; j++) {
    u[j] = random_between(&r, -1.0, 1.0);
  }
  nsdyn_stepper *s = stepper_of(m, 0, 0, &options);
  set_state(s, q, u);
  return s;
}

/* q̈ = −q from q = 1 until t = 1, in so many steps: how far (q, q̇) is from (cos 1, −sin 1). A constant M is
 * asked for once. */
static inline double oscillator_error(const nsdyn_stepper_options *options, int steps)
{
  model m;
  model_clear(&m, 1);
  m.K[0] = 1.0;
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, options);
  set_state(s, (double[]){1.0}, (double[]){0.0});
  run(s, 1.0 / steps, steps);
  const double error = hypot(nsdyn_stepper_q(s)[0] - cos(1.0), nsdyn_stepper_u(s)[0] + sin(1.0));
  ck_assert_int_eq(m.calls[MODEL_MASS], 1);
  nsdyn_stepper_free(s);
  return error;
}

/* Random models by two steppers: the same to the bit after so many steps. */
static inline void expect_the_same(const nsdyn_stepper_options *options, int cases, int steps)
{
  for (int seed = 0; seed < cases; seed++) {
    model m[2];
    nsdyn_stepper *s[2];
    for (int i = 0; i < 2; i++) {
      random_state random = random_seed((uint64_t)seed);
      s[i] =
          random_stepper(&m[i], &random, 2 + seed % 5, seed % 4, (seed / 4) % 3, seed % 5 > 3, &options[i]);
      run(s[i], 1e-2, steps);
    }
    const size_t size = sizeof(double) * (size_t)m[0].nu;
    REQUIRE(memcmp(nsdyn_stepper_q(s[0]), nsdyn_stepper_q(s[1]), size) == 0, "seed %d", seed);
    REQUIRE(memcmp(nsdyn_stepper_u(s[0]), nsdyn_stepper_u(s[1]), size) == 0, "seed %d", seed);
    nsdyn_stepper_free(s[0]);
    nsdyn_stepper_free(s[1]);
  }
}

#endif
