/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What is closed has g = 0, γ = 0; integration and rounding let them drift. Both are projected back in the
 * metric of M: the smallest δ, ½ δᵀMδ, with W δ = −g, δ = M⁻¹W μ. Redundant contacts are no trouble, as their
 * gaps are consistent. */
#include <math.h>

#include "contact/states.h"
#include "event/run.h"

enum { ROUNDS = 4 };

#define TOLERATED 0.5 /* share of the noise that is left alone */

/* Constraints, normal rows of contacts that stay and, where `holds` says so, tangential ones into
 * motion.part: of rows that repeat others the later ones are left out, so that a constraint counts before a
 * contact, and a contact's gap before what its friction holds. */
static int list_rows(nsdyn_event_driver *d, const int32_t *leaves, const int32_t *holds)
{
  const nsd_scene *scene = &d->motion.scene;
  int n = 0;
  for (int r = scene->contact_rows; r < scene->rows; r++) {
    d->motion.part[n++] = r;
  }
  for (int k = 0; k < scene->contacts; k++) {
    if (!leaves || !leaves[k]) {
      d->motion.part[n++] = scene->closed[k].row;
    }
  }
  for (int k = 0; holds && k < scene->contacts; k++) {
    if ((!leaves || !leaves[k]) && holds[k] && scene->closed[k].rows > 1) {
      d->motion.part[n++] = scene->closed[k].row + 1;
    }
  }
  return n;
}

/* δ := M⁻¹W μ with W δ = −b in the rows listed; b stands in motion.full. */
static nsdyn_status solve(nsdyn_event_driver *d, int n, double *delta)
{
  nsd_motion *m = &d->motion;
  const nsd_scene *scene = &m->scene;
  for (int i = 0; i < n; i++) {
    m->right_part[i] = -m->full[m->part[i]];
  }
  const nsdyn_status status = nsd_motion_solve_part(m, n, m->right_part, m->x_part);
  if (status) {
    return status;
  }
  nsd_fill_zero(scene->rows, m->full);
  for (int i = 0; i < n; i++) {
    m->full[m->part[i]] = m->x_part[i];
  }
  nsd_fill_zero(d->sys->def.nu, m->a);
  nsd_scene_velocities(scene, &m->inertia, m->a, m->full, delta);
  return NSDYN_OK;
}

static double gap_of(const nsdyn_event_driver *d, int k)
{
  return d->motion.scene.closed[k].gap;
}

/* Gaps into motion.full, tangential rows zero. Returns whether any is worth a projection. */
static int collect_gaps(nsdyn_event_driver *d, const int32_t *leaves)
{
  nsd_motion *m = &d->motion;
  const nsd_scene *scene = &m->scene;
  int any = 0;
  nsd_fill_zero(scene->rows, m->full);
  d->report.gap = 0.0;
  for (int k = 0; k < scene->contacts; k++) {
    if (leaves && leaves[k]) {
      continue;
    }
    const nsd_track *track = &d->track[d->happening[k].track];
    const double gap = gap_of(d, k);
    m->full[scene->closed[k].row] = gap;
    d->report.gap = fmax(d->report.gap, fabs(gap));
    any |= fabs(gap) > TOLERATED * nsd_track_noise(d, track);
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    const int r = scene->contact_rows + i;
    const double size = nsd_phase_size_of_constraint(d, i, d->q);
    m->full[r] = scene->g_b[i];
    d->report.gap = fmax(d->report.gap, fabs(scene->g_b[i]));
    any |= fabs(scene->g_b[i]) > NSD_EVENT_GAP_NOISE * size;
  }
  return any;
}

nsdyn_status nsd_drift_position(nsdyn_event_driver *d, const int32_t *leaves, double *q, const double *u,
                                int *moved)
{
  nsd_motion *m = &d->motion;
  const nsdyn_system_def *def = &d->sys->def;
  nsdyn_status status = NSDYN_OK;
  *moved = 0;
  for (int round = 0; round < ROUNDS && !status; round++) {
    const double before = d->report.gap;
    if (!collect_gaps(d, leaves) || (round > 0 && !(d->report.gap < 0.5 * before))) {
      break;
    }
    const int n = list_rows(d, leaves, NULL);
    status = solve(d, n, m->h);
    status = status ? status : nsd_call_move(def, d->t, q, m->h, 1.0, m->q_probe, &d->fault);
    for (int j = 0; j < def->nq && !status; j++) {
      q[j] = m->q_probe[j];
    }
    *moved = 1;
    status = status ? status : nsd_motion_pose(m, d->t, q, u);
    status = status ? status : nsd_motion_gaps(m, d->t, q);
  }
  return status;
}

