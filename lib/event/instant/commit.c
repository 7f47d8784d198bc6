/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What an instant found out becomes the driver's: state, modes, records, and the phase that follows. */
#include <float.h>
#include <math.h>

#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "event/internal.h"

/* ---- modes --------------------------------------------------------------------------------------------- */

static int32_t slip_of(int direction)
{
  return direction > 0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS;
}

/* Which side a slot presses on: the other one where the phase ended because that changed; at no force the one
 * it had. */
static double side_of(const nsdyn_event_driver *d, int k)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const nsd_track *track = &d->tracks.track[d->instant.happening[k].track];
  const double press = scene->solution.Lambda[scene->closed.contact[k].row];
  if (d->cause.kind == NSD_EVENT_FUNCTION_NORMAL && d->cause.which == d->instant.happening[k].track &&
      track->side != 0.0) {
    return -track->side;
  }
  return press > 0.0 ? 1.0 : press < 0.0 ? -1.0 : track->side;
}

/* The mode of a contact of the scene by its pattern state and velocity. A contact at its friction limit whose
 * motion others hold sticks all the same. */
static int32_t mode_of(const nsdyn_event_driver *d, nsd_phase *phase, int k)
{
  const nsd_scene *scene = &phase->motion.scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_contact_spec *spec = &scene->problem.spec[k];
  const int32_t state = scene->solution.state[k];
  if (d->instant.leaves[k] || !nsd_state_is_closed(state)) {
    return NSDYN_MODE_OPEN;
  }
  if (c->rows < 2) {
    return NSDYN_MODE_STICK;
  }
  if (c->rows == 3) {
    const int slides = spec->sliding || (nsd_contact_has_friction(spec) && !nsd_state_sticks(state));
    return slides ? NSDYN_MODE_SLIP : NSDYN_MODE_STICK;
  }
  /* It slides already, γ_T ≠ 0, or has no friction that could hold it. What broke loose to μ = 0 slides. */
  const int has_friction = nsd_contact_has_friction(spec);
  if (spec->sliding || !(has_friction || d->instant.happening[k].loose)) {
    return spec->sliding ? slip_of(spec->sliding) : NSDYN_MODE_STICK;
  }
  if (has_friction && (nsd_state_sticks(state) || nsd_choose_modes_is_held(d, phase, k))) {
    return NSDYN_MODE_STICK;
  }
  /* It begins to slide. Where γ̇_T exceeds rounding and what friction alone makes of it, its sign is the
   * direction. At the limit of friction γ̇_T is rounding, and it slides against its friction force. */
  const int T = c->row + 1;
  const double rise = scene->solution.xi[T];
  const double drag = nsd_acceleration_row(&phase->motion, T)[T] * fabs(scene->solution.Lambda[T]);
  double size = fabs(scene->problem.c[T]) + nsd_acceleration_load_size(&phase->motion, T);
  for (int j = 0; j < scene->closed.rows; j++) {
    size = fmax(size, fabs(nsd_acceleration_row(&phase->motion, T)[j] * scene->solution.Lambda[j]));
  }
  if (fabs(rise) > fmax(NSD_SLIDING_BEGINS * size, drag)) {
    return slip_of(rise > 0.0 ? 1 : -1);
  }
  const int is_pulled = nsd_slides_by_side(spec) && side_of(d, k) < 0.0;
  return slip_of((state == NSD_STATE_DOWN) != is_pulled ? 1 : -1);
}

/* ---- records ------------------------------------------------------------------------------------------- */

static nsdyn_event record_of(const nsdyn_event_driver *d, int32_t kind)
{
  const nsdyn_event event = {
      .size = sizeof event, .kind = kind, .contact = -1, .key = -1, .t = d->t, .t_bound = d->cause.bound};
  return event;
}

