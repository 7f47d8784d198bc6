/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/pattern.h"

#include <float.h>
#include <string.h>

#include "base/dense.h"
#include "contact/states.h"

#define REDUNDANT 1e-11 /* of a column: a pivot below it is none */
#define NOISE                                                                                                \
  (16.0 * DBL_EPSILON) /* times n: what cancellation may leave of a pivot of a singular system               \
                        */

void nsd_pattern_lay_out(nsd_arena *arena, nsd_pattern_work *w, int contacts, int rows)
{
  const size_t n = (size_t)rows;
  w->block = nsd_arena_take(arena, n * n, sizeof *w->block);
  w->right = nsd_arena_take(arena, n, sizeof *w->right);
  w->unknown = nsd_arena_take(arena, n, sizeof *w->unknown);
  w->slope = nsd_arena_take(arena, n, sizeof *w->slope);
  w->unit = nsd_arena_take(arena, n, sizeof *w->unit);
  w->perm = nsd_arena_take(arena, n, sizeof *w->perm);
  w->Lambda = nsd_arena_take(arena, n, sizeof *w->Lambda);
  w->xi = nsd_arena_take(arena, n, sizeof *w->xi);
  w->states = nsd_arena_take(arena, (size_t)contacts, sizeof *w->states);
}

/* Lists the unknowns, and puts the impulses that are given, friction of a given bound, into Λ. Returns how
 * many unknowns; `drags` says whether one of them drags friction with it. */
static int list_unknowns(nsd_pattern_work *w, const nsd_contact_data *d, const int32_t *states,
                         double *Lambda, int *drags, int *is_loaded)
{
  int n = 0;
  *drags = 0;
  *is_loaded = 0;
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int T = nsd_contact_tangent(s);
    const double f = nsd_state_factor(states[i]);
    Lambda[s->row] = 0.0;
    if (nsd_state_is_closed(states[i])) {
      const double slope = T < 0 ? 0.0 : f * s->mu;
      w->unknown[n] = s->row;
      w->slope[n++] = slope;
      *drags |= slope != 0.0;
    }
    if (T >= 0) {
      Lambda[T] = f * s->bound;
      *is_loaded |= Lambda[T] != 0.0;
      if (nsd_state_sticks(states[i])) {
        w->unknown[n] = T;
        w->slope[n++] = 0.0;
      }
    }
  }
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    Lambda[i] = 0.0;
    w->unknown[n] = i;
    w->slope[n++] = 0.0;
  }
  return n;
}

/* Row p of the system is row unknown[p] of ξ = G Λ + c. */
static void fill_system(nsd_pattern_work *w, const nsd_contact_data *d, int n, int drags, int is_loaded,
                        const double *Lambda)
{
  for (int p = 0; p < n; p++) {
    const double *g = nsd_contact_row(d, w->unknown[p]);
    double *block = w->block + (size_t)p * (size_t)n;
    for (int q = 0; q < n; q++) {
      block[q] = g[w->unknown[q]];
    }
    for (int q = 0; drags && q < n; q++) {
      if (w->slope[q] != 0.0) {
        block[q] += w->slope[q] * g[w->unknown[q] + 1];
      }
    }
    w->right[p] = -d->c[w->unknown[p]] - (is_loaded ? nsd_dot(d->rows, g, Lambda) : 0.0);
  }
}

/* The element to divide by: the largest of what is left, in units of its column; 0 where nothing is. */
static double find_pivot(const nsd_pattern_work *w, int n, int k, int *row, int *column)
{
  double most = 0.0;
  for (int p = k; p < n; p++) {
    const double *a = w->block + (size_t)p * (size_t)n;
    for (int q = k; q < n; q++) {
      const double size = fabs(a[q]) * w->unit[q];
      if (size > most) {
        most = size;
        *row = p;
        *column = q;
      }
    }
  }
  return most;
}

static void swap(double *a, double *b)
{
  const double c = *a;
  *a = *b;
  *b = c;
}

/* Row k and `row`, column k and `column`; perm keeps where columns came from. */
static void bring_pivot(nsd_pattern_work *w, int n, int k, int row, int column)
{
  double *block = w->block;
  for (int q = 0; row != k && q < n; q++) {
    swap(&block[(size_t)k * (size_t)n + (size_t)q], &block[(size_t)row * (size_t)n + (size_t)q]);
  }
  swap(&w->right[k], &w->right[row]);
  for (int p = 0; column != k && p < n; p++) {
    swap(&block[(size_t)p * (size_t)n + (size_t)k], &block[(size_t)p * (size_t)n + (size_t)column]);
  }
  swap(&w->unit[k], &w->unit[column]);
  const int was = w->perm[k];
  w->perm[k] = w->perm[column];
  w->perm[column] = was;
}

/* A redundant system: Gauss with complete pivots; what no pivot is left for is redundant, and those unknowns
 * are zero. Whether their equations hold the judge will see. */
