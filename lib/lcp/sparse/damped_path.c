/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/damped_path.h"

#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"

#define ASIDE 1e-2  /* of the largest ρ: how far the point is moved in the beginning */
#define AWAY 0.5    /* t beyond its least so far: the path is left */
#define ENOUGH 1e-3 /* of ρ is left: the solution is near enough to be the next x₀ */

enum { MOST = NSD_DAMPED_CHANGES, REFINED = 2 };

/* Numbers in [−1, 1], the same in each solve. */
static double next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1.0;
}

/* A point that obeys every sign next to x, its basis, and in ρ what it misses of the equations, the largest
 * of which it returns. */
static double begin(nsd_damped *w, const double *x, double aside)
{
  const nsd_sparse_problem *p = w->p;
  double largest = 0.0;
  /* 1. x₀ := x, y = A x + b. */
  for (int32_t i = 0; i < p->A.n; i++) {
    w->x[i] = x[i];
  }
  nsd_damped_center(w, x);
  nsd_damped_rows(w);
  /* 2. z = r x − y, moved by `aside`: within the bounds of r x it is x's, beyond them it is y's. */
  for (int32_t i = 0; i < p->A.n; i++) {
    const double r = w->f.size[i], z = w->x[i] - (w->y[i] - aside * next_random(&w->random)) / r;
    const double within = fmin(fmax(z, p->lo[i]), p->hi[i]);
    w->place[i] = z <= p->lo[i] ? NSDYN_LCP_AT_LO : z >= p->hi[i] ? NSDYN_LCP_AT_HI : NSDYN_LCP_BASIC;
    w->x[i] = within;
    w->kept[i] = r * (within - z);
  }
  /* 3. ρ = A x + b + ε D (x − x₀) − y at t = 1. */
  nsd_damped_rows(w);
  for (int32_t i = 0; i < p->A.n; i++) {
    w->rho[i] = w->y[i] - w->kept[i];
    w->y[i] = w->kept[i];
    largest = fmax(largest, fabs(w->rho[i]));
  }
  return largest;
}

/* ---- the equations of the basis at hand, M' x = b, by the factors of M --------------------------------- */

/* What row i of M' makes of x. */
static double equation(const nsd_damped *w, int32_t i, const double *x)
{
  return w->place[i] == NSDYN_LCP_BASIC ? nsd_damped_factors_times(&w->f, i, x) : x[i];
}

static double *column_of(const nsd_damped *w, int j)
{
  return w->column + (size_t)j * (size_t)w->p->A.n;
}

/* x := M⁻¹ e_row. A row of an unknown that was basic: e_row stands on the right as it is. Another sets its x
 * to one, and what that makes of y in the basic rows goes to the right. */
static void solve_unit(nsd_damped *w, int32_t row, double *x)
{
  const nsd_sparse *A = &w->p->A;
  for (int32_t i = 0; i < A->n; i++) {
    x[i] = 0.0;
  }
  x[row] = 1.0;
  if (w->factored[row] != NSDYN_LCP_BASIC) {
    for (int32_t i = 0; i < A->n; i++) {
      w->right[i] = w->factored[i] == NSDYN_LCP_BASIC ? -nsd_damped_factors_times(&w->f, i, x) : x[i];
    }
    memcpy(x, w->right, (size_t)A->n * sizeof *x);
  }
  nsd_damped_factors_solve(&w->f, x, x);
}

/* Row i of the equations is another now. x = M⁻¹ b + Σ_j s_j M⁻¹ e_j keeps the rows that have not changed;
 * those that have ask for S s = b' − M' M⁻¹ b, S_ij = (row i of M') M⁻¹ e_j. */
static void change(nsd_damped *w, int32_t row)
{
  int j = w->changed[row];
  if (j < 0) {
    j = w->changed[row] = w->changes++;
    w->row[j] = row;
    solve_unit(w, row, column_of(w, j));
    for (int i = 0; i < j; i++) {
      w->S[i * MOST + j] = equation(w, w->row[i], column_of(w, j));
    }
  }
  for (int i = 0; i < w->changes; i++) {
    w->S[j * MOST + i] = equation(w, row, column_of(w, i));
  }
}

/* dx/dt and dy/dt of the basis at hand: (A + ε D)_F dx = ρ_F, dx = 0 elsewhere, and there
 * dy = (A + ε D) dx − ρ. Returns 0 where it is singular. */
