/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Anderson's acceleration (Walker & Ni 2011) of rounds x → g(x), whose fixed point is wanted.
 *
 * The next round begins at a combination of the last ones, such that the change f = g − x that a round would
 * still make is least, measured by weights w: |f|² = Σ w f². Where that change grows all the same, it begins
 * anew from the best point, so that it does no worse than the rounds alone but for what it cost. */
#ifndef NSD_CONTACT_MANY_ANDERSON_H
#define NSD_CONTACT_MANY_ANDERSON_H

#include "base/arena.h"

enum { NSD_ANDERSON_DEPTH = 8 }; /* rounds that are combined */

typedef struct nsd_anderson {
  int n;
  double *weight;          /* n, the caller's to fill */
  double *x;               /* n: where the next round begins */
  double *best;            /* n: what the round with the smallest change has made */
  double *g, *f;           /* n: what a round made of x, and the change */
  double *last_g, *last_f; /* n: of the round before */
  double *dg, *df;         /* NSD_ANDERSON_DEPTH × n: their differences; those of f times the weights */
  double gram[NSD_ANDERSON_DEPTH][NSD_ANDERSON_DEPTH]; /* df · df, by the weights */
  int depth, next;                                     /* how many differences; where the next goes */
  int is_first;                                        /* there is no round before */
  double change, least;                                /* of this round; of all since the last restart */
} nsd_anderson;

void nsd_anderson_lay_out(nsd_arena *arena, nsd_anderson *w, int n);

/* The next round begins at x, with nothing to combine it with. */
void nsd_anderson_start(nsd_anderson *w, const double *x);

/* After a round has made g of x: x becomes where the next begins. Returns whether that is a combination,
 * which may be outside of what rounds begin with. */
int nsd_anderson_step(nsd_anderson *w);

#endif
