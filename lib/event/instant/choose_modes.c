/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Modes from the contact problem on acceleration level: sliding contacts have one unknown, those with γ_T = 0
 * may stick or begin to slide either way.
 *
 * The present modes, with the one change that the event asks for, are tried first: at an event where forces
 * are continuous both the old and the new modes solve the problem to rounding, and only the new ones
 * last. A pattern that slides with a negative determinant does not last either (Stewart 2000, section 3.3.1).
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "event/instant/choose_modes.h"
#include "event/internal.h"

enum { FEW = 4, MANY = 10 }; /* contacts, whose solutions are always counted, or never where one is stable */

/* ---- the problem --------------------------------------------------------------------------------------- */

/* At the instant at which a force vanishes so do all the terms of its row, and only what they were has a
 * size. */
double nsd_choose_modes_size(const nsdyn_event_driver *d, int k, int r)
{
  const nsd_acceleration *m = &d->phase.motion;
  const int row = m->scene.closed.contact[k].row + r;
  const double press = d->tracks.track[d->instant.happening[k].track].press[r];
  return fmax(press * nsd_acceleration_row(m, row)[row], nsd_acceleration_load_size(m, row));
}

/* c of a row, but for what is rounding of its terms: bodies without any load have no direction to go. `size`:
 * of the row's accelerations. */
static double load_of(const nsdyn_event_driver *d, int row, double size)
{
  const nsd_acceleration *m = &d->phase.motion;
  const nsd_scene *scene = &m->scene;
  const size_t nu = (size_t)d->sys->def.nu;
  const double *w = scene->directions.W + (size_t)row * nu;
  double speed = fabs(scene->directions.w_hat[row]), noise = 16.0 * DBL_EPSILON * size;
  for (size_t j = 0; j < nu; j++) {
    /* A differenced w̄ has rounding of γ over the time of the difference, ε Σ |w_j u_j| / d. */
    speed += fabs(w[j] * d->instant.u_work[j]);
  }
  noise += nsd_acceleration_differences(m) ? DBL_EPSILON / m->bias_dt * speed : 0.0;
  return fabs(scene->problem.c[row]) <= noise ? 0.0 : scene->problem.c[row];
}

/* The contacts that stay as a problem of their own: rows in motion.part, G and c in its parts. */
nsd_contact_data nsd_modes_pose(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                                const int32_t *leaves)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  int contacts = 0, rows = 0, is_spatial = 0;
  instant->size_of_rows = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    if (leaves[k] == NSD_STAYS) {
      instant->chosen[contacts++] = k;
      is_spatial |= scene->closed.contact[k].rows == 3;
      for (int r = 0; r < scene->closed.contact[k].rows; r++) {
        const double size = nsd_choose_modes_size(d, k, r);
        m->part[rows] = scene->closed.contact[k].row + r;
        m->c_part[rows++] = load_of(d, scene->closed.contact[k].row + r, size);
        instant->size_of_rows = fmax(instant->size_of_rows, size);
      }
    }
  }
  /* Constraints follow the contacts: γ̇_B = 0 in all modes. */
  const int bilateral = scene->closed.rows - scene->closed.contact_rows;
  for (int i = 0; i < bilateral; i++) {
    const int row = scene->closed.contact_rows + i;
    m->part[rows] = row;
    m->c_part[rows++] = load_of(d, row, nsd_acceleration_load_size(m, row));
  }
  /* γ̇ = G λ + c with the rows and columns of these contacts only. */
  for (int i = 0; i < rows; i++) {
    const double *G = nsd_acceleration_row(m, m->part[i]);
    for (int j = 0; j < rows; j++) {
      m->G_part[(size_t)i * (size_t)rows + (size_t)j] = G[m->part[j]];
    }
  }
  const nsd_contact_data data = {.contacts = contacts,
                                 .bilateral = bilateral,
                                 .rows = rows,
                                 .ldg = rows,
                                 .spec = instant->chosen_spec,
                                 .G = m->G_part,
                                 .c = m->c_part,
                                 .is_spatial = is_spatial};
  return data;
}

/* Laws in force. */
nsdyn_status nsd_modes_read_laws(nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data)
{
  const nsd_scene *scene = &phase->motion.scene;
  const nsdyn_status status = nsd_acceleration_friction(&phase->motion);
  int row = 0;
  for (int i = 0; i < data->contacts; i++) {
    const int k = instant->chosen[i];
    instant->chosen_spec[i] = scene->problem.spec[k];
    if (instant->happening[k].loose) { /* γ_T is zero, and the coefficient that of sliding */
      instant->chosen_spec[i].mu = scene->closed.contact[k].law->mu;
    }
    instant->chosen_spec[i].row = row;
    row += scene->closed.contact[k].rows;
  }
  return status;
}

