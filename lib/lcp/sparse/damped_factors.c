/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/sparse/damped_factors.h"

enum { MOST_PARTNERS = 24, MOST_WIDTH = 32 };

nsd_damped_factors nsd_damped_factors_empty(nsdyn_context *ctx)
{
  return (nsd_damped_factors){.room = nsd_arena_empty(ctx), .lu = nsd_block_lu_empty(ctx)};
}

void nsd_damped_factors_release(nsd_damped_factors *f)
{
  nsd_arena_release(&f->room);
  nsd_block_lu_release(&f->lu);
}

/* What the structure is worked out with. */
typedef struct graph {
  int32_t *joined;       /* n: another row of the same block, on the way to its first */
  int32_t *row_at;       /* n: the row that stands there by f->scalar */
  int64_t *begin_t;      /* n + 1: where columns of A begin */
  int32_t *row_t;        /* elements: their rows */
  int32_t *mark;         /* n */
  int64_t *begin;        /* n + 1: neighbours of blocks, as they are found */
  int32_t *column;       /* 2 elements + n */
  int64_t *sorted_begin; /* the same in ascending order */
  int32_t *sorted;
  double *zeros;
} graph;

static void lay_out(nsd_arena *arena, nsd_damped_factors *f, graph *g, size_t n, size_t elements)
{
  int32_t **const ints[] = {&f->width,  &f->block_of, &f->within, &f->scalar,
                            &f->mirror, &g->joined,   &g->row_at, &g->mark};
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
    *ints[i] = nsd_arena_take(arena, n, sizeof(int32_t));
  }
  f->at = nsd_arena_take(arena, elements, sizeof *f->at);
  f->diagonal_at = nsd_arena_take(arena, n, sizeof *f->diagonal_at);
  f->size = nsd_arena_take(arena, n, sizeof *f->size);
  f->ordered = nsd_arena_take(arena, n, sizeof *f->ordered);
  f->work = nsd_arena_take(arena, n, sizeof *f->work);
  g->begin_t = nsd_arena_take(arena, n + 1, sizeof *g->begin_t);
  g->row_t = nsd_arena_take(arena, elements, sizeof *g->row_t);
  const size_t most = 2 * elements + n;
  g->begin = nsd_arena_take(arena, n + 1, sizeof *g->begin);
  g->column = nsd_arena_take(arena, most, sizeof *g->column);
  g->sorted_begin = nsd_arena_take(arena, n + 1, sizeof *g->sorted_begin);
  g->sorted = nsd_arena_take(arena, most, sizeof *g->sorted);
  g->zeros = nsd_arena_take(arena, most, sizeof *g->zeros);
}

/* A_ij, zero where there is none. */
static double element(const nsd_sparse *A, int32_t i, int32_t j)
{
  int64_t low = A->row[i], high = A->row[i + 1];
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (A->column[middle] < j) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < A->row[i + 1] && A->column[low] == j ? A->value[low] : 0.0;
}

static double usable(double size)
{
  return size > 0.0 && size < (double)INFINITY ? size : 1.0;
}

/* r: |A_ii|, then max_j |A_ij A_ji| / r_j of rows where that is zero. */
static void find_sizes(const nsd_damped_factors *f)
{
  const nsd_sparse *A = &f->p->A;
  for (int32_t i = 0; i < A->n; i++) {
    f->size[i] = fabs(element(A, i, i));
    f->work[i] = 0.0;
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH);
  }
  for (int32_t j = 0; j < A->n; j++) {
    for (int64_t k = A->row[j]; k < A->row[j + 1] && f->size[j] > 0.0; k++) {
      const int32_t i = A->column[k];
      if (f->size[i] == 0.0) {
        f->work[i] = fmax(f->work[i], fabs(element(A, i, j) * A->value[k]) / f->size[j]);
      }
    }
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH * (double)(A->row[j + 1] - A->row[j]));
  }
  for (int32_t i = 0; i < A->n; i++) {
    f->size[i] = usable(f->size[i] > 0.0 ? f->size[i] : f->work[i]);
    (void)nsd_poll_stops(f->poll, NSD_POLL_READ);
  }
}

static int32_t first_of(int32_t *joined, int32_t i)
{
  while (joined[i] != i) {
    joined[i] = joined[joined[i]];
    i = joined[i];
  }
  return i;
}

