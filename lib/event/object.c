/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The object: options, memory, state. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/check_options.h"
#include "base/tolerances.h"
#include "event/internal.h"
#include "system/check_state.h"

nsdyn_status nsdyn_event_driver_options_init(nsdyn_event_driver_options *options, size_t size)
{
  const nsdyn_event_driver_options defaults = {.size = sizeof defaults,
                                               .impact = NSDYN_IMPACT_NEWTON,
                                               .ambiguous = NSDYN_AMBIGUITY_STOP,
                                               .keep_events = 65536,
                                               .handover = 1,
                                               .max_steps = -1,
                                               .tol = 1e-9,
                                               .max_dt = INFINITY,
                                               .gap_tol = -1.0,
                                               .zeno = 1e-12,
                                               .margin = INFINITY,
                                               .output_dt = INFINITY,
                                               .start_tol = 5e-3,
                                               .max_rate = 4000.0,
                                               .check = NSD_CHECKS_MODELS};
  return nsd_sized_init(options, size, NSD_EVENT_DRIVER_OPTIONS_LEAST, &defaults, sizeof defaults);
}

static nsdyn_status check_options(const nsdyn_event_driver_options *o, nsd_fault *fault)
{
#define REFUSE(field, range) NSD_OPTIONS_REFUSE(nsdyn_event_driver_options, o, field, range, fault)
  if (o->impact != NSDYN_IMPACT_NEWTON && o->impact != NSDYN_IMPACT_POISSON) {
    return REFUSE(impact, "one of nsdyn_impact_law");
  }
  if (!nsd_options_is_flag(o->inelastic)) {
    return REFUSE(inelastic, "0 or 1");
  }
  if (o->ambiguous < NSDYN_AMBIGUITY_STOP || o->ambiguous > NSDYN_AMBIGUITY_STICK) {
    return REFUSE(ambiguous, "one of nsdyn_ambiguity");
  }
  if (o->section_direction < -1 || o->section_direction > 1) {
    return REFUSE(section_direction, "-1, 0 or 1");
  }
  if (!nsd_options_is_flag(o->handover)) {
    return REFUSE(handover, "0 or 1");
  }
  if (!(o->start_tol >= 0.0)) {
    return REFUSE(start_tol, "a share >= 0");
  }
  if (!(o->max_rate > 0.0)) {
    return REFUSE(max_rate, "a number of instants > 0");
  }
  if (!nsd_options_is_flag(o->check)) {
    return REFUSE(check, "0 or 1");
  }
  if (o->reserved != 0) {
    return REFUSE(reserved, "0");
  }
  if (!(o->tol >= NSD_EVENT_LEAST_TOL && o->tol < 1.0)) {
    return REFUSE(tol, "in [1e-14, 1)");
  }
  if (!(o->max_dt > 0.0)) {
    return REFUSE(max_dt, "a duration > 0");
  }
  if (!(fabs(o->gap_tol) <= DBL_MAX)) {
    return REFUSE(gap_tol, "a gap");
  }
  if (!(o->zeno > 0.0 && o->zeno < 1.0)) {
    return REFUSE(zeno, "in (0, 1)");
  }
  if (!(o->margin > 0.0)) {
    return REFUSE(margin, "a gap > 0");
  }
  if (!(o->output_dt > 0.0)) {
    return REFUSE(output_dt, "a duration > 0");
  }
#undef REFUSE
  return NSDYN_OK;
}

static nsdyn_status read_options(const nsdyn_system *sys, nsdyn_event_driver_options *own,
                                 const nsdyn_event_driver_options *given, nsd_fault *fault)
{
  nsdyn_status status =
      NSD_SIZED_READ(nsdyn_event_driver_options, own, NSD_EVENT_DRIVER_OPTIONS_LEAST, given, fault);
  status = status ? status : check_options(own, fault);
  return status ? status : nsd_options_check_sizes("scale", own->scale, sys->def.nq + sys->def.nu, fault);
}

