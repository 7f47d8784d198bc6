/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What happens at one instant, at constant t and q: impacts until nothing approaches, hops too low to be
 * followed, then modes and forces. It works on copies of the state; instant/commit.c makes them the driver's.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "event/internal.h"

enum {
  PATIENCE = 50,         /* instants, and rounds of one, without progress in time */
  MOST_IN_SEQUENCE = 40, /* impacts of one instant */
  MOST_LET_GO = 4        /* tries */
};

#define JAMMED                                                                                               \
  64.0 /* times what forces are solved to, of sliding velocities: terms of γ_T that cancel are larger */
#define LET_GO                                                                                               \
  16.0 /* times what an impact changes: more than it may change without those that hold nothing */
#define FALLS 0x1p-14  /* of the speed that a load gives: sizes of velocities at rest */
#define HOP_NOISE 64.0 /* times the noise of a gap: hops that cannot be seen */
#define MOST_ZENO                                                                                            \
  0x1p-8 /* of a contact's largest gap: hops that are closed off at the highest rate of events */
#define HOP_TICKS 256.0 /* of the clock, which ticks by ε |t|: hops that are over before time can tell */
#define TURNED                                                                                               \
  0x1p-7 /* of the largest load of a slot so far: what it may be as it has just changed its side */

/* γ_T of contact k of the scene; in space ‖γ_T‖. */
static double slide_of(const nsdyn_event_driver *d, int k)
{
  const nsd_closed *c = &d->phase.motion.scene.closed.contact[k];
  const double *gamma_T = d->phase.motion.scene.problem.gamma + c->row + 1;
  return c->rows == 3 ? nsd_closed_speed(c, gamma_T) : c->rows == 2 ? *gamma_T : 0.0;
}

/* Whether the phase ended because the sliding of contact k of the scene did: its own, or that of another one
 * that slides with it, for late, the clock cannot tell which of the two corners of a slider stopped first. */
static int is_stopped(const nsdyn_event_driver *d, int k)
{
  if (d->phase.motion.scene.closed.contact[k].rows == 3) {
    const int is_meant = d->cause.which == d->instant.happening[k].track &&
                         !nsd_is_at_corner(d, &d->tracks.track[d->instant.happening[k].track]);
    return d->cause.kind == NSD_EVENT_FUNCTION_SPEED &&
           (is_meant || slide_of(d, k) <= nsd_slide_still(d, k, d->u));
  }
  const int row =
      d->phase.motion.scene.closed.contact[k].row + d->phase.motion.scene.closed.contact[k].rows - 1;
  return d->cause.kind == NSD_EVENT_FUNCTION_SPEED &&
         (d->cause.which == d->instant.happening[k].track ||
          fabs(d->phase.motion.scene.problem.gamma[row]) <= nsd_phase_tick_of_speed(d, row));
}

/* ---- what was closed -------------------------------------------------------------------------------------
 */

/* Whether contact k of the scene, open in the phase, is closing now: its gap is zero at this instant, as that
 * of those that are closed is. What brings theirs back moves this one too, and a contact that began its next
 * hop below zero would fall deeper than it rose. */
static int closes_now(const nsdyn_event_driver *d, int k)
{
  const nsd_closed *c = &d->phase.motion.scene.closed.contact[k];
  const nsd_track *track = &d->tracks.track[d->instant.happening[k].track];
  const int is_near = fmax(track->lift, fabs(c->gap)) <= nsd_instant_gap_tolerance(d, track);
  const int is_tick = fabs(c->gap) <= track->tick; /* it closes with the others but for the clock */
  return d->run.begun && d->phase.motion.scene.problem.gamma[c->row] <= 0.0 &&
         (nsd_is_cause(d, track) || (is_near && (c->gap < 0.0 || is_tick)));
}

/* What was closed in the phase that ended has g = 0, γ_N = 0 (and γ_T = 0 where it stuck), but for what the
 * integrator let it drift. At the very beginning nothing is known yet. */
