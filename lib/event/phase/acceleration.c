/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/phase/acceleration.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "base/assert.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"

#define LEAST_TICKS 16.0 /* of the clock, over which w̄ is differenced */

void nsd_acceleration_init(nsd_acceleration *m, const nsdyn_system *sys, nsdyn_context *ctx, nsd_fault *fault)
{
  const nsd_acceleration empty = {.sys = sys,
                                  .ctx = ctx,
                                  .fault = fault,
                                  .margin = INFINITY,
                                  .lost = -1,
                                  .arena = nsd_arena_empty(ctx),
                                  .room_contacts = -1};
  *m = empty;
  nsd_scene_init(&m->scene, sys, ctx, fault);
}

void nsd_acceleration_release(nsd_acceleration *m)
{
  nsd_scene_release(&m->scene);
  nsd_arena_release(&m->arena);
}

void nsd_acceleration_lay_out(nsd_arena *arena, nsd_acceleration *m)
{
  const nsdyn_system_def *def = &m->sys->def;
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu, width = nu * sizeof(double);
  const size_t constraints = (size_t)def->nconstraints;
  nsd_scene_lay_out(arena, &m->scene);
  nsd_inertia_lay_out(arena, &m->inertia, def);
  m->h = nsd_arena_take(arena, nu, sizeof *m->h);
  m->z = nsd_arena_take(arena, nu, sizeof *m->z);
  m->a = nsd_arena_take(arena, nu, sizeof *m->a);
  m->fall = nsd_arena_take(arena, nu, sizeof *m->fall);
  m->qdot = nsd_arena_take(arena, nq, sizeof *m->qdot);
  m->q_probe = nsd_arena_take(arena, nq, sizeof *m->q_probe);
  m->W_probe = nsd_arena_take(arena, NSD_CONTACT_ROWS, width);
  m->W_b = nsd_arena_take(arena, constraints, width);
  m->w_hat_b = nsd_arena_take(arena, constraints, sizeof *m->w_hat_b);
  m->g_b = nsd_arena_take(arena, constraints, sizeof *m->g_b);
  nsd_scene_lay_out_cache(arena, &m->scene, &m->inertia, &m->cache);
}

void nsd_acceleration_forget(nsd_acceleration *m)
{
  nsd_scene_forget_cache(&m->scene);
  m->mass_is_known = 0;
}

static void lay_out_rows(nsd_arena *arena, nsd_acceleration *m, int contacts, int rows)
{
  const size_t n = (size_t)rows;
  nsd_pattern_lay_out(arena, &m->pattern, contacts, rows);
  nsd_space_pattern_lay_out(arena, &m->space, rows);
  m->share = nsd_arena_take(arena, n, sizeof *m->share);
  m->starts = nsd_arena_take(arena, (size_t)contacts, sizeof *m->starts);
  m->astray = nsd_arena_take(arena, (size_t)contacts, sizeof *m->astray);
  m->held = nsd_arena_take(arena, (size_t)contacts, sizeof *m->held);
  m->way = nsd_arena_take(arena, (size_t)contacts, sizeof *m->way);
  m->stuck = nsd_arena_take(arena, (size_t)contacts, sizeof *m->stuck);
  m->idle = nsd_arena_take(arena, (size_t)contacts, sizeof *m->idle);
  m->is_differenced = nsd_arena_take(arena, (size_t)contacts, sizeof *m->is_differenced);
  m->was_differenced = nsd_arena_take(arena, (size_t)contacts, sizeof *m->was_differenced);
  m->G_part = nsd_arena_take(arena, n, n * sizeof *m->G_part);
  m->c_part = nsd_arena_take(arena, n, sizeof *m->c_part);
  m->x_part = nsd_arena_take(arena, n, sizeof *m->x_part);
  m->right_part = nsd_arena_take(arena, n, sizeof *m->right_part);
  m->full = nsd_arena_take(arena, n, sizeof *m->full);
  m->raw = nsd_arena_take(arena, n, sizeof *m->raw);
  m->turned = nsd_arena_take(arena, n, sizeof *m->turned);
  m->fine = nsd_arena_take(arena, n, sizeof *m->fine);
  m->coarse = nsd_arena_take(arena, n, sizeof *m->coarse);
  m->sixth = nsd_arena_take(arena, n, sizeof *m->sixth);
  m->bias = nsd_arena_take(arena, n, sizeof *m->bias);
  m->part = nsd_arena_take(arena, n, sizeof *m->part);
  m->block = nsd_arena_take(arena, n + 1, (n + 1) * sizeof *m->block);
  m->slope = nsd_arena_take(arena, n, sizeof *m->slope);
  m->diagonal = nsd_arena_take(arena, n, sizeof *m->diagonal);
  m->block_row = nsd_arena_take(arena, n, sizeof *m->block_row);
  m->perm = nsd_arena_take(arena, n, sizeof *m->perm);
}

