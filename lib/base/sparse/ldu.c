/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* L D U of a sparse matrix, row after row.
 *
 * With A in the order of elimination, row k of L D and column k of U solve two triangular systems with what
 * is there of L and U (Davis 2006, chapter 4, for the symmetric case):
 *
 *     Σ_{i<=j} (l_ki d_i) u_ij = a_kj,    Σ_{i<=j} l_ji (d_i u_ik) = a_jk,    j < k,
 *     d_k = a_kk − Σ_{j<k} l_kj d_j u_jk.
 *
 * Row k of L has an element in column j where the tree of elimination leads from a neighbour of k through j
 * to k. Columns are stored with their rows ascending, so that the elements a row needs of a column end where
 * its own element stands. Rows and columns outside of F keep their places; what is in them is not read. */
#include "base/sparse/sparse.h"

#include <math.h>

enum {
  NSD_SPARSE_SHORT_FILL = 3 /* fill per element that an order may cost before a better one is sought */
};

nsd_sparse_ldu nsd_sparse_ldu_empty(nsdyn_context *ctx, nsd_poll *poll)
{
  return (nsd_sparse_ldu){.poll = poll, .pattern = nsd_arena_empty(ctx), .factor = nsd_arena_empty(ctx)};
}

void nsd_sparse_ldu_release(nsd_sparse_ldu *f)
{
  nsd_arena_release(&f->pattern);
  nsd_arena_release(&f->factor);
  f->row = NULL;
  f->n = 0;
}

int nsd_sparse_ldu_is_ready(const nsd_sparse_ldu *f)
{
  return f->row != NULL;
}

/* Work that is over when the order is known. */
typedef struct ordering {
  int64_t *begin;     /* n + 1: of the graph */
  int32_t *neighbour; /* twice the elements off the diagonal at most */
  int64_t *at;        /* n + 1 */
  nsd_sparse_order order;
} ordering;

static void lay_out_pattern(nsd_arena *arena, nsd_sparse_ldu *f, int32_t n, int64_t neighbours)
{
  const size_t size = (size_t)n;
  f->order = nsd_arena_take(arena, size, sizeof *f->order);
  f->place = nsd_arena_take(arena, size, sizeof *f->place);
  f->below = nsd_arena_take(arena, size + 1, sizeof *f->below);
  f->column = nsd_arena_take(arena, (size_t)neighbours / 2, sizeof *f->column);
  f->left = nsd_arena_take(arena, (size_t)neighbours / 2, sizeof *f->left);
  f->above = f->left;
  if (!f->is_symmetric) {
    f->above = nsd_arena_take(arena, (size_t)neighbours / 2, sizeof *f->above);
  }
  f->diagonal = nsd_arena_take(arena, size, sizeof *f->diagonal);
  f->parent = nsd_arena_take(arena, size, sizeof *f->parent);
  f->mark = nsd_arena_take(arena, size, sizeof *f->mark);
  f->path = nsd_arena_take(arena, size, sizeof *f->path);
  f->start = nsd_arena_take(arena, size + 1, sizeof *f->start);
  f->d = nsd_arena_take(arena, size, sizeof *f->d);
  f->work_left = nsd_arena_take(arena, size, sizeof *f->work_left);
  f->work_above = nsd_arena_take(arena, size, sizeof *f->work_above);
  f->shift = nsd_arena_take(arena, size, sizeof *f->shift);
  f->in = nsd_arena_take(arena, size, sizeof *f->in);
  f->has_changed = nsd_arena_take(arena, size, sizeof *f->has_changed);
}

/* Behind the pattern while the order is sought; the factor's memory is not there yet. */
static void lay_out_ordering(nsd_arena *arena, ordering *o, int32_t n, int64_t elements)
{
  o->begin = nsd_arena_take(arena, (size_t)n + 1, sizeof *o->begin);
  o->at = nsd_arena_take(arena, (size_t)n + 1, sizeof *o->at);
  o->neighbour = nsd_arena_take(arena, 2 * (size_t)elements, sizeof *o->neighbour);
}

