/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a driver knows besides time and state: who is closed, how, how large everything has been so far. A run
 * that is resumed with it goes on as the first one did, from that state or from one nearby: what was closed
 * or stuck is so again, its gap and velocity brought back to zero. */
#ifndef NSD_EVENT_SNAPSHOT_H
#define NSD_EVENT_SNAPSHOT_H

#include "event/object.h"

typedef struct nsd_snapshot {
  double t;
  nsd_track *track; /* tracks of room */
  int tracks, room;
  double *size, *reference; /* nq + nu: largest |y_i| so far; what the tolerance is relative to */
  double reach, section_value;
  nsd_arena arena;
} nsd_snapshot;

nsd_snapshot nsd_snapshot_empty(nsdyn_context *ctx);
void nsd_snapshot_release(nsd_snapshot *snapshot);

/* Room for what the driver knows now: allocates only where it has grown. */
nsdyn_status nsd_snapshot_reserve(nsd_snapshot *snapshot, const nsdyn_event_driver *d);

/* What it knows now, between two calls of nsdyn_event_driver_advance(). After a failure (NSDYN_ERR_NOMEM) the
 * snapshot is as before. */
nsdyn_status nsd_snapshot_take(nsd_snapshot *snapshot, const nsdyn_event_driver *d);

/* The driver at (t, y), y = (q, u), with what it knew then; log and counts begin anew. What is due at a time
 * is moved along with t. */
nsdyn_status nsd_driver_resume(nsdyn_event_driver *d, const nsd_snapshot *snapshot, double t,
                               const double *y);

#endif
