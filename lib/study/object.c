/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The object: options, memory, state, what is asked for. */
#include "study/object.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "base/check_options.h"
#include "base/dense.h"
#include "base/tolerances.h"
#include "system/found_contacts.h"

enum { CYCLE_STEPS = 100000 };

nsdyn_status nsdyn_cycle_options_init(nsdyn_cycle_options *options, size_t size)
{
  const nsdyn_cycle_options defaults = {.size = sizeof defaults,
                                        .kind = NSDYN_EVENT_SECTION,
                                        .contact = -1,
                                        .returns = 1,
                                        .max_iterations = 50,
                                        .tol = 1e-9,
                                        .step = 1e-4,
                                        .max_time = INFINITY,
                                        .forcing = INFINITY};
  return nsd_sized_init(options, size, NSD_CYCLE_OPTIONS_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_cycle_find_report_init(nsdyn_cycle_find_report *report, size_t size)
{
  return nsd_sized_init(report, size, NSD_CYCLE_FIND_REPORT_LEAST, NULL, sizeof *report);
}

/* ---- options ------------------------------------------------------------------------------------------- */

#define REFUSE(field, range) NSD_OPTIONS_REFUSE(nsdyn_cycle_options, o, field, range, fault)

static nsdyn_status check_section(const nsdyn_system *sys, const nsdyn_cycle_options *o, nsd_fault *fault)
{
  if (o->kind < NSDYN_EVENT_IMPACT || o->kind > NSDYN_EVENT_SECTION) {
    return REFUSE(kind, "one of nsdyn_event_kind");
  }
  if (o->contact < -1 || o->contact >= sys->def.ncontacts) {
    return REFUSE(contact, "-1 or a contact known in advance");
  }
  if (!nsd_options_is_flag(o->found)) {
    return REFUSE(found, "0 or 1");
  }
  if (o->found && o->contact >= 0) {
    return REFUSE(found, "0, as contact says whose event it is");
  }
  if (o->returns < 1) {
    return REFUSE(returns, "a number >= 1");
  }
  return NSDYN_OK;
}

static nsdyn_status check_numbers(const nsdyn_cycle_options *o, nsd_fault *fault)
{
  if (o->settle < 0) {
    return REFUSE(settle, "a number >= 0");
  }
  if (o->max_iterations < 0) {
    return REFUSE(max_iterations, "a number >= 0");
  }
  /* Comparisons are written so that NaN fails them. */
  if (!(o->tol > 0.0 && o->tol < 1.0)) {
    return REFUSE(tol, "in (0, 1)");
  }
  if (!(o->step > 0.0 && o->step < 1.0)) {
    return REFUSE(step, "in (0, 1)");
  }
  if (!(o->max_time > 0.0)) {
    return REFUSE(max_time, "a duration > 0");
  }
  if (!(o->forcing > 0.0)) {
    return REFUSE(forcing, "a duration > 0");
  }
  return NSDYN_OK;
}

#undef REFUSE

/* t, q and u are counted in an int. */
static nsdyn_status check_size(const nsdyn_system *sys, nsd_fault *fault)
{
  const size_t length = 1 + (size_t)sys->def.nq + (size_t)sys->def.nu;
  return length <= INT_MAX / 8 ? NSDYN_OK
                               : nsd_fault_set(fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_NONE, -1,
                                               "nq = %d and nu = %d are too many coordinates for a cycle",
                                               (int)sys->def.nq, (int)sys->def.nu);
}

static nsdyn_status check_arrays(const nsdyn_system *sys, const nsdyn_cycle_options *o, nsd_fault *fault)
{
  /* The caller's own scales and drifting coordinates; check_size has seen that an int counts them. */
  const nsdyn_status status = nsd_options_check_sizes("scale", o->scale, sys->def.nq + sys->def.nu, fault);
  for (int i = 0; !status && o->drift && i < sys->def.nq; i++) {
    if (!nsd_options_is_flag(o->drift[i])) {
      return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_COORDINATE, i,
                           "option drift: element %d, %d, is not 0 or 1; there have to be nq = %d of them", i,
                           (int)o->drift[i], (int)sys->def.nq);
    }
  }
  return status;
}

static nsdyn_status refuse_driver(nsd_fault *fault, const char *text)
{
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                       (int64_t)offsetof(nsdyn_cycle_options, driver), "option driver: %s", text);
}

