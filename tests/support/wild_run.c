/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wild.h"

enum { MOST_BYTES = 1 << 26, MOST_CALLS = 6000000, MOST_STEPS = 120, MOST_SAVED = 8192 };

/* ---- the context --------------------------------------------------------------------------------------- */

static void *allocate(void *user, size_t bytes, size_t alignment)
{
  wild *w = user;
  if (++w->allocations == w->no_memory_at) {
    return NULL;
  }
  w->bytes += (int64_t)bytes;
  if (w->bytes > MOST_BYTES) {
    wild_break(w, "no end: %lld bytes", (long long)w->bytes);
    w->bytes -= (int64_t)bytes;
    return NULL;
  }
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes)
{
  wild *w = user;
  w->bytes -= (int64_t)bytes;
  free(memory);
}

static int progress(void *user, const char *activity, double done)
{
  wild *w = user;
  if (!(done >= -1.0 && done <= 1.0) || !activity[0]) {
    wild_break(w, "progress: %s, done %g", activity, done);
  }
  return ++w->asked == w->cancels_at;
}

static nsdyn_status open_context(wild *w)
{
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = w;
  def.allocate = allocate;
  def.release = release;
  def.progress = progress;
  return nsdyn_context_new(&def, &w->ctx, NULL);
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

/* A law that is none, now and then. */
static void spoil(wild_bytes *from, nsdyn_contact_law *law)
{
  switch (wild_below(from, 6)) {
  case 0:
    law->mu = NAN;
    break;
  case 1:
    law->eps_n = 1.5;
    break;
  case 2:
    law->kind = 7;
    break;
  case 3:
    law->bound = -1.0;
    break;
  case 4:
    law->friction = -1;
    break;
  default:
    law->size = 3;
  }
}

/* Another law for contact i. */
static void change_law(wild_bytes *from, wild *w, int i)
{
  wild_surface changed = w->contact[i];
  wild_read_law(from, &changed);
  if (changed.law.curve) {
    changed.law.user = &w->contact[i];
  }
  if (wild_below(from, 2)) {
    changed.law.kind = w->contact[i].law.kind; /* a slot that is off zero is refused, mostly */
  }
  if (w->has_run && !w->out->is_strict && w->contact[i].law.kind == NSDYN_CONTACT_UNILATERAL) {
    changed.law.kind = NSDYN_CONTACT_UNILATERAL;
  }
  nsdyn_contact_law law = changed.law;
  const int is_spoilt = wild_below(from, 8) == 7;
  if (is_spoilt) {
    spoil(from, &law);
  }
  nsdyn_status status;
  int32_t number = w->contact[i].law_number;
  if (i < w->known) {
    status = nsdyn_system_set_contact(w->sys, i, &law);
  } else if (wild_below(from, 2)) {
    status = nsdyn_system_set_law(w->sys, number, &law);
  } else {
    status = nsdyn_system_add_law(w->sys, &law, &number);
  }
  wild_judge_message(w, "a law", status, nsdyn_system_message(w->sys));
  if (is_spoilt && status == NSDYN_OK) {
    wild_break(w, "a law that is none was accepted");
  }
  if (status == NSDYN_OK) {
    changed.was_slot |= w->contact[i].law.kind == NSDYN_CONTACT_BILATERAL;
    w->contact[i] = changed;
    wild_describe_surface(w, "contact", i, &changed);
    w->contact[i].law_number = number;
  }
}

static nsdyn_status set_laws(wild *w)
{
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; i < w->known + w->found && !status; i++) {
    wild_surface *s = &w->contact[i];
    status = i < w->known ? nsdyn_system_set_contact(w->sys, i, &s->law)
                          : nsdyn_system_add_law(w->sys, &s->law, &s->law_number);
    wild_judge_message(w, "a law", status, nsdyn_system_message(w->sys));
  }
  return status;
}

/* ---- common to both ------------------------------------------------------------------------------------ */

typedef struct state {
  double t, q[WILD_Q], u[WILD_U];
} state;

