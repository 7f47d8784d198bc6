/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/operator.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/kernels/simd.h"

enum { ROWS = NSD_CELL_ROWS };

void nsd_operator_init(nsd_operator *op, nsdyn_context *ctx)
{
  *op = (nsd_operator){.index_room = nsd_arena_empty(ctx), .block_room = nsd_arena_empty(ctx)};
}

void nsd_operator_release(nsd_operator *op)
{
  nsd_arena_release(&op->index_room);
  nsd_arena_release(&op->block_room);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static void lay_out_index(nsd_arena *arena, nsd_operator *op)
{
  const size_t cells = (size_t)op->cells, groups = (size_t)op->groups;
  op->row = nsd_arena_take(arena, cells + 1, sizeof *op->row);
  op->group = nsd_arena_take(arena, groups + 1, sizeof *op->group);
  op->group_of = nsd_arena_take(arena, (size_t)op->columns, sizeof *op->group_of);
  op->mark = nsd_arena_take(arena, groups, sizeof *op->mark);
  op->inverse_at = nsd_arena_take(arena, op->is_free ? groups + 1 : 0, sizeof *op->inverse_at);
  op->line = nsd_arena_take(arena, cells + 1, sizeof *op->line);
  op->first = nsd_arena_take(arena, cells + 1, sizeof *op->first);
  op->own = nsd_arena_take(arena, cells, ROWS * ROWS * sizeof *op->own);
}

static void lay_out_blocks(nsd_arena *arena, nsd_operator *op, size_t blocks, size_t elements, size_t masses)
{
  op->of = nsd_arena_take(arena, blocks, sizeof *op->of);
  op->part = nsd_arena_take(arena, blocks, sizeof *op->part);
  op->block = nsd_arena_take(arena, elements, sizeof *op->block);
  op->drive = nsd_arena_take(arena, op->is_free ? elements : 0, sizeof *op->drive);
  op->mass = nsd_arena_take(arena, masses, sizeof *op->mass);
}

/* Where cells and groups begin, and which group a column belongs to. */
static void number(nsd_operator *op, const int *rows_of, const nsd_operator_bodies *bodies)
{
  /* Columns of W are velocities, which hang together by bodies; columns of G impulses, which do by cells. */
  op->row[0] = op->group[0] = 0;
  if (bodies) {
    op->inverse_at[0] = 0;
  }
  for (int i = 0; i < op->cells; i++) {
    op->row[i + 1] = op->row[i] + rows_of[i];
  }
  for (int g = 0; g < op->groups; g++) {
    op->group[g + 1] = op->group[g] + (bodies ? bodies->size[g] : rows_of[g]);
    for (int j = op->group[g]; j < op->group[g + 1]; j++) {
      op->group_of[j] = g;
    }
    op->mark[g] = -1;
    if (bodies) {
      const size_t n = (size_t)bodies->size[g];
      op->inverse_at[g + 1] = op->inverse_at[g] + n * n;
    }
  }
}

/* The elements of a row: how many, their values, and their columns (NULL: 0, 1, …). */
static size_t elements_of(const nsd_operator_rows *given, int row, const double **value,
                          const int32_t **column)
{
  if (!given->column) {
    *value = given->value + (size_t)row * (size_t)given->stride;
    *column = NULL;
    return (size_t)given->columns;
  }
  *value = given->value + given->begin[row];
  *column = given->column + given->begin[row];
  return (size_t)(given->begin[row + 1] - given->begin[row]);
}

/* Whether column j of a part is not zero in some row. */
static int is_written(const nsd_row *row, int p, const double *numbers, int j)
{
  int any = 0;
  for (int i = 0; i < row->rows; i++) {
    any |= numbers[(ptrdiff_t)i * row->part[p].n + j] != 0.0;
  }
  return any;
}

/* The same as find_groups() of a cell whose rows are told by their parts, which are sorted. */
static size_t find_told_groups(nsd_operator *op, int cell, const nsd_operator_rows *given, int *list,
                               size_t *elements)
{
  const nsd_row row = given->row_of(given->user, cell);
  const double *at = row.w;
  size_t count = 0;
  for (int p = 0; p < row.parts; p++) {
    const double *numbers = nsd_row_part(&row, p, &at);
    for (int j = 0; j < row.part[p].n; j++) {
      const int g = op->group_of[row.part[p].first + j];
      if (op->mark[g] == cell || !is_written(&row, p, numbers, j)) {
        continue;
      }
      op->mark[g] = cell;
      *elements += (size_t)row.rows * (size_t)(op->group[g + 1] - op->group[g]);
      if (list) {
        list[count] = g;
      }
      count++;
    }
  }
  return count;
}

/* The groups in which a row of the cell is not zero, each once, into `list` (NULL: they are only counted);
 * *elements grows by the size of their blocks. The cell's own block counts whatever stands there. */
static size_t find_groups(nsd_operator *op, int cell, const nsd_operator_rows *given, int *list,
                          size_t *elements)
{
  /* mark[g] = cell: g is in the list already. */
  const size_t rows = (size_t)nsd_operator_rows_of(op, cell);
  size_t count = 0;
  if (given->row_of) {
    return find_told_groups(op, cell, given, list, elements);
  }
  if (!op->is_free) {
    op->mark[cell] = cell;
    *elements += rows * rows;
    if (list) {
      list[count] = cell;
    }
    count++;
  }
  for (int i = op->row[cell]; i < op->row[cell + 1]; i++) {
    const double *value;
    const int32_t *column;
    const size_t n = elements_of(given, i, &value, &column);
    for (size_t e = 0; e < n; e++) {
      const int g = op->group_of[column ? column[e] : (int)e];
      if (value[e] == 0.0 || op->mark[g] == cell) {
        continue;
      }
      op->mark[g] = cell;
      *elements += rows * (size_t)(op->group[g + 1] - op->group[g]);
      if (list) {
        size_t place = count; /* sorted in: from left to right */
        for (; place > 0 && list[place - 1] > g; place--) {
          list[place] = list[place - 1];
        }
        list[place] = g;
      }
      count++;
    }
  }
  return count;
}

/* Blocks and elements of all lines; the marks are as before. */
static int count_blocks(nsd_operator *op, const nsd_operator_rows *given, size_t *elements, nsd_poll *poll)
{
  *elements = 0;
  op->line[0] = 0;
  for (int cell = 0; cell < op->cells; cell++) {
    op->first[cell] = *elements;
    const size_t before = *elements;
    op->line[cell + 1] = op->line[cell] + find_groups(op, cell, given, NULL, elements);
    if (nsd_poll_stops(poll, (given->column || given->row_of ? 0.0 : (double)ROWS * given->columns) +
                                 (double)(*elements - before))) {
      return 0;
    }
  }
  op->first[op->cells] = *elements;
  for (int g = 0; g < op->groups; g++) {
    op->mark[g] = -1;
  }
  return 1;
}

/* The blocks of a line whose rows are told by their parts. */
static void copy_told(const nsd_operator *op, int cell, const nsd_operator_rows *given, double *block)
{
  const nsd_row row = given->row_of(given->user, cell);
  const int *list = op->of + op->line[cell];
  const double *at = row.w;
  for (int p = 0; p < row.parts; p++) {
    const double *numbers = nsd_row_part(&row, p, &at);
    for (int j = 0; j < row.part[p].n; j++) {
      if (!is_written(&row, p, numbers, j)) {
        continue;
      }
      const int column = row.part[p].first + j;
      for (; *list != op->group_of[column]; list++) {
        block += row.rows * (op->group[*list + 1] - op->group[*list]);
      }
      const int width = op->group[*list + 1] - op->group[*list];
      for (int i = 0; i < row.rows; i++) {
        block[i * width + (column - op->group[*list])] = numbers[(ptrdiff_t)i * row.part[p].n + j];
      }
    }
  }
}

/* The line of a cell: its blocks of G, or of W. */
static void fill_line(nsd_operator *op, int cell, const nsd_operator_rows *given)
{
  const int rows = nsd_operator_rows_of(op, cell);
  size_t elements = 0;
  int *list = op->of + op->line[cell];
  const size_t count = find_groups(op, cell, given, list, &elements);
  double *block = op->block + op->first[cell];
  memset(block, 0, elements * sizeof *block);
  for (size_t b = 0; b < count; b++) {
    op->part[op->line[cell] + b] =
        (nsd_part){.first = op->group[list[b]], .n = op->group[list[b] + 1] - op->group[list[b]]};
  }
  if (given->row_of) {
    copy_told(op, cell, given, block);
    return;
  }
  /* Elements come in the order of their columns, as the blocks do: each row walks along the list once. */
  for (int i = 0; i < rows; i++) {
    const double *value;
    const int32_t *column;
    const size_t n = elements_of(given, op->row[cell] + i, &value, &column);
    double *at = block;
    size_t b = 0;
    for (size_t e = 0; e < n; e++) {
      const int j = column ? column[e] : (int)e;
      if (value[e] == 0.0) {
        continue;
      }
      while (list[b] != op->group_of[j]) {
        at += rows * (op->group[list[b] + 1] - op->group[list[b]]);
        b++;
      }
      const int g = list[b], width = op->group[g + 1] - op->group[g];
      at[i * width + (j - op->group[g])] = value[e];
    }
  }
  NSD_ASSERT(count == op->line[cell + 1] - op->line[cell]);
  (void)count;
}

/* W M⁻¹ of a line, and the cell's own block W M⁻¹ Wᵀ. */
static void drive_line(nsd_operator *op, int cell, const double *inverse)
{
  const int rows = nsd_operator_rows_of(op, cell);
  const double *W = op->block + op->first[cell];
  double *X = op->drive + op->first[cell];
  double *own = op->own + (size_t)cell * ROWS * ROWS;
  for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
    const int n = op->group[op->of[e] + 1] - op->group[op->of[e]];
    const double *M = inverse + op->inverse_at[op->of[e]];
    /* X_b = W_b M_b⁻¹ of body b … */
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
          sum += W[i * n + k] * M[k * n + j];
        }
        X[i * n + j] = sum;
      }
    }
    /* … and G_ii = Σ_b X_b W_bᵀ. */
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < rows; j++) {
        for (int k = 0; k < n; k++) {
          own[i * ROWS + j] += X[i * n + k] * W[j * n + k];
        }
      }
    }
    W += rows * n;
    X += rows * n;
  }
}

