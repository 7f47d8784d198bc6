/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One or two (or three) planar frictional contacts, mode by mode: for given modes the impulses follow from
 * linear equations, ξ = G Λ + c. What fits is for the caller to judge. */
#ifndef TESTS_SUPPORT_EXACT_MODES_H
#define TESTS_SUPPORT_EXACT_MODES_H

typedef enum exact_mode { EXACT_OPEN, EXACT_STICK, EXACT_PLUS, EXACT_MINUS } exact_mode;

#define EXACT_MODES 4
#define EXACT_CLOSED_MOST 2
#define EXACT_ROWS (2 * EXACT_CLOSED_MOST)

/* Rows N, T of contact 0, then of contact 1. c has two columns: right-hand sides c_0 + c_1 s. */
typedef struct exact_contacts {
  int k;
  long double mu[EXACT_CLOSED_MOST];
  long double G[EXACT_ROWS][EXACT_ROWS];
  long double c[EXACT_ROWS][2];
} exact_contacts;

/* Λ = Λ_0 + Λ_1 s; where the modes leave one impulse free (two contacts that stick, on three degrees of
 * freedom), also + α null. */
typedef struct exact_impulses {
  long double Lambda[EXACT_ROWS][2];
  long double null[EXACT_ROWS]; /* zero where Λ is unique */
} exact_impulses;

/* Open: Λ = 0. Slip: ξ_N = 0, Λ_T = ∓ μ Λ_N. Stick: ξ_N = ξ_T = 0. Returns 0 where these contradict each
 * other. */
int exact_modes_solve(const exact_contacts *p, const exact_mode *mode, exact_impulses *out);

/* Moves Λ_0 along the null direction to the middle of where all normal impulses are >= 0 and all sticking
 * contacts within their friction, with the given s; 0 where there is no such place. */
int exact_modes_centre(const exact_contacts *p, const exact_mode *mode, long double s, exact_impulses *out);

/* Newton's impact on all contacts: c_0 is the free ξ, c_1 = 0. Returns how many different ξ fit, and the
 * first found with its modes. Signs hold to within `zero`, for impulses zero/G_NN. */
int exact_modes_impact(const exact_contacts *p, long double zero, exact_mode *mode, long double *Lambda);

#endif
