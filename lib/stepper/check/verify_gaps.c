/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/check/verify_gaps.h"

#include <float.h>
#include <math.h>

#include "base/tolerances.h"
#include "stepper/scheme/implicit.h"

/* Steps in a row that have to contradict a direction before it is blamed. */
enum { MOST_WORSE = 3 };

/* A change is explained by a motion of at least 7/16 of it. Between one half and twice it may be another
 * length: gaps by functions whose slope is not one, told with directions whose slope is. */
#define UNEXPLAINED 0.5625

/* ---- sizes ---- */

void nsd_contradiction_measure(const nsdyn_stepper *s, nsd_magnitude most, nsd_row w, double w_hat,
                               double *size, double *wide)
{
  *size = nsd_row_size(fabs(w_hat), w, s->u);
  *wide = nsd_row_largest(w) * most.u + fabs(w_hat);
}

/* Its surface is seen at a time that is rounded, twice in a step, and the coordinates are. At t = 1e6 s, with
 * steps of a microsecond, that is more than curvature makes of the gap in a step, and divided by Δt it would
 * shake the force. */
double nsd_contradiction_noise(const nsdyn_stepper *s, nsd_magnitude most, nsd_row w, double w_hat,
                               double gap)
{
  return 2.0 * DBL_EPSILON * (fabs(gap) + fabs(w_hat) * fabs(s->t_middle) + nsd_row_largest(w) * most.q);
}

/* ---- what was seen twice ---- */

/* One gap of `before` and now. */
typedef struct sight {
  nsd_row w;
  double w_hat, gap, gamma; /* now */
  double span, size, wide;
  double change, said, lost;
} sight;

static void look_at(const nsdyn_stepper *s, const nsd_past *before, double speed_before, sight *x)
{
  nsd_contradiction_measure(s, s->most, x->w, x->w_hat, &x->size, &x->wide);
  x->change = x->gap - before->gap;
  /* g' − g should be ½ (γ + γ') T, the trapezoidal rule. */
  x->said = 0.5 * x->span * (x->gamma + speed_before);
  x->lost = x->change - x->said;
  x->size = nsd_larger(x->size, before->size);
}

static int is_unexplained(const sight *x)
{
  return fabs(x->lost) > UNEXPLAINED * nsd_larger(fabs(x->change), fabs(x->said));
}

/* What is left of a gap that changed from one number to the other by rounding: of these two, and in each of
 * the steps of the terms that it is made of. */
static double rounding_of(const nsdyn_stepper *s, nsd_magnitude most, nsd_row w, double w_hat, double gap,
                          double before, int steps)
{
  return NSD_GAP_CHANGE_ROUNDING * (fabs(gap) + fabs(before)) +
         2.0 * (MOST_WORSE + steps) * nsd_contradiction_noise(s, most, w, w_hat, gap);
}

/* Two steps' way. */
static double allowance(double span, double size)
{
  return 2.0 * span * size;
}

/* One more step that was not explained; in the other direction it is the first one. What rounding makes of a
 * gap in one step explains nothing and contradicts nothing: it ends the row, or a lift by the projection,
 * which is one step, and two steps at rest would be a contradiction. Returns whether they are too many. */
static int count(const nsdyn_stepper *s, const nsd_past *before, const sight *x, nsd_past *own)
{
  if (fabs(x->lost) <= rounding_of(s, s->most, x->w, x->w_hat, x->gap, before->gap, 0)) {
    own->worse = 0;
    own->lost = 0.0;
    return 0;
  }
  const int goes_on = before->worse > 0 && before->lost * x->lost > 0.0;
  own->worse = 1 + (goes_on ? before->worse : 0);
  own->lost = x->lost + (goes_on ? before->lost : 0.0);
  own->size = x->size; /* the largest of them all: at dead centres it is small */
  return own->worse >= MOST_WORSE &&
         fabs(own->lost) > allowance(x->span, x->size) +
                               rounding_of(s, s->most, x->w, x->w_hat, x->gap, before->gap, own->worse);
}

/* ---- contacts and constraints of the step ---- */

/* Away from zero on either side, which what is held there does not do. */
static int is_farther(const sight *x, double before)
{
  return fabs(x->gap) > fabs(before) && x->gap * x->change > 0.0 && fabs(x->lost) >= 0.5 * fabs(x->change);
}