/* Sliding in direction s as a pattern: f is −s where it presses, s where a slot pulls. */
static int32_t sliding_state(const nsd_contact_spec *spec, int32_t s, int32_t before)
{
  if (nsd_slides_by_side(spec) && before >= 0) {
    return before; /* on whichever side it is */
  }
  return s > 0 ? NSD_STATE_DOWN : NSD_STATE_UP;
}

/* The pattern to begin with; returns whether all contacts were in the phase before, with the velocities that
 * fit. */
static int fill_states(nsd_instant *instant, const nsd_contact_data *data)
{
  int continues = 1;
  for (int i = 0; i < data->contacts; i++) {
    const int k = instant->chosen[i];
    const nsd_happening *h = &instant->happening[k];
    const nsd_contact_spec *spec = &data->spec[i];
    int32_t state = h->state_before;
    if (state < 0) {
      continues = 0;
      state = NSD_STATE_DOWN;
    }
    if (spec->sliding && nsd_state_is_closed(state)) {
      const int32_t wanted = sliding_state(spec, spec->sliding, h->state_before);
      continues = continues && (wanted == state || !nsd_contact_has_friction(spec));
      state = wanted;
    }
    instant->chosen_state[i] = nsd_contact_admit(spec, state);
  }
  return continues;
}

/* ---- answers ------------------------------------------------------------------------------------------- */

/* The pattern and its forces become the scene's: Λ, γ̇ into xi, u̇. */
void nsd_modes_take(const nsdyn_event_driver *d, nsd_phase *phase, const nsd_contact_data *data,
                    const int32_t *states, const double *Lambda)
{
  nsd_acceleration *m = &phase->motion;
  nsd_scene *scene = &m->scene;
  nsd_fill_zero(scene->closed.rows, scene->solution.Lambda);
  for (int k = 0; k < scene->closed.count; k++) {
    scene->solution.state[k] = NSD_STATE_OPEN;
  }
  for (int i = 0; i < data->rows; i++) {
    scene->solution.Lambda[m->part[i]] = Lambda[i];
  }
  for (int i = 0; i < data->contacts; i++) {
    const int k = d->instant.chosen[i];
    scene->solution.state[k] = nsd_state_is_closed(states[i]) ? states[i] : NSD_STATE_OPEN;
    scene->problem.spec[k].mu = data->spec[i].mu;
    scene->problem.spec[k].sliding = data->spec[i].sliding;
    scene->problem.spec[k].slip[0] = data->spec[i].slip[0];
    scene->problem.spec[k].slip[1] = data->spec[i].slip[1];
    if (scene->solution.state[k] ==
        NSD_STATE_OPEN) { /* friction of a given bound does not act at a distance */
      nsd_fill_zero(scene->closed.contact[k].rows, scene->solution.Lambda + scene->closed.contact[k].row);
    }
  }
  for (int r = 0; r < scene->closed.rows; r++) {
    /* γ̇ = G λ + c, of the contacts that leave too. */
    scene->solution.xi[r] =
        scene->problem.c[r] + nsd_dot(scene->closed.rows, nsd_acceleration_row(m, r), scene->solution.Lambda);
  }
  nsd_acceleration_find(m);
}

void nsd_modes_note(const nsdyn_event_driver *d, nsdyn_event_report *report,
                    const nsd_contact_verdict *verdict)
{
  if (verdict->residual > 0.0) {
    const double scale = fmax(verdict->scale, d->instant.size_of_rows);
    report->residual = fmax(report->residual, verdict->residual / scale);
  }
}

double nsd_modes_least_determinant(const nsdyn_event_driver *d)
{
  return d->cause.kind == NSD_EVENT_FUNCTION_REGULAR ? NSD_DETERMINANT_NOISE : 0.0;
}

/* Whether the scene's pattern depends continuously on its load. */
static int is_stable(const nsdyn_event_driver *d, nsd_phase *phase)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const int is_free = scene->closed.contact[k].rows < 2 || scene->problem.spec[k].sliding ||
                        !nsd_state_is_closed(scene->solution.state[k]) ||
                        !nsd_contact_has_friction(&scene->problem.spec[k]);
    m->stuck[k] =
        !is_free && (nsd_state_sticks(scene->solution.state[k]) || nsd_choose_modes_is_held(d, phase, k));
  }
  return nsd_acceleration_determinant(m) > nsd_modes_least_determinant(d);
}