static nsdyn_event record_of_contact(const nsdyn_event_driver *d, int32_t kind, int k)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_happening *h = &d->instant.happening[k];
  nsdyn_event event = record_of(d, kind);
  event.contact = c->index;
  event.key = c->key;
  event.mode_before = h->mode_before;
  event.mode_after = c->mode;
  event.gap = c->gap;
  for (int r = 0; r < c->rows; r++) {
    event.after[r] = scene->problem.gamma[c->row + r];
    event.before[r] = h->hit || h->jammed ? h->before[r] : event.after[r];
    event.impulse[r] = h->impulse[r];
  }
  return event;
}

/* What a change of modes is called; 0: nothing. */
static int32_t kind_of_change(const nsdyn_event_driver *d, int k)
{
  const nsd_closed *c = &d->phase.motion.scene.closed.contact[k];
  const int32_t before = d->instant.happening[k].mode_before, after = c->mode;
  if (before == after) {
    /* From corner to side of a polygon, or back. */
    const int slides = c->rows == 3 && after == NSDYN_MODE_SLIP;
    const int32_t was = nsd_track_cell(d, &d->tracks.track[d->instant.happening[k].track]);
    const int32_t is = slides ? nsd_acceleration_cell(&d->phase.motion, k) : -1;
    const int has_turned = was >= 0 && is >= 0 && was != is;
    return has_turned ? NSDYN_EVENT_REVERSE : 0;
  }
  if (before == NSDYN_MODE_OPEN) {
    return NSDYN_EVENT_CLOSE;
  }
  if (after == NSDYN_MODE_OPEN) {
    return NSDYN_EVENT_OPEN;
  }
  if (!nsd_contact_has_friction(&d->phase.motion.scene.problem.spec[k])) {
    return 0; /* nothing to stick to */
  }
  return after == NSDYN_MODE_STICK    ? NSDYN_EVENT_STICK
         : before == NSDYN_MODE_STICK ? NSDYN_EVENT_SLIP
                                      : NSDYN_EVENT_REVERSE;
}

static void add_records(const nsdyn_event_driver *d, nsd_records *records, nsdyn_event_report *report,
                        int ambiguous)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    /* Impacts first, then impacts without collision, then changes of mode. */
    if (d->instant.happening[k].hit) {
      const nsdyn_event event = record_of_contact(d, NSDYN_EVENT_IMPACT, k);
      nsd_log_add(d, records, report, &event);
    }
  }
  for (int k = 0; k < scene->closed.count; k++) {
    if (d->instant.happening[k].jammed) {
      const nsdyn_event event = record_of_contact(d, NSDYN_EVENT_PAINLEVE, k);
      nsd_log_add(d, records, report, &event);
    }
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_happening *h = &d->instant.happening[k];
    const int is_slot = scene->closed.contact[k].law->kind == NSDYN_CONTACT_BILATERAL;
    int32_t kind = h->hit || h->jammed ? 0 : kind_of_change(d, k);
    if (is_slot && d->cause.kind == NSD_EVENT_FUNCTION_NORMAL && d->cause.which == h->track) {
      kind = NSDYN_EVENT_SIDE;
    }
    if (kind) {
      const nsdyn_event event = record_of_contact(d, kind, k);
      nsd_log_add(d, records, report, &event);
    }
  }
  if (ambiguous) {
    const nsdyn_event event = record_of(d, NSDYN_EVENT_AMBIGUOUS);
    nsd_log_add(d, records, report, &event);
  }
}

nsdyn_status nsd_commit_settled(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_records *records,
                                nsdyn_event_report *report, nsd_fault *fault)
{
  for (int i = 0; i < tracks->count; i++) {
    nsd_track *track = &tracks->track[i];
    if (track->settles <= d->t) {
      const nsdyn_status status = nsd_log_reserve(d, records, fault, 1);
      if (status) {
        return status;
      }
      nsdyn_event event = record_of(d, NSDYN_EVENT_ZENO);
      event.contact = track->index;
      event.key = track->key;
      event.mode_before = NSDYN_MODE_OPEN;
      event.mode_after = track->mode;
      event.gap = track->gap;
      event.t = track->settles;
      event.t_bound = track->settle_bound;
      nsd_log_add(d, records, report, &event);
      track->settles = INFINITY;
    }
  }
  return NSDYN_OK;
}

