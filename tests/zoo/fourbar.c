/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A four-bar linkage, crank driven, the rocker between two stops or rubbing in its joint: by the crank's
 * angle, or by three angles and two equations of closure. Truth: exact.h, by the crank's angle. */
#include "exact.h"

typedef struct fourbar {
  exact e;
  exact_real a, b, c, d;    /* crank, coupler, rocker, base */
  exact_real J1, J2, J3, m; /* m: at the joint of crank and coupler */
  exact_real T, w, drag, stop[2];
} fourbar;

/* Angles of coupler and rocker from that of the crank, and their derivatives. */
static void closure(const fourbar *p, exact_real phi, exact_real *angle, exact_real *rate)
{
  const exact_real x = p->d - p->a * exact_cos(phi), y = -p->a * exact_sin(phi), far = sqrtl(x * x + y * y);
  const exact_real base = atan2l(y, x);
  angle[0] = base + acosl((p->b * p->b + far * far - p->c * p->c) / (2.0L * p->b * far));
  const exact_real jx = p->a * exact_cos(phi) + p->b * exact_cos(angle[0]),
                   jy = p->a * exact_sin(phi) + p->b * exact_sin(angle[0]);
  angle[1] = atan2l(jy, jx - p->d);
  /* a e(φ)′ + b e(χ)′ χ′ = c e(ψ)′ ψ′ */
  rate[0] = p->a * exact_sin(angle[1] - phi) / (p->b * exact_sin(angle[0] - angle[1]));
  rate[1] = p->a * exact_sin(phi - angle[0]) / (p->c * exact_sin(angle[1] - angle[0]));
}

static exact_real inertia_at(const fourbar *p, exact_real phi)
{
  exact_real angle[2], rate[2];
  closure(p, phi, angle, rate);
  return p->J1 + p->m * p->a * p->a + p->J2 * rate[0] * rate[0] + p->J3 * rate[1] * rate[1];
}

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  M[0] = inertia_at((const fourbar *)e, q[0]);
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const fourbar *p = (const fourbar *)e;
  exact_real angle[2], rate[2];
  closure(p, q[0], angle, rate);
  const exact_real x = angle[0], y = angle[1], s = exact_sin(x - y), c = exact_cos(x - y);
  /* the derivatives of the rates by the crank's angle, from those of b sin(χ − ψ) χ' = a sin(ψ − φ), and so
   * on */
  const exact_real turn0 =
      (p->a * exact_cos(y - q[0]) * (rate[1] - 1.0L) - p->b * rate[0] * c * (rate[0] - rate[1])) / (p->b * s);
  const exact_real turn1 =
      (p->a * exact_cos(q[0] - x) * (1.0L - rate[0]) - p->c * rate[1] * c * (rate[1] - rate[0])) /
      (-p->c * s);
  const exact_real slope = 2.0L * (p->J2 * rate[0] * turn0 + p->J3 * rate[1] * turn1);
  h[0] = p->T * exact_sin(p->w * t) - p->drag * v[0] - 0.5L * slope * v[0] * v[0];
}

/* 0, 1: stops of the rocker's tip */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const fourbar *p = (const fourbar *)e;
  exact_real angle[2], rate[2];
  const exact_real side = i ? -1.0L : 1.0L;
  (void)t;
  closure(p, q[0], angle, rate);
  w->gap = side * p->c * (angle[1] - p->stop[i]);
  w->w[0][0] = side * p->c * rate[1];
}

static double unit_J(const fourbar *p)
{
  return p->e.unit.kg * p->e.unit.m * p->e.unit.m;
}

static int mass_three(void *user, double t, const double *q, double *M)
{
  const fourbar *p = user;
  (void)t, (void)q;
  M[0] = (double)(p->J1 + p->m * p->a * p->a) * unit_J(p);
  M[4] = (double)p->J2 * unit_J(p);
  M[8] = (double)p->J3 * unit_J(p);
  return 0;
}

static int force_three(void *user, double t, const double *q, const double *u, double *h)
{
  const fourbar *p = user;
  const double s = p->e.unit.s;
  (void)q;
  h[0] = ((double)p->T * sin((double)p->w * (t - p->e.t0) / s) - (double)p->drag * u[0] * s) * unit_J(p) /
         (s * s);
  return 0;
}

static int gap_three(void *user, double t, const double *q, double *g)
{
  const fourbar *p = user;
  (void)t;
  for (int i = 0; i < 2; i++) {
    g[i] = (i ? -1.0 : 1.0) * (double)p->c * (q[2] - (double)p->stop[i]) * p->e.unit.m;
  }
  return 0;
}

