/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lib/system and lib/stepper compute: trajectories of the woodpecker, of a ball, of random systems with
 * every option, step by step. */
#include <math.h>
#include <stdlib.h>

#include "hash.h"
#include "support/machines.h"

/* Everything that the last step tells. */
static void hash_step(hash *h, const model *m, nsdyn_stepper *s)
{
  nsdyn_step_report report;
  nsdyn_step_energy energy;
  nsdyn_contact_state c;
  nsdyn_step_report_init(&report, sizeof report);
  nsdyn_step_energy_init(&energy, sizeof energy);
  nsdyn_contact_state_init(&c, sizeof c);
  hash_double(h, nsdyn_stepper_time(s));
  hash_doubles(h, (size_t)m->nu, nsdyn_stepper_q(s));
  hash_doubles(h, (size_t)m->nu, nsdyn_stepper_u(s));
  hash_int(h, nsdyn_stepper_report(s, &report));
  hash_int(h, report.status);
  hash_int(h, report.method);
  hash_int(h, report.lcp_size);
  hash_int(h, report.iterations);
  hash_int(h, report.warm);
  hash_int(h, report.rounds);
  hash_double(h, report.residual);
  hash_double(h, report.scale);
  hash_int(h, nsdyn_stepper_energy(s, &energy));
  hash_doubles(h, 8,
               (const double[8]){energy.before, energy.after, energy.force, energy.normal, energy.tangent,
                                 energy.constraint, energy.inertia, energy.projection});
  for (int k = 0; k < nsdyn_stepper_active(s); k++) {
    nsdyn_stepper_active_contact(s, k, &c);
    hash_int(h, c.key);
    hash_int(h, c.mode);
    hash_double(h, c.gap);
    hash_double(h, c.mu);
    hash_doubles(h, 3, c.impulse);
    hash_doubles(h, 3, c.before);
    hash_doubles(h, 3, c.after);
  }
}

static void hash_run(hash *h, model *m, int64_t flags, const nsdyn_stepper_options *options, const double *q,
                     const double *u, double dt, int steps)
{
  nsdyn_system *sys;
  nsdyn_stepper *s;
  if (model_system(m, NULL, flags, 0, &sys)) {
    abort();
  }
  if (nsdyn_stepper_new(NULL, sys, options, &s, NULL) || nsdyn_stepper_set_state(s, 0.0, q, u)) {
    abort();
  }
  for (int k = 0; k < steps; k++) {
    hash_int(h, nsdyn_stepper_step(s, dt));
    hash_step(h, m, s);
  }
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
}

/* Table I of Glocker & Studer (2005), through jams, impacts, and steps that close two contacts. */
static void hash_woodpecker(hash *h)
{
  static const exact_woodpecker table = {
      .r_O = 0.0025,
      .r_M = 0.0031,
      .h_M = 0.0058,
      .l_M = 0.010,
      .l_G = 0.015,
      .h_S = 0.02,
      .l_S = 0.0201,
      .m_M = 0.0003,
      .m_S = 0.0045,
      .J_M = 5.0e-9,
      .J_S = 7.0e-7,
      .c_phi = 0.0056,
      .g = 9.81,
      .eps_N = {0.5, 0.0, 0.0},
      .mu = {0.3, 0.3, 0.3},
  };
  static const double q[3] = {0.0, -0.1036, -0.2788}, u[3] = {-0.3411, 0.0, -7.4583};
  static const double dt[] = {1e-3, 1e-4, 2e-5};
  static model m;
  machine_woodpecker(&table, &m);
  for (int k = 0; k < 3; k++) {
    hash_run(h, &m, MACHINE_FLAGS, NULL, q, u, dt[k], 4000);
  }
}

static void hash_ball(hash *h)
{
  static const exact_bounce p = {.g = 9.81, .eps = 0.75};
  static model m;
  machine_ball(&p, &m);
  hash_run(h, &m, MACHINE_FLAGS, NULL, &(double){1.0}, &(double){0.0}, 0x1p-8, 1500);
}

static void hash_random(hash *h, int number)
{
  static model m;
  random_state random = random_seed((uint64_t)number);
  const int nu = 2 + random_below(&random, 6);
  const int known = random_below(&random, 4);
  const int found = random_below(&random, 4);
  double q[MODEL_MOST], u[MODEL_MOST];
  nsdyn_stepper_options options;
  model_random(&m, &random, nu, known, found, nu > 5);
  for (int i = 0; i < m.contacts; i++) {
    nsdyn_contact_law *law = &m.contact[i].law;
    law->friction = NSDYN_FRICTION_NONE + random_below(&random, 4);
    law->mu_static = 1.5 * law->mu;
    law->eps_n = 0.25 * random_below(&random, 4);
    law->eps_t = law->eps_n;
    law->reversal = 0.5 * random_below(&random, 3);
  }
  for (int j = 0; j < nu; j++) {
    q[j] = random_between(&random, -0.1, 0.1);
    u[j] = random_between(&random, -1.0, 1.0);
  }
  nsdyn_stepper_options_init(&options, sizeof options);
  options.start_tol = INFINITY; /* random states */
  options.project = number % 2;
  options.clip = number / 2 % 2;
  options.friction_rounds = number / 4 % 2 * 3;
  options.inelastic = 1;
  options.impact = number / 8 % 2;
  hash_run(h, &m, 0, &options, q, u, 0x1p-8, 120);
}

void golden_trajectory(hash *h)
{
  hash_woodpecker(h);
  hash_ball(h);
  for (int k = 0; k < 80; k++) {
    hash_random(h, k);
  }
}
