/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/keep_closed.h"

#include <float.h>
#include <math.h>

#include "base/tolerances.h"
#include "stepper/check/verify_gaps.h"
#include "stepper/drift/follow_path.h"
#include "stepper/drift/projection.h"
#include "stepper/drift/split.h"
#include "stepper/scheme/scheme.h"

/* A hop is ended at once only where it would take no more steps than this. */
enum { LONGEST_HOP = 16 };

static double smaller(double a, double b)
{
  return fabs(a) < fabs(b) ? a : b;
}

/* Of two numbers of one sign the smaller one, else 0. */
static double common(double a, double b)
{
  return a * b > 0.0 ? smaller(a, b) : 0.0;
}

/* What is left of a deviation beyond what noise explains. */
static double beyond(double deviation, double noise)
{
  return deviation - nsd_larger(-noise, nsd_smaller(noise, deviation));
}

/* What a gap accelerated by over `span` at constant velocities. Gaps and velocities both tell; the velocities
 * bound it, so that the rounding of a gap, divided by a short span twice, and directions that do not belong
 * to the gap stay small. What the gap's noise leaves open the velocities decide. */
static double observe_curve(const nsd_past *before, double gap, double gamma, double span, double noise)
{
  /* κ = (γ' − γ) / T, and κ = 2 (g' − g − γ T) / T². */
  const double by_speed = (gamma - before->speed) / span;
  const double by_gap = 2.0 * ((gap - before->gap) - span * before->speed) / (span * span);
  const double apart = beyond(by_gap - by_speed, 4.0 * noise / (span * span));
  return gamma == before->speed ? 0.0 : common(by_speed + apart, 2.0 * by_speed);
}

/* How much of a deviation from its aim a contact in force takes back in a step. As long as noise may be
 * behind it, no more than what a hundredth of its curvature's force does, since noise at the edge of what is
 * left alone would shake the force as well; of more than that all but so much. */
static double takes_back(double deviation, double noise, double curve, double horizon)
{
  const double gentle = 0x1p-8 * fabs(curve) * horizon * horizon;
  const double rest = fabs(deviation) - 16.0 * noise;
  return copysign(nsd_smaller(fabs(beyond(deviation, noise)), nsd_larger(gentle, rest)), deviation);
}

static double horizon_of(const nsdyn_stepper *s)
{
  return s->options.project ? s->theta * s->dt : s->dt;
}

/* b of a contact in force whose κ is `curve`, and grows to no more than `most_curve`; `away`: how far from
 * its aim it is to come back. */
static double bias_of(const nsdyn_stepper *s, int k, double away, double curve, double most_curve,
                      double size)
{
  const nsd_scene *scene = &s->scene;
  const nsd_past *own = &scene->closed.past[k];
  const int row = scene->closed.contact[k].row;
  const double horizon = horizon_of(s), gamma = scene->problem.gamma[row];
  /* b = (g − g*) / Δt + ½ κ Δt (drift/keep_closed.h), `away` being g − g*. */
  const double bias = away / horizon + 0.5 * curve * horizon;
  if (bias < 0.0) {
    /* Out of the surface no faster than the contact comes, and than its curvature asks for: that costs no
     * energy, at kinks and after collisions neither. A steady κ wants a = ½ |κ| Δt, as fast as it comes; one
     * that comes at a + d leaves at a + ½ d only, or it would come at a − d next, and at a + d again, and its
     * force would jump from step to step for ever. */
    const double comes = gamma < 0.0 ? -gamma : 0.0, steady = 0.5 * most_curve * s->dt;
    const double most = nsd_smaller(comes, 0.5 * (comes + steady));
    return -nsd_smaller(-bias, nsd_smaller(most, 2.0 * fabs(curve) * horizon));
  }
  /* Farther away than anything moves it is open, and its distance need not be the problem's scale. */
  return nsd_smaller(bias, 4.0 * (size + own->size + fabs(nsd_scene_forced(scene, row, s->z))));
}

/* κ and b of unilateral contact k, which was closed in the step before as `before` says: 1 κ as observed,
 * 2 whether κ and forces explain the approach, 3 b in four cases. */
