/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Ordinary differential equations to the last digits: extrapolated midpoint rule (Gragg, Bulirsch, Stoer),
 * up to order 16, in long double, for smooth right-hand sides and few unknowns. */
#ifndef TESTS_SUPPORT_EXACT_ODE_H
#define TESTS_SUPPORT_EXACT_ODE_H

#define EXACT_ODE_MOST 16

/* ẏ = f(y). What depends on time carries it as an unknown. */
typedef struct exact_ode {
  int n;
  void (*rate)(const void *data, const long double *y, long double *f);
  long double (*until)(const void *data, const long double *y); /* stops where it falls to zero; or NULL */
  const void *data;
  const long double *size; /* of each unknown; or NULL: every step of order 16 */
  long double accuracy;    /* of a step, in shares of the sizes */
} exact_ode;

/* y := y(h). Where sizes are given, of the lowest order whose error, as the last two changes of order tell,
 * is less than the accuracy asked for; where the highest is not enough, in steps of down to a sixteenth. */
void exact_ode_step(const exact_ode *ode, long double h, long double *y);

/* In `steps` equal steps from 0 to `span`, or to the first moment at which until(y), once it has been
 * positive at the end of a step, is zero. Returns the time. */
long double exact_ode_run(const exact_ode *ode, long double span, int steps, long double *y);

#endif
