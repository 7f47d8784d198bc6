/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A mass with play 2 d between two stops, under F cos(w τ + α): it flies, is pressed against a stop, bounces.
 * By its position; by position and carrier, the carrier held or moved by a constraint; with gaps scaled (a
 * gap in other units than the coordinate, as of an angle on an arm). Truth: closed forms from hit to hit,
 * roots by bisection in long double, up to 12 hits. */
#include "zoo.h"

enum { STAYS = 64, MOST_HITS = 12 };

typedef struct stay {
  long double t, x, v;
  int side; /* pressed against: −1, 1; 0: flies */
  int hit;  /* begins with a jump */
} stay;

typedef struct backlash {
  double m, F, w, alpha, d, eps, arm, A, t0;
  int carried, moved; /* two coordinates; the carrier moves by A sin(w τ) */
  int stays;
  long double end;
  stay stay[STAYS];
} backlash;

static int mass(void *user, double t, const double *q, double *M)
{
  const backlash *p = user;
  (void)t, (void)q;
  M[0] = p->m;
  if (p->carried) {
    M[3] = 2.0 * p->m;
  }
  return 0;
}

static double carrier(const backlash *p, double t, int order)
{
  const double a = p->w * (t - p->t0);
  return order == 0 ? p->A * sin(a) : order == 1 ? p->A * p->w * cos(a) : -p->A * p->w * p->w * sin(a);
}

/* The drive acts on the mass relative to its carrier, so that the motion is the same whether that moves or
 * not. */
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const backlash *p = user;
  (void)q, (void)u;
  h[0] = p->F * cos(p->w * (t - p->t0) + p->alpha) + (p->moved ? p->m * carrier(p, t, 2) : 0.0);
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const backlash *p = user;
  const double x = q[0] - (p->carried ? q[1] : 0.0);
  (void)t;
  g[0] = p->arm * (x + p->d);
  g[1] = p->arm * (p->d - x);
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const backlash *p = user;
  (void)t, (void)q;
  w_hat[0] = 0.0;
  W[0] = i == 0 ? p->arm : -p->arm;
  if (p->carried) {
    W[1] = -W[0];
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = 0.0;
  return 0;
}

static int hold(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const backlash *p = user;
  g_b[0] = q[1] - (p->moved ? carrier(p, t, 0) : 0.0);
  W_b[1] = 1.0;
  w_hat_b[0] = p->moved ? -carrier(p, t, 1) : 0.0;
  return 0;
}

/* ---- the truth
 * ------------------------------------------------------------------------------------------------ */

static void fly(const backlash *p, const stay *f, long double t, long double *x, long double *v)
{
  const long double d = t - f->t, a = p->w * f->t + p->alpha, b = p->w * t + p->alpha, k = p->F / p->m;
  if (f->side) {
    *x = f->side * (long double)p->d;
    *v = 0.0L;
    return;
  }
  *v = f->v + k / p->w * (exact_sin(b) - exact_sin(a));
  *x = f->x + f->v * d - k / ((long double)p->w * p->w) * (exact_cos(b) - exact_cos(a)) -
       k / p->w * exact_sin(a) * d;
}

/* Positive while the stay lasts. */
static long double lasts(const backlash *p, const stay *f, long double t)
{
  long double x, v;
  if (f->side) {
    return f->side * exact_cos(p->w * t + p->alpha);
  }
  fly(p, f, t, &x, &v);
  return p->d - fabsl(x);
}

