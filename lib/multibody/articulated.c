/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* M = K D Kᵀ with K from the leaves to the roots (Mylapilli & Jain 2017, §2.4; Featherstone's articulated
 * bodies): behind each joint stands the inertia that is felt there while the joints behind it are free. */
#include "multibody/articulated.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"

/* ---- the factor ---- */

static void begin(const nsd_link *link, const nsd_link_state *k, nsd_articulated *I)
{
  const double *h = k->h, m = link->mass;
  memcpy(I->A, k->J, sizeof I->A);
  /* B x = h × x */
  const double B[9] = {0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0};
  nsd_mat3_copy(B, I->B);
  memset(I->C, 0, sizeof I->C);
  I->C[0] = I->C[1] = I->C[2] = m;
  I->mass = m;
  memcpy(I->h, h, sizeof I->h);
  I->trace = (k->J[0] + k->J[1]) + k->J[2];
}

/* U = I S and D = S · U; 0 where D is rounding. */
static int project(const nsd_link *link, const double s[3], nsd_articulated *I)
{
  double n[3], f[3], t[3] = {0.0};
  if (link->slide == 0.0) {
    nsd_symmetric_multiply(I->A, s, I->U);
    nsd_mat3_multiply_transposed(I->B, s, I->U + 3);
  } else {
    nsd_vec3_scale(link->turn, s, t);
    nsd_symmetric_multiply(I->A, t, n);
    nsd_mat3_multiply_transposed(I->B, t, f);
    nsd_vec3_scale(link->slide, s, t);
    nsd_mat3_multiply(I->B, t, I->U);
    nsd_symmetric_multiply(I->C, t, I->U + 3);
    nsd_vec3_add_scaled(I->U, 1.0, n, I->U);
    nsd_vec3_add_scaled(I->U + 3, 1.0, f, I->U + 3);
  }
  const double D = nsd_link_dot(link, s, I->U);
  const double size = link->turn * I->trace + (link->slide * link->slide) * I->mass;
  I->inverse = 1.0 / D;
  I->root = sqrt(I->inverse);
  return D > NSD_TREE_MASSLESS * size && D > 0.0 && D <= DBL_MAX && I->inverse <= DBL_MAX;
}

/* I := I − U Uᵀ / D: the joint lets go. */
static void release(nsd_articulated *I)
{
  double V[6];
  for (int i = 0; i < 6; i++) {
    V[i] = I->inverse * I->U[i];
  }
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int i = 0; i < 6; i++) {
    I->A[i] -= I->U[pair[i][0]] * V[pair[i][1]];
    I->C[i] -= I->U[3 + pair[i][0]] * V[3 + pair[i][1]];
  }
  for (int i = 0; i < 9; i++) {
    I->B[i] -= I->U[i / 3] * V[3 + i % 3];
  }
}

/* The same inertia about the parent's origin, at −r, added to the parent's: B' = B + [r] C, A' = A + [r] Bᵀ +
 * ([r] B'ᵀ)ᵀ … written for the six elements of A' alone. */
static void pass_on(const nsd_articulated *I, const double r[3], nsd_articulated *to)
{
  const double *C = I->C, *A = I->A;
  const double column[3][3] = {{C[0], C[3], C[4]}, {C[3], C[1], C[5]}, {C[4], C[5], C[2]}};
  double B[9], x[3], old[3][3], new[3][3];
  for (int j = 0; j < 3; j++) { /* column j of [r] C is r × the column of C */
    nsd_vec3_cross(r, column[j], x);
    for (int i = 0; i < 3; i++) {
      B[3 * i + j] = I->B[3 * i + j] + x[i];
    }
  }
  for (int i = 0; i < 3; i++) { /* r × row i of B, and of B' */
    nsd_vec3_cross(r, I->B + 3 * i, old[i]);
    nsd_vec3_cross(r, B + 3 * i, new[i]);
  }
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int e = 0; e < 6; e++) {
    const int i = pair[e][0], j = pair[e][1];
    to->A[e] += A[e] + (old[i][j] + new[j][i]);
    to->C[e] += C[e];
  }
  for (int i = 0; i < 9; i++) {
    to->B[i] += B[i];
  }
  /* tr J' = tr J + 4 h·r + 2 m r²: where h and r are opposite its terms cancel, and leave their rounding. */
  const double turned = (fabs(I->h[0] * r[0]) + fabs(I->h[1] * r[1])) + fabs(I->h[2] * r[2]);
  to->trace += I->trace + (4.0 * turned + 2.0 * I->mass * nsd_vec3_dot(r, r));
  nsd_vec3_add_scaled(to->h, 1.0, I->h, to->h);
  nsd_vec3_add_scaled(to->h, I->mass, r, to->h);
  to->mass += I->mass;
}

