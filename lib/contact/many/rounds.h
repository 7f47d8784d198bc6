/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Block Gauss–Seidel with acceleration, for hundreds of contacts and more.
 *
 * A round solves contact after contact, each exactly (contact/planar/one_exact.h), with what the others have
 * at that moment, then all bilateral constraints at once. Where impulses pass through many bodies it creeps:
 * a tower of 26 boxes takes 260 000 rounds. Anderson's acceleration (Walker & Ni 2011) combines the last
 * rounds such that the change that a round would still make is least; where that change grows all the same,
 * it begins anew from the best point, so that it does no worse than the rounds alone but for what it cost. */
#ifndef NSD_CONTACT_MANY_ROUNDS_H
#define NSD_CONTACT_MANY_ROUNDS_H

#include "contact/many/coupling.h"
#include "contact/many/envelope_lu.h"
#include "contact/planar/one_exact.h"

enum { NSD_ROUNDS_DEPTH = 8 }; /* rounds that are combined */

typedef struct nsd_rounds {
  const nsd_coupling *k;
  nsd_one_exact *local;     /* contacts */
  nsd_envelope constraints; /* their block of G in factors */
  double *weight;           /* rows: G_ii, which makes changes of impulses energies */
  double *x;                /* rows: where the next round begins */
  double *best;             /* rows: what the round with the smallest change has made */
  double *g, *f;            /* rows: what a round made of x, and the change */
  double *last_g, *last_f;  /* rows: of the round before */
  double *dg, *df;          /* NSD_ROUNDS_DEPTH × rows: their differences; those of f times the weights */
  double gram[NSD_ROUNDS_DEPTH][NSD_ROUNDS_DEPTH]; /* df · df, by the weights */
  int depth, next;                                 /* how many differences there are; where the next goes */
  int is_first;                                    /* there is no round before */
  double change, least;                            /* of this round; of all since the last restart */
  double work;                                     /* multiplications of a round, about */
} nsd_rounds;

void nsd_rounds_lay_out(nsd_arena *arena, nsd_rounds *w, int contacts, int bilateral, int rows);

/* Prepares what rounds need of G. NSDYN_CANCELLED where the poll says so. */
nsdyn_status nsd_rounds_begin(nsd_rounds *w, const nsd_coupling *k, nsd_poll *poll);

/* The next round begins at Λ, with nothing to combine it with. */
void nsd_rounds_start(nsd_rounds *w, const double *Lambda);

/* One round and its acceleration: w->x is where the next begins, w->best the Λ to ask for. */
void nsd_rounds_step(nsd_rounds *w);

#endif