/* The block of G on the diagonal, which stands in the line. */
static void copy_own(nsd_operator *op, int cell)
{
  const int rows = nsd_operator_rows_of(op, cell);
  const double *block = op->block + op->first[cell];
  double *own = op->own + (size_t)cell * ROWS * ROWS;
  for (size_t e = op->line[cell]; op->of[e] != cell; e++) {
    block += rows * nsd_operator_rows_of(op, op->of[e]);
  }
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      own[i * ROWS + j] = block[i * rows + j];
    }
  }
}

/* M from M⁻¹, body by body: Gauss and Jordan on a positive definite block. */
static nsdyn_status invert_blocks(nsd_operator *op)
{
  for (int g = 0; g < op->groups; g++) {
    const int n = op->group[g + 1] - op->group[g];
    double *A = op->mass + op->inverse_at[g];
    /* Column k becomes a unit vector, and A its inverse in place. Pivots of a definite block are positive in
     * whatever order: one that is not says that the block is none. */
    for (int k = 0; k < n; k++) {
      const double pivot = 1.0 / A[k * n + k];
      if (!(pivot > 0.0 && pivot < (double)INFINITY)) {
        return NSDYN_ERR_NOT_DEFINITE;
      }
      A[k * n + k] = 1.0;
      for (int j = 0; j < n; j++) {
        A[k * n + j] *= pivot;
      }
      for (int i = 0; i < n; i++) {
        const double factor = A[i * n + k];
        if (i == k || factor == 0.0) {
          continue;
        }
        A[i * n + k] = 0.0;
        for (int j = 0; j < n; j++) {
          A[i * n + j] -= factor * A[k * n + j];
        }
      }
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_operator_read(nsd_operator *op, int cells, const int *rows_of,
                               const nsd_operator_rows *given, const nsd_operator_bodies *bodies,
                               nsd_poll *poll)
{
  /* Stage 1. Cells, and the groups that columns hang together by. */
  op->cells = cells;
  op->is_free = bodies != NULL;
  op->groups = bodies ? bodies->bodies : cells;
  op->columns = given->columns;
  op->rows = 0;
  for (int i = 0; i < cells; i++) {
    op->rows += rows_of[i];
  }
  nsd_operator counted = *op;
  nsd_arena measure = nsd_arena_measure();
  lay_out_index(&measure, &counted);
  nsdyn_status status = nsd_arena_reserve(&op->index_room, &measure);
  if (status) {
    return status;
  }
  lay_out_index(&op->index_room, op);
  number(op, rows_of, bodies);
  /* Stage 2. How many blocks there are, and room for them. */
  size_t elements;
  if (!count_blocks(op, given, &elements, poll)) {
    return NSDYN_CANCELLED;
  }
  measure = nsd_arena_measure();
  const size_t masses = op->is_free ? op->inverse_at[op->groups] : 0;
  lay_out_blocks(&measure, &counted, op->line[cells], elements, masses);
  status = nsd_arena_reserve(&op->block_room, &measure);
  if (status) {
    return status;
  }
  lay_out_blocks(&op->block_room, op, op->line[cells], elements, masses);
  /* Stage 3. The blocks, and those on the diagonal. */
  memset(op->own, 0, (size_t)cells * ROWS * ROWS * sizeof *op->own);
  for (int cell = 0; cell < cells && status == NSDYN_OK; cell++) {
    fill_line(op, cell, given);
    if (!bodies) {
      copy_own(op, cell);
    }
    const double work = (given->column || given->row_of ? 0.0 : (double)ROWS * given->columns) +
                        8.0 * (double)(op->first[cell + 1] - op->first[cell]);
    status = nsd_poll_stops(poll, work) ? NSDYN_CANCELLED : NSDYN_OK;
  }
  if (status || !bodies || !bodies->inverse) {
    return status;
  }
  memcpy(op->mass, bodies->inverse, masses * sizeof *op->mass);
  return nsd_operator_drive(op, poll);
}

nsdyn_status nsd_operator_drive(nsd_operator *op, nsd_poll *poll)
{
  memset(op->own, 0, (size_t)op->cells * ROWS * ROWS * sizeof *op->own);
  for (int cell = 0; cell < op->cells; cell++) {
    drive_line(op, cell, op->mass); /* M⁻¹ still */
    if (nsd_poll_stops(poll, 8.0 * (double)(op->first[cell + 1] - op->first[cell]))) {
      return NSDYN_CANCELLED;
    }
  }
  return invert_blocks(op);
}

/* ---- products ---------------------------------------------------------------------------------------- */

/* y (rows) += B x, with B row-major. Most blocks are one of a few shapes, which the compiler unrolls. */
NSD_INLINE void add_product(int rows, int n, const double *B, const double *x, double *y)
{
  for (int i = 0; i < rows; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
      sum += B[i * n + j] * x[j];
    }
    y[i] += sum;
  }
}

/* x (n) += Bᵀ d. */
NSD_INLINE void add_transposed(int rows, int n, const double *B, const double *d, double *x)
{
  for (int j = 0; j < n; j++) {
    double sum = 0.0;
    for (int i = 0; i < rows; i++) {
      sum += B[i * n + j] * d[i];
    }
    x[j] += sum;
  }
}

/* y (rows) += |B| x. */
static void add_sizes(int rows, int n, const double *B, const double *x, double *y)
{
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < n; j++) {
      y[i] += fabs(B[i * n + j]) * x[j];
    }
  }
}