static int is_suspect(const nsdyn_stepper *s, int k, const nsd_past *before, const sight *x)
{
  if (s->scene.closed.contact[k].law->kind == NSDYN_CONTACT_BILATERAL) {
    return is_farther(x, before->gap);
  }
  /* It gets deeper, and γ_N tells less than half of that. */
  if (nsd_contradiction_is_deeper(x->gap, before->gap) && x->lost <= 0.5 * x->change) {
    return 1;
  }
  const double least = before->flags & NSD_PAST_HELD ? NSD_THIRD_ORDER * x->span * x->size : 0.0;
  return !nsd_scene_is_straight(&s->scene, k) && fabs(x->lost) > least && is_unexplained(x);
}

nsdyn_status nsd_contradiction_contact(nsdyn_stepper *s, int k, const nsd_past *before)
{
  const nsd_closed *c = &s->scene.closed.contact[k];
  const int is_straight = nsd_scene_is_straight(&s->scene, k);
  sight x = {.w = nsd_scene_row(&s->scene, c->row),
             .w_hat = s->scene.directions.w_hat[c->row],
             .gap = c->gap,
             .gamma = s->scene.problem.gamma[c->row],
             .span = s->t_middle - s->history.seen};
  if (!(x.span > 0.0)) {
    return NSDYN_OK;
  }
  /* Directions that never change tell the same of γ before. */
  look_at(s, before, is_straight ? x.gamma : before->speed, &x);
  if (is_suspect(s, k, before, &x) && count(s, before, &x, &s->scene.closed.past[k])) {
    return nsd_blame_directions(&s->fault, nsd_closed_subject(c), x.gap, x.change, x.said);
  }
  return NSDYN_OK;
}

nsdyn_status nsd_contradiction_constraint(nsdyn_stepper *s, int i)
{
  const nsd_scene *scene = &s->scene;
  const int row = scene->closed.contact_rows + i;
  const nsd_past *before = &s->drift[i];
  nsd_past *own = &s->drift_next[i];
  sight x = {.w = nsd_scene_row(scene, row),
             .w_hat = scene->directions.w_hat[row],
             .gap = scene->directions.g_b[i],
             .gamma = scene->problem.gamma[row],
             .span = s->t_middle - s->history.seen};
  const nsd_past begin = {.gap = x.gap, .flags = NSD_PAST_KNOWN};
  *own = begin;
  nsd_contradiction_measure(s, s->most, x.w, x.w_hat, &own->size, &own->wide);
  if (!before->flags || !(x.span > 0.0)) {
    return NSDYN_OK;
  }
  look_at(s, before, before->speed, &x);
  if (is_farther(&x, before->gap) && count(s, before, &x, own)) {
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    return nsd_blame_directions(&s->fault, who, x.gap, x.change, x.said);
  }
  return NSDYN_OK;
}

/* ---- contacts that close for the first time ---- */

static nsdyn_status ask(nsdyn_stepper *s, const nsd_closed *c, int row)
{
  const nsd_scene *scene = &s->scene;
  const nsdyn_system_def *def = &s->sys->def;
  /* v = M⁻¹ w_r, or M̂⁻¹ w_r: any v with w_r v > 0 serves. What the step before began with is not asked for
   * any more. */
  const nsd_inertia *inertia = nsd_implicit_inertia(s);
  double *v = s->u_begin;
  nsd_row_expand(nsd_scene_row(scene, c->row + row), v);
  if (inertia->factored) {
    nsd_inertia_forward(inertia, v);
    nsd_inertia_backward(inertia, v);
  } else {
    const nsdyn_status status = nsd_call_solve_mass(def, s->t_middle, s->q_middle, 1, v, &s->fault);
    if (status) {
      return status;
    }
  }
  for (int r = 0; r < c->rows; r++) {
    nsd_row_expand(nsd_scene_row(scene, c->row + r), s->stray_row + (size_t)r * (size_t)def->nu);
  }
  const nsd_closing_look look = {.t = s->t_middle,
                                 .q = s->q_middle,
                                 .index = c->index,
                                 .rows = c->rows,
                                 .row = row,
                                 .w = s->stray_row,
                                 .w_hat = scene->directions.w_hat[c->row],
                                 .v = v,
                                 .q_probe = s->q_begin,
                                 .g = scene->closed.g,
                                 .W = s->stray_row}; /* it has been read by then */
  return nsd_closing_ask(&s->closing, def, &look, &s->fault);
}

nsdyn_status nsd_contradiction_closing(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < scene->closed.known; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int rows = s->closing.asked[c->index] ? 0 : c->rows;
    for (int row = 0; status == NSDYN_OK && row < rows; row++) {
      status = ask(s, c, row);
    }
  }
  return status;
}

/* ---- contacts that were closed ---- */

