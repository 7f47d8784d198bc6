/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whether gaps follow their directions. Between two times
 *
 *   g(t₁) − g(t₀) = ∫ γ dt,   γ = W u + ŵ,
 *
 * wherever a gap and its directions belong together: curved, driven, and whatever the forces are. What is
 * closed has γ = 0 but for what the integrator misses, and so its gap stays but for that. A callback that
 * contradicts it (ŵ of a moving surface forgotten, a sign, rows exchanged) lets the gap go somewhere else,
 * and a projection that brought it back would move coordinates with no velocity: q' != u. */
#include <float.h>
#include <math.h>

#include "base/tolerances.h"
#include "event/internal.h"

enum {
  MOST_STRAYS = 3, /* in a row */
  LOOKS = 8        /* at γ within a moment */
};

#define EXPLAINED 64.0     /* times the error that the integrator estimates, of which gaps may make more */
#define BY_TOL 16.0        /* times the tolerance: what gaps may be off by, as a share of their terms */
#define CLOCK_TICKS 64.0   /* ε |t|, by which the times of a step's stages may be off */
#define ROUNDING 64.0      /* times the noise of a gap */
#define CLEAR 0.5          /* share of a change that directions must explain of it */
#define EARLY 0x1p-10      /* of the run: a time in which loads would show */
#define EXTENDED 512.0     /* times that over the step: what rates on the extension may be off by (Markov) */
#define SMOOTH 0x1p-6      /* of what a gap falls by: what its curvature may make its rate miss */
#define LEAST_TICKS 0x1p20 /* of the clock, that a moment lasts at least */
#define MOMENT 0x1p-10     /* of the motion's own time, over which a gap is watched, */
#define LONGER 16.0        /* and so many times as long where it shows nothing but rounding */

/* What a row is looked at with. */
typedef struct nsd_look {
  double gap, speed; /* g, γ now */
  double noise;      /* of g */
  double size;       /* of the terms of g */
} nsd_look;

/* What the integrator may miss of a row's gap in its last step. */
static double explained_by(const nsdyn_event_driver *d, int row, const nsd_look *now, const double *u)
{
  const double ticks = CLOCK_TICKS * DBL_EPSILON * fabs(d->t) * nsd_phase_size_of_speed(d, row, u);
  return EXPLAINED * d->phase.dopri.error * d->options.tol * now->size + ROUNDING * now->noise + ticks;
}

/* Adds Δg and what of it no ∫ γ dt has made; refuses what is beyond the tolerance, all that the integrator
 * may have missed since the contact closed, and most of the way that the gap has gone. */
static nsdyn_status follow(const nsdyn_event_driver *d, nsd_fault *fault, nsd_course *course, nsd_subject who,
                           int row, const nsd_look *now, const double *u)
{
  const double span = d->t - d->tracks.course_t;
  const double change = now->gap - course->gap, said = 0.5 * span * (course->speed + now->speed);
  const double open = span * fmax(fabs(course->speed), fabs(now->speed)); /* of ∫ γ dt between its ends */
  /* Where a motion begins out of a rest, the gap may be no more than rounding inside a callback: what is
   * nothing beside the way that loads can go is not blamed: in the longest step, and at first, while steps
   * are too short to show any way, in that part of the run. */
  const double early = EARLY * (d->run.end - d->run.t_begin);
  const double later = d->t - d->run.t_begin < early ? early : 0.0;
  const double longest = fmax(d->run.most_dt, later);
  const double loads = NSD_BESIDE_LOADS * nsd_acceleration_gain(&d->phase.motion, row, longest) * longest;
  const double bound =
      fmax(fmax(BY_TOL * d->options.tol, NSD_STAY_LEAST) * now->size, fmax(d->options.gap_tol, loads));
  course->lost += copysign(fmax(fabs(change - said) - open, 0.0), change - said);
  course->moved += change;
  course->explained += explained_by(d, row, now, u);
  const double lost = fabs(course->lost);
  return lost > bound && lost > course->explained && lost > CLEAR * fabs(course->moved)
             ? nsd_blame_directions(fault, who, now->gap, change, said)
             : NSDYN_OK;
}

/* Whether there is more to see than rounding. */
static int is_off(const nsd_course *course, const nsd_look *now)
{
  return course->is_held && fabs(now->gap - course->gap) > ROUNDING * now->noise;
}