/* How far from zero the event's own function still is where time cannot resolve it better, as an
 * acceleration: at t = 10⁶ s a force may vanish between two neighbouring times. A slot that changes its side
 * presses on the old one again when drift has been removed, by what the tolerance lets coordinates be off. */
double nsd_modes_slack(const nsdyn_event_driver *d)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int k = 0; k < scene->closed.count; k++) {
    if ((d->cause.kind == NSD_EVENT_FUNCTION_NORMAL || d->cause.kind == NSD_EVENT_FUNCTION_LIMIT) &&
        d->cause.which == d->instant.happening[k].track) {
      const int N = scene->closed.contact[k].row, T = N + scene->closed.contact[k].rows - 1;
      const double G =
          fmax(nsd_acceleration_row(&d->phase.motion, N)[N], nsd_acceleration_row(&d->phase.motion, T)[T]);
      const double turned =
          nsd_turns_side(d, k) ? d->options.tol * d->tracks.track[d->cause.which].press[0] : 0.0;
      return fmax(4.0 * d->cause.left, turned) * G;
    }
  }
  return 0.0;
}

/* What the laws have cut off the forces, as an acceleration of row `row`. */
static double cut_of(const nsd_contact_data *data, int row, const double *raw, const double *Lambda)
{
  const double *G = nsd_contact_row(data, row);
  double cut = 0.0;
  for (int r = 0; r < data->rows - data->bilateral; r++) {
    cut += fabs(G[r] * (raw[r] - Lambda[r]));
  }
  return cut;
}

/* Whether Λ of the chosen problem obeys its laws. Contacts are judged by what their accelerations were at
 * their largest, too; a constraint by its own row, where it shows what was cut off contacts' forces. */
int nsd_modes_is_solution(const nsdyn_event_driver *d, const nsd_contact_data *data,
                          const nsd_contact_verdict *verdict, const double *raw, const double *Lambda)
{
  if (nsd_contact_is_solution(verdict, NSD_FORCES_TOL)) {
    return 1;
  }
  const int is_contact = verdict->row < data->rows - data->bilateral;
  const double slack = nsd_modes_slack(d);
  return is_contact ? verdict->residual <= NSD_FORCES_TOL * d->instant.size_of_rows + slack
         : slack > 0.0
             ? verdict->residual <= NSD_FORCES_TOL * verdict->scale + cut_of(data, verdict->row, raw, Lambda)
             : 0;
}

/* The pattern in chosen_state, if it solves the problem and is stable. */
static int try_pattern(const nsdyn_event_driver *d, nsd_phase *phase, nsdyn_event_report *report,
                       const nsd_contact_data *data)
{
  nsd_acceleration *m = &phase->motion;
  double *Lambda = m->x_part, *xi = m->right_part;
  /* 1. The linear problem of this pattern: γ̇ = 0 where it holds, λ_T = f μ λ_N where it slides. */
  if (nsd_pattern_solve(&m->pattern, data, d->instant.chosen_state, Lambda) != NSDYN_OK) {
    return 0;
  }
  /* 2. λ is cut to its laws, λ_N >= 0 and |λ_T| <= μ λ_N, and γ̇ = G λ + c is judged. */
  memcpy(m->raw, Lambda, (size_t)data->rows * sizeof *Lambda);
  nsd_contact_project_all(data, Lambda);
  const nsd_contact_verdict verdict = nsd_contact_judge(data, Lambda, xi);
  if (!nsd_modes_is_solution(d, data, &verdict, m->raw, Lambda)) {
    return 0;
  }
  /* 3. What the laws cut off by more than rounding makes it a solution, but not of this pattern: a contact
   * that would have to pull is open. */
  const double allowed = NSD_FORCES_TOL * fmax(verdict.scale, d->instant.size_of_rows) + nsd_modes_slack(d);
  for (int r = 0; r < data->rows - data->bilateral; r++) {
    if (nsd_contact_row(data, r)[r] * fabs(m->raw[r] - Lambda[r]) > allowed) {
      return 0;
    }
  }
  /* 4. It solves the problem; it lasts if its determinant is positive. */
  nsd_modes_note(d, report, &verdict);
  nsd_modes_take(d, phase, data, d->instant.chosen_state, Lambda);
  return is_stable(d, phase);
}

/* ---- redundant contacts --------------------------------------------------------------------------------
 *
 * They share forces in many ways, and a solver may hand out one in which friction is at its limit though
 * nothing moves. Such a pattern keeps the contacts at rest only where others hold them. */

/* Whether the pattern keeps all contacts at rest that have this mode: those that are at their limit are held.
 */
