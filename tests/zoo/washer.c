/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A washer on a rod that shakes up and down: the hole's upper edge falls on the rod, its lower edge is hit
 * from below; friction carries it along the rod, which slopes. Truth: exact.h. */
#include "exact.h"

typedef struct washer {
  exact e;
  exact_real m, g, slope, A, w, play;
} washer;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  M[0] = M[3] = ((const washer *)e)->m;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const washer *p = (const washer *)e;
  (void)t, (void)q, (void)v;
  h[0] = p->m * p->g * exact_sin(p->slope);
  h[1] = -p->m * p->g * exact_cos(p->slope);
}

static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const washer *p = (const washer *)e;
  const exact_real side = i ? -1.0L : 1.0L;
  exact_real s, c;
  exact_sin_cos(p->w * t, &s, &c);
  w->gap = side * (q[1] - p->A * s) + (i ? p->play : 0.0L);
  w->w[0][1] = side;
  w->w[1][0] = 1.0L;
  w->hat[0] = -side * p->A * p->w * c;
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const washer *p = (const washer *)e;
  (void)q, (void)v;
  bias[0] = (i ? -p->A : p->A) * p->w * p->w * exact_sin(p->w * t);
}

static const char *variant(int k)
{
  static const char *const names[] = {"inelastic",       "inelastic, bias", "inelastic, found",
                                      "inelastic, twin", "bounces",         "bounces, found"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_BIAS, EXACT_FOUND, EXACT_TWIN, EXACT_KNOWN, EXACT_FOUND};
  random_state random = ask->random;
  const int k = ask->variant, bounces = k > 3;
  washer *p = exact_model(c, ask, sizeof *p, 2, 2);
  p->m = random_between(&random, 0.01, 0.1);
  p->g = 9.81L;
  p->slope = random_between(&random, 0.0, 0.6);
  p->w = random_between(&random, 20.0, 100.0);
  p->A = p->g / (p->w * p->w) * random_between(&random, 0.5, 6.0);
  p->play = p->A * random_between(&random, 0.5, 4.0);
  for (int i = 0; i < 2; i++) {
    p->e.law[i].friction = NSDYN_FRICTION_COULOMB;
    p->e.law[i].mu = random_between(&random, 0.1, 0.8);
    p->e.law[i].eps = bounces ? random_between(&random, 0.1, 0.6) : 0.0;
  }
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.time = 1.0L / p->w;
  p->e.length = p->A;
  p->e.speed = p->A * p->w;
  const exact_real q[2] = {0.0L, 0.0L},
                   v[2] = {p->A * p->w * random_between(&random, -1.0, 1.0), p->A * p->w};
  c->amplify = bounces ? 1e3 : 10.0;
  c->least_steps = 5000;
  exact_define(c, form[k], q, v, (bounces ? 10.0L : 25.0L) / p->w, p->m * p->g);
}

const zoo_machine zoo_washer = {"washer", 6, variant, make};