/* Rows without a diagonal element and the unknowns in them come together. Numbers the blocks by their first
 * rows. 0 where one is wide. */
static int find_blocks(nsd_damped_factors *f, const graph *g)
{
  const nsd_sparse *A = &f->p->A;
  const int32_t n = A->n;
  for (int32_t i = 0; i < n; i++) {
    g->joined[i] = i;
    f->block_of[i] = -1;
  }
  for (int32_t i = 0; i < n; i++) {
    const int64_t partners = A->row[i + 1] - A->row[i];
    if (partners <= MOST_PARTNERS && element(A, i, i) == 0.0) {
      for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
        g->joined[first_of(g->joined, A->column[k])] = first_of(g->joined, i);
      }
    }
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH * (double)MOST_PARTNERS);
  }
  f->blocks = 0;
  for (int32_t i = 0; i < n; i++) {
    const int32_t first = first_of(g->joined, i);
    if (f->block_of[first] < 0) {
      f->width[f->blocks] = 0;
      f->block_of[first] = f->blocks++;
    }
    f->block_of[i] = f->block_of[first];
    f->within[i] = f->width[f->block_of[i]]++;
    if (f->width[f->block_of[i]] > MOST_WIDTH) {
      return 0;
    }
    (void)nsd_poll_stops(f->poll, 2.0 * NSD_POLL_FETCH);
  }
  /* Rows one block behind the other. */
  for (int32_t b = 0, from = 0; b < f->blocks; b++) {
    g->mark[b] = from;
    from += f->width[b];
  }
  for (int32_t i = 0; i < n; i++) {
    f->scalar[i] = g->mark[f->block_of[i]] + f->within[i];
    g->row_at[f->scalar[i]] = i;
  }
  return 1;
}

/* Pairs in a block that push in opposite directions: A_ii = A_jj = −A_ij = −A_ji, b_i = −b_j. */
static void find_mirrors(const nsd_damped_factors *f)
{
  const nsd_sparse *A = &f->p->A;
  for (int32_t i = 0; i < A->n; i++) {
    f->mirror[i] = -1;
  }
  for (int32_t i = 0; i < A->n; i++) {
    const double own = element(A, i, i);
    for (int64_t k = A->row[i]; k < A->row[i + 1] && own > 0.0 && f->mirror[i] < 0; k++) {
      const int32_t j = A->column[k];
      if (j > i && A->value[k] == -own && f->block_of[j] == f->block_of[i] && f->mirror[j] < 0 &&
          f->p->b[i] == -f->p->b[j] && element(A, j, j) == own && element(A, j, i) == -own) {
        f->mirror[i] = j;
        f->mirror[j] = i;
      }
    }
    (void)nsd_poll_stops(f->poll, NSD_POLL_READ * (double)(A->row[i + 1] - A->row[i] + 8));
  }
}

/* Columns of A: their rows. */
static void transpose(const nsd_sparse *A, const graph *g, nsd_poll *poll)
{
  const int64_t elements = A->row[A->n];
  for (int32_t j = 0; j <= A->n; j++) {
    g->begin_t[j] = 0;
  }
  for (int64_t k = 0; k < elements; k++) {
    g->begin_t[A->column[k] + 1]++;
  }
  for (int32_t j = 0; j < A->n; j++) {
    g->begin_t[j + 1] += g->begin_t[j];
    g->mark[j] = 0;
  }
  for (int32_t i = 0; i < A->n; i++) {
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      const int32_t j = A->column[k];
      g->row_t[g->begin_t[j] + g->mark[j]++] = i;
    }
    (void)nsd_poll_stops(poll, NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i]));
  }
}

/* The blocks that share an element with each block, itself among them, in ascending order: each is met in the
 * list of the other, and lists are filled in the order of the blocks. */
