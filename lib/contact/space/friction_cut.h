/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where a cut goes through the set C of friction impulses (contact/space/friction.h): what is left of C in
 * expansion is
 *
 *   {Λ_T in C : e·Λ_T >= b},  b = back − keep μ Q,
 *
 * and its edge along the cut is a chord of C. Where the point of C next to z is cut off, the nearest that is
 * left is on the chord: a point off it would have C alone around it, and be the nearest of all C. */
#ifndef NSD_CONTACT_SPACE_CHORD_H
#define NSD_CONTACT_SPACE_CHORD_H

#include "contact/problem.h"

typedef struct nsd_chord {
  double along[2];   /* unit vector along the chord; in the plane 0 */
  double end[2][2];  /* its ends, the one that is farther along second; in the plane the same point */
  double rate[2][2]; /* d end / d limit */
  double shift[2];   /* d (a point between the ends) / d limit */
} nsd_chord;

/* Whether p (tangents) is on the side that is not there any more. */
int nsd_chord_cuts_off(const nsd_contact_spec *s, double limit, const double *p);

/* limit: μ Q. The spec is cut (nsd_friction_is_cut). */
void nsd_chord_of(const nsd_contact_spec *s, double limit, nsd_chord *chord);

/* p (tangents) := the point of the chord next to z. */
void nsd_chord_nearest(const nsd_chord *chord, const double *z, int tangents, double *p);

/* D (tangents × tangents) := its derivative in z, and d (tangents) in the limit. */
void nsd_chord_derivative(const nsd_chord *chord, const double *z, int tangents, double *D, double *d);

#endif