static void take_options(nsdyn_event_driver *d, const nsdyn_event_driver_options *own)
{
  /* The caller's array of sizes may be gone after the call: it is copied. */
  const nsdyn_system_def *def = &d->sys->def;
  d->options = *own;
  for (int i = 0; own->scale && i < def->nq + def->nu; i++) {
    d->scales.given[i] = own->scale[i];
  }
  d->options.scale = own->scale ? d->scales.given : NULL;
  d->phase.motion.margin = own->margin;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static void lay_out(nsd_arena *arena, nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  /* y = (q, u) is what the integrator sees: n numbers, and as many sizes of them. */
  const size_t n = (size_t)def->nq + (size_t)def->nu;
  double **arrays[] = {&d->phase.y,         &d->phase.y_next,    &d->scales.size,  &d->scales.reference,
                       &d->scales.absolute, &d->scales.relative, &d->scales.given, &d->run.before};
  d->q = nsd_arena_take(arena, (size_t)def->nq, sizeof *d->q);
  d->u = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->u);
  d->phase.a = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->phase.a);
  d->instant.q_work = nsd_arena_take(arena, (size_t)def->nq, sizeof *d->instant.q_work);
  d->instant.u_work = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->instant.u_work);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = nsd_arena_take(arena, n, sizeof(double));
  }
  d->scales.rate = nsd_arena_take(arena, n, sizeof *d->scales.rate);
  d->scales.bend = nsd_arena_take(arena, n, sizeof *d->scales.bend);
  d->scales.drive = nsd_arena_take(arena, n, sizeof *d->scales.drive);
  d->scales.terms = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->scales.terms);
  d->scales.gained = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->scales.gained);
  d->scales.known.gained = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->scales.known.gained);
  d->phase.qdot = nsd_arena_take(arena, (size_t)def->nq, sizeof *d->phase.qdot);
  d->scales.known.size = nsd_arena_take(arena, n, sizeof *d->scales.known.size);
  d->scales.known.rate = nsd_arena_take(arena, n, sizeof *d->scales.known.rate);
  d->tracks.probed = nsd_arena_take(arena, (size_t)def->nq, sizeof *d->tracks.probed);
  d->tracks.constraint_terms =
      nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *d->tracks.constraint_terms);
  d->tracks.constraint_course =
      nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *d->tracks.constraint_course);
  nsd_closing_lay_out(arena, &d->closing, def);
  nsd_acceleration_lay_out(arena, &d->phase.motion);
  nsd_dopri_lay_out(arena, &d->phase.dopri, def->nq + def->nu);
}

static nsdyn_status no_memory(nsd_fault *fault, nsdyn_status status, const char *what, int count)
{
  return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d %s", count, what);
}

static void lay_out_scene(nsd_arena *arena, nsd_instant *instant, int contacts, int rows)
{
  instant->happening = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->happening);
  instant->leaves = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->leaves);
  instant->holds = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->holds);
  instant->chosen = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->chosen);
  instant->chosen_state = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->chosen_state);
  instant->chosen_spec = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->chosen_spec);
  instant->best_state = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->best_state);
  instant->found_state = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->found_state);
  instant->solver_state = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->solver_state);
  instant->solver_mode = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->solver_mode);
  instant->restitution = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->restitution);
  instant->gamma = nsd_arena_take(arena, (size_t)rows, sizeof *instant->gamma);
  instant->impulse = nsd_arena_take(arena, (size_t)rows, sizeof *instant->impulse);
  instant->best_force = nsd_arena_take(arena, (size_t)rows, sizeof *instant->best_force);
  instant->shares = nsd_arena_take(arena, (size_t)rows, sizeof *instant->shares);
  instant->other_shares = nsd_arena_take(arena, (size_t)rows, sizeof *instant->other_shares);
  instant->order = nsd_arena_take(arena, (size_t)rows, sizeof *instant->order);
  instant->node = nsd_arena_take(arena, (size_t)rows, NSD_REST_NODES * sizeof *instant->node);
  instant->limit = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->limit);
  instant->bound = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->bound);
  instant->best_spec = nsd_arena_take(arena, (size_t)contacts, sizeof *instant->best_spec);
}

nsdyn_status nsd_driver_reserve_scene(nsdyn_event_driver *d, int needed)
{
  /* As much as the scene of accelerations has room for, which has grown before: an instant sees the same
   * contacts. */
  const int contacts = d->phase.motion.scene.room_contacts, rows = d->phase.motion.scene.room_rows;
  if (needed <= d->instant.happening_room) {
    return NSDYN_OK;
  }
  nsd_instant counted = d->instant;
  nsd_arena measure = nsd_arena_measure();
  lay_out_scene(&measure, &counted, contacts, rows);
  const nsdyn_status status = nsd_arena_reserve(&d->scene_arena, &measure);
  if (status) {
    return no_memory(&d->fault, status, "closed contacts", contacts);
  }
  lay_out_scene(&d->scene_arena, &d->instant, contacts, rows);
  d->instant.happening_room = contacts;
  return NSDYN_OK;
}