static nsdyn_status remove_drift(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                                 nsdyn_event_report *report)
{
  const nsd_scene *scene = &phase->motion.scene;
  int moved[2] = {0, 0};
  int any = scene->closed.rows > scene->closed.contact_rows;
  for (int k = 0; k < scene->closed.count; k++) {
    const int32_t before = instant->happening[k].mode_before;
    instant->leaves[k] = before == NSDYN_MODE_OPEN && !closes_now(d, k) ? NSD_LEAVES : NSD_STAYS;
    any |= instant->leaves[k] == NSD_STAYS;
    instant->holds[k] = (before == NSDYN_MODE_STICK && nsd_law_has_friction(scene->closed.contact[k].law) &&
                         !d->tracks.track[instant->happening[k].track].idle) ||
                        is_stopped(d, k);
  }
  if (!any) {
    return NSDYN_OK;
  }
  /* W δ = −g for what stays closed, δ of least ½ δᵀMδ; then the same for velocities. */
  nsdyn_status status =
      nsd_project_position(d, phase, report, instant->leaves, instant->q_work, instant->u_work, &moved[0]);
  for (int k = 0; k < scene->closed.count; k++) { /* its velocity is for the impact */
    const int32_t before = instant->happening[k].mode_before;
    instant->leaves[k] = before == NSDYN_MODE_OPEN ? NSD_LEAVES : NSD_STAYS;
  }
  if (!status && d->run.begun) { /* at the very beginning they are for an impact to mend */
    status = nsd_project_velocity(d, phase, instant->leaves, instant->holds, instant->u_work, &moved[1]);
  }
  report->projections += !status && (moved[0] || moved[1]);
  return status;
}

/* ---- velocities ---------------------------------------------------------------------------------------- */

/* Sizes of the terms of γ, the largest so far at this instant. Of what rests, γ may have no terms but its own
 * rounding: it is at least a share of what its load makes of it on the way through its gap's terms, √(a |g|).
 */
static void size_up(const nsdyn_event_driver *d, nsd_instant *instant)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const int N = scene->closed.contact[k].row;
    const double terms = nsd_track_terms(d, &d->tracks.track[instant->happening[k].track]);
    const double falls = sqrt(terms * nsd_acceleration_gain(&d->phase.motion, N, 1.0));
    for (int r = 0; r < scene->closed.contact[k].rows; r++) {
      const double size = fmax(nsd_phase_size_of_speed(d, N + r, instant->u_work), FALLS * falls);
      instant->happening[k].size[r] = fmax(instant->happening[k].size[r], size);
    }
  }
}

/* Velocities that are all rounding are set to zero. */
static void round_to_rest(const nsdyn_event_driver *d, nsd_instant *instant)
{
  const nsdyn_system_def *def = &d->sys->def;
  for (int j = 0; j < def->nu; j++) {
    if (!(fabs(instant->u_work[j]) <= NSD_EVENT_REST * d->scales.reference[def->nq + j])) {
      return;
    }
  }
  nsd_fill_zero(def->nu, instant->u_work);
}

static double rest_of(const nsdyn_event_driver *d, int k, int r)
{
  return NSD_EVENT_REST * d->instant.happening[k].size[r];
}

/* What γ_T may be of what rests. */
static double rest_of_slide(const nsdyn_event_driver *d, int k)
{
  return d->phase.motion.scene.closed.contact[k].rows == 3
             ? fmax(fmax(rest_of(d, k, 1), rest_of(d, k, 2)), nsd_slide_still(d, k, d->instant.u_work))
             : rest_of(d, k, 1);
}

static int is_slot(const nsdyn_event_driver *d, int k)
{
  return d->phase.motion.scene.closed.contact[k].law->kind == NSDYN_CONTACT_BILATERAL;
}

static int approaches(const nsdyn_event_driver *d, int k)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const double gamma_N = scene->problem.gamma[scene->closed.contact[k].row], rest = rest_of(d, k, 0);
  return gamma_N < -rest || (is_slot(d, k) && gamma_N > rest);
}

/* Constraints whose velocity is not zero are hit too. */
static int constraint_is_broken(const nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    if (fabs(scene->problem.gamma[r]) > NSD_EVENT_REST * nsd_phase_size_of_speed(d, r, d->instant.u_work)) {
      return 1;
    }
  }
  return 0;
}

static int impact_is_due(const nsdyn_event_driver *d)
{
  for (int k = 0; k < d->phase.motion.scene.closed.count; k++) {
    if (approaches(d, k)) {
      return 1;
    }
  }
  return constraint_is_broken(d);
}

/* ---- impacts ------------------------------------------------------------------------------------------- */

