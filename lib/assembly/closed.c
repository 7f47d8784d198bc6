/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Which contacts are closed at a configuration: by their gaps, down to rounding, and a little farther where
 * they pressed in the step before. */
#include <float.h>
#include <math.h>

#include "assembly/scene.h"
#include "base/kernels/simd.h"

double nsd_scene_largest(int n, const double *x)
{
  double most = 0.0;
  for (int j = 0; j < n; j++) {
    most = nsd_larger(fabs(x[j]), most);
  }
  return most;
}

static inline void close_contact(nsd_scene *scene, const nsdyn_contact_law *law, nsd_closed contact)
{
  contact.law = law;
  contact.row = scene->closed.contact_rows;
  contact.rows = nsd_contact_law_rows(law);
  scene->closed.contact[scene->closed.count++] = contact;
  scene->closed.contact_rows += contact.rows;
}

/* Contact i, the next one. What is in force stays so where the same one stood here before. */
static inline void collect_known(nsd_scene *scene, int32_t i)
{
  const nsdyn_contact_law *law = &scene->sys->laws[i];
  const nsd_closed *before = &scene->closed.contact[scene->closed.count];
  /* W and G of the step before serve again only while the same contacts stand in the same rows. */
  if (scene->directions.edition && (before->index != i || before->rows != nsd_contact_law_rows(law))) {
    scene->directions.edition = 0;
  }
  const nsd_closed contact = {.key = i, .gap = scene->closed.g[i], .index = i, .found = -1};
  close_contact(scene, law, contact);
}

/* Whether a found contact with a positive gap is closed: a slot always is. */
static int is_found_held(const nsd_scene *scene, const nsd_found *found, double slack)
{
  if (nsd_system_found_law(scene->sys, found->law)->kind == NSDYN_CONTACT_BILATERAL) {
    return 1;
  }
  const nsd_past *past = nsd_history_found_past(scene->history, found->key);
  /* The law allows such a gap where it pressed; or its curved surface is followed
   * (stepper/drift/keep_closed.h). */
  return (found->gap <= slack && nsd_trace_pressed(nsd_history_found(scene->history, found->key))) ||
         (past && nsd_history_holds(scene->history, past, found->gap));
}

/* What rounding may be of the gap of a found contact. */
static double touch_of(const nsd_found *found, double t, double most_q)
{
  return NSD_EVALUATION_ROUNDING * (found->most * most_q + fabs(found->w_hat[0] * t));
}

double nsd_scene_touch(const nsd_scene *scene, int64_t index, int32_t found, double t, double most_q)
{
  return index >= 0 ? scene->closed.touch[index] : touch_of(&scene->closed.sink.found[found], t, most_q);
}

/* Whether a contact comes, as nsd_scene_look_ahead() has it. */
static int comes(const nsd_look_rule *look, nsd_who who, double gap, double touch, nsd_row w, double w_hat)
{
  int is_named = 0;
  for (int k = 0; k < look->named_count; k++) {
    is_named |= look->named[k].index == who.index && (who.index >= 0 || look->named[k].key == who.key);
  }
  const double rate = nsd_row_dot(w, look->u) + w_hat;
  const int is_foretold = gap + look->horizon * rate <= 0.0;
  if (is_foretold && gap > touch && look->soonest) {
    *look->soonest = nsd_smaller(gap / -rate, *look->soonest);
  }
  return is_named || is_foretold;
}

static inline void collect(nsd_scene *scene, int known, double slack, double t, const double *q,
                           const nsd_look_rule *look)
{
  const nsdyn_system *sys = scene->sys;
  const double most_q = scene->closed.sink.count ? nsd_scene_largest(sys->def.nq, q) : 0.0;
  /* With another number of contacts, or found ones, whose W is new in each step, W and G are not kept. */
  if (known != scene->directions.kept || scene->closed.sink.count) {
    scene->directions.edition = 0;
  }
  /* Rows stand in this order: contacts known in advance, found contacts, constraints. */
  for (int k = 0; k < known; k++) {
    collect_known(scene, scene->closed.index[k]);
  }
  for (int32_t k = 0; k < scene->closed.sink.count; k++) {
    const nsd_found *found = &scene->closed.sink.found[k];
    const double touch = touch_of(found, t, most_q);
    if (found->gap > touch && !is_found_held(scene, found, slack) &&
        !(look && comes(look, (nsd_who){-1, found->key}, found->gap, touch,
                        nsd_sink_row(&scene->closed.sink, k, 0), found->w_hat[0]))) {
      continue; /* within the margin, but it did not press */
    }
    const nsd_closed contact = {.key = found->key, .gap = found->gap, .index = -1, .found = k};
    /* The sink may look elsewhere before w̄_N is asked for (stepper/drift/keep_closed.c). */
    if (scene->closed.speeds) {
      scene->problem.w_bar[scene->closed.contact_rows] = found->w_bar[0];
    }
    close_contact(scene, nsd_system_found_law(sys, found->law), contact);
  }
}

