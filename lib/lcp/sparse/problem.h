/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Large and sparse problems: y = A x + b, lo <= x <= hi, A by rows.
 *
 *   api.c            the public calls: what comes in is checked, what goes out is judged
 *   check.c          the matrix as the caller has it: checked, copied, looked at
 *   certificate.c    judges an x; shares no code with the solvers
 *   active_set.c     the solver by factors of the basic block, round after round
 *   coarse_levels.c  smaller problems like this one, from which a first basis comes
 *   automatic.c      which method when, and what next
 *   newton.c         Newton's method with a line search, where rounds walk in circles
 *   damped.c         problems of ever less damping, for rows without a diagonal element: contacts with
 * friction damped_path.c    each of them from piece to piece damped_factors.c with one structure for all
 * bases sweep.c          projected Gauss–Seidel tridiagonal.c    M-matrices of one dimension: basis and
 * solution in one pass from_dense.c     dense matrices that are full of zeros
 *
 * Work and memory grow with the elements of A and with what its factors fill in. */
#ifndef NSD_LCP_SPARSE_PROBLEM_H
#define NSD_LCP_SPARSE_PROBLEM_H

#include <math.h>

#include "base/sparse/sparse.h"
#include "nsdyn/lcp.h"

/* Finite data, lo <= hi. */
typedef struct nsd_sparse_problem {
  nsd_sparse A;
  const double *b;  /* n */
  const double *lo; /* n */
  const double *hi; /* n */
  int is_symmetric; /* to rounding, 16 · 2^-52 √(A_ii A_jj) */
  int is_z;         /* off the diagonal nothing is positive */
  int has_positive_diagonal;
} nsd_sparse_problem;

/* Where x_i is by its basis; NSDYN_LCP_BASIC has no such place. */
static inline double nsd_sparse_bound(const nsd_sparse_problem *p, int32_t i, int32_t place)
{
  return place == NSDYN_LCP_AT_HI ? p->hi[i] : p->lo[i];
}

/* The place that a basis may name: none but the bounds there are. */
static inline int32_t nsd_sparse_place(const nsd_sparse_problem *p, int32_t i, int32_t wanted)
{
  if (p->lo[i] == p->hi[i]) {
    return NSDYN_LCP_AT_LO;
  }
  if (wanted == NSDYN_LCP_BASIC) {
    return wanted;
  }
  if (p->lo[i] == -(double)INFINITY && p->hi[i] == (double)INFINITY) {
    return NSDYN_LCP_BASIC;
  }
  return p->lo[i] == -(double)INFINITY  ? NSDYN_LCP_AT_HI
         : p->hi[i] == (double)INFINITY ? NSDYN_LCP_AT_LO
                                        : wanted;
}

#endif
