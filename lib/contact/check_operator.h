/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* nsdyn_contact_operator, checked and read. */
#ifndef NSD_CONTACT_CHECK_OPERATOR_H
#define NSD_CONTACT_CHECK_OPERATOR_H

#include "base/failure.h"
#include "base/poll.h"
#include "contact/problem.h"
#include "contact/space/operator.h"

#define NSD_CONTACT_OPERATOR_LEAST NSD_SIZE_THROUGH(nsdyn_contact_operator, value)

/* Everything but that the blocks of M⁻¹ are positive definite, which shows where they are read: counts,
 * places of elements, that all are finite, G's symmetry. The message names the field, or the row or body in
 * it. */
nsdyn_status nsd_contact_check_operator(const nsdyn_contact_operator *given, int rows, nsd_fault *fault,
                                        nsd_poll *poll);

/* NSDYN_ERR_UNSUPPORTED where there is an operator: `what` reads G as a matrix. */
nsdyn_status nsd_contact_check_matrix(const nsdyn_contact_problem *checked, const char *what,
                                      nsd_fault *fault);

/* The operator of a checked problem, and room for the terms of its rows, in the arena. Contacts' specs are
 * there. NSDYN_ERR_NOT_DEFINITE where a block of M⁻¹ is not; NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE,
 * NSDYN_CANCELLED. */
nsdyn_status nsd_contact_read_operator(const nsdyn_contact_operator *checked, const nsdyn_contact_problem *p,
                                       nsd_arena *arena, nsd_operator *op, nsd_contact_terms *terms,
                                       nsd_fault *fault, nsd_poll *poll);

#endif