/* Coefficients at an impact: those of the velocities before it, and no impulse of a given force. */
static nsdyn_status fill_impact(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant)
{
  nsd_scene *scene = &phase->motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double gamma_T = slide_of(d, k);
    /* 1. μ at the sliding velocity before the impact. */
    const int slides = c->rows > 1 && fabs(gamma_T) > rest_of_slide(d, k);
    scene->problem.spec[k].sliding = slides ? (gamma_T > 0.0 ? 1 : -1) : 0;
  }
  const nsdyn_status status = nsd_acceleration_friction(&phase->motion);
  for (int k = 0; k < scene->closed.count; k++) {
    /* 2. ε_N, ε_T. Given friction forces are finite, so their impulse over no time is zero. */
    const nsdyn_contact_law *law = scene->closed.contact[k].law;
    /* With γ_N⁻ > 0 Newton's law would admit an approach, γ_N⁺ = −ε γ_N⁻ < 0: ε := 0 there, that is
     * ε min(0, γ_N⁻). */
    const int opens = d->options.impact == NSDYN_IMPACT_NEWTON && !is_slot(d, k) &&
                      scene->problem.gamma[scene->closed.contact[k].row] > rest_of(d, k, 0);
    const nsd_restitution restitution = {
        .eps_n = opens ? 0.0 : law->eps_n, .eps_t = law->eps_t, .reversal = law->reversal};
    instant->restitution[k] = restitution;
    scene->problem.spec[k].sliding = 0;
    scene->problem.spec[k].bound = 0.0;
  }
  return status;
}

/* Contacts with two coefficients that stuck and slide now: under the smaller one. */
static int break_loose(const nsdyn_event_driver *d, nsd_phase *phase)
{
  nsd_scene *scene = &phase->motion.scene;
  int any = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    if (c->law->friction == NSDYN_FRICTION_STATIC && scene->problem.spec[k].mu != c->law->mu &&
        nsd_closed_speed(c, d->instant.gamma + c->row + 1) > rest_of_slide(d, k)) {
      scene->problem.spec[k].mu = c->law->mu;
      any = 1;
    }
  }
  return any;
}

static nsdyn_status explain(const nsdyn_event_driver *d, nsd_fault *fault, nsd_failed *failed,
                            const char *what, nsdyn_status status)
{
  nsd_contact_data data = nsd_acceleration_data(&d->phase.motion);
  data.c = d->phase.motion.scene.problem.gamma;
  if (status != NSDYN_ERR_NOMEM) {
    nsd_driver_keep_problem(failed, &data);
  }
  const char *message = nsdyn_contact_message(d->instant.contact);
  char t[NSD_NUMBER_LENGTH];
  return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "%s of %d contacts at t = %s: %s", what,
                       d->phase.motion.scene.closed.count, nsd_number_text(d->t, t),
                       message[0] ? message : nsdyn_status_text(status));
}

/* u := u + M⁻¹ Wᵀ Λ; Λ stands in d->instant.impulse. */
static void kick(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                 nsdyn_event_report *report)
{
  nsd_acceleration *m = &phase->motion;
  const int nu = d->sys->def.nu;
  nsd_fill_zero(nu, m->a);
  nsd_scene_velocities(&m->scene, &m->inertia, m->a, instant->impulse, m->h);
  for (int j = 0; j < nu; j++) {
    instant->u_work[j] += m->h[j];
  }
  round_to_rest(d, instant);
  for (int r = 0; r < m->scene.closed.rows; r++) { /* ½ Λᵀ(γ⁻ + γ⁺), γ⁻ being the scene's until now */
    instant->energy += 0.5 * instant->impulse[r] * (m->scene.problem.gamma[r] + instant->gamma[r]);
  }
  nsd_scene_speeds(&m->scene, instant->u_work, m->scene.problem.gamma);
  size_up(d, instant);
  report->impacts++;
}

/* For the records: γ before the first impact that reached a contact, the sum of its impulses, and whether it
 * was hit or jammed (Painlevé). */
static void note_impulses(const nsdyn_event_driver *d, nsd_instant *instant, int without_collision)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    nsd_happening *h = &instant->happening[k];
    const nsd_closed *c = &scene->closed.contact[k];
    const int is_reached = instant->impulse[c->row] != 0.0 || (!without_collision && approaches(d, k));
    if (is_reached && !h->hit && !h->jammed) {
      for (int r = 0; r < c->rows; r++) {
        h->before[r] = scene->problem.gamma[c->row + r];
      }
    }
    for (int r = 0; r < c->rows; r++) {
      h->impulse[r] += instant->impulse[c->row + r];
    }
    h->hit |= is_reached && !without_collision;
    h->jammed |= is_reached && without_collision;
  }
}

static void forget_restitution(const nsdyn_event_driver *d, nsd_instant *instant)
{
  for (int k = 0; k < d->phase.motion.scene.closed.count; k++) {
    instant->restitution[k] = (nsd_restitution){0.0, 0.0, 0.0};
  }
}

/* Whether nothing hits faster than what is noise beside the motion: then ε has no meaning. */
static int is_gentle(const nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const double gamma_N = scene->problem.gamma[scene->closed.contact[k].row];
    if (approaches(d, k) && fabs(gamma_N) > NSD_HIT_GENTLE * d->instant.happening[k].size[0]) {
      return 0;
    }
  }
  return 1;
}

