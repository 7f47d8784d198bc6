/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The makers behind problems.h: each fills a problem whose n is set, A and b are zero, lo = 0, hi = ∞, and
 * whose promise is PROBLEM_OPEN. */
#ifndef TESTS_SUPPORT_MAKERS_H
#define TESTS_SUPPORT_MAKERS_H

#include <stddef.h>

#include "problems.h"
#include "random.h"

typedef void problem_maker(problem *p, random_state *r);

typedef struct problem_class {
  const char *name;
  problem_maker *make;
  int least; /* n */
  int most;
  int multiple; /* n is one of least + k multiple */
} problem_class;

extern const problem_class matrix_classes[];
extern const int matrix_class_count;
extern const problem_class family_classes[];
extern const int family_class_count;
extern const problem_class mechanics_classes[];
extern const int mechanics_class_count;

/* What problem_make does before it calls the maker: sizes the problem, clears it, seeds. */
random_state problem_begin(problem *p, int index, int n, uint64_t seed);

static inline double *element(problem *p, int i, int j)
{
  return p->A + (size_t)i * (size_t)p->n + j;
}

static inline int chance(random_state *r, double probability)
{
  return random_unit(r) < probability;
}

/* Draws x >= 0 and y >= 0 with x_i y_i = 0, both zero in the given share of rows, and sets b = y − A x, so
 * that x is a solution. Integers where `whole`, so that it is one exactly. */
void choose_solution(problem *p, random_state *r, int whole, double both_zero);

/* b random: integers from −3 to 3 where `whole`. */
void choose_b(problem *p, random_state *r, int whole);

/* A := D1 A D2, b := D1 b, x := D2^-1 x with powers of two, rows and columns by up to 2^±exponent: the set of
 * complementary bases that solve it stays as it was. */
void scale_rows(problem *p, random_state *r, int exponent);
void scale_columns(problem *p, random_state *r, int exponent);
void scale_symmetrically(problem *p, random_state *r, int exponent);

/* Renumbers rows and columns alike. */
void shuffle(problem *p, random_state *r);

#endif
