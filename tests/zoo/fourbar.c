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

/* The coupler and the rocker, from the crank's angle φ: cosine and sine of their angles χ and ψ; by φ, the
 * first derivatives of these, and the second ones. */
typedef struct linkage {
  exact_real chi[2], psi[2], rate[2], turn[2];
} linkage;

/* The sine of the angle from a direction to another. */
static exact_real cross(const exact_real *from, const exact_real *to)
{
  return from[0] * to[1] - from[1] * to[0];
}

static exact_real along(const exact_real *one, const exact_real *other)
{
  return one[0] * other[0] + one[1] * other[1];
}

static void closure(const fourbar *p, exact_real phi, linkage *k)
{
  exact_real e[2];
  exact_sin_cos(phi, &e[1], &e[0]);
  /* from the crank's tip to the rocker's pivot; the coupler is turned from there by the angle whose cosine
   * the triangle's three sides give */
  const exact_real x = p->d - p->a * e[0], y = -p->a * e[1], square = x * x + y * y, far = sqrtl(square);
  const exact_real c = (p->b * p->b + square - p->c * p->c) / (2.0L * p->b * far), s = sqrtl(1.0L - c * c);
  k->chi[0] = (x * c - y * s) / far;
  k->chi[1] = (y * c + x * s) / far;
  k->psi[0] = (p->b * k->chi[0] - x) / p->c;
  k->psi[1] = (p->b * k->chi[1] - y) / p->c;
  /* a e(φ)′ + b e(χ)′ χ′ = c e(ψ)′ ψ′, and its derivative */
  const exact_real sine = cross(k->psi, k->chi), cosine = along(k->psi, k->chi);
  k->rate[0] = p->a * cross(e, k->psi) / (p->b * sine);
  k->rate[1] = p->a * cross(e, k->chi) / (p->c * sine);
  k->turn[0] = (p->a * along(e, k->psi) * (k->rate[1] - 1.0L) -
                p->b * k->rate[0] * cosine * (k->rate[0] - k->rate[1])) /
               (p->b * sine);
  k->turn[1] = (p->a * along(e, k->chi) * (1.0L - k->rate[0]) -
                p->c * k->rate[1] * cosine * (k->rate[1] - k->rate[0])) /
               (-p->c * sine);
}

static exact_real angle_of(const exact_real *direction)
{
  return atan2l(direction[1], direction[0]);
}

static exact_real inertia_at(const fourbar *p, exact_real phi)
{
  linkage k;
  closure(p, phi, &k);
  return p->J1 + p->m * p->a * p->a + p->J2 * k.rate[0] * k.rate[0] + p->J3 * k.rate[1] * k.rate[1];
}

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  M[0] = inertia_at((const fourbar *)e, q[0]);
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const fourbar *p = (const fourbar *)e;
  linkage k;
  closure(p, q[0], &k);
  const exact_real slope = 2.0L * (p->J2 * k.rate[0] * k.turn[0] + p->J3 * k.rate[1] * k.turn[1]);
  h[0] = p->T * exact_sin(p->w * t) - p->drag * v[0] - 0.5L * slope * v[0] * v[0];
}

/* 0, 1: stops of the rocker's tip */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const fourbar *p = (const fourbar *)e;
  const exact_real side = i ? -1.0L : 1.0L;
  linkage k;
  (void)t;
  closure(p, q[0], &k);
  w->gap = side * p->c * (angle_of(k.psi) - p->stop[i]);
  w->w[0][0] = side * p->c * k.rate[1];
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const fourbar *p = (const fourbar *)e;
  linkage k;
  (void)t;
  closure(p, q[0], &k);
  bias[0] = (i ? -p->c : p->c) * k.turn[1] * v[0] * v[0];
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
  linkage k;
  closure(p, x[0], &k);
  q[0] = (double)x[0];
  u[0] = (double)v[0] / p->e.unit.s;
  q[1] = (double)angle_of(k.chi);
  q[2] = (double)angle_of(k.psi);
  for (int j = 0; j < 2; j++) {
    u[1 + j] = (double)(k.rate[j] * v[0]) / p->e.unit.s;
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
  linkage start;
  closure(p, q[0], &start);
  p->stop[0] = angle_of(start.psi) - random_between(&random, 0.05, 0.15);
  p->stop[1] = angle_of(start.psi) + random_between(&random, 0.05, 0.15);
  p->e.is_angle[0] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
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