static void hold(const nsdyn_stepper *s, int k, const nsd_past *before)
{
  const nsd_scene *scene = &s->scene;
  nsd_past *own = &scene->closed.past[k];
  const int row = scene->closed.contact[k].row;
  const double gap = scene->closed.contact[k].gap, gamma = scene->problem.gamma[row];
  const double span = s->t_middle - s->history.seen;
  /* No time has passed, or this is an impact: what was known is still true. */
  if (!(span > 0.0) || s->dt == 0.0) {
    own->curve = before->curve;
    own->aim = before->aim;
    own->flags |= before->flags & (NSD_PAST_CURVE | NSD_PAST_BENT);
    return;
  }
  /* 1: κ of this step; of two steps the smaller one, since a kink shows in one of them only. */
  const int is_shown = nsd_keep_closed_is_shown(s);
  const double noise = nsd_contradiction_noise(s, s->most, nsd_scene_row(scene, row),
                                               scene->directions.w_hat[row], gap),
               curve = is_shown ? before->shown : observe_curve(before, gap, gamma, span, noise);
  const int is_second = before->flags & NSD_PAST_CURVE;
  int is_smooth;
  const double ahead = nsd_path_ahead(s, curve, is_second && (before->flags & NSD_PAST_SHOWN), before->curve,
                                      before->shown, &is_smooth);
  const double used = is_smooth ? ahead : is_second ? common(curve, before->curve) : curve;
  const double most = fabs(curve) + fabs(curve - before->curve);
  /* γ at the step's beginning; a contact first seen there needs no κ for it. */
  const int is_seen_there = !is_shown && (s->options.project || (before->flags & NSD_PAST_START));
  const double begin = is_seen_there ? before->speed : gamma - (1.0 - s->theta) * s->dt * used;
  /* 2: is the approach γᴬ what curvature, ½ (|κ| + |κ'|) T, and forces, |w M⁻¹ h Δt|, make of it? */
  const double change = 0.5 * span * (fabs(curve) + fabs(is_second ? before->curve : curve));
  const int is_bent = curve != 0.0 || (before->flags & NSD_PAST_BENT);
  /* Where κ changes its sign it says little; what forces do within a step is no collision either. */
  const double free = fabs(nsd_scene_forced(scene, row, s->z));
  const int is_explained = (is_bent || s->options.project) && fabs(begin) <= change + free;
  own->curve = curve;
  own->turn = s->theta * s->dt * used;
  own->flags |= NSD_PAST_CURVE | (is_bent ? NSD_PAST_BENT : 0);
  /* 3: b, in four cases. First: it was closed, but did not press. */
  if (!(before->flags & NSD_PAST_HELD)) {
    /* Where it now closes for good, its curvature is known already. */
    const double before_it = 1.0 - s->theta; /* where the step before has ended, that share of a step ago */
    const double way = s->options.project ? 0.5 * before_it * before_it * used * s->dt * s->dt : 0.0;
    own->aim = gap - way;
    own->bias =
        scene->closed.contact[k].law->eps_n == 0.0 ? bias_of(s, k, way, used, most, before->size) : 0.0;
    return;
  }
  /* Second: its gap is linear so far, and γᴱ = 0 holds it. */
  if (curve == 0.0 && !is_bent && gap <= 0.0) {
    own->aim = before->aim;
    return;
  }
  /* Third: it goes on pressing, and b leads it back to g*. */
  if (is_explained || begin >= 0.0) {
    /* A run that begins on the surface holds the gap that its first half step makes, by curvature alone. */
    const int is_start = !s->options.project && (before->flags & NSD_PAST_START);
    own->aim = is_shown             ? nsd_smaller(gap, 0.0)
               : s->options.project ? nsd_smaller(before->gap, 0.0)
               : is_start           ? gap
                                    : before->aim;
    /* What the velocities tell of the way since it was seen has no noise. What projection has just put there
     * has come no way. */
    const double told = is_start || is_shown ? 0.0 : 0.5 * span * (before->speed + gamma);
    const double away = told + takes_back((gap - told) - own->aim, noise, used, horizon_of(s));
    own->bias = is_smooth ? own->turn : bias_of(s, k, away, used, most, before->size);
    own->flags |= (is_explained ? NSD_PAST_CALM : 0) | (is_smooth ? NSD_PAST_PATH : 0);
    return;
  }
  /* Fourth: it comes faster than that, over a kink, and closes anew. */
  own->flags &= ~(NSD_PAST_CURVE | NSD_PAST_BENT);
  own->aim = nsd_smaller(gap, 0.0);
  own->bias = gap > 0.0 ? bias_of(s, k, gap, 0.0, 0.0, before->size) : 0.0;
}

