/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The judge of enumerations: cells of affine functionals by brute force, in whole numbers.
 *
 * f_k = a_k Λ + d_k; a cell asks some f_k to be zero, some to be >= 0 or <= 0. Its vertices are the points
 * where enough of what is asked is zero, each set tried; its rays likewise. No pivot rule, no tolerance, no
 * code of the library. */
#ifndef TESTS_SUPPORT_EXACT_CELLS_H
#define TESTS_SUPPORT_EXACT_CELLS_H

#include <stdint.h>

enum {
  CELLS_COLUMNS = 12,  /* most Λ */
  CELLS_ROWS = 32,     /* most functionals */
  CELLS_LIMBS = 640,   /* of 32 bits */
  CELLS_PIECES = 4096, /* most pieces */
  CELLS_ZERO = 0,
  CELLS_MORE = 1,
  CELLS_LESS = -1,
  CELLS_ANY = 2
};

/* A set of solutions: which functionals are somewhere positive on it, and which negative. */
typedef struct cells_piece {
  uint32_t more;
  uint32_t less;
  int dimension;
  int unbounded;
} cells_piece;

typedef struct cells cells;

cells *cells_new(int rows, int columns);
void cells_free(cells *c);

/* f_k = a Λ + d. */
void cells_set(cells *c, int k, const double *a, double d);

/* Whether the cell is not empty; then `piece` is what there is to know. */
int cells_look(cells *c, const int8_t *ask, cells_piece *piece);

/* Keeps the cell where it has points and no kept one contains it; drops what it contains. */
void cells_add(cells *c, const int8_t *ask);

/* The maximal pieces of all that was added. */
int cells_count(const cells *c);
const cells_piece *cells_get(const cells *c, int index);

#endif
