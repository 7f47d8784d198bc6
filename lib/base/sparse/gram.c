/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sparse/gram.h"

#include <limits.h>

enum { THIN = 8 }; /* groups of X for each that may be other than zero */

static size_t groups_of(size_t n)
{
  return n / NSD_LANES + 1; /* the last one: what remains, 0 to 3 columns */
}

void nsd_gram_lay_out(nsd_arena *arena, nsd_gram *gram, size_t rows, size_t n)
{
  const size_t groups = groups_of(n), share = groups / THIN + 1;
  gram->row_begin = nsd_arena_take(arena, rows + 1, sizeof *gram->row_begin);
  gram->group = nsd_arena_take(arena, rows, share * sizeof *gram->group);
  gram->list_begin = nsd_arena_take(arena, groups + 1, sizeof *gram->list_begin);
  gram->list = nsd_arena_take(arena, rows, share * sizeof *gram->list);
  gram->met = nsd_arena_take(arena, rows, sizeof *gram->met);
  gram->mark = nsd_arena_take(arena, rows, sizeof *gram->mark);
  gram->sum = nsd_arena_take(arena, rows, sizeof *gram->sum);
}

/* Columns `from` … `to` − 1; a NaN is not zero. */
static int is_zero(const double *x, int from, int to)
{
  int any = 0;
  for (int j = from; j < to; j++) {
    any |= x[j] != 0.0;
  }
  return !any;
}

/* The groups of each row. 0 where they are too many. */
static int list_groups(nsd_gram *gram, int rows, int n, const double *X)
{
  const size_t groups = groups_of((size_t)n), room = (size_t)rows * (groups / THIN + 1);
  size_t entries = 0;
  for (int r = 0; r < rows; r++) {
    const double *x = X + (size_t)r * (size_t)n;
    gram->row_begin[r] = (int)entries;
    for (int c = 0; c < (int)groups; c++) {
      const int from = NSD_LANES * c, to = from + NSD_LANES < n ? from + NSD_LANES : n;
      if (is_zero(x, from, to)) {
        continue;
      }
      if (entries == room || entries == INT_MAX) {
        return 0;
      }
      gram->group[entries++] = c;
    }
  }
  gram->row_begin[rows] = (int)entries;
  return 1;
}

/* The rows of each group: those lists turned round, by counting. */
static void list_rows(nsd_gram *gram, int rows, int n)
{
  const int groups = (int)groups_of((size_t)n), entries = gram->row_begin[rows];
  int *begin = gram->list_begin;
  for (int c = 0; c <= groups; c++) {
    begin[c] = 0;
  }
  for (int e = 0; e < entries; e++) {
    begin[gram->group[e]]++;
  }
  for (int c = 1; c <= groups; c++) {
    begin[c] += begin[c - 1]; /* where each list ends */
  }
  for (int r = rows - 1; r >= 0; r--) {
    for (int e = gram->row_begin[r]; e < gram->row_begin[r + 1]; e++) {
      gram->list[--begin[gram->group[e]]] = r; /* and in the end where it begins */
    }
  }
}

/* Row r up to its diagonal, and its mirror image. Groups come from left to right, so that each sum is that of
 * nsd_lanes_dot() without the groups where one of the two is zero. */
static void multiply_row(nsd_gram *gram, int r, int rows, int n, const double *X, double *G)
{
  const size_t width = (size_t)n, ld = (size_t)rows;
  const int whole = n / NSD_LANES * NSD_LANES;
  const double *x = X + (size_t)r * width;
  int count = 0;
  for (int e = gram->row_begin[r]; e < gram->row_begin[r + 1]; e++) {
    const int c = gram->group[e], at = NSD_LANES * c;
    for (int k = gram->list_begin[c]; k < gram->list_begin[c + 1] && gram->list[k] <= r; k++) {
      const int s = gram->list[k];
      if (gram->mark[s] != r + 1) {
        gram->mark[s] = r + 1;
        gram->met[count++] = s;
        gram->sum[s] = nsd_lanes_all(0.0);
      }
      if (at < whole) {
        gram->sum[s] += nsd_lanes_load(x + at) * nsd_lanes_load(X + (size_t)s * width + at);
      }
    }
  }
  for (int k = 0; k < count; k++) {
    const size_t s = (size_t)gram->met[k];
    const double sum = nsd_lanes_dot_end(gram->sum[s], whole, n, x, X + s * width);
    G[(size_t)r * ld + s] = sum;
    G[s * ld + (size_t)r] = sum;
  }
}

int nsd_gram_product(nsd_gram *gram, int from, int rows, int n, const double *X, double *G)
{
  if (!list_groups(gram, rows, n, X)) {
    return 0;
  }
  list_rows(gram, rows, n);
  for (int r = 0; r < rows; r++) {
    gram->mark[r] = 0;
    for (int s = r < from ? from : 0; s < rows; s++) {
      G[(size_t)r * (size_t)rows + (size_t)s] = 0.0;
    }
  }
  for (int r = from; r < rows; r++) {
    multiply_row(gram, r, rows, n, X, G);
  }
  return 1;
}
