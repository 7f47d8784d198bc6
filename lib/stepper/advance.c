/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Steps as the user calls them. What happens between open_step() and close_step() can fail at any point; the
 * state changes in close_step() alone. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "stepper/adaptive.h"
#include "stepper/advance.h"
#include "stepper/check/consistent.h"
#include "stepper/count_solutions.h"
#include "stepper/drift/keep_closed.h"
#include "stepper/drift/lifted.h"
#include "stepper/drift/projection.h"
#include "stepper/drift/split.h"
#include "stepper/object.h"
#include "stepper/output.h"
#include "stepper/scheme/scheme.h"
#include "system/check/check.h"

enum { progress_every = 64 }; /* steps of nsdyn_stepper_advance() */

NSD_INLINE void open_step(nsdyn_stepper *s, double dt)
{
  if (s->fault.status) {
    nsd_fault_clear(&s->fault);
  }
  s->busy = NSD_STEPPING;
  s->stage = NSD_STAGE_NONE;
  s->t_begin = s->t;
  s->dt = dt;
  s->rounds = s->rebounds = s->inelastic = s->solved = 0;
  s->solutions = s->motions = NSD_NOT_COUNTED;
  s->correction.done = 0;
  s->scene.closed.count = s->scene.closed.rows = s->scene.closed.is_watched = 0;
}

static inline double *exchange(double **a, double *b)
{
  double *old = *a;
  *a = b;
  return old;
}

/* A contact that pressed, and in an impact neither presses nor moves, is closed as before: its trace stays.
 */
static void keep_idle(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    nsd_closed *c = &scene->closed.contact[k];
    const double speed = scene->solution.xi[c->row] - scene->problem.shift[c->row];
    const int32_t trace = nsd_history_trace(&s->history, c);
    if (c->mode == NSDYN_MODE_OPEN && nsd_trace_pressed(trace) && fabs(speed) <= s->options.tol * s->scale) {
      c->kept = trace;
    }
  }
}

/* What the contact problem may have missed γ_N = 0 by; an impact leaves that of the step before, too.
 *
 * In the plane modes fix γ_N to rounding, and the tolerance is wide. In space impulses are solved for, and
 * those of the step before serve as long as they pass: step after step γ_N may miss zero on the same side by
 * all that tol allows. The bias (drift/keep_closed.h) leads a gap back that is worth more than one step's
 * miss, and only then the solver has to notice it; by then the gap is two such misses wide and half of what
 * counts as closed by rounding. Four of them are no less than this. */
NSD_INLINE void set_slack(nsdyn_stepper *s, int is_impact)
{
  double speed = 0.0;
  if (s->solved) {
    speed = s->options.tol * s->scale;
    speed = s->scene.problem.is_spatial ? 4.0 * speed : speed;
  }
  if (is_impact) {
    s->slack_speed = speed > s->slack_speed ? speed : s->slack_speed;
  } else {
    s->slack_speed = speed;
    s->slack_dt = s->dt;
  }
}

/* Those of the step; an impact changes velocities, and what they had said no longer holds. */
static void keep_strays(nsdyn_stepper *s, int is_impact)
{
  nsd_history *history = &s->history;
  nsd_stray *now = history->strays;
  history->strays = history->strays_next;
  history->strays_next = now;
  history->stray_count = is_impact ? 0 : history->stray_next_count;
  history->stray_next_count = 0;
}

/* Of a step that has closed others than the one before: these, and what has landed at its end. */
static void keep_others(nsdyn_stepper *s, int is_impact)
{
  keep_strays(s, is_impact);
  nsd_history_keep(&s->history, &s->scene, 0);
  if (s->options.project && !is_impact) {
    nsd_lifted_keep(s);
  }
}

