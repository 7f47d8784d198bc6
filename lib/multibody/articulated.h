/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* M⁻¹ by articulated bodies. */
#ifndef NSD_MULTIBODY_ARTICULATED_H
#define NSD_MULTIBODY_ARTICULATED_H

#include "multibody/tree.h"

/* U and D of each joint at the state that is set; once per state. NSDYN_ERR_NOT_DEFINITE names the body whose
 * joint moves no mass, for the call `name`. */
nsdyn_status nsd_tree_factor(nsdyn_tree *tree, const char *name);

#endif
