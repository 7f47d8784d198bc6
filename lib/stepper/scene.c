/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/scene.h"

#include <float.h>
#include <limits.h>

#include "base/number.h"

void nsd_scene_init(nsd_scene *scene, const nsdyn_system *sys, nsdyn_context *ctx, nsd_fault *fault)
{
  const nsd_scene empty = {.sys = sys, .arena = nsd_arena_empty(ctx), .room_contacts = -1, .room_rows = -1};
  *scene = empty;
  nsd_sink_init(&scene->closed.sink, sys, ctx, fault);
}

void nsd_scene_release(nsd_scene *scene)
{
  nsd_arena_release(&scene->arena);
  nsd_sink_release(&scene->closed.sink);
}

void nsd_scene_lay_out(nsd_arena *arena, nsd_scene *scene)
{
  const size_t contacts = (size_t)scene->sys->def.ncontacts;
  scene->closed.g = nsd_arena_take(arena, contacts, sizeof *scene->closed.g);
  scene->closed.touch = nsd_arena_take(arena, contacts, sizeof *scene->closed.touch);
  scene->closed.index = nsd_arena_take(arena, contacts, sizeof *scene->closed.index);
  scene->directions.g_b =
      nsd_arena_take(arena, (size_t)scene->sys->def.nconstraints, sizeof *scene->directions.g_b);
}

double nsd_scene_largest(int n, const double *x)
{
  double most = 0.0;
  for (int j = 0; j < n; j++) {
    most = nsd_larger(fabs(x[j]), most);
  }
  return most;
}

/* ---- What is closed ---- */

static void lay_out_rows(nsd_arena *arena, nsd_scene *s, size_t contacts, size_t rows)
{
  const size_t width = (size_t)s->sys->def.nu * sizeof(double);
  s->closed = nsd_arena_take(arena, contacts, sizeof *s->closed);
  s->spec = nsd_arena_take(arena, contacts, sizeof *s->spec);
  s->state = nsd_arena_take(arena, contacts, sizeof *s->state);
  s->past = nsd_arena_take(arena, contacts, sizeof *s->past);
  s->W_own = nsd_arena_take(arena, rows + 1, width);
  s->X_own = nsd_arena_take(arena, rows, width);
  s->w_hat_own = nsd_arena_take(arena, rows + 1, sizeof *s->w_hat_own);
  s->gamma = nsd_arena_take(arena, rows, sizeof *s->gamma);
  s->e = nsd_arena_take(arena, rows, sizeof *s->e);
  s->c = nsd_arena_take(arena, rows, sizeof *s->c);
  s->Lambda = nsd_arena_take(arena, rows, sizeof *s->Lambda);
  s->xi = nsd_arena_take(arena, rows, sizeof *s->xi);
  s->G_own = nsd_arena_take(arena, rows, rows * sizeof *s->G_own);
  nsd_gram_lay_out(arena, &s->gram, rows, (size_t)s->sys->def.nu);
}

/* Room for so many contacts, and rows at their most. Half as much again is made, so that a heap that grows
 * contact by contact does not allocate with each. */
static nsdyn_status reserve(nsd_scene *scene, size_t contacts, nsd_fault *fault)
{
  const size_t constraints = (size_t)scene->sys->def.nconstraints;
  const size_t room = contacts + contacts / 2;
  const size_t rows = 2 * room + constraints;
  if (rows > INT_MAX / 8) {
    return nsd_fault_set(fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_NONE, -1,
                         "%zu closed contacts are too many", contacts);
  }
  nsd_scene counted = *scene;
  nsd_arena measure = nsd_arena_measure();
  lay_out_rows(&measure, &counted, room, rows);
  const nsdyn_status status = nsd_arena_reserve(&scene->arena, &measure);
  if (status) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %zu closed contacts", contacts);
  }
  lay_out_rows(&scene->arena, scene, room, rows);
  scene->directions.edition = 0;
  scene->room_contacts = (int)room;
  scene->room_rows = (int)rows;
  return NSDYN_OK;
}

