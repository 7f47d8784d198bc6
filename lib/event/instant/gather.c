/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Who takes part in an instant: all gaps at (t, q), and the scene of those that are closed, or as good as
 * that. */
#include <float.h>
#include <math.h>

#include "contact/planar/states.h"
#include "event/internal.h"
#include "event/phase/bias_interval.h"

double nsd_instant_gap_tolerance(const nsdyn_event_driver *d, const nsd_track *track)
{
  const double own = d->options.gap_tol >= 0.0 ? d->options.gap_tol : 8.0 * nsd_track_noise(d, track);
  return own + track->tick;
}

/* Takes note of a gap, and of the largest that it and its terms have been. */
static void look_at_gap(nsd_tracks *tracks, nsd_track *track, double gap)
{
  track->gap = gap;
  track->reach = fmax(track->reach, track->terms);
  if (isinf(gap)) {
    return;
  }
  track->reach = fmax(track->reach, fabs(gap));
  track->height = fmax(track->height, gap);
  tracks->reach = fmax(tracks->reach, track->reach);
}

/* Σ |w_j| |q_j|: the terms that the gap of a found contact is a sum of. */
static double size_of_found(const nsdyn_event_driver *d, int32_t i)
{
  const nsdyn_system_def *def = &d->sys->def;
  const nsd_row row = nsd_sink_row(&d->phase.motion.scene.closed.sink, i, 0);
  const double *at = row.w;
  double size = 0.0;
  for (int p = 0; !def->kinematics && p < row.parts; p++) {
    const double *w = nsd_row_part(&row, p, &at);
    for (int j = 0, k = row.part[p].first; j < row.part[p].n; j++, k++) {
      size += fabs(w[j]) * fmax(fabs(d->instant.q_work[k]), d->scales.reference[k]);
    }
  }
  return size;
}

/* Tracks of what `find` reports now; others are forgotten. The numbers of those behind them change, and with
 * them that of the one whose event this instant is. */
static nsdyn_status follow_found(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_cause *cause,
                                 nsd_fault *fault)
{
  const nsdyn_contact_sink *sink = &d->phase.motion.scene.closed.sink;
  const int known = d->sys->def.ncontacts;
  const int meant = cause->which;
  int kept = known;
  nsdyn_status status = nsd_driver_reserve_tracks(d, tracks, fault, tracks->count + sink->count);
  if (status) {
    return status;
  }
  /* Which of them there are still, by their keys. */
  for (int32_t i = 0; i < sink->count; i++) {
    tracks->of_found[i] = -1;
  }
  for (int i = known; i < tracks->count; i++) {
    const int64_t found = nsd_keys_find(&sink->keys, tracks->track[i].key);
    if (i == meant) {
      cause->which = found >= 0 ? kept : -1;
    }
    if (found >= 0) {
      tracks->of_found[found] = kept;
      tracks->track[kept++] = tracks->track[i];
    }
  }
  tracks->count = kept;
  for (int32_t i = 0; i < sink->count; i++) {
    nsd_track *track = tracks->of_found[i] < 0 ? NULL : &tracks->track[tracks->of_found[i]];
    if (!track) {
      const nsd_track fresh = {.key = sink->found[i].key,
                               .index = -1,
                               .mode = NSDYN_MODE_OPEN,
                               .state = -1,
                               .terms = -1.0,
                               .settles = INFINITY,
                               .lost = -INFINITY};
      track = &tracks->track[tracks->count++];
      *track = fresh;
    }
    track->law = sink->found[i].law;
    track->reach = fmax(track->reach, size_of_found(d, i));
    look_at_gap(tracks, track, sink->found[i].gap);
  }
  return NSDYN_OK;
}

static int takes_part(const nsdyn_event_driver *d, const nsd_track *track)
{
  if (track->lost == d->t) {
    return 0;
  }
  if (nsd_is_cause(d, track)) {
    return 1; /* whatever rounding left of the gap */
  }
  /* A slot is always closed; else closed in the phase before, or g <= g_tol. */
  return track->lifted || track->mode != NSDYN_MODE_OPEN ||
         nsd_track_law(d, track)->kind == NSDYN_CONTACT_BILATERAL ||
         track->gap + track->lift <= nsd_instant_gap_tolerance(d, track) ||
         (d->instant.near > 0.0 && track->gap <= d->instant.near);
}

/* The pattern state that a contact had, or is to have by what ended the phase; −1: to be found out. */
static int32_t state_before(const nsdyn_event_driver *d, int i)
{
  const nsd_track *track = &d->tracks.track[i];
  const nsd_cause *cause = &d->cause;
  const int is_meant = cause->which == i;
  const nsdyn_contact_law *law = nsd_track_law(d, track);
  const int is_slot = law->kind == NSDYN_CONTACT_BILATERAL;
  const int is_pulled = is_slot && law->friction != NSDYN_FRICTION_BOUND && cause->side < 0.0;
  const int32_t slips = (cause->sign > 0.0) != is_pulled ? NSD_STATE_DOWN : NSD_STATE_UP;
  if (track->mode == NSDYN_MODE_OPEN && track->state < 0) {
    return is_meant || cause->kind == NSD_EVENT_FUNCTION_FOUND || cause->kind < 0 ? -1 : NSD_STATE_OPEN;
  }
  switch (cause->kind) {
  case NSD_EVENT_FUNCTION_NORMAL:
    /* λ_N reached zero: the contact opens. */
    if (is_meant && !is_slot) {
      return NSD_STATE_OPEN;
    }
    /* A sliding slot presses on its other side from now on; λ_T = f μ λ_N keeps its sign, so f changes. */
    if (is_meant && !nsd_state_sticks(track->state)) {
      return NSD_STATE_DOWN + NSD_STATE_UP - track->state;
    }
    return track->state;
  case NSD_EVENT_FUNCTION_LIMIT:
    /* |λ_T| reached its limit: it slides against that friction. */
    return is_meant ? slips : track->state;
  case NSD_EVENT_FUNCTION_SPEED:
    /* γ_T reached zero: it sticks or slides back, which only the forces tell. From a corner of a polygon it
     * came to the normal of a side. */
    return is_meant && !nsd_is_at_corner(d, track) ? -1 : track->state;
  case NSD_EVENT_FUNCTION_REGULAR:
  case NSD_EVENT_FUNCTION_HELD:
    return -1;
  default:
    return track->state;
  }
}

