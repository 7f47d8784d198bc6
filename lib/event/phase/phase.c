/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A smooth phase: y = (q, u), y' = (q̇, u̇) under fixed modes. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/kernels/simd.h"
#include "base/number.h"
#include "base/tolerances.h"
#include "event/internal.h"
#include "event/phase/bias_interval.h"

enum { MOST_TUNING = 12, MOST_MISSED = 3 };

#define LEAST_SHARE 1e-3    /* of the largest coordinate's or velocity's size */
#define GUESS_SHARE 0x1p-10 /* of how far a motion may get while its velocity changes */
#define FAR 16.0            /* times what it moves by while the fastest one goes through its size */
#define HARDLY 0x1p-4       /* of a size: hardly any */
#define WOUND_TICKS 64.0    /* ε |y_i|: what y_i may err by at least, however small its motion is */
#define SHORTER 0.25        /* a step that a watch could not look at */
#define MISSED 32.0         /* times the tolerance, that an output may be off by between two steps */
#define REST_SHARE 0x1p-5   /* of the run: the longest step at rest */

/* nsd_dopri_rhs. What is wrong stands in d->phase.trouble and the fault. */
static int slope_of(void *user, double t, const double *y, double *slope)
{
  nsdyn_event_driver *d = user;
  const nsdyn_system_def *def = &d->sys->def;
  d->phase.trouble = nsd_acceleration_evaluate(&d->phase.motion, t, y, y + def->nq);
  if (d->phase.trouble) {
    const int is_hopeless = d->phase.trouble == NSDYN_ERR_CALLBACK || d->phase.trouble == NSDYN_ERR_NOMEM ||
                            d->phase.trouble == NSDYN_ERR_ARGUMENT || d->phase.trouble == NSDYN_ERR_TOO_LARGE;
    return is_hopeless ? -1 : 1;
  }
  /* y′ = (q̇, u̇): q̇ by the kinematics, u̇ from M u̇ = h + Wᵀ λ with the modes of the phase. */
  for (int j = 0; j < def->nq; j++) {
    slope[j] = d->phase.motion.qdot[j];
  }
  for (int j = 0; j < def->nu; j++) {
    slope[def->nq + j] = d->phase.motion.a[j];
  }
  return 0;
}

double nsd_phase_moment(const nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  const double length = nsd_lanes_norm(def->nq, d->q), speed = nsd_lanes_norm(def->nu, d->u);
  const double rise = nsd_lanes_norm(def->nu, d->phase.motion.fall);
  double moment = INFINITY;
  /* The shortest of |q|/|u|, √(|q|/|u̇|) and |u|/|u̇|; u̇ is that without contacts. */
  if (length > 0.0 && speed > 0.0) {
    moment = length / speed;
  }
  if (length > 0.0 && rise > 0.0) {
    moment = fmin(moment, sqrt(length / rise));
  }
  if (speed > 0.0 && rise > 0.0) {
    moment = fmin(moment, speed / rise);
  }
  return isfinite(moment) ? moment : 0.0;
}

/* The time in which the motion changes, by its largest sizes so far and the acceleration that it falls with.
 */
static double own_time_of(const nsdyn_event_driver *d, double length, double speed, double rise)
{
  double time = INFINITY;
  /* The shorter one of |q|/|u| and |u|/|u̇|; √(|q|/|u̇|) only where no velocity is known yet. */
  if (length > 0.0 && speed > 0.0) {
    time = length / speed;
  }
  if (speed > 0.0 && rise > 0.0) {
    time = fmin(time, speed / rise);
  }
  if (!isfinite(time) && length > 0.0 && rise > 0.0) {
    time = sqrt(length / rise);
  }
  return isfinite(time) ? time : d->run.last_dt;
}

/* Sizes of accelerations, of which w̄ is a part. */
static void keep_gained(const nsdyn_event_driver *d, nsd_scales *scales, const double *a)
{
  for (int j = 0; j < d->sys->def.nu; j++) {
    scales->gained[j] = nsd_larger(fabs(a[j]), scales->gained[j]);
  }
}

