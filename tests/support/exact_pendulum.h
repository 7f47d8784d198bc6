/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The pendulum of Ma et al.: a uniform rod of mass m and length 2 l whose end U touches a frictional surface,
 * pulled at its centre by F_x, F_y. How many accelerations and forces does physics allow? */
#ifndef TESTS_SUPPORT_EXACT_PENDULUM_H
#define TESTS_SUPPORT_EXACT_PENDULUM_H

#include "exact_one.h"

typedef struct exact_pendulum {
  double m;
  double l; /* half the length */
  double theta;
  double spin; /* θ̇ */
  double mu;
  double F[2]; /* F_x, F_y */
} exact_pendulum;

/* Eq. 1 solved for the accelerations of U: γ̇ = G λ + c. */
exact_one exact_pendulum_contact(const exact_pendulum *p);

/* How many solutions there are where U rests (γ_T = 0), without asking for the solutions: 1 or 3 but on knife
 * edges. With n = c_N, t = c_T, p± = G_NN ∓ μ G_NT:
 *   open if n > 0; slip± if −n/p± > 0 and ±(t + (G_TN ∓ μ G_TT)(−n/p±)) > 0; stick if |λ_T| < μ λ_N.
 * Three need p+ < 0 or p− < 0: exact_rod_paradox says at which angles, and that μ > 4/3. */
int exact_pendulum_count(const exact_pendulum *p);

#endif
