/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* W and ŵ of what is closed: from the callbacks, from the records of found contacts, or from the cache where
 * directions never change; and the callback to blame where they are no numbers. */
#include "assembly/scene.h"
#include "contact/certificate.h"

void nsd_scene_lay_out_cache(nsd_arena *arena, nsd_scene *scene, const nsd_inertia *inertia,
                             nsd_direction_cache *cache)
{
  const nsdyn_system_def *def = &scene->sys->def;
  const size_t contacts = (size_t)def->ncontacts, rows = NSD_CONTACT_ROWS * contacts, nu = (size_t)def->nu;
  if (!(def->flags & NSDYN_CONSTANT_DIRECTIONS)) {
    return;
  }
  cache->row = nsd_arena_take(arena, contacts + 1, sizeof *cache->row);
  cache->W = nsd_arena_take(arena, rows, nu * sizeof(double));
  cache->w_hat = nsd_arena_take(arena, rows, sizeof(double));
  cache->is_kept = nsd_arena_take(arena, contacts, sizeof *cache->is_kept);
  cache->X = cache->G = NULL;
  /* Where M is constant as well, so are X = W L⁻ᵀ and G = X Xᵀ. */
  if ((def->flags & NSDYN_CONSTANT_MASS) && inertia->factored && contacts <= NSD_CACHED_CONTACTS) {
    cache->X = nsd_arena_take(arena, rows, nu * sizeof(double));
    cache->G = nsd_arena_take(arena, rows, rows * sizeof(double));
  }
  scene->directions.cache = cache;
}

void nsd_scene_forget_cache(nsd_scene *scene)
{
  nsd_direction_cache *cache = scene->directions.cache;
  if (!cache) {
    return;
  }
  const int contacts = scene->sys->def.ncontacts;
  for (int i = 0; i < contacts; i++) {
    cache->row[i] = i * NSD_CONTACT_ROWS;
    cache->is_kept[i] = 0;
  }
  cache->row[contacts] = contacts * NSD_CONTACT_ROWS;
  cache->edition++;
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
  const size_t row = (size_t)cache->row[i];
  const int rows = cache->row[i + 1] - cache->row[i];
  double *W = cache->W + row * (size_t)def->nu, *w_hat = cache->w_hat + row;
  /* w_N, w_T and ŵ of this contact, evaluated once for the whole run. */
  nsdyn_status status = nsd_call_direction(def, t, q, i, W, w_hat, fault);
  status = status ? status : nsd_blame_matrix(fault, "direction", who, "W", rows, def->nu, W);
  status =
      status ? status : nsd_blame_vector(fault, "direction", who, NSDYN_DETAIL_CONTACT, "w_hat", rows, w_hat);
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
  const nsd_direction_cache *cache = scene->directions.cache;
  const nsdyn_status status = keep(scene, t, q, c->index, fault);
  const size_t row = (size_t)cache->row[c->index];
  nsd_rows_copy(c->rows, nu, cache->W + row * (size_t)nu, W);
  nsd_rows_copy(c->rows, 1, cache->w_hat + row, w_hat);
  return status;
}

static void direct_found(nsd_scene *scene, const nsd_closed *c)
{
  const int nu = scene->sys->def.nu;
  nsd_sink_expand(&scene->closed.sink, c->found, c->rows,
                  scene->directions.W_own + (size_t)c->row * (size_t)nu);
  nsd_rows_copy(c->rows, 1, scene->closed.sink.found[c->found].w_hat, scene->directions.w_hat_own + c->row);
}

/* ---- sparse scenes ---- */

static int wants_sparse(const nsd_scene *scene)
{
  const nsdyn_system_def *def = &scene->sys->def;
  int is_spatial = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    is_spatial |= scene->closed.contact[k].rows == 3;
  }
  return is_spatial && def->nu > NSD_SMALL && def->nblocks > 0 && !def->solve_mass && def->nconstraints == 0;
}

/* W of contacts known in advance, whose callbacks write all of their rows: of these the bodies are kept. */
static nsdyn_status tell_known(nsd_scene *scene, double t, const double *q, nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  const nsd_direction_cache *cache = scene->directions.cache;
  double *own = scene->directions.row_own, w_hat[NSD_CONTACT_ROWS];
  nsdyn_status status = NSDYN_OK;
  nsd_sink_clear(&scene->directions.told);
  for (int k = 0; status == NSDYN_OK && k < scene->closed.known; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const nsd_subject who = nsd_closed_subject(c);
    const double *W = own, *from = w_hat;
    if (cache) {
      status = keep(scene, t, q, c->index, fault);
      W = cache->W + (size_t)cache->row[c->index] * (size_t)def->nu;
      from = cache->w_hat + cache->row[c->index];
    } else {
      status = nsd_call_direction(def, t, q, c->index, own, w_hat, fault);
      status = status ? status : nsd_blame_matrix(fault, "direction", who, "W", c->rows, def->nu, own);
    }
    if (status == NSDYN_OK) {
      status = nsd_sink_tell(&scene->directions.told, c->rows, W);
      nsd_rows_copy(c->rows, 1, from, scene->directions.w_hat_own + c->row);
    }
  }
  return status;
}

static nsd_row told_row(const void *user, int cell)
{
  const nsd_scene *scene = user;
  return cell < scene->closed.known ? nsd_sink_row(&scene->directions.told, cell, 0)
                                    : nsd_sink_row(&scene->closed.sink, scene->closed.contact[cell].found, 0);
}