void nsd_operator_product(const nsd_operator *op, int cell, const double *state, double *y)
{
  const int rows = nsd_operator_rows_of(op, cell);
  const double *B = op->block + op->first[cell];
  y[0] = 0.0;
  for (int i = 1; i < rows; i++) {
    y[i] = 0.0;
  }
  /* y = Σ_b B_b x_b over the blocks of the line: G Λ, or W v. */
  for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
    const int at = op->group[op->of[e]], n = op->group[op->of[e] + 1] - at;
    const double *x = state + at;
    if (rows == 3 && n == 3) {
      add_product(3, 3, B, x, y);
    } else if (rows == 3 && n == 6) {
      add_product(3, 6, B, x, y);
    } else {
      add_product(rows, n, B, x, y);
    }
    B += rows * n;
  }
}

void nsd_operator_others(const nsd_operator *op, int cell, const double *state, const double *Lambda,
                         double *y)
{
  const int rows = nsd_operator_rows_of(op, cell);
  const double *own = op->own + (size_t)cell * ROWS * ROWS;
  const double *L = Lambda + op->row[cell];
  /* (G Λ)_i − G_ii Λ_i. */
  nsd_operator_product(op, cell, state, y);
  for (int i = 0; i < rows; i++) {
    double sum = 0.0;
    for (int j = 0; j < rows; j++) {
      sum += own[i * ROWS + j] * L[j];
    }
    y[i] -= sum;
  }
}

