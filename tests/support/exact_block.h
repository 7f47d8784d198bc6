/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Housner's rocking block (1963) without his small angles: a rectangle, 2 b wide and 2 c high, that turns
 * about one lower corner, falls flat, and goes on about the other, on a floor so rough that no corner slips.
 *
 * With ψ the angle from the standing corner to the centre, measured from the vertical, ψ̈ = p² sin ψ, p² = 3 g
 * / (4 R), R² = b² + c²: a pendulum upside down. Flat means ψ = α, tan α = b / c. The blow keeps the angular
 * momentum about the new corner: the spin falls by r = 1 − (3/2) sin² α. */
#ifndef TESTS_SUPPORT_EXACT_BLOCK_H
#define TESTS_SUPPORT_EXACT_BLOCK_H

typedef struct exact_block {
  double b, c, g;
  double tilt; /* the angle from flat at which it is let go, in (0, α) */
} exact_block;

/* r; what follows is right where it is positive. */
long double exact_block_ratio(const exact_block *block);

/* Time of blow k = 1, 2, …, and the spin right before it. */
long double exact_block_blow(const exact_block *block, int k, long double *spin);

/* The largest angle from flat between blows k and k + 1. */
long double exact_block_peak(const exact_block *block, int k);

/* When all is over. */
long double exact_block_rest(const exact_block *block);

/* The least friction with which no corner slips in a blow. */
long double exact_block_friction(const exact_block *block);

#endif
