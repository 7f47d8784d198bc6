/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Block Gauss–Seidel for contacts in space: a round solves contact after contact, each exactly
 * (space/one_contact.h), with what the others have at that moment. Planar contacts and rows without friction
 * are contacts in space whose missing rows stay at rest; a bilateral row is one division.
 *
 * Λ_i goes to (1 − ω) Λ_i + ω Λ_i', ω = `relaxation` in (0, 2). The order is that of the cells, or one
 * shuffled by a seed, another in every round. Anderson's acceleration (many/anderson.h) combines the rounds.
 */
#ifndef NSD_CONTACT_SPACE_SOLVE_ROUNDS_H
#define NSD_CONTACT_SPACE_SOLVE_ROUNDS_H

#include "contact/many/anderson.h"
#include "contact/problem.h"
#include "contact/space/one_contact.h"
#include "contact/space/operator.h"

typedef struct nsd_space_rounds {
  const nsd_contact_data *d;
  const nsd_operator *G;
  nsd_one_contact *local; /* contacts */
  int *order;             /* cells */
  double *state;          /* columns of G: what stands for Λ */
  nsd_anderson acceleration;
  double relaxation;
  uint64_t seed; /* 0: the order of the cells */
  double work;   /* multiplications of a round, about */
} nsd_space_rounds;

void nsd_space_rounds_lay_out(nsd_arena *arena, nsd_space_rounds *w, int contacts, int cells, int rows,
                              int columns);

/* Prepares what rounds need of G, which stays where it is. */
void nsd_space_rounds_begin(nsd_space_rounds *w, const nsd_contact_data *d, const nsd_operator *G,
                            double relaxation, uint64_t seed);

/* The block of a contact as one in space: rows that are not there are not coupled. */
nsd_one_contact nsd_space_block_of(const nsd_operator *G, const nsd_contact_spec *s, int cell);

/* The same of its block of G, 3 to a row. */
nsd_one_contact nsd_space_block_from(const double *own, const nsd_contact_spec *s);

/* The next round begins at Λ, with nothing to combine it with. */
void nsd_space_rounds_start(nsd_space_rounds *w, const double *Lambda);

/* One round and its acceleration. */
void nsd_space_rounds_step(nsd_space_rounds *w);

#endif
