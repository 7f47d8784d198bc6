/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What is closed has g = 0, γ = 0; integration and rounding let them drift. Both are projected back in the
 * metric of M: the smallest δ, ½ δᵀMδ, with W δ = −g, δ = M⁻¹Wᵀ Λ. Redundant contacts are no trouble, as
 * their gaps are consistent. */
#include <math.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "event/internal.h"

enum { ROUNDS = 4 };

#define DRIFT_BY_TOL 1e3 /* times the tolerance: what projections may leave, as a share of the terms */
#define LONG 0.0625      /* of the largest coordinate: a way that drift does not go */
#define TOLERATED 0.5    /* share of the noise that is left alone */
#define NOISY 64.0       /* times the noise of a gap: what no projection can be asked to remove */

/* Constraints, normal rows of contacts that stay and, where `holds` says so, tangential ones into
 * motion.part: of rows that repeat others the later ones are left out, so that a constraint counts before a
 * contact, and a contact's gap before what its friction holds. */
static int list_rows(nsd_phase *phase, const int32_t *leaves, const int32_t *holds)
{
  const nsd_scene *scene = &phase->motion.scene;
  int n = 0;
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    phase->motion.part[n++] = r;
  }
  for (int k = 0; k < scene->closed.count; k++) {
    if (!leaves || !leaves[k]) {
      phase->motion.part[n++] = scene->closed.contact[k].row;
    }
  }
  for (int k = 0; holds && k < scene->closed.count; k++) {
    for (int r = 1; (!leaves || !leaves[k]) && holds[k] && r < scene->closed.contact[k].rows; r++) {
      phase->motion.part[n++] = scene->closed.contact[k].row + r;
    }
  }
  return n;
}

void nsd_project_spread(nsd_acceleration *m, int count, double *delta)
{
  nsd_fill_zero(m->scene.closed.rows, m->full);
  for (int i = 0; i < count; i++) {
    m->full[m->part[i]] = m->x_part[i];
  }
  nsd_fill_zero(m->inertia.nu, m->a);
  nsd_scene_velocities(&m->scene, &m->inertia, m->a, m->full, delta);
}

/* δ := M⁻¹Wᵀ Λ with W δ = −b in the rows listed; b stands in motion.full. */
static nsdyn_status solve(nsd_phase *phase, int n, double *delta)
{
  nsd_acceleration *m = &phase->motion;
  for (int i = 0; i < n; i++) {
    m->right_part[i] = -m->full[m->part[i]];
  }
  const nsdyn_status status = nsd_acceleration_solve_part(m, n, m->right_part, m->x_part);
  if (status) {
    return status;
  }
  nsd_project_spread(m, n, delta);
  return NSDYN_OK;
}

static double gap_of(const nsdyn_event_driver *d, int k)
{
  return d->phase.motion.scene.closed.contact[k].gap;
}

/* Gaps into motion.full, tangential rows zero. Returns whether any is worth a projection. */
static int collect_gaps(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report,
                        const int32_t *leaves)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  int any = 0;
  nsd_fill_zero(scene->closed.rows, m->full);
  report->gap = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    if (leaves && leaves[k]) {
      continue;
    }
    const nsd_track *track = &d->tracks.track[d->instant.happening[k].track];
    const double gap = gap_of(d, k);
    m->full[scene->closed.contact[k].row] = gap;
    report->gap = fmax(report->gap, fabs(gap));
    any |= fabs(gap) > TOLERATED * nsd_track_noise(d, track);
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    const int r = scene->closed.contact_rows + i;
    const double size = nsd_phase_size_of_constraint(d, i, d->q);
    m->full[r] = scene->directions.g_b[i];
    report->gap = fmax(report->gap, fabs(scene->directions.g_b[i]));
    any |= fabs(scene->directions.g_b[i]) > TOLERATED * NSD_EVENT_GAP_NOISE * size;
  }
  return any;
}

/* Whether a step of Newton's method goes farther than drift can have come. */
static int is_long(const nsdyn_event_driver *d, const double *from, const double *to)
{
  const int nq = d->sys->def.nq;
  const double most = LONG * fmax(nsd_norm_inf(nq, d->scales.reference), nsd_norm_inf(nq, from));
  for (int j = 0; j < nq; j++) {
    if (!(fabs(to[j] - from[j]) <= most)) {
      return 1;
    }
  }
  return 0;
}