static void find_neighbours(const nsd_damped_factors *f, const graph *g)
{
  const nsd_sparse *A = &f->p->A;
  int64_t count = 0;
  for (int32_t b = 0; b < f->blocks; b++) {
    g->mark[b] = -1;
  }
  for (int32_t b = 0, at = 0; b < f->blocks; b++) {
    g->begin[b] = count;
    g->mark[b] = b;
    g->column[count++] = b;
    for (int32_t end = at + f->width[b]; at < end; at++) {
      const int32_t i = g->row_at[at];
      for (int64_t k = A->row[i]; k < A->row[i + 1] + (g->begin_t[i + 1] - g->begin_t[i]); k++) {
        const int64_t beyond = k - A->row[i + 1];
        const int32_t other = f->block_of[beyond < 0 ? A->column[k] : g->row_t[g->begin_t[i] + beyond]];
        if (g->mark[other] != b) {
          g->mark[other] = b;
          g->column[count++] = other;
        }
      }
      (void)nsd_poll_stops(f->poll, 2.0 * NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i] + 1));
    }
  }
  g->begin[f->blocks] = count;
  for (int32_t b = 0; b <= f->blocks; b++) {
    g->sorted_begin[b] = g->begin[b];
  }
  for (int32_t b = 0; b < f->blocks; b++) {
    for (int64_t k = g->begin[b]; k < g->begin[b + 1]; k++) {
      g->zeros[k] = 0.0;
      g->sorted[g->sorted_begin[g->column[k]]++] = b;
    }
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH * (double)(g->begin[b + 1] - g->begin[b]));
  }
}

/* Where each element of A and of the diagonal stands in the factors. */
static void find_places(const nsd_damped_factors *f)
{
  const nsd_sparse *A = &f->p->A;
  for (int32_t i = 0; i < A->n; i++) {
    const int32_t block = f->block_of[i];
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      const int32_t j = A->column[k], other = f->block_of[j];
      f->at[k] =
          nsd_block_lu_place(&f->lu, block, other) + (int64_t)f->within[i] * f->width[other] + f->within[j];
    }
    f->diagonal_at[i] =
        nsd_block_lu_place(&f->lu, block, block) + (int64_t)f->within[i] * (f->width[block] + 1);
    (void)nsd_poll_stops(f->poll, 4.0 * NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i]));
  }
}

nsdyn_status nsd_damped_factors_read(nsd_damped_factors *f, const nsd_sparse_problem *p, nsd_poll *poll)
{
  const size_t n = (size_t)p->A.n, elements = (size_t)p->A.row[p->A.n];
  graph g;
  /* 1. Memory. */
  nsd_damped_factors counted = *f;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, &g, n, elements);
  nsdyn_status status = nsd_arena_reserve(&f->room, &measure);
  if (status) {
    return status;
  }
  lay_out(&f->room, f, &g, n, elements);
  f->p = p;
  f->poll = poll;
  /* 2. Units, blocks and pairs. */
  find_sizes(f);
  if (!find_blocks(f, &g)) {
    return NSDYN_ERR_UNSUPPORTED;
  }
  find_mirrors(f);
  /* 3. The graph of the blocks, its order and fill, and where elements stand in it. */
  transpose(&p->A, &g, poll);
  find_neighbours(f, &g);
  status = nsd_block_lu_analyze(&f->lu, f->blocks, f->width, g.begin, g.sorted, g.zeros, poll);
  if (status == NSDYN_OK) {
    find_places(f);
  }
  return nsd_poll_stops(poll, 0.0) ? NSDYN_CANCELLED : status;
}

int nsd_damped_factors_make(nsd_damped_factors *f, const int32_t *place)
{
  const nsd_sparse *A = &f->p->A;
  nsd_block_lu_clear(&f->lu);
  for (int32_t i = 0; i < A->n; i++) {
    if (place[i] != NSDYN_LCP_BASIC) {
      f->lu.value[f->diagonal_at[i]] = 1.0;
      continue;
    }
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      if (place[A->column[k]] == NSDYN_LCP_BASIC) {
        f->lu.value[f->at[k]] = A->value[k];
      }
    }
    f->lu.value[f->diagonal_at[i]] += f->epsilon * f->size[i];
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i]));
  }
  return nsd_block_lu_factor(&f->lu);
}

void nsd_damped_factors_solve(nsd_damped_factors *f, const double *b, double *x)
{
  const int32_t n = f->p->A.n;
  for (int32_t i = 0; i < n; i++) {
    f->ordered[f->scalar[i]] = b[i];
  }
  nsd_block_lu_solve(&f->lu, f->ordered, f->work);
  for (int32_t i = 0; i < n; i++) {
    x[i] = f->ordered[f->scalar[i]];
  }
  (void)nsd_poll_stops(f->poll, 2.0 * (double)f->lu.at[f->lu.n] + NSD_POLL_FETCH * (double)n);
}
