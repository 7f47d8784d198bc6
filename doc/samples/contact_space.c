/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static void push(nsdyn_contact *solver, const char *name, const nsdyn_contact_law *law)
{
  // A mass of 1 kg on the floor for 0.01 s under gravity, and a push of 4 m/s² along T1 and 3 m/s² along T2.
  const double G[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  const double c[3] = {-0.0981, 0.04, 0.03};
  double Lambda[3];
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = law;
  problem.G = G;
  problem.ldg = 3;
  problem.c = c;
  if (nsdyn_contact_solve(solver, &problem, Lambda, NULL) != NSDYN_OK) {
    printf("%s\n", nsdyn_contact_message(solver));
    return;
  }
  const double *e = nsdyn_contact_directions(solver, NULL);
  printf("%-9s friction (%.5f, %.5f) N s, slides along (%.3f, %.3f)\n", name, Lambda[1], Lambda[2], e[0],
         e[1]);
}

int main(void)
{
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return 1;
  }
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = 0.2;
  push(solver, "disk", &law);
  law.aspect = 2.0; // grooves along T1: twice the friction across them
  push(solver, "ellipse", &law);
  law.aspect = 1.0;
  law.shape = NSDYN_FRICTION_POLYGON;
  law.sides = 4;
  push(solver, "pyramid", &law);
  nsdyn_contact_free(solver);
  return 0;
}
