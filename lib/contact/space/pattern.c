/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/pattern.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/kernels/simd.h"
#include "base/kernels/small.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"

void nsd_space_pattern_lay_out(nsd_arena *arena, nsd_space_pattern *p, int rows)
{
  const size_t n = (size_t)rows;
  p->of = nsd_arena_take(arena, n, sizeof *p->of);
  p->eq = nsd_arena_take(arena, n, sizeof *p->eq);
  p->first = nsd_arena_take(arena, n, sizeof *p->first);
  p->count = nsd_arena_take(arena, n, sizeof *p->count);
  p->kept = nsd_arena_take(arena, n, sizeof *p->kept);
  p->null = nsd_arena_take(arena, n, n * sizeof *p->null);
  p->plain = nsd_arena_take(arena, n, n * sizeof *p->plain);
  p->gram = nsd_arena_take(arena, n, n * sizeof *p->gram);
  p->perm = nsd_arena_take(arena, n, sizeof *p->perm);
  p->x = nsd_arena_take(arena, n, sizeof *p->x);
  p->near = nsd_arena_take(arena, n, sizeof *p->near);
  p->weight = nsd_arena_take(arena, n, sizeof *p->weight);
}

/* ---- unknowns ------------------------------------------------------------------------------------------ */

/* An unknown that is row `r` of those from `first` on alone, and its equation. */
static void add_unknown(nsd_space_pattern *p, int first, int count, int r)
{
  const int q = p->unknowns++;
  p->first[q] = first;
  p->count[q] = count;
  for (int i = 0; i < NSD_CONTACT_ROWS; i++) {
    p->of[q][i] = p->eq[q][i] = i == r ? 1.0 : 0.0;
  }
}

/* Λ_T over f, for limit 1, of a contact that slides. */
static void drag_of(const nsd_contact_spec *s, double *drag)
{
  if (!s->space) {
    drag[0] = 1.0;
    return;
  }
  nsd_friction_drag(s, 1.0, drag);
}

/* Lists the unknowns; what is given, friction of a given bound, goes into Λ. `friction`: 0 without that which
 * is dragged along. Returns whether any is. */
static int list_unknowns(nsd_space_pattern *p, const nsd_contact_data *d, const int32_t *states, int friction,
                         double *Lambda)
{
  int drags = 0;
  p->unknowns = 0;
  memset(Lambda, 0, (size_t)d->rows * sizeof *Lambda);
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    add_unknown(p, i, 1, 0);
  }
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int rows = nsd_contact_rows_of(s);
    const double f = nsd_state_factor(states[i]);
    double drag[2] = {0.0, 0.0};
    if (rows > 1 && f != 0.0) {
      drag_of(s, drag);
    }
    if (nsd_state_is_closed(states[i])) {
      add_unknown(p, s->row, rows, 0);
    }
    for (int r = 1; r < rows && states[i] != NSD_STATE_OPEN; r++) {
      /* Λ_T = f (μ Λ_N + bound) p: μ Λ_N goes with Λ_N, the bound is given. */
      Lambda[s->row + r] = f * s->bound * drag[r - 1];
      if (nsd_state_is_closed(states[i]) && friction) {
        p->of[p->unknowns - 1][r] = f * s->mu * drag[r - 1];
        drags |= f * s->mu != 0.0;
      }
    }
  }
  for (int i = 0; i < d->contacts; i++) {
    const int rows = nsd_contact_rows_of(&d->spec[i]);
    for (int r = 1; r < rows && nsd_state_sticks(states[i]); r++) {
      add_unknown(p, d->spec[i].row, rows, r);
    }
  }
  return drags;
}

static inline double *row_of(const nsd_pattern_work *w, int n, int i)
{
  return w->system + (size_t)i * (size_t)(n + 1);
}

/* A_ij = eq_iᵀ G of_j over the rows of both contacts. */
static void fill_system(const nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d)
{
  const int n = p->unknowns;
  for (int i = 0; i < n; i++) {
    double *a = row_of(w, n, i);
    for (int j = 0; j < n; j++) {
      a[j] = 0.0;
      for (int r = 0; r < p->count[i]; r++) {
        if (p->eq[i][r] != 0.0) {
          const double *g = nsd_contact_row(d, p->first[i] + r) + p->first[j];
          a[j] += p->eq[i][r] * nsd_small_dot(p->count[j], g, p->of[j]);
        }
      }
    }
  }
}

