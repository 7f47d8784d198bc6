/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One and two contacts without bilateral constraints: what a time step meets most.
 *
 * A contact has up to four states, six where the friction bound is given, so two have at most 36 patterns, of
 * up to four equations. Three tries, each ended by a Λ that passes the judge: the given pattern; Newton's
 * method on patterns from there, and from what Λ = 0 asks for; all patterns in turn. The last is a proof that
 * there is no solution where every system was regular and every Λ missed the laws by far. */
#ifndef NSD_CONTACT_PLANAR_ONE_TWO_H
#define NSD_CONTACT_PLANAR_ONE_TWO_H

#include "contact/certificate.h"
#include "contact/planar/states.h"

enum { NSD_ONE_TWO_CONTACTS = 2, NSD_ONE_TWO_ROWS = 2 * NSD_ONE_TWO_CONTACTS };

typedef struct nsd_one_two_answer {
  double Lambda[NSD_ONE_TWO_ROWS];
  double xi[NSD_ONE_TWO_ROWS]; /* G Λ + c as it stands */
  int32_t states[NSD_ONE_TWO_CONTACTS];
  int32_t warm;  /* the given pattern was it */
  int32_t tries; /* patterns looked at */
  nsd_contact_verdict verdict;
} nsd_one_two_answer;

/* `start`: a pattern that each contact's law knows, or NULL. NSDYN_OK; NSDYN_NO_SOLUTION, proved up to
 * rounding; NSDYN_MAX_ITERATIONS where systems that are singular leave it open: then the answer is the best
 * Λ. */
nsdyn_status nsd_one_two_solve(const nsd_contact_data *d, double tol, const int32_t *start,
                               nsd_one_two_answer *answer);

/* The case that time steps meet most often: the given pattern of one unilateral contact with Coulomb
 * friction, direction of sliding unknown. Zero where it is not the solution; then `answer` holds nothing. */
int nsd_one_two_try_single(const nsd_contact_data *d, double tol, int32_t start, nsd_one_two_answer *answer);

/* How a contact of known state answers. y are the velocities that it has without Λ; then Λ = −K y makes ξ
 * vanish where the state asks for it, and is zero where its equations are singular:
 *
 *   t = (y_T − f y_N) r,    (K y)_N = (y_N − g t) i,    (K y)_T = t + slope (K y)_N */
typedef struct nsd_response {
  double i; /* 1 / pivot of ξ_N = 0; 0: open */
  double r; /* 1 / pivot of ξ_T = 0; 0: it does not stick */
  double f; /* G_TN / G_NN, where it sticks */
  double g; /* G_NT, likewise */
  double slope;
} nsd_response;

/* What two contacts' Λ take beside c; it serves again while the edition of G, states and coefficients stay.
 */
typedef struct nsd_pair {
  int64_t edition; /* of G; 0: for this solve only */
  int32_t states[2];
  double mu[2];
  nsd_response K[2]; /* of the second, as the first gives way */
  double P[2][2];    /* K0 G01, by columns */
} nsd_pair;

/* The given states of two contacts, each contact inside what its state stands for. Of
 * `answer` only Λ, ξ and the verdict are filled. */
int nsd_one_two_try_pair(const nsd_contact_data *d, double tol, const int32_t *states, nsd_pair *pair,
                         nsd_one_two_answer *answer);

#endif
