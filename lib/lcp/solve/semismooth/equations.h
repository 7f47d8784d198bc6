/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The problem as a system of equations, one per row, that vanish exactly where the row is complementary: what
 * Newton's methods (newton.h) and those of Levenberg and Marquardt (marquardt.h) share.
 *
 *   minimum map         mid(x_i − lo_i, y_i, x_i − hi_i) = 0
 *   Fischer–Burmeister  ψ(x_i − lo_i, −ψ(hi_i − x_i, −y_i)) = 0,  ψ = −λ φ + (1 − λ) a⁺ b⁺,
 *                       φ(a, b) = √(a² + b²) − a − b   (λ = 1: not penalized)
 *
 * They work in units in which the numbers are of like size (lcp/solve/scale.h), b and bounds included: the
 * same problem in other units takes the same steps. Each point is rounded, and where its basis is new, that
 * basis is solved: the certificate decides when to stop. */
#ifndef NSD_LCP_SOLVE_SEMISMOOTH_EQUATIONS_H
#define NSD_LCP_SOLVE_SEMISMOOTH_EQUATIONS_H

#include "lcp/solve/basis.h"
#include "lcp/solve/scale.h"

typedef struct nsd_lcp_equations {
  nsd_poll *poll;  /* asked on the way; NULL after lay_out */
  nsd_scale scale; /* the problem in units in which its numbers are of like size */
  double *b;       /* n: b, lo, hi over the size of x */
  double *lo;
  double *hi;
  double *y;       /* n: A z + b where z was asked last, x = size · C z */
  double *value;   /* n: ψ there, */
  double *dx;      /* n: ∂ψ/∂x, */
  double *dy;      /* n: ∂ψ/∂y */
  double *x;       /* n: a point in the caller's units, while it is judged */
  double *rounded; /* n */
  double *work;    /* n */
  int32_t *place;  /* n: basis of the point at hand */
  int32_t *last;   /* n: the last basis that was solved */
  nsd_basis basis;
  /* One call's data, from nsd_lcp_equations_begin on. */
  const nsd_lcp_problem *given;
  nsd_lcp_problem p; /* in the iteration's units */
  nsd_lcp_answer *answer;
  double size;     /* of x in those units */
  double lambda;   /* of ψ */
  double tol;      /* of the certificate */
  double residual; /* of answer->x */
  double polished; /* the merit where the last basis was solved */
} nsd_lcp_equations;

void nsd_lcp_equations_lay_out(nsd_arena *arena, nsd_lcp_equations *w, int n);

/* All loops ask it from now on. */
void nsd_lcp_equations_ask(nsd_lcp_equations *w, nsd_poll *poll);

/* Chooses the units. The projection of zero, judged, is the answer so far. */
void nsd_lcp_equations_begin(nsd_lcp_equations *w, const nsd_lcp_problem *p, double tol, double lambda,
                             nsd_lcp_answer *answer);

/* A run is about to begin at z, which is brought within the bounds, or at the point of the basis `start`
 * where that is not NULL (and not singular). */
void nsd_lcp_equations_start(nsd_lcp_equations *w, const int32_t *start, double *z);

/* y, ψ and its derivatives at z. Returns the merit ½ Σ ψ_i², which is smooth where the maps are not;
 * infinite where it overflows. */
double nsd_lcp_equations_at(nsd_lcp_equations *w, const double *z);

/* J := diag(∂x) + diag(∂y) A, n × n, where ψ was asked last. Told to stop, it ends first. */
void nsd_lcp_equations_jacobian(const nsd_lcp_equations *w, double *J);

/* The basis that the signs of the minimum map choose at z, of which y was asked last. */
void nsd_lcp_equations_basis(const nsd_lcp_equations *w, const double *z, int32_t *basis);

/* Judges z, rounded to the bounds that the minimum map says it belongs to; if its basis is a new one or the
 * point much better than when that was solved, the basis's solution too. The best stays in the answer.
 * Returns whether its certificate holds. */
int nsd_lcp_equations_judge(nsd_lcp_equations *w, const double *z, double merit);

static inline int nsd_lcp_equations_are_solved(const nsd_lcp_equations *w)
{
  return w->residual <= w->tol;
}

#endif
