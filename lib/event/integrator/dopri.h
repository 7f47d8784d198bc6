/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* y' = f(t, y) forward in time by the method of Dormand and Prince of order 8(5,3) with its continuous
 * extension of order 7 (Hairer, Nørsett & Wanner 1993, section II.10).
 *
 * Error per step: h e5² / √(e5² + 0.01 e3²) <= 1, where e5 and e3 are the largest components of the estimates
 * of orders 5 and 3, each over absolute_i + relative_i max(|y_i|, |y_i next|). The largest, not the mean: a
 * body that rests must not pay for one that moves. Where that misses, what a rest and the clock make of the
 * estimate is allowed beside it (integrator/dopri.c). The step length follows a PI controller whose powers
 * are square roots taken several times, so that it gives the same bits with every libm.
 *
 * A step costs 12 evaluations of f, one less after a rejected one; the extension 3 more. What a sum y + h k
 * loses to rounding is carried to the next step, so that rounding errors do not pile up over many steps.
 *
 * Nothing here allocates but the caller's arena. */
#ifndef NSD_EVENT_INTEGRATOR_DOPRI_H
#define NSD_EVENT_INTEGRATOR_DOPRI_H

#include <stdint.h>

#include "base/arena.h"
#include "event/integrator/dopri_table.h"

#define NSD_DOPRI_LEAST_ERROR 1e-4 /* what the controller remembers at least of a step's error */

/* f(t, y). 0: done; > 0: not here, try a shorter step; < 0: stop. */
typedef int nsd_dopri_rhs(void *user, double t, const double *y, double *slope);

/* Adds to `beside`, for each component, what rounding inside f makes of a step of length h, by what is known
 * from the evaluations of that step. */
typedef void nsd_dopri_doubt(void *user, double h, double *beside);

/* What is integrated how well. The arrays are the caller's and may change between two steps. */
typedef struct nsd_dopri_task {
  nsd_dopri_rhs *f;
  void *user;
  const double *absolute; /* n, >= 0 */
  const double *relative; /* n, >= 0; at least one of the two positive, and 1e-15 |y_i| or more */
  const double *drive;    /* n: sizes of the terms of the slopes; NULL: not known */
  const double *bend;     /* calm_from: sizes of the terms of the slopes' rates of change; with `drive` */
  double rest;            /* share of what these make of a component in a step, that it may err by */
  double longest;         /* step; > 0, may be infinite */
  nsd_dopri_doubt *doubt; /* NULL: f knows of no rounding but that of `drive` */
  int calm_from;          /* components from here on tell whether a motion closes in on a singularity */
} nsd_dopri_task;

/* What an error status of a step or a start means. */
enum nsd_dopri_trouble {
  NSD_DOPRI_FINE = 0,
  NSD_DOPRI_CALLBACK,  /* f returned `code` < 0: NSDYN_ERR_CALLBACK */
  NSD_DOPRI_REFUSED,   /* f returned `code` > 0 at the start of a step: NSDYN_ERR_CALLBACK_RETRY; or for steps
                          as short as they get */
  NSD_DOPRI_NO_NUMBER, /* f or the state is not finite there: NSDYN_ERR_NOT_FINITE */
  NSD_DOPRI_TOO_SHORT  /* the tolerance wants steps that t cannot tell from none: NSDYN_MAX_ITERATIONS */
};

typedef struct nsd_dopri {
  nsd_dopri_task task;
  int n, ld;
  double t;                             /* now */
  double *y;                            /* n: the state now */
  double t_before;                      /* start of the last step */
  double *y_before;                     /* n */
  double h;                             /* its length; 0 before the first */
  double h_next;                        /* what the next one will try */
  double error_before;                  /* of the last step, for the controller */
  double error;                         /* of the last step, over the tolerance: as it was estimated */
  double *rest;                         /* n: what rounding cut off y */
  double *rest_before;                  /* n: and y_before */
  double *k;                            /* stages × ld: slopes; that at t is stage NSD_DOPRI_END */
  double *increment;                    /* n: Σ b_i k_i of the last step */
  double *trial;                        /* n: where f is evaluated */
  double *cut, *cut_rest;               /* n: the end of a shorter step */
  double *beside;                       /* n: what is allowed beside the tolerance; zero between steps */
  double *extension;                    /* 8 × ld: coefficients of the continuous extension */
  int extended;                         /* whether they are those of the last step */
  int trouble, code;                    /* of the last failure */
  int forced;                           /* steps in a row that were taken though their estimate was bad */
  int suspicions, calm;                 /* of the detection of stiffness */
  int stiff;                            /* steps have long been limited by stability, not by the error */
  int64_t steps, rejected, evaluations; /* since nsd_dopri_reset() */
} nsd_dopri;

void nsd_dopri_lay_out(nsd_arena *arena, nsd_dopri *w, int n);

/* Counters to zero; to be called once after the layout. */
void nsd_dopri_reset(nsd_dopri *w);

/* Begins at (t, y): one evaluation of f. `h`: length of the first step; 0: choose, with one evaluation more.
 */
nsdyn_status nsd_dopri_start(nsd_dopri *w, const nsd_dopri_task *task, double t, const double *y, double h);

/* One step that meets the tolerance, not beyond t_end > t; onto it exactly where it comes close. The state
 * moves on NSDYN_OK only. */
nsdyn_status nsd_dopri_step(nsd_dopri *w, double t_end);

/* The last step again from its start, only to t_event > t_before, not beyond the end that it had at first:
 * shorter, so no less exact. The extension, if there is one, stays that of the step as it was. After a
 * failure the step stands, but cannot be extended. */
nsdyn_status nsd_dopri_cut(nsd_dopri *w, double t_event);

/* Takes the last step back, which was not cut since; the next one tries h. */
void nsd_dopri_undo(nsd_dopri *w, double h);

/* Replaces the state at t, by one that differs little: the step control goes on. One evaluation. */
nsdyn_status nsd_dopri_replace(nsd_dopri *w, const double *y);

/* Prepares the continuous extension of the last step: three evaluations. */
nsdyn_status nsd_dopri_extend(nsd_dopri *w);

/* y at t_before + theta h, after nsd_dopri_extend(): 0 <= theta <= 1. */
void nsd_dopri_at(const nsd_dopri *w, double theta, double *y);

/* About how much the extension misses between the ends of the step, over the tolerance. */
double nsd_dopri_extension_error(const nsd_dopri *w);

/* f at t, and at the start of the last step. */
static inline const double *nsd_dopri_slope(const nsd_dopri *w)
{
  return w->k + (size_t)NSD_DOPRI_END * (size_t)w->ld;
}

/* Whether the error of the last step said nothing of its length: nothing moves, or only as polynomials do. */
static inline int nsd_dopri_is_blind(const nsd_dopri *w)
{
  return w->error_before <= NSD_DOPRI_LEAST_ERROR;
}

static inline const double *nsd_dopri_slope_before(const nsd_dopri *w)
{
  return w->k;
}

#endif
