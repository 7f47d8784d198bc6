/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where links are and how they move. */
#ifndef NSD_MULTIBODY_KINEMATICS_H
#define NSD_MULTIBODY_KINEMATICS_H

#include "multibody/tree.h"

/* Frames, axes and inertias in the world. 0, or the body whose quaternion has no direction, from 1. */
int32_t nsd_tree_place(nsdyn_tree *tree, const double *q);

/* Velocities, and accelerations at u̇ = 0, of links that have a place. */
void nsd_tree_move(nsdyn_tree *tree, const double *u);

#endif