/* The state becomes what the step computed; what it was stays behind as the step's beginning. */
NSD_INLINE void close_step(nsdyn_stepper *s)
{
  const int is_impact = !(s->dt > 0.0);
  if (is_impact) {
    keep_idle(s);
    s->has_f = s->has_a = 0; /* velocities have jumped, and forces may have with them */
  }
  s->history.seen = s->t_middle;
  if (s->scene.closed.is_watched) {
    nsd_keep_closed_end(s);
  }
  const int is_same =
      is_impact && !s->solved ? nsd_history_is_same(&s->history, &s->scene) : s->history.is_same;
  s->history.is_in_solver = s->solved && (s->rebounds | is_impact) == 0;
  if (!is_same) {
    keep_others(s, is_impact);
  } else if (s->scene.closed.count) {
    nsd_history_keep(&s->history, &s->scene, 1);
  }
  /* qᴬ, uᴬ := qᴱ, uᴱ without copying; the old ones remain as q_begin, u_begin. */
  s->q_next = exchange(&s->q_begin, exchange(&s->q, s->q_next));
  s->u_next = exchange(&s->u_begin, exchange(&s->u, s->u_next));
  if (s->has_f_next) {
    s->f_next = exchange(&s->f, s->f_next);
    s->a_next = exchange(&s->a, s->a_next);
    s->has_f = 1;
    s->has_a = s->has_a_next;
    s->has_f_next = 0;
  }
  set_slack(s, is_impact);
  s->stage = NSD_STAGE_DONE;
}

static __attribute__((noinline)) nsdyn_status reserve_found(nsdyn_stepper *s, int found)
{
  const nsdyn_status status = nsd_history_reserve(&s->history, found);
  return status ? nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts found",
                                found)
                : NSDYN_OK;
}

NSD_INLINE nsdyn_status finish(nsdyn_stepper *s, int before, nsdyn_status status)
{
  if (status == NSDYN_OK && s->scene.closed.count > s->scene.closed.known) {
    status = reserve_found(s, s->scene.closed.count - s->scene.closed.known);
  }
  if (status && s->fresh) {
    nsd_consistent_undo(s);
  }
  s->busy = before;
  s->status = status;
  if (status == NSDYN_OK) {
    close_step(s);
  } else {
    s->history.stray_next_count = s->has_f_next = 0;
  }
  return status;
}

/* The first step after a new state. */
static __attribute__((noinline)) nsdyn_status begin_run(nsdyn_stepper *s, double dt)
{
  if (s->options.check) {
    const nsdyn_status status = nsd_model_check_state(s->sys, s->t, s->q, s->u, &s->fault);
    if (status) {
      return status;
    }
    s->options.check = 0; /* passed: not again before options are set */
  }
  return nsd_consistent_run(s, dt);
}

/* Rounds of the step make its contact problem anew, with contacts that close in it. */
static __attribute__((noinline)) nsdyn_status split(nsdyn_stepper *s, double dt)
{
  const nsdyn_status status = nsd_split_apply(s, dt);
  return status == NSDYN_OK && s->closing.left && s->solved ? nsd_contradiction_closing(s) : status;
}

/* One step of dt towards t_next, without a word on what becomes of it. */
NSD_INLINE nsdyn_status try_step(nsdyn_stepper *s, double dt, double t_next)
{
  open_step(s, dt);
  s->t_next = t_next;
  /* 1: after a new state, whether callbacks agree, whether contacts and constraints allow it, and what rests
   * at its beginning. */
  nsdyn_status status = s->fresh ? begin_run(s, dt) : NSDYN_OK;
  /* 2: qᴱ and uᴱ, into q_next and u_next. */
  status = status ? status : s->scheme->step(s, dt);
  if (status == NSDYN_OK && s->closing.left && s->solved) {
    status = nsd_contradiction_closing(s);
  }
  /* 3: on demand, penetration and drift removed, within the step or after it, how many solutions the step's
   * contact problem has, and whether something has collided. */
  if (status == NSDYN_OK && (s->options.count | s->options.project | s->shows)) {
    const int is_split = s->options.project == NSDYN_PROJECT_SPLIT;
    status = is_split ? split(s, dt) : NSDYN_OK;
    status = status || !s->options.count ? status : nsd_count_solutions(s);
    status = status || is_split || !s->options.project ? status : nsd_projection_apply(s);
    if (status == NSDYN_OK && s->options.project && nsd_lifted_landed(s)) {
      /* what has landed is remembered beside the step's own contacts */
      s->history.is_same = 0;
      status = reserve_found(s, s->scene.closed.count - s->scene.closed.known + nsd_lifted_landed(s));
    }
    s->jumps = s->shows && nsd_output_jumps(s);
  }
  return status;
}

