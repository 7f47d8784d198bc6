/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/check_operator.h"

#include <math.h>

#include "base/number.h"
#include "base/sized.h"
#include "base/tolerances.h"
#include "contact/certificate.h"
#include "contact/check.h"
#include "contact/law.h"
#include "contact/space/operator.h"

nsdyn_status nsdyn_contact_operator_init(nsdyn_contact_operator *W, size_t size)
{
  return nsd_sized_init(W, size, NSD_CONTACT_OPERATOR_LEAST, NULL, sizeof *W);
}

static nsdyn_status refuse(nsd_fault *fault, const char *reason)
{
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                       (int64_t)offsetof(nsdyn_contact_problem, W), "W: %s", reason);
}

static nsdyn_status refuse_row(nsd_fault *fault, nsdyn_status status, int row, const char *reason)
{
  return nsd_fault_set(fault, status, NSDYN_DETAIL_ROW, row, "W: row %d: %s", row, reason);
}

/* M⁻¹, body by body. */
static nsdyn_status check_bodies(const nsdyn_contact_operator *W, nsd_fault *fault, nsd_poll *poll)
{
  int64_t columns = 0;
  const double *block = W->inverse;
  if (!W->body || !W->inverse) {
    return refuse(fault, W->body ? "inverse is NULL" : "body is NULL");
  }
  for (int b = 0; b < W->bodies; b++) {
    /* Sizes in 64 bits: their sum is the columns, or some body reaches beyond them. */
    const int64_t n = W->body[b];
    if (n < 1 || n > W->columns - columns) {
      return nsd_fault_set(
          fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)offsetof(nsdyn_contact_problem, W),
          "W: body %d of %lld columns: sizes are at least 1, and the columns in all", b, (long long)n);
    }
    for (int64_t i = 0; i < n; i++) {
      for (int64_t j = 0; j < n; j++) {
        /* Of a positive definite block |a_ij| < √(a_ii a_jj): of that scale is what a_ij and a_ji may differ
         * by. The roots are taken first, since the product may be beyond all numbers. */
        const double a = block[i * n + j], across = block[j * n + i];
        const double most = sqrt(fabs(block[i * (n + 1)])) * sqrt(fabs(block[j * (n + 1)]));
        if (!isfinite(a)) {
          return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_FIELD,
                               (int64_t)offsetof(nsdyn_contact_problem, W),
                               "W: body %d: its inverse has an element that is no finite number", b);
        }
        if (j < i && !(fabs(a - across) <= NSD_CONTACT_ASYMMETRY * most) && isfinite(across)) {
          return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD,
                               (int64_t)offsetof(nsdyn_contact_problem, W),
                               "W: body %d: its inverse is not symmetric", b);
        }
      }
    }
    block += n * n;
    columns += n;
    (void)nsd_poll_stops(poll, NSD_POLL_READ * (double)(n * n));
  }
  return columns == W->columns ? NSDYN_OK
                               : refuse(fault, "the sizes of the bodies are not the columns in all");
}

/* Rows of W, or of G: places and numbers. */
static nsdyn_status check_rows(const nsdyn_contact_operator *W, int rows, int columns, nsd_fault *fault,
                               nsd_poll *poll)
{
  if (rows > 0 && !W->begin) {
    return refuse(fault, "begin is NULL");
  }
  /* Row i has the elements begin[i] … begin[i + 1] − 1: ascending from 0, never more than there are columns,
   * so that nothing below reads beyond what its row has told. */
  if (rows > 0 && W->begin[0] != 0) {
    return refuse(fault, "begin[0] is not 0");
  }
  for (int i = 0; i < rows; i++) {
    if (W->begin[i + 1] < W->begin[i] || W->begin[i + 1] - W->begin[i] > columns) {
      return refuse_row(fault, NSDYN_ERR_ARGUMENT, i,
                        "begin does not ascend, or has more elements than columns");
    }
    if (W->begin[i + 1] > W->begin[i] && (!W->column || !W->value)) {
      return refuse(fault, W->column ? "value is NULL" : "column is NULL");
    }
    for (int64_t e = W->begin[i]; e < W->begin[i + 1]; e++) {
      /* Columns that ascend come once each, and can be found by halving. */
      const int32_t j = W->column[e];
      if (j < 0 || j >= columns || (e > W->begin[i] && j <= W->column[e - 1])) {
        return refuse_row(fault, NSDYN_ERR_ARGUMENT, i, "its columns do not ascend, or one is none");
      }
      if (!isfinite(W->value[e])) {
        return refuse_row(fault, NSDYN_ERR_NOT_FINITE, i, "an element is no finite number");
      }
    }
    (void)nsd_poll_stops(poll, NSD_POLL_READ * (double)(W->begin[i + 1] - W->begin[i] + 1));
  }
  return NSDYN_OK;
}

/* G_ij of compressed rows. */
static double element(const nsdyn_contact_operator *W, int i, int j)
{
  int64_t low = W->begin[i], high = W->begin[i + 1];
  /* Columns before `low` are smaller than j, those from `high` on are not. */
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (W->column[middle] < j) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < W->begin[i + 1] && W->column[low] == j ? W->value[low] : 0.0;
}