/* Whether w̄ of what is closed is the user's word. */
static int has_bias(const nsdyn_event_driver *d, int k)
{
  const nsd_acceleration *m = &d->phase.motion;
  return k < m->scene.closed.known ? d->sys->def.bias != NULL : !m->is_differenced[k];
}

/* γ̇ = W u̇ + w̄ = 0 of what is closed: its velocity stays but for what the integrator misses. A w̄ that is not
 * what W u + ŵ changes by leaves in each step the same again; at a kink of a surface it is once. Where a
 * motion begins out of a rest, terms of γ may be no more than rounding inside a callback, of which nothing is
 * known: what is nothing beside the loads is not blamed. */
static nsdyn_status stay(const nsdyn_event_driver *d, nsd_fault *fault, nsd_course *course, nsd_subject who,
                         int row, const double *u)
{
  const double speed = d->phase.motion.scene.problem.gamma[row], change = speed - course->speed;
  const double size =
      fmax(nsd_phase_size_of_speed(d, row, u), nsd_acceleration_gain(&d->phase.motion, row, d->run.last_dt));
  const double tol = fmax(fmax(BY_TOL, EXPLAINED * d->phase.dopri.error) * d->options.tol, NSD_STAY_LEAST);
  const double loads = NSD_BESIDE_LOADS * nsd_acceleration_gain(&d->phase.motion, row, d->run.most_dt);
  const double bound = tol * size + loads + 8.0 * nsd_phase_tick_of_speed(d, row);
  course->strays = fabs(change) > bound ? course->strays + 1 : 0;
  return course->strays >= MOST_STRAYS ? nsd_blame_bias(fault, who, speed, change) : NSDYN_OK;
}

nsdyn_status nsd_verify_directions_stay(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_fault *fault,
                                        const double *u)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < scene->closed.count && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    nsd_course *course = &tracks->track[d->instant.happening[k].track].course;
    if (course->is_held && has_bias(d, k)) {
      status = stay(d, fault, course, nsd_closed_subject(c), c->row, u);
    }
  }
  for (int i = 0; d->sys->def.constraint_bias && i < d->sys->def.nconstraints && !status; i++) {
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    status = stay(d, fault, &tracks->constraint_course[i], who, scene->closed.contact_rows + i, u);
  }
  return status;
}

nsdyn_status nsd_verify_directions_check(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_fault *fault,
                                         const double *q, const double *u)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  nsdyn_status status = NSDYN_OK;
  if (!(d->t - tracks->course_t > 0.0)) {
    return NSDYN_OK;
  }
  for (int k = 0; k < scene->closed.count && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    nsd_track *track = &tracks->track[d->instant.happening[k].track];
    nsd_look now = {.gap = c->gap, .speed = scene->problem.gamma[c->row], .noise = nsd_track_noise(d, track)};
    if (is_off(&track->course, &now)) {
      now.size = nsd_project_size_of_gap(d, c->row, nsd_track_terms(d, track), q, u);
      status = follow(d, fault, &track->course, nsd_closed_subject(c), c->row, &now, u);
    }
  }
  for (int i = 0; i < d->sys->def.nconstraints && !status; i++) {
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    const int row = scene->closed.contact_rows + i;
    nsd_look now = {.gap = scene->directions.g_b[i],
                    .speed = scene->problem.gamma[row],
                    .noise = NSD_EVENT_GAP_NOISE * nsd_phase_size_of_constraint(d, i, q)};
    if (is_off(&tracks->constraint_course[i], &now)) {
      now.size = nsd_project_size_of_gap(d, row, tracks->constraint_terms[i], q, u);
      status = follow(d, fault, &tracks->constraint_course[i], who, row, &now, u);
    }
  }
  return status;
}

static void begin(nsd_course *course, double gap, double speed)
{
  if (!course->is_held) {
    *course = (nsd_course){.is_held = 1};
  }
  course->gap = gap;
  course->speed = speed;
}

void nsd_verify_directions_from_here(const nsdyn_event_driver *d, nsd_tracks *tracks)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  tracks->course_t = d->t;
  for (int i = 0; i < tracks->count; i++) {
    tracks->track[i].course.is_held =
        tracks->track[i].course.is_held && tracks->track[i].mode != NSDYN_MODE_OPEN;
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    begin(&tracks->track[d->instant.happening[k].track].course, c->gap, scene->problem.gamma[c->row]);
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    begin(&tracks->constraint_course[i], scene->directions.g_b[i],
          scene->problem.gamma[scene->closed.contact_rows + i]);
  }
}

