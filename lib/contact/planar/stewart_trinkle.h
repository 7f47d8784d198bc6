/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem as the LCP of Stewart & Trinkle (1996), here in the plane: for each contact with
 * friction
 *
 *   x = (Λ_N, β₊, β₋, σ),   y = (ξ_N, ξ_T + σ, −ξ_T + σ, μ Λ_N + bound − β₊ − β₋),   Λ_T = β₊ − β₋.
 *
 * Its matrix is copositive, as that of eq. 33 of Glocker & Studer is not, so Lemke's method ends with a
 * solution if c·Λ >= 0 for every Λ of the friction cones with G Λ = 0 (mathematics of a system with ŵ = 0 and
 * one ε grant that). It has a row more per contact, so it is the second choice. Contacts without friction or
 * with a known direction take one row; the latter forfeit the theorem. */
#ifndef NSD_CONTACT_PLANAR_STEWART_TRINKLE_H
#define NSD_CONTACT_PLANAR_STEWART_TRINKLE_H

#include "base/poll.h"
#include "contact/problem.h"

/* Zero for problems with a slot whose friction depends on its load: |Λ_N| has no such form. */
int nsd_stewart_trinkle_applies(const nsd_contact_data *d);

int nsd_stewart_trinkle_size(const nsd_contact_data *d);

/* Without bounds where there are no slots and no bilateral constraints. */
int nsd_stewart_trinkle_is_plain(const nsd_contact_data *d);

/* Whether no element of the LCP is rounded, so that what is proved of it is true of the contacts. */
int nsd_stewart_trinkle_is_exact(const nsd_contact_data *d, nsd_poll *poll);

/* A (size × size, row stride lda), b, lo, hi (size each). */
void nsd_stewart_trinkle_assemble(const nsd_contact_data *d, double *A, int lda, double *b, double *lo,
                                  double *hi, nsd_poll *poll);

/* Λ (rows) from x. */
void nsd_stewart_trinkle_impulses(const nsd_contact_data *d, const double *x, double *Lambda);

#endif
