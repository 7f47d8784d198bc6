/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Rounds of one sparse factorization each: the basic unknowns solve their rows, then all that breaks its sign
 * condition changes sides.
 *
 *     A_FF x_F = −b_F − A_FN x_N,    x_N at its bounds,    F: the basic unknowns.
 *
 * This is Newton's method on the minimum map, policy iteration, the primal-dual active set. For M-matrices
 * with bounds on one side x rises from the second round on, and no unknown becomes basic twice: it ends after
 * n + 2 rounds at most (Chandrasekaran 1970). For other P-matrices it ends too, since rounds that do not
 * lower the number of wrong signs ten times over are followed by single exchanges (Júdice & Pires 1994). A
 * first basis near the last one saves rounds: a front of basic unknowns moves by one element of A per round.
 *
 * A proximal term makes singular A regular: δ_i (x_i − c_i) is added to y_i. */
#ifndef NSD_LCP_SPARSE_ACTIVE_SET_H
#define NSD_LCP_SPARSE_ACTIVE_SET_H

#include "lcp/sparse/problem.h"

typedef struct nsd_active_set {
  nsd_poll *poll;
  nsd_sparse_ldu *factor; /* analyzed for the problem's A */
  double *x;              /* n */
  double *y;              /* n */
  double *scale;          /* n: s_i of the certificate's definition */
  double *step;           /* n */
  double *work;           /* n */
  double *diagonal;       /* n: |A_ii|, or the size of a row without */
  int32_t *place;         /* n: nsdyn_lcp_place */
  unsigned char *in;      /* n: basic */
  const double *shift;    /* n: δ, or NULL */
  const double *center;   /* n: c */
  int rounds;             /* of the last run */
} nsd_active_set;

void nsd_active_set_lay_out(nsd_arena *arena, nsd_active_set *w, int32_t n);

/* From the basis in `place` to a solution in x, y, place. NSDYN_OK where every sign is right to rounding;
 * NSDYN_MAX_ITERATIONS with the last round's x; NSDYN_UNDECIDED where A_FF is singular; NSDYN_CANCELLED. */
nsdyn_status nsd_active_set_solve(nsd_active_set *w, const nsd_sparse_problem *p, int max_rounds);

/* Whether rounds end by themselves if A is an M-matrix: off-diagonal elements <= 0, a positive diagonal, and
 * bounds on one side. */
int nsd_active_set_is_monotone(const nsd_sparse_problem *p);

/* y = A x + b and s, with the proximal term. */
void nsd_active_set_rows(const nsd_active_set *w, const nsd_sparse_problem *p);

/* x within its bounds. */
void nsd_active_set_project(const nsd_active_set *w, const nsd_sparse_problem *p);

#endif
