/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/principal.h"

#include <float.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "lcp/matrix/symmetry.h"
#include "lcp/proof/certificate.h"
#include "lcp/solve/first_basis.h"
#include "lcp/solve/polish.h"

#define BETWEEN 3 /* a state: between its bounds, y_i = 0 or on its way there, not in the factorization */
#define ROUNDS 12

void nsd_principal_lay_out(nsd_arena *arena, void *workspace, int n)
{
  nsd_principal *w = workspace;
  const size_t size = (size_t)n;
  w->poll = NULL;
  nsd_ldl_update_lay_out(arena, &w->factor, n);
  nsd_basis_lay_out(arena, &w->basis, n);
  w->y = nsd_arena_take(arena, size, sizeof *w->y);
  w->dx = nsd_arena_take(arena, size, sizeof *w->dx);
  w->dy = nsd_arena_take(arena, size, sizeof *w->dy);
  w->root = nsd_arena_take(arena, size, sizeof *w->root);
  w->right = nsd_arena_take(arena, (size_t)w->factor.ld, sizeof *w->right);
  w->rows = nsd_arena_take(arena, size, sizeof *w->rows);
  w->state = nsd_arena_take(arena, size, sizeof *w->state);
}

/* What stops a step. */
typedef enum stop_kind {
  NOTHING,
  Y_VANISHES, /* the driven row is complementary */
  X_AT_BOUND, /* the driven unknown meets its other bound */
  LEAVES,     /* basic unknown `index`, at place `at` of the factorization, meets a bound */
  ENTERS      /* y of unknown `index` is used up */
} stop_kind;

typedef struct stop {
  stop_kind kind;
  int index;
  int at;
  double length; /* of the step */
  double weight; /* how clearly it stops: the larger the surer */
} stop;

/* What all functions of one call share. */
typedef struct drive {
  nsd_principal *w;
  const nsd_lcp_problem *p;
  nsd_lcp_answer *answer;
  double pivot_tol;
  int idle; /* steps of length zero in a row */
  int limit;
} drive;

/* y := A x + b, computed anew. */
static void recompute_y(const drive *d)
{
  for (int i = 0; i < d->p->n; i++) {
    d->w->y[i] = d->p->b[i] + nsd_dot(d->p->n, nsd_lcp_row(d->p, i), d->answer->x);
    (void)nsd_poll_stops(d->w->poll, d->p->n);
  }
}

/* Which way x_i must go to make row i complementary: −1, 0 (it is) or 1. */
static int wanted_direction(const drive *d, int i)
{
  const double y = d->w->y[i];
  const int32_t state = d->w->state[i];
  /* Row i wants y_i >= 0 at the lower bound, <= 0 at the upper one, and 0 between. */
  const int up = y < 0.0 && (state == NSDYN_LCP_AT_LO || state == BETWEEN);
  const int down = y > 0.0 && (state == NSDYN_LCP_AT_HI || state == BETWEEN);
  if ((!up && !down) || nsd_lcp_lo(d->p, i) == nsd_lcp_hi(d->p, i) ||
      fabs(y) <= NSD_LCP_NO_SIGN * nsd_lcp_row_scale(d->p, i, d->answer->x)) {
    return 0;
  }
  return up ? 1 : -1;
}

/* dx with d_i = direction, dy = A dx; returns the Schur complement of row i. */
static double find_step(const drive *d, int i, int direction)
{
  nsd_principal *w = d->w;
  const nsd_ldl_update *f = &w->factor;
  const double *a = nsd_lcp_row(d->p, i);
  /* A_CC d_C = −A_Ci d_i: the basic unknowns move such that their y stay zero. */
  for (int k = 0; k < f->m; k++) {
    w->right[k] = -direction * a[f->rows[k]];
  }
  nsd_ldl_update_solve(f, w->right);
  memset(w->dx, 0, (size_t)d->p->n * sizeof *w->dx);
  memset(w->dy, 0, (size_t)d->p->n * sizeof *w->dy);
  for (int k = 0; k < f->m; k++) {
    w->dx[f->rows[k]] = w->right[k];
  }
  w->dx[i] = direction;
  /* dy = A_·C d_C + A_·i d_i; A is symmetric, so its rows serve as columns. */
  nsd_add_rows(d->p, f->m, f->rows, w->right, w->dy, w->poll);
  nsd_add_rows(d->p, 1, &i, &w->dx[i], w->dy, NULL);
  /* dy_i / d_i = A_ii − A_iC A_CC⁻¹ A_Ci, as d_i = ±1. */
  return direction * w->dy[i];
}

