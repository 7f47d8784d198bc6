/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* An indexing drive with dwell, as in a Geneva wheel: a driver at constant speed holds the wheel between two
 * flanks that go as φ − sin φ, with play. The wheel rests, is taken along, runs ahead, is caught. Truth:
 * exact.h; the wheel stays within its play. */
#include "exact.h"

typedef struct geneva {
  exact e;
  exact_real J, r, W, play, drag; /* drag: torque over speed */
  int stations;
} geneva;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  M[0] = ((const geneva *)e)->J;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  (void)t, (void)q;
  h[0] = -((const geneva *)e)->drag * v[0];
}

/* 0: the flank that pushes, 1: the one that brakes, 2: a brake on the axle */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const geneva *p = (const geneva *)e;
  exact_real sine, cosine;
  exact_sin_cos(p->W * t, &sine, &cosine);
  const exact_real at = (p->W * t - sine) / p->stations;
  const exact_real side = i == 0 ? 1.0L : -1.0L;
  if (i == 2) {
    w->w[1][0] = p->r;
    return;
  }
  w->gap = p->r * (side * (q[0] - at) + p->play);
  w->w[0][0] = side * p->r;
  w->hat[0] = -side * p->r * p->W * (1.0L - cosine) / p->stations;
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const geneva *p = (const geneva *)e;
  (void)q, (void)v;
  if (i < 2) {
    bias[0] = (i == 0 ? -p->r : p->r) * p->W * p->W * exact_sin(p->W * t) / p->stations;
  }
}

static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const geneva *p = c->def.user;
  const double phi = (double)p->W * (m->t - c->t0) / p->e.unit.s;
  const double off = fabs(m->q[0] - (phi - sin(phi)) / p->stations) - (double)p->play;
  return zoo_says(fault, m->t, "out of play", fmax(off, 0.0),
                  (m->dt > 0.0 ? 30.0 * m->dt / c->time : 1e3 * m->tol + 1e-11) +
                      1e-15 * fabs(m->t) / c->time,
                  "wheel against its driver");
}

static const char *variant(int k)
{
  static const char *const names[] = {"inelastic", "inelastic, bias",   "inelastic, found", "inelastic, twin",
                                      "bounces",   "brake on the axle", "brake, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_BIAS,  EXACT_FOUND, EXACT_TWIN,
                             EXACT_KNOWN, EXACT_KNOWN, EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant, brake = k > 4;
  geneva *p = exact_model(c, ask, sizeof *p, 1, brake ? 3 : 2);
  p->r = random_between(&random, 0.05, 0.2);
  p->J = random_between(&random, 0.5, 2.0) * p->r * p->r;
  p->W = random_between(&random, 3.0, 20.0);
  p->stations = 4 + random_below(&random, 5);
  p->play = random_between(&random, 0.002, 0.02);
  p->drag = p->J * p->W * random_between(&random, 0.0, 0.5);
  for (int i = 0; i < 2; i++) {
    p->e.law[i].friction = NSDYN_FRICTION_NONE;
    p->e.law[i].eps = k == 4 ? random_between(&random, 0.1, 0.6) : 0.0;
  }
  p->e.law[2].friction = NSDYN_FRICTION_BOUND;
  p->e.law[2].slot = 1;
  p->e.law[2].bound = p->J * p->W * p->W / (p->stations * p->r) * random_between(&random, 0.05, 0.5);
  p->e.is_angle[0] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.time = 1.0L / p->W;
  p->e.length = p->r;
  p->e.speed = p->r * p->W / p->stations;
  const exact_real q[1] = {random_between(&random, -0.9, 0.9) * p->play}, v[1] = {0.0L};
  c->amplify = k == 4 ? 1e3 : 10.0;
  c->least_steps = 5000;
  c->judge = judge;
  exact_define(c, form[k], q, v, (k == 4 ? 4.0L : 20.0L) / p->W, p->J * p->W * p->W / (p->stations * p->r));
}

const zoo_machine zoo_geneva = {"geneva", 7, variant, make};
