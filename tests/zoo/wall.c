/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A point mass hits a rough wall that nothing presses it on, gravity along the wall. It sticks or slides for
 * the instant of the impact; then it falls along the wall without a normal force, or flies off to the other
 * wall. Truth: closed form. */
#include "path.h"

typedef struct wall {
  double m, g, t0, mu, eps, width;
  int walls, has_bias;
  path path;
} wall;

static int mass(void *user, double t, const double *q, double *M)
{
  const wall *p = user;
  (void)t, (void)q;
  M[0] = M[3] = p->m;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const wall *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -p->m * p->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const wall *p = user;
  (void)t;
  g[0] = q[0];
  if (p->walls > 1) {
    g[1] = p->width - q[0];
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[0] = i == 0 ? 1.0 : -1.0;
  W[3] = 1.0;
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = 0.0;
  return 0;
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const wall *p = c->def.user;
  truth->knows_q = 1;
  return path_at(&p->path, (long double)t - p->t0, c->slack, truth->q, truth->u, &truth->knows_u);
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const wall *p = c->def.user;
  (void)t;
  return p->m * (0.5 * (u[0] * u[0] + u[1] * u[1]) + p->g * q[1]);
}

/* From wall to wall. */
static void fly(wall *p, const zoo_case *c)
{
  path_leg *leg = path_next(&p->path, 0.0L);
  p->path.end = INFINITY;
  leg->x[0] = c->q[0];
  leg->x[1] = c->q[1];
  leg->v[0] = c->u[0];
  leg->v[1] = c->u[1];
  leg->a[1] = -p->g;
  while (leg->v[0] < 0.0L || (leg->v[0] > 0.0L && p->walls > 1)) {
    const long double to = leg->v[0] < 0.0L ? 0.0L : p->width;
    const long double t = leg->t + (to - leg->x[0]) / leg->v[0];
    if (t > c->span || p->path.legs == PATH_LEGS) {
      break;
    }
    leg = path_next(&p->path, t);
    const long double push = (1.0L + p->eps) * fabsl(leg->v[0]);
    leg->x[0] = to;
    leg->v[0] *= -(long double)p->eps;
    leg->v[1] = copysignl(fmaxl(fabsl(leg->v[1]) - p->mu * push, 0.0L), leg->v[1]);
  }
}

static const char *variant(int k)
{
  static const char *const names[] = {"issue 9, seen 7", "inelastic", "inelastic, bias given", "bouncing",
                                      "between two walls"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant;
  const double m = ask->unit.m, s = ask->unit.s, speed = m / s;
  wall *p = zoo_model(c, sizeof *p, 2, 2, k == 4 ? 2 : 1);
  p->t0 = ask->t0;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->g = 9.81 * m / (s * s);
  p->walls = k == 4 ? 2 : 1;
  p->width = 2.0 * m;
  p->mu = k == 0 ? 0.3 : random_between(&random, 0.0, 1.5);
  p->eps = k < 3 ? 0.0 : random_between(&random, 0.3, 0.9);
  c->q[0] = k == 0 ? m : random_between(&random, 0.2, 1.8) * m;
  c->u[0] = k == 0 ? -speed : -random_between(&random, 0.5, 5.0) * speed;
  c->u[1] = (k == 0 ? 9.81 : random_between(&random, -5.0, 12.0)) * speed;
  c->span = fmin(4.0 * s, 3.0 * c->q[0] / fabs(c->u[0]));
  fly(p, c);
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 2 ? bias : NULL;
  c->law[0] = c->law[1] = zoo_law(p->mu, p->eps);
  c->time = 0.3 * s;
  c->length = m;
  c->speed = 5.0 * speed;
  c->force = p->m * p->g;
  zoo_sizes(c, 10.0 * m, 10.0 * speed);
  c->truth = truth;
  c->energy = energy;
  c->energy_size = p->m * p->g * 10.0 * m;
}

const zoo_machine zoo_wall = {"wall", 5, variant, make};