static int keeps_rest(const nsdyn_event_driver *d, nsd_phase *phase, const nsd_contact_data *data,
                      const int32_t *modes)
{
  for (int i = 0; i < data->contacts; i++) {
    const int is_at_limit = modes[i] == NSDYN_MODE_STICK && nsd_contact_has_friction(&data->spec[i]) &&
                            !data->spec[i].sliding && !nsd_state_sticks(d->instant.chosen_state[i]);
    if (is_at_limit && !nsd_choose_modes_is_held(d, phase, d->instant.chosen[i])) {
      return 0;
    }
  }
  return 1;
}

/* Whether friction of all contacts that stick is inside its limit by more than rounding. */
static int is_inside(const nsdyn_event_driver *d, const nsd_contact_data *data)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *spec = &data->spec[i];
    if (nsd_contact_has_friction(spec) && nsd_state_sticks(d->instant.chosen_state[i])) {
      const double *Lambda = scene->solution.Lambda + scene->closed.contact[d->instant.chosen[i]].row;
      if (!(fabs(Lambda[1]) < (1.0 - NSD_FORCES_TOL) * (spec->mu * fabs(Lambda[0]) + spec->bound))) {
        return 0;
      }
    }
  }
  return 1;
}

/* Looks for a pattern that keeps these modes: all that rest stick; else one of them after the other does, and
 * the others are where `states` has them. `strictly`: with friction to spare. Takes it and returns 1, or
 * leaves chosen_state at `states` and returns 0. */
static int find_rest(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                     nsdyn_event_report *report, const nsd_contact_data *data, const int32_t *states,
                     const int32_t *modes, int strictly)
{
  for (int i = -1; i < data->contacts; i++) {
    for (int j = 0; j < data->contacts; j++) {
      const int rests =
          modes[j] == NSDYN_MODE_STICK && nsd_contact_has_friction(&data->spec[j]) && !data->spec[j].sliding;
      instant->chosen_state[j] = rests && (i < 0 || i == j) ? NSD_STATE_STICK : states[j];
    }
    if (try_pattern(d, phase, report, data) && keeps_rest(d, phase, data, modes) &&
        (!strictly || is_inside(d, data))) {
      return 1;
    }
  }
  memcpy(instant->chosen_state, states, (size_t)data->contacts * sizeof *states);
  return 0;
}

/* The phase computes forces from the pattern alone. Where contacts are redundant these are not the ones that
 * were found, and may break a law: the found ones go to a vertex, of which the pattern knows no others. */
static void agree_with_pattern(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                               nsdyn_event_report *report, const nsd_contact_data *data)
{
  nsd_acceleration *m = &phase->motion;
  double *found = m->full, *Lambda = m->x_part, apart = 0.0;
  for (int i = 0; i < data->rows; i++) {
    found[i] = m->scene.solution.Lambda[m->part[i]];
  }
  if (nsd_pattern_solve(&m->pattern, data, instant->chosen_state, Lambda) != NSDYN_OK) {
    return;
  }
  /* 1. G_rr |λ_r − λ_r of the pattern|, of contacts. */
  for (int r = 0; r < data->rows - data->bilateral; r++) {
    apart = fmax(apart, nsd_contact_row(data, r)[r] * fabs(Lambda[r] - found[r]));
  }
  if (apart <= NSD_FORCES_TOL * instant->size_of_rows) {
    return;
  }
  /* 2. Those of the pattern, where they obey the laws: as many contacts as possible stay closed. */
  memcpy(instant->solver_state, instant->chosen_state,
         (size_t)data->contacts * sizeof *instant->solver_state);
  if (try_pattern(d, phase, report, data)) {
    return;
  }
  /* 3. Else those of a vertex. */
  memcpy(m->right_part, found, (size_t)data->rows * sizeof *found);
  if (!nsd_pattern_to_vertex(&m->pattern, data, instant->chosen_state, m->right_part) ||
      !try_pattern(d, phase, report, data)) {
    memcpy(instant->chosen_state, instant->solver_state,
           (size_t)data->contacts * sizeof *instant->solver_state);
    nsd_modes_take(d, phase, data, instant->chosen_state, found);
  }
}

/* A solution with a pattern that lasts; it stands in chosen_state, `states` must not. */
static void take_solution(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                          nsdyn_event_report *report, const nsd_contact_data *data, const int32_t *states,
                          const int32_t *modes, const double *Lambda)
{
  memcpy(instant->chosen_state, states, (size_t)data->contacts * sizeof *states);
  nsd_modes_take(d, phase, data, instant->chosen_state, Lambda);
  if (!keeps_rest(d, phase, data, modes) && !find_rest(d, phase, instant, report, data, states, modes, 0)) {
    nsd_modes_take(d, phase, data, instant->chosen_state, Lambda);
  }
}