/* Sizes of the terms that accelerations are sums of under the present forces: M⁻¹ w_r times the terms of λ_r.
 * They may cancel each other, as those of a plank's corners do, and rounding of them is all that is left; so
 * may the terms of one force: a load that friction holds leaves nothing but rounding to what a constraint
 * ties to it. */
static void size_up_terms(nsdyn_event_driver *d)
{
  nsd_acceleration *m = &d->phase.motion;
  const nsd_scene *scene = &m->scene;
  const int nu = d->sys->def.nu;
  double *unit = m->full, *none = d->phase.y_next, *sum = d->run.before, *du = d->instant.u_work;
  if (scene->closed.rows == 0) {
    return;
  }
  nsd_fill_zero(scene->closed.rows, unit);
  nsd_fill_zero(nu, sum);
  nsd_fill_zero(nu, none);
  for (int r = 0; r < scene->closed.rows; r++) {
    const double terms = nsd_acceleration_terms_of_force(m, r);
    if (terms > 0.0) {
      /* One force at a time: |M⁻¹ w_r| times its terms, summed over the rows without regard to sign. */
      unit[r] = terms;
      nsd_scene_velocities(scene, &m->inertia, none, unit, du);
      unit[r] = 0.0;
      for (int j = 0; j < nu; j++) {
        sum[j] += fabs(du[j]);
      }
    }
  }
  for (int j = 0; j < nu; j++) {
    d->scales.terms[j] = fmax(d->scales.terms[j], isfinite(sum[j]) ? sum[j] : 0.0);
  }
}

/* What rounding is a share of: the terms of slopes, and how fast a coordinate's rate may change, by the
 * accelerations so far. Through a kinematic equation they are turned as velocities were at their largest. */
static void size_up_bends(const nsdyn_event_driver *d, nsd_scales *scales)
{
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  for (int j = 0; j < nq; j++) {
    scales->drive[j] = scales->rate[j];
  }
  for (int j = 0; j < nu; j++) {
    scales->drive[nq + j] = nsd_larger(scales->terms[j], scales->rate[nq + j]);
  }
  const double speed = nsd_lanes_norm(nu, scales->size + nq), rise = nsd_lanes_norm(nu, scales->drive + nq);
  for (int j = 0; j < nu; j++) {
    /* Without load: u̇_j is what elimination in M, or sums in a callback, leave of the loads of others. */
    const int is_rounding = scales->drive[nq + j] <= NSD_SUM_CANCELS * rise;
    scales->drive[nq + j] = is_rounding ? rise : scales->drive[nq + j];
  }
  for (int j = 0; j < nq; j++) {
    /* q̈ = u̇ where q̇ = u; else about (|q̇| / |u|) |u̇|. */
    scales->bend[j] = !d->sys->def.kinematics ? scales->drive[nq + j]
                      : speed > 0.0           ? scales->rate[j] / speed * rise
                                              : rise;
  }
}

/* The size of each at least a share of the largest, unless the user knows it. What has hardly begun to move
 * counts for a share of what `rate` times `dt` will make of it, what has moved on and on for no more than
 * what that makes of it in the time `far`: the angle of a wheel after a thousand turns is no length beside
 * the clearance of a slider, nor beside its own errors. */
NSD_INLINE void refer_to_size(const nsdyn_event_driver *d, nsd_scales *scales, int begin, int end,
                              const double *rate, double dt, int winds, double far)
{
  const double guess = GUESS_SHARE * dt;
  double most = 0.0;
  for (int i = begin; i < end; i++) {
    const double r = rate[i - begin], size = scales->size[i];
    most = nsd_larger(nsd_larger(guess * r, winds && size > far * r && r > 0.0 ? far * r : size), most);
  }
  for (int i = begin; i < end; i++) {
    /* What is larger than all of them has not the size of its own errors either. */
    const double own = winds ? nsd_smaller(scales->size[i], most) : scales->size[i];
    const double size = nsd_larger(guess * rate[i - begin], own);
    scales->reference[i] = d->options.scale ? d->options.scale[i] : nsd_larger(LEAST_SHARE * most, size);
  }
}

