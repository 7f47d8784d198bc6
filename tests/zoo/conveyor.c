/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A part on a plate that vibrates along a slanted line: it sticks, slides both ways, hops and is carried on.
 * Truth: exact.h, minimal coordinates. */
#include "exact.h"

typedef struct conveyor {
  exact e;
  exact_real m, g, A, w, along[2]; /* along: the direction in which the plate moves */
} conveyor;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  M[0] = M[3] = ((const conveyor *)e)->m;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const conveyor *p = (const conveyor *)e;
  (void)t, (void)q, (void)v;
  h[1] = -p->m * p->g;
}

static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const conveyor *p = (const conveyor *)e;
  (void)i;
  exact_real sine, cosine;
  exact_sin_cos(p->w * t, &sine, &cosine);
  w->gap = q[1] - p->A * p->along[1] * sine;
  w->w[0][1] = w->w[1][0] = 1.0L;
  w->hat[0] = -p->A * p->w * p->along[1] * cosine;
  w->hat[1] = -p->A * p->w * p->along[0] * cosine;
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const conveyor *p = (const conveyor *)e;
  const exact_real a = p->A * p->w * p->w * exact_sin(p->w * t);
  (void)q, (void)v, (void)i;
  bias[0] = a * p->along[1];
  bias[1] = a * p->along[0];
}

static const char *variant(int k)
{
  static const char *const names[] = {"slides",           "hops",          "hops, bias given",
                                      "hops, found",      "hops, twin",    "bounces",
                                      "two coefficients", "slides, found", "slides, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_KNOWN, EXACT_BIAS,  EXACT_FOUND, EXACT_TWIN,
                             EXACT_KNOWN, EXACT_KNOWN, EXACT_FOUND, EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant, slides = k == 0 || k > 5;
  conveyor *p = exact_model(c, ask, sizeof *p, 2, 1);
  p->m = random_between(&random, 0.3, 3.0);
  p->g = 9.81L;
  exact_sin_cos(random_between(&random, 0.1, 1.0), &p->along[1], &p->along[0]);
  p->w = random_between(&random, 30.0, 300.0);
  /* the plate's acceleration upwards, in g */
  const exact_real lift = slides ? random_between(&random, 0.2, 0.95) : random_between(&random, 1.1, 3.0);
  p->A = lift * p->g / (p->w * p->w * p->along[1]);
  p->e.law[0].friction = k == 6 ? NSDYN_FRICTION_STATIC : NSDYN_FRICTION_COULOMB;
  p->e.law[0].mu = random_between(&random, 0.1, 0.7);
  p->e.law[0].mu_static = p->e.law[0].mu * random_between(&random, 1.05, 2.0);
  p->e.law[0].eps = k == 5 ? random_between(&random, 0.1, 0.5) : 0.0;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.time = 1.0L / p->w;
  p->e.length = p->A;
  p->e.speed = p->A * p->w;
  const exact_real q[2] = {0.0L, 0.0L}, v[2] = {p->A * p->w * p->along[0], p->A * p->w * p->along[1]};
  c->amplify = k == 5 ? 1e4 : 10.0;
  c->least_steps = 6000;
  exact_define(c, form[k], q, v, (k == 5 ? 12.0L : 25.0L) / p->w, p->m * p->g);
}

const zoo_machine zoo_conveyor = {"conveyor", 9, variant, make};
