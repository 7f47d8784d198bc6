/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* From a root on the extension, which has order 7, to the state there, which a shorter step of order 8 gives.
 * The two differ by less than the tolerance, but by more than rounding, so the time is corrected by a step or
 * two of Newton's method. */
#include <float.h>
#include <math.h>

#include "event/internal.h"

enum { CORRECTIONS = 6, MOST_HALVINGS = 64 };

#define SLOPE_SHARE 0x1p-10 /* of an interval that resolves the function, over which a slope is taken */
#define CLOSE_ENOUGH 0x1p-9 /* of the noise, which is generous */
#define STEEP 0x1p10        /* times the noise: a function that is not nearly zero where the step was cut */

/* A function on the extension. */
static nsdyn_status value_at(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                             const nsd_event_function_list *list, int i, double theta, double *value)
{
  nsd_dopri_at(&phase->dopri, theta, phase->y_next);
  const nsdyn_status status =
      nsd_event_function_values(d, phase, tracks, list, phase->extended_from + theta * phase->extended_dt,
                                phase->y_next, phase->watch_value);
  *value = phase->watch_value[i];
  return status;
}

/* What the function is just before and after the root on the extension, and its slope over time there. */
typedef struct surroundings {
  double span; /* time before, and after; 0: not looked at */
  double low, high;
  double slope;
  int jumps; /* it falls from above zero to far below from one time that the clock can tell to the next */
} surroundings;

static nsdyn_status look_around(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                                const nsd_event_function_list *list, int i, double theta, surroundings *s)
{
  /* An interval that is short beside the waves of the function on this step. */
  const double share = SLOPE_SHARE / fmax(phase->intervals, 1.0);
  const double before = fmax(theta - share, 0.0), after = fmin(theta + share, 1.0);
  nsdyn_status status = value_at(d, phase, tracks, list, i, before, &s->low);
  status = status ? status : value_at(d, phase, tracks, list, i, after, &s->high);
  /* dg/dt = (g(θ + δ) − g(θ − δ)) / (2 δ h) on the extension. */
  s->slope = status ? 0.0 : (s->high - s->low) / ((after - before) * phase->extended_dt);
  s->span = before > 0.0 && after < 1.0 ? share * phase->extended_dt : 0.0;
  return status;
}

static nsdyn_status cut(nsd_phase *phase, double t)
{
  const nsdyn_status status = nsd_dopri_cut(&phase->dopri, t);
  return status && phase->trouble ? phase->trouble : status;
}

/* The function at the end of the step that is cut at t. */
static nsdyn_status try_cut(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                            const nsd_event_function_list *list, int i, double t, double *value)
{
  nsdyn_status status = cut(phase, t);
  status = status ? status
                  : nsd_event_function_values(d, phase, tracks, list, phase->dopri.t, phase->dopri.y,
                                              phase->watch_value);
  *value = phase->watch_value[i];
  return status;
}

/* Whether a function of the list has fallen through zero at the end of the step that was cut. */
static nsdyn_status has_fallen(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                               const nsd_event_function_list *list, const nsd_event_function *but, int *any)
{
  const nsdyn_status status =
      nsd_event_function_values(d, phase, tracks, list, phase->dopri.t, phase->dopri.y, phase->watch_value);
  for (int i = 0; i < list->count && !status; i++) {
    *any |= &list->watch[i] != but && phase->watch_value[i] < -list->noise[i];
  }
  return status;
}

/* Others were looked at up to the root only. A gap that stays at zero, as in a row of bodies that rest
 * against each other on a shaking table, vanishes on the step that is cut wherever errors let it, far behind
 * that: not beyond what has fallen on the way. */
static nsdyn_status keep_before_others(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                                       const nsd_event_function *root, double t_event)
{
  int any = 0;
  nsdyn_status status = has_fallen(d, phase, tracks, &phase->kinematic, root, &any);
  status = status || any ? status : has_fallen(d, phase, tracks, &phase->dynamic, root, &any);
  return status || !any ? status : cut(phase, t_event);
}

/* Newton's method has left the step where the function is far below zero: it falls so steeply that extension
 * and step do not agree on when, as λ = −c/p does where p vanishes. Halves the time from the beginning of the
 * step, where the function was positive, to `end`, where it is far below; leaves the step cut at the first
 * time found at which it has fallen. A function that jumps never comes close to zero: it is halved down to
 * what the clock resolves, which at t = 0 the length of the step tells. *jumps where it does, and no other
 * function had fallen a tick before: loads of several contacts may jump at a time. */
