/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A chain of inertias with play between neighbours, the first one driven: backlash, from flank to flank. And
 * a pair of gears with backlash, the wheel braked. Truth: exact.h over a short span; play is never exceeded.
 */
#include "exact.h"

typedef struct backlash {
  exact e;
  exact_real J[4], ratio, play, T, w, drag;
  int bodies, brake;
} backlash;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  for (int j = 0; j < e->n; j++) {
    M[j * e->n + j] = ((const backlash *)e)->J[j];
  }
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const backlash *p = (const backlash *)e;
  (void)q;
  for (int j = 0; j < e->n; j++) {
    h[j] = (j == 0 ? p->T * exact_sin(p->w * t) : 0.0L) - p->drag * v[j];
  }
}

/* 2 j and 2 j + 1: the flanks between j and j + 1 */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const backlash *p = (const backlash *)e;
  const int j = i / 2;
  const exact_real side = i % 2 ? -1.0L : 1.0L;
  (void)t;
  if (j == p->bodies - 1) {
    w->w[1][j] = 1.0L;
    return;
  }
  w->gap = p->play + side * (q[j] - p->ratio * q[j + 1]);
  w->w[0][j] = side;
  w->w[0][j + 1] = -side * p->ratio;
}

static const char *variant(int k)
{
  static const char *const names[] = {"two, inelastic",          "three, inelastic", "four, inelastic",
                                      "three, inelastic, found", "two, bounces",     "three, bounces",
                                      "gears, braked",           "gears, twin",      "four, no drag, twin"};
  return names[k];
}

static exact_real energy(const exact *e, const exact_real *q, const exact_real *v)
{
  exact_real sum = 0.0L;
  (void)q;
  for (int j = 0; j < e->n; j++) {
    sum += 0.5L * ((const backlash *)e)->J[j] * v[j] * v[j];
  }
  return sum;
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_BIAS,  EXACT_KNOWN, EXACT_FOUND, EXACT_KNOWN,
                             EXACT_KNOWN, EXACT_KNOWN, EXACT_TWIN,  EXACT_TWIN};
  static const int many[] = {2, 3, 4, 3, 2, 3, 2, 2, 4};
  random_state random = ask->random;
  const int k = ask->variant, n = many[k], gears = k == 6 || k == 7, bounces = k == 4 || k == 5;
  backlash *p = exact_model(c, ask, sizeof *p, n, 2 * (n - 1) + gears);
  p->bodies = n;
  p->ratio = gears ? random_between(&random, 0.3, 3.0) : 1.0;
  p->w = random_between(&random, 2.0, 10.0);
  exact_real all = 0.0L;
  for (int j = 0; j < n; j++) {
    p->J[j] = random_between(&random, 0.3, 3.0);
    all += p->J[j];
  }
  p->T = k == 8 ? 0.0L : all * p->w * p->w;
  p->play = random_between(&random, 0.02, 0.3);
  p->drag = k == 8 ? 0.0L : random_between(&random, 0.05, 0.5) * p->w;
  for (int i = 0; i < 2 * (n - 1); i++) {
    p->e.law[i].friction = NSDYN_FRICTION_NONE;
    p->e.law[i].eps = bounces ? random_between(&random, 0.1, 0.5) : 0.0;
  }
  exact_law *law = &p->e.law[2 * (n - 1)];
  law->friction = NSDYN_FRICTION_BOUND;
  law->slot = 1;
  law->bound = p->T * random_between(&random, 0.05, 0.3);
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = exact_no_drift;
  p->e.time = 1.0L / p->w;
  p->e.length = 1.0L;
  p->e.speed = p->w;
  exact_real q[4], v[4];
  for (int j = 0; j < n; j++) {
    q[j] = j ? q[j - 1] + p->play * random_between(&random, -0.9, 0.9) : 0.0L;
    v[j] = k == 8 ? p->w * random_between(&random, -1.0, 1.0) : 0.0L;
  }
  if (gears) {
    q[1] = 0.5L * p->play / p->ratio;
  }
  if (k == 8) {
    p->e.energy = energy;
  }
  c->amplify = bounces ? 1e3 : 10.0;
  c->least_steps = 5000;
  exact_define(c, form[k], q, v, (bounces ? 6.0L : 12.0L) / p->w, all * p->w * p->w);
}

const zoo_machine zoo_backlash_chain = {"backlash_chain", 9, variant, make};
