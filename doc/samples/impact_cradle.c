/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

enum { MOST = 5 };

/* Balls of 1 kg in a row; the first arrives with 1 m/s, the others touch and are at rest. */
static void strike(nsdyn_contact *solver, int32_t law, int balls, const double *eps)
{
  const int n = balls - 1;
  double G[(MOST - 1) * (MOST - 1)] = {0.0}, before[MOST - 1] = {-1.0}, Lambda[MOST - 1];
  nsdyn_contact_law laws[MOST - 1];
  for (int i = 0; i < n; i++) {
    nsdyn_contact_law_init(&laws[i], sizeof laws[i]);
    laws[i].friction = NSDYN_FRICTION_NONE;
    laws[i].eps_n = eps[i];
    G[i * n + i] = 2.0;
    if (i > 0) {
      G[i * n + i - 1] = G[(i - 1) * n + i] = -1.0;
    }
  }
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = n;
  problem.laws = laws;
  problem.G = G;
  problem.ldg = n;
  problem.c = before;
  if (nsdyn_contact_impact(solver, law, &problem, Lambda, NULL) != NSDYN_OK) {
    printf("%s\n", nsdyn_contact_message(solver));
    return;
  }
  nsdyn_impact_report result;
  nsdyn_impact_report_init(&result, sizeof result);
  nsdyn_contact_impact_report(solver, &result);
  printf("  %-7s", law == NSDYN_IMPACT_NEWTON ? "Newton" : "Poisson");
  for (int i = 0; i < balls; i++) {
    printf(" %6.3f", (i == 0) - (i < n ? Lambda[i] : 0.0) + (i > 0 ? Lambda[i - 1] : 0.0) + 0.0);
  }
  printf("   energy kept %3.0f %%\n", 100.0 * (0.5 + result.energy) / 0.5);
}

int main(void)
{
  static const struct {
    int balls;
    double eps[MOST - 1];
  } cases[] = {{3, {1.0, 1.0}},
               {3, {0.5, 0.5}},
               {3, {0.5, 1.0}},
               {5, {1.0, 1.0, 1.0, 1.0}},
               {5, {0.5, 0.7, 0.8, 0.9}}};
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return 1;
  }
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    printf("eps");
    for (int i = 0; i + 1 < cases[k].balls; i++) {
      printf(" %.1f", cases[k].eps[i]);
    }
    printf(": velocities afterwards, m/s\n");
    strike(solver, NSDYN_IMPACT_NEWTON, cases[k].balls, cases[k].eps);
    strike(solver, NSDYN_IMPACT_POISSON, cases[k].balls, cases[k].eps);
  }
  nsdyn_contact_free(solver);
  return 0;
}
