/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A = L U of a sparse matrix whose elements are small dense blocks, such as those of bodies that touch each
 * other. The structure is symmetric, the values need not be. Blocks on the diagonal are inverted with
 * pivots; between blocks there are none, so A wants blocks that elimination leaves regular: those of a
 * positive definite matrix, symmetric or not.
 *
 * Rows of blocks are eliminated in an order of minimum degree. What bench_space's larger piles take their
 * time from. */
#ifndef NSD_BASE_SPARSE_BLOCK_LU_H
#define NSD_BASE_SPARSE_BLOCK_LU_H

#include "base/sparse/sparse.h"

typedef struct nsd_block_lu {
  nsd_poll *poll;
  nsd_sparse_ldu structure; /* of the graph: order, and the fill by columns */
  nsd_arena room;
  int32_t n;       /* rows of blocks */
  double work;     /* multiplications of a factorization */
  int32_t *width;  /* n, in the order of elimination */
  int64_t *at;     /* n + 1: first number of each row in `value`: its diagonal block, then those of U, then
                      those of L, whose column it is */
  int64_t *block;  /* fill: within that row of U, where a block begins, in columns */
  double *value;   /* at[n] */
  double *scratch; /* widest × (widest + 1) */
  int32_t *map;    /* n: which element of the row at hand */
  int32_t *head, *next; /* n: columns whose next row is this one */
  int64_t *pointer;     /* n: that next row's element */
  int32_t widest;
  int32_t *first; /* n: first scalar row, by the caller's order */
} nsd_block_lu;

nsd_block_lu nsd_block_lu_empty(nsdyn_context *ctx);
void nsd_block_lu_release(nsd_block_lu *f);

/* Order and structure. The graph: n rows of blocks, their widths, and which columns stand in them (ascending,
 * with the diagonal, symmetric); `zeros` holds begin[n] numbers that nobody reads. NSDYN_OK,
 * NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_CANCELLED. */
nsdyn_status nsd_block_lu_analyze(nsd_block_lu *f, int32_t n, const int32_t *width, const int64_t *begin,
                                  const int32_t *column, const double *zeros, nsd_poll *poll);

/* Where the block of row i, column j of A begins in `value`, row-major; of the structure. */
int64_t nsd_block_lu_place(const nsd_block_lu *f, int32_t i, int32_t j);

/* All zero, to be filled in by the caller. */
void nsd_block_lu_clear(nsd_block_lu *f);

/* Returns whether it went well. */
int nsd_block_lu_factor(nsd_block_lu *f);

/* x := A⁻¹ x; work holds as much. */
void nsd_block_lu_solve(const nsd_block_lu *f, double *x, double *work);

#endif
