/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Every way in which one or two contacts can slide against disks, while what else there is is linear.
 *
 * Sliding is Λ_T = −ξ_T/s with an unknown s > 0 each, beside
 *
 *   (K + diag(s)) y = r,  s in the rows of the sliding contacts' tangents alone,
 *   ‖y_T‖ = μ y_N, or a given bound.
 *
 * With s = x/(1 − x), x in (0, 1), Cramer's rule makes y a quotient of polynomials of degree two in each x,
 * whose coefficients in Bernstein's basis are sums of principal minors of K: nothing cancels there that does
 * not cancel in K. ‖T‖² − μ² N² and the like are one or two polynomials of degree four in as many unknowns.
 * The square is halved until each part is proved to hold no root, or just one (Krawczyk 1969); a part for
 * which rounding allows neither is undecided. */
#ifndef NSD_CONTACT_SPACE_ENUMERATE_SLIDES_H
#define NSD_CONTACT_SPACE_ENUMERATE_SLIDES_H

#include <stdint.h>

#include "contact/space/enumerate/bernstein.h"

enum { NSD_SLIDES_ROWS = 6, NSD_SLIDES_STACK = 96 };

typedef struct nsd_slide {
  int normal;       /* unknown that is Λ_N; −1: there is none, then the bound is given */
  int tangent;      /* the first of both that are Λ_T */
  int is_one_sided; /* Λ_N < 0 is of no interest */
  double mu;        /* ‖y_T‖ = μ |y_N| + bound: one of them is 0 */
  double bound;
} nsd_slide;

typedef struct nsd_slides {
  int n, count;                                                    /* unknowns; sliding contacts: 1 or 2 */
  double K[NSD_SLIDES_ROWS * NSD_SLIDES_ROWS], r[NSD_SLIDES_ROWS]; /* with a diagonal of about ones */
  nsd_slide slide[2];
} nsd_slides;

/* Numerators: the determinant, and times it y_N, y_T1, y_T2 of each sliding contact. */
enum { NSD_SLIDES_QUOTIENTS = 7 };

/* A part of the square, and the polynomials there. */
typedef struct nsd_slides_box {
  double low[2], width[2];
  nsd_bernstein f[2]; /* to be zero */
  nsd_bernstein P[NSD_SLIDES_QUOTIENTS];
} nsd_slides_box;

typedef struct nsd_slides_count {
  int64_t boxes;     /* looked at */
  int64_t undecided; /* of them in the end */
} nsd_slides_count;

/* y (n) of each root to `visit`. stack: NSD_SLIDES_STACK boxes. At most so many boxes are looked at. */
nsd_slides_count nsd_slides_find(const nsd_slides *p, nsd_slides_box *stack, int64_t most,
                                 void visit(void *user, const double *y), void *user);

#endif