static state state_of(const wild *w, double t, const double *q, const double *u)
{
  state own;
  memset(&own, 0, sizeof own);
  own.t = t;
  memcpy(own.q, q, (size_t)w->nq * sizeof *q);
  memcpy(own.u, u, (size_t)w->nu * sizeof *u);
  return own;
}

static void judge_same(wild *w, const char *call, nsdyn_status status, const state *a, const state *b)
{
  if (memcmp(a, b, sizeof *a) != 0) {
    wild_break(w, "%s: %s has changed the state", call, nsdyn_status_name(status));
  }
}

static void judge_state(wild *w, const state *s)
{
  wild_judge_finite(w, "time", 1, &s->t);
  wild_judge_finite(w, "q", w->nq, s->q);
  wild_judge_finite(w, "u", w->nu, s->u);
}

/* Which contacts are deep to begin with; unless all is judged, one that is off moves the others. */
static void mark_deep(wild *w, const state *s)
{
  const int contacts = w->known + w->found;
  int any = 0;
  for (int i = 0; i < contacts + w->constraints; i++) {
    wild_surface *surface = i < contacts ? &w->contact[i] : &w->constraint[i - contacts];
    wild_look look;
    wild_see(w, surface, s->t, s->q, s->u, &look);
    const int is_held = i >= contacts || surface->law.kind == NSDYN_CONTACT_BILATERAL;
    surface->began_deep = is_held ? look.g != 0.0 : look.g < 0.0;
    any |= (is_held ? fabs(look.g) : -look.g) > 1e-9 * look.size;
  }
  for (int i = 0; i < contacts && any && !w->out->is_strict; i++) {
    w->contact[i].began_deep = 1;
  }
}

static void begin_call(wild *w)
{
  w->budget = w->calls + MOST_CALLS;
  w->has_stopped = 0;
}

/* ---- the event driver ---------------------------------------------------------------------------------- */

typedef struct drive {
  wild *w;
  nsdyn_event_driver *d;
  nsdyn_event_driver_options options;
  double scale[WILD_Q + WILD_U], section[WILD_Q];
  int64_t stops_at, told, outputs;
  double last_output;
} drive;

static state state_of_driver(const drive *s)
{
  return state_of(s->w, nsdyn_event_driver_time(s->d), nsdyn_event_driver_q(s->d),
                  nsdyn_event_driver_u(s->d));
}

static int on_section(void *user, double t, const double *q, const double *u, double *value)
{
  const drive *s = user;
  (void)u;
  *value = -1.0 + 0.25 * (t - s->w->t0);
  for (int i = 0; i < s->w->nq; i++) {
    *value += s->section[i] * q[i];
  }
  return 0;
}

static int on_event(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  drive *s = user;
  if (driver != s->d || !isfinite(event->t) || !isfinite(event->gap)) {
    wild_break(s->w, "an observer is told of an event at %g, gap %g", event->t, event->gap);
  }
  for (int k = 0; k < nsdyn_event_driver_active(driver); k++) {
    nsdyn_contact_state contact;
    nsdyn_contact_state_init(&contact, sizeof contact);
    nsdyn_event_driver_active_contact(driver, k, &contact);
    wild_judge_finite(s->w, "what an observer sees", 2, contact.force);
  }
  if (nsdyn_event_driver_advance(s->d, 1e9) != NSDYN_ERR_BUSY ||
      nsdyn_event_driver_set_state(s->d, 0.0, s->w->q, s->w->u) != NSDYN_ERR_BUSY ||
      nsdyn_event_driver_consistent(s->d, NULL) != NSDYN_ERR_BUSY) {
    wild_break(s->w, "an observer could change the driver");
  }
  return ++s->told == s->stops_at;
}

static int on_output(void *user, double t, const double *q, const double *u)
{
  drive *s = user;
  const state now = state_of(s->w, t, q, u);
  judge_state(s->w, &now);
  if (t < s->last_output || s->outputs > 4000000) {
    wild_break(s->w, "output %lld at %.17g after %.17g", (long long)s->outputs, t, s->last_output);
  }
  s->last_output = t;
  return ++s->outputs == 3 * s->stops_at;
}