typedef struct sparse_parts {
  int *rows_of; /* contacts */
} sparse_parts;

static void lay_out_sparse(nsd_arena *arena, sparse_parts *f, nsd_scene *scene)
{
  const size_t rows = (size_t)scene->closed.rows, nu = (size_t)scene->sys->def.nu;
  f->rows_of = nsd_arena_take(arena, (size_t)scene->closed.count, sizeof *f->rows_of);
  scene->directions.cell_of = nsd_arena_take(arena, rows, sizeof *scene->directions.cell_of);
  scene->problem.diagonal = nsd_arena_take(arena, rows, sizeof *scene->problem.diagonal);
  scene->problem.forced = nsd_arena_take(arena, nu, sizeof *scene->problem.forced);
  scene->problem.part = nsd_arena_take(arena, nu, sizeof *scene->problem.part);
  scene->directions.row_own =
      nsd_arena_take(arena, scene->closed.known ? NSD_CONTACT_ROWS : 0, nu * sizeof(double));
  nsd_contact_terms_lay_out(arena, &scene->problem.terms, scene->closed.rows, (int)nu);
}

/* W by the bodies that contacts touch, which is read from where it came: the records of found contacts, and
 * what callbacks have told. */
static nsdyn_status direct_sparse(nsd_scene *scene, double t, const double *q, nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  sparse_parts f;
  nsd_scene counted = *scene;
  nsd_arena measure = nsd_arena_measure();
  lay_out_sparse(&measure, &f, &counted);
  nsdyn_status status = nsd_arena_reserve(&scene->problem.free_room, &measure);
  if (status == NSDYN_OK) {
    lay_out_sparse(&scene->problem.free_room, &f, scene);
    scene->directions.w_hat = scene->directions.w_hat_own;
    if ((status = tell_known(scene, t, q, fault)) != NSDYN_OK && status != NSDYN_ERR_NOMEM) {
      return status;
    }
  }
  for (int k = 0; status == NSDYN_OK && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    f.rows_of[k] = c->rows;
    for (int r = 0; r < c->rows; r++) {
      scene->directions.cell_of[c->row + r] = k;
      if (c->index < 0) {
        scene->directions.w_hat_own[c->row + r] = scene->closed.sink.found[c->found].w_hat[r];
      }
    }
  }
  if (status == NSDYN_OK) {
    const nsd_operator_rows W = {.columns = def->nu, .row_of = told_row, .user = scene};
    const nsd_operator_bodies bodies = {.size = def->block, .bodies = def->nblocks};
    status = nsd_operator_read(&scene->problem.W_free, scene->closed.count, f.rows_of, &W, &bodies, NULL);
  }
  return status ? nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d closed contacts",
                                scene->closed.count)
                : NSDYN_OK;
}

nsd_row nsd_scene_sparse_row(const nsd_scene *scene, int r)
{
  const int cell = scene->directions.cell_of[r];
  return nsd_operator_row(&scene->problem.W_free, cell, r - scene->problem.W_free.row[cell]);
}

/* ---- all scenes ---- */

nsdyn_status nsd_scene_direct(nsd_scene *scene, double t, const double *q, nsd_fault *fault)
{
  const nsdyn_system_def *def = &scene->sys->def;
  const int rows = scene->closed.rows;
  nsdyn_status status = NSDYN_OK;
  scene->directions.edition = 0;
  scene->directions.is_sparse = 0;
  if (rows > NSD_SPARSE_ROWS && scene->problem.wants_operator && wants_sparse(scene)) {
    scene->directions.is_sparse = 1;
    return direct_sparse(scene, t, q, fault);
  }
  if (rows > scene->room_dense && (status = nsd_scene_reserve_dense(scene, fault)) != NSDYN_OK) {
    return status;
  }
  /* One contact with constant W, the usual case of small machines: nothing is copied. */
  if (nsd_scene_is_single(scene)) {
    const nsd_direction_cache *cache = scene->directions.cache;
    const size_t row = (size_t)cache->row[scene->closed.contact[0].index];
    scene->directions.W = cache->W + row * (size_t)def->nu;
    scene->directions.w_hat = cache->w_hat + row;
    return keep(scene, t, q, scene->closed.contact[0].index, fault);
  }
  scene->directions.W = scene->directions.W_own;
  scene->directions.w_hat = scene->directions.w_hat_own;
  /* 1: rows of contacts known in advance, γ = W u + ŵ with w_N first and w_T second. */
  for (int k = 0; status == NSDYN_OK && k < scene->closed.known; k++) {
    status = direct_known(scene, t, q, &scene->closed.contact[k], fault);
  }
  /* 2: rows of found contacts, which came together with their gaps. */
  for (int k = scene->closed.known; k < scene->closed.count; k++) {
    direct_found(scene, &scene->closed.contact[k]);
  }
  /* 3: g_b, W_b and ŵ_b of all constraints in one call. */
  if (status == NSDYN_OK && def->nconstraints) {
    const int row = scene->closed.contact_rows;
    status = nsd_call_constraint(def, t, q, scene->directions.g_b,
                                 scene->directions.W_own + (size_t)row * (size_t)def->nu,
                                 scene->directions.w_hat_own + row, fault);
  }
  return status;
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
    if (!scene->directions.is_sparse) { /* else its numbers have been looked at when they were told */
      status = nsd_blame_matrix(fault, name, who, "W", c->rows, nu,
                                scene->directions.W + (size_t)c->row * (size_t)nu);
    }
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