/* ---- several solutions --------------------------------------------------------------------------------- */

/* Stable solutions met by a census, and the one that the policy likes best. */
typedef struct candidates {
  nsdyn_event_driver *d;
  const nsd_contact_data *data;
  int differs; /* the first contact of the problem whose mode is not the solver's in one of them; −1: none */
  int count;
  int ended; /* of them */
  int gone;  /* of those that are not stable */
  int best;  /* merit */
} candidates;

/* Whether the scene's forces are where the phase has just ended: they solve the problem to rounding, but
 * would end at once. Where sliding does not last either (Painlevé), another solution is left to jump to. */
static int has_ended(const nsdyn_event_driver *d, const nsd_contact_data *data, int stable)
{
  const nsd_scene *scene = &d->phase.motion.scene;
  const nsd_cause *cause = &d->cause;
  const double tol = fmax(NSD_FORCES_TOL, d->options.tol);
  for (int i = 0; i < data->contacts; i++) {
    const int k = d->instant.chosen[i];
    const nsd_happening *h = &d->instant.happening[k];
    const nsd_contact_spec *spec = &data->spec[i];
    const double *Lambda = scene->solution.Lambda + scene->closed.contact[k].row;
    if (h->track != cause->which) {
      continue;
    }
    if (cause->kind == NSD_EVENT_FUNCTION_LIMIT && nsd_state_sticks(d->instant.chosen_state[i])) {
      /* The friction that ended the phase is still at its limit: sticking would end at once. */
      const double limit = spec->mu * fabs(Lambda[0]) + spec->bound;
      return limit + cause->sign * Lambda[1] <= tol * (limit + fabs(Lambda[1]));
    }
    if (nsd_turns_side(d, k)) {
      /* It slides with a force that has vanished, on its old side still, or on one where that cannot last. */
      const int is_over = d->instant.chosen_state[i] != h->state_before || !stable;
      return is_over && !nsd_state_sticks(d->instant.chosen_state[i]) &&
             fabs(Lambda[0]) <= tol * d->tracks.track[h->track].press[0];
    }
    if (cause->kind == NSD_EVENT_FUNCTION_NORMAL && spec->kind == NSDYN_CONTACT_UNILATERAL) {
      return nsd_state_is_closed(d->instant.chosen_state[i]) &&
             Lambda[0] <= tol * d->tracks.track[h->track].press[0];
    }
  }
  return 0;
}

/* How much the policy likes a solution. */
int nsd_modes_merit(const nsdyn_event_driver *d, const int32_t *modes, int contacts)
{
  int closed = 0, sticking = 0;
  for (int i = 0; i < contacts; i++) {
    closed += modes[i] != NSDYN_MODE_OPEN;
    sticking += modes[i] == NSDYN_MODE_STICK;
  }
  /* The option: as many open as possible, or as many closed as possible and among these as many sticking. */
  return d->options.ambiguous == NSDYN_AMBIGUITY_OPEN ? -closed : closed * (contacts + 1) + sticking;
}

static int visit(void *user, const nsdyn_contact_piece *piece)
{
  candidates *c = user;
  nsdyn_event_driver *d = c->d;
  const nsd_contact_data *data = c->data;
  for (int i = 0; i < data->contacts; i++) {
    d->instant.found_state[i] = nsd_contact_vertex_state(&data->spec[i], piece->Lambda, piece->xi);
    c->differs = c->differs < 0 && piece->modes[i] != d->instant.solver_mode[i] ? i : c->differs;
  }
  take_solution(d, &d->phase, &d->instant, &d->report, data, d->instant.found_state, piece->modes,
                piece->Lambda);
  const int stable = is_stable(d, &d->phase), ended = has_ended(d, data, stable);
  c->gone += ended && !stable;
  if (stable) {
    const int merit = ended ? INT_MIN : nsd_modes_merit(d, piece->modes, data->contacts);
    c->ended += ended;
    if (c->count++ == 0 || merit > c->best) {
      c->best = merit;
      memcpy(d->instant.best_state, d->instant.chosen_state,
             (size_t)data->contacts * sizeof *d->instant.best_state);
      memcpy(d->instant.best_force, d->phase.motion.scene.solution.Lambda,
             (size_t)d->phase.motion.scene.closed.rows * sizeof *d->instant.best_force);
    }
  }
  return 0;
}

/* Whether several solutions are to be expected: friction that outweighs the normal direction somewhere, or
 * few enough contacts to look. */