/* ---- what projection would do otherwise ---- */

/* b of a row whose law is meant where steps end, since projection sees it there: of constraints, of slots,
 * of tangents. What its path, its surface or its drive make of γ until the step's middle they make
 * of it once more until its end, and where γᴱ + b = 0, b = θ κ Δt, nothing is left to the projection; that
 * does work of its own, which no law of friction limits, and of Λ half of M u̇ would be missing. Kinks are no
 * curvature: of two steps the smaller κ counts, as above. */
static double bias_of_path(const nsdyn_stepper *s, double curve, double before, double shown, int is_second)
{
  int is_smooth;
  const double ahead = nsd_path_ahead(s, curve, is_second, before, shown, &is_smooth);
  return s->theta * s->dt * (is_smooth ? ahead : is_second ? common(curve, before) : curve);
}

static void hold_slot(const nsdyn_stepper *s, int k, const nsd_past *before)
{
  const nsd_scene *scene = &s->scene;
  nsd_past *own = &scene->closed.past[k];
  own->curve = nsd_keep_closed_is_shown(s)
                   ? before->shown
                   : (scene->problem.gamma[scene->closed.contact[k].row] - before->speed) /
                         (s->t_middle - s->history.seen);
  own->bias = own->turn =
      bias_of_path(s, own->curve, before->curve, before->shown, before->flags & NSD_PAST_CURVE);
  own->flags |= NSD_PAST_CURVE;
}

static void hold_tangent(const nsdyn_stepper *s, int k, const nsd_past *before)
{
  const nsd_scene *scene = &s->scene;
  nsd_past *own = &scene->closed.past[k];
  const int is_shown = nsd_keep_closed_is_shown(s);
  own->swerve = is_shown ? before->shown_T
                         : (scene->problem.gamma[scene->closed.contact[k].row + 1] - before->slide) /
                               (s->t_middle - s->history.seen);
  own->bias_T =
      bias_of_path(s, own->swerve, before->swerve, before->shown_T, before->flags & NSD_PAST_SWERVE);
  own->flags |= NSD_PAST_SWERVE;
}

static void hold_constraint(const nsdyn_stepper *s, int i)
{
  const nsd_past *before = &s->drift[i];
  nsd_past *own = &s->drift_next[i];
  const double span = s->t_middle - s->history.seen;
  if (!s->options.project || !before->flags || !(span > 0.0)) {
    return;
  }
  own->curve = nsd_keep_closed_is_shown(s)
                   ? before->shown
                   : (s->scene.problem.gamma[s->scene.closed.contact_rows + i] - before->speed) / span;
  own->bias = bias_of_path(s, own->curve, before->curve, before->shown, before->flags & NSD_PAST_CURVE);
  own->flags |= NSD_PAST_CURVE;
}

/* Whether a contact is closed as it was, and its directions still are what they were, so that nothing has
 * bent it: then all stays, and most contacts of machines with flat surfaces are such. */
static inline int goes_on(const nsdyn_stepper *s, const nsd_closed *c, const nsd_past *before)
{
  return c->index >= 0 &&
         (before->flags & (NSD_PAST_KNOWN | NSD_PAST_BENT | NSD_PAST_START)) == NSD_PAST_KNOWN &&
         s->scene.problem.gamma[c->row] == before->speed && before->shown == 0.0 && c->gap <= 0.0 &&
         s->dt > 0.0;
}

