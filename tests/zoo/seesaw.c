/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A see-saw between two stops, its middle of mass beside the pivot, driven. Truth: exact.h. */
#include "exact.h"

typedef struct seesaw {
  exact e;
  exact_real J, l, h, mg_off, T, w;
} seesaw;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  M[0] = ((const seesaw *)e)->J;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const seesaw *p = (const seesaw *)e;
  (void)v;
  h[0] = -p->mg_off * exact_cos(q[0]) + p->T * exact_sin(p->w * t);
}

static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const seesaw *p = (const seesaw *)e;
  const exact_real side = i ? -1.0L : 1.0L;
  exact_real s, c;
  (void)t;
  exact_sin_cos(q[0], &s, &c);
  w->gap = p->h + side * p->l * s;
  w->w[0][0] = side * p->l * c;
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const seesaw *p = (const seesaw *)e;
  (void)t;
  bias[0] = (i ? p->l : -p->l) * exact_sin(q[0]) * v[0] * v[0];
}

static const char *variant(int k)
{
  static const char *const names[] = {"inelastic", "inelastic, bias", "inelastic, twin", "bounces",
                                      "bounces, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_BIAS, EXACT_TWIN, EXACT_KNOWN, EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant;
  seesaw *p = exact_model(c, ask, sizeof *p, 1, 2);
  p->l = random_between(&random, 0.5, 3.0);
  p->J = random_between(&random, 0.5, 3.0) * p->l * p->l;
  p->h = p->l * random_between(&random, 0.1, 0.4);
  p->w = random_between(&random, 1.0, 4.0);
  p->mg_off = p->J * p->w * p->w * random_between(&random, 0.05, 0.3);
  p->T = p->mg_off * random_between(&random, 1.1, 3.0);
  for (int i = 0; i < 2; i++) {
    p->e.law[i].friction = NSDYN_FRICTION_NONE;
    p->e.law[i].eps = k > 2 ? random_between(&random, 0.05, 0.6) : 0.0;
  }
  p->e.is_angle[0] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.time = 1.0L / p->w;
  p->e.length = p->l;
  p->e.speed = p->l * p->w * 0.3L;
  const exact_real q[1] = {0.8L * asinl(p->h / p->l) * random_between(&random, -1.0, 1.0)}, v[1] = {0.0L};
  c->amplify = k > 2 ? 100.0 : 3.0;
  c->least_steps = 5000;
  exact_define(c, form[k], q, v, (k > 2 ? 10.0L : 25.0L) / p->w, p->mg_off / p->l);
}

const zoo_machine zoo_seesaw = {"seesaw", 5, variant, make};