static void release_tracks(const nsdyn_event_driver *d, nsd_tracks *tracks)
{
  nsd_release(d->ctx, tracks->track, (size_t)tracks->room, sizeof *tracks->track);
  nsd_release(d->ctx, tracks->probe_terms, 3 * ((size_t)tracks->room + (size_t)d->sys->def.nconstraints),
              sizeof *tracks->probe_terms);
  nsd_release(d->ctx, tracks->of_found, (size_t)tracks->room, sizeof *tracks->of_found);
}

nsdyn_status nsd_driver_reserve_tracks(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_fault *fault,
                                       int needed)
{
  if (needed <= tracks->room && tracks->probe_terms) {
    return NSDYN_OK;
  }
  /* Half as much again, so that contacts that are found one after the other do not allocate each. Probes of
   * gaps take three numbers for each contact and constraint: terms, where it is, and moved. */
  const int room = tracks->room ? needed + needed / 2 : needed > 0 ? needed : 1;
  const size_t probes = 3 * ((size_t)room + (size_t)d->sys->def.nconstraints);
  nsd_track *grown = nsd_allocate(d->ctx, (size_t)room, sizeof *grown);
  double *terms = nsd_allocate(d->ctx, probes, sizeof *terms);
  int32_t *of_found = nsd_allocate(d->ctx, (size_t)room, sizeof *of_found);
  if (!grown || !terms || !of_found) {
    nsd_release(d->ctx, grown, (size_t)room, sizeof *grown);
    nsd_release(d->ctx, of_found, (size_t)room, sizeof *of_found);
    nsd_release(d->ctx, terms, probes, sizeof *terms);
    return no_memory(fault, NSDYN_ERR_NOMEM, "contacts", needed);
  }
  for (int i = 0; i < tracks->count; i++) {
    grown[i] = tracks->track[i];
  }
  release_tracks(d, tracks);
  tracks->track = grown;
  tracks->probe_terms = terms;
  tracks->of_found = of_found;
  tracks->room = room;
  return NSDYN_OK;
}

/* ---- making one ---------------------------------------------------------------------------------------- */

static void forget(nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  const nsdyn_event_report nothing = {.size = sizeof nothing, .t = d->t};
  const nsd_cause none = {.kind = -1, .which = -1};
  /* 1. Contacts known in advance are open, and nothing is known of their gaps; found ones are no more. */
  d->tracks.count = def->ncontacts;
  for (int i = 0; i < def->ncontacts; i++) {
    const nsd_track track = {.key = i,
                             .index = i,
                             .mode = NSDYN_MODE_OPEN,
                             .state = -1,
                             .terms = -1.0,
                             .settles = INFINITY,
                             .lost = -INFINITY};
    d->tracks.track[i] = track;
  }
  /* 2. No sizes: what tolerances refer to is of the motion that begins. */
  for (int i = 0; i < def->nq + def->nu; i++) {
    d->scales.size[i] = d->scales.reference[i] = 0.0;
  }
  nsd_fill_zero(def->nu, d->phase.a);
  nsd_fill_zero(def->nu, d->phase.motion.fall);
  nsd_fill_zero(def->nu, d->phase.motion.h);
  nsd_fill_zero(def->nu, d->phase.motion.z);
  nsd_fill_zero(def->nq, d->phase.motion.qdot);
  nsd_fill_zero(def->nq + def->nu, d->scales.rate);
  nsd_fill_zero(def->nq, d->scales.bend);
  nsd_fill_zero(def->nu, d->scales.terms);
  nsd_fill_zero(def->nq, d->phase.qdot);
  nsd_fill_zero(def->nq, d->tracks.probed);
  nsd_fill_zero(def->nconstraints, d->tracks.constraint_terms);
  for (int i = 0; i < def->nconstraints; i++) {
    d->tracks.constraint_course[i] = (nsd_course){.is_held = 0};
  }
  d->tracks.course_t = NAN;
  /* 3. Nothing is closed, and the integrator stands nowhere: an instant comes first. */
  nsd_acceleration_forget(&d->phase.motion);
  d->phase.motion.scene.closed.count = d->phase.motion.scene.closed.known =
      d->phase.motion.scene.closed.contact_rows = 0;
  d->phase.motion.scene.closed.rows = def->nconstraints;
  nsd_dopri_reset(&d->phase.dopri);
  nsd_log_clear(&d->records);
  (void)nsdyn_contact_set_modes(d->instant.contact, 0, NULL); /* nor does a warm start begin with its modes */
  d->settled = 0;
  d->cause = none;
  d->phase.section_value = d->phase.section_noise = d->phase.section_sign = 0.0;
  /* 4. The run begins at t: its outputs, its clock of events, and over which time w̄ is differenced. */
  d->run.t_begin = d->t;
  d->run.outputs = 0;
  d->records.group = -1;
  d->run.begun = 0;
  d->records.t = d->run.stalled_since = -INFINITY;
  d->records.bound = 0.0;
  d->run.stalls = d->run.creeping = 0;
  d->instant.near = d->run.handover_t = d->run.handover_dt = d->run.window_count = 0.0;
  d->run.window_t = -INFINITY;
  d->run.zeno = d->options.zeno;
  d->tracks.reach = d->scales.own_time = d->scales.pace = 0.0;
  d->phase.t_begin = d->t;
  d->run.last_dt = d->run.most_dt = d->phase.hint = 0.0;
  d->phase.motion.bias_dt = d->bias.scale = d->bias.noise = 0.0;
  nsd_acceleration_forget_bias(&d->phase.motion);
  nsd_fill_zero(d->sys->def.nu, d->scales.gained);
  nsd_fill_zero(d->sys->def.nu, d->phase.motion.a);
  d->bias.row = -1;
  d->bias.proved = 0.0;
  d->bias.hold = 0;
  /* 5. What those who ask are told of runs before. */
  d->report = nothing;
  d->last_impact.is_there = d->last_impact.count = 0;
  d->last_impact.energy = 0.0;
  d->failed.is_there = 0;
}

