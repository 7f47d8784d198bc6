/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static void print_half(const nsdyn_contact *solver, int32_t half, const char *name)
{
  nsdyn_impact_half phase;
  nsdyn_impact_half_init(&phase, sizeof phase);
  nsdyn_contact_impact_half(solver, half, &phase);
  printf("  %-11s Lambda = (%.4f, %.4f) N s, gamma = (%.3f, %.3f) m/s, energy %+.4f J\n", name,
         phase.Lambda[0], phase.Lambda[1], phase.gamma[0], phase.gamma[1], phase.energy);
}

int main(void)
{
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return 1;
  }
  // A ball of 1 kg falls on a rough floor and slides to the right; its skin can turn the slide round.
  const double G[4] = {1.0, 0.0, 0.0, 3.5};
  const double gamma_before[2] = {-2.0, 0.5};
  nsdyn_contact_law ball;
  nsdyn_contact_law_init(&ball, sizeof ball);
  ball.mu = 0.4;
  ball.eps_n = 0.8;
  ball.eps_t = 0.9;
  ball.reversal = 1.0;
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = &ball;
  problem.G = G;
  problem.ldg = 2;
  problem.c = gamma_before;
  double Lambda[2], gamma_after[2];
  const nsdyn_status status =
      nsdyn_contact_impact(solver, NSDYN_IMPACT_POISSON, &problem, Lambda, gamma_after);
  if (status != NSDYN_OK) {
    printf("%s\n", nsdyn_contact_message(solver));
    nsdyn_contact_free(solver);
    return 1;
  }
  printf("Poisson: gamma = (%.2f, %.2f) m/s\n", gamma_after[0], gamma_after[1]);
  print_half(solver, NSDYN_IMPACT_COMPRESSION, "compression");
  print_half(solver, NSDYN_IMPACT_EXPANSION, "expansion");
  nsdyn_contact_free(solver);
  return 0;
}
