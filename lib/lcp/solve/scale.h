/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Other units for the rows and columns of a problem, in which its numbers are of like size:
 *
 *   y' = R y,   x = C x',   y' = (R A C) x' + R b,
 *
 * R and C diagonal, positive, powers of two: nothing is rounded, complementarity, bounds and signs stay. What
 * a pivot's size says about its worth depends on units; in these it says most. */
#ifndef NSD_LCP_SOLVE_SCALE_H
#define NSD_LCP_SOLVE_SCALE_H

#include "base/arena.h"
#include "base/poll.h"
#include "lcp/problem.h"

typedef struct nsd_scale {
  nsd_poll *poll; /* asked on the way; NULL after lay_out */
  double *A;      /* n × n: R A C */
  double *b;      /* n: R b */
  double *lo;     /* n: C^-1 lo */
  double *hi;     /* n: C^-1 hi */
  int *row;       /* n: exponents of R */
  int *column;    /* n: exponents of C */
} nsd_scale;

void nsd_scale_lay_out(nsd_arena *arena, nsd_scale *w, int n);

/* The problem in its new units, valid until the next call. */
nsd_lcp_problem nsd_scale_make(nsd_scale *w, const nsd_lcp_problem *p);

/* The units alone, for nsd_scale_in_place. */
void nsd_scale_lay_out_units(nsd_arena *arena, nsd_scale *w, int n);

/* Scales a plain problem where it stands: A is n × n without gaps. */
void nsd_scale_in_place(nsd_scale *w, int n, double *A, double *b);

/* x := C x, in place. */
void nsd_scale_point(const nsd_scale *w, int n, double *x);

/* v := R v, in place: multipliers of the rows. */
void nsd_scale_multipliers(const nsd_scale *w, int n, double *v);

/* Whether the last nsd_scale_make() of this problem changed units only: no number left the range or lost
 * digits at its edge. */
int nsd_scale_is_exact(const nsd_scale *w, const nsd_lcp_problem *p);

#endif
