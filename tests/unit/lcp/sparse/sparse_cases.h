/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sparse problems for the tests of lib/lcp/sparse: meshes, and random matrices with many zeros. */
#ifndef TESTS_UNIT_LCP_SPARSE_SPARSE_CASES_H
#define TESTS_UNIT_LCP_SPARSE_SPARSE_CASES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/sparse/problem.h"
#include "suite.h"

typedef struct sparse_case {
  int32_t n, room; /* rows, elements that there is room for */
  int64_t *row;
  int32_t *column;
  double *value, *b, *lo, *hi, *x, *y;
} sparse_case;

static inline sparse_case sparse_case_new(int32_t n, int32_t room)
{
  sparse_case c = {.n = n, .room = room};
  const size_t size = (size_t)n + 1;
  c.row = calloc(size, sizeof *c.row);
  c.column = calloc((size_t)room + 1, sizeof *c.column);
  c.value = calloc((size_t)room + 1, sizeof *c.value);
  c.b = calloc(size, sizeof *c.b);
  c.lo = calloc(size, sizeof *c.lo);
  c.hi = calloc(size, sizeof *c.hi);
  c.x = calloc(size, sizeof *c.x);
  c.y = calloc(size, sizeof *c.y);
  ck_assert(c.row && c.column && c.value && c.b && c.lo && c.hi && c.x && c.y);
  for (int32_t i = 0; i < n; i++) {
    c.hi[i] = INFINITY;
  }
  return c;
}

static inline void sparse_case_free(sparse_case *c)
{
  free(c->row);
  free(c->column);
  free(c->value);
  free(c->b);
  free(c->lo);
  free(c->hi);
  free(c->x);
  free(c->y);
}

/* Appends an element to row i; rows and columns come in order. */
static inline void sparse_case_add(sparse_case *c, int32_t i, int32_t j, double value)
{
  ck_assert(c->row[i + 1] < c->room);
  c->column[c->row[i + 1]] = j;
  c->value[c->row[i + 1]++] = value;
}

static inline void sparse_case_end_row(sparse_case *c, int32_t i)
{
  if (i + 1 < c->n) {
    c->row[i + 2] = c->row[i + 1];
  }
}

static inline nsdyn_sparse_matrix sparse_case_matrix(const sparse_case *c)
{
  nsdyn_sparse_matrix A;
  ck_assert_int_eq(nsdyn_sparse_matrix_init(&A, sizeof A), NSDYN_OK);
  A.n = c->n;
  A.row = c->row;
  A.column = c->column;
  A.value = c->value;
  return A;
}

static inline nsd_sparse sparse_case_rows(const sparse_case *c)
{
  return (nsd_sparse){.n = c->n, .row = c->row, .column = c->column, .value = c->value};
}

/* The five-point scheme on a square of side × side inner points, and one more unknown for each on the
 * diagonal where `drift` makes it asymmetric: −1 − drift to the left, −1 + drift to the right. */
static inline sparse_case sparse_case_mesh(int32_t side, double drift)
{
  sparse_case c = sparse_case_new(side * side, 5 * side * side);
  for (int32_t i = 0; i < c.n; i++) {
    const int32_t r = i / side, s = i % side;
    if (r > 0) {
      sparse_case_add(&c, i, i - side, -1.0);
    }
    if (s > 0) {
      sparse_case_add(&c, i, i - 1, -1.0 - drift);
    }
    sparse_case_add(&c, i, i, 4.0);
    if (s + 1 < side) {
      sparse_case_add(&c, i, i + 1, -1.0 + drift);
    }
    if (r + 1 < side) {
      sparse_case_add(&c, i, i + side, -1.0);
    }
    sparse_case_end_row(&c, i);
  }
  return c;
}

/* n × n with a share of elements off the diagonal; `symmetric`: A = Aᵀ. The diagonal is larger than the rest
 * of its row by the factor `dominance`, so that A is P for 1 and more. */
static inline sparse_case sparse_case_random(random_state *r, int32_t n, double share, int symmetric,
                                             double dominance)
{
  double *full = calloc((size_t)n * (size_t)n + 1, sizeof *full);
  sparse_case c = sparse_case_new(n, n * n);
  ck_assert(full != NULL);
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = 0; j < n; j++) {
      if (i != j && random_unit(r) < share) {
        full[i * n + j] = random_normal(r);
        if (symmetric) {
          full[j * n + i] = full[i * n + j];
        }
      }
    }
  }
  for (int32_t i = 0; i < n; i++) {
    double sum = 0.01;
    for (int32_t j = 0; j < n; j++) {
      sum += fabs(full[i * n + j]);
    }
    full[i * n + i] = dominance * sum;
    for (int32_t j = 0; j < n; j++) {
      if (full[i * n + j] != 0.0) {
        sparse_case_add(&c, i, j, full[i * n + j]);
      }
    }
    sparse_case_end_row(&c, i);
    c.b[i] = random_normal(r);
  }
  free(full);
  return c;
}

/* Bounds of all kinds, some alike, some missing. */
static inline void sparse_case_bound(sparse_case *c, random_state *r)
{
  for (int32_t i = 0; i < c->n; i++) {
    const int kind = random_below(r, 6);
    c->lo[i] = kind == 0 || kind == 1 ? -(double)INFINITY : random_normal(r);
    c->hi[i] = kind == 0 || kind == 2 ? (double)INFINITY : kind == 3 ? c->lo[i] : random_normal(r) + 1.0;
    if (c->hi[i] < c->lo[i]) {
      const double swap = c->hi[i];
      c->hi[i] = c->lo[i];
      c->lo[i] = swap;
    }
  }
}

/* Largest |x_i − other_i| over the largest |x|. */
static inline double sparse_case_distance(const sparse_case *c, const double *other)
{
  double most = 0.0, size = 1e-300;
  for (int32_t i = 0; i < c->n; i++) {
    most = fmax(most, fabs(c->x[i] - other[i]));
    size = fmax(size, fabs(c->x[i]));
  }
  return most / size;
}

#endif