static void read_driver_options(wild_bytes *from, drive *s)
{
  nsdyn_event_driver_options *o = &s->options;
  nsdyn_event_driver_options_init(o, sizeof *o);
  o->impact = wild_below(from, 2);
  o->inelastic = wild_below(from, 2);
  o->ambiguous = wild_below(from, 3);
  o->handover = wild_below(from, 4) != 0;
  const int how = wild_below(from, 64);
  o->tol = how & 1 ? 1e-9 : pow(10.0, -3 - wild_below(from, 12));
  o->keep_events = how & 2 ? 65536 : wild_below(from, 20) - 1;
  o->gap_tol = how & 4 ? -1.0 : wild_below(from, 2) ? 1e-6 * fabs(wild_number(from)) : -1.0;
  o->max_rate = how & 8 ? 4000.0 : 1.0 + wild_below(from, 200);
  o->start_tol = how & 16 ? 5e-3 : wild_below(from, 3) ? 0.0 : INFINITY;
  o->max_steps = wild_below(from, MOST_STEPS);
  const int more = wild_below(from, 64);
  o->zeno = more & 1 ? 1e-12 : pow(10.0, -1 - wild_below(from, 15));
  o->max_dt = (more & 6) == 6 ? 0.01 * (1 + wild_below(from, 100)) : INFINITY;
  o->output_dt = (more & 24) == 24 ? 0.001 * (1 + wild_below(from, 200)) : INFINITY;
  o->output = (more & 8) ? on_output : NULL;
  o->observe = (more & 32) ? on_event : NULL;
  if (wild_below(from, 8) == 7) {
    o->section = on_section;
    o->section_direction = wild_below(from, 3) - 1;
    for (int i = 0; i < s->w->nq; i++) {
      s->section[i] = wild_number(from);
    }
  }
  if (wild_below(from, 8) == 7) {
    o->scale = s->scale;
    for (int i = 0; i < s->w->nq + s->w->nu; i++) {
      s->scale[i] = fabs(wild_number(from)) + 0.01;
    }
  }
  o->user = s;
  s->stops_at = 1 + wild_below(from, 64);
  s->last_output = -INFINITY;
  wild_tell(
      s->w,
      "impact %d, inelastic %d, ambiguous %d, handover %d, tol %g, keep_events %d, gap_tol %g, max_rate %g, "
      "start_tol %g, max_steps %d, zeno %g, max_dt %g, output_dt %g, output %d, observe %d, section %d\n",
      (int)o->impact, (int)o->inelastic, (int)o->ambiguous, (int)o->handover, o->tol, (int)o->keep_events,
      o->gap_tol, o->max_rate, o->start_tol, (int)o->max_steps, o->zeno, o->max_dt, o->output_dt,
      o->output != NULL, o->observe != NULL, o->section != NULL);
}

static void advance(drive *s, double t_end)
{
  wild *w = s->w;
  const state before = state_of_driver(s);
  begin_call(w);
  s->last_output = -INFINITY;
  wild_tell(w, "nsdyn_event_driver_advance from %.17g to %.17g\n", before.t, t_end);
  const nsdyn_status status = nsdyn_event_driver_advance(s->d, t_end);
  const state after = state_of_driver(s);
  wild_judge_message(w, "advance", status, nsdyn_event_driver_message(s->d));
  if (status >= -20 && status < WILD_STATUSES - 20) {
    w->out->runs[status + 20]++;
  }
  judge_state(w, &after);
  w->has_run = 1;
  w->is_lost |= status == NSDYN_ERR_INCONSISTENT || wild_is_singular(w, before.t, t_end);
  wild_judge_finite(w, "a after a run", w->nu, nsdyn_event_driver_a(s->d));
  wild_judge_log(w, s->d);
  if (after.t < before.t || after.t > t_end || (status == NSDYN_OK && after.t != t_end)) {
    wild_break(w, "advance from %.17g to %.17g ends at %.17g with %s", before.t, t_end, after.t,
               nsdyn_status_name(status));
  }
  if (status == NSDYN_ERR_ARGUMENT) { /* the call itself was refused, or on the way what a callback wrote */
    nsdyn_detail detail = {.size = sizeof detail};
    nsdyn_event_driver_detail(s->d, &detail);
    if (detail.kind == NSDYN_DETAIL_ARGUMENT || detail.kind == NSDYN_DETAIL_FIELD) {
      judge_same(w, "advance", status, &before, &after);
    }
  }
  if (status == NSDYN_OK) {
    wild_judge_run(w, s->d, &s->options);
  }
}

