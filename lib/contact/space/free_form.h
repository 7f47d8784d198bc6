/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A matrix G as an operator in the free form, where its rows are redundant.
 *
 * Piles have more rows than their bodies have velocities, and a G that is handed over as a matrix hides the
 * bodies. But G = W M⁻¹ Wᵀ is semidefinite, and Cholesky's factor of it, without the columns of pivots that
 * are rounding,
 *
 *   G = L Lᵀ,   L rows × rank,
 *
 * is as good as W with M = 1: ξ = L v + c, v = Lᵀ Λ, as many velocities as rows are independent. They are
 * taken together by the cell whose rows they come from, as small bodies, in an order of the cells in which
 * neighbours stand close together; so L stays as sparse as the pile is. What solves problems in the
 * velocities of bodies (contact/space/solve/body_proximal.h) does the same here. */
#ifndef NSD_CONTACT_SPACE_FREE_FORM_H
#define NSD_CONTACT_SPACE_FREE_FORM_H

#include "contact/problem.h"
#include "contact/space/operator.h"

typedef struct nsd_free_form {
  nsd_arena room;
  double *L;         /* rows × `most` */
  int most;          /* velocities, at most: there is no more room, or with more nothing is won */
  int *first;        /* rows: the first velocity that moves it */
  int *pivot;        /* velocities: the row of each */
  int *order, *rank; /* cells */
  int32_t *size;     /* bodies */
  double *identity;  /* M⁻¹ of them */
  double *x, *v;     /* rows; velocities: to check L Lᵀ by */
  int velocities, bodies;
  int is_full;     /* hardly a zero in L: bodies are as large as pays, whatever cells they are of */
  nsd_operator op; /* G in the free form */
} nsd_free_form;

nsd_free_form nsd_free_form_empty(nsdyn_context *ctx);
void nsd_free_form_release(nsd_free_form *w);

/* G of the data, a matrix, whose cells `cells` has: w->op. NSDYN_UNDECIDED where it has hardly fewer
 * independent rows than rows, as far as a part of them tells, or where L Lᵀ is not G: the product with one
 * vector leaves more than rounding, as with a G that is not semidefinite. NSDYN_CANCELLED, NSDYN_ERR_NOMEM,
 * NSDYN_ERR_TOO_LARGE. */
nsdyn_status nsd_free_form_read(nsd_free_form *w, const nsd_contact_data *d, const nsd_operator *cells,
                                const int *rows_of, nsd_poll *poll);

#endif
