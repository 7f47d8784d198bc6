/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of one contact in space alone, as points of a census.
 *
 *   friction by load on an ellipse   open, sticking, and the roots of a quartic (space/sliding_roots.h)
 *   on a polygon                     open, sticking, corners and sides (space/one_polygon.h)
 *   given bound on an ellipse        one, where G is definite
 *   known direction                  one number, Λ_N
 *
 * Every point passes the certificate. Where rounding might hide or feign one, or G is singular, so that
 * points may hang together, the census is doubtful: it lists what was found and is not called complete. */
#ifndef NSD_CONTACT_SPACE_ENUMERATE_ONE_H
#define NSD_CONTACT_SPACE_ENUMERATE_ONE_H

#include "contact/problem.h"

/* One contact with three rows, no bilateral ones; G is a matrix. Statuses as nsd_census_all(). */
nsdyn_status nsd_space_enumerate_one(const nsd_contact_data *d, double tol, nsd_contact_visit *visit,
                                     void *user, nsdyn_contact_census *census);

#endif
