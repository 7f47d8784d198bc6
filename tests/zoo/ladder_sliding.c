/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A ladder of half length l against a wall, θ from the vertical: it rests if the statics allow it, else it
 * slides down and leaves the wall, without friction where its middle has come down to 2/3 of its height.
 * Truth: exact.h, and that closed form; the limit of rest is known in closed form too. */
#include "exact.h"

typedef struct ladder {
  exact e;
  exact_real m, g, l, from; /* from: the angle at the start */
} ladder;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  const ladder *p = (const ladder *)e;
  (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->m * p->l * p->l / 3.0L;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const ladder *p = (const ladder *)e;
  (void)t, (void)q, (void)v;
  h[1] = -p->m * p->g;
}

/* 0: foot on the floor, 1: top at the wall */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const exact_real l = ((const ladder *)e)->l;
  exact_real s, c;
  (void)t;
  exact_sin_cos(q[2], &s, &c);
  s *= l;
  c *= l;
  if (i == 0) {
    w->gap = q[1] - c;
    w->w[0][1] = w->w[1][0] = 1.0L;
    w->w[0][2] = s;
    w->w[1][2] = c;
  } else {
    w->gap = q[0] - s;
    w->w[0][0] = w->w[1][1] = 1.0L;
    w->w[0][2] = -c;
    w->w[1][2] = -s;
  }
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const exact_real square = ((const ladder *)e)->l * v[2] * v[2];
  exact_real s, c;
  (void)t;
  exact_sin_cos(q[2], &s, &c);
  bias[0] = square * (i == 0 ? c : s);
  bias[1] = -square * (i == 0 ? s : c);
}

static exact_real energy(const exact *e, const exact_real *q, const exact_real *v)
{
  const ladder *p = (const ladder *)e;
  return 0.5L * p->m * (v[0] * v[0] + v[1] * v[1] + p->l * p->l * v[2] * v[2] / 3.0L) + p->m * p->g * q[1];
}

/* Without friction the top leaves the wall at cos θ = 2/3 cos θ0; with friction it rests if
 * tan θ0 <= 2 μ1 / (1 − μ1 μ2). */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const ladder *p = c->def.user;
  const exact_law *law = p->e.law;
  const exact_real limit = 2.0L * law[0].mu / (1.0L - law[0].mu * law[1].mu);
  int rests = 1;
  for (int k = 0; k < p->e.nodes; k++) {
    const exact_node *x = &p->e.node[k];
    rests &= fabsl(x->v[2]) < 1e-9L;
    if (law[0].mu == 0.0L && k > 0 && x->mode[1] == EXACT_OPEN && p->e.node[k - 1].mode[1] != EXACT_OPEN &&
        zoo_says(fault, m->t, "MODEL", (double)(exact_cos(x->q[2]) - 2.0L / 3.0L * exact_cos(p->from)), 1e-12,
                 "where the reference leaves the wall")) {
      return 1;
    }
  }
  return p->e.known > 0.0L &&
         zoo_says(fault, m->t, "MODEL", rests - (tanl(p->from) <= limit), 0.0,
                  "whether the reference rests, tan %g, limit %g", (double)tanl(p->from), (double)limit);
}

static const char *variant(int k)
{
  static const char *const names[] = {
      "no friction",  "no friction, no tangent", "no friction, twin", "slides", "slides, bias",
      "slides, twin", "near the limit",          "near it, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_KNOWN, EXACT_TWIN,  EXACT_KNOWN,
                             EXACT_BIAS,  EXACT_TWIN,  EXACT_KNOWN, EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant;
  ladder *p = exact_model(c, ask, sizeof *p, 3, 2);
  p->m = random_between(&random, 2.0, 20.0);
  p->g = 9.81L;
  p->l = random_between(&random, 0.5, 3.0);
  for (int i = 0; i < 2; i++) {
    p->e.law[i].friction = k == 1 ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_COULOMB;
    p->e.law[i].mu = k < 3 ? 0.0 : random_between(&random, 0.05, 0.5);
  }
  const exact_real limit = atanl(2.0L * p->e.law[0].mu / (1.0L - p->e.law[0].mu * p->e.law[1].mu));
  p->from = k < 3   ? random_between(&random, 0.05, 0.9)
            : k < 6 ? limit + random_between(&random, 0.02, 0.4)
                    : limit + (random_below(&random, 2) ? 1.0L : -1.0L) * 0.1L * random_scale(&random, 1.0);
  p->from = fminl(p->from, 1.35L);
  p->from = fmaxl(p->from, 0.01L);
  p->e.is_angle[2] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.energy = energy;
  p->e.time = sqrtl(p->l / p->g);
  p->e.length = p->l;
  p->e.speed = sqrtl(p->l * p->g);
  const exact_real q[3] = {p->l * exact_sin(p->from), p->l * exact_cos(p->from), p->from},
                   v[3] = {0.0L, 0.0L, 0.0L};
  /* not down to the floor: the time to fall freely by a half of what there is */
  exact_real span = k < 3 ? 0.0L : 1.2L;
  if (k <
      3) { /* until the middle is at a third of the height: by quadrature of the falling motion, roughly */
    span = 1.2L + log1pl(0.7L / p->from);
  }
  c->amplify = 10.0;
  c->judge = judge;
  exact_define(c, form[k], q, v, fminl(span, 1.5L) * p->e.time, p->m * p->g);
}

const zoo_machine zoo_ladder_sliding = {"ladder_sliding", 8, variant, make};