static int direction_three(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const fourbar *p = user;
  (void)t, (void)q;
  w_hat[0] = 0.0;
  W[2] = (i ? -1.0 : 1.0) * (double)p->c * p->e.unit.m;
  return 0;
}

static int close_three(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const fourbar *p = user;
  const double m = p->e.unit.m, a = (double)p->a * m, b = (double)p->b * m, c = (double)p->c * m,
               d = (double)p->d * m;
  (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = a * cos(q[0]) + b * cos(q[1]) - d - c * cos(q[2]);
  g_b[1] = a * sin(q[0]) + b * sin(q[1]) - c * sin(q[2]);
  W_b[0] = -a * sin(q[0]);
  W_b[1] = -b * sin(q[1]);
  W_b[2] = c * sin(q[2]);
  W_b[3] = a * cos(q[0]);
  W_b[4] = b * cos(q[1]);
  W_b[5] = -c * cos(q[2]);
  return 0;
}

static void three(const fourbar *p, const exact_real *x, const exact_real *v, double *q, double *u)
{
  exact_real angle[2], rate[2];
  closure(p, x[0], angle, rate);
  q[0] = (double)x[0];
  u[0] = (double)v[0] / p->e.unit.s;
  for (int j = 0; j < 2; j++) {
    q[1 + j] = (double)angle[j];
    u[1 + j] = (double)(rate[j] * v[0]) / p->e.unit.s;
  }
}

static int truth_three(zoo_case *c, double t, zoo_truth *truth)
{
  const fourbar *p = c->def.user;
  exact_real x[EXACT_MOST], v[EXACT_MOST];
  if (!exact_at(&p->e, (exact_real)((t - c->t0) / p->e.unit.s), c->slack / p->e.unit.s, x, v,
                &truth->knows_u)) {
    return 0;
  }
  truth->knows_q = 1;
  three(p, x, v, truth->q, truth->u);
  return 1;
}

static exact_real energy(const exact *e, const exact_real *q, const exact_real *v)
{
  return 0.5L * inertia_at((const fourbar *)e, q[0]) * v[0] * v[0];
}

static const char *variant(int k)
{
  static const char *const names[] = {"crank",       "closure", "crank, bounces", "closure, bounces",
                                      "crank, free", "twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant;
  fourbar *p = exact_model(c, ask, sizeof *p, 1, 2);
  p->a = random_between(&random, 0.08, 0.12);
  p->b = random_between(&random, 0.35, 0.45);
  p->c = random_between(&random, 0.25, 0.3);
  p->d = random_between(&random, 0.4, 0.45);
  p->J1 = random_between(&random, 0.005, 0.02);
  p->J2 = random_between(&random, 0.002, 0.02);
  p->J3 = random_between(&random, 0.002, 0.02);
  p->m = random_between(&random, 0.1, 1.0);
  p->w = random_between(&random, 2.0, 8.0);
  const exact_real J = inertia_at(p, 1.0L);
  p->T = k == 4 ? 0.0L : J * p->w * p->w * random_between(&random, 1.0, 3.0);
  p->drag = k == 4 ? 0.0L : J * p->w * random_between(&random, 0.05, 0.5);
  for (int i = 0; i < 2; i++) {
    p->e.law[i].friction = NSDYN_FRICTION_NONE;
    p->e.law[i].eps = k == 2 || k == 3 ? random_between(&random, 0.1, 0.6) : 0.0;
  }
  const exact_real q[1] = {1.5L + random_between(&random, -0.2, 0.2)}, v[1] = {k == 4 ? p->w : 0.0L};
  exact_real angle[2], rate[2];
  closure(p, q[0], angle, rate);
  p->stop[0] = angle[1] - random_between(&random, 0.05, 0.15);
  p->stop[1] = angle[1] + random_between(&random, 0.05, 0.15);
  p->e.is_angle[0] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.energy = k == 4 ? energy : NULL;
  p->e.time = 0.5L / p->w;
  p->e.step = p->e.time / 4.0L;
  p->e.length = p->c;
  p->e.speed = p->a * p->w;
  c->amplify = k == 2 || k == 3 ? 100.0 : 30.0;
  c->least_steps = 5000;
  exact_define(c, k == 5 ? EXACT_TWIN : EXACT_KNOWN, q, v, 8.0L / p->w, J * p->w * p->w / p->c);
  if (k == 1 || k == 3) {
    c->def.nq = c->def.nu = 3;
    c->def.mass = mass_three;
    c->def.force = force_three;
    c->def.gap = gap_three;
    c->def.direction = direction_three;
    c->def.nconstraints = 2;
    c->def.constraint = close_three;
    three(p, q, v, c->q, c->u);
    c->truth = truth_three;
  }
}

const zoo_machine zoo_fourbar = {"fourbar", 6, variant, make};