/* Of contact k, in the normal direction. */
static void begin_normal(nsdyn_stepper *s, int k, const nsd_past *before)
{
  nsd_scene *scene = &s->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  nsd_past *own = &scene->closed.past[k];
  if (before && goes_on(s, c, before)) {
    own->aim = before->flags & NSD_PAST_HELD ? before->aim : c->gap;
    own->size = before->size;
    own->wide = before->wide;
    own->flags |= NSD_PAST_CURVE;
    return;
  }
  nsd_contradiction_measure(s, s->most, nsd_scene_row(scene, c->row), scene->directions.w_hat[c->row],
                            &own->size, &own->wide);
  if (before && c->law->kind != NSDYN_CONTACT_BILATERAL) {
    hold(s, k, before);
  } else if (before && s->options.project && s->dt > 0.0 && s->t_middle > s->history.seen) {
    hold_slot(s, k, before);
  }
  if (!(own->flags & NSD_PAST_CURVE)) {
    scene->closed.is_watched |= NSD_WATCH_NEW;
  }
}

/* The law of Stewart & Trinkle (1996), 0 <= γ_N + g_N / Δt ⊥ Λ_N >= 0: instead of any other bias. */
static void add_gap_term(nsdyn_stepper *s, int k)
{
  nsd_scene *scene = &s->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  if (s->options.gap_term && s->dt > 0.0 && c->law->kind != NSDYN_CONTACT_BILATERAL) {
    scene->closed.past[k].bias = c->gap / s->dt;
    scene->closed.past[k].aim = 0.0;
    scene->closed.is_watched |= NSD_WATCH_BENT;
  }
}

static void begin(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const int is_projected = s->options.project && s->dt > 0.0 && s->t_middle > s->history.seen;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    nsd_past *own = &scene->closed.past[k];
    const nsd_past nothing = {.gap = c->gap, .aim = c->gap, .flags = NSD_PAST_KNOWN};
    *own = nothing;
    if (nsd_scene_is_straight(scene, k)) {
      add_gap_term(s, k);
      continue;
    }
    const nsd_past *last = nsd_history_past(&s->history, c);
    const nsd_past *before = last && !(last->flags & NSD_PAST_LANDED) ? last : NULL;
    begin_normal(s, k, before);
    if (last && !before && c->gap > 0.0) { /* it has landed, and its surface curves away from it */
      own->aim = last->aim;
      own->bias = bias_of(s, k, c->gap - own->aim, 0.0, 0.0, last->size);
    }
    add_gap_term(s, k);
    if (is_projected && before && (before->flags & NSD_PAST_SLIDE)) {
      hold_tangent(s, k, before);
    }
    if (own->bias != 0.0 || own->bias_T != 0.0 || (own->flags & NSD_PAST_CALM)) {
      scene->closed.is_watched |= NSD_WATCH_BENT;
    }
  }
}

int nsd_keep_closed_add_b(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  int any = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    /* An approach that curvature explains is no collision, and ε γᴬ of it would be a hop in each step. */
    const double e_N = nsd_keep_closed_explains(scene, k) ? 0.0 : scene->problem.shift[c->row];
    for (int row = c->row + 1; row < c->row + c->rows; row++) {
      any |= scene->problem.shift[row] != 0.0;
    }
    any |= e_N != 0.0;
    scene->problem.shift[c->row] = e_N + scene->closed.past[k].bias;
    if (c->rows == 2) {
      scene->problem.shift[c->row + 1] += scene->closed.past[k].bias_T;
    }
  }
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    scene->problem.shift[r] = s->dt > 0.0 ? s->drift_next[r - scene->closed.contact_rows].bias : 0.0;
  }
  return any;
}

int nsd_keep_closed_forget_b(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  int any = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    nsd_past *own = &scene->closed.past[k];
    any |= own->bias != 0.0 || own->bias_T != 0.0;
    own->bias = own->bias_T = own->turn = 0.0;
  }
  for (int i = 0; s->dt > 0.0 && i < scene->closed.rows - scene->closed.contact_rows; i++) {
    any |= s->drift_next[i].bias != 0.0;
    s->drift_next[i].bias = 0.0;
  }
  return any;
}

/* ---- contacts that have just closed ---- */

