/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A run that goes on from what was known earlier. */
#include "event/snapshot.h"

#include <math.h>

#include "event/internal.h"

nsd_snapshot nsd_snapshot_empty(nsdyn_context *ctx)
{
  const nsd_snapshot empty = {.room = -1, .arena = nsd_arena_empty(ctx)};
  return empty;
}

void nsd_snapshot_release(nsd_snapshot *snapshot)
{
  nsd_arena_release(&snapshot->arena);
}

static void lay_out(nsd_arena *arena, nsd_snapshot *s, int tracks, int n)
{
  s->track = nsd_arena_take(arena, (size_t)tracks, sizeof *s->track);
  s->size = nsd_arena_take(arena, (size_t)n, sizeof *s->size);
  s->reference = nsd_arena_take(arena, (size_t)n, sizeof *s->reference);
}

nsdyn_status nsd_snapshot_reserve(nsd_snapshot *snapshot, const nsdyn_event_driver *d)
{
  const int n = d->sys->def.nq + d->sys->def.nu;
  if (d->tracks.count <= snapshot->room) {
    return NSDYN_OK;
  }
  const int is_first = snapshot->room < 0,
            room = is_first ? d->tracks.count : d->tracks.count + d->tracks.count / 2;
  nsd_snapshot grown = {.arena = nsd_arena_empty(snapshot->arena.ctx), .room = room};
  nsd_snapshot counted = grown;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, room, n);
  const nsdyn_status status = nsd_arena_reserve(&grown.arena, &measure);
  if (status) {
    return status;
  }
  lay_out(&grown.arena, &grown, room, n);
  /* What was in the old memory goes over before that is released. */
  grown.t = snapshot->t;
  grown.reach = snapshot->reach;
  grown.section_value = snapshot->section_value;
  grown.tracks = snapshot->tracks;
  for (int i = 0; i < snapshot->tracks; i++) {
    grown.track[i] = snapshot->track[i];
  }
  for (int j = 0; j < n; j++) {
    grown.size[j] = is_first ? 0.0 : snapshot->size[j];
    grown.reference[j] = is_first ? 0.0 : snapshot->reference[j];
  }
  nsd_arena_release(&snapshot->arena);
  *snapshot = grown;
  return NSDYN_OK;
}

nsdyn_status nsd_snapshot_take(nsd_snapshot *snapshot, const nsdyn_event_driver *d)
{
  const nsdyn_status status = nsd_snapshot_reserve(snapshot, d);
  if (status) {
    return status;
  }
  snapshot->t = d->t;
  snapshot->tracks = d->tracks.count;
  for (int i = 0; i < d->tracks.count; i++) {
    snapshot->track[i] = d->tracks.track[i];
  }
  for (int j = 0; j < d->sys->def.nq + d->sys->def.nu; j++) {
    snapshot->size[j] = d->scales.size[j];
    snapshot->reference[j] = d->scales.reference[j];
  }
  snapshot->reach = d->tracks.reach;
  snapshot->section_value = d->phase.section_value;
  return NSDYN_OK;
}

nsdyn_status nsd_driver_resume(nsdyn_event_driver *d, const nsd_snapshot *snapshot, double t, const double *y)
{
  const nsdyn_system_def *def = &d->sys->def;
  nsdyn_status status = nsd_driver_reserve_tracks(d, &d->tracks, &d->fault, snapshot->tracks);
  status = status ? status : nsdyn_event_driver_set_state(d, t, y, y + def->nq);
  if (status) {
    return status;
  }
  d->tracks.count = snapshot->tracks;
  for (int i = 0; i < snapshot->tracks; i++) {
    nsd_track *track = &d->tracks.track[i];
    *track = snapshot->track[i];
    /* Times move with the state: hops end as long after it as they did. */
    track->settles += t - snapshot->t;
    track->lost = -INFINITY;
  }
  for (int j = 0; j < def->nq + def->nu; j++) {
    d->scales.size[j] = snapshot->size[j];
    d->scales.reference[j] = snapshot->reference[j];
  }
  d->tracks.reach = snapshot->reach;
  d->phase.section_value = snapshot->section_value;
  d->run.begun = 1; /* velocities of what is closed are drift, no impact's to mend */
  return NSDYN_OK;
}
