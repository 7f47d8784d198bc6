/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A valve on a cam: the spring holds it on the cam up to a known speed, above which it floats; between the
 * cams it sits on its seat. Truth: exact.h, and the speed of float in closed form. */
#include "exact.h"

typedef struct valve {
  exact e;
  exact_real m, k, pre, damping, lift, W, play; /* pre: of the spring, as a length; W: of the cam */
} valve;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  M[0] = ((const valve *)e)->m;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const valve *p = (const valve *)e;
  (void)t;
  h[0] = -p->k * (q[0] + p->pre) - p->damping * v[0];
}

/* 0: the cam, 1: the seat */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const valve *p = (const valve *)e;
  w->w[0][0] = 1.0L;
  w->gap = q[0];
  if (i == 0) {
    exact_real s, c;
    exact_sin_cos(p->W * t, &s, &c);
    w->gap -= 0.5L * p->lift * (1.0L - c) - p->play;
    w->hat[0] = -0.5L * p->lift * p->W * s;
  }
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const valve *p = (const valve *)e;
  (void)q, (void)v;
  if (i == 0) {
    bias[0] = -0.5L * p->lift * p->W * p->W * exact_cos(p->W * t);
  }
}

static exact_real float_speed(const valve *p)
{
  return sqrtl(2.0L * p->k * (p->pre + p->lift) / (p->m * p->lift));
}

/* Without play and damping it floats from that speed on. */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const valve *p = c->def.user;
  int floats = 0;
  for (int k = 0; k < p->e.nodes; k++) {
    floats |= p->e.node[k].mode[0] == EXACT_OPEN;
  }
  return zoo_says(fault, m->t, "MODEL", floats - (p->W > float_speed(p)), 0.0, "float of the reference");
}

static const char *variant(int k)
{
  static const char *const names[] = {"below float",          "above float",      "near float",
                                      "above, found",         "above, twin",      "with a seat",
                                      "seat and restitution", "seat, bias given", "seat, twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_KNOWN, EXACT_KNOWN, EXACT_FOUND, EXACT_TWIN,
                             EXACT_KNOWN, EXACT_KNOWN, EXACT_BIAS,  EXACT_TWIN};
  random_state random = ask->random;
  const int k = ask->variant, seat = k > 4;
  valve *p = exact_model(c, ask, sizeof *p, 1, seat ? 2 : 1);
  p->m = random_between(&random, 0.05, 0.3);
  p->lift = random_between(&random, 0.005, 0.012);
  p->pre = p->lift * random_between(&random, 0.5, 2.0);
  p->k = random_between(&random, 1e4, 4e4);
  p->damping = seat ? 0.1L * sqrtl(p->k * p->m) : 0.0L;
  p->play = seat ? 0.05L * p->lift : 0.0L;
  p->W = float_speed(p) *
         (k == 0   ? random_between(&random, 0.1, 0.97)
          : k == 2 ? 1.0 + (random_below(&random, 2) ? 0.1 : -0.1) * random_scale(&random, 1.0) / 10.0
          : seat   ? random_between(&random, 0.3, 1.2)
                   : random_between(&random, 1.03, 1.3));
  for (int i = 0; i < 2; i++) {
    p->e.law[i].friction = NSDYN_FRICTION_NONE;
    p->e.law[i].eps = k == 6 ? random_between(&random, 0.1, 0.5) : 0.0;
  }
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.time = 1.0L / p->W;
  p->e.length = p->lift;
  p->e.speed = p->lift * p->W;
  const exact_real zero[1] = {0.0L};
  c->amplify = seat ? 100.0 : 10.0;
  c->least_steps = 5000;
  if (!seat) {
    c->judge = judge;
  }
  exact_define(c, form[k], zero, zero, (k < 3 ? 14.0L : 9.0L) / p->W, p->k * p->pre);
}

const zoo_machine zoo_valve = {"valve", 9, variant, make};
