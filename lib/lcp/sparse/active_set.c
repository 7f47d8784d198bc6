/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/active_set.h"

#include "base/tolerances.h"

enum { CHANCES = 10 /* rounds that need not lower the number of wrong signs */ };

void nsd_active_set_lay_out(nsd_arena *arena, nsd_active_set *w, int32_t n)
{
  const size_t size = (size_t)n;
  w->x = nsd_arena_take(arena, size, sizeof *w->x);
  w->y = nsd_arena_take(arena, size, sizeof *w->y);
  w->scale = nsd_arena_take(arena, size, sizeof *w->scale);
  w->step = nsd_arena_take(arena, size, sizeof *w->step);
  w->work = nsd_arena_take(arena, size, sizeof *w->work);
  w->diagonal = nsd_arena_take(arena, size, sizeof *w->diagonal);
  w->place = nsd_arena_take(arena, size, sizeof *w->place);
  w->in = nsd_arena_take(arena, size, sizeof *w->in);
}

void nsd_active_set_rows(const nsd_active_set *w, const nsd_sparse_problem *p)
{
  const nsd_sparse *A = &p->A;
  for (int32_t i = 0; i < A->n; i++) {
    double sum = p->b[i], size = fabs(p->b[i]);
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      const double term = A->value[k] * w->x[A->column[k]];
      sum += term;
      size += fabs(term);
    }
    if (w->shift) {
      const double term = w->shift[i] * (w->x[i] - w->center[i]);
      sum += term;
      size += fabs(term);
    }
    w->y[i] = sum;
    w->scale[i] = size;
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ * (double)(A->row[i + 1] - A->row[i] + 2));
  }
}

void nsd_active_set_project(const nsd_active_set *w, const nsd_sparse_problem *p)
{
  for (int32_t i = 0; i < p->A.n; i++) {
    w->x[i] = fmin(fmax(w->x[i], p->lo[i]), p->hi[i]);
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
  }
}

/* x at its bounds where it is not basic; the rows of the basic ones at that x. */
static void put_at_bounds(nsd_active_set *w, const nsd_sparse_problem *p)
{
  for (int32_t i = 0; i < p->A.n; i++) {
    w->in[i] = w->place[i] == NSDYN_LCP_BASIC;
    if (!w->in[i]) {
      w->x[i] = nsd_sparse_bound(p, i, w->place[i]);
    }
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
  }
}

/* A_FF x_F = −b_F − A_FN x_N, as a step from the x there is: what it leaves is of the size of its rounding.
 * Returns the row whose pivot vanishes, or −1. */
static int32_t solve_basis(nsd_active_set *w, const nsd_sparse_problem *p)
{
  const int32_t n = p->A.n;
  put_at_bounds(w, p);
  const double least = p->has_positive_diagonal ? NSD_SPARSE_PIVOT : -1.0;
  const int32_t singular = nsd_sparse_ldu_factor(w->factor, w->in, w->shift, least);
  if (singular >= 0) {
    return singular;
  }
  /* Δx_F = −A_FF⁻¹ y_F. */
  nsd_active_set_rows(w, p);
  for (int32_t i = 0; i < n; i++) {
    w->step[i] = w->y[i];
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
  }
  nsd_sparse_ldu_solve(w->factor, w->step, w->work);
  for (int32_t i = 0; i < n; i++) {
    if (w->in[i]) {
      w->x[i] -= w->step[i];
    }
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ);
  }
  nsd_active_set_rows(w, p);
  return -1;
}

/* Where unknown i belongs by the signs of this round. */
static int32_t wanted_place(const nsd_active_set *w, const nsd_sparse_problem *p, int32_t i)
{
  const int32_t place = w->place[i];
  const double slack = NSD_SPARSE_SIGN * w->scale[i];
  if (place == NSDYN_LCP_BASIC) {
    const double slack_x = slack / w->diagonal[i];
    return w->x[i] < p->lo[i] - slack_x   ? NSDYN_LCP_AT_LO
           : w->x[i] > p->hi[i] + slack_x ? NSDYN_LCP_AT_HI
                                          : NSDYN_LCP_BASIC;
  }
  if (p->lo[i] == p->hi[i]) {
    return place;
  }
  return (place == NSDYN_LCP_AT_LO ? w->y[i] < -slack : w->y[i] > slack) ? NSDYN_LCP_BASIC : place;
}

