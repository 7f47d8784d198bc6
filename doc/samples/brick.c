/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A brick is thrown onto a rough floor. It falls, hits, slides and comes to rest. */
int main(void)
{
  const double m = 2.0, g = 9.81, mu = 0.3, dt = 1e-4; /* kg, m/s^2, 1, s */
  double t = 0.0, x = 0.0, y = 0.05, u = 1.5, v = 0.0; /* position in m, velocity in m/s */

  while (u != 0.0 && t < 10.0) {
    const int closed = y + 0.5 * dt * v <= 0.0; /* the gap at mid-step */
    double normal = 0.0, friction = 0.0;        /* impulses over the step, N s */
    v -= g * dt;
    if (closed) {
      /* What would stop the brick is -m v and -m u. The floor gives of it what it can:
         it pushes but never pulls, and friction is at most mu times the push. */
      normal = nsdyn_half_line_prox(-m * v);
      friction = nsdyn_interval_prox(-mu * normal, mu * normal, -m * u);
    }
    v += normal / m;
    u += friction / m;
    x += u * dt;
    y += v * dt;
    t += dt;
  }
  printf("at rest after %.3f s, at %.3f m\n", t, x); /* exactly: 0.510 s, 0.397 m */
  return 0;
}