void nsd_acceleration_forget_bias(nsd_acceleration *m)
{
  if (m->is_measured) {
    const nsd_bias none = {0.0, 0.0, 0.0, 0.0};
    for (int r = 0; r < m->scene.room_rows; r++) {
      m->bias[r] = none;
    }
    m->is_measured = 0;
  }
}

nsdyn_status nsd_acceleration_begin(nsd_acceleration *m, int contacts)
{
  nsd_acceleration_forget_bias(m); /* rows are others from now on */
  m->scene.problem.is_spatial = 0;
  nsdyn_status status = nsd_scene_begin(&m->scene, contacts, m->fault);
  if (status || contacts <= m->room_contacts) {
    for (int k = 0; k < m->room_contacts; k++) {
      m->idle[k] = 0;
    }
    return status;
  }
  /* More contacts than ever before: the arrays of rows are laid out anew. */
  nsd_acceleration counted = *m;
  nsd_arena measure = nsd_arena_measure();
  lay_out_rows(&measure, &counted, m->scene.room_contacts, m->scene.room_rows);
  status = nsd_arena_reserve(&m->arena, &measure);
  if (status) {
    return nsd_fault_set(m->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d closed contacts",
                         contacts);
  }
  m->room_contacts = m->scene.room_contacts;
  lay_out_rows(&m->arena, m, m->scene.room_contacts, m->scene.room_rows);
  m->is_measured = 1;
  nsd_acceleration_forget_bias(m);
  for (int k = 0; k < m->room_contacts; k++) {
    m->idle[k] = 0;
  }
  return NSDYN_OK;
}

nsd_contact_data nsd_acceleration_data(const nsd_acceleration *m)
{
  nsd_contact_data data = nsd_scene_data(&m->scene);
  data.edition = 0; /* G is another one at each state: nothing of it is worth keeping */
  return data;
}

/* ---- kinematics ---------------------------------------------------------------------------------------- */

/* Records of found contacts at this configuration, with w̄ where u is not NULL. */
static nsdyn_status look_up(nsd_acceleration *m, double t, const double *q, const double *u)
{
  nsd_scene *scene = &m->scene;
  m->lost = -1;
  if (scene->closed.known == scene->closed.count) {
    return NSDYN_OK;
  }
  const nsdyn_status status = nsd_sink_find(&scene->closed.sink, t, q, u, m->margin);
  if (status) {
    return status;
  }
  for (int k = scene->closed.known; k < scene->closed.count; k++) {
    nsd_closed *c = &scene->closed.contact[k];
    /* A closed contact keeps its key, whatever the order in which `find` reports; without a record it is
     * lost. */
    const int64_t found = nsd_keys_find(&scene->closed.sink.keys, c->key);
    if (found < 0) {
      m->lost = k;
      return nsd_fault_set(m->fault, NSDYN_ERR_CALLBACK_RETRY, NSDYN_DETAIL_CONTACT, -1,
                           "callback find no longer reports a closed contact");
    }
    c->found = (int32_t)found;
    c->gap = scene->closed.sink.found[found].gap;
  }
  return NSDYN_OK;
}

/* Names the callback that gave a direction which is not a number. */
static nsdyn_status blame_velocities(const nsd_acceleration *m)
{
  const nsdyn_status status = nsd_scene_blame(&m->scene, m->fault);
  return status ? status
                : nsd_fault_set(m->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1,
                                "the velocities of contacts or constraints are too large for numbers");
}

