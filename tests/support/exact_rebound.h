/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A pendulum that swings against a wall: θ̈ = −ω² sin θ, θ >= wall, θ̇⁺ = −ε θ̇⁻. It is let go at rest.
 *
 * With a wall at θ > 0, on which it leans in the end, the hits accumulate. With one at the bottom or beyond
 * they go on for ever, ever more softly, and swings take ever nearly the same time. */
#ifndef TESTS_SUPPORT_EXACT_REBOUND_H
#define TESTS_SUPPORT_EXACT_REBOUND_H

typedef struct exact_rebound {
  double omega;
  double wall;  /* angle, in (−π, start) */
  double start; /* angle, in (−π, π) */
  double eps;
} exact_rebound;

/* Time of hit k = 1, 2, …, and the spin |θ̇| right before it; −1 where it never comes so far. */
long double exact_rebound_hit(const exact_rebound *p, int k, long double *spin);

/* When the hits are over; for a wall at an angle above zero and ε < 1. */
long double exact_rebound_rest(const exact_rebound *p);

#endif
