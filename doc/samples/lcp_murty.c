/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

#define N 16

/* Murty's problem, on which his own method counts in binary. Returns the iterations. */
static int solve(int32_t method, double *last)
{
  double A[N * N] = {0.0}, b[N], x[N];
  for (int i = 0; i < N; i++) {
    for (int j = i; j < N; j++) {
      A[i * N + j] = i == j ? 1.0 : 2.0;
    }
    b[i] = -1.0;
  }
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, &options, &lcp, NULL) != NSDYN_OK) {
    return -1;
  }
  const nsdyn_status status = nsdyn_lcp_solve(lcp, N, A, N, b, x, NULL);
  nsdyn_lcp_solve_report found;
  nsdyn_lcp_solve_report_init(&found, sizeof found);
  nsdyn_lcp_report(lcp, &found);
  nsdyn_lcp_free(lcp);
  *last = x[N - 1];
  return status == NSDYN_OK ? found.iterations : -1;
}

int main(void)
{
  double x, same;
  const int slow = solve(NSDYN_LCP_MURTY, &x);
  const int fast = solve(NSDYN_LCP_AUTOMATIC, &same);
  printf("Murty's method: %d exchanges to x = (0, ..., 0, %g)\n", slow, x);
  printf("automatic: %s, %s\n", same == x ? "the same x" : "another x",
         fast >= 0 && fast <= N ? "in no more iterations than unknowns" : "slow");
  return 0;
}