nsdyn_status nsd_acceleration_pose(nsd_acceleration *m, double t, const double *q, const double *u)
{
  const nsdyn_system_def *def = &m->sys->def;
  nsd_scene *scene = &m->scene;
  m->lost = -1;
  /* 1. M(t, q) and its factor L, M = L Lᵀ; once for all where M is constant. */
  nsdyn_status status = nsd_call_configure(def, t, q, m->fault);
  if (status == NSDYN_OK && !m->mass_is_known) {
    status = nsd_inertia_update(&m->inertia, def, t, q, m->fault);
    m->mass_is_known = status == NSDYN_OK && m->inertia.factored && (def->flags & NSDYN_CONSTANT_MASS);
  }
  if (status || scene->closed.rows == 0) {
    return status;
  }
  /* 2. Rows w of what is closed, X = W L⁻ᵀ and G = W M⁻¹ Wᵀ = X Xᵀ. */
  status = look_up(m, t, q, u);
  status = status ? status : nsd_scene_direct(scene, t, q, m->fault);
  status = status ? status : nsd_scene_assemble(scene, &m->inertia, t, q, m->fault);
  if (status) {
    return status;
  }
  /* 3. γ = W u + ŵ. */
  nsd_scene_speeds(scene, u, scene->problem.gamma);
  double zero = nsd_lanes_bounded(scene->closed.rows, scene->problem.gamma); /* NaN: something is no number */
  for (int r = 0; r < scene->closed.rows; r++) {
    const double *G = nsd_acceleration_row(m, r);
    zero += m->inertia.factored ? 0.0 * (NSD_NUMBERS_SCALE * G[r]) : nsd_lanes_bounded(scene->closed.rows, G);
  }
  return zero == 0.0 ? NSDYN_OK : blame_velocities(m);
}

nsdyn_status nsd_acceleration_look(nsd_acceleration *m, double t, const double *q, const double *u)
{
  nsdyn_status status = look_up(m, t, q, NULL);
  status = status ? status : nsd_scene_direct(&m->scene, t, q, m->fault);
  if (status == NSDYN_OK) {
    nsd_scene_speeds(&m->scene, u, m->scene.problem.gamma);
    status = nsd_lanes_bounded(m->scene.closed.rows, m->scene.problem.gamma) == 0.0 ? NSDYN_OK
                                                                                    : blame_velocities(m);
  }
  return status;
}

/* A gap may be infinitely wide, but not deep; that of a closed contact or of a slot neither. */
static int is_bad_gap(const nsd_acceleration *m, int i)
{
  int is_closed = m->sys->laws[i].kind == NSDYN_CONTACT_BILATERAL;
  for (int k = 0; k < m->scene.closed.known; k++) {
    is_closed |= m->scene.closed.contact[k].index == i;
  }
  return !nsd_is_number(m->scene.closed.g[i]) && (is_closed || m->scene.closed.g[i] != (double)INFINITY);
}

nsdyn_status nsd_acceleration_gaps(nsd_acceleration *m, double t, const double *q)
{
  nsd_scene *scene = &m->scene;
  const nsdyn_status status = nsd_call_gap(&m->sys->def, t, q, scene->closed.g, m->fault);
  for (int k = 0; status == NSDYN_OK && k < scene->closed.known; k++) {
    scene->closed.contact[k].gap = scene->closed.g[scene->closed.contact[k].index];
  }
  for (int i = 0; status == NSDYN_OK && i < m->sys->def.ncontacts; i++) {
    if (is_bad_gap(m, i)) {
      const nsd_subject who = {NSDYN_DETAIL_CONTACT, i, 0};
      return nsd_blame_vector(m->fault, "gap", who, NSDYN_DETAIL_CONTACT, "its gap", 1, &scene->closed.g[i]);
    }
  }
  return status;
}

/* ---- w̄ ------------------------------------------------------------------------------------------------- */

