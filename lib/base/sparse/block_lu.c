/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Crout's order: row j of U and column j of L from all that stands above and left of them (Davis 2006,
 * chapter 6),
 *
 *     U_ji = A_ji − Σ_{k<j} L_jk U_ki,    L_ij = (A_ij − Σ_{k<j} L_ik U_kj) U_jj⁻¹,    i > j,
 *
 * where k goes through the columns that have an element in row j: lists of columns by their next row. */
#include "base/sparse/block_lu.h"

#include <math.h>
#include <string.h>

#include "base/kernels/simd.h"

nsd_block_lu nsd_block_lu_empty(nsdyn_context *ctx)
{
  return (nsd_block_lu){.structure = nsd_sparse_ldu_empty(ctx, NULL), .room = nsd_arena_empty(ctx)};
}

void nsd_block_lu_release(nsd_block_lu *f)
{
  nsd_sparse_ldu_release(&f->structure);
  nsd_arena_release(&f->room);
}

static void lay_out(nsd_arena *arena, nsd_block_lu *f)
{
  const size_t n = (size_t)f->n, widest = (size_t)f->widest;
  f->width = nsd_arena_take(arena, n, sizeof *f->width);
  f->first = nsd_arena_take(arena, n, sizeof *f->first);
  f->map = nsd_arena_take(arena, n, sizeof *f->map);
  f->head = nsd_arena_take(arena, n, sizeof *f->head);
  f->next = nsd_arena_take(arena, n, sizeof *f->next);
  f->pointer = nsd_arena_take(arena, n, sizeof *f->pointer);
  f->at = nsd_arena_take(arena, n + 1, sizeof *f->at);
  f->block = nsd_arena_take(arena, (size_t)f->structure.fill, sizeof *f->block);
  f->scratch = nsd_arena_take(arena, widest * (widest + 1), sizeof *f->scratch);
}

nsdyn_status nsd_block_lu_analyze(nsd_block_lu *f, int32_t n, const int32_t *width, const int64_t *begin,
                                  const int32_t *column, const double *zeros, nsd_poll *poll)
{
  /* Stage 1. Order and fill of the graph, as of a matrix of numbers. */
  const nsd_sparse graph = {.n = n, .row = begin, .column = column, .value = zeros};
  f->poll = f->structure.poll = poll;
  nsdyn_status status = nsd_sparse_ldu_analyze(&f->structure, &graph, 1, -1);
  if (status) {
    return status;
  }
  const nsd_sparse_ldu *s = &f->structure;
  f->n = n;
  f->widest = 1;
  size_t numbers = 0;
  for (int32_t k = 0; k < n; k++) {
    const size_t own = (size_t)width[s->order[k]];
    f->widest = width[k] > f->widest ? width[k] : f->widest;
    numbers += own * own;
    for (int64_t l = s->start[k]; l < s->start[k + 1]; l++) {
      numbers += 2 * own * (size_t)width[s->order[s->row[l]]];
    }
  }
  /* Stage 2. Room, and where blocks stand in it. */
  nsd_block_lu counted = *f;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted);
  (void)nsd_arena_take(&measure, numbers, sizeof *f->value);
  status = nsd_arena_reserve(&f->room, &measure);
  if (status) {
    return status;
  }
  lay_out(&f->room, f);
  f->value = nsd_arena_take(&f->room, numbers, sizeof *f->value);
  int32_t scalar = 0;
  for (int32_t i = 0; i < n; i++) {
    f->first[i] = scalar;
    scalar += width[i];
    f->width[s->place[i]] = width[i];
  }
  int64_t at = 0;
  f->work = 0.0;
  for (int32_t k = 0; k < n; k++) {
    int64_t columns = 0;
    f->at[k] = at;
    for (int64_t l = s->start[k]; l < s->start[k + 1]; l++) {
      f->block[l] = columns;
      columns += f->width[s->row[l]];
    }
    at += (int64_t)f->width[k] * (f->width[k] + 2 * columns);
    f->work += (double)f->width[k] * ((double)f->width[k] + (double)columns) *
               ((double)f->width[k] + (double)columns);
  }
  f->at[n] = at;
  return NSDYN_OK;
}