void nsd_operator_change(const nsd_operator *op, int cell, const double *d, double *state)
{
  const int rows = nsd_operator_rows_of(op, cell);
  if (!op->is_free) {
    for (int i = 0; i < rows; i++) {
      state[op->row[cell] + i] += d[i];
    }
    return;
  }
  /* v += (W M⁻¹)ᵀ dΛ */
  const double *X = op->drive + op->first[cell];
  for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
    const int at = op->group[op->of[e]], n = op->group[op->of[e] + 1] - at;
    if (rows == 3 && n == 6) {
      add_transposed(3, 6, X, d, state + at);
    } else {
      add_transposed(rows, n, X, d, state + at);
    }
    X += rows * n;
  }
}

void nsd_operator_start(const nsd_operator *op, const double *Lambda, double *state)
{
  for (int j = 0; j < op->columns; j++) {
    state[j] = op->is_free ? 0.0 : Lambda[j];
  }
  for (int cell = 0; op->is_free && cell < op->cells; cell++) {
    nsd_operator_change(op, cell, Lambda + op->row[cell], state);
  }
}

void nsd_operator_multiply(const nsd_operator *op, const double *Lambda, double *state, double *y)
{
  nsd_operator_start(op, Lambda, state);
  for (int cell = 0; cell < op->cells; cell++) {
    nsd_operator_product(op, cell, state, y + op->row[cell]);
  }
}