nsdyn_status nsd_drift_velocity(nsdyn_event_driver *d, const int32_t *leaves, const int32_t *holds, double *u,
                                int *moved)
{
  nsd_motion *m = &d->motion;
  const nsd_scene *scene = &m->scene;
  const int n = list_rows(d, leaves, holds);
  double most = 0.0;
  *moved = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int any = 0;
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
      const int r = m->part[i];
      const double size = nsd_phase_size_of_speed(d, r, u);
      m->full[r] = scene->gamma[r];
      worst = fmax(worst, fabs(scene->gamma[r]));
      any |= fabs(scene->gamma[r]) > TOLERATED * NSD_EVENT_SPEED_NOISE * size;
    }
    if (!any || (round > 0 && !(worst < 0.5 * most))) {
      return NSDYN_OK;
    }
    most = worst;
    const nsdyn_status status = solve(d, n, m->h);
    if (status) {
      return status;
    }
    for (int j = 0; j < d->sys->def.nu; j++) {
      u[j] += m->h[j];
    }
    nsd_scene_speeds(scene, u, scene->gamma);
    *moved = 1;
  }
  return NSDYN_OK;
}

nsdyn_status nsd_drift_hops(nsdyn_event_driver *d, const int32_t *leaves, double *u)
{
  nsd_motion *m = &d->motion;
  nsd_scene *scene = &m->scene;
  /* A hop with speed γ_N⁺ ends after a time T with impacts of Σ Λ_N = ∫ λ_N dt − γ_N⁺ / G_NN, where λ_N is
   * the force that holds the contact closed from now on. So the impulse that is too much by then, −γ_N⁺ /
   * G_NN beside other contacts, is taken back now, together with its share of friction. */
  for (int r = 0; r < scene->rows; r++) {
    scene->c[r] = 0.0;
  }
  for (int k = 0; k < scene->contacts; k++) {
    const nsd_closed *c = &scene->closed[k];
    const double gamma_T = c->rows > 1 ? scene->gamma[c->row + 1] : 0.0;
    const int drags = c->rows > 1 && !d->holds[k] && scene->spec[k].friction == NSD_FRICTION_LOAD;
    scene->c[c->row] = d->happening[k].hops ? scene->gamma[c->row] : 0.0;
    scene->state[k] = leaves[k]                    ? NSD_STATE_OPEN
                      : d->holds[k] && c->rows > 1 ? NSD_STATE_STICK
                      : drags && gamma_T < 0.0     ? NSD_STATE_UP
                                                   : NSD_STATE_DOWN;
    d->chosen_spec[k] = scene->spec[k];
    d->chosen_spec[k].mu = drags && gamma_T != 0.0 ? scene->spec[k].mu : 0.0;
    d->chosen_spec[k].bound = 0.0;
  }
  nsd_contact_data data = nsd_motion_data(m);
  data.spec = d->chosen_spec;
  const nsdyn_status status = nsd_pattern_solve(&m->pattern, &data, scene->state, d->impulse);
  if (status) {
    return nsd_fault_set(m->fault, status, NSDYN_DETAIL_NONE, -1,
                         "the hops of %d closed contacts have numbers that are too large", scene->contacts);
  }
  nsd_fill_zero(d->sys->def.nu, m->a);
  nsd_scene_velocities(scene, &m->inertia, m->a, d->impulse, m->h);
  for (int j = 0; j < d->sys->def.nu; j++) {
    u[j] += m->h[j];
  }
  nsd_scene_speeds(scene, u, scene->gamma);
  return NSDYN_OK;
}

nsdyn_status nsd_drift_step(nsdyn_event_driver *d)
{
  nsd_motion *m = &d->motion;
  const nsd_scene *scene = &m->scene;
  const nsdyn_system_def *def = &d->sys->def;
  if (scene->rows == 0) {
    return NSDYN_OK;
  }
  int moved[2] = {0, 0};
  double *q = d->y_next, *u = d->y_next + def->nq;
  for (int i = 0; i < def->nq + def->nu; i++) {
    d->y_next[i] = d->dopri.y[i];
  }
  for (int k = 0; k < scene->contacts; k++) {
    d->holds[k] = scene->closed[k].mode == NSDYN_MODE_STICK && nsd_law_has_friction(scene->closed[k].law);
  }
  nsdyn_status status = nsd_motion_pose(m, d->t, q, u);
  status = status ? status : nsd_motion_gaps(m, d->t, q);
  status = status ? status : nsd_drift_position(d, NULL, q, u, &moved[0]);
  status = status ? status : nsd_drift_velocity(d, NULL, d->holds, u, &moved[1]);
  if (!status && (moved[0] || moved[1])) {
    d->report.projections++;
    status = nsd_dopri_replace(&d->dopri, d->y_next);
    status = status && d->trouble ? d->trouble : status;
  }
  if (!status) {
    nsd_phase_commit(d);
  }
  return status;
}
