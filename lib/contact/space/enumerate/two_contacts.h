/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of one or two contacts, of which one is in space, with bilateral rows or without.
 *
 * Every pair of modes is looked at (enumerate/contact_modes.h). Where none slides against a disk it is a
 * linear system: a point, or, where G lets two impulses hold each other, a line, of which a piece obeys the
 * laws. Where one or two do it is a certified search for their speeds (enumerate/slides.h). Every point
 * passes the certificate. What rounding might hide or feign makes the census doubtful: a law that holds or
 * fails by next to nothing, a part of the square that is not decided, more than one dependence. G that is
 * singular but for rounding counts as singular. */
#ifndef NSD_CONTACT_SPACE_ENUMERATE_TWO_CONTACTS_H
#define NSD_CONTACT_SPACE_ENUMERATE_TWO_CONTACTS_H

#include "base/arena.h"
#include "base/poll.h"
#include "contact/dependent_constraints.h"
#include "contact/enumerate/enumerate.h"
#include "contact/problem.h"

/* Whether it takes the problem: one or two contacts, G a matrix. */
int nsd_space_is_for_two(const nsd_contact_data *d);

/* Statuses as nsd_census_all(). least: of d, read; for redundant rows. Where the bilateral rows contradict
 * each other nothing is looked at, and the census is doubtful. */
nsdyn_status nsd_space_enumerate_two(nsd_arena *room, const nsd_contact_data *d, const nsd_constraints *least,
                                     const nsd_census_options *options, nsd_poll *poll,
                                     nsd_contact_visit *visit, void *user, nsdyn_contact_census *census);

#endif
