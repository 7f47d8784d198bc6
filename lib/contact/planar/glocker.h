/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem as an LCP, y = A x + b, lo <= x <= hi: Glocker & Studer (2005), eq. 33, each contact's
 * rows together, and fewer of them wherever its law allows that. Bilateral constraints stand last.
 *
 *   contact                        x                       y                       Λ_T
 *   unilateral, Coulomb            Λ_N, Λ_R, ξ_L           ξ_N, ξ_R, Λ_L           Λ_R − μ Λ_N
 *     direction s known            Λ_N                     ξ_N                     −s μ Λ_N
 *     friction of given bound      Λ_N, Λ_T                ξ_N, ξ_T                within ±bound
 *       direction s known          Λ_N                     ξ_N                     −s bound
 *     frictionless, μ or bound 0   Λ_N                     ξ_N                     0
 *   slot, Coulomb                  Λ_N, N⁺, Λ_R, ξ_L       0, N⁻, ξ_R, Λ_L         Λ_R − μ |Λ_N|
 *     direction s known            Λ_N, N⁺                 0, N⁻                   −s μ |Λ_N|
 *     else                         as above, Λ_N free
 *   bilateral constraint           Λ free                  0
 *
 * In a slot |Λ_N| = N⁺ + N⁻ = 2 N⁺ − Λ_N, as N⁺ ⊥ N⁻. */
#ifndef NSD_CONTACT_PLANAR_GLOCKER_H
#define NSD_CONTACT_PLANAR_GLOCKER_H

#include "base/arena.h"
#include "base/poll.h"
#include "contact/problem.h"

/* Unknowns of a contact, 1 … 4; of all. */
int nsd_glocker_unknowns(const nsd_contact_spec *s);
int nsd_glocker_size(const nsd_contact_data *d);

/* Whether all bounds are 0 and infinity. */
int nsd_glocker_is_plain(const nsd_contact_data *d);

/* Whether no element of the LCP is rounded, so that what is proved of it is true of the contacts. */
int nsd_glocker_is_exact(const nsd_contact_data *d, nsd_poll *poll);

/* A (size × size, row stride lda), b, lo, hi (size each). */
void nsd_glocker_assemble(const nsd_contact_data *d, double *A, int lda, double *b, double *lo, double *hi,
                          nsd_poll *poll);

/* Λ (rows) from x. */
void nsd_glocker_impulses(const nsd_contact_data *d, const double *x, double *Lambda);

/* The LCP as text, for other solvers and for people, by nsdyn_lcp_write_text(); its numbers stand in the
 * arena meanwhile, which is reserved for them. With a contact in space it is that of
 * contact/space/solve/pyramid.h. 0 where there is no memory for it, or no such form. */
size_t nsd_glocker_write_text(const nsd_contact_data *d, nsd_arena *arena, char *text, size_t size);

#endif
