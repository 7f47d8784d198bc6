/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How large a motion is: what tolerances and roundings refer to.
 *
 * No number that a user gives says in which units a system is told. So the driver keeps the largest |q|, |q̇|,
 * |u| and |u̇| of the run, and all that is small is small beside these: errors of a step, gaps and velocities
 * that count as zero, times in which nothing happens. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "event/internal.h"

#define LEAST_SHARE 1e-3    /* of the largest coordinate's or velocity's size */
#define FAR 16.0            /* times what it moves by while the fastest one goes through its size */
#define HARDLY 0x1p-4       /* of a size: hardly any */
#define STILL 0x1p20        /* times the sizes of what moves: as much of what rests as says anything of it */
#define WOUND_TICKS 64.0    /* ε |y_i|: what y_i may err by at least, however small its motion is */
#define GUESS_SHARE 0x1p-10 /* of how far a motion may get while its velocity changes */

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

void nsd_phase_keep_gained(const nsdyn_event_driver *d, nsd_scales *scales, const double *a)
{
  for (int j = 0; j < d->sys->def.nu; j++) {
    scales->gained[j] = nsd_larger(fabs(a[j]), scales->gained[j]);
  }
}

void nsd_phase_size_up_terms(nsdyn_event_driver *d)
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
 * the clearance of a slider, nor beside its own errors. Nor is where something rests, far away or in other
 * units, a length of what moves beside it: 2²⁰ times its sizes at the most. */
NSD_INLINE void refer_to_size(const nsdyn_event_driver *d, nsd_scales *scales, int begin, int end,
                              const double *rate, double dt, int winds, double far)
{
  const double guess = GUESS_SHARE * dt;
  double most = 0.0, still = 0.0;
  for (int i = begin; i < end; i++) {
    const double r = rate[i - begin], size = scales->size[i];
    if (winds && r == 0.0) {
      still = nsd_larger(size, still);
      continue;
    }
    most = nsd_larger(nsd_larger(guess * r, winds && size > far * r ? far * r : size), most);
  }
  if (still > most) {
    most = most > 0.0 ? nsd_smaller(still, STILL * most) : still;
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