static void advance_backwards(drive *s, double t_end)
{
  const state before = state_of_driver(s);
  const nsdyn_status status = nsdyn_event_driver_advance(s->d, t_end);
  const state after = state_of_driver(s);
  wild_judge_message(s->w, "advance", status, nsdyn_event_driver_message(s->d));
  if (status != NSDYN_ERR_ARGUMENT) {
    wild_break(s->w, "advance to %g from %g: %s", t_end, before.t, nsdyn_status_name(status));
  }
  judge_same(s->w, "advance", status, &before, &after);
}

static void refuse_state(drive *s)
{
  const state before = state_of_driver(s);
  state bad = before;
  bad.q[0] = NAN;
  nsdyn_status status = nsdyn_event_driver_set_state(s->d, bad.t, bad.q, bad.u);
  const state after = state_of_driver(s);
  wild_judge_message(s->w, "set_state", status, nsdyn_event_driver_message(s->d));
  judge_same(s->w, "set_state", status, &before, &after);
  status = nsdyn_event_driver_set_state(s->d, before.t, NULL, before.u);
  wild_judge_message(s->w, "set_state", status, nsdyn_event_driver_message(s->d));
}

static void make_consistent(drive *s)
{
  wild *w = s->w;
  const state before = state_of_driver(s);
  nsdyn_consistent_report report;
  nsdyn_consistent_report_init(&report, sizeof report);
  begin_call(w);
  const nsdyn_status status = nsdyn_event_driver_consistent(s->d, &report);
  const state after = state_of_driver(s);
  wild_judge_message(w, "consistent", status, nsdyn_event_driver_message(s->d));
  judge_state(w, &after);
  if (status) {
    judge_same(w, "consistent", status, &before, &after);
  } else {
    wild_judge_consistent(w, &report, 1e-8, fmax(0.0, s->options.gap_tol), after.t, after.q, after.u);
    mark_deep(w, &after);
  }
}

static void act_on_driver(wild_bytes *from, drive *s)
{
  wild *w = s->w;
  const double t = nsdyn_event_driver_time(s->d);
  const int contacts = w->known + w->found;
  nsdyn_status status;
  switch (wild_below(from, 16)) {
  case 0:
    make_consistent(s);
    break;
  case 1:
    read_driver_options(from, s);
    status = nsdyn_event_driver_set_options(s->d, &s->options);
    wild_judge_message(w, "set_options", status, nsdyn_event_driver_message(s->d));
    break;
  case 2:
    if (contacts) {
      change_law(from, w, wild_below(from, contacts));
    }
    break;
  case 3:
    refuse_state(s);
    break;
  case 4:
    advance_backwards(s, wild_below(from, 2) ? NAN : t - 1.0);
    break;
  case 5: {
    const state now = state_of_driver(s);
    status = nsdyn_event_driver_set_state(s->d, now.t, now.q, now.u);
    wild_judge_message(w, "set_state", status, nsdyn_event_driver_message(s->d));
    mark_deep(w, &now);
    w->has_run = w->is_lost = 0; /* all is forgotten */
    break;
  }
  case 6:
    advance(s, t);
    break;
  default:
    advance(s, t + 0.02 * (1 + wild_below(from, 100)));
    break;
  }
}

