/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The certificate of a phase: whether its forces obey the laws that its modes stand for. */
#include <float.h>
#include <math.h>

#include "base/number.h"
#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "contact/space/polygon_cell.h"
#include "event/instant/choose_modes.h"
#include "event/internal.h"

#define VERIFIED_BY_TOL                                                                                      \
  100.0 /* times the tolerance of the motion: what a phase's end or an output may miss a law by */
#define VERIFIED_TICKS 256.0 /* of the clock, beside the motion's own time */

static nsdyn_status refuse_law(nsd_fault *fault, nsd_subject who, const char *what, double t, double miss,
                               double scale)
{
  char name[NSD_SUBJECT_LENGTH], text[3][NSD_NUMBER_LENGTH];
  return nsd_fault_set(
      fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
      "%s at t = %s: %s by %s, beside %s: a change of mode was missed; try a smaller tol or max_dt, "
      "or nsdyn_system_check()",
      nsd_subject_text(who, name), nsd_number_text(t, text[0]), what, nsd_number_text(miss, text[1]),
      nsd_number_text(scale, text[2]));
}

/* Sizes of what γ̇ of row r of contact k is a sum of now, and was at its largest. */
static double size_of_terms(const nsdyn_event_driver *d, int k, int r)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const int row = scene->closed.contact[k].row + r;
  const double *G = nsd_acceleration_row(&d->phase.motion, row);
  double size = nsd_choose_modes_size(d, k, r);
  for (int j = 0; j < scene->closed.rows; j++) {
    size = fmax(size, fabs(G[j] * scene->solution.Lambda[j]));
  }
  return size;
}

/* Share of its terms that a law may be missed by. */
static double verified_share(const nsdyn_event_driver *d, double t)
{
  const double own = nsd_phase_own_time(d);
  const double ticks = own > 0.0 ? VERIFIED_TICKS * DBL_EPSILON * fabs(t) / own : 0.0;
  return fmax(NSD_FORCES_VERIFIED, VERIFIED_BY_TOL * d->options.tol) + ticks;
}

double nsd_verify_forces_still(const nsdyn_event_driver *d, int k, double t, const double *u)
{
  const nsd_acceleration *m = &d->phase.motion;
  const nsd_closed *c = &m->scene.closed.contact[k];
  double still = 0.0;
  for (int T = c->rows == 3 ? c->row + 1 : c->row + c->rows - 1; T < c->row + c->rows; T++) {
    const double size = fmax(nsd_phase_size_of_speed(d, T, u), nsd_acceleration_gain(m, T, d->run.last_dt));
    still =
        fmax(still, fmax(verified_share(d, t), NSD_EVENT_REST) * size + 2.0 * nsd_phase_tick_of_speed(d, T));
  }
  return still;
}

/* Λ_T of a contact in space as the law would have it, r Λ_T and limit being accelerations: the nearest point
 * of the friction set to r Λ_T − γ̇_T, or the one against the direction of sliding. */
static double miss_in_space(const nsd_contact_spec *spec, double r, double limit, const double *Lambda_T,
                            const double *gamma_dot_T)
{
  const double drag[2] = {r * Lambda_T[0], r * Lambda_T[1]};
  double nearest[2];
  if (spec->sliding) {
    nsd_friction_drag(spec, -limit, nearest);
  } else {
    const double wish[2] = {drag[0] - gamma_dot_T[0], drag[1] - gamma_dot_T[1]};
    nsd_friction_project(spec, limit, wish, nearest);
  }
  return nsd_norm_plane(drag[0] - nearest[0], drag[1] - nearest[1]);
}

/* By how much γ_T of a contact in space is not what its mode says: not along the direction of friction, or
 * not zero. A straight way is left for another a little later than γ_T turns. */
static double wrong_in_space(const nsdyn_event_driver *d, int k)
{
  const nsd_acceleration *m = &d->phase.motion;
  const nsd_contact_spec *spec = &m->scene.problem.spec[k];
  const double *gamma_T = m->scene.problem.gamma + m->scene.closed.contact[k].row + 1;
  if (spec->sliding && nsd_acceleration_cell(m, k) >= 0) { /* what another corner would have taken */
    double v[2], most = -INFINITY;
    for (int32_t j = 0; j < spec->space->sides; j++) {
      nsd_polygon_corner(spec, 2 * j, v);
      most = fmax(most, v[0] * gamma_T[0] + v[1] * gamma_T[1]);
    }
    return most - (spec->slip[0] * gamma_T[0] + spec->slip[1] * gamma_T[1]);
  }
  return spec->sliding ? -(spec->slip[0] * gamma_T[0] + spec->slip[1] * gamma_T[1])
                       : nsd_norm_plane(gamma_T[0], gamma_T[1]);
}

/* Whether the law of contact k is missed by more than `allowed` and, at the end of a phase, by more than time
 * can resolve of the force that ended it, if it is this contact's: λ = −c/p may change by as much as one
 * likes from one time that the clock can tell to the next. Where a load jumps, it may do so for several
 * contacts. */
static int is_missed(const nsdyn_event_driver *d, int k, double miss, double allowed, int at_end)
{
  if (miss <= allowed) {
    return 0;
  }
  const int is_cause = d->cause.which == d->instant.happening[k].track;
  return !at_end ||
         !((d->cause.jumps && isfinite(miss)) || (is_cause && miss <= allowed + nsd_modes_slack(d)));
}

/* By rows 1 where contacts and constraints have no forces to be judged; NULL: all have. Where p, the
 * determinant of the pattern, has vanished those coupled with what slides at p = 0 have none: λ_N = −c/p,
 * where c vanishes as p does. */