/* Keeps the earlier of two stops; among ties the end of the drive, then the surer one, or the lower index
 * once steps of length zero have lasted. */
static void consider(const drive *d, stop *first, stop other)
{
  if (first->kind == NOTHING || other.length < first->length * (1.0 - NSD_PRINCIPAL_TIE)) {
    *first = other;
    return;
  }
  if (other.length > first->length * (1.0 + NSD_PRINCIPAL_TIE) || first->kind == Y_VANISHES ||
      first->kind == X_AT_BOUND) {
    return;
  }
  /* Least indices once steps of length zero have lasted: then no basis comes back (Bland's rule). */
  const int least = d->idle > 2 * d->p->n + 10;
  if (least ? other.index < first->index : other.weight > first->weight) {
    *first = other;
  }
}

/* How far x_k may go along its direction. */
static double room(const drive *d, int k, double direction)
{
  const double x = d->answer->x[k];
  const double far = direction > 0.0 ? nsd_lcp_hi(d->p, k) - x : x - nsd_lcp_lo(d->p, k);
  return far > 0.0 ? far / fabs(direction) : 0.0;
}

/* How far y_j may go until x_j must enter; negative where it never must. */
static double reserve(const drive *d, int j, double significant)
{
  const double y = d->w->y[j];
  const double dy = d->w->dy[j];
  if (fabs(dy) <= significant || nsd_lcp_lo(d->p, j) == nsd_lcp_hi(d->p, j)) {
    return -1.0;
  }
  switch (d->w->state[j]) {
  case NSDYN_LCP_AT_LO:
    return dy < 0.0 ? (y > 0.0 ? y / -dy : 0.0) : -1.0;
  case NSDYN_LCP_AT_HI:
    return dy > 0.0 ? (y < 0.0 ? y / -dy : 0.0) : -1.0;
  case BETWEEN:
    /* Not basic, and not at a bound: its y must not move at all, so it enters at once. */
    return 0.0;
  default:
    return -1.0;
  }
}

/* The first thing that stops the step for row i. Rows that still wait for their turn do not count. */
static stop find_stop(const drive *d, int i, double schur, const int *waits)
{
  const nsd_principal *w = d->w;
  const nsd_ldl_update *f = &w->factor;
  stop first = {.kind = NOTHING, .index = -1, .at = -1, .length = INFINITY};
  /* The step's size in the metric of the diagonal, Σ √A_kk |d_k|:
   * |dy_j| <= √A_jj times it, for A is semidefinite. */
  double size = w->root[i];
  for (int k = 0; k < f->m; k++) {
    size += w->root[f->rows[k]] * fabs(w->dx[f->rows[k]]);
  }
  /* y_i + t schur d_i = 0. With schur = 0 to rounding y_i does not move, and A d = 0. */
  if (schur > d->pivot_tol * w->root[i] * w->root[i]) {
    consider(d, &first, (stop){.kind = Y_VANISHES, .index = i, .length = fabs(w->y[i]) / schur});
  }
  const double far = room(d, i, w->dx[i]);
  if (far < INFINITY) {
    consider(d, &first, (stop){.kind = X_AT_BOUND, .index = i, .length = far});
  }
  /* Basic unknowns that come to a bound: they leave. */
  for (int k = 0; k < f->m; k++) {
    const int index = f->rows[k];
    const double weight = w->root[index] * fabs(w->dx[index]) / size;
    const double length = weight > NSD_PRINCIPAL_STEP_ROUNDING ? room(d, index, w->dx[index]) : INFINITY;
    if (length < INFINITY) {
      consider(d, &first,
               (stop){.kind = LEAVES, .index = index, .at = k, .length = length, .weight = weight});
    }
  }
  /* Unknowns at bounds whose y comes to zero: they enter. */
  for (int j = 0; j < d->p->n; j++) {
    const double unit = w->root[j] * size;
    const double length = j == i || waits[j] ? -1.0 : reserve(d, j, NSD_PRINCIPAL_STEP_ROUNDING * unit);
    if (length >= 0.0) {
      const double weight = fabs(w->dy[j]) / unit;
      consider(d, &first, (stop){.kind = ENTERS, .index = j, .length = length, .weight = weight});
    }
  }
  return first;
}

