/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static const char *const mode_names[] = {"open", "sticks", "slips forward", "slips backward"};

int main(void)
{
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return 1;
  }
  // A block of 2 kg on the floor, pushed sideways for 0.01 s with 5 N: it sticks.
  const double G[4] = {0.5, 0.0, 0.0, 0.5};
  const double c[2] = {-9.81 * 0.01, 5.0 / 2.0 * 0.01};
  double Lambda[2];
  nsdyn_contact_law floor_law;
  nsdyn_contact_law_init(&floor_law, sizeof floor_law);
  floor_law.mu = 0.3;
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = &floor_law;
  problem.G = G;
  problem.ldg = 2;
  problem.c = c;
  const nsdyn_status status = nsdyn_contact_solve(solver, &problem, Lambda, NULL);
  if (status != NSDYN_OK) {
    printf("%s\n", nsdyn_contact_message(solver));
  } else {
    printf("normal %.4f N s, friction %.4f N s, it %s\n", Lambda[0], Lambda[1],
           mode_names[nsdyn_contact_modes(solver, NULL)[0]]);
  }
  nsdyn_contact_free(solver);
  return status != NSDYN_OK;
}
