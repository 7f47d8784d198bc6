/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Proofs that a problem has no solution.
 *
 * Farkas: v with
 *
 *   v >= 0,   Aᵀv <= 0,   bᵀv < 0
 *
 * leaves no x >= 0 with A x + b >= 0, since vᵀ(A x + b) would be both >= 0 and < 0. With bounds a row without
 * upper bound has y_i >= 0 (v_i >= 0), one without lower bound y_i <= 0 (v_i <= 0), a free one y_i = 0 (any
 * v_i), one with two bounds says nothing of y_i (v_i = 0), and
 *
 *   sup over lo <= x <= hi of vᵀ(A x + b) < 0.
 *
 * A proof is a proof of the problem that stands in the doubles, so a sign must be certain. A sum that its
 * rounding bound does not tell from zero is evaluated exactly (as an unevaluated sum of doubles); there is no
 * tolerance anywhere in nsd_farkas_holds(). That matters: where Aᵀv is only nearly <= 0, as with rounded
 * semidefinite matrices, the problem may well have a solution, far out.
 *
 * Where candidates come from:
 *
 * A secondary ray of Lemke's method. On the ray (x, y, z0) + t (dx, dy, dz0) every product of a
 * pair stays zero and dy = A dx + d dz0. Then
 *
 *   dxᵀA dx = −dz0 dᵀdx <= 0,
 *
 * which for copositive-plus A gives dz0 = 0, (A + Aᵀ) dx = 0, Aᵀdx = −dy <= 0, and from 0 = dxᵀy
 *
 *   bᵀdx = −z0 dᵀdx < 0.
 *
 * So v = dx. It is also worth a try for any other matrix. Bounds change nothing: v = dx in the problem's own
 * x (a bounded x_i does not move, an x_i without lower bound falls, for a free one (Aᵀdx)_i = 0).
 *
 * A row of a tableau whose basic variable is negative and cannot grow: v_i is minus the coefficient of the
 * nonbasic y_i, and 1 where y_i is the basic variable itself. */
#ifndef NSD_LCP_PROOF_FARKAS_H
#define NSD_LCP_PROOF_FARKAS_H

#include "base/arena.h"
#include "base/poll.h"
#include "lcp/problem.h"
#include "lcp/proof/farkas_equations.h"

enum { NSD_FARKAS_POSITIVE = 1, NSD_FARKAS_NEGATIVE = 2 };

typedef struct nsd_farkas {
  double *cleaned; /* n: the candidate without noise */
  double *trial;   /* n: what is tried */
  double *column;  /* n: Aᵀv */
  double *size;    /* n: |A|ᵀ|v| */
  double *row;     /* n: units of rows, as powers of two */
  double *sum;     /* 2n + 2: one sum as an expansion */
  double *block;   /* n × (n + 1) */
  int *support;    /* n: rows with v_i ≠ 0 */
  int *tight;      /* n: columns whose sign is in doubt */
  double *spread;  /* n: what an exact v may differ by from the rounded one in a column */
  nsd_enclosure enclosure;
  nsd_poll *poll; /* asked on the way; once it stops, nothing is a proof. NULL after lay_out */
  int in_branch;  /* v may stand for an exact one near it */
  uint8_t *signs; /* n: those that v_i may have, NSD_FARKAS_POSITIVE and NSD_FARKAS_NEGATIVE */
} nsd_farkas;

void nsd_farkas_lay_out(nsd_arena *arena, nsd_farkas *w, int n);

/* Whether v, as it stands, proves that there is no solution. Never true for a problem that has one. */
int nsd_farkas_holds(nsd_farkas *w, const nsd_lcp_problem *p, const double *v);

/* Looks for a proof at or near v, which rounding may have moved off: drops what is noise, tries the small
 * rational numbers that v may stand for, moves v into the interior of its cone. On success v is a proof and 1
 * is returned; else 0, v as it was. n² to n³ operations. */
int nsd_farkas_find(nsd_farkas *w, const nsd_lcp_problem *p, double *v);

/* The same for a branch of a search, {x, y : y = A x + b, lo <= x <= hi, y_i of the signs given}: p's bounds
 * are those of x in the branch, `signs` says which signs v_i may have, whatever the bounds. v_i > 0 is
 * allowed where the branch has y_i >= 0, v_i < 0 where it has y_i <= 0, both where y_i = 0. A proof shows
 * that the branch has no point.
 *
 * Here v may stand for an exact proof near it: free columns, whose sums must be zero, are zero exactly for
 * some v + e (lcp/proof/farkas_equations.h), and all other signs hold for every e within its bound. */
int nsd_farkas_find_in_branch(nsd_farkas *w, const nsd_lcp_problem *p, const uint8_t *signs, double *v);

#endif
