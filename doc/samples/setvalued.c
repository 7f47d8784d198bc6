/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A friction law taken apart and put together, its error measured, and equations in its place. */
int main(void)
{
  double x_r, y_r, x_l, y_l, x, y;
  nsdyn_sgn_split(2.0, -0.3, 2.0, &x_r, &y_r, &x_l, &y_l);
  nsdyn_sgn_join(x_r, y_r, x_l, y_l, &x, &y);
  printf("to the right:  velocity %g, force %g\n", x_r, y_r);
  printf("to the left:   velocity %g, force %g\n", x_l, y_l);
  printf("together:      velocity %g, force %g; ", x, y);
  puts(nsdyn_sgn_contains(2.0, x, -y) ? "the law holds" : "the law does not hold");

  double missing = nsdyn_interval_residual(-1.0, 1.0, 10.0, 0.8, 0.1);
  printf("missing force: %g\n", missing);

  double z[3] = {-2.0, 1.0, 0.0}, F[3], nu[3];
  nsdyn_todorov(0.25, 1.0, z, F, nu, NULL);
  printf("in space:      force %g %g %g, velocity %g %g %g\n", F[0], F[1], F[2], nu[0], nu[1], nu[2]);

  double da, db;
  double phi = nsdyn_ncp_fb(3.0, 4.0, &da, &db);
  double solved = nsdyn_ncp_fb_box(-1.0, 1.0, 1.0, -2.5, NULL, NULL);
  printf("phi(3, 4) = %g with derivatives %g and %g\n", phi, da, db);
  puts(solved == 0.0 ? "solved" : "not solved");
  return 0;
}
