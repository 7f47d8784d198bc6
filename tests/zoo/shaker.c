/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A mass on a rough surface, (x, y): stick, slip and reversal in closed form.
 *
 * Conveyor: the surface moves along itself at V(τ) = A w cos(w τ + φ) − v₀, with gravity tilted by a slope.
 * Belt: it moves at a constant V, the mass hangs on a spring. Oscillator: the surface is still, the mass on a
 * spring comes to rest after half swings. Truth: sliding in closed form, events by bisection, in long double.
 */
#include "zoo.h"

enum { PHASES = 400 };

typedef struct phase {
  long double t, x, v;
  int sign; /* of sliding; 0: sticks */
} phase;

typedef struct shaker {
  double m, g, gx, k, mu, A, w, phi, v0, t0;
  int found, railed;
  int phases;
  long double end;
  phase phase[PHASES];
} shaker;

static int mass(void *user, double t, const double *q, double *M)
{
  const shaker *p = user;
  (void)t, (void)q;
  M[0] = M[3] = p->m;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const shaker *p = user;
  (void)t, (void)u;
  h[0] = p->m * p->gx - p->k * q[0];
  h[1] = -p->m * p->g;
  return 0;
}

static double surface(const shaker *p, double t)
{
  return p->A * p->w * cos(p->w * (t - p->t0) + p->phi) - p->v0;
}

