/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Many contacts: rounds (contact/many/rounds.h) as long as they come nearer fast; they cost least, and in
 * most piles Newton's method ends it from there. Else problems of ever less damping
 * (contact/many/damping_path.h) find the pattern, solved by Newton's method where few contacts change their
 * state, from piece to piece (contact/many/piecewise_path.h) where many do. Where they come no nearer they
 * begin anew elsewhere. */
#ifndef NSD_CONTACT_MANY_MANY_H
#define NSD_CONTACT_MANY_MANY_H

#include "contact/many/damping_path.h"
#include "contact/many/piecewise_path.h"
#include "contact/many/rounds.h"
#include "contact/planar/pattern.h"

typedef struct nsd_many {
  nsd_coupling coupling;
  nsd_rounds rounds;
  nsd_damped_newton active;
  nsd_piecewise_path straight;
  double *Lambda; /* rows: where it begins; then Λ₀ of the next problem */
  double epsilon; /* of that */
  int careful;    /* problems for which ε falls slowly */
  int wait;       /* problems that Newton's method does not try */
  int changes;    /* of states, in the last problem */
} nsd_many;

void nsd_many_lay_out(nsd_arena *arena, nsd_many *w, int contacts, int bilateral, int rows);

/* `start`: a pattern that each contact's law knows, or NULL; `near`: impulses to begin with, or NULL.
 * Improves on `best`. NSDYN_OK where that has become a solution, NSDYN_MAX_ITERATIONS where about so many
 * multiplications did not do, NSDYN_CANCELLED. */
nsdyn_status nsd_many_solve(nsd_many *w, const nsd_contact_data *d, const int32_t *start, const double *near,
                            double tol, double work, nsd_pattern_best *best, const nsdyn_context *ctx);

#endif
