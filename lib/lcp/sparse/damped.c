/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/tolerances.h"
#include "lcp/sparse/damped_path.h"

#define TAME 1.0          /* ε to begin with */
#define LEAST_FACTOR 0.03 /* from ε to ε, where few changes have led from one to the next */
#define CAREFUL 0.5       /* the least factor for some time after one that led nowhere */
#define BACK 4.0          /* from such an ε */
#define WILD 1e4          /* ε beyond which nothing is tamed */
#define HALFWAY 0.5       /* t of a path that was left: its nearest point is the next x₀ */
#define GOOD_ENOUGH 1e-2  /* of the first merit: a problem solved so far gives the next its x₀ */
#define FALL 1e-4         /* share by which a merit has to fall */
#define NEXT_SHARE 0.618  /* of x, where the search begins anew */
#define SHARPENED 1e-2    /* ε from which on the last digits are tried */
#define LOOSE 1e-5        /* ε from which on what still pulls is no damping of a solution, … */
#define PULLED 1e-2       /* … if it is so much of the largest |b| */

enum {
  FEW_CHANGES = 10, /* the next ε may be much less */
  SOME_CHANGES = 40,
  MANY_CHANGES = 100, /* x₀ alone moves on */
  MOST_PIECES = 64,   /* for one ε, and a sixth of the unknowns more */
  PIECES_SHARE = 6,
  QUICK_STEPS = 4, /* of Newton's method: where few unknowns change it needs no more */
  PAUSE = 3,       /* problems without it, after one where it failed */
  CAREFUL_STEPS = 3,
  REFINEMENTS = 3, /* of a basis, with the same factors */
  PROBLEMS = 200,  /* in a row */
  SEARCHES = 3
};

nsd_damped nsd_damped_empty(nsdyn_context *ctx)
{
  return (nsd_damped){.room = nsd_arena_empty(ctx), .f = nsd_damped_factors_empty(ctx)};
}

void nsd_damped_release(nsd_damped *w)
{
  nsd_arena_release(&w->room);
  nsd_damped_factors_release(&w->f);
}

static void lay_out(nsd_arena *arena, nsd_damped *w, size_t n)
{
  double **const vectors[] = {&w->x,     &w->y,    &w->center, &w->dx,   &w->dy,      &w->rho,
                              &w->right, &w->next, &w->kept,   &w->best, &w->nearest, &w->first};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = nsd_arena_take(arena, n, sizeof(double));
  }
  w->place = nsd_arena_take(arena, n, sizeof *w->place);
  w->factored = nsd_arena_take(arena, n, sizeof *w->factored);
  w->changed = nsd_arena_take(arena, n, sizeof *w->changed);
  w->column = nsd_arena_take(arena, n, NSD_DAMPED_CHANGES * sizeof *w->column);
  w->S = nsd_arena_take(arena, (size_t)NSD_DAMPED_CHANGES * NSD_DAMPED_CHANGES, sizeof *w->S);
  w->LU = nsd_arena_take(arena, (size_t)NSD_DAMPED_CHANGES * NSD_DAMPED_CHANGES, sizeof *w->LU);
}

static void copy(const nsd_damped *w, const double *from, double *to)
{
  memcpy(to, from, (size_t)w->p->A.n * sizeof *to);
}

void nsd_damped_rows(nsd_damped *w)
{
  const nsd_sparse *A = &w->p->A;
  for (int32_t i = 0; i < A->n; i++) {
    w->y[i] =
        w->p->b[i] + nsd_damped_factors_times(&w->f, i, w->x) - w->f.epsilon * w->f.size[i] * w->center[i];
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ * (double)(A->row[i + 1] - A->row[i] + 2));
  }
}

void nsd_damped_center(nsd_damped *w, const double *x)
{
  for (int32_t i = 0; i < w->p->A.n; i++) {
    const int32_t other = w->f.mirror[i];
    w->center[i] = other < 0 ? x[i] : x[i] - x[other];
  }
}

/* ---- what a point is worth ----------------------------------------------------------------------------- */