/* |A_ii|, or the size of the row where that vanishes. */
static double size_of_diagonal(const nsd_sparse *A, int32_t i)
{
  double largest = 0.0;
  for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
    if (A->column[k] == i && A->value[k] != 0.0) {
      return fabs(A->value[k]);
    }
    largest = fmax(largest, fabs(A->value[k]));
  }
  return largest > 0.0 ? largest : 1.0;
}

/* Changes the place of every unknown with a wrong sign, or of the last one only. */
static void exchange(nsd_active_set *w, const nsd_sparse_problem *p, int only_last)
{
  for (int32_t i = p->A.n - 1; i >= 0; i--) {
    const int32_t wanted = wanted_place(w, p, i);
    if (wanted != w->place[i]) {
      w->place[i] = wanted;
      if (only_last) {
        return;
      }
    }
    (void)nsd_poll_stops(w->poll, 3.0 * NSD_POLL_READ);
  }
}

/* How many have a wrong sign. */
static int32_t count_wrong(const nsd_active_set *w, const nsd_sparse_problem *p)
{
  int32_t wrong = 0;
  for (int32_t i = 0; i < p->A.n; i++) {
    wrong += wanted_place(w, p, i) != w->place[i];
    (void)nsd_poll_stops(w->poll, 3.0 * NSD_POLL_READ);
  }
  return wrong;
}

int nsd_active_set_is_monotone(const nsd_sparse_problem *p)
{
  int sides = 0;
  for (int32_t i = 0; i < p->A.n && p->is_z; i++) {
    if (p->lo[i] != p->hi[i]) {
      sides |= (p->lo[i] > -(double)INFINITY ? 1 : 0) | (p->hi[i] < (double)INFINITY ? 2 : 0);
    }
  }
  return p->is_z && p->has_positive_diagonal && sides != 3;
}

/* A pivot has vanished: its unknown goes to a bound, if it has one. */
static int fix_at_bound(nsd_active_set *w, const nsd_sparse_problem *p, int32_t i)
{
  const int32_t place = nsd_sparse_place(p, i, NSDYN_LCP_AT_LO);
  if (place == NSDYN_LCP_BASIC || w->place[i] != NSDYN_LCP_BASIC) {
    return 0;
  }
  w->place[i] = place;
  return 1;
}

nsdyn_status nsd_active_set_solve(nsd_active_set *w, const nsd_sparse_problem *p, int max_rounds)
{
  const int32_t n = p->A.n;
  const int monotone = nsd_active_set_is_monotone(p);
  /* Where A turns out to be no M-matrix, rounding may walk in circles. */
  const int most = monotone && max_rounds > n + CHANCES ? n + CHANCES : max_rounds;
  int32_t fewest = n + 1;
  int chances = CHANCES, fixed = 0;
  w->rounds = 0;
  for (int32_t i = 0; i < n; i++) {
    w->place[i] = nsd_sparse_place(p, i, w->place[i]);
    w->x[i] = fmin(fmax(0.0, p->lo[i]), p->hi[i]);
    w->diagonal[i] = size_of_diagonal(&p->A, i);
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ * (double)(p->A.row[i + 1] - p->A.row[i] + 2));
  }
  while (w->rounds < most) {
    w->rounds++;
    /* 1. The basic unknowns solve their rows. */
    const int32_t singular = solve_basis(w, p);
    if (nsd_poll_stops(w->poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
    if (singular >= 0) {
      if (fixed++ >= CHANCES || !fix_at_bound(w, p, singular)) {
        return NSDYN_UNDECIDED;
      }
      continue;
    }
    /* 2. Wrong signs: x_i beyond a bound, or y_i that pushes x_i off its bound. */
    const int32_t wrong = count_wrong(w, p);
    if (wrong == 0) {
      nsd_active_set_project(w, p);
      return NSDYN_OK;
    }
    /* 3. All of them change sides; one only where this has not helped for long. */
    if (wrong < fewest) {
      fewest = wrong;
      chances = CHANCES;
    } else if (!monotone && chances > 0) {
      chances--;
    }
    exchange(w, p, chances == 0);
  }
  nsd_active_set_project(w, p);
  return NSDYN_MAX_ITERATIONS;
}
