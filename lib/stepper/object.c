/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/object.h"

#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "base/check_options.h"
#include "nsdyn/lcp.h"
#include "stepper/adaptive.h"
#include "stepper/check/consistent.h"
#include "stepper/count_solutions.h"
#include "stepper/drift/projection.h"
#include "stepper/drift/split.h"
#include "stepper/output.h"
#include "stepper/scheme/implicit.h"
#include "stepper/scheme/scheme.h"
#include "system/check_state.h"

nsdyn_status nsdyn_stepper_options_init(nsdyn_stepper_options *options, size_t size)
{
  const nsdyn_stepper_options defaults = {.size = sizeof defaults,
                                          .scheme = NSDYN_SCHEME_MOREAU,
                                          .dt = 1e-3,
                                          .tol = 1e-9,
                                          .start_tol = 5e-3,
                                          .theta = 0.5,
                                          .implicit_rounds = 30,
                                          .shortest = 0x1p-10,
                                          .output_dt = INFINITY,
                                          .spectral_radius = 0.8,
                                          .check = NSD_CHECKS_MODELS};
  return nsd_sized_init(options, size, NSD_STEPPER_OPTIONS_LEAST, &defaults, sizeof defaults);
}

static nsdyn_status check_options(const nsdyn_stepper_options *o, nsd_fault *fault)
{
  /* Comparisons are written so that NaN is refused too: !(x >= 0). */
#define REFUSE(field, range) NSD_OPTIONS_REFUSE(nsdyn_stepper_options, o, field, range, fault)
  if (!nsd_scheme_of(o->scheme)) {
    return REFUSE(scheme, "one of nsdyn_scheme");
  }
  if (o->project < NSDYN_PROJECT_NONE || o->project > NSDYN_PROJECT_SPLIT) {
    return REFUSE(project, "one of nsdyn_project");
  }
  if (!nsd_options_is_flag(o->count)) {
    return REFUSE(count, "0 or 1");
  }
  if (o->friction_rounds < 0) {
    return REFUSE(friction_rounds, "a count >= 0");
  }
  if (!nsd_options_is_flag(o->inelastic)) {
    return REFUSE(inelastic, "0 or 1");
  }
  if (!nsd_options_is_flag(o->clip)) {
    return REFUSE(clip, "0 or 1");
  }
  if (o->impact < NSDYN_IMPACT_NEWTON || o->impact > NSDYN_IMPACT_POISSON) {
    return REFUSE(impact, "one of nsdyn_impact_law");
  }
  if (o->contact_method < NSDYN_CONTACT_AUTOMATIC || o->contact_method > NSDYN_CONTACT_TODOROV_PLM) {
    return REFUSE(contact_method, "one of nsdyn_contact_method");
  }
  if (!nsd_options_is_flag(o->check)) {
    return REFUSE(check, "0 or 1");
  }
  if (o->lcp_method < NSDYN_LCP_AUTOMATIC || o->lcp_method > NSDYN_LCP_MARQUARDT_PROJECTED) {
    return REFUSE(lcp_method, "one of nsdyn_lcp_method");
  }
  if (!(o->threshold >= 0.0 && o->threshold <= DBL_MAX)) {
    return REFUSE(threshold, "a velocity >= 0");
  }
  if (!(o->dt > 0.0 && o->dt <= DBL_MAX)) {
    return REFUSE(dt, "a duration > 0");
  }
  if (!(o->tol >= 0.0 && o->tol < 1.0)) {
    return REFUSE(tol, "in [0, 1)");
  }
  if (!(o->theta >= 0.5 && o->theta <= 1.0)) {
    return REFUSE(theta, "in [0.5, 1]");
  }
  if (o->implicit_rounds < 0) {
    return REFUSE(implicit_rounds, "a count >= 0");
  }
  if (o->activation < NSDYN_ACTIVATION_SCHEME || o->activation > NSDYN_ACTIVATION_FREE) {
    return REFUSE(activation, "one of nsdyn_activation");
  }
  if (o->activation > NSDYN_ACTIVATION_GAP && o->scheme == NSDYN_SCHEME_MOREAU) {
    return REFUSE(activation, "0 or 1, as Moreau's midpoint rule looks at gaps alone");
  }
  if (!nsd_options_is_flag(o->gap_term)) {
    return REFUSE(gap_term, "0 or 1");
  }
  if (o->gap_term && o->scheme != NSDYN_SCHEME_STEWART_TRINKLE) {
    return REFUSE(gap_term, "0, as the scheme is not Stewart & Trinkle's");
  }
  if (!(o->advance_tol >= 0.0 && o->advance_tol < 1.0)) {
    return REFUSE(advance_tol, "in [0, 1)");
  }
  if (!(o->shortest > 0.0 && o->shortest <= 1.0)) {
    return REFUSE(shortest, "in (0, 1]");
  }
  if (!(o->output_dt > 0.0)) {
    return REFUSE(output_dt, "a duration > 0");
  }
  if (!(o->spectral_radius >= 0.0 && o->spectral_radius <= 1.0)) {
    return REFUSE(spectral_radius, "in [0, 1]");
  }
  if (o->reserved_2 != 0) {
    return REFUSE(reserved_2, "0");
  }
  if (!(o->start_tol >= 0.0)) {
    return REFUSE(start_tol, "a share >= 0");
  }
#undef REFUSE
  return NSDYN_OK;
}

