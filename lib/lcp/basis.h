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
#ifndef NSD_LCP_BASIS_H
#define NSD_LCP_BASIS_H

#include "base/arena.h"
#include "lcp/problem.h"

typedef struct nsd_basis {
  double *block;  /* n × n: A_FF and its factors */
  double *right;  /* n */
  double *size;   /* n: largest number that went into an element of it */
  int *free_rows; /* n: F */
  int *perm;      /* n */
} nsd_basis;

void nsd_basis_lay_out(nsd_arena *arena, nsd_basis *w, int n);

/* x of the given basis; no sign is checked. What is only rounding of the numbers that went into it is zero,
 * so that degenerate unknowns come out as they are. NSDYN_ERR_SINGULAR (also to rounding),
 * NSDYN_ERR_NOT_FINITE (x untouched). A place whose bound is infinite counts as basic. */
nsdyn_status nsd_basis_solve(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, double *x);

/* The same for symmetric A with positive definite A_FF, at half the price; NSDYN_ERR_NOT_DEFINITE where it is
 * not. Only the lower triangle of A is read. */
nsdyn_status nsd_basis_solve_symmetric(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis,
                                       double *x);

/* The basis a point belongs to: at a bound where it is there exactly, basic else. */
void nsd_basis_of(const nsd_lcp_problem *p, const double *x, int32_t *basis);

/* Puts every x_i that oversteps a bound onto it. */
void nsd_lcp_project(const nsd_lcp_problem *p, double *x);

#endif