/* d/ds of a function from its values at s = −3d … 3d without 0, of order 6. */
static const double stencil[6] = {-1.0 / 60.0, 9.0 / 60.0,  -45.0 / 60.0,
                                  45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
static const double stencil_at[6] = {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0};
/* The same of order 4, to estimate the error by. */
static const double coarse_stencil[6] = {0.0, 1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0, 0.0};

/* δ⁶, but for −20 times the value at 0. What is smooth over d leaves d⁶γ⁽⁶⁾ of it, rounding √924 times
 * itself, as of each value by 1, 6, 15, 20: it tells rounding inside a callback, of which no terms are known
 * (Moré & Wild 2011, "Estimating computational noise"). */
static const double sixth_stencil[6] = {1.0, -6.0, 15.0, 15.0, -6.0, 1.0};
/* Noise of δ⁶γ over the noise of d · w̄ of order 6: √924 · 60 / √(2·(1 + 9² + 45²)). */
#define SIXTH_GRAIN 28.0

static int differences_contacts(const nsd_acceleration *m)
{
  const nsdyn_system_def *def = &m->sys->def;
  return m->scene.closed.known > 0 && !def->bias && !(def->flags & NSDYN_CONSTANT_DIRECTIONS);
}

static int differences_constraints(const nsd_acceleration *m)
{
  return m->sys->def.nconstraints > 0 && !m->sys->def.constraint_bias;
}

/* Found contacts whose record says nothing of w̄. */
static int differences_found(const nsd_acceleration *m)
{
  const nsd_scene *scene = &m->scene;
  for (int k = scene->closed.known; k < scene->closed.count; k++) {
    if (m->is_differenced[k]) {
      return 1;
    }
  }
  return 0;
}

int nsd_acceleration_differences(const nsd_acceleration *m)
{
  return differences_contacts(m) || differences_constraints(m) ||
         m->scene.closed.count > m->scene.closed.known;
}

/* γ of a row at a probe, with the weights of the stencils. */
static void add_speed(nsd_acceleration *m, int row, double speed, int probe)
{
  m->fine[row] += stencil[probe] * speed;
  m->coarse[row] += coarse_stencil[probe] * speed;
  m->sixth[row] += sixth_stencil[probe] * speed;
}

/* The same as add_speeds() below, of found contacts. One that `find` does not report there keeps w̄ = 0. */
static nsdyn_status add_found_speeds(nsd_acceleration *m, double t, const double *q, const double *u,
                                     int probe)
{
  nsd_scene *scene = &m->scene;
  const nsdyn_status status = nsd_sink_find(&scene->closed.sink, t, q, NULL, m->margin);
  for (int k = scene->closed.known; k < scene->closed.count && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int64_t found = nsd_keys_find(&scene->closed.sink.keys, c->key);
    m->is_differenced[k] = m->is_differenced[k] && found >= 0;
    for (int r = 0; r < c->rows && m->is_differenced[k]; r++) {
      const nsd_row w = nsd_sink_row(&scene->closed.sink, (int32_t)found, r);
      /* γ = w(t + s, q + s q̇) · u + ŵ at the probe, with u held constant. */
      add_speed(m, c->row + r, nsd_row_dot(w, u) + scene->closed.sink.found[found].w_hat[r], probe);
    }
  }
  return status;
}

/* Adds γ at probe (t, q) and constant u to w̄, of the rows that are differenced. */
static nsdyn_status add_speeds(nsd_acceleration *m, double t, const double *q, const double *u, int probe)
{
  const nsdyn_system_def *def = &m->sys->def;
  nsd_scene *scene = &m->scene;
  const int nu = def->nu;
  /* γ of each differenced row at the probe: contacts known in advance, found ones, constraints. */
  nsdyn_status status = nsd_call_configure(def, t, q, m->fault);
  for (int k = 0; differences_contacts(m) && k < scene->closed.known && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    double w_hat[NSD_CONTACT_ROWS];
    status = nsd_call_direction(def, t, q, c->index, m->W_probe, w_hat, m->fault);
    for (int r = 0; r < c->rows; r++) {
      add_speed(m, c->row + r, nsd_small_dot(nu, m->W_probe + r * nu, u) + w_hat[r], probe);
    }
  }
  if (!status && differences_found(m)) {
    status = add_found_speeds(m, t, q, u, probe);
  }
  if (differences_constraints(m) && !status) {
    status = nsd_call_constraint(def, t, q, m->g_b, m->W_b, m->w_hat_b, m->fault);
    for (int i = 0; i < def->nconstraints; i++) {
      const double speed = nsd_small_dot(nu, m->W_b + (size_t)i * (size_t)nu, u) + m->w_hat_b[i];
      add_speed(m, scene->closed.contact_rows + i, speed, probe);
    }
  }
  return status;
}

/* How far the two stencils are apart, row by row, and what rounding alone makes of them. Each row has units
 * of its own. */
static void measure_bias(nsd_acceleration *m, const double *u)
{
  const nsd_scene *scene = &m->scene;
  const int nu = m->sys->def.nu;
  const double rate = 1.0 / m->bias_dt;
  m->is_measured = 1;
  for (int r = 0; r < scene->closed.rows; r++) {
    const double *w = scene->directions.W + (size_t)r * (size_t)nu;
    nsd_bias *b = &m->bias[r];
    double speed = fabs(scene->directions.w_hat[r]), gamma = scene->directions.w_hat[r];
    if (m->coarse[r] == 0.0 || !isfinite(scene->problem.w_bar[r])) {
      continue; /* what is no number will be blamed, and must not be remembered as a size */
    }
    for (int j = 0; j < nu; j++) {
      speed += fabs(w[j] * u[j]);
      gamma += w[j] * u[j];
    }
    /* |w̄|; the error of order 4; rounding of the sum W u + ŵ; rounding inside the callback, by δ⁶γ. */
    b->size = nsd_larger(fabs(scene->problem.w_bar[r]), b->size);
    b->error = nsd_larger(rate * fabs(m->fine[r] - m->coarse[r]), b->error);
    b->terms = nsd_larger(4.0 * DBL_EPSILON * rate * speed, b->terms);
    b->grain = nsd_larger(rate / SIXTH_GRAIN * fabs(m->sixth[r] - 20.0 * gamma), b->grain);
  }
}

static nsdyn_status difference(nsd_acceleration *m, double t, const double *q, const double *u)
{
  nsdyn_status status = NSDYN_OK;
  nsd_fill_zero(m->scene.closed.rows, m->fine);
  nsd_fill_zero(m->scene.closed.rows, m->coarse);
  nsd_fill_zero(m->scene.closed.rows, m->sixth);
  /* 1. The time d between two probes: not below what the clock resolves. */
  const double least = fmax(m->bias_dt, LEAST_TICKS * DBL_EPSILON * fabs(t));
  const double exact = (t + least) - t; /* a time that the clock can tell */
  m->bias_dt = exact > 0.0 ? exact : m->bias_dt;
  /* 2. γ at (t + s, q + s q̇, u) for s = −3d … 3d without 0: its derivative is w̄ = Ẇ u + dŵ/dt. */
  for (int i = 0; i < 6 && !status; i++) {
    const double s = stencil_at[i] * m->bias_dt;
    for (int j = 0; j < m->sys->def.nq; j++) {
      m->q_probe[j] = q[j] + s * m->qdot[j];
    }
    status = add_speeds(m, t + s, m->q_probe, u, i);
  }
  for (int k = m->scene.closed.known; k < m->scene.closed.count; k++) {
    const nsd_closed *c = &m->scene.closed.contact[k];
    if (m->was_differenced[k] && !m->is_differenced[k]) { /* w̄ = 0, of which nothing is measured */
      nsd_fill_zero(c->rows, m->fine + c->row);
      nsd_fill_zero(c->rows, m->coarse + c->row);
    }
  }
  /* 3. w̄ by the stencil of order 6, and what it may be off by order 4. */
  for (int r = 0; r < m->scene.closed.rows && !status; r++) {
    if (m->fine[r] != 0.0) { /* it is zero, too, where w̄ is known */
      m->scene.problem.w_bar[r] = m->fine[r] / m->bias_dt;
    }
  }
  if (!status) {
    measure_bias(m, u);
  }
  status = status ? status : nsd_call_configure(&m->sys->def, t, q, m->fault); /* the probes are left */
  return status ? status : look_up(m, t, q, u); /* the records of this configuration again */
}

/* w̄ into scene.problem.w_bar. */
static nsdyn_status fill_bias(nsd_acceleration *m, double t, const double *q, const double *u)
{
  const nsdyn_system_def *def = &m->sys->def;
  nsd_scene *scene = &m->scene;
  nsdyn_status status = NSDYN_OK;
  nsd_fill_zero(scene->closed.rows, scene->problem.w_bar);
  /* 1. Contacts known in advance: by the callback, where there is one. */
  for (int k = 0; def->bias && k < scene->closed.known && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    double w_bar[NSD_CONTACT_ROWS] = {0.0};
    const int code = def->bias(def->user, t, q, u, c->index, w_bar);
    for (int r = 0; r < c->rows; r++) {
      scene->problem.w_bar[c->row + r] = w_bar[r];
    }
    status = code ? nsd_blame_code(m->fault, "bias", nsd_closed_subject(c), code) : NSDYN_OK;
  }
  /* 2. Found contacts: by their record; NaN there asks for a difference. */
  int found = 0;
  for (int k = scene->closed.known; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double *w_bar = scene->closed.sink.found[c->found].w_bar;
    m->is_differenced[k] = m->was_differenced[k] = isnan(w_bar[0]);
    found |= m->is_differenced[k];
    for (int r = 0; r < c->rows; r++) {
      scene->problem.w_bar[c->row + r] = m->is_differenced[k] ? 0.0 : w_bar[r];
    }
  }
  /* 3. Constraints by their callback; then by differences all rows that no callback has told. */
  if (def->nconstraints && def->constraint_bias && !status) {
    const int code =
        def->constraint_bias(def->user, t, q, u, scene->problem.w_bar + scene->closed.contact_rows);
    status = code ? nsd_blame_code(m->fault, "constraint_bias", nsd_no_subject(), code) : NSDYN_OK;
  }
  if (!status && (differences_contacts(m) || differences_constraints(m) || found)) {
    status = difference(m, t, q, u);
  }
  return status;
}

/* ---- forces -------------------------------------------------------------------------------------------- */

static nsdyn_status fill_qdot(nsd_acceleration *m, double t, const double *q, const double *u)
{
  const nsdyn_system_def *def = &m->sys->def;
  if (!def->kinematics) {
    for (int j = 0; j < def->nq; j++) {
      m->qdot[j] = u[j];
    }
    return NSDYN_OK;
  }
  nsd_fill_zero(def->nq, m->qdot);
  const int code = def->kinematics(def->user, t, q, u, m->qdot);
  nsdyn_status status = code ? nsd_blame_code(m->fault, "kinematics", nsd_no_subject(), code) : NSDYN_OK;
  if (!status && nsd_lanes_bounded(def->nq, m->qdot) != 0.0) {
    status = nsd_blame_vector(m->fault, "kinematics", nsd_no_subject(), NSDYN_DETAIL_COORDINATE, "qdot",
                              def->nq, m->qdot);
  }
  if (status) { /* what is no rate must not be remembered as one */
    nsd_fill_zero(def->nq, m->qdot);
  }
  return status;
}

/* Names the callback that gave a value which is not a number. */
static nsdyn_status blame(const nsd_acceleration *m)
{
  const nsdyn_system_def *def = &m->sys->def;
  const nsd_scene *scene = &m->scene;
  const nsd_subject nobody = nsd_no_subject();
  nsdyn_status status =
      nsd_blame_vector(m->fault, "force", nobody, NSDYN_DETAIL_COORDINATE, "h", def->nu, m->h);
  status = status || scene->closed.rows == 0 ? status : nsd_scene_blame(scene, m->fault);
  for (int k = 0; k < scene->closed.count && scene->closed.rows > 0 && !status; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const char *callback = k >= scene->closed.known ? "find"
                           : def->bias              ? "bias"
                                                    : "direction"; /* differenced */
    status = nsd_blame_vector(m->fault, callback, nsd_closed_subject(c), NSDYN_DETAIL_CONTACT, "w_bar",
                              c->rows, scene->problem.w_bar + c->row);
  }
  for (int i = 0; i < def->nconstraints && scene->closed.rows > 0 && !status; i++) {
    const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
    status = nsd_blame_vector(m->fault, def->constraint_bias ? "constraint_bias" : "constraint", who,
                              NSDYN_DETAIL_CONSTRAINT, "w_bar_b", 1,
                              scene->problem.w_bar + scene->closed.contact_rows + i);
  }
  if (!status && !m->inertia.factored) {
    status = nsd_blame_vector(m->fault, "solve_mass", nobody, NSDYN_DETAIL_COORDINATE, "X", def->nu, m->z);
  }
  return status ? status
                : nsd_fault_set(m->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1,
                                "the numbers of M, h and the contacts are too large");
}

static nsdyn_status load(nsd_acceleration *m, double t, const double *q, const double *u)
{
  const nsdyn_system_def *def = &m->sys->def;
  nsd_scene *scene = &m->scene;
  const int nu = def->nu, rows = scene->closed.rows;
  nsdyn_status status = nsd_call_force(def, t, q, u, m->h, m->fault);
  /* 1. z = L⁻¹ h, or M⁻¹ h where the user solves with M. */
  for (int j = 0; j < nu; j++) {
    m->z[j] = m->h[j];
  }
  if (!status && m->inertia.factored) {
    nsd_inertia_forward(&m->inertia, m->z);
  } else if (!status && nu) {
    status = nsd_call_solve_mass(def, t, q, 1, m->z, m->fault);
  }
  /* 2. q̇, along which w̄ is differenced. */
  status = status ? status : fill_qdot(m, t, q, u);
  double zero = nsd_lanes_bounded(nu, m->z);
  if (status || rows == 0 || zero != 0.0) {
    return !status && zero != 0.0 ? blame(m) : status;
  }
  status = fill_bias(m, t, q, u); /* last of all callbacks: it may look at other configurations */
  if (status) {
    return status;
  }
  /* 3. c = W M⁻¹ h + w̄ = V z + w̄: γ̇ without contact forces. */
  for (int r = 0; r < rows; r++) {
    scene->problem.c[r] =
        nsd_small_dot(nu, scene->problem.V + (size_t)r * (size_t)nu, m->z) + scene->problem.w_bar[r];
  }
  zero = nsd_lanes_bounded(rows, scene->problem.c); /* and w̄ with it */
  return zero == 0.0 ? NSDYN_OK : blame(m);
}

nsdyn_status nsd_acceleration_friction(nsd_acceleration *m)
{
  nsd_scene *scene = &m->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    nsd_contact_spec *spec = &scene->problem.spec[k];
    /* Sliding: μ at the present |γ_T|; sticking: the static coefficient. */
    const double *gamma_T = spec->sliding ? &scene->problem.gamma[c->row + 1] : NULL;
    const nsdyn_status status = nsd_scene_set_friction(scene, k, gamma_T, 1.0, m->fault);
    if (status) {
      return status;
    }
    if (c->rows == 3 && spec->sliding) {
      nsd_acceleration_direct(m, k, spec);
    }
    /* Constraints hold it already: a friction force would not be unique, and is set to zero. */
    if (m->idle[k]) {
      spec->mu = spec->bound = 0.0;
    }
  }
  return NSDYN_OK;
}

