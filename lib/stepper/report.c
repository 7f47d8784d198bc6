/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the last step did, put together when asked for. */
#include <math.h>

#include "contact/door.h"
#include "stepper/check/verify_gaps.h"
#include "stepper/drift/keep_closed.h"
#include "stepper/drift/projection.h"

nsdyn_status nsdyn_step_report_init(nsdyn_step_report *report, size_t size)
{
  return nsd_sized_init(report, size, NSD_STEP_REPORT_LEAST, NULL, sizeof *report);
}

/* γ at the end, before a projection. */
static double speed_after(const nsdyn_stepper *s, int row)
{
  const nsd_scene *scene = &s->scene;
  /* γ = w·u + ŵ with the directions of the step, and the velocities that its impulses made: a projection has
   * changed u since then. */
  const double *u = s->correction.done ? s->u_solved : s->u;
  return nsd_scene_dot(scene, row, u) + scene->directions.w_hat[row];
}

/* The deepest contact, in the middle and at the end as its velocity says; or where the projection left it. */
static void judge_gaps(const nsdyn_stepper *s, const nsd_scene *corrected, nsdyn_step_report *own)
{
  int from = 0;
  for (int k = 0; k < s->scene.closed.count; k++) {
    const nsd_closed *c = &s->scene.closed.contact[k];
    const int is_slot = c->law->kind == NSDYN_CONTACT_BILATERAL;
    /* g(tᴱ) is about g(tᴹ) + θ Δt γᴱ; only what falls makes a gap deeper, and a slot counts where it is. */
    const double falls = -s->theta * s->dt * speed_after(s, c->row);
    double deep = is_slot ? fabs(c->gap) : -c->gap, further = is_slot || falls < 0.0 ? 0.0 : falls;
    /* After a projection its gap at the end is known. */
    const int place = corrected ? nsd_scene_place_of(corrected, c, &from) : -1;
    if (place >= 0) {
      const double gap = corrected->closed.contact[place].gap;
      deep = is_slot ? fabs(gap) : -gap;
      further = 0.0;
    }
    if (k == 0 || deep + further > own->gap) { /* a key may be any number, negative ones too */
      own->gap = deep + further > 0.0 ? deep + further : 0.0;
      own->gap_bound = nsd_larger(nsd_contradiction_bound(s, k), deep) + further;
      own->worst_contact = c->index;
      own->worst_key = c->key;
    }
  }
}

static void judge_constraints(const nsdyn_stepper *s, const nsd_scene *corrected, nsdyn_step_report *own)
{
  const nsd_scene *scene = &s->scene;
  for (int i = 0; i < scene->closed.rows - scene->closed.contact_rows; i++) {
    /* |g_b| where it was seen last; ξ = γᴱ of a bilateral row should be 0. */
    const double far = fabs(corrected ? corrected->directions.g_b[i] : scene->directions.g_b[i]);
    if (far > own->constraint || own->worst_constraint < 0) {
      own->constraint = far;
      own->constraint_bound = nsd_larger(nsd_contradiction_drift_bound(s, i), far);
      own->worst_constraint = i;
    }
    own->velocity = nsd_larger(fabs(scene->solution.xi[scene->closed.contact_rows + i]), own->velocity);
  }
}

/* Drift, and the velocities that were held at zero. */
static void judge(const nsdyn_stepper *s, nsdyn_step_report *own)
{
  const nsd_scene *scene = &s->scene;
  const nsd_scene *corrected = s->options.project && s->dt > 0.0 ? nsd_projection_scene(s) : NULL;
  judge_gaps(s, corrected, own);
  judge_constraints(s, corrected, own);
  for (int k = 0; !s->rebounds && k < scene->closed.count; k++) {
    const int row = scene->closed.contact[k].row;
    /* 0 <= ξ ⊥ Λ >= 0: missed by the smaller one, Λ as the velocity G_rr Λ_r that it makes. */
    const double G = scene->problem.G[(size_t)row * ((size_t)scene->problem.ldg + 1)];
    const double xi = fabs(scene->solution.xi[row]), stored = G * fabs(scene->solution.Lambda[row]);
    own->velocity = nsd_larger(xi < stored ? xi : stored, own->velocity);
  }
  /* A solution misses its laws by no more than tol times the scale of its problem, or of the one that
   * rebounds solve. */
  own->velocity_bound = s->options.tol * nsd_larger(nsd_poisson_result(s)->scale, s->scale);
}

nsdyn_status nsdyn_stepper_report(const nsdyn_stepper *s, nsdyn_step_report *report)
{
  if (!s) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_step_report own = {.size = sizeof own,
                           .status = s->status,
                           .active = nsdyn_stepper_active(s),
                           .rounds = s->rounds,
                           .inelastic = s->inelastic,
                           .steps = s->steps,
                           .solutions = s->solutions,
                           .motions = s->motions,
                           .t = s->t,
                           .dt = s->dt,
                           .worst_key = -1,
                           .worst_contact = -1,
                           .worst_constraint = -1};
  /* Without closed contacts no problem was solved; of a step that failed there is nothing to judge. */
  if (s->solved) {
    const nsdyn_contact_solve_report *solve = nsd_poisson_result(s);
    own.method = solve->method;
    own.lcp_size = solve->lcp_size;
    own.iterations = solve->iterations;
    own.warm = solve->warm;
    own.residual = solve->residual;
    own.scale = solve->scale;
    if (s->stage == NSD_STAGE_DONE) {
      judge(s, &own);
    }
  }
  return nsd_sized_write(report, NSD_STEP_REPORT_LEAST, &own, sizeof own);
}

