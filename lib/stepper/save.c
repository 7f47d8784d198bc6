/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The state as bytes (system/saved.h). */
#include <math.h>

#include "contact/planar/states.h"
#include "stepper/adaptive.h"
#include "stepper/check/consistent.h"
#include "stepper/output.h"
#include "system/saved.h"

static const uint64_t saved_magic = UINT64_C(0x34767473796e736e); /* "nsnystv4", the layout's version in it */

/* What stands before the arrays. */
typedef struct saved_head {
  nsd_saved common;
  int64_t run_steps, steps, fresh, has_f, has_a;
  double t, run_begin, run_dt, slack_speed, slack_dt, seen;
  int32_t known, found; /* contacts remembered */
  int64_t strays;       /* and those that are followed (check/verify_gaps.h) */
} saved_head;

/* One contact remembered. */
typedef struct saved_contact {
  int64_t key; /* or number */
  int64_t trace;
  nsd_past past;
} saved_contact;

/* So many vectors of velocities: u, and what a scheme hands on (scheme/generalized_alpha.c). */
static size_t saved_size(const nsdyn_system_def *def, size_t vectors, size_t contacts, size_t strays)
{
  const size_t constraints = (size_t)def->nconstraints;
  return sizeof(saved_head) +
         ((size_t)def->nq + vectors * (size_t)def->nu + (size_t)def->ncontacts) * sizeof(double) +
         contacts * sizeof(saved_contact) + strays * sizeof(nsd_stray) + constraints * sizeof(nsd_past) +
         sizeof(uint64_t);
}

size_t nsdyn_stepper_save(const nsdyn_stepper *s, void *buffer, size_t size)
{
  if (!s) {
    return 0;
  }
  /* Only what a step reads of the steps before: steps from the restored state have the same bits. */
  const nsdyn_system_def *def = &s->sys->def;
  const nsd_history *m = &s->history;
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu;
  const size_t bytes = saved_size(def, 1 + (size_t)s->has_f + (size_t)s->has_a,
                                  (size_t)m->known_count + (size_t)m->found_count, (size_t)m->stray_count) +
                       (s->adaptive ? nsd_adaptive_bytes(def) : 0);
  if (!buffer || size < bytes) {
    return bytes;
  }
  const saved_head head = {.common = nsd_saved_of(def, saved_magic, bytes),
                           .run_steps = s->run_steps,
                           .steps = s->steps,
                           .fresh = s->fresh,
                           .has_f = s->has_f,
                           .has_a = s->has_a,
                           .t = s->t,
                           .run_begin = s->run_begin,
                           .run_dt = s->run_dt,
                           .slack_speed = s->slack_speed,
                           .slack_dt = s->slack_dt,
                           .seen = m->seen,
                           .known = m->known_count,
                           .found = m->found_count,
                           .strays = m->stray_count};
  /* The order is that of take_over(): state, touches, contacts remembered, strays, drifts of constraints; and
   * of steps that follow the motion how long they are, which the number of bytes tells of. */
  unsigned char *to = nsd_put_bytes(buffer, &head, sizeof head);
  to = nsd_put_bytes(to, s->q, nq * sizeof *s->q);
  to = nsd_put_bytes(to, s->u, nu * sizeof *s->u);
  to = nsd_put_bytes(to, s->f, s->has_f ? nu * sizeof *s->f : 0);
  to = nsd_put_bytes(to, s->a, s->has_a ? nu * sizeof *s->a : 0);
  to = nsd_put_bytes(to, s->scene.closed.touch, (size_t)def->ncontacts * sizeof *s->scene.closed.touch);
  for (int k = 0; k < m->known_count; k++) {
    const saved_contact c = {m->known[k], m->trace[m->known[k]], m->past[m->known[k]]};
    to = nsd_put_bytes(to, &c, sizeof c);
  }
  for (int k = 0; k < m->found_count; k++) {
    const saved_contact c = {m->found_key[k], m->found_trace[k], m->found_past[k]};
    to = nsd_put_bytes(to, &c, sizeof c);
  }
  to = nsd_put_bytes(to, m->strays, (size_t)m->stray_count * sizeof *m->strays);
  to = nsd_put_bytes(to, s->drift, (size_t)def->nconstraints * sizeof *s->drift);
  if (s->adaptive) {
    (void)nsd_adaptive_save(s, to);
  }
  nsd_saved_seal(buffer, bytes);
  return bytes;
}

static nsdyn_status refuse(nsdyn_stepper *s, const char *reason)
{
  return nsd_saved_refuse("nsdyn_stepper_restore", reason, &s->fault);
}

