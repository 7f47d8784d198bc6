/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The proximal point method in the velocities of the bodies, for operators in the free form.
 *
 * Damped around Λ₀ by k = ε r, r = trace / rows of a contact's block of G, each law has one answer to the
 * velocities v alone:
 *
 *   ξ = W v + c + k (Λ − Λ₀),    Λ = L(z),  z = Λ₀ − (W v + c) / k
 *   normal      Λ_N = max(0, z_N);    slots and bilateral rows  Λ_N = z_N
 *   tangential  Λ_T = prox of z_T on C(Λ_N)
 *
 * so that M v = Wᵀ L(z(v)) is all that is left: as many unknowns as bodies have velocities, whatever the
 * number of contacts, and redundant ones make nothing singular. Newton's method on it has the matrix
 * M + Wᵀ (∂L/∂z / k) W: blocks of bodies that touch, sparse, and positive definite where friction is that of
 * a given bound. Its step is followed until the power dᵀ (M v − Wᵀ L) along it has fallen: where L is the
 * derivative of a potential, that is an exact line search. Cost: an LU of those blocks per step.
 *
 * Λ₀ := Λ and smaller ε again and again lead to the undamped problem (Rockafellar 1976; for friction that
 * depends on the load it is a fixed point all the same, reached in practice). */
#ifndef NSD_CONTACT_SPACE_SOLVE_PROXIMAL_H
#define NSD_CONTACT_SPACE_SOLVE_PROXIMAL_H

#include "base/sparse/block_lu.h"
#include "contact/problem.h"
#include "contact/space/operator.h"

typedef struct nsd_proximal {
  nsd_block_lu lu;
  nsd_arena room, pair_room;
  const nsd_contact_data *d;
  const nsd_operator *op;
  int cells, rows, columns, groups; /* laid out for */
  double *r;                        /* cells */
  double *Lambda, *center, *drift;  /* rows: Λ, Λ₀, W v + c */
  double *change;                   /* rows: W of a step */
  double *H;                        /* cells × 9: ∂L/∂z */
  double *v, *R, *step, *work;      /* columns */
  int64_t *begin;                   /* groups + 1: the graph */
  int32_t *column, *width;
  double *zeros;
  size_t *pair;   /* cells + 1: first of a cell's pairs of blocks */
  int64_t *place; /* pairs: where they go in the matrix */
  int64_t *own;   /* groups: likewise M */
} nsd_proximal;

nsd_proximal nsd_proximal_empty(nsdyn_context *ctx);
void nsd_proximal_release(nsd_proximal *w);

/* Reads an operator in the free form. NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_CANCELLED. */
nsdyn_status nsd_proximal_begin(nsd_proximal *w, const nsd_contact_data *d, const nsd_operator *op,
                                nsd_poll *poll);

/* From and around Λ (rows), which receives the damped problem's solution, or the best that was found:
 * up to `most` steps, until |M v − Wᵀ Λ| is a share `small` of its terms. Returns whether it is. */
int nsd_proximal_solve(nsd_proximal *w, double damping, double small, int most, double *Lambda, int *steps,
                       nsd_poll *poll);

#endif
