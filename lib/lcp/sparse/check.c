/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The matrix as the caller has it: checked, taken over, looked at. */
#include "base/number.h"
#include "base/sized.h"
#include "base/tolerances.h"
#include "lcp/sparse/solver.h"

static nsdyn_status refuse_row(nsd_fault *fault, int32_t row, const char *format, long long a, long long b)
{
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ROW, row, format, (int)row, a, b);
}

static nsdyn_status refuse_number(nsd_fault *fault, int32_t row, int64_t column, double value)
{
  char text[NSD_NUMBER_LENGTH];
  return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_ROW, row, "row %d of A: column %lld is %s",
                       (int)row, (long long)column, nsd_number_text(value, text));
}

/* Columns of a row: in range and ascending; its numbers finite. */
static nsdyn_status check_row(nsd_fault *fault, const nsdyn_sparse_matrix *A, int32_t i)
{
  int64_t before = -1;
  for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
    const int32_t j = A->column[k];
    if (j < 0 || j >= A->n) {
      return refuse_row(fault, i, "row %d of A: there is no column %lld of %lld", j, A->n);
    }
    if (j <= before) {
      return refuse_row(fault, i, "row %d of A: column %lld comes after %lld; columns must ascend", j,
                        before);
    }
    if (!isfinite(A->value[k])) {
      return refuse_number(fault, i, j, A->value[k]);
    }
    before = j;
  }
  return NSDYN_OK;
}

static nsdyn_status check_rows(const nsdyn_sparse_matrix *A, int argument, nsd_fault *fault, nsd_poll *poll)
{
  if (!A->row || (A->n > 0 && A->row[A->n] > 0 && (!A->column || !A->value))) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, argument,
                         "A has no row, column or value");
  }
  if (A->row[0] != 0) {
    return refuse_row(fault, 0, "row %d of A begins at element %lld, not at %lld", (long long)A->row[0], 0);
  }
  for (int32_t i = 0; i < A->n; i++) {
    if (A->row[i + 1] < A->row[i] || A->row[i + 1] - A->row[i] > A->n) {
      return refuse_row(fault, i, "row %d of A begins at element %lld and ends at %lld", (long long)A->row[i],
                        (long long)A->row[i + 1]);
    }
    (void)nsd_poll_stops(poll, NSD_POLL_READ);
  }
  for (int32_t i = 0; i < A->n && !nsd_poll_stops(poll, 0.0); i++) {
    const nsdyn_status status = check_row(fault, A, i);
    if (status) {
      return status;
    }
    (void)nsd_poll_stops(poll, 2.0 * (double)(A->row[i + 1] - A->row[i]) + 4.0);
  }
  return NSDYN_OK;
}

/* Columns of row i of a band. */
static int64_t band_first(const nsdyn_sparse_matrix *A, int64_t i)
{
  return i > A->lower ? i - A->lower : 0;
}

static int64_t band_end(const nsdyn_sparse_matrix *A, int64_t i)
{
  return i + A->upper + 1 < A->n ? i + A->upper + 1 : A->n;
}

static nsdyn_status check_band(const nsdyn_sparse_matrix *A, int argument, nsd_fault *fault, nsd_poll *poll)
{
  const char *wrong = NULL;
  if (A->lower < 0 || A->upper < 0 || A->lower >= A->n || A->upper >= A->n) {
    wrong = "A: lower and upper must be in [0, n)";
  } else if (A->stride < (int64_t)A->lower + A->upper + 1) {
    wrong = "A: stride is less than lower + upper + 1";
  } else if (A->stride > INT64_MAX / (int64_t)sizeof(double) / A->n) {
    wrong = "A: no memory has so many rows of that stride";
  } else if (!A->value) {
    wrong = "A has no value";
  }
  if (wrong) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, argument, "%s", wrong);
  }
  for (int32_t i = 0; i < A->n && !nsd_poll_stops(poll, 0.0); i++) {
    for (int64_t j = band_first(A, i); j < band_end(A, i); j++) {
      const double value = A->value[i * A->stride + A->lower + j - i];
      if (!isfinite(value)) {
        return refuse_number(fault, i, j, value);
      }
    }
    (void)nsd_poll_stops(poll, (double)A->stride);
  }
  return NSDYN_OK;
}

