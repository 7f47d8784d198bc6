/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Proofs that a cell is empty, for the doubles that c, G and μ are.
 *
 * Velocities ξ = G Λ + c that obey a cell's asks have Σ v_k ξ_k >= 0 for every v whose signs fit them. Where
 * no Λ of the cell's cones makes that sum as large as zero, the cell is empty: Farkas' argument with
 *
 *   Λ of a contact = α (1, μ) + β (1, −μ),   α, β >= 0, or zero by the mode,
 *
 * its own generators, for the other laws likewise. So y = A x + c with one column per generator, x within
 * bounds, is the form that lcp/proof.h looks for exact proofs of. A generator's column G_N ± μ G_T may have
 * been rounded when it was formed; the proof then has to hold for all columns within that rounding. */
#ifndef NSD_CONTACT_REFUTE_H
#define NSD_CONTACT_REFUTE_H

#include "contact/cell.h"
#include "lcp/proof.h"

typedef struct nsd_refute {
  nsd_proof proof;
  double *A;      /* rows × rows */
  double *error;  /* rows × rows: of A's elements, at most */
  double *b;      /* rows */
  double *lo;     /* rows */
  double *hi;     /* rows */
  double *v;      /* rows */
  uint8_t *signs; /* rows: those v_k may have */
} nsd_refute;

void nsd_refute_lay_out(nsd_arena *arena, nsd_refute *w, int rows);

/* Whether the cell is proved to be empty; v (a multiplier of each ξ_k) is where to look. */
int nsd_refute_closes(nsd_refute *w, const nsd_signs *signs, const nsd_cell *cell, const double *v);

#endif
