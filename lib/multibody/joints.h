/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A body and its joint as links. */
#ifndef NSD_MULTIBODY_JOINTS_H
#define NSD_MULTIBODY_JOINTS_H

#include "multibody/tree.h"

/* Coordinates and velocities of each kind of joint, and its name; `kind` is one. */
typedef struct nsd_joint_type {
  const char *name;
  int32_t nq, nu;
} nsd_joint_type;
const nsd_joint_type *nsd_joint_type_of(int32_t kind);

/* Refuses what no body of this tree can be: the message names body, joint and field. */
nsdyn_status nsd_joint_check(const nsdyn_tree *tree, const nsdyn_tree_body *body, const char *label,
                             nsd_fault *fault);

/* The links of a body that was checked, at the end of those that are there, for which there is room; and its
 * mass in the last of them. Fills in `node` but its name. */
void nsd_joint_append(nsdyn_tree *tree, const nsdyn_tree_body *body, nsd_tree_member *node);

/* x of norm 1; 1 where it has no direction. */
int nsd_joint_direction(const double x[3], double out[3]);

/* A rotation, by rows, whose z axis has the direction of `axis`; 1 where that is none. */
int nsd_joint_axes(const double axis[3], double A[9]);

#endif
