/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The motion q̈ = a − b s, s = d·q, of a linear mechanism with one spring: closed form and first roots.
 *
 * Between two events a mechanism with constant M, constant force directions and one spring moves like this,
 * whatever contacts are closed: s is one oscillator, s̈ = d·a − (d·b) s, and q follows by two integrals. No
 * step size, nothing to tune: roots are found by steps that a bound on the second derivative proves to be
 * short of the first root. */
#ifndef TESTS_SUPPORT_EXACT_FLOW_H
#define TESTS_SUPPORT_EXACT_FLOW_H

#define EXACT_DOF 3

typedef struct exact_flow {
  long double q[EXACT_DOF]; /* at time 0 of the flow */
  long double u[EXACT_DOF];
  long double a[EXACT_DOF];
  long double b[EXACT_DOF];
  long double d[EXACT_DOF];
} exact_flow;

/* f(t) = level + w·q^(order)(t), order from 0 */
typedef struct exact_watch {
  long double level;
  long double w[EXACT_DOF];
  int order;
} exact_watch;

void exact_flow_at(const exact_flow *f, long double t, long double *q, long double *u);

/* The k-th derivative of a watched function at time t, k from 0. */
long double exact_watch_value(const exact_flow *f, const exact_watch *watch, int k, long double t);

/* How the function begins: the number k of the first derivative at t = 0 whose size is above
 * zero · rate^k, and that derivative in *value; −1 where the first six are all nothing. */
int exact_watch_leading(const exact_flow *f, const exact_watch *watch, long double zero, long double rate,
                        long double *value);

/* A time d > 0 such that a function with only derivative k at t = 0 positive, and those before it zero, is
 * positive on (0, d]. */
long double exact_watch_departure(const exact_flow *f, const exact_watch *watch, int k, long double value);

/* The first root in (from, until] of a function that is not zero at `from`; 0 where there is none. The
 * bounds of the search are multiplied by `caution` >= 1: the root does not depend on it. */
int exact_first_root(const exact_flow *f, const exact_watch *watch, long double from, long double until,
                     long double caution, long double *root);

#endif
