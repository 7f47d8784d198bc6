/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Beginnings: is a state that was set one that contacts and constraints allow, and if not, the nearest one
 * that is. Contacts that approach are no fault: an impact is what happens then. */
#include <float.h>
#include <math.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "event/internal.h"

enum { ROUNDS = 60, HALVINGS = 10 }; /* of Newton's method, and of one step of it */

/* By how much row `row`, whose gap has terms of this size, may be off zero at the beginning. */
static double allowed_gap(const nsdyn_event_driver *d, int row, double size)
{
  const double span = d->run.end - d->t;
  const double way = fabs(d->phase.motion.scene.problem.gamma[row]) * span +
                     nsd_acceleration_load_size(&d->phase.motion, row) * (span * span);
  return d->options.start_tol * size + fmax(d->options.gap_tol, NSD_EVENT_BESIDE_MOTION * way);
}

/* The same for its velocity. */
static double allowed_speed(const nsdyn_event_driver *d, int row)
{
  const double gained = nsd_acceleration_load_size(&d->phase.motion, row) * (d->run.end - d->t);
  return d->options.start_tol * nsd_phase_size_of_speed(d, row, d->instant.u_work) +
         NSD_EVENT_BESIDE_MOTION * gained;
}

static nsdyn_status refuse(const nsdyn_event_driver *d, nsd_fault *fault, nsd_subject who, const char *what,
                           double value, double allowed)
{
  char number[3][NSD_NUMBER_LENGTH], name[NSD_SUBJECT_LENGTH];
  return nsd_fault_set(fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
                       "%s %s %s at t = %s, option start_tol allows %s: set a state that fits, or call "
                       "nsdyn_event_driver_consistent()",
                       nsd_subject_text(who, name), what, nsd_number_text(value, number[0]),
                       nsd_number_text(d->t, number[1]), nsd_number_text(allowed, number[2]));
}

/* Whether contact k of the scene begins here. In a run that goes on, none does but one that is made a slot,
 * by another law, while it was open; what the others are off by is drift, or a difference that a study asks
 * for, and is projected. */
static int begins(const nsdyn_event_driver *d, int k, int all)
{
  return all || (d->phase.motion.scene.closed.contact[k].law->kind == NSDYN_CONTACT_BILATERAL &&
                 d->instant.happening[k].mode_before == NSDYN_MODE_OPEN);
}

/* `all`: of a state that was set, or made consistent. */
static nsdyn_status check(const nsdyn_event_driver *d, nsd_phase *phase, int all)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  int any = all && d->sys->def.nconstraints > 0;
  for (int k = 0; k < scene->closed.count; k++) {
    any |= begins(d, k, all);
  }
  if (!isfinite(d->options.start_tol) || !any) {
    return NSDYN_OK;
  }
  nsdyn_status status =
      nsd_acceleration_load(m, d->t, d->instant.q_work, d->instant.u_work); /* how far the run may go */
  for (int k = 0; k < scene->closed.count && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    /* A slot may be off zero on either side; a one-sided contact only below it. */
    const double deep = c->law->kind == NSDYN_CONTACT_BILATERAL ? fabs(c->gap) : -c->gap;
    const double size = fmax(d->tracks.track[d->instant.happening[k].track].terms,
                             nsd_phase_size_of_gap(d, c->row, d->instant.q_work));
    const double allowed = allowed_gap(d, c->row, size);
    if (begins(d, k, all) && deep > allowed) {
      return refuse(d, m->fault, nsd_closed_subject(c), "begins with a penetration of", deep, allowed);
    }
    /* Nor does a slot collide, it is closed all along. */
    const double speed = c->law->kind == NSDYN_CONTACT_BILATERAL ? fabs(scene->problem.gamma[c->row]) : 0.0;
    if (begins(d, k, all) && speed > allowed_speed(d, c->row)) {
      return refuse(d, m->fault, nsd_closed_subject(c), "is a slot, and begins with a velocity of",
                    scene->problem.gamma[c->row], allowed_speed(d, c->row));
    }
  }
  for (int i = 0; i < d->sys->def.nconstraints && !status && all; i++) {
    const int row = scene->closed.contact_rows + i;
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    const double gap_allowed = allowed_gap(d, row, nsd_phase_size_of_constraint(d, i, d->instant.q_work));
    const double speed_allowed = allowed_speed(d, row);
    if (fabs(scene->directions.g_b[i]) > gap_allowed) {
      return refuse(d, m->fault, who, "begins with g_b =", scene->directions.g_b[i], gap_allowed);
    }
    if (fabs(scene->problem.gamma[row]) > speed_allowed) {
      return refuse(d, m->fault, who, "begins with a velocity of", scene->problem.gamma[row], speed_allowed);
    }
  }
  return status;
}

nsdyn_status nsd_consistent_check(const nsdyn_event_driver *d, nsd_phase *phase)
{
  return check(d, phase, !d->run.begun);
}

/* ---- making a state consistent ------------------------------------------------------------------------- */

