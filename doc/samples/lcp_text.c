/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <string.h>

#define MOST 8 /* unknowns */

/* Reads a problem from memory, solves it, writes it again. */
static void solve_text(nsdyn_lcp *lcp, const char *text)
{
  double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST], x[MOST];
  char written[500];
  int n = 0;
  const size_t length = strlen(text);
  nsdyn_status status = nsdyn_lcp_read_text(lcp, text, length, &n, NULL, 0, NULL, NULL, NULL);
  if (status == NSDYN_OK && n > MOST) {
    printf("more unknowns than this program has room for\n");
    return;
  }
  if (status == NSDYN_OK) {
    status = nsdyn_lcp_read_text(lcp, text, length, &n, A, MOST, b, lo, hi);
  }
  if (status == NSDYN_OK) {
    status = nsdyn_lcp_solve_mixed(lcp, n, A, MOST, b, lo, hi, x, NULL);
  }
  if (status != NSDYN_OK) {
    printf("%s\n", nsdyn_lcp_message(lcp));
    return;
  }
  for (int i = 0; i < n; i++) {
    printf("x%d = %g\n", i, x[i]);
  }
  if (nsdyn_lcp_write_text(n, A, MOST, b, lo, hi, written, sizeof written) <= sizeof written) {
    printf("%s", written);
  }
}

int main(void)
{
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
    return 1;
  }
  solve_text(lcp, "2         # unknowns\n"
                  "2 1       # A\n"
                  "1 2\n"
                  "-5 -6     # b\n"
                  "hi 1 inf  # x0 <= 1\n");
  solve_text(lcp, "2\n"
                  "2 1\n"
                  "1 two\n"
                  "-5 -6\n");
  nsdyn_lcp_free(lcp);
  return 0;
}
