/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Slopes of functions that are known by their values alone, to be compared with slopes that are given.
 *
 * What a small step is, is not known: coordinates may be micrometres or kilometres, and t = 1e6 s. So
 * differences of order 6 are taken at steps from far too small to far too large, with an error made of what
 * order 4 says, of what the step before said and of rounding, in the function and in what it depends on. As
 * long as steps are small enough, the slope lies within each of these errors; where that ends, a step was too
 * large. Or those before were too small: geometries have tolerances of their own, within which they answer as
 * they like. So before a slope found by steps that are tiny beside what a function is made of is said to
 * differ from the one that is given, larger ones, which are short still, are asked whether they agree with
 * it. */
#ifndef NSD_SYSTEM_CHECK_DIFFERENCE_H
#define NSD_SYSTEM_CHECK_DIFFERENCE_H

#include "nsdyn/base.h"

typedef struct nsd_slope {
  double given; /* what is to be compared; NaN: nothing, this function is left out */
  double size;  /* of such slopes: what is small against it is nothing */

  /* Found. */
  double at_0;        /* value */
  double slope;       /* at the best step */
  double error;       /* of it; INFINITY: none was found */
  double left, right; /* one-sided slopes there */
  double jump;        /* by how much these differ at least; INFINITY: rounding hides it at all steps */
  double jump_size;   /* the size of slopes where that was seen */
  double previous;    /* slope at the step before */
  double worst;       /* largest error since the best step */
  double grain;       /* height of a stair of rounding, where one was seen */
  float step;         /* the best one, a power of two */
  int32_t flat_steps; /* such steps so far at which all values are the same */
  int8_t is_flat;     /* so at the best step */
  int8_t agrees;      /* a sharp slope is the given one */
  int8_t is_judged;   /* and not asked again */
  int8_t is_over;     /* steps are too large from here on */
} nsd_slope;

typedef struct nsd_slope_task {
  int n;
  nsd_slope *slope;
  const double
      *terms;      /* n: sizes of what values are made of: they are no better than the rounding of that, even
                      where they are zero, and steps that move them by less tell nothing; NULL: not known */
  double *values;  /* 6 × n: room for values at −3h … 3h without 0 */
  double rounding; /* the moving quantity is off by so much of the parameter s */
  void *user;

  /* Values at s; NaN where a function has none there. Positive: no values at this s; negative: the search
   * ends. */
  nsdyn_status (*at)(void *user, double s, double *values);
} nsd_slope_task;

enum nsd_slope_verdict {
  NSD_SLOPE_AGREES = 0,
  NSD_SLOPE_DIFFERS = 1,
  NSD_SLOPE_UNCLEAR = 2 /* not smooth there, or no slope found */
};

/* Fills in what is found. NSDYN_OK, or what `at` ended with. */
nsdyn_status nsd_slope_find(const nsd_slope_task *task);

/* `error` receives |given − slope| over the size. */
int nsd_slope_judge(const nsd_slope *slope, double *error);

#endif