/* Whether contact k has closed in this step, for good, and nothing is known of its curvature. */
static int is_new(const nsdyn_stepper *s, int k)
{
  const nsd_scene *scene = &s->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_past *own = &scene->closed.past[k];
  const double speed = scene->solution.xi[c->row] - scene->problem.shift[c->row];
  const int is_compression = s->impact == NSDYN_IMPACT_POISSON && c->law->eps_n > 0.0;
  return !nsd_scene_is_straight(scene, k) && !(own->flags & NSD_PAST_CURVE) && own->bias == 0.0 &&
         c->mode != NSDYN_MODE_OPEN && c->law->kind == NSDYN_CONTACT_UNILATERAL && !is_compression &&
         speed <= s->options.tol * s->scale;
}

/* Of found contacts the new ones are looked for, all equally far. */
typedef struct new_ones {
  const nsdyn_stepper *stepper;
  double margin;
} new_ones;

static double name_new(const void *who, int32_t k, int64_t *key, double *span)
{
  const new_ones *n = who;
  *span = 0.0;
  *key = n->stepper->scene.closed.contact[k].key;
  return n->stepper->scene.closed.contact[k].index < 0 && is_new(n->stepper, k) ? n->margin : -1.0;
}

/* Gaps at (t, q): of contacts known in advance into the scene's g, of new ones among those found into its
 * sink. */
nsdyn_status nsd_keep_closed_find_gaps(nsdyn_stepper *s, double t, const double *q, double margin,
                                       const nsd_wish *wish)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsdyn_status status = nsd_call_configure(def, t, q, &s->fault);
  status = status ? status : nsd_call_gap(def, t, q, s->scene.closed.g, &s->fault);
  status = status ? status : nsd_scene_blame_gaps(&s->scene, &s->fault);
  return status || !def->find ? status
                              : nsd_sink_find_wished(&s->scene.closed.sink, t, q, NULL, margin, wish);
}

/* The gap of contact k there; infinite where it is out of sight. */
double nsd_keep_closed_gap_there(const nsd_scene *scene, const nsd_closed *c)
{
  if (c->index >= 0) {
    return scene->closed.g[c->index];
  }
  const int64_t place = nsd_keys_find(&scene->closed.sink.keys, c->key);
  return place < 0 ? INFINITY : scene->closed.sink.found[place].gap;
}

/* Bias of a contact that has closed, from its gap after the horizon; 0 where rounding hides it. sum_of_q:
 * Σ |q_j|, of which gaps may be made. */
static double foresee(const nsdyn_stepper *s, int k, double there, double horizon, double sum_of_q)
{
  const nsd_scene *scene = &s->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_past *own = &scene->closed.past[k];
  const double speed = scene->solution.xi[c->row] - scene->problem.shift[c->row];
  const double bent = (there - c->gap) - horizon * speed; /* ½ κ horizon² */
  const nsd_row w = nsd_scene_row(scene, c->row);
  const double size =
      fabs(c->gap) + horizon * (own->wide + nsd_row_size(0.0, w, s->u_next)) + nsd_row_largest(w) * sum_of_q;
  /* A turn by a quarter is no curvature that steps of this length resolve. */
  if (!(fabs(bent) > NSD_BEND_ROUNDING * size && fabs(bent) <= 0.25 * horizon * own->wide)) {
    return 0.0;
  }
  /* b = ½ κ Δt of `bent` = ½ κ horizon², the horizon being Δt, or θ Δt with the option `project`. */
  return (s->options.project ? 1.0 / s->theta : 1.0) * bent / horizon;
}

