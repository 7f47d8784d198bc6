/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* base/sparse/order.c: an order of elimination that fills in little. */
#include <stdlib.h>
#include <string.h>

#include "base/sparse/sparse.h"
#include "suite.h"

typedef struct graph {
  int32_t n;
  int64_t *begin;
  int32_t *neighbour;
} graph;

/* From a matrix of zeros and ones. */
static graph graph_of(int32_t n, const unsigned char *edge)
{
  graph g = {.n = n, .begin = calloc((size_t)n + 1, sizeof *g.begin)};
  g.neighbour = calloc((size_t)n * (size_t)n + 1, sizeof *g.neighbour);
  ck_assert(g.begin && g.neighbour);
  int64_t at = 0;
  for (int32_t i = 0; i < n; i++) {
    g.begin[i] = at;
    for (int32_t j = 0; j < n; j++) {
      if (i != j && edge[i * n + j]) {
        g.neighbour[at++] = j;
      }
    }
  }
  g.begin[n] = at;
  return g;
}

static void graph_free(graph *g)
{
  free(g->begin);
  free(g->neighbour);
}

static void order_of(const graph *g, int32_t *order)
{
  nsd_sparse_order w;
  nsd_arena measure = nsd_arena_measure(), arena = nsd_arena_empty(NULL);
  nsd_sparse_order_lay_out(&measure, &w, g->n, g->begin[g->n]);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_sparse_order_lay_out(&arena, &w, g->n, g->begin[g->n]);
  nsd_sparse_order_find(&w, g->n, g->begin, g->neighbour, order, NULL);
  nsd_arena_release(&arena);
}

static int is_permutation(int32_t n, const int32_t *order)
{
  unsigned char *seen = calloc((size_t)n + 1, 1);
  ck_assert(seen != NULL);
  int good = 1;
  for (int32_t k = 0; k < n; k++) {
    good = good && order[k] >= 0 && order[k] < n && !seen[order[k]];
    if (good) {
      seen[order[k]] = 1;
    }
  }
  free(seen);
  return good;
}

/* Edges that elimination in this order adds, by elimination itself. */
static int fill_of(int32_t n, const unsigned char *edge, const int32_t *order)
{
  unsigned char *e = malloc((size_t)n * (size_t)n + 1), *gone = calloc((size_t)n + 1, 1);
  ck_assert(e && gone);
  memcpy(e, edge, (size_t)n * (size_t)n);
  int added = 0;
  for (int32_t k = 0; k < n; k++) {
    const int32_t p = order[k];
    gone[p] = 1;
    for (int32_t i = 0; i < n; i++) {
      for (int32_t j = 0; j < i && !gone[i] && e[p * n + i]; j++) {
        if (!gone[j] && e[p * n + j] && !e[i * n + j]) {
          e[i * n + j] = e[j * n + i] = 1;
          added++;
        }
      }
    }
  }
  free(e);
  free(gone);
  return added;
}

START_TEST(is_a_permutation_of_every_graph)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 1 + random_below(&r, 60);
    unsigned char *edge = calloc((size_t)n * (size_t)n, 1);
    int32_t *order = malloc((size_t)n * sizeof *order);
    ck_assert(edge && order);
    const double share = random_unit(&r) * random_unit(&r);
    for (int32_t i = 0; i < n; i++) {
      for (int32_t j = 0; j < i; j++) {
        edge[i * n + j] = edge[j * n + i] = random_unit(&r) < share;
      }
    }
    graph g = graph_of(n, edge);
    order_of(&g, order);
    REQUIRE(is_permutation(n, order), "seed %d", k);
    graph_free(&g);
    free(order);
    free(edge);
  }
}
END_TEST

/* A tree is eliminated from its leaves. */
START_TEST(trees_fill_in_nothing)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int32_t n = 2 + random_below(&r, 80);
    unsigned char *edge = calloc((size_t)n * (size_t)n, 1);
    int32_t *order = malloc((size_t)n * sizeof *order);
    ck_assert(edge && order);
    for (int32_t i = 1; i < n; i++) {
      const int32_t j = random_below(&r, i);
      edge[i * n + j] = edge[j * n + i] = 1;
    }
    graph g = graph_of(n, edge);
    order_of(&g, order);
    REQUIRE(is_permutation(n, order) && fill_of(n, edge, order) == 0, "seed %d", k);
    graph_free(&g);
    free(order);
    free(edge);
  }
}
END_TEST

/* One row and column full: the given order fills in everything, the other way round nothing. */
START_TEST(a_hub_comes_last)
{
  enum { N = 400 };
  unsigned char *edge = calloc(N * N, 1);
  int32_t order[N];
  ck_assert(edge != NULL);
  for (int32_t i = 1; i < N; i++) {
    edge[i] = edge[i * N] = 1;
  }
  graph g = graph_of(N, edge);
  order_of(&g, order);
  ck_assert(is_permutation(N, order));
  ck_assert_int_eq(fill_of(N, edge, order), 0);
  graph_free(&g);
  free(edge);
}
END_TEST

/* A mesh of 20 × 20: row by row it fills in 6 859 edges, by minimum degree less than 40 % of that. */
START_TEST(a_mesh_fills_in_little)
{
  enum { SIDE = 20, N = SIDE * SIDE };
  unsigned char *edge = calloc((size_t)N * N, 1);
  int32_t order[N], rows[N];
  ck_assert(edge != NULL);
  for (int32_t i = 0; i < N; i++) {
    rows[i] = i;
    if (i % SIDE + 1 < SIDE) {
      edge[i * N + i + 1] = edge[(i + 1) * N + i] = 1;
    }
    if (i + SIDE < N) {
      edge[i * N + i + SIDE] = edge[(i + SIDE) * N + i] = 1;
    }
  }
  graph g = graph_of(N, edge);
  order_of(&g, order);
  ck_assert(is_permutation(N, order));
  const int by_rows = fill_of(N, edge, rows), by_degree = fill_of(N, edge, order);
  ck_assert_msg(5 * by_degree < 2 * by_rows, "%d of %d", by_degree, by_rows);
  graph_free(&g);
  free(edge);
}
END_TEST

SUITE("base/sparse/order", TEST(is_a_permutation_of_every_graph), TEST(trees_fill_in_nothing),
      TEST(a_hub_comes_last), TEST(a_mesh_fills_in_little))