/* ---- where events lead ----------------------------------------------------------------------------------
 */

/* Whether a gap that changes by `change` is explained by directions that say between `least` and `most`. */
static int explains(double change, double least, double most)
{
  const double missed = change < least ? least - change : change > most ? change - most : 0.0;
  return missed <= CLEAR * fabs(change);
}

/* By how much a gap fell before, and falls behind, its root: at a kink either is good, and all between. */
nsdyn_status nsd_verify_directions_arrival(const nsdyn_event_driver *d, nsd_fault *fault)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const nsd_cause *cause = &d->cause;
  const double before = cause->fell[0], after = cause->fell[1];
  for (int k = 0; cause->span > 0.0 && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const nsd_track *track = &d->tracks.track[d->instant.happening[k].track];
    if (!nsd_is_cause(d, track) || !(before < 0.0 && after < 0.0)) {
      continue;
    }
    const double said = cause->span * scene->problem.gamma[c->row];
    const double missed = fmax(fmin(before, after) - said, said - fmax(before, after));
    const double speed = cause->span * nsd_phase_size_of_speed(d, c->row, d->instant.u_work);
    const double ticks = CLOCK_TICKS * DBL_EPSILON * fabs(d->t) / cause->span;
    const double share = fmax(BY_TOL * d->options.tol, NSD_STAY_LEAST) + ticks;
    const double way =
        nsd_project_size_of_gap(d, c->row, nsd_track_terms(d, track), d->instant.q_work, d->instant.u_work);
    const double extension = EXTENDED * d->options.tol * way * cause->span / d->phase.extended_dt;
    const double bent = fabs(after - before) * (1.0 + cause->shift / cause->span); /* by curvature */
    const double open = bent + ROUNDING * nsd_track_noise(d, track) + share * speed + extension;
    if (missed > SMOOTH * -fmin(before, after) + open) {
      return nsd_blame_directions(fault, nsd_closed_subject(c), c->gap, 0.5 * (before + after), said);
    }
  }
  return NSDYN_OK;
}

/* All that was gathered, after a moment of free motion. q' = q̇(u) is all that matters, no force does. */
static nsdyn_status go_on(const nsdyn_event_driver *d, nsd_phase *phase, double moment)
{
  nsd_acceleration *m = &phase->motion;
  const nsdyn_system_def *def = &d->sys->def;
  double *q = phase->y_next, *u = phase->y_next + def->nq;
  for (int j = 0; j < def->nu; j++) {
    u[j] = d->instant.u_work[j] + 0.5 * moment * m->fall[j];
  }
  nsdyn_status status = nsd_call_move(def, d->t, d->instant.q_work, u, moment, q, m->fault);
  for (int j = 0; j < def->nu; j++) {
    u[j] += 0.5 * moment * m->fall[j];
  }
  status = status ? status : nsd_acceleration_pose(m, d->t + moment, q, u);
  return status ? status : nsd_acceleration_gaps(m, d->t + moment, q);
}

/* One gap there, with what it was here; NaN, and done with, once it has shown more than rounding. *left
 * counts those that have not. */
static nsdyn_status compare(const nsdyn_event_driver *d, nsd_instant *instant, nsd_fault *fault,
                            nsd_subject who, int row, double gap, double noise, double moment, int *left)
{
  const double change = gap - instant->best_force[row]; /* here, by rows */
  const double least = moment * instant->gamma[row], most = moment * instant->impulse[row];
  const double ticks =
      CLOCK_TICKS * DBL_EPSILON * fabs(d->t) * nsd_phase_size_of_speed(d, row, instant->u_work);
  if (isnan(change)) {
    return NSDYN_OK;
  }
  if (fabs(change) <= ROUNDING * noise + ticks) {
    (*left)++;
    return NSDYN_OK;
  }
  instant->best_force[row] = NAN;
  return explains(change, least, most) ? NSDYN_OK
                                       : nsd_blame_directions(fault, who, gap, change, 0.5 * (least + most));
}

