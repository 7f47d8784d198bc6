/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static const char *const mode_names[] = {"open", "sticks", "slips forward", "slips backward"};

/* Called for each piece of the solution set: a point here, in redundant systems a polyhedron. */
static int print_piece(void *user, const nsdyn_contact_piece *piece)
{
  (void)user;
  printf("%-13s Lambda = (%.4f, %.4f), xi = (%.4f, %.4f)\n", mode_names[piece->modes[0]], piece->Lambda[0],
         piece->Lambda[1], piece->xi[0], piece->xi[1]);
  return 0;
}

int main(void)
{
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return 1;
  }
  /* A slanted rod with steep friction, G_NN - mu G_NT < 0: friction can press the tip into the floor. */
  const double G[4] = {1.0, 0.9, 0.9, 1.0};
  const double c[2] = {1.0, 2.0};
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 2.0;
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = &law;
  problem.G = G;
  problem.ldg = 2;
  problem.c = c;

  // All that Coulomb's law allows, not only what a solver happens to find.
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  const nsdyn_status status = nsdyn_contact_enumerate(solver, &problem, print_piece, NULL, &census);
  printf("%s: %lld solutions, %lld motions%s\n", nsdyn_status_text(status), (long long)census.points,
         (long long)census.motions, census.complete ? ", no others" : "");
  nsdyn_contact_free(solver);
  return status != NSDYN_OK;
}