/* First numbers of U_kj and L_jk for the l-th element of column k. */
NSD_INLINE int64_t upper(const nsd_block_lu *f, int32_t k, int64_t l)
{
  return f->at[k] + (int64_t)f->width[k] * (f->width[k] + f->block[l]);
}

NSD_INLINE int64_t lower(const nsd_block_lu *f, int32_t k, int64_t l)
{
  const int64_t end = f->structure.start[k + 1] - 1;
  const int64_t columns = f->block[end] + f->width[f->structure.row[end]];
  return f->at[k] + (int64_t)f->width[k] * (f->width[k] + columns + f->block[l]);
}

int64_t nsd_block_lu_place(const nsd_block_lu *f, int32_t i, int32_t j)
{
  const nsd_sparse_ldu *s = &f->structure;
  const int32_t a = s->place[i], b = s->place[j], k = a < b ? a : b, other = a < b ? b : a;
  if (a == b) {
    return f->at[a];
  }
  int64_t low = s->start[k], high = s->start[k + 1];
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (s->row[middle] < other) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return a < b ? upper(f, k, low) : lower(f, k, low);
}

void nsd_block_lu_clear(nsd_block_lu *f)
{
  memset(f->value, 0, (size_t)f->at[f->n] * sizeof *f->value);
}

/* C (m × n) −= A (m × k) B (k × n) */
NSD_INLINE void subtract_product(int m, int k, int n, const double *restrict A, const double *restrict B,
                                 double *restrict C)
{
  for (int i = 0; i < m; i++) {
    int j = 0;
    for (; j + 2 <= n; j += 2) {
      nsd_lanes_2 sum = *(const nsd_lanes_2 *)(C + i * n + j);
      for (int l = 0; l < k; l++) {
        const nsd_lanes_2 a = {A[i * k + l], A[i * k + l]};
        sum -= a * *(const nsd_lanes_2 *)(B + l * n + j);
      }
      *(nsd_lanes_2 *)(C + i * n + j) = sum;
    }
    for (; j < n; j++) {
      double sum = C[i * n + j];
      for (int l = 0; l < k; l++) {
        sum -= A[i * k + l] * B[l * n + j];
      }
      C[i * n + j] = sum;
    }
  }
}

static void subtract_six(const double *A, const double *B, double *C)
{
  subtract_product(6, 6, 6, A, B, C);
}

static void subtract(int m, int k, int n, const double *A, const double *B, double *C)
{
  if (m == 6 && k == 6 && n == 6) {
    subtract_six(A, B, C);
  } else {
    subtract_product(m, k, n, A, B, C);
  }
}

/* D := D⁻¹ by Gauss and Jordan with the largest pivot of each column. Returns whether there is one. */
static int invert(int n, double *D, double *scratch)
{
  double *B = scratch; /* n × n: becomes the inverse */
  memset(B, 0, (size_t)n * (size_t)n * sizeof *B);
  for (int i = 0; i < n; i++) {
    B[i * n + i] = 1.0;
  }
  for (int c = 0; c < n; c++) {
    int p = c;
    for (int i = c + 1; i < n; i++) {
      p = fabs(D[i * n + c]) > fabs(D[p * n + c]) ? i : p;
    }
    const double pivot = D[p * n + c];
    if (!(fabs(pivot) > 0.0) || !isfinite(pivot)) {
      return 0;
    }
    for (int j = 0; j < n; j++) {
      const double d = D[p * n + j], b = B[p * n + j];
      D[p * n + j] = D[c * n + j];
      B[p * n + j] = B[c * n + j];
      D[c * n + j] = d / pivot;
      B[c * n + j] = b / pivot;
    }
    for (int i = 0; i < n; i++) {
      const double factor = D[i * n + c];
      if (i == c || factor == 0.0) {
        continue;
      }
      for (int j = 0; j < n; j++) {
        D[i * n + j] -= factor * D[c * n + j];
        B[i * n + j] -= factor * B[c * n + j];
      }
    }
  }
  memcpy(D, B, (size_t)n * (size_t)n * sizeof *D);
  return 1;
}

/* Column k joins the list of the row of its element l. */
static void enlist(nsd_block_lu *f, int32_t k, int64_t l)
{
  f->pointer[k] = l;
  if (l < f->structure.start[k + 1]) {
    const int32_t row = f->structure.row[l];
    f->next[k] = f->head[row];
    f->head[row] = k;
  }
}