static nsdyn_status read_driver(const nsdyn_cycle_options *o, nsdyn_event_driver_options *own,
                                nsd_fault *fault)
{
  nsdyn_event_driver_options_init(own, sizeof *own);
  /* A cycle asks more of the driver than a host does: a tighter tolerance, and an end of its steps. */
  own->tol = NSD_CYCLE_DRIVER_TOL;
  own->max_steps = CYCLE_STEPS;
  own->check = 0; /* models are checked where they are first run */
  const nsdyn_status status = nsd_sized_read(own, sizeof *own, NSD_EVENT_DRIVER_OPTIONS_LEAST, o->driver,
                                             "nsdyn_event_driver_options", fault);
  if (status) {
    return status;
  }
  if (own->observe || own->output) {
    return refuse_driver(fault, "observe and output have to be NULL, as a cycle listens itself");
  }
  if (o->kind == NSDYN_EVENT_SECTION && !own->section) {
    return refuse_driver(fault, "the section needs its function `section`, or another option kind");
  }
  return NSDYN_OK;
}

static nsdyn_status read_options(const nsdyn_system *sys, nsdyn_cycle_options *own,
                                 nsdyn_event_driver_options *driver, const nsdyn_cycle_options *given,
                                 nsd_fault *fault)
{
  nsdyn_status status = check_size(sys, fault);
  status = status ? status : NSD_SIZED_READ(nsdyn_cycle_options, own, NSD_CYCLE_OPTIONS_LEAST, given, fault);
  status = status ? status : check_section(sys, own, fault);
  status = status ? status : check_numbers(own, fault);
  status = status ? status : check_arrays(sys, own, fault);
  return status ? status : read_driver(own, driver, fault);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static void lay_out(nsd_arena *arena, nsdyn_cycle *c)
{
  const size_t length = (size_t)c->length, count = length; /* whatever the options leave unknown */
  double **states[] = {&c->scale,  &c->state,    &c->guess,       &c->here.y,    &c->base.y,
                       &c->next.y, &c->image,    &c->trial_image, &c->low,       &c->high,
                       &c->trial,  &c->lowest.y, &c->kept.y,      &c->kept.scale};
  for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
    *states[i] = nsd_arena_take(arena, length, sizeof(double));
  }
  c->unknown = nsd_arena_take(arena, count, sizeof *c->unknown);
  c->drift = nsd_arena_take(arena, (size_t)c->nq, sizeof *c->drift);
  c->shift = nsd_arena_take(arena, (size_t)c->nq, sizeof *c->shift);
  c->lambda = nsd_arena_take(arena, 2 * count, sizeof *c->lambda);
  c->lambda_error = nsd_arena_take(arena, count, sizeof *c->lambda_error);
  c->lambda_before = nsd_arena_take(arena, 2 * count, sizeof *c->lambda_before);
  c->kept.lambda = nsd_arena_take(arena, 2 * count, sizeof *c->kept.lambda);
  c->kept.error = nsd_arena_take(arena, count, sizeof *c->kept.error);
  c->kept.shift = nsd_arena_take(arena, (size_t)c->nq, sizeof *c->kept.shift);
  c->gaps = nsd_arena_take(arena, (size_t)c->sys->def.ncontacts, sizeof *c->gaps);
  c->rows = nsd_arena_take(arena, NSD_CONTACT_ROWS * (size_t)c->nu, sizeof *c->rows);
  c->error_before = nsd_arena_take(arena, count, sizeof *c->error_before);
  c->pair = nsd_arena_take(arena, 2 * count, sizeof *c->pair);
  c->residual = nsd_arena_take(arena, count, sizeof *c->residual);
  c->step = nsd_arena_take(arena, count, sizeof *c->step);
  c->J = nsd_arena_take(arena, count, count * sizeof *c->J);
  c->J_error = nsd_arena_take(arena, count, sizeof *c->J_error);
  c->J_bend = nsd_arena_take(arena, count, sizeof *c->J_bend);
  c->slopes = nsd_arena_take(arena, count, NSD_CYCLE_STEPS * sizeof *c->slopes);
  c->work = nsd_arena_take(arena, count, NSD_NEARBY_WORK * count * sizeof *c->work);
  c->pair_error = nsd_arena_take(arena, count, sizeof *c->pair_error);
  c->perm = nsd_arena_take(arena, count, 2 * sizeof *c->perm);
}

