/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A bar that falls onto a smooth floor, its direction given by (cos φ, sin φ), by (cos φ/2, sin φ/2) or by φ,
 * so that nq is nu or nu + 1. Truth: between impacts it flies in closed form; the next impact of an end by
 * bisection; known while impacts stay apart. Starts are random, or with gaps down to 1e-7. */
#include "zoo.h"

enum { HITS = 12 };

typedef struct flown {
  long double t, y, v, phi, w; /* of a flight's beginning */
} flown;

typedef struct bar {
  double m, l, g, t0, eps;
  int kind; /* 0: φ, 1: (c, s), 2: half angles */
  double x0, vx;
  int flights;
  long double end;
  flown flight[HITS];
} bar;

static void turned(const bar *p, const double *q, double *c, double *s)
{
  if (p->kind == 0) {
    *c = cos(q[2]);
    *s = sin(q[2]);
  } else if (p->kind == 1) {
    *c = q[2];
    *s = q[3];
  } else {
    *c = q[2] * q[2] - q[3] * q[3];
    *s = 2.0 * q[2] * q[3];
  }
}

static int mass(void *user, double t, const double *q, double *M)
{
  const bar *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->m * p->l * p->l / 12.0;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const bar *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -p->m * p->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const bar *p = user;
  double c, s;
  (void)t;
  turned(p, q, &c, &s);
  g[0] = q[1] - 0.5 * p->l * s;
  g[1] = q[1] + 0.5 * p->l * s;
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const bar *p = user;
  const double half = i == 0 ? -0.5 * p->l : 0.5 * p->l;
  double c, s;
  (void)t;
  w_hat[0] = 0.0;
  turned(p, q, &c, &s);
  W[1] = 1.0;
  W[2] = half * c;
  W[3] = 1.0;
  W[5] = -half * s;
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const bar *p = user;
  const double half = i == 0 ? -0.5 * p->l : 0.5 * p->l;
  double c, s;
  (void)t;
  turned(p, q, &c, &s);
  w_bar[0] = -half * s * u[2] * u[2];
  w_bar[1] = -half * c * u[2] * u[2];
  return 0;
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  const bar *p = user;
  const double w = p->kind == 1 ? u[2] : 0.5 * u[2];
  (void)t;
  qdot[0] = u[0];
  qdot[1] = u[1];
  qdot[2] = -w * q[3];
  qdot[3] = w * q[2];
  return 0;
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  const bar *p = user;
  const double a = (p->kind == 1 ? u[2] : 0.5 * u[2]) * dt;
  q_new[0] = q[0] + dt * u[0];
  q_new[1] = q[1] + dt * u[1];
  q_new[2] = cos(a) * q[2] - sin(a) * q[3];
  q_new[3] = sin(a) * q[2] + cos(a) * q[3];
  return 0;
}

/* ---- the truth
 * ------------------------------------------------------------------------------------------------ */

static long double height(const bar *p, const flown *f, int end, long double t)
{
  const long double d = t - f->t, half = end == 0 ? -0.5L * p->l : 0.5L * p->l;
  return f->y + d * (f->v - 0.5L * p->g * d) + half * exact_sin(f->phi + f->w * d);
}

/* The first impact of either end after the flight's beginning. An end that has just been hit rises first. */
static long double next_hit(const bar *p, const flown *f, long double most, int *which)
{
  const long double fine = fminl(1.0L / (1.0L + fabsl(f->w)), 1.0L) * 1.0L;
  long double best = most;
  *which = -1;
  for (int end = 0; end < 2; end++) {
    long double low = f->t, step = 1e-9L * most, high = low + step;
    while (high < best && height(p, f, end, high) > 0.0L) {
      low = high;
      step = fminl(1.05L * step, fminl(fine / 500.0L, most / 4000.0L));
      high = low + step;
    }
    for (int k = 0; k < 90 && high < best; k++) {
      const long double middle = 0.5L * (low + high);
      *(height(p, f, end, middle) > 0.0L ? &low : &high) = middle;
    }
    if (high < best) {
      best = high;
      *which = end;
    }
  }
  return best;
}