static nsdyn_status halve(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                          const nsd_event_function_list *list, int i, double begin, double end, int *jumps)
{
  const double step_begin = begin;
  const double least =
      2.0 * DBL_EPSILON * fmax(fmax(fabs(begin), fabs(end)), phase->extended_dt); /* two ticks */
  double value = -INFINITY, last = end;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < MOST_HALVINGS && value < -list->noise[i] && end - begin > least; k++) {
    const double at = begin + 0.5 * (end - begin);
    if (at <= begin || at >= end) {
      break;
    }
    status = nsd_progress(d->ctx, "nsdyn_event_driver_advance",
                          (begin - d->run.t_begin) / (d->run.end - d->run.t_begin));
    status = status ? status : try_cut(d, phase, tracks, list, i, at, &value);
    if (status) {
      return status;
    }
    last = at;
    if (value > 0.0) {
      begin = at;
      value = -INFINITY; /* it falls later on */
    } else {
      end = at;
    }
  }
  *jumps = value < -list->noise[i];
  if (*jumps && begin > step_begin) {
    int any = 0;
    status = cut(phase, begin);
    status = status ? status : has_fallen(d, phase, tracks, list, &list->watch[i], &any);
    *jumps = !any;
    last = begin;
  }
  return status || last == end ? status : cut(phase, end);
}

/* Cuts the step at t_event, then where the function vanishes on the step itself, as far as rounding and
 * flatness allow. */
static nsdyn_status close_in(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                             const nsd_root *root, const nsd_event_function_list *list, double t_event,
                             surroundings *around)
{
  const double begin = phase->extended_from, end = begin + phase->extended_dt;
  const double enough = CLOSE_ENOUGH * list->noise[root->k];
  double slope, value = 0.0, t = t_event;
  /* 1. The slope on the extension, and the function at the end of a step of order 8 that ends at the root. */
  nsdyn_status status = look_around(d, phase, tracks, list, root->k, root->theta, around);
  slope = around->slope;
  status = status ? status : try_cut(d, phase, tracks, list, root->k, t, &value);
  for (int i = 0; i < CORRECTIONS && !status && slope < 0.0 && fabs(value) > enough; i++) {
    /* 2. Newton: t − g / ġ, and from the second time on with the slope between the last two times. */
    const double next = fmin(t - value / slope, end);
    double next_value;
    if (!(next > begin) || fabs(next - t) <= 2.0 * DBL_EPSILON * fabs(t)) {
      break;
    }
    status = try_cut(d, phase, tracks, list, root->k, next, &next_value);
    if (!status && !(fabs(next_value) < fabs(value))) {
      status = cut(phase, t); /* flat: it is located as well as it can be */
      break;
    }
    slope = (next_value - value) / (next - t);
    t = next;
    value = next_value;
  }
  if (!status && value < -STEEP * list->noise[root->k]) {
    return halve(d, phase, tracks, list, root->k, begin, t, &around->jumps);
  }
  const int is_far = t - t_event > fmax(around->span, root->bound * phase->extended_dt);
  return status || !is_far ? status : keep_before_others(d, phase, tracks, &list->watch[root->k], t_event);
}

/* The found contact that a root is of, whose records stand in the sink. Returns whether there is one. */
static int find_key(const nsdyn_event_driver *d, const nsd_event_function *watch, int64_t *key)
{
  const nsdyn_contact_sink *sink = &d->phase.motion.scene.closed.sink;
  double least = INFINITY;
  *key = -1;
  if (watch->kind == NSD_EVENT_FUNCTION_LEAVING) {
    *key = d->tracks.track[watch->which].key;
    return 1;
  }
  for (int32_t i = 0; watch->kind == NSD_EVENT_FUNCTION_FOUND && i < sink->count; i++) {
    if (sink->found[i].gap < least && !nsd_event_function_excludes(d, sink->found[i].key)) {
      least = sink->found[i].gap;
      *key = sink->found[i].key;
    }
  }
  return least < INFINITY;
}

/* Whether it is of a closed contact in space. */
static int is_in_space(const nsdyn_event_driver *d, const nsd_event_function *watch)
{
  const int is_closed = watch->kind == NSD_EVENT_FUNCTION_SPEED || watch->kind == NSD_EVENT_FUNCTION_LIMIT ||
                        watch->kind == NSD_EVENT_FUNCTION_TURN;
  return is_closed && d->phase.motion.scene.closed.contact[watch->which].rows == 3;
}

