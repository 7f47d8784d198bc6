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

/* Whether a contact of the scene is closed by what its directions say of the rest of the step alone. */
static int is_foretold(const nsdyn_stepper *s, const nsd_look_rule *look, const nsd_closed *c)
{
  for (int k = 0; k < look->named_count; k++) {
    if (look->named[k].index == c->index && look->named[k].key == c->key) {
      return 0;
    }
  }
  return c->gap > 0.0 && c->law->kind == NSDYN_CONTACT_UNILATERAL && nsd_history_trace(&s->history, c) < 0 &&
         !nsd_history_past(&s->history, c);
}

/* Stewart (2000), eq. 2.13, has g_N(qᴬ + Δt uᴬ) <= 0, and directions tell that of linear gaps only: a corner
 * that slides off an edge goes below its line, and meets nothing. What does not come is marked by a 1 in the
 * problem's c, which nobody reads before the step is set up. */
static nsdyn_status mark_missing(nsdyn_stepper *s, const nsd_look_rule *look)
{
  const nsd_scene *scene = &s->scene;
  nsdyn_status status =
      nsd_call_move(&s->sys->def, s->t_middle, s->q_middle, look->u, look->horizon, s->q_next, &s->fault);
  if (status == NSDYN_OK && nsd_lanes_bounded(s->sys->def.nq, s->q_next) != 0.0) {
    status = nsd_scheme_blame_coordinates(s, s->q_next);
  }
  const double noise =
      NSD_EVALUATION_ROUNDING * nsd_row_size(0.0, nsd_row_dense(s->sys->def.nq, s->q_middle), NULL);
  const nsd_wish wish = {.near = noise};
  status =
      status ? status : nsd_keep_closed_find_gaps(s, s->t_middle + look->horizon, s->q_next, noise, &wish);
  for (int k = 0; status == NSDYN_OK && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int is_missing = is_foretold(s, look, c) && nsd_keep_closed_gap_there(scene, c) > noise;
    scene->problem.c[k] = is_missing ? 1.0 : 0.0;
  }
  return status;
}

/* The scene without contacts that are marked. */
static nsdyn_status drop_marked(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const int count = scene->closed.count;
  double any = 0.0;
  for (int k = 0; k < count; k++) {
    any += scene->problem.c[k];
  }
  if (any == 0.0) {
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_scene_begin(scene, count, &s->fault);
  scene->directions.edition = 0;
  for (int k = 0; status == NSDYN_OK && k < count; k++) {
    if (scene->problem.c[k] == 0.0) {
      const nsd_closed c = scene->closed.contact[k];
      nsd_scene_close(scene, c);
    }
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
  nsd_look_rule look = {.horizon = activation == NSDYN_ACTIVATION_GAP ? 0.0 : s->theta * dt,
                        .row = s->stray_row};
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
  int any = 0;
  for (int k = 0; status == NSDYN_OK && look.horizon > 0.0 && k < s->scene.closed.count; k++) {
    any |= is_foretold(s, &look, &s->scene.closed.contact[k]);
  }
  if (any) { /* gaps are those of another place then */
    status = mark_missing(s, &look);
    status = status ? status : look_with(s, dt, &look);
    status = status ? status : drop_marked(s);
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
