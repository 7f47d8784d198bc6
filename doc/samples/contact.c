/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* One contact with friction, xi = G Lambda + c, solved by proximal points alone. */
int main(void)
{
  const double G[2][2] = {{3.0, 1.0}, {1.0, 2.0}}; /* 1/kg; normal, tangential */
  const double c[2] = {-1.0, -0.9};                /* velocities without contact, m/s */
  const double mu = 0.4, rho = 0.3;                /* rho in kg, about 1/G_ii */
  double normal = 0.0, friction = 0.0;             /* impulses, N s */
  double worst = 1.0;
  int sweeps = 0;

  while (worst > 1e-12 && sweeps < 1000) {
    const double xi_n = G[0][0] * normal + G[0][1] * friction + c[0];
    const double xi_t = G[1][0] * normal + G[1][1] * friction + c[1];
    const double bound = mu * normal;
    const double r_n = nsdyn_half_line_residual(rho, normal, -xi_n);
    const double r_t = nsdyn_interval_residual(-bound, bound, rho, friction, -xi_t);
    worst = r_n > r_t ? r_n : r_t;
    normal = nsdyn_half_line_prox(normal - rho * xi_n);
    friction = nsdyn_interval_prox(-mu * normal, mu * normal, friction - rho * xi_t);
    sweeps++;
  }
  printf("normal impulse   %.6f N s\n", normal);
  printf("friction impulse %.6f N s, bound %.6f N s\n", friction, mu * normal);
  printf("the law holds to 1e-12 N s: %s\n", worst <= 1e-12 ? "yes" : "no");
  return 0;
}