void nsd_acceleration_fall(nsd_acceleration *m)
{
  for (int j = 0; j < m->sys->def.nu; j++) {
    m->fall[j] = m->z[j];
  }
  if (m->inertia.factored) {
    nsd_inertia_backward(&m->inertia, m->fall);
  }
}

/* Whether all forces cancel but for rounding. What is held by contacts and constraints on all sides has to
 * rest exactly: it may have no size but that of its rounding, to which everything would then be relative.
 * L⁻¹ h has one unit; M⁻¹ h has as many as there are coordinates. */
static int is_balanced(const nsd_acceleration *m)
{
  const nsd_scene *scene = &m->scene;
  const int nu = m->sys->def.nu;
  double most = 0.0, largest = 0.0;
  for (int j = 0; j < nu; j++) {
    double sum = m->z[j], size = fabs(sum);
    for (int r = 0; r < scene->closed.rows; r++) {
      const double term = scene->problem.X[(size_t)r * (size_t)nu + (size_t)j] * scene->solution.Lambda[r];
      /* L⁻¹ (h + Wᵀ λ) = z + Xᵀ λ, and the same sum without signs. */
      sum += term;
      size += fabs(term);
    }
    most = nsd_larger(fabs(sum), most);
    largest = nsd_larger(size, largest);
    if (!m->inertia.factored && !(fabs(sum) <= NSD_SUM_CANCELS * size)) {
      return 0;
    }
  }
  return most <= NSD_SUM_CANCELS * largest;
}