/* Velocities that rest beside others in other units: a slider in µm/s beside its crank in rad/s. Coordinates
 * of the same unit are behind them, and with the fastest rate ω = |u_j| / |q_j| of the motion so far a
 * velocity counts for a share of what takes its own coordinate through its size, ω |q_j|. */
static void refer_to_coordinates(const nsdyn_event_driver *d, nsd_scales *scales)
{
  const int nq = d->sys->def.nq;
  if (d->sys->def.kinematics || d->options.scale) {
    return;
  }
  const double least = NSD_PAIR_LEAST * nsd_lanes_norm(nq, scales->size);
  double omega = 0.0;
  for (int j = 0; j < nq; j++) {
    omega = scales->size[j] > least ? nsd_larger(scales->size[nq + j] / scales->size[j], omega) : omega;
  }
  scales->pace = omega;
  for (int j = 0; j < nq; j++) {
    scales->reference[nq + j] =
        nsd_larger(LEAST_SHARE * (omega * scales->size[j]), scales->reference[nq + j]);
  }
}

/* The time in which the fastest coordinate goes through its size, by the sizes so far; infinite where none
 * moves. What has hardly any size beside the others, the largest one left aside, tells no time: it may just
 * have begun. */
static double shortest_way(int nq, const nsd_scales *scales)
{
  double largest = 0.0, second = 0.0, size = INFINITY, rate = 1.0;
  for (int j = 0; j < nq; j++) {
    second = nsd_larger(nsd_smaller(scales->size[j], largest), second);
    largest = nsd_larger(scales->size[j], largest);
  }
  for (int j = 0; j < nq; j++) {
    if (scales->size[j] > HARDLY * second && scales->size[j] * rate < size * scales->rate[j]) {
      size = scales->size[j];
      rate = scales->rate[j];
    }
  }
  return size / rate; /* |q_j| / |q̇_j| */
}

void nsd_phase_size_up(const nsdyn_event_driver *d, nsd_scales *scales)
{
  const nsdyn_system_def *def = &d->sys->def;
  const int nq = def->nq, nu = def->nu;
  const double rise = nsd_lanes_norm(nu, d->phase.motion.fall);
  /* 1. The largest |q|, |q̇|, |u| and |u̇| so far. */
  for (int j = 0; j < nq; j++) {
    scales->size[j] = nsd_larger(fabs(d->q[j]), scales->size[j]);
    scales->rate[j] =
        nsd_larger(fabs(def->kinematics ? d->phase.qdot[j] : d->u[j]), scales->rate[j]); /* finite, both */
  }
  for (int j = 0; j < nu; j++) {
    scales->size[nq + j] = nsd_larger(fabs(d->u[j]), scales->size[nq + j]);
    scales->rate[nq + j] =
        nsd_larger(nsd_larger(fabs(d->phase.motion.fall[j]), fabs(d->phase.a[j])), scales->rate[nq + j]);
  }
  /* 2. Sizes that the tolerance is relative to; what has hardly moved counts for a share of q̇ Δt, u̇ Δt. */
  const double length = nsd_lanes_norm(nq, scales->size), speed = nsd_lanes_norm(nu, scales->size + nq);
  refer_to_size(d, scales, 0, nq, scales->rate, rise > 0.0 ? fmin(speed / rise, d->t - d->run.t_begin) : 0.0,
                1, FAR * shortest_way(nq, scales));
  refer_to_size(d, scales, nq, nq + nu, scales->rate + nq, rise > 0.0 ? sqrt(length / rise) : 0.0, 0, 0.0);
  refer_to_coordinates(d, scales);
  scales->own_time = own_time_of(d, length, speed, rise);
}

void nsd_phase_scale(const nsdyn_event_driver *d, nsd_scales *scales)
{
  nsd_phase_size_up(d, scales);
  size_up_bends(d, scales);
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  const double relative = d->options.scale ? 0.0 : d->options.tol;
  for (int i = 0; i < nq + nu; i++) {
    /* Allowed of y_i: tol · reference_i + tol · |y_i|; with scales of the user, tol · scale_i alone. */
    scales->absolute[i] = d->options.tol * scales->reference[i];
    scales->relative[i] = relative;
  }
  for (int j = 0; j < nq; j++) {
    if (scales->size[j] > scales->reference[j] && relative > 0.0) {
      /* What has moved on and on has no size of its own: twice tol · reference_j, and what rounding makes. */
      scales->absolute[j] += scales->absolute[j] + WOUND_TICKS * DBL_EPSILON * scales->size[j];
      scales->relative[j] = 0.0;
    }
  }
}

