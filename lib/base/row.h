/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A row of a matrix of which a few columns are not zero, told by its parts, or all of a row that is dense.
 *
 * Rows of one contact stand together: the numbers of a part, rows × n, row-major, and behind them those of
 * the next one. What is not in a part is zero. Sums have the order, and so the bits, that those of the dense
 * row have (nsd_small_dot()), whatever stands in the parts. */
#ifndef NSD_BASE_ROW_H
#define NSD_BASE_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "base/assert.h"
#include "base/kernels/small.h"

/* Columns first, …, first + n − 1. */
typedef struct nsd_part {
  int32_t first, n;
} nsd_part;

typedef struct nsd_row {
  const double *w;      /* of a dense row its numbers; else those of the first part */
  const nsd_part *part; /* parts, from left to right */
  int parts;
  int rows; /* that stand together; 0: the row is dense */
  int r;    /* which of them this is */
  int n;    /* columns of the matrix */
} nsd_row;

static inline nsd_row nsd_row_dense(int n, const double *w)
{
  const nsd_row row = {.w = w, .n = n};
  return row;
}

/* Numbers of part p of a row that is told by its parts, taken in their order: *at is row.w to begin with. */
static inline const double *nsd_row_part(const nsd_row *row, int p, const double **at)
{
  if (!*at) { /* C forbids arithmetic on NULL, even by zero: no numbers, no part of them */
    return NULL;
  }
  const double *own = *at + (ptrdiff_t)row->r * row->part[p].n;
  *at += (ptrdiff_t)row->rows * row->part[p].n;
  return own;
}

/* Σ w_j x_j, for rows that are told by their parts. */
double nsd_row_dot_parts(const nsd_row *row, const double *x);

/* Σ w_j x_j. */
static inline double nsd_row_dot(nsd_row row, const double *x)
{
  NSD_ASSERT(row.rows || row.w || row.n == 0); /* a dense row has its numbers */
  return row.rows ? nsd_row_dot_parts(&row, x) : nsd_small_dot(row.n, row.w, x);
}

/* `from` + Σ |w_j x_j|, from left to right; x is NULL: Σ |w_j|. */
double nsd_row_size(double from, nsd_row row, const double *x);

/* max |w_j| */
double nsd_row_largest(nsd_row row);

/* Whether any w_j is not zero. */
int nsd_row_is_written(nsd_row row);

/* The dense row, into w (n). */
void nsd_row_expand(nsd_row row, double *w);

#endif
