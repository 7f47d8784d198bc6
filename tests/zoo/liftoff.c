/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A mass on a still floor under h = −m g (1 − A sin(ω τ + φ)), ε = 0: it rests until A sin = 1, flies on a
 * closed form, lands, and rests or leaves again. Truth: landings by bisection of the closed form, in long
 * double. */
#include "zoo.h"

enum { HOPS = 128 };

typedef struct liftoff {
  double m, g, A, w, phase, t0;
  int n, redundant, has_bias; /* n coordinates; y is the last one */
  int hops, found_law;
  long double from[HOPS], until[HOPS]; /* of hop k, in τ */
} liftoff;

static int mass(void *user, double t, const double *q, double *M)
{
  const liftoff *p = user;
  (void)t, (void)q;
  for (int j = 0; j < p->n; j++) {
    M[j * p->n + j] = p->m;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const liftoff *p = user;
  (void)q, (void)u;
  h[p->n - 1] = -p->m * p->g * (1.0 - p->A * sin(p->w * (t - p->t0) + p->phase));
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const liftoff *p = user;
  (void)t;
  g[0] = q[p->n - 1];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const liftoff *p = user;
  (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[p->n - 1] = 1.0;
  if (p->n > 1) {
    W[p->n] = 1.0;
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = w_bar[1] = 0.0;
  return 0;
}

static int rail(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user, (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = q[0];
  W_b[0] = 1.0;
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  const liftoff *p = user;
  const double W[4] = {0.0, 1.0, 1.0, 0.0};
  const nsdyn_contact_block block = {0, 2, W};
  nsdyn_found_contact found;
  (void)t, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 7;
  found.gap = q[1];
  found.law = p->found_law;
  found.blocks = 1;
  found.block = &block;
  return nsdyn_contact_sink_add(sink, &found);
}

/* Height and speed in a hop from `from`. */
static void flight(const liftoff *p, long double from, long double tau, long double *y, long double *v)
{
  const long double w = p->w, g = p->g, A = p->A, d = tau - from;
  const long double a = w * from + p->phase, b = w * tau + p->phase;
  *v = -g * d - g * A / w * (exact_cos(b) - exact_cos(a));
  *y = -0.5L * g * d * d - g * A / (w * w) * (exact_sin(b) - exact_sin(a)) + g * A / w * exact_cos(a) * d;
}

/* All hops up to `end`, from rest on the floor at τ = 0. */
static void hop(liftoff *p, long double end)
{
  const long double pi = acosl(-1.0L), period = 2.0L * pi / p->w, small = period / 4000.0L;
  long double tau = 0.0L, y, v;
  while (p->hops < HOPS) {
    /* leaves where the lift is more than the weight: at once, or at the next sin = 1/A, rising */
    if (p->A * exact_sin(p->w * tau + p->phase) < 1.0L) {
      const long double rise = asinl(1.0L / p->A) - p->phase;
      const long double turns = ceill((p->w * tau - rise) / (2.0L * pi));
      tau = (rise + 2.0L * pi * turns) / p->w;
    }
    if (tau > end) {
      return;
    }
    long double low = tau + small, high;
    for (high = low + small; flight(p, tau, high, &y, &v), y > 0.0L; high += small) {
      low = high;
    }
    for (int k = 0; k < 80; k++) {
      const long double middle = 0.5L * (low + high);
      flight(p, tau, middle, &y, &v);
      *(y > 0.0L ? &low : &high) = middle;
    }
    p->from[p->hops] = tau;
    p->until[p->hops++] = tau = low;
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const liftoff *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  truth->knows_q = truth->knows_u = 1;
  for (int k = 0; k < p->hops; k++) {
    long double y, v;
    truth->knows_u &= fabsl(tau - p->until[k]) > (long double)c->slack;
    if (tau > p->from[k] && tau < p->until[k]) {
      flight(p, p->from[k], tau, &y, &v);
      truth->q[p->n - 1] = (double)y;
      truth->u[p->n - 1] = (double)v;
    }
  }
  return p->hops < HOPS;
}

static const char *variant(int k)
{
  static const char *const names[] = {
      "one lift-off",         "20 periods",    "20 periods, bias given",  "friction, x too",
      "redundant, on a rail", "found contact", "one lift-off, tiny A − 1"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int dofs[] = {1, 1, 1, 2, 2, 2, 1};
  random_state random = ask->random;
  const int k = ask->variant, n = dofs[k], single = k == 0 || k == 6;
  liftoff *p = zoo_model(c, sizeof *p, n, n, k == 5 ? 0 : 1);
  p->n = n;
  p->t0 = ask->t0;
  p->m = random_between(&random, 0.5, 2.0) * ask->unit.kg;
  p->g = 9.81 * ask->unit.m / (ask->unit.s * ask->unit.s);
  p->A = k == 6 ? 1.0 + 0.05 * random_scale(&random, 1.0) : random_between(&random, 1.05, 3.05);
  p->w = random_between(&random, 1.0, 20.0) / ask->unit.s;
  p->phase = -random_between(&random, 0.0, 3.0); /* sin < 0: at rest */
  c->def.mass = mass;
  c->def.force = force;
  if (k == 5) {
    c->def.find = find;
    c->found_laws = 1;
    c->found_law[0] = zoo_law(0.3, 0.0);
  } else {
    c->def.gap = gap;
    c->def.direction = direction;
    c->def.bias = k == 2 || k == 4 ? bias : NULL;
    c->law[0] = zoo_law(n > 1 ? 0.3 : 0.0, 0.0);
    c->law[0].friction = n > 1 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  }
  if (k == 4) {
    c->def.nconstraints = 1;
    c->def.constraint = rail;
  }
  c->time = 1.0 / p->w;
  c->span = (single ? 1.6 - p->phase : 40.0 * 3.14159265) / p->w;
  hop(p, 2.0L * c->span);
  c->length = p->g / (p->w * p->w);
  c->speed = p->g / p->w;
  c->force = p->m * p->g;
  c->constraint_size[0] = c->length;
  zoo_sizes(c, c->length, c->speed);
  c->amplify = single ? 1.0 : 10.0;
  c->least_steps = single ? 1000 : 6000;
  c->truth = truth;
}

const zoo_machine zoo_liftoff = {"liftoff", 7, variant, make};
