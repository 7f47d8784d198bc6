/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Random impact oscillators (support/exact_hammer.h) as systems, and searches for their orbits. */
#ifndef TESTS_UNIT_HAMMER_MODELS_H
#define TESTS_UNIT_HAMMER_MODELS_H

#include "cycle_models.h"
#include "support/exact_hammer.h"

static inline int hammer_force(void *user, double t, const double *q, const double *u, double *h)
{
  const exact_hammer *p = user;
  h[0] = -p->k * q[0] - p->c * u[0] + p->G + p->F * cos(p->omega * t);
  return 0;
}

static inline int hammer_gap(void *user, double t, const double *q, double *g)
{
  const exact_hammer *p = user;
  g[0] = q[0] - p->A * cos(p->omega * t);
  return 0;
}

static inline int hammer_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const exact_hammer *p = user;
  (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = p->A * p->omega * sin(p->omega * t);
  return 0;
}

/* Forced mass or forced floor, with or without spring and damper. */
static inline exact_hammer random_hammer(random_state *r)
{
  const int is_floor = random_below(r, 2), is_free = random_below(r, 3) == 0;
  exact_hammer p = {.omega = random_between(r, 0.7, 3.0), .eps = random_between(r, 0.1, 0.9), .turns = 1};
  p.k = is_free ? 0.0 : random_between(r, 0.2, 3.0);
  p.c = is_free || random_below(r, 3) == 0 ? 0.0 : random_between(r, 0.0, 1.0);
  p.G = random_between(r, is_free ? -2.0 : -1.0, is_free ? -0.1 : 0.5);
  *(is_floor ? &p.A : &p.F) = random_between(r, 0.2, 3.0);
  return p;
}

static inline double *hammer_amplitude(exact_hammer *p)
{
  return p->A != 0.0 ? &p->A : &p->F;
}

/* Whether the orbit is one that a search can be asked for: it hits, leaves, does not graze, and deviations do
 * not grow by orders of magnitude. */
static inline int hammer_is_fair(const exact_hammer *p, int sign, exact_hammer_cycle *orbit)
{
  return exact_hammer_solve(p, sign, orbit) && orbit->before < -0.2L && orbit->after > 0.05L &&
         fabsl(orbit->trace) < 30.0L && exact_hammer_is_clear(p, orbit, 0.02);
}

static inline sought hammer_search(exact_hammer *p)
{
  nsdyn_system_def def = table(1, 1, p);
  def.mass = table_mass;
  def.force = hammer_force;
  def.gap = hammer_gap;
  def.direction = hammer_direction;
  sought s = sought_of(&def);
  seek_law(&s, 0, law_of(0.0, p->eps));
  s.options.kind = NSDYN_EVENT_IMPACT;
  s.options.contact = 0;
  s.options.forcing = 2.0 * PI / p->omega;
  return s;
}

/* In flight, a little off the orbit. */
static inline void hammer_guess(sought *s, const exact_hammer *p, const exact_hammer_cycle *orbit,
                                double share)
{
  const long double later = 0.4L * orbit->period;
  const double t = (double)(orbit->t + later), w = p->omega;
  long double z, v;
  exact_hammer_at(p, orbit, later, &z, &v);
  const double q = (double)z + p->A * cos(w * t);
  const double u = (double)v - p->A * w * sin(w * t) + share * (double)orbit->after;
  seek(s, t, &q, &u);
}

/* The floor is known, or found. */
static inline int find_floor(void *user, double t, const double *q, const double *u, double margin,
                             nsdyn_contact_sink *sink)
{
  (void)u;
  static const double rows[2] = {1.0, 0.0};
  const nsdyn_contact_block up = {.offset = 0, .count = 1, .values = rows};
  nsdyn_found_contact found;
  (void)user, (void)t;
  if (q[0] > margin) {
    return 0;
  }
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 7;
  found.gap = q[0];
  found.blocks = 1;
  found.block = &up;
  return nsdyn_contact_sink_add(sink, &found) ? -1 : 0;
}

static inline int rising(void *user, double t, const double *q, const double *u, double *value)
{
  const exact_hammer *p = user;
  (void)q, (void)u;
  *value = sin(p->omega * t);
  return 0;
}

/* Of the steady motion without contact: G/k + a cos ωt + b sin ωt. */
static inline double touching_amplitude(const exact_hammer *p, double *phase)
{
  const double r = p->k - p->omega * p->omega, i = p->c * p->omega;
  *phase = remainder(atan2(i, r) + PI, 2.0 * PI);
  *phase = *phase < 0.0 ? *phase + 2.0 * PI : *phase;
  return p->G / p->k * hypot(r, i);
}

/* A search for what happens from one moment of the forcing to the next, as `rising` tells it. */
static inline void seek_by_phase(sought *s, exact_hammer *p)
{
  s->driver.section = rising;
  s->driver.section_direction = 1;
  s->driver.user = p;
  s->options.kind = NSDYN_EVENT_SECTION;
  s->options.contact = -1;
  s->options.driver = &s->driver;
  s->options.forcing = 2.0 * PI / p->omega;
}

static inline sought swinging_search(exact_hammer *p, int is_found)
{
  nsdyn_system_def def = table(1, is_found ? 0 : 1, p);
  nsdyn_contact_law law = law_of(0.0, p->eps);
  int32_t number;
  def.mass = table_mass;
  def.force = hammer_force;
  def.gap = is_found ? NULL : hammer_gap;
  def.direction = is_found ? NULL : hammer_direction;
  def.find = is_found ? find_floor : NULL;
  sought s = sought_of(&def);
  if (is_found) {
    law.friction = NSDYN_FRICTION_NONE;
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &number), NSDYN_OK);
  } else {
    seek_law(&s, 0, law);
  }
  seek_by_phase(&s, p);
  return s;
}

/* For qsort(). */
static inline int is_less(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

#endif
