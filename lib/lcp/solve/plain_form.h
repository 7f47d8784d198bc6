/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A mixed problem as a plain one, for solvers that know no bounds.
 *
 *   lo finite, hi infinite    x = lo + x'
 *   lo infinite, hi finite    x = hi − x',  y' = −y
 *   both finite               x = lo + x',  y' = y + v,  0 <= v ⊥ hi − lo − x' >= 0   (one row more)
 *   lo = hi                   x is known and leaves the problem
 *   both infinite             y = 0 is an equation: solved for x by pivots, so both leave the problem
 *
 * Where the equations of free unknowns are singular among themselves (redundant constraints), those that
 * no pivot is left for are kept as x = x⁺ − x⁻, 0 <= x⁺ ⊥ y >= 0, 0 <= x⁻ ⊥ −y >= 0; rows that are zero to
 * rounding, right-hand side included, are redundant and leave. */
#ifndef NSD_LCP_SOLVE_PLAIN_FORM_H
#define NSD_LCP_SOLVE_PLAIN_FORM_H

#include "base/arena.h"
#include "base/poll.h"
#include "lcp/problem.h"

typedef struct nsd_plain_form {
  nsd_poll *poll;      /* asked on the way; NULL after lay_out */
  int n;               /* unknowns of the mixed problem */
  int m;               /* of the plain one, at most 2n */
  double *A;           /* m × m */
  double *b;           /* m */
  double *T;           /* n × (n + 1): the problem after elimination, its last column the constant */
  double *row_size;    /* n: sizes of A's rows and columns, and of what went into the constants: */
  double *column_size; /*    rounding is judged against them */
  double *constant_size;
  double *base; /* n: x = base + sign x' */
  double *sign;
  int *kind;      /* n: what became of an unknown */
  int *solved_in; /* n: row of T that gives a free unknown, −1 if none does */
  int *solves;    /* n: the unknown that a free row of T gives, −1 if none */
  int *equation;  /* n: row of T that is complementary to an unknown */
  int *first;     /* n: an unknown's row in the plain problem, −1 if it has none */
  int *second;    /* n: its second one */
} nsd_plain_form;

void nsd_plain_form_lay_out(nsd_arena *arena, nsd_plain_form *w, int n);

/* Fills A, b, m; `tol` is the smallest pivot relative to its row and column. What it leaves is of no use
 * where the poll has stopped it. */
void nsd_plain_form_make(nsd_plain_form *w, const nsd_lcp_problem *p, double tol);

/* The plain problem, valid until the next make. */
nsd_lcp_problem nsd_plain_form_plain(const nsd_plain_form *w);

/* x of the mixed problem from x' (m) of the plain one and its basis: an unknown is at its upper bound where
 * the multiplier of that bound is basic, whatever rounding made of x'. */
void nsd_plain_form_point(const nsd_plain_form *w, const nsd_lcp_problem *p, const double *plain_x,
                          const int32_t *plain_basis, double *x);

/* The basis of the mixed problem that belongs to one of the plain problem. */
void nsd_plain_form_basis(const nsd_plain_form *w, const int32_t *plain_basis, int32_t *basis);

/* The direction of x that belongs to a direction of x'. */
void nsd_plain_form_direction(const nsd_plain_form *w, const double *plain_dx, double *dx);

/* What a branch of the plain problem, some of its unknowns fixed at zero (`fixed`: m flags of x', then m of
 * y'), leaves of the mixed one: bounds of x, and the signs that multipliers of its rows may have (as
 * nsd_farkas_find_in_branch() takes them). Every solution of the mixed problem that has a counterpart in the
 * branch is kept. 0 where nothing is left. */
int nsd_plain_form_branch(const nsd_plain_form *w, const nsd_lcp_problem *p, const uint8_t *fixed, double *lo,
                          double *hi, uint8_t *signs);

/* Multipliers of the mixed problem's rows (n) from those of the plain problem's (m), to rounding. */
void nsd_plain_form_multipliers(const nsd_plain_form *w, const double *plain_v, double *v);

#endif
