/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* φ(z) = 0 as the minimum of ½ |φ|², by the two Levenberg–Marquardt methods of Mylapilli & Jain (2017), §5.
 *
 *   regular    (JᵀJ + λ I) Δz = −Jᵀφ; λ follows the ratio r of the fall of ½|φ|² to the one that the
 * quadratic model promised: r < 0.3 makes it 20 times larger, r > 0.8 as much smaller; r > 0 is accepted.
 *              (The paper prints the step without its minus sign.)
 *   projected  Δz is the least-squares solution of [J; √λ I] Δz = [−φ; 0], by Householder's reflections, so
 * that J is not squared; λ = 1e-16 |J|². The step is followed as far as a line search allows that looks back
 * over some steps (Grippo, Lampariello & Lucidi 1986); where the best point has not become better for some
 * steps, it goes on from there with a monotone search (the watchdog).
 *
 * Both end where φ is small enough for the caller, at a point where the merit has no slope, stands still or
 * crawls (a stall: there the caller begins elsewhere or hands on), or at the limit. J is an element of the
 * generalized Jacobian where φ has kinks. λ is relative to the size of J: the same equations in other units
 * take the same steps. */
#ifndef NSD_BASE_LEVENBERG_MARQUARDT_H
#define NSD_BASE_LEVENBERG_MARQUARDT_H

#include "base/arena.h"
#include "base/poll.h"

typedef enum nsd_marquardt_kind { NSD_MARQUARDT_REGULAR, NSD_MARQUARDT_PROJECTED } nsd_marquardt_kind;

typedef enum nsd_marquardt_end {
  NSD_MARQUARDT_SOLVED,    /* the caller says so */
  NSD_MARQUARDT_STALLED,   /* no slope, or no way down */
  NSD_MARQUARDT_LIMIT,     /* so many steps */
  NSD_MARQUARDT_CANCELLED, /* the poll says so */
  NSD_MARQUARDT_OVERFLOW   /* ½ |φ|² is no number where it began */
} nsd_marquardt_end;

/* n equations in n unknowns. */
typedef struct nsd_equations {
  int n;
  void *user;
  /* Each asks the caller's poll on the way, where it takes long. */
  void (*residual)(void *user, const double *z, double *phi); /* φ at z */
  void (*jacobian)(void *user, const double *z,
                   double *J); /* n × n, row-major; z is where φ was asked last */
  int (*is_solved)(void *user, const double *z, const double *phi); /* asked at each new point */
} nsd_equations;

typedef struct nsd_marquardt {
  double *phi, *next_phi; /* n */
  double *slope;          /* n: Jᵀφ */
  double *step, *trial;   /* n */
  double *best;           /* n: of least merit so far, of the projected method */
  double *sums;           /* n: of rows, of columns */
  double *J;              /* n × n */
  double *H;              /* 2n × n: JᵀJ + λ I, or [J; √λ I] and what reflections leave of it */
  double *right;          /* 2n */
  double *v;              /* 2n: of a reflection */
} nsd_marquardt;

void nsd_marquardt_lay_out(nsd_arena *arena, nsd_marquardt *w, int n);

/* From z on; z receives the last point, that of least merit. *steps grows by the steps taken, up to `most`.
 */
nsd_marquardt_end nsd_marquardt_solve(nsd_marquardt *w, nsd_marquardt_kind kind,
                                      const nsd_equations *equations, int most, double *z, int *steps,
                                      nsd_poll *poll);

#endif