/* Gap that counts: what is missing to zero, 0 where nothing is. */
static double missing(const nsdyn_event_driver *d, int k)
{
  const nsd_closed *c = &d->phase.motion.scene.closed.contact[k];
  const double deep = c->law->kind == NSDYN_CONTACT_BILATERAL ? fabs(c->gap) : -c->gap;
  return deep > nsd_track_noise(d, &d->tracks.track[d->instant.happening[k].track]) ? deep : 0.0;
}

static double missing_constraint(const nsdyn_event_driver *d, int i)
{
  const double g = fabs(d->phase.motion.scene.directions.g_b[i]);
  return g > NSD_EVENT_GAP_NOISE * nsd_phase_size_of_constraint(d, i, d->instant.q_work) ? g : 0.0;
}

/* The most of all rows in the metric of M, g/√G, so that lengths and angles compare. */
static double violation(const nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  double most = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    const int row = scene->closed.contact[k].row;
    const double G = nsd_acceleration_row(&d->phase.motion, row)[row];
    most = G > 0.0 ? fmax(most, missing(d, k) / sqrt(G)) : most;
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    const int row = scene->closed.contact_rows + i;
    const double G = nsd_acceleration_row(&d->phase.motion, row)[row];
    most = G > 0.0 ? fmax(most, missing_constraint(d, i) / sqrt(G)) : most;
  }
  return most;
}

/* δ of a step of Newton's method: min ½ δᵀMδ with g_N + W_N δ >= 0, g_b + W_B δ = 0; δ
 * stands in d->phase.motion.h. */
static nsdyn_status solve_step(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  int n = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_contact_spec spec = {
        .row = n, .friction = NSD_FRICTION_NONE, .kind = scene->closed.contact[k].law->kind};
    instant->chosen_spec[k] = spec;
    m->c_part[n] = scene->closed.contact[k].gap;
    m->part[n++] = scene->closed.contact[k].row;
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    m->c_part[n] = scene->directions.g_b[i];
    m->part[n++] = scene->closed.contact_rows + i;
  }
  for (int i = 0; i < n; i++) {
    const double *G = nsd_acceleration_row(m, m->part[i]);
    for (int j = 0; j < n; j++) {
      m->G_part[(size_t)i * (size_t)n + (size_t)j] = G[m->part[j]];
    }
  }
  /* Optimality of that step: δ = M⁻¹ Wᵀ μ with 0 <= μ_N ⊥ g_N + (G μ)_N >= 0: a contact problem without
   * friction. */
  const nsd_contact_data data = {.contacts = scene->closed.count,
                                 .bilateral = d->sys->def.nconstraints,
                                 .rows = n,
                                 .ldg = n,
                                 .spec = instant->chosen_spec,
                                 .G = m->G_part,
                                 .c = m->c_part};
  const nsdyn_status status = nsd_contact_solve_from(instant->contact, &data, NULL, m->x_part, NULL);
  if (status < 0) {
    return nsd_fault_set(m->fault, status, NSDYN_DETAIL_NONE, -1,
                         "making the state consistent, with %d contacts and %d constraints: %s",
                         scene->closed.count, (int)d->sys->def.nconstraints, nsdyn_status_text(status));
  }
  if (status) {
    return status;
  }
  nsd_project_spread(m, n, m->h);
  return NSDYN_OK;
}

/* d->q along δ, halved while that misses more than before. *now is what is missed there. */
static nsdyn_status move_along(nsdyn_event_driver *d, double missed, double *now)
{
  nsd_acceleration *m = &d->phase.motion;
  const nsdyn_system_def *def = &d->sys->def;
  double *delta = d->phase.y_next, *good = d->phase.y; /* nu, nq */
  nsdyn_status status = NSDYN_OK;
  double part = 1.0;
  for (int j = 0; j < def->nu; j++) {
    delta[j] = m->h[j];
  }
  for (int j = 0; j < def->nq; j++) {
    good[j] = d->q[j];
  }
  for (int halving = 0; halving < HALVINGS && !status; halving++) {
    status = nsd_call_move(def, d->t, good, delta, part, d->q, &d->fault);
    status = status ? status : nsd_blame_move(&d->fault, def, d->q);
    status = status ? status : nsd_instant_gather(d, 0.0);
    *now = status ? missed : violation(d);
    /* Newton may overshoot where gaps are curved: halved until the largest violation falls. */
    if (!status && *now < missed) {
      return NSDYN_OK;
    }
    part *= 0.5;
  }
  for (int j = 0; j < def->nq; j++) {
    d->q[j] = good[j];
  }
  *now = missed;
  return status ? status : nsd_instant_gather(d, 0.0);
}

static void look_at_positions(const nsdyn_event_driver *d, nsdyn_consistent_report *own)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double deep = c->law->kind == NSDYN_CONTACT_BILATERAL ? fabs(c->gap) : -c->gap;
    if (deep > own->penetration) {
      own->penetration = deep;
      own->contact = c->index;
      own->key = c->key;
    }
    own->approach = fmax(own->approach, -scene->problem.gamma[c->row]);
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    if (fabs(scene->directions.g_b[i]) > own->gap) {
      own->gap = fabs(scene->directions.g_b[i]);
      own->constraint = i;
    }
    own->velocity = fmax(own->velocity, fabs(scene->problem.gamma[scene->closed.contact_rows + i]));
  }
}