/* Bytes beyond those of the head and of the arrays that it counts; there may be those of adaptive steps. */
static size_t size_of_rest(const nsdyn_system_def *def, const saved_head *head, size_t size)
{
  return size - saved_size(def, (size_t)(1 + head->has_f + head->has_a),
                           (size_t)head->known + (size_t)head->found, (size_t)head->strays);
}

/* Whether the arrays that the head counts are there, and no more. */
static nsdyn_status check_counts(nsdyn_stepper *s, const saved_head *head, size_t size)
{
  const nsdyn_system_def *def = &s->sys->def;
  const int are_counts = (head->has_f == 0 || head->has_f == 1) && (head->has_a == 0 || head->has_a == 1) &&
                         head->known >= 0 && head->known <= def->ncontacts && head->found >= 0 &&
                         head->strays >= 0 && head->strays <= INT32_MAX / 2;
  const size_t rest = are_counts ? size_of_rest(def, head, size) : 1;
  return rest == 0 || rest == nsd_adaptive_bytes(def)
             ? NSDYN_OK
             : refuse(s, "the state is cut short, or longer than it says");
}

static int is_trace(int64_t trace)
{
  return trace == -1 || (trace >= 0 && trace < 16 * NSD_STATES && (trace & 15) <= NSDYN_MODE_SLIP);
}

/* Steps that a run may have taken: so many that their times can be told apart, and more can follow. */
static int is_count(int64_t steps)
{
  return steps >= 0 && steps <= INT64_C(1) << 53;
}

static int is_past(const nsd_past *past)
{
  const double numbers[] = {past->gap,        past->speed,     past->aim,     past->curve, past->lost,
                            past->size,       past->wide,      past->bias,    past->slide, past->swerve,
                            past->bias_T,     past->shown,     past->shown_T, past->turn,  past->impulse[0],
                            past->impulse[1], past->impulse[2]};
  /* 0 · x = 0 for finite x alone. */
  double zero = 0.0;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    zero += numbers[i] * 0.0;
  }
  return zero == 0.0 && past->worse >= 0 && past->worse < INT32_MAX && past->flags >= 0 &&
         past->flags < 2 * NSD_PAST_LANDED;
}

/* Numbers that a checksum made elsewhere may go with. */
static nsdyn_status check_contents(nsdyn_stepper *s, const saved_head *head, const unsigned char *bytes,
                                   size_t size)
{
  /* Each array is walked in the order in which nsdyn_stepper_save() wrote it. Bytes are copied out before
   * they are read: the caller's buffer need not be aligned. */
  const size_t numbers = (size_t)head->common.nq +
                         (size_t)(1 + head->has_f + head->has_a) * (size_t)head->common.nu +
                         (size_t)head->common.ncontacts;
  int is_good = isfinite(head->t) && isfinite(head->run_begin) && isfinite(head->run_dt) &&
                isfinite(head->slack_speed) && isfinite(head->slack_dt) && isfinite(head->seen) &&
                is_count(head->run_steps) && is_count(head->steps) && head->fresh >= NSD_FRESH_NOT &&
                head->fresh <= NSD_FRESH_CONSISTENT;
  for (size_t i = 0; i < numbers; i++) {
    double x;
    memcpy(&x, bytes + sizeof *head + i * sizeof x, sizeof x);
    is_good = is_good && isfinite(x);
  }
  const unsigned char *from = bytes + sizeof *head + numbers * sizeof(double);
  for (int64_t k = 0; k < (int64_t)head->known + head->found; k++) {
    saved_contact c;
    memcpy(&c, from + (size_t)k * sizeof c, sizeof c);
    is_good = is_good && is_trace(c.trace) && is_past(&c.past) &&
              (k >= head->known || (c.key >= 0 && c.key < head->common.ncontacts));
  }
  from += ((size_t)head->known + (size_t)head->found) * sizeof(saved_contact);
  for (int64_t k = 0; k < head->strays; k++, from += sizeof(nsd_stray)) {
    nsd_stray stray;
    memcpy(&stray, from, sizeof stray);
    is_good = is_good && is_past(&stray.past) && isfinite(stray.seen) && stray.index >= -1 &&
              stray.index < head->common.ncontacts;
  }
  for (size_t i = 0; i < (size_t)head->common.nconstraints; i++) {
    nsd_past drift;
    memcpy(&drift, from + i * sizeof drift, sizeof drift);
    is_good = is_good && is_past(&drift);
  }
  from += (size_t)head->common.nconstraints * sizeof(nsd_past);
  is_good =
      is_good && (size_of_rest(&s->sys->def, head, size) == 0 || nsd_adaptive_is_saved(&s->sys->def, from));
  return is_good ? NSDYN_OK : refuse(s, "the state holds numbers that no stepper has");
}

