/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Siconos numerics: Lemke's method with lexicographic ties, by the driver that its users call (which looks
 * for the trivial solution and computes the error of the answer) and by itself. w = M z + q, M by columns;
 * the problem stays as it is, so nothing is copied. */
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <stdlib.h>

#include "lcp_peers.h"

typedef struct siconos {
  int n, count;
  double *columns; /* all M */
  double *w;
  LinearComplementarityProblem **problem;
  SolverOptions *options;
} siconos;

static void shut(void *peer)
{
  siconos *s = peer;
  if (!s) {
    return;
  }
  for (int k = 0; s->problem && k < s->count && s->problem[k]; k++) {
    free(s->problem[k]->M); /* the numbers in it are ours */
    free(s->problem[k]);
  }
  if (s->options) {
    solver_options_delete(s->options);
    free(s->options);
  }
  free(s->problem);
  free(s->columns);
  free(s->w);
  free(s);
}

static void *start(const lcp_set *set)
{
  const size_t n = (size_t)set->n;
  siconos *s = calloc(1, sizeof *s);
  if (!s) {
    return NULL;
  }
  s->n = set->n;
  s->count = set->count;
  s->columns = calloc((size_t)set->count * n * n, sizeof *s->columns);
  s->w = calloc(n, sizeof *s->w);
  s->problem = calloc((size_t)set->count, sizeof(LinearComplementarityProblem *));
  s->options = solver_options_create(SICONOS_LCP_LEMKE);
  if (!s->columns || !s->w || !s->problem || !s->options) {
    shut(s);
    return NULL;
  }
  for (int k = 0; k < set->count; k++) {
    const double *A = lcp_set_A(set, k);
    double *M = s->columns + (size_t)k * n * n;
    for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < n; j++) {
        M[j * n + i] = A[i * n + j];
      }
    }
    LinearComplementarityProblem *problem = newLCP();
    problem->size = set->n;
    problem->M = NM_create_from_data(NM_DENSE, set->n, set->n, M);
    problem->q = set->b + (size_t)k * n;
    s->problem[k] = problem;
  }
  return s;
}

static void solve_by_driver(void *peer, int k, double *x)
{
  siconos *s = peer;
  (void)linearComplementarity_driver(s->problem[k], x, s->w, s->options);
}

static void solve_directly(void *peer, int k, double *x)
{
  siconos *s = peer;
  int info;
  lcp_lexicolemke(s->problem[k], x, s->w, &info, s->options);
}

const lcp_peer lcp_siconos_driver = {
    .name = "Siconos driver", .takes_bounds = 0, .open = start, .solve = solve_by_driver, .close = shut};
const lcp_peer lcp_siconos_lemke = {
    .name = "Siconos Lemke", .takes_bounds = 0, .open = start, .solve = solve_directly, .close = shut};