/* Those known in advance that are closed, by their gaps: down to rounding, and a little farther where they
 * pressed; a slot is closed wherever it is. *zero := 0, NaN where a gap is no finite number. */
static inline int collect_closed(nsd_scene *scene, double slack, double *zero)
{
  const double *g = scene->closed.g, *touch = scene->closed.touch;
  const int32_t *trace = scene->history->trace;
  const nsdyn_contact_law *laws = scene->sys->laws;
  const int32_t contacts = scene->sys->def.ncontacts;
  int32_t *index = scene->closed.index;
  double sum = 0.0;
  int known = 0;
  for (int32_t i = 0; i < contacts; i++) {
    const double gap = g[i];
    /* g_N <= 0 but for rounding; g_N <= slack where the law held γ_N at zero; a slot at any gap. */
    if (gap <= touch[i] || (gap <= slack && nsd_trace_pressed(trace[i])) ||
        laws[i].kind == NSDYN_CONTACT_BILATERAL) {
      index[known++] = i;
    }
    /* 0 for a gap below 2^255, NaN for another one: a single test after the loop is enough. */
    sum += (NSD_NUMBERS_SCALE * gap) * 0.0;
  }
  *zero = sum;
  return known;
}

/* Adds contact i to the `known` ones in `index`, in ascending order, each number once. */
static int insert(nsd_scene *scene, int known, int32_t i)
{
  int place = known;
  while (place > 0 && scene->closed.index[place - 1] > i) {
    place--;
  }
  if (place > 0 && scene->closed.index[place - 1] == i) {
    return known;
  }
  for (int n = known; n > place; n--) {
    scene->closed.index[n] = scene->closed.index[n - 1];
  }
  scene->closed.index[place] = i;
  return known + 1;
}

/* Adds those in force to the `known` contacts that are closed, in the order of their numbers. What has
 * directions that never change is not in force in this sense. */
static int add_held(nsd_scene *scene, int known)
{
  const nsd_history *history = scene->history;
  for (int k = 0; k < history->known_count; k++) {
    const int32_t i = history->known[k];
    if (!(scene->closed.g[i] > 0.0 && nsd_history_holds(history, &history->past[i], scene->closed.g[i]))) {
      continue;
    }
    known = insert(scene, known, i);
  }
  return known;
}

/* Adds those that come. */
static nsdyn_status add_coming(nsd_scene *scene, double t, const double *q, const nsd_look_rule *look,
                               int *known, nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  const nsd_direction_cache *cache = scene->directions.cache;
  const int nu = def->nu;
  for (int32_t i = 0; i < def->ncontacts; i++) {
    if (!(scene->closed.g[i] > 0.0 && scene->closed.g[i] <= DBL_MAX)) {
      continue;
    }
    const double *w = look->row, *w_hat = look->row + NSD_CONTACT_ROWS * (size_t)nu;
    if (cache && cache->is_kept[i]) {
      w = cache->W + (size_t)cache->row[i] * (size_t)nu;
      w_hat = cache->w_hat + cache->row[i];
    } else {
      const nsdyn_status status =
          nsd_call_direction(def, t, q, i, look->row, look->row + NSD_CONTACT_ROWS * (size_t)nu, fault);
      if (status) {
        return status;
      }
    }
    if (nsd_lanes_bounded(nu, w) + nsd_lanes_bounded(1, w_hat) != 0.0) {
      const nsd_subject who = {NSDYN_DETAIL_CONTACT, i, 0};
      const nsdyn_status status = nsd_blame_matrix(fault, "direction", who, "W", 1, nu, w);
      return status ? status
                    : nsd_blame_vector(fault, "direction", who, NSDYN_DETAIL_CONTACT, "w_hat", 1, w_hat);
    }
    const int does = comes(look, (nsd_who){i, i}, scene->closed.g[i], scene->closed.touch[i],
                           nsd_row_dense(nu, w), *w_hat);
    *known = does ? insert(scene, *known, i) : *known;
  }
  return NSDYN_OK;
}