static void take_over(nsdyn_stepper *s, const saved_head *head, const unsigned char *bytes, size_t size)
{
  const size_t nq = (size_t)head->common.nq, nu = (size_t)head->common.nu;
  const unsigned char *from = bytes + sizeof *head;
  /* nsd_stepper_forget() clears what the step before left; the counts that it resets are stored after it. */
  s->t = head->t;
  s->run_begin = head->run_begin;
  s->run_dt = head->run_dt;
  s->run_steps = head->run_steps;
  nsd_stepper_forget(s);
  s->steps = head->steps;
  s->fresh = (int)head->fresh;
  s->history.seen = head->seen;
  s->slack_speed = head->slack_speed;
  s->slack_dt = head->slack_dt;
  (void)nsd_put_bytes((unsigned char *)s->q, from, nq * sizeof *s->q);
  if (nu) {
    (void)nsd_put_bytes((unsigned char *)s->u, from + nq * sizeof *s->q, nu * sizeof *s->u);
  }
  from += (nq + nu) * sizeof(double);
  /* A stepper of another scheme has no use for f and a. */
  const int is_own = s->options.scheme == NSDYN_SCHEME_GENERALIZED_ALPHA;
  s->has_f = is_own && head->has_f;
  s->has_a = is_own && head->has_a;
  if (nu && s->has_f) {
    (void)nsd_put_bytes((unsigned char *)s->f, from, nu * sizeof *s->f);
  }
  from += head->has_f ? nu * sizeof(double) : 0;
  if (nu && s->has_a) {
    (void)nsd_put_bytes((unsigned char *)s->a, from, nu * sizeof *s->a);
  }
  from += head->has_a ? nu * sizeof(double) : 0;
  /* Contacts: touches of all, then pasts of those remembered, known before found. */
  const size_t contacts = (size_t)s->sys->def.ncontacts;
  (void)nsd_put_bytes((unsigned char *)s->scene.closed.touch, from, contacts * sizeof *s->scene.closed.touch);
  from += contacts * sizeof(double);
  for (int32_t k = 0; k < head->known + head->found; k++) {
    saved_contact c;
    memcpy(&c, from + (size_t)k * sizeof c, sizeof c);
    if (k < head->known && nsd_history_add_known(&s->history, (int32_t)c.key, (int32_t)c.trace)) {
      s->history.past[c.key] = c.past;
    } else if (k >= head->known && nsd_history_add_found(&s->history, c.key, (int32_t)c.trace)) {
      s->history.found_past[s->history.found_count - 1] = c.past;
    }
  }
  from += (size_t)(head->known + head->found) * sizeof(saved_contact);
  s->history.stray_count = (int)head->strays;
  (void)nsd_put_bytes((unsigned char *)s->history.strays, from, (size_t)head->strays * sizeof(nsd_stray));
  from += (size_t)head->strays * sizeof(nsd_stray);
  (void)nsd_put_bytes((unsigned char *)s->drift, from, (size_t)head->common.nconstraints * sizeof *s->drift);
  from += (size_t)head->common.nconstraints * sizeof *s->drift;
  if (size_of_rest(&s->sys->def, head, size)) {
    nsd_adaptive_restore(s, from);
  }
}

nsdyn_status nsdyn_stepper_restore(nsdyn_stepper *s, const void *buffer, size_t size)
{
  nsdyn_status status = s ? nsd_fault_begin(&s->fault, s->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  /* Stage 1. The bytes are whole, of such a system, and their numbers are some that a stepper has. */
  saved_head head;
  status = nsd_saved_check(&s->sys->def, saved_magic, buffer, size, sizeof head, "nsdyn_stepper_restore",
                           &s->fault);
  if (status) {
    return status;
  }
  memcpy(&head, buffer, sizeof head);
  status = check_counts(s, &head, size);
  status = status ? status : check_contents(s, &head, buffer, size);
  if (status) {
    return status;
  }
  /* Stage 2. Memory for contacts found, before anything changes. */
  status = nsd_history_reserve(&s->history, head.found);
  status = status ? status : nsd_history_reserve_strays(&s->history, (int)head.strays);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts found",
                         (int)head.found);
  }
  /* Stage 3. The stepper goes on from there. */
  take_over(s, &head, buffer, size);
  s->outputs = 0; /* the grid of the option `output` stays; the state restored has been told of */
  nsd_output_skip(s, s->t, 1);
  return NSDYN_OK;
}
