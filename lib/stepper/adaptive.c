/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/adaptive.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/sized.h"
#include "base/tolerances.h"
#include "stepper/advance.h"
#include "stepper/check/consistent.h"
#include "stepper/output.h"
#include "stepper/scheme/scheme.h"
#include "system/saved.h"

/* How steps are lengthened and shortened: shares of a step that only choose how work is done. */
#define SAFETY 0.9
#define MOST_GROWTH 2.0
#define LEAST_GROWTH 0.2

struct nsd_adaptive {
  nsdyn_advance_report report;
  double dt;                 /* of the next step */
  uint64_t kept;             /* contacts that pressed in the last step that was kept, and how */
  int has_kept;              /* there is one */
  double *q_size, *u_size;   /* the largest so far */
  double *q_whole, *u_whole; /* where one step of Δt ends */
  double *gap;               /* ncontacts: at a step's end */
  nsdyn_contact_sink sink;   /* and contacts found there */

  /* What was, before the first half. */
  double *q, *u, *f, *a, *touch;
  nsd_past *drift;
  nsd_history history;
  double t, run_begin, run_dt, slack_speed, slack_dt;
  int64_t run_steps, steps;
  int fresh, has_marks, has_f, has_a;
  int32_t check;
  double t_middle; /* of the first half, where its contacts were taken; */
  int jumps;       /* whether something has collided there */
  nsd_arena arena;
};

/* ---- its memory ---- */

static void lay_out(nsd_arena *arena, nsd_adaptive *a, const nsdyn_system_def *def)
{
  double **coordinates[] = {&a->q, &a->q_size, &a->q_whole},
         **velocities[] = {&a->u, &a->u_size, &a->u_whole};
  for (size_t i = 0; i < 3; i++) {
    *coordinates[i] = nsd_arena_take(arena, (size_t)def->nq, sizeof(double));
    *velocities[i] = nsd_arena_take(arena, (size_t)def->nu, sizeof(double));
  }
  a->f = nsd_arena_take(arena, (size_t)def->nu, sizeof(double));
  a->a = nsd_arena_take(arena, (size_t)def->nu, sizeof(double));
  a->touch = nsd_arena_take(arena, (size_t)def->ncontacts, sizeof *a->touch);
  a->drift = nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *a->drift);
  a->gap = nsd_arena_take(arena, (size_t)def->ncontacts, sizeof *a->gap);
  nsd_history_lay_out(arena, &a->history, def->ncontacts);
}

nsdyn_status nsd_adaptive_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options)
{
  if (options->advance_tol == 0.0 || s->adaptive) {
    return NSDYN_OK;
  }
  const nsdyn_system_def *def = &s->sys->def;
  nsd_adaptive *a = nsd_allocate(s->ctx, 1, sizeof *a);
  if (!a) {
    return NSDYN_ERR_NOMEM;
  }
  const nsd_adaptive empty = {.arena = nsd_arena_empty(s->ctx)};
  *a = empty;
  nsd_history_init(&a->history, s->ctx);
  nsd_sink_init(&a->sink, s->sys, s->ctx, &s->fault);
  nsd_adaptive counted = *a;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, def);
  const nsdyn_status status = nsd_arena_reserve(&a->arena, &measure);
  if (status) {
    nsd_release(s->ctx, a, 1, sizeof *a);
    return status;
  }
  lay_out(&a->arena, a, def);
  nsd_history_clear(&a->history, def->ncontacts);
  s->adaptive = a;
  nsd_adaptive_forget(s);
  return NSDYN_OK;
}

void nsd_adaptive_release(nsdyn_stepper *s)
{
  if (s->adaptive) {
    nsd_history_release(&s->adaptive->history);
    nsd_sink_release(&s->adaptive->sink);
    nsd_arena_release(&s->adaptive->arena);
    nsd_release(s->ctx, s->adaptive, 1, sizeof *s->adaptive);
    s->adaptive = NULL;
  }
}

