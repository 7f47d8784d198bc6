/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A ball with restitution that falls on the floor: every bounce, and the time at which all are over. */
#ifndef TESTS_SUPPORT_EXACT_BOUNCE_H
#define TESTS_SUPPORT_EXACT_BOUNCE_H

typedef struct exact_bounce {
  double g;
  double eps;
  double y; /* height and upward velocity at t = 0 */
  double v;
} exact_bounce;

/* Time of impact k = 1, 2, …, and the speed right before it. */
double exact_bounce_impact(const exact_bounce *p, int k, double *speed);

/* t_1 + 2 ε v_1 / (g (1 − ε)); infinite for ε = 1. */
double exact_bounce_zeno(const exact_bounce *p);

/* Returns how many impacts have been; −1 once the ball rests, unless ε = 0, where it is 1. */
int exact_bounce_at(const exact_bounce *p, double t, double *y, double *v);

#endif
