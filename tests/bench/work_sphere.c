/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* examples/sphere as it is, for work_precision.c. */
#include "work_models.h"

#define main sphere_main
int sphere_main(int argc, char **argv);
#include "../../examples/sphere.c"

void work_sphere(work_model *w)
{
  static sphere s = {.m = 1.0, .r = 1.0, .g = 9.81, .mu = 0.2, .v = 2.0, .sides = 4};
  machine m;
  *w = (work_model){
      .name = "sphere", .title = "sphere that slides, then rolls", .nq = 7, .nu = 6, .t_end = 0.6};
  const nsdyn_status status = start(&m, &s, MACHINE_STEPS, 1e-9, NSDYN_CONTACT_AUTOMATIC);
  if (status != NSDYN_OK) {
    return;
  }
  w->sys = m.sys;
  w->q[2] = s.r;
  w->q[3] = 1.0;
  w->u[0] = s.v;
  w->size[0] = w->size[1] = w->size[2] = 1.0; /* the way is 0.94 */
  const exact e = slide(&s);
  place(&s, &e, w->t_end, &w->exact[0], &w->exact[1]);
  w->exact[2] = s.r;
  w->has_exact = w->by_events = 1;
  w->dt_most = 3.1e-2;
  w->dt_least = 1e-5;
  w->least_tol = 1e-10;
}