void nsd_adaptive_forget(nsdyn_stepper *s)
{
  nsd_adaptive *a = s->adaptive;
  if (!a) {
    return;
  }
  const nsdyn_advance_report none = {.size = sizeof none};
  a->report = none;
  a->dt = 0.0;
  a->has_kept = 0;
  nsd_fill_zero(s->sys->def.nq, a->q_size);
  nsd_fill_zero(s->sys->def.nu, a->u_size);
}

/* ---- its state as bytes ---- */

typedef struct saved_adaptive {
  double dt;
  uint64_t kept;
  int64_t has_kept;
} saved_adaptive;

size_t nsd_adaptive_bytes(const nsdyn_system_def *def)
{
  return sizeof(saved_adaptive) + ((size_t)def->nq + (size_t)def->nu) * sizeof(double);
}

unsigned char *nsd_adaptive_save(const nsdyn_stepper *s, unsigned char *to)
{
  const nsd_adaptive *a = s->adaptive;
  const saved_adaptive head = {a->dt, a->has_kept ? a->kept : 0, a->has_kept};
  to = nsd_put_bytes(to, &head, sizeof head);
  to = nsd_put_bytes(to, a->q_size, (size_t)s->sys->def.nq * sizeof *a->q_size);
  return nsd_put_bytes(to, a->u_size, (size_t)s->sys->def.nu * sizeof *a->u_size);
}

int nsd_adaptive_is_saved(const nsdyn_system_def *def, const unsigned char *from)
{
  saved_adaptive head;
  memcpy(&head, from, sizeof head);
  int is_good = isfinite(head.dt) && head.dt >= 0.0 && (head.has_kept == 0 || head.has_kept == 1);
  for (size_t i = 0; i < (size_t)def->nq + (size_t)def->nu; i++) {
    double size;
    memcpy(&size, from + sizeof head + i * sizeof size, sizeof size);
    is_good = is_good && isfinite(size) && size >= 0.0;
  }
  return is_good;
}

void nsd_adaptive_restore(nsdyn_stepper *s, const unsigned char *from)
{
  nsd_adaptive *a = s->adaptive;
  const size_t nq = (size_t)s->sys->def.nq, nu = (size_t)s->sys->def.nu;
  saved_adaptive head;
  if (!a) {
    return;
  }
  memcpy(&head, from, sizeof head);
  a->dt = head.dt;
  a->kept = head.kept;
  a->has_kept = (int)head.has_kept;
  from += sizeof head;
  if (nq) {
    memcpy(a->q_size, from, nq * sizeof *a->q_size);
  }
  if (nu) {
    memcpy(a->u_size, from + nq * sizeof *a->q_size, nu * sizeof *a->u_size);
  }
}

void nsd_adaptive_begin(nsdyn_stepper *s)
{
  const nsdyn_advance_report none = {.size = sizeof none};
  s->adaptive->report = none;
}

/* ---- what was ---- */

static nsdyn_status put_aside(nsdyn_stepper *s)
{
  nsd_adaptive *a = s->adaptive;
  const nsdyn_system_def *def = &s->sys->def;
  /* All that a step reads of the steps before: state, touches, drifts, clock, slacks, traces of contacts. */
  nsd_rows_copy(1, def->nq, s->q, a->q);
  nsd_rows_copy(1, def->nu, s->u, a->u);
  nsd_rows_copy(1, s->has_f ? def->nu : 0, s->f, a->f);
  nsd_rows_copy(1, s->has_a ? def->nu : 0, s->a, a->a);
  nsd_rows_copy(1, def->ncontacts, s->scene.closed.touch, a->touch);
  for (int i = 0; i < def->nconstraints; i++) {
    a->drift[i] = s->drift[i];
  }
  a->t = s->t;
  a->run_begin = s->run_begin;
  a->run_dt = s->run_dt;
  a->run_steps = s->run_steps;
  a->steps = s->steps;
  a->slack_speed = s->slack_speed;
  a->slack_dt = s->slack_dt;
  a->fresh = s->fresh;
  a->has_marks = s->has_marks;
  a->has_f = s->has_f;
  a->has_a = s->has_a;
  a->check = s->options.check;
  const nsdyn_status status = nsd_history_copy(&a->history, &s->history, def->ncontacts);
  return status ? nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts found",
                                s->history.found_count)
                : NSDYN_OK;
}

