/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The object: options, memory, state. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "event/run.h"

#define LEAST_TOL 1e-14 /* what double precision can meet */

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
                                               .max_rate = 4000.0};
  return nsd_sized_init(options, size, NSD_EVENT_DRIVER_OPTIONS_LEAST, &defaults, sizeof defaults);
}

static nsdyn_status refuse_option(nsd_fault *fault, size_t offset, const char *name, double value,
                                  const char *range)
{
  char text[NSD_NUMBER_LENGTH];
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)offset,
                       "option %s: %s is not %s", name, nsd_number_text(value, text), range);
}

static nsdyn_status check_options(const nsdyn_event_driver_options *o, nsd_fault *fault)
{
#define REFUSE(field, range)                                                                                 \
  refuse_option(fault, offsetof(nsdyn_event_driver_options, field), #field, (double)o->field, range)
  if (o->impact != NSDYN_IMPACT_NEWTON && o->impact != NSDYN_IMPACT_POISSON) {
    return REFUSE(impact, "one of nsdyn_impact_law");
  }
  if (o->inelastic != 0 && o->inelastic != 1) {
    return REFUSE(inelastic, "0 or 1");
  }
  if (o->ambiguous < NSDYN_AMBIGUITY_STOP || o->ambiguous > NSDYN_AMBIGUITY_STICK) {
    return REFUSE(ambiguous, "one of nsdyn_ambiguity");
  }
  if (o->section_direction < -1 || o->section_direction > 1) {
    return REFUSE(section_direction, "-1, 0 or 1");
  }
  if (o->handover != 0 && o->handover != 1) {
    return REFUSE(handover, "0 or 1");
  }
  if (!(o->start_tol >= 0.0)) {
    return REFUSE(start_tol, "a share >= 0");
  }
  if (!(o->max_rate > 0.0)) {
    return REFUSE(max_rate, "a number of instants > 0");
  }
  if (!(o->tol >= LEAST_TOL && o->tol < 1.0)) {
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
  nsdyn_event_driver_options_init(own, sizeof *own);
  nsdyn_status status = nsd_sized_read(own, sizeof *own, NSD_EVENT_DRIVER_OPTIONS_LEAST, given,
                                       "nsdyn_event_driver_options", fault);
  status = status ? status : check_options(own, fault);
  for (int i = 0; !status && own->scale && i < sys->def.nq + sys->def.nu; i++) {
    if (!(own->scale[i] > 0.0 && own->scale[i] <= DBL_MAX)) {
      char text[NSD_NUMBER_LENGTH];
      return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_COORDINATE, i,
                           "option scale: element %d, %s, is no size > 0", i,
                           nsd_number_text(own->scale[i], text));
    }
  }
  return status;
}

static void take_options(nsdyn_event_driver *d, const nsdyn_event_driver_options *own)
{
  const nsdyn_system_def *def = &d->sys->def;
  d->options = *own;
  for (int i = 0; own->scale && i < def->nq + def->nu; i++) {
    d->scale[i] = own->scale[i];
  }
  d->options.scale = own->scale ? d->scale : NULL;
  d->motion.margin = own->margin;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static void lay_out(nsd_arena *arena, nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  const size_t n = (size_t)def->nq + (size_t)def->nu;
  double **arrays[] = {&d->y,        &d->y_next,   &d->size,  &d->reference,
                       &d->absolute, &d->relative, &d->scale, &d->before};
  d->q = nsd_arena_take(arena, (size_t)def->nq, sizeof *d->q);
  d->u = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->u);
  d->a = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->a);
  d->q_work = nsd_arena_take(arena, (size_t)def->nq, sizeof *d->q_work);
  d->u_work = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->u_work);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = nsd_arena_take(arena, n, sizeof(double));
  }
  d->rate = nsd_arena_take(arena, n, sizeof *d->rate);
  d->bend = nsd_arena_take(arena, n, sizeof *d->bend);
  d->drive = nsd_arena_take(arena, n, sizeof *d->drive);
  d->terms = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->terms);
  d->gained = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->gained);
  d->known.gained = nsd_arena_take(arena, (size_t)def->nu, sizeof *d->known.gained);
  d->qdot = nsd_arena_take(arena, (size_t)def->nq, sizeof *d->qdot);
  d->known.size = nsd_arena_take(arena, n, sizeof *d->known.size);
  d->known.rate = nsd_arena_take(arena, n, sizeof *d->known.rate);
  d->probed = nsd_arena_take(arena, (size_t)def->nq, sizeof *d->probed);
  d->constraint_terms = nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *d->constraint_terms);
  d->constraint_course = nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *d->constraint_course);
  nsd_motion_lay_out(arena, &d->motion);
  nsd_dopri_lay_out(arena, &d->dopri, def->nq + def->nu);
}

