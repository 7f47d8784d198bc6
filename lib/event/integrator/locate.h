/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The first of all instants within an integrator step at which one of several functions falls through zero.
 *
 * A step may be long beside what happens in it, so that the signs at its ends say little. On an interval of θ
 * each function is sampled in nine Chebyshev points. The polynomial through them is enclosed by its Bernstein
 * coefficients, and its distance from the function is estimated from its last Chebyshev coefficients
 * (Trefethen 2013): where the enclosure stays above zero by more than that, there is no root; where the
 * coefficients change sign once, there is one; else the interval is halved. What polynomials of degree 8 do
 * not resolve has large last coefficients and is halved until they do.
 *
 * That estimate is one by chance where a function goes up and down several times between two points: a load
 * that oscillates while everything rests, so that the step is as long as one likes. So an interval counts
 * only where the last coefficients are small beside the function's own change there, or much smaller than its
 * distance from zero; and a function that wants many intervals makes the caller take shorter steps
 * (`intervals`, `wavy`).
 *
 * `noise_k` is what rounding makes of g_k, as far as the caller can tell before he knows the step: below
 * −noise it has fallen; between −noise and noise it is zero. A function that falls to zero from above and
 * rises again without having fallen below −noise has grazed. One that starts at zero (a contact that just
 * opened) and rises has no root there. */
#ifndef NSD_EVENT_INTEGRATOR_LOCATE_H
#define NSD_EVENT_INTEGRATOR_LOCATE_H

#include <stdint.h>

#include "base/arena.h"

enum { NSD_LOCATE_DEGREE = 8, NSD_LOCATE_POINTS = NSD_LOCATE_DEGREE + 1 };

/* g_0 … g_(m−1) at θ. Anything but 0 ends the search. */
typedef int nsd_locate_values(void *user, double theta, double *g);

typedef struct nsd_locate_task {
  int m;
  int coarse; /* 1: five points may be enough for a function that does not come near zero: for those that cost
                 much */
  nsd_locate_values *values;
  void *user;
  const double *noise; /* m, > 0 */
  double resolution;   /* of θ; > 0 */
  int check; /* 1: of these functions nothing is known, and one sample more must be where the others say */
  int may_shorten; /* 1: where a function is wavy, the caller would rather take a shorter step */
  int grazes; /* that earlier searches of this step have found, too short to be waves: more noise than was
                 known, as soon as they are many */
} nsd_locate_task;

enum nsd_root_kind {
  NSD_ROOT_NONE = 0,
  NSD_ROOT_FALLS = 1, /* from above zero (or from zero, at `from`) to below −noise */
  NSD_ROOT_GRAZES = 2 /* from above zero to zero and up again */
};

typedef struct nsd_root {
  int kind;
  int k;        /* whose */
  double theta; /* where; of a graze, near its minimum */
  double bound; /* how far noise and resolution may have moved it: so much later it has surely fallen */
} nsd_root;

/* What the search needs, of any task with at most m functions. */
typedef struct nsd_locate {
  double *values;  /* POINTS × m */
  double *sample;  /* m */
  int *suspect;    /* m */
  double *noise;   /* m: what the task says, but no less than rounding makes of the largest sample */
  double *learned; /* m: noise that the search has seen, more than w->noise; else 0 */
  /* Of polynomials of degree 4 and 8 on [0, 1], through values in the Chebyshev points θ_i. */
  double point[NSD_LOCATE_POINTS];
  double bernstein[2][NSD_LOCATE_POINTS * NSD_LOCATE_POINTS]; /* values → coefficients */
  double chebyshev[2][NSD_LOCATE_POINTS * NSD_LOCATE_POINTS];
  int intervals;       /* that the last search has needed of one function, at most */
  int wavy;            /* it was given up: a function goes up and down too often for one step */
  int code;            /* what `values` returned last */
  int64_t evaluations; /* of `values` */
} nsd_locate;

void nsd_locate_lay_out(nsd_arena *arena, nsd_locate *w, int m);

/* Fills in what depends on nothing; to be called once after the layout. */
void nsd_locate_reset(nsd_locate *w);

/* The first root in [from, to], 0 <= from < to <= 1. NSDYN_OK, root->kind NONE where there is none, or where
 * w->wavy says that it was given up; NSDYN_ERR_CALLBACK where `values` returned w->code. */
nsdyn_status nsd_locate_first(nsd_locate *w, const nsd_locate_task *task, double from, double to,
                              nsd_root *root);

#endif