/* −eqᵀ (c + G Λ) of the impulses that are given. */
static void fill_right(const nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d,
                       const double *Lambda)
{
  const int n = p->unknowns;
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int r = 0; r < p->count[i]; r++) {
      const int row = p->first[i] + r;
      sum += p->eq[i][r] != 0.0
                 ? p->eq[i][r] * (d->c[row] + nsd_dot(d->rows, nsd_contact_row(d, row), Lambda))
                 : 0.0;
    }
    row_of(w, n, i)[n] = -sum;
  }
}

/* ---- redundant unknowns -------------------------------------------------------------------------------- */

/* Directions that U x = 0 leaves open, one per column without a pivot. Returns how many there are. */
static int list_null(const nsd_pattern_work *w, int n, int rank, double *null)
{
  int count = 0;
  for (int q = 0, k = 0; q < n; q++) {
    if (k < rank && w->pivots[k] == q) {
      k++;
      continue;
    }
    double *v = null + (size_t)count++ * (size_t)n;
    memset(v, 0, (size_t)n * sizeof *v);
    v[q] = 1.0;
    for (int i = k - 1; i >= 0; i--) {
      const int column = w->pivots[i];
      const double *a = row_of(w, n, i);
      v[column] = -nsd_dot(n - column - 1, a + column + 1, v + column + 1) / a[column];
    }
  }
  return count;
}

/* Directions in which forces that obey no law of friction are redundant, W_eq n = 0: the null space of G in
 * the rows of the equations. Where friction is dragged along it is another one than the system's. */
static int list_plain_null(nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d)
{
  const int n = p->unknowns;
  for (int q = 0; q < n; q++) {
    memcpy(p->kept[q], p->of[q], sizeof p->of[q]);
    memcpy(p->of[q], p->eq[q], sizeof p->of[q]);
  }
  fill_system(p, w, d);
  for (int q = 0; q < n; q++) {
    row_of(w, n, q)[n] = 0.0;
    memcpy(p->of[q], p->kept[q], sizeof p->of[q]);
  }
  const int rank = nsd_pattern_eliminate(w, n);
  return list_null(w, n, rank, p->plain);
}

/* √G_qq times the weight of q: unknowns times this are of one kind. */
static void fill_metric(const nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d)
{
  for (int q = 0; q < p->unknowns; q++) {
    const int row = p->first[q];
    double size = 0.0;
    for (int r = 0; r < p->count[q]; r++) {
      size += p->eq[q][r] != 0.0 ? nsd_contact_row(d, row + r)[row + r] : 0.0;
    }
    w->size[q] = p->weight[q] * (size > 0.0 ? sqrt(size) : 1.0);
  }
}

/* x along the directions that are open, p->null, so that x − near is at right angles to them in the metric:
 * the least. */
static void share_least(nsd_space_pattern *p, const nsd_pattern_work *w, int count)
{
  const int n = p->unknowns;
  for (int q = 0; q < n; q++) {
    p->x[q] = w->size[q] * (p->x[q] - p->near[q]);
  }
  for (int i = 0; i < count; i++) {
    double *v = p->null + (size_t)i * (size_t)n;
    for (int q = 0; q < n; q++) {
      v[q] *= w->size[q];
    }
    for (int again = 0; again < 2; again++) { /* Gram and Schmidt, twice: to rounding */
      for (int j = 0; j < i; j++) {
        const double *u = p->null + (size_t)j * (size_t)n;
        nsd_lanes_axpy(n, -nsd_dot(n, u, v), u, v);
      }
    }
    const double length = sqrt(nsd_dot(n, v, v));
    for (int q = 0; q < n && length > 0.0; q++) {
      v[q] /= length;
    }
    nsd_lanes_axpy(n, -nsd_dot(n, v, p->x), v, p->x);
  }
  for (int q = 0; q < n; q++) {
    p->x[q] = p->near[q] + p->x[q] / w->size[q];
    for (int i = 0; i < count; i++) {
      p->null[(size_t)i * (size_t)n + (size_t)q] /= w->size[q];
    }
  }
}

/* The same at right angles to p->plain: as contacts of one stiffness share their load, whatever friction they
 * drag along. So forces are the same where contacts stick and where they begin to slide. Returns 0 where the
 * directions that are open do not reach that. */
