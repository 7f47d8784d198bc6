/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What proofs of whole models share: steppers of the machines with exact solutions, and what "of first
 * order" means. */
#ifndef TESTS_GOLDEN_PROOF_H
#define TESTS_GOLDEN_PROOF_H

#include <math.h>

#include "support/machines.h"
#include "unit/stepping.h"

/* A stepper for one of the machines, under one of nsdyn_impact_law. */
static inline nsdyn_stepper *machine_stepper_by(model *m, int32_t law)
{
  nsdyn_stepper_options options = stepper_defaults();
  options.impact = law;
  return stepper_of(m, MACHINE_FLAGS, 0, &options);
}

/* With defaults. */
static inline nsdyn_stepper *machine_stepper(model *m)
{
  return machine_stepper_by(m, NSDYN_IMPACT_NEWTON);
}

/* An error of a run whose steps are about as long as dt, in units of the machine's own. */
typedef double proof_error(void *data, double dt);

/* Through impacts single errors are erratic, as an event may lie anywhere within its step: the root mean
 * square over 12 step lengths, the last a third longer than the first. */
static inline double proof_mean_error(proof_error *error, void *data, double dt)
{
  enum { RUNS = 12 };
  double squares = 0.0;
  for (int k = 0; k < RUNS; k++) {
    const double e = error(data, dt * (1.0 + k / (3.0 * RUNS)));
    squares += e * e / RUNS;
  }
  return sqrt(squares);
}

/* The mean error falls by 2^order where the step is halved, three times over, and stays below
 * factor · dt^order. */
static inline void prove_order(proof_error *error, void *data, double dt, double order, double slack,
                               double factor)
{
  const double coarse = proof_mean_error(error, data, dt), fine = proof_mean_error(error, data, dt / 8.0);
  const double found = log2(coarse / fine) / 3.0;
  REQUIRE(fabs(found - order) <= slack, "order %g instead of %g: errors %g and %g with steps of %g and %g",
          found, order, coarse, fine, dt, dt / 8.0);
  REQUIRE(coarse <= factor * pow(dt, order) && fine <= factor * pow(dt / 8.0, order),
          "errors %g and %g with steps of %g and %g: factors %g and %g instead of %g", coarse, fine, dt,
          dt / 8.0, coarse / pow(dt, order), fine / pow(dt / 8.0, order), factor);
}

#endif