/* γ⁻ of an impact, but for what is rounding of its terms: impacts that accumulate leave of a velocity that
 * they stop ever less, down to numbers that no longer have all their digits, which nothing can be judged by.
 */
static const double *approach_of(const nsdyn_event_driver *d, nsd_phase *phase)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  for (int r = 0; r < scene->closed.rows; r++) {
    const double noise = NSD_APPROACH_ROUNDING * nsd_phase_size_of_speed(d, r, d->instant.u_work);
    m->c_part[r] = fabs(scene->problem.gamma[r]) <= noise ? 0.0 : scene->problem.gamma[r];
  }
  return m->c_part;
}

static int is_unsolved(nsdyn_status status)
{
  return status == NSDYN_NO_SOLUTION || status == NSDYN_UNDECIDED || status == NSDYN_INACCURATE;
}

/* Impulses and velocities after an impact with the coefficients that were filled in. */
static nsdyn_status solve_impact(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant)
{
  nsd_contact_data data = nsd_acceleration_data(&phase->motion);
  data.c = approach_of(d, phase);
  nsdyn_status status;
  do {
    /* γ⁺ = G Λ + γ⁻ with Newton's or Poisson's law of each contact. */
    status = nsd_contact_impact_data(instant->contact, d->options.impact, &data, instant->restitution,
                                     instant->impulse, instant->gamma);
    if (is_unsolved(status) && data.c == phase->motion.c_part) {
      /* Where gaps depend on each other, Σ γ = 0 for balls between two walls, one that counts as zero leaves
       * others that no impulse can stop. They agree as they are. */
      data.c = phase->motion.scene.problem.gamma;
      status = nsd_contact_impact_data(instant->contact, d->options.impact, &data, instant->restitution,
                                       instant->impulse, instant->gamma);
    }
    if (is_unsolved(status) && (d->options.inelastic || is_gentle(d))) {
      forget_restitution(d, instant);
      status = nsd_contact_impact_data(instant->contact, d->options.impact, &data, instant->restitution,
                                       instant->impulse, instant->gamma);
    }
  } while (!status && break_loose(d, phase));
  return status;
}

/* Newton's law does not gain energy where all rows have one ε. Then γ⁺ = ξ − ε γ⁻, so that
 * Λᵀ(γ⁺ + γ⁻) = Λᵀξ + (1 − ε) Λᵀγ⁻ <= 0: the laws give Λᵀξ <= 0, and G >= 0 gives
 * (1 + ε) Λᵀγ⁻ = Λᵀξ − ΛᵀG Λ <= 0. Contacts that opened already were given ε = 0 beside others that were not:
 * pressed to zero from γ⁻ > 0 they may give more than the others take, ½ Λᵀ(γ⁺ + γ⁻) > 0. */
static int gives_energy(const nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  double gain = 0.0, size = 0.0;
  int any = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    any |= d->instant.restitution[k].eps_n != scene->closed.contact[k].law->eps_n;
  }
  for (int r = 0; any && r < scene->closed.rows; r++) {
    gain += d->instant.impulse[r] * (d->instant.gamma[r] + scene->problem.gamma[r]);
    size += fabs(d->instant.impulse[r]) * (fabs(d->instant.gamma[r]) + fabs(scene->problem.gamma[r]));
  }
  return gain > NSD_GAIN_ROUNDING * size;
}

/* Contacts that separate, γ_N⁻ > 0, and yet took an impulse: in truth their gap is a little open, and they
 * close a moment later, if at all. Their condition γ_N⁺ >= −ε γ_N⁻ gets an ε so large that it is never
 * active. Returns whether there are any. */
static int let_go(const nsdyn_event_driver *d, nsd_instant *instant)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  int any = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const int N = scene->closed.contact[k].row;
    const double gamma_N = scene->problem.gamma[N];
    const double *G = nsd_acceleration_row(&d->phase.motion, N);
    double change = 0.0;
    if (is_slot(d, k) || !(gamma_N > rest_of(d, k, 0)) || !(instant->impulse[N] > 0.0)) {
      continue;
    }
    for (int j = 0; j < scene->closed.rows; j++) { /* what the impulses may make of γ_N */
      change += fabs(G[j] * instant->impulse[j]);
    }
    instant->restitution[k].eps_n = fmax(LET_GO * change / gamma_N, LET_GO * instant->restitution[k].eps_n);
    any = 1;
  }
  return any;
}

/* Newton's impact. Contacts that separate, and count as closed only because their gap is below noise, are
 * released (let_go). If the others then drive them together, the next impact of this instant takes them.
 * After MOST_IN_SEQUENCE impacts the sequence is taken for one that accumulates, as of a body between two
 * stops, and ends by an impact with ε = 0. */