/* Whether the last call was an impact that something took part in. */
static int has_struck(const nsdyn_stepper *s)
{
  return s->stage == NSD_STAGE_DONE && s->dt == 0.0 && s->solved;
}

nsdyn_status nsdyn_stepper_impact_report(const nsdyn_stepper *s, nsdyn_impact_report *report)
{
  if (!s) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (has_struck(s)) {
    return nsdyn_contact_impact_report(s->contact, report);
  }
  const nsdyn_impact_report own = {
      .size = sizeof own, .status = s->status, .law = s->impact, .worst_row = -1};
  return nsd_sized_write(report, NSD_IMPACT_REPORT_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_stepper_impact_half(const nsdyn_stepper *s, int32_t kind, nsdyn_impact_half *half)
{
  if (!s || kind < NSDYN_IMPACT_COMPRESSION || kind > NSDYN_IMPACT_EXPANSION) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (has_struck(s)) {
    return nsdyn_contact_impact_half(s->contact, kind, half);
  }
  const nsdyn_impact_half own = {.size = sizeof own, .worst_row = -1};
  return nsd_sized_write(half, NSD_IMPACT_HALF_LEAST, &own, sizeof own);
}

int32_t nsdyn_stepper_active(const nsdyn_stepper *s)
{
  return s && s->stage != NSD_STAGE_NONE ? s->scene.closed.count : 0;
}

/* A contact that was closed. A step that failed has no velocities at its end. */
static void fill_closed(const nsdyn_stepper *s, const nsd_closed *c, nsdyn_contact_state *own)
{
  const nsd_scene *scene = &s->scene;
  own->key = c->key;
  own->index = c->index;
  own->active = 1;
  own->rows = c->rows;
  own->gap = c->gap;
  own->mu = scene->problem.spec[c - scene->closed.contact].mu;
  if (s->stage != NSD_STAGE_DONE) {
    return;
  }
  /* The mean force over a step is Λ/Δt; an impact (Δt = 0) has none. */
  const double *u = s->correction.done ? s->u_solved : s->u;
  own->mode = c->mode;
  for (int r = 0; r < c->rows; r++) {
    const int row = c->row + r;
    own->impulse[r] = scene->solution.Lambda[row];
    own->force[r] = s->dt > 0.0 ? scene->solution.Lambda[row] / s->dt : 0.0;
    own->before[r] = scene->problem.gamma[row];
    own->after[r] = nsd_scene_dot(scene, row, u) + scene->directions.w_hat[row];
  }
}

nsdyn_status nsdyn_stepper_active_contact(const nsdyn_stepper *s, int32_t k, nsdyn_contact_state *state)
{
  if (k < 0 || k >= nsdyn_stepper_active(s)) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_contact_state own = {.size = sizeof own};
  fill_closed(s, &s->scene.closed.contact[k], &own);
  return nsd_sized_write(state, NSD_CONTACT_STATE_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_stepper_contact(const nsdyn_stepper *s, int32_t i, nsdyn_contact_state *state)
{
  if (!s || i < 0 || i >= s->sys->def.ncontacts) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_contact_state own = {.size = sizeof own, .key = i, .index = i, .gap = s->scene.closed.g[i]};
  for (int k = 0; k < nsdyn_stepper_active(s); k++) {
    if (s->scene.closed.contact[k].index == i) {
      fill_closed(s, &s->scene.closed.contact[k], &own);
    }
  }
  return nsd_sized_write(state, NSD_CONTACT_STATE_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_stepper_found_contact(const nsdyn_stepper *s, int64_t key, nsdyn_contact_state *state)
{
  if (!s) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_contact_state own = {.size = sizeof own, .key = key, .index = -1};
  const nsd_closed *contact = s->scene.closed.contact;
  const int active = nsdyn_stepper_active(s);
  /* What a step has closed is remembered in its order; an impact, or a step that failed, may have closed
   * others. */
  const int64_t place = nsd_keys_find(&s->history.keys, key);
  int64_t at = place < 0 ? active : s->scene.closed.known + place;
  if (at >= active || contact[at].index >= 0 || contact[at].key != key) {
    for (at = 0; at < active && (contact[at].index >= 0 || contact[at].key != key); at++) {
    }
  }
  if (at < active) {
    fill_closed(s, &contact[at], &own);
  }
  return nsd_sized_write(state, NSD_CONTACT_STATE_LEAST, &own, sizeof own);
}

nsdyn_status nsdyn_stepper_constraint(const nsdyn_stepper *s, int32_t i, nsdyn_constraint_state *state)
{
  if (!s || i < 0 || i >= s->sys->def.nconstraints) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_constraint_state own = {.size = sizeof own, .index = i};
  if (s->stage == NSD_STAGE_DONE) {
    const int row = s->scene.closed.contact_rows + i;
    own.gap = s->scene.directions.g_b[i];
    own.velocity = speed_after(s, row);
    /* What the projection gave the velocities at the step's end is the joint's as well. */
    own.impulse = s->scene.solution.Lambda[row] + (s->correction.done ? s->joint[i] : 0.0);
    own.force = s->dt > 0.0 ? own.impulse / s->dt : 0.0;
  }
  return nsd_sized_write(state, NSD_CONSTRAINT_STATE_LEAST, &own, sizeof own);
}