static int may_be_ambiguous(const nsd_contact_data *data)
{
  int rough = 0;
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    if (nsd_contact_has_friction(s)) {
      const double *G = nsd_contact_row(data, s->row);
      rough++;
      /* μ |G_NT| >= G_NN: friction outweighs the normal direction (Painlevé). */
      if (s->mu > 0.0 && s->mu * fabs(G[s->row + 1]) >= 0.999 * G[s->row]) {
        return 1;
      }
    }
  }
  return rough > 1 && data->contacts <= FEW;
}

/* How many solutions there are remains unknown, or none was found that lasts: what the solver has goes on. */
nsdyn_status nsd_modes_go_on_uncounted(const nsdyn_event_driver *d, const nsd_contact_data *data,
                                       nsdyn_status status)
{
  char line[160], t[NSD_NUMBER_LENGTH];
  (void)snprintf(line, sizeof line, "forces of %d contacts at t = %s: their solutions were not counted (%s)",
                 data->contacts, nsd_number_text(d->t, t), nsdyn_status_text(status));
  nsd_log(d->ctx, NSDYN_LOG_WARNING, line);
  return NSDYN_OK;
}

/* Several motions can follow, and the option leaves it to the caller which; `i` in the problem is a contact
 * that tells them apart. */
nsdyn_status nsd_modes_stop(const nsdyn_event_driver *d, nsd_fault *fault, int i)
{
  const nsd_closed *c = i >= 0 ? &d->phase.motion.scene.closed.contact[d->instant.chosen[i]] : NULL;
  const nsd_subject who = {c ? NSDYN_DETAIL_CONTACT : NSDYN_DETAIL_NONE, c ? c->index : -1, c ? c->key : 0};
  char name[NSD_SUBJECT_LENGTH], t[NSD_NUMBER_LENGTH];
  nsd_fault_set(
      fault, NSDYN_STOPPED, who.kind, who.index,
      "%s%st = %s: several motions can follow, and the modes before are none of them; the option ambiguous "
      "chooses one",
      nsd_subject_text(who, name), c ? " at " : "", nsd_number_text(d->t, t));
  fault->detail.key = who.key;
  return NSDYN_STOPPED;
}

/* Whether the event of this instant is a sliding slot's, which pressed on one side until now. */
static int is_turn(const nsdyn_event_driver *d)
{
  int is = 0;
  for (int k = 0; k < d->phase.motion.scene.closed.count; k++) {
    is |= d->phase.motion.scene.problem.spec[k].sliding && nsd_turns_side(d, k);
  }
  return is;
}

/* Looks for all solutions beside the solver's: *ambiguous where they are several motions, *counted where it
 * is known how many, and the scene holds the one to go on with. */
static nsdyn_status look_for_all(nsdyn_event_driver *d, const nsd_contact_data *data, int *ambiguous,
                                 int *counted)
{
  nsdyn_contact_census census = {.size = sizeof census};
  candidates c = {.d = d, .data = data, .differs = -1};
  const nsdyn_status status =
      nsd_contact_enumerate_data(d->instant.contact, data, NSD_FORCES_TOL, 1 << 14, visit, &c, &census);
  if (status < 0 || status == NSDYN_CANCELLED) {
    return status;
  }
  if (status) {
    return nsd_modes_go_on_uncounted(d, data, status);
  }
  /* A slot has left its old side, and on the other one its friction outweighs the normal direction: in a
   * moment neither has a force. An impact follows, as at Painlevé's boundary. */
  if (c.count == c.ended && is_turn(d)) {
    return NSDYN_UNDECIDED;
  }
  /* Several motions are an ambiguity, unless only one of them does not end at once. */
  *counted = census.complete;
  *ambiguous = census.motions != 1 && !(c.ended + c.gone > 0 && c.count - c.ended == 1);
  if (*ambiguous && d->options.ambiguous == NSDYN_AMBIGUITY_STOP) {
    return nsd_modes_stop(d, &d->fault, c.differs);
  }
  if (c.count == 0) {
    *counted = 0;
    return NSDYN_OK;
  }
  /* The one that the option prefers becomes the pattern of the phase. */
  memcpy(d->instant.chosen_state, d->instant.best_state,
         (size_t)data->contacts * sizeof *d->instant.chosen_state);
  if (!try_pattern(d, &d->phase, &d->report,
                   data)) { /* redundant contacts, of whose forces the pattern knows others */
    for (int i = 0; i < data->rows; i++) {
      d->phase.motion.x_part[i] = d->instant.best_force[d->phase.motion.part[i]];
    }
    nsd_modes_take(d, &d->phase, data, d->instant.chosen_state, d->phase.motion.x_part);
  }
  return NSDYN_OK;
}

