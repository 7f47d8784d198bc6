/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Semismooth Newton on Fischer and Burmeister's function, one factorization a step, for sparse matrices that
 * are neither symmetric nor of class M, where rounds (active_set.h), which are Newton's method on the minimum
 * map without a line search, may walk in circles.
 *
 *     ψ_i(σ_i x_i, y_i) = 0,    (A + diag(σ_i ∂ψ_i/∂x ÷ ∂ψ_i/∂y)) Δx = −ψ_i ÷ ∂ψ_i/∂y,
 *
 * σ_i the size of row i, so that both are in units of y. The step is followed as far as ½ Σ ψ_i² falls, from
 * the largest of its last values (De Luca, Facchinei & Kanzow 2000; Grippo, Lampariello & Lucidi 1986). Where
 * ∂ψ/∂y vanishes, Δx_i = −ψ_i / (σ_i ∂ψ_i/∂x). For P-matrices all pivots are positive, and every stationary
 * point is the solution. Where the signs hardly change from step to step, rounds end it, from their basis. */
#ifndef NSD_LCP_SPARSE_NEWTON_H
#define NSD_LCP_SPARSE_NEWTON_H

#include "base/arena.h"
#include "lcp/sparse/active_set.h"

typedef struct nsd_sparse_newton {
  double *size;  /* n: σ */
  double *value; /* n: ψ at the active set's x */
  double *dx;    /* n: ∂ψ/∂(σ x) */
  double *dy;    /* n */
  double *shift; /* n */
  double *step;  /* n */
  double *trial; /* n: changes places with the active set's x */
  double *saved; /* n: x, while rounds are tried */
  int32_t *last; /* n: places of the step before */
} nsd_sparse_newton;

void nsd_sparse_newton_lay_out(nsd_arena *arena, nsd_sparse_newton *w, int32_t n);

/* Whether rounds are to be tried from the places of this step, which are in a->place, and what came of it;
 * NSDYN_OK ends. */
typedef nsdyn_status nsd_sparse_newton_try(void *user);

/* From a->x on, whose factor is analyzed for p->A. Returns NSDYN_OK as soon as `try` does, else
 * NSDYN_MAX_ITERATIONS, NSDYN_UNDECIDED (a pivot vanishes, or no step leads down), NSDYN_CANCELLED, an error
 * of `try`; *steps grows by the steps taken. */
nsdyn_status nsd_sparse_newton_solve(nsd_sparse_newton *w, nsd_active_set *a, const nsd_sparse_problem *p,
                                     int most, nsd_sparse_newton_try *try, void *user, int32_t *steps);

#endif
