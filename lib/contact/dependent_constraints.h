/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Bilateral rows that depend on each other: ξ_B = G_BB Λ_B + … = 0 where G_BB is singular.
 *
 * In units in which all diagonal elements are 1, G' = D^-1/2 G_BB D^-1/2 with D its diagonal, elimination in
 * the order of the rows gives G' = L Lᵀ, with no column for a row that depends on those before. To each such
 * row i belongs a vector n with n_i = 1, n_j = 0 for j > i and G' n = 0. G is semidefinite, so along n
 * impulses move nothing, contacts neither. Hence
 *
 *   n·D^-1/2 c_B = 0 is needed for any solution, whatever contacts do: else row i contradicts those before;
 *   of a solution Λ_B any multiple of D^-1/2 n may be taken away. Least is Σ G_ii Λ_i², in which impulses of
 *   different units compare: D^1/2 Λ_B without its part in the span of all n.
 *
 * All that holds for G as it is rounded: G' n is no more than that, beside n. An n of which it is more is let
 * go. So a contradiction is one within rounding, until exact arithmetic bears it out. */
#ifndef NSD_CONTACT_CONSTRAINTS_H
#define NSD_CONTACT_CONSTRAINTS_H

#include "base/arena.h"
#include "base/poll.h"
#include "contact/problem.h"

/* Rows beyond which none are looked at: G' and L of so many take 32 MB. */
#define NSD_CONSTRAINTS_MOST 2048

typedef struct nsd_constraints {
  nsd_arena room;        /* laid out for: */
  int count, columns;    /* rows, and columns of an operator */
  nsd_arena basis_room;  /* laid out for `redundant` */
  int redundant;         /* rows that depend on others */
  double *scale;         /* count: √G_ii; of a row of zeros 1 */
  double *G, *L;         /* count (count + 1) / 2: lower triangles, row by row */
  int *first;            /* count: the first row that couples with each; itself at the latest */
  int *is_dependent;     /* count */
  double *n;             /* count: scratch */
  double *state;         /* columns */
  int *row;              /* redundant: which, in order */
  double *basis;         /* redundant × count: orthonormal, of the span of all n */
  double *contradiction; /* redundant: |n·D^-1/2 c_B| over the sizes of its terms */
  nsd_arena proof_room;  /* of a proof, once one is looked for */
} nsd_constraints;

nsd_constraints nsd_constraints_empty(nsdyn_context *ctx);
void nsd_constraints_release(nsd_constraints *w);

/* Reads d's bilateral rows; of more than NSD_CONSTRAINTS_MOST none. NSDYN_OK; NSDYN_ERR_NOMEM;
 * NSDYN_CANCELLED. */
nsdyn_status nsd_constraints_read(nsd_constraints *w, const nsd_contact_data *d, nsd_poll *poll);

/* The first row that contradicts those before it by more than the share `most`; −1: none does. */
int nsd_constraints_contradiction(const nsd_constraints *w, double most);

/* Whether the numbers as they are given, which are d's, have no solution because of that row: some v on the
 * bilateral rows has vᵀG = 0 in every column and vᵀc ≠ 0, in exact arithmetic. Tried are D^-1/2 n and the
 * small rational numbers that it may stand for. Of a G that rounding has made regular nothing is proved,
 * however far out its solution is; nor of an operator. NSDYN_OK where it is proved, NSDYN_UNDECIDED;
 * NSDYN_ERR_NOMEM, NSDYN_CANCELLED. */
nsdyn_status nsd_constraints_prove(nsd_constraints *w, const nsd_contact_data *d, int row, nsd_poll *poll);

/* Λ_B (count) := the least with which all moves as with Λ_B. Returns whether it has changed by more than
 * rounding; else it stays. */
int nsd_constraints_reduce(const nsd_constraints *w, double *Lambda_B);

/* What the least impulses leave of ξ in the bilateral rows may be a rounding that stands in one row alone, in
 * that of a dependent one. Spreads it over all rows that depend on each other, where it is least, and takes
 * the least impulses that do so. xi_B and Lambda_B hold the bilateral rows. */
void nsd_constraints_balance(const nsd_constraints *w, const double *xi_B, double *Lambda_B);

#endif
