/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The functions whose roots end a phase: positive in it, they fall through zero at the event. */
#include <float.h>
#include <math.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "event/internal.h"

#define SHARE_OF_LARGEST 0x1p-10 /* a contact's size is at least this share of the largest */
#define SLACK 0.1                /* share of the tolerance */
#define STEEP 64.0               /* times the tolerance of accelerations */
#define SQUARE_KEPT 0x1p-7       /* of ‖γ_T‖², of what its rounding has been so far */
#define HELD_NOISE 16.0          /* times what counts as rest: γ_T of what constraints hold */
#define MOST_SEEN 16.0 /* times the largest gap at the ends of steps, that one on the way counts for */
#define LEAST_CUT                                                                                            \
  0x1p13             /* ticks, of the clock and of the motion's own time: steps that may be cut for waves */
#define LEAVING 16.0 /* times the noise of a gap: contacts that were closed a moment ago */

double nsd_track_terms(const nsdyn_event_driver *d, const nsd_track *track)
{
  return nsd_larger(nsd_larger(track->height, track->reach), SHARE_OF_LARGEST * d->tracks.reach);
}

double nsd_track_noise(const nsdyn_event_driver *d, const nsd_track *track)
{
  const double reach = nsd_track_terms(d, track);
  const double ticks = 2.0 * DBL_EPSILON * fabs(d->t) * track->drive;
  return nsd_larger(nsd_larger(NSD_EVENT_GAP_NOISE * reach + ticks, track->slack), DBL_MIN);
}

/* ---- what there is to watch ---------------------------------------------------------------------------- */

/* `slack`: what the tolerance allows the function to err by. One that begins within it, with a slope that is
 * as good as zero, is not seen to fall before it has fallen by more. */
double nsd_event_function_noise(double value, double noise, double slack)
{
  return fabs(value) <= slack && slack > noise ? slack : noise;
}

void nsd_event_function_add(nsd_event_function_list *list, int32_t kind, int which, double sign, double noise)
{
  const nsd_event_function watch = {.kind = kind, .which = which, .sign = sign};
  list->watch[list->count] = watch;
  list->noise[list->count] = nsd_larger(noise, DBL_MIN);
  list->count++;
}

static void lay_out(nsd_arena *arena, nsd_phase *phase, int room)
{
  nsd_event_function_list *lists[2] = {&phase->kinematic, &phase->dynamic};
  for (int i = 0; i < 2; i++) {
    lists[i]->watch = nsd_arena_take(arena, (size_t)room, sizeof *lists[i]->watch);
    lists[i]->noise = nsd_arena_take(arena, (size_t)room, sizeof *lists[i]->noise);
  }
  phase->watch_value = nsd_arena_take(arena, (size_t)room, sizeof *phase->watch_value);
  nsd_locate_lay_out(arena, &phase->locate, room);
}

/* At most so many in a list, with so many closed contacts. */
static int count_watches(const nsdyn_event_driver *d, int contacts)
{
  const int early = d->tracks.count + 2 * contacts + 2, late = 3 * contacts + 1;
  return early > late ? early : late;
}

static nsdyn_status reserve(nsdyn_event_driver *d)
{
  const int contacts = d->phase.motion.scene.room_contacts;
  const int room = count_watches(d, contacts) + d->tracks.room - d->tracks.count;
  if (count_watches(d, d->phase.motion.scene.closed.count) <= d->phase.watch_room) {
    return NSDYN_OK;
  }
  nsd_phase counted = d->phase;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, room);
  const nsdyn_status status = nsd_arena_reserve(&d->watch_arena, &measure);
  if (status) {
    return nsd_fault_set(&d->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to watch %d contacts",
                         contacts);
  }
  lay_out(&d->watch_arena, &d->phase, room);
  d->phase.watch_room = room;
  return NSDYN_OK;
}

