/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Modes from the contact problem on acceleration level, with contacts in space. What slides has the known
 * direction γ_T/‖γ_T‖ and one unknown; what rests, γ_T = 0, sticks, or begins to slide into the direction
 *
 *   γ̇_T / ‖γ̇_T‖,  where −γ̇_T is in the normal cone of the friction set at λ_T:
 *
 * Coulomb's law on acceleration level. As in the plane, the modes before, with the one change that the event
 * asks for, are tried first. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/safe_scalar.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "contact/space/polygon_cell.h"
#include "event/instant/choose_modes.h"

enum { TURNS = 60 };     /* of a direction that begins, until its law holds */
enum { FEW_STALLS = 2 }; /* instants at one time, after which what has no load may go */
enum { COUNTED = 2 };    /* contacts of which all solutions are looked for */

/* ---- directions ---------------------------------------------------------------------------------------- */

int nsd_modes_read_direction(const nsd_contact_spec *s, const double *Lambda_T, double *slip)
{
  if (nsd_polygon_is(s)) { /* a point of its boundary: limit 1 is where the ray to it leaves the polygon */
    const double against[2] = {-Lambda_T[0], -Lambda_T[1]}, size = nsd_norm_plane(against[0], against[1]);
    const double unit[2] = {against[0] / size, against[1] / size};
    if (!(size > 0.0 && isfinite(size))) {
      return 0;
    }
    nsd_polygon_on_ray(s, unit, slip);
    return 1;
  }
  const double *axis = s->space->axis, a = s->space->aspect;
  const double x = axis[0] * Lambda_T[0] + axis[1] * Lambda_T[1];
  const double y = (axis[0] * Lambda_T[1] - axis[1] * Lambda_T[0]) / a / a;
  const double length = nsd_norm_plane(x, y);
  if (!(length > 0.0 && isfinite(length))) {
    return 0;
  }
  slip[0] = -(axis[0] * x - axis[1] * y) / length;
  slip[1] = -(axis[1] * x + axis[0] * y) / length;
  return 1;
}

/* It begins to slide along a unit vector; on a polygon at the point of it that is farthest there. */
static void set_way(nsd_contact_spec *s, const double *way)
{
  s->slip[0] = way[0];
  s->slip[1] = way[1];
  if (nsd_polygon_is(s)) {
    nsd_friction_support(s, 1.0, way, s->slip);
  }
}

/* A contact that begins to slide slides where γ̇_T points, but friction may leave next to nothing of that:
 * slip := (γ̇_T + r μ λ_N slip) / ‖…‖, which stays where it is where the law holds. */
static void turn_directions(const nsdyn_event_driver *d, const nsd_contact_data *data, const double *Lambda,
                            const double *xi)
{
  for (int i = 0; i < data->contacts; i++) {
    nsd_contact_spec *s = &d->instant.chosen_spec[i];
    if (s->space && !nsd_polygon_is(s) && d->instant.happening[d->instant.chosen[i]].begins) {
      const int T = s->row + 1;
      const double r =
          nsd_contact_stiffness(nsd_contact_row(data, T)[T], nsd_contact_row(data, T + 1)[T + 1]);
      const double drag = r * nsd_norm_plane(Lambda[T], Lambda[T + 1]);
      const double e[2] = {xi[T] + drag * s->slip[0], xi[T + 1] + drag * s->slip[1]};
      const double length = nsd_norm_plane(e[0], e[1]);
      s->slip[0] = length > 0.0 ? e[0] / length : s->slip[0];
      s->slip[1] = length > 0.0 ? e[1] / length : s->slip[1];
    }
  }
}

/* ---- a pattern ----------------------------------------------------------------------------------------- */

static void admit(const nsd_contact_data *data, double *Lambda)
{
  for (int i = 0; i < data->contacts; i++) {
    nsd_friction_admit(&data->spec[i], Lambda + data->spec[i].row);
  }
}

/* Whether the laws have cut off more than rounding. */
static int is_cut(const nsdyn_event_driver *d, const nsd_contact_data *data,
                  const nsd_contact_verdict *verdict, const double *raw, const double *Lambda)
{
  const double allowed = NSD_FORCES_TOL * fmax(verdict->scale, d->instant.size_of_rows) + nsd_modes_slack(d);
  for (int r = 0; r < data->rows - data->bilateral; r++) {
    if (nsd_contact_row(data, r)[r] * fabs(raw[r] - Lambda[r]) > allowed) {
      return 1;
    }
  }
  return 0;
}

