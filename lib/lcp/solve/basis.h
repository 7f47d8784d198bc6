/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* From a basis to its x: the rows of basic unknowns become equations, the others keep their bounds.
 *
 *   x_B = bound,   A_FF x_F = −b_F − A_FB x_B.
 *
 * Warm starts, Newton on the minimum map, block pivoting and the last step of every pivoting solver are
 * this one solve. */
#ifndef NSD_LCP_SOLVE_BASIS_H
#define NSD_LCP_SOLVE_BASIS_H

#include "base/arena.h"
#include "base/poll.h"
#include "lcp/problem.h"

typedef struct nsd_basis {
  nsd_poll *poll;  /* asked during factorizations; NULL after lay_out */
  int m;           /* unknowns in F, of the last solve */
  double *block;   /* n × n: A_FF and its factors; columns of whole vectors for nsd_basis_replay */
  double *right;   /* n */
  double *size;    /* n: largest number that went into an element of it */
  double *q;       /* n: what clears a column */
  double *spent;   /* n: Σ |q u| that has gone into a pivot */
  double *inverse; /* n: of the pivots */
  double *done;    /* n: x_F, then a zero */
  int *free_rows;  /* n: F */
  int *perm;       /* n */
} nsd_basis;

/* A basis whose block was factored, and the pivots' order: for a block that has changed a little it needs no
 * new search. */
typedef struct nsd_basis_order {
  int m;         /* −1: there is none */
  int *rows;     /* F in the order of the pivots; n, as all three, and as many as make whole vectors */
  int *columns;  /* F as it stands */
  int *position; /* where x_i is among the columns, m where nowhere */
} nsd_basis_order;

void nsd_basis_lay_out(nsd_arena *arena, nsd_basis *w, int n);

/* x of the given basis; no sign is checked. What is only rounding of the numbers that went into it is zero,
 * so that degenerate unknowns come out as they are. NSDYN_ERR_SINGULAR (also to rounding), NSDYN_CANCELLED,
 * NSDYN_ERR_NOT_FINITE (x untouched). A place whose bound is infinite counts as basic. */
nsdyn_status nsd_basis_solve(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, double *x);

/* The order of the last nsd_basis_solve, for n unknowns. */
void nsd_basis_learn(const nsd_basis *w, int n, nsd_basis_order *order);

/* The order in which the rows of a basis stand, n places: the pivots of a P-matrix need no search. */
void nsd_basis_order_rows(const int32_t *basis, int n, nsd_basis_order *order);

/* x of that basis for another plain problem, zero at least: Gauss and Jordan's elimination in the known
 * order, with what is rounding taken for zero as nsd_basis_solve does. `uncut` holds the x before they were
 * cut off at zero. 0 where a pivot is rounding. The numbers need not be finite; x has room for whole vectors.
 */
int nsd_basis_replay(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, double *x,
                     double *uncut);

/* nsd_basis_solve for symmetric A with positive definite A_FF, at half the price; NSDYN_ERR_NOT_DEFINITE
 * where it is not. Only the lower triangle of A is read. */
nsdyn_status nsd_basis_solve_symmetric(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis,
                                       double *x);

/* The basis a point belongs to: at a bound where it is there exactly, basic else. */
void nsd_basis_of(const nsd_lcp_problem *p, const double *x, int32_t *basis);

/* Puts every x_i that oversteps a bound onto it. */
void nsd_lcp_project(const nsd_lcp_problem *p, double *x);

/* The point within the bounds that is nearest to zero: where a run begins, or is stopped before it has begun.
 */
void nsd_lcp_project_zero(const nsd_lcp_problem *p, double *x);

#endif
