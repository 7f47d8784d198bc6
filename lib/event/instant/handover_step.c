/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where events follow each other without progress, or forces are not found, a short time step goes on.
 *
 * A time step (Moreau 1988) needs no decision of who opens, sticks or slides first: over τ it asks all
 * contacts in reach at once for
 *
 *   0 <= γ_N⁺ + max(g_N, 0)/τ ⊥ Λ_N >= 0,  −γ_T⁺ ∈ N(Λ_T),  W_B u⁺ + ŵ_B = 0,
 *   M (u⁺ − u) = h τ + Wᵀ Λ,                q⁺ = q + τ (q̇(u) + q̇(u⁺))/2,
 *
 * with ε = 0 but for what approaches faster than noise, whose law stays. It has a solution wherever a
 * stepper's has one. τ is a millionth of the motion's own time at first and grows while that is not enough;
 * the error is O(τ²) in u, O(τ³) in q as long as modes last. The log tells it as NSDYN_EVENT_HANDOVER. */
#include <float.h>
#include <math.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "event/internal.h"

#define GROWTH 4.0         /* of τ, where the last one was not enough */
#define MOST_SHARE 0x1p-8  /* of the motion's own time: the last τ */
#define RECENT 8.0         /* times τ, within which a handover continues the last one */
#define LEAST_TICKS 1024.0 /* of the clock */
#define FAST 0x1p-12       /* of the largest speed: approaches that rebound */

double nsd_handover_reach(const nsdyn_event_driver *d)
{
  return MOST_SHARE * d->tracks.reach;
}

/* τ: longer than the last one where that was a moment ago; 0 where it would be too long. How far the caller
 * wants to go says nothing of the motion: a run in one call takes the same steps as one in many. */
static double choose_length(const nsdyn_event_driver *d, double t_end)
{
  const double tick = LEAST_TICKS * DBL_EPSILON * fabs(d->t);
  const double own = nsd_phase_own_time(d), seen = d->t - d->run.t_begin;
  /* What has hardly begun to move has an own time as long as one likes: first no more than a share of what
   * has been seen of it, and never longer than that. */
  const double least = fmax(NSD_HANDOVER_FIRST * (seen > 0.0 ? fmin(own, seen) : own), tick);
  const int continues = d->run.handover_dt > 0.0 && d->t - d->run.handover_t <= RECENT * d->run.handover_dt;
  /* τ grows by 4 while handovers follow each other, up to a share of the own time. */
  const double wanted = continues ? GROWTH * d->run.handover_dt : least;
  const double rest = t_end - d->t;
  if (!(wanted > 0.0) || wanted > fmax(MOST_SHARE * own, least)) {
    return 0.0;
  }
  /* At a run's beginning all that has been seen is the handovers themselves: they double it. */
  const double tau = seen > 0.0 ? fmin(wanted, fmax(seen, least)) : wanted;
  return tau < rest ? tau : rest;
}

/* Coefficients as they are for what slides and what rests now; directions stay open. */
static nsdyn_status fill_spec(const nsdyn_event_driver *d, nsd_phase *phase, double tau)
{
  nsd_scene *scene = &phase->motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double gamma_T = c->rows == 3   ? nsd_closed_speed(c, scene->problem.gamma + c->row + 1)
                           : c->rows == 2 ? scene->problem.gamma[c->row + 1]
                                          : 0.0;
    const double rest =
        c->rows > 1 ? NSD_EVENT_REST * nsd_phase_size_of_speed(d, c->row + 1, d->instant.u_work) : 0.0;
    scene->problem.spec[k].sliding = fabs(gamma_T) > rest ? (gamma_T > 0.0 ? 1 : -1) : 0;
  }
  const nsdyn_status status = nsd_acceleration_friction(&phase->motion);
  for (int k = 0; k < scene->closed.count; k++) {
    scene->problem.spec[k].sliding = 0;
    /* A given friction force has the impulse bound a τ; the direction is for the solution to find. */
    scene->problem.spec[k].bound *= tau;
  }
  return status;
}

/* c := γ + τ (W M⁻¹h + w̄) and what the gaps and impact laws add. */
static void fill_free_velocities(const nsdyn_event_driver *d, nsd_phase *phase, double tau)
{
  nsd_scene *scene = &phase->motion.scene;
  const double fast = FAST * nsd_norm_inf(d->sys->def.nu, d->scales.size + d->sys->def.nq);
  for (int r = 0; r < scene->closed.rows; r++) {
    scene->problem.c[r] = scene->problem.gamma[r] + tau * scene->problem.c[r];
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    double w = 0.0; /* largest element of w_N: turns the fast speed of coordinates into that of a gap */
    for (int j = 0; j < d->sys->def.nu; j++) {
      w = fmax(w, fabs(scene->directions.W[(size_t)c->row * (size_t)d->sys->def.nu + (size_t)j]));
    }
    const double gamma_N = scene->problem.gamma[c->row];
    if (c->law->kind == NSDYN_CONTACT_BILATERAL) {
      continue;
    }
    if (gamma_N < -fast * w && c->gap + tau * gamma_N <= 0.0) {
      scene->problem.c[c->row] += c->law->eps_n * gamma_N; /* Newton's law: ξ = γ⁺ + ε γ⁻ */
    } else {
      /* ξ = γ⁺ + max(g, 0)/τ: an open gap may close, but no more than that. */
      scene->problem.c[c->row] += fmax(c->gap, 0.0) / tau;
    }
  }
}

static nsdyn_status explain(const nsdyn_event_driver *d, nsd_fault *fault, nsdyn_status status)
{
  char t[NSD_NUMBER_LENGTH];
  const char *message = nsdyn_contact_message(d->instant.contact);
  return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1,
                       "handed over to a time step at t = %s, of %d contacts: %s", nsd_number_text(d->t, t),
                       d->phase.motion.scene.closed.count, message[0] ? message : nsdyn_status_text(status));
}