static void move(const drive *d, int i, double length)
{
  const nsd_principal *w = d->w;
  for (int k = 0; k < w->factor.m; k++) {
    d->answer->x[w->factor.rows[k]] += length * w->dx[w->factor.rows[k]];
  }
  d->answer->x[i] += length * w->dx[i];
  /* y of basic unknowns is zero, which rounding of the sum would not keep. */
  for (int j = 0; j < d->p->n; j++) {
    w->y[j] = w->state[j] == NSDYN_LCP_BASIC ? 0.0 : w->y[j] + length * w->dy[j];
  }
}

static void put_at_bound(const drive *d, int k, int upper)
{
  d->w->state[k] = upper ? NSDYN_LCP_AT_HI : NSDYN_LCP_AT_LO;
  d->answer->x[k] = upper ? nsd_lcp_hi(d->p, k) : nsd_lcp_lo(d->p, k);
}

/* Makes x_k basic where the factorization can take it. */
static void enter(const drive *d, int k, double pivot_tol)
{
  nsd_ldl_update *f = &d->w->factor;
  const int m = f->m;
  /* It is not taken where its own pivot, the Schur complement, is rounding beside A_kk. */
  nsd_ldl_update_add(f, d->p, k, pivot_tol);
  d->w->state[k] = f->m > m ? NSDYN_LCP_BASIC : BETWEEN;
}

/* A step of refinement of dx: A_CC d_C = −A_Ci d_i more exactly. */
static void refine_step(const drive *d)
{
  nsd_principal *w = d->w;
  const nsd_ldl_update *f = &w->factor;
  for (int k = 0; k < f->m; k++) {
    w->right[k] = -nsd_dot(d->p->n, nsd_lcp_row(d->p, f->rows[k]), w->dx);
    (void)nsd_poll_stops(w->poll, d->p->n);
  }
  nsd_ldl_update_solve(f, w->right);
  for (int k = 0; k < f->m; k++) {
    w->dx[f->rows[k]] += w->right[k];
  }
}

/* The step is a direction without end along which A does not change y, if rounding is all that its Schur
 * complement holds. NSDYN_NO_SOLUTION: it is, and proves infeasibility. NSDYN_OK: it is, and b has
 * nothing along it, so that the row is as good as it can be. NSDYN_UNDECIDED: it is not. */
static nsdyn_status judge_ray(const drive *d)
{
  const nsd_lcp_problem *p = d->p;
  double *v = d->answer->ray;
  refine_step(d);
  /* The candidate v = d / |d|∞, without entries at bounds and those that are rounding of the step. */
  double reach = 0.0;
  for (int j = 0; j < p->n; j++) {
    reach += d->w->root[j] * fabs(d->w->dx[j]);
  }
  const double largest = nsd_norm_inf(p->n, d->w->dx);
  double value = 0.0;
  double terms = 0.0;
  for (int j = 0; j < p->n; j++) {
    v[j] = d->w->dx[j] / largest;
    const double bound = v[j] > 0.0 ? nsd_lcp_hi(p, j) : nsd_lcp_lo(p, j);
    const double part = d->w->root[j] * fabs(d->w->dx[j]);
    if (isfinite(bound) || (part > 0.0 && part <= NSD_PRINCIPAL_STEP_ROUNDING * reach)) {
      v[j] = 0.0;
    }
    /* bᵀv beside its terms. */
    value += v[j] * p->b[j];
    terms += fabs(v[j] * p->b[j]);
  }
  /* A v = 0, row by row, beside the terms of each row. */
  for (int j = 0; j < p->n; j++) {
    const double *a = nsd_lcp_row(p, j);
    double size = 0.0;
    for (int k = 0; k < p->n; k++) {
      size += fabs(a[k] * v[k]);
    }
    if (!(fabs(nsd_dot(p->n, a, v)) <= NSD_PRINCIPAL_RAY * size)) {
      return NSDYN_UNDECIDED;
    }
    (void)nsd_poll_stops(d->w->poll, 2.0 * p->n);
  }
  /* bᵀv < 0 with A v = 0: vᵀ(A x + b) = bᵀv < 0 for every x, while complementary signs ask for >= 0. */
  return value < -NSD_PRINCIPAL_RAY * terms ? NSDYN_NO_SOLUTION : NSDYN_OK;
}

