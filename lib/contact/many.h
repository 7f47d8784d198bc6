/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Many contacts: rounds (contact/rounds.h) find the pattern, Newton's method on patterns (contact/active.h)
 * the digits, in turns, each for about as long as the other. */
#ifndef NSD_CONTACT_MANY_H
#define NSD_CONTACT_MANY_H

#include "contact/active.h"
#include "contact/pattern.h"
#include "contact/rounds.h"

typedef struct nsd_many {
  nsd_coupling coupling;
  nsd_rounds rounds;
  nsd_active active;
  double *Lambda; /* rows: zero, where it begins */
} nsd_many;

void nsd_many_lay_out(nsd_arena *arena, nsd_many *w, int contacts, int bilateral, int rows);

/* `start`: a pattern that each contact's law knows, or NULL. Improves on `best`. NSDYN_OK where that has
 * become a solution, NSDYN_MAX_ITERATIONS where about so many multiplications did not do, NSDYN_CANCELLED. */
nsdyn_status nsd_many_solve(nsd_many *w, const nsd_contact_data *d, const int32_t *start, double tol,
                            double work, nsd_pattern_best *best, const nsdyn_context *ctx);

#endif