static inline int32_t rows_of(const nsdyn_contact_law *law)
{
  return law->friction == NSDYN_FRICTION_NONE ? 1 : 2;
}

static inline void close_contact(nsd_scene *scene, const nsdyn_contact_law *law, nsd_closed contact)
{
  contact.law = law;
  contact.row = scene->closed.contact_rows;
  contact.rows = rows_of(law);
  scene->closed.contact[scene->closed.count++] = contact;
  scene->closed.contact_rows += contact.rows;
}

/* Contact i, the next one. What is in force stays so where the same one stood here before. */
static inline void collect_known(nsd_scene *scene, int32_t i)
{
  const nsdyn_contact_law *law = &scene->sys->laws[i];
  const nsd_closed *before = &scene->closed.contact[scene->closed.count];
  if (scene->directions.edition && (before->index != i || before->rows != rows_of(law))) {
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
  return (found->gap <= slack && nsd_trace_pressed(nsd_history_found(scene->history, found->key))) ||
         (past && nsd_history_holds(scene->history, past, found->gap));
}

/* What rounding may be of the gap of a found contact. */
static double touch_of(const nsd_found *found, double t, double most_q)
{
  return NSD_TOUCHES * (found->most * most_q + fabs(found->w_hat[0] * t));
}

static void collect(nsd_scene *scene, int known, double slack, double t, const double *q)
{
  const nsdyn_system *sys = scene->sys;
  const double most_q = scene->closed.sink.count ? nsd_scene_largest(sys->def.nq, q) : 0.0;
  if (known != scene->directions.kept || scene->closed.sink.count) {
    scene->directions.edition = 0;
  }
  for (int k = 0; k < known; k++) {
    collect_known(scene, scene->closed.index[k]);
  }
  for (int32_t k = 0; k < scene->closed.sink.count; k++) {
    const nsd_found *found = &scene->closed.sink.found[k];
    const double touch = touch_of(found, t, most_q);
    if (found->gap > touch && !is_found_held(scene, found, slack)) {
      continue; /* within the margin, but it did not press */
    }
    const nsd_closed contact = {.key = found->key, .gap = found->gap, .index = -1, .found = k};
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
    if (gap <= touch[i] || (gap <= slack && nsd_trace_pressed(trace[i])) ||
        laws[i].kind == NSDYN_CONTACT_BILATERAL) {
      index[known++] = i;
    }
    sum += gap * 0.0;
  }
  *zero = sum;
  return known;
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
    int place = known;
    while (place > 0 && scene->closed.index[place - 1] > i) {
      place--;
    }
    if (place > 0 && scene->closed.index[place - 1] == i) {
      continue;
    }
    for (int n = known++; n > place; n--) {
      scene->closed.index[n] = scene->closed.index[n - 1];
    }
    scene->closed.index[place] = i;
  }
  return known;
}

/* How far a contact may have got since it was seen. */
static double way_of(const nsd_past *past, double span)
{
  const double from = past->flags & NSD_PAST_FORCE ? past->aim : past->gap;
  return from + span * (past->wide + span * fabs(past->curve));
}

/* How far found contacts are asked for: as far as those of the step before, and those that are followed
 * (contradict.h), may have got since they were seen. */
static double margin_of(const nsd_scene *scene, double t, const double *q, double slack)
{
  const nsd_history *history = scene->history;
  const double touch = NSD_TOUCHES * nsd_scene_largest(scene->sys->def.nq, q);
  double margin = slack <= DBL_MAX ? slack : DBL_MAX; /* what is infinitely far away is open */
  margin = nsd_larger(margin, touch);
  for (int k = 0; k < history->found_count; k++) {
    const double way = touch + way_of(&history->found_past[k], t - history->seen);
    margin = way > margin && way <= DBL_MAX ? way : margin;
  }
  for (int k = 0; k < history->stray_count; k++) {
    const double way = way_of(&history->strays[k].past, t - history->strays[k].seen);
    margin = way > margin && way <= DBL_MAX ? way : margin;
  }
  return margin;
}

