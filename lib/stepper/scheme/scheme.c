/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The schemes there are, and what they share that is no matter of every step: impacts, and what went wrong.
 */
#include "stepper/scheme/scheme.h"
#include "base/tolerances.h"
#include "stepper/drift/keep_closed.h"
#include "stepper/drift/split.h"

#include <float.h>
#include <math.h>

const nsd_scheme *nsd_scheme_of(int32_t id)
{
  static const nsd_scheme *const all[] = {&nsd_scheme_moreau,
                                          &nsd_scheme_euler,
                                          &nsd_scheme_moreau_jean,
                                          &nsd_scheme_stewart_trinkle,
                                          &nsd_scheme_anitescu_potra,
                                          &nsd_scheme_generalized_alpha,
                                          NULL};
  for (int i = 0; all[i]; i++) {
    if (all[i]->id == id) {
      return all[i];
    }
  }
  return NULL;
}

/* ---- contacts that come ---- */

/* Stewart (2000), eq. 2.13, has g_N(qᴬ + Δt uᴬ) <= 0, and directions tell that of linear gaps only: a corner
 * that slides off an edge goes below its line, and meets nothing. What they foretell is therefore looked for
 * on the way there, and let go of where it is seen to be open all along. A gap that is convex, as that of
 * round bodies is that fly past each other, lies above the line through its last two values: it closes no
 * sooner than that, and nothing is passed over. Of others the quarters of the way are seen. Whatever leaves
 * doubts stays. */
enum { PARTS = 4, PLACES = 32 };

typedef struct path {
  nsdyn_stepper *stepper;
  const nsd_look_rule *look;
  double at;     /* the time of the place that was seen last, from the beginning, */
  double next;   /* and before which nothing closes */
  double margin; /* how far found contacts are looked for */
  double noise;  /* of gaps */
} path;

/* The gap of contact k where it was seen last, 0 where it is to take part; in the problem's c, which nobody
 * reads before the step is set up. What it was at the beginning is in γ. */
static double *last_gap(const nsd_scene *scene, int k)
{
  return &scene->problem.c[k];
}

/* Whether a contact of the scene is closed by what its directions say of the rest of the step alone. */
static int is_foretold(const nsdyn_stepper *s, const nsd_look_rule *look, const nsd_closed *c, double most_q)
{
  for (int k = 0; k < look->named_count; k++) {
    if (look->named[k].index == c->index && look->named[k].key == c->key) {
      return 0;
    }
  }
  return c->gap > nsd_scene_touch(&s->scene, c->index, c->found, s->t_middle, most_q) &&
         c->law->kind == NSDYN_CONTACT_UNILATERAL && nsd_history_trace(&s->history, c) < 0 &&
         !nsd_history_past(&s->history, c);
}

/* Marks what is foretold; returns whether there is any. */
static int mark_foretold(path *p)
{
  const nsdyn_stepper *s = p->stepper;
  const nsd_scene *scene = &s->scene;
  const int count = p->look->horizon > 0.0 ? scene->closed.count : 0;
  const double most_q = count ? nsd_scene_largest(s->sys->def.nq, s->q_middle) : 0.0;
  int any = 0;
  for (int k = 0; k < count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int is = is_foretold(s, p->look, c, most_q);
    *last_gap(scene, k) = is ? c->gap : 0.0;
    scene->problem.gamma[k] = c->gap;
    p->margin = is && c->index < 0 ? nsd_larger(c->gap, p->margin) : p->margin;
    any |= is;
  }
  return any;
}

/* All that is still open; returns whether there is any. */
static int is_any_open(const nsd_scene *scene)
{
  int any = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    any |= *last_gap(scene, k) != 0.0;
  }
  return any;
}

static void keep_all(const nsd_scene *scene)
{
  for (int k = 0; k < scene->closed.count; k++) {
    *last_gap(scene, k) = 0.0;
  }
}

static double name_open(const void *who, int32_t k, int64_t *key, double *span)
{
  const path *p = who;
  const nsd_scene *scene = &p->stepper->scene;
  *span = 0.0;
  *key = scene->closed.contact[k].key;
  return scene->closed.contact[k].index < 0 && *last_gap(scene, k) != 0.0 ? p->margin : -1.0;
}

/* The least gap of what was found there, and is no contact of the scene: other features of bodies that were
 * foretold to meet may be the nearest ones by then. */
