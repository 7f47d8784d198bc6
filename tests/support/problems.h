/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Linear complementarity problems by class and seed, for tests and benchmarks.
 *
 *   y = A x + b,   lo <= x <= hi,   y_i >= 0 at lo, y_i <= 0 at hi, y_i = 0 in between.
 *
 * The same class, n and seed give the same problem. What theory or construction promises of it stands in
 * `promise` and `traits`; a test that loops over all classes asks these, not the class's name.
 *
 *   problem *p = problem_new(60);
 *   for (int c = 0; c < problem_class_count(); c++) {
 *     for (uint64_t seed = 0; seed < 1000; seed++) {
 *       problem_make(p, c, 1 + (int)(seed % 60), seed);
 *       … solve p->n, p->A, p->n, p->b, problem_lo(p), problem_hi(p) …
 *     }
 *   }
 */
#ifndef TESTS_SUPPORT_PROBLEMS_H
#define TESTS_SUPPORT_PROBLEMS_H

#include <stdint.h>

#define PROBLEM_LEAST_CAPACITY 6

typedef enum problem_promise {
  PROBLEM_OPEN,     /* nothing is known */
  PROBLEM_SOLVABLE, /* at least one solution */
  PROBLEM_UNIQUE,   /* exactly one x */
  PROBLEM_NONE      /* no solution */
} problem_promise;

/* What is known of A (of D1 A D2 where it is scaled: the mathematics, not the rounding). A trait that is not
 * set says nothing. */
enum problem_trait {
  PROBLEM_SYMMETRIC = 1 << 0,   /* to the bit */
  PROBLEM_P = 1 << 1,           /* positive principal minors */
  PROBLEM_PD = 1 << 2,          /* positive definite, symmetric or not */
  PROBLEM_PSD = 1 << 3,         /* positive semidefinite, symmetric or not; set for PD too */
  PROBLEM_Z = 1 << 4,           /* off-diagonal elements <= 0 */
  PROBLEM_LEMKE = 1 << 5,       /* Lemke's theorem: a solution, or a ray that proves that there is none */
  PROBLEM_FRICTION = 1 << 6,    /* from a mechanical system with contact */
  PROBLEM_DEGENERATE = 1 << 7,  /* zeros or ties by construction */
  PROBLEM_SCALED = 1 << 8,      /* rows, columns or both scaled over 1e±12 by powers of two */
  PROBLEM_MIXED = 1 << 9,       /* lo or hi differ from 0 and infinity */
  PROBLEM_FEASIBLE = 1 << 10,   /* some x >= 0 has A x + b >= 0, whatever the promise */
  PROBLEM_EXPONENTIAL = 1 << 11 /* some classical method needs about 2^n pivots */
};

typedef struct problem {
  int capacity; /* largest n the arrays hold */
  int n;
  double *A;  /* n × n, row-major, row stride n */
  double *b;  /* n */
  double *lo; /* n */
  double *hi; /* n */
  double *x;  /* n: a solution by construction, where has_x */
  double *v;  /* n: Farkas' vector v >= 0, Aᵀv <= 0, bᵀv < 0, exactly in these doubles, where has_v */
  const char *name; /* of its class */
  uint64_t seed;
  problem_promise promise;
  unsigned traits; /* problem_trait */
  int has_x;
  int has_v;
  double count;    /* isolated solutions where all are known and none is a continuum; −1 else */
  double *scratch; /* the generators' own */
} problem;

/* Room for problems up to `capacity` unknowns (at least PROBLEM_LEAST_CAPACITY); NULL where memory is out. */
problem *problem_new(int capacity);
void problem_free(problem *p);

int problem_class_count(void);
const char *problem_class_name(int index);
int problem_class_find(const char *name); /* −1 where there is none */
int problem_class_least(int index);       /* smallest n that it has */
int problem_class_most(int index);        /* largest, INT32_MAX where only capacity ends it */

/* Makes problem `seed` of a class. n is a wish: a class with three rows per contact takes the next
 * smaller multiple, and none leaves its own range or the capacity. */
void problem_make(problem *p, int index, int n, uint64_t seed);

/* The bounds as a solver takes them: NULL where the problem is a plain one. */
const double *problem_lo(const problem *p);
const double *problem_hi(const problem *p);

/* What a time stepping scheme meets: one friction problem after the other, each a little different. Step t of
 * sequence (kind, n, seed) needs no other step before it. 1 000 steps are one slow period: contacts open
 * and close, stick and slip. */
typedef enum sequence_kind {
  SEQUENCE_PLANAR,     /* random planar contacts, n = 3k */
  SEQUENCE_TOWER,      /* boxes on boxes, redundant contacts, n = 6k */
  SEQUENCE_POLYHEDRAL, /* friction pyramids with 4 directions, n = 6k */
  SEQUENCE_COUNT
} sequence_kind;
const char *sequence_name(sequence_kind kind);
void sequence_make(problem *p, sequence_kind kind, int n, uint64_t seed, int step);

#endif
