/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* G of a contact problem, by cells, however it was told.
 *
 * A cell is a contact with its one to three rows, or one bilateral row. What a cell's rows are made of stands
 * in its line: blocks, from left to right, of all that is not zero.
 *
 *   dense, sparse   blocks of G, one for each cell that moves this one: ξ = G Λ + c
 *   free            blocks of W, one for each body that takes part, and of W M⁻¹ beside them: G = W M⁻¹ Wᵀ is
 *                   never built. The velocities v = M⁻¹ Wᵀ Λ stand for Λ: ξ = W v + c
 *
 * So memory and the time of a product go by the blocks, in the free form by contacts and bodies alone. */
#ifndef NSD_CONTACT_SPACE_OPERATOR_H
#define NSD_CONTACT_SPACE_OPERATOR_H

#include "base/arena.h"
#include "base/assert.h"
#include "base/poll.h"
#include "base/row.h"

enum { NSD_CELL_ROWS = 3 }; /* of a cell, at most */

/* A matrix by rows: dense (column is NULL), compressed, or told by parts (row_of is not NULL). */
typedef struct nsd_operator_rows {
  const double *value;
  const int64_t *begin;  /* rows + 1, of the compressed form */
  const int32_t *column; /* ascending within a row; NULL: dense */
  int64_t stride;        /* from row to row of the dense form */
  int columns;
  nsd_row (*row_of)(const void *user, int cell); /* the first row of a cell, with its parts, */
  const void *user;                              /* of what is handed on to it */
} nsd_operator_rows;

/* M⁻¹ by diagonal blocks, row-major, one behind the other. */
typedef struct nsd_operator_bodies {
  const int32_t *size; /* bodies */
  const double *inverse;
  int bodies;
} nsd_operator_bodies;

typedef struct nsd_operator {
  nsd_arena index_room; /* laid out by cells and groups */
  nsd_arena block_room; /* by blocks and their elements */
  int cells, rows, columns;
  int is_free;
  int groups;         /* what columns hang together by: cells, or bodies */
  int *row;           /* cells + 1: first row of each */
  int *group;         /* groups + 1: first column of each */
  int *group_of;      /* columns */
  int *mark;          /* groups: scratch of the reading */
  size_t *inverse_at; /* groups + 1: first element of each body's block of M⁻¹; free only */
  size_t *line;       /* cells + 1: first block of each */
  size_t *first;      /* cells + 1: first element of each line */
  int *of;            /* blocks: which group, */
  nsd_part *part;     /* blocks: and its columns */
  double *block;      /* elements: of G, or of W; row-major */
  double *drive;      /* elements: of W M⁻¹; free only */
  double *mass;       /* M by the bodies' blocks; free only */
  double *own;        /* cells × 9: the block of G on the diagonal, row-major, 3 to a row */
} nsd_operator;

void nsd_operator_init(nsd_operator *op, nsdyn_context *ctx);
void nsd_operator_release(nsd_operator *op);

/* Reads G (bodies is NULL), or W and M⁻¹, where bodies->inverse is NULL W alone: nsd_operator_drive() has to
 * follow before products are asked for. rows_of (cells): 1 to 3. What is given is not needed afterwards.
 * NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_CANCELLED; NSDYN_ERR_NOT_DEFINITE where a body's block of M⁻¹
 * is not. */
nsdyn_status nsd_operator_read(nsd_operator *op, int cells, const int *rows_of,
                               const nsd_operator_rows *given, const nsd_operator_bodies *bodies,
                               nsd_poll *poll);

/* What is to become M⁻¹ of the bodies of an operator in the free form, whose W has been read: row-major, one
 * behind the other. */
static inline double *nsd_operator_inverse_room(nsd_operator *op)
{
  return op->mass;
}

/* M⁻¹ is there: W M⁻¹ and M. NSDYN_ERR_NOT_DEFINITE, NSDYN_CANCELLED. */
nsdyn_status nsd_operator_drive(nsd_operator *op, nsd_poll *poll);

static inline int nsd_operator_rows_of(const nsd_operator *op, int cell)
{
  const int rows = op->row[cell + 1] - op->row[cell];
  NSD_ASSERT(rows >= 1 && rows <= NSD_CELL_ROWS);
  return rows;
}

/* Row r of a cell: of G, or of W. */
static inline nsd_row nsd_operator_row(const nsd_operator *op, int cell, int r)
{
  const nsd_row row = {.w = op->block + op->first[cell],
                       .part = op->part + op->line[cell],
                       .parts = (int)(op->line[cell + 1] - op->line[cell]),
                       .rows = nsd_operator_rows_of(op, cell),
                       .r = r,
                       .n = op->columns};
  return row;
}

/* What stands for Λ in products: Λ itself (rows), or v = M⁻¹ Wᵀ Λ (columns). `state` (columns) is filled in;
 * in the dense and the sparse form it is a copy. */
void nsd_operator_start(const nsd_operator *op, const double *Lambda, double *state);

/* y (rows of the cell) := (G Λ) there. */
void nsd_operator_product(const nsd_operator *op, int cell, const double *state, double *y);

/* The same without what this cell's own impulses do. */
void nsd_operator_others(const nsd_operator *op, int cell, const double *state, const double *Lambda,
                         double *y);

/* The impulses of one cell change by d (rows of the cell). */
void nsd_operator_change(const nsd_operator *op, int cell, const double *d, double *state);

/* y (rows) := G Λ. state (columns): scratch. */
void nsd_operator_multiply(const nsd_operator *op, const double *Lambda, double *state, double *y);

/* Sizes of the terms of (G Λ)_i, which the certificate judges rounding by: `sizes` (columns) stands for |Λ|,
 * as `state` for Λ. */
void nsd_operator_start_sizes(const nsd_operator *op, const double *Lambda, double *sizes);
void nsd_operator_product_sizes(const nsd_operator *op, int cell, const double *sizes, double *y);

/* G (rows × rows) := the operator as a matrix. unit (columns): scratch. NSDYN_OK, NSDYN_CANCELLED. */
nsdyn_status nsd_operator_matrix(const nsd_operator *op, double *unit, double *G, nsd_poll *poll);

#endif
