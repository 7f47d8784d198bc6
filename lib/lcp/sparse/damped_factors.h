/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The equations of a basis of a damped problem, y = A x + b + ε D (x − x₀), for any basis by one structure.
 *
 * Row i says y_i = 0 where x_i is basic, else what x_i is: the matrix is A_i + ε D_i e_iᵀ or e_iᵀ. Rows with
 * a zero on the diagonal, such as the multipliers of friction, have no pivot of their own: they are joined in
 * blocks with the unknowns that they couple to, a contact's rows in one, and pivots are chosen within them
 * (base/sparse/block_lu.h).
 *
 * D_i = r_i turns a change of x_i into one of y_i: |A_ii|, and max_j |A_ij A_ji| / r_j where that is zero,
 * which is what elimination would leave there. Both change with units as y_i over x_i does. */
#ifndef NSD_LCP_SPARSE_DAMPED_FACTORS_H
#define NSD_LCP_SPARSE_DAMPED_FACTORS_H

#include "base/sparse/block_lu.h"
#include "lcp/sparse/problem.h"

typedef struct nsd_damped_factors {
  nsd_poll *poll;
  const nsd_sparse_problem *p;
  nsd_arena room;
  nsd_block_lu lu;
  int32_t blocks;
  int32_t *width;    /* blocks: rows */
  int32_t *block_of; /* n */
  int32_t *within;   /* n: place in its block */
  int32_t *scalar;   /* n: place of a row where blocks stand one behind the other */
  int32_t *mirror; /* n: of two unknowns that push in opposite directions, x₊ and x₋ with a row −A_i but for
                      multipliers, the other one; −1: none */
  int64_t *at;     /* elements of A: places in lu.value */
  int64_t *diagonal_at; /* n */
  double *size;         /* n: r */
  double *ordered;      /* n */
  double *work;         /* n */
  double epsilon;
} nsd_damped_factors;

nsd_damped_factors nsd_damped_factors_empty(nsdyn_context *ctx);
void nsd_damped_factors_release(nsd_damped_factors *f);

/* Sizes, blocks and structure of a problem, which has to outlive them. NSDYN_OK, NSDYN_ERR_UNSUPPORTED where
 * a block would be wide, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_CANCELLED. */
nsdyn_status nsd_damped_factors_read(nsd_damped_factors *f, const nsd_sparse_problem *p, nsd_poll *poll);

/* The factors of a basis (nsdyn_lcp_place), with f->epsilon. Returns whether it went well. */
int nsd_damped_factors_make(nsd_damped_factors *f, const int32_t *place);

/* (A + ε D)_FF x_F = b_F for the basic unknowns F of the last basis; x_i = b_i elsewhere, which the rows of F
 * do not see. x may be b. */
void nsd_damped_factors_solve(nsd_damped_factors *f, const double *b, double *x);

/* Row i of (A + ε D) x. */
static inline double nsd_damped_factors_times(const nsd_damped_factors *f, int32_t i, const double *x)
{
  const nsd_sparse *A = &f->p->A;
  double sum = f->epsilon * f->size[i] * x[i];
  for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
    sum += A->value[k] * x[A->column[k]];
  }
  return sum;
}

#endif
