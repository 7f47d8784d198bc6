/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The run: instants and steps in turn, until t_end. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "event/internal.h"
#include "system/check/check.h"

enum { PROGRESS_OUTPUTS = 1024 };
enum { PROGRESS_EVERY = 64, MOST_TRIES = 400, MOST_DOUBTS = 3 }; /* steps */
enum { MOST_CREEPING = 1024 };                                   /* steps without progress */
enum { MOST_INTERVALS = 16 }; /* of a step, that a watched function is searched in */

#define IDLE_SHARE                                                                                           \
  0x1p-16 /* of the own time of the motion: a step within which constraints begin to move a contact */
#define MOST_OUTPUTS 0x1p40 /* of a run */
#define SHORTER 0.25     /* a step within which a callback could not answer, or functions are not followed */
#define TICKS 64.0       /* of the clock: the shortest step that is tried again */
#define SOON 64.0        /* ticks of the clock: a root that the phase seems to begin with */
#define LONG_STEP 0x1p-6 /* of the own time of the motion: a step whose extension may err */

/* Hands out the motion at a time, with the forces there, which are judged first. Times that the clock cannot
 * tell from this one are left out. */
static nsdyn_status put_out(nsdyn_event_driver *d, double t, const double *q, const double *u)
{
  /* M u̇ = h + Wᵀ λ and the gaps at this time: no state is handed out whose forces miss their laws. */
  nsdyn_status status = nsd_acceleration_evaluate(&d->phase.motion, t, q, u);
  status = status ? status : nsd_acceleration_gaps(&d->phase.motion, t, q);
  status = status ? status : nsd_verify_forces(d, &d->phase, &d->report, t, u);
  if (status < 0 && status != NSDYN_ERR_CALLBACK_RETRY) {
    return status;
  }
  do {
    d->run.outputs++;
  } while (nsd_next_output(d) <= t);
  /* Getters called from within the output tell of the phase that this time lies in, though it may have ended
   * by now. */
  const int settled = d->settled;
  d->settled = d->run.at_output = 1;
  const int stops = d->options.output(d->options.user, t, q, u);
  d->settled = settled;
  d->run.at_output = 0;
  return stops ? NSDYN_STOPPED : NSDYN_OK;
}

/* Counts on to the first output that is not before the state, however many there are. */
static void skip_outputs(const nsdyn_event_driver *d, nsd_run *run)
{
  const double skipped = floor((d->t - run->t_begin) / d->options.output_dt) - 1.0; /* but for rounding */
  run->outputs = skipped > (double)run->outputs ? (int64_t)skipped : run->outputs;
  while (nsd_next_output(d) < d->t) {
    run->outputs++;
  }
}

/* The trajectory within the last step, before the state. After the user has asked to stop no more is handed
 * out. */
static nsdyn_status output_step(nsdyn_event_driver *d)
{
  nsdyn_status status = NSDYN_OK;
  int count = 0;
  for (double t; !status && (t = nsd_next_output(d)) < d->t;) {
    nsd_dopri_at(&d->phase.dopri, (t - d->phase.extended_from) / d->phase.extended_dt, d->phase.y_next);
    status = put_out(d, t, d->phase.y_next, d->phase.y_next + d->sys->def.nq);
    if (!status && ++count % PROGRESS_OUTPUTS == 0) { /* a long step may hold millions of them */
      status = nsd_progress(d->ctx, "nsdyn_event_driver_advance",
                            (t - d->run.t_begin) / (d->run.end - d->run.t_begin));
    }
  }
  if (status > 0) {
    skip_outputs(d, &d->run);
  }
  return status;
}

/* The state itself, when all is done that happens there. */
static nsdyn_status output_state(nsdyn_event_driver *d)
{
  return nsd_next_output(d) <= d->t ? put_out(d, d->t, d->q, d->u) : NSDYN_OK;
}

/* When the next accumulation of impacts ends. */
static double next_settling(const nsdyn_event_driver *d)
{
  double t = INFINITY;
  for (int i = 0; i < d->tracks.count; i++) {
    t = fmin(t, d->tracks.track[i].settles);
  }
  return t;
}

