/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* examples/pile as it is, for work_precision.c: spheres that fall into a container. */
#include "work_models.h"

#define main pile_main
int pile_main(int argc, char **argv);
#include "../../examples/pile.c"

void work_pile(work_model *w)
{
  enum { SPHERES = 16 };
  static pile p = {.width = 0.5};
  static body ball[SPHERES];
  static double radius[SPHERES], half[SPHERES][3];
  static int next[SPHERES];
  static int32_t block[SPHERES];
  machine m;
  *w = (work_model){.name = "pile",
                    .title = "16 spheres that fall into a box",
                    .nq = 7 * SPHERES,
                    .nu = 6 * SPHERES,
                    .t_end = 0.4};
  p.all = (bodies){.count = SPHERES, .body = ball, .block = block, .gravity = {0.0, 0.0, -9.81}};
  p.r = radius;
  p.half = half;
  p.next = next;
  fill(&p, ball, w->q, 0.05, 1);
  if (start(&m, &p, 0.4, 0.0, 0, w->q, w->u) != NSDYN_OK) {
    return;
  }
  w->sys = m.sys;
  for (int i = 0; i < SPHERES; i++) {
    for (int k = 0; k < 3; k++) {
      w->size[7 * i + k] = 0.05;
    }
  }
  w->by_events = 1;
  w->dt_most = 1.03e-2;
  w->dt_least = 2e-5;
  w->least_tol = 1e-10;
}
