/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The floor of the woodpecker's time step: what is left when a step is written by hand for this one model.
 * Moreau's midpoint rule (Glocker & Studer 2005, §5) with M, h, W and G evaluated in each step, the modes of
 * the last step tried first and then all: 4 for one contact, 16 for two. Calls through no pointer, checks
 * nothing. */
#ifndef TESTS_BENCH_FLOOR_WOODPECKER_H
#define TESTS_BENCH_FLOOR_WOODPECKER_H

typedef struct floor_toy {
  double r_O, r_M, h_M, l_M, l_G, h_S, l_S, m_M, m_S, J_M, J_S, c_phi, g;
  double eps_N[3];
  double mu[3];
} floor_toy;

typedef enum floor_mode { FLOOR_OPEN, FLOOR_STICK, FLOOR_PLUS, FLOOR_MINUS } floor_mode;

typedef struct floor_state {
  double q[3]; /* y, φ_M, φ_S */
  double u[3];
  floor_mode mode[3]; /* of each contact, from the last step in which it was active */
} floor_state;

/* Table I, as a driver would hold it; φ_M = −(r_M − r_O)/h_M, of which the table prints four digits. */
void floor_begin(floor_toy *toy, floor_state *s);

/* Returns how many contacts were active; −1, and nothing done, where no modes fit. */
int floor_step(const floor_toy *p, floor_state *s, double dt);

#endif