static nsdyn_status solve_sequence(nsdyn_event_driver *d, int impacts)
{
  nsd_instant *instant = &d->instant;
  if (d->options.impact == NSDYN_IMPACT_NEWTON && impacts > MOST_IN_SEQUENCE) {
    forget_restitution(d, instant);
    return solve_impact(d, &d->phase, instant);
  }
  nsdyn_status status = solve_impact(d, &d->phase, instant);
  if (status || d->options.impact != NSDYN_IMPACT_NEWTON || !d->run.begun) {
    return status;
  }
  int tries = 0;
  while (!status && tries < MOST_LET_GO && let_go(d, instant)) {
    status = solve_impact(d, &d->phase, instant);
    tries++;
  }
  if (!is_unsolved(status) && tries < MOST_LET_GO) {
    return status;
  }
  status = fill_impact(d, &d->phase, instant); /* all at once, then */
  return status ? status : solve_impact(d, &d->phase, instant);
}

/* One impact of all closed contacts; `plastic`: with ε = 0. `impacts`: at this instant, so far. */
static nsdyn_status strike(nsdyn_event_driver *d, int plastic, int impacts)
{
  /* 1. Coefficients, and for those who ask, who takes part. */
  nsdyn_status status = fill_impact(d, &d->phase, &d->instant);
  status = status ? status : nsd_last_impact_note(d, &d->last_impact, &d->fault);
  if (status) {
    return status;
  }
  if (plastic) {
    forget_restitution(d, &d->instant);
  }
  /* 2. Λ and γ⁺ = G Λ + γ⁻ under the impact law. */
  status = plastic ? solve_impact(d, &d->phase, &d->instant) : solve_sequence(d, impacts);
  /* An impact must not give energy: else the same one with ε = 0. */
  if (!status && d->options.impact == NSDYN_IMPACT_NEWTON && !plastic && gives_energy(d)) {
    status = fill_impact(d, &d->phase, &d->instant);
    forget_restitution(d, &d->instant); /* one consistent impact with ε = 0 */
    status = status ? status : solve_impact(d, &d->phase, &d->instant);
  }
  if (status) {
    d->instant.impasse = is_gentle(d);
    return explain(d, &d->fault, &d->failed, "impact", status);
  }
  const nsdyn_impact_report *result = nsd_contact_answer_of(d->instant.contact)->impact;
  d->report.residual =
      fmax(d->report.residual, result->residual > 0.0 ? result->residual / result->scale : 0.0);
  /* 3. Who was reached, then u⁺ and γ⁺. */
  note_impulses(d, &d->instant, 0);
  kick(d, &d->phase, &d->instant, &d->report);
  return NSDYN_OK;
}

nsdyn_status nsd_instant_stop(nsdyn_event_driver *d)
{
  size_up(d, &d->instant);
  return impact_is_due(d) ? strike(d, 1, 0) : NSDYN_OK;
}

/* A slot's force has vanished at the present time, and its load, which is about zero, does not tell on which
 * side it is going to be: beyond zero, and by so much that the solver sees it. How large it is does not
 * matter to impulses, which are the limit of vanishing time. */
static void pass_zero(const nsdyn_event_driver *d, nsd_scene *scene)
{
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_track *track = &d->tracks.track[d->instant.happening[k].track];
    if (nsd_turns_side(d, k)) {
      const int N = scene->closed.contact[k].row;
      const double load = TURNED * track->press[0] * nsd_acceleration_row(&d->phase.motion, N)[N];
      scene->problem.c[N] += track->side < 0.0 ? -load : load;
    }
  }
}

/* Painlevé: forces have no solution, so an impact stops the sliding. What flies off beside it takes part, as
 * the impulses may throw it back. */
static nsdyn_status jam(nsdyn_event_driver *d, nsdyn_status without)
{
  nsd_scene *scene = &d->phase.motion.scene;
  /* In space its limit is not known: the failure of the forces stands, and a time step may get over it. */
  if (scene->problem.is_spatial) {
    return without;
  }
  /* 1. c = γ⁻ + τ (W M⁻¹ h + w̄), τ → 0: the load decides who presses, though it gives no impulse. */
  nsdyn_status status = fill_impact(d, &d->phase, &d->instant);
  status = status ? status : nsd_last_impact_note(d, &d->last_impact, &d->fault);
  nsd_contact_data data = nsd_acceleration_data(&d->phase.motion);
  data.c = scene->problem.gamma;
  pass_zero(d, scene);
  status = status ? status
                  : nsd_contact_impact_painleve(d->instant.contact, d->options.impact, &data,
                                                d->instant.restitution, scene->problem.c, d->instant.impulse,
                                                d->instant.gamma);
  if (status) {
    return status < 0 ? explain(d, &d->fault, &d->failed, "impact without collision", status) : without;
  }
  /* 2. No impulse: nothing has changed, and the failure of the forces stands. */
  if (!(nsd_norm_inf(scene->closed.rows, d->instant.impulse) > 0.0)) {
    return without;
  }
  /* 3. u⁺: what was jammed slides no more, so forces are looked for once more. */
  note_impulses(d, &d->instant, 1);
  kick(d, &d->phase, &d->instant, &d->report);
  return NSDYN_OK;
}