/* Sizes of the terms that a contact's forces are sums of, the largest so far: a force may just be small now.
 * Rounding is a share of them. The tolerance is one of `weight`, where the load and what constraints make of
 * it are one term: in coordinates that constraints tie together they may be as large as one likes, and
 * cancel. */
double nsd_event_function_size_of_force(const nsdyn_event_driver *d, nsd_tracks *tracks, int k, int r)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const int row = scene->closed.contact[k].row + r;
  const double *G = nsd_acceleration_row(&d->phase.motion, row);
  nsd_track *track = &tracks->track[d->instant.happening[k].track];
  double size = nsd_larger(fabs(scene->problem.c[row]), nsd_acceleration_load_size(&d->phase.motion, row));
  double load = scene->problem.c[row], weight = 0.0;
  for (int j = 0; j < scene->closed.rows; j++) {
    /* G_rr λ_r = γ̇_r − c_r − Σ G_rj λ_j, j ≠ r: rounding of λ_r is a share of these terms over G_rr. */
    const double term = G[j] * scene->solution.Lambda[j];
    size += fabs(term);
    load += j < scene->closed.contact_rows ? 0.0 : term;
    weight += j < scene->closed.contact_rows ? fabs(term) : 0.0;
  }
  weight =
      scene->closed.contact_rows < scene->closed.rows ? weight + fabs(load) : size; /* nothing to cancel it */
  track->weight[r] = nsd_larger(G[row] > 0.0 ? weight / G[row] : 0.0, track->weight[r]);
  track->press[r] = nsd_larger(G[row] > 0.0 ? size / G[row] : 0.0, track->press[r]);
  return track->press[r];
}

double nsd_event_function_size_of_speed(const nsdyn_event_driver *d, nsd_tracks *tracks, int k, int r)
{
  const int row = d->phase.motion.scene.closed.contact[k].row + r;
  /* Terms of W u + ŵ, and what the contact force makes of γ in one step: λ G Δt. */
  return nsd_phase_size_of_speed(d, row, d->u) + d->run.last_dt *
                                                     nsd_event_function_size_of_force(d, tracks, k, r) *
                                                     nsd_acceleration_row(&d->phase.motion, row)[row];
}

/* Whether γ̇ of a row is certainly not zero, beside what the tolerance makes of its terms: then γ vanishes at
 * a time that is known well, however small it is. */
static int is_steep(const nsdyn_event_driver *d, int row, double terms)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const double *G = nsd_acceleration_row(&d->phase.motion, row);
  double rate = scene->problem.c[row]; /* γ̇ = c + G λ */
  for (int j = 0; j < scene->closed.rows; j++) {
    rate += G[j] * scene->solution.Lambda[j];
  }
  return fabs(rate) > STEEP * d->options.tol * terms;
}