/* Which function ended the phase, of those whose values stand in watch_value: the one that fell, unless p has
 * vanished with it. Then λ = −c/p is no force, and falls or jumps as rounding of p has it; not that of a
 * contact that nothing couples with what has lost its forces. */
static int who_fell(nsd_phase *phase, const nsd_root *root, const nsd_event_function_list *list)
{
  const nsd_event_function *fell = &list->watch[root->k];
  for (int i = 0; i < list->count; i++) {
    if (list->watch[i].kind == NSD_EVENT_FUNCTION_REGULAR && phase->watch_value[i] <= NSD_DETERMINANT_NOISE) {
      nsd_acceleration_mark_lost(&phase->motion);
      const int is_own =
          fell->which >= 0 && !phase->motion.part[phase->motion.scene.closed.contact[fell->which].row];
      return is_own ? root->k : i;
    }
  }
  return root->k;
}

/* |value| of function i at the event; of a force no more than the error of its time and rounding make of it,
 * |ġ| δt, unless it jumps there. */
static double what_is_left(const nsdyn_event_driver *d, const nsd_event_function_list *list, int i,
                           const surroundings *around, double bound)
{
  const double value = fabs(d->phase.watch_value[i]);
  const int32_t kind = list->watch[i].kind;
  const int is_force = kind == NSD_EVENT_FUNCTION_NORMAL || kind == NSD_EVENT_FUNCTION_LIMIT;
  const int is_located = is_force && around->slope != 0.0 && !around->jumps; /* else it was not looked at */
  return is_located ? fmin(value, fmax(fabs(around->slope) * bound, STEEP * list->noise[i])) : value;
}

nsdyn_status nsd_cut_step(nsdyn_event_driver *d, const nsd_root *root, const nsd_event_function_list *list)
{
  const double t = d->phase.extended_from + root->theta * d->phase.extended_dt;
  surroundings around = {.span = 0.0};
  nsdyn_status status = NSDYN_OK;
  /* 1. The integrator stops at the event: a root at the beginning undoes the step, one within it cuts it. */
  if (!(t > d->phase.extended_from)) {
    nsd_dopri_undo(&d->phase.dopri, d->phase.extended_dt);
  } else if (t < d->phase.dopri.t) {
    status = close_in(d, &d->phase, &d->tracks, root, list, t, &around);
  }
  if (status == NSDYN_CANCELLED) { /* the run can go on from where the step began */
    nsd_dopri_undo(&d->phase.dopri, d->phase.extended_dt);
  }
  if (status) {
    return status;
  }
  /* 2. The state there, and what time cannot resolve of the function. */
  nsd_phase_commit(d);
  status =
      nsd_event_function_values(d, &d->phase, &d->tracks, list, d->t, d->phase.dopri.y, d->phase.watch_value);
  if (status) {
    return status;
  }
  /* 3. What the instant has to know: which function fell, of which contact, and the error of its time. */
  const int fell = who_fell(&d->phase, root, list);
  const nsd_event_function *watch = &list->watch[fell];
  const int is_found = watch->kind == NSD_EVENT_FUNCTION_LEAVING; /* one of those that `find` will tell */
  int64_t key;
  const int has_key = find_key(d, watch, &key);
  const double bound = root->bound * d->phase.extended_dt + 2.0 * DBL_EPSILON * fabs(d->t);
  const nsd_cause cause = {
      .kind = is_found ? NSD_EVENT_FUNCTION_FOUND : watch->kind,
      .which = is_found ? -1
               : watch->kind == NSD_EVENT_FUNCTION_GAP || watch->which < 0
                   ? watch->which
                   : d->instant.happening[watch->which].track,
      .is_found = has_key,
      .key = key,
      .sign = is_in_space(d, watch) ? 1.0 : watch->sign,
      .side =
          watch->kind == NSD_EVENT_FUNCTION_LIMIT
              ? d->phase.motion.scene.solution.Lambda[d->phase.motion.scene.closed.contact[watch->which].row]
              : 1.0,
      .left = is_in_space(d, watch) && watch->kind == NSD_EVENT_FUNCTION_SPEED
                  ? 0.0
                  : what_is_left(d, list, fell, &around, bound),
      .jumps = around.jumps && fell == root->k,
      .span = around.span,
      .fell = {-around.low, around.high},
      .shift = fabs(d->t - t),
      .bound = bound};
  d->cause = cause;
  return NSDYN_OK;
}