/* How far found contacts may come within the horizon: their directions have elements up to 1, or as large as
 * those have that were found. */
static double reach_of(const nsd_scene *scene, const nsd_look_rule *look)
{
  const int nu = scene->sys->def.nu;
  double sum = 0.0;
  for (int j = 0; j < nu; j++) {
    sum += fabs(look->u[j]);
  }
  for (int32_t k = 0; k < scene->closed.sink.count; k++) {
    const double w_hat = fabs(scene->closed.sink.found[k].w_hat[0]);
    sum = nsd_larger(nsd_row_size(w_hat, nsd_sink_row(&scene->closed.sink, k, 0), look->u), sum);
  }
  const double reach = nsd_larger(look->horizon * sum, look->margin);
  return reach <= DBL_MAX ? reach : DBL_MAX;
}

/* How far a contact may have got since it was seen, with such a speed: g + v T + |κ| T²; g is the gap aimed
 * at where a force held it. */
static double way_of(const nsd_past *past, double span, double speed)
{
  const double from = past->flags & NSD_PAST_HELD ? past->aim : past->gap;
  return from + span * (speed + span * fabs(past->curve));
}

/* Contacts that are looked for wherever they are: those of the step before, and those that are followed
 * (stepper/check/verify_gaps.h), as far as each may have got since it was seen. */
typedef struct followed {
  const nsd_history *history;
  double t, touch;
  int has_moved; /* the velocities are known that moved it */
} followed;

/* Contact k of these: when it was seen last, and by how much rounding may hide it. */
static const nsd_past *followed_past(const followed *f, int32_t k, int64_t *key, double *span, double *touch)
{
  const nsd_history *history = f->history;
  const int is_stray = k >= history->found_count;
  const nsd_stray *stray = is_stray ? &history->strays[k - history->found_count] : NULL;
  *key = is_stray ? stray->key : history->found_key[k];
  *span = f->t - (is_stray ? stray->seen : history->seen);
  *touch = is_stray ? 0.0 : f->touch;
  return is_stray ? &stray->past : &history->found_past[k];
}

/* Its bodies have moved with the velocities of now; Σ |w_j u_j| + |ŵ| of before it was seen counts, too, as
 * steps may go on with both. */
static double name_followed(const void *who, int32_t k, int64_t *key, double *span)
{
  const followed *f = who;
  double touch;
  const nsd_past *past = followed_past(f, k, key, span, &touch);
  const double way = touch + way_of(past, *span, f->has_moved ? past->size : past->wide);
  *span = f->has_moved ? *span : 0.0;
  return way;
}

/* How far found contacts are asked for: as far as any of these may be, with v = max |w_j| max |u_j| + |ŵ|. */
static double margin_of(const followed *f, double near)
{
  double margin = near;
  for (int32_t k = 0; k < f->history->found_count + f->history->stray_count; k++) {
    int64_t key;
    double span, touch;
    const nsd_past *past = followed_past(f, k, &key, &span, &touch);
    const double way = touch + way_of(past, span, past->wide);
    margin = way > margin && way <= DBL_MAX ? way : margin;
  }
  return margin;
}

/* A gap may be infinitely wide, but not deep; that of a slot neither. */
static inline int is_bad_gap(const nsd_scene *scene, int32_t i)
{
  const double g = scene->closed.g[i];
  const int is_far = g == (double)INFINITY && scene->sys->laws[i].kind != NSDYN_CONTACT_BILATERAL;
  return !nsd_is_number(g) && !is_far;
}

nsdyn_status nsd_scene_blame_gaps(const nsd_scene *scene, nsd_fault *fault)
{
  for (int32_t i = 0; i < scene->sys->def.ncontacts; i++) {
    const nsd_subject who = {NSDYN_DETAIL_CONTACT, i, 0};
    if (is_bad_gap(scene, i)) {
      return nsd_blame_vector(fault, "gap", who, NSDYN_DETAIL_CONTACT, "its gap", 1, &scene->closed.g[i]);
    }
  }
  return NSDYN_OK;
}