/* What column k of L and row k of U take from row j of U and column j of L, which are element l of theirs. */
static void subtract_column(nsd_block_lu *f, int32_t j, int32_t k, int64_t l)
{
  const nsd_sparse_ldu *s = &f->structure;
  const int w = f->width[j], own = f->width[k];
  const double *L_jk = f->value + lower(f, k, l), *U_kj = f->value + upper(f, k, l);
  subtract(w, own, w, L_jk, U_kj, f->value + f->at[j]);
  for (int64_t e = l + 1; e < s->start[k + 1]; e++) {
    const int32_t i = s->row[e];
    const int64_t to = f->map[i];
    subtract(w, own, f->width[i], L_jk, f->value + upper(f, k, e), f->value + upper(f, j, to));
    subtract(f->width[i], own, w, f->value + lower(f, k, e), U_kj, f->value + lower(f, j, to));
  }
}

int nsd_block_lu_factor(nsd_block_lu *f)
{
  const nsd_sparse_ldu *s = &f->structure;
  for (int32_t j = 0; j < f->n; j++) {
    f->head[j] = -1;
  }
  for (int32_t j = 0; j < f->n; j++) {
    const int w = f->width[j];
    for (int64_t l = s->start[j]; l < s->start[j + 1]; l++) {
      f->map[s->row[l]] = (int32_t)l;
    }
    for (int32_t k = f->head[j], next; k >= 0; k = next) {
      next = f->next[k];
      subtract_column(f, j, k, f->pointer[k]);
      if (nsd_poll_stops(f->poll, 2.0 * f->width[k] * w * (double)(f->at[k + 1] - f->at[k]))) {
        return 0;
      }
      enlist(f, k, f->pointer[k] + 1);
    }
    if (!invert(w, f->value + f->at[j], f->scratch)) {
      return 0;
    }
    /* L_ij := −(what stands there) (−U_jj⁻¹) */
    for (int64_t l = s->start[j]; l < s->start[j + 1]; l++) {
      const int rows = f->width[s->row[l]];
      double *L = f->value + lower(f, j, l);
      for (int i = 0; i < rows; i++) {
        for (int c = 0; c < w; c++) {
          double sum = 0.0;
          for (int m = 0; m < w; m++) {
            sum += L[i * w + m] * f->value[f->at[j] + m * w + c];
          }
          f->scratch[c] = sum;
        }
        memcpy(L + (ptrdiff_t)i * w, f->scratch, (size_t)w * sizeof *L);
      }
    }
    enlist(f, j, s->start[j]);
  }
  return 1;
}

void nsd_block_lu_solve(const nsd_block_lu *f, double *x, double *work)
{
  const nsd_sparse_ldu *s = &f->structure;
  /* L z = x, by columns, in place. */
  for (int32_t k = 0; k < f->n; k++) {
    const double *z = x + f->first[s->order[k]];
    for (int64_t l = s->start[k]; l < s->start[k + 1]; l++) {
      const double *L = f->value + lower(f, k, l);
      double *to = x + f->first[s->order[s->row[l]]];
      for (int i = 0; i < f->width[s->row[l]]; i++) {
        for (int j = 0; j < f->width[k]; j++) {
          to[i] -= L[i * f->width[k] + j] * z[j];
        }
      }
    }
  }
  /* U x = z, by rows. */
  for (int32_t k = f->n - 1; k >= 0; k--) {
    double *z = x + f->first[s->order[k]];
    const int w = f->width[k];
    for (int64_t l = s->start[k]; l < s->start[k + 1]; l++) {
      const double *U = f->value + upper(f, k, l);
      const double *from = x + f->first[s->order[s->row[l]]];
      const int columns = f->width[s->row[l]];
      for (int i = 0; i < w; i++) {
        for (int j = 0; j < columns; j++) {
          z[i] -= U[i * columns + j] * from[j];
        }
      }
    }
    memcpy(work, z, (size_t)w * sizeof *z);
    for (int i = 0; i < w; i++) {
      z[i] = 0.0;
      for (int j = 0; j < w; j++) {
        z[i] += f->value[f->at[k] + i * w + j] * work[j];
      }
    }
  }
}