static nsdyn_status read_options(nsdyn_stepper_options *own, const nsdyn_stepper_options *given,
                                 nsd_fault *fault)
{
  nsdyn_status status = NSD_SIZED_READ(nsdyn_stepper_options, own, NSD_STEPPER_OPTIONS_LEAST, given, fault);
  if (status == NSDYN_OK && (status = check_options(own, fault)) == NSDYN_OK) {
    if (own->project == NSDYN_PROJECT_NONE && nsd_scheme_of(own->scheme)->projects) {
      own->project = NSDYN_PROJECT_AFTER;
    }
  }
  return status;
}

/* What the options make of the scheme. */
static void put_in_force(nsdyn_stepper *s, const nsdyn_stepper_options *own)
{
  /* θ, the share of Δt that follows the place where contacts are taken, is the scheme's own or the option; so
   * is the impact law. */
  if (s->options.scheme != own->scheme) {
    s->has_f = s->has_a = 0; /* another scheme's are not known */
  }
  s->options = *own;
  s->scheme = nsd_scheme_of(own->scheme);
  s->theta = s->scheme->theta > 0.0 ? s->scheme->theta : own->theta;
  s->impact = s->scheme->impact < 0 ? own->impact : s->scheme->impact;
  s->scene.closed.is_projected = own->project != 0;
  /* v_ε of Poisson's law has w̄_N in it (scheme/poisson_law.c), at uᴬ. */
  s->scene.closed.moved = &s->u;
  s->scene.closed.speeds = s->impact == NSDYN_IMPACT_POISSON ? &s->u : NULL;
  s->shows = own->output != NULL;
}

static void lay_out_algorithmic(nsd_arena *arena, nsdyn_stepper *s)
{
  double **velocities[] = {&s->f, &s->f_next, &s->h_begin, &s->a, &s->a_next};
  for (size_t i = 0; i < sizeof velocities / sizeof *velocities; i++) {
    *velocities[i] = nsd_arena_take(arena, (size_t)s->sys->def.nu, sizeof(double));
  }
}

/* What generalized-α hands on from step to step. */
static nsdyn_status prepare_algorithmic(nsdyn_stepper *s, const nsdyn_stepper_options *own)
{
  if (own->scheme != NSDYN_SCHEME_GENERALIZED_ALPHA || s->f) {
    return NSDYN_OK;
  }
  nsdyn_stepper counted = *s;
  nsd_arena measure = nsd_arena_measure();
  lay_out_algorithmic(&measure, &counted);
  const nsdyn_status status = nsd_arena_reserve(&s->algorithmic_arena, &measure);
  if (status == NSDYN_OK) {
    lay_out_algorithmic(&s->algorithmic_arena, s);
  }
  return status;
}

/* Memory that only some options need; what is there already stays. */
static nsdyn_status prepare(nsdyn_stepper *s, const nsdyn_stepper_options *own, nsd_fault *fault)
{
  nsdyn_status status = nsd_implicit_prepare(s, own, fault);
  if (status == NSDYN_ERR_UNSUPPORTED) {
    return status;
  }
  if (status == NSDYN_OK && own->scheme == NSDYN_SCHEME_STEWART_TRINKLE) {
    status = nsd_make_energy_mass(&s->sys->def, s->ctx, &s->energy_mass, fault);
  }
  status = status ? status : prepare_algorithmic(s, own);
  status = status ? status : nsd_projection_prepare(s, own);
  status = status ? status : nsd_split_prepare(s, own);
  status = status ? status : nsd_count_prepare(s, own);
  status = status ? status : nsd_adaptive_prepare(s, own);
  status = status ? status : nsd_output_prepare(s, own);
  return status ? nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1,
                                "no memory for what the options ask for, with %d coordinates and %d contacts",
                                (int)s->sys->def.nq, (int)s->sys->def.ncontacts)
                : NSDYN_OK;
}

/* ---- Making one ---- */

