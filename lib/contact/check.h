/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The public contact problem, checked, and turned into the form of contact/problem.h. */
#ifndef NSD_CONTACT_CHECK_H
#define NSD_CONTACT_CHECK_H

#include "base/failure.h"
#include "base/poll.h"
#include "base/sized.h"
#include "base/tolerances.h"
#include "contact/problem.h"

#define NSD_CONTACT_PROBLEM_LEAST NSD_SIZE_THROUGH(nsdyn_contact_problem, dt)

/* Copies `given` into `own`, as far as the caller's struct goes, and checks everything: laws, counts, that
 * G is finite and symmetric with a diagonal that is not negative, c, coefficients, sliding directions, Δt.
 * The message names contact or row, and the field. After a success nothing of `own` has to be looked at
 * again. *differs (may be NULL): whether an element of G differs from its mirror at all. The poll, which
 * may be NULL, is asked on the way, but nothing ends early. */
nsdyn_status nsd_contact_check(nsdyn_contact_problem *own, const nsdyn_contact_problem *given, int *differs,
                               nsd_fault *fault, nsd_poll *poll);

/* G (rows × rows) := the data's, each pair of elements that differs by no more than rounding averaged. */
void nsd_contact_average(const nsd_contact_data *d, double *G, nsd_poll *poll);

/* Law i of a problem whose laws' sizes are checked: they stand one behind the other as the caller's compiler
 * laid them out, which may be an older struct. */
const nsdyn_contact_law *nsd_contact_law_at(const nsdyn_contact_problem *p, int i);

/* Contact i of a checked problem, its first row being `row`. `space` is filled in where it is one in space,
 * and then belongs to the spec; NULL where there are none. */
nsd_contact_spec nsd_contact_spec_of(const nsdyn_contact_problem *checked, int i, int row,
                                     nsd_contact_space *space);

/* Whether a contact of a checked problem is in space; which is the first, −1 where none is. */
int nsd_contact_first_in_space(const nsdyn_contact_problem *checked);

/* NSDYN_ERR_UNSUPPORTED where one is: `what`, such as "the LCP of eq. 33", is for contacts in the plane. */
nsdyn_status nsd_contact_check_planar(const nsdyn_contact_problem *checked, const char *what,
                                      nsd_fault *fault);

/* The whole checked problem without its spec, which is the caller's to fill (contacts). */
nsd_contact_data nsd_contact_data_of(const nsdyn_contact_problem *checked);
void nsd_contact_fill_spec(const nsdyn_contact_problem *checked, nsd_contact_spec *spec,
                           nsd_contact_space *space);

#endif