static void watch_closed(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                         nsd_instant *instant, int k)
{
  const nsd_scene *scene = &phase->motion.scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_contact_spec *spec = &scene->problem.spec[k];
  const double *Lambda = scene->solution.Lambda + c->row;
  /* 1. λ_N. A value that begins inside what the tolerance allows must fall by more than that to count. */
  const double force = nsd_event_function_size_of_force(d, tracks, k, 0), slack = SLACK * d->options.tol;
  const double *weight = tracks->track[instant->happening[k].track].weight;
  const double noise = nsd_event_function_noise(Lambda[0], NSD_EVENT_FORCE_NOISE * force, slack * weight[0]);
  const int has_friction = nsd_contact_has_friction(spec);
  if (phase->motion.idle[k]) { /* what γ_T may be while that counts as rest (nsd_idle_moves) */
    instant->happening[k].bound =
        fmax(d->options.tol, HELD_NOISE * NSD_EVENT_REST) * nsd_event_function_size_of_speed(d, tracks, k, 1);
  }
  /* 2. It opens where λ_N falls through zero; a slot changes the side that it presses on. */
  if (spec->kind != NSDYN_CONTACT_BILATERAL) {
    nsd_event_function_add(&phase->dynamic, NSD_EVENT_FUNCTION_NORMAL, k, 1.0, noise);
  } else if (spec->friction == NSD_FRICTION_LOAD && has_friction) {
    const double side = tracks->track[instant->happening[k].track].side;
    nsd_event_function_add(&phase->dynamic, NSD_EVENT_FUNCTION_NORMAL, k, side < 0.0 ? -1.0 : 1.0, noise);
  }
  if (!has_friction) {
    return;
  }
  if (c->rows == 3) {
    nsd_slide_watch(d, phase, tracks, k, force);
    return;
  }
  /* 3. Sliding ends where s γ_T falls to zero, s = ±1 being its direction. */
  if (c->mode == NSDYN_MODE_SLIP_PLUS || c->mode == NSDYN_MODE_SLIP_MINUS) {
    const double speed = nsd_event_function_size_of_speed(d, tracks, k, 1);
    const double row = nsd_acceleration_row(&phase->motion, c->row + 1)[c->row + 1];
    const double own = nsd_phase_size_of_speed(d, c->row + 1, d->u) + d->run.last_dt * weight[1] * row;
    const double rounding = nsd_larger(NSD_EVENT_SPEED_NOISE * speed, nsd_phase_tick_of_speed(d, c->row + 1));
    const double within = nsd_event_function_noise(scene->problem.gamma[c->row + 1], rounding, slack * own);
    const double terms = row * tracks->track[instant->happening[k].track].press[1];
    nsd_event_function_add(&phase->kinematic, NSD_EVENT_FUNCTION_SPEED, k,
                           c->mode == NSDYN_MODE_SLIP_PLUS ? 1.0 : -1.0,
                           within > rounding && is_steep(d, c->row + 1, terms) ? rounding : within);
    return;
  }
  /* 4. Sticking ends where μ |λ_N| + a − λ_T or μ |λ_N| + a + λ_T falls to zero; a is the given bound. */
  if (nsd_state_sticks(scene->solution.state[k])) {
    const double size =
        force * (1.0 + spec->mu) + spec->bound + nsd_event_function_size_of_force(d, tracks, k, 1);
    const double limit = spec->mu * fabs(Lambda[0]) + spec->bound;
    const double own = weight[0] * (1.0 + spec->mu) + spec->bound + weight[1];
    for (int side = 0; side < 2; side++) {
      const double sign = side ? -1.0 : 1.0;
      nsd_event_function_add(
          &phase->dynamic, NSD_EVENT_FUNCTION_LIMIT, k, sign,
          nsd_event_function_noise(limit + sign * Lambda[1], NSD_EVENT_FORCE_NOISE * size, slack * own));
    }
  }
}

/* What rounding makes of the section. */
static double section_noise(const nsdyn_event_driver *d)
{
  return fmax(fmax(NSD_SECTION_NOISE * d->phase.section_value, d->phase.section_noise), DBL_MIN);
}

/* How large the section's values are; on which side the state is, the first step tells. */
static nsdyn_status size_section(const nsdyn_event_driver *d, nsd_phase *phase)
{
  double value = 0.0;
  const int code = d->options.section(d->options.user, d->t, d->q, d->u, &value);
  if (code) {
    return nsd_blame_code(phase->motion.fault, "section", nsd_no_subject(), code);
  }
  phase->section_value = fmax(phase->section_value, fabs(value));
  return isfinite(value) ? NSDYN_OK
                         : nsd_blame_vector(phase->motion.fault, "section", nsd_no_subject(),
                                            NSDYN_DETAIL_NONE, "its value", 1, &value);
}

/* Of the least of all gaps. */
static double noise_of_found(const nsdyn_event_driver *d)
{
  nsd_track found = {.reach = d->tracks.reach};
  for (int i = d->sys->def.ncontacts; i < d->tracks.count; i++) {
    found.slack = fmax(found.slack, d->tracks.track[i].slack);
  }
  return nsd_track_noise(d, &found);
}

/* Found contacts that have opened: once above the depth in which they began, they are watched like all
 * others. */