static const int *mark_lost(const nsdyn_event_driver *d, nsd_acceleration *m, int at_end)
{
  if (!at_end || d->cause.kind != NSD_EVENT_FUNCTION_REGULAR) {
    return NULL;
  }
  nsd_acceleration_mark_lost(m);
  return m->part;
}

static nsdyn_status verify(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report,
                           double t, const double *u, int at_end)
{
  nsd_acceleration *m = &phase->motion;
  nsd_scene *scene = &m->scene;
  const double own = nsd_phase_own_time(d), share = verified_share(d, t);
  double *xi = m->right_part, scale = 0.0, worst = 0.0;
  for (int r = 0; r < scene->closed.rows; r++) { /* γ̇ = G λ + c */
    xi[r] =
        scene->problem.c[r] + nsd_dot(scene->closed.rows, nsd_acceleration_row(m, r), scene->solution.Lambda);
  }
  const int *lost = mark_lost(d, m, at_end);
  /* 1. The scale of accelerations that misses are compared with. */
  for (int k = 0; k < scene->closed.count; k++) {
    if (lost && lost[scene->closed.contact[k].row]) {
      continue;
    }
    for (int r = 0; r < scene->closed.contact[k].rows; r++) {
      scale = fmax(scale, size_of_terms(d, k, r));
    }
    if (own > 0.0) { /* where nothing presses, all terms are rounding of what could stop the motion */
      scale =
          fmax(scale, NSD_FORCES_STOP * nsd_phase_size_of_speed(d, scene->closed.contact[k].row, u) / own);
    }
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const nsd_contact_spec *spec = &scene->problem.spec[k];
    const int N = c->row, T = c->rows == 3 ? c->row + 1 : c->row + c->rows - 1;
    if (lost && lost[c->row]) {
      continue;
    }
    const double r = nsd_contact_stiffness(nsd_acceleration_row(m, N)[N], nsd_acceleration_row(m, T)[T]);
    /* 2. 0 <= λ_N ⊥ γ̇_N >= 0; r λ is an acceleration, like γ̇. */
    const double normal = nsd_contact_miss_normal(spec->kind, r, scene->solution.Lambda[N], xi[N]);
    worst = fmax(worst, normal);
    if (is_missed(d, k, normal, share * scale, at_end)) {
      return refuse_law(m->fault, nsd_closed_subject(c), "its normal law is missed", t, normal, scale);
    }
    if (c->rows < 2) {
      continue;
    }
    const double limit =
        r * (spec->friction == NSD_FRICTION_GIVEN ? spec->bound : spec->mu * fabs(scene->solution.Lambda[N]));
    const double rise =
        nsd_contact_has_friction(spec) ? xi[T] : 0.0; /* without friction it may move as it likes */
    /* 3. |λ_T| <= μ |λ_N| + a; at the limit it acts against γ̇_T, or against γ_T where it slides. */
    const double still_xi[2] = {0.0, 0.0};
    const double tangential =
        c->rows == 3 ? miss_in_space(spec, r, limit, scene->solution.Lambda + T,
                                     nsd_contact_has_friction(spec) ? xi + T : still_xi)
                     : nsd_contact_miss_tangential(r, limit, spec->sliding, scene->solution.Lambda[T], rise);
    worst = fmax(worst, tangential);
    if (is_missed(d, k, tangential, share * scale, at_end)) {
      return refuse_law(m->fault, nsd_closed_subject(c), "its friction law is missed", t, tangential, scale);
    }
    /* 4. −λ_T γ_T >= 0: friction acts against γ_T; what sticks has γ_T = 0. */
    const double gained = nsd_acceleration_gain(m, T, d->run.last_dt);
    const double size = fmax(nsd_phase_size_of_speed(d, T, u), gained), gamma_T = scene->problem.gamma[T];
    const double wrong = c->rows == 3    ? wrong_in_space(d, k)
                         : spec->sliding ? -spec->sliding * gamma_T
                                         : fabs(gamma_T);
    const int is_judged = nsd_contact_has_friction(spec) || m->idle[k];
    /* Constraints may move it: γ_T as the integrator has it is brought to what they say at a step's end, and
     * may have passed through zero there. That ends the phase at the beginning of the step that follows. */
    const double still = (m->idle[k] ? 2.0 * d->instant.happening[k].bound : 0.0) +
                         d->instant.happening[k].kicked + nsd_verify_forces_still(d, k, t, u);
    if (is_judged && !(wrong <= still)) {
      return refuse_law(m->fault, nsd_closed_subject(c),
                        spec->sliding ? "friction acts along its sliding velocity" : "it sticks, but slides",
                        t, wrong, size);
    }
  }
  /* 5. γ̇_B = 0 of constraints. */
  for (int i = 0; i < d->sys->def.nconstraints; i++) {
    const int row = scene->closed.contact_rows + i;
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    if (lost && lost[row]) {
      continue;
    }
    double size = nsd_acceleration_gain(m, row, 1.0);
    for (int j = 0; j < scene->closed.rows; j++) {
      size = fmax(size, fabs(nsd_acceleration_row(m, row)[j] * scene->solution.Lambda[j]));
    }
    if (!(fabs(xi[row]) <= share * size)) {
      return refuse_law(m->fault, who, "its acceleration is not zero", t, fabs(xi[row]), size);
    }
  }
  report->residual = scale > 0.0 ? fmax(report->residual, worst / scale) : report->residual;
  return NSDYN_OK;
}

nsdyn_status nsd_verify_forces(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report,
                               double t, const double *u)
{
  return verify(d, phase, report, t, u, 0);
}

nsdyn_status nsd_verify_end(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report)
{
  return verify(d, phase, report, d->t, d->u, 1);
}
