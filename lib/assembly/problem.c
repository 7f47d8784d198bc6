/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the contact problem ξ = G Λ + c takes from the directions: X and V with G = X Vᵀ = W M⁻¹ Wᵀ, the
 * velocities γ = W u + ŵ, and what impulses do to u; and which coefficient of friction is in force. */
#include <float.h>
#include <math.h>

#include "assembly/scene.h"
#include "base/number.h"
#include "contact/certificate.h"

/* W, ŵ, X and G stay in force where all of them came from the cache. */
static inline void note_assembled(nsd_scene *scene)
{
  if (scene->directions.cache && scene->directions.cache->X && scene->closed.known == scene->closed.count &&
      scene->closed.rows == scene->closed.contact_rows) {
    scene->directions.edition = scene->directions.cache->edition;
    scene->directions.kept = scene->closed.count;
  }
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
      const double sum = nsd_small_dot(nu, X + i * nu, V + j * nu);
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
  const size_t width = (size_t)nu, ld = (size_t)cache->row[contacts];
  const size_t first = (size_t)cache->row[i], end = (size_t)cache->row[i + 1];
  /* x := L⁻¹ w with M = L Lᵀ, so that x_iᵀ x_j = w_iᵀ M⁻¹ w_j. */
  nsd_rows_copy((int)(end - first), nu, cache->W + first * width, cache->X + first * width);
  for (size_t r = first; r < end; r++) {
    nsd_inertia_forward(inertia, cache->X + r * width);
  }
  cache->is_kept[i] = 2;
  for (int k = 0; k < contacts; k++) {
    const size_t to = cache->is_kept[k] == 2 ? (size_t)cache->row[k + 1] : 0;
    for (size_t j = (size_t)cache->row[k]; j < to; j++) {
      for (size_t r = first; r < end; r++) {
        const double sum = nsd_small_dot(nu, cache->X + r * width, cache->X + j * width);
        cache->G[r * ld + j] = sum;
        cache->G[j * ld + r] = sum;
      }
    }
  }
}