static void let_go_of_found(const nsdyn_event_driver *d, nsd_tracks *tracks)
{
  const nsdyn_contact_sink *sink = &d->phase.motion.scene.closed.sink;
  for (int i = d->sys->def.ncontacts; i < tracks->count; i++) {
    nsd_track *track = &tracks->track[i];
    const int64_t found = nsd_keys_find(&sink->keys, track->key);
    if (track->mode == NSDYN_MODE_OPEN && found >= 0) {
      track->gap = sink->found[found].gap;
      track->lift = track->gap > 0.0 ? 0.0 : track->lift;
      track->slack = track->gap > track->slack ? 0.0 : track->slack;
    }
  }
}

/* Found contacts that are closed. */
static nsdyn_status set_apart(nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const size_t found = (size_t)(d->tracks.count - d->sys->def.ncontacts);
  const nsdyn_status status =
      nsd_keys_reserve(&d->phase.apart, found + (size_t)(scene->closed.count - scene->closed.known));
  if (status) {
    return nsd_fault_set(&d->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to watch %zu contacts", found);
  }
  nsd_keys_clear(&d->phase.apart);
  for (int k = scene->closed.known; k < scene->closed.count; k++) {
    (void)nsd_keys_add(&d->phase.apart, scene->closed.contact[k].key, k);
  }
  return NSDYN_OK;
}

/* A found contact that has just opened has a gap of zero, and the least of all gaps would begin with it: it
 * could hide, within a moment, that another one closes. So it is watched by itself. */
static void watch_leaving(const nsdyn_event_driver *d, nsd_phase *phase)
{
  for (int i = d->sys->def.ncontacts; i < d->tracks.count; i++) {
    const nsd_track *track = &d->tracks.track[i];
    const double noise = nsd_track_noise(d, track);
    if (track->mode == NSDYN_MODE_OPEN && track->gap + track->lift <= LEAVING * noise) {
      nsd_event_function_add(&phase->kinematic, NSD_EVENT_FUNCTION_LEAVING, i, 1.0, noise);
      (void)nsd_keys_add(&phase->apart, track->key, -2);
    }
  }
}

nsdyn_status nsd_event_function_begin(nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  nsdyn_status status = reserve(d);
  if (!status && d->sys->def.find) {
    status = set_apart(d);
  }
  if (!status && d->options.section) {
    status = size_section(d, &d->phase);
  }
  if (status) {
    return status;
  }
  d->phase.kinematic.count = d->phase.dynamic.count = 0;
  /* 1. Gaps of open contacts: those known in advance one by one, found ones by the least of all. */
  for (int i = 0; i < d->sys->def.ncontacts; i++) {
    if (d->tracks.track[i].mode == NSDYN_MODE_OPEN) {
      nsd_event_function_add(&d->phase.kinematic, NSD_EVENT_FUNCTION_GAP, i, 1.0,
                             nsd_track_noise(d, &d->tracks.track[i]));
    }
  }
  if (d->sys->def.find) {
    nsd_event_function_add(&d->phase.kinematic, NSD_EVENT_FUNCTION_FOUND, -1, 1.0, noise_of_found(d));
    watch_leaving(d, &d->phase);
  }
  /* 2. Forces and sliding velocities of closed contacts. */
  int slides = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    watch_closed(d, &d->phase, &d->tracks, &d->instant, k);
    slides |= scene->closed.contact[k].mode > NSDYN_MODE_STICK && scene->problem.spec[k].mu > 0.0;
  }
  /* 3. Where anything slides, the determinant p of the mode matrix: p = 0 is the boundary of Painlevé. */
  if (slides) {
    nsd_event_function_add(&d->phase.dynamic, NSD_EVENT_FUNCTION_REGULAR, -1, 1.0, NSD_DETERMINANT_NOISE);
  }
  /* 4. The surface whose crossings the user wants to know. */
  if (d->options.section) {
    nsd_event_function_add(&d->phase.kinematic, NSD_EVENT_FUNCTION_SECTION, -1, d->phase.section_sign,
                           section_noise(d));
  }
  return NSDYN_OK;
}