/* Nothing stops row i. */
static nsdyn_status end_without_stop(const drive *d, int i, double schur)
{
  /* dx is without end in the problem's bounds: is it a ray, or has rounding hidden the stop? */
  const nsdyn_status status = judge_ray(d);
  const double length = fabs(d->w->y[i]) / schur;
  const double noise = NSD_UPDATED_PIVOT_ROUNDING(d->p->n) * d->w->root[i] * d->w->root[i];
  if (status == NSDYN_UNDECIDED && schur > noise && length < INFINITY) {
    move(d, i, length); /* a small pivot is better than none */
    enter(d, i, 0.0);
    return NSDYN_OK;
  }
  d->answer->has_ray = status != NSDYN_OK;
  return status;
}

/* Drives row i until it is complementary. */
static nsdyn_status drive_row(drive *d, int i, int direction, int *waits)
{
  nsd_principal *w = d->w;
  const double at_first = fabs(w->y[i]);
  for (;;) {
    /* Stage 1. The limit, and the case that y_i already is rounding: then row i is done. */
    if (d->answer->iterations >= d->limit) {
      return NSDYN_MAX_ITERATIONS;
    }
    if (fabs(w->y[i]) < NSD_PRINCIPAL_SMALL_Y * at_first && wanted_direction(d, i) == 0) {
      enter(d, i, d->pivot_tol); /* what is left of y is rounding */
      return NSDYN_OK;
    }
    d->answer->iterations++;
    if (nsd_poll_stops(w->poll, 4.0 * (double)d->p->n * d->p->n)) {
      return NSDYN_CANCELLED;
    }
    /* Stage 2. The direction: d_i = ±1, d_C follows; A semidefinite has no negative Schur complement. */
    const double schur = find_step(d, i, direction);
    if (schur < -NSD_PRINCIPAL_INDEFINITE * w->root[i] * w->root[i]) {
      return nsd_lcp_refuse(d->answer, i, "not positive semidefinite");
    }
    /* Stage 3. How far: to the first basic unknown at a bound, the
     * first y_j at zero, or the end of the drive. */
    const stop s = find_stop(d, i, schur, waits);
    if (s.kind == NOTHING) {
      return end_without_stop(d, i, schur);
    }
    /* Stage 4. The step, and the change of the basis at its end. */
    move(d, i, s.length);
    d->idle = s.length > 0.0 ? 0 : d->idle + 1;
    w->state[i] = BETWEEN;
    switch (s.kind) {
    case Y_VANISHES:
      w->y[i] = 0.0;
      enter(d, i, d->pivot_tol);
      return NSDYN_OK;
    case X_AT_BOUND:
      put_at_bound(d, i, direction > 0);
      return NSDYN_OK;
    case LEAVES:
      put_at_bound(d, s.index, w->dx[s.index] > 0.0);
      nsd_ldl_update_remove(&w->factor, s.at);
      break;
    default: {
      const int32_t before = w->state[s.index];
      enter(d, s.index, d->pivot_tol);
      if (w->state[s.index] == BETWEEN) { /* its dy was rounding: let it be for this drive */
        w->state[s.index] = before;
        waits[s.index] = 1;
      }
    }
    }
  }
}

/* Puts a basic unknown that the factorization cannot take where it does no harm. */
static void set_aside(const drive *d, int i)
{
  const double lo = nsd_lcp_lo(d->p, i);
  const double hi = nsd_lcp_hi(d->p, i);
  if (isfinite(lo) || isfinite(hi)) {
    put_at_bound(d, i, !isfinite(lo) || (isfinite(hi) && fabs(hi) < fabs(lo)));
  } else {
    d->w->state[i] = BETWEEN;
    d->answer->x[i] = 0.0;
  }
}