/* The largest miss of a row over its scale, as the certificate has it. */
static double residual_of(const nsd_damped *w, const double *x)
{
  const nsd_sparse_problem *p = w->p;
  double worst = 0.0;
  for (int32_t i = 0; i < p->A.n; i++) {
    double y = p->b[i], scale = fabs(p->b[i]);
    for (int64_t k = p->A.row[i]; k < p->A.row[i + 1]; k++) {
      const double term = p->A.value[k] * x[p->A.column[k]];
      y += term;
      scale += fabs(term);
    }
    const double miss = y < 0.0 && x[i] < p->hi[i] ? -y : y > 0.0 && x[i] > p->lo[i] ? y : 0.0;
    worst = miss > worst * scale ? miss / scale : worst;
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ * (double)(p->A.row[i + 1] - p->A.row[i] + 2));
  }
  return isfinite(worst) ? worst : INFINITY;
}

/* x, within its bounds and with what is within `dust` of them put onto them, competes with the best. */
static void compete(nsd_damped *w, double dust)
{
  const nsd_sparse_problem *p = w->p;
  for (int32_t i = 0; i < p->A.n; i++) {
    double scale = fabs(p->b[i]);
    for (int64_t k = p->A.row[i]; dust > 0.0 && k < p->A.row[i + 1]; k++) {
      scale += fabs(p->A.value[k] * w->x[p->A.column[k]]);
    }
    const double near = dust * scale / w->f.size[i];
    w->kept[i] = w->x[i] - p->lo[i] <= near ? p->lo[i] : p->hi[i] - w->x[i] <= near ? p->hi[i] : w->x[i];
  }
  const double residual = residual_of(w, w->kept);
  if (residual < w->residual) {
    w->residual = residual;
    copy(w, w->kept, w->best);
  }
}

static void offer(nsd_damped *w)
{
  compete(w, 0.0);
  compete(w, NSD_DAMPED_DUST);
}

/* Σ miss² / r, an energy, miss = r (x − its projection of x − y / r). Fills y. */
static double merit_of(nsd_damped *w)
{
  const nsd_sparse_problem *p = w->p;
  double sum = 0.0;
  nsd_damped_rows(w);
  for (int32_t i = 0; i < p->A.n; i++) {
    const double r = w->f.size[i], z = w->x[i] - w->y[i] / r;
    const double miss = w->x[i] - fmin(fmax(z, p->lo[i]), p->hi[i]);
    sum += r * (miss * miss);
  }
  return sum;
}

/* ---- one problem --------------------------------------------------------------------------------------- */

/* The places that the point asks for. Returns how many have changed. */
static int choose_places(nsd_damped *w)
{
  const nsd_sparse_problem *p = w->p;
  int moved = 0;
  for (int32_t i = 0; i < p->A.n; i++) {
    const double z = w->x[i] - w->y[i] / w->f.size[i];
    const int32_t place = z <= p->lo[i] ? NSDYN_LCP_AT_LO : z >= p->hi[i] ? NSDYN_LCP_AT_HI : NSDYN_LCP_BASIC;
    moved += place != w->place[i];
    w->place[i] = place;
  }
  return moved;
}

/* x := the solution of the basis that is factored, as a step from the x there is. */
static void solve_basis(nsd_damped *w)
{
  const int32_t n = w->p->A.n;
  for (int32_t i = 0; i < n; i++) {
    w->x[i] = w->place[i] == NSDYN_LCP_BASIC ? w->x[i] : nsd_damped_bound(w, i);
  }
  nsd_damped_rows(w);
  for (int32_t i = 0; i < n; i++) {
    w->right[i] = w->place[i] == NSDYN_LCP_BASIC ? -w->y[i] : 0.0;
  }
  nsd_damped_factors_solve(&w->f, w->right, w->right);
  for (int32_t i = 0; i < n; i++) {
    w->x[i] += w->right[i];
  }
}

static int factor(nsd_damped *w)
{
  w->work += w->f.lu.work + 4.0 * (double)w->f.lu.at[w->f.lu.n];
  w->steps++;
  return nsd_damped_factors_make(&w->f, w->place);
}

