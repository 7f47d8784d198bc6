/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of one contact in space with friction by load on an ellipse.
 *
 * With p(s) = s b + adj(S) b and det(s) = det(S + s), Λ' = −p/det and Λ_N = (n det + g·p)/det, so that
 * ‖Λ'‖ = μ Λ_N becomes μ² (n det + g·p)² = ‖p‖², of degree four in s (Bonnefon & Daviet 2011). A polynomial
 * has at most one root between two of its derivative: so its roots are found by halving, those above 1 as
 * those of the polynomial reversed; H mends their digits. */
#ifndef NSD_CONTACT_SPACE_SLIDING_ROOTS_H
#define NSD_CONTACT_SPACE_SLIDING_ROOTS_H

#include "contact/space/one_contact.h"

#define NSD_SLIDING_ROOTS 8

/* Returns how many; open and sticking first, then sliding with growing s. P_NN is not 0. Where rows of G
 * depend on each other there may be more: one of each kind is listed. *doubtful (may be NULL): rounding might
 * hide or feign a root. */
int nsd_sliding_roots(const nsd_one_contact *block, const double *c, nsd_one_contact_answer *answers,
                      int *doubtful);

#endif
