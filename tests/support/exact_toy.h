/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker's equations (Glocker & Studer 2005, eqs. 13–16), as its exact solution uses them. */
#ifndef TESTS_SUPPORT_EXACT_TOY_H
#define TESTS_SUPPORT_EXACT_TOY_H

#include "exact_woodpecker.h"

/* M u̇ = h_g − c d s + Σ w λ with s = d·q = φ_M − φ_S */
typedef struct exact_toy {
  long double M[EXACT_DOF][EXACT_DOF];
  long double M_inverse[EXACT_DOF][EXACT_DOF];
  long double weight[EXACT_DOF]; /* h_g */
  long double stiffness;
  long double gap[EXACT_CONTACTS];             /* at q = 0 */
  long double w[EXACT_CONTACTS][2][EXACT_DOF]; /* w_N, w_T */
  long double mu[EXACT_CONTACTS];
  long double eps_N[EXACT_CONTACTS];
  long double rate;                             /* √(c/J_M): what a second is to this toy */
  long double zero_gap, zero_speed, zero_force; /* far below what matters, far above rounding */
} exact_toy;

void exact_toy_make(const exact_woodpecker *model, exact_toy *toy);

exact_watch exact_toy_gap(const exact_toy *toy, int i);
int exact_toy_is_closed(const exact_toy *toy, int i, const long double *q);
long double exact_toy_speed(const exact_toy *toy, int i, int tangent, const long double *u);
long double exact_toy_spring(const long double *q);

/* γ̇ = G λ + c_0 + c_1 s of the contacts named by index[k]; sets all but k. */
void exact_toy_forces(const exact_toy *toy, const int *index, exact_contacts *p);

/* a, b and d of the motion under the forces of a solved problem. */
void exact_toy_motion(const exact_toy *toy, const int *index, const exact_contacts *p,
                      const exact_impulses *x, exact_flow *flow);

/* ξ = G Λ + c_0, ξ_N = γ_N⁺ + ε_N γ_N⁻, ξ_T = γ_T⁺; sets all but k. A bounce too slow to matter is none:
 * endlessly many end there. */
void exact_toy_impact(const exact_toy *toy, const int *index, const long double *u, exact_contacts *p);

/* u := u + M⁻¹ Wᵀ Λ */
void exact_toy_kick(const exact_toy *toy, const int *index, int k, const long double *Lambda, long double *u);

#endif
