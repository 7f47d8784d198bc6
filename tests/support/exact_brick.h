/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The brick of Stewart (2000), §1.1 and §4.3, in closed form: on a ramp, and on a belt behind a spring. */
#ifndef TESTS_SUPPORT_EXACT_BRICK_H
#define TESTS_SUPPORT_EXACT_BRICK_H

/* On a ramp, x and v downhill positive. Static friction at least the dynamic one; once at rest, the
 * brick moves again only if its weight overcomes the static one. */
typedef struct exact_ramp {
  double g;
  double theta;
  double mu_static;
  double mu_dynamic;
  double x;
  double v; /* at t = 0 */
} exact_ramp;

/* When v is zero for the first time: 0 where it begins so, infinite where it never is. */
double exact_ramp_stop(const exact_ramp *p);
int exact_ramp_stays(const exact_ramp *p); /* whether it stays where it stops */
void exact_ramp_at(const exact_ramp *p, double t, double *x, double *v);

/* Friction that falls with speed, μ(v) = μ_∞ + (μ_0 − μ_∞) exp(−|v|/v_s): downhill with v > 0. */
typedef struct exact_falling {
  double mu_0;
  double mu_inf;
  double v_s;
} exact_falling;

double exact_falling_mu(const exact_falling *law, double speed);

/* For a ramp with v > 0 (its own coefficients are not used): x and v until the stop, if there is one. */
double exact_falling_stop(const exact_ramp *p, const exact_falling *law);
void exact_falling_at(const exact_ramp *p, const exact_falling *law, double t, double *x, double *v);

/* On a belt of speed V > 0, held by a spring: the stick–slip oscillation. */
typedef struct exact_belt {
  double g;
  double omega; /* √(k/m) */
  double V;
  double mu_static;
  double mu_dynamic;
} exact_belt;

typedef struct exact_belt_cycle {
  double slip; /* how long it slips */
  double stick;
  double period;
  double x_start; /* where slip begins: the spring at the static limit; v = V */
  double x_stop;  /* where it ends */
} exact_belt_cycle;

exact_belt_cycle exact_belt_solve(const exact_belt *p);
/* At a time t >= 0 after a slip began; returns whether the brick sticks. */
int exact_belt_at(const exact_belt *p, double t, double *x, double *v);

/* The same with friction that falls with speed: slip by an integrator of order 16. Where the spring pulls
 * more than the belt can hold once the speeds are equal again, nothing sticks: stick and period are 0. */
exact_belt_cycle exact_belt_falling(const exact_belt *p, const exact_falling *law);

#endif