static nsdyn_status no_memory(nsdyn_event_driver *d, nsdyn_status status, const char *what, int count)
{
  return nsd_fault_set(&d->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d %s", count, what);
}

static void lay_out_scene(nsd_arena *arena, nsdyn_event_driver *d, int contacts, int rows)
{
  d->happening = nsd_arena_take(arena, (size_t)contacts, sizeof *d->happening);
  d->leaves = nsd_arena_take(arena, (size_t)contacts, sizeof *d->leaves);
  d->holds = nsd_arena_take(arena, (size_t)contacts, sizeof *d->holds);
  d->chosen = nsd_arena_take(arena, (size_t)contacts, sizeof *d->chosen);
  d->chosen_state = nsd_arena_take(arena, (size_t)contacts, sizeof *d->chosen_state);
  d->chosen_spec = nsd_arena_take(arena, (size_t)contacts, sizeof *d->chosen_spec);
  d->best_state = nsd_arena_take(arena, (size_t)contacts, sizeof *d->best_state);
  d->found_state = nsd_arena_take(arena, (size_t)contacts, sizeof *d->found_state);
  d->solver_state = nsd_arena_take(arena, (size_t)contacts, sizeof *d->solver_state);
  d->solver_mode = nsd_arena_take(arena, (size_t)contacts, sizeof *d->solver_mode);
  d->restitution = nsd_arena_take(arena, (size_t)contacts, sizeof *d->restitution);
  d->gamma = nsd_arena_take(arena, (size_t)rows, sizeof *d->gamma);
  d->impulse = nsd_arena_take(arena, (size_t)rows, sizeof *d->impulse);
  d->best_force = nsd_arena_take(arena, (size_t)rows, sizeof *d->best_force);
}

nsdyn_status nsd_driver_reserve_scene(nsdyn_event_driver *d, int needed)
{
  const int contacts = d->motion.scene.room_contacts, rows = d->motion.scene.room_rows;
  if (needed <= d->happening_room) {
    return NSDYN_OK;
  }
  nsdyn_event_driver counted = *d;
  nsd_arena measure = nsd_arena_measure();
  lay_out_scene(&measure, &counted, contacts, rows);
  const nsdyn_status status = nsd_arena_reserve(&d->scene_arena, &measure);
  if (status) {
    return no_memory(d, status, "closed contacts", contacts);
  }
  lay_out_scene(&d->scene_arena, d, contacts, rows);
  d->happening_room = contacts;
  return NSDYN_OK;
}

static void release_tracks(nsdyn_event_driver *d)
{
  nsd_release(d->ctx, d->track, (size_t)d->track_room, sizeof *d->track);
  nsd_release(d->ctx, d->probe_terms, 3 * ((size_t)d->track_room + (size_t)d->sys->def.nconstraints),
              sizeof *d->probe_terms);
}

nsdyn_status nsd_driver_reserve_tracks(nsdyn_event_driver *d, int tracks)
{
  if (tracks <= d->track_room && d->probe_terms) {
    return NSDYN_OK;
  }
  const int room = d->track_room ? tracks + tracks / 2 : tracks > 0 ? tracks : 1;
  const size_t probes = 3 * ((size_t)room + (size_t)d->sys->def.nconstraints);
  nsd_track *grown = nsd_allocate(d->ctx, (size_t)room, sizeof *grown);
  double *terms = nsd_allocate(d->ctx, probes, sizeof *terms);
  if (!grown || !terms) {
    nsd_release(d->ctx, grown, (size_t)room, sizeof *grown);
    nsd_release(d->ctx, terms, probes, sizeof *terms);
    return no_memory(d, NSDYN_ERR_NOMEM, "contacts", tracks);
  }
  for (int i = 0; i < d->tracks; i++) {
    grown[i] = d->track[i];
  }
  release_tracks(d);
  d->track = grown;
  d->probe_terms = terms;
  d->track_room = room;
  return NSDYN_OK;
}

/* ---- making one ---------------------------------------------------------------------------------------- */

static void forget(nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  const nsdyn_event_report nothing = {.size = sizeof nothing, .t = d->t};
  const nsd_cause none = {.kind = -1, .which = -1};
  d->tracks = def->ncontacts;
  for (int i = 0; i < def->ncontacts; i++) {
    const nsd_track track = {.key = i,
                             .index = i,
                             .mode = NSDYN_MODE_OPEN,
                             .state = -1,
                             .terms = -1.0,
                             .settles = INFINITY,
                             .lost = -INFINITY};
    d->track[i] = track;
  }
  for (int i = 0; i < def->nq + def->nu; i++) {
    d->size[i] = d->reference[i] = 0.0;
  }
  nsd_fill_zero(def->nu, d->a);
  nsd_fill_zero(def->nu, d->motion.fall);
  nsd_fill_zero(def->nu, d->motion.h);
  nsd_fill_zero(def->nu, d->motion.z);
  nsd_fill_zero(def->nq, d->motion.qdot);
  nsd_fill_zero(def->nq + def->nu, d->rate);
  nsd_fill_zero(def->nq, d->bend);
  nsd_fill_zero(def->nu, d->terms);
  nsd_fill_zero(def->nq, d->qdot);
  nsd_fill_zero(def->nq, d->probed);
  nsd_fill_zero(def->nconstraints, d->constraint_terms);
  for (int i = 0; i < def->nconstraints; i++) {
    d->constraint_course[i] = (nsd_course){.is_held = 0};
  }
  d->course_t = NAN;
  nsd_motion_forget(&d->motion);
  d->motion.scene.closed.count = d->motion.scene.closed.known = d->motion.scene.closed.contact_rows = 0;
  d->motion.scene.closed.rows = def->nconstraints;
  nsd_dopri_reset(&d->dopri);
  nsd_log_clear(d);
  d->settled = 0;
  d->cause = none;
  d->section_value = d->section_noise = d->section_sign = 0.0;
  d->t_begin = d->t;
  d->outputs = 0;
  d->group = -1;
  d->begun = 0;
  d->group_t = d->stalled_since = -INFINITY;
  d->group_bound = 0.0;
  d->stalls = d->creeping = 0;
  d->near = d->handover_t = d->handover_dt = d->window_count = 0.0;
  d->window_t = -INFINITY;
  d->zeno = d->options.zeno;
  d->reach = d->own_time = d->pace = 0.0;
  d->phase_t = d->t;
  d->last_dt = d->most_dt = d->hint = 0.0;
  d->motion.bias_dt = d->bias_scale = 0.0;
  nsd_motion_forget_bias(&d->motion);
  nsd_fill_zero(d->sys->def.nu, d->gained);
  nsd_fill_zero(d->sys->def.nu, d->motion.a);
  d->bias_row = -1;
  d->bias_proved = 0.0;
  d->bias_hold = 0;
  d->report = nothing;
  d->has_struck = d->struck_count = 0;
  d->struck_energy = 0.0;
  d->failed.is_there = 0;
}

static nsdyn_status new_solver(nsdyn_event_driver *d)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.warm_start = 1;
  return nsdyn_contact_new(d->ctx, &options, &d->contact, NULL);
}

