/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where links are and how they move. */
#ifndef NSD_MULTIBODY_KINEMATICS_H
#define NSD_MULTIBODY_KINEMATICS_H

#include <string.h>

#include "multibody/tree.h"

/* Frames, axes and inertias in the world. 0, or the body whose quaternion has no direction, from 1. */
int32_t nsd_tree_place(nsdyn_tree *tree, const double *q);

/* Velocities, and accelerations at u̇ = 0, of links that have a place. */
void nsd_tree_move(nsdyn_tree *tree, const double *u);

/* The tree at q, which it may be already; 1 where it cannot be there, as at numbers that a trial step made: a
 * shorter step may do. */
static inline int nsd_tree_at(nsdyn_tree *tree, const double *q)
{
  const size_t bytes = (size_t)tree->nq * sizeof *q;
  if (tree->has_state && (!bytes || !memcmp(tree->q, q, bytes))) {
    return 0;
  }
  return nsdyn_tree_set_state(tree, q, NULL) ? 1 : 0;
}

/* The same, and its velocities are u. */
static inline int nsd_tree_moving_at(nsdyn_tree *tree, const double *q, const double *u)
{
  const int code = nsd_tree_at(tree, q);
  if (!code) {
    nsd_tree_move(tree, u);
  }
  return code;
}

/* Back at q, and with u where it is not NULL, where a callback of the user has looked at another state since
 * the tree had made so many moves. */
static inline int nsd_tree_return(nsdyn_tree *tree, uint64_t moves, const double *q, const double *u)
{
  if (tree->has_state && tree->moves == moves) {
    return 0;
  }
  return u ? nsd_tree_moving_at(tree, q, u) : nsd_tree_at(tree, q);
}

#endif