static void solve_redundant(nsd_pattern_work *w, int n)
{
  int rank = 0;
  for (int q = 0; q < n; q++) {
    double size = 0.0;
    for (int p = 0; p < n; p++) {
      size = fmax(size, fabs(w->block[(size_t)p * (size_t)n + (size_t)q]));
    }
    w->unit[q] = size > 0.0 ? 1.0 / size : 0.0;
    w->perm[q] = q;
  }
  for (int row = 0, column = 0; rank < n && find_pivot(w, n, rank, &row, &column) > REDUNDANT; rank++) {
    bring_pivot(w, n, rank, row, column);
    const double *a = w->block + (size_t)rank * (size_t)n;
    for (int p = rank + 1; p < n; p++) {
      double *b = w->block + (size_t)p * (size_t)n;
      const double f = b[rank] / a[rank];
      if (f != 0.0) {
        nsd_lanes_axpy(n - rank - 1, -f, a + rank + 1, b + rank + 1);
        w->right[p] -= f * w->right[rank];
      }
    }
  }
  for (int k = rank - 1; k >= 0; k--) {
    const double *a = w->block + (size_t)k * (size_t)n;
    w->right[k] -= nsd_dot(rank - k - 1, a + k + 1, w->right + k + 1);
    w->right[k] /= a[k];
  }
  for (int k = 0; k < n; k++) {
    w->unit[w->perm[k]] = k < rank ? w->right[k] : 0.0;
  }
  memcpy(w->right, w->unit, (size_t)n * sizeof *w->right);
}

/* Without friction that is dragged along the block is one of G: symmetric and, where it is regular, positive
 * definite. */
static nsdyn_status solve_system(nsd_pattern_work *w, int n, int drags)
{
  if (!drags) {
    const nsdyn_status status = nsd_cholesky_factor(n, w->block, n, NULL);
    if (status == NSDYN_OK) {
      nsd_cholesky_solve(n, w->block, n, 1, w->right, n);
    }
    return status == NSDYN_ERR_NOT_DEFINITE ? NSDYN_ERR_SINGULAR : status;
  }
  nsd_lu_info info;
  const nsdyn_status status = nsd_lu_factor(n, w->block, n, w->perm, &info);
  if (status) {
    return status;
  }
  if (info.margin <= n * NOISE) {
    return NSDYN_ERR_SINGULAR;
  }
  nsd_lu_solve(n, w->block, n, w->perm, 1, w->right, n);
  return NSDYN_OK;
}

nsdyn_status nsd_pattern_solve(nsd_pattern_work *w, const nsd_contact_data *d, const int32_t *states,
                               double *Lambda)
{
  int drags, is_loaded;
  const int n = list_unknowns(w, d, states, Lambda, &drags, &is_loaded);
  fill_system(w, d, n, drags, is_loaded, Lambda);
  nsdyn_status status = n > 0 ? solve_system(w, n, drags) : NSDYN_OK;
  if (status == NSDYN_ERR_SINGULAR) {
    fill_system(w, d, n, drags, is_loaded, Lambda);
    solve_redundant(w, n);
    status = NSDYN_OK;
  }
  if (status) {
    return status;
  }
  for (int q = 0; q < n; q++) {
    const int row = w->unknown[q];
    Lambda[row] = w->right[q];
    if (w->slope[q] != 0.0) {
      Lambda[row + 1] = w->slope[q] * w->right[q];
    }
  }
  return nsd_all_finite(1, d->rows, Lambda, d->rows) ? NSDYN_OK : NSDYN_ERR_NOT_FINITE;
}

static void keep(nsd_pattern_best *best, const nsd_contact_data *d, const nsd_pattern_work *w,
                 const nsd_contact_verdict *verdict)
{
  if (nsd_contact_is_better(verdict, &best->verdict)) {
    memcpy(best->Lambda, w->Lambda, (size_t)d->rows * sizeof *best->Lambda);
    memcpy(best->xi, w->xi, (size_t)d->rows * sizeof *best->xi);
    best->verdict = *verdict;
  }
}

static int move_states(nsd_pattern_work *w, const nsd_contact_data *d)
{
  int moved = 0;
  for (int i = 0; i < d->contacts; i++) {
    const int32_t next = nsd_contact_next_state(d, &d->spec[i], w->Lambda, w->xi);
    moved += next != w->states[i];
    w->states[i] = next;
  }
  return moved;
}

int nsd_pattern_newton(nsd_pattern_work *w, const nsd_contact_data *d, double tol, int rounds,
                       nsd_pattern_best *best)
{
  const double polished = tol < NSD_PATTERN_POLISHED ? tol : NSD_PATTERN_POLISHED;
  for (int round = 0; round < rounds; round++) {
    best->rounds++;
    if (nsd_pattern_solve(w, d, w->states, w->Lambda) != NSDYN_OK) {
      break;
    }
    nsd_contact_verdict verdict = nsd_contact_judge(d, w->Lambda, w->xi);
    const int moved = move_states(w, d); /* as Λ came out of the system, before it is projected */
    if (nsd_contact_project_all(d, w->Lambda)) {
      verdict = nsd_contact_judge(d, w->Lambda, w->xi);
    }
    keep(best, d, w, &verdict);
    if (nsd_contact_is_solution(&best->verdict, polished) || !moved) {
      break;
    }
  }
  return nsd_contact_is_solution(&best->verdict, tol);
}
