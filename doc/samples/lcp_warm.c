/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

#define N 12

/* Runs through a slow motion; what it took to answer. */
static int run(int warm_start, int *warm_answers, int *iterations)
{
  double A[N * N], b[N], x[N];
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = NSDYN_LCP_LEMKE;
  options.warm_start = warm_start;
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, &options, &lcp, NULL) != NSDYN_OK) {
    return 0;
  }
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      A[i * N + j] = i == j ? 2.0 : fabs((double)(i - j)) < 1.5 ? -1.0 : 0.0;
    }
  }
  int solved = 0;
  *warm_answers = *iterations = 0;
  for (int step = 0; step < 200; step++) {
    for (int i = 0; i < N; i++) { /* a load that travels */
      b[i] = 0.1 + 0.01 * i - 1.0 / (1.0 + fabs(i - 0.05 * step));
    }
    solved += nsdyn_lcp_solve(lcp, N, A, N, b, x, NULL) == NSDYN_OK;
    nsdyn_lcp_solve_report found;
    nsdyn_lcp_solve_report_init(&found, sizeof found);
    nsdyn_lcp_report(lcp, &found);
    *warm_answers += found.warm;
    *iterations += found.iterations;
  }
  nsdyn_lcp_free(lcp);
  return solved;
}

int main(void)
{
  int warm_answers = 0, cold = 0, warm = 0;
  printf("cold: %d of 200 solved\n", run(0, &warm_answers, &cold));
  printf("warm: %d of 200 solved, ", run(1, &warm_answers, &warm));
  printf("%d of them from the basis of the step before\n", warm_answers);
  printf("less than a third of the iterations: %s\n", 3 * warm < cold ? "yes" : "no");
  return 0;
}