nsdyn_status nsd_keep_closed_foresee(nsdyn_stepper *s, int *again)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_scene *scene = &s->scene;
  const double horizon = horizon_of(s);
  double margin = -1.0;
  /* 1: how far off the new contacts may get: found ones have to be asked for. */
  for (int k = 0; k < scene->closed.count; k++) {
    if (is_new(s, k)) {
      margin = nsd_larger(scene->closed.past[k].wide * horizon, margin);
    }
  }
  if (!(margin >= 0.0 && margin <= DBL_MAX)) {
    return NSDYN_OK;
  }
  /* 2: where the velocities that were solved lead to within the horizon, q' = qᴹ + uᴱ horizon. */
  nsd_scene_velocities(scene, &s->inertia, s->z, scene->solution.Lambda, s->du);
  nsd_lanes_combine(def->nu, s->u, 1.0, s->du, s->u_next);
  nsdyn_status status =
      nsd_call_move(def, s->t_middle, s->q_middle, s->u_next, horizon, s->q_next, &s->fault);
  if (status == NSDYN_OK && nsd_lanes_bounded(def->nq, s->q_next) != 0.0) {
    status = nsd_scheme_blame_coordinates(s, s->q_next);
  }
  if (status) {
    return status;
  }
  /* 3: g(q') − g − γᴱ horizon = ½ κ horizon² gives b of each new contact. */
  const new_ones who = {s, margin};
  const nsd_wish wish = {.near = -1.0, .named = scene->closed.count, .name = name_new, .who = &who};
  status = nsd_keep_closed_find_gaps(s, s->t_middle + horizon, s->q_next, margin, &wish);
  const double sum_of_q = nsd_row_size(0.0, nsd_row_dense(def->nq, s->q_middle), NULL);
  for (int k = 0; status == NSDYN_OK && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double there = nsd_keep_closed_gap_there(scene, c);
    const double bias =
        is_new(s, k) && fabs(there) <= DBL_MAX ? foresee(s, k, there, horizon, sum_of_q) : 0.0;
    if (bias != 0.0) {
      nsd_past *own = &scene->closed.past[k];
      own->bias = bias;
      own->turn = 2.0 * s->theta * bias;
      own->curve = 2.0 * (s->options.project ? s->theta : 1.0) * bias / horizon;
      own->flags |= NSD_PAST_CURVE | NSD_PAST_BENT;
      scene->problem.shift[c->row] += bias;
      scene->closed.is_watched |= NSD_WATCH_BENT;
      *again = 1;
    }
  }
  /* The gaps of the step are those that it saw. */
  status = status ? status : nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
  status = status ? status : nsd_call_gap(def, s->t_middle, s->q_middle, scene->closed.g, &s->fault);
  return status ? status : nsd_scene_blame_gaps(scene, &s->fault);
}

nsdyn_status nsd_keep_closed_begin(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  nsdyn_status status = NSDYN_OK;
  s->most = nsd_contradiction_magnitude(s, s->q_middle);
  begin(s);
  for (int k = 0; status == NSDYN_OK && s->dt > 0.0 && k < scene->closed.count; k++) {
    const nsd_past *before = nsd_history_past(&s->history, &scene->closed.contact[k]);
    if (before && !(before->flags & NSD_PAST_LANDED) && nsd_contradiction_is_worth_a_look(s, k, before)) {
      status = nsd_contradiction_contact(s, k, before);
    }
  }
  for (int i = 0; status == NSDYN_OK && s->dt > 0.0 && i < scene->closed.rows - scene->closed.contact_rows;
       i++) {
    status = nsd_contradiction_constraint(s, i);
    hold_constraint(s, i);
    s->scene.closed.is_watched |= s->drift_next[i].bias != 0.0 ? NSD_WATCH_BENT : 0;
  }
  nsd_split_put_b(s);
  return status;
}

/* ---- the step's end ---- */

static double speed_at(const nsd_scene *scene, int row, const double *u)
{
  return nsd_scene_dot(scene, row, u) + scene->directions.w_hat[row];
}

/* What moves contact k in a step, all other impulses being as they are. */
static double moved_by_others(const nsdyn_stepper *s, int k, double speed)
{
  const nsd_scene *scene = &s->scene;
  const int row = scene->closed.contact[k].row;
  const double G = scene->problem.G[(size_t)row * ((size_t)scene->problem.ldg + 1)];
  return speed - G * scene->solution.Lambda[row] - scene->problem.gamma[row];
}

/* What moves contact k in each step to come: as above, but towards closing no faster than forces alone could,
 * since impulses of collisions do not come again; and its curvature. */
static double moved_by_forces(const nsdyn_stepper *s, int k, double speed)
{
  const double most = nsd_scene_forced_size(&s->scene, s->scene.closed.contact[k].row, s->z);
  return nsd_larger(moved_by_others(s, k, speed), -most) + s->scene.closed.past[k].curve * s->dt;
}

