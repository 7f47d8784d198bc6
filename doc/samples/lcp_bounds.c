/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* Two sledges, joined by a rod, slide on a rough floor. The normal forces are known, and
   with them the bounds of friction. x: the impulses of both frictions and of the rod (N s).
   y: the velocities of both sledges, and that with which the rod grows (m/s), which is zero. */
int main(void)
{
  const double m1 = 2.0, m2 = 1.0;                                     /* kg */
  const double a1 = 0.5, a2 = 1.5;                                     /* mu m g dt, N s */
  const double before[2] = {1.0, 1.0};                                 /* m/s */
  const double A[3][3] = {{1.0 / m1, 0.0, -1.0 / m1},                  /* sledge 1 */
                          {0.0, 1.0 / m2, 1.0 / m2},                   /* sledge 2 */
                          {-1.0 / m1, 1.0 / m2, 1.0 / m1 + 1.0 / m2}}; /* 2 against 1 */
  const double b[3] = {before[0], before[1], before[1] - before[0]};
  const double lo[3] = {-a1, -a2, -INFINITY}, hi[3] = {a1, a2, INFINITY};
  const char *const places[] = {"at lo", "between", "at hi"};
  const char *const names[] = {"friction 1", "friction 2", "rod"};
  double x[3], y[3];
  nsdyn_lcp *lcp;
  if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
    return 1;
  }
  const nsdyn_status status = nsdyn_lcp_solve_mixed(lcp, 3, A[0], 3, b, lo, hi, x, y);
  const int32_t *basis = nsdyn_lcp_basis(lcp, NULL);
  for (int i = 0; basis && i < 3; i++) {
    printf("%-10s  x = %9.6f N s  y = %8.6f m/s", names[i], x[i], y[i]);
    printf("  %s\n", places[basis[i]]);
  }
  nsdyn_lcp_free(lcp);
  return status != NSDYN_OK;
}