/* ---- solving ------------------------------------------------------------------------------------------- */

nsdyn_status nsd_modes_explain(const nsdyn_event_driver *d, nsd_fault *fault, nsd_failed *failed,
                               const nsd_contact_data *data, nsdyn_status status)
{
  if (status != NSDYN_ERR_NOMEM) {
    nsd_driver_keep_problem(failed, data);
  }
  if (status == NSDYN_STOPPED) {
    return status;
  }
  const char *message = nsdyn_contact_message(d->instant.contact);
  char t[NSD_NUMBER_LENGTH];
  return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "forces of %d contacts at t = %s: %s",
                       d->phase.motion.scene.closed.count, nsd_number_text(d->t, t),
                       message[0] ? message : nsdyn_status_text(status));
}

static nsdyn_status solve(nsdyn_event_driver *d, const nsd_contact_data *data, int *ambiguous)
{
  nsd_acceleration *m = &d->phase.motion;
  /* 1. Any λ that solves 0 <= λ_N ⊥ γ̇_N >= 0 with friction, beginning with the present pattern. */
  nsdyn_status status =
      nsd_contact_solve_from(d->instant.contact, data, d->instant.chosen_state, m->x_part, NULL);
  if (status) {
    return nsd_modes_explain(d, &d->fault, &d->failed, data, status);
  }
  const nsd_contact_answer *answer = nsd_contact_answer_of(d->instant.contact);
  const nsdyn_contact_solve_report *result = answer->report;
  d->report.residual =
      fmax(d->report.residual, result->residual > 0.0 ? result->residual / result->scale : 0.0);
  /* 2. It goes on with a pattern that keeps at rest what rests and has p > 0. */
  memcpy(m->full, m->x_part, (size_t)data->rows * sizeof *m->full);
  memcpy(d->instant.solver_state, answer->states, (size_t)data->contacts * sizeof *d->instant.solver_state);
  memcpy(d->instant.solver_mode, answer->modes, (size_t)data->contacts * sizeof *d->instant.solver_mode);
  take_solution(d, &d->phase, &d->instant, &d->report, data, d->instant.solver_state, d->instant.solver_mode,
                m->full);
  const int stable = is_stable(d, &d->phase), lasts = stable && !has_ended(d, data, stable);
  if (lasts && !may_be_ambiguous(data)) {
    return NSDYN_OK;
  }
  if (stable && data->contacts > MANY && (lasts || !is_turn(d))) {
    /* twenty plates that lock have more vertices than one can wait for */
    return NSDYN_OK;
  }
  /* 3. It is unstable, or others may exist: all solutions are looked for. */
  int counted = 0;
  status = look_for_all(d, data, ambiguous, &counted);
  if (status || *ambiguous || (counted && !lasts)) {
    return status ? nsd_modes_explain(d, &d->fault, &d->failed, data, status) : NSDYN_OK;
  }
  take_solution(d, &d->phase, &d->instant, &d->report, data, d->instant.solver_state, d->instant.solver_mode,
                m->full); /* as good as any */
  return stable ? NSDYN_OK : nsd_modes_explain(d, &d->fault, &d->failed, data, NSDYN_UNDECIDED);
}

/* Contacts with two coefficients that begin to slide do so under the smaller one. Whether they slide with it,
 * and where to, is asked anew: one that broke loose only because another one still held may rest as soon as
 * that one slides. Returns whether there are any that were not loose before. */
static int break_loose(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                       const nsd_contact_data *data)
{
  const nsd_scene *scene = &phase->motion.scene;
  int any = 0;
  for (int i = 0; i < data->contacts; i++) {
    const int k = instant->chosen[i];
    const int32_t state = scene->solution.state[k];
    if (scene->closed.contact[k].law->friction == NSDYN_FRICTION_STATIC && !instant->happening[k].loose &&
        !data->spec[i].sliding && nsd_state_is_closed(state) && !nsd_state_sticks(state) &&
        nsd_contact_has_friction(&data->spec[i]) && !nsd_choose_modes_is_held(d, phase, k)) {
      any = instant->happening[k].loose = 1;
    }
  }
  return any;
}

/* A contact came to its friction limit while others rest: redundant ones may still take its place. */
static int try_rest(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                    nsdyn_event_report *report, const nsd_contact_data *data)
{
  int rest = 0;
  if (d->cause.kind != NSD_EVENT_FUNCTION_LIMIT) {
    return 0;
  }
  for (int i = 0; i < data->contacts; i++) {
    instant->solver_mode[i] = instant->happening[instant->chosen[i]].mode_before;
    rest += instant->solver_mode[i] == NSDYN_MODE_STICK && !data->spec[i].sliding;
  }
  if (rest < 2) {
    return 0;
  }
  memcpy(instant->solver_state, instant->chosen_state,
         (size_t)data->contacts * sizeof *instant->solver_state);
  return find_rest(d, phase, instant, report, data, instant->solver_state, instant->solver_mode, 1);
}

