/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Time steps of random systems: everything varies, contacts known and found, constraints, all friction laws
 * but curves of the host's; states, forces, energies and saved bytes. */
#include <math.h>

#include "../support/model.h"
#include "hash.h"

/* Half of the models are told without a factor of M, half have constants; every third is projected. */
static nsdyn_status make(model *m, int number, int32_t scheme, nsdyn_stepper **out)
{
  random_state random = random_seed((uint64_t)number);
  const int nu = 1 + number % MODEL_MOST;
  const int known = random_below(&random, 4);
  const int found = random_below(&random, 3);
  model_random(m, &random, nu, known, found, nu > 4 ? number % 2 : 0);
  for (int i = 0; i < m->contacts; i++) {
    nsdyn_contact_law *law = &m->contact[i].law;
    law->friction = (number + i) % 3 == 0   ? NSDYN_FRICTION_STATIC
                    : (number + i) % 3 == 1 ? NSDYN_FRICTION_COULOMB
                                            : NSDYN_FRICTION_BOUND;
    law->mu_static = 1.25 * law->mu;
    law->bound = 0.5;
  }
  double q[MODEL_MOST], u[MODEL_MOST];
  for (int j = 0; j < nu; j++) {
    q[j] = random_between(&random, -0.1, 0.1);
    u[j] = random_between(&random, -1.0, 1.0);
  }
  nsdyn_system *sys;
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = scheme;
  options.project = number % 3 == 0;
  options.start_tol = INFINITY; /* random states */
  nsdyn_status status = model_system(m, NULL, 0, number % 4 == 1 ? MODEL_SOLVES : 0, &sys);
  if (status) {
    return status;
  }
  status = nsdyn_stepper_new(NULL, sys, &options, out, NULL);
  nsdyn_system_free(sys);
  return status ? status : nsdyn_stepper_set_state(*out, 0.0, q, u);
}

static void hash_step(hash *h, nsdyn_stepper *s, int nu)
{
  nsdyn_step_energy energy;
  nsdyn_step_energy_init(&energy, sizeof energy);
  hash_double(h, nsdyn_stepper_time(s));
  hash_doubles(h, (size_t)nu, nsdyn_stepper_q(s));
  hash_doubles(h, (size_t)nu, nsdyn_stepper_u(s));
  for (int k = 0; k < nsdyn_stepper_active(s); k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    hash_int(h, nsdyn_stepper_active_contact(s, k, &state));
    hash_int(h, state.mode);
    hash_doubles(h, 3, state.impulse);
    hash_doubles(h, 3, state.after);
  }
  hash_int(h, nsdyn_stepper_energy(s, &energy));
  hash_double(h, energy.after);
  hash_double(h, energy.inertia);
  hash_double(h, energy.projection);
  nsdyn_step_report report;
  nsdyn_step_report_init(&report, sizeof report);
  hash_int(h, nsdyn_stepper_report(s, &report));
  hash_doubles(h, 6,
               (const double[6]){report.gap, report.gap_bound, report.constraint, report.constraint_bound,
                                 report.velocity, report.velocity_bound});
  nsdyn_constraint_state joint;
  nsdyn_constraint_state_init(&joint, sizeof joint);
  if (nsdyn_stepper_constraint(s, 0, &joint) == NSDYN_OK) {
    hash_doubles(h, 4, (const double[4]){joint.gap, joint.velocity, joint.impulse, joint.force});
  }
}

static void hash_consistent(hash *h, nsdyn_stepper *s, int nu)
{
  nsdyn_consistent_report r;
  nsdyn_consistent_report_init(&r, sizeof r);
  hash_int(h, nsdyn_stepper_consistent(s, &r));
  hash_doubles(h, (size_t)nu, nsdyn_stepper_q(s));
  hash_doubles(h, (size_t)nu, nsdyn_stepper_u(s));
  hash_doubles(h, 7,
               (const double[7]){r.penetration, r.gap, r.approach, r.velocity, r.moved, r.kicked, r.left});
}

