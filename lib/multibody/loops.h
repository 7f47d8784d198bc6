/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Joints as constraints between bodies that a tree has already. */
#ifndef NSD_MULTIBODY_LOOPS_H
#define NSD_MULTIBODY_LOOPS_H

#include "multibody/tree.h"

/* Directions of a joint's frame on a body: two across the axis, the axis, the second direction. */
enum nsd_loop_direction { NSD_LOOP_ACROSS, NSD_LOOP_BESIDE, NSD_LOOP_AXIS, NSD_LOOP_SECOND, NSD_LOOP_MOST };

typedef struct nsd_loop {
  nsdyn_tree_loop def;                   /* with both frames as they were found */
  int32_t joint, body[2], first;         /* first: constraint, from 0 among those of the tree */
  int32_t elements;                      /* that were there before it */
  double place[2][3];                    /* of the joint's frame on each body, in the frame of that */
  double direction[2][NSD_LOOP_MOST][3]; /* likewise, of norm 1 */
  char name[NSD_NAME_LENGTH];
} nsd_loop;

/* g_b and W_b of all loops, in arrays of all constraints of the tree, at q; w̄_b, where it moves. ŵ_b is zero.
 * They return as callbacks do. */
int nsd_loops_constrain(nsdyn_tree *tree, double *g_b, double *W_b);
int nsd_loops_bias(nsdyn_tree *tree, double *w_bar_b);

/* Two bodies of a tree or the world, and not twice the same: the message names `label` and field. */
nsdyn_status nsd_tree_check_bodies(nsdyn_tree *tree, const char *name, const char *label, const int32_t *body,
                                   size_t offset);

#endif