/* Whether what contact k gives back ends within the next step, so that its hops, which curvature and moving
 * floors, and projection that takes its depth away, begin anew in each step, are over: at `speed` it leaves,
 * at speed + a Δt it would come back, with a Δt what moves it and what its curvature adds. */
static int ends_its_hops(const nsdyn_stepper *s, int k, double speed)
{
  const int begins_anew = (s->scene.closed.past[k].flags & NSD_PAST_BENT) || s->options.project;
  return begins_anew && speed + 0.5 * moved_by_forces(s, k, speed) <= 0.0;
}

int nsd_keep_closed_leaves(const nsdyn_stepper *s, int k, const double *u)
{
  const nsd_scene *scene = &s->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const nsd_past *own = &scene->closed.past[k];
  if (!scene->closed.is_watched || c->mode == NSDYN_MODE_OPEN || c->law->kind != NSDYN_CONTACT_UNILATERAL ||
      (own->flags & NSD_PAST_CALM)) {
    return 0;
  }
  const double rounding = s->solved ? s->options.tol * s->scale : 0.0;
  const double speed = speed_at(scene, c->row, u);
  return speed + own->bias > rounding && !ends_its_hops(s, k, speed);
}

/* Projection takes away the depth to which a contact falls within a step, and that gives back what ε took: a
 * hop of n steps leaves with v, lands with n a Δt − v, and goes on for ever where v = ε (n a Δt − v) makes it
 * last longer than n − 1 steps, n < (1 + ε) / (1 − ε). Hops that short are over at once. With ε near 1 that
 * would be hops which one wants to see. */
void nsd_keep_closed_end_hops(nsdyn_stepper *s, int *again)
{
  nsd_scene *scene = &s->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double eps = c->law->eps_n, steps = (1.0 + eps) / (1.0 - eps);
    const double speed = scene->solution.xi[c->row] - scene->problem.shift[c->row];
    if (scene->problem.shift[c->row] < 0.0 && speed > 0.0 && eps < 1.0 && steps <= LONGEST_HOP &&
        speed + 0.5 * steps * moved_by_forces(s, k, speed) <= 0.0) {
      scene->problem.shift[c->row] = scene->closed.past[k].bias;
      scene->closed.past[k].flags |= NSD_PAST_CALM;
      scene->closed.is_watched |= NSD_WATCH_BENT;
      *again = 1;
    }
  }
}

/* What contact k has shown of its curvature from where the step took it to the step's end, where it is
 * `place` of the scene there, but for what the projection did to it. */
static void show(const nsdyn_stepper *s, int k, const nsd_scene *corrected, int place)
{
  const nsd_scene *scene = &s->scene;
  const nsd_closed *c = &scene->closed.contact[k], *there = &corrected->closed.contact[place];
  nsd_past *own = &scene->closed.past[k];
  const double span = s->theta * s->dt;
  const double noise = nsd_contradiction_noise(s, s->most, nsd_scene_row(scene, c->row),
                                               scene->directions.w_hat[c->row], there->gap);
  /* g and γ of (qᴱ, uᴱ) before δ, along the directions after it. */
  const double gap = there->gap - nsd_scene_dot(corrected, there->row, nsd_projection_moved(s)),
               gamma = speed_at(corrected, there->row, s->u_solved);
  /* Schemes that project may take the gap there by more than their velocities tell. */
  const int by_speed = c->law->kind == NSDYN_CONTACT_BILATERAL || s->scheme->projects;
  own->shown = by_speed ? (gamma - own->speed) / span : observe_curve(own, gap, gamma, span, noise);
  own->flags |= NSD_PAST_SHOWN;
  if (c->rows == 2) { /* in space the axes T1 and T2 may have turned */
    own->shown_T =
        (speed_at(corrected, there->row + 1, s->u_solved) - speed_at(scene, c->row + 1, s->u_solved)) / span;
  }
}