/* ---- modes --------------------------------------------------------------------------------------------- */

/* Who has γ_T = 0, as far as is known by now; returns whether that is news. */
static int hold_what_rests(const nsdyn_event_driver *d, nsd_instant *instant)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  int news = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int is_hit = instant->happening[k].hit || instant->happening[k].jammed;
    /* An impact without collision stops the sliding to what its problem is solved to. */
    const double stopped = instant->happening[k].jammed && c->rows > 1
                               ? JAMMED * NSD_FORCES_TOL * nsd_phase_size_of_speed(d, c->row + 1, d->u)
                               : 0.0;
    const int holds =
        c->rows > 1 && nsd_law_has_friction(c->law) &&
        (fabs(slide_of(d, k)) <= fmax(rest_of_slide(d, k), stopped) || (is_stopped(d, k) && !is_hit));
    news |= holds && !instant->holds[k];
    instant->holds[k] |= holds;
  }
  return news;
}

/* Velocities that are zero become so exactly. With few degrees of freedom that may stop others. */
static nsdyn_status stop_what_rests(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                                    nsdyn_event_report *report)
{
  int moved = 0;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < phase->motion.scene.closed.count; k++) {
    instant->holds[k] = 0;
  }
  (void)hold_what_rests(d, instant);
  do {
    status = nsd_project_velocity(d, phase, instant->leaves, instant->holds, instant->u_work, &moved);
    report->projections += !status && moved;
  } while (!status && moved && hold_what_rests(d, instant));
  if (!status) {
    round_to_rest(d, instant);
    nsd_scene_speeds(&phase->motion.scene, instant->u_work, phase->motion.scene.problem.gamma);
  }
  return status;
}

/* Whether a hop that is closed off has still its speed. */
static int has_hops(const nsdyn_event_driver *d)
{
  int any = 0;
  for (int k = 0; k < d->phase.motion.scene.closed.count; k++) {
    const double gamma_N = d->phase.motion.scene.problem.gamma[d->phase.motion.scene.closed.contact[k].row];
    any |= d->instant.happening[k].hops && gamma_N > 0.0;
  }
  return any;
}

/* Who flies off, who sticks, who slides where. */
static nsdyn_status classify(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                             nsdyn_event_report *report)
{
  nsd_scene *scene = &phase->motion.scene;
  int moved;
  for (int k = 0; k < scene->closed.count; k++) {
    const double gamma_N = scene->problem.gamma[scene->closed.contact[k].row];
    /* 1. γ_N > τ_v opens; else γ_N := 0. */
    instant->leaves[k] =
        !instant->happening[k].hops && !is_slot(d, k) && gamma_N > rest_of(d, k, 0) ? NSD_LEAVES : NSD_STAYS;
  }
  /* 2. g = 0 and γ_N = 0 of all that stay, γ_T = 0 where it rests; the speed of hops that are closed off is
   * taken out. */
  nsdyn_status status =
      nsd_project_position(d, phase, report, instant->leaves, instant->q_work, instant->u_work, &moved);
  report->projections += !status && moved;
  status =
      status || !has_hops(d) ? status : nsd_project_hops(d, phase, instant, instant->leaves, instant->u_work);
  status = status ? status : stop_what_rests(d, phase, instant, report);
  /* 3. The direction of sliding, s = sign γ_T, or 0 where friction may still hold. */
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    if (c->rows == 3) {
      const double speed = slide_of(d, k);
      const int is_held = instant->holds[k] && !(is_stopped(d, k) && speed > 4.0 * rest_of_slide(d, k));
      scene->problem.spec[k].sliding = !is_held && speed > rest_of_slide(d, k);
      nsd_polygon_slides_choose(d, phase, instant, k, rest_of_slide(d, k));
      continue; /* its direction is read from γ_T with the coefficients */
    }
    const double gamma_T = slide_of(d, k);
    const int is_limit =
        d->cause.kind == NSD_EVENT_FUNCTION_LIMIT && d->cause.which == instant->happening[k].track;
    /* What constraints drive is not stopped, though its function vanished where the integrator came from: it
     * slides as it does, and stops later. */
    const double left =
        fmin(4.0 * d->cause.left, 0.5 * nsd_verify_forces_still(d, k, d->t, instant->u_work)) +
        rest_of(d, k, 1) + nsd_phase_tick_of_speed(d, c->row + c->rows - 1);
    const int is_driven = is_stopped(d, k) && fabs(gamma_T) > left;
    const int rests = c->rows < 2 || (instant->holds[k] && !is_driven) || fabs(gamma_T) <= rest_of(d, k, 1);
    scene->problem.spec[k].sliding = rests ? 0 : gamma_T > 0.0 ? 1 : -1;
    if (is_limit && instant->holds[k] && c->law->friction == NSDYN_FRICTION_STATIC) {
      scene->problem.spec[k].sliding = d->cause.sign > 0.0 ? 1 : -1; /* the static limit is passed */
    }
  }
  /* 4. c = W M⁻¹ h + w̄ at these velocities: forces come next. */
  return status ? status : nsd_acceleration_load(&phase->motion, d->t, instant->q_work, instant->u_work);
}

