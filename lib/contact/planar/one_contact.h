/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One contact alone, solved exactly: the other impulses stand still.
 *
 * Its velocities are ξ = y + G_ii Λ with G_ii symmetric, 2 × 2, and y what the others make. Of the states
 * that its law knows (contact/planar/states.h: at most six) each gives a Λ by its two equations; the one that
 * obeys the law is taken. */
#ifndef NSD_CONTACT_PLANAR_ONE_CONTACT_H
#define NSD_CONTACT_PLANAR_ONE_CONTACT_H

#include "contact/problem.h"

typedef struct nsd_planar_one_contact {
  double NN, NT, TT; /* the block of G; NT = TT = 0 without a tangential row */
  double stick;      /* 1 / det, 0 where the block is singular */
  double slip[2];    /* 1 / (NN + f μ NT), f = −1 and +1; 0 where that is not positive */
} nsd_planar_one_contact;

nsd_planar_one_contact nsd_planar_one_contact_of(const nsd_contact_data *d, const nsd_contact_spec *s);

/* Λ (N, T) of the contact, to begin with that of before; the T of a contact without friction is left alone.
 * y: two numbers, the second only where there is a tangential row. Where no state obeys the law, the one that
 * misses it least. */
void nsd_planar_one_contact_solve(const nsd_planar_one_contact *block, const nsd_contact_spec *s,
                                  const double *y, double *Lambda);

#endif