/* ---- values -------------------------------------------------------------------------------------------- */

/* The gap that counts where no contact is in sight. */
static double horizon(const nsdyn_event_driver *d)
{
  return isfinite(d->options.margin) ? d->options.margin : fmax(d->tracks.reach, 1.0);
}

/* Gap of a contact that leaves, with how deep it began. */
static double gap_of_leaving(const nsdyn_event_driver *d, const nsd_track *track)
{
  const nsdyn_contact_sink *sink = &d->phase.motion.scene.closed.sink;
  const int64_t found = nsd_keys_find(&sink->keys, track->key);
  return found >= 0 ? sink->found[found].gap + track->lift : horizon(d);
}

int nsd_event_function_excludes(const nsdyn_event_driver *d, int64_t key)
{
  return nsd_keys_find(&d->phase.apart, key) != -1;
}

/* Least gap of a found contact that is neither closed nor leaving; the horizon where there is none. */
static double least_found(const nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  double least = horizon(d);
  for (int32_t i = 0; i < scene->closed.sink.count; i++) {
    const int is_other = nsd_event_function_excludes(d, scene->closed.sink.found[i].key);
    least = is_other ? least : fmin(least, scene->closed.sink.found[i].gap);
  }
  return least;
}

/* A value that is no number. */
static nsdyn_status blame_value(nsd_fault *fault, const nsd_event_function *watch, double value)
{
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, watch->which, 0};
  if (watch->kind == NSD_EVENT_FUNCTION_GAP) {
    return nsd_blame_vector(fault, "gap", who, NSDYN_DETAIL_CONTACT, "its gap", 1, &value);
  }
  return nsd_blame_vector(fault, watch->kind == NSD_EVENT_FUNCTION_SECTION ? "section" : "direction",
                          nsd_no_subject(), NSDYN_DETAIL_NONE, "a value", 1, &value);
}

static int is_in_space(const nsd_scene *scene, int k)
{
  return scene->closed.contact[k].rows == 3;
}

static nsdyn_status value_of(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                             const nsd_event_function *watch, double t, const double *y, double *value)
{
  const nsd_scene *scene = &phase->motion.scene;
  int code = 0;
  switch (watch->kind) {
  case NSD_EVENT_FUNCTION_GAP:
    if (scene->closed.g[watch->which] == INFINITY) {
      *value = horizon(d);
      break;
    }
    /* g_N; a contact that leaves from below zero counts its gap from where it began. */
    *value = scene->closed.g[watch->which] + tracks->track[watch->which].lift;
    tracks->track[watch->which].seen =
        nsd_larger(scene->closed.g[watch->which], tracks->track[watch->which].seen);
    break;
  case NSD_EVENT_FUNCTION_FOUND:
    *value = least_found(d);
    break;
  case NSD_EVENT_FUNCTION_LEAVING:
    *value = gap_of_leaving(d, &tracks->track[watch->which]);
    break;
  case NSD_EVENT_FUNCTION_SPEED:
    /* s γ_T */
    *value = is_in_space(scene, watch->which)
                 ? nsd_slide_speed(phase, watch)
                 : watch->sign * scene->problem.gamma[scene->closed.contact[watch->which].row + 1];
    break;
  case NSD_EVENT_FUNCTION_TURN:
    *value = nsd_slide_turn(phase, watch);
    break;
  case NSD_EVENT_FUNCTION_SECTION:
    code = d->options.section(d->options.user, t, y, y + d->sys->def.nq, value);
    *value *= watch->sign;
    break;
  case NSD_EVENT_FUNCTION_NORMAL:
    /* λ_N; of a slot, positive on the side that it presses on. */
    *value = watch->sign * scene->solution.Lambda[scene->closed.contact[watch->which].row];
    break;
  case NSD_EVENT_FUNCTION_LIMIT: {
    const nsd_contact_spec *spec = &scene->problem.spec[watch->which];
    const double *Lambda = scene->solution.Lambda + spec->row;
    if (is_in_space(scene, watch->which)) {
      *value = nsd_slide_limit(phase, watch);
      break;
    }
    /* μ |λ_N| + a ± λ_T */
    *value = spec->mu * fabs(Lambda[0]) + spec->bound + watch->sign * Lambda[1];
    break;
  }
  default:
    /* p, the determinant with friction over that without. */
    *value = nsd_acceleration_determinant(&phase->motion);
    break;
  }
  if (code) {
    return nsd_blame_code(phase->motion.fault, "section", nsd_no_subject(), code);
  }
  return nsd_is_number(*value) ? NSDYN_OK : blame_value(phase->motion.fault, watch, *value);
}

