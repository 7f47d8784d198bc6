/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* examples/slider_crank as it is, for work_precision.c: half a turn, without friction or restitution in its
 * clearance, so that the ball leaves its socket and comes back. */
#include "work_models.h"

#define main slider_crank_main
int slider_crank_main(int argc, char **argv);
#include "../../examples/slider_crank.c"

void work_slider_crank(work_model *w)
{
  static crank s = {.r = 0.05, .l = 0.12, .e = 0.01, .tilt = 0.4, .omega = 20.0, .clearance = 5e-4};
  const double m_rod = 0.1, m_slider = 0.2, thick = m_rod * s.l * s.l / 400.0,
               slender = m_rod * s.l * s.l / 12.0, J = 0.1 * m_slider * s.r * s.r;
  machine m;
  *w = (work_model){.name = "slider-crank",
                    .title = "slider-crank with clearance",
                    .nq = 7 * BODIES,
                    .nu = NU * BODIES,
                    .t_end = 0.15,
                    .project = 1};
  s.body[ROD] = (body){.m = m_rod, .J = {thick, slender, slender}};
  s.body[SLIDER] = (body){.m = m_slider, .J = {J, J, J}};
  s.all = (bodies){.count = BODIES, .body = s.body, .block = s.block, .gravity = {0.0, 0.0, -9.81}};
  if (start(&m, &s, 0.0, 0.0) != NSDYN_OK) {
    return;
  }
  w->sys = m.sys;
  start_state(&s, w->q, w->u);
  for (int k = 0; k < 3; k++) {
    w->size[7 * ROD + k] = w->size[7 * SLIDER + k] =
        s.clearance; /* what the joint adds to the ideal mechanism */
  }
  w->by_events = 1;
  w->dt_most = 1.03e-3;
  w->dt_least = 2e-6;
  w->least_tol = 1e-8;
}
