/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Which of many boxes in space are near each other: sorted along the axis on which they lie farthest apart,
 * each is compared with those that begin before it ends. What comes out depends on the boxes alone. */
#ifndef NSD_GEOMETRY_SPACE_SWEEP_H
#define NSD_GEOMETRY_SPACE_SWEEP_H

#include <stdint.h>

/* A box as it is sorted. */
typedef struct nsd_sweep_entry {
  double low;
  int32_t number, reserved;
} nsd_sweep_entry;

/* Called for a pair, first < second; anything but 0 ends the sweep. */
typedef int nsd_sweep_visit(void *user, int32_t first, int32_t second);

/* Boxes: low x, y, z, high x, y, z, which may be infinite. Pairs that are apart by no more than `margin`
 * along each axis. `order` has room for all. Returns what ended it, or 0. */
int nsd_sweep(int32_t count, const double (*box)[6], double margin, nsd_sweep_entry *order,
              nsd_sweep_visit *visit, void *user);

#endif
