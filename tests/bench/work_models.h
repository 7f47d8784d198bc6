/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The models of work_precision.c: a system, where it begins, and how its error is measured. Those of the
 * examples are their own sources, each taken into one file here. */
#ifndef TESTS_BENCH_WORK_MODELS_H
#define TESTS_BENCH_WORK_MODELS_H

#include <nsdyn/nsdyn.h>

enum { WORK_MOST = 7 * 16 }; /* coordinates */

typedef struct work_model {
  const char *name, *title;
  nsdyn_system *sys;
  int nq, nu;
  double q[WORK_MOST], u[WORK_MOST]; /* at t = 0 */
  double t_end;
  double size[WORK_MOST];  /* of the coordinates, by which errors are divided; 0: one that is not judged */
  double exact[WORK_MOST]; /* coordinates at t_end */
  int has_exact; /* else the finest run from event to event, or of adaptive steps, is taken for it */
  int project;   /* its steps are projected */
  int by_events; /* event drivers can do it */
  double dt_most, dt_least; /* of fixed steps */
  double least_tol;         /* of adaptive ones */
} work_model;

void work_sphere(work_model *w);
void work_slider_crank(work_model *w);
void work_pile(work_model *w);

#endif
