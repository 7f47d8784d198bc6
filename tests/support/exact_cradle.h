/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Balls in a row (Newton's cradle): what the impact laws say where all touch at once, and what comes of gaps.
 */
#ifndef TESTS_SUPPORT_EXACT_CRADLE_H
#define TESTS_SUPPORT_EXACT_CRADLE_H

#define EXACT_BALLS_MOST 10

typedef struct exact_cradle {
  int k;                              /* balls from left to right, 1 … EXACT_BALLS_MOST */
  long double mass[EXACT_BALLS_MOST]; /* > 0 */
  long double eps[EXACT_BALLS_MOST];  /* of contact i, between balls i and i + 1 */
  long double v[EXACT_BALLS_MOST];    /* before */
} exact_cradle;

/* γ_i = v_{i+1} − v_i. Newton: 0 <= Λ ⊥ γ⁺ + ε γ⁻ >= 0. The matrix is positive definite: one solution.
 * Returns 0 where the enumeration does not find exactly one. */
int exact_cradle_newton(const exact_cradle *p, long double *v, long double *Lambda);

/* Poisson: compression 0 <= Λ_C ⊥ γ_C >= 0, then expansion 0 <= Λ_E − ε Λ_C ⊥ γ_E >= 0; Λ = Λ_C + Λ_E. */
int exact_cradle_poisson(const exact_cradle *p, long double *v, long double *Lambda);

/* With gaps between the balls: one collision of two after the other, until none approaches. Returns how many,
 * −1 where there are more than `most`. */
int exact_cradle_collide(const exact_cradle *p, const long double *gap, int most, long double *v);

#endif
