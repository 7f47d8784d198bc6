/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* Two gaps that share a body: y = A x + b, 0 <= y ⊥ x >= 0. */
int main(void)
{
  const double A[4] = {2.0, 1.0, 1.0, 2.0}, b[2] = {-5.0, 1.0};
  double x[2], y[2];
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
    return 1;
  }
  const nsdyn_status status = nsdyn_lcp_solve(lcp, 2, A, 2, b, x, y);
  if (status == NSDYN_OK) {
    printf("x = (%g, %g), y = (%g, %g)\n", x[0], x[1], y[0], y[1]);
  } else {
    printf("%s\n", nsdyn_lcp_message(lcp));
  }
  nsdyn_lcp_free(lcp);
  return status != NSDYN_OK;
}