#define RECENT 4.0 /* hops */

/* ---- tracks -------------------------------------------------------------------------------------------- */

/* When impacts that follow each other ever faster come to an end: the time of a hop shrinks with its speed by
 * one ratio, that of this impact to the last one, or ε. A contact that others throw off, as one corner of a
 * rocking block does the other, leaves at every second impact only. */
static void plan_settling(const nsdyn_event_driver *d, nsd_track *track, const nsd_happening *h)
{
  /* Each hop lasts r times the one before: all that follow last T / (1 − r); with no earlier hop r = ε_N. */
  const double growth = track->rebound / h->hop_speed; /* back to the last hop */
  double ratio = nsd_track_law(d, track)->eps_n;
  if (growth > 1.0 && d->t - track->flew <= RECENT * growth * h->hop_time) {
    ratio = h->hit ? 1.0 / growth : sqrt(1.0 / growth);
  }
  const double rest = ratio < 1.0 ? h->hop_time / (1.0 - ratio) : h->hop_time;
  track->settles = d->t + rest;
  track->settle_bound = d->cause.bound + 1e-3 * rest;
}

/* In space: a contact that begins to slide does so while no direction of γ_T is known well, and goes on with
 * it. */
static void keep_direction(const nsdyn_event_driver *d, nsd_track *track, int k)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_contact_spec *spec = &scene->problem.spec[k];
  const int slides = c->mode == NSDYN_MODE_SLIP;
  if (spec->space && spec->space->sides > 0) { /* in a cell, at the point of it that Λ_T has */
    const int has_cell = slides && nsd_acceleration_cell(&d->phase.motion, k) >= 0;
    track->starts = has_cell ? d->phase.motion.starts[k] : 0;
    track->slip[0] = has_cell ? spec->slip[0] : 0.0;
    track->slip[1] = has_cell ? spec->slip[1] : 0.0;
    return;
  }
  if (slides && !spec->sliding) {
    track->starts = 1;
    track->slip[0] = spec->slip[0];
    track->slip[1] = spec->slip[1];
    return;
  }
  const int has_turned =
      d->cause.kind == NSD_EVENT_FUNCTION_TURN && d->cause.which == d->instant.happening[k].track;
  track->starts = track->starts == 1 && slides && !has_turned;
  track->slip[0] = slides ? spec->slip[0] : 0.0; /* along γ_T; what does not slide has no direction */
  track->slip[1] = slides ? spec->slip[1] : 0.0;
}

/* |ŵ| times the time in which the surface of a contact changes its speed: the motion's own time, but that is
 * long where another coordinate is large. So it is no longer than a load needs that acts on this contact,
 * |ŵ| / |γ̇|; without a load, no farther than it has come by now. */
static double way_of_surface(const nsdyn_event_driver *d, int row)
{
  const double speed = fabs(d->phase.motion.scene.directions.w_hat[row]);
  if (speed == 0.0) {
    return 0.0;
  }
  const double load = nsd_acceleration_load_on(&d->phase.motion, row);
  const double changes = load > 0.0 ? speed / load : d->t - d->run.t_begin;
  return speed * fmin(nsd_phase_own_time(d), changes);
}

