/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A slider pressed on a guide, y = −c, drawn by a massless rod from the pin of a crank that turns steadily.
 * q: the rod's angle, down from the x axis. */
#ifndef TESTS_UNIT_SLIDER_H
#define TESTS_UNIT_SLIDER_H

#include <math.h>

#include "stepping.h"

static const double slider_gravity = 9.81;

typedef struct slider {
  double crank, rod, clearance, omega, phase, mass;
} slider;

/* s and s' where the slider lies on its guide, y = a sin φ − l sin s = −c; returns by what the guide presses,
 * m (g + x'' tan s). */
static inline double slider_on_guide(const slider *m, double t, double s[2])
{
  const double a = m->crank, l = m->rod, phi = m->phase + m->omega * t;
  s[0] = asin((a * sin(phi) + m->clearance) / l);
  s[1] = a * m->omega * cos(phi) / (l * cos(s[0]));
  const double turn = a * m->omega * m->omega;
  const double more = (l * sin(s[0]) * s[1] * s[1] - turn * sin(phi)) / (l * cos(s[0]));
  const double along = -turn * cos(phi) - l * cos(s[0]) * s[1] * s[1] - l * sin(s[0]) * more;
  return m->mass * (slider_gravity + along * tan(s[0]));
}

static inline int slider_mass(void *user, double t, const double *q, double *M)
{
  const slider *m = user;
  (void)t, (void)q;
  M[0] = m->mass * m->rod * m->rod;
  return 0;
}

static inline int slider_force(void *user, double t, const double *q, const double *u, double *h)
{
  const slider *m = user;
  const double phi = m->phase + m->omega * t, turn = m->crank * m->omega * m->omega;
  (void)u;
  h[0] = m->mass * m->rod * (cos(q[0]) * (slider_gravity - turn * sin(phi)) - sin(q[0]) * turn * cos(phi));
  return 0;
}

static inline int slider_gap(void *user, double t, const double *q, double *g)
{
  const slider *m = user;
  g[0] = m->crank * sin(m->phase + m->omega * t) - m->rod * sin(q[0]) + m->clearance;
  return 0;
}

static inline int slider_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const slider *m = user;
  (void)i;
  W[0] = -m->rod * cos(q[0]);
  w_hat[0] = m->crank * m->omega * cos(m->phase + m->omega * t);
  return 0;
}

static inline nsdyn_stepper *slider_stepper(slider *m, const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = def.ncontacts = 1;
  def.user = m;
  def.mass = slider_mass;
  def.force = slider_force;
  def.gap = slider_gap;
  def.direction = slider_direction;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  return stepper_for(&def, &law, options);
}

#endif