/* A graze changes nothing, but is recorded where it is a contact's. */
static nsdyn_status record_graze(const nsdyn_event_driver *d, nsd_records *records,
                                 nsdyn_event_report *report, nsd_fault *fault, const nsd_root *root,
                                 const nsd_event_function_list *list)
{
  const nsd_event_function *watch = &list->watch[root->k];
  if (watch->kind != NSD_EVENT_FUNCTION_GAP) {
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_log_reserve(d, records, fault, 1);
  if (status) {
    return status;
  }
  const nsdyn_event event = {.size = sizeof event,
                             .kind = NSDYN_EVENT_CLOSE,
                             .contact = watch->which,
                             .key = watch->which,
                             .mode_before = NSDYN_MODE_OPEN,
                             .mode_after = NSDYN_MODE_OPEN,
                             .t = d->phase.extended_from + root->theta * d->phase.extended_dt,
                             .t_bound = root->bound * d->phase.extended_dt};
  nsd_log_add(d, records, report, &event);
  return NSDYN_OK;
}

/* The section, watch k, was crossed: the phase goes on, on its other side. */
static nsdyn_status cross_section(nsdyn_event_driver *d, int k)
{
  nsdyn_status status = nsd_log_reserve(d, &d->records, &d->fault, 1);
  status = status ? status : nsd_event_function_cross(d, k, d->phase.dopri.t, d->phase.dopri.y);
  if (status) {
    return status;
  }
  const nsdyn_event event = {.size = sizeof event,
                             .kind = NSDYN_EVENT_SECTION,
                             .contact = -1,
                             .key = -1,
                             .t = d->t,
                             .t_bound = d->cause.bound};
  nsd_log_add(d, &d->records, &d->report, &event);
  return nsd_acceleration_evaluate(&d->phase.motion, d->t, d->q, d->u); /* for the observer */
}

static int is_wanted(const nsdyn_event_driver *d, const nsd_event_function *watch)
{
  return d->options.section_direction == 0 || (d->options.section_direction < 0) == (watch->sign > 0.0);
}

/* Looks through the last step for the first event that counts. */
static nsdyn_status search_step(nsdyn_event_driver *d, nsd_root *root, const nsd_event_function_list **list)
{
  const nsd_event_function *grazes = NULL;
  double from = 0.0, grazes_until = 0.0;
  d->phase.grazes = 0;
  for (;;) {
    nsdyn_status status = nsd_event_function_first(d, from, root, list);
    if (status || !root->kind) {
      return status;
    }
    /* The first root may be no event: the search then goes on from there. A graze takes its time, in which
     * the function is within noise, and others may fall. */
    const nsd_event_function *watch = &(*list)->watch[root->k];
    if (root->kind == NSD_ROOT_GRAZES) {
      const int is_same = grazes && watch == grazes && root->theta <= grazes_until;
      status = is_same ? NSDYN_OK : record_graze(d, &d->records, &d->report, &d->fault, root, *list);
      grazes = watch;
      from = root->theta;
      grazes_until = root->theta + root->bound;
      /* One that no step would be cut for is no wave: of many, noise is made. */
      d->phase.grazes += root->bound * d->phase.extended_dt <= nsd_event_function_least_cut(d);
    } else if (watch->kind == NSD_EVENT_FUNCTION_SECTION && !is_wanted(d, watch)) {
      /* Crossed in the direction that is not asked for: only the side changes. */
      nsd_dopri_at(&d->phase.dopri, root->theta, d->phase.y_next);
      status = nsd_event_function_cross(
          d, root->k, d->phase.extended_from + root->theta * d->phase.extended_dt, d->phase.y_next);
      from = root->theta;
    } else {
      return NSDYN_OK;
    }
    if (status || !(from < 1.0)) {
      root->kind = NSD_ROOT_NONE;
      return status;
    }
  }
}

/* A closed contact that `find` no longer reports is open from here on. */
static nsdyn_status lose_contact(nsdyn_event_driver *d)
{
  nsd_track *track = &d->tracks.track[d->instant.happening[d->phase.motion.lost].track];
  const nsdyn_status status = nsd_log_reserve(d, &d->records, &d->fault, 1);
  if (status) {
    return status;
  }
  const nsdyn_event event = {.size = sizeof event,
                             .kind = NSDYN_EVENT_OPEN,
                             .contact = -1,
                             .key = track->key,
                             .mode_before = track->mode,
                             .mode_after = NSDYN_MODE_OPEN,
                             .t = d->t,
                             .t_bound = 8.0 * DBL_EPSILON * fabs(d->t)};
  nsd_log_add(d, &d->records, &d->report, &event);
  track->mode = NSDYN_MODE_OPEN;
  track->state = -1;
  track->lost = d->t;
  d->phase.motion.lost = -1;
  d->settled = 0;
  nsd_fault_clear(&d->fault);
  return NSDYN_OK;
}

/* Whether a callback could not answer because `find` no longer reports what is closed. */
static int is_lost(const nsdyn_event_driver *d, nsdyn_status status)
{
  return status == NSDYN_ERR_CALLBACK_RETRY && d->phase.motion.lost >= 0;
}

/* The step as far as its event has times at which a callback cannot answer, though the step has none: it is
 * done again, a quarter as long, from wherever the event was in it. Where that is no more than ticks of the
 * clock, or nothing beside the motion's own time, the failure is that of the step's beginning. */
static nsdyn_status step_less(nsdyn_event_driver *d, nsdyn_status status)
{
  const double dt = d->phase.extended_dt;
  if (d->t > d->phase.extended_from) {
    return status; /* the event's own state */
  }
  if (d->phase.dopri.t > d->phase.extended_from) {
    nsd_dopri_undo(&d->phase.dopri, SHORTER * dt);
  }
  d->phase.dopri.h_next = SHORTER * dt; /* a root at the beginning has undone it as long as it was */
  if (dt > fmax(TICKS * DBL_EPSILON * fabs(d->t), NSD_EVENT_LEAST_STEP * nsd_phase_own_time(d))) {
    nsd_fault_clear(&d->fault);
    return NSDYN_OK;
  }
  return is_lost(d, status) ? lose_contact(d) : status;
}

/* Whether the phase would end as soon as it has begun, since a gap or a velocity that begins with zero falls.
 * The extension of a long step errs by as much; that of a short one does not. */
static int is_doubtful(const nsdyn_event_driver *d, const nsd_root *root, const nsd_event_function_list *list)
{
  return root->kind == NSD_ROOT_FALLS && list == &d->phase.kinematic &&
         list->watch[root->k].kind != NSD_EVENT_FUNCTION_FOUND &&
         list->watch[root->k].kind != NSD_EVENT_FUNCTION_SECTION &&
         root->theta * d->phase.extended_dt <= SOON * DBL_EPSILON * fabs(d->phase.dopri.t) &&
         d->phase.extended_dt > LONG_STEP * nsd_phase_own_time(d);
}

/* Where nothing moves, the error of a step says nothing of loads and driven surfaces, which the watched
 * functions show: the next step is as long as they can be followed. */
static void follow_watches(const nsdyn_event_driver *d, nsd_phase *phase)
{
  if (phase->intervals > MOST_INTERVALS) {
    const double longest = MOST_INTERVALS * phase->extended_dt / phase->intervals;
    phase->dopri.h_next = fmin(phase->dopri.h_next, fmax(longest, nsd_event_function_least_cut(d)));
  }
}

/* An integrator step and its first event; a shorter one where a callback could not answer somewhere within
 * it. */
static nsdyn_status step_and_search(nsdyn_event_driver *d, double t_end, nsd_root *root,
                                    const nsd_event_function_list **list, int *idle)
{
  nsdyn_status status;
  int tries = 0, again = 0, doubts = 0;
  do {
    *idle = -1;
    /* 1. One step of the integrator with these modes, and its polynomial extension over θ in [0, 1]. */
    status = nsd_phase_step(d, t_end);
    if (status) {
      return status;
    }
    /* 2. The first θ at which a gap, λ_N, γ_T or a friction limit falls through zero on that extension. */
    status = search_step(d, root, list);
    const int is_wavy = !status && d->phase.locate.wavy;
    if (!status && !is_wavy && !root->kind) {
      status = nsd_idle_moves(d, &d->phase, &d->instant, idle);
    }
    /* When a contact begins to be moved is wanted to a short step only: nothing but forces depends on it. */
    again = is_wavy || (!status && is_doubtful(d, root, *list) && ++doubts <= MOST_DOUBTS) ||
            (!status && *idle >= 0 && d->phase.extended_dt > IDLE_SHARE * nsd_phase_own_time(d));
    /* 3. Back to the beginning of the step, and a quarter of it, where its functions could not be trusted. */
    if (status == NSDYN_ERR_CALLBACK_RETRY || again) {
      nsd_dopri_undo(&d->phase.dopri, SHORTER * d->phase.extended_dt);
    }
  } while ((status == NSDYN_ERR_CALLBACK_RETRY || again) && ++tries < MOST_TRIES &&
           d->phase.extended_dt > TICKS * DBL_EPSILON * fabs(d->t));
  follow_watches(d, &d->phase);
  return status;
}

/* The forces that a phase ends with: they are what its modes stood for. A phase that ends as it begins stood
 * for nothing: its step has differenced w̄ over another time than the instant before it, and by the better
 * forces a contact pulls whose force had just vanished. The instant that follows looks for modes and forces
 * of its own. */
static nsdyn_status verify_end(const nsdyn_event_driver *d, nsd_phase *phase, nsd_tracks *tracks,
                               nsdyn_event_report *report)
{
  const int has_forces = d->t > phase->t_begin;
  const nsdyn_status status = nsd_acceleration_evaluate(&phase->motion, d->t, d->q, d->u);
  nsd_slide_keep(phase, &d->instant, tracks);
  if (status || !has_forces) {
    return status == NSDYN_ERR_CALLBACK_RETRY ? NSDYN_OK : status;
  }
  return nsd_verify_end(d, phase, report);
}

/* Steps that get nowhere, one after the other, though nothing but rounding can ask for them. */
static nsdyn_status count_creeping(nsdyn_event_driver *d)
{
  const double least = NSD_EVENT_LEAST_STEP * nsd_phase_own_time(d);
  const int creeps = d->settled && d->phase.extended_dt < fmin(least, 0.5 * d->options.max_dt);
  d->run.creeping = creeps ? d->run.creeping + 1 : 0;
  return d->run.creeping <= MOST_CREEPING ? NSDYN_OK : nsd_instant_no_progress(d);
}

/* A step, to its end or to the first event in it. */
static nsdyn_status step(nsdyn_event_driver *d, double t_end)
{
  nsd_root root;
  const nsd_event_function_list *list;
  int idle;
  /* 1. The integrator step, and the first event within it. */
  nsdyn_status status = step_and_search(d, t_end, &root, &list, &idle);
  if (is_lost(d, status)) {
    return lose_contact(d);
  }
  if (status) {
    return status;
  }
  d->report.steps++;
  /* 2. An event cuts the step, and an instant decides on modes next. Without one the whole step counts. */
  if (root.kind) {
    status = nsd_cut_step(d, &root, list);
    if (status == NSDYN_ERR_CALLBACK_RETRY) {
      status = step_less(d, status);
      return status ? status : count_creeping(d);
    }
    if (!status &&
        d->cause.kind == NSD_EVENT_FUNCTION_REGULAR) { /* u̇ of λ_N = −c/p, p = 0: it is no size of u̇ */
      nsd_fill_zero(d->sys->def.nu, d->phase.a);
    }
    status = status ? status : verify_end(d, &d->phase, &d->tracks, &d->report);
    if (!status && list->watch[root.k].kind == NSD_EVENT_FUNCTION_SECTION) {
      status = cross_section(d, root.k);
    } else if (!status) {
      d->settled = 0;
    }
  } else {
    nsd_phase_commit(d);
  }
  if (!status && d->settled) { /* first, since outputs of a step that drifts away are none */
    /* 3. Drift: g and γ of what is closed are brought back to zero, and sizes and tolerances follow the
     * motion. */
    status = nsd_event_function_update(d, &d->phase, &d->tracks);
    status = status ? status : nsd_project_step(d);
    nsd_phase_scale(d, &d->scales);
    if (is_lost(d, status)) { /* by what the projection would have moved */
      status = lose_contact(d);
    } else if (!status && idle >= 0) {
      /* Constraints have begun to move a contact that rested on them: its friction is decided anew. */
      d->cause = (nsd_cause){.kind = NSD_EVENT_FUNCTION_HELD,
                             .which = d->instant.happening[idle].track,
                             .bound = d->phase.extended_dt};
      d->settled = 0;
    }
  }
  /* 4. The trajectory up to here, unless the steps have become too short to get anywhere. */
  status = status ? status : count_creeping(d);
  return status ? status : output_step(d);
}

static nsdyn_status refuse_steps(const nsdyn_event_driver *d, nsd_fault *fault)
{
  char t[NSD_NUMBER_LENGTH];
  return nsd_fault_set(fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_NONE, -1,
                       "max_steps integrator steps have led to t = %s only", nsd_number_text(d->t, t));
}

/* A failure that a time step may get over: it goes on, and the next turn settles what has come of it. */
static nsdyn_status get_over(nsdyn_event_driver *d, nsdyn_status status)
{
  const nsd_fault fault = d->fault;
  int done = 0;
  const nsdyn_status own = nsd_handover(d, d->run.end, &done);
  if (!done && !own) {
    d->fault = fault;
    return status;
  }
  return own;
}

/* An instant, and the beginning of the phase that follows it. Where gaps are projected, a closed contact may
 * come to be one that `find` no longer reports: it is lost, and without it the instant is to be settled
 * again. */
static nsdyn_status settle(nsdyn_event_driver *d)
{
  nsdyn_status status = nsd_instant_settle(d);
  if (status == NSDYN_OK) {
    status = nsd_commit_enter_phase(d);
    if (is_lost(d, status)) {
      d->cause = (nsd_cause){.kind = -1, .which = -1}; /* what ended the phase before is settled */
    }
  }
  return is_lost(d, status) ? lose_contact(d) : status;
}

/* A run that is stopped after a step that ended with an event settles that event first: the caller finds the
 * modes and forces after it. */
static nsdyn_status settle_stop(nsdyn_event_driver *d, nsdyn_status stop)
{
  if (d->settled) {
    return stop;
  }
  nsdyn_status status = settle(d);
  if (status >= 0 && status != NSDYN_STOPPED && !d->settled) {
    nsd_fault_clear(&d->fault); /* what comes of it, the next call will tell */
    return stop;
  }
  const nsdyn_status told = status >= 0 ? nsd_log_tell(d) : NSDYN_OK;
  status = status ? status : told;
  return status < 0 ? status : stop;
}

/* One turn of the run; *done at t_end.
 *
 *   instant   velocities and modes are made consistent at constant t and q: impacts, stick, slip, opening
 *   phase     M u̇ = h + Wᵀ λ with these modes, over one step, or until a watched function falls through zero
 *
 * A phase takes as many turns as it has steps; `settled` says that one is under way. */
static nsdyn_status turn(nsdyn_event_driver *d, double t_end, int64_t steps, int *done)
{
  nsdyn_status status = NSDYN_OK;
  /* 1. The instant, where an event ended the phase, or nothing is decided yet; then the next phase begins. */
  if (!d->settled) {
    status = settle(d);
    if (nsd_is_unanswered(status) && d->instant.impasse) {
      status = get_over(d, status);
    }
    if (status == NSDYN_OK && !d->settled) { /* a time step went on, or a contact is lost */
      return nsd_log_tell(d);
    }
  }
  /* 2. What has come to its end by now is told: accumulations of impacts, records, the trajectory. */
  if (!status && d->t >= next_settling(d)) {
    status = nsd_commit_settled(d, &d->tracks, &d->records, &d->report, &d->fault);
  }
  const nsdyn_status told = status >= 0 ? nsd_log_tell(d) : NSDYN_OK;
  status = status ? status : told;
  if (status && status != NSDYN_STOPPED) {
    return status;
  }
  const nsdyn_status output = d->settled ? output_state(d) : NSDYN_OK;
  status = status ? status : output;
  *done = d->t >= t_end;
  if (status || *done) {
    return status;
  }
  if (d->options.max_steps >= 0 && steps >= d->options.max_steps) {
    return refuse_steps(d, &d->fault);
  }
  /* 3. The phase: a step, to its end or to the first event in it. */
  status = step(d, fmin(t_end, next_settling(d)));
  if (status == NSDYN_STOPPED) { /* `output` wants it */
    return settle_stop(d, status);
  }
  const int is_impasse =
      status == NSDYN_MAX_ITERATIONS && (d->phase.dopri.trouble == NSD_DOPRI_TOO_SHORT || d->instant.impasse);
  return is_impasse ? get_over(d, status) : status;
}

static nsdyn_status run(nsdyn_event_driver *d, double t_end)
{
  const double t_begin = d->t;
  nsdyn_status status = NSDYN_OK;
  int done = 0;
  for (int64_t steps = 0; !status && !done; steps++) {
    if (steps % PROGRESS_EVERY == 0) {
      status = nsd_progress(d->ctx, "nsdyn_event_driver_advance",
                            t_end > t_begin ? (d->t - t_begin) / (t_end - t_begin) : 1.0);
    }
    status = status ? status : turn(d, t_end, steps, &done);
  }
  return status == NSDYN_CANCELLED && d->run.begun ? settle_stop(d, status) : status;
}

nsdyn_status nsdyn_event_driver_advance(nsdyn_event_driver *d, double t_end)
{
  nsdyn_status status = d ? nsd_fault_begin(&d->fault, d->busy) : NSDYN_ERR_ARGUMENT;
  status = status ? status : nsd_driver_check_laws(d->sys, &d->fault); /* laws may have changed */
  if (status) {
    return status;
  }
  if (!(t_end >= d->t && isfinite(t_end))) {
    char text[2][NSD_NUMBER_LENGTH];
    return nsd_fault_set(&d->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "t_end: %s cannot be reached from t = %s", nsd_number_text(t_end, text[0]),
                         nsd_number_text(d->t, text[1]));
  }
  if (d->options.output && (t_end - d->run.t_begin) / d->options.output_dt > MOST_OUTPUTS) {
    char text[2][NSD_NUMBER_LENGTH];
    return nsd_fault_set(&d->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                         (int64_t)offsetof(nsdyn_event_driver_options, output_dt),
                         "option output_dt: %s is too short to count outputs until t_end = %s",
                         nsd_number_text(d->options.output_dt, text[0]), nsd_number_text(t_end, text[1]));
  }
  d->busy = NSD_EVENT_RUNNING;
  d->failed.is_there = 0;
  d->run.end = t_end;
  nsd_phase_save_sizes(d, &d->scales);
  /* Laws may have changed; where there are new ones, found contacts may have them from now on. */
  d->settled = d->settled && d->revision == d->sys->revision && d->laws == nsd_system_found_count(d->sys);
  /* 1. Where a run begins, whether callbacks agree with each other. */
  if (d->options.check && !d->run.begun) {
    status = nsd_model_check_state(d->sys, d->t, d->q, d->u, &d->fault);
    d->options.check = status != NSDYN_OK; /* passed: not again before options are set */
  }
  /* 2. The alternation of instants and phases, until t_end or a reason to stop. */
  status = status ? status : run(d, t_end);
  if (d->settled && (status == NSDYN_OK || status == NSDYN_STOPPED || status == NSDYN_CANCELLED)) {
    nsdyn_status looked = nsd_acceleration_evaluate(&d->phase.motion, d->t, d->q, d->u); /* for getters */
    looked = looked ? looked : nsd_acceleration_gaps(&d->phase.motion, d->t, d->q);
    /* The end is judged like an event: laws of forces, then gaps and velocities of what is closed. */
    looked = looked ? looked : nsd_verify_forces(d, &d->phase, &d->report, d->t, d->u);
    looked = looked ? looked : nsd_project_judge(d);
    status = looked ? looked : status;
  }
  d->busy = NSD_EVENT_IDLE;
  d->laws = nsd_system_found_count(d->sys);
  d->report.status = status;
  if (status < 0) {
    d->settled = 0; /* the integrator may stand anywhere */
    nsd_phase_restore_sizes(d);
  } else if (status == NSDYN_OK || (status == NSDYN_STOPPED && d->fault.status != NSDYN_STOPPED)) {
    nsd_fault_clear(&d->fault); /* of what could be resolved on the way; an ambiguity keeps its message */
  }
  return status;
}