static nsdyn_status new_solver(const nsdyn_event_driver *d, nsd_instant *instant)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.warm_start = 1;
  return nsdyn_contact_new(d->ctx, &options, &instant->contact, NULL);
}

static nsdyn_status reserve(nsdyn_event_driver *d)
{
  nsdyn_event_driver counted = *d;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted);
  nsdyn_status status = nsd_arena_reserve(&d->arena, &measure);
  status = status ? status : nsd_driver_reserve_tracks(d, &d->tracks, &d->fault, d->sys->def.ncontacts);
  if (status == NSDYN_OK) {
    lay_out(&d->arena, d);
    nsd_fill_zero(d->sys->def.nq, d->q);
    nsd_fill_zero(d->sys->def.nu, d->u);
    nsd_locate_reset(&d->phase.locate);
    nsd_closing_reset(&d->closing, &d->sys->def);
    forget(d);
  }
  return status;
}

/* A slot's friction is at the other end of its polygon where it pulls: the cells of that are not followed. */
static int is_polygon(const nsdyn_contact_law *law)
{
  return nsd_contact_law_is_spatial(law) && law->shape == NSDYN_FRICTION_POLYGON &&
         law->kind == NSDYN_CONTACT_BILATERAL && law->friction != NSDYN_FRICTION_BOUND;
}

nsdyn_status nsd_driver_check_laws(const nsdyn_system *sys, nsd_fault *fault)
{
  static const char why[] = "it is a slot whose friction is a polygon, which event drivers do not follow; an "
                            "ellipse they do, and a stepper either";
  for (int32_t i = 0; i < sys->def.ncontacts; i++) {
    if (is_polygon(&sys->laws[i])) {
      return nsd_fault_set(fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_CONTACT, i, "contact %d: %s", (int)i,
                           why);
    }
  }
  for (int32_t k = 0; k < nsd_system_found_count(sys); k++) {
    if (is_polygon(nsd_system_found_law(sys, k))) {
      return nsd_fault_set(fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_NONE, -1, "law %d: %s", (int)k, why);
    }
  }
  return NSDYN_OK;
}

static nsdyn_status check_system(const nsdyn_system *sys, nsd_fault *fault)
{
  const nsdyn_system_def *def = &sys->def;
  return def->nq == def->nu || def->kinematics
             ? NSDYN_OK
             : nsd_fault_set(fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_NONE, -1,
                             "an event driver needs the callback kinematics, since nq is not nu");
}

