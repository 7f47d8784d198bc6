/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Semismooth Newton methods for contacts in space: the laws as equations F(Λ, ξ) = 0, ξ = G Λ + c.
 *
 *   normal      F_N = r Λ_N − max(0, r Λ_N − ξ_N);   slots and bilateral rows  F_N = ξ_N
 *   tangential  F_T = r Λ_T − prox_C(r Λ_T − ξ_T),   C of the limit
 *
 *     natural map       r μ max(0, Λ_N)
 *     Alart & Curnier   μ max(0, r Λ_N − ξ_N)
 *
 * with r = trace / rows of the contact's block of G, so that F has the units of ξ. (Alart & Curnier 1991; the
 * second map knows the limit that the next normal impulse will have, and often needs fewer steps.) F is
 * smooth but at kinks, where an element of its generalized Jacobian takes the place of the derivative.
 * Newton's step is followed as far as a line search allows on ½ |F|² that looks back over a few steps.
 *
 * Damping adds ε r (Λ − Λ₀) to ξ: such a problem has a solution near Λ₀ that Newton's method finds, and
 * moving Λ₀ there again and again is the proximal point method.
 *
 * Near a solution at which F's Jacobian is regular it converges in a few steps; from afar, and where contacts
 * are redundant, it may stall and says so. Cost: an LU of all rows per step, within their
 * envelope where contacts move few others; that one looks for no pivots, so its step is checked, and where it
 * does not solve its equations the LU with pivots has the word. */
#ifndef NSD_CONTACT_SPACE_SOLVE_NEWTON_H
#define NSD_CONTACT_SPACE_SOLVE_NEWTON_H

#include "contact/many/envelope_lu.h"
#include "contact/problem.h"
#include "contact/space/operator.h"

typedef enum nsd_space_map { NSD_SPACE_NATURAL, NSD_SPACE_ALART_CURNIER } nsd_space_map;

typedef struct nsd_space_newton {
  const nsd_contact_data *d;
  const nsd_operator *op;
  nsd_space_map map;
  double *G;                     /* rows × rows */
  double *r;                     /* cells: impulses to velocities */
  double *Lambda, *best;         /* rows */
  double *xi, *F, *step, *trial; /* rows */
  double *center;                /* rows: Λ₀ of the damping */
  double damping;                /* ε */
  double *J;                     /* rows × rows: Jacobian, then its factors */
  double *A, *B;                 /* cells × 9: ∂F/∂Λ and ∂F/∂ξ of each cell */
  double *unit;                  /* the operator's columns */
  int *perm;                     /* rows */
  unsigned char *touches;        /* cells × cells: whether an impulse in one moves the other */
  int *order, *degree;   /* cells: in an order in which neighbours stand close together; how many each has */
  int *place;            /* rows: of J, in that order */
  nsd_envelope envelope; /* J in that order, then its factors */
  int is_thin;           /* the envelope is worth it */
  double *left;          /* rows: F + J step */
  double least;          /* largest |F_i| of the best */
} nsd_space_newton;

void nsd_space_newton_lay_out(nsd_arena *arena, nsd_space_newton *w, int cells, int rows, int columns);

/* Reads G. NSDYN_CANCELLED where the poll says so. */
nsdyn_status nsd_space_newton_begin(nsd_space_newton *w, const nsd_contact_data *d, const nsd_operator *G,
                                    nsd_poll *poll);

/* Up to so many steps on the problem damped by ε >= 0 around the Λ given, from that Λ (rows), which receives
 * the point of least |F|. NSDYN_OK where that is at most `small`, NSDYN_MAX_ITERATIONS where it is not,
 * NSDYN_CANCELLED. *steps grows by those taken. */
nsdyn_status nsd_space_newton_solve(nsd_space_newton *w, nsd_space_map map, double damping, double small,
                                    double share, int most, double *Lambda, int *steps, nsd_poll *poll);

#endif
