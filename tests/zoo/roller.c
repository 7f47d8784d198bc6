/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A disk with spin is thrown onto a rough slope, or starts on it: it slides, then rolls where μ allows it, or
 * slides for ever. (x, y, φ), r given. Truth: closed forms from hop to hop; friction acts on x and φ. */
#include "path.h"

typedef struct roller {
  double m, J, r, gx, gy, mu, eps, t0;
  path path; /* x, y of the centre above the line */
  int legs;
  long double spin[PATH_LEGS], phi[PATH_LEGS], rate[PATH_LEGS];
} roller;

static int mass(void *user, double t, const double *q, double *M)
{
  const roller *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->J;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const roller *p = user;
  (void)t, (void)q, (void)u;
  h[0] = p->m * p->gx;
  h[1] = -p->m * p->gy;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const roller *p = user;
  (void)t;
  g[0] = q[1] - p->r;
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const roller *p = user;
  (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[1] = W[3] = 1.0;
  W[5] = p->r;
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = 0.0;
  return 0;
}

/* Begins leg k of path and spin at t. */
static path_leg *begin(roller *p, long double t)
{
  const int k = p->path.legs;
  const long double d = k > 0 ? t - p->path.leg[k - 1].t : 0.0L;
  path_leg *leg = path_next(&p->path, t);
  if (k > 0) {
    p->phi[k] = p->phi[k - 1] + d * (p->spin[k - 1] + 0.5L * d * p->rate[k - 1]);
    p->spin[k] = p->spin[k - 1] + d * p->rate[k - 1];
    p->rate[k] = p->rate[k - 1];
  }
  return leg;
}

static void live(roller *p, const zoo_case *c)
{
  const long double g = p->gy, arm = 1.0L / p->m + (long double)p->r * p->r / p->J;
  path_leg *leg = begin(p, 0.0L);
  int k = 0;
  p->path.end = INFINITY;
  leg->x[0] = c->q[0];
  leg->x[1] = c->q[1] - p->r;
  leg->v[0] = c->u[0];
  leg->v[1] = c->u[1];
  leg->a[0] = p->gx;
  leg->a[1] = -g;
  p->spin[0] = c->u[2];
  p->phi[0] = c->q[2];
  long double hop = 1.0L, first = 0.0L;
  while (leg->t < c->span && (first == 0.0L || hop > 1e-15L * first)) {
    const long double y = leg->x[1], root = sqrtl(leg->v[1] * leg->v[1] + 2.0L * g * y);
    hop = (leg->v[1] + root) / g;
    first = fmaxl(first, hop);
    leg = begin(p, leg->t + hop);
    k = p->path.legs - 1;
    const long double push = p->m * (1.0L + p->eps) * root, slide = leg->v[0] + p->r * p->spin[k];
    const long double rub = copysignl(fminl(p->mu * push, fabsl(slide) / arm), slide);
    leg->x[1] = 0.0L;
    leg->v[1] = p->eps * root;
    leg->v[0] -= rub / p->m;
    p->spin[k] -= p->r * rub / p->J;
    if (p->eps == 0.0 || hop == 0.0L) {
      break;
    }
  }
  leg->v[1] = leg->a[1] = leg->x[1] = 0.0L;
  for (int turns = 0; turns < 3; turns++) {
    k = p->path.legs - 1;
    const long double slide = leg->v[0] + p->r * p->spin[k], N = p->m * g;
    const long double hold = p->m * p->gx / (p->m * arm); /* friction that keeps it rolling */
    long double rub;
    if (fabsl(slide) < 1e-15L * (fabsl(leg->v[0]) + fabsl(p->r * p->spin[k]))) {
      rub = fabsl(hold) <= p->mu * N ? hold : copysignl(p->mu * N, p->gx);
      leg->a[0] = p->gx - rub / p->m;
      p->rate[k] = -p->r * rub / p->J;
      return;
    }
    rub = copysignl(p->mu * N, slide);
    leg->a[0] = p->gx - rub / p->m;
    p->rate[k] = -p->r * rub / p->J;
    const long double change = leg->a[0] + p->r * p->rate[k];
    if (change * slide >= 0.0L) {
      return;
    }
    leg = begin(p, leg->t - slide / change);
    k = p->path.legs - 1;
    p->spin[k] = -leg->v[0] / p->r;
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const roller *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  int k = 0;
  const int known = path_at(&p->path, tau, c->slack, truth->q, truth->u, &truth->knows_u);
  for (int i = 0; i < p->path.legs; i++) {
    k = p->path.leg[i].t <= tau ? i : k;
  }
  const long double d = tau - p->path.leg[k].t;
  truth->q[1] += p->r;
  truth->q[2] = (double)(p->phi[k] + d * (p->spin[k] + 0.5L * d * p->rate[k]));
  truth->u[2] = (double)(p->spin[k] + d * p->rate[k]);
  truth->knows_q = 1;
  return known;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const roller *p = c->def.user;
  (void)t;
  return p->m * (0.5 * (u[0] * u[0] + u[1] * u[1]) - p->gx * q[0] + p->gy * q[1]) + 0.5 * p->J * u[2] * u[2];
}

static const char *variant(int k)
{
  static const char *const names[] = {"thrown", "starts on the slope", "starts on the slope, bias given"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant;
  const double m = ask->unit.m, s = ask->unit.s, slope = random_between(&random, -0.6, 0.6);
  roller *p = zoo_model(c, sizeof *p, 3, 3, 1);
  p->t0 = ask->t0;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->r = random_between(&random, 0.05, 0.5) * m;
  p->J = p->m * p->r * p->r * random_between(&random, 0.3, 1.0);
  p->gx = 9.81 * sin(slope) * m / (s * s);
  p->gy = 9.81 * cos(slope) * m / (s * s);
  p->mu = random_between(&random, 0.0, 0.6);
  p->eps = k ? 0.0 : random_between(&random, 0.0, 0.8);
  c->q[1] = p->r + (k ? 0.0 : random_between(&random, 0.1, 1.0) * m);
  c->u[0] = random_between(&random, -5.0, 5.0) * m / s;
  c->u[1] = k ? 0.0 : random_between(&random, -1.0, 1.0) * m / s;
  c->u[2] = random_between(&random, -5.0, 5.0) * m / s / p->r;
  c->span = random_between(&random, 1.0, 6.0) * s;
  live(p, c);
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 2 ? bias : NULL;
  c->law[0] = zoo_law(p->mu, p->eps);
  c->time = 0.3 * s;
  c->length = m;
  c->speed = 5.0 * m / s;
  c->force = p->m * p->gy;
  zoo_sizes(c, 20.0 * m, 10.0 * m / s);
  c->q_size[2] = 20.0 * m / p->r;
  c->u_size[2] = 10.0 * m / s / p->r;
  c->truth = truth;
  /* normal and tangential velocities are free of each other: Newton's law adds no energy */
  c->energy = energy;
  c->energy_size = p->m * 100.0 * m * m / (s * s);
}

const zoo_machine zoo_roller = {"roller", 3, variant, make};