static nsdyn_status prepare_early(const nsdyn_event_driver *d, nsd_phase *phase, double t, const double *q,
                                  const double *u)
{
  nsd_acceleration *m = &phase->motion;
  int speeds = 0, gaps = 0, found = 0;
  for (int i = 0; i < phase->kinematic.count; i++) {
    speeds |= phase->kinematic.watch[i].kind == NSD_EVENT_FUNCTION_SPEED;
    gaps |= phase->kinematic.watch[i].kind == NSD_EVENT_FUNCTION_GAP;
    found |= phase->kinematic.watch[i].kind == NSD_EVENT_FUNCTION_FOUND;
  }
  /* Gaps and γ only: these functions need neither M nor forces. */
  nsdyn_status status = nsd_call_configure(&d->sys->def, t, q, m->fault);
  if (!status && found) {
    status = nsd_sink_find(&m->scene.closed.sink, t, q, NULL, m->margin);
  }
  if (!status && speeds) {
    status = nsd_acceleration_look(m, t, q, u);
  }
  return !status && gaps ? nsd_call_gap(&d->sys->def, t, q, m->scene.closed.g, m->fault) : status;
}

nsdyn_status nsd_event_function_values(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                                       const nsd_event_function_list *list, double t, const double *y,
                                       double *g)
{
  const double *q = y, *u = y + d->sys->def.nq;
  nsdyn_status status = list == &phase->kinematic ? prepare_early(d, phase, t, q, u)
                                                  : nsd_acceleration_evaluate(&phase->motion, t, q, u);
  for (int i = 0; i < list->count && !status; i++) {
    status = value_of(d, phase, tracks, &list->watch[i], t, y, &g[i]);
  }
  return status;
}

/* ---- roots --------------------------------------------------------------------------------------------- */

static int values(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                  const nsd_event_function_list *list, double theta, double *g)
{
  nsd_dopri_at(&phase->dopri, theta, phase->y_next);
  phase->trouble = nsd_event_function_values(
      d, phase, tracks, list, phase->extended_from + theta * phase->extended_dt, phase->y_next, g);
  return phase->trouble != NSDYN_OK;
}

static int early_values(void *user, double theta, double *g)
{
  nsdyn_event_driver *d = user;
  return values(d, &d->phase, &d->tracks, &d->phase.kinematic, theta, g);
}

static int late_values(void *user, double theta, double *g)
{
  nsdyn_event_driver *d = user;
  return values(d, &d->phase, &d->tracks, &d->phase.dynamic, theta, g);
}

double nsd_event_function_least_cut(const nsdyn_event_driver *d)
{
  const double t = fmax(fabs(d->phase.extended_from), fabs(d->phase.dopri.t));
  return LEAST_CUT * DBL_EPSILON * fmax(t, nsd_phase_own_time(d));
}

