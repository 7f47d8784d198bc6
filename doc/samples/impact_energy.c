/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdint.h>
#include <stdio.h>

enum { IMPACTS = 20000, MOST = 3, ROWS = 2 * MOST, NU = 2 * MOST };

/* Uniform in [0, 1), the same numbers everywhere. */
static double uniform(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* One to three contacts of a mechanism: directions W, velocities u, both times the root of the mass matrix.
 */
typedef struct impact {
  int contacts, rows, nu;
  double W[ROWS][NU], u[NU], G[ROWS * ROWS], gamma[ROWS], T; /* T: kinetic energy before */
  nsdyn_contact_law laws[MOST];
} impact;

/* What a row of the table allows. */
typedef struct kind {
  const char *name;
  int32_t law;
  double mu;            /* largest; negative: no tangential row */
  int one_eps_n, eps_t; /* eps_t: 0 zero, 1 equal to eps_n, 2 anything; with it the reversal */
  int parting;          /* 1: some contacts part already; 0: all approach */
} kind;

static void make(impact *m, const kind *k, uint64_t *state)
{
  const double shared = uniform(state);
  m->contacts = 1 + (int)(MOST * uniform(state));
  m->rows = m->contacts * (k->mu < 0.0 ? 1 : 2);
  m->nu = m->rows > 2 ? m->rows - 1 : m->rows; /* contacts are redundant, as those of a table are */
  for (int i = 0; i < m->contacts; i++) {
    nsdyn_contact_law *law = &m->laws[i];
    nsdyn_contact_law_init(law, sizeof *law);
    law->friction = k->mu < 0.0 ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_COULOMB;
    law->mu = k->mu < 0.0 ? 0.0 : k->mu * uniform(state);
    const double own = uniform(state), tangential = uniform(state);
    law->eps_n = k->one_eps_n ? shared : own;
    law->eps_t = k->eps_t == 0 ? 0.0 : k->eps_t == 1 ? law->eps_n : tangential;
    law->reversal = k->eps_t == 2 ? uniform(state) : 0.0;
  }
  m->T = 0.0;
  for (int q = 0; q < m->nu; q++) {
    m->u[q] = 2.0 * uniform(state) - 1.0;
    m->T += 0.5 * m->u[q] * m->u[q];
  }
  for (int i = 0; i < m->rows; i++) {
    m->gamma[i] = 0.0;
    for (int q = 0; q < m->nu; q++) {
      m->W[i][q] = 2.0 * uniform(state) - 1.0;
      m->gamma[i] += m->W[i][q] * m->u[q];
    }
    const int is_normal = k->mu < 0.0 || i % 2 == 0;
    if (is_normal && m->gamma[i] > 0.0 && !k->parting) {
      m->gamma[i] = -m->gamma[i];
      for (int q = 0; q < m->nu; q++) {
        m->W[i][q] = -m->W[i][q];
      }
    }
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int q = 0; q < m->nu; q++) {
        sum += m->W[i][q] * m->W[j][q];
      }
      m->G[i * m->rows + j] = m->G[j * m->rows + i] = sum;
    }
  }
}

/* Solves random impacts of a kind, and prints how the kinetic energy fared. */
static void survey(nsdyn_contact *solver, const kind *k)
{
  static impact m;
  int unsolved = 0, gains = 0;
  double most = 1.0;
  uint64_t state = 1;
  for (int count = 0; count < IMPACTS; count++) {
    make(&m, k, &state);
    nsdyn_contact_problem problem;
    nsdyn_contact_problem_init(&problem, sizeof problem);
    problem.contacts = m.contacts;
    problem.laws = m.laws;
    problem.G = m.G;
    problem.ldg = m.rows;
    problem.c = m.gamma;
    double Lambda[ROWS];
    if (nsdyn_contact_impact(solver, k->law, &problem, Lambda, NULL) != NSDYN_OK) {
      unsolved++;
      continue;
    }
    nsdyn_impact_report result;
    nsdyn_impact_report_init(&result, sizeof result);
    nsdyn_contact_impact_report(solver, &result);
    const double ratio = (m.T + result.energy) / m.T;
    gains += ratio > 1.0 + 1e-9;
    most = ratio > most ? ratio : most;
  }
  printf("%-8s %-32s %9d %7d", k->law == NSDYN_IMPACT_NEWTON ? "Newton" : "Poisson", k->name, unsolved,
         gains);
  if (gains == 0) {
    printf("\n");
  } else if (most < 11.0) {
    printf("  by up to %.0f %%\n", 100.0 * (most - 1.0));
  } else {
    printf("  some by more than 1000 %%\n");
  }
}

int main(void)
{
  static const kind kinds[] = {
      {"no friction, one eps_n", NSDYN_IMPACT_NEWTON, -1.0, 1, 0, 0},
      {"no friction, any eps_n", NSDYN_IMPACT_NEWTON, -1.0, 0, 0, 0},
      {"the same, some contacts parting", NSDYN_IMPACT_NEWTON, -1.0, 0, 0, 1},
      {"friction, one eps for all rows", NSDYN_IMPACT_NEWTON, 1.0, 1, 1, 0},
      {"friction, one eps_n, eps_t = 0", NSDYN_IMPACT_NEWTON, 1.0, 1, 0, 0},
      {"friction, any eps_n, any eps_t", NSDYN_IMPACT_NEWTON, 1.0, 0, 2, 0},
      {"no friction, any eps_n", NSDYN_IMPACT_POISSON, -1.0, 0, 0, 0},
      {"the same, some contacts parting", NSDYN_IMPACT_POISSON, -1.0, 0, 0, 1},
      {"friction, one eps_n, reversal", NSDYN_IMPACT_POISSON, 1.0, 1, 2, 0},
      {"friction, any eps_n", NSDYN_IMPACT_POISSON, 1.0, 0, 0, 0},
      {"friction, any eps_n, reversal", NSDYN_IMPACT_POISSON, 1.0, 0, 2, 0},
  };
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return 1;
  }
  printf("%d random impacts of each kind    no solution   gains\n", IMPACTS);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    survey(solver, &kinds[k]);
  }
  nsdyn_contact_free(solver);
  return 0;
}