static void update_track(const nsdyn_event_driver *d, nsd_tracks *tracks, int k)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_happening *h = &d->instant.happening[k];
  nsd_track *track = &tracks->track[h->track];
  /* A surface that moves is somewhere, too, though no coordinate says where. */
  const double way = way_of_surface(d, c->row);
  track->drive = nsd_larger(fabs(scene->directions.w_hat[c->row]), track->drive); /* ∂g/∂t */
  const double size = nsd_larger(nsd_larger(track->terms, way), nsd_phase_size_of_gap(d, c->row, d->q));
  /* Where all rests at zero the only length is what the load could have made of it in a part of a step. */
  const double dt = 0.0625 * (d->run.last_dt > 0.0 ? d->run.last_dt : nsd_phase_own_time(d));
  track->reach =
      nsd_larger(nsd_larger(size, nsd_acceleration_gain(&d->phase.motion, c->row, dt) * dt), track->reach);
  tracks->reach = nsd_larger(track->reach, tracks->reach);
  track->gap = c->gap;
  track->mode = c->mode;
  track->state = c->mode == NSDYN_MODE_OPEN ? -1 : scene->solution.state[k];
  track->side = side_of(d, k);
  for (int r = 0; scene->problem.is_spatial && r < c->rows; r++) {
    track->share[r] = c->mode == NSDYN_MODE_OPEN ? 0.0 : h->share[r];
  }
  if (c->rows == 3) {
    keep_direction(d, track, k);
  }
  track->lift = track->slack = 0.0;
  /* A hop that was closed off is recorded when it would have ended; for others their speed is kept. */
  if (h->hops) {
    plan_settling(d, track, h);
    track->rebound = 0.0;
  } else if (c->mode == NSDYN_MODE_OPEN) {
    track->rebound = d->instant.leaves[k] ? scene->problem.gamma[c->row] : track->rebound;
    track->flew = d->instant.leaves[k] ? d->t : track->flew;
    track->settles = INFINITY;
    track->lift = track->gap < 0.0 && d->instant.leaves[k] ? -track->gap : 0.0;
    track->slack = d->instant.leaves[k] ? 0.0 : 0.1 * d->options.tol * size;
  }
}

/* ---- the phase that follows ---------------------------------------------------------------------------- */

static int32_t direction_of(int32_t mode)
{
  return mode == NSDYN_MODE_SLIP_PLUS || mode == NSDYN_MODE_SLIP ? 1 : mode == NSDYN_MODE_SLIP_MINUS ? -1 : 0;
}

/* What contact k goes on with, where there are contacts in space. */
static void go_on_in_space(const nsd_track *track, nsd_acceleration *m, int k)
{
  nsd_scene *scene = &m->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  for (int r = 0; r < c->rows; r++) {
    m->share[c->row + r] = track->share[r];
  }
  if (c->rows == 3) {
    m->starts[k] = track->starts;
  }
  if (c->rows == 3 && track->starts) {
    m->way[k][0] = scene->problem.spec[k].slip[0] = track->slip[0];
    m->way[k][1] = scene->problem.spec[k].slip[1] = track->slip[1];
    scene->problem.spec[k].sliding =
        track->starts >= NSD_STARTS_CELL ? (int32_t)NSD_SLIDES_AT : scene->problem.spec[k].sliding;
  }
}

/* The scene keeps what is closed. */
static nsdyn_status keep_closed(const nsd_tracks *tracks, nsd_phase *phase, nsd_instant *instant)
{
  nsd_scene *scene = &phase->motion.scene;
  const int all = scene->closed.count, is_spatial = scene->problem.is_spatial;
  nsdyn_status status = nsd_acceleration_begin(&phase->motion, 0);
  for (int k = 0; k < all && !status; k++) {
    const nsd_closed contact = scene->closed.contact[k];
    if (contact.mode != NSDYN_MODE_OPEN) {
      const int to = scene->closed.count;
      instant->happening[to] = instant->happening[k];
      scene->problem.spec[to] = scene->problem.spec[k];
      scene->problem.spec[to].sliding = direction_of(contact.mode);
      /* γ̇_T = 0 is asked of what sticks by friction; what slides has λ_T = f μ λ_N, f = −s. */
      phase->motion.stuck[to] =
          contact.mode == NSDYN_MODE_STICK && nsd_contact_has_friction(&scene->problem.spec[to]);
      scene->solution.state[to] = scene->solution.state[k];
      if (scene->problem.spec[to].sliding && contact.rows < 3 &&
          !nsd_slides_by_side(&scene->problem.spec[to])) {
        scene->solution.state[to] = scene->problem.spec[to].sliding > 0 ? NSD_STATE_DOWN : NSD_STATE_UP;
      }
      nsd_acceleration_close(&phase->motion, contact);
      scene->closed.contact[to].mode = contact.mode;
      if (is_spatial) {
        go_on_in_space(&tracks->track[instant->happening[to].track], &phase->motion, to);
      }
    }
  }
  return status;
}