/* To the bit, warm starts too: the solver begins with what the history holds. */
static void take_back(nsdyn_stepper *s)
{
  nsd_adaptive *a = s->adaptive;
  const nsdyn_system_def *def = &s->sys->def;
  nsd_rows_copy(1, def->nq, a->q, s->q);
  nsd_rows_copy(1, def->nu, a->u, s->u);
  nsd_rows_copy(1, a->has_f ? def->nu : 0, a->f, s->f);
  nsd_rows_copy(1, a->has_a ? def->nu : 0, a->a, s->a);
  s->has_f = a->has_f;
  s->has_a = a->has_a;
  nsd_rows_copy(1, def->ncontacts, a->touch, s->scene.closed.touch);
  for (int i = 0; i < def->nconstraints; i++) {
    s->drift[i] = a->drift[i];
  }
  s->t = a->t;
  s->run_begin = a->run_begin;
  s->run_dt = a->run_dt;
  s->run_steps = a->run_steps;
  s->steps = a->steps;
  s->slack_speed = a->slack_speed;
  s->slack_dt = a->slack_dt;
  s->fresh = a->fresh;
  s->has_marks = a->has_marks;
  s->options.check = a->check;
  (void)nsd_history_copy(&s->history, &a->history, def->ncontacts); /* there is room */
  s->history.is_in_solver = 0;
}

/* ---- what changed ---- */

/* Contacts that press, and how: one number for all of them, which another set has not but by a chance of
 * 2^-64. */
static uint64_t modes_of(const nsdyn_stepper *s)
{
  uint64_t sum = 0;
  for (int k = 0; k < s->scene.closed.count && s->solved; k++) {
    /* Key, kind and mode stirred into 64 bits; a sum does not ask in which order contacts stand. */
    const nsd_closed *c = &s->scene.closed.contact[k];
    if (c->mode != NSDYN_MODE_OPEN) {
      uint64_t x = (uint64_t)c->key * 2 + (c->index >= 0);
      x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)c->mode;
      x = (x ^ (x >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
      sum += x ^ (x >> 32);
    }
  }
  return sum;
}

static int is_closed(const nsdyn_stepper *s, int32_t index, int64_t key)
{
  for (int k = 0; k < s->scene.closed.count; k++) {
    const nsd_closed *c = &s->scene.closed.contact[k];
    if (c->index == index && (index >= 0 || c->key == key)) {
      return 1;
    }
  }
  return 0;
}

/* Whether a contact that had no part in the step is deep where it ends. */
static nsdyn_status look_at_end(nsdyn_stepper *s, int *is_deep)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_adaptive *a = s->adaptive;
  *is_deep = 0;
  if (def->ncontacts == 0 && !def->find) {
    return NSDYN_OK;
  }
  /* g(tᴱ, qᴱ) < 0 of a contact that was open all the time: it closed within the step, unseen. One known in
   * advance may have begun a little deep, which is no event. */
  nsdyn_status status = nsd_call_configure(def, s->t_next, s->q_next, &s->fault);
  status = status ? status : nsd_call_gap(def, s->t_next, s->q_next, a->gap, &s->fault);
  for (int32_t i = 0; status == NSDYN_OK && i < def->ncontacts; i++) {
    *is_deep |= a->gap[i] < -s->scene.closed.touch[i] && !is_closed(s, i, i);
  }
  if (status == NSDYN_OK && def->find && !*is_deep) {
    status = nsd_sink_find(&a->sink, s->t_next, s->q_next, NULL, 0.0);
    for (int32_t k = 0; status == NSDYN_OK && k < a->sink.count; k++) {
      const nsd_found *found = &a->sink.found[k];
      *is_deep |= found->gap < 0.0 && !is_closed(s, -1, found->key);
    }
  }
  return status;
}

/* ---- how far the whole step and its halves are apart ---- */

/* max |x_j − y_j| in sizes, each the largest so far. */
static double apart(int n, const double *x, const double *y, const double *size)
{
  /* A coordinate that has hardly moved so far is measured by a share of the largest, not by itself. */
  const double least = NSD_ADAPTIVE_LEAST_SIZE * nsd_scene_largest(n, size);
  double most = 0.0;
  for (int j = 0; j < n; j++) {
    const double difference = fabs(x[j] - y[j]), unit = nsd_larger(nsd_larger(size[j], fabs(x[j])), least);
    most = difference > 0.0 ? nsd_larger(difference / unit, most) : most;
  }
  return most;
}