/* The pattern state of a mode, where contacts are in space. */
static int32_t state_of(int32_t mode)
{
  return mode == NSDYN_MODE_SLIP ? (int32_t)NSD_STATE_DOWN : mode;
}

/* Modes of all contacts of the scene into their tracks, and a record of each that had a part in it. */
static nsdyn_status record(const nsdyn_event_driver *d, nsd_tracks *tracks, nsd_records *records,
                           nsdyn_event_report *report, nsd_fault *fault, double tau)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const nsdyn_status status = nsd_log_reserve(d, records, fault, scene->closed.count + 1);
  const nsd_contact_answer *answer = nsd_contact_answer_of(d->instant.contact);
  int told = 0;
  for (int k = 0; k < scene->closed.count && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    nsd_track *track = &tracks->track[d->instant.happening[k].track];
    const int32_t before = track->mode;
    track->mode = c->rows < 2 && answer->modes[k] != NSDYN_MODE_OPEN ? NSDYN_MODE_STICK : answer->modes[k];
    track->state = track->mode == NSDYN_MODE_OPEN ? -1
                   : scene->problem.is_spatial    ? state_of(track->mode)
                                                  : answer->states[k] & 3;
    track->lift = track->slack = 0.0;
    track->settles = INFINITY;
    if (d->instant.impulse[c->row] == 0.0 && before == track->mode) {
      continue;
    }
    nsdyn_event event = {.size = sizeof event,
                         .kind = NSDYN_EVENT_HANDOVER,
                         .contact = c->index,
                         .key = c->key,
                         .mode_before = before,
                         .mode_after = track->mode,
                         .t = d->t,
                         .t_bound = tau,
                         .gap = c->gap};
    for (int r = 0; r < c->rows; r++) {
      event.before[r] = scene->problem.gamma[c->row + r];
      event.after[r] = scene->solution.xi[c->row + r];
      event.impulse[r] = d->instant.impulse[c->row + r];
    }
    nsd_log_add(d, records, report, &event);
    told++;
  }
  if (!status && !told) {
    const nsdyn_event event = {.size = sizeof event,
                               .kind = NSDYN_EVENT_HANDOVER,
                               .contact = -1,
                               .key = -1,
                               .t = d->t,
                               .t_bound = tau};
    nsd_log_add(d, records, report, &event);
  }
  return status;
}

nsdyn_status nsd_handover(nsdyn_event_driver *d, double t_end, int *done)
{
  nsd_acceleration *m = &d->phase.motion;
  const nsdyn_system_def *def = &d->sys->def;
  nsd_scene *scene = &m->scene;
  const int nu = def->nu;
  const double tau = choose_length(d, t_end);
  *done = 0;
  if (!d->options.handover || !(tau > 0.0)) {
    return NSDYN_OK;
  }
  /* 1. All contacts in reach, as they are at (t, q, u): M, h, W, γ, G, w̄. */
  nsdyn_status status = nsd_instant_gather(d, nsd_handover_reach(d));
  status = status ? status : nsd_acceleration_load(m, d->t, d->instant.q_work, d->instant.u_work);
  status = status ? status : fill_spec(d, &d->phase, tau);
  if (status) {
    return status;
  }
  /* c = γ + τ (W M⁻¹ h + w̄), with gaps and restitution in the normal rows. */
  fill_free_velocities(d, &d->phase, tau);
  /* 2. ξ = G Λ + c, 0 <= ξ_N ⊥ Λ_N >= 0 with friction: who opens, sticks or slides comes out of it. */
  nsd_contact_data data = nsd_acceleration_data(m);
  status = nsd_contact_solve_from(d->instant.contact, &data, NULL, d->instant.impulse, scene->solution.xi);
  if (status) {
    return status < 0 ? explain(d, &d->fault, status) : NSDYN_OK;
  }
  /* 3. u⁺ = u + τ M⁻¹h + M⁻¹Wᵀ Λ, q⁺ at the mean velocity. */
  for (int j = 0; j < nu; j++) {
    m->a[j] = tau * m->z[j];
  }
  nsd_scene_velocities(scene, &m->inertia, m->a, d->instant.impulse, m->h);
  for (int j = 0; j < nu; j++) {
    m->a[j] = d->instant.u_work[j] + 0.5 * m->h[j];
    d->instant.u_work[j] += m->h[j];
  }
  status = nsd_call_move(def, d->t, d->instant.q_work, m->a, tau, m->q_probe, &d->fault);
  status = status ? status : nsd_blame_move(&d->fault, def, m->q_probe);
  status = status ? status : nsd_blame_overflow(&d->fault, "velocity", nu, d->instant.u_work);
  status = status ? status : record(d, &d->tracks, &d->records, &d->report, &d->fault, tau);
  if (status) {
    return status;
  }
  /* 4. The driver stands at t + τ, where an instant settles what has become of it. */
  for (int j = 0; j < def->nq; j++) {
    d->q[j] = m->q_probe[j];
  }
  for (int j = 0; j < nu; j++) {
    d->u[j] = d->instant.u_work[j];
  }
  d->t = tau < t_end - d->t ? d->t + tau : t_end;
  d->run.handover_t = d->t;
  d->run.handover_dt = tau;
  d->cause = (nsd_cause){.kind = -1, .which = -1, .bound = tau};
  d->run.begun = 1;
  d->settled = 0;
  d->tracks.course_t = NAN; /* its own steps have other errors */
  d->run.stalled_since = d->t;
  d->run.stalls = d->run.creeping = 0;
  d->report.handovers++;
  nsd_fault_clear(&d->fault);
  *done = 1;
  return NSDYN_OK;
}
