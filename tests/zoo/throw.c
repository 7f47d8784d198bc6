/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A point mass thrown over a rough line, level or sloping, still or a belt: hops accumulate, then it slides,
 * stops or is carried. Truth: closed forms from hop to hop. */
#include "path.h"

typedef struct throw_model {
  double m, gx, gy, V, t0, mu, eps;
  path path;
} throw_model;

static int mass(void *user, double t, const double *q, double *M)
{
  const throw_model *p = user;
  (void)t, (void)q;
  M[0] = M[3] = p->m;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const throw_model *p = user;
  (void)t, (void)q, (void)u;
  h[0] = p->m * p->gx;
  h[1] = -p->m * p->gy;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const throw_model *p = user;
  (void)t, (void)q, (void)i;
  W[1] = W[2] = 1.0;
  w_hat[1] = -p->V;
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = 0.0;
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  const throw_model *p = user;
  const double W[4] = {0.0, 1.0, 1.0, 0.0};
  const nsdyn_contact_block block = {0, 2, W};
  nsdyn_found_contact found;
  (void)t, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 1;
  found.gap = q[1];
  found.law = 0;
  found.blocks = 1;
  found.block = &block;
  found.w_hat[1] = -p->V;
  return nsdyn_contact_sink_add(sink, &found);
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const throw_model *p = c->def.user;
  truth->knows_q = 1;
  return path_at(&p->path, (long double)t - p->t0, c->slack, truth->q, truth->u, &truth->knows_u);
}

/* Each hop of steps may end late by 1.5 + ε of them. An impact that was x Δt before its step's middle, 0 <= x
 * < 1, leaves the point at the step's end with u off by g Δt (x (1 + ε) + (1 − ε)/2), for its velocity is
 * that of the step's beginning, thrown back, and with q too high by no more than projection lifts it from
 * where it is below the line. The flight 2 u/g is longer by twice the first, and shorter by (x + 1/2) Δt of
 * the second; with x = 1 that is (3/2 + ε) Δt. Hops without projection gain less. */
static void spread(zoo_case *c, double t, double dt, zoo_truth *spread)
{
  const throw_model *p = c->def.user;
  const long double now = (long double)t - p->t0;
  const double late = dt * (1.5 + p->eps) * path_leg_at(&p->path, now);
  path_spread(&p->path, now, late, spread->q, spread->u, &spread->knows_u);
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const throw_model *p = c->def.user;
  (void)t;
  return p->m * (0.5 * (u[0] * u[0] + u[1] * u[1]) - p->gx * q[0] + p->gy * q[1]);
}

static const char *variant(int k)
{
  static const char *const names[] = {"level",          "level, bias given",     "found contact",
                                      "slope and belt", "slope and belt, found", "issue 9, seen 6"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, found = k == 2 || k == 4, moves = k == 3 || k == 4;
  const double m = ask->unit.m, s = ask->unit.s, speed = m / s;
  const double slope = moves ? random_between(&random, -0.5, 0.5) : 0.0;
  throw_model *p = zoo_model(c, sizeof *p, 2, 2, found ? 0 : 1);
  p->t0 = ask->t0;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->gx = 9.81 * sin(slope) * m / (s * s);
  p->gy = 9.81 * cos(slope) * m / (s * s);
  p->V = moves ? random_between(&random, -3.0, 3.0) * speed : 0.0;
  p->mu = k == 5 ? 0.3 : random_between(&random, 0.0, 0.8);
  p->eps = k == 5 ? 0.5 : random_between(&random, 0.0, 0.85);
  c->q[1] = k == 5 ? m : random_between(&random, 0.2, 2.0) * m;
  c->u[0] = k == 5 ? 20.0 * speed : random_between(&random, -20.0, 20.0) * speed;
  c->u[1] = k == 5 ? 0.0 : random_between(&random, -3.0, 3.0) * speed;
  path_leg *leg = path_next(&p->path, 0.0L);
  p->path.end = INFINITY;
  for (int j = 0; j < 2; j++) {
    leg->x[j] = c->q[j];
    leg->v[j] = c->u[j];
  }
  leg->a[0] = p->gx;
  leg->a[1] = -p->gy;
  c->span = k == 5 ? 6.9 * s : fmin(random_between(&random, 1.0, 8.0), 8.0) * s;
  path_hop(&p->path, p->gx, p->gy, p->mu, p->eps, p->V, c->span);
  c->def.mass = mass;
  c->def.force = force;
  if (found) {
    c->def.find = find;
    c->found_laws = 1;
    c->found_law[0] = zoo_law(p->mu, p->eps);
  } else {
    c->def.gap = gap;
    c->def.direction = direction;
    c->def.bias = k == 1 ? bias : NULL;
    c->law[0] = zoo_law(p->mu, p->eps);
  }
  c->time = 0.5 * s;
  c->length = m;
  c->speed = 5.0 * speed;
  c->force = p->m * p->gy;
  zoo_sizes(c, m, speed);
  c->q_size[0] = 20.0 * m;
  c->u_size[0] = 20.0 * speed;
  c->amplify = 3.0; /* the clock rounds each impact */
  c->truth = truth;
  c->spread = spread;
  if (!moves) {
    c->energy = energy;
    c->energy_size = energy(c, 0.0, c->q, c->u);
  }
}

const zoo_machine zoo_throw = {"throw", 6, variant, make};
