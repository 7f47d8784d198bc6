/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whether a line of many points crosses or touches itself: a sweep from left to right (Shamos & Hoey 1976),
 * O(n log n), its comparisons exact. */
#ifndef NSD_GEOMETRY_CROSSINGS_H
#define NSD_GEOMETRY_CROSSINGS_H

#include "base/context.h"

/* Edges of points p (2 × count), i from point i to the next one; closed: the last one leads to the first. No
 * two points in a row are the same. Writes two edges that have more in common than a shared end (edge[0] <
 * edge[1]), or −1 twice. NSDYN_OK, NSDYN_ERR_NOMEM. */
nsdyn_status nsd_find_crossing(nsdyn_context *ctx, int32_t count, const double *p, int closed, int32_t *edge);

#endif