/* What contact k was where the step took it, as the projection has moved it. */
static void leave_there(const nsdyn_stepper *s, int k)
{
  const nsd_scene *scene = &s->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  nsd_past *own = &scene->closed.past[k];
  own->gap += nsd_scene_dot(scene, c->row, nsd_projection_moved(s));
  own->speed += nsd_contradiction_kick(s, nsd_scene_row(scene, c->row));
  own->flags |= c->rows == 2 ? NSD_PAST_SLIDE : 0;
}

/* The same of constraint i, and what the next step is to compare with. */
static void end_constraint(nsdyn_stepper *s, int i, const nsd_scene *corrected)
{
  nsd_past *own = &s->drift_next[i];
  const int row = s->scene.closed.contact_rows + i, there = corrected->closed.contact_rows + i;
  if (nsd_keep_closed_is_shown(s) || s->scheme->projects) {
    own->shown = (speed_at(corrected, there, s->u_solved) - own->speed) / (s->theta * s->dt);
    own->flags |= NSD_PAST_SHOWN;
  }
  if (nsd_keep_closed_is_shown(s)) {
    own->gap += nsd_scene_dot(&s->scene, row, nsd_projection_moved(s));
    own->speed += nsd_contradiction_kick(s, nsd_scene_row(&s->scene, row));
  } else {
    own->gap = corrected->directions.g_b[i];
    own->speed = speed_at(corrected, there, s->u_next);
  }
}

void nsd_keep_closed_end(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  const nsd_scene *corrected = s->options.project && s->dt > 0.0 ? nsd_projection_scene(s) : NULL;
  const double rounding = s->solved ? s->options.tol * s->scale : 0.0;
  const double *u = corrected ? s->u_solved : s->u_next; /* what the law gave */
  int from = 0;
  const int is_shown = corrected && nsd_keep_closed_is_shown(s);
  const int shows = is_shown || s->scheme->projects;
  s->history.seen = corrected && !is_shown ? s->t_next : s->t_middle;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    nsd_past *own = &scene->closed.past[k];
    const double speed = speed_at(scene, c->row, u);
    const int place = corrected ? nsd_scene_place_of(corrected, c, &from) : -1;
    const int presses = c->kept || c->mode != NSDYN_MODE_OPEN;
    own->speed = speed;
    /* In force: it pressed and γ_Nᴱ + b = 0 but for rounding, or its hops are over. */
    const int is_slot = c->law->kind == NSDYN_CONTACT_BILATERAL;
    if (!nsd_scene_is_straight(scene, k) &&
        (is_slot || (presses && (speed + own->bias <= rounding || ends_its_hops(s, k, speed))))) {
      own->flags |= NSD_PAST_HELD;
    }
    if (place >= 0 && shows) {
      show(s, k, corrected, place);
    }
    if (place >= 0 && is_shown) {
      leave_there(s, k);
      continue;
    }
    /* Projection has moved it: the next step compares with what it is now. */
    if (place >= 0) {
      const int row = corrected->closed.contact[place].row;
      own->gap = corrected->closed.contact[place].gap;
      own->speed = speed_at(corrected, row, s->u_next);
      if (c->rows == 2) { /* in space the axes T1 and T2 may have turned */
        own->slide = speed_at(corrected, row + 1, s->u_next);
        own->flags |= NSD_PAST_SLIDE;
      }
    } else if (corrected) {
      /* seen in the middle; from there the projection has moved it, too */
      own->gap += nsd_scene_dot(scene, c->row, nsd_projection_moved(s));
      own->speed += nsd_contradiction_kick(s, nsd_scene_row(scene, c->row));
      own->flags = NSD_PAST_KNOWN | NSD_PAST_MIDDLE; /* it is far away where the step ends */
    }
  }
  for (int i = 0; s->dt > 0.0 && i < scene->closed.rows - scene->closed.contact_rows; i++) {
    nsd_past *own = &s->drift_next[i];
    own->speed = speed_at(scene, scene->closed.contact_rows + i, u);
    if (corrected) {
      end_constraint(s, i, corrected);
    }
    own->impulse[0] =
        scene->problem.is_spatial ? scene->solution.Lambda[scene->closed.contact_rows + i] : 0.0;
    s->drift[i] = *own;
  }
}