static nsdyn_status reserve(nsdyn_event_driver *d)
{
  nsdyn_event_driver counted = *d;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted);
  nsdyn_status status = nsd_arena_reserve(&d->arena, &measure);
  status = status ? status : nsd_driver_reserve_tracks(d, d->sys->def.ncontacts);
  if (status == NSDYN_OK) {
    lay_out(&d->arena, d);
    nsd_fill_zero(d->sys->def.nq, d->q);
    nsd_fill_zero(d->sys->def.nu, d->u);
    nsd_locate_reset(&d->locate);
    forget(d);
  }
  return status;
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
                                    .happening_room = -1,
                                    .watch_room = -1,
                                    .arena = nsd_arena_empty(ctx),
                                    .scene_arena = nsd_arena_empty(ctx),
                                    .failed_arena = nsd_arena_empty(ctx),
                                    .export_arena = nsd_arena_empty(ctx),
                                    .watch_arena = nsd_arena_empty(ctx)};
  *d = empty;
  nsd_fault_clear(&d->fault);
  nsd_motion_init(&d->motion, sys, d->ctx, &d->fault);
  status = reserve(d);
  status = status ? status : new_solver(d);
  if (status) {
    nsdyn_event_driver_free(d);
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_event_driver_new: no memory for %d coordinates and %d contacts",
                         (int)sys->def.nq, (int)sys->def.ncontacts);
  }
  take_options(d, &own);
  d->zeno = own.zeno;
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
  }
  status = status ? status : nsd_error_no_system(&fault, sys, "nsdyn_event_driver_new");
  status = status ? status : nsd_driver_make(ctx ? ctx : sys->ctx, sys, options, out, &fault);
  return nsd_error_end(error, &fault, status);
}