static int find_direction(nsd_damped *w)
{
  const int32_t n = w->p->A.n;
  const int m = w->changes;
  double s[MOST];
  int perm[MOST];
  for (int i = 0; i < m; i++) {
    const int32_t row = w->row[i];
    s[i] = (w->place[row] == NSDYN_LCP_BASIC ? w->rho[row] : 0.0) - equation(w, row, w->first);
    for (int j = 0; j < m; j++) {
      w->LU[i * m + j] = w->S[i * MOST + j];
    }
  }
  if (m > 0 && nsd_lu_factor(m, w->LU, m, perm, NULL)) {
    return 0;
  }
  for (int32_t i = 0; i < n; i++) {
    w->dx[i] = w->first[i];
  }
  if (m > 0) {
    nsd_lu_solve(m, w->LU, m, perm, 1, s, m);
    nsd_add_transposed(m, n, w->column, n, s, w->dx);
  }
  for (int32_t i = 0; i < n; i++) {
    w->dx[i] = w->place[i] == NSDYN_LCP_BASIC ? w->dx[i] : 0.0;
  }
  for (int32_t i = 0; i < n; i++) {
    w->dy[i] = w->place[i] == NSDYN_LCP_BASIC ? 0.0 : nsd_damped_factors_times(&w->f, i, w->dx) - w->rho[i];
  }
  return 1;
}

/* New factors for the basis at hand, and with them the point at t without what rounding has added up. */
static nsdyn_status factor(nsd_damped *w)
{
  const int32_t n = w->p->A.n;
  w->work += w->f.lu.work + 4.0 * (REFINED + 1) * (double)w->f.lu.at[w->f.lu.n];
  if (!nsd_damped_factors_make(&w->f, w->place)) {
    return NSDYN_UNDECIDED;
  }
  w->changes = 0;
  for (int32_t i = 0; i < n; i++) {
    w->changed[i] = -1;
    w->factored[i] = w->place[i];
    w->right[i] = w->place[i] == NSDYN_LCP_BASIC ? w->rho[i] : 0.0;
  }
  nsd_damped_factors_solve(&w->f, w->right, w->first);
  /* x at t: y = t ρ in the basic rows; then y elsewhere. */
  for (int32_t i = 0; i < n; i++) {
    w->x[i] = w->place[i] == NSDYN_LCP_BASIC ? w->x[i] : nsd_damped_bound(w, i);
  }
  for (int k = 0; k < REFINED; k++) {
    nsd_damped_rows(w);
    for (int32_t i = 0; i < n; i++) {
      w->right[i] = w->place[i] == NSDYN_LCP_BASIC ? w->t * w->rho[i] - w->y[i] : 0.0;
    }
    nsd_damped_factors_solve(&w->f, w->right, w->dx);
    for (int32_t i = 0; i < n; i++) {
      w->x[i] += w->dx[i];
    }
  }
  nsd_damped_rows(w);
  for (int32_t i = 0; i < n; i++) {
    w->y[i] = w->place[i] == NSDYN_LCP_BASIC ? 0.0 : w->y[i] - w->t * w->rho[i];
  }
  return nsd_poll_stops(w->poll, 0.0) ? NSDYN_CANCELLED : NSDYN_OK;
}

/* ---- from piece to piece ------------------------------------------------------------------------------- */

typedef struct edge {
  double way;    /* |Δt| to it */
  int32_t row;   /* −1: there is none */
  int32_t place; /* where its unknown goes */
} edge;

/* A number that has to stay >= 0. */
static void watch(edge *e, int32_t row, int32_t place, double value, double rate)
{
  const double way = value > 0.0 ? value / -rate : 0.0;
  if (rate < 0.0 && way < e->way) {
    *e = (edge){.way = way, .row = row, .place = place};
  }
}

/* Where the piece ends: a basic unknown comes to a bound, or a y to zero. */
static edge find_edge(const nsd_damped *w)
{
  const nsd_sparse_problem *p = w->p;
  edge e = {.way = INFINITY, .row = -1};
  for (int32_t i = 0; i < p->A.n; i++) {
    if (w->place[i] == NSDYN_LCP_BASIC) {
      watch(&e, i, NSDYN_LCP_AT_LO, w->x[i] - p->lo[i], w->sign * w->dx[i]);
      watch(&e, i, NSDYN_LCP_AT_HI, p->hi[i] - w->x[i], -w->sign * w->dx[i]);
    } else if (p->lo[i] < p->hi[i]) {
      const double side = w->place[i] == NSDYN_LCP_AT_LO ? 1.0 : -1.0;
      watch(&e, i, NSDYN_LCP_BASIC, side * w->y[i], side * w->sign * w->dy[i]);
    }
  }
  return e;
}