static void fall(bar *p, const double *q, const double *u, double phi, long double span)
{
  long double J = (long double)p->m * p->l * p->l / 12.0L;
  p->flight[0] = (flown){0.0L, q[1], u[1], phi, u[2]};
  p->flights = 1;
  p->end = span;
  for (;;) {
    const flown *f = &p->flight[p->flights - 1];
    int which;
    const long double t = next_hit(p, f, span, &which), d = t - f->t;
    if (which < 0) {
      return;
    }
    if (p->flights == HITS || d < 1e-3L * span * (p->flights > 1) ||
        fabsl(height(p, f, 1 - which, t)) < 1e-4L * p->l) {
      p->end = t;
      return;
    }
    flown *g = &p->flight[p->flights++];
    *g = (flown){t, f->y + d * (f->v - 0.5L * p->g * d), f->v - p->g * d, f->phi + f->w * d, f->w};
    const long double arm = (which == 0 ? -0.5L : 0.5L) * p->l * exact_cos(g->phi);
    const long double push = -(1.0L + p->eps) * (g->v + arm * g->w) / (1.0L / p->m + arm * arm / J);
    g->v += push / p->m;
    g->w += arm * push / J;
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const bar *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  const flown *f = &p->flight[0];
  truth->knows_q = truth->knows_u = 1;
  for (int k = 0; k < p->flights; k++) {
    f = p->flight[k].t <= tau ? &p->flight[k] : f;
    if (k && p->flight[k].t <= tau && p->flight[k].t - p->flight[k - 1].t < 4.0L * c->slack) {
      return 0; /* impacts too near to each other to tell their order */
    }
    truth->knows_u &= k == 0 || fabsl(tau - p->flight[k].t) > (long double)c->slack;
  }
  const long double d = tau - f->t;
  const double phi = (double)(f->phi + f->w * d), a = p->kind == 2 ? 0.5 * phi : phi;
  truth->q[0] = p->x0 + p->vx * (double)tau;
  truth->u[0] = p->vx;
  truth->q[1] = (double)(f->y + d * (f->v - 0.5L * p->g * d));
  truth->u[1] = (double)(f->v - p->g * d);
  truth->u[2] = (double)f->w;
  truth->q[2] = p->kind == 0 ? phi : cos(a);
  truth->q[3] = sin(a);
  return tau < p->end - (long double)c->slack;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const bar *p = c->def.user;
  (void)t;
  return p->m * (0.5 * (u[0] * u[0] + u[1] * u[1]) + p->l * p->l / 24.0 * u[2] * u[2] + p->g * q[1]);
}

static const char *variant(int k)
{
  static const char *const names[] = {"angle",
                                      "cosine and sine",
                                      "half angles",
                                      "cosine and sine, bias",
                                      "cosine and sine, small gap",
                                      "half angles, small gap",
                                      "angle, small gap",
                                      "cosine and sine, at rest in the end"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int kinds[] = {0, 1, 2, 1, 1, 2, 0, 1};
  random_state random = ask->random;
  const int k = ask->variant, small = k >= 4 && k < 7;
  const double m = ask->unit.m, s = ask->unit.s;
  bar *p = zoo_model(c, sizeof *p, kinds[k] ? 4 : 3, 3, 2);
  p->kind = kinds[k];
  p->t0 = ask->t0;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->l = random_between(&random, 0.2, 2.0) * m;
  p->g = 9.81 * m / (s * s);
  p->eps = k == 7 ? random_between(&random, 0.0, 0.3) : random_between(&random, 0.2, 1.0);
  const double phi = small ? random_between(&random, -0.8, 0.8) : random_between(&random, -3.1, 3.1);
  const double above =
      small ? pow(10.0, -random_between(&random, 2.0, 7.0)) : random_between(&random, 0.01, 1.0);
  c->q[0] = p->x0 = random_between(&random, -1.0, 1.0) * m;
  c->q[1] = 0.5 * p->l * fabs(sin(phi)) + above * p->l;
  c->q[2] = p->kind == 0 ? phi : cos(p->kind == 2 ? 0.5 * phi : phi);
  if (p->kind) {
    c->q[3] = sin(p->kind == 2 ? 0.5 * phi : phi);
  }
  c->u[0] = p->vx = random_between(&random, -1.0, 1.0) * m / s;
  c->u[1] = small ? 0.0 : random_between(&random, -1.0, 1.0) * m / s;
  c->u[2] = random_between(&random, -3.0, 3.0) / s * (small ? 0.1 : 1.0);
  c->time = sqrt(p->l / p->g);
  c->span = (k == 7 ? 20.0 : small ? 1.5 : 4.0) * c->time;
  fall(p, c->q, c->u, phi, c->span);
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 3 ? bias : NULL;
  if (p->kind) {
    c->def.kinematics = kinematics;
    c->def.retract = retract;
  }
  c->law[0] = c->law[1] = zoo_law(0.0, p->eps);
  c->length = p->l;
  c->speed = p->l / c->time;
  c->force = p->m * p->g;
  zoo_sizes(c, p->l, c->speed);
  for (int j = 2; j < 4; j++) {
    c->q_size[j] = 1.0;
  }
  c->u_size[2] = 1.0 / c->time;
  c->amplify = 100.0;
  c->steps_bound = 5.0;
  c->truth = truth;
  c->energy = energy;
  c->energy_size = p->m * p->g * (c->q[1] + p->l);
}

const zoo_machine zoo_bar = {"bar", 8, variant, make};