/* The graph of A + Aᵀ: every element off the diagonal and its mirror image, then without doubles. */
static int64_t make_graph(const nsd_sparse *A, ordering *o, int32_t *mark, nsd_poll *poll)
{
  const int32_t n = A->n;
  for (int32_t i = 0; i <= n; i++) {
    o->at[i] = 0;
  }
  for (int32_t i = 0; i < n; i++) {
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      if (A->column[k] != i) {
        o->at[i + 1]++;
        o->at[A->column[k] + 1]++;
      }
    }
    (void)nsd_poll_stops(poll, 0.5 * NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i]));
  }
  for (int32_t i = 0; i < n; i++) {
    o->at[i + 1] += o->at[i];
    o->begin[i] = o->at[i];
    mark[i] = -1;
    (void)nsd_poll_stops(poll, NSD_POLL_READ);
  }
  o->begin[n] = o->at[n];
  for (int32_t i = 0; i < n; i++) {
    for (int64_t k = A->row[i]; k < A->row[i + 1]; k++) {
      const int32_t j = A->column[k];
      if (j != i) {
        o->neighbour[o->at[i]++] = j;
        o->neighbour[o->at[j]++] = i;
      }
    }
    (void)nsd_poll_stops(poll, NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i]));
  }
  int64_t to = 0;
  for (int32_t i = 0; i < n; i++) {
    const int64_t from = o->begin[i], end = o->begin[i + 1];
    o->begin[i] = to;
    for (int64_t k = from; k < end; k++) {
      const int32_t j = o->neighbour[k];
      if (mark[j] != i) {
        mark[j] = i;
        o->neighbour[to++] = j;
      }
    }
    (void)nsd_poll_stops(poll, 0.5 * NSD_POLL_FETCH * (double)(end - from));
  }
  o->begin[n] = to;
  return to;
}

/* A in the order of elimination, by rows, left of the diagonal; the mirror images beside them. */
static void permute(nsd_sparse_ldu *f, const nsd_sparse *A, const ordering *o)
{
  const int32_t n = A->n;
  for (int32_t k = 0; k < n; k++) {
    f->place[f->order[k]] = k;
    f->diagonal[k] = 0.0;
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH);
  }
  int64_t at = 0;
  for (int32_t k = 0; k < n; k++) {
    const int32_t i = f->order[k];
    f->below[k] = at;
    for (int64_t l = o->begin[i]; l < o->begin[i + 1]; l++) {
      const int32_t j = f->place[o->neighbour[l]];
      if (j < k) {
        f->column[at] = j;
        f->left[at] = f->above[at] = 0.0;
        at++;
      }
    }
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH * (double)(o->begin[i + 1] - o->begin[i]));
  }
  f->below[n] = at;
}

/* The values: row by row of A, where the place of an element in its row is found by a mark. `at` has n. */
static void fill_in(nsd_sparse_ldu *f, const nsd_sparse *A, int64_t *at)
{
  const int32_t n = A->n;
  /* 1. Left of the diagonal: the row's own elements. */
  for (int32_t k = 0; k < n; k++) {
    const int32_t i = f->order[k];
    for (int64_t l = f->below[k]; l < f->below[k + 1]; l++) {
      at[f->column[l]] = l;
    }
    for (int64_t l = A->row[i]; l < A->row[i + 1]; l++) {
      const int32_t j = f->place[A->column[l]];
      if (j < k) {
        f->left[at[j]] = A->value[l];
      } else if (j == k) {
        f->diagonal[k] = A->value[l];
      }
    }
    (void)nsd_poll_stops(f->poll, 2.0 * NSD_POLL_FETCH * (double)(A->row[i + 1] - A->row[i]));
  }
  if (f->is_symmetric) {
    return;
  }
  /* 2. Above it: a_jk is in row j of A, whose columns ascend. */
  for (int32_t k = 0; k < n; k++) {
    for (int64_t l = f->below[k]; l < f->below[k + 1]; l++) {
      const int32_t i = f->order[f->column[l]], wanted = f->order[k];
      int64_t low = A->row[i], high = A->row[i + 1];
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (A->column[middle] < wanted) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      if (low < A->row[i + 1] && A->column[low] == wanted) {
        f->above[l] = A->value[low];
      }
    }
    (void)nsd_poll_stops(f->poll, 4.0 * NSD_POLL_FETCH * (double)(f->below[k + 1] - f->below[k]));
  }
}

/* The columns of row k of L, in f->path from the returned place to n; each before those that it is eliminated
 * into. `mark` says which columns are in it already. */
static int32_t row_of_L(nsd_sparse_ldu *f, int32_t k)
{
  int32_t top = f->n;
  f->mark[k] = k;
  for (int64_t l = f->below[k]; l < f->below[k + 1]; l++) {
    /* Up the tree from a neighbour, until something known; that way goes in front of what is there. */
    int32_t length = 0;
    for (int32_t j = f->column[l]; f->mark[j] != k; j = f->parent[j]) {
      f->mark[j] = k;
      f->path[length++] = j;
    }
    while (length > 0) {
      f->path[--top] = f->path[--length];
    }
  }
  return top;
}