/* What redundant forces are next to, from now on; NULL: nothing. */
static void keep_share(nsd_instant *instant, const nsd_contact_data *data, const double *shares)
{
  for (int i = 0; i < data->contacts; i++) {
    nsd_happening *h = &instant->happening[instant->chosen[i]];
    for (int r = 0; r < nsd_contact_rows_of(&data->spec[i]); r++) {
      h->share[r] = shares ? shares[data->spec[i].row + r] : 0.0;
    }
  }
}

void nsd_modes_read_shares(const nsd_contact_data *data, const double *Lambda, double *shares)
{
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    const double limit = nsd_contact_rows_of(s) > 1 ? nsd_friction_limit(s, Lambda[s->row]) : 0.0;
    shares[s->row] = Lambda[s->row];
    for (int r = s->row + 1; r < s->row + nsd_contact_rows_of(s); r++) {
      shares[r] = limit > 0.0 ? Lambda[r] / limit : 0.0;
    }
  }
}

int nsd_modes_try_in_space(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                           nsdyn_event_report *report, const nsd_contact_data *data, const double *shares,
                           int *stable)
{
  nsd_acceleration *m = &phase->motion;
  double *Lambda = m->x_part, *xi = m->right_part;
  for (int turn = 0; turn < TURNS; turn++) {
    /* 1. The linear problem of this pattern; 2. cut to its laws, and judged. */
    if (nsd_polygon_slides_solve(phase, instant, data, shares, Lambda) != NSDYN_OK) {
      return 0;
    }
    memcpy(m->raw, Lambda, (size_t)data->rows * sizeof *Lambda);
    admit(data, Lambda);
    const nsd_contact_verdict verdict = nsd_contact_judge(data, Lambda, xi);
    if (is_cut(d, data, &verdict, m->raw, Lambda)) {
      return 0;
    }
    if (nsd_modes_is_solution(d, data, &verdict, m->raw, Lambda)) {
      nsd_modes_note(d, report, &verdict);
      nsd_modes_take(d, phase, data, instant->chosen_state, Lambda);
      keep_share(instant, data, m->space.redundant > 0 ? shares : NULL);
      *stable = nsd_acceleration_determinant(m) > nsd_modes_least_determinant(d);
      return 1;
    }
    turn_directions(d, data, Lambda, xi);
  }
  return 0;
}

/* ---- the pattern to begin with ------------------------------------------------------------------------- */

/* Friction at its limit says into which direction the contact that ended the phase begins to slide. Returns 0
 * where it does not say it. */
static int begin_slip(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                      const nsd_contact_data *data, const double *shares)
{
  nsd_acceleration *m = &phase->motion;
  for (int i = 0; i < data->contacts; i++) {
    nsd_happening *h = &instant->happening[instant->chosen[i]];
    nsd_contact_spec *s = &instant->chosen_spec[i];
    if (d->cause.kind != NSD_EVENT_FUNCTION_LIMIT || h->track != d->cause.which || !s->space || s->sliding) {
      continue;
    }
    const int32_t slips = instant->chosen_state[i];
    instant->chosen_state[i] = NSD_STATE_STICK;
    const nsdyn_status status = nsd_acceleration_pattern(m, data, instant->chosen_state, shares, m->x_part);
    instant->chosen_state[i] = slips;
    /* Redundant ones may take its place. */
    h->begins =
        !status && m->space.redundant == 0 && nsd_modes_read_direction(s, m->x_part + s->row + 1, s->slip);
    return h->begins;
  }
  return 1;
}

