/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A rod slides on a rough table, leaning towards where it goes: its forces on acceleration level, for three
 * coefficients of friction. p = G_NN - mu G_NT is the rod's compliance in the direction that friction leaves.
 */
int main(void)
{
  const double G[4] = {1.0, 0.75, 0.75, 2.0}; /* 1/kg */
  const double c[2] = {-9.81, 0.0};           /* accelerations without contact, m/s^2 */
  const double forwards = 1.0;
  const double coefficients[] = {0.5, 1.0, 2.0};
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return 1;
  }
  nsdyn_contact_law table;
  nsdyn_contact_law_init(&table, sizeof table);
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = &table;
  problem.G = G;
  problem.ldg = 2;
  problem.c = c;
  problem.slip = &forwards;
  problem.dt = 1.0; /* forces, not impulses */
  for (int k = 0; k < 3; k++) {
    double force[2];
    table.mu = coefficients[k];
    printf("mu %.1f, p %5.2f: ", table.mu, G[0] - table.mu * G[1]);
    if (nsdyn_contact_solve(solver, &problem, force, NULL) == NSDYN_OK) {
      printf("it is pressed with %.2f N and dragged with %.2f N\n", force[0], force[1]);
    } else {
      nsdyn_contact_solve_report found;
      nsdyn_contact_solve_report_init(&found, sizeof found);
      nsdyn_contact_report(solver, &found);
      printf("%s; row %d is missed by %.2f m/s^2\n", nsdyn_status_text(found.status), (int)found.worst_row,
             found.residual);
    }
  }
  nsdyn_contact_free(solver);
  return 0;
}