/* Factors the basic block of the states, as far as it is regular. */
static void factor_states(const drive *d)
{
  nsd_principal *w = d->w;
  nsd_ldl_update *f = &w->factor;
  int m = 0;
  /* The basic rows of the caller's basis or the guess, and the bounds of the others. */
  for (int i = 0; i < d->p->n; i++) {
    if (w->state[i] == NSDYN_LCP_BASIC) {
      w->rows[m] = i;
      f->rows[m++] = i;
    } else if (w->state[i] != BETWEEN) {
      put_at_bound(d, i, w->state[i] == NSDYN_LCP_AT_HI);
    }
  }
  /* Where a pivot is rounding, the rows behind it are tried one by
   * one: some of them may still be independent. */
  const int failed = nsd_ldl_update_build(f, d->p, m, d->pivot_tol);
  for (int k = failed < 0 ? m : failed; k < m; k++) {
    const int stops = nsd_poll_stops(w->poll, 0.0);
    if (!stops) {
      enter(d, w->rows[k], d->pivot_tol);
    }
    if (stops || w->state[w->rows[k]] == BETWEEN) {
      set_aside(d, w->rows[k]);
    }
  }
}

/* x_C = −A_CC⁻¹ (b_C + what the others add). */
static void solve_basic(const drive *d)
{
  nsd_principal *w = d->w;
  const nsd_ldl_update *f = &w->factor;
  for (int k = 0; k < f->m; k++) {
    d->answer->x[f->rows[k]] = 0.0;
  }
  /* With x_C = 0, y_C is b_C and what the unknowns at bounds add. */
  recompute_y(d);
  for (int k = 0; k < f->m; k++) {
    w->right[k] = -w->y[f->rows[k]];
  }
  nsd_ldl_update_solve(f, w->right);
  for (int k = 0; k < f->m; k++) {
    d->answer->x[f->rows[k]] = w->right[k];
  }
}

/* A first basis whose x keeps the bounds: what oversteps one leaves, until nothing does. */
static void begin(const drive *d, const int32_t *start)
{
  nsd_principal *w = d->w;
  /* A place at an infinite bound stands for no number: such an unknown is basic. */
  if (start) {
    memcpy(w->state, start, (size_t)d->p->n * sizeof *w->state);
  } else {
    nsd_first_guess(d->p, 1, d->answer->x, w->y, w->dx, w->state, w->poll);
  }
  for (int i = 0; i < d->p->n; i++) {
    const int32_t state = w->state[i];
    const double bound = state == NSDYN_LCP_AT_HI ? nsd_lcp_hi(d->p, i) : nsd_lcp_lo(d->p, i);
    w->state[i] = isfinite(bound) ? state : NSDYN_LCP_BASIC;
  }
  factor_states(d);
  /* x_C of the basis. Those beyond a bound leave for it, at once, and the rest is solved again. */
  for (int left = 1; left > 0 && !nsd_poll_stops(w->poll, 0.0);) {
    solve_basic(d);
    left = 0;
    for (int k = w->factor.m - 1; k >= 0 && !nsd_poll_stops(w->poll, 0.0); k--) {
      const int i = w->factor.rows[k];
      const double x = d->answer->x[i];
      if (!(x >= nsd_lcp_lo(d->p, i) && x <= nsd_lcp_hi(d->p, i))) {
        nsd_ldl_update_remove(&w->factor, k);
        put_at_bound(d, i, x > nsd_lcp_hi(d->p, i));
        left++;
      }
    }
  }
  if (!nsd_poll_stops(w->poll, 0.0)) {
    recompute_y(d);
  }
}