/* A gap may be infinitely wide, but not deep; that of a slot neither. */
static inline int is_bad_gap(const nsd_scene *scene, int32_t i)
{
  const double g = scene->closed.g[i];
  return !(g >= -DBL_MAX) || (g > DBL_MAX && scene->sys->laws[i].kind == NSDYN_CONTACT_BILATERAL);
}

nsdyn_status nsd_scene_look(nsd_scene *scene, double t, const double *q, double slack, nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  scene->closed.count = scene->closed.known = scene->closed.contact_rows = scene->closed.rows = 0;
  nsdyn_status status = nsd_call_gap(def, t, q, scene->closed.g, fault);
  if (status) {
    return status;
  }
  double zero;
  int known = collect_closed(scene, slack, &zero);
  if (!scene->directions.cache || scene->closed.is_projected) {
    known = add_held(scene, known);
  }
  if (zero != 0.0) { /* NaN or infinite; infinitely far away is a place */
    for (int32_t i = 0; i < def->ncontacts; i++) {
      const nsd_subject who = {NSDYN_DETAIL_CONTACT, i, 0};
      if (is_bad_gap(scene, i)) {
        return nsd_blame_vector(fault, "gap", who, NSDYN_DETAIL_CONTACT, "its gap", 1, &scene->closed.g[i]);
      }
    }
  }
  if (def->find &&
      (status = nsd_sink_find(&scene->closed.sink, t, q, NULL, margin_of(scene, t, q, slack))) != NSDYN_OK) {
    return status;
  }
  const int contacts = known + scene->closed.sink.count;
  if (contacts + def->nconstraints == 0) {
    return NSDYN_OK;
  }
  if (contacts > scene->room_contacts && (status = reserve(scene, (size_t)contacts, fault)) != NSDYN_OK) {
    return status;
  }
  collect(scene, known, slack, t, q);
  scene->closed.known = known;
  scene->closed.rows = scene->closed.contact_rows + def->nconstraints;
  return NSDYN_OK;
}

nsdyn_status nsd_scene_begin(nsd_scene *scene, int contacts, nsd_fault *fault)
{
  scene->closed.count = scene->closed.known = scene->closed.contact_rows = 0;
  scene->closed.rows = scene->sys->def.nconstraints;
  return contacts > scene->room_contacts ? reserve(scene, (size_t)contacts, fault) : NSDYN_OK;
}

void nsd_scene_close(nsd_scene *scene, nsd_closed contact)
{
  close_contact(scene, contact.law, contact);
  scene->closed.known += contact.index >= 0;
  scene->closed.rows = scene->closed.contact_rows + scene->sys->def.nconstraints;
}

/* ---- Directions ---- */

static void copy_rows(int rows, int nu, const double *from, double *to)
{
  for (int i = 0; i < rows * nu; i++) {
    to[i] = from[i];
  }
}

/* The cached directions of contact i. What is not finite is refused here, or it would stay. */
static nsdyn_status keep(nsd_scene *scene, double t, const double *q, int32_t i, nsd_fault *fault)
{
  nsd_direction_cache *cache = scene->directions.cache;
  const nsdyn_system_def *def = &scene->sys->def;
  if (cache->is_kept[i]) {
    return NSDYN_OK;
  }
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, i, 0};
  double *W = cache->W + (size_t)i * 2 * (size_t)def->nu, *w_hat = cache->w_hat + (size_t)i * 2;
  nsdyn_status status = nsd_call_direction(def, t, q, i, W, w_hat, fault);
  status = status ? status : nsd_blame_matrix(fault, "direction", who, "W", 2, def->nu, W);
  status =
      status ? status : nsd_blame_vector(fault, "direction", who, NSDYN_DETAIL_CONTACT, "w_hat", 2, w_hat);
  cache->is_kept[i] = status == NSDYN_OK ? 1 : 0;
  return status;
}