/* The tree of elimination: j's parent is the first row below the diagonal of column j of L. `ancestor` is a
 * short way up. */
static void make_tree(nsd_sparse_ldu *f, int32_t *ancestor)
{
  for (int32_t k = 0; k < f->n; k++) {
    f->parent[k] = ancestor[k] = -1;
    for (int64_t l = f->below[k]; l < f->below[k + 1]; l++) {
      for (int32_t j = f->column[l]; j != -1 && j < k;) {
        const int32_t next = ancestor[j];
        ancestor[j] = k;
        if (next == -1) {
          f->parent[j] = k;
        }
        j = next;
      }
    }
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH * (double)(f->below[k + 1] - f->below[k] + 1));
  }
}

/* Elements of each column of L, and what a factorization costs. Told to stop it returns 0. */
static int count_columns(nsd_sparse_ldu *f)
{
  int64_t *count = f->start;
  for (int32_t k = 0; k <= f->n; k++) {
    count[k] = 0;
  }
  for (int32_t k = 0; k < f->n; k++) {
    f->mark[k] = -1;
  }
  for (int32_t k = 0; k < f->n; k++) {
    const int32_t top = row_of_L(f, k);
    for (int32_t l = top; l < f->n; l++) {
      count[f->path[l]]++;
    }
    if (nsd_poll_stops(f->poll, NSD_POLL_FETCH * (f->n - top + 1))) {
      return 0;
    }
  }
  f->fill = 0;
  f->work = 0.0;
  for (int32_t k = 0; k < f->n; k++) {
    const int64_t elements = count[k];
    count[k] = f->fill;
    f->fill += elements;
    f->work += (double)elements * (double)elements;
    (void)nsd_poll_stops(f->poll, NSD_POLL_READ);
  }
  count[f->n] = f->fill;
  return 1;
}

/* The structure for the order in f->order. */
static int analyze_order(nsd_sparse_ldu *f, const nsd_sparse *A, const ordering *o)
{
  permute(f, A, o);
  make_tree(f, f->mark);
  return count_columns(f);
}

static void lay_out_factor(nsd_arena *arena, nsd_sparse_ldu *f)
{
  f->row = nsd_arena_take(arena, (size_t)f->fill, sizeof *f->row);
  f->L = nsd_arena_take(arena, (size_t)f->fill, sizeof *f->L);
  f->U = f->L;
  if (!f->is_symmetric) {
    f->U = nsd_arena_take(arena, (size_t)f->fill, sizeof *f->U);
  }
}

/* The rows of each column of L, ascending: rows come one after the other. */
static int fill_structure(nsd_sparse_ldu *f, int64_t *end)
{
  for (int32_t k = 0; k < f->n; k++) {
    end[k] = f->start[k];
    f->mark[k] = -1;
    (void)nsd_poll_stops(f->poll, NSD_POLL_READ);
  }
  for (int32_t k = 0; k < f->n; k++) {
    const int32_t top = row_of_L(f, k);
    for (int32_t l = top; l < f->n; l++) {
      f->row[end[f->path[l]]++] = k;
    }
    if (nsd_poll_stops(f->poll, NSD_POLL_FETCH * (f->n - top + 1))) {
      return 0;
    }
  }
  return 1;
}

/* The order that A is given in if it fills in little, else one of minimum degree. */
static nsdyn_status choose_order(nsd_sparse_ldu *f, const nsd_sparse *A, const ordering *o)
{
  const int32_t n = A->n;
  const int64_t neighbours = o->begin[n];
  for (int32_t k = 0; k < n; k++) {
    f->order[k] = k;
  }
  /* The profile bounds the fill of the given order: no need to count where it is short. */
  int64_t profile = 0;
  for (int32_t i = 0; i < n; i++) {
    int32_t least = i;
    for (int64_t l = o->begin[i]; l < o->begin[i + 1]; l++) {
      least = o->neighbour[l] < least ? o->neighbour[l] : least;
    }
    profile += i - least;
    (void)nsd_poll_stops(f->poll, NSD_POLL_READ * (double)(o->begin[i + 1] - o->begin[i]));
  }
  if (profile <= NSD_SPARSE_SHORT_FILL * (neighbours + n)) {
    return analyze_order(f, A, o) ? NSDYN_OK : NSDYN_CANCELLED;
  }
  nsd_sparse_order none;
  nsd_arena measure = nsd_arena_measure();
  nsd_sparse_order_lay_out(&measure, &none, n, neighbours);
  const nsdyn_status status = nsd_arena_reserve(&f->factor, &measure);
  if (status) {
    return status;
  }
  nsd_sparse_order_lay_out(&f->factor, &none, n, neighbours);
  nsd_sparse_order_find(&none, n, o->begin, o->neighbour, f->order, f->poll);
  return analyze_order(f, A, o) && !nsd_poll_stops(f->poll, 0.0) ? NSDYN_OK : NSDYN_CANCELLED;
}

