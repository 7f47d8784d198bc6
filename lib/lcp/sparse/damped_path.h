/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Problems of ever less damping, each by Newton's method on bases or by a path of complementary pivots, for
 * sparse problems of thousands of rows that are not of class P: contacts with friction.
 *
 *   y = A x + b + ε D (x − x₀),   lo <= x <= hi, y of the signs that go with it            (1)
 *
 * is a tame problem where ε is large: unknowns hardly see each other. Its solution becomes the next x₀, with
 * a smaller ε (the proximal point method, Rockafellar 1976), so that the damping vanishes with x − x₀, and
 * where redundant rows leave x open it stays near where it began: no basis is singular. Where steps of
 * Newton's method come no nearer, the solutions of
 *
 *   y = A x + b + ε D (x − x₀) − t ρ                                                       (2)
 *
 * are followed from t = 1, where the point at hand is one by the choice of ρ, to t = 0. They are a path of
 * straight pieces, one per basis, which may turn back in t but never ends (Lemke 1965, Eaves 1976, with ρ for
 * the covering vector and the point at hand for its ray). From piece to piece one unknown enters or leaves
 * the basis, which costs one solve with factors that are there (Sherman & Morrison 1950). The point is moved
 * a little at random in the beginning, so that no two unknowns change at once.
 *
 * What is basic at zero to rounding makes a row's scale as small as itself: a point is judged as it stands,
 * and once more with such unknowns at their bounds.
 *
 *   damped_factors.c   the equations of a basis
 *   damped_path.c      problem (2), from piece to piece
 *   damped.c           problem (1), from ε to ε
 *
 * Sure: nothing beyond Lemke's method. What it has found in piles of bodies, in the forms of Glocker and of
 * Stewart and Trinkle, up to 4000 rows, took a few hundred to a few thousand pieces. */
#ifndef NSD_LCP_SPARSE_DAMPED_PATH_H
#define NSD_LCP_SPARSE_DAMPED_PATH_H

#include "lcp/sparse/active_set.h"
#include "lcp/sparse/damped_factors.h"

enum { NSD_DAMPED_CHANGES = 32 /* rows of the equations that may change: beyond, new factors are cheaper */ };

typedef struct nsd_damped {
  nsd_damped_factors f;
  nsd_arena room;
  nsd_poll *poll;
  const nsd_sparse_problem *p;
  double *x, *y;   /* n: the point at hand */
  double *center;  /* n: x₀ */
  int32_t *place;  /* n: its basis */
  double *dx, *dy; /* n: of the piece at hand, by t */
  double *rho;     /* n */
  double *right;   /* n */
  double *next;    /* n: x₀ of the next problem */
  double *kept;    /* n */
  double *best;    /* n: the best point, within its bounds */
  double residual; /* of it: the largest miss over its row's scale; infinite: there is none */
  double work;     /* multiplications so far */
  double most;     /* of them */
  int32_t steps;   /* systems and pieces so far */
  int32_t most_steps;
  int moved;   /* changes of places in the last problem */
  double pull; /* of the last problem that was solved: the largest ε D (x − x₀) beside the largest |b| */
  /* ---- the path ---- */
  double t, sign;    /* sign: 1 or −1, where t goes */
  double least;      /* of t, in a path that was left */
  double *nearest;   /* n: x there */
  uint64_t random;   /* what moves the next point: another in each path, the same in each solve */
  int32_t *factored; /* n: the basis of the factors */
  double *first;     /* n: dx of that basis */
  int32_t *changed;  /* n: the place of a row among the changed ones, −1: not changed */
  int32_t row[NSD_DAMPED_CHANGES];
  int changes;
  double *column; /* NSD_DAMPED_CHANGES × n: M⁻¹ e_i of the changed rows, M of the factors */
  double *S, *LU; /* NSD_DAMPED_CHANGES² */
} nsd_damped;

nsd_damped nsd_damped_empty(nsdyn_context *ctx);
void nsd_damped_release(nsd_damped *w);

/* A solution of p, or the best that so much work and so many steps have found: its x in a->x, within its
 * bounds, its basis in a->place. a has memory for p; *steps grows. NSDYN_OK with a residual of at most tol,
 * NSDYN_UNDECIDED, NSDYN_MAX_ITERATIONS where a limit ended it, NSDYN_CANCELLED; NSDYN_ERR_UNSUPPORTED where
 * A has no blocks that factors could be made of in time, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE. */
nsdyn_status nsd_damped_solve(nsd_damped *w, nsd_active_set *a, const nsd_sparse_problem *p, double tol,
                              double most_work, int32_t most_steps, int32_t *steps);

/* ---- damped_path.c ---- */

/* The path of w->f.epsilon from x, which is x₀ too, of at most so many pieces. NSDYN_OK with the point in
 * w->x and w->place; NSDYN_UNDECIDED where it leads away; NSDYN_MAX_ITERATIONS where it turns back too far,
 * or a limit ended it; NSDYN_CANCELLED. */
nsdyn_status nsd_damped_follow(nsd_damped *w, const double *x, int pieces);

/* ---- damped.c ---- */

/* y := A x + b + ε D (x − x₀). */
void nsd_damped_rows(nsd_damped *w);

/* x₀ := x; of two unknowns that push in opposite directions, x₊ and x₋, the ends of x₊ − x₋ = T, T and −T: so
 * that only one of them moves. */
void nsd_damped_center(nsd_damped *w, const double *x);

static inline int nsd_damped_is_starved(const nsd_damped *w)
{
  return w->work >= w->most || w->steps >= w->most_steps;
}

/* Where x_i is by its place. */
static inline double nsd_damped_bound(const nsd_damped *w, int32_t i)
{
  return nsd_sparse_bound(w->p, i, w->place[i]);
}

#endif