/* Found contacts into the sink. */
static nsdyn_status find(nsd_scene *scene, double t, const double *q, double slack, const nsd_look_rule *look)
{
  const nsd_history *history = scene->history;
  const followed who = {history, t, NSD_EVALUATION_ROUNDING * nsd_scene_largest(scene->sys->def.nq, q),
                        scene->closed.moved != NULL};
  const double *u = scene->closed.speeds ? *scene->closed.speeds : NULL;
  nsd_wish wish = {.near =
                       nsd_larger(slack <= DBL_MAX ? slack : DBL_MAX, who.touch), /* infinitely far: open */
                   .named = history->found_count + history->stray_count,
                   .name = name_followed,
                   .who = &who,
                   .moved = scene->closed.moved ? *scene->closed.moved : NULL};
  const double margin = margin_of(&who, wish.near);
  if (!look) {
    return nsd_sink_find_wished(&scene->closed.sink, t, q, u, margin, &wish);
  }
  wish.near = nsd_larger(wish.near, look->margin);
  wish.horizon = look->horizon;
  wish.u = look->u;
  /* Farther where what was found is faster than what was asked for. */
  scene->closed.sink.count = 0;
  double asked = nsd_larger(margin, reach_of(scene, look));
  nsdyn_status status = nsd_sink_find_wished(&scene->closed.sink, t, q, u, asked, &wish);
  const double reach = status ? 0.0 : reach_of(scene, look);
  return reach > asked ? nsd_sink_find_wished(&scene->closed.sink, t, q, u, reach, &wish) : status;
}

static inline nsdyn_status look_at(nsd_scene *scene, double t, const double *q, double slack,
                                   const nsd_look_rule *look, nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  scene->closed.count = scene->closed.known = scene->closed.contact_rows = scene->closed.rows = 0;
  /* 1: g_N(t, q) of all contacts known in advance. */
  nsdyn_status status = nsd_call_gap(def, t, q, scene->closed.g, fault);
  if (status) {
    return status;
  }
  /* 2: the active set: g_N <= 0, with the allowances of collect_closed(). */
  double zero;
  int known = collect_closed(scene, slack, &zero);
  /* 3: contacts that are held at a positive gap by their curvature; linear gaps have none. */
  if (!scene->directions.cache || scene->closed.is_projected) {
    known = add_held(scene, known);
  }
  /* NaN or infinite: an open contact may be infinitely far away */
  if (zero != 0.0 && (status = nsd_scene_blame_gaps(scene, fault)) != NSDYN_OK) {
    return status;
  }
  /* 4: found contacts, as far away as those of the step before may be by now. */
  if (look && (status = add_coming(scene, t, q, look, &known, fault)) != NSDYN_OK) {
    return status;
  }
  if (def->find && (status = find(scene, t, q, slack, look)) != NSDYN_OK) {
    return status;
  }
  const int contacts = known + scene->closed.sink.count;
  if (contacts + def->nconstraints == 0) {
    return NSDYN_OK;
  }
  if (contacts > scene->room_contacts &&
      (status = nsd_scene_reserve(scene, (size_t)contacts, fault)) != NSDYN_OK) {
    return status;
  }
  /* 5: every closed contact gets its rows, and the constraints the last ones. */
  collect(scene, known, slack, t, q, look);
  scene->closed.known = known;
  scene->closed.rows = scene->closed.contact_rows + def->nconstraints;
  return NSDYN_OK;
}

nsdyn_status nsd_scene_look(nsd_scene *scene, double t, const double *q, double slack, nsd_fault *fault)
{
  return look_at(scene, t, q, slack, NULL, fault);
}

nsdyn_status nsd_scene_look_ahead(nsd_scene *scene, double t, const double *q, double slack,
                                  const nsd_look_rule *look, nsd_fault *fault)
{
  return look_at(scene, t, q, slack, look, fault);
}

nsdyn_status nsd_scene_begin(nsd_scene *scene, int contacts, nsd_fault *fault)
{
  scene->closed.count = scene->closed.known = scene->closed.contact_rows = 0;
  scene->closed.rows = scene->sys->def.nconstraints;
  return contacts > scene->room_contacts ? nsd_scene_reserve(scene, (size_t)contacts, fault) : NSDYN_OK;
}

void nsd_scene_close(nsd_scene *scene, nsd_closed contact)
{
  close_contact(scene, contact.law, contact);
  scene->closed.known += contact.index >= 0;
  scene->closed.rows = scene->closed.contact_rows + scene->sys->def.nconstraints;
}

int nsd_scene_place_of(const nsd_scene *scene, const nsd_closed *c, int *from)
{
  const int begin = *from;
  for (int n = 0; n < scene->closed.count; n++) {
    const int k = (begin + n) % scene->closed.count;
    const nsd_closed *d = &scene->closed.contact[k];
    if (d->index == c->index && d->key == c->key) {
      *from = k + 1;
      return k;
    }
  }
  return -1;
}
