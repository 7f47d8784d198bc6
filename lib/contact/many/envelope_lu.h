/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A = L U within an envelope: of each row the elements from the first that is not zero on.
 *
 * The systems of patterns (contact/planar/pattern.h) of many contacts are made of G, mostly zeros, symmetric
 * but for what slips. In the order of contact/many/coupling.h their elements stand near the diagonal, and
 * what elimination fills in stays within the envelope, that of the rows and columns together. Rows keep their
 * order: G is semidefinite, and a small part of the diagonal that is added keeps pivots of redundant rows
 * from vanishing; refinement takes it out again.
 *
 *   factor     Σ b_i² multiplications, b_i the length of row i        solve     2 Σ b_i */
#ifndef NSD_CONTACT_MANY_ENVELOPE_LU_H
#define NSD_CONTACT_MANY_ENVELOPE_LU_H

#include "base/arena.h"
#include "base/poll.h"

typedef struct nsd_envelope {
  int n;
  int *first;    /* n: first column of a row, first row of a column */
  size_t *at;    /* n + 1: where row and column i begin in L and U */
  size_t room;   /* doubles in each of L and U */
  double *L;     /* rows without the diagonal, then factors of them */
  double *U;     /* columns without the diagonal */
  double *pivot; /* n: the diagonal; of the factors, its inverse; 0 where a row has none */
  double *size;  /* n: what a pivot is measured with */
} nsd_envelope;

/* Room for the envelope of a full matrix: n (n − 1) doubles, touched as far as they are used. */
void nsd_envelope_lay_out(nsd_arena *arena, nsd_envelope *e, int n);

/* Begins n × n: every row from its diagonal on. */
void nsd_envelope_begin(nsd_envelope *e, int n);

/* Row i reaches to column j, and column i to row j, or the other way round. */
static inline void nsd_envelope_reach(const nsd_envelope *e, int i, int j)
{
  const int late = i > j ? i : j;
  const int early = i > j ? j : i;
  if (early < e->first[late]) {
    e->first[late] = early;
  }
}

/* All zero. NSDYN_CANCELLED where the poll says so. */
nsdyn_status nsd_envelope_clear(nsd_envelope *e, nsd_poll *poll);

/* Σ b_i², the multiplications that factors will cost. */
double nsd_envelope_cost(const nsd_envelope *e);

/* A_ij, within the envelope. */
static inline double *nsd_envelope_element(const nsd_envelope *e, int i, int j)
{
  if (i == j) {
    return &e->pivot[i];
  }
  return i > j ? &e->L[e->at[i] + (size_t)(j - e->first[i])] : &e->U[e->at[j] + (size_t)(i - e->first[j])];
}

/* In place. A pivot below `tol` of e->size is none: its unknown stays zero in solves. NSDYN_CANCELLED where
 * the poll says so. */
nsdyn_status nsd_envelope_factor(nsd_envelope *e, double tol, nsd_poll *poll);

/* x := A⁻¹ x */
void nsd_envelope_solve(const nsd_envelope *e, double *x);

/* The same of an x that is zero before `from`. */
void nsd_envelope_solve_from(const nsd_envelope *e, int from, double *x);

#endif