nsdyn_status nsd_driver_make(nsdyn_context *ctx, nsdyn_system *sys, const nsdyn_event_driver_options *options,
                             nsdyn_event_driver **out, nsd_fault *fault)
{
  nsdyn_event_driver_options own;
  nsdyn_status status = check_system(sys, fault);
  status = status ? status : read_options(sys, &own, options, fault);
  status = status ? status : nsd_driver_check_laws(sys, fault);
  if (status) {
    return status;
  }
  nsdyn_event_driver *d = nsd_allocate(ctx, 1, sizeof *d);
  if (!d) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_event_driver_new: out of memory");
  }
  const nsdyn_event_driver empty = {.sys = nsd_system_hold(sys),
                                    .ctx = nsd_context_hold(ctx),
                                    .instant.happening_room = -1,
                                    .phase.watch_room = -1,
                                    .arena = nsd_arena_empty(ctx),
                                    .scene_arena = nsd_arena_empty(ctx),
                                    .failed.arena = nsd_arena_empty(ctx),
                                    .export_arena = nsd_arena_empty(ctx),
                                    .watch_arena = nsd_arena_empty(ctx)};
  *d = empty;
  nsd_fault_clear(&d->fault);
  nsd_acceleration_init(&d->phase.motion, sys, d->ctx, &d->fault);
  nsd_keys_init(&d->phase.apart, d->ctx);
  status = reserve(d);
  status = status ? status : new_solver(d, &d->instant);
  if (status) {
    nsdyn_event_driver_free(d);
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_event_driver_new: no memory for %d coordinates and %d contacts",
                         (int)sys->def.nq, (int)sys->def.ncontacts);
  }
  /* Only now, as the user's sizes are copied into the driver's own memory. */
  take_options(d, &own);
  d->run.zeno = own.zeno;
  nsd_system_enter(sys, &d->holder, &d->busy, NSD_EVENT_RUNNING);
  *out = d;
  return NSDYN_OK;
}

nsdyn_status nsdyn_event_driver_new(nsdyn_context *ctx, nsdyn_system *sys,
                                    const nsdyn_event_driver_options *options, nsdyn_event_driver **out,
                                    nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_event_driver_new", 3);
  if (out) {
    *out = NULL;
    status = status ? status : nsd_error_no_system(&fault, sys, "nsdyn_event_driver_new");
    status = status ? status : nsd_driver_make(ctx ? ctx : sys->ctx, sys, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_event_driver_free(nsdyn_event_driver *d)
{
  if (!d) {
    return;
  }
  nsdyn_system *sys = d->sys;
  nsd_system_leave(sys, &d->holder);
  nsdyn_contact_free(d->instant.contact);
  nsd_acceleration_release(&d->phase.motion);
  release_tracks(d, &d->tracks);
  nsd_release(d->ctx, d->records.record, (size_t)d->records.room, sizeof *d->records.record);
  nsd_arena_release(&d->arena);
  nsd_release(d->ctx, d->last_impact.struck, (size_t)d->last_impact.room, sizeof *d->last_impact.struck);
  nsd_release(d->ctx, d->energy_mass, nsd_mass_numbers(&sys->def), sizeof *d->energy_mass);
  nsd_arena_release(&d->failed.arena);
  nsd_arena_release(&d->export_arena);
  nsd_arena_release(&d->scene_arena);
  nsd_arena_release(&d->watch_arena);
  nsd_keys_release(&d->phase.apart);
  nsdyn_context *ctx = d->ctx;
  nsd_release(ctx, d, 1, sizeof *d);
  nsd_context_drop(ctx);
  nsd_system_drop(sys);
}

/* ---- options and state --------------------------------------------------------------------------------- */

nsdyn_status nsdyn_event_driver_set_options(nsdyn_event_driver *d, const nsdyn_event_driver_options *options)
{
  nsdyn_status status = d ? nsd_fault_begin(&d->fault, d->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  nsdyn_event_driver_options own;
  status = read_options(d->sys, &own, options, &d->fault);
  if (status == NSDYN_OK) {
    take_options(d, &own);
    d->run.zeno = own.zeno;
    d->settled = 0; /* tolerances, section and policies count from here on */
    d->phase.section_sign = 0.0;
  }
  return status;
}

nsdyn_status nsdyn_event_driver_set_state(nsdyn_event_driver *d, double t, const double *q, const double *u)
{
  nsdyn_status status = d ? nsd_fault_begin(&d->fault, d->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  status = nsd_state_take(&d->sys->def, t, q, u, &d->t, d->q, d->u, &d->fault);
  if (!status) {
    forget(d);
  }
  return status;
}

double nsdyn_event_driver_time(const nsdyn_event_driver *driver)
{
  return driver ? driver->t : 0.0;
}

const double *nsdyn_event_driver_q(const nsdyn_event_driver *driver)
{
  return driver ? driver->q : NULL;
}

const double *nsdyn_event_driver_u(const nsdyn_event_driver *driver)
{
  return driver ? driver->u : NULL;
}

const double *nsdyn_event_driver_a(const nsdyn_event_driver *driver)
{
  return driver ? driver->phase.a : NULL;
}

const char *nsdyn_event_driver_message(const nsdyn_event_driver *driver)
{
  return driver ? driver->fault.message : "";
}

nsdyn_status nsdyn_event_driver_detail(const nsdyn_event_driver *driver, nsdyn_detail *detail)
{
  return driver ? nsd_fault_detail(&driver->fault, detail) : NSDYN_ERR_ARGUMENT;
}