/* Whether found contact `place` of the sink is closed; those that are stand in the sink's order. */
static int is_found_closed(const nsd_scene *scene, int64_t place)
{
  int from = scene->closed.known, to = scene->closed.count;
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (scene->closed.contact[middle].found == place) {
      return 1;
    }
    *(scene->closed.contact[middle].found < place ? &from : &to) =
        middle + (scene->closed.contact[middle].found < place);
  }
  return 0;
}

/* Likewise of contacts known in advance, by their numbers. */
static int is_known_closed(const nsd_scene *scene, int32_t index)
{
  int from = 0, to = scene->closed.known;
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (scene->closed.contact[middle].index == index) {
      return 1;
    }
    *(scene->closed.contact[middle].index < index ? &from : &to) =
        middle + (scene->closed.contact[middle].index < index);
  }
  return 0;
}

/* Gap and directions of an open contact in the middle of the step, or the directions at another time `t` of
 * it; *is_there: it has some. */
static nsdyn_status see(nsdyn_stepper *s, double t, const double *q, int32_t index, int64_t key, sight *x,
                        int *is_there)
{
  nsd_scene *scene = &s->scene;
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, index, index < 0 ? key : 0};
  const int nu = s->inertia.nu;
  *is_there = 0;
  if (index < 0) {
    const int64_t place = nsd_keys_find(&scene->closed.sink.keys, key);
    if (place < 0 || is_found_closed(scene, place)) {
      return NSDYN_OK;
    }
    x->w = nsd_sink_row(&scene->closed.sink, (int32_t)place, 0);
    x->w_hat = scene->closed.sink.found[place].w_hat[0];
    x->gap = scene->closed.sink.found[place].gap;
  } else {
    x->gap = scene->closed.g[index];
    if (is_known_closed(scene, index) || !(x->gap <= DBL_MAX)) {
      return NSDYN_OK;
    }
    const nsd_direction_cache *cache = scene->directions.cache;
    if (cache && cache->is_kept[index]) {
      x->w = nsd_row_dense(nu, cache->W + (size_t)cache->row[index] * (size_t)nu);
      x->w_hat = cache->w_hat[cache->row[index]];
    } else {
      double *w_hat = s->stray_row + NSD_CONTACT_ROWS * (size_t)nu;
      const nsdyn_status status =
          nsd_call_direction(&s->sys->def, t, q, index, s->stray_row, w_hat, &s->fault);
      if (status) {
        return status;
      }
      x->w = nsd_row_dense(nu, s->stray_row);
      x->w_hat = *w_hat;
    }
  }
  *is_there = 1;
  /* What a sink has is numbers. */
  const nsdyn_status status =
      index < 0 ? NSDYN_OK : nsd_blame_matrix(&s->fault, "direction", who, "W", 1, nu, x->w.w);
  return status ? status
                : nsd_blame_vector(&s->fault, index < 0 ? "find" : "direction", who, NSDYN_DETAIL_CONTACT,
                                   "w_hat", 1, &x->w_hat);
}

/* A contact that has opened though it closes goes on being followed. */
static nsdyn_status follow(nsdyn_stepper *s, const nsd_stray *before)
{
  nsd_history *history = &s->history;
  sight x = {.span = s->t_middle - before->seen};
  int is_there;
  const nsdyn_status status =
      see(s, s->t_middle, s->q_middle, (int32_t)before->index, before->key, &x, &is_there);
  if (status || !is_there || !(x.span > 0.0)) {
    return status;
  }
  x.gamma = nsd_row_dot(x.w, s->u) + x.w_hat;
  const int is_straight = s->scene.directions.cache && before->index >= 0;
  look_at(s, &before->past, is_straight ? x.gamma : before->past.speed, &x);
  /* What is told of a contact out of sight may be anything that does not change. */
  if (!(x.change > 0.0) || x.gap <= 0.0 || !is_unexplained(&x)) {
    return NSDYN_OK;
  }
  const nsdyn_status has_room = nsd_history_reserve_strays(history, history->stray_next_count + 1);
  if (has_room) {
    return nsd_fault_set(&s->fault, has_room, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts",
                         history->stray_next_count + 1);
  }
  nsd_stray *own = &history->strays_next[history->stray_next_count++];
  const nsd_stray stray = {.key = before->key,
                           .index = before->index,
                           .seen = s->t_middle,
                           .past = {.gap = x.gap,
                                    .speed = nsd_row_dot(x.w, s->u_next) + x.w_hat,
                                    .size = x.size,
                                    .wide = x.wide,
                                    .flags = NSD_PAST_KNOWN}};
  *own = stray;
  if (!count(s, &before->past, &x, &own->past)) {
    return NSDYN_OK;
  }
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, (int32_t)own->index, own->index < 0 ? own->key : 0};
  return nsd_blame_directions(&s->fault, who, x.gap, x.change, x.said);
}