/* Whether a contact goes on as one that has begun to slide: velocities have not jumped, nor has it turned. */
static int goes_on_starting(const nsdyn_event_driver *d, int i)
{
  const nsd_track *track = &d->tracks.track[i];
  const nsd_cause *cause = &d->cause;
  const int is_smooth = cause->kind == NSD_EVENT_FUNCTION_NORMAL || cause->kind == NSD_EVENT_FUNCTION_LIMIT ||
                        cause->kind == NSD_EVENT_FUNCTION_SPEED || cause->kind == NSD_EVENT_FUNCTION_TURN;
  return track->mode == NSDYN_MODE_SLIP && track->starts == 1 && is_smooth && cause->which != i;
}

static void take_part(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant, int i)
{
  const nsd_track *track = &d->tracks.track[i];
  nsd_scene *scene = &phase->motion.scene;
  const nsd_closed contact = {.law = nsd_track_law(d, track),
                              .key = track->key,
                              .gap = track->gap,
                              .index = track->index,
                              .found = -1,
                              .mode = track->mode};
  const nsd_happening happening = {
      .track = i, .mode_before = track->mode, .state_before = state_before(d, i)};
  instant->happening[scene->closed.count] = happening;
  instant->leaves[scene->closed.count] = NSD_STAYS;
  const int k = scene->closed.count;
  scene->problem.spec[k].sliding = 0;
  nsd_acceleration_close(&phase->motion, contact);
  if (scene->closed.contact[k].rows == 3 && (goes_on_starting(d, i) || nsd_track_cell(d, track) >= 0)) {
    phase->motion.starts[k] = track->starts;
    scene->problem.spec[k].slip[0] = track->slip[0];
    scene->problem.spec[k].slip[1] = track->slip[1];
  }
}

/* Gaps of all contacts, and tracks of all that are found. */
static nsdyn_status look(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks, nsd_cause *cause)
{
  nsd_acceleration *m = &phase->motion;
  const nsdyn_system_def *def = &d->sys->def;
  nsdyn_status status = nsd_call_configure(def, d->t, d->instant.q_work, m->fault);
  m->scene.closed.known = 0;
  status = status ? status : nsd_acceleration_gaps(m, d->t, d->instant.q_work);
  if (!status && def->find) {
    status = nsd_sink_find(&m->scene.closed.sink, d->t, d->instant.q_work, NULL, m->margin);
    status = status ? status : follow_found(d, tracks, cause, m->fault);
  }
  return status;
}

static nsdyn_status gather(nsdyn_event_driver *d)
{
  nsd_acceleration *m = &d->phase.motion;
  const nsdyn_system_def *def = &d->sys->def;
  m->lost = -1; /* what is lost from here on */
  /* 1. All gaps; where their own terms are not known, or the clock ticks slowly, how well they are known. */
  nsdyn_status status = look(d, &d->phase, &d->tracks, &d->cause);
  if (!status && nsd_probe_is_due(d)) {
    status = nsd_probe_gaps(d, &d->phase, &d->tracks);
    status = status ? status : look(d, &d->phase, &d->tracks, &d->cause);
  }
  if (!status && nsd_probe_is_late(d)) {
    status = nsd_probe_clock(d, &d->phase, &d->tracks);
    status = status ? status : look(d, &d->phase, &d->tracks, &d->cause);
  }
  for (int i = 0; i < def->ncontacts && !status; i++) {
    look_at_gap(&d->tracks, &d->tracks.track[i], m->scene.closed.g[i]);
  }
  /* 2. The scene holds who takes part: closed, slots, and gaps within their tolerance. */
  int count = 0;
  for (int i = 0; i < d->tracks.count && !status; i++) {
    count += takes_part(d, &d->tracks.track[i]);
  }
  status = status ? status : nsd_acceleration_begin(m, count);
  status = status ? status : nsd_driver_reserve_scene(d, count);
  for (int i = 0; i < d->tracks.count && !status; i++) {
    if (takes_part(d, &d->tracks.track[i])) {
      take_part(d, &d->phase, &d->instant, i);
    }
  }
  /* 3. M, W, G and γ at (t, q, u), with all of them. */
  status = status ? status : nsd_acceleration_pose(m, d->t, d->instant.q_work, d->instant.u_work);
  return status ? status : nsd_acceleration_gaps(m, d->t, d->instant.q_work);
}

nsdyn_status nsd_instant_gather(nsdyn_event_driver *d, double near)
{
  const nsdyn_system_def *def = &d->sys->def;
  for (int j = 0; j < def->nq; j++) {
    d->instant.q_work[j] = d->q[j];
  }
  for (int j = 0; j < def->nu; j++) {
    d->instant.u_work[j] = d->u[j];
  }
  nsd_bias_time_begin(d, &d->phase);
  nsd_phase_size_up(d, &d->scales); /* impacts may leave nothing of it */
  d->instant.near = near;
  const nsdyn_status status = gather(d);
  d->instant.near = 0.0;
  return status;
}