/* Returns whether all contacts were in the phase before, with velocities that fit. */
static int fill_states(const nsdyn_event_driver *d, nsd_instant *instant, const nsd_contact_data *data)
{
  int continues = 1;
  for (int i = 0; i < data->contacts; i++) {
    const nsd_happening *h = &instant->happening[instant->chosen[i]];
    const nsd_contact_spec *s = &data->spec[i];
    int32_t state = h->state_before;
    const int is_limit = d->cause.kind == NSD_EVENT_FUNCTION_LIMIT && h->track == d->cause.which;
    if (state < 0) {
      continues = 0;
      state = NSD_STATE_DOWN;
    }
    const int slides = state == NSD_STATE_DOWN || state == NSD_STATE_UP;
    if (s->sliding && nsd_state_is_closed(state)) {
      const int32_t down = s->space || s->sliding > 0 ? NSD_STATE_DOWN : NSD_STATE_UP;
      const int32_t wanted = nsd_slides_by_side(s) && slides && h->state_before >= 0 ? state : down;
      continues = continues && (wanted == state || !nsd_contact_has_friction(s));
      state = wanted;
    } else if (slides && nsd_contact_has_friction(s)) {
      continues = continues && is_limit; /* it rests now */
    }
    if (nsd_contact_rows_of(s) > 1 && state == NSD_STATE_STICK && !nsd_contact_has_friction(s)) {
      state = NSD_STATE_DOWN;
    }
    instant->chosen_state[i] =
        nsd_contact_rows_of(s) == 1 && nsd_state_sticks(state) ? NSD_STATE_DOWN : state;
  }
  return continues;
}

/* What redundant forces were next to in the phase before, of the chosen rows. */
static const double *read_share(const nsdyn_event_driver *d, nsd_instant *instant,
                                const nsd_contact_data *data)
{
  double *shares = instant->gamma;
  memset(shares, 0, (size_t)data->rows * sizeof *shares);
  for (int i = 0; i < data->contacts; i++) {
    const nsd_track *track = &d->tracks.track[instant->happening[instant->chosen[i]].track];
    for (int r = 0; r < nsd_contact_rows_of(&data->spec[i]); r++) {
      shares[data->spec[i].row + r] = track->share[r];
    }
  }
  return shares;
}

/* ---- solving ------------------------------------------------------------------------------------------- */

/* States and directions of a solution; contacts of which others hold what rests stick. */
static void read_solution(nsd_instant *instant, const nsd_contact_data *data, const double *Lambda,
                          const int32_t *modes, const double *directions)
{
  for (int i = 0; i < data->contacts; i++) {
    nsd_happening *h = &instant->happening[instant->chosen[i]];
    nsd_contact_spec *s = &instant->chosen_spec[i];
    const int is_pulled = s->kind == NSDYN_CONTACT_BILATERAL && nsd_slides_by_side(s) && Lambda[s->row] < 0.0;
    int32_t state = modes[i];
    h->begins = 0;
    if (state == NSDYN_MODE_SLIP || (state > NSDYN_MODE_STICK && s->sliding) ||
        !nsd_contact_has_friction(s)) {
      const int down = s->space || (s->sliding ? s->sliding > 0 : state != NSDYN_MODE_SLIP_MINUS);
      state = state == NSDYN_MODE_OPEN          ? (int32_t)NSD_STATE_OPEN
              : (down != 0) != (is_pulled != 0) ? (int32_t)NSD_STATE_DOWN
                                                : (int32_t)NSD_STATE_UP;
    } else if (state > NSDYN_MODE_STICK) { /* in the plane */
      state = (state == NSDYN_MODE_SLIP_PLUS) != (is_pulled != 0) ? NSD_STATE_DOWN : NSD_STATE_UP;
    }
    if (s->space && !s->sliding && modes[i] == NSDYN_MODE_SLIP && nsd_contact_has_friction(s)) {
      h->begins = 1;
      if (!nsd_modes_read_direction(s, Lambda + s->row + 1, s->slip) || is_pulled) {
        set_way(s, directions + 2 * i);
      }
    }
    instant->chosen_state[i] =
        nsd_contact_rows_of(s) == 1 && nsd_state_sticks(state) ? NSD_STATE_DOWN : state;
  }
}

/* What a solver lets go of though it stays where it is, γ̇_N = 0, is closed: the others need not carry its
 * share. */