/* Whole steps of Newton's method on bases from x, which is x₀ too, as long as each comes nearer. NSDYN_OK
 * where the problem is solved as far as pays, else NSDYN_MAX_ITERATIONS or NSDYN_CANCELLED. */
static nsdyn_status try_newton(nsd_damped *w, const double *x)
{
  copy(w, x, w->x);
  nsd_damped_center(w, x);
  const double first = merit_of(w);
  double merit = first;
  (void)choose_places(w);
  w->moved = 0;
  for (int step = 0; step < QUICK_STEPS; step++) {
    /* (A + ε D)_FF Δx_F = −y_F, then the signs at x + Δx. */
    const int is_made = factor(w);
    if (nsd_poll_stops(w->poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
    if (!is_made) {
      break;
    }
    solve_basis(w);
    const double there = merit_of(w);
    const int moved = choose_places(w);
    w->moved += moved;
    if (!(there < (double)INFINITY) || (moved > 0 && !(there < merit * (1.0 - FALL)))) {
      break;
    }
    merit = there;
    if (moved == 0 || merit <= GOOD_ENOUGH * first) {
      return NSDYN_OK;
    }
  }
  return NSDYN_MAX_ITERATIONS;
}

/* The basis at hand without damping but for what keeps it regular: x₀ := x makes that vanish. w->x stays. */
static void sharpen(nsd_damped *w)
{
  const double epsilon = w->f.epsilon;
  copy(w, w->x, w->rho);
  w->f.epsilon = NSD_DAMPED_SHARP;
  if (factor(w)) {
    for (int k = 0; k < REFINEMENTS; k++) {
      copy(w, w->x, w->center);
      solve_basis(w);
    }
    offer(w);
  }
  w->f.epsilon = epsilon;
  copy(w, w->rho, w->x);
}

/* The largest ε D (x − x₀) beside the largest |b|. Where there is a solution it vanishes with ε; where there
 * is none x grows with 1 / ε. */
static double pull_of(const nsd_damped *w)
{
  double pull = 0.0, load = 0.0;
  for (int32_t i = 0; i < w->p->A.n; i++) {
    pull = fmax(pull, w->f.epsilon * w->f.size[i] * fabs(w->x[i] - w->next[i]));
    load = fmax(load, fabs(w->p->b[i]));
  }
  return pull / load;
}

/* The problem of this ε from w->next on. NSDYN_OK where that has become the next x₀. */
static nsdyn_status solve_damped(nsd_damped *w, int *wait)
{
  nsdyn_status status = NSDYN_MAX_ITERATIONS;
  /* Newton's method where it may do with few steps … */
  w->least = 1.0;
  if (*wait == 0) {
    status = try_newton(w, w->next);
  }
  *wait = *wait > 0 ? *wait - 1 : status == NSDYN_OK ? 0 : PAUSE;
  /* … else from piece to piece, one unknown changing its place at a time. */
  if (status == NSDYN_MAX_ITERATIONS) {
    status = nsd_damped_follow(w, w->next, MOST_PIECES + w->p->A.n / PIECES_SHARE);
  }
  /* x₀ := x; what a path that was left has come nearer counts too. */
  if (status == NSDYN_OK) {
    offer(w);
    if (w->f.epsilon <= SHARPENED && w->residual > NSD_RESIDUAL_ROUNDING) {
      sharpen(w);
    }
    w->pull = pull_of(w);
    copy(w, w->x, w->next);
  } else if (status != NSDYN_CANCELLED && w->least < HALFWAY) {
    copy(w, w->nearest, w->next);
  }
  return status;
}

/* From one ε to the next, by the changes between them. */
static double factor_after(int changes)
{
  return changes < FEW_CHANGES    ? LEAST_FACTOR
         : changes < SOME_CHANGES ? 0.2
         : changes < MANY_CHANGES ? 0.5
                                  : 1.0;
}

/* Problems of ever less ε from w->next on. NSDYN_OK where they have led to a solution. */
static nsdyn_status approach(nsd_damped *w, double tol)
{
  int wait = 0, careful = 0;
  w->f.epsilon = TAME;
  for (int count = 0; count < PROBLEMS && w->f.epsilon <= WILD; count++) {
    const double before = w->residual;
    if (nsd_damped_is_starved(w)) {
      return NSDYN_MAX_ITERATIONS;
    }
    const nsdyn_status status = solve_damped(w, &wait);
    if (nsd_poll_stops(w->poll, 0.0)) {
      return NSDYN_CANCELLED;
    }
    if (status) { /* ε was reduced too fast */
      w->f.epsilon *= BACK;
      careful = CAREFUL_STEPS;
      continue;
    }
    const int is_solved = w->residual <= tol;
    if (w->residual <= NSD_RESIDUAL_ROUNDING || (is_solved && w->residual >= before)) {
      return NSDYN_OK;
    }
    if (w->f.epsilon <= NSD_DAMPED_SHARP || (w->f.epsilon <= LOOSE && w->pull > PULLED)) {
      return is_solved ? NSDYN_OK : NSDYN_UNDECIDED;
    }
    const double next = factor_after(w->moved);
    w->f.epsilon = fmax(w->f.epsilon * (careful > 0 ? fmax(next, CAREFUL) : next), NSD_DAMPED_SHARP);
    careful -= careful > 0;
  }
  return NSDYN_UNDECIDED;
}

static void hand_over(const nsd_damped *w, nsd_active_set *a)
{
  const nsd_sparse_problem *p = w->p;
  for (int32_t i = 0; i < p->A.n; i++) {
    const double x = w->residual < (double)INFINITY ? w->best[i] : fmin(fmax(0.0, p->lo[i]), p->hi[i]);
    a->x[i] = x;
    a->place[i] = x == p->lo[i] ? NSDYN_LCP_AT_LO : x == p->hi[i] ? NSDYN_LCP_AT_HI : NSDYN_LCP_BASIC;
  }
}

nsdyn_status nsd_damped_solve(nsd_damped *w, nsd_active_set *a, const nsd_sparse_problem *p, double tol,
                              double most_work, int32_t most_steps, int32_t *steps)
{
  const int32_t n = p->A.n;
  /* 1. Memory, and the structure of the equations. */
  nsd_damped counted = *w;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, (size_t)n);
  nsdyn_status status = nsd_arena_reserve(&w->room, &measure);
  if (status) {
    return status;
  }
  lay_out(&w->room, w, (size_t)n);
  w->poll = a->poll;
  w->p = p;
  w->residual = INFINITY;
  w->work = 0.0;
  w->most = most_work;
  w->steps = 0;
  w->most_steps = most_steps;
  w->pull = 0.0;
  w->random = 1;
  status = nsd_damped_factors_read(&w->f, p, w->poll);
  if (status == NSDYN_OK && w->f.lu.work > most_work / QUICK_STEPS) {
    status = NSDYN_ERR_UNSUPPORTED;
  }
  if (status < 0) {
    return status;
  }
  /* 2. From next to zero, then from shares of the best. */
  for (int32_t i = 0; i < n; i++) {
    w->place[i] = NSDYN_LCP_AT_LO;
    w->next[i] = fmin(fmax(0.0, p->lo[i]), p->hi[i]);
  }
  double share = 1.0;
  for (int count = 0; count < SEARCHES && status != NSDYN_CANCELLED; count++) {
    status = approach(w, tol);
    if (status != NSDYN_UNDECIDED || w->pull > PULLED) {
      break;
    }
    share *= NEXT_SHARE;
    for (int32_t i = 0; i < n && w->residual < (double)INFINITY; i++) {
      w->next[i] = fmin(fmax(share * w->best[i], p->lo[i]), p->hi[i]);
    }
  }
  /* 3. The best goes out. */
  hand_over(w, a);
  *steps += w->steps;
  return status != NSDYN_CANCELLED && w->residual <= tol ? NSDYN_OK : status;
}