void golden_stepper(hash *h)
{
  static model m;
  for (int number = 0; number < 60; number++) {
    nsdyn_stepper *s = NULL;
    hash_int(h, make(&m, number, NSDYN_SCHEME_MOREAU, &s));
    if (s && number % 5 == 0) {
      hash_consistent(h, s, m.nu);
    }
    for (int k = 0; s && k < 25; k++) {
      hash_int(h, nsdyn_stepper_step(s, 4e-3));
      hash_step(h, s, m.nu);
    }
    unsigned char bytes[4096];
    const size_t size = nsdyn_stepper_save(s, bytes, sizeof bytes);
    hash_int(h, (int64_t)size);
    hash_bytes(h, bytes, size <= sizeof bytes ? size : 0);
    nsdyn_stepper_free(s);
  }
}

void golden_scheme(hash *h)
{
  static const int32_t schemes[] = {NSDYN_SCHEME_EULER, NSDYN_SCHEME_STEWART_TRINKLE,
                                    NSDYN_SCHEME_ANITESCU_POTRA, NSDYN_SCHEME_MOREAU_JEAN,
                                    NSDYN_SCHEME_GENERALIZED_ALPHA};
  static model m;
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    for (int number = 0; number < 24; number++) {
      nsdyn_stepper *s = NULL;
      hash_int(h, make(&m, number, schemes[i], &s));
      for (int k = 0; s && k < 25; k++) {
        hash_int(h, nsdyn_stepper_step(s, 4e-3));
        hash_step(h, s, m.nu);
      }
      nsdyn_stepper_options options;
      nsdyn_stepper_options_init(&options, sizeof options);
      options.scheme = schemes[i];
      options.dt = 4e-3;
      options.advance_tol = 1e-4;
      options.shortest = 0x1p-5;
      hash_int(h, s ? nsdyn_stepper_set_options(s, &options) : 0);
      hash_int(h, s ? nsdyn_stepper_advance(s, 0.12) : 0);
      if (s) {
        hash_step(h, s, m.nu);
      }
      nsdyn_stepper_free(s);
    }
  }
}

/* ---- the motion on a grid of times ---- */

typedef struct grid {
  hash *h;
  const model *m;
} grid;

static int hash_output(void *user, double t, const double *q, const double *u)
{
  const grid *g = user;
  hash_double(g->h, t);
  hash_doubles(g->h, (size_t)g->m->nu, q);
  hash_doubles(g->h, (size_t)g->m->nu, u);
  return 0;
}

void golden_output(hash *h)
{
  static model m;
  for (int number = 0; number < 48; number++) {
    nsdyn_stepper *s = NULL;
    grid g = {h, &m};
    hash_int(h, make(&m, number, number % 5, &s));
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = number % 5;
    options.dt = 4e-3;
    options.advance_tol = number % 2 ? 1e-4 : 0.0;
    options.shortest = 0x1p-5;
    options.output = hash_output;
    options.output_dt = 7e-4;
    options.user = &g;
    options.start_tol = INFINITY;
    hash_int(h, s ? nsdyn_stepper_set_options(s, &options) : 0);
    hash_int(h, s ? nsdyn_stepper_advance(s, 0.05) : 0);
    nsdyn_stepper_free(s);
  }
}

void golden_split(hash *h)
{
  static model m;
  for (int number = 0; number < 60; number++) {
    nsdyn_stepper *s = NULL;
    const int32_t scheme = number % (NSDYN_SCHEME_GENERALIZED_ALPHA + 1);
    hash_int(h, make(&m, number, scheme, &s));
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = scheme;
    options.project = NSDYN_PROJECT_SPLIT;
    options.start_tol = INFINITY;
    hash_int(h, s ? nsdyn_stepper_set_options(s, &options) : 0);
    for (int k = 0; s && k < 25; k++) {
      hash_int(h, nsdyn_stepper_step(s, 4e-3));
      hash_step(h, s, m.nu);
    }
    nsdyn_stepper_free(s);
  }
}
