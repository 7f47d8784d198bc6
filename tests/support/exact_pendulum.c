/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_pendulum.h"

#include <math.h>

exact_one exact_pendulum_contact(const exact_pendulum *p)
{
  /* (m/4) [1 + 3 s², 3 s c; ·, 1 + 3 c²] γ̇ = λ + Q; its determinant is m²/4 */
  const double s = sin(p->theta);
  const double c = cos(p->theta);
  const double pull = 4.0 * p->m * p->l * p->spin * p->spin;
  const double Q[2] = {((1.0 + 3.0 * s * s) * p->F[1] + 3.0 * s * c * p->F[0] + pull * s) / 4.0,
                       ((1.0 + 3.0 * c * c) * p->F[0] + 3.0 * s * c * p->F[1] + pull * c) / 4.0};
  exact_one one = {.G = {{(1.0 + 3.0 * c * c) / p->m, -3.0 * s * c / p->m},
                         {-3.0 * s * c / p->m, (1.0 + 3.0 * s * s) / p->m}},
                   .mu = p->mu};
  for (int i = 0; i < 2; i++) {
    one.c[i] = one.G[i][0] * Q[0] + one.G[i][1] * Q[1];
  }
  return one;
}

int exact_pendulum_count(const exact_pendulum *p)
{
  const exact_one one = exact_pendulum_contact(p);
  int count = one.c[0] > 0.0;
  for (int s = 1; s >= -1; s -= 2) {
    const double N = -one.c[0] / exact_one_p(&one, s);
    count += N > 0.0 && s * (one.c[1] + (one.G[1][0] - s * p->mu * one.G[1][1]) * N) > 0.0;
  }
  /* stick: G λ = −c, so λ = −Q; in its own words, the pull itself lies in the cone */
  const double det = one.G[0][0] * one.G[1][1] - one.G[0][1] * one.G[1][0];
  const double N = (one.G[0][1] * one.c[1] - one.G[1][1] * one.c[0]) / det;
  const double T = (one.G[1][0] * one.c[0] - one.G[0][0] * one.c[1]) / det;
  return count + (fabs(T) < p->mu * N);
}
