/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How the woodpecker toy of examples/woodpecker looks: pole, sleeve, woodpecker, and what acts on them. */
#ifndef EXAMPLES_COMMON_TOY_H
#define EXAMPLES_COMMON_TOY_H

#include "movie.h"

/* Glocker & Studer (2005), Table I. */
typedef struct toy_look {
  double r_O, r_M, h_M, l_M, l_G, h_S, l_S; /* m */
  double m_M, m_S, J_M, J_S, c_phi, g;      /* kg, kg m^2, N m/rad, m/s^2 */
} toy_look;

/* NULL without --html. */
movie *toy_film(const output *out, const toy_look *p, double t_end);

/* A frame, where one is due; q = (y, φ_M, φ_S). Returns whether it was. */
int toy_show(movie *film, const toy_look *p, double t, const double *q, const double *u);

/* What presses in the last frame at contact i (beak, lower and upper edge), normal and tangential; or, where
 * `is_impulse`, what did at t. */
void toy_push(movie *film, const toy_look *p, int i, const double *q, const double *force, int is_impulse,
              double t);

#endif