void nsd_acceleration_find(nsd_acceleration *m)
{
  if (m->scene.closed.rows > 0 && is_balanced(m)) {
    nsd_fill_zero(m->sys->def.nu, m->a);
    return;
  }
  /* u̇ = M⁻¹ (h + Wᵀ λ) = L⁻ᵀ (z + Xᵀ λ). */
  nsd_scene_velocities(&m->scene, &m->inertia, m->z, m->scene.solution.Lambda, m->a);
}

nsdyn_status nsd_acceleration_solve(nsd_acceleration *m)
{
  nsd_scene *scene = &m->scene;
  if (scene->closed.rows > 0) {
    /* 1. γ̇ = G λ + c, with γ̇ = 0 in the rows that the modes hold and λ_T = f μ λ_N where they slide: λ. */
    const nsd_contact_data data = nsd_acceleration_data(m);
    const nsdyn_status status = data.is_spatial ? nsd_acceleration_solve_in_space(m, &data)
                                                : nsd_pattern_solve(&m->pattern, &data, scene->solution.state,
                                                                    scene->solution.Lambda);
    if (status) {
      return nsd_fault_set(m->fault, status, NSDYN_DETAIL_NONE, -1,
                           "the forces of %d closed contacts are infinite", scene->closed.count);
    }
  }
  /* 2. u̇ from λ. */
  nsd_acceleration_find(m);
  return NSDYN_OK;
}