static void grow_sizes(int n, const double *x, double *size)
{
  for (int j = 0; j < n; j++) {
    size[j] = nsd_larger(fabs(x[j]), size[j]);
  }
}

/* ---- steps ---- */

static void note_kept(nsdyn_stepper *s, int count, double dt)
{
  nsd_adaptive *a = s->adaptive;
  nsdyn_advance_report *r = &a->report;
  r->shortest = r->accepted == 0 ? dt : nsd_smaller(dt, r->shortest);
  r->longest = nsd_larger(dt, r->longest);
  r->accepted += count;
  grow_sizes(s->sys->def.nq, s->q, a->q_size);
  grow_sizes(s->sys->def.nu, s->u, a->u_size);
}

/* One step, taken as it is. */
static nsdyn_status take_shortest(nsdyn_stepper *s, double dt, double t_next)
{
  /* Nothing shorter is allowed, so there is nothing to compare with. After an event the next step is as
   * short: more may follow at once; else it may be longer again. */
  nsd_adaptive *a = s->adaptive;
  int is_deep = 0;
  nsdyn_status status = nsd_advance_try(s, dt, t_next);
  const uint64_t modes = status ? 0 : modes_of(s);
  status = status ? status : look_at_end(s, &is_deep);
  status = nsd_advance_end(s, status, t_next);
  if (status) {
    return status;
  }
  const int is_event = is_deep || (a->has_kept && modes != a->kept);
  a->report.events += is_event;
  a->dt = is_event ? dt : MOST_GROWTH * dt;
  a->kept = modes;
  a->has_kept = 1;
  note_kept(s, 1, dt);
  return nsd_output_last(s);
}

/* What lies on the grid of outputs within the two halves, of which the first began with what is kept aside.
 */
static nsdyn_status show_halves(nsdyn_stepper *s)
{
  const nsd_adaptive *a = s->adaptive;
  if (!s->shows) {
    return NSDYN_OK;
  }
  const nsd_output_step first = {.t_begin = a->t,
                                 .t_middle = a->t_middle,
                                 .t_end = s->t_begin,
                                 .q_begin = a->q,
                                 .u_begin = a->u,
                                 .q_end = s->q_begin,
                                 .u_end = s->u_begin,
                                 .jumps = a->jumps};
  const nsdyn_status status = nsd_output_within(s, &first);
  return status ? status : nsd_output_last(s);
}

/* What an attempt led to. */
enum outcome { KEPT, COARSE, CHANGED };

/* A step of dt beside two of dt/2, which are kept where nothing but smooth motion lies between, and the two
 * ways agree. `growth`: by how much the next one may be longer, or has to be shorter. */