nsdyn_status nsd_sparse_check_matrix(const nsdyn_sparse_matrix *A, int argument, nsd_fault *fault,
                                     nsd_poll *poll)
{
  if (A->n < 0 || (A->format != NSDYN_SPARSE_ROWS && A->format != NSDYN_SPARSE_BANDED)) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, argument,
                         A->n < 0 ? "A: n is negative" : "A: format is none of nsdyn_sparse_format");
  }
  if (A->n == 0) {
    return NSDYN_OK;
  }
  return A->format == NSDYN_SPARSE_ROWS ? check_rows(A, argument, fault, poll)
                                        : check_band(A, argument, fault, poll);
}

/* ---- the problem by rows ------------------------------------------------------------------------------- */

typedef struct taken {
  int64_t *row;
  int32_t *column;
  double *value, *lo, *hi;
} taken;

static int64_t elements_of_band(const nsdyn_sparse_matrix *A, nsd_poll *poll)
{
  int64_t count = 0;
  for (int32_t i = 0; i < A->n; i++) {
    count += band_end(A, i) - band_first(A, i);
    (void)nsd_poll_stops(poll, NSD_POLL_READ);
  }
  return count;
}

static void lay_out_taken(nsd_arena *arena, taken *t, const nsd_sparse_solver *s, int64_t elements)
{
  const size_t n = (size_t)s->matrix.n;
  t->lo = nsd_arena_take(arena, s->given_lo ? 0 : n, sizeof *t->lo);
  t->hi = nsd_arena_take(arena, s->given_hi ? 0 : n, sizeof *t->hi);
  if (s->matrix.format == NSDYN_SPARSE_BANDED || n == 0) {
    t->row = nsd_arena_take(arena, n + 1, sizeof *t->row);
    t->column = nsd_arena_take(arena, (size_t)elements, sizeof *t->column);
    t->value = nsd_arena_take(arena, (size_t)elements, sizeof *t->value);
  }
}

/* A band by rows, without its zeros. */
static void take_band(const nsdyn_sparse_matrix *A, taken *t, nsd_poll *poll)
{
  int64_t at = 0;
  for (int32_t i = 0; i < A->n; i++) {
    t->row[i] = at;
    for (int64_t j = band_first(A, i); j < band_end(A, i); j++) {
      const double value = A->value[i * A->stride + A->lower + j - i];
      if (value != 0.0 || j == i) {
        t->column[at] = (int32_t)j;
        t->value[at++] = value;
      }
    }
    (void)nsd_poll_stops(poll, NSD_POLL_READ * (double)(band_end(A, i) - band_first(A, i)));
  }
  t->row[A->n] = at;
}

static void lay_out_vectors(nsd_arena *arena, nsd_sparse_solver *s, int32_t n)
{
  const size_t size = (size_t)n;
  nsd_active_set_lay_out(arena, &s->active, n);
  s->best_x = nsd_arena_take(arena, size, sizeof *s->best_x);
  s->best_y = nsd_arena_take(arena, size, sizeof *s->best_y);
  s->shift = nsd_arena_take(arena, size, sizeof *s->shift);
  s->center = nsd_arena_take(arena, size, sizeof *s->center);
  s->at = nsd_arena_take(arena, size, sizeof *s->at);
  s->best_place = nsd_arena_take(arena, size, sizeof *s->best_place);
}

/* Whether A is Z, has a positive diagonal and is symmetric to rounding. Rows come in ascending order, so the
 * mirror images of a row's elements left of the diagonal are met in order: `at` says where each row has come
 * to. */
static void look_at(nsd_sparse_problem *p, int64_t *at, double *diagonal, nsd_poll *poll)
{
  const nsd_sparse *A = &p->A;
  p->is_z = p->has_positive_diagonal = p->is_symmetric = 1;
  for (int32_t i = 0; i < A->n; i++) {
    diagonal[i] = 0.0;
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      if (A->column[k] == i) {
        diagonal[i] = A->value[k];
      } else if (A->value[k] > 0.0) {
        p->is_z = 0;
      }
    }
    p->has_positive_diagonal &= diagonal[i] > 0.0;
    at[i] = A->row[i];
    (void)nsd_poll_stops(poll, NSD_POLL_READ * (double)(A->row[i + 1] - A->row[i] + 2));
  }
  for (int32_t i = 0; i < A->n && p->is_symmetric; i++) {
    /* What is left of the diagonal has had its mirror image in all rows above. */
    p->is_symmetric = at[i] == A->row[i + 1] || A->column[at[i]] >= i;
    for (int64_t k = at[i]; k < A->row[i + 1] && p->is_symmetric; k++) {
      const int32_t j = A->column[k];
      if (j == i) {
        continue;
      }
      const int64_t l = at[j]++;
      p->is_symmetric = l < A->row[j + 1] && A->column[l] == i &&
                        (A->value[l] == A->value[k] ||
                         fabs(A->value[l] - A->value[k]) <=
                             NSD_SPARSE_ASYMMETRY * sqrt(fabs(diagonal[i])) * sqrt(fabs(diagonal[j])));
    }
    (void)nsd_poll_stops(poll, 0.5 * NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i]));
  }
}