static int share_plainly(nsd_space_pattern *p, const nsd_pattern_work *w, int count)
{
  const int n = p->unknowns;
  double *right = p->kept[0];
  for (int i = 0; i < count; i++) {
    const double *u = p->plain + (size_t)i * (size_t)n;
    right[i] = 0.0;
    for (int j = 0; j < count; j++) {
      const double *v = p->null + (size_t)j * (size_t)n;
      double sum = 0.0;
      for (int q = 0; q < n; q++) {
        sum += u[q] * w->size[q] * (w->size[q] * v[q]);
      }
      p->gram[(size_t)i * (size_t)count + (size_t)j] = sum;
    }
    for (int q = 0; q < n; q++) {
      right[i] -= u[q] * w->size[q] * (w->size[q] * (p->x[q] - p->near[q]));
    }
  }
  if (nsd_lu_factor(count, p->gram, count, p->perm, NULL) != NSDYN_OK) {
    return 0;
  }
  nsd_lu_solve(count, p->gram, count, p->perm, 1, right, 1);
  for (int j = 0; j < count; j++) {
    nsd_lanes_axpy(n, right[j], p->null + (size_t)j * (size_t)n, p->x);
  }
  return nsd_lanes_zero(n, p->x) == 0.0;
}

static void share(nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d, int count,
                  int is_plain)
{
  fill_metric(p, w, d);
  if (!is_plain || !share_plainly(p, w, count)) {
    share_least(p, w, count);
  }
}

/* Λ of the unknowns, beside what is given. */
static void fill_forces(const nsd_space_pattern *p, const nsd_contact_data *d, const double *given,
                        double *Lambda)
{
  memcpy(Lambda, given, (size_t)d->rows * sizeof *Lambda);
  for (int q = 0; q < p->unknowns; q++) {
    for (int r = 0; r < p->count[q]; r++) {
      Lambda[p->first[q] + r] += p->of[q][r] * p->x[q];
    }
  }
}

/* Row of its contact that unknown q is alone, if it is friction of one that sticks; else 0. */
static int friction_row(const nsd_space_pattern *p, int q)
{
  int row = 0;
  for (int r = 1; r < p->count[q]; r++) {
    row = p->eq[q][r] != 0.0 ? r : row;
  }
  return row;
}

/* Friction that sticks next to its shares of the limits that Λ_N sets, and what is off them weighed by these
 * limits: what carries little takes little of it. Returns whether there is any share. */
static int weigh_friction(nsd_space_pattern *p, const nsd_contact_data *d, const double *shares,
                          const double *Lambda)
{
  double most = 0.0;
  int any = 0;
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    most = nsd_contact_rows_of(s) > 1 ? nsd_larger(nsd_friction_limit(s, Lambda[s->row]), most) : most;
    for (int r = 1; r < nsd_contact_rows_of(s); r++) {
      any |= shares[s->row + r] != 0.0;
    }
  }
  if (!any || !(most > 0.0)) {
    return 0;
  }
  for (int i = 0, q = 0; i < d->contacts; i++) { /* unknowns of friction stand last, in this order */
    const nsd_contact_spec *s = &d->spec[i];
    const double limit = nsd_contact_rows_of(s) > 1 ? nsd_friction_limit(s, Lambda[s->row]) : 0.0;
    for (; q < p->unknowns && (friction_row(p, q) == 0 || p->first[q] == s->row); q++) {
      const int r = friction_row(p, q);
      if (r > 0) {
        p->near[q] = shares[s->row + r] * limit;
        p->weight[q] = most / nsd_larger(limit, NSD_SHARES_SPARE * most);
      }
    }
  }
  return 1;
}

/* ---- solving ------------------------------------------------------------------------------------------- */