static nsdyn_status compare_all(const nsdyn_event_driver *d, nsd_instant *instant, nsd_fault *fault,
                                double moment, int *left)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  nsdyn_status status = NSDYN_OK;
  *left = 0;
  for (int k = 0; k < scene->closed.count && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double noise = nsd_track_noise(d, &d->tracks.track[instant->happening[k].track]);
    status = compare(d, instant, fault, nsd_closed_subject(c), c->row, c->gap, noise, moment, left);
  }
  for (int i = 0; i < d->sys->def.nconstraints && !status; i++) {
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    const double noise = NSD_EVENT_GAP_NOISE * nsd_phase_size_of_constraint(d, i, instant->q_work);
    status = compare(d, instant, fault, who, scene->closed.contact_rows + i, scene->directions.g_b[i], noise,
                     moment, left);
  }
  return status;
}

/* Gaps and their velocities here, by rows. */
static void keep(const nsdyn_event_driver *d, nsd_instant *instant)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    instant->best_force[scene->closed.contact[k].row] = scene->closed.contact[k].gap;
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    instant->best_force[scene->closed.contact_rows + i] = scene->directions.g_b[i];
  }
  for (int r = 0; r < scene->closed.rows; r++) {
    instant->gamma[r] = instant->impulse[r] = scene->problem.gamma[r];
  }
}

/* The least and the largest γ on the way, in instant->gamma and instant->impulse: a surface that turns within
 * the moment moves the gap by more than the γ of both its ends say. Ends where the moment does. */
static nsdyn_status go_on_and_look(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                                   double moment)
{
  const nsd_scene *scene = &phase->motion.scene;
  nsdyn_status status = NSDYN_OK;
  for (int i = 1; i <= LOOKS && !status; i++) {
    status = go_on(d, phase, i < LOOKS ? moment * i / LOOKS : moment);
    for (int r = 0; r < scene->closed.rows && !status; r++) {
      instant->gamma[r] = fmin(instant->gamma[r], scene->problem.gamma[r]);
      instant->impulse[r] = fmax(instant->impulse[r], scene->problem.gamma[r]);
    }
  }
  return status;
}

nsdyn_status nsd_verify_directions_explain(nsdyn_event_driver *d)
{
  const nsd_fault fault = d->fault;
  nsdyn_status status = nsd_instant_gather(d, 0.0);
  if (!status) {
    keep(d, &d->instant);
  }
  int left = d->phase.motion.scene.closed.rows;
  const double own = nsd_phase_own_time(d), longest = fmax(own, MOMENT * (d->run.end - d->t));
  double moment = fmax(MOMENT * own, LEAST_TICKS * DBL_EPSILON * fabs(d->t));
  while (!status && left > 0 && moment > 0.0 && moment <= longest) {
    const double exact = (d->t + moment) - d->t; /* a time that the clock can tell */
    status = go_on_and_look(d, &d->phase, &d->instant, exact);
    status = status ? status : compare_all(d, &d->instant, &d->fault, exact, &left);
    moment *= LONGER;
  }
  if (status == NSDYN_ERR_INCONSISTENT) {
    return status;
  }
  d->fault = fault; /* nothing more is known of it */
  return NSDYN_OK;
}

/* ---- who closes for the first time --------------------------------------------------------------------- */

static nsdyn_status ask(const nsdyn_event_driver *d, nsd_phase *phase, nsd_closing *closing,
                        const nsd_closed *c, int row)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  const int nu = d->sys->def.nu;
  double *none = phase->y_next, *unit = m->full;
  /* v = M⁻¹ w_r, as the velocities that an impulse of one makes. */
  nsd_fill_zero(scene->closed.rows, unit);
  nsd_fill_zero(nu, none);
  unit[c->row + row] = 1.0;
  nsd_scene_velocities(scene, &m->inertia, none, unit, phase->y);
  const nsd_closing_look look = {.t = d->t,
                                 .q = d->instant.q_work,
                                 .index = c->index,
                                 .rows = c->rows,
                                 .row = row,
                                 .w = scene->directions.W + (size_t)c->row * (size_t)nu,
                                 .w_hat = scene->directions.w_hat[c->row],
                                 .v = phase->y,
                                 .q_probe = m->q_probe,
                                 .g = scene->closed.g,
                                 .W = m->W_probe};
  return nsd_closing_ask(closing, &d->sys->def, &look, m->fault);
}

nsdyn_status nsd_verify_directions_closing(const nsdyn_event_driver *d, nsd_phase *phase,
                                           nsd_closing *closing)
{
  const nsd_scene *scene = &phase->motion.scene;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int rows = c->index < 0 || closing->asked[c->index] ? 0 : c->rows;
    for (int row = 0; row < rows && !status; row++) {
      status = ask(d, phase, closing, c, row);
    }
  }
  return status;
}
