/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Matrices for tests of linear algebra: seeded, of every kind that has broken a code before. */
#ifndef TESTS_UNIT_MATRICES_H
#define TESTS_UNIT_MATRICES_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "suite.h"

static const int matrix_sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 24, 60};
enum {
  matrix_size_count = sizeof matrix_sizes / sizeof *matrix_sizes,
  matrix_longest = 60,
  matrix_stride = matrix_longest + 5
};

/* A value that no test computes: it shows whether anything wrote between the rows. */
#define MATRIX_PADDING (-7.0e77)

typedef enum matrix_kind {
  matrix_normal,  /* independent normal elements */
  matrix_hilbert, /* 1 / (i + j + 1), slightly disturbed: ill conditioned */
  matrix_rows,    /* rows in units from 1e-12 to 1e12 */
  matrix_columns, /* columns likewise */
  matrix_sparse,  /* mostly zeros, some −1 and 1, a diagonal: as friction problems have them */
  matrix_tiny,    /* normal times 1e-302 */
  matrix_huge,    /* normal times 1e302 */
  matrix_kind_count
} matrix_kind;

static inline double *matrix_at(double *A, int lda, int i, int j)
{
  return A + (size_t)i * (size_t)lda + (size_t)j;
}

static inline double matrix_element(random_state *random, matrix_kind kind, int i, int j)
{
  switch (kind) {
  case matrix_hilbert:
    return (1.0 + 1e-9 * random_normal(random)) / (i + j + 1);
  case matrix_sparse:
    return i == j                    ? 1.0 + random_unit(random)
           : random_below(random, 4) ? 0.0
                                     : 1.0 - 2.0 * random_below(random, 2);
  case matrix_tiny:
    return 1e-302 * random_normal(random);
  case matrix_huge:
    return 1e302 * random_normal(random);
  default:
    return random_normal(random);
  }
}

/* Fills n rows of n, and the rest of each row of the stride with MATRIX_PADDING. */
static inline void matrix_fill(random_state *random, matrix_kind kind, int n, double *A, int lda)
{
  for (int i = 0; i < n; i++) {
    const double unit = kind == matrix_rows ? random_scale(random, 12.0) : 1.0;
    for (int j = 0; j < lda; j++) {
      *matrix_at(A, lda, i, j) = j < n ? unit * matrix_element(random, kind, i, j) : MATRIX_PADDING;
    }
  }
  for (int j = 0; j < n && kind == matrix_columns; j++) {
    const double unit = random_scale(random, 12.0);
    for (int i = 0; i < n; i++) {
      *matrix_at(A, lda, i, j) *= unit;
    }
  }
}

/* Whether nothing was written behind the columns. */
static inline int matrix_padding_intact(int rows, int cols, const double *A, int lda)
{
  for (int i = 0; i < rows; i++) {
    for (int j = cols; j < lda; j++) {
      if (A[(size_t)i * (size_t)lda + (size_t)j] != MATRIX_PADDING) {
        return 0;
      }
    }
  }
  return 1;
}

/* Case number k runs through kinds, sizes and strides. */
typedef struct matrix_case {
  matrix_kind kind;
  int n, lda;
  random_state random;
} matrix_case;

static inline matrix_case matrix_case_of(int k)
{
  matrix_case c;
  c.random = random_seed((uint64_t)k);
  c.kind = (matrix_kind)(k % matrix_kind_count);
  c.n = matrix_sizes[k / matrix_kind_count % matrix_size_count];
  c.lda = c.n + random_below(&c.random, matrix_stride - matrix_longest + 1);
  c.lda = c.lda < 1 ? 1 : c.lda;
  return c;
}

#endif