nsdyn_status nsd_acceleration_load(nsd_acceleration *m, double t, const double *q, const double *u)
{
  /* Records of found contacts bring their w̄ with them: those of the pose are of the velocities there. */
  const nsdyn_status status = look_up(m, t, q, u);
  return status ? status : load(m, t, q, u);
}

nsdyn_status nsd_acceleration_evaluate(nsd_acceleration *m, double t, const double *q, const double *u)
{
  /* 1. M, W, G and γ. */
  nsdyn_status status = nsd_acceleration_pose(m, t, q, u);
  /* 2. h, q̇, w̄ and c. */
  status = status ? status : load(m, t, q, u);
  /* 3. μ, then λ and u̇. */
  status = status ? status : nsd_acceleration_friction(m);
  return status ? status : nsd_acceleration_solve(m);
}

/* ---- parts of G ---------------------------------------------------------------------------------------- */

nsdyn_status nsd_acceleration_solve_part(nsd_acceleration *m, int count, const double *b, double *x)
{
  for (int i = 0; i < count; i++) {
    const double *row = nsd_acceleration_row(m, m->part[i]);
    for (int j = 0; j < count; j++) {
      m->G_part[(size_t)i * (size_t)count + (size_t)j] = row[m->part[j]];
    }
    m->c_part[i] = -b[i];
  }
  /* G_pp x = b written as G x + c = 0 with c = −b: rows of constraints only. */
  const nsd_contact_data data = {
      .bilateral = count, .rows = count, .ldg = count, .G = m->G_part, .c = m->c_part};
  const nsdyn_status status = nsd_pattern_solve(&m->pattern, &data, NULL, x);
  return status ? nsd_fault_set(m->fault, status, NSDYN_DETAIL_NONE, -1,
                                "the contact directions' numbers are too large")
                : NSDYN_OK;
}