static nsdyn_status direct_known(nsd_scene *scene, double t, const double *q, const nsd_closed *c,
                                 nsd_fault *fault)
{
  const int nu = scene->sys->def.nu;
  double *W = scene->directions.W_own + (size_t)c->row * (size_t)nu,
         *w_hat = scene->directions.w_hat_own + c->row;
  if (!scene->directions.cache) {
    return nsd_call_direction(&scene->sys->def, t, q, c->index, W, w_hat, fault);
  }
  const nsdyn_status status = keep(scene, t, q, c->index, fault);
  copy_rows(c->rows, nu, scene->directions.cache->W + (size_t)c->index * 2 * (size_t)nu, W);
  copy_rows(c->rows, 1, scene->directions.cache->w_hat + (size_t)c->index * 2, w_hat);
  return status;
}

static void direct_found(nsd_scene *scene, const nsd_closed *c)
{
  const int nu = scene->sys->def.nu;
  copy_rows(c->rows, nu, nsd_sink_rows(&scene->closed.sink, c->found),
            scene->directions.W_own + (size_t)c->row * (size_t)nu);
  copy_rows(c->rows, 1, scene->closed.sink.found[c->found].w_hat, scene->directions.w_hat_own + c->row);
}

/* W, ŵ, X and G stay in force where all of them came from the cache. */
static inline void note_assembled(nsd_scene *scene)
{
  if (scene->directions.cache && scene->directions.cache->X && scene->closed.known == scene->closed.count &&
      scene->closed.rows == scene->closed.contact_rows) {
    scene->directions.edition = scene->directions.cache->edition;
    scene->directions.kept = scene->closed.count;
  }
}

/* Whether one contact, whose directions are in the cache, is all there is. */
static inline int is_single(const nsd_scene *scene)
{
  return scene->directions.cache && scene->closed.known == 1 &&
         scene->closed.rows == scene->closed.contact[0].rows;
}

nsdyn_status nsd_scene_direct(nsd_scene *scene, double t, const double *q, nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  nsdyn_status status = NSDYN_OK;
  scene->directions.edition = 0;
  if (is_single(scene)) {
    const size_t first = 2 * (size_t)scene->closed.contact[0].index;
    scene->directions.W = scene->directions.cache->W + first * (size_t)def->nu;
    scene->directions.w_hat = scene->directions.cache->w_hat + first;
    return keep(scene, t, q, scene->closed.contact[0].index, fault);
  }
  scene->directions.W = scene->directions.W_own;
  scene->directions.w_hat = scene->directions.w_hat_own;
  for (int k = 0; status == NSDYN_OK && k < scene->closed.known; k++) {
    status = direct_known(scene, t, q, &scene->closed.contact[k], fault);
  }
  for (int k = scene->closed.known; k < scene->closed.count; k++) {
    direct_found(scene, &scene->closed.contact[k]);
  }
  if (status == NSDYN_OK && def->nconstraints) {
    const int row = scene->closed.contact_rows;
    status = nsd_call_constraint(def, t, q, scene->directions.g_b,
                                 scene->directions.W_own + (size_t)row * (size_t)def->nu,
                                 scene->directions.w_hat_own + row, fault);
  }
  return status;
}

/* ---- G ---- */

enum { block = 16 }; /* rows of G computed at a time */

/* Rows from `from` on: the lower triangle, block row by block row, and its mirror image, so that G is
 * symmetric to the bit. */
static void multiply(int from, int rows, int nu, const double *X, const double *V, double *G)
{
  for (int i = from; i < rows; i += block) {
    const int m = rows - i < block ? rows - i : block;
    nsd_product_nt(m, i + m, nu, X + (size_t)i * (size_t)nu, nu, V, nu, G + (size_t)i * (size_t)rows, rows);
  }
  for (int i = from; i < rows; i++) {
    for (int j = 0; j < i; j++) {
      G[(size_t)j * (size_t)rows + (size_t)i] = G[(size_t)i * (size_t)rows + (size_t)j];
    }
  }
}

static void multiply_small(int from, int rows, int nu, const double *X, const double *V, double *G)
{
  for (int i = from; i < rows; i++) {
    for (int j = 0; j <= i; j++) {
      const double sum = nsd_inertia_dot(nu, X + i * nu, V + j * nu);
      G[i * rows + j] = sum;
      G[j * rows + i] = sum;
    }
  }
}