/* The block of G that belongs to two contacts, and its mirror image. */
static inline void take_block(nsd_scene *scene, const nsd_closed *c, const nsd_closed *d)
{
  const nsd_direction_cache *cache = scene->directions.cache;
  const size_t ld = (size_t)cache->row[scene->sys->def.ncontacts], rows = (size_t)scene->closed.rows;
  const double *from = cache->G + (size_t)cache->row[c->index] * ld + (size_t)cache->row[d->index];
  double *to = scene->problem.G_own + (size_t)c->row * rows + (size_t)d->row;
  double *mirror = scene->problem.G_own + (size_t)d->row * rows + (size_t)c->row;
  for (size_t r = 0; r < (size_t)c->rows; r++) {
    for (size_t j = 0; j < (size_t)d->rows; j++) {
      to[r * rows + j] = mirror[j * rows + r] = from[r * ld + j];
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
    nsd_rows_copy(c->rows, inertia->nu, cache->X + (size_t)cache->row[c->index] * nu,
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
  const size_t row = (size_t)cache->row[i];
  scene->problem.ldg = cache->row[scene->sys->def.ncontacts];
  scene->problem.X = scene->problem.V = cache->X + row * (size_t)inertia->nu;
  scene->problem.G = cache->G + row * ((size_t)scene->problem.ldg + 1);
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

static int has_vanished(const nsd_scene *scene, int r)
{
  const double g = scene->problem.G[(size_t)r * ((size_t)scene->problem.ldg + 1)];
  return g < DBL_MIN && g >= 0.0 && nsd_row_is_written(nsd_scene_row(scene, r));
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
        !nsd_row_is_written(nsd_scene_row(scene, c->row))) {
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

/* ---- G as an operator ---- */

/* M⁻¹ = L⁻ᵀ L⁻¹ of a block, row by row: it is symmetric. */
static void invert_part(const nsd_inertia *inertia, const nsd_mass_part *p, double *inverse)
{
  const double *L = inertia->L + p->at;
  for (int i = 0; i < p->n; i++) {
    double *x = inverse + (size_t)i * (size_t)p->n;
    for (int j = 0; j < p->n; j++) {
      x[j] = i == j ? 1.0 : 0.0;
    }
    if (nsd_block_is_small(p->n)) {
      nsd_block_forward(p->n, L, inertia->r + p->first, x);
      nsd_block_backward(p->n, L, inertia->r + p->first, x);
    } else {
      nsd_cholesky_forward(p->n, L, p->n, 1, x, p->n);
      nsd_cholesky_backward(p->n, L, p->n, 1, x, p->n);
    }
  }
}

/* M⁻¹ joins W, which the operator has; and the diagonal of G. */
static nsdyn_status assemble_sparse(nsd_scene *scene, const nsd_inertia *inertia, nsd_fault *fault)
{
  nsd_scene_problem *p = &scene->problem;
  double *inverse = nsd_operator_inverse_room(&p->W_free);
  for (int b = 0; b < inertia->nblocks; b++) {
    invert_part(inertia, &inertia->part[b], inverse);
    inverse += (size_t)inertia->part[b].n * (size_t)inertia->part[b].n;
  }
  const nsdyn_status status = nsd_operator_drive(&p->W_free, NULL);
  if (status) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1,
                         "the inverse of M, by its blocks, is not positive definite");
  }
  for (int r = 0; r < scene->closed.rows; r++) {
    const size_t k = (size_t)scene->directions.cell_of[r];
    p->terms.diagonal[r] = p->diagonal[r] = p->W_free.own[9 * k + (size_t)(4 * (r - p->W_free.row[k]))];
  }
  p->X = p->V = NULL;
  p->G = p->diagonal;
  p->ldg = 0;
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
  if (scene->directions.is_sparse) {
    status = assemble_sparse(scene, inertia, fault);
    return status ? status : check_smallest(scene, fault);
  }
  /* One contact with constant W and M: its X and G are read where the cache has them. */
  if (has_products && nsd_scene_is_single(scene)) {
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
  /* 1: X and G of contacts with constant W and M are copied from the cache. */
  const int from = has_products ? take_products(scene, inertia) : 0;
  /* 2: X of the other rows: L⁻¹ w with V = X, or M⁻¹ w by the user's solve_mass with V = W. */
  nsd_rows_copy(rows - from, nu, scene->directions.W + (size_t)from * (size_t)nu,
                X + (size_t)from * (size_t)nu);
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
  /* 3: G = X Vᵀ = W M⁻¹ Wᵀ of the other rows; for few rows plain loops are faster than blocks. */
  if (nu <= 4 && rows <= 8) {
    multiply_small(from, rows, nu, X, scene->problem.V, scene->problem.G_own);
  } else if (from < rows &&
             !(inertia->factored && inertia->is_thin &&
               nsd_gram_product(&scene->problem.gram, from, rows, nu, X, scene->problem.G_own))) {
    multiply(from, rows, nu, X, scene->problem.V, scene->problem.G_own);
  }
  /* 4: what may serve again is noted; a row whose G_ii underflows is refused. */
  note_assembled(scene);
  return status ? status : check_smallest(scene, fault);
}

/* ---- Friction in force ---- */

void nsd_scene_fill_space(nsd_scene *scene, int k)
{
  nsd_contact_law_read_space(scene->closed.contact[k].law, &scene->problem.space[k]);
  scene->problem.spec[k].space = &scene->problem.space[k];
  scene->problem.is_spatial = 1;
}

nsdyn_status nsd_scene_set_coefficient(nsd_scene *scene, int k, const double *gamma_T, double dt,
                                       nsd_fault *fault)
{
  const nsd_closed *c = &scene->closed.contact[k];
  const nsdyn_contact_law *law = c->law;
  nsdyn_status status = NSDYN_OK;
  double mu = law->mu;
  if (law->friction == NSDYN_FRICTION_STATIC && !gamma_T) {
    mu = law->mu_static;
  } else if (nsd_contact_law_is_curved(law)) { /* μ = μ(|γ_T|) */
    status =
        nsd_call_curve(law, nsd_closed_subject(c), gamma_T ? nsd_closed_speed(c, gamma_T) : 0.0, &mu, fault);
  }
  nsd_contact_law_fill(law, c->row, mu, dt, &scene->problem.spec[k]);
  if (c->rows == 3) {
    nsd_scene_fill_space(scene, k);
  }
  return status;
}

/* ---- Velocities ---- */

void nsd_scene_force_sparse(nsd_scene *scene, const nsd_inertia *inertia, const double *z)
{
  /* L⁻ᵀ z = M⁻¹ h Δt, since there is no V = W L⁻ᵀ. */
  nsd_rows_copy(1, inertia->nu, z, scene->problem.forced);
  nsd_inertia_backward(inertia, scene->problem.forced);
}

void nsd_scene_multiply_sparse(const nsd_scene *scene, const double *x, double *y)
{
  for (int k = 0; k < scene->closed.count; k++) {
    nsd_operator_product(&scene->problem.W_free, k, x, y + scene->closed.contact[k].row);
  }
}

static void add_w_hat(const nsd_scene *scene, double *gamma)
{
  for (int r = 0; r < scene->closed.rows; r++) {
    gamma[r] += scene->directions.w_hat[r];
  }
}

static __attribute__((noinline)) void speeds_sparse(const nsd_scene *scene, const double *u, double *gamma)
{
  nsd_scene_multiply_sparse(scene, u, gamma);
  add_w_hat(scene, gamma);
}

void nsd_scene_speeds(const nsd_scene *scene, const double *u, double *gamma)
{
  if (scene->directions.is_sparse) {
    speeds_sparse(scene, u, gamma);
    return;
  }
  nsd_small_dots(scene->closed.rows, scene->sys->def.nu, scene->directions.W, u, gamma);
  add_w_hat(scene, gamma);
}

/* The same of row r of a sparse scene: L⁻¹ w, body by body. */
static void add_moved_sparse(const nsd_scene *scene, const nsd_inertia *inertia, int r, double Lambda,
                             double *moved)
{
  const nsd_row row = nsd_scene_sparse_row(scene, r);
  const double *at = row.w;
  double *x = scene->problem.part;
  for (int e = 0; e < row.parts; e++) {
    const nsd_mass_part *p = &inertia->part[inertia->part_of[row.part[e].first]];
    nsd_rows_copy(1, p->n, nsd_row_part(&row, e, &at), x);
    if (nsd_block_is_small(p->n)) {
      nsd_block_forward(p->n, inertia->L + p->at, inertia->r + p->first, x);
    } else {
      nsd_cholesky_forward(p->n, inertia->L + p->at, p->n, 1, x, p->n);
    }
    for (int j = 0; j < p->n; j++) {
      moved[p->first + j] += fabs(x[j] * Lambda);
    }
  }
}

void nsd_scene_add_moved(const nsd_scene *scene, const nsd_inertia *inertia, const double *Lambda,
                         double *moved)
{
  const size_t nu = (size_t)inertia->nu;
  for (int r = 0; r < scene->closed.rows; r++) {
    if (scene->directions.is_sparse) {
      add_moved_sparse(scene, inertia, r, Lambda[r], moved);
      continue;
    }
    for (size_t j = 0; j < nu; j++) {
      moved[j] += fabs(scene->problem.X[(size_t)r * nu + j] * Lambda[r]);
    }
  }
}

/* n is known where this is inlined; a small L is solved with at once. */
NSD_INLINE void combine(int n, const nsd_inertia *inertia, int rows, const double *z, const double *X,
                        const double *Lambda, double *du)
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
  if (inertia->form == NSD_INERTIA_SMALL) {
    nsd_small_backward_of(n, inertia->L, inertia->r, sum);
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

/* M⁻¹ Wᵀ Λ, body by body, and M⁻¹ h Δt = L⁻ᵀ z. */
static void combine_sparse(const nsd_scene *scene, const nsd_inertia *inertia, const double *z,
                           const double *Lambda, double *du)
{
  double *forced = scene->problem.part;
  nsd_rows_copy(1, inertia->nu, z, forced);
  nsd_inertia_backward(inertia, forced);
  nsd_operator_start(&scene->problem.W_free, Lambda, du);
  nsd_lanes_combine(inertia->nu, du, 1.0, forced, du);
}

void nsd_scene_velocities(const nsd_scene *scene, const nsd_inertia *inertia, const double *z,
                          const double *Lambda, double *du)
{
  const int rows = scene->closed.rows;
  /* z + Xᵀ Λ, which is L⁻¹ (h Δt + Wᵀ Λ), or M⁻¹ (h Δt + Wᵀ Λ) where the user solves; then L⁻ᵀ of it:
   * uᴱ − uᴬ = M⁻¹ (h Δt + Wᵀ Λ), the rows of W being the w_i. */
  switch (inertia->nu) {
  case 1:
    combine(1, inertia, rows, z, scene->problem.X, Lambda, du);
    break;
  case 2:
    combine(2, inertia, rows, z, scene->problem.X, Lambda, du);
    break;
  case 3:
    combine(3, inertia, rows, z, scene->problem.X, Lambda, du);
    break;
  case 4:
    combine(4, inertia, rows, z, scene->problem.X, Lambda, du);
    break;
  default:
    if (scene->directions.is_sparse && rows) {
      combine_sparse(scene, inertia, z, Lambda, du);
      return;
    }
    combine_large(inertia->nu, rows, z, scene->problem.X, Lambda, du);
    break;
  }
  if (inertia->form == NSD_INERTIA_WHOLE || inertia->form == NSD_INERTIA_BLOCKS) {
    nsd_inertia_backward_large(inertia, du);
  }
}
