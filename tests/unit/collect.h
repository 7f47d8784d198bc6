/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What the tests of enumeration share: the pieces that a visitor was handed, kept and compared. */
#ifndef TESTS_UNIT_COLLECT_H
#define TESTS_UNIT_COLLECT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lcp/problem.h"
#include "suite.h"

typedef struct kept_piece {
  int dimension;
  int vertices;
  int rays;
  int32_t *support; /* n */
  double *vertex;   /* vertices × n */
  double *ray;      /* rays × n */
} kept_piece;

typedef struct collection {
  int n;
  int count;
  int capacity;
  int stop_after; /* 0: never */
  kept_piece *pieces;
} collection;

static inline void *copy_of(const void *from, size_t bytes)
{
  void *to = malloc(bytes ? bytes : 1);
  ck_assert_ptr_nonnull(to);
  if (bytes) {
    memcpy(to, from, bytes);
  }
  return to;
}

static inline int collect(void *user, const nsdyn_lcp_piece *piece)
{
  collection *c = user;
  if (c->count == c->capacity) {
    c->capacity = c->capacity ? 2 * c->capacity : 16;
    c->pieces = realloc(c->pieces, (size_t)c->capacity * sizeof *c->pieces);
    ck_assert_ptr_nonnull(c->pieces);
  }
  const size_t n = (size_t)piece->n;
  c->n = piece->n;
  c->pieces[c->count++] =
      (kept_piece){.dimension = piece->dimension,
                   .vertices = piece->vertices,
                   .rays = piece->rays,
                   .support = copy_of(piece->support, n * sizeof *piece->support),
                   .vertex = copy_of(piece->vertex, (size_t)piece->vertices * n * sizeof(double)),
                   .ray = copy_of(piece->ray, (size_t)piece->rays * n * sizeof(double))};
  return c->stop_after && c->count >= c->stop_after;
}

static inline void collection_clear(collection *c)
{
  for (int k = 0; k < c->count; k++) {
    free(c->pieces[k].support);
    free(c->pieces[k].vertex);
    free(c->pieces[k].ray);
  }
  c->count = 0;
}

static inline void collection_free(collection *c)
{
  collection_clear(c);
  free(c->pieces);
  memset(c, 0, sizeof *c);
}

/* Largest |a_i − b_i| relative to the largest element of both. */
static inline double distance(int n, const double *a, const double *b)
{
  double most = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
  }
  return size > 0.0 ? most / size : 0.0;
}

/* Whether the m points of both lists are the same in some order. */
static inline int same_points(int n, int m, const double *a, const double *b, double tol)
{
  char *used = calloc((size_t)m + 1, 1);
  int same = 1;
  for (int k = 0; k < m && same; k++) {
    int found = 0;
    for (int l = 0; l < m && !found; l++) {
      if (!used[l] && distance(n, a + (size_t)k * (size_t)n, b + (size_t)l * (size_t)n) <= tol) {
        used[l] = 1;
        found = 1;
      }
    }
    same = found;
  }
  free(used);
  return same;
}

static inline int same_piece(int n, const kept_piece *a, const kept_piece *b, double tol)
{
  return a->dimension == b->dimension && a->vertices == b->vertices && a->rays == b->rays &&
         memcmp(a->support, b->support, (size_t)n * sizeof *a->support) == 0 &&
         same_points(n, a->vertices, a->vertex, b->vertex, tol) &&
         same_points(n, a->rays, a->ray, b->ray, tol);
}

/* The first piece of a that b has not, or −1 where both hold the same pieces. */
static inline int first_difference(const collection *a, const collection *b, double tol)
{
  for (int k = 0; k < a->count; k++) {
    int found = 0;
    for (int l = 0; l < b->count && !found; l++) {
      found = same_piece(a->n, &a->pieces[k], &b->pieces[l], tol);
    }
    if (!found) {
      return k;
    }
  }
  return -1;
}

#endif
