/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How large the terms are that a gap is a sum of: Σ_j |∂g/∂q_j| |q_j|, of which rounding leaves a share.
 *
 * Where q' = u the slopes stand in w_N. Where they do not (cosines, quaternions), w_N says nothing of the
 * single coordinates, and each of them is moved by a small share of its size instead. That costs nq calls of
 * the gap's callback, so it is done once, and again only where a coordinate has doubled its size or a contact
 * is new. Where q' = u it is done for a gap that is as good as zero before w_N has ever been asked for. */
#include <float.h>
#include <math.h>

#include "base/tolerances.h"
#include "event/internal.h"

#define LATE 64.0      /* times the own time of the motion: from then on ticks of the clock show in gaps */
#define MOMENT 0x1p-10 /* of that time, over which rates of gaps are differenced */
#define SHARE                                                                                                \
  0x1p-16 /* of a coordinate's size, that it is moved by: no slope is needed to more than a digit */

/* Sizes so far: of the state, and what the tolerance refers to. */
static double size_of(const nsdyn_event_driver *d, int j)
{
  const double own = fmax(fabs(d->instant.q_work[j]), d->scales.size[j]);
  return fmax(own, isfinite(d->scales.reference[j]) ? d->scales.reference[j] : 0.0);
}

/* Whether a gap has never been closed and is as good as zero beside all lengths: w_N is not known of it, and
 * of its own value nothing can be said but that it may be rounding. */
static int may_be_rounding(const nsdyn_event_driver *d, const nsd_track *track)
{
  const double gap = track->index >= 0 ? d->phase.motion.scene.closed.g[track->index] : track->gap;
  const double length = fmax(d->tracks.reach, nsd_norm_inf(d->sys->def.nq, d->instant.q_work));
  return track->terms < 0.0 && fabs(gap) <= NSD_GAP_NEARLY_ZERO * length;
}

int nsd_probe_is_due(const nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  for (int i = 0; !def->kinematics && i < d->tracks.count; i++) {
    if (may_be_rounding(d, &d->tracks.track[i])) {
      return 1;
    }
  }
  if (!def->kinematics) {
    return 0;
  }
  for (int j = 0; j < def->nq; j++) {
    if (size_of(d, j) > 2.0 * d->tracks.probed[j]) {
      return 1;
    }
  }
  for (int i = 0; i < d->tracks.count; i++) {
    if (d->tracks.track[i].terms < 0.0) {
      return 1;
    }
  }
  return 0;
}

/* Gaps of all tracks and constraints at q_probe, into gap (tracks, then constraints). A contact that `find`
 * does not report there has NaN. */
static nsdyn_status gaps_at(const nsdyn_event_driver *d, nsd_phase *phase, double t, const double *q,
                            double *gap)
{
  nsd_acceleration *m = &phase->motion;
  const nsdyn_system_def *def = &d->sys->def;
  nsdyn_status status = nsd_call_configure(def, t, q, m->fault);
  status = status ? status : nsd_call_gap(def, t, q, m->scene.closed.g, m->fault);
  if (!status && def->find) {
    status = nsd_sink_find(&m->scene.closed.sink, t, q, NULL, m->margin);
  }
  if (!status && def->nconstraints) {
    status = nsd_call_constraint(def, t, q, m->g_b, m->W_b, m->w_hat_b, m->fault);
  }
  for (int i = 0; i < d->tracks.count && !status; i++) {
    const nsd_track *track = &d->tracks.track[i];
    const int64_t found = track->index < 0 ? nsd_keys_find(&m->scene.closed.sink.keys, track->key) : -1;
    gap[i] = track->index >= 0 ? m->scene.closed.g[i]
             : found >= 0      ? m->scene.closed.sink.found[found].gap
                               : (double)NAN;
  }
  for (int i = 0; i < def->nconstraints && !status; i++) {
    gap[d->tracks.count + i] = m->g_b[i];
  }
  return status;
}

nsdyn_status nsd_probe_gaps(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks)
{
  const nsdyn_system_def *def = &d->sys->def;
  const int count = tracks->count + def->nconstraints;
  double *terms = tracks->probe_terms, *base = terms + count, *moved = base + count;
  nsdyn_status status = gaps_at(d, phase, d->t, d->instant.q_work, base);
  for (int i = 0; i < count; i++) {
    terms[i] = 0.0;
  }
  for (int j = 0; j < def->nq && !status; j++) {
    const double step = SHARE * size_of(d, j);
    double *q = phase->motion.q_probe;
    for (int i = 0; i < def->nq; i++) {
      q[i] = d->instant.q_work[i] + (i == j ? step : 0.0);
    }
    status = step > 0.0 ? gaps_at(d, phase, d->t, q, moved) : NSDYN_OK;
    for (int i = 0; i < count && !status && step > 0.0; i++) {
      /* |g(q + s |q_j| e_j) − g(q)| / s is about |∂g/∂q_j| |q_j|. */
      const double change = fabs(moved[i] - base[i]) / SHARE;
      terms[i] += nsd_is_number(change) ? change : 0.0; /* far away, or not found there */
    }
    tracks->probed[j] = size_of(d, j);
  }
  for (int i = 0; i < tracks->count && !status; i++) {
    tracks->track[i].terms = fmax(tracks->track[i].terms, terms[i]);
  }
  for (int i = 0; i < def->nconstraints && !status; i++) {
    tracks->constraint_terms[i] = fmax(tracks->constraint_terms[i], terms[tracks->count + i]);
  }
  return status;
}

int nsd_probe_is_late(const nsdyn_event_driver *d)
{
  const double own = nsd_phase_own_time(d);
  return own > 0.0 && fabs(d->t) > LATE * own;
}

nsdyn_status nsd_probe_clock(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks)
{
  const nsdyn_system_def *def = &d->sys->def;
  const int count = tracks->count + def->nconstraints;
  double *driven = tracks->probe_terms, *base = driven + count, *moved = base + count;
  const double later = d->t + MOMENT * nsd_phase_own_time(d), moment = later - d->t;
  nsdyn_status status = gaps_at(d, phase, d->t, d->instant.q_work, base);
  status = status ? status : gaps_at(d, phase, later, d->instant.q_work, driven);
  status = status ? status
                  : nsd_call_move(def, d->t, d->instant.q_work, d->instant.u_work, moment,
                                  phase->motion.q_probe, phase->motion.fault);
  status = status ? status : gaps_at(d, phase, later, phase->motion.q_probe, moved);
  for (int i = 0; i < tracks->count && !status; i++) {
    /* ∂g/∂t makes noise of the clock's ticks; with dg/dt contacts that close together seem to do it one tick
     * after the other. */
    const double drive = fabs(driven[i] - base[i]) / moment, fall = (base[i] - moved[i]) / moment;
    nsd_track *track = &tracks->track[i];
    track->drive = nsd_is_number(drive) ? fmax(track->drive, drive) : track->drive;
    track->tick = nsd_is_number(fall) && fall > 0.0 ? 4.0 * DBL_EPSILON * fabs(d->t) * fall : 0.0;
  }
  return status;
}