/* F is empty. What is not in F is multiplied by zero, so that it has to be finite. */
static void forget(nsd_sparse_ldu *f)
{
  for (int32_t k = 0; k < f->n; k++) {
    f->in[k] = f->has_changed[k] = 0;
    f->work_left[k] = f->work_above[k] = f->shift[k] = 0.0;
    (void)nsd_poll_stops(f->poll, 2.0 * NSD_POLL_READ);
  }
  for (int32_t k = 0; k < f->n; k++) {
    for (int64_t l = f->start[k]; l < f->start[k + 1]; l++) {
      f->L[l] = f->U[l] = 0.0;
    }
    (void)nsd_poll_stops(f->poll, NSD_POLL_READ * (double)(f->start[k + 1] - f->start[k]));
  }
}

nsdyn_status nsd_sparse_ldu_analyze(nsd_sparse_ldu *f, const nsd_sparse *A, int is_symmetric,
                                    int64_t most_fill)
{
  const int32_t n = A->n;
  const int64_t elements = A->row[n];
  f->row = NULL;
  f->n = n;
  f->is_symmetric = is_symmetric;
  /* Stage 1. Memory for the pattern, and behind it for the graph. */
  nsd_sparse_ldu none = *f;
  ordering o;
  nsd_arena measure = nsd_arena_measure();
  lay_out_pattern(&measure, &none, n, 2 * elements);
  lay_out_ordering(&measure, &o, n, elements);
  nsdyn_status status = nsd_arena_reserve(&f->pattern, &measure);
  if (status) {
    return status;
  }
  lay_out_pattern(&f->pattern, f, n, 2 * elements);
  lay_out_ordering(&f->pattern, &o, n, elements);
  /* Stage 2. The graph, the order, the tree, the number of elements of L. */
  (void)make_graph(A, &o, f->mark, f->poll);
  if (nsd_poll_stops(f->poll, 4.0 * (double)elements)) {
    return NSDYN_CANCELLED;
  }
  status = choose_order(f, A, &o);
  if (status) {
    return status;
  }
  fill_in(f, A, o.at);
  if (most_fill >= 0 && f->fill > most_fill) {
    return NSDYN_OK;
  }
  /* Stage 3. Memory for the factors, and the structure of L. */
  none.fill = f->fill;
  measure = nsd_arena_measure();
  lay_out_factor(&measure, &none);
  measure.used += NSD_ALIGNMENT; /* a block even where nothing fills in */
  status = nsd_arena_reserve(&f->factor, &measure);
  if (status) {
    return status;
  }
  lay_out_factor(&f->factor, f);
  if (!fill_structure(f, o.at)) {
    f->row = NULL;
    return NSDYN_CANCELLED;
  }
  forget(f);
  return NSDYN_OK;
}

/* Which rows have to be done: those that come into F or go, those whose shift changes, and all that is above
 * them in the tree. Returns the first, or n. */
static int32_t mark_changes(nsd_sparse_ldu *f, const unsigned char *in, const double *shift)
{
  int32_t first = f->n;
  for (int32_t k = 0; k < f->n; k++) {
    const int32_t i = f->order[k];
    const unsigned char is_in = in[i] != 0;
    const double added = shift ? shift[i] : 0.0;
    if (is_in != f->in[k] || added != f->shift[k]) {
      f->has_changed[k] = 1;
      f->in[k] = is_in;
      f->shift[k] = added;
    }
    if (f->has_changed[k]) {
      first = k < first ? k : first;
      if (f->parent[k] >= 0) {
        f->has_changed[f->parent[k]] = 1;
      }
    }
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH);
  }
  return first;
}