static void live(backlash *p, double x, double v, long double end)
{
  const long double fine = 1.0L / (1500.0L * p->w);
  int hits = 0;
  p->end = end;
  p->stay[0] = (stay){0.0L, x, v, 0, 0};
  p->stays = 1;
  while (p->stays < STAYS) {
    const stay *f = &p->stay[p->stays - 1];
    long double low = f->t + 1e-3L * fine, high = low + fine;
    if (p->stays > 1 && lasts(p, f, low) <= 0.0L) {
      p->end = f->t; /* a hop too short for this search */
      return;
    }
    for (; high < end && lasts(p, f, high) > 0.0L; high += fine) {
      low = high;
    }
    if (high >= end) {
      return;
    }
    for (int k = 0; k < 80; k++) {
      const long double middle = 0.5L * (low + high);
      *(lasts(p, f, middle) > 0.0L ? &low : &high) = middle;
    }
    stay *g = &p->stay[p->stays];
    *g = (stay){low, 0.0L, 0.0L, 0, 0};
    fly(p, f, low, &g->x, &g->v);
    if (!f->side) {
      const int side = g->x > 0.0L ? 1 : -1;
      const long double push = side * exact_cos(p->w * low + p->alpha);
      g->hit = 1;
      g->x = side * (long double)p->d;
      g->v *= -(long double)p->eps;
      if (fabsl(g->v) < 1e-2L * p->d * p->w * (p->eps > 0.0) || ++hits > MOST_HITS) {
        p->end = low; /* many small hops: not followed */
        return;
      }
      if (p->eps == 0.0) {
        if (fabsl(push) < 1e-3L) {
          p->end = low;
          return;
        }
        g->side = push > 0.0L ? side : 0;
        g->v = 0.0L;
      }
    }
    p->stays++;
  }
  p->end = p->stay[STAYS - 1].t;
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const backlash *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  const stay *f = &p->stay[0];
  long double x, v;
  truth->knows_q = truth->knows_u = 1;
  for (int k = 0; k < p->stays; k++) {
    f = p->stay[k].t <= tau ? &p->stay[k] : f;
    truth->knows_u &= !p->stay[k].hit || fabsl(tau - p->stay[k].t) > (long double)c->slack;
  }
  fly(p, f, tau, &x, &v);
  truth->q[0] = (double)x;
  truth->u[0] = (double)v;
  if (p->moved) {
    truth->q[1] = carrier(p, t, 0);
    truth->u[1] = carrier(p, t, 1);
    truth->q[0] += truth->q[1];
    truth->u[0] += truth->u[1];
  }
  return tau < p->end - (long double)c->slack;
}

static const char *variant(int k)
{
  static const char *const names[] = {"ε = 0",
                                      "ε = 0, bias given",
                                      "ε > 0",
                                      "carrier held, ε = 0",
                                      "carrier moved, ε = 0",
                                      "carrier moved, ε > 0",
                                      "gaps in other units"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, n = k >= 3 && k <= 5 ? 2 : 1, bounces = k == 2 || k == 5;
  const double m = ask->unit.m, s = ask->unit.s;
  backlash *p = zoo_model(c, sizeof *p, n, n, 2);
  p->t0 = ask->t0;
  p->carried = n == 2;
  p->moved = k == 4 || k == 5;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->d = random_between(&random, 0.001, 0.1) * m;
  p->w = random_between(&random, 1.0, 30.0) / s;
  p->alpha = random_between(&random, 0.0, 6.28);
  p->F = p->m * p->d * p->w * p->w * random_between(&random, 0.3, 3.0);
  p->A = p->moved ? p->d * random_between(&random, 0.5, 5.0) : 0.0;
  p->arm = k == 6 ? random_scale(&random, 6.0) : 1.0;
  p->eps = bounces ? random_between(&random, 0.3, 0.9) : 0.0;
  const double x = random_between(&random, -0.8, 0.8) * p->d,
               v = random_between(&random, -1.0, 1.0) * p->d * p->w;
  c->q[0] = x;
  c->u[0] = v + (p->moved ? p->A * p->w : 0.0);
  if (p->carried) {
    c->u[1] = p->moved ? p->A * p->w : 0.0;
    c->def.nconstraints = 1;
    c->def.constraint = hold;
    c->constraint_size[0] = p->d + p->A;
  }
  c->span = (bounces ? 12.0 : 30.0) / p->w;
  live(p, x, v, 1.1L * c->span);
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 1 ? bias : NULL;
  c->law[0] = c->law[1] = zoo_law(0.0, p->eps);
  c->law[0].friction = c->law[1].friction = NSDYN_FRICTION_NONE;
  c->time = 1.0 / p->w;
  c->length = p->d * p->arm;
  c->speed = 3.0 * p->d * p->w * p->arm;
  c->force = (p->F + p->m * p->A * p->w * p->w) / p->arm;
  zoo_sizes(c, p->d + p->A, 3.0 * (p->d + p->A) * p->w);
  c->amplify = bounces ? 1000.0 : 10.0;
  c->least_steps = 3000;
  c->steps_bound = bounces ? 1.0 : 20.0;
  c->truth = truth;
}

const zoo_machine zoo_backlash = {"backlash", 7, variant, make};