static void close_what_stays(const nsdyn_event_driver *d, nsd_instant *instant, const nsd_contact_data *data,
                             const double *xi)
{
  for (int i = 0; i < data->contacts; i++) {
    nsd_contact_spec *s = &instant->chosen_spec[i];
    nsd_happening *h = &instant->happening[instant->chosen[i]];
    const int rows = nsd_contact_rows_of(s), has_friction = rows > 1 && nsd_contact_has_friction(s);
    const double rounding = NSD_FORCES_TOL * nsd_choose_modes_size(d, instant->chosen[i], 0);
    if (instant->chosen_state[i] != NSD_STATE_OPEN || !(xi[s->row] <= rounding)) {
      continue;
    }
    const double *rise = xi + s->row + 1;
    const double speed = rows == 3 ? nsd_norm_plane(rise[0], rise[1]) : rows == 2 ? fabs(*rise) : 0.0;
    const int down = rows != 2 || (s->sliding ? s->sliding > 0 : *rise > 0.0);
    const int slides = s->sliding || speed > rounding;
    instant->chosen_state[i] = has_friction && !slides ? (int32_t)NSD_STATE_STICK
                               : down                  ? (int32_t)NSD_STATE_DOWN
                                                       : (int32_t)NSD_STATE_UP;
    if (rows == 3 && !s->sliding && slides) {
      const double way[2] = {rise[0] / speed, rise[1] / speed};
      h->begins = 1;
      set_way(s, way);
    }
  }
}

/* Stable solutions of one or two contacts, and the one that the policy likes best. */
typedef struct candidates {
  nsdyn_event_driver *d;
  const nsd_contact_data *data;
  int count, best, differs; /* a contact of which they have several modes; −1 */
  int32_t first[COUNTED];   /* modes of the first one */
  int32_t state[COUNTED], begins[COUNTED];
  double slip[COUNTED][2];
} candidates;

/* The pattern that stands, and back to it. */
static void keep_pattern(const nsd_instant *instant, candidates *c)
{
  for (int i = 0; i < c->data->contacts; i++) {
    c->state[i] = instant->chosen_state[i];
    c->begins[i] = instant->happening[instant->chosen[i]].begins;
    memcpy(c->slip[i], instant->chosen_spec[i].slip, sizeof c->slip[i]);
  }
}

static int take_pattern(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                        nsdyn_event_report *report, const candidates *c)
{
  int stable;
  for (int i = 0; i < c->data->contacts; i++) {
    instant->chosen_state[i] = c->state[i];
    instant->happening[instant->chosen[i]].begins = c->begins[i];
    memcpy(instant->chosen_spec[i].slip, c->slip[i], sizeof c->slip[i]);
  }
  return nsd_modes_try_in_space(d, phase, instant, report, c->data, NULL, &stable);
}

static int visit(void *user, const nsdyn_contact_piece *piece)
{
  candidates *c = user;
  nsdyn_event_driver *d = c->d;
  nsd_instant *instant = &d->instant;
  int stable = 0;
  double directions[2 * COUNTED];
  for (int i = 0; i < c->data->contacts; i++) {
    const double *xi_T = piece->xi + c->data->spec[i].row + 1;
    const double speed = c->data->spec[i].space ? nsd_norm_plane(xi_T[0], xi_T[1]) : 0.0;
    for (int r = 0; r < 2; r++) {
      directions[2 * i + r] = speed > 0.0 ? xi_T[r] / speed : 0.0;
    }
    c->differs = c->differs < 0 && c->count > 0 && piece->modes[i] != c->first[i] ? i : c->differs;
  }
  read_solution(instant, c->data, piece->Lambda, piece->modes, directions);
  if (!nsd_modes_try_in_space(d, &d->phase, instant, &d->report, c->data, NULL, &stable) || !stable) {
    return 0;
  }
  const int merit = nsd_modes_merit(d, piece->modes, c->data->contacts);
  if (c->count == 0) {
    memcpy(c->first, piece->modes, (size_t)c->data->contacts * sizeof *c->first);
  }
  if (c->count++ == 0 || merit > c->best) {
    c->best = merit;
    keep_pattern(instant, c);
  }
  return 0;
}

/* All solutions of up to two contacts: which lasts, and whether there are several. Where they cannot be
 * listed the solver's goes on, if it `lasts`. */
