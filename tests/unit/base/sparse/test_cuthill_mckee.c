/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* base/sparse/cuthill_mckee.c: neighbours stand close together. */
#include "base/sparse/cuthill_mckee.h"

#include <stdlib.h>

#include "suite.h"

enum { MOST = 400 };

/* A graph as a matrix of zeros and ones, whose nodes have random names. */
typedef struct drawing {
  int n;
  int name[MOST];
  unsigned char edge[MOST * MOST];
  int order[MOST], rank[MOST];
} drawing;

static int next(const void *user, int node, size_t *at)
{
  const drawing *g = user;
  while (*at < (size_t)g->n && !g->edge[(size_t)node * MOST + *at]) {
    ++*at;
  }
  return *at < (size_t)g->n ? (int)(*at)++ : -1;
}

static size_t degree(const void *user, int node)
{
  size_t count = 0, at = 0;
  while (next(user, node, &at) >= 0) {
    count++;
  }
  return count;
}

static drawing *drawing_new(int n, random_state *random)
{
  drawing *g = calloc(1, sizeof *g);
  ck_assert_ptr_nonnull(g);
  g->n = n;
  for (int i = 0; i < n; i++) {
    const int j = random_below(random, i + 1);
    g->name[i] = g->name[j];
    g->name[j] = i;
  }
  return g;
}

static void join(drawing *g, int i, int j)
{
  const size_t a = (size_t)g->name[i], b = (size_t)g->name[j];
  g->edge[a * MOST + b] = g->edge[b * MOST + a] = 1;
}

/* Orders it; returns how far neighbours are apart at most. */
static int band_of(drawing *g)
{
  const nsd_graph graph = {.nodes = g->n, .user = g, .next = next, .degree = degree};
  int band = 0;
  nsd_cuthill_mckee(&graph, g->order, g->rank);
  for (int i = 0; i < g->n; i++) {
    ck_assert(g->order[i] >= 0 && g->order[i] < g->n);
    ck_assert_int_eq(g->rank[g->order[i]], i); /* so no node comes twice */
    int other;
    size_t at = 0;
    while ((other = next(g, i, &at)) >= 0) {
      const int apart = abs(g->rank[i] - g->rank[other]);
      band = apart > band ? apart : band;
    }
  }
  return band;
}

START_TEST(a_chain_is_told_link_by_link)
{
  for (int seed = 0; seed < random_cases(100); seed++) {
    random_state random = random_seed((uint64_t)seed);
    drawing *g = drawing_new(1 + random_below(&random, 60), &random);
    for (int i = 0; i + 1 < g->n; i++) {
      join(g, i, i + 1);
    }
    ck_assert_int_eq(band_of(g), g->n > 1);
    free(g);
  }
}
END_TEST

/* The node that is farthest from any other of an m × n grid, m <= n, is a corner. Seen from there the nodes
 * at one distance are a diagonal, m at most, and neighbours lie in diagonals beside each other. */
START_TEST(a_grid_is_swept_by_diagonals)
{
  for (int seed = 0; seed < random_cases(40); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int m = 1 + random_below(&random, 8), n = m + random_below(&random, 20);
    drawing *g = drawing_new(m * n, &random);
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        if (i + 1 < m) {
          join(g, i * n + j, (i + 1) * n + j);
        }
        if (j + 1 < n) {
          join(g, i * n + j, i * n + j + 1);
        }
      }
    }
    const int band = band_of(g);
    REQUIRE(band < 2 * m, "seed %d: %d x %d has a band of %d", seed, m, n, band);
    free(g);
  }
}
END_TEST

/* Random graphs in parts, loops and single nodes among them: each part stands together. */
START_TEST(parts_stay_together)
{
  for (int seed = 0; seed < random_cases(200); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int parts = 1 + random_below(&random, 5);
    int size[6], first = 0;
    for (int k = 0; k < parts; k++) {
      size[k] = 1 + random_below(&random, 20);
      first += size[k];
    }
    drawing *g = drawing_new(first, &random);
    for (int k = 0, from = 0; k < parts; from += size[k++]) {
      for (int i = 1; i < size[k]; i++) {
        join(g, from + i, from + random_below(&random, i)); /* a tree, so that it hangs together */
        join(g, from + i, from + random_below(&random, size[k]));
      }
    }
    (void)band_of(g);
    for (int k = 0, from = 0; k < parts; from += size[k++]) {
      int least = g->n, most = -1;
      for (int i = from; i < from + size[k]; i++) {
        const int rank = g->rank[g->name[i]];
        least = rank < least ? rank : least;
        most = rank > most ? rank : most;
      }
      REQUIRE(most - least == size[k] - 1, "seed %d: part %d from %d to %d", seed, k, least, most);
    }
    free(g);
  }
}
END_TEST

START_TEST(nothing_has_an_order)
{
  random_state random = random_seed(1);
  drawing *g = drawing_new(0, &random);
  ck_assert_int_eq(band_of(g), 0);
  free(g);
}
END_TEST

SUITE("base/sparse/cuthill_mckee", TEST(a_chain_is_told_link_by_link), TEST(a_grid_is_swept_by_diagonals),
      TEST(parts_stay_together), TEST(nothing_has_an_order))