double nsd_phase_size_of_speed(const nsdyn_event_driver *d, int row, const double *u)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  const double *w = scene->directions.W + (size_t)row * (size_t)nu;
  double size = fabs(scene->directions.w_hat[row]);
  for (int j = 0; j < nu; j++) {
    size += fabs(w[j]) * nsd_larger(fabs(u[j]), d->scales.reference[nq + j]);
  }
  return size;
}

double nsd_phase_tick_of_speed(const nsdyn_event_driver *d, int row)
{
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  const double *w = d->phase.motion.scene.directions.W + (size_t)row * (size_t)nu;
  double rise = 0.0;
  for (int j = 0; j < nu; j++) {
    /* |γ̇| <= Σ |w_j| |u̇_j|, over 8 ticks ε |t|. */
    rise += fabs(w[j]) * d->scales.rate[nq + j];
  }
  return 8.0 * DBL_EPSILON * fabs(d->t) * rise;
}

double nsd_phase_size_of_gap(const nsdyn_event_driver *d, int row, const double *q)
{
  const nsdyn_system_def *def = &d->sys->def;
  const double *w = d->phase.motion.scene.directions.W + (size_t)row * (size_t)def->nu;
  double size = 0.0;
  for (int j = 0; !def->kinematics && j < def->nu; j++) {
    size += fabs(w[j]) * nsd_larger(fabs(q[j]), d->scales.reference[j]);
  }
  return size;
}

double nsd_phase_size_of_constraint(const nsdyn_event_driver *d, int i, const double *q)
{
  return fmax(d->tracks.constraint_terms[i],
              nsd_phase_size_of_gap(d, d->phase.motion.scene.closed.contact_rows + i, q));
}

/* Status of the integrator in the user's terms. */
static nsdyn_status explain(const nsdyn_event_driver *d, nsd_fault *fault, nsdyn_status status)
{
  char t[NSD_NUMBER_LENGTH];
  if (status == NSDYN_OK || (d->phase.trouble && d->phase.dopri.trouble != NSD_DOPRI_TOO_SHORT)) {
    return status ? d->phase.trouble : status;
  }
  return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1,
                       status == NSDYN_ERR_NOT_FINITE
                           ? "the motion from t = %s grows beyond all numbers"
                           : "the tolerance cannot be met from t = %s: the motion changes too fast",
                       nsd_number_text(d->t, t));
}

nsdyn_status nsd_phase_begin(nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  /* 1. y = (q, u) and its slope, which the instant has just evaluated with the new modes. */
  for (int j = 0; j < def->nq; j++) {
    d->phase.y[j] = d->q[j];
    d->phase.qdot[j] = d->phase.motion.qdot[j];
  }
  for (int j = 0; j < def->nu; j++) {
    d->phase.y[def->nq + j] = d->u[j];
    d->phase.a[j] = d->phase.motion.a[j];
  }
  /* 2. The first step is what the phase before has planned, but no longer than that phase. */
  const double lasted = d->t - d->phase.t_begin;
  if (lasted > NSD_EVENT_SHORT_PHASE * fabs(d->t) && d->phase.dopri.h_next > 0.0) {
    /* a phase may end within its first step, which may be long; or by steps cut down to ticks of the clock */
    d->phase.hint = fmax(fmin(d->phase.dopri.h_next, lasted), NSD_EVENT_SHORT_PHASE * fabs(d->t));
  }
  /* 3. Tolerances, and the functions whose roots will end the phase. */
  size_up_terms(d);
  nsd_phase_scale(d, &d->scales);
  nsdyn_status status = nsd_event_function_begin(d);
  /* 4. The time over which w̄ is differenced; λ depends on it, so forces are evaluated anew. */
  for (int i = 0; i < MOST_TUNING && !status && nsd_acceleration_differences(&d->phase.motion) &&
                  nsd_bias_time_tune(d, &d->phase, &d->bias);
       i++) {
    status = nsd_acceleration_evaluate(&d->phase.motion, d->t, d->q, d->u);
  }
  if (status) {
    return status;
  }
  if (nsd_acceleration_differences(&d->phase.motion)) {
    keep_gained(d, &d->scales, d->phase.motion.a);
  }
  /* 5. The integrator stands at y; nothing has been searched yet. */
  const nsd_dopri_task task = {.f = slope_of,
                               .user = d,
                               .absolute = d->scales.absolute,
                               .relative = d->scales.relative,
                               .drive = d->options.scale ? NULL : d->scales.drive,
                               .bend = d->scales.bend,
                               .rest = fmax(GUESS_SHARE * d->options.tol, NSD_EVALUATION_ROUNDING),
                               .longest = d->options.max_dt,
                               .doubt = nsd_acceleration_differences(&d->phase.motion) ? nsd_bias_time_doubt
                                                                                       : NULL,
                               .calm_from = def->nq};
  status = explain(d, &d->fault, nsd_dopri_start(&d->phase.dopri, &task, d->t, d->phase.y, d->phase.hint));
  d->bias.next = 0.0;
  if (status == NSDYN_OK) {
    d->phase.t_begin = d->t;
    d->phase.intervals = 2; /* of its functions nothing is known: the first look is not a coarse one */
    d->report.phases++;
  }
  return status;
}