static void drive_events(wild_bytes *from, wild *w)
{
  drive s = {.w = w};
  const state begin = state_of(w, w->t0, w->q, w->u);
  read_driver_options(from, &s);
  nsdyn_error error = {.size = sizeof error};
  nsdyn_status status = nsdyn_event_driver_new(NULL, w->sys, &s.options, &s.d, &error);
  wild_judge_message(w, "event_driver_new", status, error.message);
  if (status) {
    return;
  }
  status = nsdyn_event_driver_set_state(s.d, w->t0, w->q, w->u);
  wild_judge_message(w, "set_state", status, nsdyn_event_driver_message(s.d));
  mark_deep(w, &begin);
  if (status == NSDYN_OK && wild_below(from, 4) == 3) {
    make_consistent(&s);
  }
  for (int k = 0; k < 5 && status == NSDYN_OK && !w->out->broken[0]; k++) {
    act_on_driver(from, &s);
  }
  nsdyn_event_driver_free(s.d);
}

/* ---- the stepper --------------------------------------------------------------------------------------- */

typedef struct march {
  wild *w;
  nsdyn_stepper *s;
  nsdyn_stepper_options options;
  int64_t stops_at, told;
} march;

static state state_of_stepper(const march *m)
{
  return state_of(m->w, nsdyn_stepper_time(m->s), nsdyn_stepper_q(m->s), nsdyn_stepper_u(m->s));
}

static int on_step(void *user, const nsdyn_stepper *stepper)
{
  march *m = user;
  if (stepper != m->s || nsdyn_stepper_step(m->s, 1.0) != NSDYN_ERR_BUSY) {
    wild_break(m->w, "an observer could step");
  }
  return ++m->told == m->stops_at;
}

static void read_stepper_options(wild_bytes *from, march *m)
{
  nsdyn_stepper_options *o = &m->options;
  nsdyn_stepper_options_init(o, sizeof *o);
  o->impact = wild_below(from, 2);
  o->inelastic = wild_below(from, 2);
  o->clip = wild_below(from, 4) == 3;
  o->project = wild_below(from, 4) == 3;
  o->count = wild_below(from, 16) == 15;
  o->friction_rounds = wild_below(from, 4) == 3 ? wild_below(from, 4) : 0;
  o->threshold = wild_below(from, 4) == 3 ? 0.1 * fabs(wild_number(from)) : 0.0;
  o->tol = wild_below(from, 4) ? 1e-9 : pow(10.0, -4 - wild_below(from, 10));
  o->dt = 0.001 * (1 + wild_below(from, 64));
  o->start_tol = wild_below(from, 4) ? 5e-3 : wild_below(from, 3) ? 0.0 : INFINITY;
  o->observe = wild_below(from, 4) == 3 ? on_step : NULL;
  o->user = m;
  m->stops_at = 1 + wild_below(from, 64);
  wild_tell(m->w,
            "impact %d, inelastic %d, clip %d, project %d, count %d, friction_rounds %d, threshold %g, tol "
            "%g, dt %g\n",
            (int)o->impact, (int)o->inelastic, (int)o->clip, (int)o->project, (int)o->count,
            (int)o->friction_rounds, o->threshold, o->tol, o->dt);
}

static void judge_energy(march *m)
{
  wild *w = m->w;
  nsdyn_step_energy e;
  nsdyn_step_energy_init(&e, sizeof e);
  begin_call(w);
  const nsdyn_status status = nsdyn_stepper_energy(m->s, &e);
  wild_judge_message(w, "energy", status, nsdyn_stepper_message(m->s));
  const double all[] = {e.before,  e.after,      e.force,   e.normal,
                        e.tangent, e.constraint, e.inertia, e.projection};
  if (status == NSDYN_OK) {
    wild_judge_finite(w, "energies", 8, all);
    double size = 0.0;
    for (int i = 0; i < 7; i++) {
      size += fabs(all[i]);
    }
    const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia - (e.after - e.before);
    if (e.known && !w->is_hard && !(fabs(sum) <= 1e-9 * size + 1e-24 * w->unit)) {
      wild_break(w, "energies leave %g of %g", sum, size);
    }
  }
}

