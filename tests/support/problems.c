/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "makers.h"

/* Doubles of scratch: the largest user is mechanics.c, W with 2n × 2n, G with 2n × 2n and the vectors. */
static size_t scratch_length(size_t n)
{
  return 8 * n * n + 64 * n + 256;
}

problem *problem_new(int capacity)
{
  const size_t n = (size_t)capacity;
  problem *p = capacity < PROBLEM_LEAST_CAPACITY ? NULL : calloc(1, sizeof *p);
  double *block = p ? malloc((n * n + 5 * n + scratch_length(n)) * sizeof *block) : NULL;
  if (!block) {
    free(p);
    return NULL;
  }
  p->capacity = capacity;
  p->A = block;
  p->b = p->A + n * n;
  p->lo = p->b + n;
  p->hi = p->lo + n;
  p->x = p->hi + n;
  p->v = p->x + n;
  p->scratch = p->v + n;
  return p;
}

void problem_free(problem *p)
{
  if (p) {
    free(p->A);
    free(p);
  }
}

static const problem_class *class_at(int index)
{
  if (index < matrix_class_count) {
    return &matrix_classes[index];
  }
  index -= matrix_class_count;
  if (index < family_class_count) {
    return &family_classes[index];
  }
  return &mechanics_classes[index - family_class_count];
}

int problem_class_count(void)
{
  return matrix_class_count + family_class_count + mechanics_class_count;
}

const char *problem_class_name(int index)
{
  return class_at(index)->name;
}

int problem_class_least(int index)
{
  return class_at(index)->least;
}

int problem_class_most(int index)
{
  return class_at(index)->most;
}

int problem_class_find(const char *name)
{
  for (int i = 0; i < problem_class_count(); i++) {
    if (strcmp(class_at(i)->name, name) == 0) {
      return i;
    }
  }
  return -1;
}

static void begin(problem *p, const char *name, int n, uint64_t seed)
{
  p->n = n;
  p->name = name;
  p->seed = seed;
  p->promise = PROBLEM_OPEN;
  p->traits = 0;
  p->has_x = 0;
  p->has_v = 0;
  p->count = -1.0;
  memset(p->A, 0, (size_t)n * (size_t)n * sizeof *p->A);
  for (int i = 0; i < n; i++) {
    p->b[i] = 0.0;
    p->lo[i] = 0.0;
    p->hi[i] = INFINITY;
  }
}

/* A class keeps its problems when others are added: its name is part of the seed (FNV-1a). */
static uint64_t name_hash(const char *name)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; name++) {
    hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  }
  return hash;
}

random_state problem_begin(problem *p, int index, int n, uint64_t seed)
{
  const problem_class *c = class_at(index);
  const int most = c->most < p->capacity ? c->most : p->capacity;
  int size = n < most ? n : most;
  size = size > c->least ? size - (size - c->least) % c->multiple : c->least;
  begin(p, c->name, size, seed);
  return random_seed(seed ^ name_hash(c->name));
}

void problem_make(problem *p, int index, int n, uint64_t seed)
{
  random_state r = problem_begin(p, index, n, seed);
  class_at(index)->make(p, &r);
}

const double *problem_lo(const problem *p)
{
  return p->traits & PROBLEM_MIXED ? p->lo : NULL;
}

const double *problem_hi(const problem *p)
{
  return p->traits & PROBLEM_MIXED ? p->hi : NULL;
}

void choose_solution(problem *p, random_state *r, int whole, double both_zero)
{
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    const double size = whole ? 1 + random_below(r, 4) : random_between(r, 0.05, 2.0);
    const int none = chance(r, both_zero);
    const int closed = chance(r, 0.5);
    p->x[i] = !none && closed ? size : 0.0;
    p->b[i] = !none && !closed ? size : 0.0;
  }
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
      sum += *element(p, i, j) * p->x[j];
    }
    p->b[i] -= sum;
  }
  p->has_x = 1;
  if (p->promise == PROBLEM_OPEN) {
    p->promise = PROBLEM_SOLVABLE;
  }
}

void choose_b(problem *p, random_state *r, int whole)
{
  for (int i = 0; i < p->n; i++) {
    p->b[i] = whole ? random_below(r, 7) - 3 : random_between(r, -1.0, 1.0);
  }
}

static double power_of_two(random_state *r, int exponent)
{
  return ldexp(1.0, random_below(r, 2 * exponent + 1) - exponent);
}

static void scale_row(problem *p, int i, double d)
{
  for (int j = 0; j < p->n; j++) {
    *element(p, i, j) *= d;
  }
  p->b[i] *= d;
  if (p->has_v) {
    p->v[i] /= d;
  }
}

static void scale_column(problem *p, int j, double d)
{
  for (int i = 0; i < p->n; i++) {
    *element(p, i, j) *= d;
  }
  p->lo[j] /= d;
  p->hi[j] /= d;
  if (p->has_x) {
    p->x[j] /= d;
  }
}

void scale_rows(problem *p, random_state *r, int exponent)
{
  for (int i = 0; i < p->n; i++) {
    scale_row(p, i, power_of_two(r, exponent));
  }
  p->traits |= PROBLEM_SCALED;
}

void scale_columns(problem *p, random_state *r, int exponent)
{
  for (int j = 0; j < p->n; j++) {
    scale_column(p, j, power_of_two(r, exponent));
  }
  p->traits |= PROBLEM_SCALED;
}

void scale_symmetrically(problem *p, random_state *r, int exponent)
{
  for (int i = 0; i < p->n; i++) {
    const double d = power_of_two(r, exponent);
    scale_row(p, i, d);
    scale_column(p, i, d);
  }
  p->traits |= PROBLEM_SCALED;
}

static void swap(double *a, double *b)
{
  const double c = *a;
  *a = *b;
  *b = c;
}

void shuffle(problem *p, random_state *r)
{
  for (int i = p->n - 1; i > 0; i--) {
    const int k = random_below(r, i + 1);
    for (int j = 0; j < p->n; j++) {
      swap(element(p, i, j), element(p, k, j));
    }
    for (int j = 0; j < p->n; j++) {
      swap(element(p, j, i), element(p, j, k));
    }
    swap(&p->b[i], &p->b[k]);
    swap(&p->lo[i], &p->lo[k]);
    swap(&p->hi[i], &p->hi[k]);
    if (p->has_x) {
      swap(&p->x[i], &p->x[k]);
    }
    if (p->has_v) {
      swap(&p->v[i], &p->v[k]);
    }
  }
}