nsdyn_status nsd_project_position(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report,
                                  const int32_t *leaves, double *q, const double *u, int *moved)
{
  nsd_acceleration *m = &phase->motion;
  const nsdyn_system_def *def = &d->sys->def;
  nsdyn_status status = NSDYN_OK;
  *moved = 0;
  for (int round = 0; round < ROUNDS && !status; round++) {
    const double before = report->gap;
    /* Newton: g is not linear in q. Ends when gaps are rounding, or a round did not halve them. */
    if (!collect_gaps(d, phase, report, leaves) || (round > 0 && !(report->gap < 0.5 * before))) {
      break;
    }
    /* δ = −M⁻¹ Wᵀ (W M⁻¹ Wᵀ)⁻¹ g, then q := q + δ along the kinematics. */
    const int n = list_rows(phase, leaves, NULL);
    status = solve(phase, n, m->h);
    status = status ? status : nsd_call_move(def, d->t, q, m->h, 1.0, m->q_probe, m->fault);
    status = status ? status : nsd_blame_move(m->fault, def, m->q_probe);
    if (!status && d->run.begun && is_long(d, q, m->q_probe)) {
      break; /* that is no drift: a direction vanishes, and what is left will be judged */
    }
    for (int j = 0; j < def->nq && !status; j++) {
      q[j] = m->q_probe[j];
    }
    *moved = 1;
    status = status ? status : nsd_acceleration_pose(m, d->t, q, u);
    status = status ? status : nsd_acceleration_gaps(m, d->t, q);
  }
  return status;
}

nsdyn_status nsd_project_velocity(const nsdyn_event_driver *d, nsd_phase *phase, const int32_t *leaves,
                                  const int32_t *holds, double *u, int *moved)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  const int n = list_rows(phase, leaves, holds);
  double most = 0.0;
  *moved = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int any = 0;
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
      const int r = m->part[i];
      const double size = nsd_phase_size_of_speed(d, r, u);
      m->full[r] = scene->problem.gamma[r];
      worst = fmax(worst, fabs(scene->problem.gamma[r]));
      any |= fabs(scene->problem.gamma[r]) > TOLERATED * NSD_EVENT_SPEED_NOISE * size;
    }
    if (!any || (round > 0 && !(worst < 0.5 * most))) {
      return NSDYN_OK;
    }
    most = worst;
    /* u := u − M⁻¹ Wᵀ (W M⁻¹ Wᵀ)⁻¹ γ; linear, so the second round removes only rounding. */
    const nsdyn_status status = solve(phase, n, m->h);
    if (status) {
      return status;
    }
    for (int j = 0; j < d->sys->def.nu; j++) {
      u[j] += m->h[j];
    }
    nsd_scene_speeds(scene, u, scene->problem.gamma);
    *moved = 1;
  }
  return NSDYN_OK;
}

/* Where friction of a hop acts to: against γ_T. The point of a polygon that it was at before counts where it
 * is one of those farthest along γ_T. */
static void direct_hop(nsd_acceleration *m, int k, nsd_contact_spec *spec)
{
  const double *gamma_T = m->scene.problem.gamma + m->scene.closed.contact[k].row + 1;
  m->starts[k] = 0;
  if (spec->sliding == NSD_SLIDES_AT) {
    double p[2];
    nsd_friction_support(spec, 1.0, gamma_T, p);
    const double most = p[0] * gamma_T[0] + p[1] * gamma_T[1];
    const double reach = spec->slip[0] * gamma_T[0] + spec->slip[1] * gamma_T[1];
    spec->sliding = reach >= (1.0 - NSD_SPACE_SIDE) * most ? NSD_SLIDES_AT : 1;
  }
  if (spec->sliding != NSD_SLIDES_AT) {
    nsd_acceleration_direct(m, k, spec);
  }
}