/* Which of t, q, u a cycle repeats, and how many they are. */
static void list_unknowns(nsdyn_cycle *c, const nsdyn_cycle_options *own)
{
  /* Time is an unknown only where the motion depends on it, as by a forcing of finite period. */
  int count = 0;
  if (isfinite(own->forcing)) {
    c->unknown[count++] = 0;
  }
  for (int i = 0; i < c->nq; i++) {
    c->drift[i] = own->drift ? own->drift[i] : 0;
    if (!c->drift[i]) {
      c->unknown[count++] = 1 + i;
    }
  }
  for (int i = 0; i < c->nu; i++) {
    c->unknown[count++] = 1 + c->nq + i;
  }
  c->count = count;
}

static void take_options(nsdyn_cycle *c, const nsdyn_cycle_options *own)
{
  c->options = *own;
  list_unknowns(c, own);
  for (int i = 0; i < c->length; i++) {
    /* scale[0] is that of time, which a survey sets. */
    c->scale[i] = own->scale && i > 0 ? own->scale[i - 1] : 1.0;
  }
  c->options.scale = own->scale ? c->scale + 1 : NULL;
  c->options.drift = c->drift;
  c->options.driver = NULL;
}

static void forget_cycle(nsdyn_cycle *c)
{
  const nsdyn_cycle_find_report nothing = {
      .size = sizeof nothing, .returns = c->report.returns, .residual = INFINITY};
  c->report = nothing;
  nsd_fill_zero(c->nq, c->shift);
}

static nsdyn_status reserve(nsdyn_cycle *c, const nsdyn_cycle_options *own)
{
  nsdyn_cycle counted = *c;
  /* The first pass counts, on a copy (base/arena.h). */
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted);
  const nsdyn_status status = nsd_arena_reserve(&c->arena, &measure);
  if (status == NSDYN_OK) {
    lay_out(&c->arena, c);
    take_options(c, own);
    nsd_fill_zero(c->length, c->state);
    nsd_fill_zero(c->length, c->guess);
    forget_cycle(c);
  }
  return status;
}

/* ---- making one ---------------------------------------------------------------------------------------- */

/* The host's options as its own driver gets them: this listens, and passes the section on. */
static nsdyn_event_driver_options listening(nsdyn_cycle *c, const nsdyn_event_driver_options *host)
{
  nsdyn_event_driver_options own = *host;
  own.section = host->section ? nsd_cycle_section : NULL;
  own.observe = nsd_cycle_observe;
  own.user = c;
  return own;
}

static void take_section(nsdyn_cycle *c, const nsdyn_event_driver_options *host)
{
  c->section = host->section;
  c->section_user = host->user;
}

static nsdyn_status make(nsdyn_context *ctx, nsdyn_system *sys, const nsdyn_cycle_options *options,
                         nsdyn_cycle **out, nsd_fault *fault)
{
  /* Stage 1. Options. */
  nsdyn_cycle_options own;
  nsdyn_event_driver_options driver;
  nsdyn_status status = read_options(sys, &own, &driver, options, fault);
  if (status) {
    return status;
  }
  /* Stage 2. The object, so far that nsdyn_cycle_free() can free it. */
  nsdyn_cycle *c = nsd_allocate(ctx, 1, sizeof *c);
  if (!c) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_cycle_new: out of memory");
  }
  const nsdyn_cycle empty = {.sys = nsd_system_hold(sys),
                             .ctx = nsd_context_hold(ctx),
                             .nq = sys->def.nq,
                             .nu = sys->def.nu,
                             .length = 1 + sys->def.nq + sys->def.nu,
                             .ignore_until = -INFINITY,
                             .stands = 1,
                             .here.snapshot = nsd_snapshot_empty(ctx),
                             .base.snapshot = nsd_snapshot_empty(ctx),
                             .next.snapshot = nsd_snapshot_empty(ctx),
                             .lowest.snapshot = nsd_snapshot_empty(ctx),
                             .arena = nsd_arena_empty(ctx)};
  *c = empty;
  nsd_fault_clear(&c->fault);
  nsd_sink_init(&c->sink, sys, c->ctx, &c->fault);
  /* Stage 3. Its memory and its driver. */
  status = reserve(c, &own);
  if (status) {
    nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_cycle_new: no memory for %d coordinates",
                  (int)sys->def.nq);
  }
  const nsdyn_event_driver_options of_driver = listening(c, &driver);
  take_section(c, &driver);
  status = status ? status : nsd_driver_make(c->ctx, c->sys, &of_driver, &c->driver, fault);
  if (status) {
    nsdyn_cycle_free(c);
    return status;
  }
  *out = c;
  return NSDYN_OK;
}

