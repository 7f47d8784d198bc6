/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whether shapes are deeper in each other than their touches say. */
#ifndef NSD_GEOMETRY_DEPTH_H
#define NSD_GEOMETRY_DEPTH_H

#include "geometry/detect.h"

/* Outlines that cross where no touch is inside: told by is_deep and depth, as what follows is. Not is_last:
 * what is deep will be looked at again, so that only whether it is, and is_notched, are told. */
void nsd_judge_crossings(nsd_search *search, int is_last);

/* One shape wholly inside of the other. */
void nsd_judge_inside(nsd_search *search);

/* Touches deeper than the skin. */
void nsd_judge_touches(nsd_search *search);

#endif