static nsdyn_status check_symmetry(const nsdyn_contact_operator *W, int rows, nsd_fault *fault,
                                   nsd_poll *poll)
{
  /* G = W M⁻¹ Wᵀ is symmetric and semidefinite: G_ii >= 0 … */
  for (int i = 0; i < rows; i++) {
    if (element(W, i, i) < 0.0) {
      return refuse_row(fault, NSDYN_ERR_ARGUMENT, i, "G has a negative diagonal element");
    }
  }
  for (int i = 0; i < rows; i++) {
    for (int64_t e = W->begin[i]; e < W->begin[i + 1]; e++) {
      /* … and |G_ij − G_ji| a small share of √(G_ii G_jj), which |G_ij| is never more than. An element that
       * is told on one side alone is 0 on the other. */
      const int j = W->column[e];
      const double most = sqrt(element(W, i, i)) * sqrt(element(W, j, j));
      if (!(fabs(W->value[e] - element(W, j, i)) <= NSD_CONTACT_ASYMMETRY * most)) {
        return refuse_row(fault, NSDYN_ERR_ARGUMENT, i, "G is not symmetric");
      }
    }
    (void)nsd_poll_stops(poll, 4.0 * NSD_POLL_FETCH * (double)(W->begin[i + 1] - W->begin[i] + 1));
  }
  return NSDYN_OK;
}

nsdyn_status nsd_contact_check_operator(const nsdyn_contact_operator *given, int rows, nsd_fault *fault,
                                        nsd_poll *poll)
{
  nsdyn_contact_operator W;
  nsdyn_status status =
      nsd_sized_read(&W, sizeof W, NSD_CONTACT_OPERATOR_LEAST, given, "nsdyn_contact_operator", fault);
  if (status) {
    return status;
  }
  /* Counts first, since they say how far all else reaches. Without bodies the rows are those of G itself. */
  if (W.bodies < 0 || W.columns < 0) {
    return refuse(fault, W.bodies < 0 ? "bodies is negative" : "columns is negative");
  }
  /* With bodies G = W M⁻¹ Wᵀ is symmetric by itself; given as G it has to be. */
  status = W.bodies ? check_bodies(&W, fault, poll) : NSDYN_OK;
  status = status ? status : check_rows(&W, rows, W.bodies ? W.columns : rows, fault, poll);
  return status || W.bodies ? status : check_symmetry(&W, rows, fault, poll);
}

nsdyn_status nsd_contact_check_matrix(const nsdyn_contact_problem *checked, const char *what,
                                      nsd_fault *fault)
{
  return checked->W ? nsd_fault_set(fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_FIELD,
                                    (int64_t)offsetof(nsdyn_contact_problem, W),
                                    "W: %s reads G as a matrix, not as an operator", what)
                    : NSDYN_OK;
}

static void lay_out(nsd_arena *arena, int **rows_of, nsd_contact_terms *terms, int cells, int rows,
                    int columns)
{
  *rows_of = nsd_arena_take(arena, (size_t)cells, sizeof **rows_of);
  nsd_contact_terms_lay_out(arena, terms, rows, columns);
}

nsdyn_status nsd_contact_read_operator(const nsdyn_contact_operator *checked, const nsdyn_contact_problem *p,
                                       nsd_arena *arena, nsd_operator *op, nsd_contact_terms *terms,
                                       nsd_fault *fault, nsd_poll *poll)
{
  const int cells = p->contacts + p->bilateral, rows = nsdyn_contact_rows(p);
  const int columns = checked->bodies ? checked->columns : rows;
  /* Stage 1. Memory: measured, then taken. */
  int *rows_of;
  nsd_contact_terms counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &rows_of, &counted, cells, rows, columns);
  nsdyn_status status = nsd_arena_reserve(arena, &measure);
  if (status == NSDYN_OK) {
    lay_out(arena, &rows_of, terms, cells, rows, columns);
    /* Stage 2. Cells: a contact with all its rows, or one bilateral row. */
    for (int i = 0; i < cells; i++) {
      rows_of[i] = i < p->contacts ? nsd_contact_law_rows(nsd_contact_law_at(p, i)) : 1;
    }
    /* Stage 3. What each cell's rows are made of, block by block; M too, by inverting the blocks of M⁻¹. */
    const nsd_operator_rows given = {
        .value = checked->value, .begin = checked->begin, .column = checked->column, .columns = columns};
    const nsd_operator_bodies bodies = {
        .size = checked->body, .inverse = checked->inverse, .bodies = checked->bodies};
    status = nsd_operator_read(op, cells, rows_of, &given, checked->bodies ? &bodies : NULL, poll);
  }
  if (status == NSDYN_ERR_NOT_DEFINITE) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_FIELD, (int64_t)offsetof(nsdyn_contact_problem, W),
                         "W: a body's inverse is not positive definite");
  }
  return status ? nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "no memory for an operator of %d rows",
                                rows)
                : NSDYN_OK;
}
