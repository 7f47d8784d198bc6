/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

static void *room(size_t count)
{
  void *memory = calloc(count, sizeof(double));
  if (!memory) {
    fprintf(stderr, "bench_lcp: no memory\n");
    exit(2);
  }
  return memory;
}

static lcp_set empty(int n, int count, int bounded)
{
  const size_t all = (size_t)n * (size_t)count;
  lcp_set set = {.n = n, .count = count, .A = room(all * (size_t)n), .b = room(all), .lo = NULL, .hi = NULL};
  if (bounded) {
    set.lo = room(all);
    set.hi = room(all);
  }
  return set;
}

void lcp_set_free(lcp_set *set)
{
  free(set->A);
  free(set->b);
  free(set->lo);
  free(set->hi);
}

static problem *new_problem(int n)
{
  problem *p = problem_new(n > PROBLEM_LEAST_CAPACITY ? n : PROBLEM_LEAST_CAPACITY);
  if (!p) {
    fprintf(stderr, "bench_lcp: no memory\n");
    exit(2);
  }
  return p;
}

static void put(lcp_set *set, int k, const problem *p)
{
  const size_t n = (size_t)set->n;
  if (p->n != set->n) {
    fprintf(stderr, "bench_lcp: %s has no problems of size %d\n", p->name, set->n);
    exit(2);
  }
  memcpy(set->A + (size_t)k * n * n, p->A, n * n * sizeof *p->A);
  memcpy(set->b + (size_t)k * n, p->b, n * sizeof *p->b);
}

lcp_set lcp_set_of_sequence(sequence_kind kind, int n, int count, lcp_set_order order)
{
  enum { SEQUENCES = 16, STRIDE = 617, STEPS = 1000 };
  lcp_set set = empty(n, count, 0);
  problem *p = new_problem(n);
  for (int k = 0; k < count; k++) {
    if (order == LCP_IN_TIME) {
      sequence_make(p, kind, n, 1, k);
    } else {
      sequence_make(p, kind, n, 1 + (uint64_t)(k % SEQUENCES), k * STRIDE % STEPS);
    }
    put(&set, k, p);
  }
  problem_free(p);
  return set;
}

lcp_set lcp_set_of_class(int index, int n, int count)
{
  lcp_set set = empty(n, count, 0);
  problem *p = new_problem(n);
  for (int k = 0; k < count; k++) {
    problem_make(p, index, n, (uint64_t)k);
    put(&set, k, p);
  }
  problem_free(p);
  return set;
}

/* A := G Gᵀ/n + 0.1 I */
static void fill_definite(double *A, double *G, int n, random_state *r)
{
  for (int i = 0; i < n * n; i++) {
    G[i] = random_normal(r);
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < n; k++) {
        sum += G[i * n + k] * G[j * n + k];
      }
      A[i * n + j] = A[j * n + i] = sum / n + (i == j ? 0.1 : 0.0);
    }
  }
}

lcp_set lcp_set_definite(int n, int count, int bounded)
{
  random_state r = random_seed((uint64_t)n);
  lcp_set set = empty(n, count, bounded);
  double *G = room((size_t)n * (size_t)n);
  for (int k = 0; k < count; k++) {
    fill_definite(set.A + (size_t)k * (size_t)n * (size_t)n, G, n, &r);
    for (int i = 0; i < n; i++) {
      const size_t at = (size_t)k * (size_t)n + (size_t)i;
      set.b[at] = random_normal(&r);
      if (bounded) {
        set.hi[at] = 1.0 - random_unit(&r);
        set.lo[at] = -set.hi[at];
      }
    }
  }
  free(G);
  return set;
}