/* X of contact i, and its products with all that are there. */
static void keep_products(nsd_scene *scene, const nsd_inertia *inertia, int32_t i)
{
  nsd_direction_cache *cache = scene->directions.cache;
  const int nu = inertia->nu, contacts = scene->sys->def.ncontacts;
  const size_t width = (size_t)nu, ld = 2 * (size_t)contacts, first = 2 * (size_t)i;
  copy_rows(2, nu, cache->W + first * width, cache->X + first * width);
  nsd_inertia_forward(inertia, cache->X + first * width);
  nsd_inertia_forward(inertia, cache->X + (first + 1) * width);
  cache->is_kept[i] = 2;
  for (size_t j = 0; j < ld; j++) {
    if (cache->is_kept[j / 2] == 2) {
      for (size_t r = first; r < first + 2; r++) {
        const double sum = nsd_inertia_dot(nu, cache->X + r * width, cache->X + j * width);
        cache->G[r * ld + j] = sum;
        cache->G[j * ld + r] = sum;
      }
    }
  }
}

/* The block of G that belongs to two contacts, and its mirror image. */
static inline void take_block(nsd_scene *scene, const nsd_closed *c, const nsd_closed *d)
{
  const size_t ld = 2 * (size_t)scene->sys->def.ncontacts, rows = (size_t)scene->closed.rows;
  const double *from = scene->directions.cache->G + 2 * (size_t)c->index * ld + 2 * (size_t)d->index;
  double *to = scene->problem.G_own + (size_t)c->row * rows + (size_t)d->row;
  double *mirror = scene->problem.G_own + (size_t)d->row * rows + (size_t)c->row;
  to[0] = mirror[0] = from[0];
  if (d->rows > 1) {
    to[1] = mirror[rows] = from[1];
  }
  if (c->rows > 1) {
    to[rows] = mirror[1] = from[ld];
    if (d->rows > 1) {
      to[rows + 1] = mirror[rows + 1] = from[ld + 1];
    }
  }
}

/* Rows and columns of the contacts known in advance; returns how many rows. */
static int take_products(nsd_scene *scene, const nsd_inertia *inertia)
{
  const nsd_direction_cache *cache = scene->directions.cache;
  const size_t nu = (size_t)inertia->nu;
  int end = 0;
  for (int k = 0; k < scene->closed.known; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    if (cache->is_kept[c->index] != 2) {
      keep_products(scene, inertia, c->index);
    }
    copy_rows(c->rows, inertia->nu, cache->X + 2 * (size_t)c->index * nu,
              scene->problem.X_own + (size_t)c->row * nu);
    for (int m = 0; m <= k; m++) {
      take_block(scene, c, &scene->closed.contact[m]);
    }
    end = c->row + c->rows;
  }
  return end;
}

/* All of one contact is in the cache. */
static void point_at_products(nsd_scene *scene, const nsd_inertia *inertia)
{
  const nsd_direction_cache *cache = scene->directions.cache;
  const int32_t i = scene->closed.contact[0].index;
  if (cache->is_kept[i] != 2) {
    keep_products(scene, inertia, i);
  }
  scene->problem.ldg = 2 * scene->sys->def.ncontacts;
  scene->problem.X = scene->problem.V = cache->X + 2 * (size_t)i * (size_t)inertia->nu;
  scene->problem.G = cache->G + 2 * (size_t)i * ((size_t)scene->problem.ldg + 1);
}

/* Row r of contact or constraint `who`, called `callback`. */
static nsdyn_status refuse_row(nsd_fault *fault, nsd_subject who, const char *callback, const char *what,
                               int r)
{
  char text[NSD_SUBJECT_LENGTH];
  nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, who.kind, who.index,
                "callback %s, %s: %s row %d is so small that G = W M^-1 W^T of it vanishes; tell its gap in "
                "smaller units",
                callback, nsd_subject_text(who, text), what, r);
  fault->detail.key = who.key;
  return NSDYN_ERR_ARGUMENT;
}

