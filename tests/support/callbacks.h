/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Callbacks of a system (nsdyn/system.h) that many small models have: points of unit mass over a floor, whose
 * height is q_1. */
#ifndef TESTS_SUPPORT_CALLBACKS_H
#define TESTS_SUPPORT_CALLBACKS_H

#include <stdint.h>

/* M = 1, of two coordinates and of three. */
static inline int unit_mass_2(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static inline int unit_mass_3(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = M[8] = 1.0;
  return 0;
}

/* The weight of a kilogram at q_1. */
static inline int weight_of_q1(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -9.81;
  return 0;
}

static inline int gap_is_q1(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  return 0;
}

/* w_N along q_1, w_T along q_0, of two coordinates. */
static inline int floor_of_q1(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[1] = W[2] = 1.0;
  return 0;
}

#endif
