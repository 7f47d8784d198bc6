/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A smooth phase: y = (q, u), y' = (q̇, u̇) under fixed modes. */
#include <math.h>
#include <string.h>

#include "base/kernels/simd.h"
#include "base/number.h"
#include "base/tolerances.h"
#include "event/internal.h"
#include "event/phase/bias_interval.h"

enum { MOST_TUNING = 12, MOST_MISSED = 3 };

#define UNNOTICED 0x1p-10 /* of the tolerance: what rounding of the slopes' terms may make a step err by */
#define SHORTER 0.25      /* a step that a watch could not look at */
#define MISSED 32.0       /* times the tolerance, that an output may be off by between two steps */
#define REST_SHARE 0x1p-5 /* of the run: the longest step at rest */

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
  nsd_phase_size_up_terms(d);
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
    nsd_phase_keep_gained(d, &d->scales, d->phase.motion.a);
  }
  /* 5. The integrator stands at y; nothing has been searched yet. */
  const nsd_dopri_task task = {.f = slope_of,
                               .user = d,
                               .absolute = d->scales.absolute,
                               .relative = d->scales.relative,
                               .drive = d->options.scale ? NULL : d->scales.drive,
                               .bend = d->scales.bend,
                               .rest = fmax(UNNOTICED * d->options.tol, NSD_EVALUATION_ROUNDING),
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
      nsd_phase_keep_gained(d, &d->scales, nsd_dopri_slope(&d->phase.dopri) + d->sys->def.nq);
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