void nsd_phase_commit(nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  const double *slope = nsd_dopri_slope(&d->phase.dopri);
  d->t = d->phase.dopri.t;
  for (int j = 0; j < def->nq; j++) {
    d->q[j] = d->phase.dopri.y[j];
    d->phase.qdot[j] = slope[j];
  }
  for (int j = 0; j < def->nu; j++) {
    d->u[j] = d->phase.dopri.y[def->nq + j];
    d->phase.a[j] = slope[def->nq + j];
  }
}

/* Where nothing accelerates, neither the error of a step nor what is watched needs to show that a load begins
 * later on: some steps of the run look for it. */
static double longest_step(const nsdyn_event_driver *d)
{
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  const double now = nsd_lanes_norm(nu, nsd_dopri_slope(&d->phase.dopri) + nq);
  const int rests = now <= NSD_EVENT_REST * nsd_lanes_norm(nu, d->scales.rate + nq);
  return rests ? fmin(d->options.max_dt, REST_SHARE * (d->run.end - d->run.t_begin)) : d->options.max_dt;
}

/* Directions of sliding in space are followed by the next step. */
static nsdyn_status limit_turning(const nsdyn_event_driver *d, nsd_phase *phase)
{
  const double *y = phase->dopri.y;
  if (!phase->motion.scene.problem.is_spatial) {
    return NSDYN_OK;
  }
  phase->trouble = nsd_acceleration_evaluate(&phase->motion, phase->dopri.t, y, y + d->sys->def.nq);
  phase->dopri.task.longest = fmin(phase->dopri.task.longest, nsd_slide_longest_step(d));
  return phase->trouble;
}

