/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What acts along one length or angle s of a tree. */
#ifndef NSD_MULTIBODY_ELEMENTS_H
#define NSD_MULTIBODY_ELEMENTS_H

#include "multibody/tree.h"

typedef struct nsd_element {
  nsdyn_tree_element def;
  char name[NSD_NAME_LENGTH];
  int32_t u[2], q[2];                         /* of axes: the velocities, and their coordinates; −1: none */
  int32_t lower, upper, friction, constraint; /* numbers of contacts and of a constraint; −1: none */
} nsd_element;

/* Which part of an element a contact is. */
enum nsd_element_part { NSD_ELEMENT_LOWER, NSD_ELEMENT_UPPER, NSD_ELEMENT_FRICTION };

/* Of contact or constraint k: the element, and nsd_element_part of a contact. */
typedef struct nsd_element_row {
  int32_t element, part;
} nsd_element_row;

static inline nsd_element *nsd_tree_element_at(const nsdyn_tree *tree, int32_t i)
{
  return (nsd_element *)tree->elements.item + i;
}

static inline const nsd_element_row *nsd_tree_contact_at(const nsdyn_tree *tree, int32_t i)
{
  return (const nsd_element_row *)tree->contacts.item + i;
}

/* The callbacks below see the tree at the q (and u) that they are asked about, and return as callbacks do;
 * the tree's message tells which element has failed. */

/* h := h + Wᵀ F of all elements. */
int nsd_elements_push(nsdyn_tree *tree, double t, const double *q, const double *u, double *h);

/* Gaps of all contacts of elements; W and w̄ of contact i, from 0. ŵ is zero. */
int nsd_elements_gaps(nsdyn_tree *tree, const double *q, double *g);
int nsd_elements_direct(nsdyn_tree *tree, const double *q, int32_t i, double *W);
int nsd_elements_bias(nsdyn_tree *tree, const double *q, const double *u, int32_t i, double *w_bar);

/* g_b, W_b and ŵ_b of elements that are held, in arrays of all constraints of the tree; w̄_b. */
int nsd_elements_constrain(nsdyn_tree *tree, double t, const double *q, double *g_b, double *W_b,
                           double *w_hat_b);
int nsd_elements_constraint_bias(nsdyn_tree *tree, double t, const double *q, const double *u,
                                 double *w_bar_b);

/* Laws of all these contacts, which begin with number `first` in the system. */
nsdyn_status nsd_elements_set_laws(const nsdyn_tree *tree, nsdyn_system *sys, int32_t first);

/* Whether W of each contact is always the same. */
int nsd_elements_are_constant(const nsdyn_tree *tree);

#endif
