/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A smooth phase: y = (q, u), y' = (q̇, u̇) under fixed modes. */
#include <math.h>

#include "base/number.h"
#include "event/run.h"

#define LEAST_SHARE 1e-3    /* of the largest coordinate's or velocity's size */
#define BIAS_SHARE 0x1p-6   /* of a step, over which w̄ is differenced */
#define SHORT_PHASE 0x1p-40 /* of t: phases too short to learn from */
#define SHORTER 0.25        /* a step that a watch could not look at */

/* nsd_dopri_rhs. What is wrong stands in d->trouble and the fault. */
static int slope_of(void *user, double t, const double *y, double *slope)
{
  nsdyn_event_driver *d = user;
  const nsdyn_system_def *def = &d->sys->def;
  d->trouble = nsd_motion_evaluate(&d->motion, t, y, y + def->nq);
  if (d->trouble) {
    const int is_hopeless = d->trouble == NSDYN_ERR_CALLBACK || d->trouble == NSDYN_ERR_NOMEM ||
                            d->trouble == NSDYN_ERR_ARGUMENT || d->trouble == NSDYN_ERR_TOO_LARGE;
    return is_hopeless ? -1 : 1;
  }
  for (int j = 0; j < def->nq; j++) {
    slope[j] = d->motion.qdot[j];
  }
  for (int j = 0; j < def->nu; j++) {
    slope[def->nq + j] = d->motion.a[j];
  }
  return 0;
}

double nsd_phase_moment(const nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  const double length = nsd_norm_inf(def->nq, d->q), speed = nsd_norm_inf(def->nu, d->u);
  const double rise = nsd_norm_inf(def->nu, d->motion.fall);
  double moment = INFINITY;
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

void nsd_phase_time_scale(nsdyn_event_driver *d)
{
  const double moment = d->last_dt > 0.0 ? d->last_dt : nsd_phase_moment(d);
  d->motion.bias_dt = BIAS_SHARE * (moment > 0.0 ? moment : 1.0);
}

/* The size of each at least a share of the largest. */
static void refer_to_size(nsdyn_event_driver *d, int begin, int end)
{
  double most = 0.0;
  for (int i = begin; i < end; i++) {
    most = fmax(most, d->size[i]);
  }
  for (int i = begin; i < end; i++) {
    d->reference[i] = fmax(d->size[i], LEAST_SHARE * most);
  }
}

void nsd_phase_scale(nsdyn_event_driver *d)
{
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  const double dt = nsd_phase_moment(d);
  for (int j = 0; j < nq; j++) {
    d->size[j] = fmax(d->size[j], fmax(fabs(d->q[j]), fabs(d->motion.qdot[j]) * dt));
  }
  for (int j = 0; j < nu; j++) {
    d->size[nq + j] = fmax(d->size[nq + j], fmax(fabs(d->u[j]), fabs(d->motion.fall[j]) * dt));
  }
  refer_to_size(d, 0, nq);
  refer_to_size(d, nq, nq + nu);
  for (int i = 0; i < nq + nu; i++) {
    d->reference[i] = d->options.scale ? d->options.scale[i] : d->reference[i];
    d->absolute[i] = d->options.tol * d->reference[i];
    d->relative[i] = d->options.scale ? 0.0 : d->options.tol;
  }
}

double nsd_phase_size_of_speed(const nsdyn_event_driver *d, int row, const double *u)
{
  const nsd_scene *scene = &d->motion.scene;
  const int nq = d->sys->def.nq, nu = d->sys->def.nu;
  const double *w = scene->W + (size_t)row * (size_t)nu;
  double size = fabs(scene->w_hat[row]);
  for (int j = 0; j < nu; j++) {
    size += fabs(w[j]) * fmax(fabs(u[j]), d->reference[nq + j]);
  }
  return size;
}

double nsd_phase_size_of_gap(const nsdyn_event_driver *d, int row, const double *q)
{
  const nsdyn_system_def *def = &d->sys->def;
  const double *w = d->motion.scene.W + (size_t)row * (size_t)def->nu;
  double size = 0.0;
  for (int j = 0; def->nq == def->nu && j < def->nu; j++) {
    size += fabs(w[j]) * fmax(fabs(q[j]), d->reference[j]);
  }
  return size;
}

/* Status of the integrator in the user's terms. */
static nsdyn_status explain(nsdyn_event_driver *d, nsdyn_status status)
{
  char t[NSD_NUMBER_LENGTH];
  if (status == NSDYN_OK || (d->trouble && d->dopri.trouble != NSD_DOPRI_TOO_SHORT)) {
    return status ? d->trouble : status;
  }
  return nsd_fault_set(&d->fault, status, NSDYN_DETAIL_NONE, -1,
                       status == NSDYN_ERR_NOT_FINITE
                           ? "the motion from t = %s grows beyond all numbers"
                           : "the tolerance cannot be met from t = %s: the motion changes too fast",
                       nsd_number_text(d->t, t));
}

nsdyn_status nsd_phase_begin(nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  for (int j = 0; j < def->nq; j++) {
    d->y[j] = d->q[j];
  }
  for (int j = 0; j < def->nu; j++) {
    d->y[def->nq + j] = d->u[j];
    d->a[j] = d->motion.a[j];
  }
  const double lasted = d->t - d->phase_t;
  if (lasted > SHORT_PHASE * fabs(d->t) && d->dopri.h_next > 0.0) {
    d->hint = fmin(d->dopri.h_next, lasted); /* a phase may end within its first step, which may be long */
  }
  nsd_phase_scale(d);
  nsdyn_status status = nsd_watch_begin(d);
  if (status) {
    return status;
  }
  const nsd_dopri_task task = {.f = slope_of,
                               .user = d,
                               .absolute = d->absolute,
                               .relative = d->relative,
                               .longest = d->options.max_dt};
  status = explain(d, nsd_dopri_start(&d->dopri, &task, d->t, d->y, d->hint));
  if (status == NSDYN_OK) {
    d->phase_t = d->t;
    d->report.phases++;
  }
  return status;
}

void nsd_phase_commit(nsdyn_event_driver *d)
{
  const nsdyn_system_def *def = &d->sys->def;
  const double *slope = nsd_dopri_slope(&d->dopri);
  d->t = d->dopri.t;
  for (int j = 0; j < def->nq; j++) {
    d->q[j] = d->dopri.y[j];
  }
  for (int j = 0; j < def->nu; j++) {
    d->u[j] = d->dopri.y[def->nq + j];
    d->a[j] = slope[def->nq + j];
  }
}

nsdyn_status nsd_phase_step(nsdyn_event_driver *d, double t_end)
{
  const int64_t rejected = d->dopri.rejected;
  nsd_phase_time_scale(d);
  nsdyn_status status;
  do {
    status = explain(d, nsd_dopri_step(&d->dopri, t_end));
    if (status) {
      return status;
    }
    d->last_dt = d->dopri.h;
    d->extended_from = d->dopri.t_before;
    d->extended_dt = d->dopri.h;
    status = explain(d, nsd_dopri_extend(&d->dopri));
    if (status && d->dopri.trouble == NSD_DOPRI_CALLBACK) {
      return status;
    }
    if (status) {
      nsd_dopri_undo(&d->dopri, SHORTER * d->extended_dt);
    }
  } while (status && d->dopri.rejected - rejected < 400);
  return status;
}
