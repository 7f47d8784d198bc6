/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* base/sparse/block_lu.c: what a solve leaves of A x = b, A being known as a dense matrix too. */
#include "base/sparse/block_lu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "support/random.h"

enum { MOST = 24, WIDEST = 7, NUMBERS = MOST * WIDEST };

typedef struct matrix {
  int32_t n, rows;
  int32_t width[MOST], first[MOST];
  int64_t begin[MOST + 1];
  int32_t column[MOST * MOST];
  double zeros[MOST * MOST];
  double A[NUMBERS * NUMBERS]; /* rows × rows */
} matrix;

/* A random graph of random widths; blocks of it random, and a diagonal that outweighs the other elements of
 * rows, or of columns. */
static void make(matrix *m, random_state *r)
{
  memset(m, 0, sizeof *m);
  m->n = 1 + (int32_t)random_below(r, MOST);
  for (int32_t i = 0; i < m->n; i++) {
    m->width[i] = random_below(r, 3) ? 6 : 1 + (int32_t)random_below(r, WIDEST);
    m->first[i] = m->rows;
    m->rows += m->width[i];
  }
  const double density = random_unit(r);
  unsigned char touches[MOST][MOST] = {{0}};
  for (int32_t i = 0; i < m->n; i++) {
    touches[i][i] = 1;
    for (int32_t j = 0; j < i; j++) {
      touches[i][j] = touches[j][i] = random_unit(r) < density;
    }
  }
  for (int32_t i = 0; i < m->n; i++) {
    m->begin[i + 1] = m->begin[i];
    for (int32_t j = 0; j < m->n; j++) {
      if (touches[i][j]) {
        m->column[m->begin[i + 1]++] = j;
      }
    }
  }
  const int by_rows = (int)random_below(r, 2);
  for (int32_t i = 0; i < m->n; i++) {
    for (int64_t e = m->begin[i]; e < m->begin[i + 1]; e++) {
      const int32_t j = m->column[e];
      for (int a = m->first[i]; a < m->first[i] + m->width[i]; a++) {
        for (int b = m->first[j]; b < m->first[j] + m->width[j]; b++) {
          const double x = random_between(r, -1.0, 1.0);
          m->A[a * m->rows + b] += a == b ? 0.0 : x;
          m->A[(by_rows ? a : b) * (m->rows + 1)] += a == b ? 0.1 : fabs(x);
        }
      }
    }
  }
}

static void fill(nsd_block_lu *f, const matrix *m)
{
  nsd_block_lu_clear(f);
  for (int32_t i = 0; i < m->n; i++) {
    for (int64_t e = m->begin[i]; e < m->begin[i + 1]; e++) {
      const int32_t j = m->column[e];
      double *to = f->value + nsd_block_lu_place(f, i, j);
      for (int a = 0; a < m->width[i]; a++) {
        for (int b = 0; b < m->width[j]; b++) {
          to[a * m->width[j] + b] = m->A[(m->first[i] + a) * m->rows + m->first[j] + b];
        }
      }
    }
  }
}

static double residual(const matrix *m, const double *x, const double *b)
{
  double worst = 0.0;
  for (int i = 0; i < m->rows; i++) {
    double sum = -b[i], size = fabs(b[i]);
    for (int j = 0; j < m->rows; j++) {
      sum += m->A[i * m->rows + j] * x[j];
      size += fabs(m->A[i * m->rows + j] * x[j]);
    }
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

START_TEST(solves_every_graph)
{
  matrix *m = malloc(sizeof *m);
  nsd_block_lu f = nsd_block_lu_empty(NULL);
  ck_assert_ptr_nonnull(m);
  for (int k = 0; k < random_cases(300); k++) {
    random_state r = random_seed((uint64_t)k);
    make(m, &r);
    ck_assert_int_eq(nsd_block_lu_analyze(&f, m->n, m->width, m->begin, m->column, m->zeros, NULL), NSDYN_OK);
    double b[NUMBERS], x[NUMBERS], work[NUMBERS];
    for (int turn = 0; turn < 2; turn++) { /* the second with other values in the same structure */
      for (int i = 0; i < m->rows; i++) {
        x[i] = b[i] = random_between(&r, -1.0, 1.0);
        m->A[i * (m->rows + 1)] += turn;
      }
      fill(&f, m);
      REQUIRE(nsd_block_lu_factor(&f), "seed %d", k);
      nsd_block_lu_solve(&f, x, work);
      REQUIRE(residual(m, x, b) <= 500.0 * DBL_EPSILON, "seed %d: %g", k, residual(m, x, b));
    }
  }
  nsd_block_lu_release(&f);
  free(m);
}
END_TEST

/* A diagonal block with a zero in its corner is regular all the same; one without a pivot is none. */
START_TEST(pivots_within_blocks_and_says_where_there_is_none)
{
  static const int32_t width[1] = {2}, column[1] = {0};
  static const int64_t begin[2] = {0, 1};
  static const double zeros[1] = {0.0};
  nsd_block_lu f = nsd_block_lu_empty(NULL);
  ck_assert_int_eq(nsd_block_lu_analyze(&f, 1, width, begin, column, zeros, NULL), NSDYN_OK);
  double x[2] = {3.0, 5.0}, work[2];
  nsd_block_lu_clear(&f);
  f.value[1] = 2.0;
  f.value[2] = 4.0;
  ck_assert(nsd_block_lu_factor(&f));
  nsd_block_lu_solve(&f, x, work);
  ck_assert(x[0] == 1.25 && x[1] == 1.5);
  nsd_block_lu_clear(&f);
  f.value[0] = f.value[1] = f.value[2] = f.value[3] = 1.0;
  ck_assert(!nsd_block_lu_factor(&f));
  nsd_block_lu_clear(&f);
  f.value[0] = NAN;
  ck_assert(!nsd_block_lu_factor(&f));
  nsd_block_lu_release(&f);
}
END_TEST

SUITE("base/sparse/block_lu", TEST(solves_every_graph),
      TEST(pivots_within_blocks_and_says_where_there_is_none))
