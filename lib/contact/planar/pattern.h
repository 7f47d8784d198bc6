/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A pattern, one state per contact (contact/planar/states.h), makes the contact problem a linear system: the
 * unknowns are Λ_N of closed contacts, Λ_T of sticking ones and the Λ of bilateral constraints, the equations
 * ξ = 0 in the same rows. A slipping contact's column is G_N + f μ G_T.
 *
 * Newton's method on patterns solves one, asks Λ and ξ which pattern they belong to, and solves that; from
 * the pattern of the last step it needs one or two rounds. It is not sure to end, and a redundant system
 * makes some patterns singular: then others go on. */
#ifndef NSD_CONTACT_PLANAR_PATTERN_H
#define NSD_CONTACT_PLANAR_PATTERN_H

#include "base/arena.h"
#include "base/tolerances.h"
#include "contact/certificate.h"

typedef struct nsd_pattern_work {
  double *system;  /* rows × (rows + 1): the system, its right-hand side last; or its factors */
  double *size;    /* rows: of its columns */
  double *x;       /* rows: its solution */
  double *slope;   /* rows: f μ of an unknown that drags friction with it, 0 of others */
  int *unknown;    /* rows: row of G of each unknown */
  int *drags;      /* rows: the unknowns that drag friction with them */
  int *pivots;     /* rows */
  double *Lambda;  /* rows: the trial */
  double *xi;      /* rows */
  int32_t *states; /* contacts: the trial's pattern */
  int dragging;    /* how many unknowns drag friction with them */
  int is_loaded;   /* friction of a given bound acts */

  /* `system` in factors (base/kernels/lu_in_order.h), for other right-hand sides: */
  int64_t edition; /* of G; 0: it is not */
  int factored;    /* so many unknowns */
  double *inverse; /* rows */
  double *slope_of;
  int *unknown_of; /* rows: slope and unknown as they were */

  nsd_poll *poll; /* asked on the way where there are many rows; NULL: nobody */

  int is_tried;                /* a round of Newton's method from `states` has been made: */
  nsd_contact_verdict verdict; /* of Λ and ξ */
} nsd_pattern_work;

void nsd_pattern_lay_out(nsd_arena *arena, nsd_pattern_work *w, int contacts, int rows);

/* Λ of a pattern, as it comes out: no sign is checked, nor the equations of redundant unknowns.
 * NSDYN_ERR_NOT_FINITE where it overflows; NSDYN_CANCELLED. */
nsdyn_status nsd_pattern_solve(nsd_pattern_work *w, const nsd_contact_data *d, const int32_t *states,
                               double *Lambda);

/* Certificate of Λ, asking w->poll where there is one. */
nsd_contact_verdict nsd_pattern_judge(const nsd_pattern_work *w, const nsd_contact_data *d,
                                      const double *Lambda, double *xi);

/* Gauss with row pivots on w->system, n × (n + 1): w->pivots receives the columns that have one, and their
 * number, the rank, goes back. A column without is that of a redundant unknown. */
int nsd_pattern_eliminate(nsd_pattern_work *w, int n);

/* Redundant contacts share impulses in many ways, and a pattern's system gives one of them, whatever Λ is.
 * Moves Λ, a solution with these states, along directions that leave the system's equations as they are, to
 * one of which the pattern is regular: impulses of unilateral contacts go to zero, friction to its limit, and
 * the states say so. Returns whether anything moved. */
int nsd_pattern_to_vertex(nsd_pattern_work *w, const nsd_contact_data *d, int32_t *states, double *Lambda);

/* The best of a search: Λ projected onto the laws, and its verdict. */
typedef struct nsd_pattern_best {
  double *Lambda; /* rows */
  double *xi;     /* rows */
  nsd_contact_verdict verdict;
  int rounds; /* systems solved */
} nsd_pattern_best;

/* Newton's method from w->states, at most `rounds` systems; it gives up where in more than `patience` rounds
 * no fewer states moved than in the best before. `best` holds what is to be improved on, its verdict with an
 * infinite residual where that is nothing. Returns whether its verdict has become a solution's; ends early
 * only where it is one to rounding. */
int nsd_pattern_newton(nsd_pattern_work *w, const nsd_contact_data *d, double tol, int rounds, int patience,
                       nsd_pattern_best *best);

/* One round from `states`, of contacts that are unilateral with Coulomb friction. Returns whether w->Lambda
 * is a solution to rounding, inside all states. Where it is not, nsd_pattern_newton() from the same states
 * goes on with it. */
int nsd_pattern_once(nsd_pattern_work *w, const nsd_contact_data *d, double tol, const int32_t *states);

/* Whether verdict a is better than b. */
static inline int nsd_contact_is_better(const nsd_contact_verdict *a, const nsd_contact_verdict *b)
{
  const double share_a = a->residual > 0.0 ? a->residual / a->scale : 0.0;
  const double share_b = b->residual > 0.0 ? b->residual / b->scale : 0.0;
  return share_a < share_b;
}

/* Λ and ξ into the best, where their verdict is better than its own. */
void nsd_pattern_keep_better(nsd_pattern_best *best, const nsd_contact_data *d, const double *Lambda,
                             const double *xi, const nsd_contact_verdict *verdict);

#endif
