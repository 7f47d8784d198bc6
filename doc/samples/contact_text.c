/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a problem from memory, solves it, writes it again. */
static void solve_text(nsdyn_contact *solver, const char *text)
{
  size_t bytes = 0;
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  nsdyn_status status = nsdyn_contact_read_text(solver, text, strlen(text), &problem, NULL, &bytes);
  void *memory = malloc(bytes);
  status = status ? status : nsdyn_contact_read_text(solver, text, strlen(text), &problem, memory, &bytes);
  double Lambda[3];
  if (status == NSDYN_OK && nsdyn_contact_rows(&problem) == 3) {
    status = nsdyn_contact_solve(solver, &problem, Lambda, NULL);
  }
  if (status != NSDYN_OK) {
    printf("%s\n", nsdyn_contact_message(solver));
  } else {
    char written[400];
    printf("Lambda = %g %g %g\n", Lambda[0], Lambda[1], Lambda[2]);
    if (nsdyn_contact_write_text(&problem, written, sizeof written) <= sizeof written) {
      printf("%s", written);
    }
  }
  free(memory);
}

int main(void)
{
  nsdyn_contact *solver;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL) != NSDYN_OK) {
    return 1;
  }
  /* A puck of 1 kg on the ice, pressed down with 1 N s. */
  solve_text(solver, "contacts 1 bilateral 0 rows 3 laws 1\n"
                     "law tangents 2 mu 0.5\n"
                     "G 1 0 0\n"
                     "  0 1 0\n"
                     "  0 0 1\n"
                     "c -1 3 4  # sliding at 5 m/s\n");
  solve_text(solver, "contacts 1 bilateral 0 rows 3 laws 1\n"
                     "law tangents 2 mu wet\n");
  nsdyn_contact_free(solver);
  return 0;
}