nsdyn_status nsd_project_hops(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                              const int32_t *leaves, double *u)
{
  nsd_acceleration *m = &phase->motion;
  nsd_scene *scene = &m->scene;
  /* A hop with speed γ_N⁺ ends after a time T with impacts of Σ Λ_N = ∫ λ_N dt − γ_N⁺ / G_NN, where λ_N is
   * the force that holds the contact closed from now on. So the impulse that is too much by then, −γ_N⁺ /
   * G_NN beside other contacts, is taken back now, together with its share of friction. */
  for (int r = 0; r < scene->closed.rows; r++) {
    scene->problem.c[r] = 0.0;
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double gamma_T = c->rows == 3   ? nsd_closed_speed(c, scene->problem.gamma + c->row + 1)
                           : c->rows == 2 ? scene->problem.gamma[c->row + 1]
                                          : 0.0;
    /* What an impact without collision has stopped slides no more: what is left of γ_T is rounding, and p, by
     * which friction that it drags along divides, may be as small as one likes. */
    const int drags = c->rows > 1 && !instant->holds[k] && !instant->happening[k].jammed &&
                      scene->problem.spec[k].friction == NSD_FRICTION_LOAD;
    scene->problem.c[c->row] = instant->happening[k].hops ? scene->problem.gamma[c->row] : 0.0;
    scene->solution.state[k] = leaves[k]                          ? NSD_STATE_OPEN
                               : instant->holds[k] && c->rows > 1 ? NSD_STATE_STICK
                               : drags && gamma_T < 0.0           ? NSD_STATE_UP
                                                                  : NSD_STATE_DOWN;
    instant->chosen_spec[k] = scene->problem.spec[k];
    instant->chosen_spec[k].mu = drags && gamma_T != 0.0 ? scene->problem.spec[k].mu : 0.0;
    instant->chosen_spec[k].bound = 0.0;
    if (c->rows == 3) {
      direct_hop(m, k, &instant->chosen_spec[k]);
    }
  }
  nsd_contact_data data = nsd_acceleration_data(m);
  data.spec = instant->chosen_spec;
  const nsdyn_status status =
      nsd_acceleration_pattern(m, &data, scene->solution.state, NULL, instant->impulse);
  if (status) {
    return nsd_fault_set(m->fault, status, NSDYN_DETAIL_NONE, -1,
                         "the hops of %d closed contacts have numbers that are too large",
                         scene->closed.count);
  }
  nsd_fill_zero(d->sys->def.nu, m->a);
  nsd_scene_velocities(scene, &m->inertia, m->a, instant->impulse, m->h);
  for (int j = 0; j < d->sys->def.nu; j++) {
    u[j] += m->h[j];
  }
  nsd_scene_speeds(scene, u, scene->problem.gamma);
  return NSDYN_OK;
}

nsdyn_status nsd_idle_moves(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant, int *moves)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  const nsdyn_system_def *def = &d->sys->def;
  double *q = phase->y_next, *u = phase->y_next + def->nq;
  int any = 0, moved = 0;
  *moves = -1;
  for (int k = 0; k < scene->closed.count; k++) {
    any |= m->idle[k];
    instant->holds[k] = scene->closed.contact[k].mode == NSDYN_MODE_STICK &&
                        nsd_law_has_friction(scene->closed.contact[k].law) && !m->idle[k];
  }
  if (!any) {
    return NSDYN_OK;
  }
  for (int i = 0; i < def->nq + def->nu; i++) {
    phase->y_next[i] = phase->dopri.y[i];
  }
  /* γ_T as constraints have it, not as the integrator has let it drift: differences of their directions know
   * of a dwell's end before it comes. */
  nsdyn_status status = nsd_acceleration_pose(m, phase->dopri.t, q, u);
  status = status ? status : nsd_project_velocity(d, phase, NULL, instant->holds, u, &moved);
  for (int k = 0; k < scene->closed.count && !status; k++) {
    if (m->idle[k] &&
        nsd_closed_speed(&scene->closed.contact[k], scene->problem.gamma + scene->closed.contact[k].row + 1) >
            instant->happening[k].bound) {
      *moves = k;
    }
  }
  return status;
}