static nsdyn_status look_for_all(nsdyn_event_driver *d, const nsd_contact_data *data, int lasts,
                                 int *ambiguous)
{
  nsd_instant *instant = &d->instant;
  nsdyn_contact_census census = {.size = sizeof census};
  candidates c = {.d = d, .data = data, .differs = -1}, solver = {.data = data};
  keep_pattern(instant, &solver);
  const nsdyn_status status =
      nsd_contact_enumerate_data(instant->contact, data, NSD_FORCES_TOL, 1 << 14, visit, &c, &census);
  if (status < 0 || status == NSDYN_CANCELLED) {
    return status;
  }
  if (c.count == 0) {
    lasts = lasts && take_pattern(d, &d->phase, instant, &d->report, &solver);
    /* A solution that was listed, but does not last, is one. */
    return lasts                         ? nsd_modes_go_on_uncounted(d, data, NSDYN_UNDECIDED)
           : status == NSDYN_NO_SOLUTION ? NSDYN_NO_SOLUTION
                                         : NSDYN_UNDECIDED;
  }
  *ambiguous = status == NSDYN_OK && census.motions != 1;
  if (*ambiguous && d->options.ambiguous == NSDYN_AMBIGUITY_STOP) {
    return nsd_modes_stop(d, &d->fault, data->contacts == 1 ? 0 : c.differs);
  }
  if (!take_pattern(d, &d->phase, instant, &d->report, &c)) {
    return NSDYN_UNDECIDED;
  }
  return status || !census.complete ? nsd_modes_go_on_uncounted(d, data, status ? status : NSDYN_UNDECIDED)
                                    : NSDYN_OK;
}

/* Whether friction outweighs the normal direction somewhere, μ |G_NT| >= G_NN (Painlevé): several solutions
 * are to be expected, or none. */
static int may_be_ambiguous(const nsd_contact_data *data)
{
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    const double *G = nsd_contact_row(data, s->row);
    const double aspect = s->space ? fmax(s->space->aspect, 1.0) : 1.0;
    const double coupled = !nsd_contact_has_friction(s) ? 0.0
                           : s->space                   ? nsd_norm_plane(G[s->row + 1], G[s->row + 2])
                                                        : fabs(G[s->row + 1]);
    if (aspect * s->mu * coupled >= 0.999 * G[s->row] && s->mu > 0.0) {
      return 1;
    }
  }
  return 0;
}

/* Contacts that hardly begin to slide, as far as the solver can tell, stick. */
static void let_rest(const nsdyn_event_driver *d, nsd_instant *instant, const nsd_contact_data *data,
                     const double *xi)
{
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    nsd_happening *h = &instant->happening[instant->chosen[i]];
    const double size = nsd_choose_modes_size(d, instant->chosen[i], 1);
    if (h->begins && nsd_norm_plane(xi[s->row + 1], xi[s->row + 2]) <= NSD_SHARES_SPARE * size) {
      h->begins = 0;
      instant->chosen_state[i] = NSD_STATE_STICK;
    }
  }
}

/* Contacts at rest whose friction is at its limit in Λ begin to slide. Returns whether there are any. */
static int slip_at_limit(nsd_instant *instant, const nsd_contact_data *data, const double *Lambda)
{
  int any = 0;
  for (int i = 0; i < data->contacts; i++) {
    nsd_contact_spec *s = &instant->chosen_spec[i];
    const double *own = Lambda + s->row;
    double inside[2];
    if (!s->space || s->sliding || !nsd_state_sticks(instant->chosen_state[i])) {
      continue;
    }
    nsd_friction_project(s, (1.0 - NSD_SHARES_SPARE) * nsd_friction_limit(s, own[0]), own + 1, inside);
    if ((inside[0] != own[1] || inside[1] != own[2]) && nsd_modes_read_direction(s, own + 1, s->slip)) {
      instant->chosen_state[i] =
          nsd_slides_by_side(s) && own[0] < 0.0 ? (int32_t)NSD_STATE_UP : (int32_t)NSD_STATE_DOWN;
      any = instant->happening[instant->chosen[i]].begins = 1;
    }
  }
  return any;
}

static int is_redundant(nsd_phase *phase, const nsd_instant *instant, const nsd_contact_data *data)
{
  nsd_acceleration *m = &phase->motion;
  return nsd_acceleration_pattern(m, data, instant->chosen_state, NULL, m->x_part) == NSDYN_OK &&
         m->space.redundant > 0;
}

