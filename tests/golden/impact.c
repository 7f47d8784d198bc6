/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Impacts under both laws: contacts of every law, definite and redundant, both halves. */
#include <string.h>

#include "hash.h"
#include "nsdyn/contact.h"

enum { MOST_CONTACTS = 5, MOST_ROWS = 2 * MOST_CONTACTS + 1, MOST_NU = 12 };

typedef struct task {
  nsdyn_contact_problem problem;
  nsdyn_contact_law laws[MOST_CONTACTS];
  int rows;
  double G[MOST_ROWS * MOST_ROWS], gamma[MOST_ROWS];
} task;

static void fill_laws(stream *from, task *t, int contacts)
{
  for (int i = 0; i < contacts; i++) {
    nsdyn_contact_law *law = &t->laws[i];
    nsdyn_contact_law_init(law, sizeof *law);
    law->kind = stream_below(from, 6) == 0;
    const int friction = stream_below(from, 6);
    law->friction = friction == 0   ? NSDYN_FRICTION_NONE
                    : friction == 1 ? NSDYN_FRICTION_BOUND
                                    : NSDYN_FRICTION_COULOMB;
    law->mu = 0.5 * (1.0 + stream_number(from));
    law->eps_n = 0.5 * (1.0 + stream_number(from));
    law->eps_t = 0.5 * (1.0 + stream_number(from));
    law->reversal = 0.5 * (1.0 + stream_number(from));
  }
}

static void fill(stream *from, task *t, int number)
{
  const int contacts = number % (MOST_CONTACTS + 1);
  fill_laws(from, t, contacts);
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = contacts;
  t->problem.bilateral = stream_below(from, 4) == 0;
  t->problem.laws = t->laws;
  t->rows = nsdyn_contact_rows(&t->problem);
  const int nu = number % 3 == 2 ? 1 + t->rows / 2 : t->rows + 1;
  double W[MOST_ROWS * MOST_NU], X[MOST_ROWS * MOST_NU], L[MOST_NU * MOST_NU], u[MOST_NU];
  stream_fill(from, (size_t)t->rows * (size_t)nu, W);
  stream_fill(from, (size_t)nu, u);
  memset(L, 0, sizeof L);
  for (int i = 0; i < nu; i++) {
    L[i * nu + i] = 1.0 + 0.5 * stream_number(from);
  }
  nsdyn_contact_delassus(t->rows, nu, W, nu, L, nu, X, t->G, t->rows);
  for (int i = 0; i < t->rows; i++) {
    t->gamma[i] = 0.0;
    for (int q = 0; q < nu; q++) {
      t->gamma[i] += W[i * nu + q] * u[q];
    }
  }
  t->problem.G = t->G;
  t->problem.ldg = t->rows;
  t->problem.c = t->gamma;
}

static void hash_half(hash *h, const nsdyn_contact *solver, int32_t half)
{
  nsdyn_impact_half phase;
  nsdyn_impact_half_init(&phase, sizeof phase);
  nsdyn_contact_impact_half(solver, half, &phase);
  hash_doubles(h, (size_t)phase.rows, phase.Lambda);
  hash_doubles(h, (size_t)phase.rows, phase.gamma);
  hash_bytes(h, phase.modes, (size_t)phase.contacts * sizeof *phase.modes);
  hash_double(h, phase.energy);
  hash_double(h, phase.residual);
  hash_double(h, phase.scale);
  hash_int(h, phase.worst_row);
  hash_int(h, phase.lcp_size);
}

void golden_impact(hash *h)
{
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL)) {
    return;
  }
  stream from = stream_begin(12);
  for (int k = 0; k < 600; k++) {
    static task t;
    fill(&from, &t, k);
    for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
      double Lambda[MOST_ROWS] = {0.0}, gamma[MOST_ROWS] = {0.0};
      hash_int(h, nsdyn_contact_impact(solver, law, &t.problem, Lambda, gamma));
      hash_doubles(h, (size_t)t.rows, Lambda);
      hash_doubles(h, (size_t)t.rows, gamma);
      hash_half(h, solver, NSDYN_IMPACT_COMPRESSION);
      hash_half(h, solver, NSDYN_IMPACT_EXPANSION);
    }
  }
  nsdyn_contact_free(solver);
}