static void move(nsd_damped *w, double way)
{
  const double dt = w->sign * way;
  for (int32_t i = 0; i < w->p->A.n; i++) {
    w->x[i] += dt * w->dx[i];
    w->y[i] += dt * w->dy[i];
  }
  w->t += dt;
}

/* Over the edge, and where t goes from there. NSDYN_UNDECIDED where the piece beyond is singular. */
static nsdyn_status cross(nsd_damped *w, const edge *e)
{
  const int32_t i = e->row, before = w->place[i];
  const double size = (double)w->p->A.row[w->p->A.n] + (MOST + 10.0) * (double)w->p->A.n;
  const double work = 4.0 * (double)w->f.lu.at[w->f.lu.n] + 4.0 * size;
  /* 1. What has come to zero is zero, and its unknown changes its place. */
  w->place[i] = e->place;
  w->y[i] = 0.0;
  w->x[i] = e->place == NSDYN_LCP_BASIC ? nsd_sparse_bound(w->p, i, before) : nsd_damped_bound(w, i);
  w->work += work;
  /* 2. One row of the equations changes; new factors after many changes. */
  if (w->changes == MOST) {
    const nsdyn_status status = factor(w);
    if (status) {
      return status;
    }
  } else {
    change(w, i);
  }
  if (nsd_poll_stops(w->poll, 4.0 * size)) {
    return NSDYN_CANCELLED;
  }
  if (!find_direction(w)) {
    return NSDYN_UNDECIDED;
  }
  /* 3. t goes on in the sense in which what was zero grows beyond the edge: y of what has left the basis, x
   * of what has entered it. Beyond a fold t grows again. */
  const int is_high = e->place == NSDYN_LCP_AT_HI || before == NSDYN_LCP_AT_HI;
  const double inward = (is_high ? -1.0 : 1.0) * (e->place == NSDYN_LCP_BASIC ? w->dx[i] : w->dy[i]);
  w->sign = inward > 0.0 ? 1.0 : inward < 0.0 ? -1.0 : w->sign;
  return NSDYN_OK;
}

/* Where t begins to grow, or the path is left. */
static void note_nearest(nsd_damped *w)
{
  if (w->t < w->least) {
    w->least = w->t;
    memcpy(w->nearest, w->x, (size_t)w->p->A.n * sizeof *w->x);
  }
}

nsdyn_status nsd_damped_follow(nsd_damped *w, const double *x, int pieces)
{
  /* 1. The beginning, t = 1, moved aside by a share of what it misses: then one unknown changes at a time. */
  const double missed = begin(w, x, 0.0);
  (void)begin(w, x, ASIDE * missed);
  w->t = w->least = 1.0;
  w->sign = -1.0;
  w->moved = 0;
  /* 2. The first piece: factors, dx/dt and dy/dt. */
  nsdyn_status status = factor(w);
  if (status == NSDYN_OK && !find_direction(w)) {
    status = NSDYN_UNDECIDED;
  }
  const int is_sharp = w->f.epsilon <= NSD_DAMPED_SHARP;
  while (status == NSDYN_OK && w->moved < pieces && !nsd_damped_is_starved(w)) {
    /* 3. Where it ends; before that t may come to zero, and the problem is solved. */
    const edge e = find_edge(w);
    if (w->t <= (is_sharp ? NSD_PATH_ARRIVED : ENOUGH) || (w->sign < 0.0 && w->t <= e.way)) {
      move(w, w->sign < 0.0 ? fmin(w->t, e.way) : 0.0);
      w->t = 0.0;
      return NSDYN_OK;
    }
    if (e.row < 0) {
      return NSDYN_UNDECIDED;
    }
    /* 4. Over the edge, into the next piece. Where t turns the nearest point is kept. */
    move(w, e.way);
    w->moved++;
    w->steps++;
    const double before = w->sign;
    status = cross(w, &e);
    if (before < 0.0 && w->sign > 0.0) {
      note_nearest(w);
    }
    if (w->t > w->least + AWAY) {
      break;
    }
  }
  if (status == NSDYN_OK) {
    note_nearest(w);
  }
  return status ? status : NSDYN_MAX_ITERATIONS;
}