static nsdyn_status step(march *m, double dt)
{
  wild *w = m->w;
  const state before = state_of_stepper(m);
  begin_call(w);
  wild_tell(w, "a step of %g from %.17g\n", dt, before.t);
  const nsdyn_status status = dt > 0.0 ? nsdyn_stepper_step(m->s, dt) : nsdyn_stepper_impact(m->s);
  const state after = state_of_stepper(m);
  wild_judge_message(w, dt > 0.0 ? "step" : "impact", status, nsdyn_stepper_message(m->s));
  if (status >= -20 && status < WILD_STATUSES - 20) {
    w->out->steps[status + 20]++;
  }
  judge_state(w, &after);
  if (status) {
    judge_same(w, "step", status, &before, &after);
  } else if (dt > 0.0) {
    wild_judge_step(w, m->s, &m->options, before.t, before.q, before.u, dt);
  } else if (before.t != after.t || memcmp(before.q, after.q, sizeof before.q) != 0) {
    wild_break(w, "an impact has moved q");
  }
  return status;
}

static void save_and_restore(march *m)
{
  static const double dt = 0x1p-8;
  uint8_t bytes[MOST_SAVED];
  const size_t size = nsdyn_stepper_save(m->s, bytes, sizeof bytes);
  if (size == 0 || size > sizeof bytes) {
    wild_break(m->w, "a saved state of %zu bytes", size);
    return;
  }
  const nsdyn_status once = step(m, dt);
  const state first = state_of_stepper(m);
  const nsdyn_status restored = nsdyn_stepper_restore(m->s, bytes, size);
  wild_judge_message(m->w, "restore", restored, nsdyn_stepper_message(m->s));
  if (restored) {
    if (restored != NSDYN_ERR_NOMEM) {
      wild_break(m->w, "a saved state is refused: %s", nsdyn_stepper_message(m->s));
    }
    return;
  }
  const nsdyn_status twice = step(m, dt);
  const state second = state_of_stepper(m);
  if (m->w->bad == WILD_NONE && !m->w->no_memory_at &&
      (once != twice || memcmp(&first, &second, sizeof first) != 0)) {
    wild_break(m->w, "from a saved state it goes on otherwise: %s, %s", nsdyn_status_name(once),
               nsdyn_status_name(twice));
  }
}

static void run_steps(march *m, double span)
{
  wild *w = m->w;
  const double t_end = nsdyn_stepper_time(m->s) + span;
  begin_call(w);
  const nsdyn_status status = nsdyn_stepper_advance(m->s, t_end);
  const state after = state_of_stepper(m);
  wild_judge_message(w, "stepper_advance", status, nsdyn_stepper_message(m->s));
  judge_state(w, &after);
  if (status == NSDYN_OK && after.t != t_end) {
    wild_break(w, "stepper_advance to %.17g ends at %.17g", t_end, after.t);
  }
}

static void make_steps_consistent(march *m)
{
  wild *w = m->w;
  const state before = state_of_stepper(m);
  nsdyn_consistent_report report;
  nsdyn_consistent_report_init(&report, sizeof report);
  begin_call(w);
  const nsdyn_status status = nsdyn_stepper_consistent(m->s, &report);
  const state after = state_of_stepper(m);
  wild_judge_message(w, "stepper_consistent", status, nsdyn_stepper_message(m->s));
  judge_state(w, &after);
  if (status) {
    judge_same(w, "stepper_consistent", status, &before, &after);
  } else {
    wild_judge_consistent(w, &report, w->out->is_strict ? 1e-8 : INFINITY, 0.0, after.t, after.q, after.u);
  }
}

