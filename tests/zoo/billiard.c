/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A ball on a billiard table with a round post, elastic or not. Truth: exact.h over a short span, for its
 * ways part; on the table without the post the mirror images of a straight line, over a long one. */
#include "exact.h"

typedef struct billiard {
  exact e;
  exact_real m, a, b, post[2], r, q0[2], v0[2];
} billiard;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  M[0] = M[3] = ((const billiard *)e)->m;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  (void)e, (void)t, (void)q, (void)v;
  h[0] = 0.0L;
}

static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const billiard *p = (const billiard *)e;
  (void)t;
  if (i < 4) {
    const exact_real side = i % 2 ? -1.0L : 1.0L;
    w->gap = side * q[i / 2] + (i % 2 ? (i == 1 ? p->a : p->b) : 0.0L);
    w->w[0][i / 2] = side;
    w->w[1][1 - i / 2] = 1.0L;
  } else {
    const exact_real x = q[0] - p->post[0], y = q[1] - p->post[1], far = sqrtl(x * x + y * y);
    w->gap = far - p->r;
    w->w[0][0] = w->w[1][1] = x / far;
    w->w[0][1] = y / far;
    w->w[1][0] = -y / far;
  }
}

static exact_real energy(const exact *e, const exact_real *q, const exact_real *v)
{
  (void)q;
  return 0.5L * ((const billiard *)e)->m * (v[0] * v[0] + v[1] * v[1]);
}

/* Unfolds the table: a straight line. */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const billiard *p = c->def.user;
  const exact_real tau = (m->t - c->t0) / p->e.unit.s;
  for (int j = 0; j < 2; j++) {
    const exact_real size = j ? p->b : p->a, x = fabsl(fmodl(p->q0[j] + tau * p->v0[j], 2.0L * size));
    const exact_real at = x > size ? 2.0L * size - x : x;
    const double s =
        (m->dt > 0.0 ? 300.0 * m->dt / c->time : 1e4 * m->tol + 1e-11) + 4e-14 * fabs(m->t) / c->time;
    if (zoo_says(fault, m->t, "mirror image", m->q[j] - (double)at * p->e.unit.m, s * c->length,
                 "coordinate %d, %g", j, (double)at)) {
      return 1;
    }
  }
  return 0;
}

static const char *variant(int k)
{
  static const char *const names[] = {"table", "table, found", "post", "post, friction", "table, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_FOUND, EXACT_KNOWN, EXACT_BIAS, EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant, post = k == 2 || k == 3;
  billiard *p = exact_model(c, ask, sizeof *p, 2, post ? 5 : 4);
  p->m = 0.2L;
  p->a = random_between(&random, 1.0, 2.0);
  p->b = random_between(&random, 0.7, 1.5);
  p->r = 0.25L;
  p->post[0] = 0.5L * p->a;
  p->post[1] = 0.5L * p->b;
  for (int i = 0; i < 5; i++) {
    p->e.law[i].friction = k == 3 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
    p->e.law[i].mu = 0.2L;
    p->e.law[i].eps = k == 3 ? 0.8L : 1.0L;
  }
  p->q0[0] = p->a * random_between(&random, 0.02, 0.2);
  p->q0[1] = p->b * random_between(&random, 0.02, 0.9);
  p->v0[0] = random_between(&random, 0.3, 1.0);
  p->v0[1] = random_between(&random, -1.0, 1.0);
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.energy = energy;
  c->amplify = post ? 300.0 : 10.0;
  c->steps_bound = 300.0; /* each impact is late by up to a step */
  c->least_steps = 10000;
  if (!post) {
    c->judge = judge;
  }
  exact_define(c, form[k], p->q0, p->v0, post ? 3.0L : 20.0L, p->m);
}

const zoo_machine zoo_billiard = {"billiard", 5, variant, make};