static double least_new(const path *p, double t, double most_q)
{
  const nsd_scene *scene = &p->stepper->scene;
  double least = INFINITY;
  for (int32_t i = 0; i < scene->closed.sink.count; i++) {
    const nsd_found *found = &scene->closed.sink.found[i];
    const nsd_closed it = {.index = -1, .key = found->key};
    const double gap = found->gap - nsd_scene_touch(scene, -1, i, t, most_q);
    int from = 0;
    least = gap < least && nsd_scene_place_of(scene, &it, &from) < 0 ? gap : least;
  }
  return least;
}

/* The gap of contact k there, beyond what rounding is of it. */
static double gap_beyond(const path *p, int k, double least, double t, double most_q)
{
  const nsd_scene *scene = &p->stepper->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  if (c->index >= 0) {
    return scene->closed.g[c->index] - nsd_scene_touch(scene, c->index, -1, t, most_q);
  }
  const int64_t place = nsd_keys_find(&scene->closed.sink.keys, c->key);
  if (place < 0 || least <= p->noise) {
    return least;
  }
  return scene->closed.sink.found[place].gap - nsd_scene_touch(scene, -1, (int32_t)place, t, most_q);
}

/* What is open after so much time, on the way that the velocities lead. A place that callbacks cannot tell
 * of, since bodies are too deep in each other there, say, is one that something was in the way of. */
static nsdyn_status see(path *p, double time, int is_end)
{
  nsdyn_stepper *s = p->stepper;
  const nsd_scene *scene = &s->scene;
  const nsdyn_system_def *def = &s->sys->def;
  const nsd_wish wish = {.near = p->noise, .named = scene->closed.count, .name = name_open, .who = p};
  const double t = s->t_middle + time;
  nsdyn_status status = nsd_call_move(def, s->t_middle, s->q_middle, p->look->u, time, s->q_next, &s->fault);
  if (status == NSDYN_OK && nsd_lanes_bounded(def->nq, s->q_next) != 0.0) {
    status = nsd_scheme_blame_coordinates(s, s->q_next);
  }
  status =
      status ? status : nsd_keep_closed_find_gaps(s, t, s->q_next, nsd_larger(p->margin, p->noise), &wish);
  if (status == NSDYN_ERR_CALLBACK_RETRY || status == NSDYN_ERR_NOT_FINITE) {
    nsd_fault_clear(&s->fault);
    keep_all(scene);
    return NSDYN_OK;
  }
  const double most_q = nsd_scene_largest(def->nq, s->q_next), least = least_new(p, t, most_q);
  p->next = INFINITY;
  for (int k = 0; status == NSDYN_OK && k < scene->closed.count; k++) {
    double *last = last_gap(scene, k);
    if (*last == 0.0) {
      continue;
    }
    const double there = gap_beyond(p, k, least, t, most_q), fall = *last - there + p->noise;
    /* g(τ) = 0 on the line through the last two places. */
    if (there > p->noise && fall > 0.0 && *last <= DBL_MAX) {
      p->next = nsd_smaller(time + (time - p->at) * (there / fall), p->next);
    }
    *last = there <= p->noise ? 0.0 : is_end ? *last : there;
  }
  p->at = is_end ? p->at : time;
  return status;
}

/* 1: where the way ends most have come. 2: the others are followed from the place where directions have the
 * first of all close. */
static nsdyn_status follow(path *p, double soonest)
{
  const nsd_scene *scene = &p->stepper->scene;
  const double part = p->look->horizon / PARTS;
  nsdyn_status status = see(p, p->look->horizon, 1);
  p->next = soonest;
  int places = 0;
  for (int k = 1; status == NSDYN_OK && is_any_open(scene); places++) {
    const double time = nsd_smaller(p->next, k * part);
    if (time >= p->look->horizon) {
      return NSDYN_OK;
    }
    if (places == PLACES || !(time > p->at)) {
      keep_all(scene);
      return NSDYN_OK;
    }
    k += time == k * part;
    status = see(p, time, 0);
  }
  return status;
}

