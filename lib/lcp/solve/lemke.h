/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Lemke's method (Lemke 1965; Cottle, Pang and Stone 1992, section 4.4). One
 * artificial variable z0 is added to every row,
 *
 *   y = A x + b + d z0,    0 <= x ⊥ y >= 0,    d > 0,
 *
 * so that a large z0 makes every row feasible. The path follows points that are complementary (x_i
 * y_i = 0 for every i) while z0 falls to zero: there the given problem is solved.
 * run() in solve/lemke.c tells the stages.
 *
 * Sure for P-matrices and copositive-plus ones (positive semidefinite among them): there a ray proves that no
 * solution exists. 2^n pivots at worst, n to 2n in practice, (n + 2) n multiplications each.
 *
 * Degenerate problems are the normal case of resting contacts. Ties of the ratio test are broken
 * lexicographically, which cannot cycle in exact arithmetic, or by the largest pivot, which keeps rounding
 * errors small: when the first does not end well, the second is worth a try. */
#ifndef NSD_LCP_SOLVE_LEMKE_H
#define NSD_LCP_SOLVE_LEMKE_H

#include "base/arena.h"
#include "base/poll.h"
#include "lcp/problem.h"

typedef enum nsd_lemke_ties { NSD_LEMKE_LEXICOGRAPHIC, NSD_LEMKE_LARGEST_PIVOT } nsd_lemke_ties;

/* A value far below its size is taken for rounding and becomes zero. The size is the largest of all |q_i|
 * times one of these. */
typedef enum nsd_lemke_sizes {
  NSD_LEMKE_SIZES_PASSED_ON,  /* the size of the row that left: safe, but it grows over long paths, and real
                                 values are lost */
  NSD_LEMKE_SIZES_OF_CHANGES, /* the value of that row: what was really added */
  NSD_LEMKE_SIZES_COARSE      /* the same, and much more is taken for rounding: ties that it has parted are
                                 ties again */
} nsd_lemke_sizes;

typedef struct nsd_lemke {
  int n;
  int stride;       /* of a row of T, whole vectors of at least n + 1 */
  int padded;       /* n, rounded up to whole vectors */
  double *T;        /* n × (n + 1), basic variables by nonbasic ones; zeros up to padded × stride */
  double *value;    /* n: values of the basic variables, and room for one more number */
  double *size;     /* n: largest number that went into a value; what is rounding of it is zero */
  double *entering; /* n: column of the entering variable */
  double *q;        /* n: what an exchange adds to a column */
  double *inverse;  /* n: −1 over the entering column */
  double *ratio;    /* n */
  int *basic;       /* n: variable of a row: i is x_i, n + i is y_i, 2n is z0 */
  int *where;       /* 2n + 1: row of a basic variable, −1 − column of a nonbasic one */
  int *partner;     /* n: column of the complement of a row's variable, but for z0's */
  int *tied;        /* n */
} nsd_lemke;

typedef struct nsd_lemke_options {
  const double *cover;  /* d > 0, n; NULL: ones */
  const int32_t *start; /* basis to begin from, or NULL */
  nsd_lemke_ties ties;
  nsd_lemke_sizes sizes;
  double pivot_tol; /* smallest |pivot| relative to its column */
  int max_pivots;
  const nsdyn_context *ctx; /* whose progress a long path asks; NULL: none */
  nsd_poll *poll;           /* asked within the exchanges of a large tableau, or NULL */
} nsd_lemke_options;

void nsd_lemke_lay_out(nsd_arena *arena, void *workspace, int n);

/* Solves a plain problem (no bounds). NSDYN_OK, NSDYN_UNDECIDED with the direction of x in answer->ray,
 * NSDYN_MAX_ITERATIONS, NSDYN_CANCELLED by the context's progress. */
nsdyn_status nsd_lemke_solve(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *options,
                             nsd_lcp_answer *answer);

#endif