static nsdyn_status refuse_drift(const nsdyn_event_driver *d, nsd_fault *fault, nsd_subject who,
                                 const char *what, double left, double bound)
{
  char name[NSD_SUBJECT_LENGTH], text[3][NSD_NUMBER_LENGTH];
  if (!isfinite(bound)) { /* nothing can be judged by it */
    return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, who.kind, who.index,
                         "%s at t = %s: the terms of its gap or velocity are too large for numbers",
                         nsd_subject_text(who, name), nsd_number_text(d->t, text[0]));
  }
  return nsd_fault_set(fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
                       "%s keeps %s %s at t = %s, beyond %s: rows contradict each other, or a direction "
                       "does not fit its gap; see nsdyn_system_check()",
                       nsd_subject_text(who, name), what, nsd_number_text(left, text[0]),
                       nsd_number_text(d->t, text[1]), nsd_number_text(bound, text[2]));
}

/* A gap that could not be projected: because it does not follow its directions, or for another reason. */
static nsdyn_status refuse_gap(nsdyn_event_driver *d, nsd_subject who, const char *what, double left,
                               double bound)
{
  const nsdyn_status status = isfinite(bound) ? nsd_verify_directions_explain(d) : NSDYN_OK;
  return status ? status : refuse_drift(d, &d->fault, who, what, left, bound);
}

/* The size of what row `row`'s velocity is a sum of, and what its load would have made of it in the last
 * step: of what rests there may be nothing else. */
static double size_of_speed(const nsdyn_event_driver *d, int row, const double *u)
{
  return fmax(nsd_phase_size_of_speed(d, row, u),
              nsd_acceleration_gain(&d->phase.motion, row, d->run.last_dt));
}

double nsd_project_size_of_gap(const nsdyn_event_driver *d, int row, double terms, const double *q,
                               const double *u)
{
  const double way = size_of_speed(d, row, u) * fmin(d->t - d->run.t_begin, d->run.last_dt);
  return fmax(fmax(terms, nsd_phase_size_of_gap(d, row, q)), way);
}

/* No number is within a bound that is none. */
static int is_within(double left, double bound)
{
  return fabs(left) <= bound && isfinite(bound);
}

static double share_of_terms(const nsdyn_event_driver *d)
{
  return fmin(fmax(DRIFT_BY_TOL * d->options.tol, NSD_DRIFT_LEAST), NSD_DRIFT_MOST);
}

/* What is left after the projection, beside the terms that gaps and velocities are sums of. */
static nsdyn_status judge_drift(nsdyn_event_driver *d, const double *q, const double *u)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const double share = share_of_terms(d);
  nsdyn_event_report *report = &d->report;
  report->gap = report->gap_bound = report->velocity = report->velocity_bound = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const nsd_track *track = &d->tracks.track[d->instant.happening[k].track];
    const double size = nsd_project_size_of_gap(d, c->row, nsd_track_terms(d, track), q, u);
    const double gap_bound = fmax(fmax(share * size, NOISY * nsd_track_noise(d, track)), d->options.gap_tol);
    if (!is_within(c->gap, gap_bound)) {
      return refuse_gap(d, nsd_closed_subject(c), "a gap of", c->gap, gap_bound);
    }
    report->gap = fmax(report->gap, fabs(c->gap));
    report->gap_bound = fmax(report->gap_bound, gap_bound);
    for (int r = 0; r < c->rows && (r == 0 || d->instant.holds[k]); r++) {
      const double speed = scene->problem.gamma[c->row + r];
      const double bound = share * size_of_speed(d, c->row + r, u);
      if (!is_within(speed, bound)) {
        return refuse_drift(d, &d->fault, nsd_closed_subject(c),
                            r ? "a tangential velocity of" : "a normal velocity of", speed, bound);
      }
      report->velocity = fmax(report->velocity, fabs(speed));
      report->velocity_bound = fmax(report->velocity_bound, bound);
    }
  }
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    const int row = scene->closed.contact_rows + i;
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    const double gap_bound = share * nsd_project_size_of_gap(d, row, d->tracks.constraint_terms[i], q, u);
    const double bound = share * size_of_speed(d, row, u);
    if (!is_within(scene->directions.g_b[i], gap_bound)) {
      return refuse_gap(d, who, "g_b =", scene->directions.g_b[i], gap_bound);
    }
    if (!is_within(scene->problem.gamma[row], bound)) {
      return refuse_drift(d, &d->fault, who, "a velocity of", scene->problem.gamma[row], bound);
    }
    report->gap = fmax(report->gap, fabs(scene->directions.g_b[i]));
    report->gap_bound = fmax(report->gap_bound, gap_bound);
    report->velocity = fmax(report->velocity, fabs(scene->problem.gamma[row]));
    report->velocity_bound = fmax(report->velocity_bound, bound);
  }
  return NSDYN_OK;
}