/* The scene without contacts that are open all the way. */
static nsdyn_status drop_open(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const int count = scene->closed.count;
  if (!is_any_open(scene)) {
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_scene_begin(scene, count, &s->fault);
  scene->directions.edition = 0;
  for (int k = 0; status == NSDYN_OK && k < count; k++) {
    const nsd_closed c = scene->closed.contact[k];
    /* A callback that tells of others when it is asked once more is taken at its last word. */
    if (*last_gap(scene, k) != 0.0 && scene->problem.gamma[k] == c.gap) {
      continue;
    }
    if (c.index < 0 && scene->closed.speeds) { /* Poisson's law reads w̄_N by its row */
      scene->problem.w_bar[scene->closed.contact_rows] = scene->problem.w_bar[c.row];
    }
    nsd_scene_close(scene, c);
  }
  return status;
}

static nsdyn_status look_with(nsdyn_stepper *s, double dt, const nsd_look_rule *look)
{
  const nsdyn_status status = nsd_call_configure(&s->sys->def, s->t_middle, s->q_middle, &s->fault);
  return status ? status
                : nsd_scene_look_ahead(&s->scene, s->t_middle, s->q_middle, nsd_scheme_slack(s, dt), look,
                                       &s->fault);
}

nsdyn_status nsd_scheme_look_ahead(nsdyn_stepper *s, double dt, int32_t own)
{
  const int is_chosen = s->options.activation && s->scheme != &nsd_scheme_moreau;
  const int32_t activation = is_chosen ? s->options.activation : own;
  double soonest = INFINITY;
  nsd_look_rule look = {.horizon = activation == NSDYN_ACTIVATION_GAP ? 0.0 : s->theta * dt,
                        .row = s->stray_row,
                        .soonest = &soonest};
  look.named_count = nsd_split_coming(s, &look.named, &look.margin);
  if (activation == NSDYN_ACTIVATION_GAP && look.named_count == 0) {
    return nsd_scheme_look(s, dt);
  }
  look.u = s->u;
  s->history.near = INFINITY;
  nsdyn_status status = NSDYN_OK;
  if (activation == NSDYN_ACTIVATION_FREE) {
    status = nsd_call_configure(&s->sys->def, s->t_middle, s->q_middle, &s->fault);
    status = status ? status : nsd_scheme_dynamics(s, dt);
    /* uᴬ + M⁻¹ h Δt: nothing is closed yet. */
    nsd_scene_velocities(&s->scene, &s->inertia, s->z, s->scene.solution.Lambda, s->du);
    nsd_lanes_combine(s->inertia.nu, s->u, 1.0, s->du, s->u_next);
    look.u = s->u_next;
  }
  status = status ? status : look_with(s, dt, &look);
  const double sum_of_q = nsd_row_size(0.0, nsd_row_dense(s->sys->def.nq, s->q_middle), NULL);
  path way = {.stepper = s, .look = &look, .noise = NSD_EVALUATION_ROUNDING * sum_of_q};
  if (status == NSDYN_OK && mark_foretold(&way)) { /* gaps are those of other places then */
    const int count = s->scene.closed.count;
    status = follow(&way, soonest);
    status = status ? status : look_with(s, dt, &look);
    status = status || s->scene.closed.count != count ? status : drop_open(s);
  }
  return status;
}

nsdyn_status nsd_scheme_blame_coordinates(nsdyn_stepper *s, const double *q)
{
  return nsd_blame_move(&s->fault, &s->sys->def, q);
}

nsdyn_status nsd_scheme_blame(nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  const nsd_subject nobody = nsd_no_subject();
  nsdyn_status status =
      nsd_blame_vector(&s->fault, "force", nobody, NSDYN_DETAIL_COORDINATE, "h", def->nu, s->h);
  if (status == NSDYN_OK && !s->inertia.factored) {
    status = nsd_blame_vector(&s->fault, "solve_mass", nobody, NSDYN_DETAIL_COORDINATE, "X", def->nu, s->z);
  }
  if (status == NSDYN_OK) {
    status = nsd_blame_overflow(&s->fault, "velocity", def->nu, s->u_next);
  }
  return status ? status : nsd_scheme_blame_coordinates(s, s->q_next);
}

nsdyn_status nsd_scheme_impact(nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_scheme_stay(s);
  s->history.near = s->slack_dt * s->slack_dt; /* an impact has no horizon: what is in force has to touch */
  for (int j = 0; j < def->nq; j++) {
    s->q_next[j] = s->q[j];
  }
  /* Δt = 0: q stays, and u⁺ = u⁻ + M⁻¹ Wᵀ Λ, since h Δt = 0. */
  nsd_fill_zero(def->nu, s->h);
  nsd_fill_zero(def->nu, s->z);
  nsdyn_status status = nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
  status = status ? status
                  : nsd_scene_look(&s->scene, s->t_middle, s->q_middle, nsd_scheme_slack(s, 0.0), &s->fault);
  status = status ? status : nsd_scheme_mass(s);
  status = status ? status : nsd_scheme_velocities(s);
  if (status) {
    return status;
  }
  return nsd_lanes_bounded(def->nu, s->u_next) == 0.0 ? NSDYN_OK : nsd_scheme_blame(s);
}
