/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A bead on a wire y = f(x) with stops at its ends: along x alone, or in x and y with the wire as a
 * constraint. Truth: exact.h, along x. */
#include "exact.h"

typedef struct bead {
  exact e;
  exact_real m, g, A, k, end, F, w;
} bead;

static exact_real slope(const bead *p, exact_real x)
{
  return -p->A * p->k * exact_sin(p->k * x);
}

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  const bead *p = (const bead *)e;
  const exact_real s = slope(p, q[0]);
  M[0] = p->m * (1.0L + s * s);
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const bead *p = (const bead *)e;
  const exact_real s = slope(p, q[0]), curve = -p->A * p->k * p->k * exact_cos(p->k * q[0]);
  h[0] = p->F * exact_sin(p->w * t) - p->m * s * (p->g + curve * v[0] * v[0]);
}

static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const exact_real side = i ? 1.0L : -1.0L;
  (void)t;
  w->gap = ((const bead *)e)->end + side * q[0];
  w->w[0][0] = side;
}

/* In x and y, with the units asked for. */
static int mass_xy(void *user, double t, const double *q, double *M)
{
  const bead *p = user;
  (void)t, (void)q;
  M[0] = M[3] = (double)p->m * p->e.unit.kg;
  return 0;
}

static int force_xy(void *user, double t, const double *q, const double *u, double *h)
{
  const bead *p = user;
  const double N = p->e.unit.kg * p->e.unit.m / (p->e.unit.s * p->e.unit.s);
  (void)q, (void)u;
  h[0] = (double)p->F * N * sin((double)p->w * (t - p->e.t0) / p->e.unit.s);
  h[1] = -(double)(p->m * p->g) * N;
  return 0;
}

static int direction_xy(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[0] = i ? 1.0 : -1.0;
  W[3] = 1.0;
  return 0;
}

static int wire(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const bead *p = user;
  const double x = q[0] / p->e.unit.m, k = (double)p->k, A = (double)p->A;
  (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = q[1] - A * cos(k * x) * p->e.unit.m;
  W_b[0] = A * k * sin(k * x);
  W_b[1] = 1.0;
  return 0;
}

static int wire_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  const bead *p = user;
  const double k = (double)p->k;
  (void)t;
  w_bar_b[0] = (double)p->A * k * k * cos(k * q[0] / p->e.unit.m) * u[0] * u[0] / p->e.unit.m;
  return 0;
}

static int truth_xy(zoo_case *c, double t, zoo_truth *truth)
{
  const bead *p = c->def.user;
  exact_real x[EXACT_MOST], v[EXACT_MOST];
  if (!exact_at(&p->e, (exact_real)((t - c->t0) / p->e.unit.s), c->slack / p->e.unit.s, x, v,
                &truth->knows_u)) {
    return 0;
  }
  truth->knows_q = 1;
  truth->q[0] = (double)x[0] * p->e.unit.m;
  truth->q[1] = (double)(p->A * exact_cos(p->k * x[0])) * p->e.unit.m;
  truth->u[0] = (double)v[0] * p->e.unit.m / p->e.unit.s;
  truth->u[1] = (double)slope(p, x[0]) * truth->u[0];
  return 1;
}

static const char *variant(int k)
{
  static const char *const names[] = {"along x",          "constraint",          "constraint, bias",
                                      "along x, bounces", "constraint, bounces", "twin"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, bounces = k == 3 || k == 4, xy = k == 1 || k == 2 || k == 4;
  bead *p = exact_model(c, ask, sizeof *p, 1, 2);
  p->m = random_between(&random, 0.01, 0.1);
  p->g = 9.81L;
  p->k = random_between(&random, 2.0, 6.0);
  p->A = random_between(&random, -0.5, 0.5) / p->k;
  p->end = random_between(&random, 0.3, 1.0);
  p->w = random_between(&random, 2.0, 6.0);
  p->F = p->m * p->g * random_between(&random, 0.3, 1.5);
  for (int i = 0; i < 2; i++) {
    p->e.law[i].friction = NSDYN_FRICTION_NONE;
    p->e.law[i].eps = bounces ? random_between(&random, 0.1, 0.6) : 0.0;
  }
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = exact_no_drift;
  p->e.time = 0.2L;
  p->e.length = 1.0L;
  p->e.speed = 3.0L;
  const exact_real q[1] = {p->end * random_between(&random, -0.8, 0.8)},
                   v[1] = {random_between(&random, -1.0, 1.0)};
  c->amplify = bounces ? 100.0 : 10.0;
  c->least_steps = 5000;
  exact_define(c, k == 5 ? EXACT_TWIN : EXACT_KNOWN, q, v, 4.0L, p->m * p->g);
  if (xy) {
    c->def.nq = c->def.nu = 2;
    c->def.mass = mass_xy;
    c->def.force = force_xy;
    c->def.direction = direction_xy;
    c->def.nconstraints = 1;
    c->def.constraint = wire;
    c->def.constraint_bias = k == 2 ? wire_bias : NULL;
    c->q[1] = (double)(p->A * exact_cos(p->k * q[0])) * p->e.unit.m;
    c->u[1] = (double)slope(p, q[0]) * c->u[0];
    c->truth = truth_xy;
  }
}

const zoo_machine zoo_bead_stops = {"bead_stops", 6, variant, make};