nsdyn_status nsd_tree_factor(nsdyn_tree *tree, const char *name)
{
  if (tree->is_factored) {
    return NSDYN_OK;
  }
  for (int32_t i = 0; i <= tree->nu; i++) {
    begin(&tree->link[i], &tree->state[i], &tree->articulated[i]);
  }
  for (int32_t i = tree->nu; i > 0; i--) {
    const nsd_link *link = &tree->link[i];
    nsd_articulated *I = &tree->articulated[i];
    if (!project(link, tree->state[i].s, I)) {
      char label[NSD_LABEL_LENGTH];
      return nsd_fault_set(&tree->fault, NSDYN_ERR_NOT_DEFINITE, NSDYN_DETAIL_COORDINATE, i - 1,
                           "%s: the joint of %s moves no mass with its velocity u[%d]", name,
                           nsd_tree_label(tree, link->body, label), (int)i - 1);
    }
    if (link->parent > 0) {
      release(I);
      pass_on(I, tree->state[i].r, &tree->articulated[link->parent]);
    }
  }
  tree->is_factored = 1;
  return NSDYN_OK;
}

/* ---- right-hand sides ---- */

/* x := D⁻¹ᐟ² K⁻¹ τ from the leaves to the roots: what is left of τ_k behind which forces of the joints behind
 * it have been balanced. x may be τ. */
static void half_solve(nsdyn_tree *tree, const double *tau, double *x)
{
  memset(tree->wrench, 0, (size_t)(tree->nu + 1) * sizeof *tree->wrench);
  for (int32_t i = tree->nu; i > 0; i--) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    const nsd_articulated *I = &tree->articulated[i];
    double *p = tree->wrench[i];
    const double left = tau[i - 1] - nsd_link_dot(link, k->s, p);
    x[i - 1] = left * I->root;
    for (int j = 0; j < 6; j++) {
      p[j] += I->U[j] * (left * I->inverse);
    }
    nsd_wrench_add_at(k->r, p, tree->wrench[link->parent]);
  }
}

/* u̇ := K⁻ᵀ D⁻¹ᐟ² x from the roots to the leaves. */
static void solve_back(nsdyn_tree *tree, double *x)
{
  memset(tree->twist[0], 0, sizeof tree->twist[0]);
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    const nsd_articulated *I = &tree->articulated[i];
    double *A = tree->twist[i];
    nsd_twist_at(tree->twist[link->parent], k->r, A);
    const double carried = nsd_vec3_dot(I->U, A) + nsd_vec3_dot(I->U + 3, A + 3);
    const double udot = x[i - 1] * I->root - carried * I->inverse;
    nsd_vec3_add_scaled(A, link->turn * udot, k->s, A);
    nsd_vec3_add_scaled(A + 3, link->slide * udot, k->s, A + 3);
    x[i - 1] = udot;
  }
}

static nsdyn_status refuse_count(nsdyn_tree *tree, const char *name, const char *what, int32_t count)
{
  return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                       "%s: %s is %d; it must not be negative", name, what, (int)count);
}

nsdyn_status nsdyn_tree_solve_mass(nsdyn_tree *tree, int32_t nrhs, double *X)
{
  static const char *const name = "nsdyn_tree_solve_mass";
  nsdyn_status status = nsd_tree_begin(tree, X, 2, name);
  if (!status && nrhs < 0) {
    status = refuse_count(tree, name, "nrhs", nrhs);
  }
  status = status ? status : nsd_tree_factor(tree, name);
  for (int32_t i = 0; !status && i < nrhs; i++) {
    double *x = X + (size_t)i * (size_t)tree->nu;
    half_solve(tree, x, x);
    solve_back(tree, x);
  }
  return status;
}

nsdyn_status nsdyn_tree_accelerations(nsdyn_tree *tree, const double *tau, double *udot)
{
  static const char *const name = "nsdyn_tree_accelerations";
  nsdyn_status status = nsd_tree_begin(tree, udot, 2, name);
  status = status ? status : nsd_tree_factor(tree, name);
  if (status) {
    return status;
  }
  /* h + τ, with M u̇ = h + τ */
  (void)nsdyn_tree_force(tree, tree->tau);
  for (int32_t i = 0; tau && i < tree->nu; i++) {
    tree->tau[i] += tau[i];
  }
  half_solve(tree, tree->tau, udot);
  solve_back(tree, udot);
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_delassus(nsdyn_tree *tree, int32_t rows, double *W, double *G)
{
  static const char *const name = "nsdyn_tree_delassus";
  nsdyn_status status = nsd_tree_begin(tree, W, 2, name);
  status = status ? status : nsd_tree_begin(tree, G, 3, name);
  if (!status && rows < 0) {
    status = refuse_count(tree, name, "rows", rows);
  }
  status = status ? status : nsd_tree_factor(tree, name);
  if (status) {
    return status;
  }
  const int n = tree->nu;
  for (int32_t i = 0; i < rows; i++) {
    double *x = W + (size_t)i * (size_t)n;
    half_solve(tree, x, x);
  }
  for (int32_t i = 0; i < rows; i++) { /* G = X Xᵀ, since M⁻¹ = (D⁻¹ᐟ² K⁻¹)ᵀ D⁻¹ᐟ² K⁻¹ */
    for (int32_t j = 0; j <= i; j++) {
      const double g = nsd_dot(n, W + (size_t)i * (size_t)n, W + (size_t)j * (size_t)n);
      G[(size_t)i * (size_t)rows + (size_t)j] = G[(size_t)j * (size_t)rows + (size_t)i] = g;
    }
  }
  return NSDYN_OK;
}