static int is_written(int nu, const double *w)
{
  int any = 0;
  for (int j = 0; j < nu; j++) {
    any |= w[j] != 0.0;
  }
  return any;
}

static int has_vanished(const nsd_scene *scene, int r)
{
  const double g = scene->problem.G[(size_t)r * ((size_t)scene->problem.ldg + 1)];
  const int nu = scene->sys->def.nu;
  return g < DBL_MIN && g >= 0.0 && is_written(nu, scene->directions.W + (size_t)r * (size_t)nu);
}

/* A closed contact without a normal direction: nothing presses it, and friction of a given bound, meant as a
 * brake, would do nothing. */
static nsdyn_status refuse_without_normal(const nsd_closed *c, nsd_fault *fault)
{
  char text[NSD_SUBJECT_LENGTH], number[NSD_NUMBER_LENGTH];
  const nsd_subject who = nsd_closed_subject(c);
  nsd_fault_set(
      fault, NSDYN_ERR_INCONSISTENT, who.kind, who.index,
      "%s is closed, gap %s, but row 0 of its W is zero: nothing can press on it; a brake is a slot, kind "
      "NSDYN_CONTACT_BILATERAL; check callback %s with nsdyn_system_check()",
      nsd_subject_text(who, text), nsd_number_text(c->gap, number), c->index < 0 ? "find" : "direction");
  fault->detail.key = who.key;
  return NSDYN_ERR_INCONSISTENT;
}

/* A row that is not zero moves with an impulse, but by nothing that a double could tell where its product
 * with itself underflows: the problem would have no solution, which would be called proved. */
