/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A mass on a spring, on a belt: stick and slip, with one coefficient, two, a curve, a given bound. Truth:
 * exact.h; with two coefficients the time of a slip is also known in closed form. */
#include "exact.h"

typedef struct belt {
  exact e;
  exact_real m, g, k, V;
} belt;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  (void)q;
  M[0] = M[3] = ((const belt *)e)->m;
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const belt *p = (const belt *)e;
  (void)t, (void)v;
  h[0] = -p->k * q[0];
  h[1] = -p->m * p->g;
}

static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  (void)t, (void)i;
  w->gap = q[1];
  w->w[0][1] = w->w[1][0] = 1.0L;
  w->hat[1] = -((const belt *)e)->V;
}

/* Falls with the sliding speed, as in rubber and brakes. */
static exact_real curve(const exact *e, int i, exact_real speed)
{
  const exact_law *law = &e->law[i];
  return law->mu + (law->mu_static - law->mu) / (1.0L + 3.0L * speed / e->speed);
}

/* Of two coefficients: from the end of one stick to the end of the next. */
static exact_real period(const belt *p)
{
  const exact_law *law = &p->e.law[0];
  const exact_real N = p->m * p->g, w = sqrtl(p->k / p->m), drop = (law->mu_static - law->mu) * N / p->k;
  const exact_real phase = atanl(drop * w / p->V);
  /* x = x_slide + drop cos wt + V/w sin wt, until it has the speed V again; then it is carried back */
  return (2.0L * acosl(-1.0L) - 2.0L * phase) / w + 2.0L * drop / p->V;
}

static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const belt *p = c->def.user;
  exact_real leave[2] = {0.0L, 0.0L};
  int n = 0;
  for (int k = 1; k < p->e.nodes && n < 2; k++) {
    if (p->e.node[k - 1].mode[0] == EXACT_STICK && p->e.node[k].mode[0] == EXACT_MINUS) {
      leave[n++] = p->e.node[k].t;
    }
  }
  return n == 2 && zoo_says(fault, m->t, "MODEL", (double)(leave[1] - leave[0] - period(p)),
                            1e-12 * (double)period(p), "period of the reference");
}

static const char *variant(int k)
{
  static const char *const names[] = {
      "one coefficient", "two coefficients", "two, bias given",   "two, found",        "two, twin", "curve",
      "curve, found",    "curve, twin",      "given bound, slot", "given bound, twin", "one, found"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int form[] = {EXACT_KNOWN, EXACT_KNOWN, EXACT_BIAS,  EXACT_FOUND, EXACT_TWIN, EXACT_KNOWN,
                             EXACT_FOUND, EXACT_TWIN,  EXACT_KNOWN, EXACT_TWIN,  EXACT_FOUND};
  static const int friction[] = {NSDYN_FRICTION_COULOMB, NSDYN_FRICTION_STATIC, NSDYN_FRICTION_STATIC,
                                 NSDYN_FRICTION_STATIC,  NSDYN_FRICTION_STATIC, NSDYN_FRICTION_CURVE,
                                 NSDYN_FRICTION_CURVE,   NSDYN_FRICTION_CURVE,  NSDYN_FRICTION_BOUND,
                                 NSDYN_FRICTION_BOUND,   NSDYN_FRICTION_COULOMB};
  random_state random = ask->random;
  const int k = ask->variant;
  belt *p = exact_model(c, ask, sizeof *p, 2, 1);
  exact_law *law = &p->e.law[0];
  p->m = random_between(&random, 0.3, 3.0);
  p->g = 9.81L;
  p->k = p->m * powl(random_between(&random, 5.0, 30.0), 2.0L);
  law->friction = friction[k];
  law->mu = random_between(&random, 0.1, 0.5);
  law->mu_static = law->mu * random_between(&random, 1.2, 2.0);
  law->bound = law->mu * p->m * p->g;
  law->slot = k == 8 || k == 9;
  const exact_real w = sqrtl(p->k / p->m), reach = law->mu * p->g / (w * w);
  p->V = reach * w * random_between(&random, 0.1, 1.5);
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = exact_no_drift;
  p->e.curve = curve;
  p->e.time = 1.0L / w;
  p->e.step = k >= 5 && k <= 7 ? p->e.time / 25.0L : 0.0L; /* the curve is steep */
  p->e.length = reach;
  p->e.speed = reach * w;
  const exact_real q[2] = {reach * random_between(&random, -3.0, 3.0), 0.0L};
  const exact_real v[2] = {random_below(&random, 2) ? p->V : p->e.speed * random_between(&random, -3.0, 3.0),
                           0.0L};
  c->amplify = 10.0;
  exact_define(c, form[k], q, v, 30.0L / w, p->m * p->g);
  if (friction[k] == NSDYN_FRICTION_STATIC) {
    c->judge = judge;
  }
}

const zoo_machine zoo_belt = {"belt", 11, variant, make};