static nsdyn_status first_of(nsdyn_event_driver *d, const nsd_event_function_list *list, double from,
                             double to, nsd_root *root)
{
  const int is_late = list == &d->phase.dynamic;
  const double t = fmax(fabs(d->phase.extended_from), fabs(d->phase.dopri.t));
  /* θ is resolved to two ticks of the clock, 2 ε |t| / h, or to rounding of θ itself. */
  const nsd_locate_task task = {
      .m = list->count,
      /* five points, where the motion's own error has chosen the step and the last
         one did not need more */
      .coarse = is_late && !nsd_dopri_is_blind(&d->phase.dopri) && d->phase.was_calm,
      .check = is_late && from == 0.0 && d->phase.dopri.t_before <= d->phase.t_begin,
      .grazes = d->phase.grazes,
      .may_shorten = from == 0.0 && d->phase.extended_dt > nsd_event_function_least_cut(d),
      .values = is_late ? late_values : early_values,
      .user = d,
      .noise = list->noise,
      .resolution = fmax(2.0 * DBL_EPSILON * t / d->phase.extended_dt, 4.0 * DBL_EPSILON)};
  const nsdyn_status status = nsd_locate_first(&d->phase.locate, &task, from, to, root);
  d->phase.intervals =
      d->phase.locate.intervals > d->phase.intervals ? d->phase.locate.intervals : d->phase.intervals;
  for (int k = 0; k < list->count; k++) { /* the next steps of the phase need not find it out again */
    list->noise[k] = nsd_larger(list->noise[k], d->phase.locate.learned[k]);
  }
  return status == NSDYN_ERR_CALLBACK ? d->phase.trouble : status;
}

/* The side of watch i, a section, where it is not known yet: that of the state, or of one a little later
 * where the state is on the section. What is small there, the end of the step tells. */
static nsdyn_status find_side(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks, int i,
                              double from)
{
  static const double shares[] = {1.0, 0.0, 0x1p-20, 0x1p-15, 0x1p-10, 0x1p-5, 1.0};
  for (int k = 0; phase->section_sign == 0.0 && k < (int)(sizeof shares / sizeof *shares); k++) {
    double *g = phase->watch_value;
    if (values(d, phase, tracks, &phase->kinematic, from + (1.0 - from) * shares[k], g)) {
      return phase->trouble;
    }
    phase->section_value = fmax(phase->section_value, fabs(g[i]));
    phase->kinematic.noise[i] = section_noise(d);
    if (k > 0 && fabs(g[i]) > phase->kinematic.noise[i]) {
      phase->section_sign = g[i] > 0.0 ? 1.0 : -1.0;
    }
  }
  return NSDYN_OK;
}

static nsdyn_status orient_section(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                                   double from)
{
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; i < phase->kinematic.count && !status; i++) {
    nsd_event_function *watch = &phase->kinematic.watch[i];
    if (watch->kind == NSD_EVENT_FUNCTION_SECTION) {
      watch->sign = 1.0;
      status = find_side(d, phase, tracks, i, from);
      watch->sign = phase->section_sign == 0.0 ? 1.0 : phase->section_sign;
    }
  }
  return status;
}

/* The largest gaps that the last step has shown on the way are remembered up to its own length: a hop may lie
 * within one step. */
static void remember_heights(const nsdyn_event_driver *d, nsd_tracks *tracks)
{
  for (int i = 0; i < d->sys->def.ncontacts; i++) {
    nsd_track *track = &tracks->track[i];
    track->height = fmax(track->height, fmin(track->seen, MOST_SEEN * tracks->reach));
    track->seen = 0.0;
  }
}