nsdyn_status nsd_sparse_solver_load(nsd_sparse_solver *s, const double *b, nsd_poll *poll)
{
  const nsdyn_sparse_matrix *A = &s->matrix;
  const int32_t n = A->n;
  /* 1. What the caller has not, or has in a band. */
  const int64_t elements = A->format == NSDYN_SPARSE_BANDED ? elements_of_band(A, poll) : 0;
  taken t = {.row = NULL};
  nsd_arena measure = nsd_arena_measure();
  lay_out_taken(&measure, &t, s, elements);
  nsdyn_status status = nsd_arena_reserve(&s->copy, &measure);
  if (status) {
    return status;
  }
  lay_out_taken(&s->copy, &t, s, elements);
  for (int32_t i = 0; i < n; i++) {
    if (!s->given_lo) {
      t.lo[i] = 0.0;
    }
    if (!s->given_hi) {
      t.hi[i] = INFINITY;
    }
    (void)nsd_poll_stops(poll, NSD_POLL_READ);
  }
  if (A->format == NSDYN_SPARSE_BANDED || n == 0) {
    take_band(A, &t, poll);
  }
  const int is_taken = t.row != NULL;
  s->p = (nsd_sparse_problem){.A = {.n = n,
                                    .row = is_taken ? t.row : A->row,
                                    .column = is_taken ? t.column : A->column,
                                    .value = is_taken ? t.value : A->value},
                              .b = b,
                              .lo = s->given_lo ? s->given_lo : t.lo,
                              .hi = s->given_hi ? s->given_hi : t.hi};
  /* 2. The vectors of the solvers. */
  measure = nsd_arena_measure();
  lay_out_vectors(&measure, s, n); /* not read after a failure: the next call lays out anew */
  status = nsd_arena_reserve(&s->vectors, &measure);
  if (status) {
    return status;
  }
  lay_out_vectors(&s->vectors, s, n);
  /* 3. Its class. */
  look_at(&s->p, s->at, s->active.work, poll);
  return NSDYN_OK;
}

nsd_sparse_solver *nsd_sparse_solver_of(nsdyn_lcp *lcp)
{
  if (lcp->sparse) {
    return lcp->sparse;
  }
  nsd_sparse_solver *s = nsd_allocate(lcp->ctx, 1, sizeof *s);
  if (!s) {
    return NULL;
  }
  s->ctx = lcp->ctx;
  s->copy = nsd_arena_empty(lcp->ctx);
  s->dense = nsd_arena_empty(lcp->ctx);
  s->vectors = nsd_arena_empty(lcp->ctx);
  s->search = nsd_arena_empty(lcp->ctx);
  s->narrow = nsd_arena_empty(lcp->ctx);
  s->tridiagonal.n = -1;
  s->factor = nsd_sparse_ldu_empty(lcp->ctx, &lcp->poll);
  s->damped = nsd_damped_empty(lcp->ctx);
  s->has_best = 0;
  nsd_coarse_levels_init(&s->levels, lcp->ctx, &lcp->poll);
  lcp->sparse = s;
  return s;
}

void nsd_sparse_solver_free(nsd_sparse_solver *s)
{
  if (s) {
    nsd_arena_release(&s->copy);
    nsd_arena_release(&s->dense);
    nsd_arena_release(&s->vectors);
    nsd_arena_release(&s->search);
    nsd_arena_release(&s->narrow);
    nsd_sparse_ldu_release(&s->factor);
    nsd_damped_release(&s->damped);
    nsd_coarse_levels_release(&s->levels);
    nsd_release(s->ctx, s, 1, sizeof *s);
  }
}