/* Row k of L and column k of U. Returns the multiplications. */
static double eliminate(nsd_sparse_ldu *f, int32_t k)
{
  double work = 8.0;
  double *restrict w = f->work_left;
  for (int64_t l = f->below[k]; l < f->below[k + 1]; l++) {
    w[f->column[l]] = f->left[l];
  }
  double d = f->diagonal[k] + f->shift[k];
  const int32_t top = row_of_L(f, k);
  for (int32_t l = top; l < f->n; l++) {
    const int32_t j = f->path[l];
    const double value = w[j];
    w[j] = 0.0;
    if (!f->in[j]) {
      continue;
    }
    int64_t at = f->start[j];
    for (; f->row[at] < k; at++) {
      w[f->row[at]] -= f->L[at] * value;
    }
    const double l_kj = value / f->d[j];
    f->L[at] = l_kj;
    d -= l_kj * value;
    work += (double)(at - f->start[j]) + 4.0;
  }
  f->d[k] = d;
  return work;
}

/* The same where U is not Lᵀ. */
static double eliminate_both(nsd_sparse_ldu *f, int32_t k)
{
  double work = 8.0;
  double *restrict w = f->work_left;
  double *restrict z = f->work_above;
  for (int64_t l = f->below[k]; l < f->below[k + 1]; l++) {
    w[f->column[l]] = f->left[l];
    z[f->column[l]] = f->above[l];
  }
  double d = f->diagonal[k] + f->shift[k];
  const int32_t top = row_of_L(f, k);
  for (int32_t l = top; l < f->n; l++) {
    const int32_t j = f->path[l];
    const double left = w[j], above = z[j];
    w[j] = z[j] = 0.0;
    if (!f->in[j]) {
      continue;
    }
    int64_t at = f->start[j];
    for (; f->row[at] < k; at++) {
      w[f->row[at]] -= left * f->U[at];
      z[f->row[at]] -= above * f->L[at];
    }
    f->L[at] = left / f->d[j];
    f->U[at] = above / f->d[j];
    d -= f->L[at] * above;
    work += 2.0 * (double)(at - f->start[j]) + 6.0;
  }
  f->d[k] = d;
  return work;
}

int32_t nsd_sparse_ldu_factor(nsd_sparse_ldu *f, const unsigned char *in, const double *shift, double least)
{
  const int32_t first = mark_changes(f, in, shift);
  for (int32_t k = 0; k < f->n && first < f->n; k++) {
    f->mark[k] = -1;
    (void)nsd_poll_stops(f->poll, 1.0);
  }
  for (int32_t k = first; k < f->n; k++) {
    if (!f->has_changed[k]) {
      continue;
    }
    f->has_changed[k] = 0;
    if (!f->in[k]) {
      continue;
    }
    const double work = f->is_symmetric ? eliminate(f, k) : eliminate_both(f, k);
    const double size = fabs(f->diagonal[k] + f->shift[k]);
    const int is_good = least < 0.0 ? f->d[k] != 0.0 && isfinite(f->d[k])
                                    : f->d[k] > least * size && f->d[k] < (double)INFINITY;
    if (nsd_poll_stops(f->poll, 0.5 * NSD_POLL_READ * work)) {
      f->row = NULL;
      return f->order[k];
    }
    if (!is_good) {
      forget(f);
      return f->order[k];
    }
  }
  return -1;
}

void nsd_sparse_ldu_solve(nsd_sparse_ldu *f, double *x, double *work)
{
  const int32_t n = f->n;
  for (int32_t k = 0; k < n; k++) {
    work[k] = x[f->order[k]];
    (void)nsd_poll_stops(f->poll, NSD_POLL_FETCH);
  }
  /* L z = x, by columns; what this leaves outside of F is not read. */
  for (int32_t k = 0; k < n; k++) {
    if (f->in[k]) {
      const double value = work[k];
      for (int64_t l = f->start[k]; l < f->start[k + 1]; l++) {
        work[f->row[l]] -= f->L[l] * value;
      }
    } else {
      work[k] = 0.0;
    }
    if (nsd_poll_stops(f->poll, NSD_POLL_READ * (double)(f->start[k + 1] - f->start[k] + 2))) {
      return;
    }
  }
  /* U x = D⁻¹ z, by rows. */
  for (int32_t k = n - 1; k >= 0; k--) {
    if (!f->in[k]) {
      continue;
    }
    double sum = work[k] / f->d[k];
    for (int64_t l = f->start[k]; l < f->start[k + 1]; l++) {
      sum -= f->U[l] * work[f->row[l]];
    }
    work[k] = sum;
    x[f->order[k]] = sum;
    if (nsd_poll_stops(f->poll, NSD_POLL_READ * (double)(f->start[k + 1] - f->start[k] + 2))) {
      return;
    }
  }
}