static nsdyn_status check_smallest(const nsd_scene *scene, nsd_fault *fault)
{
  double least = DBL_MAX;
  for (int r = 0; r < scene->closed.rows; r++) {
    least = nsd_smaller(scene->problem.G[(size_t)r * ((size_t)scene->problem.ldg + 1)], least);
  }
  if (least >= DBL_MIN) {
    return NSDYN_OK;
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int nu = scene->sys->def.nu;
    if (c->law->kind == NSDYN_CONTACT_UNILATERAL && nu > 0 &&
        !is_written(nu, scene->directions.W + (size_t)c->row * (size_t)nu)) {
      return refuse_without_normal(c, fault);
    }
    for (int r = c->row; r < c->row + c->rows; r++) {
      if (has_vanished(scene, r)) {
        return refuse_row(fault, nsd_closed_subject(c), c->index < 0 ? "find" : "direction", "W", r - c->row);
      }
    }
  }
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    if (has_vanished(scene, r)) {
      const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, r - scene->closed.contact_rows, 0};
      return refuse_row(fault, who, "constraint", "W_b", r - scene->closed.contact_rows);
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_scene_assemble(nsd_scene *scene, const nsd_inertia *inertia, double t, const double *q,
                                nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  const int nu = def->nu, rows = scene->closed.rows;
  const int has_products = scene->directions.cache && scene->directions.cache->X;
  nsdyn_status status = NSDYN_OK;
  scene->problem.G_edition++;
  if (has_products && is_single(scene)) {
    point_at_products(scene, inertia);
    note_assembled(scene);
    return check_smallest(scene, fault);
  }
  double *X = scene->problem.X_own;
  if (rows == 0) { /* nothing is closed, and perhaps there never was memory for it */
    scene->problem.X = scene->problem.V = X;
    scene->problem.G = scene->problem.G_own;
    scene->problem.ldg = 0;
    return status;
  }
  const int from = has_products ? take_products(scene, inertia) : 0;
  copy_rows(rows - from, nu, scene->directions.W + (size_t)from * (size_t)nu, X + (size_t)from * (size_t)nu);
  if (inertia->factored) {
    for (int r = from; r < rows; r++) {
      nsd_inertia_forward(inertia, X + (size_t)r * (size_t)nu);
    }
  } else {
    status = nsd_call_solve_mass(def, t, q, rows, X, fault);
  }
  scene->problem.X = X;
  scene->problem.V = inertia->factored ? X : scene->directions.W;
  scene->problem.G = scene->problem.G_own;
  scene->problem.ldg = rows;
  if (nu <= 4 && rows <= 8) {
    multiply_small(from, rows, nu, X, scene->problem.V, scene->problem.G_own);
  } else if (from < rows && !(inertia->factored && inertia->is_thin &&
                              nsd_gram_product(&scene->gram, from, rows, nu, X, scene->problem.G_own))) {
    multiply(from, rows, nu, X, scene->problem.V, scene->problem.G_own);
  }
  note_assembled(scene);
  return status ? status : check_smallest(scene, fault);
}

/* ---- Velocities ---- */

void nsd_scene_speeds(const nsd_scene *scene, const double *u, double *gamma)
{
  const int nu = scene->sys->def.nu, rows = scene->closed.rows;
  nsd_inertia_dots(rows, nu, scene->directions.W, u, gamma);
  for (int r = 0; r < rows; r++) {
    gamma[r] += scene->directions.w_hat[r];
  }
}

/* n is known where this is inlined. */
NSD_INLINE void combine(int n, int rows, const double *z, const double *X, const double *Lambda, double *du)
{
  double sum[4];
  NSD_UNROLL(4)
  for (int j = 0; j < n; j++) {
    sum[j] = z[j];
  }
  for (int r = 0; r < rows; r++) {
    NSD_UNROLL(4)
    for (int j = 0; j < n; j++) {
      sum[j] += Lambda[r] * X[r * n + j];
    }
  }
  NSD_UNROLL(4)
  for (int j = 0; j < n; j++) {
    du[j] = sum[j];
  }
}

static void combine_large(int n, int rows, const double *z, const double *X, const double *Lambda, double *du)
{
  for (int j = 0; j < n; j++) {
    du[j] = z[j];
  }
  nsd_add_transposed(rows, n, X, n, Lambda, du);
}

void nsd_scene_velocities(const nsd_scene *scene, const nsd_inertia *inertia, const double *z,
                          const double *Lambda, double *du)
{
  const int rows = scene->closed.rows;
  switch (inertia->nu) {
  case 1:
    combine(1, rows, z, scene->problem.X, Lambda, du);
    break;
  case 2:
    combine(2, rows, z, scene->problem.X, Lambda, du);
    break;
  case 3:
    combine(3, rows, z, scene->problem.X, Lambda, du);
    break;
  case 4:
    combine(4, rows, z, scene->problem.X, Lambda, du);
    break;
  default:
    combine_large(inertia->nu, rows, z, scene->problem.X, Lambda, du);
    break;
  }
  if (inertia->factored) {
    nsd_inertia_backward(inertia, du);
  }
}

nsdyn_status nsd_scene_blame(const nsd_scene *scene, nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  const int nu = def->nu;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; status == NSDYN_OK && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const char *name = c->index < 0 ? "find" : "direction";
    const nsd_subject who = nsd_closed_subject(c);
    status = nsd_blame_matrix(fault, name, who, "W", c->rows, nu,
                              scene->directions.W + (size_t)c->row * (size_t)nu);
    if (status == NSDYN_OK) {
      status = nsd_blame_vector(fault, name, who, NSDYN_DETAIL_CONTACT, "w_hat", c->rows,
                                scene->directions.w_hat + c->row);
    }
  }
  for (int i = 0; status == NSDYN_OK && i < def->nconstraints; i++) {
    const int row = scene->closed.contact_rows + i;
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    const nsdyn_status bad[] = {nsd_blame_matrix(fault, "constraint", who, "W_b", 1, nu,
                                                 scene->directions.W + (size_t)row * (size_t)nu),
                                nsd_blame_vector(fault, "constraint", who, NSDYN_DETAIL_CONSTRAINT, "w_hat_b",
                                                 1, scene->directions.w_hat + row),
                                nsd_blame_vector(fault, "constraint", who, NSDYN_DETAIL_CONSTRAINT, "g_b", 1,
                                                 scene->directions.g_b + i)};
    status = bad[0] ? bad[0] : bad[1] ? bad[1] : bad[2];
  }
  return status;
}
