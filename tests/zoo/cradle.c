/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Balls in a row between two walls, hitting each other in turn. Truth: exact.h; of equal elastic balls
 * velocities are only handed on, and the energy stays. */
#include "exact.h"

typedef struct cradle {
  exact e;
  exact_real m[5], d, width; /* d: diameter */
} cradle;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  for (int j = 0; j < e->n; j++) {
    M[j * e->n + j] = ((const cradle *)e)->m[j];
  }
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  (void)e, (void)t, (void)q, (void)v;
  h[0] = 0.0L;
}

/* i: between ball i − 1 and ball i; 0 and n: walls */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const cradle *p = (const cradle *)e;
  (void)t;
  w->gap = (i < e->n ? q[i] - 0.5L * p->d : p->width) - (i > 0 ? q[i - 1] + 0.5L * p->d : 0.0L);
  if (i < e->n) {
    w->w[0][i] = 1.0L;
  }
  if (i > 0) {
    w->w[0][i - 1] = -1.0L;
  }
}

static exact_real energy(const exact *e, const exact_real *q, const exact_real *v)
{
  exact_real sum = 0.0L;
  (void)q;
  for (int j = 0; j < e->n; j++) {
    sum += 0.5L * ((const cradle *)e)->m[j] * v[j] * v[j];
  }
  return sum;
}

/* Equal elastic balls: the speeds are a permutation of those at the start. */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  double before = 1.0, now = 1.0;
  for (int j = 0; j < c->def.nu; j++) {
    before *= 1.0 + 0.3 * pow(c->u[j] / c->speed, 2.0);
    now *= 1.0 + 0.3 * pow(m->u[j] / c->speed, 2.0);
  }
  return zoo_says(fault, m->t, "permutation", now / before - 1.0, 1e-9, "speeds of equal elastic balls");
}

static const char *variant(int k)
{
  static const char *const names[] = {
      "three equal, elastic", "five equal, elastic", "three", "three, found", "five", "three, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_BIAS, EXACT_KNOWN, EXACT_FOUND, EXACT_KNOWN, EXACT_TWIN};
  static const int many[] = {3, 5, 3, 3, 5, 3};
  random_state random = ask->random;
  const int k = ask->variant, n = many[k];
  cradle *p = exact_model(c, ask, sizeof *p, n, n + 1);
  p->d = 0.1L;
  exact_real q[5], v[5], x = 0.0L;
  for (int j = 0; j <= n; j++) {
    p->e.law[j].friction = NSDYN_FRICTION_NONE;
    p->e.law[j].eps = k < 2 ? 1.0 : random_between(&random, 0.7, 1.0);
    x += random_between(&random, 0.05, 0.5);
    if (j < n) {
      p->m[j] = k < 2 ? 1.0 : random_between(&random, 0.3, 3.0);
      q[j] = x + 0.5L * p->d;
      v[j] = random_between(&random, -1.0, 1.0);
      x += p->d;
    }
  }
  p->width = x;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = exact_no_drift;
  p->e.energy = energy;
  c->amplify = k < 2 ? 10.0 : 1e3;
  if (k < 2) {
    c->judge = judge;
  }
  exact_define(c, form[k], q, v, n == 5 ? 1.5L : 3.0L, 1.0L);
}

const zoo_machine zoo_cradle = {"cradle", 6, variant, make};