double nsd_contradiction_kick(const nsdyn_stepper *s, nsd_row w)
{
  /* From place to place the gap changes by a T γ(uᴱ), then, from uᴱ corrected to u, by (1 − a) T γ(u), each
   * at the mean of w at its ends. The trapezoidal rule asks for γ before + γ(u) there; what it misses is
   * this. */
  return (2.0 * s->theta - 1.0) * (nsd_row_dot(w, s->u_solved) - nsd_row_dot(w, s->u_next));
}

nsdyn_status nsd_contradiction_lift(nsdyn_stepper *s, const double *delta)
{
  nsd_history *history = &s->history;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; status == NSDYN_OK && k < history->stray_next_count; k++) {
    nsd_stray *own = &history->strays_next[k];
    sight x = {.gap = own->past.gap};
    int is_there;
    status = see(s, s->t_next, s->q_next, (int32_t)own->index, own->key, &x, &is_there);
    /* g + w δ: what the projection has moved is no contradiction, nor is by how much it changed w u + ŵ. */
    if (status == NSDYN_OK && is_there) {
      own->past.gap += nsd_row_dot(x.w, delta);
      own->past.speed += nsd_contradiction_kick(s, x.w);
    }
  }
  return status;
}

/* When a contact of the step before was seen. */
static double seen_at(const nsdyn_stepper *s, const nsd_past *past)
{
  return past->flags & NSD_PAST_MIDDLE ? s->t - s->theta * s->slack_dt : s->history.seen;
}

nsdyn_status nsd_contradiction_follow(nsdyn_stepper *s)
{
  nsd_history *history = &s->history;
  nsdyn_status status = NSDYN_OK;
  history->stray_next_count = 0;
  s->most = nsd_contradiction_magnitude(s, s->q_middle);
  for (int k = 0; status == NSDYN_OK && k < history->stray_count; k++) {
    const nsd_stray stray = history->strays[k]; /* they may move */
    status = follow(s, &stray);
  }
  for (int k = 0; status == NSDYN_OK && k < history->known_count; k++) {
    const int32_t i = history->known[k];
    const nsd_stray stray = {
        .past = history->past[i], .key = i, .index = i, .seen = seen_at(s, &history->past[i])};
    status = stray.past.flags & NSD_PAST_KNOWN ? follow(s, &stray) : NSDYN_OK;
  }
  for (int k = 0; status == NSDYN_OK && k < history->found_count; k++) {
    const nsd_stray stray = {.past = history->found_past[k],
                             .key = history->found_key[k],
                             .index = -1,
                             .seen = seen_at(s, &history->found_past[k])};
    status = stray.past.flags & NSD_PAST_KNOWN ? follow(s, &stray) : NSDYN_OK;
  }
  return status;
}

/* ---- bounds ---- */

/* Of a number that is `now` away from zero. */
static double bound_of(const nsdyn_stepper *s, const nsd_past *own, int row, double now)
{
  const nsd_row w = nsd_scene_row(&s->scene, row);
  const double w_hat = s->scene.directions.w_hat[row];
  double size, wide;
  const nsd_magnitude most = nsd_contradiction_magnitude(s, s->q_middle);
  nsd_contradiction_measure(s, most, w, w_hat, &size, &wide);
  /* What the directions have missed in so many steps is an error of theirs, and not of the solution. */
  const double lost = own->worse >= MOST_WORSE ? fabs(own->lost) : 0.0;
  return now - lost + allowance(s->dt, nsd_larger(size, own->size)) +
         rounding_of(s, most, w, w_hat, now, now, own->worse);
}

double nsd_contradiction_bound(const nsdyn_stepper *s, int k)
{
  const nsd_closed *c = &s->scene.closed.contact[k];
  const nsd_past linear = {.gap = c->gap};
  const double now = c->law->kind == NSDYN_CONTACT_BILATERAL ? fabs(c->gap) : nsd_larger(-c->gap, 0.0);
  return bound_of(s, s->scene.closed.is_watched ? &s->scene.closed.past[k] : &linear, c->row, now);
}

double nsd_contradiction_drift_bound(const nsdyn_stepper *s, int i)
{
  return bound_of(s, &s->drift[i], s->scene.closed.contact_rows + i, fabs(s->scene.directions.g_b[i]));
}