/* Whether the motion depends on how redundant contacts share their forces: friction of those that slide into
 * different directions does. In the pattern that was solved last. */
static int shares_matter(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                         const nsd_contact_data *data)
{
  nsd_acceleration *m = &phase->motion;
  int slides = 0;
  for (int i = 0; i < data->contacts; i++) {
    slides += data->spec[i].space && data->spec[i].sliding && nsd_contact_has_friction(&data->spec[i]);
  }
  return slides > 1 && m->space.redundant > 0 &&
         nsd_acceleration_pattern(m, data, instant->chosen_state, NULL, m->x_part) == NSDYN_OK &&
         nsd_space_pattern_moves(&m->space, data) > NSD_SHARES_MATTER * d->instant.size_of_rows;
}

static nsdyn_status stop_at_shares(const nsdyn_event_driver *d, nsd_fault *fault,
                                   const nsd_contact_data *data)
{
  char t[NSD_NUMBER_LENGTH];
  return nsd_fault_set(
      fault, NSDYN_STOPPED, NSDYN_DETAIL_NONE, -1,
      "t = %s: friction of %d sliding contacts depends on how they share their load, which is "
      "not known of rigid bodies; the option ambiguous goes on with even shares",
      nsd_number_text(d->t, t), data->contacts);
}

/* Friction of one of redundant contacts that rested came to its limit: others may hold what it held, and else
 * they begin to slide together. The states are those of the phase before. */
static int try_again(nsdyn_event_driver *d, const nsd_contact_data *data, int *stable)
{
  nsd_instant *instant = &d->instant;
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    const int is_limit = instant->happening[instant->chosen[i]].track == d->cause.which;
    if (is_limit && nsd_contact_rows_of(s) > 1 && !s->sliding) {
      instant->chosen_state[i] = NSD_STATE_STICK;
    }
  }
  return is_redundant(&d->phase, instant, data) && nsd_redundant_rest_try(d, data, stable);
}

static nsdyn_status solve(nsdyn_event_driver *d, const nsd_contact_data *data, int *ambiguous)
{
  nsd_instant *instant = &d->instant;
  double *Lambda = d->phase.motion.full, *xi = d->phase.motion.fine;
  int stable = 0;
  /* 1. Any λ that solves 0 <= λ_N ⊥ γ̇_N >= 0 with friction. It begins with nothing, so that a run that goes
   * on from a saved state does the same. */
  memset(Lambda, 0, (size_t)data->rows * sizeof *Lambda);
  const nsdyn_status status = nsd_contact_solve_near(instant->contact, data, Lambda, Lambda, xi);
  if (status) {
    return nsd_modes_explain(d, &d->fault, &d->failed, data, status);
  }
  /* 2. Its pattern. */
  const nsd_contact_answer *answer = nsd_contact_answer_of(instant->contact);
  memcpy(instant->solver_mode, answer->modes, (size_t)data->contacts * sizeof *instant->solver_mode);
  int32_t length;
  read_solution(instant, data, Lambda, instant->solver_mode,
                nsdyn_contact_directions(instant->contact, &length));
  /* Contacts without load, one after the other, whose forces have vanished: those that the solver lets go of
   * are closed once more, and their forces vanish at once. After some of these instants they may go. */
  const int lets_go = d->cause.kind == NSD_EVENT_FUNCTION_NORMAL && d->run.stalls > FEW_STALLS;
  if (!lets_go) {
    close_what_stays(d, instant, data, xi);
  }
  memcpy(instant->found_state, instant->chosen_state, (size_t)data->contacts * sizeof *instant->found_state);
  /* Redundant contacts rest as long as they can share their load; friction at its limit that ended the phase
   * is not shared evenly once more, as it would end the next one as soon. */
  const int is_limit = d->cause.kind == NSD_EVENT_FUNCTION_LIMIT;
  let_rest(d, instant, data, xi);
  const int is_shared = is_redundant(&d->phase, instant, data);
  int found = !(is_limit && is_shared) &&
              nsd_modes_try_in_space(d, &d->phase, instant, &d->report, data, NULL, &stable) && stable;
  found = found || (is_shared && nsd_redundant_rest_try(d, data, &stable));
  /* Else they slide: as the solver has it, or all whose friction is at its limit. */
  nsd_modes_read_shares(data, Lambda, instant->shares);
  for (int k = 0; k < 3 && !found; k++) {
    read_solution(instant, data, Lambda, instant->solver_mode,
                  nsdyn_contact_directions(instant->contact, &length));
    if (k < 2) {
      close_what_stays(d, instant, data, xi);
    }
    found = (k != 1 || slip_at_limit(instant, data, Lambda)) &&
            (nsd_modes_try_in_space(d, &d->phase, instant, &d->report, data, NULL, &stable) ||
             nsd_modes_try_in_space(d, &d->phase, instant, &d->report, data, instant->shares, &stable));
  }
  /* 3. It is unstable, or others may exist: of up to two contacts that are not redundant all are listed. */
  const int is_doubtful = may_be_ambiguous(data);
  const int is_counted = data->contacts == 1 || (data->contacts <= COUNTED && !is_shared);
  if (is_counted && (is_doubtful || !found || !stable)) {
    const nsdyn_status listed = look_for_all(d, data, found && stable, ambiguous);
    return listed ? nsd_modes_explain(d, &d->fault, &d->failed, data, listed) : NSDYN_OK;
  }
  if (!found || !stable) {
    return nsd_modes_explain(d, &d->fault, &d->failed, data, NSDYN_UNDECIDED);
  }
  if (shares_matter(d, &d->phase, instant, data)) {
    *ambiguous = 1;
    return d->options.ambiguous == NSDYN_AMBIGUITY_STOP ? stop_at_shares(d, &d->fault, data) : NSDYN_OK;
  }
  return is_doubtful ? nsd_modes_go_on_uncounted(d, data, NSDYN_UNDECIDED) : NSDYN_OK;
}

