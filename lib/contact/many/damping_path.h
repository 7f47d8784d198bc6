/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Newton's method on patterns (contact/planar/pattern.h) for many contacts, along a path of ever less
 * damping.
 *
 * From pattern to pattern Newton's method goes astray where hundreds of contacts wait for each other: too
 * many change their state at once. With a part of the diagonal D of G added, the problem
 *
 *   ξ = G Λ + c + ε D (Λ − Λ₀)
 *
 * is a tame one for ε = 0.1: contacts hardly see each other. Its solution becomes the next Λ₀, with a smaller
 * ε (the proximal point method, Rockafellar 1976, each problem solved as far as pays): what it converges to
 * solves the problem itself, since the last term vanishes. Where redundant contacts leave Λ open it stays
 * near where it began, and no pattern is singular. Steps of Newton's method are shortened until the laws are
 * missed by less (by the sum of squares over all contacts); where that does not help, ε was reduced too fast.
 *
 * Systems are factored within an envelope (contact/many/envelope_lu.h). */
#ifndef NSD_CONTACT_MANY_DAMPED_NEWTON_H
#define NSD_CONTACT_MANY_DAMPED_NEWTON_H

#include "base/poll.h"
#include "base/tolerances.h"
#include "contact/many/coupling.h"
#include "contact/many/envelope_lu.h"

#define NSD_DAMPED_NEWTON_TAME 0.1 /* ε to begin with where the pattern is not known */

typedef struct nsd_damped_newton {
  const nsd_coupling *k;
  nsd_envelope envelope;
  int n;           /* unknowns */
  int *unknown;    /* rows: the row of ξ and Λ of an unknown */
  int *index;      /* rows: the unknown that a row of Λ hangs on, −1: it is given */
  double *slope;   /* rows: by how much */
  double *x;       /* rows */
  double *xi;      /* rows: ξ, with the term of ε */
  double *Lambda;  /* rows: the point at hand */
  double *center;  /* rows: Λ₀ */
  double *before;  /* rows: where a step began */
  double *step;    /* rows */
  double *shelf;   /* rows: the point of this ε that misses the laws least */
  double *best;    /* rows: the best point, on the laws */
  int32_t *states; /* contacts: the pattern of the next step */
  double residual; /* of `best`, a share of its scale; infinite: there is none */
  double epsilon;
  double work; /* multiplications so far */
  int steps;   /* systems solved so far */
  int moved;   /* changes of states in the steps of nsd_damped_newton_try() */
} nsd_damped_newton;

void nsd_damped_newton_lay_out(nsd_arena *arena, nsd_damped_newton *w, int contacts, int rows);

void nsd_damped_newton_begin(nsd_damped_newton *w, const nsd_coupling *k);

/* Λ, as it stands, competes with w->best. */
void nsd_damped_newton_offer(nsd_damped_newton *w, const double *Lambda);

/* The path from Λ on, from `epsilon` down; the first pattern is w->states, or with `states_of` non-zero that
 * which Λ asks for. At most so many systems, of at most so many multiplications in all; it ends where the
 * residual of w->best is rounding, or is within `tol` and does not fall at once. NSDYN_OK, NSDYN_CANCELLED.
 */
nsdyn_status nsd_damped_newton_follow(nsd_damped_newton *w, const double *Lambda, double tol, int states_of,
                                      double epsilon, int steps, double work, nsd_poll *poll);

/* The problem of one ε from Λ, which is Λ₀ too, by whole steps, as long as each comes nearer; the first
 * pattern is w->states or that which Λ asks for, as above. NSDYN_OK where it is solved as far as pays,
 * NSDYN_MAX_ITERATIONS where so many steps or w->work `most` do not do, NSDYN_CANCELLED. */
nsdyn_status nsd_damped_newton_try(nsd_damped_newton *w, const double *Lambda, int states_of, double epsilon,
                                   int steps, double most, nsd_poll *poll);

/* Lists the unknowns of w->states and factors their system, with ε D. NSDYN_MAX_ITERATIONS where w->work
 * would go beyond `most`, NSDYN_CANCELLED. */
nsdyn_status nsd_damped_newton_factor(nsd_damped_newton *w, double most, nsd_poll *poll);

/* Row i of (G + ε D) x. */
double nsd_damped_newton_row_times(const nsd_damped_newton *w, int row, const double *x);

/* w->Lambda, the solution of this ε, is the next Λ₀ (w->center). With the least ε the same factors serve for
 * the next as well. */
void nsd_damped_newton_arrive(nsd_damped_newton *w);

#endif