void nsd_operator_start_sizes(const nsd_operator *op, const double *Lambda, double *sizes)
{
  for (int j = 0; j < op->columns; j++) {
    sizes[j] = op->is_free ? 0.0 : fabs(Lambda[j]);
  }
  /* |v| <= Σ |W M⁻¹|ᵀ |Λ| */
  for (int cell = 0; op->is_free && cell < op->cells; cell++) {
    const int rows = nsd_operator_rows_of(op, cell);
    const double *X = op->drive + op->first[cell];
    for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
      const int at = op->group[op->of[e]], n = op->group[op->of[e] + 1] - at;
      for (int j = 0; j < n; j++) {
        for (int i = 0; i < rows; i++) {
          sizes[at + j] += fabs(X[i * n + j] * Lambda[op->row[cell] + i]);
        }
      }
      X += rows * n;
    }
  }
}

void nsd_operator_product_sizes(const nsd_operator *op, int cell, const double *sizes, double *y)
{
  const int rows = nsd_operator_rows_of(op, cell);
  const double *B = op->block + op->first[cell];
  for (int i = 0; i < rows; i++) {
    y[i] = 0.0;
  }
  for (size_t e = op->line[cell]; e < op->line[cell + 1]; e++) {
    const int at = op->group[op->of[e]], n = op->group[op->of[e] + 1] - at;
    add_sizes(rows, n, B, sizes + at, y);
    B += rows * n;
  }
}

nsdyn_status nsd_operator_matrix(const nsd_operator *op, double *unit, double *G, nsd_poll *poll)
{
  /* By its columns: what a unit impulse in one row does to all. */
  for (int cell = 0; cell < op->cells; cell++) {
    for (int i = 0; i < nsd_operator_rows_of(op, cell); i++) {
      double push[NSD_CELL_ROWS] = {0.0, 0.0, 0.0}, column[NSD_CELL_ROWS];
      push[i] = 1.0;
      memset(unit, 0, (size_t)op->columns * sizeof *unit);
      nsd_operator_change(op, cell, push, unit);
      for (int other = 0; other < op->cells; other++) {
        nsd_operator_product(op, other, unit, column);
        for (int k = 0; k < nsd_operator_rows_of(op, other); k++) {
          G[(size_t)(op->row[other] + k) * (size_t)op->rows + (size_t)(op->row[cell] + i)] = column[k];
        }
      }
      if (nsd_poll_stops(poll, 2.0 * (double)op->first[op->cells])) {
        return NSDYN_CANCELLED;
      }
    }
  }
  return NSDYN_OK;
}