static double left_of(const nsdyn_event_driver *d, nsd_subject *who)
{
  double most = 0.0;
  for (int k = 0; k < d->phase.motion.scene.closed.count; k++) {
    if (missing(d, k) > most) {
      most = missing(d, k);
      *who = nsd_closed_subject(&d->phase.motion.scene.closed.contact[k]);
    }
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    if (missing_constraint(d, i) > most) {
      most = missing_constraint(d, i);
      *who = (nsd_subject){NSDYN_DETAIL_CONSTRAINT, i, 0};
    }
  }
  return most;
}

/* Whether what is left is no more than a beginning may have; else the message says what is. */
static nsdyn_status judge(nsdyn_event_driver *d)
{
  const double tol = d->options.start_tol;
  d->options.start_tol =
      fmin(tol, NSD_EVENT_CONSISTENT); /* whatever the option lets pass: this is asked for */
  nsdyn_status status = check(d, &d->phase, 1);
  d->options.start_tol = tol;
  if (status == NSDYN_ERR_INCONSISTENT) {
    nsd_subject who = nsd_no_subject();
    char name[NSD_SUBJECT_LENGTH], number[NSD_NUMBER_LENGTH];
    const double left = left_of(d, &who);
    status = nsd_fault_set(
        &d->fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
        "no consistent state found: %s stays %s off; rows contradict each other, or a direction "
        "does not fit its gap; see nsdyn_system_check()",
        nsd_subject_text(who, name), nsd_number_text(left, number));
  }
  return status;
}

static nsdyn_status make_consistent(nsdyn_event_driver *d, nsdyn_consistent_report *own)
{
  nsdyn_status status = nsd_instant_gather(d, 0.0);
  if (status) {
    return status;
  }
  /* 1. Positions: the shortest way, in the metric of M, on which nothing penetrates; again while it helps. */
  look_at_positions(d, own);
  double missed = violation(d);
  for (int round = 0; missed > 0.0 && round < ROUNDS && !status; round++) {
    double now = missed;
    for (int k = 0; k < d->phase.motion.scene.closed.count; k++) {
      d->tracks.track[d->instant.happening[k].track].lifted |= missing(d, k) > 0.0;
    }
    status = solve_step(d, &d->phase, &d->instant);
    if (nsd_is_unanswered(status)) { /* no δ at all: judged below */
      status = NSDYN_OK;
      break;
    }
    status = status ? status : move_along(d, missed, &now);
    if (!(now < missed)) {
      break;
    }
    missed = now;
  }
  /* 2. Velocities by an impact with ε = 0 of all that is closed: what was lifted is, though Newton's last
   * step may have left it a second order open. */
  status = status ? status : nsd_instant_gather(d, 0.0);
  status = status ? status : nsd_instant_stop(d);
  for (int j = 0; j < d->sys->def.nu && !status; j++) {
    d->u[j] = d->instant.u_work[j];
  }
  nsd_subject nobody;
  own->left = left_of(d, &nobody);
  return status ? status : judge(d);
}

nsdyn_status nsdyn_event_driver_consistent(nsdyn_event_driver *d, nsdyn_consistent_report *report)
{
  nsdyn_status status = d ? nsd_fault_begin(&d->fault, d->busy) : NSDYN_ERR_ARGUMENT;
  status = status ? status : nsd_driver_check_laws(d->sys, &d->fault);
  if (status) {
    return status;
  }
  const nsdyn_system_def *def = &d->sys->def;
  nsdyn_consistent_report own;
  nsdyn_consistent_report_init(&own, sizeof own);
  const nsdyn_status told = report ? nsd_sized_tell(report, NSD_CONSISTENT_REPORT_LEAST, &own, sizeof own,
                                                    "nsdyn_consistent_report", &d->fault)
                                   : NSDYN_OK;
  if (told) {
    return told;
  }
  for (int j = 0; j < def->nq; j++) {
    d->run.before[j] = d->q[j];
  }
  for (int j = 0; j < def->nu; j++) {
    d->run.before[def->nq + j] = d->u[j];
  }
  d->busy = NSD_EVENT_RUNNING;
  d->run.end = d->t;
  status = make_consistent(d, &own);
  d->busy = NSD_EVENT_IDLE;
  d->settled = 0;
  for (int i = 0; i < d->tracks.count; i++) {
    d->tracks.track[i].lifted = 0;
  }
  for (int j = 0; j < def->nq; j++) {
    own.moved = fmax(own.moved, fabs(d->q[j] - d->run.before[j]));
    d->q[j] = status ? d->run.before[j] : d->q[j];
  }
  for (int j = 0; j < def->nu; j++) {
    own.kicked = fmax(own.kicked, fabs(d->u[j] - d->run.before[def->nq + j]));
    d->u[j] = status ? d->run.before[def->nq + j] : d->u[j];
  }
  if (report) {
    (void)nsd_sized_write(report, NSD_CONSISTENT_REPORT_LEAST, &own, sizeof own);
  }
  return status;
}
