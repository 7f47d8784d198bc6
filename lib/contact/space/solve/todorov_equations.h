/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts in space as equations in Todorov's variables (Mylapilli & Jain 2017, §4), for the two methods of
 * base/levenberg_marquardt.h.
 *
 * Every z of a contact is an impulse F(z) and a velocity ν(z) = z + F(z) that obey its law (eqs. 49–51), so
 *
 *   φ = G F(z) + c − ν(z) = 0,    of bilateral rows  φ = G F + c, F = z    (eq. 56)
 *
 * has no side conditions. Eq. 51 adds an impulse to a velocity, and φ would add velocities to angular ones.
 * So each contact has its own unit: with r = trace/3 of its block of G (a bilateral row's G_ii), impulses
 * count times √r and velocities over √r, both roots of an energy. An ellipse is a disk in the axes Λ_T = A
 * Λ', ξ' = Aᵀ ξ_T (space/one_contact.h); a planar contact is one in space whose second tangent is at rest.
 *
 * The merit ½ |φ|² has minima that are no solutions: a run that ends in one has stalled, and the caller
 * begins elsewhere. Cost: some n³ per step. */
#ifndef NSD_CONTACT_SPACE_SOLVE_TODOROV_H
#define NSD_CONTACT_SPACE_SOLVE_TODOROV_H

#include "base/levenberg_marquardt.h"
#include "contact/problem.h"
#include "contact/space/operator.h"

typedef struct nsd_todorov {
  const nsd_contact_data *d;
  const nsd_operator *op;
  double *G;       /* rows × rows: in the units and axes of z, as c */
  double *c;       /* rows */
  double *axes;    /* cells × 4: A */
  double *unit;    /* cells: √r */
  double *F, *z;   /* rows */
  double *xi;      /* rows: G F */
  double *stretch; /* cells: largest velocity that a unit of φ is */
  double *state;   /* columns of the operator */
  nsd_marquardt engine;
  nsd_poll *poll;
  double small; /* a velocity: what φ may miss */
} nsd_todorov;

void nsd_todorov_lay_out(nsd_arena *arena, nsd_todorov *w, int cells, int rows, int columns);

/* The first contact that the map cannot state, and why; −1: all can be stated. */
int nsd_todorov_cannot_state(const nsd_contact_data *d, const char **why);

/* Reads G. NSDYN_CANCELLED where the poll says so. */
nsdyn_status nsd_todorov_begin(nsd_todorov *w, const nsd_contact_data *d, const nsd_operator *G,
                               nsd_poll *poll);

/* Up to so many steps from the Λ given (rows), which receives the impulses of the point of least |φ|. Ends
 * solved where no velocity misses `small`. */
nsd_marquardt_end nsd_todorov_solve(nsd_todorov *w, nsd_marquardt_kind kind, double small, int most,
                                    double *Lambda, int *steps, nsd_poll *poll);

#endif
