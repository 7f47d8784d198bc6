/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Block Gauss–Seidel with acceleration, for hundreds of contacts and more.
 *
 * A round solves contact after contact, each exactly (contact/planar/one_contact.h), with what the others
 * have at that moment, then all bilateral constraints at once. Where impulses pass through many bodies it
 * creeps: a tower of 26 boxes takes 260 000 rounds. Anderson's acceleration (many/anderson.h) combines the
 * last ones.
 */
#ifndef NSD_CONTACT_MANY_ROUNDS_H
#define NSD_CONTACT_MANY_ROUNDS_H

#include "contact/many/anderson.h"
#include "contact/many/coupling.h"
#include "contact/many/envelope_lu.h"
#include "contact/planar/one_contact.h"

typedef struct nsd_rounds {
  const nsd_coupling *k;
  nsd_planar_one_contact *local; /* contacts */
  nsd_envelope constraints;      /* their block of G in factors */
  nsd_anderson acceleration;     /* weights G_ii, which make changes of impulses energies */
  double work;                   /* multiplications of a round, about */
} nsd_rounds;

void nsd_rounds_lay_out(nsd_arena *arena, nsd_rounds *w, int contacts, int bilateral, int rows);

/* Prepares what rounds need of G. NSDYN_CANCELLED where the poll says so. */
nsdyn_status nsd_rounds_begin(nsd_rounds *w, const nsd_coupling *k, nsd_poll *poll);

/* The next round begins at Λ, with nothing to combine it with. */
void nsd_rounds_start(nsd_rounds *w, const double *Lambda);

/* One round and its acceleration: x of that is where the next begins, `best` the Λ to ask for. */
void nsd_rounds_step(nsd_rounds *w);

#endif
