/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A rotor with a brake of given friction force, driven by a torque that grows and falls: it stops, holds,
 * breaks loose the other way. Truth: closed form of the first stop, exact.h for the rest. */
#include "exact.h"

typedef struct brake {
  exact e;
  exact_real J, r, T0, T1, w, Omega;
  int pad; /* the pad's own coordinate stands beside the angle */
} brake;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  const brake *p = (const brake *)e;
  (void)q;
  M[0] = p->J;
  M[3] = p->pad ? 0.1L * p->J / (p->r * p->r) : M[3];
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const brake *p = (const brake *)e;
  (void)q, (void)v;
  h[0] = p->T0 + p->T1 * exact_sin(p->w * t);
  if (p->pad) {
    h[1] = -20.0L * e->law[0].bound;
  }
}

static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const brake *p = (const brake *)e;
  (void)t, (void)i;
  w->w[1][0] = p->r;
  if (p->pad) {
    w->gap = q[1];
    w->w[0][1] = 1.0L;
  }
}

/* Without a drive: J Ω / (r F). */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const brake *p = c->def.user;
  const exact_real stop = p->J * p->Omega / (p->r * p->e.law[0].bound), tau = (m->t - c->t0) / p->e.unit.s;
  const exact_real left = tau < stop ? p->Omega * (1.0L - tau / stop) : 0.0L;
  return zoo_says(fault, m->t, "closed form", m->u[0] * p->e.unit.s - (double)left,
                  (m->dt > 0.0 ? 30.0 * m->dt / c->time : 1e3 * m->tol + 1e-9) * c->u_size[0] * p->e.unit.s,
                  "speed of the rotor, which stops at %g", (double)stop);
}

static const char *variant(int k)
{
  static const char *const names[] = {"stops",        "stops, pad",  "stops, pad, twin",
                                      "driven",       "driven, pad", "driven, pad, found",
                                      "driven, bias", "driven, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_KNOWN, EXACT_TWIN, EXACT_KNOWN,
                             EXACT_KNOWN, EXACT_FOUND, EXACT_BIAS, EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant, pad = k == 1 || k == 2 || k == 4 || k == 5;
  brake *p = exact_model(c, ask, sizeof *p, pad ? 2 : 1, 1);
  exact_law *law = &p->e.law[0];
  p->pad = pad;
  p->r = random_between(&random, 0.1, 0.5);
  p->J = random_between(&random, 0.5, 5.0) * p->r * p->r;
  p->Omega = random_between(&random, 1.0, 10.0);
  law->friction = NSDYN_FRICTION_BOUND;
  law->slot = 1;
  law->bound = p->J * p->Omega / p->r;
  p->w = random_between(&random, 1.0, 5.0);
  if (k > 2) {
    p->T0 = p->r * law->bound * random_between(&random, -0.5, 0.5);
    p->T1 = p->r * law->bound * random_between(&random, 0.3, 2.0);
  }
  p->e.is_angle[0] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = exact_no_drift;
  p->e.time = 1.0L / p->w;
  p->e.length = p->r;
  p->e.speed = p->r * p->Omega;
  const exact_real q[2] = {0.0L, 0.0L}, v[2] = {p->Omega, 0.0L};
  c->amplify = 3.0;
  exact_define(c, form[k], q, v, k > 2 ? 20.0L / p->w : 3.0L, law->bound);
  if (k < 3) {
    c->judge = judge;
  }
}

const zoo_machine zoo_brake = {"brake", 8, variant, make};