/* An integrator step with its extension. */
static nsdyn_status step_and_extend(nsdyn_event_driver *d, double t_end)
{
  const int64_t rejected = d->phase.dopri.rejected;
  d->phase.dopri.task.longest = longest_step(d);
  nsdyn_status status = limit_turning(d, &d->phase);
  if (status) {
    return explain(d, &d->fault, status);
  }
  d->phase.motion.bias_dt = fmax(d->phase.motion.bias_dt, d->bias.next);
  do {
    nsd_acceleration_forget_bias(&d->phase.motion);
    /* 1. The step; where w̄ is differenced it is repeated until that is good enough. */
    status = nsd_dopri_step(&d->phase.dopri, t_end);
    status = status || !nsd_acceleration_differences(&d->phase.motion)
                 ? status
                 : nsd_bias_time_refine(d, &d->phase, &d->bias, t_end);
    if (!status && nsd_acceleration_differences(&d->phase.motion)) {
      keep_gained(d, &d->scales, nsd_dopri_slope(&d->phase.dopri) + d->sys->def.nq);
    }
    /* 2. Lengths of steps are remembered: sizes of what rests refer to them. */
    const int is_cut = d->phase.dopri.t >= t_end; /* what t_end cuts short says nothing of the motion */
    status = explain(d, &d->fault, status);
    if (status) {
      return status;
    }
    if (!is_cut || d->phase.dopri.h > d->run.last_dt) {
      d->run.last_dt = d->phase.dopri.h;
    }
    d->run.most_dt = fmax(d->run.most_dt, d->phase.dopri.h);
    /* 3. Its polynomial in θ, on which roots are searched. A callback that cannot answer there shortens the
     * step. */
    d->phase.extended_from = d->phase.dopri.t_before;
    d->phase.extended_dt = d->phase.dopri.h;
    status = explain(d, &d->fault, nsd_dopri_extend(&d->phase.dopri));
    if (status && d->phase.dopri.trouble == NSD_DOPRI_CALLBACK) {
      return status;
    }
    if (status) {
      nsd_dopri_undo(&d->phase.dopri, SHORTER * d->phase.extended_dt);
    }
  } while (status && d->phase.dopri.rejected - rejected < 400);
  return status;
}

/* The extension is of a lower order than the step, and misses by much more where steps are long. Where
 * outputs are taken from it, that counts too: the step is done again, short enough, and so are those that
 * follow. What does not fall with the step is rounding. */
nsdyn_status nsd_phase_step(nsdyn_event_driver *d, double t_end)
{
  nsdyn_status status = step_and_extend(d, t_end);
  double missed = INFINITY;
  for (int i = 0; !status && i < MOST_MISSED && nsd_next_output(d) < d->phase.dopri.t; i++) {
    const double miss = nsd_dopri_extension_error(&d->phase.dopri), h = d->phase.dopri.h;
    /* The extension misses by a multiple of h⁸. */
    const double shorter = miss > 0.0 ? 0.9 * sqrt(sqrt(sqrt(MISSED / miss))) * h : INFINITY;
    if (!(miss <= 0.5 * missed)) {
      break;
    }
    if (miss <= MISSED) {
      d->phase.dopri.h_next = fmin(d->phase.dopri.h_next, shorter);
      break;
    }
    nsd_dopri_undo(&d->phase.dopri, shorter);
    status = step_and_extend(d, t_end);
    missed = miss;
  }
  return status;
}

void nsd_phase_save_sizes(const nsdyn_event_driver *d, nsd_scales *scales)
{
  const int n = d->sys->def.nq + d->sys->def.nu;
  memcpy(scales->known.size, scales->size, (size_t)n * sizeof *scales->size);
  memcpy(scales->known.rate, scales->rate, (size_t)n * sizeof *scales->rate);
  scales->known.reach = d->tracks.reach;
  scales->known.bias_scale = d->bias.scale;
  memcpy(scales->known.gained, scales->gained, (size_t)d->sys->def.nu * sizeof *scales->gained);
}

void nsd_phase_restore_sizes(nsdyn_event_driver *d)
{
  const int n = d->sys->def.nq + d->sys->def.nu;
  memcpy(d->scales.size, d->scales.known.size, (size_t)n * sizeof *d->scales.size);
  memcpy(d->scales.rate, d->scales.known.rate, (size_t)n * sizeof *d->scales.rate);
  nsd_fill_zero(d->sys->def.nu, d->phase.a);
  nsd_fill_zero(d->sys->def.nu, d->scales.terms);
  nsd_fill_zero(d->sys->def.nu, d->phase.motion.fall);
  nsd_fill_zero(d->sys->def.nu, d->phase.motion.h);
  nsd_fill_zero(d->sys->def.nu, d->phase.motion.z);
  nsd_fill_zero(d->sys->def.nq, d->phase.qdot);
  d->tracks.reach = d->scales.known.reach;
  d->tracks.course_t = NAN;
  d->bias.scale = d->scales.known.bias_scale;
  memcpy(d->scales.gained, d->scales.known.gained, (size_t)d->sys->def.nu * sizeof *d->scales.gained);
  nsd_fill_zero(d->sys->def.nu, d->phase.motion.a);
  d->phase.hint = 0.0;
}
