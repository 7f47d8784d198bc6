/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What one contact can do, each as unknowns y with Λ = B y + o and as many equations Cᵀ ξ = 0, and what is to
 * hold then.
 *
 *   open              Λ = 0, ξ_N >= 0
 *   stick             Λ as it wants, ξ = 0, Λ_T in C
 *   slip              in the plane both directions; on a polygon a corner each, and a side each, on which
 *                     Λ_T is two numbers; on a disk or ellipse one unknown direction
 * (contact/space/enumerate/ slides.h) known direction   open, or Λ_T as large as it can be
 *
 * A slot is never open, and presses to either side. A given bound goes with Λ_N = 0 as well as with ξ_N = 0.
 */
#ifndef NSD_CONTACT_SPACE_ENUMERATE_CONTACT_MODES_H
#define NSD_CONTACT_SPACE_ENUMERATE_CONTACT_MODES_H

#include "contact/problem.h"

typedef struct nsd_mode {
  int unknowns;
  int slides; /* against a disk: the last two unknowns are A⁻¹ Λ_T, and their equations A⁻¹… have − s y */
  int is_held;             /* sticks: Λ_T is in C */
  int is_share;            /* the last unknown is at most 1 */
  int positive;            /* bits: unknowns that are >= 0 */
  int velocities;          /* w·ξ >= 0 */
  double B[3][3], C[3][3]; /* one unknown, or equation, a row */
  double o[3], w[3][3];    /* open, and at a corner two */
} nsd_mode;

/* How many modes; 0 of a law that has none here. */
int nsd_modes_of(const nsd_contact_spec *s);

void nsd_mode_at(const nsd_contact_spec *s, int index, nsd_mode *mode);

/* A of the law: Λ_T = A Λ', by rows, where its set is one about a circle of radius 1. */
void nsd_mode_axes(const nsd_contact_spec *s, double *A);

#endif
