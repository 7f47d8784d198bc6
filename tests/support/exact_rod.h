/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Painlevé's rod (Stewart 2000, §1.3 and Fig. 2.4): a uniform rod whose lower end meets a rough table.
 *
 * q = (x, y, θ): centre of mass and angle from the table, 0 < θ < π, counter-clockwise. The lower end is at
 * x − (l/2) cos θ, y − (l/2) sin θ; its velocities are γ_T and γ_N. Paradox: p < 0, where pressing on the end
 * lifts it less than friction turns it into the table (possible only for μ > 4/3). */
#ifndef TESTS_SUPPORT_EXACT_ROD_H
#define TESTS_SUPPORT_EXACT_ROD_H

#include "exact_one.h"

typedef struct exact_rod {
  double m;
  double l;
  double mu;
  double g;
} exact_rod;

typedef struct exact_rod_state {
  double t;
  double q[3];
  double u[3];
} exact_rod_state;

/* The rod on the table: lower end at x = 0, y = 0, with speed γ_T along it and γ_N = 0. */
exact_rod_state exact_rod_on_table(const exact_rod *rod, double theta, double spin, double gamma_T);

double exact_rod_gap(const exact_rod *rod, const exact_rod_state *s);
double exact_rod_gamma(const exact_rod *rod, const exact_rod_state *s, int tangent);

/* The contact at acceleration level; c = (b, …), b = (l/2) sin θ θ̇² − g. */
exact_one exact_rod_contact(const exact_rod *rod, const exact_rod_state *s);

/* Sliding to the left (γ_T < 0), p < 0 for tan θ between these two angles; returns 0 where μ <= 4/3 and there
 * are none. Sliding to the right: π minus them. */
int exact_rod_paradox(double mu, double *least, double *most);

/* The impact without collision that ends a slide in the paradox: Λ = −γ_T G⁻¹ e_T stops the end, γ_N stays 0.
 * Returns whether it lies in the friction cone, which is to say whether p <= 0. */
int exact_rod_jam(const exact_rod *rod, const exact_rod_state *s, double *Lambda);

/* Adds M⁻¹ Wᵀ Λ to u. */
void exact_rod_kick(const exact_rod *rod, const double *Lambda, exact_rod_state *s);

/* Free flight until the lower end touches; 0 where it does not within `span`. */
int exact_rod_fall(const exact_rod *rod, double span, exact_rod_state *s);

/* Newton's impact, ε_N = ε, ε_T = 0, in closed form. Returns its mode; −1 where there is not exactly one. */
int exact_rod_impact(const exact_rod *rod, double eps, double *Lambda, exact_rod_state *s);

/* What ends a piece of the motion. */
typedef enum exact_rod_end {
  EXACT_ROD_TIME,    /* nothing within the span */
  EXACT_ROD_LIFT,    /* λ_N = 0 */
  EXACT_ROD_SLIP,    /* |λ_T| = μ λ_N, from sticking */
  EXACT_ROD_STOP,    /* γ_T = 0, from sliding */
  EXACT_ROD_FLAT,    /* the rod lies on the table */
  EXACT_ROD_SINGULAR /* p < 1e-9 G_NN: the point p = b = 0, beyond which nothing can be foretold */
} exact_rod_end;

/* The lower end stays where it is and the rod turns about it. */
exact_rod_end exact_rod_turn(const exact_rod *rod, double span, exact_rod_state *s);

/* The lower end slides, p > 0, the way γ_T says, or from rest the way it must. Integrated in the time τ with
 * dt = p m dτ, in which nothing is singular: p = 0 with b < 0 is met nowhere, and slides that turn into the
 * paradox run into p = b = 0. */
exact_rod_end exact_rod_slide(const exact_rod *rod, double span, exact_rod_state *s);

#endif
