/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One contact in space whose friction is bounded by a polygon: a law of its own (Stewart 2000,
 * eqs. 2.11–2.16), not only an approximation of the disk. It sticks, or Λ' is a corner, or on a side; each
 * gives Λ by linear equations, and one that obeys the law is taken: of several, sticking; else, where G is
 * definite and friction goes by the load, one near to where a disk would have it; else the first from the
 * first corner on. */
#ifndef NSD_CONTACT_SPACE_ONE_POLYGON_H
#define NSD_CONTACT_SPACE_ONE_POLYGON_H

#include "contact/space/one_contact.h"

/* Like nsd_one_contact_solve(); c_T = Aᵀ (c_T1, c_T2), and Λ = 0 does not obey the law. Where rounding leaves
 * no state that obeys it, the one that misses it least. */
int nsd_one_polygon_solve(const nsd_one_contact *block, const double *c, const double *c_T,
                          nsd_one_contact_answer *answer);

/* Every state that its linear equations allow, with what it misses of the law, a velocity; P_NN is not 0.
 * The same Λ may come of several, and Λ = 0 is not among them. `answer` is NULL where the equations of a
 * state have no single solution. */
typedef void nsd_one_polygon_visit(void *user, const nsd_one_contact_answer *answer, double miss);
void nsd_one_polygon_all(const nsd_one_contact *block, const double *c, const double *c_T,
                         nsd_one_polygon_visit *visit, void *user);

#endif
