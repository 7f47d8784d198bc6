/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Two blocks, one on the other, on a base that moves to and fro; or one block pushed over a rough floor by a
 * body with prescribed motion. Truth: exact.h; below the thresholds g μ of the base's acceleration nothing
 * slides. */
#include "exact.h"

typedef struct blocks {
  exact e;
  exact_real m[2], g, A, w;
  int push;
} blocks;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  for (int j = 0; j < e->n; j++) {
    M[j * e->n + j] = ((const blocks *)e)->m[j / 2];
  }
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const blocks *p = (const blocks *)e;
  (void)t, (void)q, (void)v;
  for (int j = 1; j < e->n; j += 2) {
    h[j] = -p->m[j / 2] * p->g;
  }
}

/* 0: lower block on its ground, 1: upper on lower block, or the pusher behind the block */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const blocks *p = (const blocks *)e;
  exact_real sine, cosine;
  exact_sin_cos(p->w * t, &sine, &cosine);
  const exact_real s = p->A * (1.0L - cosine), speed = p->A * p->w * sine;
  if (i == 0) {
    w->gap = q[1];
    w->w[0][1] = w->w[1][0] = 1.0L;
    w->hat[1] = p->push ? 0.0L : -speed;
  } else if (p->push) {
    w->gap = q[0] - s;
    w->w[0][0] = w->w[1][1] = 1.0L;
    w->hat[0] = -speed;
  } else {
    w->gap = q[3] - q[1];
    w->w[0][3] = w->w[1][2] = 1.0L;
    w->w[0][1] = w->w[1][0] = -1.0L;
  }
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const blocks *p = (const blocks *)e;
  (void)q, (void)v;
  if (i == p->push) { /* the base under the stack, the pusher behind the block */
    bias[p->push ? 0 : 1] = -p->A * p->w * p->w * exact_cos(p->w * t);
  }
}

/* Nothing slides while the base is slow enough. */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const blocks *p = c->def.user;
  const exact_real a = p->A * p->w * p->w, mu = fminl(p->e.law[0].mu, p->e.law[1].mu);
  int slides = 0;
  for (int k = 0; k < p->e.nodes; k++) {
    slides |= p->e.node[k].mode[0] != EXACT_STICK || p->e.node[k].mode[1] != EXACT_STICK;
  }
  return zoo_says(fault, m->t, "MODEL", slides - (a > mu * p->g), 0.0, "whether the reference slides");
}

static const char *variant(int k)
{
  static const char *const names[] = {
      "stack", "stack, bias",   "stack, found", "stack, twin", "near the threshold",
      "push",  "push, bounces", "push, found",  "push, twin",  "stack, two coefficients"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_BIAS,  EXACT_FOUND, EXACT_TWIN, EXACT_KNOWN,
                             EXACT_KNOWN, EXACT_KNOWN, EXACT_FOUND, EXACT_TWIN, EXACT_KNOWN};
  random_state random = ask->random;
  const int k = ask->variant, push = k >= 5 && k <= 8;
  blocks *p = exact_model(c, ask, sizeof *p, push ? 2 : 4, 2);
  p->push = push;
  p->g = 9.81L;
  p->w = random_between(&random, 2.0, 10.0);
  for (int i = 0; i < 2; i++) {
    p->m[i] = random_between(&random, 0.3, 3.0);
    p->e.law[i].friction = k == 9 ? NSDYN_FRICTION_STATIC : NSDYN_FRICTION_COULOMB;
    p->e.law[i].mu = random_between(&random, 0.1, 0.6);
    p->e.law[i].mu_static = p->e.law[i].mu * random_between(&random, 1.1, 1.6);
  }
  const exact_real mu = fminl(p->e.law[0].mu, p->e.law[1].mu);
  if (push) {
    p->e.law[1].friction = NSDYN_FRICTION_NONE;
    p->e.law[1].eps = k == 6 ? random_between(&random, 0.1, 0.6) : 0.0;
  }
  p->A = mu * p->g / (p->w * p->w) * random_between(&random, 0.5, 4.0);
  if (k == 4) {
    p->A = mu * p->g / (p->w * p->w) *
           (1.0 + (random_below(&random, 2) ? 0.01 : -0.01) * random_scale(&random, 1.0));
  }
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.time = 1.0L / p->w;
  p->e.length = p->A;
  p->e.speed = p->A * p->w;
  const exact_real q[4] = {push ? 0.3L * p->A : 0.0L}, v[4] = {0.0L};
  c->amplify = k == 6 ? 100.0 : 3.0;
  c->least_steps = 5000;
  exact_define(c, form[k], q, v, 25.0L / p->w, p->m[0] * p->g);
  if (!push && k != 9) {
    c->judge = judge;
  }
}

const zoo_machine zoo_blocks = {"blocks", 10, variant, make};