int nsd_acceleration_follows(nsd_acceleration *m, int count, int row)
{
  const int *of = m->block_row;
  int rank = 0;
  for (int i = 0; i <= count; i++) {
    const int r = i < count ? of[i] : row;
    const double *G = nsd_acceleration_row(m, r);
    double *l = m->block + (size_t)rank * (size_t)(count + 1), rest = G[r];
    for (int j = 0; j < rank; j++) {
      const double *before = m->block + (size_t)j * (size_t)(count + 1);
      /* Cholesky row by row. `rest` is the squared length, in the metric of M⁻¹, of what the rows before do
       * not span. */
      l[j] = (G[m->perm[j]] - nsd_dot(j, l, before)) / before[j];
      rest -= l[j] * l[j];
    }
    if (i == count) {
      return rest <= NSD_ROW_FOLLOWS * G[r];
    }
    if (rest > NSD_ROW_FOLLOWS * G[r]) { /* else it says nothing new */
      l[rank] = sqrt(rest);
      m->perm[rank++] = r;
    }
  }
  return 0;
}

int nsd_acceleration_is_idle(nsd_acceleration *m, int k)
{
  const nsd_scene *scene = &m->scene;
  int n = 0;
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    m->block_row[n++] = r;
  }
  for (int i = 0; i < scene->closed.count; i++) {
    m->block_row[n++] = scene->closed.contact[i].row;
  }
  const nsd_closed *c = &scene->closed.contact[k];
  int follows = scene->closed.rows > scene->closed.contact_rows;
  for (int r = 1; follows && r < c->rows; r++) {
    follows = nsd_acceleration_follows(m, n, c->row + r);
  }
  return follows;
}
