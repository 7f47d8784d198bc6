/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Two wheels of waves. A detent: a wheel with a skewed toothed rim under a pawl on a spring, a ratchet for
 * small torques. An escapement: a wheel driven by a weight between the two pallets of a swinging anchor, of
 * which one or the other is always in its way. Truth: exact.h; energy. */
#include "exact.h"

typedef struct ratchet {
  exact e;
  exact_real J, m, k, pre, rise, skew, T, w, drag, half; /* half: of the distance of the pallets */
  int teeth, anchor;
} ratchet;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  const ratchet *p = (const ratchet *)e;
  (void)q;
  M[0] = p->J;
  M[3] = p->m;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const ratchet *p = (const ratchet *)e;
  h[0] = p->T * (p->w > 0.0L ? exact_sin(p->w * t) : 1.0L) - p->drag * v[0];
  h[1] = -p->k * (q[1] + p->pre);
}

/* The pawl above the rim; of the anchor one pallet above, one below, half a tooth on. */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const ratchet *p = (const ratchet *)e;
  const exact_real side = i ? -1.0L : 1.0L, x = p->teeth * q[0] + (i ? 0.5L : 0.0L);
  (void)t;
  exact_real s, c;
  exact_sin_cos(x, &s, &c);
  w->gap = side * q[1] + p->half - p->rise * (s + 2.0L * p->skew * s * c);
  w->w[0][0] = -p->rise * p->teeth * (c + 2.0L * p->skew * (c * c - s * s));
  w->w[0][1] = side;
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const ratchet *p = (const ratchet *)e;
  const exact_real x = p->teeth * q[0] + (i ? 0.5L : 0.0L), turn = p->teeth * v[0];
  exact_real s, c;
  (void)t;
  exact_sin_cos(x, &s, &c);
  bias[0] = p->rise * (s + 8.0L * p->skew * s * c) * turn * turn;
}

static const char *variant(int k)
{
  static const char *const names[] = {"ratchet, inelastic", "ratchet, bias", "ratchet, twin",
                                      "ratchet, bounces",   "escapement",    "escapement, bounces",
                                      "escapement, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_BIAS,  EXACT_TWIN, EXACT_KNOWN,
                             EXACT_KNOWN, EXACT_KNOWN, EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant, anchor = k > 3, bounces = k == 3 || k == 5;
  ratchet *p = exact_model(c, ask, sizeof *p, 2, anchor ? 2 : 1);
  p->anchor = anchor;
  p->teeth = 6 + random_below(&random, 10);
  p->rise = 0.1L;
  p->skew = random_between(&random, 0.0, 0.25);
  p->J = random_between(&random, 0.02, 0.2);
  p->m = random_between(&random, 0.3, 3.0);
  p->k = p->m * powl(random_between(&random, 3.0, 10.0), 2.0L);
  p->pre = anchor ? 0.0L : 0.2L;
  p->half = anchor ? 0.12L : 0.0L;
  /* what holds the wheel: the slope times the spring */
  const exact_real hold = p->k * p->rise * p->teeth * 0.2L;
  p->w = anchor ? 0.0L : random_between(&random, 0.5, 2.0);
  p->T = hold * random_between(&random, 0.2, 1.5);
  p->drag = 0.3L * sqrtl(hold * p->teeth * p->J);
  for (int i = 0; i < 2; i++) {
    p->e.law[i].friction = NSDYN_FRICTION_NONE;
    p->e.law[i].eps = bounces ? random_between(&random, 0.1, 0.4) : 0.0;
  }
  p->e.is_angle[0] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.time = fminl(sqrtl(p->m / p->k), sqrtl(p->J / (p->teeth * hold)));
  p->e.step = p->e.time / 8.0L;
  p->e.length = p->rise;
  p->e.speed = p->rise * sqrtl(p->k / p->m);
  const exact_real q[2] = {0.0L, anchor ? -0.02L : 0.0L}, v[2] = {0.0L, 0.0L};
  c->amplify = bounces ? 1e4 : 300.0;
  c->least_steps = 8000;
  exact_define(c, form[k], q, v, (bounces ? 10.0L : 20.0L) * p->e.time, p->k * p->rise);
}

const zoo_machine zoo_ratchet = {"ratchet", 7, variant, make};