/* Contacts that fly off, but come back after a hop too low to be followed. Returns whether there are any. */
static int close_hops(const nsdyn_event_driver *d, nsd_instant *instant, nsdyn_event_report *report)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  int any = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const int row = scene->closed.contact[k].row;
    const nsd_track *track = &d->tracks.track[instant->happening[k].track];
    const double gamma_N = scene->problem.gamma[row], fall = -scene->solution.xi[row];
    const double height = fmax(d->run.zeno * track->height, HOP_NOISE * nsd_track_noise(d, track));
    /* A hop rises by γ_N² / (2 |a_N|) and lasts 2 γ_N / |a_N|. */
    const int is_low = gamma_N * gamma_N <= 2.0 * fall * height;
    /* what the tolerance lets a gap be off by is drift, which closing off takes away */
    const double deep = nsd_instant_gap_tolerance(d, track) +
                        d->options.tol / NSD_EVENT_GAP_NOISE * nsd_track_noise(d, track);
    const int is_short = 2.0 * gamma_N <= HOP_TICKS * DBL_EPSILON * fabs(d->t) * fall;
    if (instant->leaves[k] && fall > 0.0 && (is_low || is_short) && track->gap > -deep) {
      instant->happening[k].hops = 1;
      report->zeno_speed = fmax(report->zeno_speed, gamma_N);
      instant->happening[k].hop_speed = gamma_N;
      instant->happening[k].hop_time = 2.0 * gamma_N / fall;
      any = 1;
    }
  }
  return any;
}

/* The contact whose event this instant is, or the last one was, which may not be closed. Returns whether
 * there is one: the key of a found one may be any number. */
static int find_cause(const nsdyn_event_driver *d, nsd_closed *contact)
{
  const nsd_cause *cause = &d->cause;
  *contact = (nsd_closed){.index = -1, .key = -1};
  if (cause->kind >= 0 && cause->which >= 0 && cause->which < d->tracks.count) {
    contact->index = d->tracks.track[cause->which].index;
    contact->key = d->tracks.track[cause->which].key;
    return 1;
  }
  if (cause->is_found) {
    contact->key = cause->key;
    return 1;
  }
  if (d->records.count > 0) { /* after a time step: whose the newest record is; of none it has −1 twice */
    const nsdyn_event *newest =
        &d->records.record[(d->records.first + d->records.count - 1) % d->records.room];
    contact->index = newest->contact;
    contact->key = newest->key;
  }
  return contact->index >= 0 || contact->key != -1;
}

/* The contacts of the event and of the scene, for a message. */
static const char *name_contacts(const nsdyn_event_driver *d, char *text, size_t size)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  nsd_closed cause;
  size_t at = 0;
  text[0] = 0;
  if (scene->closed.count == 0 && find_cause(d, &cause)) {
    char name[NSD_SUBJECT_LENGTH];
    at += (size_t)snprintf(text, size, "%s", nsd_subject_text(nsd_closed_subject(&cause), name));
  }
  for (int k = 0; k < scene->closed.count && at + 2 * NSD_SUBJECT_LENGTH < size; k++) {
    char name[NSD_SUBJECT_LENGTH];
    at += (size_t)snprintf(text + at, size - at, "%s%s", k ? ", " : "",
                           nsd_subject_text(nsd_closed_subject(&scene->closed.contact[k]), name));
  }
  return text[0] ? text : "no contact";
}