static void lay_out(nsd_arena *arena, nsdyn_stepper *s)
{
  /* Coordinates at the beginning, the middle and the end of a step; velocities likewise; z = L⁻¹ h. Then what
   * contacts and constraints need, for as many as there are. */
  const nsdyn_system_def *def = &s->sys->def;
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu;
  double **coordinates[] = {&s->q, &s->q_begin, &s->q_middle, &s->q_mass, &s->q_next};
  double **velocities[] = {&s->u, &s->u_begin, &s->u_next, &s->u_solved, &s->h, &s->z, &s->du};
  for (size_t i = 0; i < sizeof coordinates / sizeof *coordinates; i++) {
    *coordinates[i] = nsd_arena_take(arena, nq, sizeof(double));
  }
  for (size_t i = 0; i < sizeof velocities / sizeof *velocities; i++) {
    *velocities[i] = nsd_arena_take(arena, nu, sizeof(double));
  }
  nsd_inertia_lay_out(arena, &s->inertia, def);
  nsd_scene_lay_out(arena, &s->scene);
  nsd_history_lay_out(arena, &s->history, def->ncontacts);
  s->stray_row = nsd_arena_take(arena, NSD_CONTACT_ROWS * (nu + 1), sizeof *s->stray_row);
  nsd_closing_lay_out(arena, &s->closing, def);
  s->joint = nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *s->joint);
  s->agree =
      nsd_arena_take(arena, (size_t)def->nconstraints + 2, (size_t)def->nconstraints * sizeof *s->agree);
  s->drift = nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *s->drift);
  s->drift_next = nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *s->drift_next);
  nsd_scene_lay_out_cache(arena, &s->scene, &s->inertia, &s->cache);
}

/* What was evaluated once for all, and what the step before left. */
void nsd_stepper_forget(nsdyn_stepper *s)
{
  const nsd_past nothing = {.flags = 0};
  const int contacts = s->sys->def.ncontacts;
  /* What contacts and constraints did in the step before. */
  nsd_history_clear(&s->history, contacts);
  for (int i = 0; i < contacts; i++) {
    s->scene.closed.g[i] = s->scene.closed.touch[i] = 0.0;
  }
  for (int i = 0; i < s->sys->def.nconstraints; i++) {
    s->drift[i] = s->drift_next[i] = nothing;
  }
  /* The constants, as laws and parameters of callbacks may be others by now. The next step begins a run. */
  nsd_scene_forget_cache(&s->scene);
  s->fresh = NSD_FRESH_SET;
  s->slack_speed = s->slack_dt = 0.0;
  s->has_f = s->has_a = s->has_f_next = 0;
  s->mass_is_known = 0;
  s->scene.closed.count = s->scene.closed.known = s->scene.closed.contact_rows = s->scene.closed.rows = 0;
  /* There is no last step to report. */
  s->stage = NSD_STAGE_NONE;
  s->status = NSDYN_OK;
  s->dt = 0.0;
  s->t_begin = s->t_middle = s->t_next = s->t;
  s->rounds = s->rebounds = s->inelastic = s->solved = 0;
  s->solutions = s->motions = NSD_NOT_COUNTED;
  s->steps = 0;
  nsd_adaptive_forget(s);
  nsd_implicit_forget(s);
}

/* Each contact problem begins where the step before has ended. */
static nsdyn_contact_options solver_options(const nsdyn_stepper_options *o)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = o->contact_method;
  options.lcp_method = o->lcp_method;
  options.warm_start = 1;
  options.tol = o->tol;
  return options;
}

static nsdyn_status new_solver(nsdyn_stepper *s)
{
  const nsdyn_contact_options options = solver_options(&s->options);
  const nsdyn_status status = nsdyn_contact_new(s->ctx, &options, &s->contact, NULL);
  if (status == NSDYN_OK) {
    s->answer = nsd_contact_answer_of(s->contact);
  }
  return status;
}

static nsdyn_status reserve(nsdyn_stepper *s)
{
  nsdyn_stepper counted = *s;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted);
  const nsdyn_status status = nsd_arena_reserve(&s->arena, &measure);
  if (status == NSDYN_OK) {
    lay_out(&s->arena, s);
    nsd_fill_zero(s->sys->def.nq, s->q);
    nsd_fill_zero(s->sys->def.nu, s->u);
    nsd_closing_reset(&s->closing, &s->sys->def);
    nsd_stepper_forget(s);
  }
  return status;
}

