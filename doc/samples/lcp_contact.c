/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* One contact with friction, xi = G Lambda + c, as an LCP:
   x = (Lambda_N, Lambda_R, xi_L), y = (xi_N, xi_R, Lambda_L). */
int main(void)
{
  const double G[2][2] = {{3.0, 1.0}, {1.0, 2.0}}; /* 1/kg; normal, tangential */
  const double c[2] = {-1.0, -0.9};                /* velocities without contact, m/s */
  const double mu = 0.4;
  const double A[3][3] = {{G[0][0] - mu * G[0][1], G[0][1], 0.0}, /* xi_N */
                          {G[1][0] - mu * G[1][1], G[1][1], 1.0}, /* xi_R = xi_T + xi_L */
                          {2.0 * mu, -1.0, 0.0}};                 /* Lambda_L */
  const double b[3] = {c[0], c[1], 0.0};
  double x[3], y[3], judged;
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
    return 1;
  }
  const nsdyn_status status = nsdyn_lcp_solve(lcp, 3, A[0], 3, b, x, y);
  nsdyn_lcp_solve_report found;
  nsdyn_lcp_solve_report_init(&found, sizeof found);
  nsdyn_lcp_report(lcp, &found);
  nsdyn_lcp_residual(3, A[0], 3, b, NULL, NULL, x, &judged, NULL);

  printf("%s by method %d\n", nsdyn_status_name(status), found.method);
  printf("normal impulse   %.6f N s\n", x[0]);
  printf("friction impulse %.6f N s\n", x[1] - mu * x[0]);
  printf("sliding velocity %.6f m/s\n", y[1] - x[2]);
  printf("residual below 1e-12: %s\n", found.residual < 1e-12 ? "yes" : "no");
  printf("judged again: %s\n", judged == found.residual ? "the same" : "another");
  nsdyn_lcp_free(lcp);
  return status != NSDYN_OK;
}