void nsdyn_event_driver_free(nsdyn_event_driver *d)
{
  if (!d) {
    return;
  }
  nsdyn_system *sys = d->sys;
  nsd_system_leave(sys, &d->holder);
  nsdyn_contact_free(d->contact);
  nsd_motion_release(&d->motion);
  release_tracks(d);
  nsd_release(d->ctx, d->log, (size_t)d->log_room, sizeof *d->log);
  nsd_arena_release(&d->arena);
  nsd_release(d->ctx, d->struck, (size_t)d->struck_room, sizeof *d->struck);
  nsd_release(d->ctx, d->energy_mass, (size_t)sys->def.nu * (size_t)sys->def.nu, sizeof *d->energy_mass);
  nsd_arena_release(&d->failed_arena);
  nsd_arena_release(&d->export_arena);
  nsd_arena_release(&d->scene_arena);
  nsd_arena_release(&d->watch_arena);
  nsdyn_context *ctx = d->ctx;
  nsd_release(ctx, d, 1, sizeof *d);
  nsd_context_drop(ctx);
  nsd_system_drop(sys);
}

/* ---- options and state --------------------------------------------------------------------------------- */

nsdyn_status nsdyn_event_driver_set_options(nsdyn_event_driver *d, const nsdyn_event_driver_options *options)
{
  if (!d) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (d->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsd_fault_clear(&d->fault);
  nsdyn_event_driver_options own;
  const nsdyn_status status = read_options(d->sys, &own, options, &d->fault);
  if (status == NSDYN_OK) {
    take_options(d, &own);
    d->zeno = own.zeno;
    d->settled = 0; /* tolerances, section and policies count from here on */
    d->section_sign = 0.0;
  }
  return status;
}

static nsdyn_status check_state(nsd_fault *fault, const char *name, int argument, int n, const double *x)
{
  if (n > 0 && !x) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, argument, "%s is NULL", name);
  }
  for (int j = 0; j < n; j++) {
    if (!isfinite(x[j])) {
      char text[NSD_NUMBER_LENGTH];
      return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_COORDINATE, j, "%s: element %d is %s",
                           name, j, nsd_number_text(x[j], text));
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_event_driver_set_state(nsdyn_event_driver *d, double t, const double *q, const double *u)
{
  if (!d) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (d->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsd_fault_clear(&d->fault);
  const nsdyn_system_def *def = &d->sys->def;
  nsdyn_status status = check_state(&d->fault, "t", 1, 1, &t);
  status = status ? status : check_state(&d->fault, "q", 2, def->nq, q);
  status = status ? status : check_state(&d->fault, "u", 3, def->nu, u);
  if (status) {
    return status;
  }
  d->t = t;
  for (int j = 0; j < def->nq; j++) {
    d->q[j] = q[j];
  }
  for (int j = 0; j < def->nu; j++) {
    d->u[j] = u[j];
  }
  forget(d);
  return NSDYN_OK;
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
  return driver ? driver->a : NULL;
}

const char *nsdyn_event_driver_message(const nsdyn_event_driver *driver)
{
  return driver ? driver->fault.message : "";
}

nsdyn_status nsdyn_event_driver_detail(const nsdyn_event_driver *driver, nsdyn_detail *detail)
{
  return driver ? nsd_fault_detail(&driver->fault, detail) : NSDYN_ERR_ARGUMENT;
}
