/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contact problems as text, on memory: the format is that of nsdyn_contact_read_text() in nsdyn/contact.h.
 * Reading allocates nothing, and its time is linear in the text's length and the elements of G. */
#ifndef NSD_CONTACT_TEXT_H
#define NSD_CONTACT_TEXT_H

#include "base/arena.h"
#include "base/poll.h"
#include "contact/problem.h"

/* As nsdyn_contact_read_text(), with a fault in the object's place (NULL: only the status) and a
 * poll (NULL: none). */
nsdyn_status nsd_contact_read_text(const char *text, size_t length, nsdyn_contact_problem *problem,
                                   void *memory, size_t *size, nsd_fault *fault, nsd_poll *poll);

/* The problem of a step or an instant: in the plane as the LCP of eq. 33, with a contact in space as
 * nsdyn_contact_write_text() writes it, one law for each contact, whose bound is an impulse (Δt is 1). What
 * is made for it stands in the arena, which is reserved for it. 0 where there is no memory. */
size_t nsd_contact_write_data(const nsd_contact_data *d, nsd_arena *arena, char *text, size_t size);

#endif