NSD_INLINE nsdyn_status end_step(nsdyn_stepper *s, int before, nsdyn_status status, double t_next)
{
  /* 4: the state changes, if nothing has failed. */
  status = finish(s, before, status);
  if (status == NSDYN_OK) {
    s->t = t_next;
    s->steps++;
    if (s->fresh) {
      s->fresh = NSD_FRESH_NOT;
      s->has_marks = 0;
    }
  }
  return status;
}

/* One step of dt that ends at t_next. */
NSD_INLINE nsdyn_status step_to(nsdyn_stepper *s, double dt, double t_next)
{
  const int before = s->busy;
  const nsdyn_status status = try_step(s, dt, t_next);
  return end_step(s, before, status, t_next);
}

nsdyn_status nsd_advance_try(nsdyn_stepper *s, double dt, double t_next)
{
  return try_step(s, dt, t_next);
}

nsdyn_status nsd_advance_end(nsdyn_stepper *s, nsdyn_status status, double t_next)
{
  return end_step(s, NSD_OBSERVING, status, t_next);
}

void nsd_advance_drop(nsdyn_stepper *s)
{
  if (s->fresh) {
    nsd_consistent_undo(s);
  }
  s->busy = NSD_OBSERVING;
  s->history.stray_next_count = s->history.is_in_solver = s->has_f_next = 0;
}

/* One step of dt; those of one length end at run_begin + k dt. */
NSD_INLINE nsdyn_status step_on(nsdyn_stepper *s, double dt)
{
  const int goes_on = dt == s->run_dt;
  const double begin = goes_on ? s->run_begin : s->t;
  const int64_t steps = goes_on ? s->run_steps + 1 : 1;
  /* t_begin + k Δt is rounded once, a sum of k steps k times. */
  const nsdyn_status status = step_to(s, dt, begin + (double)steps * dt);
  if (status == NSDYN_OK) {
    s->run_begin = begin;
    s->run_dt = dt;
    s->run_steps = steps;
  }
  return status;
}

nsdyn_status nsdyn_stepper_step(nsdyn_stepper *s, double dt)
{
  if (!s) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (s->busy) {
    return NSDYN_ERR_BUSY;
  }
  if (!(dt > 0.0 && fabs(s->t) + dt <= DBL_MAX)) {
    char text[NSD_NUMBER_LENGTH];
    return nsd_fault_set(&s->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "dt: %s is not a duration > 0", nsd_number_text(dt, text));
  }
  return step_on(s, dt);
}

nsdyn_status nsdyn_stepper_impact(nsdyn_stepper *s)
{
  if (!s) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (s->busy) {
    return NSDYN_ERR_BUSY;
  }
  open_step(s, 0.0);
  nsdyn_status status = nsd_scheme_impact(s);
  if (status == NSDYN_OK && s->options.count) {
    status = nsd_count_solutions(s);
  }
  return finish(s, NSD_IDLE, status);
}

/* ---- advance ---- */

/* Ends the run of equal steps at t_end, which is its last time but for rounding. */
static void end_run(nsdyn_stepper *s, double t_end)
{
  if (s->t != t_end) {
    s->t = s->run_begin = t_end;
    s->run_steps = 0;
  }
}

static nsdyn_status observe(nsdyn_stepper *s)
{
  const nsdyn_stepper_options *o = &s->options;
  return o->observe && o->observe(o->user, s) ? NSDYN_STOPPED : NSDYN_OK;
}