/* Sticking contacts that constraints hold need no friction for it, and must not hold the constraints. */
static nsdyn_status find_idle(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks)
{
  nsd_acceleration *m = &phase->motion;
  nsd_scene *scene = &m->scene;
  if (scene->closed.rows == scene->closed.contact_rows || scene->closed.count == 0) {
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_acceleration_pose(m, d->t, d->q, d->u);
  for (int k = 0; k < scene->closed.count && !status; k++) {
    nsd_track *track = &tracks->track[d->instant.happening[k].track];
    track->idle = m->stuck[k] && nsd_acceleration_is_idle(m, k);
    m->idle[k] = track->idle;
    if (track->idle && nsd_state_sticks(scene->solution.state[k])) {
      scene->solution.state[k] = NSD_STATE_DOWN; /* closed, with the friction that it has: none */
    }
  }
  return status;
}

nsdyn_status nsd_commit(nsdyn_event_driver *d, nsdyn_status status, int ambiguous)
{
  nsd_scene *scene = &d->phase.motion.scene;
  const nsdyn_system_def *def = &d->sys->def;
  if (status && status != NSDYN_STOPPED) {
    return status;
  }
  /* 1. Memory first: nothing of the state changes if there is none. */
  status = nsd_log_reserve(d, &d->records, &d->fault, 3 * scene->closed.count + 1);
  if (status) {
    return status;
  }
  /* 2. Modes by the pattern of forces and the velocities after the instant. */
  const int stops = ambiguous && d->options.ambiguous == NSDYN_AMBIGUITY_STOP;
  for (int k = 0; k < scene->closed.count; k++) {
    scene->closed.contact[k].mode = stops ? d->instant.happening[k].mode_before : mode_of(d, &d->phase, k);
  }
  /* 3. q and u after projections and impacts are the state; t has not moved. */
  for (int j = 0; j < def->nq; j++) {
    d->q[j] = d->instant.q_work[j];
  }
  for (int j = 0; j < def->nu; j++) {
    d->u[j] = d->instant.u_work[j];
  }
  d->last_impact.energy += d->instant.energy;
  d->run.begun = 1;
  d->cause.span = 0.0; /* velocities are those after it: a call that ends here is not judged by it again */
  /* 4. Records of impacts, of jams, and of changes of mode. */
  add_records(d, &d->records, &d->report, ambiguous);
  if (stops) {
    return NSDYN_STOPPED;
  }
  /* 5. Sizes, with the acceleration that the state would have without contacts, and each contact's memory. */
  nsd_acceleration_fall(&d->phase.motion);
  nsd_phase_size_up(d, &d->scales); /* tracks are judged by it */
  for (int k = 0; k < scene->closed.count; k++) {
    update_track(d, &d->tracks, k);
  }
  return NSDYN_OK;
}

nsdyn_status nsd_commit_enter_phase(nsdyn_event_driver *d)
{
  /* 1. The contacts that the instant has left closed, with their modes, are the phase's. */
  nsdyn_status status = keep_closed(&d->tracks, &d->phase, &d->instant);
  status = status ? status : find_idle(d, &d->phase, &d->tracks);
  /* 2. M u̇ = h + Wᵀ λ with γ̇ = 0 where these modes hold it there. */
  status = status ? status : nsd_acceleration_evaluate(&d->phase.motion, d->t, d->q, d->u);
  if (!status) {
    nsd_acceleration_fall(&d->phase.motion);
    nsd_verify_directions_from_here(d, &d->tracks);
    status = nsd_phase_begin(d); /* 3. the integrator stands at (q, u), and it is known what is watched */
  }
  if (!status) {
    const nsd_cause none = {.kind = -1, .which = -1};
    d->cause = none;
    d->settled = 1;
    d->revision = d->sys->revision;
  }
  return status;
}