nsdyn_status nsd_event_function_first(nsdyn_event_driver *d, double from, nsd_root *root,
                                      const nsd_event_function_list **list)
{
  nsd_root late = {.kind = NSD_ROOT_NONE};
  *list = &d->phase.kinematic;
  d->phase.was_calm = d->phase.intervals <= 1;
  d->phase.intervals = 0;
  /* 1. What follows from kinematics alone: gaps, sliding velocities, the section. */
  nsdyn_status status = orient_section(d, &d->phase, &d->tracks, from);
  status = status ? status : first_of(d, &d->phase.kinematic, from, 1.0, root);
  /* 2. What needs forces costs more: only up to the first root so far. */
  const double to = root->kind ? root->theta : 1.0;
  if (!status && !d->phase.locate.wavy && d->phase.dynamic.count > 0 && to > from) {
    status = first_of(d, &d->phase.dynamic, from, to, &late);
  }
  /* 3. A function with too many waves for this step: no root is believed, and the step becomes shorter. */
  if (d->phase.locate.wavy) {
    root->kind = NSD_ROOT_NONE;
  }
  if (!status && late.kind) {
    *root = late;
    *list = &d->phase.dynamic;
  }
  remember_heights(d, &d->tracks);
  return status;
}

nsdyn_status nsd_event_function_cross(nsdyn_event_driver *d, int k, double t, const double *y)
{
  nsd_event_function *watch = &d->phase.kinematic.watch[k];
  double value;
  nsdyn_status status = nsd_instant_count(d, t);
  status = status ? status : value_of(d, &d->phase, &d->tracks, watch, t, y, &value);
  if (status) {
    return status;
  }
  /* What its value still is at the crossing counts as zero from now on, so that it is not crossed again at
   * once. */
  d->phase.section_noise =
      fmax(d->phase.section_noise, fmin(4.0 * fabs(value), NSD_SECTION_MOST_NOISE * d->phase.section_value));
  d->phase.kinematic.noise[k] = section_noise(d);
  watch->sign = -watch->sign;
  d->phase.section_sign = watch->sign;
  return status;
}

/* Whether it is ‖γ_T‖² less what counts as zero. */
static int is_square(const nsd_acceleration *m, const nsd_event_function *watch)
{
  return watch->kind == NSD_EVENT_FUNCTION_SPEED && is_in_space(&m->scene, watch->which) &&
         !m->starts[watch->which];
}

nsdyn_status nsd_event_function_update(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks)
{
  if (phase->kinematic.count == 0) {
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_event_function_values(d, phase, tracks, &phase->kinematic, phase->dopri.t,
                                                        phase->dopri.y, phase->watch_value);
  for (int i = 0; i < phase->kinematic.count && !status; i++) {
    const nsd_event_function *watch = &phase->kinematic.watch[i];
    const double value = phase->watch_value[i];
    if (watch->kind == NSD_EVENT_FUNCTION_GAP) {
      nsd_track *track = &tracks->track[watch->which];
      track->gap = phase->motion.scene.closed.g[watch->which];
      track->reach = isinf(track->gap) ? track->reach : nsd_larger(fabs(track->gap), track->reach);
      tracks->reach = nsd_larger(track->reach, tracks->reach);
      /* Once above zero, a contact that began below it is watched like any other. */
      track->lift = track->gap > 0.0 ? 0.0 : track->lift;
      track->slack = track->gap > track->slack ? 0.0 : track->slack;
      phase->kinematic.noise[i] = nsd_track_noise(d, track);
    } else if (watch->kind == NSD_EVENT_FUNCTION_FOUND) {
      let_go_of_found(d, tracks);
      phase->kinematic.noise[i] = noise_of_found(d);
    } else if (watch->kind == NSD_EVENT_FUNCTION_LEAVING) {
      phase->kinematic.noise[i] = nsd_track_noise(d, &tracks->track[watch->which]);
    } else if (is_square(&phase->motion, watch)) {
      /* Its rounding, 2 ‖γ_T‖ times that of γ_T, falls with it: what a fast slide has shown of that would
       * hide where the same slide ends. */
      phase->kinematic.noise[i] = fmax(NSD_SQUARE_NOISE * watch->sign * watch->sign,
                                       fmin(phase->kinematic.noise[i], SQUARE_KEPT * fabs(value)));
    } else if (watch->kind == NSD_EVENT_FUNCTION_SECTION) {
      phase->section_value = fmax(phase->section_value, fabs(value));
      phase->kinematic.noise[i] = section_noise(d);
    }
  }
  return status;
}