/* Drives all rows that are not complementary. */
static nsdyn_status drive_all(drive *d, int *moved)
{
  int *waits = d->w->rows;
  *moved = 0;
  /* Rows that are not complementary wait for their turn: the step of another row need not keep their sign. */
  for (int i = 0; i < d->p->n; i++) {
    waits[i] = d->w->state[i] != NSDYN_LCP_BASIC && wanted_direction(d, i) != 0;
    (void)nsd_poll_stops(d->w->poll, d->p->n);
  }
  for (int i = 0; i < d->p->n; i++) {
    const int direction = waits[i] && d->w->state[i] != NSDYN_LCP_BASIC ? wanted_direction(d, i) : 0;
    if (nsd_poll_stops(d->w->poll, d->p->n)) {
      return NSDYN_CANCELLED;
    }
    if (direction != 0) {
      *moved = 1;
      const nsdyn_status status = drive_row(d, i, direction, waits);
      if (status) {
        return status;
      }
    }
    waits[i] = 0;
  }
  return NSDYN_OK;
}

/* One step of refinement of the basic unknowns; y afresh. */
static void refine(const drive *d)
{
  nsd_principal *w = d->w;
  const nsd_ldl_update *f = &w->factor;
  recompute_y(d);
  /* A_CC e_C = −y_C: one step of refinement, with the factors that pivoting has left. */
  for (int k = 0; k < f->m; k++) {
    w->right[k] = -w->y[f->rows[k]];
  }
  nsd_ldl_update_solve(f, w->right);
  for (int k = 0; k < f->m; k++) {
    d->answer->x[f->rows[k]] += w->right[k];
  }
  nsd_lcp_project(d->p, d->answer->x);
  recompute_y(d);
}

/* What this method is not made for; fills in the units of the rows. */
static nsdyn_status check(nsd_principal *w, const nsd_lcp_problem *p, nsd_lcp_answer *answer)
{
  for (int i = 0; i < p->n; i++) {
    const double diagonal = nsd_lcp_row(p, i)[i];
    if (diagonal < 0.0) {
      return nsd_lcp_refuse(answer, i, "principal pivoting needs a semidefinite matrix: negative diagonal");
    }
    w->root[i] = sqrt(diagonal);
  }
  const int row = nsd_lcp_asymmetric_row(p, w->poll);
  return row < 0 ? NSDYN_OK : nsd_lcp_refuse(answer, row, "principal pivoting needs a symmetric matrix");
}

nsdyn_status nsd_principal_solve(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                                 const int32_t *start, nsd_lcp_answer *answer)
{
  nsd_principal *w = workspace;
  answer->iterations = 0;
  answer->has_ray = 0;
  /* Stage 1. Refuse what the method's proof does not cover. */
  nsdyn_status status = check(w, p, answer);
  if (status) {
    return status;
  }
  drive d = {.w = w, .p = p, .answer = answer, .limit = options->max_iterations};
  d.pivot_tol = options->pivot_tol > NSD_PRINCIPAL_LATE_PIVOT ? options->pivot_tol : NSD_PRINCIPAL_LATE_PIVOT;
  d.limit = d.limit < 0 ? 1000 + 100 * p->n : d.limit;
  /* Stage 2. A first basis with x within its bounds. */
  begin(&d, start);
  /* Stage 3. Drive all rows. Refinement may show that some are
   * not complementary after all: then once more. */
  for (int round = 0, moved = 1; round < ROUNDS && moved && !status; round++) {
    status = drive_all(&d, &moved);
    if (status != NSDYN_CANCELLED) {
      refine(&d);
    }
  }
  if (status < 0) {
    return status;
  }
  /* Stage 4. The basis: what is between its bounds counts as basic, though the factorization lacks it. */
  for (int i = 0; i < p->n; i++) {
    answer->basis[i] = w->state[i] == BETWEEN ? NSDYN_LCP_BASIC : w->state[i];
  }
  if (!nsd_all_finite(1, p->n, answer->x, p->n)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  if (status == NSDYN_NO_SOLUTION || status == NSDYN_UNDECIDED) {
    return status;
  }
  if (status == NSDYN_CANCELLED) {
    nsd_lcp_project(p, answer->x);
    return status;
  }
  /* Stage 5. The certificate decides; the basis solved afresh may better it. */
  double residual = nsd_certify_asking(p, answer->x, NULL, w->poll).residual;
  if (residual > options->tol) {
    residual = nsd_lcp_polish(&w->basis, p, answer->basis, answer->x, w->right);
  }
  return residual <= options->tol ? NSDYN_OK : NSDYN_MAX_ITERATIONS;
}
