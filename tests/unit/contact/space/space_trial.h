/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Random problems of some contacts in space, by the public calls. */
#ifndef TESTS_UNIT_CONTACT_SPACE_SPACE_TRIAL_H
#define TESTS_UNIT_CONTACT_SPACE_SPACE_TRIAL_H

#include "nsdyn/contact.h"
#include "suite.h"
#include "support/random.h"

enum { MOST = 6 }; /* contacts of the random problems */

typedef struct trial {
  int contacts, rows;
  nsdyn_contact_law law[MOST];
  nsdyn_contact_problem p;
  double G[9 * MOST * MOST], c[3 * MOST], Lambda[3 * MOST], xi[3 * MOST];
} trial;

static inline nsdyn_contact *make_solver(int32_t method)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = method;
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &solver, NULL), NSDYN_OK);
  return solver;
}

static inline nsdyn_contact_law disk_law(double mu)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = mu;
  return law;
}

/* G = W Wᵀ of random directions, definite, or with fewer columns than rows singular; c in its range. */
static inline void fill(trial *t, int contacts, int columns, random_state *random)
{
  t->contacts = contacts;
  t->rows = 0;
  for (int i = 0; i < contacts; i++) {
    t->rows += t->law[i].friction == NSDYN_FRICTION_NONE ? 1 : 1 + t->law[i].tangents;
  }
  double W[3 * MOST][3 * MOST], load[3 * MOST];
  for (int k = 0; k < columns; k++) {
    load[k] = random_normal(random);
  }
  for (int i = 0; i < t->rows; i++) {
    t->c[i] = 0.0;
    for (int k = 0; k < columns; k++) {
      W[i][k] = random_normal(random);
      t->c[i] += W[i][k] * load[k];
    }
  }
  for (int i = 0; i < t->rows; i++) {
    for (int j = 0; j < t->rows; j++) {
      double sum = 0.0;
      for (int k = 0; k < columns; k++) {
        sum += W[i][k] * W[j][k];
      }
      t->G[i * t->rows + j] = t->G[j * t->rows + i] = sum;
    }
  }
  nsdyn_contact_problem_init(&t->p, sizeof t->p);
  t->p.contacts = contacts;
  t->p.laws = t->law;
  t->p.G = t->G;
  t->p.ldg = t->rows;
  t->p.c = t->c;
}

static inline double miss_of(const trial *t)
{
  double residual, scale;
  ck_assert_int_eq(nsdyn_contact_residual(&t->p, t->Lambda, &residual, &scale, NULL), NSDYN_OK);
  return scale > 0.0 ? residual / scale : residual;
}

#endif