static void act_on_stepper(wild_bytes *from, march *m)
{
  wild *w = m->w;
  const int contacts = w->known + w->found;
  char text[256];
  nsdyn_status status;
  switch (wild_below(from, 16)) {
  case 0:
    step(m, 0.0);
    break;
  case 1:
    read_stepper_options(from, m);
    status = nsdyn_stepper_set_options(m->s, &m->options);
    wild_judge_message(w, "set_options", status, nsdyn_stepper_message(m->s));
    break;
  case 2:
    if (contacts) {
      change_law(from, w, wild_below(from, contacts));
    }
    break;
  case 3:
    save_and_restore(m);
    break;
  case 4:
    judge_energy(m);
    break;
  case 5:
    (void)nsdyn_stepper_write_problem(m->s, text, sizeof text);
    break;
  case 6: {
    const state before = state_of_stepper(m);
    status = nsdyn_stepper_step(m->s, wild_below(from, 2) ? NAN : -1.0);
    wild_judge_message(w, "step", status, nsdyn_stepper_message(m->s));
    const state after = state_of_stepper(m);
    judge_same(w, "step", status, &before, &after);
    break;
  }
  case 8:
    make_steps_consistent(m);
    break;
  case 7:
    run_steps(m, 0.01 * (1 + wild_below(from, 50)));
    break;
  default: {
    const double dt = 0.001 * (1 + wild_below(from, 64));
    for (int k = 1 + wild_below(from, 16); k > 0 && step(m, dt) == NSDYN_OK;) {
      k--;
    }
    judge_energy(m);
  }
  }
}

static void drive_steps(wild_bytes *from, wild *w)
{
  march m = {.w = w};
  read_stepper_options(from, &m);
  nsdyn_error error = {.size = sizeof error};
  nsdyn_status status = nsdyn_stepper_new(NULL, w->sys, &m.options, &m.s, &error);
  wild_judge_message(w, "stepper_new", status, error.message);
  if (status) {
    return;
  }
  status = nsdyn_stepper_set_state(m.s, w->t0, w->q, w->u);
  wild_judge_message(w, "set_state", status, nsdyn_stepper_message(m.s));
  for (int k = 0; k < 5 && status == NSDYN_OK && !w->out->broken[0]; k++) {
    act_on_stepper(from, &m);
  }
  nsdyn_stepper_free(m.s);
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static void check_callbacks(wild *w)
{
  nsdyn_system_check_report report;
  nsdyn_system_check_report_init(&report, sizeof report);
  begin_call(w);
  int moves = 0;
  for (int j = 0; j < w->nu; j++) {
    moves |= w->u[j] != 0.0;
  }
  const nsdyn_status status = nsdyn_system_check(w->sys, w->t0, w->q, w->u, &report);
  wild_judge_message(w, "check", status, nsdyn_system_message(w->sys));
  if (status && w->bad == WILD_NONE && !w->is_hard && !w->no_memory_at &&
      (w->out->is_strict || (fabs(w->t0) < 1e3 && moves))) {
    wild_break(w, "callbacks that agree are refused: %s", nsdyn_system_message(w->sys));
  }
}

int wild_drive(const uint8_t *bytes, size_t size, wild_outcome *outcome)
{
  wild_bytes from = {.at = bytes, .left = size};
  wild w = {.out = outcome, .budget = MOST_CALLS};
  outcome->broken[0] = '\0';
  const int what = wild_below(&from, 16);
  wild_read(&from, &w);
  wild_describe(&w);
  if (open_context(&w) == NSDYN_OK) {
    const nsdyn_system_def def = wild_def(&w);
    nsdyn_error error = {.size = sizeof error};
    const nsdyn_status status = nsdyn_system_new(w.ctx, &def, &w.sys, &error);
    wild_judge_message(&w, "system_new", status, error.message);
    if (status == NSDYN_OK && set_laws(&w) == NSDYN_OK) {
      if (what == 15) {
        check_callbacks(&w);
      } else if (what < 10) {
        drive_events(&from, &w);
      } else {
        drive_steps(&from, &w);
      }
    }
    nsdyn_system_free(w.sys);
    nsdyn_context_free(w.ctx);
  }
  if (w.bytes != 0) {
    wild_break(&w, "%lld bytes are not given back", (long long)w.bytes);
  }
  return !outcome->broken[0];
}