/* A contact came to its friction limit, and at this instant, which is not the first one here, it still seems
 * to stick: late, the tick of the clock before the limit and the one behind it are all there is. It slides.
 */
static int try_slip(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                    nsdyn_event_report *report, const nsd_contact_data *data)
{
  const nsd_cause *cause = &d->cause;
  for (int i = 0; cause->kind == NSD_EVENT_FUNCTION_LIMIT && d->run.stalls > 2 && i < data->contacts; i++) {
    const int32_t state = instant->chosen_state[i];
    if (instant->happening[instant->chosen[i]].track == cause->which && !data->spec[i].sliding &&
        !nsd_slides_by_side(&data->spec[i])) {
      instant->chosen_state[i] = cause->sign > 0.0 ? NSD_STATE_DOWN : NSD_STATE_UP;
      if (try_pattern(d, phase, report, data)) {
        return 1;
      }
      instant->chosen_state[i] = state;
    }
  }
  return 0;
}

nsdyn_status nsd_choose_modes_find(nsdyn_event_driver *d, const int32_t *leaves, int *ambiguous)
{
  nsdyn_status status = NSDYN_OK;
  *ambiguous = 0;
  for (int k = 0; k < d->phase.motion.scene.closed.count; k++) {
    d->instant.happening[k].loose = d->instant.happening[k].begins = 0;
  }
  if (d->phase.motion.scene.problem.is_spatial) {
    return nsd_choose_modes_in_space(d, leaves, ambiguous);
  }
  for (int round = 0; round <= d->phase.motion.scene.closed.count; round++) {
    /* 1. γ̇ = G λ + c of the contacts that stay, and their laws with the present directions of sliding. */
    nsd_contact_data data = nsd_modes_pose(d, &d->phase, &d->instant, leaves);
    status = nsd_modes_read_laws(&d->phase, &d->instant, &data);
    if (status) {
      return status;
    }
    /* 2. The modes of the phase before, with the one change that the event asks for. */
    const int continues = fill_states(&d->instant, &data);
    if (data.rows == 0) {
      nsd_modes_take(d, &d->phase, &data, d->instant.chosen_state, d->phase.motion.x_part);
      return NSDYN_OK;
    }
    if (continues && (try_slip(d, &d->phase, &d->instant, &d->report, &data) ||
                      try_rest(d, &d->phase, &d->instant, &d->report, &data) ||
                      try_pattern(d, &d->phase, &d->report, &data))) {
      return NSDYN_OK;
    }
    /* 3. They do not solve it: the contact solver looks for other modes. */
    status = solve(d, &data, ambiguous);
    if (!status) {
      agree_with_pattern(d, &d->phase, &d->instant, &d->report, &data);
    }
    /* 4. Who begins to slide does so under the smaller coefficient: once more with it. */
    if (status || !break_loose(d, &d->phase, &d->instant, &data)) {
      return status;
    }
  }
  return status;
}

int nsd_choose_modes_is_held(const nsdyn_event_driver *d, nsd_phase *phase, int k)
{
  nsd_acceleration *m = &phase->motion;
  const nsd_scene *scene = &m->scene;
  int n = 0;
  for (int j = 0; j < scene->closed.count; j++) {
    const nsd_closed *c = &scene->closed.contact[j];
    if (nsd_state_is_closed(scene->solution.state[j])) {
      m->block_row[n++] = c->row;
      if (c->rows > 1 && nsd_state_sticks(scene->solution.state[j])) {
        m->block_row[n++] = c->row + 1;
      }
    }
  }
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    m->block_row[n++] = r;
  }
  /* What the others hold may move all the same, as they do: a slider on a crank that is driven. */
  const int T = scene->closed.contact[k].row + 1;
  double scale = fmax(nsd_choose_modes_size(d, k, 1), fabs(scene->problem.c[T]));
  for (int j = 0; j < scene->closed.rows;
       j++) { /* a load at right angles to w_T leaves the forces' terms alone */
    scale = fmax(scale, fabs(nsd_acceleration_row(m, T)[j] * scene->solution.Lambda[j]));
  }
  return fabs(scene->solution.xi[T]) <= NSD_FORCES_HELD * scale && nsd_acceleration_follows(m, n, T);
}