nsdyn_status nsd_space_pattern_solve(nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d,
                                     const int32_t *states, const double *shares, double *Lambda)
{
  /* 1. Unknowns. */
  double *given = w->Lambda;
  const int drags = list_unknowns(p, d, states, 1, given);
  const int n = p->unknowns;
  /* 2. A x = −eqᵀ (c + G Λ), by Gauss with pivots. */
  w->edition = 0;
  fill_system(p, w, d);
  fill_right(p, w, d, given);
  const int rank = nsd_pattern_eliminate(w, n);
  memset(p->x, 0, (size_t)n * sizeof *p->x);
  for (int k = rank - 1; k >= 0; k--) {
    const int q = w->pivots[k];
    const double *a = row_of(w, n, k);
    p->x[q] = (a[n] - nsd_dot(n - q - 1, a + q + 1, p->x + q + 1)) / a[q];
  }
  /* 3. Of redundant unknowns the nearest: evenly, and then with friction next to its shares of the limits
   * that this sets. Normal forces that are told set the limits themselves: so a solution that is told comes
   * out. */
  p->redundant = n - rank;
  if (rank < n) {
    int is_told = 0;
    for (int q = 0; q < n; q++) {
      const int is_normal = p->first[q] < nsd_contact_own_rows(d) && friction_row(p, q) == 0;
      p->near[q] = shares && is_normal ? shares[p->first[q]] : 0.0;
      p->weight[q] = 1.0;
      is_told |= p->near[q] != 0.0;
    }
    const int count = list_null(w, n, rank, p->null);
    const int is_plain = drags && list_plain_null(p, w, d) == count;
    if (shares && is_told) {
      (void)weigh_friction(p, d, shares, shares);
    }
    share(p, w, d, count, is_plain);
    fill_forces(p, d, given, Lambda);
    if (shares && !is_told && weigh_friction(p, d, shares, Lambda)) {
      share(p, w, d, count, is_plain);
    }
  }
  /* 4. Λ. */
  fill_forces(p, d, given, Lambda);
  return nsd_lanes_zero(d->rows, Lambda) == 0.0 ? NSDYN_OK : NSDYN_ERR_NOT_FINITE;
}

double nsd_space_pattern_moves(const nsd_space_pattern *p, const nsd_contact_data *d)
{
  const int n = p->unknowns;
  double most = 0.0, largest = 0.0;
  for (int q = 0; q < n; q++) {
    largest = nsd_larger(fabs(p->x[q]), largest);
  }
  for (int i = 0; i < p->redundant; i++) {
    const double *v = p->null + (size_t)i * (size_t)n;
    double size = 0.0;
    for (int q = 0; q < n; q++) {
      size = nsd_larger(fabs(v[q]), size);
    }
    for (int row = 0; row < nsd_contact_own_rows(d) && size > 0.0; row++) {
      const double *g = nsd_contact_row(d, row);
      double sum = 0.0;
      for (int q = 0; q < n; q++) {
        sum += nsd_small_dot(p->count[q], g + p->first[q], p->of[q]) * v[q];
      }
      most = nsd_larger(fabs(sum) / size * largest, most);
    }
  }
  return most;
}

/* Pivots of the system, whose product is its determinant. Returns whether there are all of them. */
static int take_pivots(const nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d,
                       double *pivot)
{
  const int n = p->unknowns;
  w->edition = 0;
  fill_system(p, w, d);
  for (int i = 0; i < n; i++) {
    row_of(w, n, i)[n] = 0.0;
  }
  if (nsd_lu_factor(n, w->system, n + 1, w->pivots, NULL) != NSDYN_OK) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    const double a = row_of(w, n, i)[i];
    pivot[i] = w->pivots[i] != i ? -a : a;
  }
  return 1;
}

double nsd_space_pattern_determinant(nsd_space_pattern *p, nsd_pattern_work *w, const nsd_contact_data *d,
                                     const int32_t *states)
{
  /* 1. det G without friction that is dragged along; redundant where a pivot is nothing beside its column. */
  (void)list_unknowns(p, d, states, 0, w->Lambda);
  const int n = p->unknowns;
  fill_system(p, w, d);
  for (int i = 0; i < n; i++) {
    row_of(w, n, i)[n] = 0.0;
  }
  if (nsd_pattern_eliminate(w, n) < n || !take_pivots(p, w, d, p->x)) {
    return 1.0;
  }
  memcpy(w->xi, p->x, (size_t)n * sizeof *p->x);
  /* 2. det A with it. */
  if (!list_unknowns(p, d, states, 1, w->Lambda)) {
    return 1.0;
  }
  if (!take_pivots(p, w, d, p->x)) {
    return 0.0;
  }
  /* 3. As a product of ratios, which neither overflows nor has a unit. */
  double ratio = 1.0;
  for (int i = 0; i < n; i++) {
    ratio *= p->x[i] / w->xi[i];
  }
  return ratio;
}
