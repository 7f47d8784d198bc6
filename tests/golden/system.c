/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Checks of random systems: those with found contacts lack a bias where gaps are curved, others lack nothing.
 * Steps of systems whose mass matrix is told by blocks. */
#include "../support/model.h"
#include "hash.h"

void golden_system(hash *h)
{
  static model m;
  for (int number = 0; number < 60; number++) {
    random_state random = random_seed((uint64_t)number);
    const int nu = 1 + number % MODEL_MOST;
    const int extra = (number % 4 == 1 ? MODEL_SOLVES : 0) | (number % 3 == 1 ? MODEL_MOVES : 0) |
                      (number % 5 == 1 ? MODEL_RETRACTS : 0);
    double q[MODEL_MOST], u[MODEL_MOST];
    const int known =
        1 + random_below(&random, 3); /* one after the other, as compilers differ in the order */
    const int found = random_below(&random, 3);
    model_random(&m, &random, nu, known, found, number % 2);
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -1.0, 1.0);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    nsdyn_system *sys = NULL;
    nsdyn_system_check_report report;
    nsdyn_system_check_report_init(&report, sizeof report);
    hash_int(h, model_system(&m, NULL, 0, extra, &sys));
    hash_int(h, nsdyn_system_check(sys, number % 7, q, u, &report));
    hash_int(h, report.defect);
    hash_int(h, report.row);
    hash_int(h, report.column);
    hash_int(h, (int)report.checks);
    hash_int(h, (int)report.unclear);
    hash_int(h, (int)report.defects);
    hash_double(h, report.expected);
    hash_double(h, report.found);
    hash_double(h, report.error);
    nsdyn_system_free(sys);
  }
}

void golden_blocks(hash *h)
{
  static model m;
  for (int number = 0; number < 60; number++) {
    random_state random = random_seed((uint64_t)number);
    const int nu = 1 + number % MODEL_MOST;
    double q[MODEL_MOST], u[MODEL_MOST];
    model_random(&m, &random, nu, 2, number % 3, number % 2);
    model_cut(&m, &random);
    m.writes_blocks = 1;
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    nsdyn_system *sys = NULL;
    nsdyn_stepper *stepper = NULL;
    nsdyn_stepper_options options;
    nsdyn_step_energy energy;
    nsdyn_stepper_options_init(&options, sizeof options);
    nsdyn_step_energy_init(&energy, sizeof energy);
    options.start_tol = 1e300;
    hash_int(h, model_system(&m, NULL, 0, 0, &sys));
    hash_int(h, nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL));
    hash_int(h, nsdyn_stepper_set_state(stepper, 0.0, q, u));
    for (int k = 0; k < 10; k++) {
      hash_int(h, nsdyn_stepper_step(stepper, 1e-3));
    }
    hash_int(h, nsdyn_stepper_energy(stepper, &energy));
    hash_doubles(h, (size_t)nu, nsdyn_stepper_q(stepper));
    hash_doubles(h, (size_t)nu, nsdyn_stepper_u(stepper));
    hash_double(h, energy.after);
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
  }
}