static nsdyn_status attempt(nsdyn_stepper *s, double dt, double t_next, int *outcome, double *growth)
{
  nsd_adaptive *a = s->adaptive;
  const nsdyn_system_def *def = &s->sys->def;
  const double half = 0.5 * dt, t_half = s->t + half;
  /* 1: one step, which is dropped. */
  nsdyn_status status = nsd_advance_try(s, dt, t_next);
  const uint64_t modes = status ? 0 : modes_of(s);
  if (status == NSDYN_OK) {
    nsd_rows_copy(1, def->nq, s->q_next, a->q_whole);
    nsd_rows_copy(1, def->nu, s->u_next, a->u_whole);
  }
  nsd_advance_drop(s);
  /* 2: the first half, which is kept for the moment; the second. */
  status = status ? status : nsd_advance_try(s, half, t_half);
  int is_changed = status == NSDYN_OK && (modes_of(s) != modes || (a->has_kept && modes != a->kept));
  int is_deep = 0;
  a->t_middle = s->t_middle;
  a->jumps = s->jumps;
  status = nsd_advance_end(s, status, t_half);
  if (status == NSDYN_OK && !is_changed) {
    status = nsd_advance_try(s, half, t_next);
    is_changed = status == NSDYN_OK && modes_of(s) != modes;
    status = status || is_changed ? status : look_at_end(s, &is_deep);
    if (status || is_changed || is_deep) {
      nsd_advance_drop(s);
    }
  }
  if (status) {
    return status;
  }
  /* A contact that pressed in one way and not in the other is an event within the step: no power of Δt says
   * how far the two ways differ then, and the step is halved. */
  *outcome = is_changed || is_deep ? CHANGED : KEPT;
  *growth = 0.5;
  if (*outcome == KEPT) {
    /* 3: the two ways differ by O(Δt²) at least, and a half is closer: Δt' = Δt √(tol / error). */
    const double error = nsd_larger(apart(def->nq, s->q_next, a->q_whole, a->q_size),
                                    apart(def->nu, s->u_next, a->u_whole, a->u_size)) /
                         s->options.advance_tol;
    *growth = error > 0.0 ? nsd_smaller(SAFETY / sqrt(error), MOST_GROWTH) : MOST_GROWTH;
    *growth = nsd_larger(*growth, LEAST_GROWTH);
    if (error > 1.0) {
      *outcome = COARSE;
      nsd_advance_drop(s);
      return NSDYN_OK;
    }
    status = nsd_advance_end(s, NSDYN_OK, t_next);
    a->kept = modes;
    a->has_kept = 1;
  }
  return status;
}

/* Whether a shorter step may help: a callback cannot here, or the contact problem has no answer. */
static int may_pass(nsdyn_status status)
{
  return status == NSDYN_ERR_CALLBACK_RETRY || nsd_is_unanswered(status);
}

/* Shorter and shorter, until one is kept or none may be. */
static nsdyn_status step_on(nsdyn_stepper *s, double t_end)
{
  nsd_adaptive *a = s->adaptive;
  const double longest = s->options.dt, shortest = longest * s->options.shortest;
  for (;;) {
    /* The rest of the span in one step, or in two that are not too different. */
    const double span = t_end - s->t, wanted = a->dt > 0.0 ? nsd_smaller(a->dt, longest) : longest;
    const double dt = wanted >= span ? span : nsd_smaller(wanted, 0.5 * span > shortest ? 0.5 * span : span);
    const double t_next = dt >= span ? t_end : s->t + dt;
    if (dt <= shortest || !(s->t + 0.5 * dt > s->t && s->t + 0.5 * dt < t_next)) {
      return take_shortest(s, dt, t_next);
    }
    /* An attempt: kept, or taken back to the bit and made again with a shorter step. */
    nsdyn_status status = put_aside(s);
    if (status) {
      return status;
    }
    int outcome = CHANGED;
    double growth = LEAST_GROWTH;
    status = attempt(s, dt, t_next, &outcome, &growth);
    if (status == NSDYN_OK && outcome == KEPT) {
      a->dt = growth * dt;
      note_kept(s, 2, 0.5 * dt);
      return show_halves(s);
    }
    take_back(s);
    if (status && !may_pass(status)) {
      return status;
    }
    a->report.rejected++;
    a->dt = nsd_larger(growth * dt, shortest);
  }
}

nsdyn_status nsd_adaptive_step(nsdyn_stepper *s, double t_end)
{
  const double dt = s->adaptive->dt, t = s->t;
  const nsdyn_status status = step_on(s, t_end);
  if (status && s->t == t) { /* it has failed, and the next one begins as it did */
    s->adaptive->dt = dt;
  }
  return status;
}

/* ---- the report ---- */

nsdyn_status nsdyn_advance_report_init(nsdyn_advance_report *report, size_t size)
{
  return nsd_sized_init(report, size, NSD_ADVANCE_REPORT_LEAST, NULL, sizeof *report);
}

nsdyn_status nsdyn_stepper_advance_report(const nsdyn_stepper *s, nsdyn_advance_report *report)
{
  if (!s || !report) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_advance_report own = {.size = sizeof own};
  if (s->adaptive) {
    own = s->adaptive->report;
  }
  return nsd_sized_write(report, NSD_ADVANCE_REPORT_LEAST, &own, sizeof own);
}