/* `whole` steps of dt, then one of `rest` where that is not 0. */
static nsdyn_status advance(nsdyn_stepper *s, double dt, int64_t whole, double rest, double t_end)
{
  const int64_t count = whole + (rest > 0.0);
  nsdyn_status status = NSDYN_OK;
  for (int64_t k = 0; status == NSDYN_OK && k < count; k++) {
    if (k % progress_every == 0) {
      status = nsd_progress(s->ctx, "nsdyn_stepper_advance", (double)k / (double)count);
    }
    if (status == NSDYN_OK) {
      status = k < whole ? step_on(s, dt) : step_to(s, rest, t_end);
    }
    if (status == NSDYN_OK) {
      if (k + 1 == count) {
        end_run(s, t_end);
      }
      status = nsd_output_last(s);
      status = status ? status : observe(s);
    }
  }
  return status;
}

/* Steps whose lengths follow the motion. */
static nsdyn_status advance_adaptively(nsdyn_stepper *s, double t_end)
{
  const double begin = s->t;
  nsdyn_status status = NSDYN_OK;
  nsd_adaptive_begin(s);
  for (int64_t k = 0; status == NSDYN_OK && s->t < t_end; k++) {
    if (k % progress_every == 0) {
      status = nsd_progress(s->ctx, "nsdyn_stepper_advance", (s->t - begin) / (t_end - begin));
    }
    status = status ? status : nsd_adaptive_step(s, t_end);
    status = status ? status : observe(s);
  }
  if (s->t > begin) { /* times of equal steps are counted from here */
    s->run_begin = s->t;
    s->run_dt = 0.0;
    s->run_steps = 0;
  }
  return status;
}

/* What other steps went over is left out; the state that an advance begins with may be on the grid. */
static nsdyn_status begin_outputs(nsdyn_stepper *s, double t_end)
{
  if (!s->shows) {
    return NSDYN_OK;
  }
  if ((t_end - s->output_begin) / s->options.output_dt > NSD_OUTPUT_MOST) {
    char text[2][NSD_NUMBER_LENGTH];
    return nsd_fault_set(&s->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                         (int64_t)offsetof(nsdyn_stepper_options, output_dt),
                         "option output_dt: %s is too short to count outputs until t_end = %s",
                         nsd_number_text(s->options.output_dt, text[0]), nsd_number_text(t_end, text[1]));
  }
  nsd_output_skip(s, s->t, 0);
  s->busy = NSD_OBSERVING;
  const nsdyn_status status = nsd_output_state(s);
  s->busy = NSD_IDLE;
  return status;
}

nsdyn_status nsdyn_stepper_advance(nsdyn_stepper *s, double t_end)
{
  nsdyn_status status = s ? nsd_fault_begin(&s->fault, s->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  const double span = t_end - s->t, dt = s->options.dt;
  if (!(span >= 0.0 && span / dt <= 0x1p53)) {
    char text[2][NSD_NUMBER_LENGTH];
    return nsd_fault_set(&s->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "t_end: %s cannot be reached from t = %s", nsd_number_text(t_end, text[0]),
                         nsd_number_text(s->t, text[1]));
  }
  status = begin_outputs(s, t_end);
  if (status) {
    return status;
  }
  if (s->options.advance_tol > 0.0) {
    s->busy = NSD_OBSERVING;
    status = advance_adaptively(s, t_end);
    s->busy = NSD_IDLE;
    return status;
  }
  /* Times are rounded, so a rest within rounding of nothing is nothing. */
  const double rounding = 4.0 * DBL_EPSILON * (fabs(t_end) + fabs(s->t)) / dt;
  const double slack = rounding + NSD_STEP_REST < 0.25 ? rounding + NSD_STEP_REST : 0.25;
  const double whole = floor(span / dt + slack);
  const double rest = span - whole * dt;
  s->busy = NSD_OBSERVING;
  status = advance(s, dt, (int64_t)whole, rest > slack * dt ? rest : 0.0, t_end);
  s->busy = NSD_IDLE;
  return status;
}