static double surface_rate(const shaker *p, double t)
{
  return -p->A * p->w * p->w * sin(p->w * (t - p->t0) + p->phi);
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const shaker *p = user;
  (void)q, (void)i;
  W[1] = W[2] = 1.0;
  w_hat[1] = -surface(p, t);
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const shaker *p = user;
  (void)q, (void)u, (void)i;
  w_bar[1] = -surface_rate(p, t);
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  const shaker *p = user;
  const double W[4] = {0.0, 1.0, 1.0, 0.0};
  const nsdyn_contact_block block = {0, 2, W};
  nsdyn_found_contact found;
  (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 5;
  found.gap = q[1];
  found.blocks = 1;
  found.block = &block;
  found.w_hat[1] = -surface(p, t);
  found.w_bar[1] = -surface_rate(p, t);
  return nsdyn_contact_sink_add(sink, &found);
}

/* ---- the truth
 * ------------------------------------------------------------------------------------------------ */

/* Surface: place relative to τ = 0, speed, acceleration. */
static void moved(const shaker *p, long double tau, long double *s)
{
  const long double a = p->w * tau + p->phi, w = p->w;
  long double sine, cosine;
  exact_sin_cos(a, &sine, &cosine);
  s[0] = p->A * (sine - exact_sin((long double)p->phi)) - p->v0 * tau;
  s[1] = p->A * w * cosine - p->v0;
  s[2] = -p->A * w * w * sine;
}

static void run_on(const shaker *p, const phase *f, long double tau, long double *x, long double *v)
{
  const long double d = tau - f->t;
  if (f->sign == 0) {
    long double s[3], s0[3];
    moved(p, f->t, s0);
    moved(p, tau, s);
    *x = f->x + s[0] - s0[0];
    *v = s[1];
    return;
  }
  const long double a = p->gx - f->sign * (long double)p->mu * p->g; /* without the spring */
  if (p->k == 0.0) {
    *x = f->x + d * (f->v + 0.5L * a * d);
    *v = f->v + a * d;
  } else {
    const long double W = sqrtl((long double)p->k / p->m), rest = a / (W * W);
    long double s, c;
    exact_sin_cos(W * d, &s, &c);
    *x = rest + (f->x - rest) * c + f->v / W * s;
    *v = -W * (f->x - rest) * s + f->v * c;
  }
}

/* Positive while the phase goes on. */
static long double goes_on(const shaker *p, const phase *f, long double tau)
{
  long double x, v, s[3];
  run_on(p, f, tau, &x, &v);
  moved(p, tau, s);
  if (f->sign) {
    return f->sign * (v - s[1]);
  }
  return p->mu * p->g - fabsl(s[2] - p->gx + (long double)p->k / p->m * x);
}

static void live(shaker *p, double x, double v, long double end)
{
  const long double fine = 1.0L / (2000.0L * (p->w + sqrtl((long double)p->k / p->m)) + 1e-3L / end);
  long double s[3];
  p->end = end;
  moved(p, 0.0L, s);
  p->phase[0] = (phase){0.0L, x, v, v > s[1] ? 1 : -1};
  p->phases = 1;
  for (;;) {
    const phase *f = &p->phase[p->phases - 1];
    /* sliding that starts from stick has a small speed at first; the first step is judged by its end */
    long double low = f->t, high = low + fine;
    while (high < end && goes_on(p, f, high) > 0.0L) {
      low = high;
      high += fine;
    }
    if (high >= end || p->phases == PHASES) {
      p->end = p->phases == PHASES ? low : end;
      return;
    }
    if (low == f->t && p->phases > 1) {
      p->end = low; /* a phase shorter than the steps of this search: not known */
      return;
    }
    for (int k = 0; k < 90; k++) {
      const long double middle = 0.5L * (low + high);
      *(goes_on(p, f, middle) > 0.0L ? &low : &high) = middle;
    }
    phase *g = &p->phase[p->phases++];
    run_on(p, f, low, &g->x, &g->v);
    g->t = low;
    moved(p, low, s);
    const long double drive = p->gx - (long double)p->k / p->m * g->x - s[2], most = p->mu * p->g;
    if (f->sign && fabsl(drive) < most) {
      g->sign = 0;
      g->v = s[1];
    } else {
      g->sign = drive > 0.0L ? 1 : -1;
    }
    if (fabsl(fabsl(drive) - most) < 1e-4L * most && f->sign) {
      p->end = low; /* sticks by a hair */
      return;
    }
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const shaker *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  const phase *f = &p->phase[0];
  long double x, v;
  for (int k = 0; k < p->phases; k++) {
    f = p->phase[k].t <= tau ? &p->phase[k] : f;
  }
  run_on(p, f, tau, &x, &v);
  truth->q[0] = (double)x;
  truth->u[0] = (double)v;
  truth->knows_q = truth->knows_u = 1;
  return tau < p->end;
}

static const char *variant(int k)
{
  static const char *const names[] = {"conveyor",    "conveyor, bias given",        "conveyor, found", "belt",
                                      "belt, found", "oscillator on a still floor", "conveyor, spring"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, shakes = k < 3 || k == 6, found = k == 2 || k == 4;
  const double m = ask->unit.m, s = ask->unit.s;
  shaker *p = zoo_model(c, sizeof *p, 2, 2, found ? 0 : 1);
  p->t0 = ask->t0;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->g = 9.81 * m / (s * s);
  p->mu = random_between(&random, 0.05, 0.8);
  p->gx = k < 3 ? random_between(&random, -0.7, 0.7) * p->mu * p->g : 0.0;
  p->w = random_between(&random, 2.0, 20.0) / s;
  p->phi = random_between(&random, 0.0, 6.28);
  p->A = shakes ? random_between(&random, 0.5, 4.0) * p->mu * p->g / (p->w * p->w) : 0.0;
  p->k = k >= 3 ? p->m * pow(random_between(&random, 0.2, 2.0) * p->w, 2.0) : 0.0;
  const double length = p->mu * p->g / (p->w * p->w), speed = length * p->w;
  p->v0 = k == 3 || k == 4 ? random_between(&random, -2.0, 2.0) * speed : 0.0;
  c->q[0] = random_between(&random, -5.0, 5.0) * length;
  c->u[0] = random_between(&random, -3.0, 3.0) * speed;
  c->span = 25.0 / p->w;
  live(p, c->q[0], c->u[0], 1.1L * c->span);
  c->def.mass = mass;
  c->def.force = force;
  if (found) {
    c->def.find = find;
    c->found_laws = 1;
    c->found_law[0] = zoo_law(p->mu, 0.0);
  } else {
    c->def.gap = gap;
    c->def.direction = direction;
    c->def.bias = k == 1 ? bias : NULL;
    c->law[0] = zoo_law(p->mu, 0.0);
  }
  c->time = 1.0 / p->w;
  c->length = length;
  c->speed = 3.0 * speed;
  c->force = p->m * p->g;
  zoo_sizes(c, 10.0 * length, 5.0 * speed);
  c->truth = truth;
}

const zoo_machine zoo_shaker = {"shaker", 7, variant, make};
