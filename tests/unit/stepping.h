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

#endif