nsdyn_status nsdyn_cycle_new(nsdyn_context *ctx, nsdyn_system *sys, const nsdyn_cycle_options *options,
                             nsdyn_cycle **out, nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_cycle_new", 3);
  if (out) {
    *out = NULL;
    status = status ? status : nsd_error_no_system(&fault, sys, "nsdyn_cycle_new");
    status = status ? status : make(ctx ? ctx : sys->ctx, sys, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_cycle_free(nsdyn_cycle *c)
{
  if (!c) {
    return;
  }
  nsdyn_system *sys = c->sys;
  nsdyn_event_driver_free(c->driver);
  nsd_snapshot_release(&c->here.snapshot);
  nsd_snapshot_release(&c->base.snapshot);
  nsd_snapshot_release(&c->next.snapshot);
  nsd_snapshot_release(&c->lowest.snapshot);
  nsd_sink_release(&c->sink);
  for (int i = 0; i < 2; i++) {
    nsd_release(c->ctx, c->look[i], (size_t)c->look_room[i], sizeof *c->look[i]);
  }
  nsd_arena_release(&c->arena);
  nsdyn_context *ctx = c->ctx;
  nsd_release(ctx, c, 1, sizeof *c);
  nsd_context_drop(ctx);
  nsd_system_drop(sys);
}

/* The present state counts as one that was set: what a section, drift and forcing made of it before says
 * nothing under others. */
static void restart(nsdyn_cycle *c)
{
  nsd_cycle_copy(c, c->state, c->guess);
  c->place = NSD_PLACE_STATE;
  c->stands = 0;
  c->lasted = 0.0;
  forget_cycle(c);
}

nsdyn_status nsdyn_cycle_set_options(nsdyn_cycle *c, const nsdyn_cycle_options *options)
{
  nsdyn_status status = c ? nsd_fault_begin(&c->fault, c->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  nsdyn_cycle_options own;
  nsdyn_event_driver_options host;
  status = read_options(c->sys, &own, &host, options, &c->fault);
  if (status) {
    return status;
  }
  const nsdyn_event_driver_options driver = listening(c, &host);
  status = nsdyn_event_driver_set_options(c->driver, &driver);
  if (status) {
    return nsd_cycle_blame_driver(c, status);
  }
  take_section(c, &host);
  take_options(c, &own);
  restart(c);
  return NSDYN_OK;
}

/* ---- state --------------------------------------------------------------------------------------------- */

nsdyn_status nsd_cycle_blame_driver(nsdyn_cycle *c, nsdyn_status status)
{
  c->fault = c->driver->fault;
  c->fault.status = status;
  return status;
}

nsdyn_status nsd_cycle_take(nsdyn_cycle *c, nsd_snapshot *snapshot)
{
  nsd_snapshot *const all[4] = {&c->here.snapshot, &c->base.snapshot, &c->next.snapshot, &c->lowest.snapshot};
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; i < 4 && !status; i++) { /* they change places, so that all have the same room */
    status = nsd_snapshot_reserve(all[i], c->driver);
  }
  status = status ? status : nsd_snapshot_take(snapshot, c->driver);
  return status ? nsd_fault_set(&c->fault, status, NSDYN_DETAIL_NONE, -1,
                                "no memory for what is known of %d contacts", c->driver->tracks.count)
                : NSDYN_OK;
}

void nsd_cycle_read_driver(const nsdyn_cycle *c, double *y)
{
  const double *q = nsdyn_event_driver_q(c->driver), *u = nsdyn_event_driver_u(c->driver);
  y[0] = nsdyn_event_driver_time(c->driver);
  for (int i = 0; i < c->nq; i++) {
    y[1 + i] = q[i];
  }
  for (int i = 0; i < c->nu; i++) {
    y[1 + c->nq + i] = u[i];
  }
}

void nsd_cycle_copy(const nsdyn_cycle *c, const double *from, double *to)
{
  for (int i = 0; i < c->length; i++) {
    to[i] = from[i];
  }
}

nsdyn_status nsdyn_cycle_set_state(nsdyn_cycle *c, double t, const double *q, const double *u)
{
  nsdyn_status status = c ? nsd_fault_begin(&c->fault, c->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  status = nsdyn_event_driver_set_state(c->driver, t, q, u);
  if (status) {
    return nsd_cycle_blame_driver(c, status);
  }
  /* The driver may have put the state onto its contacts: what it stands at is the guess. */
  nsd_cycle_read_driver(c, c->guess);
  nsd_cycle_copy(c, c->guess, c->state);
  c->place = NSD_PLACE_STATE;
  c->stands = 1;
  c->lasted = 0.0;
  c->report.returns = 0;
  forget_cycle(c);
  return NSDYN_OK;
}

nsdyn_status nsdyn_cycle_return(nsdyn_cycle *c)
{
  nsdyn_status status = c ? nsd_fault_begin(&c->fault, c->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  c->busy = 1;
  /* From where it stands to the next crossing, which becomes its place. */
  status = nsd_cycle_enter(c);
  status = status ? status : nsd_cycle_cross(c, 1);
  if (!status) {
    status = nsd_cycle_take(c, &c->here.snapshot);
  }
  if (!status) {
    nsd_cycle_read_driver(c, c->here.y);
    nsd_cycle_copy(c, c->here.y, c->state);
    c->place = NSD_PLACE_SECTION;
    c->stands = 1;
    forget_cycle(c);
  }
  c->busy = 0;
  return status;
}

nsdyn_status nsdyn_cycle_find(nsdyn_cycle *c)
{
  if (!c) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (c->busy) {
    return NSDYN_ERR_BUSY;
  }
  c->busy = 1;
  const nsdyn_status status = nsd_cycle_search(c);
  c->busy = 0;
  return status;
}

void nsd_cycle_set_forcing(nsdyn_cycle *c, double forcing)
{
  /* The state stays at the same share of the forcing's period. */
  const double ratio = forcing / c->options.forcing;
  c->options.forcing = forcing;
  if (c->place == NSD_PLACE_SECTION) {
    c->here.y[0] *= ratio;
    c->delay *= ratio;
    c->lasted *= ratio;
    c->scale[0] *= ratio;
  }
}

/* ---- what is asked for --------------------------------------------------------------------------------- */

double nsdyn_cycle_time(const nsdyn_cycle *cycle)
{
  return cycle ? cycle->state[0] : 0.0;
}

const double *nsdyn_cycle_q(const nsdyn_cycle *cycle)
{
  return cycle ? cycle->state + 1 : NULL;
}

const double *nsdyn_cycle_u(const nsdyn_cycle *cycle)
{
  return cycle ? cycle->state + 1 + cycle->nq : NULL;
}

const double *nsdyn_cycle_shift(const nsdyn_cycle *cycle)
{
  return cycle ? cycle->shift : NULL;
}

const double *nsdyn_cycle_multipliers(const nsdyn_cycle *cycle, int32_t *count)
{
  if (count) {
    *count = cycle && cycle->report.found ? cycle->count : 0;
  }
  return cycle ? cycle->lambda : NULL;
}

const double *nsdyn_cycle_multiplier_errors(const nsdyn_cycle *cycle, int32_t *count)
{
  if (count) {
    *count = cycle && cycle->report.found ? cycle->count : 0;
  }
  return cycle ? cycle->lambda_error : NULL;
}

const nsdyn_event_driver *nsdyn_cycle_driver(const nsdyn_cycle *cycle)
{
  return cycle ? cycle->driver : NULL;
}

nsdyn_status nsdyn_cycle_report(const nsdyn_cycle *cycle, nsdyn_cycle_find_report *report)
{
  return cycle ? nsd_sized_write(report, NSD_CYCLE_FIND_REPORT_LEAST, &cycle->report, sizeof cycle->report)
               : NSDYN_ERR_ARGUMENT;
}

const char *nsdyn_cycle_message(const nsdyn_cycle *cycle)
{
  return cycle ? cycle->fault.message : "";
}

nsdyn_status nsdyn_cycle_detail(const nsdyn_cycle *cycle, nsdyn_detail *detail)
{
  return cycle ? nsd_fault_detail(&cycle->fault, detail) : NSDYN_ERR_ARGUMENT;
}
