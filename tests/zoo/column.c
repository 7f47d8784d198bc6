/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A bracket on a post, loaded beside it: the upper corner touches one side, the lower the other. It slides
 * down with F (1 − 2 μ e/h) or, above μ = h/(2e), jams. Truth: that closed form. */
#include "exact.h"

typedef struct column {
  exact e;
  exact_real m, J, F, off, h, play, mu, v0;
} column;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  const column *p = (const column *)e;
  (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->J;
}

/* The load hangs at `off` from the middle of the bracket. */
static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const column *p = (const column *)e;
  (void)t, (void)v;
  h[1] = -p->F;
  h[2] = -p->F * p->off * exact_cos(q[2]);
}

/* Corners at (±0, ±h/2) of the bracket; 0: upper one, right of the post, 1: lower one, left of it; 2, 3: with
 * play. */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const column *p = (const column *)e;
  const exact_real y = (i % 2 ? -0.5L : 0.5L) * p->h, side = i == 0 || i == 3 ? -1.0L : 1.0L;
  exact_real s, c;
  (void)t;
  exact_sin_cos(q[2], &s, &c);
  w->gap = side * (q[0] - y * s) + (i < 2 ? 0.0L : p->play);
  w->w[0][0] = side;
  w->w[0][2] = -side * y * c;
  w->w[1][1] = 1.0L;
  w->w[1][2] = -y * s;
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const column *p = (const column *)e;
  const exact_real y = (i % 2 ? -0.5L : 0.5L) * p->h, side = i == 0 || i == 3 ? -1.0L : 1.0L;
  exact_real s, c;
  (void)t;
  exact_sin_cos(q[2], &s, &c);
  bias[0] = side * y * s * v[2] * v[2];
  bias[1] = -y * c * v[2] * v[2];
}

static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const column *p = c->def.user;
  const exact_real a = p->F / p->m * (1.0L - 2.0L * p->mu * p->off / p->h),
                   tau = (m->t - c->t0) / p->e.unit.s;
  const exact_real stop = a < 0.0L ? fminl(tau, -p->v0 / a) : tau;
  const exact_real y = -(p->v0 * stop + 0.5L * a * stop * stop);
  const double s =
      (m->dt > 0.0 ? 30.0 * m->dt / c->time : 1e3 * m->tol + 1e-11) + 2e-14 * fabs(m->t) / c->time;
  return zoo_says(fault, m->t, "closed form", m->q[1] - (double)y * p->e.unit.m, 10.0 * s * c->length,
                  "height of the bracket, %g", (double)y);
}

static const char *variant(int k)
{
  static const char *const names[] = {"slides",       "jams at rest", "jams on the way", "near the limit",
                                      "slides, twin", "jams, twin",   "jams, bias"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_KNOWN, EXACT_KNOWN, EXACT_KNOWN,
                             EXACT_TWIN,  EXACT_TWIN,  EXACT_BIAS};
  random_state random = ask->random;
  const int k = ask->variant, slides = k == 0 || k == 4;
  column *p = exact_model(c, ask, sizeof *p, 3, 4);
  p->m = random_between(&random, 1.0, 5.0);
  p->h = random_between(&random, 0.1, 0.4);
  p->J = p->m * p->h * p->h * random_between(&random, 0.1, 1.0);
  p->off = p->h * random_between(&random, 0.5, 3.0);
  p->F = p->m * 9.81L;
  p->play = 0.01L * p->h;
  const exact_real limit = p->h / (2.0L * p->off);
  p->mu = limit * (slides   ? random_between(&random, 0.0, 0.95)
                   : k == 3 ? 1.0 + (random_below(&random, 2) ? 0.01 : -0.01) * random_scale(&random, 1.0)
                            : random_between(&random, 1.1, 2.0));
  p->v0 = k == 1 || k == 3 ? 0.0 : random_between(&random, 0.2, 2.0);
  for (int i = 0; i < 4; i++) {
    p->e.law[i].friction = NSDYN_FRICTION_COULOMB;
    p->e.law[i].mu = p->mu;
  }
  p->e.is_angle[2] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.time = 0.2L;
  p->e.length = p->h;
  p->e.speed = 1.0L;
  const exact_real q[3] = {0.0L}, v[3] = {0.0L, -p->v0, 0.0L};
  c->amplify = 10.0;
  c->judge = judge;
  exact_define(c, form[k], q, v, 1.0L, p->F);
}

const zoo_machine zoo_column = {"column", 7, variant, make};
