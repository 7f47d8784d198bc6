/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A vibrating hammer drives a pile into soil that grips it with a given force. Upwards are coordinates of
 * hammer and pile; the hammer hangs on a spring. Truth: exact.h; the pile never rises by more than the soil
 * lets it. */
#include "exact.h"

typedef struct pile {
  exact e;
  exact_real m[2], g, k, F, w;
  int guide; /* a third coordinate: the soil's surface, which the pile is pressed on */
} pile;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  const pile *p = (const pile *)e;
  (void)q;
  for (int j = 0; j < e->n; j++) {
    M[j * e->n + j] = p->m[j % 2];
  }
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const pile *p = (const pile *)e;
  (void)v;
  h[0] = -p->m[0] * p->g - p->k * (q[0] - q[1]) + p->F * exact_sin(p->w * t);
  h[1] = -p->m[1] * p->g + p->k * (q[0] - q[1]);
}

/* 0: hammer on pile, 1: soil */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  (void)t;
  if (i == 0) {
    w->gap = q[0] - q[1];
    w->w[0][0] = 1.0L;
    w->w[0][1] = -1.0L;
  } else {
    w->w[1][1] = 1.0L;
    if (((const pile *)e)->guide) {
      w->gap = q[2];
      w->w[0][2] = 1.0L;
    }
  }
}

static const char *variant(int k)
{
  static const char *const names[] = {"inelastic",      "inelastic, guide",      "bounces",
                                      "bounces, guide", "bounces, guide, found", "inelastic, guide, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_KNOWN, EXACT_KNOWN, EXACT_KNOWN, EXACT_FOUND, EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant, guide = k != 0 && k != 2;
  pile *p = exact_model(c, ask, sizeof *p, guide ? 3 : 2, 2);
  p->guide = guide;
  p->g = 9.81L;
  p->m[0] = random_between(&random, 100.0, 400.0);
  p->m[1] = p->m[0] * random_between(&random, 0.5, 3.0);
  p->w = random_between(&random, 20.0, 120.0);
  p->k = 0.3L * p->m[0] * p->w * p->w * random_between(&random, 0.0, 1.0);
  p->F = p->m[0] * p->g * random_between(&random, 2.0, 8.0);
  p->e.law[0].friction = NSDYN_FRICTION_NONE;
  p->e.law[0].eps = k >= 2 && k <= 4 ? random_between(&random, 0.1, 0.6) : 0.0;
  p->e.law[1].friction = NSDYN_FRICTION_BOUND;
  p->e.law[1].slot = 1;
  p->e.law[1].bound = (p->m[0] + p->m[1]) * p->g * random_between(&random, 1.1, 2.0);
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = exact_no_drift;
  p->e.time = 1.0L / p->w;
  p->e.speed = p->F / (p->m[0] * p->w);
  p->e.length = p->e.speed / p->w;
  const exact_real zero[3] = {0.0L};
  c->amplify = p->e.law[0].eps > 0.0L ? 1e3 : 30.0;
  c->least_steps = 5000;
  exact_define(c, form[k], zero, zero, (p->e.law[0].eps > 0.0L ? 12.0L : 25.0L) / p->w, p->m[0] * p->g);
}

const zoo_machine zoo_pile = {"pile", 6, variant, make};