nsdyn_status nsd_instant_no_progress(nsdyn_event_driver *d)
{
  char t[NSD_NUMBER_LENGTH], names[4 * NSD_SUBJECT_LENGTH];
  (void)nsd_fault_set(&d->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_NONE, -1,
                      "events follow each other without progress at t = %s (%s)", nsd_number_text(d->t, t),
                      name_contacts(d, names, sizeof names));
  const nsdyn_status explained = nsd_verify_directions_explain(d);
  d->instant.impasse = !explained;
  return explained ? explained : NSDYN_MAX_ITERATIONS;
}

/* Instants within the motion's own time. Impacts that accumulate make ever more of them: from a half of
 * max_rate on, hops count as closed ever earlier, sixteen times as high each time a further 1/32 has come. */
static nsdyn_status limit_rate(nsdyn_event_driver *d)
{
  const double most = d->options.max_rate;
  if (d->t - d->run.window_t > nsd_phase_own_time(d)) {
    d->run.window_t = d->t;
    d->run.window_count = 0.0;
    d->run.zeno = fmax(d->options.zeno, d->run.zeno / 16.0);
  }
  d->run.window_count += 1.0;
  if (d->run.window_count > 0.5 * most && fmod(d->run.window_count, ceil(most / 32.0)) < 1.0) {
    d->run.zeno = fmin(16.0 * d->run.zeno, fmax(MOST_ZENO, d->options.zeno));
  }
  if (d->run.window_count <= most) {
    return NSDYN_OK;
  }
  char text[2][NSD_NUMBER_LENGTH], names[3 * NSD_SUBJECT_LENGTH];
  (void)nsd_fault_set(
      &d->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_NONE, -1,
      "more than max_rate = %s events in the motion's own time before t = %s (%s): enlarge max_rate or "
      "zeno, or use a stepper",
      nsd_number_text(most, text[0]), nsd_number_text(d->t, text[1]), name_contacts(d, names, sizeof names));
  const nsdyn_status explained = nsd_verify_directions_explain(d);
  return explained ? explained : NSDYN_MAX_ITERATIONS;
}

nsdyn_status nsd_instant_count(nsdyn_event_driver *d, double t)
{
  if (t - d->run.stalled_since > 16.0 * DBL_EPSILON * fabs(t)) {
    d->run.stalled_since = t;
    d->run.stalls = 0;
  }
  return ++d->run.stalls > PATIENCE + 10 * d->phase.motion.scene.closed.count ? nsd_instant_no_progress(d)
                                                                              : NSDYN_OK;
}

nsdyn_status nsd_instant_settle(nsdyn_event_driver *d)
{
  /* Refuse to go on for ever: at one time, or with too many events in a short time. */
  d->instant.impasse = 0;
  d->instant.energy = 0.0;
  nsdyn_status status = nsd_instant_count(d, d->t);
  status = status ? status : limit_rate(d);
  if (status) {
    return status;
  }
  /* 1. Who takes part; whether gaps follow their directions; drift of the phase before is removed. */
  status = nsd_instant_gather(d, 0.0);
  status = status || !d->closing.left ? status : nsd_verify_directions_closing(d, &d->phase, &d->closing);
  status = status ? status : nsd_consistent_check(d, &d->phase);
  status = status ? status : nsd_verify_directions_arrival(d, &d->fault);
  status = status
               ? status
               : nsd_verify_directions_check(d, &d->tracks, &d->fault, d->instant.q_work, d->instant.u_work);
  status = status ? status : remove_drift(d, &d->phase, &d->instant, &d->report);
  int ambiguous = 0, impacts = 0;
  for (int round = 0; !status; round++) {
    if (round > PATIENCE + 10 * d->phase.motion.scene.closed.count) {
      return nsd_instant_no_progress(d);
    }
    /* 2. γ_N < −τ_v anywhere: an impact, and γ is looked at again. */
    size_up(d, &d->instant);
    if (impact_is_due(d)) {
      status = strike(d, 0, impacts++);
      continue;
    }
    /* 3. γ_N > τ_v opens; the others have γ_N = 0: modes and λ from γ̇ = G λ + c, 0 <= λ_N ⊥ γ̇_N >= 0. */
    status = classify(d, &d->phase, &d->instant, &d->report);
    status = status ? status : nsd_choose_modes_find(d, d->instant.leaves, &ambiguous);
    if (is_unsolved(status)) {
      /* 4. No forces for these velocities (Painlevé): an impact without collision, then once more. */
      status = jam(d, status);
      d->instant.impasse = status > 0;
      continue;
    }
    /* 5. Hops too low to follow (Zeno) are closed off, which changes velocities; else all is consistent. */
    if (status || !close_hops(d, &d->instant, &d->report)) {
      break;
    }
  }
  return nsd_commit(d, status, ambiguous);
}
