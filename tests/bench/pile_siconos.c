/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Siconos numerics, by the drivers that its users call: block Gauss-Seidel (NSGS) on blocks of the contacts
 * that touch a common body, the rest being zero, and Lemke's method on the LCP of Glocker & Studer's eq. 33
 * (its own LCP of a contact problem is a wrong one where coefficients of friction differ). Both look for
 * 1e-9, as ours do; NSGS may make 10 000 rounds. With 400 contacts Lemke's method takes up to 44 s and ends
 * without a solution, so it takes part up to 100. */
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <lcp_cst.h>
#include <stdlib.h>

#include "pile_peers.h"

enum { ROUNDS = 10000, MOST_LEMKE = 100, MOST_NSGS = 1 << 20 };

typedef struct siconos {
  int contacts;
  int dimension;                   /* 2, or in space 3 */
  FrictionContactProblem *problem; /* of NSGS; it frees its q, mu and M */
  double *q;
  LinearComplementarityProblem *lcp;
  double *mu, *z, *w; /* beside it */
  SolverOptions *options;
} siconos;

static void shut(void *peer)
{
  siconos *s = peer;
  if (!s) {
    return;
  }
  if (s->options) {
    solver_options_delete(s->options);
    free(s->options);
  }
  if (s->problem) {
    frictionContactProblem_free(s->problem);
  }
  if (s->lcp) {
    freeLinearComplementarityProblem(s->lcp);
  }
  free(s->mu);
  free(s->z);
  free(s->w);
  free(s);
}

static void *room(size_t count)
{
  double *numbers = calloc(count, sizeof *numbers);
  if (!numbers) {
    abort();
  }
  return numbers;
}

/* By columns, from rows. */
static NumericsMatrix *dense_of(const double *A, size_t lda, int n)
{
  NumericsMatrix *M = NM_create(NM_DENSE, n, n);
  for (size_t i = 0; i < (size_t)n; i++) {
    for (size_t j = 0; j < (size_t)n; j++) {
      M->matrix0[i + j * (size_t)n] = A[i * lda + j];
    }
  }
  return M;
}

static NumericsMatrix *blocks_of(NumericsMatrix *dense, int size, int n)
{
  NumericsMatrix *sparse = NM_create(NM_SPARSE, n, n), *blocks = NM_create(NM_SPARSE_BLOCK, n, n);
  NM_copy_to_sparse(dense, sparse, 0.0);
  (void)SBM_from_csparse(size, NM_csc(sparse), blocks->matrix1);
  NM_clear(sparse);
  free(sparse);
  NM_clear(dense);
  free(dense);
  return blocks;
}

static siconos *begin(const nsdyn_contact_problem *p, int solver, double **mu)
{
  siconos *s = calloc(1, sizeof *s);
  if (!s) {
    abort();
  }
  *mu = room((size_t)p->contacts);
  for (int i = 0; i < p->contacts; i++) {
    (*mu)[i] = p->laws[i].mu;
  }
  s->contacts = p->contacts;
  s->dimension = 1 + p->laws[0].tangents;
  s->options = solver_options_create(solver);
  s->options->dparam[SICONOS_DPARAM_TOL] = 1e-9;
  s->options->iparam[SICONOS_IPARAM_MAX_ITER] = ROUNDS;
  return s;
}

static void *open_nsgs(const nsdyn_contact_problem *p)
{
  const int size = 1 + p->laws[0].tangents, n = size * p->contacts;
  double *mu, *q = room((size_t)n);
  siconos *s = begin(p, size == 3 ? SICONOS_FRICTION_3D_NSGS : SICONOS_FRICTION_2D_NSGS, &mu);
  for (int i = 0; i < n; i++) {
    q[i] = p->c[i];
  }
  NumericsMatrix *M = blocks_of(dense_of(p->G, (size_t)p->ldg, n), size, n);
  s->q = q;
  s->problem = frictionContactProblem_new_with_data(size, p->contacts, M, q, mu);
  return s;
}

static void solve_nsgs(void *peer, double *Lambda, double *xi)
{
  siconos *s = peer;
  for (int i = 0; i < s->dimension * s->contacts; i++) {
    Lambda[i] = xi[i] = 0.0;
  }
  if (s->dimension == 3) {
    (void)fc3d_driver(s->problem, Lambda, xi, s->options);
  } else {
    (void)fc2d_driver(s->problem, Lambda, xi, s->options);
  }
}

/* Three unknowns per contact, Λ_N, Λ_R and ξ_L, as long as no coefficient is zero. */
static void *open_lemke(const nsdyn_contact_problem *p)
{
  if (p->laws[0].tangents == 2) {
    return NULL; /* a cone is no LCP */
  }
  double *mu;
  siconos *s = begin(p, SICONOS_LCP_LEMKE, &mu);
  int n = 3 * p->contacts;
  const size_t size = (size_t)n;
  double *A = room(size * size), *b = room(size), *bounds = room(2 * size);
  if (nsdyn_contact_lcp(p, A, n, b, bounds, bounds + size, &n) || n != 3 * p->contacts) {
    abort();
  }
  s->mu = mu;
  s->z = room(size);
  s->w = room(size);
  s->lcp = newLCP();
  s->lcp->size = n;
  s->lcp->M = dense_of(A, size, n);
  s->lcp->q = b;
  free(A);
  free(bounds);
  return s;
}

static void solve_lemke(void *peer, double *Lambda, double *xi)
{
  siconos *s = peer;
  for (int i = 0; i < 2 * s->contacts; i++) {
    xi[i] = 0.0;
  }
  for (int i = 0; i < s->lcp->size; i++) {
    s->z[i] = s->w[i] = 0.0;
  }
  (void)linearComplementarity_driver(s->lcp, s->z, s->w, s->options);
  for (int i = 0; i < s->contacts; i++) {
    Lambda[2 * i] = s->z[3 * i];
    Lambda[2 * i + 1] = s->z[3 * i + 1] - s->mu[i] * s->z[3 * i];
  }
}

const pile_peer pile_siconos_nsgs = {
    .name = "Siconos NSGS", .most = MOST_NSGS, .open = open_nsgs, .solve = solve_nsgs, .close = shut};
const pile_peer pile_siconos_lemke = {
    .name = "Siconos Lemke", .most = MOST_LEMKE, .open = open_lemke, .solve = solve_lemke, .close = shut};
