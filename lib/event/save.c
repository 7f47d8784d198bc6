/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a driver knows as bytes (system/saved.h). */
#include <math.h>

#include "contact/planar/states.h"
#include "event/internal.h"
#include "event/snapshot.h"
#include "system/saved.h"

static const uint64_t saved_magic = UINT64_C(0x32767476656e736e); /* "nsnevtv2", the layout's version in it */

/* What stands before q, u, sizes (nq + nu), references (nq + nu) and tracks. */
typedef struct saved_head {
  nsd_saved common;
  int32_t tracks, begun;
  double t, reach, section_value;
} saved_head;

static size_t saved_size(const nsdyn_system_def *def, size_t tracks)
{
  return sizeof(saved_head) + 3 * ((size_t)def->nq + (size_t)def->nu) * sizeof(double) +
         tracks * sizeof(nsd_track) + sizeof(uint64_t);
}

size_t nsdyn_event_driver_save(const nsdyn_event_driver *d, void *buffer, size_t size)
{
  if (!d) {
    return 0;
  }
  const nsdyn_system_def *def = &d->sys->def;
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu, tracks = (size_t)d->tracks.count;
  const size_t bytes = saved_size(def, tracks);
  if (!buffer || size < bytes) {
    return bytes;
  }
  /* What is computed anew from t, q, u and the tracks (scene, forces) is not stored. */
  const saved_head head = {.common = nsd_saved_of(def, saved_magic, bytes),
                           .tracks = d->tracks.count,
                           .begun = d->run.begun,
                           .t = d->t,
                           .reach = d->tracks.reach,
                           .section_value = d->phase.section_value};
  unsigned char *to = nsd_put_bytes(buffer, &head, sizeof head);
  to = nsd_put_bytes(to, d->q, nq * sizeof *d->q);
  to = nsd_put_bytes(to, d->u, nu * sizeof *d->u);
  to = nsd_put_bytes(to, d->scales.size, (nq + nu) * sizeof *d->scales.size);
  to = nsd_put_bytes(to, d->scales.reference, (nq + nu) * sizeof *d->scales.reference);
  (void)nsd_put_bytes(to, d->tracks.track, tracks * sizeof *d->tracks.track);
  nsd_saved_seal(buffer, bytes);
  return bytes;
}

static nsdyn_status refuse(nsd_fault *fault, const char *reason)
{
  return nsd_saved_refuse("nsdyn_event_driver_restore", reason, fault);
}

/* Numbers that a checksum made elsewhere may go with. */
static int is_track(const nsdyn_event_driver *d, const nsd_track *track, int i)
{
  /* The first tracks are those of contacts known in advance, in their order; those found have a law. */
  const int known = d->sys->def.ncontacts;
  const int knows_itself = i < known ? track->index == i : track->index == -1;
  const int has_law = i < known || (track->law >= 0 && track->law < nsd_system_found_count(d->sys));
  const double finite[] = {track->gap,          track->reach,       track->terms,
                           track->height,       track->seen,        track->drive,
                           track->tick,         track->press[0],    track->press[1],
                           track->press[2],     track->weight[0],   track->weight[1],
                           track->weight[2],    track->share[0],    track->share[1],
                           track->share[2],     track->slip[0],     track->slip[1],
                           track->lift,         track->slack,       track->side,
                           track->rebound,      track->course.gap,  track->course.speed,
                           track->course.moved, track->course.lost, track->course.explained};
  int has_numbers = !isnan(track->flew) && !isnan(track->settles) && !isnan(track->settle_bound);
  for (size_t k = 1; k < sizeof finite / sizeof *finite; k++) {
    has_numbers = has_numbers && isfinite(finite[k]);
  }
  /* A cell may be one of a polygon that was the law when it was saved: it counts where the law has it. */
  const int has_cell = track->starts >= 0;
  /* A gap may be infinitely wide. */
  return knows_itself && has_law && has_numbers && has_cell && !isnan(finite[0]) &&
         track->mode >= NSDYN_MODE_OPEN && track->mode <= NSDYN_MODE_SLIP && track->state >= -1 &&
         track->state < NSD_STATES;
}

static int are_finite(const double *x, int n)
{
  int is_good = 1;
  for (int i = 0; i < n; i++) {
    is_good = is_good && isfinite(x[i]);
  }
  return is_good;
}

nsdyn_status nsdyn_event_driver_restore(nsdyn_event_driver *d, const void *buffer, size_t size)
{
  nsdyn_status status = d ? nsd_fault_begin(&d->fault, d->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  /* Stage 1. The bytes are whole, and of such a system. */
  const nsdyn_system_def *def = &d->sys->def;
  saved_head head;
  status =
      nsd_saved_check(def, saved_magic, buffer, size, sizeof head, "nsdyn_event_driver_restore", &d->fault);
  if (status) {
    return status;
  }
  memcpy(&head, buffer, sizeof head);
  if (head.tracks < def->ncontacts || saved_size(def, (size_t)head.tracks) != size) {
    return refuse(&d->fault, "the state is cut short, or longer than it says");
  }
  /* Stage 2. A copy that is aligned, its numbers looked at. */
  const size_t n = (size_t)def->nq + (size_t)def->nu, tracks = (size_t)head.tracks;
  nsd_arena measure = nsd_arena_measure();
  (void)nsd_arena_take(&measure, 3 * n, sizeof(double));
  (void)nsd_arena_take(&measure, tracks, sizeof(nsd_track));
  status = nsd_arena_reserve(&d->export_arena, &measure);
  if (status) {
    return nsd_fault_set(&d->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts",
                         (int)head.tracks);
  }
  double *y = nsd_arena_take(&d->export_arena, 3 * n, sizeof *y);
  nsd_track *track = nsd_arena_take(&d->export_arena, tracks, sizeof *track);
  const unsigned char *from = (const unsigned char *)buffer + sizeof head;
  (void)nsd_put_bytes((unsigned char *)y, from, 3 * n * sizeof *y);
  (void)nsd_put_bytes((unsigned char *)track, from + 3 * n * sizeof *y, tracks * sizeof *track);
  int is_good =
      isfinite(head.t) && isfinite(head.reach) && isfinite(head.section_value) && are_finite(y, (int)(3 * n));
  for (int i = 0; i < head.tracks; i++) {
    is_good = is_good && is_track(d, &track[i], i);
  }
  status = is_good ? NSDYN_OK : refuse(&d->fault, "the state holds numbers that no driver has");
  /* Stage 3. The driver goes on from there. */
  if (!status) {
    const nsd_snapshot snapshot = {.t = head.t,
                                   .track = track,
                                   .tracks = head.tracks,
                                   .room = head.tracks,
                                   .size = y + n,
                                   .reference = y + 2 * n,
                                   .reach = head.reach,
                                   .section_value = head.section_value};
    status = nsd_driver_resume(d, &snapshot, head.t, y);
    d->run.begun = status ? d->run.begun : head.begun;
  }
  return status;
}
