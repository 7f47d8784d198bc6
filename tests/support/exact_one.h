/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One planar frictional contact, every physical solution in closed form: γ̇ = G λ + c (or γ⁺ = G Λ + c). */
#ifndef TESTS_SUPPORT_EXACT_ONE_H
#define TESTS_SUPPORT_EXACT_ONE_H

#include "exact_modes.h"

#define EXACT_ANSWERS_MOST 5

typedef struct exact_one {
  double G[2][2]; /* rows and columns N, T; symmetric positive definite */
  double c[2];
  double mu;
} exact_one;

typedef struct exact_answer {
  exact_mode mode;
  double lambda[2];
  double gamma[2];
} exact_answer;

typedef struct exact_answers {
  int count;     /* different (λ, γ̇); one that two modes meet in counts once */
  int continuum; /* one of them is a whole ray or segment: its end with the smallest force is listed */
  exact_answer answer[EXACT_ANSWERS_MOST];
} exact_answers;

/* p = G_NN − s μ G_NT: what a normal force does to the normal acceleration of a contact that slides with sign
 * s. */
double exact_one_p(const exact_one *p, int s);

/* Unilateral. slip: the sign of γ_T where the contact slides, and its friction is known; 0 where γ_T = 0 and
 * all four modes may be. */
exact_answers exact_one_unilateral(const exact_one *p, int slip);

/* Bilateral with friction: γ̇_N = 0, |λ_T| <= μ |λ_N|, λ_N of either sign. `answer.mode` is stick or slip. */
exact_answers exact_one_bilateral(const exact_one *p);

#endif