/* Contacts with two coefficients that begin to slide do so under the smaller one. Returns whether there are
 * any that were not loose before. */
static int break_loose(const nsdyn_event_driver *d, nsd_instant *instant, const nsd_contact_data *data)
{
  int any = 0;
  for (int i = 0; i < data->contacts; i++) {
    nsd_happening *h = &instant->happening[instant->chosen[i]];
    const nsd_closed *c = &d->phase.motion.scene.closed.contact[instant->chosen[i]];
    const int32_t state = instant->chosen_state[i];
    const int slides = state == NSD_STATE_DOWN || state == NSD_STATE_UP;
    if (c->law->friction == NSDYN_FRICTION_STATIC && !h->loose && !data->spec[i].sliding && slides &&
        nsd_contact_has_friction(&data->spec[i])) {
      any = h->loose = 1;
    }
  }
  return any;
}

nsdyn_status nsd_choose_modes_in_space(nsdyn_event_driver *d, const int32_t *leaves, int *ambiguous)
{
  nsdyn_status status = NSDYN_OK;
  for (int round = 0; round <= d->phase.motion.scene.closed.count; round++) {
    /* 1. γ̇ = G λ + c of the contacts that stay, and their laws with the present directions of sliding. */
    const nsd_contact_data data = nsd_modes_pose(d, &d->phase, &d->instant, leaves);
    status = nsd_modes_read_laws(&d->phase, &d->instant, &data);
    if (status) {
      return status;
    }
    /* 2. The modes of the phase before, with the one change that the event asks for. */
    const int continues = fill_states(d, &d->instant, &data);
    if (data.rows == 0) {
      nsd_modes_take(d, &d->phase, &data, d->instant.chosen_state, d->phase.motion.x_part);
      return NSDYN_OK;
    }
    const double *shares = read_share(d, &d->instant, &data);
    int stable = 0;
    const int is_told = begin_slip(d, &d->phase, &d->instant, &data, shares);
    const int tried =
        continues &&
        ((is_told && nsd_modes_try_in_space(d, &d->phase, &d->instant, &d->report, &data, shares, &stable)) ||
         (d->cause.kind == NSD_EVENT_FUNCTION_LIMIT && try_again(d, &data, &stable)));
    /* 3. They do not solve it, or do not last: the contact solver looks for other modes. */
    status = tried && stable ? NSDYN_OK : solve(d, &data, ambiguous);
    /* 4. Who begins to slide does so under the smaller coefficient: once more with it. */
    if (status || !break_loose(d, &d->instant, &data)) {
      return status;
    }
  }
  return status;
}
