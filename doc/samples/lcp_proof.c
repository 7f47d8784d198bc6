/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A block of 1 kg fills the room between two rigid plates, which approach each other with
   2 m/s. Whatever impulses x they give to it, the velocities y at which its gaps to them
   open cannot both be >= 0. */
int main(void)
{
  const double A[4] = {1.0, -1.0, -1.0, 1.0}, b[2] = {-1.0, -1.0};
  double x[2], y[2];
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
    return 1;
  }
  const nsdyn_status status = nsdyn_lcp_solve(lcp, 2, A, 2, b, x, y);
  printf("%s\n", nsdyn_status_name(status));

  nsdyn_lcp_solve_report found;
  nsdyn_lcp_solve_report_init(&found, sizeof found);
  nsdyn_lcp_report(lcp, &found);
  const double *v = nsdyn_lcp_ray(lcp, NULL);
  if (found.proof == NSDYN_LCP_PROOF_FARKAS && v) {
    const int good = v[0] >= 0.0 && v[1] >= 0.0          /* v >= 0 */
                     && A[0] * v[0] + A[2] * v[1] <= 0.0 /* column 0 of A */
                     && A[1] * v[0] + A[3] * v[1] <= 0.0 /* column 1 of A */
                     && b[0] * v[0] + b[1] * v[1] < 0.0;
    printf("v1 / v2 = %g; by hand: %s\n", v[0] / v[1], good ? "it is a proof" : "it is none");
  }
  nsdyn_lcp_free(lcp);
  return status != NSDYN_NO_SOLUTION;
}