/* γ_T of a contact, in space ‖γ_T‖; without friction γ_N. */
static double slide_of(const nsd_scene *scene, const nsd_closed *c)
{
  return c->rows == 3 ? nsd_closed_speed(c, scene->problem.gamma + c->row + 1)
                      : scene->problem.gamma[c->row + c->rows - 1];
}

/* By what γ_T of each contact differs from what it was, which stands in `kicked`. */
static void note_kicks(const nsd_scene *scene, nsd_instant *instant)
{
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    instant->happening[k].kicked = fabs(slide_of(scene, c) - instant->happening[k].kicked);
  }
}

nsdyn_status nsd_project_step(nsdyn_event_driver *d)
{
  nsd_acceleration *m = &d->phase.motion;
  const nsd_scene *scene = &m->scene;
  const nsdyn_system_def *def = &d->sys->def;
  if (scene->closed.rows == 0) {
    return NSDYN_OK;
  }
  int moved[2] = {0, 0};
  double *q = d->phase.y_next, *u = d->phase.y_next + def->nq;
  for (int i = 0; i < def->nq + def->nu; i++) {
    d->phase.y_next[i] = d->phase.dopri.y[i];
  }
  for (int k = 0; k < scene->closed.count; k++) {
    d->instant.holds[k] = scene->closed.contact[k].mode == NSDYN_MODE_STICK &&
                          nsd_law_has_friction(scene->closed.contact[k].law) && !m->idle[k];
  }
  /* 1. Gaps and velocities at the end of the step, judged before a projection could hide what is wrong. */
  nsdyn_status status = nsd_acceleration_pose(m, d->t, q, u);
  status = status ? status : nsd_acceleration_gaps(m, d->t, q);
  status = status ? status : nsd_verify_directions_check(d, &d->tracks, &d->fault, q, u);
  status = status ? status : nsd_verify_directions_stay(d, &d->tracks, &d->fault, u);
  for (int k = 0; k < scene->closed.count && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    d->instant.happening[k].kicked = slide_of(scene, c);
  }
  /* 2. Both are projected, and what is left must be small beside their terms. */
  status = status ? status : nsd_project_position(d, &d->phase, &d->report, NULL, q, u, &moved[0]);
  status = status ? status : nsd_project_velocity(d, &d->phase, NULL, d->instant.holds, u, &moved[1]);
  status = status ? status : judge_drift(d, q, u);
  /* 3. The integrator goes on from the projected state. */
  if (!status && (moved[0] || moved[1])) {
    d->report.projections++;
    status = nsd_dopri_replace(&d->phase.dopri, d->phase.y_next);
    status = status && d->phase.trouble ? d->phase.trouble : status;
  }
  if (!status) {
    note_kicks(scene, &d->instant);
    nsd_phase_commit(d);
    nsd_verify_directions_from_here(d, &d->tracks);
  }
  return status;
}

nsdyn_status nsd_project_judge(nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const double share = share_of_terms(d);
  for (int k = 0; k < scene->closed.count; k++) {
    d->instant.holds[k] = scene->closed.contact[k].mode == NSDYN_MODE_STICK &&
                          nsd_law_has_friction(scene->closed.contact[k].law) && !d->phase.motion.idle[k];
  }
  const nsdyn_status status = judge_drift(d, d->q, d->u);
  for (int i = 0; i < d->sys->def.ncontacts && !status; i++) { /* open ones, which are not projected */
    const nsd_track *track = &d->tracks.track[i];
    const double noise = NOISY * nsd_track_noise(d, track);
    const double bound = fmax(fmax(share * nsd_track_terms(d, track), noise), d->options.gap_tol);
    if (track->mode == NSDYN_MODE_OPEN && -scene->closed.g[i] > bound + track->lift) {
      const nsd_subject who = {NSDYN_DETAIL_CONTACT, i, 0};
      return refuse_gap(d, who, "open a gap of", scene->closed.g[i], bound);
    }
  }
  return status;
}