static nsdyn_status make(nsdyn_context *ctx, nsdyn_system *sys, const nsdyn_stepper_options *options,
                         nsdyn_stepper **out, nsd_fault *fault)
{
  nsdyn_stepper_options own;
  nsdyn_status status = read_options(&own, options, fault);
  if (status) {
    return status;
  }
  nsdyn_stepper *s = nsd_allocate(ctx, 1, sizeof *s);
  if (!s) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_stepper_new: out of memory");
  }
  const nsdyn_stepper empty = {.sys = nsd_system_hold(sys),
                               .ctx = nsd_context_hold(ctx),
                               .arena = nsd_arena_empty(ctx),
                               .algorithmic_arena = nsd_arena_empty(ctx),
                               .export_arena = nsd_arena_empty(ctx)};
  *s = empty;
  nsd_fault_clear(&s->fault);
  /* The scene keeps pointers to the fault and the history, which are part of the stepper and do not move. */
  nsd_scene_init(&s->scene, sys, s->ctx, &s->fault);
  nsd_history_init(&s->history, s->ctx);
  s->scene.history = &s->history;
  /* The scheme says which memory is needed, so it comes first; what only some options need, last. */
  put_in_force(s, &own);
  status = reserve(s);
  status = status ? status : new_solver(s);
  if (status == NSDYN_OK && (status = prepare(s, &own, fault)) != NSDYN_OK) {
    nsdyn_stepper_free(s);
    return status;
  }
  if (status) {
    nsdyn_stepper_free(s);
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_stepper_new: no memory for %d coordinates and %d contacts", (int)sys->def.nq,
                         (int)sys->def.ncontacts);
  }
  nsd_system_enter(sys, &s->holder, &s->busy, NSD_STEPPING);
  *out = s;
  return NSDYN_OK;
}

nsdyn_status nsdyn_stepper_new(nsdyn_context *ctx, nsdyn_system *sys, const nsdyn_stepper_options *options,
                               nsdyn_stepper **out, nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_stepper_new", 3);
  if (out) {
    *out = NULL;
    status = status ? status : nsd_error_no_system(&fault, sys, "nsdyn_stepper_new");
    status = status ? status : make(ctx ? ctx : sys->ctx, sys, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_stepper_free(nsdyn_stepper *s)
{
  if (!s) {
    return;
  }
  /* Arenas and blocks go back to the stepper's context, which is let go with the system at the very end. */
  nsdyn_system *sys = s->sys;
  nsd_system_leave(sys, &s->holder);
  nsd_projection_release(s);
  nsd_split_release(s);
  nsd_count_release(s);
  nsd_implicit_release(s);
  nsd_adaptive_release(s);
  nsd_output_release(s);
  nsdyn_contact_free(s->contact);
  nsd_scene_release(&s->scene);
  nsd_history_release(&s->history);
  nsd_arena_release(&s->arena);
  nsd_arena_release(&s->algorithmic_arena);
  nsd_arena_release(&s->export_arena);
  nsd_release(s->ctx, s->energy_mass, nsd_mass_numbers(&sys->def), sizeof *s->energy_mass);
  nsdyn_context *ctx = s->ctx;
  nsd_release(ctx, s, 1, sizeof *s);
  nsd_context_drop(ctx);
  nsd_system_drop(sys);
}

/* ---- Options and state ---- */

nsdyn_status nsdyn_stepper_set_options(nsdyn_stepper *s, const nsdyn_stepper_options *options)
{
  nsdyn_status status = s ? nsd_fault_begin(&s->fault, s->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  nsdyn_stepper_options own;
  status = read_options(&own, options, &s->fault);
  if (status) {
    return status;
  }
  /* Memory first: after a failure the old options are in force. */
  status = prepare(s, &own, &s->fault);
  if (status) {
    return status;
  }
  put_in_force(s, &own);
  s->outputs = 0; /* counted anew, as the times may be others: what has been told is not told again */
  nsd_output_skip(s, s->t, s->steps > 0);
  const nsdyn_contact_options solver = solver_options(&own);
  return nsdyn_contact_set_options(s->contact, &solver);
}

nsdyn_status nsdyn_stepper_set_state(nsdyn_stepper *s, double t, const double *q, const double *u)
{
  nsdyn_status status = s ? nsd_fault_begin(&s->fault, s->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  status = nsd_state_take(&s->sys->def, t, q, u, &s->t, s->q, s->u, &s->fault);
  if (status) {
    return status;
  }
  /* Times of a run are counted from here, t = run_begin + n dt, so that they do not add up rounding. */
  s->run_begin = t;
  s->run_dt = 0.0;
  s->run_steps = 0;
  nsd_output_restart(s);
  nsd_stepper_forget(s);
  return NSDYN_OK;
}

double nsdyn_stepper_time(const nsdyn_stepper *s)
{
  return s ? s->t : 0.0;
}

const double *nsdyn_stepper_q(const nsdyn_stepper *s)
{
  return s ? s->q : NULL;
}

const double *nsdyn_stepper_u(const nsdyn_stepper *s)
{
  return s ? s->u : NULL;
}

const char *nsdyn_stepper_message(const nsdyn_stepper *s)
{
  return s ? s->fault.message : "";
}

nsdyn_status nsdyn_stepper_detail(const nsdyn_stepper *s, nsdyn_detail *detail)
{
  return s ? nsd_fault_detail(&s->fault, detail) : NSDYN_ERR_ARGUMENT;
}
