/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

static void print_point(const char *name, int n, const double *p)
{
  printf("  %s (", name);
  for (int i = 0; i < n; i++) {
    printf("%s%g", i ? ", " : "", p[i]);
  }
  printf(")\n");
}

static int print_piece(void *user, const nsdyn_lcp_piece *piece)
{
  int *pieces = user;
  printf("piece %d, dimension %d\n", ++*pieces, piece->dimension);
  for (int k = 0; k < piece->vertices; k++) {
    print_point("vertex", piece->n, piece->vertex + k * piece->n);
  }
  for (int k = 0; k < piece->rays; k++) {
    print_point("ray   ", piece->n, piece->ray + k * piece->n);
  }
  return 0; /* anything else would stop the search */
}

/* Ma's pendulum with theta = pi/4, mu = 1, m = 1 kg, lifted with 2 N. x: accelerations, normal
   and to the right and to the left; y: the normal force, and what is left of friction. */
int main(void)
{
  const double A[9] = {0.625, 0.375, -0.375, 0.5, 0.5, -0.5, 0.125, -0.125, 0.125};
  const double b[3] = {-1.25, -1.0, -0.25};
  int pieces = 0;
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
    return 1;
  }
  const nsdyn_status status = nsdyn_lcp_enumerate(lcp, 3, A, 3, b, print_piece, &pieces, &census);
  printf("%s: %d points, %d bounded and", nsdyn_status_name(status), (int)census.points,
         (int)census.bounded_pieces);
  printf(" %d unbounded pieces\n", (int)census.unbounded_pieces);
  printf("these are all: %s\n", census.complete && !census.doubtful ? "yes" : "perhaps not");
  nsdyn_lcp_free(lcp);
  return status != NSDYN_OK;
}
